"""The Gymnasium environment."""

import gymnasium as gym
import numpy as np
import pytest
from helpers.players import episode, legal_at_random
from helpers.race_positions import IN_TEAMS

import mancala_envs
from mancala_envs import make_game
from mancala_envs.agents import Mixture
from mancala_envs.compliance.suites import SUITES, Case
from mancala_envs.core.binding import code_of
from mancala_envs.core.outcome import named_by_play
from mancala_envs.envs.solo import SoloEnv

ENTRIES = list(mancala_envs.REGISTRY.values())
each_game = pytest.mark.parametrize("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])
QELAT = "mancala_envs/Qelat-v0"


def first(observation, mask):
    return int(np.flatnonzero(mask)[0])


def share(counts, player):
    """Return the rewards: the k best players share 1, the others share -1; zero if all are equal."""
    best = counts.count(max(counts))
    if best == len(counts):
        return 0
    return 1 / best if counts[player] == max(counts) else -1 / (len(counts) - best)


@each_game
def test_gymnasium_and_sb3_checkers_pass(entry):
    SUITES["solo"].run(Case(entry))
    pytest.importorskip("stable_baselines3")
    SUITES["sb3"].run(Case(entry))


@each_game
@pytest.mark.parametrize("opponent", ["random", "greedy", first, Mixture(("random", first))])
def test_episodes_end_with_the_agents_reward_in_every_seat(entry, opponent):
    rng = np.random.default_rng(0)
    for seat in (0, 1):
        env = gym.make(entry.id, opponent=opponent, seat=seat)
        for seed in range(4):
            *before, last = episode(env, legal_at_random(rng), seed=seed)
            assert all(reward == 0 for _, reward, *_ in before)
            game, state = env.unwrapped.game, env.unwrapped.record.view(np.recarray)[0]
            if entry.name in IN_TEAMS:
                assert last[1] == (0 if state.winner < 0 else 1 if state.winner == seat % 2 else -1)
                continue
            if game.book.result.best is named_by_play:
                counts = [state.winner == player for player in range(game.num_players)]
            else:
                counts = [code_of(game.book.result.score)(state, player) for player in range(game.num_players)]
            assert last[1] == share(counts, seat)


def test_random_seats_vary():
    env = gym.make(QELAT)
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(20)}
    assert seats == {0, 1}
    assert {env.reset()[1]["seat"] for _ in range(20)} == {0, 1}


def test_the_second_seat_decides_after_the_opponents_first_turn():
    env = gym.make(QELAT, seat=1, opponent=first)
    env.reset(seed=0)
    assert env.unwrapped.record["turn"][0] == 1
    expected = make_game("qelat").init(1, 0)
    make_game("qelat").step(expected, [0])
    assert env.unwrapped.record["holes"].tolist() == expected["holes"].tolist()


def test_a_seed_can_be_a_numpy_integer():
    env = SoloEnv("qelat")
    begun = {(env.reset(seed=seed)[1]["seat"], env.record.tobytes()) for seed in (9, np.int64(9), np.uint64(9))}
    assert len(begun) == 1


def test_without_a_seed_the_generator_of_the_environment_seeds_the_game():
    chances = set()
    for seed in (5, 6):
        env = SoloEnv("qelat")
        env.reset(seed=seed)
        env.play_campaigns()  # begins again without the draws of the game
        env.reset()
        chances.add(int(env.record["chance"][0]))
    for _ in range(2):
        env = SoloEnv("qelat")
        assert env.np_random is not None
        env.reset()
        chances.add(int(env.record["chance"][0]))
    assert len(chances) == 4 and 0 not in chances


def test_an_illegal_action_loses():
    env = gym.make(QELAT, seat=0)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(11)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    with pytest.raises(gym.error.ResetNeeded):
        env.unwrapped.step(0)


def test_an_illegal_action_is_replaced_at_random():
    played = set()
    for seed in range(30):
        env = gym.make("mancala_envs/Kalah-v0", seat=0, illegal="random", opponent=first)
        env.reset(seed=seed)
        *_, terminated, truncated, info = env.step(-1)
        assert info["illegal_action"] is True
        assert not (terminated or truncated)
        played.add(tuple(env.unwrapped.record["holes"][0].tolist()))
    assert len(played) > 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponent": "gready"}, "'random', 'greedy'"),
        ({"opponent": ["random", "random"]}, "1 other seats"),
        ({"seat": 2}, "'random' or 0..1"),
        ({"seat": -1}, "'random' or 0..1"),
        ({"illegal": "ignore"}, "'lose', 'raise', 'random'"),
        ({"render_mode": "png"}, "ansi, rgb_array, svg, human"),
        ({"reading": "tale"}, "'text', 'summary'"),
    ],
)
def test_errors_list_what_is_allowed(arguments, message):
    with pytest.raises(ValueError, match=message):
        SoloEnv("qelat", **arguments)


@each_game
def test_boards_are_rendered(entry):
    env = gym.make(entry.id, render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().shape[2] == 3
    env = gym.make(entry.id, render_mode="ansi", seat=0)
    env.reset(seed=0)
    assert "player_0 to move" in env.render()

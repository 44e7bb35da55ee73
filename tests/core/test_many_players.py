"""Games with three or more players, and teams, in every environment."""

import json
import subprocess
from dataclasses import replace
from itertools import product

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from helpers.forms import slowly
from helpers.players import episode, legal_at_random, play_greedy_against_random, traced
from helpers.programs import command
from pettingzoo.test import api_test

from mancala_envs import REGISTRY, dongjintian_v0, make_game, zigulzoqge_v0
from mancala_envs.agents.compiled import act
from mancala_envs.compliance.suites import Case, vector_parity
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import League, evaluate
from mancala_envs.learning.settings import OPENINGS

THREE = ("zigulzoqge", {"players": 3})
FOUR = ("zigulzoqge", {})
TEAMS = ("zigulzoqge", {"teams": True})
GRID = ("dongjintian", {"max_turns": 12})

COLUMNS = [column.name for column in make_game("zigulzoqge").observation_fields]
ROW = slice(COLUMNS.index("row[0]"), COLUMNS.index("row[3]") + 1)
"""The columns that show the observing player's seat."""

each_table = pytest.mark.parametrize(("name", "options"), [*slowly(THREE, FOUR, TEAMS), GRID])


def first(observation, mask):
    """Return the first legal action, for one mask or several."""
    return np.asarray(mask).argmax(axis=-1)


def last(observation, mask):
    mask = np.asarray(mask)
    return mask.shape[-1] - 1 - mask[..., ::-1].argmax(axis=-1)


# PettingZoo.


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("players", "teams"), [*slowly((2, False), (3, False)), (4, True)])
def test_pettingzoo_api_test_passes(players, teams, capsys):
    env = zigulzoqge_v0.env(players=players, teams=teams)
    api_test(env, num_cycles=200)
    assert env.possible_agents == [f"player_{player}" for player in range(players)]
    capsys.readouterr()


def random_totals(env, seed):
    """Play random actions; return the agents that decided, and their total rewards."""
    env.reset(seed=seed)
    trace, totals = traced(env, legal_at_random(np.random.default_rng(seed)))
    return {agent for agent, *_, action in trace if action is not None}, list(totals.values())


@pytest.mark.parametrize("players", [*slowly(3), 4])
def test_rewards_without_teams(players):
    env = zigulzoqge_v0.env(players=players)
    for seed in range(6):
        movers, totals = random_totals(env, seed)
        assert movers == set(env.possible_agents)
        best = sum(total > 0 for total in totals)
        assert sum(totals) == pytest.approx(0) and max(totals) == pytest.approx(1 / best)
        assert min(totals) == pytest.approx(-1 / (players - best))


def test_rewards_of_teams():
    env = zigulzoqge_v0.env(teams=True)
    for seed in range(6):
        _, totals = random_totals(env, seed)
        assert totals[0] == totals[1] == -totals[2] == -totals[3] and totals[0] in (-1, 0, 1)


def test_players_observe_the_same_board_and_their_own_store_first():
    env = dongjintian_v0.raw_env()
    game = env.game
    state = game.load(store=[1, 2, 3, 4], holes=[2] * 20)
    env.reset(seed=0, options={"position": game.text(state)})
    names = [column.name for column in game.observation_fields]
    seen = {agent: dict(zip(names, env.observe(agent)["observation"].tolist(), strict=True)) for agent in env.agents}
    assert [view["store[0]"] for view in seen.values()] == [1, 2, 3, 4]
    assert [view["store[1]"] for view in seen.values()] == [2, 3, 4, 1]
    # player_0 decides; the four players see this player 0, 3, 2 and 1 seats after their own.
    assert [[view[f"to_move[{k}]"] for k in range(4)].index(1) for view in seen.values()] == [0, 3, 2, 1]
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents[1:])


# One learner.


@each_table
@pytest.mark.parametrize("opponent", ["random", "greedy", first, ["random", "greedy", last]])
def test_a_learner_in_any_seat_gets_the_reward_of_that_seat(name, options, opponent):
    game = make_game(name, **options)
    if isinstance(opponent, list):
        opponent = opponent[: game.num_players - 1]
    for seat in range(game.num_players):
        env = SoloEnv(name, opponent=opponent, seat=seat, **options)
        rng = np.random.default_rng(seat)
        for seed in range(2):
            for _, reward, over, _, info in episode(env, legal_at_random(rng), seed=seed):
                assert over or (reward == 0 and env.record[0]["to_move"] == info["seat"] == seat)
            winner = env.record[0]["winner"]
            if winner >= 0:
                own = seat // 2 if options.get("teams") else seat
                lost = -1 if options.get("teams") else -1 / (game.num_players - 1)
                assert reward == pytest.approx(1 if own == winner else lost)


@pytest.mark.slow
def test_a_list_of_opponents_starts_after_the_learners_seat():
    # Each opponent records the seat it plays, which it finds by the row it owns in the observation.
    seats = {number: set() for number in range(3)}

    def opponent(number):
        def policy(observation, mask):
            seats[number].add(int(observation[ROW].argmax()))
            return first(observation, mask)

        return policy

    env = SoloEnv("zigulzoqge", opponent=[opponent(number) for number in range(3)], seat=2)
    assert list(episode(env, seed=0))
    assert seats == {0: {3}, 1: {0}, 2: {1}}


@pytest.mark.slow
def test_a_random_seat_can_be_any_seat():
    env = gym.make("mancala_envs/Zigulzoqge-v0")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2, 3}


# Many games.


@each_table
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_the_vector_environment_plays_like_single_environments(name, options, mode):
    opponents = ["greedy", "random", first][: make_game(name, **options).num_players - 1]
    vector_parity(Case(REGISTRY[name]), mode, opponent=opponents, **options)


def test_greedy_finds_captures_later_in_the_turn():
    game = make_game("zigulzoqge")
    # Hole 12 is captured from hole 5 by going west, then south twice; other paths capture nothing.
    states = game.load(holes=[0] * 5 + [1] + [0] * 6 + [3, 0, 1, 0], to_move=1)
    for action in (5, 19, 18, 18):
        assert act(game, states, "greedy", seed=0)[0] in (action, 5)
        game.step(states, [action])
    assert states[0].store.tolist() == [0, 3, 0, 0]


@each_table
def test_evaluation_plays_every_game_to_its_end(name, options):
    score = evaluate(first, name, "random", games=16, seed=1, **options)
    assert score.games == 16 + -16 % make_game(name, **options).num_deciding
    assert evaluate(first, name, "random", games=16, seed=1, **options) == score


def test_greedy_wins_more_than_its_share_against_three_random_players():
    states = play_greedy_against_random(make_game("zigulzoqge"), 2, 200, 1000)
    assert (states.winner == 2).mean() > 0.4


@pytest.mark.slow
def test_the_program_trains_and_evaluates_every_seat(tmp_path):
    pytest.importorskip("sb3_contrib")
    few = ("--steps", 2000, "--envs", 32, "--games", 2, "--minutes", 2)
    program = command("scripts/train.py", "zigulzoqge", "--option", "max_turns=40", "--out", tmp_path, *few)
    subprocess.run(program, timeout=600, check=True)
    evaluation = json.loads((tmp_path / "evaluation.json").read_text())
    cells = product(("policy alone", "values in minimax:2"), ("random", "greedy"), OPENINGS)
    for seats in (evaluation[way][who][opening]["seats"] for way, who, opening in cells):
        assert [seat["wins"] + seat["draws"] + seat["losses"] for seat in seats] == [2] * 4


@pytest.mark.slow
def test_self_play_puts_snapshots_into_every_seat():
    sb3 = pytest.importorskip("mancala_envs.wrappers.sb3")
    from sb3_contrib import MaskablePPO

    envs = MancalaVectorEnv("zigulzoqge", 8, autoreset_mode="SameStep", max_turns=8)
    model = MaskablePPO(
        "MlpPolicy", sb3.MancalaVecEnv(envs), n_steps=16, batch_size=64, n_epochs=1, device="cpu", seed=0
    )
    asked = set()

    class Asked(sb3.SelfPlay):
        def _opponents(self, mixture):
            super()._opponents(replace(mixture, opponents=tuple(map(self.noted, mixture.opponents))))

        def noted(self, opponent):
            if not callable(opponent):
                return opponent

            def policy(observations, masks):
                asked.update(observations[:, ROW].argmax(axis=1).tolist())
                return opponent(observations, masks)

            return policy

    model.learn(1024, callback=Asked(League(share=0.9), after=128, every=128))
    assert asked == {0, 1, 2, 3}

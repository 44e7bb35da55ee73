"""Start positions of episodes, and the curriculum from the last rounds of a campaign to its first."""

from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from helpers import olinda_positions
from helpers.players import first_legal

from mancala_envs import REGISTRY, make_game, qelat_v0
from mancala_envs.compliance.suites import Case, vector_parity
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.wrappers import Curriculum, late_starts

OPTIONS = {"campaign": True, "max_rounds": 4}
GAME = make_game("daramutu", **OPTIONS)
last_lift = partial(olinda_positions.last_lift, GAME)


def at_the_end(seeds):
    """A campaign that player 1 ends with their only action, with so many of the 56 seeds."""
    return last_lift(56 - seeds, seeds, round_number=4)


def won():
    return at_the_end(34)


def lost():
    return at_the_end(22)


def drawn():
    return at_the_end(28)


def solo(**arguments):
    return SoloEnv("daramutu", seat=1, **OPTIONS, **arguments)


def vector(n=3, mode="SameStep", **arguments):
    return MancalaVectorEnv("daramutu", n, seat=1, autoreset_mode=mode, **OPTIONS, **arguments)


# Start positions.


def test_every_episode_has_its_own_chance():
    env = solo()
    env.set_opening(won())
    chances = set()
    for seed in range(8):
        env.reset(seed=seed)
        chances.add(int(env.record["chance"][0]))
    assert len(chances) == 8


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_vector_env_starts_like_solo_env(mode):
    starts = late_starts("daramutu(campaign=True,max_rounds=2)", campaigns=8)[0]
    vector_parity(Case(REGISTRY["daramutu"], campaign=True), mode, opening=starts)


def test_later_changes_of_the_callers_array_do_not_affect_starts():
    given = won()
    env = solo()
    env.set_opening(given)
    given["round_number"] = 2
    assert env.reset(seed=1)[1]["round_number"] == 4


def test_starts_can_come_from_games_with_autoreset():
    states = won()
    GAME.step(states, [0], autoreset=True)
    assert states[0].ended == 1
    env = solo()
    env.set_opening(states)
    _, info = env.reset(seed=1)
    assert env.record["ended"][0] == 0 and not env.step(first_legal(info))[2]


# Late starts.


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_late_starts_are_counted_from_the_end(agent):
    game = make_game("daramutu", campaign=True, max_rounds=3)
    last, last_but_one = late_starts(game, campaigns=32, agent=agent)
    assert set(last.round_number) <= {2, 3} and (last.to_move >= 0).all()
    # Only campaigns of three rounds have a round that is neither the first nor the last.
    assert set(last_but_one.round_number) == {2}
    assert len(last_but_one) == (last.round_number == 3).sum()


def test_late_starts_depend_on_the_seed_only():
    first, again, other = (late_starts(GAME, campaigns=8, seed=seed) for seed in (1, 1, 2))
    assert [batch.tobytes() for batch in first] == [batch.tobytes() for batch in again]
    assert [batch.tobytes() for batch in first] != [batch.tobytes() for batch in other]


def test_late_starts_need_a_campaign():
    with pytest.raises(ValueError, match="daramutu is not a campaign"):
        late_starts(make_game("daramutu"))
    with pytest.raises(ValueError, match="an agent must be one of 'random', 'greedy'"):
        late_starts(GAME, agent="best")


# The curriculum.


def test_stages_advance_as_the_agent_wins():
    env = Curriculum(solo(), [won(), won()], threshold=1.0, episodes=2)
    stages, rounds = [], []
    for _ in range(4):
        _, info = env.reset()
        rounds.append(info["round_number"])
        env.step(0)
        stages.append(env.stage)
    assert stages == [0, 1, 1, 2] and rounds == [4, 4, 4, 4]
    assert env.reset()[1]["round_number"] == 1


def test_losses_count_and_draws_do_not():
    env = Curriculum(solo(), [won()], threshold=0.5, episodes=4)
    results = []
    for position in (lost(), drawn(), lost(), won(), drawn(), won()):
        env.unwrapped.set_opening(position)
        env.reset()
        results.append(env.step(0)[1])
        assert env.stage == (len(results) == 6)
    assert results == [-1, 0, -1, 1, 0, 1]


@pytest.mark.parametrize(
    ("mode", "expected"), [("SameStep", [1, 1, 2, 2]), ("NextStep", [1, 1, 1, 1, 2]), ("Disabled", [1, 1, 2, 2])]
)
def test_vector_episodes_of_the_previous_stage_do_not_count(mode, expected):
    env = Curriculum(vector(mode=mode), [won(), won()], threshold=1.0, episodes=3)
    env.reset(seed=1)
    stages = []
    for _ in expected:
        env.step(np.zeros(3, np.int64))
        stages.append(env.stage)
        if mode == "Disabled":
            env.reset()
    assert stages == expected


def test_an_agent_that_loses_stays_in_its_stage():
    env = Curriculum(vector(), [lost()], threshold=0.5, episodes=3)
    env.reset(seed=1)
    for _ in range(6):
        env.step(np.zeros(3, np.int64))
    assert env.stage == 0 and env.win_rate == 0


@pytest.mark.parametrize("make", [solo, vector])
def test_every_stage_is_checked_before_the_first_begins(make):
    """A later stage would otherwise fail hours into a training; a list of numbers would be a range of openings."""
    env = make(opening=2)
    with pytest.raises(TypeError, match=r"a stage must be an array of records, got \[1, 2\]"):
        Curriculum(env, [won(), [1, 2]])
    over = won()
    GAME.step(over, [GAME.legal(over)[0].argmax()])
    for stage in (won()[:0], make_game("daramutu").init(2, 0), over):
        with pytest.raises(ValueError, match=r"none of them over|belongs to daramutu"):
            Curriculum(env, [won(), stage])
    assert env.opening == 2


def test_the_opening_of_the_environment_follows_the_last_stage():
    env = Curriculum(solo(opening=2), [won()], threshold=0.5, episodes=1)
    env.reset(seed=1)
    assert env.unwrapped.opening is not None and not np.isscalar(env.unwrapped.opening)
    env.step(int(env.unwrapped.action_masks().argmax()))
    assert (env.stage, env.unwrapped.opening) == (1, 2)


def test_wrong_arguments_are_refused():
    for threshold in (0, 2):
        with pytest.raises(ValueError, match=f"threshold must be above 0 and at most 1, got {threshold}"):
            Curriculum(solo(), [won()], threshold=threshold)
    with pytest.raises(ValueError, match="episodes must be at least 1, got 0"):
        Curriculum(solo(), [won()], episodes=0)
    with pytest.raises(TypeError, match="environments of mancala_envs"):
        Curriculum(gym.make("CartPole-v1"), [])
    with pytest.raises(TypeError, match="takes environments of the kinds Gymnasium, vector, got"):
        Curriculum(qelat_v0.env(), [])

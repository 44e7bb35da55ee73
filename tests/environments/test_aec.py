"""The PettingZoo environments: PettingZoo's suites, and properties that the suites do not check."""

from copy import deepcopy

import gymnasium
import numpy as np
import pettingzoo
import pytest
from helpers.forms import slowly
from helpers.players import first_legal, legal_at_random, traced
from helpers.race_positions import IN_TEAMS

import mancala_envs
from mancala_envs import IllegalAction, kalah_v0, qelat_v0
from mancala_envs.compliance.suites import SUITES, Case, cases

ENTRIES = list(mancala_envs.REGISTRY.values())
each_game = pytest.mark.parametrize("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])
OF_EACH_KIND = ["kalah", "qelat", "ceelkoqyuqkoqiji", "zigulzoqge", "niranchy", "pancha_keliya"]
"""Games with two and with more players, with holes and with points; `make check` runs the suites on all games."""
# The suites warn about dict observations, which every environment with masks has.
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def module(entry):
    return getattr(mancala_envs, entry.module)


@quiet
@pytest.mark.parametrize("name", OF_EACH_KIND)
@pytest.mark.parametrize("suite", ["api", "seed", "parallel", *slowly("render")])
def test_pettingzoos_suites_pass(name, suite, capsys):
    SUITES[suite].run(Case(mancala_envs.REGISTRY[name]))
    capsys.readouterr()


def test_infos_that_a_caller_kept_do_not_change():
    env = qelat_v0.env(campaign=True, max_rounds=3)
    env.reset(seed=1)
    kept = []
    for _ in env.agent_iter(200):
        observation, _, terminated, _, info = env.last()
        kept.append((info, deepcopy(info)))
        env.step(None if terminated else int(observation["action_mask"].argmax()))
    for info, copy in kept:
        assert info.keys() == copy.keys() and all(np.array_equal(info[name], copy[name]) for name in info)


@pytest.mark.parametrize("action", [None, 0])
def test_raw_env_needs_a_reset_when_all_agents_have_left(action):
    env = kalah_v0.raw_env()
    env.reset(seed=0)
    traced(env, first_legal)
    with pytest.raises(gymnasium.error.ResetNeeded, match="all agents have left"):
        env.step(action)


# `make check` runs it on all games.
@pytest.mark.slow
@pytest.mark.parametrize("case", cases(OF_EACH_KIND), ids=lambda case: case.name)
def test_copies_of_environments_behave_equally_and_independently(case):
    SUITES["copies"].run(case)


@each_game
def test_rewards_come_at_the_end_and_sum_to_zero(entry):
    env = module(entry).raw_env()
    env.reset(seed=3)
    trace, totals = traced(env, legal_at_random(np.random.default_rng(3)))
    assert len(trace) > 10
    assert sum(totals.values()) == pytest.approx(0)
    # The k best share 1, the others share -1; each member of a team gets the team's reward in full.
    best = sum(total > 0 for total in totals.values())
    shares = {1 / best, -1 / (len(totals) - best)} if best else {0.0}
    if entry.name in IN_TEAMS and best:
        shares = {1.0, -1.0}
    assert set(totals.values()) == shares


def test_a_player_can_move_several_times_in_a_row():
    env = kalah_v0.raw_env()
    env.reset()
    env.step(2)  # four seeds from hole 2 end in the player's own store
    assert env.agent_selection == "player_0"
    env.step(0)
    assert env.agent_selection == "player_1"


@each_game
def test_masks_are_in_observation_and_info_and_empty_for_waiting_agents(entry):
    env = module(entry).raw_env()
    env.reset(seed=0)
    observation, _, _, _, info = env.last()
    assert observation["action_mask"].any()
    np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
    for agent in env.agents:
        if agent != env.agent_selection:
            assert not env.observe(agent)["action_mask"].any()
            assert not env.infos[agent]["action_mask"].any()


def test_returned_observations_do_not_change_later():
    env = qelat_v0.raw_env()
    env.reset(seed=0)
    before, *_ = env.last()
    kept = {name: value.copy() for name, value in before.items()}
    env.step(3)
    env.last()
    for name, value in before.items():
        np.testing.assert_array_equal(value, kept[name])


@pytest.mark.parametrize("action", [12, -1, 99, 6, None, "3", 3.0, True])
def test_raw_env_names_the_illegal_action(action):
    env = qelat_v0.raw_env()
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match=rf"action {action!r} of game 0 is illegal: legal are \[0, 1, 2, 3, 4, 5\]"):
        env.step(action)


def test_the_same_seed_gives_the_same_game_and_no_seed_another():
    env = qelat_v0.raw_env(campaign=True)
    words = []
    for seed in (7, 7, None, None):
        env.reset(seed=seed)
        words.append(int(env._state["chance"][0]))
    assert words[0] == words[1]
    assert len(set(words)) == 3


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry")
@each_game
def test_pettingzoo_makes_every_id(entry):
    env = pettingzoo.make("aec", entry.id)
    env.reset(seed=0)
    assert str(env) == entry.module


def test_errors_name_unknown_options_modes_and_modules():
    with pytest.raises(TypeError, match=r"'colums' \(did you mean 'columns'\?\); it has columns"):
        qelat_v0.env(colums=3)
    with pytest.raises(ValueError, match="ansi, rgb_array, svg, human"):
        qelat_v0.env(render_mode="png")
    with pytest.raises(AttributeError, match="qelat_v0"):
        mancala_envs.chess_v0  # noqa: B018

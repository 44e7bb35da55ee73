"""The wrappers, one by one and in the combinations that the guide lists."""

import copy
import json
import re
import resource
import signal
import sys
from itertools import islice
from types import SimpleNamespace

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import FrameStackObservation
from helpers.forms import slowly
from helpers.players import each_clone, episode, first_legal, legal_at_random, traced
from helpers.programs import ROOT
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import BaseWrapper

import mancala_envs
from mancala_envs import IllegalAction, make_game
from mancala_envs.agents import Mixture
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.scripts.replay import main
from mancala_envs.wrappers import (
    Campaign,
    ChangeOfWorth,
    Curriculum,
    IllegalMoves,
    MaskInInfo,
    MaskInObservation,
    MaskInObservationOnly,
    ObserveAfterstates,
    RandomSymmetry,
    RecordEpisodes,
    RecordSoloEpisodes,
    SeatStatistics,
    SingleAgent,
    StackObservations,
    TimeLimit,
    VectorMaskInObservation,
    VectorStackObservations,
    late_starts,
    replay,
    symmetries,
)

# The suites warn about dict observations, wrappers, and masks without a legal action.
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def recorded(env):
    """`RecordEpisodes` to a file that is discarded."""
    return RecordEpisodes(env, "/dev/null")


def stacked(env):
    return StackObservations(env, 3)


def limited(env):
    return TimeLimit(env, 60)


def at_random(env):
    return IllegalMoves(env, "random")


def campaign(env):
    return Campaign(env, max_rounds=2)


def scheduled(env):
    """`Curriculum` whose stages change often."""
    return Curriculum(env, late_starts(env.unwrapped.game, 16), threshold=0.5, episodes=1)


NAMED = {
    "Campaign": campaign,
    "ChangeOfWorth": ChangeOfWorth,
    "Curriculum": scheduled,
    "RecordEpisodes": recorded,
    "IllegalMoves": IllegalMoves,
    "StackObservations": stacked,
    "MaskInInfo": MaskInInfo,
    "TimeLimit": limited,
    "RecordSoloEpisodes": lambda env: RecordSoloEpisodes(env, "/dev/null"),
    "RandomSymmetry": RandomSymmetry,
    "FrameStackObservation": lambda env: FrameStackObservation(env, 3),
    "MaskInObservation": MaskInObservation,
    "SeatStatistics": SeatStatistics,
    "VectorStackObservations": lambda envs: VectorStackObservations(envs, 3),
    "VectorMaskInObservation": VectorMaskInObservation,
}


def order_of_the_guide(kind, without=()):
    """Return the wrappers of one row of the guide's table of combinations, in order."""
    guide = (ROOT / "docs" / "guides" / "wrappers.md").read_text()
    _, row = re.search(rf"^\| {kind} \| (`.*?`), (.*?)[;|]", guide, re.M).groups()
    return [NAMED[name] for name in re.findall(r"`(\w+)`", row) if name not in without]


AEC_ORDERS = [
    [recorded],
    [IllegalMoves],
    [at_random],
    [limited],
    [stacked],
    [MaskInInfo],
    [recorded, IllegalMoves, stacked, MaskInInfo, limited],
    [recorded, limited, at_random, MaskInInfo, stacked],
    [stacked, MaskInInfo, IllegalMoves],
    [limited, stacked, IllegalMoves],
]
AEC_BASES = {
    "campaign of qelat": lambda: Campaign(mancala_envs.qelat_v0.env(), max_rounds=4),
    "dongjintian": lambda: mancala_envs.dongjintian_v0.env(max_turns=12),
}


def stack(env, order):
    for wrapper in order:
        env = wrapper(env)
    return env


def name(order):
    return "-".join(wrapper.__name__ for wrapper in order)


AEC_STACKS = {f"{base} {name(order)}": (AEC_BASES[base], order) for base in AEC_BASES for order in AEC_ORDERS}
AEC_STACKS["the guide's"] = lambda: mancala_envs.qelat_v0.env(), order_of_the_guide("PettingZoo")
for order in (
    [ChangeOfWorth],
    [IllegalMoves, ChangeOfWorth],
    [MaskInInfo, ChangeOfWorth, stacked],
    [limited, ChangeOfWorth],
):
    AEC_STACKS[f"worth {name(order)}"] = AEC_BASES["campaign of qelat"], order
each_aec_stack = pytest.mark.parametrize(("base", "order"), AEC_STACKS.values(), ids=AEC_STACKS)


def random_actions(seed):
    return legal_at_random(np.random.default_rng(seed))


# Compliance of all combinations.


@quiet
@each_aec_stack
def test_pettingzoos_suites_pass(base, order, capsys):
    api_test(stack(base(), order), num_cycles=300)
    seed_test(lambda: stack(base(), order), num_cycles=100)
    capsys.readouterr()


@each_clone
@each_aec_stack
def test_copies_in_mid_game_behave_equally_and_independently(base, order, clone):
    env = stack(base(), order)
    env.reset(seed=5)
    traced(env, random_actions(0), 30)
    twin = clone(env)
    before = env.state()
    trace = traced(twin, random_actions(1), 60)
    np.testing.assert_array_equal(env.state(), before)
    assert traced(env, random_actions(1), 60) == trace
    np.testing.assert_array_equal(env.state(), twin.state())


def daramutu():
    return gym.make("mancala_envs/Daramutu-v0", opponent="greedy")


def qelat():
    return gym.make("mancala_envs/Qelat-v0", opponent="greedy")


def single_qelat():
    env = Campaign(mancala_envs.qelat_v0.env(), max_rounds=2)
    return SingleAgent(stack(env, [recorded, IllegalMoves, stacked, MaskInInfo, limited]))


def single_connect_four():
    connect_four = pytest.importorskip("pettingzoo.classic.connect_four_v3", exc_type=ImportError)
    return SingleAgent(connect_four.env())


SOLO_ORDERS = [
    (daramutu, order_of_the_guide("Gymnasium", without=["Curriculum"])),
    (daramutu, order_of_the_guide("Gymnasium", without=["RecordSoloEpisodes"])),
    (daramutu, [RandomSymmetry, MaskInObservation]),
    (daramutu, [MaskInObservation]),
    (qelat, [campaign, ObserveAfterstates]),
    (single_qelat, []),
    (single_qelat, order_of_the_guide("Gymnasium")[-2:]),
]


def each_solo_order(orders):
    ids = [f"{base.__name__}-{name(order)}" for base, order in orders]
    return pytest.mark.parametrize(("base", "order"), orders, ids=ids)


@quiet
@each_solo_order([*SOLO_ORDERS, (single_connect_four, [MaskInObservation])])
def test_gymnasiums_checker_passes(base, order):
    check_env(stack(base(), order), skip_render_check=True)


def solo_steps(env, info, rng, steps):
    """Play random legal actions, with a reset after each end; return everything received."""
    trace = []
    for _ in range(steps):
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            observation, info = env.reset()
        bare = observation["observation"] if isinstance(observation, dict) else observation
        trace.append((bare.tolist(), reward, terminated, truncated, info["action_mask"].tolist()))
    return trace, info


@each_clone
@each_solo_order(SOLO_ORDERS)
def test_copies_of_solo_environments_behave_equally_and_independently(base, order, clone):
    env = stack(base(), order)
    _, info = env.reset(seed=5)
    _, info = solo_steps(env, info, np.random.default_rng(0), 7)
    twin = clone(env)
    trace, _ = solo_steps(twin, info, np.random.default_rng(1), 80)
    assert solo_steps(env, info, np.random.default_rng(1), 80)[0] == trace


# SingleAgent.


def test_single_agent_gets_its_own_rewards_in_every_seat():
    env = SingleAgent(mancala_envs.qelat_v0.raw_env())
    results = {0: [], 1: []}
    for seed in range(60):
        *_, (_, reward, _, _, info) = episode(env, seed=seed)
        results[env.seat].append(reward)
        assert reward == {-1: 0, env.seat: 1}.get(int(env.env.record["winner"][0]), -1)
        assert not info["action_mask"].any() and not env.action_masks().any()
    assert all({-1.0, 1.0} <= set(rewards) for rewards in results.values())


def test_single_agent_plays_like_solo_env():
    """With deterministic opponents both play the same game."""

    def last(observation, mask):
        return int(np.flatnonzero(mask)[-1])

    options = {"campaign": True, "max_rounds": 2}
    for seat in (0, 1):
        ours = SoloEnv("daramutu", opponent=last, seat=seat, **options)
        theirs = SingleAgent(mancala_envs.daramutu_v0.raw_env(**options), last, seat)
        steps = zip(episode(ours, random_actions(2), seed=1), episode(theirs, random_actions(2), seed=1), strict=True)
        for (one, *end, info), (other, *other_end, other_info) in steps:
            np.testing.assert_array_equal(one, other)
            np.testing.assert_array_equal(info["action_mask"], other_info["action_mask"])
            assert end == other_end


@pytest.mark.parametrize(
    ("seat", "columns", "replies", "rewards"),
    [
        (0, [1, 1, 1, 1], [3, 3, 3], [0, 0, 0, 1]),
        (0, [1, 1, 1, 5], [3, 3, 3, 3], [0, 0, 0, -1]),
        (1, [1, 1, 1], [3, 3, 3, 3], [0, 0, -1]),
        (1, [6, 6, 6, 6], [3, 3, 3, 5], [0, 0, 0, 1]),
    ],
)
def test_single_agents_rewards_in_connect_four(seat, columns, replies, rewards):
    connect_four = pytest.importorskip("pettingzoo.classic.connect_four_v3", exc_type=ImportError)
    moves = iter(replies)
    env = SingleAgent(connect_four.env(), lambda observation, mask: next(moves), seat)
    env.reset(seed=0)
    steps = [env.step(column)[1:3] for column in columns]
    assert [reward for reward, _ in steps] == rewards
    assert [over for _, over in steps] == [False] * (len(columns) - 1) + [True]


class Knockout(BaseWrapper):
    """A Dongjintian in which seat 2 leaves, with reward -5, after its first move, and the others play on."""

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self._out = False

    def step(self, action):
        raw, agent = self.unwrapped, self.agent_selection
        super().step(action)
        if agent == "player_2" and agent in raw.agents and raw.agent_selection != agent and not self._out:
            self._out = True
            raw.terminations[agent] = True
            raw.rewards[agent] = raw._cumulative_rewards[agent] = -5.0
            raw._deads_step_first()


def test_an_episode_ends_when_the_agent_leaves_early():
    env = SingleAgent(Knockout(mancala_envs.dongjintian_v0.raw_env()), seat=2)
    steps = list(episode(env, seed=0))
    assert sum(reward for _, reward, *_ in steps) == -5.0 and env.env.agent_selection == "player_2"
    assert steps[-1][2:4] == (True, False)
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)


def test_opponents_sit_in_turn_order_from_the_agent_and_get_masks():
    asked = []

    def sitting(number):
        def policy(observation, mask):
            assert observation.shape == (57,) and mask.any()
            asked.append((number, env.env.agent_selection))
            return np.flatnonzero(mask)[0]

        return policy

    env = SingleAgent(mancala_envs.dongjintian_v0.raw_env(), [sitting(1), sitting(2), sitting(3)], seat=2)
    assert len(list(islice(episode(env, seed=0), 40))) == 40
    assert set(asked) == {(1, "player_3"), (2, "player_0"), (3, "player_1")}


def test_greedy_opponent_beats_random_play_of_a_single_agent():
    def wins(opponent):
        env = SingleAgent(mancala_envs.kalah_v0.raw_env(), opponent)
        lasts = [list(episode(env, random_actions(seed), seed=seed))[-1] for seed in range(30)]
        return sum(reward > 0 for _, reward, *_ in lasts)

    assert wins("greedy") < 8 < wins("random")


def test_rewards_before_the_first_decision_are_paid_with_it():
    class Gift(BaseWrapper):
        def reset(self, seed=None, options=None):
            super().reset(seed, options)
            self.unwrapped._cumulative_rewards["player_1"] = 0.25

    env = SingleAgent(Gift(mancala_envs.qelat_v0.raw_env()), seat=1)
    assert [reward for _, reward, *_ in islice(episode(env, seed=0), 3)] == [0.25, 0, 0]


@pytest.mark.slow
def test_reset_fails_for_a_seat_that_never_decides():
    env = SingleAgent(mancala_envs.ceelkoqyuqkoqiji_v0.raw_env(players=4), seat=3)
    with pytest.raises(RuntimeError, match="player_3 had nothing to decide"):
        env.reset(seed=0)
    drawn = SingleAgent(mancala_envs.ceelkoqyuqkoqiji_v0.raw_env(players=4))
    assert {drawn.reset(seed=seed)[1]["seat"] for seed in range(12)} == {0, 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 2}, r"seat must be 'random' or 0\.\.1, got 2"),
        (
            {"opponent": "strong"},
            "must be one of 'random', 'greedy', .* a callable or the path of a saved model.*'strong'",
        ),
        ({"opponent": ["random", "random"]}, "one for each of the 1 other seats"),
    ],
)
def test_single_agent_refuses_invalid_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        SingleAgent(mancala_envs.qelat_v0.raw_env(), **arguments)


# IllegalMoves and TimeLimit.


def test_an_illegal_action_loses_and_the_other_agents_share_the_win():
    env = IllegalMoves(mancala_envs.dongjintian_v0.env())
    env.reset(seed=0)
    env.step(0)
    offender = env.agent_selection
    env.step(99)
    assert env.rewards == {agent: -1 if agent == offender else 1 / 3 for agent in env.possible_agents}
    trace, totals = traced(env, None)
    assert all(terminated and not truncated for _, _, _, terminated, truncated, _ in trace)
    assert totals[offender] == -1 and sum(totals.values()) == pytest.approx(0) and len(totals) == 4
    env.reset(seed=0)
    assert not any(env.terminations.values()) and len(env.agents) == 4


def test_rewards_before_an_illegal_action_are_paid_once():
    env = IllegalMoves(mancala_envs.qelat_v0.env())
    env.reset(seed=0)
    env.unwrapped._cumulative_rewards.update(player_0=0.5, player_1=0.25)
    env.step(99)  # player_0 had already received its 0.5
    assert traced(env, None)[1] == {"player_0": -1.0, "player_1": 1.25}


@pytest.mark.parametrize("action", [None, -1, 6, 99])
def test_an_illegal_action_can_raise_or_be_replaced(action):
    env = IllegalMoves(mancala_envs.qelat_v0.raw_env(), "raise")
    env.reset(seed=0)
    before = env.state()
    with pytest.raises(IllegalAction, match="legal are"):
        env.step(action)
    np.testing.assert_array_equal(env.state(), before)
    boards = []
    for _ in range(2):
        env = IllegalMoves(mancala_envs.qelat_v0.raw_env(), "random")
        env.reset(seed=3)
        env.step(action)
        assert env.rewards == {"player_0": 0, "player_1": 0} and not any(env.terminations.values())
        boards.append(env.state().tolist())
    assert boards[0] == boards[1] != before.tolist()


def test_rewards_of_another_librarys_game_sum_to_zero_too():
    connect_four = pytest.importorskip("pettingzoo.classic.connect_four_v3", exc_type=ImportError)
    env = IllegalMoves(MaskInInfo(connect_four.raw_env()))
    env.reset(seed=0)
    for _ in range(6):
        env.step(0)
    env.step(0)
    assert env.rewards == {"player_0": -1, "player_1": 1}
    with pytest.raises(ValueError, match="'lose', 'raise', 'random', got 'draw'"):
        IllegalMoves(connect_four.raw_env(), "draw")


def test_a_time_limit_truncates_all_agents_but_not_finished_games():
    env = TimeLimit(mancala_envs.dongjintian_v0.env(), 5)
    for _ in range(2):
        env.reset(seed=0)
        trace, totals = traced(env, random_actions(0))
        assert [action is None for *_, action in trace] == [False] * 5 + [True] * 4
        assert all(truncated and not terminated for _, _, _, terminated, truncated, _ in trace[5:])
        assert set(totals.values()) == {0.0}
    free = mancala_envs.kalah_v0.env()
    free.reset(seed=0)
    trace, totals = traced(free, random_actions(0))
    just_enough = TimeLimit(mancala_envs.kalah_v0.env(), len(trace) - 2)
    just_enough.reset(seed=0)
    assert traced(just_enough, random_actions(0)) == (trace, totals)
    with pytest.raises(ValueError, match="at least 1"):
        TimeLimit(free, 0)


def test_a_refused_action_does_not_count_as_a_decision():
    env = TimeLimit(mancala_envs.kalah_v0.raw_env(), 2)
    env.reset(seed=0)
    for _ in range(3):
        with pytest.raises(IllegalAction):
            env.step(99)
    env.step(0)
    assert not any(env.truncations.values())


# Masks and stacks.


def test_mask_in_observation_only():
    env = MaskInObservationOnly(Campaign(mancala_envs.qelat_v0.env(), max_rounds=2))
    env.reset(seed=0)
    observation, _, _, _, info = env.last()
    assert set(info) == {"round_number", "owned", "worth"}
    assert observation["action_mask"].any()
    assert "action_mask" in env.unwrapped.infos[env.agent_selection]


def test_mask_in_info():
    connect_four = pytest.importorskip("pettingzoo.classic.connect_four_v3", exc_type=ImportError)
    for base in (mancala_envs.qelat_v0.env(), connect_four.env()):
        env = MaskInInfo(base)
        env.reset(seed=0)
        for _ in range(5):
            observation, _, _, _, info = env.last()
            assert observation in env.observation_space(env.agent_selection)
            masked = base.observe(env.agent_selection)
            np.testing.assert_array_equal(observation, masked["observation"])
            np.testing.assert_array_equal(info["action_mask"], masked["action_mask"])
            env.step(int(np.flatnonzero(info["action_mask"])[0]))
    with pytest.raises(ValueError, match="hold no action_mask"):
        MaskInInfo(env)


@pytest.mark.parametrize("padding", ["reset", "zero"])
@pytest.mark.parametrize("size", [1, 2, 4])
def test_stacks_hold_the_observations_of_an_agents_last_decisions(size, padding):
    env = StackObservations(mancala_envs.kalah_v0.env(), size, padding)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    decided_on = {agent: [] for agent in env.possible_agents}
    for agent in env.agent_iter(max_iter=30):
        observation, *_ = env.last()
        present = env.env.observe(agent)
        np.testing.assert_array_equal(observation["action_mask"], present["action_mask"])
        decided_on[agent].append(present["observation"])
        first = decided_on[agent][0] if padding == "reset" else np.zeros_like(decided_on[agent][0])
        expected = [first] * max(size - len(decided_on[agent]), 0) + decided_on[agent][-size:]
        np.testing.assert_array_equal(observation["observation"], expected)
        assert observation in env.observation_space(agent)
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    with pytest.raises(ValueError, match="stack_size must be at least 1"):
        StackObservations(env.env, 0)
    with pytest.raises(ValueError, match="padding_type must be 'reset' or 'zero'"):
        StackObservations(env.env, 2, "last")


def same(ours, theirs):
    """Assert that nested results are equal, arrays by value."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs)
        for key in theirs:
            same(ours[key], theirs[key])
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        for one, other in zip(ours, theirs, strict=True):
            same(one, other)
    elif theirs is None:
        assert ours is None
    else:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("padding", ["reset", "zero"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_stacks_and_masks_agree_with_single_ones(mode, padding):
    def one():
        env = Campaign(SoloEnv("qelat"), max_rounds=2)
        return MaskInObservation(FrameStackObservation(env, 3, padding_type=padding))

    theirs = SyncVectorEnv([one] * 5, autoreset_mode=mode)
    envs = Campaign(MancalaVectorEnv("qelat", 5, autoreset_mode=mode), max_rounds=2)
    ours = VectorMaskInObservation(VectorStackObservations(SeatStatistics(envs), 3, padding))
    assert ours.observation_space == theirs.observation_space
    assert ours.single_observation_space == theirs.single_observation_space
    observations, infos = ours.reset(seed=2)
    same(observations, theirs.reset(seed=2)[0])
    rng, ends, over = np.random.default_rng(0), 0, np.zeros(5, np.bool_)
    for _ in range(200):
        if mode == AutoresetMode.DISABLED and over.any():
            options = [{"reset_mask": over.copy()} for _ in range(2)]
            observations, infos = ours.reset(options=options[0])
            same(observations, theirs.reset(options=options[1])[0])
        # In a game that waits for its reset any action is allowed.
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in infos["action_mask"]])
        *results, infos = ours.step(actions)
        *expected, expected_infos = theirs.step(actions)
        for result, other in zip(results, expected, strict=True):
            same(result, other)
        same(infos.get("final_obs"), expected_infos.get("final_obs"))
        over = results[2] | results[3]
        ends += over.sum()
    assert ends > 10


@each_clone
def test_copies_of_vector_environments_behave_equally_and_independently(clone):
    def steps(envs, infos, seed):
        rng, trace = np.random.default_rng(seed), []
        for _ in range(40):
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
            observations, rewards, *_, infos = envs.step(actions)
            trace.append((observations["observation"].tolist(), rewards.tolist(), infos["action_mask"].tolist()))
        return trace, infos

    envs = stack(MancalaVectorEnv("qelat", 4, autoreset_mode="SameStep"), order_of_the_guide("vector"))
    counted = envs.env.env.env
    _, infos = envs.reset(seed=1)
    _, infos = steps(envs, infos, 0)
    twin = clone(envs)
    trace, _ = steps(twin, infos, 1)
    assert steps(envs, infos, 1)[0] == trace
    assert counted.scores == twin.env.env.env.scores and sum(score.games for score in counted.scores.values()) > 4


# Statistics.


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_statistics_by_seat(mode):
    envs = SeatStatistics(MancalaVectorEnv("kalah", 6, autoreset_mode=mode))
    _, infos = envs.reset(seed=9)
    rng, over, lengths = np.random.default_rng(0), np.zeros(6, np.bool_), np.zeros(6, np.int64)
    counts, returns = {0: [0, 0, 0], 1: [0, 0, 0]}, {0: [], 1: []}
    for _ in range(200):
        if mode == AutoresetMode.DISABLED and over.any():
            _, infos = envs.reset(options={"reset_mask": over.copy()})
        seats = infos["seat"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in infos["action_mask"]])
        _, rewards, terminated, truncated, infos = envs.step(actions)
        # In NEXT_STEP mode, this step has reset the games that were over.
        lengths += ~over if mode == AutoresetMode.NEXT_STEP else 1
        over = terminated | truncated
        for i in np.flatnonzero(over):
            seat, reward, ended = seats[i], rewards[i], infos["episode"]
            counts[seat][1 - int(np.sign(reward))] += 1
            returns[seat].append(reward)
            assert infos["_episode"][i] and ended["r"][i] == reward and ended["l"][i] == lengths[i]
            lengths[i] = 0
            assert (ended["seat"][i], ended["result"][i]) == (seat, np.sign(reward))
        if over.any():
            assert not infos["_episode"][~over].any() and not infos["episode"]["result"][~over].any()
    assert {seat: [s.wins, s.draws, s.losses] for seat, s in envs.scores.items()} == counts
    assert envs.returns == pytest.approx({seat: np.mean(some) for seat, some in returns.items()})
    assert sum(map(sum, counts.values())) == envs.episode_count > 40


# RandomSymmetry; test_symmetry.py tests the symmetries themselves.


def test_actions_and_observations_are_transformed():
    env = RandomSymmetry(gym.make("mancala_envs/Daramutu-v0", opponent="random"))
    game = env.unwrapped.game
    (mirror,) = symmetries(game)
    mirrored = 0
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        plain = gym.make("mancala_envs/Daramutu-v0", opponent="random")
        original, plain_info = plain.reset(seed=seed)
        for _ in range(4):
            is_mirrored = env._symmetry.actions[0] != 0
            mirrored += is_mirrored
            if is_mirrored:
                original, mask = mirror.observe(original), mirror.mask(plain_info["action_mask"])
                np.testing.assert_array_equal(info["action_mask"], mask)
            np.testing.assert_array_equal(observation, original)
            np.testing.assert_array_equal(env.action_masks(), info["action_mask"])
            action = int(np.flatnonzero(info["action_mask"])[0])
            original, reward, *_, plain_info = plain.step(mirror.actions[action] if is_mirrored else action)
            observation, its_reward, *_, info = env.step(action)
            assert reward == its_reward
    assert 10 < mirrored < 70
    with pytest.raises(ValueError, match=r"kalah.* has no symmetries"):
        RandomSymmetry(gym.make("mancala_envs/Kalah-v0"))


def test_wrappers_that_observe_the_game_itself_must_be_inside_transformed_views():
    env = RandomSymmetry(gym.make("mancala_envs/Daramutu-v0"))
    with pytest.raises(ValueError, match="inside the wrappers that change observations"):
        ObserveAfterstates(env)


# Recordings.


GAMES = [
    ("qelat", {"campaign": True, "max_rounds": 3}),
    ("oware", {}),
    ("dongjintian", {"max_turns": 10}),
    *slowly(
        ("ceelkoqyuqkoqiji", {"campaign": True, "max_rounds": 3, "first": "throw", "prices": (5, 5)}),
        ("daramutu", {"campaign": True, "max_rounds": 3, "round_reward": 0.3}),
    ),
]


def record(path, game, options, episodes=3):
    """Record random episodes; return the environment and the total rewards of each episode."""
    env = RecordEpisodes(getattr(mancala_envs, f"{game}_v0").env(**options), path)
    totals = []
    for seed in (4, *[None] * (episodes - 1)):
        env.reset(seed=seed)
        totals.append(list(traced(env, random_actions(seed))[1].values()))
    return env, totals


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def path(tmp_path):
    """Return the path of a recording that does not exist yet."""
    return tmp_path / "games.jsonl"


def after_one_step(env, path, **options):
    """Record an episode of one step of the agent; return the line that it becomes."""
    _, info = env.reset(seed=1, **options)
    env.step(int(first_legal(info)))
    env.close()
    (line,) = lines(path)
    return line


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_episodes_are_replayed_exactly(game, options, path):
    env, totals = record(path, game, options)
    written = lines(path)
    assert len(written) == 3
    for line, total in zip(written, totals, strict=True):
        *_, (again, state) = replay(line)
        assert again.text(state) == line["final"] and state["to_move"][0] < 0
        assert line["returns"] == pytest.approx(total)
    assert env.unwrapped.game.text(env.unwrapped.record) == written[-1]["final"]


def test_positions_and_abandoned_games_are_recorded_too(path):
    env = IllegalMoves(RecordEpisodes(mancala_envs.qelat_v0.env(), path))
    start = env.unwrapped.game.text(env.unwrapped.game.load(turn=17, to_move=1))
    env.reset(seed=0, options={"position": start})
    env.step(0)
    env.step(99)
    env.reset(seed=1)
    env.reset(seed=2)
    env.step(0)
    env.close()
    first, second = lines(path)
    assert "turn=17" in first["start"] and "chance" in first["start"]
    for line in (first, second):
        assert len(line["decisions"]) == 1
        assert len(list(replay(line))) == 2


def test_solo_episodes_are_replayed_exactly(path):
    env = gym.make("mancala_envs/Qelat-v0", opponent=["greedy"], illegal="lose", campaign=True, max_rounds=2)
    env = RecordSoloEpisodes(env, path)
    legal, returns = random_actions(0), []
    # The third episode is lost at once by an illegal action, so nothing of it is recorded.
    for seed, choose in ((3, legal), (None, legal), (None, lambda info: 99), (8, legal)):
        returns.append(sum(reward for _, reward, *_ in episode(env, choose, seed=seed)))
    written = [line for line in lines(path) if " ended=1 " in line["final"]]
    assert returns[2] == -1
    assert [line["returns"][line["seat"]] for line in written] == [returns[k] for k in (0, 1, 3)]
    for line in written:
        assert len(list(replay(line))) == len(line["decisions"]) + 1
        assert {decision["agent"] for decision in line["decisions"]} == {0, 1}


def steady(observation, mask):
    return int(np.flatnonzero(mask)[-1])


class Drawing:
    """A search whose choices cannot be repeated."""

    chance = np.random.default_rng(5)

    def act(self, states, seed):
        return [int(self.chance.choice(np.flatnonzero(make_game("kalah").legal(states)[0])))]


@pytest.mark.parametrize(
    "opponent",
    ["random", "greedy", "mcts:20", steady, Drawing(), Mixture(("random", "greedy", steady))],
    ids=lambda opponent: opponent if isinstance(opponent, str) else type(opponent).__name__,
)
@pytest.mark.parametrize("illegal", ["lose", "random"])
def test_games_against_every_opponent_are_recorded_and_played_as_without_recording(path, opponent, illegal):
    finals = []
    for recorded in (False, True):
        Drawing.chance, rng = np.random.default_rng(5), np.random.default_rng(1)
        env = SoloEnv("kalah", opponent=opponent, illegal=illegal)
        env = RecordSoloEpisodes(env, path) if recorded else env

        def choose(info, rng=rng):
            return 99 if illegal == "random" and rng.random() < 0.3 else legal_at_random(rng)(info)

        for seed in (4, None, None):
            *_, (_, reward, _, _, info) = episode(env, choose, seed=seed)
            finals.append((env.unwrapped.record.tobytes(), info["seat"], reward))
    assert finals[:3] == finals[3:]
    written = lines(path)
    assert len(written) == 3
    for line, (final, seat, reward) in zip(written, finals, strict=False):
        *_, (_, state) = replay(line)
        assert state.tobytes() == final and line["seat"] == seat and line["returns"][seat] == reward


@pytest.mark.slow
def test_starts_of_recorded_episodes_follow_from_the_first_seed(tmp_path):
    starts = []
    for path in (tmp_path / "one.jsonl", tmp_path / "other.jsonl"):
        env = RecordSoloEpisodes(gym.make("mancala_envs/PanchaKeliya-v0"), path)
        for seed in (5, None, None):
            _, info = env.reset(seed=seed)
            env.step(int(np.flatnonzero(info["action_mask"])[0]))
        env.close()
        starts.append([line["start"] for line in lines(path)])
    assert starts[0] == starts[1] and len(set(starts[0])) == 3


def test_environments_that_cannot_be_recorded_are_refused(tmp_path):
    connect_four = pytest.importorskip("pettingzoo.classic.connect_four_v3", exc_type=ImportError)
    with pytest.raises(TypeError, match="only environments of mancala_envs can be recorded, got connect_four"):
        RecordEpisodes(connect_four.env(), tmp_path / "games.jsonl")
    with pytest.raises(TypeError, match="only Gymnasium environments of mancala_envs can be recorded"):
        RecordSoloEpisodes(gym.make("CartPole-v1"), tmp_path / "games.jsonl")


def test_episodes_from_start_positions_are_recorded(path):
    env = gym.make("mancala_envs/QelatCampaign-v0", max_rounds=2)
    env = scheduled(RecordSoloEpisodes(env, path))
    start = env.unwrapped.opening["round_number"]
    _, state = next(replay(after_one_step(env, path)))
    assert state["round_number"][0] in start


def test_history_needs_kept_actions():
    env = SoloEnv("kalah")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="call keep_actions before reset"):
        env.history  # noqa: B018


def test_a_position_given_as_arrays_is_recorded(path):
    env = RecordSoloEpisodes(gym.make("mancala_envs/Kalah-v0", seat=0), path)
    holes = np.array([0, 0, 0, 0, 0, 1, 4, 4, 4, 4, 4, 4])
    line = after_one_step(env, path, options={"position": {"holes": holes, "to_move": 0}})
    _, state = next(replay(line))
    assert state[0].holes.tolist() == holes.tolist()


def test_opponents_set_later_are_recorded(path):
    env = RecordSoloEpisodes(gym.make("mancala_envs/Kalah-v0", opponent="random"), path)
    env.unwrapped.set_opponent("greedy")
    line = after_one_step(env, path)
    assert len(line["decisions"]) > 1 and list(replay(line))


def test_a_recording_cannot_load_a_saved_model(path, tmp_path, monkeypatch):
    line = after_one_step(RecordSoloEpisodes(gym.make("mancala_envs/Kalah-v0", opponent="random"), path), path)
    (tmp_path / "model.zip").write_bytes(b"what might be a program")
    monkeypatch.setattr("mancala_envs.agents.agent.load_policy", lambda *arguments: pytest.fail("it was loaded"))
    assert list(replay(line | {"opponent": str(tmp_path / "model.zip")}))


@pytest.mark.parametrize("solo", [False, True])
def test_an_episode_that_cannot_be_written_leaves_complete_lines(path, solo):
    def episode():
        if solo:
            _, info = env.reset(seed=1)
            env.step(int(info["action_mask"].argmax()))
        else:
            env.reset(seed=1)
            env.step(int(env.last()[0]["action_mask"].argmax()))

    make = gym.make("mancala_envs/Kalah-v0") if solo else mancala_envs.kalah_v0.env()
    env = (RecordSoloEpisodes if solo else RecordEpisodes)(make, path)
    episode()
    episode()
    size = path.stat().st_size
    # The file can grow by this much only: the next write is cut short, and the one after it fails.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, limits[1]))
    try:
        with pytest.raises(OSError, match=r"could not be written completely|too large"):
            env.reset(seed=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.stat().st_size == size
    episode()
    env.close()
    assert all(list(replay(line)) for line in lines(path)) and len(lines(path)) == 2


def spoilt(line):
    """Return a recording changed in one place, by the name of the change."""
    numbers = [i for i, decision in enumerate(line["decisions"]) if i < 3 or i > len(line["decisions"]) - 3]
    for i in numbers:
        for key, value in line["decisions"][i].items():
            other = [one + 1 for one in value] if isinstance(value, list) else (value + 1) % 12
            yield f"{key} {i}", ("decisions", i, key), other
    yield "start", ("start",), line["start"].replace("holes=4,4", "holes=5,3")
    yield "chance", ("start",), line["start"][:-1] + ("1" if line["start"][-1] == "0" else "0")
    yield "final", ("final",), line["final"].replace("turn=", "turn=1")
    yield "returns", ("returns",), [value + 1 for value in line["returns"]]
    yield "shortened", ("decisions",), line["decisions"][:-1]
    yield "lengthened", ("decisions",), [*line["decisions"], line["decisions"][-1]]
    yield "options", ("options",), {**line["options"], "max_laps": 99}
    yield "id", ("id",), "mancala_envs/Qelat-v9"
    yield "game", ("game",), "magazeb_ii"


@pytest.mark.parametrize("solo", [False, True], ids=["aec", "solo"])
def test_a_changed_recording_is_a_mismatch(solo, path):
    if solo:
        env = RecordSoloEpisodes(gym.make("mancala_envs/Qelat-v0", opponent="greedy"), path)
        _, info = env.reset(seed=1)
        solo_steps(env, info, np.random.default_rng(0), 20)
    else:
        record(path, "qelat", {}, 1)
    line = lines(path)[0]
    assert list(replay(line))
    for what, keys, value in spoilt(line):
        changed = copy.deepcopy(line)
        place = changed
        for key in keys[:-1]:
            place = place[key]
        assert place[keys[-1]] != value, what
        place[keys[-1]] = value
        with pytest.raises(ValueError):  # Mismatch is a ValueError
            list(replay(changed))
            pytest.fail(f"{what} was changed unnoticed")


@pytest.fixture
def run_replay(monkeypatch, capsys):
    """Return a function that runs the program in this process, and returns its status, output and errors."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["replay.py", *map(str, arguments)])
        status = ""
        try:
            main()
        except SystemExit as error:
            status = str(error.code)
        out, errors = capsys.readouterr()
        # Python prints the message of SystemExit, and exits with 1.
        return SimpleNamespace(returncode=int(bool(status)), stdout=out, stderr=f"{errors}{status}\n")

    return run


def test_the_program_replays_and_draws(path, tmp_path, run_replay):
    record(path, "qelat", {"max_turns": 4}, 2)
    done = run_replay(path, "--episode", 2, "--text", "--gif", tmp_path / "game.gif", "--png", tmp_path / "pictures")
    assert done.returncode == 0, done.stderr
    decisions = len(lines(path)[1]["decisions"])
    assert f"episode 2: qelat(max_turns=4), {decisions} decisions, " in done.stdout
    assert done.stdout.count("to move") == decisions and "player_0" in done.stdout
    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF89a")
    assert len(list((tmp_path / "pictures").glob("episode_2_*.png"))) == decisions + 1
    assert f"wrote {tmp_path / 'game.gif'}\nwrote {decisions + 1} pictures to {tmp_path / 'pictures'}" in done.stdout
    done = run_replay(path, "--html", tmp_path / "games.html")
    assert done.stdout.endswith(f"\nwrote {tmp_path / 'games.html'}\n") and (tmp_path / "games.html").is_file()
    path.write_text(path.read_text().replace('"rewards": [0.0, 0.0]', '"rewards": [0.0, 1.0]', 1))
    done = run_replay(path)
    assert done.returncode == 1 and "episode 1 is not as recorded" in done.stderr and "decision 0" in done.stderr
    # The other episodes are still replayed.
    assert "episode 2: qelat" in done.stdout and "1 of 2 episodes differ from the recording: 1" in done.stderr


def test_the_program_reports_invalid_recordings(path, tmp_path, run_replay):
    path.write_text('[1]\n{"game": 5}\n"text"\nnull\n{"ga\n' + "[" * 100_000 + "\n")
    done = run_replay(path)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "6 of 6 episodes differ from the recording: 1, 2, 3, 4, 5, 6" in done.stderr
    record(path, "kalah", {"max_turns": 2}, 1)
    path.write_text(path.read_text().splitlines()[-1])
    for option in ("--gif", "--png", "--html"):
        done = run_replay(path, option, "/dev/null/there")
        assert done.returncode and "/dev/null/there cannot be written: " in done.stderr
        assert "Traceback" not in done.stderr
    for option in ("--gif", "--html"):
        done = run_replay(path, option, "missing/games.html")
        assert "missing/games.html cannot be written: there is no folder missing\n" in done.stderr
    path.write_bytes(b"\xff\xfe")
    for wrong in (path, tmp_path / "missing.jsonl"):
        done = run_replay(wrong)
        assert done.returncode == 1 and "cannot be read" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("wrap", [ChangeOfWorth, lambda envs: VectorStackObservations(envs, 2)], ids=["worth", "stack"])
def test_options_that_are_no_dict_are_refused_by_the_environment(wrap):
    with pytest.raises(TypeError, match="options of reset must be a dict or None, got 1"):
        wrap(MancalaVectorEnv("qelat", 2, campaign=True)).reset(options=1)

"""Hypothesis calls wrapped environments in any order: only documented errors occur, and a refused call changes nothing.

Every state machine draws wrappers for one small game, a campaign of two short rounds; one game has symmetries.
"""

import copy
import json
import math
import pickle
import tempfile
from functools import cache
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from helpers.forms import slowly
from helpers.players import Faulty
from helpers.state_machines import NO_ACTIONS, TIMES, junk, refused, run, seeds
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from mancala_envs import IllegalAction, make_game, qelat_v0
from mancala_envs.core.symmetry import Symmetry
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import League
from mancala_envs.wrappers import (
    Campaign,
    ChangeOfWorth,
    Curriculum,
    IllegalMoves,
    MaskInObservation,
    RandomSymmetry,
    RecordEpisodes,
    RecordSoloEpisodes,
    SeatStatistics,
    SingleAgent,
    TimeLimit,
    VectorStackObservations,
    late_starts,
    replay,
    symmetries,
)

SHORT = {"max_turns": 4}
ROUNDS = 2
NO_ACTION = (None, 0.5, "0", [0], np.zeros(1, int), object())
each_way = st.sampled_from([copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])


@cache
def stages():
    return late_starts(make_game("qelat", campaign=True, max_rounds=ROUNDS, **SHORT), 8)


class Wrapped(RuleBasedStateMachine):
    """Base of the state machines. `env` is the wrapped environment, `on` whether an episode is in progress."""

    def begin(self):
        self.on = self.seeded = False
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "games.jsonl"

    def once(self, seed):
        """The seed for a reset. The first is never None, because the same calls must have the same results."""
        seed, self.seeded = seed if self.seeded else seed or 0, True
        return seed

    def recorded(self):
        """Check that every line of the recording is complete and can be replayed."""
        for line in self.path.read_text().splitlines() if self.path.exists() else []:
            list(replay(json.loads(line)))

    def teardown(self):
        if hasattr(self, "path"):
            self.env.close()
            self.recorded()
            self.path.unlink(missing_ok=True)
            self.folder.rmdir()


class AnyLearner(Wrapped):
    """A Gymnasium environment, or `SingleAgent` in an AEC environment."""

    @initialize(
        wraps=st.sets(st.sampled_from(["record", "curriculum", "worth", "mask"])),
        single=st.booleans(),
        illegal=st.sampled_from(["lose", "raise", "random"]),
    )
    def make(self, wraps, single, illegal):
        self.begin()
        self.opponent, self.illegal, self.league = Faulty(), illegal, League(["random", "greedy"])
        if single:
            self.inner = self.env = SingleAgent(IllegalMoves(qelat_v0.raw_env(**SHORT), illegal), self.opponent)
        else:
            env = gym.make(
                "mancala_envs/Qelat-v0", illegal=illegal, opponent=self.opponent, disable_env_checker=True, **SHORT
            )
            self.inner, self.env = env.unwrapped, Campaign(env, max_rounds=ROUNDS)
            if "record" in wraps:
                self.env = RecordSoloEpisodes(self.env, self.path)
            elif "curriculum" in wraps:
                self.env = Curriculum(self.env, stages(), episodes=1, threshold=0.5)
            if "worth" in wraps:
                self.env = ChangeOfWorth(self.env)
        self.single, self.records = single, "record" in wraps and not single
        if "mask" in wraps:
            self.env = MaskInObservation(self.env)

    def mask(self):
        return self.inner.action_masks()

    def visible_state(self):
        return self.mask().tobytes(), self.on, getattr(self.inner, "record", np.empty(0)).tobytes()

    @rule(seed=seeds | st.none())
    def reset(self, seed):
        observation, info = self.env.reset(seed=self.once(seed))
        self.on = True
        self.check_consistency(observation, info)

    @precondition(lambda self: self.on and not self.single)
    @rule(wrong=junk)
    def reset_by_junk(self, wrong):
        before = self.visible_state()
        refused(self.env.reset, seed=wrong if wrong is not None else -1)
        assert self.visible_state() == before

    @precondition(lambda self: self.on)
    @rule(seed=seeds, times=TIMES)
    def play(self, seed, times):
        rng = np.random.default_rng(seed)
        for _ in range(times):
            if self.on and self.mask().any():
                self.after(*self.env.step(int(rng.choice(np.flatnonzero(self.mask())))))

    def after(self, observation, reward, terminated, truncated, info):
        assert math.isfinite(reward) and not truncated
        self.on = not terminated
        if self.on:
            self.check_consistency(observation, info)
        else:
            assert not info["action_mask"].any()
            if "opponent" in info:
                self.league.record(info["opponent"], np.atleast_1d(reward))
                assert ((self.league.win_rates > 0) & (self.league.win_rates < 1)).all()

    def check_consistency(self, observation, info):
        assert self.env.observation_space.contains(observation)
        assert (info["action_mask"] == self.mask()).all()

    @precondition(lambda self: self.on)
    @rule(number=st.sampled_from([-1, 10**6, 2**63]))
    def play_an_illegal_action(self, number):
        before = self.visible_state()
        if self.illegal == "raise":
            refused(self.env.step, number, errors=(IllegalAction,))
            assert self.visible_state() == before
        else:
            self.after(*self.env.step(number))

    @precondition(lambda self: self.on)
    @rule(wrong=st.sampled_from(NO_ACTION))
    def play_something_that_is_no_action(self, wrong):
        before = self.visible_state()
        refused(self.env.step, wrong, errors=(TypeError,))
        assert self.visible_state() == before

    @precondition(lambda self: not self.on)
    @rule()
    def play_without_a_running_episode(self):
        refused(self.env.step, 0, errors=(gym.error.ResetNeeded,))

    @precondition(lambda self: self.on and not self.records)
    @rule(seed=seeds, error=st.sampled_from([ConnectionError("lost"), KeyboardInterrupt()]))
    def play_against_an_error(self, seed, error):
        self.opponent.fault = error
        while self.on and self.opponent.fault:
            try:
                self.play(seed, 1)
            except type(error):
                self.on = False
                self.play_without_a_running_episode()
            if not self.mask().any():
                break
        self.opponent.fault = None

    @rule()
    def change_opponent(self):
        if not self.single:
            self.inner.set_opponent("greedy" if self.records else self.league.mixture())
            if len(self.league.members) < 6:
                self.league.add(self.opponent)

    @precondition(lambda self: not self.records)
    @rule(how=each_way)
    def continue_with_a_copy(self, how):
        before, self.env = self.visible_state(), how(self.env)
        self.inner = self.env.unwrapped
        assert self.visible_state() == before


class LastPlayed(gym.Wrapper):
    """Stores the last action of the episode that passes through."""

    action = None

    def reset(self, **named):
        self.action = None
        return super().reset(**named)

    def step(self, action):
        self.action = action
        return super().step(action)


def is_image_of(image, action, played):
    """Return whether an action and its image agree: both None, both out of range, or related by the symmetry."""
    if action is None or played is None:
        return action is played
    return action == image.actions[played] if 0 <= played < len(image.actions) else not 0 <= action < len(image.actions)


class AnyImage(AnyLearner):
    """A Gymnasium environment in `RandomSymmetry`, with a random image of the board in every episode."""

    @initialize(illegal=st.sampled_from(["lose", "raise", "random"]), mask=st.booleans())
    def make(self, illegal, mask):
        self.begin()
        self.opponent, self.illegal, self.league = Faulty(), illegal, League(["random"])
        self.single = self.records = False
        env = gym.make(
            "mancala_envs/NerenchiKeliya-v0", illegal=illegal, opponent=self.opponent, disable_env_checker=True, **SHORT
        )
        self.inner, image = env.unwrapped, RandomSymmetry(LastPlayed(env))
        self.env = LastPlayed(MaskInObservation(image) if mask else image)

    def mask(self):
        return self.env.get_wrapper_attr("action_masks")()

    @rule(seed=seeds | st.none())
    def reset(self, seed):
        game = self.inner.game
        same = Symmetry(np.arange(len(game.observation_fields)), np.arange(game.num_actions))
        self.images = [same, *symmetries(game)]
        super().reset(seed)

    def check_consistency(self, observation, info):
        super().check_consistency(observation, info)
        transformed = observation["observation"] if isinstance(observation, dict) else observation
        action, played = self.env.action, self.env.env.get_wrapper_attr("action")
        plain, legal = self.inner.game.observe(self.inner.record, info["seat"])[0], self.inner.action_masks()
        self.images = [
            image
            for image in self.images
            if (image.observe(plain) == transformed).all()
            and (image.mask(legal) == info["action_mask"]).all()
            and is_image_of(image, action, played)
        ]
        assert self.images, "no single symmetry explains all observations of the episode"


class AnyAgents(Wrapped):
    """An AEC environment with `IllegalMoves`, `TimeLimit` and a recorder."""

    @initialize(illegal=st.sampled_from(["lose", "raise", "random"]), limit=st.integers(1, 12), worth=st.booleans())
    def make(self, illegal, limit, worth):
        self.begin()
        self.illegal, self.limit, self.decisions = illegal, limit, 0
        env = RecordEpisodes(Campaign(qelat_v0.raw_env(**SHORT), max_rounds=ROUNDS), self.path)
        if worth:
            env = ChangeOfWorth(env)
        self.env = TimeLimit(IllegalMoves(env, illegal), limit)

    def visible_state(self):
        env = self.env
        names = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations")
        return env.unwrapped.record.tobytes(), copy.deepcopy([getattr(env, name) for name in names])

    def living(self):
        agent = self.env.agent_selection
        return not (self.env.terminations[agent] or self.env.truncations[agent])

    @rule(seed=seeds | st.none())
    def reset(self, seed):
        self.env.reset(seed=self.once(seed))
        self.on, self.decisions = True, 0

    @precondition(lambda self: self.on and self.env.agents)
    @rule(seed=seeds, times=TIMES)
    def play_on(self, seed, times):
        rng = np.random.default_rng(seed)
        for _ in range(times):
            if not self.env.agents:
                return
            _, reward, _, _, info = self.env.last()
            assert math.isfinite(reward)
            self.act(int(rng.choice(np.flatnonzero(info["action_mask"]))) if self.living() else None)

    def act(self, action):
        self.decisions += self.living()
        self.env.step(action)
        assert self.decisions <= self.limit
        if self.decisions == self.limit:
            assert not self.env.agents or not self.living()

    @precondition(lambda self: self.on and self.env.agents and self.living())
    @rule(wrong=st.sampled_from([-1, 10**6, 2**63, *NO_ACTION]))
    def play_an_illegal_action(self, wrong):
        before = self.visible_state()
        if self.illegal == "raise":
            refused(self.env.step, wrong, errors=(IllegalAction, TypeError, ValueError))
            assert self.visible_state() == before
        elif isinstance(wrong, int):
            self.act(wrong)
            assert self.illegal == "random" or not self.env.agents or not self.living()

    @precondition(lambda self: self.on and not self.env.agents)
    @rule()
    def play_after_all_agents_have_left(self):
        before = self.visible_state()
        refused(self.env.step, 0, errors=(gym.error.ResetNeeded, KeyError, ValueError))
        assert self.visible_state() == before


class AnyLearners(Wrapped):
    """A vector environment."""

    @initialize(
        wraps=st.sets(st.sampled_from(["curriculum", "worth", "statistics", "stack"])),
        mode=st.sampled_from(["NextStep", "SameStep", "Disabled"]),
        n=st.integers(1, 3),
    )
    def make(self, wraps, mode, n):
        self.begin()
        self.mode, self.opponent = mode, Faulty()
        self.over = np.zeros(n, bool)
        self.inner = MancalaVectorEnv("qelat", n, autoreset_mode=mode, illegal="raise", opponent=self.opponent, **SHORT)
        self.env = Campaign(self.inner, max_rounds=ROUNDS)
        if "curriculum" in wraps:
            self.env = Curriculum(self.env, stages(), episodes=1, threshold=0.5)
        if "statistics" in wraps:
            self.env = SeatStatistics(self.env)
        if "worth" in wraps:
            self.env = ChangeOfWorth(self.env)
        if "stack" in wraps:
            self.env = VectorStackObservations(self.env, 2)

    def visible_state(self):
        return self.inner.states.tobytes(), self.inner.action_masks().tobytes()

    def check_consistency(self, observations, infos):
        assert self.env.observation_space.contains(observations)
        assert (infos["action_mask"] == self.inner.action_masks()).all()

    @rule(seed=seeds | st.none())
    def reset(self, seed):
        observations, infos = self.env.reset(seed=self.once(seed))
        self.on = True
        self.over[:] = False
        self.check_consistency(observations, infos)

    @precondition(lambda self: self.on and self.over.any())
    @rule()
    def reset_finished_games(self):
        observations, infos = self.env.reset(options={"reset_mask": self.over.copy()})
        self.over[:] = False
        self.check_consistency(observations, infos)

    def may_step(self):
        return self.on and not (self.mode == "Disabled" and self.over.any())

    @precondition(may_step)
    @rule(seed=seeds, times=TIMES)
    def play(self, seed, times):
        for step in range(times):
            if self.may_step():
                actions = np.maximum(self.inner.game.sample(self.inner.states, seed + step), 0)
                observations, rewards, terminated, truncated, infos = self.env.step(actions)
                assert np.isfinite(rewards).all() and not truncated.any()
                self.over = terminated if self.mode != "SameStep" else np.zeros_like(terminated)
                self.check_consistency(observations, infos)

    @precondition(may_step)
    @rule()
    def play_an_illegal_action(self):
        before = self.visible_state()
        playing = ~self.over
        if playing.all():
            refused(self.env.step, np.full(len(playing), 10**6), errors=(IllegalAction,))
            assert self.visible_state() == before

    @precondition(may_step)
    @rule(how=st.sampled_from(sorted(NO_ACTIONS)))
    def play_something_that_is_no_action(self, how):
        before = self.visible_state()
        refused(self.env.step, NO_ACTIONS[how](np.zeros(len(self.over), np.int64)))
        assert self.visible_state() == before

    @precondition(lambda self: not self.may_step())
    @rule()
    def play_with_an_episode_that_is_over(self):
        refused(self.env.step, np.zeros(len(self.over), np.int64), errors=(gym.error.ResetNeeded,))

    @precondition(may_step)
    @rule(seed=seeds)
    def play_against_an_error(self, seed):
        self.opponent.fault = ConnectionError("lost")
        try:
            self.play(seed, 1)
        except ConnectionError:
            self.on = False
            self.play_with_an_episode_that_is_over()
        self.opponent.fault = None


MACHINES = [
    ("qelat", AnyLearner),
    ("qelat", AnyAgents),
    ("qelat", AnyLearners),
    *slowly(("nerenchi_keliya", AnyImage)),
]


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_calls_in_any_order(name, machine):
    run(machine, (name, True), 5, 20)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_long_sequences_of_calls(name, machine):
    run(machine, (name, True), 150, 60)

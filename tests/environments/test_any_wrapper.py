"""Hypothesis calls wrapped environments in any order: only documented errors occur, and a refused call changes nothing.

Every state machine draws wrappers for one small game, a campaign of two short rounds; one game has symmetries.
"""

import copy
import json
import math
import tempfile
from functools import cache
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from helpers.forms import slowly
from helpers.players import NO_FAULT, Faulty
from helpers.state_machines import NO_ACTION, TIMES, Environment, Learner, Learners, run, seeds
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

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


@cache
def stages():
    return late_starts(make_game("qelat", campaign=True, max_rounds=ROUNDS, **SHORT), 8)


class Recorded(Environment):
    """Base of machines that may write a recording to `path`."""

    def begin_recording(self):
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "games.jsonl"

    def teardown(self):
        """Check that every line of the recording is complete and can be replayed."""
        if hasattr(self, "path"):
            self.env.close()
            for line in self.path.read_text().splitlines() if self.path.exists() else []:
                list(replay(json.loads(line)))
            self.path.unlink(missing_ok=True)
            self.folder.rmdir()


class AnyLearner(Learner, Recorded):
    """A Gymnasium environment, or `SingleAgent` in an AEC environment."""

    @initialize(
        wraps=st.sets(st.sampled_from(["record", "curriculum", "worth", "mask"])),
        single=st.booleans(),
        illegal=st.sampled_from(["lose", "raise", "random"]),
    )
    def make(self, wraps, single, illegal):
        self.begin_recording()
        self.opponent, self.illegal, self.league = Faulty(), illegal, League(["random", "greedy"])
        if single:
            self.env = SingleAgent(IllegalMoves(qelat_v0.raw_env(**SHORT), illegal), self.opponent)
            self.arguments = ()
        else:
            env = gym.make(
                "mancala_envs/Qelat-v0", illegal=illegal, opponent=self.opponent, disable_env_checker=True, **SHORT
            )
            self.env = Campaign(env, max_rounds=ROUNDS)
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
        return self.env.unwrapped.action_masks()

    def after(self, observation, reward, terminated, truncated, info):
        super().after(observation, reward, terminated, truncated, info)
        if terminated and "opponent" in info:
            self.league.record(info["opponent"], np.atleast_1d(reward))
            assert ((self.league.win_rates > 0) & (self.league.win_rates < 1)).all()

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
        self.opponent.fault = NO_FAULT

    @rule()
    def change_opponent(self):
        if not self.single:
            self.env.unwrapped.set_opponent("greedy" if self.records else self.league.mixture())
            if len(self.league.members) < 6:
                self.league.add(self.opponent)


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
        self.begin_recording()
        self.opponent, self.illegal, self.league = Faulty(), illegal, League(["random"])
        self.single = False
        env = gym.make(
            "mancala_envs/NerenchiKeliya-v0", illegal=illegal, opponent=self.opponent, disable_env_checker=True, **SHORT
        )
        image = RandomSymmetry(LastPlayed(env))
        self.env = LastPlayed(MaskInObservation(image) if mask else image)

    def mask(self):
        return self.env.get_wrapper_attr("action_masks")()

    def begin(self, begun):
        game = self.env.unwrapped.game
        same = Symmetry(np.arange(len(game.observation_fields)), np.arange(game.num_actions))
        self.images = [same, *symmetries(game)]
        super().begin(begun)

    def check_consistency(self, observation, info):
        super().check_consistency(observation, info)
        transformed = observation["observation"] if isinstance(observation, dict) else observation
        action, played = self.env.action, self.env.env.get_wrapper_attr("action")
        inner = self.env.unwrapped
        plain, legal = inner.game.observe(inner.record, info["seat"])[0], inner.action_masks()
        self.images = [
            image
            for image in self.images
            if (image.observe(plain) == transformed).all()
            and (image.mask(legal) == info["action_mask"]).all()
            and is_image_of(image, action, played)
        ]
        assert self.images, "no single symmetry explains all observations of the episode"


class AnyAgents(Recorded):
    """An AEC environment with `IllegalMoves`, `TimeLimit` and a recorder."""

    arguments = ()
    records = True

    @initialize(illegal=st.sampled_from(["lose", "raise", "random"]), limit=st.integers(1, 12), worth=st.booleans())
    def make(self, illegal, limit, worth):
        self.begin_recording()
        self.illegal, self.limit, self.decisions = illegal, limit, 0
        env = RecordEpisodes(Campaign(qelat_v0.raw_env(**SHORT), max_rounds=ROUNDS), self.path)
        if worth:
            env = ChangeOfWorth(env)
        self.env = TimeLimit(IllegalMoves(env, illegal), limit)

    def reported(self):
        env = self.env
        names = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations")
        return env.unwrapped.record.tobytes(), copy.deepcopy([getattr(env, name) for name in names])

    def living(self):
        agent = self.env.agent_selection
        return not (self.env.terminations[agent] or self.env.truncations[agent])

    @rule(seed=seeds | st.none())
    def reset(self, seed):
        self.env.reset(seed=seed)
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
        if self.illegal == "raise":
            self.refuse(self.env.step, wrong, errors=(IllegalAction, TypeError, ValueError))
        elif type(wrong) is int:
            self.act(wrong)
            assert self.illegal == "random" or not self.env.agents or not self.living()

    @precondition(lambda self: self.on and not self.env.agents)
    @rule()
    def play_after_all_agents_have_left(self):
        self.refuse(self.env.step, 0, errors=(gym.error.ResetNeeded,))


class AnyLearners(Learners):
    """A vector environment."""

    arguments = ("seed", "position")

    @initialize(
        wraps=st.sets(st.sampled_from(["curriculum", "worth", "statistics", "stack"])),
        mode=st.sampled_from(["NextStep", "SameStep", "Disabled"]),
        n=st.integers(1, 3),
    )
    def make(self, wraps, mode, n):
        self.mode, self.opponent = mode, Faulty()
        self.over = np.zeros(n, bool)
        env = MancalaVectorEnv("qelat", n, autoreset_mode=mode, illegal="raise", opponent=self.opponent, **SHORT)
        self.env = Campaign(env, max_rounds=ROUNDS)
        if "curriculum" in wraps:
            self.env = Curriculum(self.env, stages(), episodes=1, threshold=0.5)
        if "statistics" in wraps:
            self.env = SeatStatistics(self.env)
        if "worth" in wraps:
            self.env = ChangeOfWorth(self.env)
        if "stack" in wraps:
            self.env = VectorStackObservations(self.env, 2)

    @precondition(Learners.may_step)
    @rule()
    def play_an_illegal_action(self):
        if not self.over.any():
            self.refuse(self.env.step, np.full(len(self.over), 10**6), errors=(IllegalAction,))

    @precondition(Learners.may_step)
    @rule(seed=seeds)
    def play_against_an_error(self, seed):
        self.opponent.fault = ConnectionError("lost")
        try:
            self.play(seed, 1)
        except ConnectionError:
            self.on = False
            self.play_with_an_episode_that_is_over()
        self.opponent.fault = NO_FAULT


MACHINES = [("qelat", AnyLearner), ("qelat", AnyAgents), ("qelat", AnyLearners), *slowly(("nerenchi_keliya", AnyImage))]


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_calls_in_any_order(name, machine):
    run(machine, (name, True), 5, 20)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_long_sequences_of_calls(name, machine):
    run(machine, (name, True), 150, 60)

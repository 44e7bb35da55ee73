"""State machines in which Hypothesis calls environments in any order, with or without wrappers."""

import copy
import pickle

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from mancala_envs import IllegalAction

NO_ACTIONS = {
    "floats": lambda actions: actions.astype(float),
    "truths": lambda actions: actions > 0,
    "objects": lambda actions: actions.astype(object),
    "words": lambda actions: actions.astype(str),
    "a table": lambda actions: actions[:, None],
    "too many": lambda actions: np.append(actions, 0),
    "a number": lambda actions: 0,
    "None": lambda actions: None,
}
JUNK = (-1, 2**64, 10**30, 1.5, float("nan"), "0", b"0", (), [[0]], {}, object(), np.zeros(3), np.array("x"))
"""Invalid seeds, numbers of games and positions."""
NO_ACTION = (None, True, 0.5, "0", [0], np.zeros(1, int), np.bool_(True), object())

TIMES = st.sampled_from([1, 1, 1, 40])
seeds = st.integers(0, 9)
junk = st.sampled_from(JUNK)


def refused(function, *arguments, errors=(ValueError, TypeError), **named):
    """Check that the call raises one of these errors."""
    with pytest.raises(errors):
        function(*arguments, **named)


def run(machine, kind, examples, steps):
    """Run a subclass of a state machine with this `kind`, for a number of examples with a maximum number of steps.

    Entropy from the system is replaced by a fixed seed, so that Hypothesis can repeat an example.
    """
    sequence, generator = np.random.SeedSequence, np.random.default_rng
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "SeedSequence", lambda entropy=None: sequence(0 if entropy is None else entropy))
        patch.setattr(np.random, "default_rng", lambda seed=None: generator(0 if seed is None else seed))
        run_state_machine_as_test(
            type(machine.__name__, (machine,), {"kind": kind}),
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                database=None,
            ),
        )


def illegal_action(data, mask, most=2**70):
    """Draw a number from -`most` to `most` that is not a legal action."""
    numbers = st.integers(-3, len(mask) + 3) | st.sampled_from([2**31, -most, most])
    return data.draw(numbers.filter(lambda number: not (0 <= number < len(mask) and mask[number])))


class Machine(RuleBasedStateMachine):
    """Base of all machines: `kind` is the game's name and whether it is a campaign."""

    kind = ("kalah", False)

    def refuse(self, function, *arguments, **named):
        """Check that the call is refused, and that it changes nothing that the subclass has `reported`."""
        before = self.reported()
        refused(function, *arguments, **named)
        assert self.reported() == before


class Environment(Machine):
    """Base of the machines of environments: `env` is the environment, `on` whether an episode is in progress."""

    on = False
    records = False
    """Whether the episodes are written to a file, which copies cannot share."""
    arguments = ("seed", "position", "options")
    """The arguments of `reset` that are checked."""

    @precondition(lambda self: self.arguments)
    @rule(wrong=junk, data=st.data())
    def reset_by_junk(self, wrong, data):
        where = data.draw(st.sampled_from(self.arguments))
        if where == "seed":
            self.refuse(self.env.reset, seed=wrong)
        elif not isinstance(wrong, dict):
            self.refuse(self.env.reset, options=wrong if where == "options" else {where: wrong})

    @precondition(lambda self: not self.records)
    @rule(how=st.sampled_from([copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]))
    def continue_with_a_copy(self, how):
        before = self.reported()
        self.env = how(self.env)
        assert self.reported() == before


class Learner(Environment):
    """A Gymnasium environment, which treats illegal actions as `illegal` says."""

    def mask(self):
        return self.env.get_wrapper_attr("action_masks")()

    def reported(self):
        record = getattr(self.env.unwrapped, "record", np.empty(0))
        return self.mask().tobytes(), self.on, record.tobytes()

    @rule(seed=seeds | st.none())
    def reset(self, seed):
        self.begin(self.env.reset(seed=seed))

    def begin(self, begun):
        self.on = True
        self.check_consistency(*begun)

    @precondition(lambda self: self.on)
    @rule(seed=seeds, times=TIMES, how=st.sampled_from([int, np.int16, np.uint64, np.array]))
    def play(self, seed, times, how=int):
        rng = np.random.default_rng(seed)
        for _ in range(times):
            if self.on:
                self.after(*self.env.step(how(rng.choice(np.flatnonzero(self.mask())))))

    def after(self, observation, reward, terminated, truncated, info):
        assert np.isfinite(reward) and not truncated
        self.on = not terminated
        if self.on:
            self.check_consistency(observation, info)
        else:
            assert not info["action_mask"].any()

    def check_consistency(self, observation, info):
        assert self.env.observation_space.contains(observation)
        assert (info["action_mask"] == self.mask()).all()

    @precondition(lambda self: self.on)
    @rule(data=st.data())
    def play_an_illegal_action(self, data):
        action = illegal_action(data, self.mask())
        if self.illegal == "raise":
            self.refuse(self.env.step, action, errors=(IllegalAction,))
        else:
            self.after(*self.env.step(action))

    @precondition(lambda self: self.on)
    @rule(wrong=st.sampled_from(NO_ACTION))
    def play_something_that_is_no_action(self, wrong):
        self.refuse(self.env.step, wrong, errors=(TypeError,))

    @precondition(lambda self: not self.on)
    @rule()
    def play_without_a_running_episode(self):
        self.refuse(self.env.step, 0, errors=(gym.error.ResetNeeded,))


class Learners(Environment):
    """A vector environment with an autoreset `mode`; `over` are the games that have ended and were not reset."""

    def reported(self):
        return self.env.unwrapped.states.tobytes(), self.env.unwrapped.action_masks().tobytes()

    @rule(seed=st.none() | seeds | st.just(np.uint64(3)), listed=st.booleans())
    def reset(self, seed, listed):
        self.begin(self.env.reset(seed=[seed] * len(self.over) if listed else seed))

    def begin(self, begun):
        self.on, self.over = True, np.zeros_like(self.over)
        self.check_consistency(*begun)

    @precondition(lambda self: self.on)
    @rule(data=st.data())
    def reset_some(self, data):
        n = len(self.over)
        mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
        if not mask.any():
            self.refuse(self.env.reset, options={"reset_mask": mask})
            return
        states = self.env.unwrapped.states
        begun = self.env.reset(options={"reset_mask": mask})
        assert self.env.unwrapped.states[~mask].tobytes() == states[~mask].tobytes()
        self.over &= ~mask
        self.check_consistency(*begun)

    def may_step(self):
        return self.on and not (self.mode == "Disabled" and self.over.any())

    def some_actions(self, seed):
        """Return random actions (n,), any number in games that are over."""
        return np.maximum(self.env.unwrapped.game.sample(self.env.unwrapped.states, seed), 0)

    @precondition(may_step)
    @rule(seed=seeds, times=TIMES)
    def play(self, seed, times):
        for step in range(times):
            if self.may_step():
                self.after(*self.env.step(self.some_actions(seed + step)))

    def after(self, observations, rewards, terminated, truncated, infos):
        assert np.isfinite(rewards).all() and not truncated.any()
        self.over = terminated if self.mode != "SameStep" else np.zeros_like(terminated)
        self.check_consistency(observations, infos)

    def check_consistency(self, observations, infos):
        assert self.env.observation_space.contains(observations)
        assert (infos["action_mask"] == self.env.unwrapped.action_masks()).all()

    @precondition(lambda self: self.on)
    @rule(how=st.sampled_from(sorted(NO_ACTIONS)))
    def play_something_that_is_no_action(self, how):
        self.refuse(self.env.step, NO_ACTIONS[how](np.zeros(len(self.over), np.int64)))

    @precondition(lambda self: not self.may_step())
    @rule()
    def play_with_an_episode_that_is_over(self):
        self.refuse(self.env.step, np.zeros(len(self.over), np.int64), errors=(gym.error.ResetNeeded,))

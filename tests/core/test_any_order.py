"""Hypothesis calls methods in any order with any arguments: only documented errors occur, and they change nothing."""

import copy
import pickle
import tempfile

import gymnasium as gym
import numpy as np
import pytest
from helpers.state_machines import (
    NO_ACTION,
    NO_ACTIONS,
    TIMES,
    Environment,
    Learner,
    Learners,
    Machine,
    illegal_action,
    junk,
    refused,
    run,
    seeds,
)
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from mancala_envs import IllegalAction, make_game
from mancala_envs.envs.aec import RawEnv, wrapped
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv

KINDS = [
    ("kalah", False),
    ("qelat", True),
    ("ceelkoqyuqkoqiji", True),
    ("dongjintian", False),
    ("dam", False),
    ("pancha_keliya", False),
]
"""Games of every kind: also chance and secrets, many players, thousands of actions, and dice."""

LAYOUTS = {
    "plain": lambda array: array.copy(),
    "spaced": lambda array: np.repeat(array, 2)[::2],
    "backwards": lambda array: array[::-1].copy()[::-1],
    "a column": lambda array: np.stack([array, array], axis=1)[:, 0],
    "unaligned": lambda array: np.frombuffer(bytearray(b"?" + array.tobytes()), array.dtype, len(array), 1),
    "mapped": lambda array: mapped(array),
}
"""Writable arrays with the same elements but another memory layout."""

INTEGERS = ("i1", "i2", "i4", "i8", "u2", ">i4", ">i8", "list", "read-only", *LAYOUTS)
"""Types and layouts of equal actions."""

NOT_A_BATCH = {
    "swapped": lambda states: states.astype(states.dtype.newbyteorder()),
    "a table": lambda states: np.stack([states, states]),
    "bytes": lambda states: states.tobytes(),
    "a list": lambda states: states.tolist(),
    "numbers": lambda states: states["turn"],
    "None": lambda states: None,
}

layouts = st.sampled_from(sorted(LAYOUTS))


def mapped(array):
    """Return a copy of an array in a memory-mapped file, behind a header of eight bytes."""
    with tempfile.TemporaryFile() as file:
        room = np.memmap(file, array.dtype, "w+", 8, array.shape)
    room[...] = array
    return room


def as_given(actions, how):
    if how == "list":
        return actions.tolist()
    if how == "read-only":
        actions.setflags(write=False)
        return actions
    given = LAYOUTS[how](actions) if how in LAYOUTS else actions.astype(how)
    return given if (given == actions).all() else actions  # some types are too narrow


def game_of(machine):
    name, campaign = machine.kind
    return make_game(name, campaign=campaign)


def position_with_faults(game, data):
    """Draw the fields of a position reached by play, with up to two of them replaced by wrong values."""
    states = game.init(1, data.draw(seeds))
    for step in range(data.draw(st.integers(0, 20))):
        game.step(states, game.sample(states, step), autoreset=True)
    fields = {name: states[0][name].tolist() for name in game.position_fields}
    numbers = st.integers(-3, 300) | junk
    for name in data.draw(st.sets(st.sampled_from(sorted(fields)), max_size=2)):
        fields[name] = data.draw(numbers | st.lists(numbers, max_size=len(np.atleast_1d(fields[name]))))
    return fields


class AnyGame(Machine):
    """A batch of games."""

    @initialize(n=st.integers(1, 4), seed=seeds, layout=layouts)
    def begin(self, n, seed, layout):
        self.rules = game_of(self)
        self.states = LAYOUTS[layout](self.rules.init(n, seed))

    def reported(self):
        return self.states.tobytes()

    @rule(layout=layouts)
    def move_in_memory(self, layout):
        self.states = LAYOUTS[layout](self.states)

    @rule(seed=seeds, decisions=TIMES)
    def play_on(self, seed, decisions):
        for step in range(decisions):
            self.rules.step(self.states, self.rules.sample(self.states, seed + step))

    @rule(seed=seeds, how=st.sampled_from(INTEGERS), autoreset=st.booleans(), keep=st.booleans())
    def play(self, seed, how, autoreset, keep):
        game, plain = self.rules, self.states.copy()
        actions = game.sample(self.states, seed)
        finals = [game.init(len(plain), 0) if keep else None for _ in range(2)]
        expected = game.step(plain, actions.copy(), autoreset, final=finals[0])
        rewards = game.step(self.states, as_given(actions, how), autoreset, final=finals[1])
        assert rewards.tobytes() == expected.tobytes() and self.states.tobytes() == plain.tobytes()
        assert not keep or finals[0].tobytes() == finals[1].tobytes()
        assert abs(rewards.sum()) < 1e-5

    @rule(data=st.data())
    def play_an_illegal_action(self, data):
        index = data.draw(st.integers(0, len(self.states) - 1))
        actions = self.rules.sample(self.states, 0)
        mask = self.rules.legal(self.states)[index]
        actions[index] = illegal_action(data, mask if mask.any() else np.ones(len(mask), bool), 2**62)
        if not mask.any() and actions[index] == -1:
            return
        before = self.states.tobytes()
        with pytest.raises(IllegalAction) as caught:
            self.rules.step(self.states, actions)
        assert caught.value.index == index and caught.value.legal == np.flatnonzero(mask).tolist()
        assert self.states.tobytes() == before

    @rule(how=st.sampled_from(sorted(NO_ACTIONS)))
    def play_something_that_is_no_action(self, how):
        self.refuse(self.rules.step, self.states, NO_ACTIONS[how](self.rules.sample(self.states, 0)))

    @rule(how=st.sampled_from(["short", "spaced", "read-only", "a list"]))
    def pass_a_wrong_final(self, how):
        room = self.rules.init(2 * len(self.states), 0)
        final = {"short": room[:0], "spaced": room[::2], "read-only": room[::2].copy(), "a list": room.tolist()}[how]
        if how == "read-only":
            final.setflags(write=False)
        if how == "spaced" and len(final) == 1:
            return
        self.refuse(self.rules.step, self.states, self.rules.sample(self.states, 0), final=final)

    @rule(draws=st.sampled_from(["00", 0, [["cowries", 64, 1.5]], [[-1]], [None]]), more=st.integers(0, 1))
    def pass_wrong_draws(self, draws, more):
        rows = draws * len(self.states) if isinstance(draws, list) else draws
        rows = rows + [[]] * more if isinstance(rows, list) else rows
        self.refuse(self.rules.step, self.states, self.rules.sample(self.states, 0), draws=rows)

    @rule()
    def play_in_read_only_memory(self):
        self.states.setflags(write=False)
        self.refuse(self.rules.step, self.states, self.rules.sample(self.states, 0))
        self.states = self.states.copy()

    @rule(
        how=st.sampled_from(sorted(NOT_A_BATCH)), what=st.sampled_from(["legal", "observe", "sample", "step", "text"])
    )
    def pass_something_that_is_no_batch(self, how, what):
        arguments = ([0] * len(self.states),) if what == "step" else ()
        refused(getattr(self.rules, what), NOT_A_BATCH[how](self.states), *arguments)

    @rule(layout=layouts, player=st.integers(-2, 7), frozen=st.booleans())
    def read_only_methods(self, layout, player, frozen):
        game, plain = self.rules, self.states.copy()
        states = LAYOUTS[layout](plain)
        states.setflags(write=not frozen)
        assert game.legal(states).tobytes() == game.legal(plain).tobytes()
        bits = np.unpackbits(game.legal_bits(states).astype("<u8").view("u1"), axis=1, bitorder="little")
        assert (bits[:, : game.num_actions] == game.legal(plain)).all()
        assert game.observe(states).tobytes() == game.observe(plain).tobytes()
        if 0 <= player < game.num_players:
            highest = [column.high for column in game.observation_fields]
            assert (game.observe(states, player) <= highest).all()
            assert "chance=?" in game.text(states[:1], player)
        else:
            refused(game.observe, states, player)
            refused(game.text, states[:1], player)
        game.board(states[-1])
        assert states.tobytes() == plain.tobytes()

    @rule()
    def write_and_parse_text(self):
        game = self.rules
        for index, over in enumerate(self.states["to_move"] < 0):
            state = self.states[index : index + 1]
            text = game.text(state)
            read = game.parse(text)
            assert game.text(read) == text and (over or game.legal(read).tobytes() == game.legal(state).tobytes())
        game.check(self.states)

    @rule(data=st.data())
    def parse_a_damaged_text(self, data):
        text = self.rules.text(self.states[:1])
        at = data.draw(st.integers(0, len(text) - 1))
        spoilt = text[:at] + data.draw(st.text("0123456789,=-? x\0é", max_size=3)) + text[at + 1 :]
        try:
            state = self.rules.parse(spoilt)
        except ValueError:
            return
        self.rules.check(state)

    @rule(data=st.data())
    def load(self, data):
        try:
            state = self.rules.load(**position_with_faults(self.rules, data))
        except (ValueError, TypeError):
            return
        assert self.rules.legal(state).any()
        self.rules.check(state)

    @rule(wrong=junk, what=st.sampled_from(["init", "sample"]))
    def pass_junk(self, wrong, what):
        if what == "init":
            # An integer could be a valid number of games, too large for the memory.
            refused(self.rules.init, 0 if isinstance(wrong, int) else wrong)
        refused(getattr(self.rules, what), 1 if what == "init" else self.states, wrong)

    @rule()
    def copy_the_rules(self):
        self.rules = copy.deepcopy(pickle.loads(pickle.dumps(self.rules)))


class AnyEnvironment(Environment):
    """Base of the environments without wrappers of ours."""

    @rule(data=st.data())
    def reset_to_a_position(self, data):
        fields, before = position_with_faults(self.env.unwrapped.game, data), self.reported()
        try:
            begun = self.env.reset(seed=0, options={"position": fields})
        except (ValueError, TypeError):
            assert self.reported() == before
        else:
            self.begin(begun)

    @precondition(lambda self: self.env.unwrapped.game.book.campaign)
    @rule()
    def play_campaigns(self):
        env = self.env.unwrapped
        if isinstance(env.opening, np.ndarray) and not env.game.campaign:
            self.refuse(env.play_campaigns)
        else:
            env.play_campaigns()
            self.on = False


class AnyAEC(AnyEnvironment):
    """A PettingZoo environment without PettingZoo's own wrappers."""

    outer = staticmethod(RawEnv)
    before_reset = (gym.error.ResetNeeded,)

    @initialize()
    def make(self):
        name, campaign = self.kind
        self.env = self.outer(game=name, campaign=campaign)
        self.lost = False

    @property
    def raw(self):
        return self.env.unwrapped

    def reported(self):
        """Return everything that the environment reports; None before the first reset."""
        if not self.on:
            return None
        raw = self.raw
        names = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations")
        masks = {agent: info["action_mask"].tolist() for agent, info in raw.infos.items()}
        return raw.record.tobytes(), masks, copy.deepcopy([getattr(raw, name) for name in names])

    def running(self):
        return self.on and not self.lost and bool(self.raw.agents) and not self.over()

    def over(self):
        agent = self.raw.agent_selection
        return self.raw.terminations[agent] or self.raw.truncations[agent]

    @rule(seed=st.none() | seeds | st.just(np.uint64(3)))
    def reset(self, seed):
        self.begin(self.env.reset(seed=seed))

    def begin(self, begun):
        self.on, self.lost = True, False
        self.check_consistency()

    @precondition(lambda self: not self.on)
    @rule(what=st.sampled_from(["step", "last", "observe"]))
    def use_too_early(self, what):
        arguments = {"step": (0,), "last": (), "observe": ("player_0",)}[what]
        refused(getattr(self.env, what), *arguments, errors=self.before_reset)

    @precondition(running)
    @rule(seed=seeds, times=TIMES)
    def play(self, seed, times):
        for step in range(times):
            if not self.running():
                break
            self.env.step(self.raw.game.sample(self.raw.record, seed + step)[0])
            assert abs(sum(self.raw.rewards.values())) < 1e-5
            self.check_consistency()

    @precondition(running)
    @rule(data=st.data())
    def play_an_illegal_action(self, data):
        mask = self.raw.infos[self.raw.agent_selection]["action_mask"]
        self.refuse_action(illegal_action(data, mask))

    @precondition(running)
    @rule(wrong=st.sampled_from(NO_ACTION))
    def play_something_that_is_no_action(self, wrong):
        self.refuse_action(wrong)

    def refuse_action(self, action):
        self.refuse(self.env.step, action, errors=(IllegalAction,))

    @precondition(lambda self: self.on and not self.lost and self.raw.agents and self.over())
    @rule(action=st.sampled_from([None, 0]))
    def leave(self, action):
        if action is None:
            gone = self.raw.agent_selection
            self.env.step(None)
            assert gone not in self.raw.agents
        else:
            self.refuse(self.env.step, 0)

    @precondition(lambda self: self.on and not self.lost and not self.raw.agents)
    @rule(action=st.sampled_from([None, 0]))
    def play_after_all_agents_have_left(self, action):
        self.refuse(self.raw.step, action, errors=(gym.error.ResetNeeded,))

    @precondition(lambda self: self.on and not self.lost)
    @rule()
    def read_only_methods(self):
        before = self.reported()
        for agent in self.raw.possible_agents:
            seen = self.env.observe(agent)
            assert seen["observation"].tobytes() == self.seen_by(agent)
        refused(self.env.observe, "nobody", errors=(KeyError, ValueError))
        self.env.state()
        if self.raw.agents:
            self.env.last()
        assert self.reported() == before

    def seen_by(self, agent):
        raw = self.raw
        return raw.game.observe(raw.record, raw.possible_agents.index(agent))[0].tobytes()

    def check_consistency(self):
        """Check that the environment's attributes match its state."""
        raw = self.raw
        record = raw.record
        mover = int(record["to_move"][0])
        if mover < 0:
            assert all(raw.terminations[agent] or raw.truncations[agent] for agent in raw.agents)
            return
        assert raw.agent_selection == raw.possible_agents[mover]
        for agent, info in raw.infos.items():
            legal = raw.game.legal(record)[0] if agent == raw.agent_selection else np.zeros(raw.game.num_actions)
            assert (info["action_mask"] == legal).all()


class AnyWrapped(AnyAEC):
    """The environment in PettingZoo's wrappers: an illegal action loses, and anything else raises an AssertionError."""

    outer = staticmethod(wrapped)
    before_reset = (gym.error.ResetNeeded, AttributeError, AssertionError)

    def refuse_action(self, action):
        if isinstance(action, bool):  # to Gymnasium an element of the space, to PettingZoo's guard none
            self.refuse(self.env.step, action)
        elif self.raw.action_space(self.raw.agent_selection).contains(action):
            offender = self.raw.agent_selection
            self.env.step(action)
            assert self.env.rewards[offender] == -1 and all(self.env.terminations.values())
            self.lost = True
        else:
            self.refuse(self.env.step, action, errors=(AssertionError,))


class AnySolo(Learner, AnyEnvironment):
    """A Gymnasium environment, with each treatment of illegal actions."""

    @initialize(illegal=st.sampled_from(["lose", "raise", "random"]), data=st.data())
    def make(self, illegal, data):
        name, campaign = self.kind
        seat = data.draw(st.sampled_from(["random", *range(game_of(self).num_deciding)]))
        self.illegal = illegal
        self.env = SoloEnv(name, illegal=illegal, seat=seat, campaign=campaign)

    def after(self, observation, reward, terminated, truncated, info):
        assert isinstance(reward, float) and -1 <= reward <= 1
        if info.get("illegal_action"):
            assert self.illegal == "random" or (reward == -1 and terminated)
        super().after(observation, reward, terminated, truncated, info)

    @rule(opening=st.sampled_from(["usual", "random", "positions", "junk"]))
    def open_with(self, opening):
        game, before = self.env.game, self.reported()
        if opening == "junk":
            for wrong in (-1, (3, 1), True, [], "0", game.init(1, 5)[:0], np.zeros(3, int)):
                refused(self.env.set_opening, wrong)
        else:
            self.env.set_opening({"usual": 0, "random": (0, 3), "positions": game.init(2, 5)}[opening])
        assert self.reported() == before

    def check_consistency(self, observation, info):
        super().check_consistency(observation, info)
        game, state = self.env.game, self.env.record
        assert state["to_move"][0] == info["seat"]
        assert (info["action_mask"] == game.legal(state)[0]).all()
        assert observation.tobytes() == game.observe(state, info["seat"])[0].tobytes()


class AnyVector(Learners, AnyEnvironment):
    """A vector environment, with each autoreset mode."""

    arguments = (*Environment.arguments, "reset_mask")

    @initialize(
        n=st.integers(1, 4),
        mode=st.sampled_from(["NextStep", "SameStep", "Disabled"]),
        illegal=st.sampled_from(["lose", "raise", "random"]),
        kept=st.booleans(),
    )
    def make(self, n, mode, illegal, kept):
        name, campaign = self.kind
        self.mode, self.illegal = mode, illegal
        self.over = np.zeros(n, bool)
        self.env = MancalaVectorEnv(name, n, illegal=illegal, autoreset_mode=mode, copy=kept, campaign=campaign)

    @precondition(Learners.may_step)
    @rule(how=st.sampled_from(INTEGERS), wrong=st.booleans(), seed=seeds)
    def play_any_integers(self, how, wrong, seed):
        actions, playing = self.some_actions(seed), ~self.over
        if wrong:
            actions[-1] = -2
        if wrong and playing[-1] and self.illegal == "raise":
            self.refuse(self.env.step, as_given(actions, how), errors=(IllegalAction,))
        else:
            self.after(*self.env.step(as_given(actions, how)))

    def after(self, observations, rewards, terminated, truncated, infos):
        assert (np.abs(rewards) <= 1).all()
        assert not (terminated & self.over).any() and not rewards[self.over].any()
        super().after(observations, rewards, terminated, truncated, infos)

    def check_consistency(self, observations, infos):
        super().check_consistency(observations, infos)
        game, states, seats = self.env.game, self.env.states, infos["seat"]
        playing = ~self.over
        assert (states["to_move"][playing] == seats[playing]).all()
        assert (infos["action_mask"][playing] == game.legal(states)[playing]).all()
        assert not infos["action_mask"][~playing].any()
        assert observations.tobytes() == game.observe(states, seats).tobytes()


MACHINES = [AnyGame, AnyAEC, AnyWrapped, AnySolo, AnyVector]
QUICK = [*(("kalah", False, machine) for machine in MACHINES), ("qelat", True, AnyGame), ("qelat", True, AnyVector)]
"""A plain game and a campaign; `make test` plays no others, because environments take long to compile."""


@pytest.mark.parametrize(("name", "campaign", "machine"), QUICK)
def test_calls_in_any_order(name, campaign, machine):
    run(machine, (name, campaign), 6, 30)


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("name", "campaign"), KINDS)
def test_long_sequences_of_calls(name, campaign, machine):
    run(machine, (name, campaign), 6, 60)

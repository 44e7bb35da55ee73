"""Hypothesis calls methods in any order with any arguments: only documented errors occur, and they change nothing."""

import copy
import pickle
import tempfile

import gymnasium as gym
import numpy as np
import pytest
from helpers.state_machines import NO_ACTIONS, TIMES, junk, refused, run, seeds
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

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


@pytest.fixture(autouse=True)
def no_entropy(monkeypatch):
    """Replace entropy from the system by a fixed seed, so that Hypothesis can repeat an example."""
    sequence, generator = np.random.SeedSequence, np.random.default_rng
    monkeypatch.setattr(np.random, "SeedSequence", lambda entropy=None: sequence(0 if entropy is None else entropy))
    monkeypatch.setattr(np.random, "default_rng", lambda seed=None: generator(0 if seed is None else seed))


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


class AnyOrder(RuleBasedStateMachine):
    """The base of all machines: `kind` is the game's name and whether it is a campaign."""

    kind = ("kalah", False)

    @property
    def game(self):
        return make_game(self.kind[0], campaign=self.kind[1])

    def illegal_action(self, data, mask):
        """Draw a number that is not a legal action."""
        numbers = st.integers(-3, len(mask) + 3) | st.sampled_from([2**31, 2**62, -(2**62)])
        return data.draw(numbers.filter(lambda number: not (0 <= number < len(mask) and mask[number])))

    def position_with_faults(self, data):
        """Draw the fields of a position reached by play, with up to two of them replaced by wrong values."""
        game = self.game
        states = game.init(1, data.draw(seeds))
        for step in range(data.draw(st.integers(0, 20))):
            game.step(states, game.sample(states, step), autoreset=True)
        fields = {name: states[0][name].tolist() for name in game.position_fields}
        numbers = st.integers(-3, 300) | junk
        for name in data.draw(st.sets(st.sampled_from(sorted(fields)), max_size=2)):
            fields[name] = data.draw(numbers | st.lists(numbers, max_size=len(np.atleast_1d(fields[name]))))
        return fields


class AnyGame(AnyOrder):
    """A batch of games."""

    @initialize(n=st.integers(1, 4), seed=seeds, layout=layouts)
    def begin(self, n, seed, layout):
        self.rules = self.game
        self.states = LAYOUTS[layout](self.rules.init(n, seed))

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
        actions[index] = self.illegal_action(data, mask if mask.any() else np.ones(len(mask), bool))
        if not mask.any() and actions[index] == -1:
            return
        before = self.states.tobytes()
        with pytest.raises(IllegalAction) as caught:
            self.rules.step(self.states, actions)
        assert caught.value.index == index and caught.value.legal == np.flatnonzero(mask).tolist()
        assert self.states.tobytes() == before

    @rule(how=st.sampled_from(sorted(NO_ACTIONS)))
    def play_something_that_is_no_action(self, how):
        before = self.states.tobytes()
        refused(self.rules.step, self.states, NO_ACTIONS[how](self.rules.sample(self.states, 0)))
        assert self.states.tobytes() == before

    @rule(how=st.sampled_from(["short", "spaced", "read-only", "a list"]))
    def pass_a_wrong_final(self, how):
        before = self.states.tobytes()
        room = self.rules.init(2 * len(self.states), 0)
        final = {"short": room[:0], "spaced": room[::2], "read-only": room[::2].copy(), "a list": room.tolist()}[how]
        if how == "read-only":
            final.setflags(write=False)
        if how == "spaced" and len(final) == 1:
            return
        refused(self.rules.step, self.states, self.rules.sample(self.states, 0), final=final)
        assert self.states.tobytes() == before

    @rule(draws=st.sampled_from(["00", 0, [["cowries", 64, 1.5]], [[-1]], [None]]), more=st.integers(0, 1))
    def pass_wrong_draws(self, draws, more):
        before = self.states.tobytes()
        rows = draws * len(self.states) if isinstance(draws, list) else draws
        rows = rows + [[]] * more if isinstance(rows, list) else rows
        refused(self.rules.step, self.states, self.rules.sample(self.states, 0), draws=rows)
        assert self.states.tobytes() == before

    @rule()
    def play_in_read_only_memory(self):
        self.states.setflags(write=False)
        before = self.states.tobytes()
        refused(self.rules.step, self.states, self.rules.sample(self.states, 0))
        assert self.states.tobytes() == before
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
            state = self.rules.load(**self.position_with_faults(data))
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


class AnyAEC(AnyOrder):
    """A PettingZoo environment without PettingZoo's own wrappers."""

    outer = staticmethod(RawEnv)
    before_reset = (gym.error.ResetNeeded,)

    @initialize()
    def make(self):
        name, campaign = self.kind
        self.env = self.outer(game=name, campaign=campaign)
        self.begun = self.lost = False

    @property
    def raw(self):
        return self.env.unwrapped

    def reported(self):
        """Return everything that the environment reports."""
        raw = self.raw
        names = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations")
        masks = {agent: info["action_mask"].tolist() for agent, info in raw.infos.items()}
        return raw.record.tobytes(), masks, copy.deepcopy([getattr(raw, name) for name in names])

    def running(self):
        return self.begun and not self.lost and bool(self.raw.agents) and not self.over()

    def over(self):
        agent = self.raw.agent_selection
        return self.raw.terminations[agent] or self.raw.truncations[agent]

    @rule(seed=st.none() | seeds | st.just(np.uint64(3)))
    def reset(self, seed):
        self.env.reset(seed=seed)
        self.begun, self.lost = True, False
        self.check_consistency()

    @rule(data=st.data())
    def reset_to_a_position(self, data):
        fields = self.position_with_faults(data)
        before = self.reported() if self.begun else None
        try:
            self.env.reset(seed=0, options={"position": fields})
        except (ValueError, TypeError):
            assert not self.begun or self.reported() == before
            return
        self.begun, self.lost = True, False
        self.check_consistency()

    @precondition(lambda self: self.begun)
    @rule(wrong=junk, where=st.sampled_from(["seed", "position", "options"]))
    def reset_by_junk(self, wrong, where):
        if where != "seed" and isinstance(wrong, dict):
            return
        before = self.reported()
        options = {"position": {"position": wrong}, "options": wrong}.get(where)
        refused(self.env.reset, seed=wrong if where == "seed" else None, options=options)
        assert self.reported() == before

    @precondition(lambda self: not self.begun)
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
        self.refuse(self.illegal_action(data, mask))

    @precondition(running)
    @rule(wrong=st.sampled_from([None, True, 0.0, "0", [0], np.zeros(1, int), np.bool_(True), object()]))
    def play_something_that_is_no_action(self, wrong):
        self.refuse(wrong)

    def refuse(self, action):
        before = self.reported()
        with pytest.raises(IllegalAction):
            self.env.step(action)
        assert self.reported() == before

    @precondition(lambda self: self.begun and not self.lost and self.raw.agents and self.over())
    @rule(action=st.sampled_from([None, 0]))
    def leave(self, action):
        if action is None:
            gone = self.raw.agent_selection
            self.env.step(None)
            assert gone not in self.raw.agents
        else:
            before = self.reported()
            refused(self.env.step, 0)
            assert self.reported() == before

    @precondition(lambda self: self.begun and not self.lost and not self.raw.agents)
    @rule(action=st.sampled_from([None, 0]))
    def play_after_all_agents_have_left(self, action):
        before = self.reported()
        refused(self.raw.step, action, errors=(gym.error.ResetNeeded,))
        assert self.reported() == before

    @precondition(lambda self: self.begun and not self.lost)
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

    @precondition(lambda self: self.raw.game.book.campaign)
    @rule()
    def play_campaigns(self):
        self.raw.play_campaigns()
        self.begun = False

    @rule(how=st.sampled_from([copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]))
    def continue_with_a_copy(self, how):
        before = self.reported() if self.begun else None
        self.env = how(self.env)
        assert not self.begun or self.reported() == before

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

    def refuse(self, action):
        before = self.reported()
        if isinstance(action, bool):  # to Gymnasium an element of the space, to PettingZoo's guard none
            refused(self.env.step, action)
        elif self.raw.action_space(self.raw.agent_selection).contains(action):
            offender = self.raw.agent_selection
            self.env.step(action)
            assert self.env.rewards[offender] == -1 and all(self.env.terminations.values())
            self.lost = True
            return
        else:
            refused(self.env.step, action, errors=(AssertionError,))
        assert self.reported() == before


class AnySolo(AnyOrder):
    """A Gymnasium environment, with each treatment of illegal actions."""

    @initialize(illegal=st.sampled_from(["lose", "raise", "random"]), data=st.data())
    def make(self, illegal, data):
        name, campaign = self.kind
        seat = data.draw(st.sampled_from(["random", *range(self.game.num_deciding)]))
        self.illegal, self.on, self.begun = illegal, False, False
        self.env = SoloEnv(name, illegal=illegal, seat=seat, campaign=campaign)

    def reported(self):
        return self.env.record.tobytes(), self.env.action_masks().tobytes(), self.on

    def begin(self, seen):
        observation, info = seen
        self.begun = self.on = True
        self.check_consistency(observation, info)

    @rule(seed=st.none() | seeds | st.just(np.uint64(3)))
    def reset(self, seed):
        self.begin(self.env.reset(seed=seed))

    @rule(data=st.data())
    def reset_to_a_position(self, data):
        fields, before = self.position_with_faults(data), self.reported()
        try:
            seen = self.env.reset(seed=0, options={"position": fields})
        except (ValueError, TypeError):
            assert self.reported() == before
            return
        observation, info = seen
        # The opponents may end the game before the learner's first decision.
        self.begun, self.on = True, True
        if info["action_mask"].any():
            self.check_consistency(observation, info)

    @rule(wrong=junk, where=st.sampled_from(["seed", "position", "options"]))
    def reset_by_junk(self, wrong, where):
        if where != "seed" and isinstance(wrong, dict):
            return
        before = self.reported()
        options = {"position": {"position": wrong}, "options": wrong}.get(where)
        refused(self.env.reset, seed=wrong if where == "seed" else None, options=options)
        assert self.reported() == before

    @precondition(lambda self: self.on)
    @rule(seed=seeds, times=TIMES, how=st.sampled_from([int, np.int16, np.uint64, np.array]))
    def play(self, seed, times, how):
        for step in range(times):
            if not self.on or not self.env.action_masks().any():
                break
            action = self.env.game.sample(self.env.record, seed + step)[0]
            self.after(*self.env.step(how(action)))

    @precondition(lambda self: self.on)
    @rule(data=st.data())
    def play_an_illegal_action(self, data):
        mask = self.env.action_masks()
        if not mask.any():
            return
        action = self.illegal_action(data, mask)
        if self.illegal == "raise":
            before = self.reported()
            refused(self.env.step, action, errors=(IllegalAction,))
            assert self.reported() == before
            return
        *_, info = seen = self.env.step(action)
        assert info["illegal_action"] and (self.illegal == "random" or (seen[1] == -1 and seen[2]))
        self.after(*seen)

    def after(self, observation, reward, terminated, truncated, info):
        assert not truncated and isinstance(reward, float) and -1 <= reward <= 1
        self.on = not terminated
        if self.on:
            self.check_consistency(observation, info)
        else:
            assert not info["action_mask"].any()

    @precondition(lambda self: self.on)
    @rule(wrong=st.sampled_from([None, True, 0.0, "0", [0], np.zeros(1, int), np.bool_(True), object()]))
    def play_something_that_is_no_action(self, wrong):
        before = self.reported()
        refused(self.env.step, wrong, errors=(TypeError,))
        assert self.reported() == before

    @precondition(lambda self: not self.on)
    @rule()
    def play_without_a_running_episode(self):
        before = self.reported()
        refused(self.env.step, 0, errors=(gym.error.ResetNeeded,))
        assert self.reported() == before

    @rule(opening=st.sampled_from(["usual", "random", "positions", "junk"]))
    def open_with(self, opening):
        game, before = self.env.game, self.reported()
        if opening == "junk":
            for wrong in (-1, (3, 1), True, [], "0", game.init(1, 5)[:0], np.zeros(3, int)):
                refused(self.env.set_opening, wrong)
        else:
            self.env.set_opening({"usual": 0, "random": (0, 3), "positions": game.init(2, 5)}[opening])
        assert self.reported() == before

    @precondition(lambda self: self.env.game.book.campaign)
    @rule()
    def play_campaigns(self):
        if isinstance(self.env.opening, np.ndarray) and not self.env.game.campaign:
            before = self.reported()
            refused(self.env.play_campaigns)
            assert self.reported() == before
        else:
            self.env.play_campaigns()
            self.on = False

    @rule(how=st.sampled_from([copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]))
    def continue_with_a_copy(self, how):
        before = self.reported()
        self.env = how(self.env)
        assert self.reported() == before

    def check_consistency(self, observation, info):
        game, state = self.env.game, self.env.record
        assert state["to_move"][0] == info["seat"]
        assert (info["action_mask"] == game.legal(state)[0]).all()
        assert observation.tobytes() == game.observe(state, info["seat"])[0].tobytes()
        assert self.env.observation_space.contains(observation)


class AnyVector(AnyOrder):
    """A vector environment, with each autoreset mode."""

    @initialize(
        n=st.integers(1, 4),
        mode=st.sampled_from(["NextStep", "SameStep", "Disabled"]),
        illegal=st.sampled_from(["lose", "raise", "random"]),
        kept=st.booleans(),
    )
    def make(self, n, mode, illegal, kept):
        name, campaign = self.kind
        self.mode, self.illegal, self.begun = mode, illegal, False
        self.over = np.zeros(n, bool)
        self.envs = MancalaVectorEnv(name, n, illegal=illegal, autoreset_mode=mode, copy=kept, campaign=campaign)

    def reported(self):
        return self.envs.states.tobytes(), self.envs.action_masks().tobytes()

    @rule(seed=st.none() | seeds | st.just(np.uint64(3)), listed=st.booleans())
    def reset(self, seed, listed):
        n = self.envs.num_envs
        observations, infos = self.envs.reset(seed=[seed] * n if listed else seed)
        self.begun, self.over = True, np.zeros(n, bool)
        self.check_consistency(observations, infos)

    @precondition(lambda self: self.begun)
    @rule(data=st.data())
    def reset_some(self, data):
        n = self.envs.num_envs
        mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
        before = self.reported()
        if not mask.any():
            refused(self.envs.reset, options={"reset_mask": mask})
            assert self.reported() == before
            return
        states = self.envs.states
        observations, infos = self.envs.reset(options={"reset_mask": mask})
        assert self.envs.states[~mask].tobytes() == states[~mask].tobytes()
        self.over &= ~mask
        self.check_consistency(observations, infos)

    @rule(wrong=junk, where=st.sampled_from(["seed", "position", "options", "reset_mask"]))
    def reset_by_junk(self, wrong, where):
        if where != "seed" and isinstance(wrong, dict):
            return
        before = self.reported()
        options = {"options": wrong, "seed": None}.get(where, {where: wrong})
        refused(self.envs.reset, seed=wrong if where == "seed" else None, options=options)
        assert self.reported() == before

    def may_step(self):
        return self.begun and not (self.mode == "Disabled" and self.over.any())

    @precondition(may_step)
    @rule(seed=seeds, times=TIMES)
    def play_on(self, seed, times):
        for step in range(times):
            if self.may_step():
                self.play("plain", False, seed + step)

    @precondition(may_step)
    @rule(how=st.sampled_from(INTEGERS), wrong=st.booleans(), seed=seeds)
    def play(self, how, wrong, seed):
        envs, states = self.envs, self.envs.states
        actions = np.maximum(envs.game.sample(states, seed), 0)
        playing = ~self.over
        if wrong:
            actions[-1] = -2
        if wrong and playing[-1] and self.illegal == "raise":
            before = self.reported()
            refused(envs.step, as_given(actions, how), errors=(IllegalAction,))
            assert self.reported() == before
            return
        observations, rewards, terminated, truncated, infos = envs.step(as_given(actions, how))
        assert not truncated.any() and (np.abs(rewards) <= 1).all()
        assert not (terminated & ~playing).any() and not rewards[~playing].any()
        self.over = terminated if self.mode != "SameStep" else np.zeros(envs.num_envs, bool)
        self.check_consistency(observations, infos)

    @precondition(lambda self: self.begun)
    @rule(how=st.sampled_from(sorted(NO_ACTIONS)))
    def play_something_that_is_no_action(self, how):
        before = self.reported()
        refused(self.envs.step, NO_ACTIONS[how](np.zeros(self.envs.num_envs, np.int64)))
        assert self.reported() == before

    @precondition(lambda self: not self.may_step())
    @rule()
    def play_with_an_episode_that_is_over(self):
        before = self.reported()
        refused(self.envs.step, np.zeros(self.envs.num_envs, np.int64), errors=(gym.error.ResetNeeded,))
        assert self.reported() == before

    @precondition(lambda self: self.envs.game.book.campaign)
    @rule()
    def play_campaigns(self):
        self.envs.play_campaigns()
        self.begun, self.over = False, np.zeros(self.envs.num_envs, bool)

    @rule()
    def continue_with_a_copy(self):
        before = self.reported()
        self.envs = pickle.loads(pickle.dumps(self.envs))
        assert self.reported() == before

    def check_consistency(self, observations, infos):
        game, states, seats = self.envs.game, self.envs.states, infos["seat"]
        on = ~self.over
        assert (states["to_move"][on] == seats[on]).all()
        assert (infos["action_mask"][on] == game.legal(states)[on]).all() and not infos["action_mask"][~on].any()
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

"""Games by their plain rules and by their fast form, compiled and in plain Python."""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from mancala_envs.agents.common import streams_of
from mancala_envs.agents.compiled import GREEDY, choose_loop
from mancala_envs.core import kernels
from mancala_envs.core.arguments import seed_words
from mancala_envs.core.contract import legal
from mancala_envs.core.record import python_records
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY

SIZES = {"columns", "rows", "players", "size", "counters"}
"""Options that change the record's shape; each of their values is compiled separately."""


def slowly(*cases):
    """Mark cases of a parametrized test as slow, so that only `make slow` runs them."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def both_forms(name, campaign=False, **options):
    """Return the game with its fast form and without it, regardless of MANCALA_ENVS_FAST."""
    known = REGISTRY[name]
    form = import_module(known.fast).FAST
    fast, plain = (Game(known.book, name, campaign, options, some) for some in (form, None))
    assert fast._edition is not plain._edition
    return fast, plain


def some_states(game, n=12, decisions=3):
    """Return `n` games after random decisions; a game that ends starts again."""
    states = game.init(n, 3)
    for decision in range(decisions):
        game.step(states, game.sample(states, decision), autoreset=True)
    return states


def with_another_finger(states):
    """Return games of Ceelkoqyuqkoqiji in which player 1 throws next, with a different throw of player 0."""
    others = states.copy()
    assert (states["to_move"] == 1).all() and (states["thrown"][:, 0] >= 0).all()
    others["thrown"][:, 0] = (states["thrown"][:, 0] + 1) % 3
    return others


def compare_forms(fast, plain, before):
    """Check that both forms agree; return the positions with legal actions, and these after random actions."""
    choices = plain.legal_bits(before)
    assert np.array_equal(fast.legal_bits(before), choices)
    before = before[choices.any(axis=1)]
    actions = plain.sample(before, seed=1)
    assert np.array_equal(fast.sample(before, seed=1), actions)
    return before, compare_turns(fast, plain, before, actions)


def compare_turns(fast, plain, before, actions):
    """Check that legal actions (n,) have the same effects and rewards in both forms; return what follows."""
    one, other = before.copy(), before.copy()
    assert np.array_equal(plain.step(one, actions), fast.step(other, actions))
    assert one.tobytes() == other.tobytes()
    return one


class PlainGame(Game):
    """A game whose rules run as ordinary Python, so that unusual sizes need no compilation."""

    def __init__(self, name, campaign=False, **options):
        super().__init__(REGISTRY[name].book, name, campaign, options, None)

    def bind(self, loop):
        return self.plain.bind(loop)

    def records(self, states):
        return python_records(super().records(states))


class InPython:
    """The plain rules of a game as ordinary Python, without its fast form."""

    def __init__(self, game):
        self.game = game
        self._legal, self._observe, self._step, self._choose = map(
            game.plain.bind, (kernels.legal_loop, kernels.observe_loop, kernels.checked_step_loop, choose_loop)
        )
        self._is_legal = game.plain.bind(legal)
        self._rules = game._rules

    def _records(self, states):
        return python_records(self.game.records(states))

    def _snapshots(self, states):
        """Read-only copies of games, whose fields are much faster to read than those of records."""
        return [SimpleNamespace(**{name: s[name] for name in s.dtype.names}) for s in self._records(states)]

    def legal(self, states):
        out = np.empty((len(states), self.game.num_actions), np.bool_)
        assert self._legal(self._snapshots(states), self._rules, out) == -1
        return out

    def are_legal(self, state, actions):
        """Return whether each action is legal by the rule `legal` itself, not by `legal_word` or a mask."""
        (s,) = self._snapshots(state)
        return [bool(self._is_legal(s, action)) for action in actions]

    def observe(self, states, player=None, filled=0):
        """Return the observations; the array contains `filled` beforehand."""
        shape = len(states), len(self.game.observation_fields)
        out = np.full(shape, filled, self.game.observation_dtype)
        players = np.full(0 if player is None else len(states), player or 0)
        assert self._observe(self._snapshots(states), self._rules, players, out, self.game.layout) == -1
        return out

    def step(self, states, actions):
        """Step with autoreset; return the rewards."""
        rewards = np.zeros((len(states), self.game.num_players), np.float32)
        final = self._records(states[:0])
        assert self._step(self._records(states), self._rules, actions, rewards, True, final, True, True) == -1
        return rewards

    def greedy(self, states, seed=1):
        """Return the actions (n,) int64 of the greedy agent."""
        out, scratch = np.empty(len(states), np.int64), self._records(np.zeros(2, self.game.dtype))
        streams = streams_of(len(states), seed_words(len(states), seed))
        self._choose(self._records(states), range(len(states)), GREEDY, streams, scratch, out)
        return out

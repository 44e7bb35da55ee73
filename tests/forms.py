"""A game by its plain law and by its fast form, compiled and in plain Python, from any positions."""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from mancala_envs.core import kernels
from mancala_envs.core.book import edition
from mancala_envs.core.contract import legal_word, num_actions, play
from mancala_envs.core.game import Game
from mancala_envs.registry import REGISTRY


def slowly(*cases):
    """Cases of a parametrized test that only `make slow` runs."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def both_forms(name, campaign=False, **options):
    """The game with its fast form, which must fit, and without; whatever MANCALA_ENVS_FAST says."""
    known = REGISTRY[name]
    form = import_module(known.fast).FAST
    fast, plain = (Game(known.book, name, campaign, options, some) for some in (form, None))
    assert fast._edition is not plain._edition
    return fast, plain


def play_loop(states, actions):
    """Play without asking whether an action is legal."""
    for i in range(len(states)):
        states[i].ended = 0
        play(states[i], actions[i])


def word_loop(states, words):
    """The legal actions as words, (n, W) uint64, of games that may be over."""
    for i in range(len(states)):
        for word in range((num_actions(states[i]) + 63) // 64):
            words[i, word] = legal_word(states[i], word)


def played(game, states, actions):
    """What `play` makes of a copy of `states` (n,) of the game's dtype."""
    after = states.copy()
    game.bind(play_loop)(game.records(after), np.asarray(actions, np.int64))
    return after


def words(game, states):
    """(n, W) uint64: the legal actions."""
    found = np.zeros((len(states), -(-game.num_actions // 64)), np.uint64)
    game.bind(word_loop)(game.records(states), found)
    return found


class InPython:
    """The plain law of a game as ordinary Python, without its fast form."""

    def __init__(self, game):
        self.game = game
        bind = edition(game.book, game.campaign, None, compiled=False).bind
        self._legal, self._observe, self._step = map(
            bind, (kernels.legal_loop, kernels.observe_loop, kernels.checked_step_loop)
        )

    def _records(self, states):
        return self.game.records(states).view(np.recarray)

    def _snapshots(self, states):
        """Games that are only looked at: their fields are many times as quick to read as those of records."""
        return [SimpleNamespace(**{name: s[name] for name in s.dtype.names}) for s in self._records(states)]

    def legal(self, states):
        out = np.empty((len(states), self.game.num_actions), np.bool_)
        self._legal(self._snapshots(states), out)
        return out

    def observe(self, states):
        out = np.empty((len(states), len(self.game.observation_fields)), self.game.observation_dtype)
        self._observe(self._snapshots(states), np.empty(0, np.int64), out)
        return out

    def step(self, states, actions):
        """With autoreset."""
        rewards = np.zeros((len(states), self.game.num_players), np.float32)
        assert self._step(self._records(states), actions, rewards, True, self._records(states[:0])) == -1
        return rewards

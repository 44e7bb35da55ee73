"""A game by its plain law and by its fast form, from positions that play need not reach."""

import numpy as np

from mancala_envs import make_game
from mancala_envs.core.contract import legal_word, num_actions, play
from mancala_envs.core.game import Game


def both_forms(name, campaign=False, **options):
    """The game with its fast form, which must fit, and without."""
    fast = make_game(name, campaign=campaign, **options)
    plain = Game(fast.book, name, campaign, fast.options)
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

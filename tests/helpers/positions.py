"""Queries of one position of any game: legal actions, perft counts, result, observation."""

import numpy as np

from helpers.forms import InPython


def legal(game, states):
    """Return the legal actions of the one game in `states`: an array (1,) or a single record."""
    return np.flatnonzero(game.legal(np.atleast_1d(states))[0]).tolist()


def after(game, states, *actions):
    """Return a copy of the one game after these actions."""
    states = states.copy()
    for action in actions:
        game.step(states, [action])
    return states


def result(states):
    """Return `winner` and `ended` of the one game."""
    return int(states[0].winner), int(states[0].ended)


def perft(game, states, decisions):
    """Count the sequences of 1, 2, .., `decisions` decisions."""
    counts = []
    for _ in range(decisions):
        which, actions = np.nonzero(game.legal(states))
        counts.append(len(actions))
        states = states[which]
        game.step(states, actions)
    return counts


def perft_of_turns(game, states, turns):
    """Count the sequences of 1, 2, .., `turns` whole turns."""
    counts = []
    for turn in range(turns):
        ended = []
        while len(states):
            which, actions = np.nonzero(game.legal(states))
            states = states[which]
            game.step(states, actions)
            ended.append(states[states.turn > turn])
            states = states[states.turn == turn]
        states = np.concatenate(ended).view(np.recarray)
        counts.append(len(states))
    return counts


def seen(game, states, player=None):
    """Return a player's observation by column name, by default the mover's, without compiling anything."""
    names = [column.name for column in game.observation_fields]
    return dict(zip(names, InPython(game).observe(states, player)[0].tolist(), strict=True))


def beside(game, states):
    """Return the trays beside the board of the one game: (label, owner, pieces)."""
    return [(place.label, place.owner, place.pieces) for place in game.board(states).places if place.tray]


def seeds(state):
    """Return the holes that hold seeds, with their counts."""
    return {hole: count for hole, count in enumerate(state.holes.tolist()) if count}

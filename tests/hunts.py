"""Positions of hunts on any board of points."""

from itertools import pairwise

import numpy as np
from forms import played, words


def hunt(game, hunters, herd, to_move=0, hand=(0, 0), **fields):
    """The game where hunters and herd stand on these points; all that is not in hand is laid."""
    board = np.zeros(game.dtype["board"].shape, int)
    board[list(hunters)], board[list(herd)] = 1, 2
    return game.load(board=board, to_move=to_move, hand=list(hand), **{"phase": int(hand[to_move] > 0)} | fields)


def move(neighbours, *points):
    """The numbers of the steps and captures that lead one piece from point to point."""
    found = []
    for start, end in pairwise(points):
        ways = [way for way in range(8) if end in (neighbours[start, way], neighbours[neighbours[start, way], way])]
        (way,) = (way for way in ways if neighbours[start, way] >= 0)
        found.append(len(neighbours) + 8 * start + way)
    return found


def ways(neighbours, actions):
    """What moves do, as (from, to) of the neighbour towards which they lead."""
    pairs = [divmod(action - len(neighbours), 8) for action in actions]
    return {(start, int(neighbours[start, way])) for start, way in pairs}


def result(states):
    return int(states[0].winner), int(states[0].ended)


def seen(game, states, player):
    """The columns of the observation that are not 0."""
    columns = [column.name for column in game.observation_fields]
    return {
        name: number for name, number in zip(columns, game.observe(states, player)[0].tolist(), strict=True) if number
    }


def positions(game, hunters, herd, n=2000):
    """Boards with all hunters and any number of the herd, in every phase, some near the bounds of turns."""
    luck = np.random.default_rng(n)
    states = game.init(n, 0)
    for i in range(n):
        places = luck.permutation(states.board.shape[1])
        states.board[i] = 0
        states.board[i, places[:hunters]] = 1
        states.board[i, places[hunters:][: luck.integers(1, herd + 1)]] = 2
        states.moving[i] = places[0] if luck.random() < 0.3 else -1
    states.to_move = np.where(states.moving >= 0, 0, luck.integers(2, size=n))
    states.hand = np.stack([np.zeros(n), luck.integers(2, size=n)], axis=1)
    states.phase = np.where(states.moving >= 0, 2, states.hand[np.arange(n), states.to_move] > 0)
    states.taken[:, 0] = luck.choice([0, game.options["goal"] - 1], size=n)
    states.quiet = luck.choice([3, game.options["quiet_turns"] - 1], size=n)
    states.turn = luck.choice([30, game.options["max_turns"] - 1], size=n, p=[0.9, 0.1])
    return states


DRAW, WINS = {(1, -2)}, {(1, 0), (1, 1)}
"""`ended` and `winner` as `play` leaves them."""


def ends(states):
    """The ends among these positions."""
    return set(zip(states.ended.tolist(), states.winner.tolist(), strict=True)) - {(0, -2)}


def compare(fast, plain, before):
    """These positions, and what both forms make of them, which must be the same."""
    choices = words(plain, before)
    assert np.array_equal(words(fast, before), choices)
    before = before[choices.any(axis=1)]
    actions = plain.sample(before, seed=1)
    assert np.array_equal(fast.sample(before, seed=1), actions)
    one, other = played(plain, before, actions), played(fast, before, actions)
    assert one.tobytes() == other.tobytes()
    return before, one

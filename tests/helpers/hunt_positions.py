"""Positions of hunts on any board of points."""

from itertools import pairwise

import numpy as np


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


DRAW, WINS = {(1, -1)}, {(1, 0), (1, 1)}
"""`ended` and `winner`."""


def ends(states):
    """The ends among these positions."""
    return set(zip(states.ended.tolist(), states.winner.tolist(), strict=True)) - {(0, -2)}


def won_by_player_1(game, code):
    """Whether player 1 wins with best play, after each first decision; turns must not matter.

    `code`: a number for each of many positions, the same only for those that differ in nothing but counts of turns.
    """
    frontier = game.init(1, 0)
    root = known = code(frontier)
    movers, winners, links = [frontier.to_move], [frontier.winner], []
    names = [root]
    while len(frontier):
        which, actions = np.nonzero(game.legal(frontier))
        before, after = code(frontier)[which], frontier[which]
        game.step(after, actions)
        for counter in {"turn", "quiet"} & set(game.dtype.names):
            after[counter] = 0
        links.append((before, code(after)))
        fresh, places = np.unique(code(after), return_index=True)
        places = places[np.isin(fresh, known, invert=True)]
        frontier = after[places]
        known = np.union1d(known, fresh)
        names.append(code(frontier))
        movers.append(frontier.to_move)
        winners.append(frontier.winner)
    # Positions in the order of their codes, with who moves and whether he has won.
    order = np.argsort(np.concatenate(names))
    movers, won = np.concatenate(movers)[order], np.concatenate(winners)[order] == 1
    starts, ends = (np.searchsorted(known, np.concatenate(side)) for side in zip(*links, strict=True))
    ways = np.bincount(starts, minlength=len(known))
    while True:
        good = np.bincount(starts, won[ends], minlength=len(known))
        found = won | np.where(movers == 1, good > 0, (movers == 0) & (good == ways))
        if np.array_equal(found, won):
            return won[ends[starts == np.searchsorted(known, root[0])]]
        won = found

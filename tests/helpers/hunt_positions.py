"""Positions of hunt games on any board of points."""

import numpy as np

from helpers.point_positions import board_of, ways_along


def hunt(game, hunters, herd, to_move=0, hand=(0, 0), **fields):
    """Load a position from the points of the hunters and the herd; `hand` is what each player still has to place."""
    board = board_of(*game.dtype["board"].shape, hunters, herd)
    return game.load(board=board, to_move=to_move, hand=list(hand), **{"phase": int(hand[to_move] > 0)} | fields)


def move(neighbours, *points):
    """Return the actions of the steps and captures that move a piece along these points."""
    return [len(neighbours) + 8 * start + way for start, way in ways_along(neighbours, *points)]


def positions(game, hunters, herd, n=2000):
    """Return random positions with all hunters and part of the herd, in every phase, some near the limits on turns."""
    rng = np.random.default_rng(n)
    states = game.init(n, 0)
    for i in range(n):
        places = rng.permutation(states.board.shape[1])
        states.board[i] = 0
        states.board[i, places[:hunters]] = 1
        states.board[i, places[hunters:][: rng.integers(1, herd + 1)]] = 2
        states.moving[i] = places[0] if rng.random() < 0.3 else -1
    states.to_move = np.where(states.moving >= 0, 0, rng.integers(2, size=n))
    states.hand = np.stack([np.zeros(n), rng.integers(2, size=n)], axis=1)
    states.phase = np.where(states.moving >= 0, 2, states.hand[np.arange(n), states.to_move] > 0)
    states.taken[:, 0] = rng.choice([0, game.options["goal"] - 1], size=n)
    states.quiet = rng.choice([3, game.options["quiet_turns"] - 1], size=n)
    states.turn = rng.choice([30, game.options["max_turns"] - 1], size=n, p=[0.9, 0.1])
    return states


DRAW, WINS = {(1, -1)}, {(1, 0), (1, 1)}
"""Values of (`ended`, `winner`)."""


def ends(states):
    """Return the values of (`ended`, `winner`) of the positions that are over."""
    return set(zip(states.ended.tolist(), states.winner.tolist(), strict=True)) - {(0, -2)}


def won_by_player_1(game, code):
    """Solve a game by retrograde analysis; return whether player 1 wins after each first decision.

    `code` maps positions to numbers that are equal only if the positions differ at most in counts of turns.
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
    # Positions in the order of their codes: the player to move, and whether player 1 has won.
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

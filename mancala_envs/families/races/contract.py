"""Rules that the rule book of a race gives by `RuleBook.family`, and that the rules of this family call.

`r` is a row of `s.pieces` and `k` a piece in it. For lanes, places and sets of places see `tracks.py`. Values are the
results of throws in the order of the game's page; in a set of values, bit i stands for the value of index i.
"""

import numpy as np

from mancala_envs.core.contract import num_actions
from mancala_envs.core.rule import rule


def _of_the_book(name):
    raise RuntimeError(f"a race must define the rule {name}")


# The board.


def tracks(s):
    """Return the `Tracks.tables` of the board."""
    _of_the_book("tracks")


@rule
def lane(s, r, k):
    """Return the lane of piece k of row r."""
    return r


@rule(inline=True)
def home(s):
    """Return the place of pieces that are home, L + 1."""
    cells, _, _, _ = tracks(s)
    return cells.shape[1] - 1


@rule(inline=True)
def cell(s, lane, place):
    """Return the cell of a place of a lane, NOWHERE for pieces that are waiting or home."""
    cells, _, _, _ = tracks(s)
    return cells[lane, place]


@rule(inline=True)
def safe(s, lane, place):
    """Return whether pieces on a place cannot be sent back."""
    _, marked, _, _ = tracks(s)
    return marked[lane, place]


@rule(inline=True)
def marks(s, lane):
    """Return the set of the marked places of a lane, as two words."""
    _, _, places, _ = tracks(s)
    return places[lane, 0], places[lane, 1]


@rule(inline=True)
def met(s, lane, other, place):
    """Return the places of `lane`, as two words, with the same cell as `place` of lane `other`."""
    _, _, _, meets = tracks(s)
    return meets[lane, other, place, 0], meets[lane, other, place, 1]


# The players.


@rule
def sides(s):
    """Return the number of sides. Player p and row p of the pieces belong to side p % sides."""
    return len(s.pieces)


@rule
def opposed(s, r, q):
    """Return whether rows r and q belong to different sides."""
    return r != q


# The turn.


def throw(s):
    """Throw for the player to move, again as long as throws grant another; store the throws to use in `s.throws`."""
    _of_the_book("throw")


@rule
def watched(s, track):
    """Return the places of a lane, as two words, whose pieces restrict the player to move; usually none."""
    return np.uint64(0), np.uint64(0)


def usable(s, k, there):
    """Return the set of values that piece k of the player to move could use, whether thrown or not.

    `there` is the result of `watched` for its lane.
    """
    _of_the_book("usable")


def go(s, k, value):
    """Move piece k of the player to move by the value of index `value`, and send back the pieces that it strikes."""
    _of_the_book("go")


def choices(s):
    """Return the uses of the remaining throws as bits of actions: `value * K + k`, and further ones of the game."""
    _of_the_book("choices")


@rule(inline=True)
def has_choice(s):
    """Return whether there are any `choices`."""
    return choices(s) != 0


@rule(inline=True)
def is_choice(s, action):
    """Return whether an action other than `stop` is one of `choices`."""
    return choices(s) >> np.uint64(action) & np.uint64(1) != 0


def carry_out(s, action):
    """Use a throw, by one of `choices`."""
    _of_the_book("carry_out")


@rule
def stop(s):
    """Return the action that ends a turn in which throws could still be used."""
    return num_actions(s) - 1


@rule
def may_stop(s):
    """Return whether the player may leave usable throws unused."""
    return s.use == 1

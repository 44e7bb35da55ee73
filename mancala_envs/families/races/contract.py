"""Rules of a race that this family calls, and that its rule book defines by `RuleBook.family`.

In the arguments `r` is a row of `s.pieces` and `k` a piece in that row. `tracks.py` explains lanes, places and sets of
places. A value is what a throw counts; values have indices in the order of the game's page, and in a set of values bit
i is the value of index i.
"""

import numpy as np

from mancala_envs.core.contract import num_actions
from mancala_envs.core.rule import rule


def _of_the_book(name):
    raise RuntimeError(f"a race must define the rule {name}")


# The board.


def tracks(s):
    """Return the tables of the board, see `Tracks.tables`."""
    _of_the_book("tracks")


@rule
def lane(s, r, k):
    """Return the lane of piece k of row r."""
    return r


@rule(inline=True)
def home(s):
    """Return the place of pieces that are home: L + 1."""
    cells, _, _, _ = tracks(s)
    return cells.shape[1] - 1


@rule(inline=True)
def cell(s, lane, place):
    """Return the cell of a place of a lane, NOWHERE for pieces that are waiting or home."""
    cells, _, _, _ = tracks(s)
    return cells[lane, place]


@rule(inline=True)
def is_safe(s, lane, place):
    """Return whether pieces on a place of a lane cannot be sent back."""
    _, marked, _, _ = tracks(s)
    return marked[lane, place]


@rule(inline=True)
def marked_places(s, lane):
    """Return the marked places of a lane as a set of two words."""
    _, _, places, _ = tracks(s)
    return places[lane, 0], places[lane, 1]


@rule(inline=True)
def meeting_places(s, lane, other, place):
    """Return the places of `lane` on the cell of `place` of the lane `other`, as a set of two words."""
    _, _, _, meets = tracks(s)
    return meets[lane, other, place, 0], meets[lane, other, place, 1]


# The players.


@rule
def sides(s):
    """Return the number of sides: players or teams. Player p and row p of `s.pieces` belong to side p % sides."""
    return len(s.pieces)


@rule
def are_opponents(s, r, q):
    """Return whether rows r and q belong to different sides."""
    return r != q


# The turn.


def throw(s):
    """Throw for the player to move, again as long as a throw grants another, and store the result in `s.throws`."""
    _of_the_book("throw")


@rule
def obstacles(s, track):
    """Return the places of the lane `track` that restrict the moves of the player to move, as a set of two words.

    Only the game's own `usable` reads this set. By default it is empty.
    """
    return np.uint64(0), np.uint64(0)


def usable(s, k, places):
    """Return the set of values that piece k of the player to move could use, whether thrown or not.

    `places` is the result of `obstacles` for the lane of the piece.
    """
    _of_the_book("usable")


def go(s, k, value):
    """Move piece k of the player to move by the value with index `value`, and send back the pieces that it strikes."""
    _of_the_book("go")


def choices(s):
    """Return the legal actions except `stop` as bits of a word: `value * K + k`, then those that only this game has."""
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
    """Carry out an action of `choices`."""
    _of_the_book("carry_out")


@rule
def stop(s):
    """Return the action that ends a turn although throws could still be used."""
    return num_actions(s) - 1


@rule
def may_stop(s):
    """Return whether the player may leave usable throws unused."""
    return s.use == 1

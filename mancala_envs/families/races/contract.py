"""What a race says of itself: the names by which the rules of this family call the book's own (`RuleBook.family`).

`r` is a row of `s.pieces`, `k` a piece of it; lanes, places and sets of places are those of `tracks.py`. Values are
what a throw may be; a set of values has bit i for the value of index i, by the page's list.
"""

import numpy as np

from mancala_envs.core.contract import num_actions
from mancala_envs.core.rule import rule


def _of_the_book(name):
    raise RuntimeError(f"{name} is a rule of every race")


# The board.


def tracks(s):
    """The `Tracks.tables` of the board."""
    _of_the_book("tracks")


@rule
def lane(s, r, k):
    """The track of piece k of row r."""
    return r


@rule(inline=True)
def home(s):
    """The place of pieces that are home, L + 1."""
    cells, _, _, _ = tracks(s)
    return cells.shape[1] - 1


@rule(inline=True)
def cell(s, lane, place):
    """The cell of a place of a lane, NOWHERE where pieces are waiting or home."""
    cells, _, _, _ = tracks(s)
    return cells[lane, place]


@rule(inline=True)
def safe(s, lane, place):
    """Whether nobody is sent back from there."""
    _, marked, _, _ = tracks(s)
    return marked[lane, place]


@rule(inline=True)
def marks(s, lane):
    """The set of the marked places of a lane, as two words."""
    _, _, places, _ = tracks(s)
    return places[lane, 0], places[lane, 1]


@rule(inline=True)
def met(s, lane, other, place):
    """The places of `lane`, as two words, that are the cell of a piece `place` far on lane `other`."""
    _, _, _, meets = tracks(s)
    return meets[lane, other, place, 0], meets[lane, other, place, 1]


# The players.


@rule
def sides(s):
    """How many sides play; player p, and row p of the pieces, are of side p % sides."""
    return len(s.pieces)


@rule
def opposed(s, r, q):
    """Whether rows r and q are of different sides."""
    return r != q


# The turn.


def throw(s):
    """Throw for the player to move, again as long as throws grant another; what he may use is in `s.throws` then."""
    _of_the_book("throw")


@rule
def watched(s, track):
    """The places of a lane, as two words, whose pieces keep the player to move from something; usually none."""
    return np.uint64(0), np.uint64(0)


def usable(s, k, there):
    """The set of values by which piece k of the player to move may go, whether thrown or not.

    `there`: what `watched` gives for its lane.
    """
    _of_the_book("usable")


def go(s, k, value):
    """Piece k of the player to move goes by the value of index `value`, and strikes where it comes to."""
    _of_the_book("go")


def choices(s):
    """The uses of the throws left, as the bits of their actions: `value * K + k`, and further ones of the game."""
    _of_the_book("choices")


@rule(inline=True)
def has_choice(s):
    """Whether there are any `choices`."""
    return choices(s) != 0


@rule(inline=True)
def is_choice(s, action):
    """Whether an action, not to stop, is one of `choices`."""
    return choices(s) >> np.uint64(action) & np.uint64(1) != 0


def carry_out(s, action):
    """Use a throw, by one of `choices`."""
    _of_the_book("carry_out")


@rule
def stop(s):
    """The action that ends a turn in which throws could be used."""
    return num_actions(s) - 1


@rule
def may_stop(s):
    """Whether the player may leave unused what he could use."""
    return s.use == 1

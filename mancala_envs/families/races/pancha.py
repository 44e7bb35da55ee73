"""Pancha races: two sides race from opposite ends of one board, by six cowries, and send each other back.

Sources: H. Parker, *Ancient Ceylon*, 1909, pp. 609-610 (Pancha Keliya); S. Culin, *Chess and Playing-Cards*, 1898,
p. 851 (Kawade Kelia); G. Marin, "An Ancestor of the Game of 'Ludo'", Man 42, 1942, pp. 114-117 (Pancha Keliya,
complex). A game adds its tracks, who enters by what, its options and its page.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.rule import Rule, rule
from mancala_envs.core.tale import Tells
from mancala_envs.families.races import contract, look, told, tracks, turn
from mancala_envs.families.races.contract import home, marks
from mancala_envs.families.races.look import check_race, check_sides, race_columns
from mancala_envs.families.races.tracks import WAITING, Table, Tracks
from mancala_envs.families.races.verbs import (
    MOST_THROWS,
    MOUTHS,
    SHELLS,
    arrive,
    beyond,
    in_both,
    in_either,
    met_on,
    no_places,
    one,
    put_down,
    row_of,
    throw_cowries,
)

VALUES = tuple(range(1, SHELLS + 1))
NAMES = tuple(map(str, VALUES))
PHASES = {0: "use a throw"}
SPECIAL, ANY = (np.int64(sum(1 << VALUES.index(value) for value in values)) for values in ((1, 5, 6), VALUES))
"""Sets of throws: those that admit or grant."""
THROWN = np.array([one(mouths - 1) if mouths else 0 for mouths in MOUTHS])
SETS = np.array([1 << mouths - 1 if mouths else 0 for mouths in MOUTHS])
"""`[throw]`: what is thrown, and the set of its value alone; no mouths are no throw."""

SIDES = 2
FIRST = APART = SHUT = 1
"""Of the options `enter`, `own` and `safe`."""

OPTIONS = (
    Option("enter", "count", choices=("count", "first")),
    Option("own", "together", choices=("together", "apart")),
    Option("safe", "shared", choices=("shared", "shut")),
    turn.USE,
)
ADMIT = Option("admit", "special", choices=("special", "any"))
AGAIN = Option("again", "special", choices=("special", "none"))
LEAVE = Option("leave", "exact", choices=("exact", "beyond"))


# What the games differ in.


@rule
def grants(s):
    """The throws that give another."""
    return SPECIAL


def reach(s, place):
    """The throws that take in a waiting piece, or on or home one that has come to `place`."""
    raise RuntimeError("reach is a rule of every Pancha race")


def reach_table(last: int, admit: Any, beyond: bool = False) -> Table:
    """`[place]`: `reach` where the throws of the set `admit` take in; `beyond`: home by any that is large enough."""
    table = tracks.reach(VALUES, last, admit)
    table[1:-1] |= ANY * beyond
    return table


# Throws and pieces.


@rule(inline=True)
def sides(s):
    return SIDES


@rule(inline=True)
def opposed(s, r, q):
    return (r ^ q) & 1 != 0


@rule(inline=True)
def lane(s, r, k):
    return r % SIDES


@rule(inline=True)
def num_actions(s):
    return len(VALUES) * s.pieces.shape[1] + 1


@rule
def begin(s):
    s.pieces[:] = WAITING
    turn.first_turn(s)


@rule(inline=True)
def throw(s):
    throws = np.int64(0)
    for _ in range(MOST_THROWS):
        shells = throw_cowries(s)
        throws += THROWN[shells]
        if SETS[shells] & grants(s) == 0:
            break
    put_down(s, throws)


@rule(inline=True)
def usable(s, k, barred):
    """The throws that take a piece in, on or home, but nowhere it is not allowed."""
    place = s.pieces[row_of(s, s.to_move), k]
    if s.own != APART and s.safe != SHUT:
        return reach(s, place)
    free = np.int64(~beyond(barred, place) & np.uint64(ANY))
    if s.enter == FIRST and place == WAITING:
        # Whatever admits it puts it on place 1.
        free = ANY * (free & 1)
    return reach(s, place) & free


@rule(inline=True)
def watched(s, track):
    """The places where the pieces of the player to move may not come to."""
    r = row_of(s, s.to_move)
    places = no_places()
    if s.own == APART:
        places = met_on(s, track, r, True)
    if s.safe == SHUT:
        places = in_either(places, in_both(met_on(s, track, r, False), marks(s, track)))
    return places


@rule(inline=True)
def go(s, k, value):
    place = s.pieces[row_of(s, s.to_move), k]
    on = 1 if place == WAITING and s.enter == FIRST else value + 1
    arrive(s, k, min(place + on, home(s)))


FAMILY: Mapping[Rule, Rule] = {
    contract.sides: sides,
    contract.opposed: opposed,
    contract.lane: lane,
    contract.throw: throw,
    contract.watched: watched,
    contract.usable: usable,
    contract.go: go,
    **turn.BY_THROWS,
}


# What players see, and what a position must be.


def observation(rows: int, pieces: int, last: int, players: int) -> list[Columns]:
    return race_columns(rows, pieces, last, NAMES, players, MOST_THROWS)


def actions(pieces: int) -> list[Actions]:
    return look.actions(NAMES, pieces)


def tells(last: int) -> Tells:
    """What is told of a step; see core.tale."""
    return told.race(throw, NAMES, last)


def drawn(s: Any, places: Mapping[int, tuple[float, float]], board: Tracks) -> Board:
    """The board with its squares at `places`."""
    standing = [[int(board.cells[r % SIDES, place]) for place in row] for r, row in enumerate(s.pieces)]
    return look.drawn(s, places, standing, board.marked, look.mouths(*VALUES), board.length, "side")


def check(s: Any, options: Any, given: frozenset[str], board: Tracks, grants: bool) -> None:
    """`grants`: whether 6, 5 and 1 give another throw."""
    check_race(s, given, board.length, MOST_THROWS if grants else 1)
    check_sides(s, SIDES, board.length)
    cells = [[int(board.cells[r % SIDES, place]) for place in row] for r, row in enumerate(s.pieces)]
    men = [[c for r in range(side, len(cells), SIDES) for c in cells[r] if c >= 0] for side in range(SIDES)]
    if options["own"] == "apart":
        for side in range(SIDES):
            require(len(set(men[side])) == len(men[side]), f"side {side} has two pieces on one square")
    if options["safe"] == "shut":
        shared = set(men[0]) & set(men[1]) & board.marked
        require(not shared, f"both sides stand on the marked squares {sorted(shared)}")


def most_decisions(options: Any) -> int:
    """Every throw is used once."""
    most: int = MOST_THROWS * options["max_turns"]
    return most

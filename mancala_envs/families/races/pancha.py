"""Pancha races: two sides race from opposite ends of a board, throw six cowries, and send each other's pieces back.

Sources: H. Parker, *Ancient Ceylon*, 1909, pp. 609-610 (Pancha Keliya); S. Culin, *Chess and Playing-Cards*, 1898,
p. 851 (Kawade Kelia); G. Marin, "An Ancestor of the Game of 'Ludo'", Man 42, 1942, pp. 114-117 (Pancha Keliya,
complex). Each game adds its tracks, its rule of entering, its options and its page.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board
from mancala_envs.core.explanation import Descriptions
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.rule import Rule, rule
from mancala_envs.families.races import contract, explanation, presentation, tracks, turn
from mancala_envs.families.races.contract import home, marked_places
from mancala_envs.families.races.presentation import Yard, check_race, check_sides, race_columns
from mancala_envs.families.races.tracks import WAITING, Table, Tracks
from mancala_envs.families.races.verbs import (
    MOST_THROWS,
    MOUTHS,
    SHELLS,
    arrive,
    beyond,
    intersection,
    no_places,
    occupied_places,
    one_throw,
    row_of,
    store_throws,
    throw_cowries,
    union,
)

VALUES = tuple(range(1, SHELLS + 1))
NAMES = tuple(map(str, VALUES))
SPECIAL, ANY = (np.int64(sum(1 << VALUES.index(value) for value in values)) for values in ((1, 5, 6), VALUES))
"""Sets of values that enter a piece or grant another throw: 1, 5 and 6, or all."""
THROWN = np.array([one_throw(mouths - 1) if mouths else 0 for mouths in MOUTHS])
SETS = np.array([1 << mouths - 1 if mouths else 0 for mouths in MOUTHS])
"""By throw: the throw as a sum of words of `one_throw`, and the set of its value. No mouth up counts as no throw."""

SIDES = turn.TEAMS
FIRST = APART = SHUT = 1
"""Values of the options `enter`, `own` and `safe`."""

OPTIONS = (
    Option("enter", "count", choices=("count", "first")),
    Option("own", "together", choices=("together", "apart")),
    Option("safe", "shared", choices=("shared", "shut")),
    turn.USE,
)
ADMIT = Option("admit", "special", choices=("special", "any"))
AGAIN = Option("again", "special", choices=("special", "none"))
LEAVE = Option("leave", "exact", choices=("exact", "beyond"))


# Rules of the individual games.


@rule
def grants(s):
    """Return the set of values that grant another throw."""
    return SPECIAL


@rule(inline=True)
def grants_by_option(s):
    """Return the set of values that grant another throw if the option `again` decides."""
    return 0 if s.again else SPECIAL


def reach(s, place):
    """Return the set of values that enter a waiting piece, or that move a piece on `place` along the track or home."""
    raise RuntimeError("a Pancha race must define the rule reach")


def reach_table(last: int, admit: Any, beyond: bool = False) -> Table:
    """Return a table of `reach` by place.

    Args:
        last: The last place on the track, L.
        admit: The set of values that enter a piece.
        beyond: Whether any sufficiently large value moves a piece home.
    """
    table = tracks.reach(VALUES, last, admit)
    table[1:-1] |= ANY * beyond
    return table


def reach_tables(last: int) -> Table:
    """Return `reach_table` by the options `admit` and `leave`, then by place."""
    return np.array([[reach_table(last, admit, beyond) for beyond in (False, True)] for admit in (SPECIAL, ANY)])


# Throws and moves.


@rule(inline=True)
def lane(s, r, k):
    """Return the lane of a row's pieces."""
    return r % SIDES


@rule(inline=True)
def throw(s):
    """Throw six cowries, again as long as a throw grants another."""
    throws = np.int64(0)
    for _ in range(MOST_THROWS):
        shells = throw_cowries(s)
        throws += THROWN[shells]
        if SETS[shells] & grants(s) == 0:
            break
    store_throws(s, throws)


@rule(inline=True)
def usable(s, k, barred):
    """Return the set of values that piece k can use without ending on a barred place."""
    place = s.pieces[row_of(s, s.to_move), k]
    if s.own != APART and s.safe != SHUT:
        return reach(s, place)
    free = np.int64(~beyond(barred, place) & np.uint64(ANY))
    if s.enter == FIRST and place == WAITING:
        # Every value that enters a piece puts it on place 1.
        free = ANY * (free & 1)
    return reach(s, place) & free


@rule(inline=True)
def obstacles(s, track):
    """Return the places of a lane where pieces of the player to move cannot end."""
    r = row_of(s, s.to_move)
    places = no_places()
    if s.own == APART:
        places = occupied_places(s, track, r, True)
    if s.safe == SHUT:
        places = union(places, intersection(occupied_places(s, track, r, False), marked_places(s, track)))
    return places


@rule(inline=True)
def go(s, k, value):
    """Move piece k by the value with index `value`; with `enter="first"` a waiting piece enters on place 1."""
    place = s.pieces[row_of(s, s.to_move), k]
    on = 1 if place == WAITING and s.enter == FIRST else value + 1
    arrive(s, k, min(place + on, home(s)))


FAMILY: Mapping[Rule, Rule] = {
    contract.sides: turn.two_sides,
    contract.are_opponents: turn.are_opponents_in_teams,
    contract.lane: lane,
    contract.throw: throw,
    contract.obstacles: obstacles,
    contract.usable: usable,
    contract.go: go,
    **turn.BY_THROWS,
}


# Observations, actions and checks of positions.


def observation(rows: int, pieces: int, last: int, players: int) -> list[Columns]:
    """Return the columns of the observation, see `presentation.race_columns`."""
    return race_columns(rows, pieces, last, NAMES, players, MOST_THROWS)


def actions(pieces: int) -> list[Actions]:
    """Return the actions, by kind, for a number of pieces in a row."""
    return presentation.actions(NAMES, pieces)


def descriptions(last: int) -> Descriptions:
    """Return the descriptions of the game's verbs; `last` is the last place on the track."""
    return explanation.race(throw, NAMES, last)


def draw_board(s: Any, drawing: str, board: Tracks, yards: Sequence[Yard]) -> Board:
    """Draw a board with its squares where their numbers are in `drawing`, and the yard of each row at `yards`."""
    places = presentation.places_of(drawing)
    shown = presentation.mouths(*VALUES)
    return presentation.draw_race(s, places, cells_of(s, board), board.marked, shown, board.length, yards, "side")


def cells_of(s: Any, board: Tracks) -> list[list[int]]:
    """Return the cells of the pieces, by row."""
    return [[int(board.cells[r % SIDES, place]) for place in row] for r, row in enumerate(s.pieces)]


def check(s: Any, options: Any, given: frozenset[str], board: Tracks, grants: bool) -> None:
    """Check a position.

    Args:
        s: The record of the game.
        options: The game's options.
        given: The names of the given fields.
        board: The game's tracks.
        grants: Whether 1, 5 and 6 grant another throw.

    Raises:
        ValueError: If a check fails.
    """
    check_race(s, given, board.length, MOST_THROWS if grants else 1)
    check_sides(s, SIDES, board.length)
    cells = cells_of(s, board)
    men = [[c for r in range(side, len(cells), SIDES) for c in cells[r] if c >= 0] for side in range(SIDES)]
    if options["own"] == "apart":
        for side in range(SIDES):
            require(len(set(men[side])) == len(men[side]), f"side {side} has two pieces on one square")
    if options["safe"] == "shut":
        shared = set(men[0]) & set(men[1]) & board.marked
        require(not shared, f"both sides stand on the marked squares {sorted(shared)}")


def most_decisions(options: Any) -> int:
    """Return an upper bound of the number of decisions of a game: every throw is used once."""
    most: int = MOST_THROWS * options["max_turns"]
    return most

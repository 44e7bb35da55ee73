"""Cross-shaped boards with four arms of three rows each.

A lane leads down the middle row of its arm, once round the board, and back up the middle row.

Source: H. Parker, *Ancient Ceylon*, 1909, pp. 611-621. Each game adds its throws, its options and its page.
"""

from collections.abc import Sequence
from typing import Any

from mancala_envs.core.board import Board, Throw
from mancala_envs.core.rule import rule
from mancala_envs.families.races import presentation
from mancala_envs.families.races.presentation import Yard
from mancala_envs.families.races.tracks import Tracks
from mancala_envs.families.races.turn import TEAMS, are_opponents_in_teams
from mancala_envs.families.races.verbs import occupied_places, row_of

ARMS = 4


class Cross:
    """A cross-shaped board.

    Attributes:
        arm: The number of cells from the centre to the end of an arm.
        places: Row and column of every cell, by number.
        tracks: The lanes of the four arms.
        yards: The yard of each arm, in the empty corner that follows it clockwise.
    """

    def __init__(self, arm: int, corners: bool, marked: frozenset[int] = frozenset()) -> None:
        """Lay out a cross.

        Args:
            arm: The number of cells from the centre to the end of an arm.
            corners: Whether there is a cell in every angle between two arms.
            marked: The marked cells.
        """
        self.arm = arm
        size, middle = 2 * arm + 3, arm + 1
        centre = range(arm, arm + 3)
        self.places = tuple(
            (row, column)
            for row in range(size)
            for column in range(size)
            if (row in centre) != (column in centre) or (corners and {row, column} <= {arm - 1, arm + 3})
        )
        numbers = {place: number for number, place in enumerate(self.places)}
        down = [(row, middle) for row in range(arm + 3, size)]
        # A quarter of the way round: up the right side of the south arm and along the lower side of the east arm.
        side = [(row, middle + 1) for row in range(size - 1, arm + 2, -1)]
        angle = [(arm + 3, arm + 3)] if corners else []
        side += [*angle, *((middle + 1, column) for column in range(arm + 3, size)), (middle, size - 1)]
        ring = [rotated(place, quarters, size) for quarters in range(ARMS) for place in side][:-1]
        south = [*down, *ring, *down[::-1]]
        lanes = [[numbers[rotated(place, arm, size)] for place in south] for arm in range(ARMS)]
        self.tracks = Tracks(tuple(map(tuple, lanes)), marked)
        left, upper, right, lower = 0.0, 0.0, arm + 3.0, size - 1 - presentation.YARD_LINES[-1]
        corners_of_arms = ((left, lower), (right, lower), (right, upper), (left, upper))
        self.yards = tuple(Yard(x, y) for x, y in corners_of_arms)

    @property
    def drawing(self) -> str:
        """The numbers of the cells, with stars at marked ones, and the way of a piece, for the page of a game."""
        arm, last = self.arm, self.tracks.length
        cells = {
            place: f"{number:2}{'*' if number in self.tracks.marked else ''}"
            for number, place in enumerate(self.places)
        }
        rows = [[cells.get((row, column), "") for column in range(2 * arm + 3)] for row in range(2 * arm + 3)]
        drawn = "\n".join("".join(f"{cell:4}" for cell in row).rstrip() for row in rows)
        return f"""
```
{drawn}
```
Arms 0 to 3 are south, east, north and west; player p sits at arm p. A piece goes from the centre down the middle row of
its arm (positions 1 to {arm}; {arm} is the end cell), anticlockwise round the outside ({arm + 1} to {last - arm}), \
over the end cell again ({last - arm + 1})
and up the middle row, and is home at {last + 1}. Turns pass to the right: south, east, north, west."""


def rotated(place: tuple[int, int], quarters: int, size: int) -> tuple[int, int]:
    """Rotate a place by quarter turns, each of which maps the south to the east."""
    row, column = place
    for _ in range(quarters):
        row, column = size - 1 - column, row
    return row, column


CHIRA = frozenset({9, 11, 13, 27, 36, 44, 51, 59, 68, 82, 84, 86})
"""The marked cells of Sokkattan."""
LARGE, SMALL = Cross(8, False), Cross(4, True, frozenset({9, 13, 38, 42}))
MARKED_LARGE = Cross(8, False, CHIRA)
"""The board of Sokkattan."""
SMALL_END = 4
"""The place of the end cell of an arm of the small cross, on the way out."""
LAST, SMALL_LAST = LARGE.tracks.length, SMALL.tracks.length

CELLS, SAFE, MARKS, MEETS = LARGE.tracks.tables


# Players and lanes.


@rule(inline=True)
def tracks(s):
    """Return the tables of the large cross without marks."""
    return CELLS, SAFE, MARKS, MEETS


@rule(inline=True)
def sides_by_option(s):
    """Return the number of sides if the option `teams` decides."""
    return TEAMS if s.teams else len(s.pieces)


@rule(inline=True)
def are_opponents_by_option(s, r, q):
    """Return whether two rows are opponents if the option `teams` decides."""
    return are_opponents_in_teams(s, r, q) if s.teams else r != q


@rule(inline=True)
def partner_of(p):
    """Return the partner of player p."""
    return (p + 2) % ARMS


@rule(inline=True)
def opponents(s, track):
    """Return the opponents' places: the rule `obstacles` of games in which a piece cannot pass opponents."""
    return occupied_places(s, track, row_of(s, s.to_move), False)


def draw_cross(
    s: Any,
    cross: Cross,
    values: Sequence[Throw],
    side: str,
    notes: Sequence[str] = (),
    lanes: Sequence[Sequence[int]] = (),
) -> Board:
    """Draw a cross.

    Args:
        s: The record of the game.
        cross: The board.
        values: A throw of each value.
        side: The word for a side in the heading, such as "player" or "team".
        notes: Further captions.
        lanes: The arm of every piece, by row; by default the number of the row.
    """
    cells, tracks = cross.tracks.cells, cross.tracks
    lanes = lanes or [[r] * len(row) for r, row in enumerate(s.pieces)]
    standing = [
        [int(cells[arm, place]) for arm, place in zip(arms, row, strict=True)]
        for arms, row in zip(lanes, s.pieces, strict=True)
    ]
    places = {number: (float(column), float(row)) for number, (row, column) in enumerate(cross.places)}
    yards = [cross.yards[arms[0]] for arms in lanes]
    return presentation.draw_race(s, places, standing, tracks.marked, values, tracks.length, yards, side, notes)

"""Boards of points joined by lines, and tables for rules: neighbours and rows of three.

Directions are indices into `DIRECTIONS`.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.int64]

NOWHERE = -1
DIRECTIONS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The change of row and column of a step, by direction."""


@dataclass(frozen=True, eq=False)
class PointBoard:
    """Points and the lines that join them.

    Attributes:
        places: Row and column of every point; the index is the number of the point.
        lines: The points of every line, in order. Adjacent points on a line are neighbours.
    """

    places: tuple[tuple[int, int], ...]
    lines: tuple[tuple[int, ...], ...]

    @cached_property
    def neighbours(self) -> Table:
        """The neighbour of each point in each direction, by `[point, direction]`; NOWHERE if there is none.

        A point is on at most one line per direction, so a jump, which is two steps in one direction, stays on one line.

        Raises:
            ValueError: If a line is not straight, or two lines leave a point in the same direction.
        """
        table = np.full((len(self.places), len(DIRECTIONS)), NOWHERE)
        for line in self.lines:
            ways = {self.direction(point, after) for point, after in pairwise(line)}
            if len(ways) != 1:
                raise ValueError(f"the line {line} turns")
            (way,) = ways
            for point, after in pairwise(line):
                for start, direction, end in ((point, way, after), (after, (way + 4) % 8, point)):
                    if table[start, direction] != NOWHERE:
                        raise ValueError(f"two lines lead {DIRECTIONS[direction]} from point {start}")
                    table[start, direction] = end
        return table

    @cached_property
    def rows(self) -> Table:
        """The two other points of each row of three through a point, by `[point, row]`.

        Three adjacent points on a line form a row. Points in fewer rows are padded with their last row.

        Raises:
            ValueError: If a point is in no row.
        """
        threes = [line[first : first + 3] for line in self.lines for first in range(len(line) - 2)]
        others = [
            [[other for other in row if other != point] for row in threes if point in row]
            for point in range(len(self.places))
        ]
        if not all(others):
            raise ValueError(f"points {[point for point, rows in enumerate(others) if not rows]} are in no row")
        most = max(map(len, others))
        return np.array([rows + rows[-1:] * (most - len(rows)) for rows in others])

    def direction(self, point: int, other: int) -> int:
        """Return the direction from `point` to `other`."""
        (row, column), (other_row, other_column) = self.places[point], self.places[other]
        return STEPS.index((_sign(other_row - row), _sign(other_column - column)))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def points_of(drawing: str) -> tuple[tuple[int, int], ...]:
    """Return the places of the points in a drawing, row by row: every character that is not a space."""
    lines = drawing.strip("\n").splitlines()
    return tuple((row, column) for row, line in enumerate(lines) for column, mark in enumerate(line) if mark != " ")


def lines_of(text: str) -> tuple[tuple[int, ...], ...]:
    """Parse lines: the numbers of their points, with commas between lines."""
    return tuple(tuple(map(int, line.split())) for line in text.split(","))


def white_squares(size: int) -> PointBoard:
    """Return a board of the squares of a size x size board that have the colour of the upper left one.

    Diagonals join the squares.
    """
    places = tuple((row, column) for row in range(size) for column in range(row % 2, size, 2))
    down = [[p for p, (row, column) in enumerate(places) if row - column == d] for d in range(-size, size)]
    up = [[p for p, (row, column) in enumerate(places) if row + column == d] for d in range(2 * size)]
    return PointBoard(places, tuple(tuple(line) for line in down + up if len(line) > 1))


def stack(tables: list[Table]) -> Table:
    """Stack the same table of several boards; shorter tables are padded with their last row."""
    most = max(table.shape[1] for table in tables)
    padded = [np.concatenate([table, *[table[:, -1:]] * (most - table.shape[1])], axis=1) for table in tables]
    return np.stack(padded)

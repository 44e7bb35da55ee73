"""Boards of points joined by lines: who is whose neighbour, and which points make rows of three, all from the lines.

Rules read the tables made here, which tell the directions by their numbers in `DIRECTIONS`.
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
"""By direction: rows down and columns to the right."""


@dataclass(frozen=True, eq=False)
class PointBoard:
    """Points, numbered by their order in `places`, and the lines that join them."""

    places: tuple[tuple[int, int], ...]
    """Row and column of every point on the drawing."""
    lines: tuple[tuple[int, ...], ...]
    """The points of every line, in order: those next to each other on a line are neighbours."""

    @cached_property
    def neighbours(self) -> Table:
        """`[point, direction]`: the neighbour that way, NOWHERE where there is none.

        A point lies on at most one line of each direction, so that two steps one way stay on one line: a jump.
        ValueError where a line turns or two lines leave a point in one direction.
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
        """`[point, row]`: the two other points of each row of three with the point, its last row again and again.

        Three neighbours on a line are a row. ValueError where a point is in none.
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
        """The number of the direction in which `other` lies, as seen from `point`."""
        (row, column), (other_row, other_column) = self.places[point], self.places[other]
        return STEPS.index((_sign(other_row - row), _sign(other_column - column)))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def points_of(drawing: str) -> tuple[tuple[int, int], ...]:
    """The places of all points of a drawing, row by row: wherever a line of it has something else than a space."""
    lines = drawing.strip("\n").splitlines()
    return tuple((row, column) for row, line in enumerate(lines) for column, mark in enumerate(line) if mark != " ")


def lines_of(text: str) -> tuple[tuple[int, ...], ...]:
    """Lines as text: the numbers of their points, with commas between lines."""
    return tuple(tuple(map(int, line.split())) for line in text.split(","))


def white_squares(size: int) -> PointBoard:
    """The squares of one colour, from the upper left one on, of a board of size x size, joined aslant."""
    places = tuple((row, column) for row in range(size) for column in range(row % 2, size, 2))
    down = [[p for p, (row, column) in enumerate(places) if row - column == d] for d in range(-size, size)]
    up = [[p for p, (row, column) in enumerate(places) if row + column == d] for d in range(2 * size)]
    return PointBoard(places, tuple(tuple(line) for line in down + up if len(line) > 1))


def stack(tables: list[Table]) -> Table:
    """The same table of several boards as one, by the number of the board; last rows again where others have more."""
    most = max(table.shape[1] for table in tables)
    padded = [np.concatenate([table, *[table[:, -1:]] * (most - table.shape[1])], axis=1) for table in tables]
    return np.stack(padded)

"""Symmetries of boards of holes."""

import numpy as np
import numpy.typing as npt

from mancala_envs.core.symmetry import SQUARE, Turned

STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}


def mirror(width: int) -> Turned:
    """Two rows of `width` holes, left for right and anticlockwise for clockwise."""
    holes = [hole // width * width + width - 1 - hole % width for hole in range(2 * width)]
    return Turned(holes, {"anticlockwise": "clockwise", "clockwise": "anticlockwise"})


def laid(rows: int, columns: int, way: npt.NDArray[np.int64]) -> Turned:
    """A grid laid on itself: holes by their distance from the middle, steps by their direction."""
    middle = np.array([rows - 1, columns - 1]) / 2
    places = [way @ (np.array(divmod(hole, columns)) - middle) + middle for hole in range(rows * columns)]
    names = {step: name for name, step in STEPS.items()}
    directions = {name: names[tuple((way @ step).tolist())] for name, step in STEPS.items()}
    return Turned([round(row * columns + column) for row, column in places], directions)


def grid_symmetries(rows: int, columns: int) -> list[Turned]:
    """All ways to lay a grid on itself but the one that changes nothing."""
    ways = [way for way in SQUARE if rows == columns or way[0, 1] == 0]
    return [laid(rows, columns, way) for way in ways[1:]]

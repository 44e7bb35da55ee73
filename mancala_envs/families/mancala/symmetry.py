"""Symmetries of boards of holes."""

import numpy as np
import numpy.typing as npt

from mancala_envs.core.symmetry import SQUARE, BoardMap

STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}


def mirror(width: int) -> BoardMap:
    """Return the mirror image of two rows of `width` holes, which exchanges the directions of sowing."""
    holes = [hole // width * width + width - 1 - hole % width for hole in range(2 * width)]
    return BoardMap(holes, {"anticlockwise": "clockwise", "clockwise": "anticlockwise"})


def laid(rows: int, columns: int, way: npt.NDArray[np.int64]) -> BoardMap:
    """Return the symmetry of a grid that the matrix `way` describes, for holes and directions of steps."""
    middle = np.array([rows - 1, columns - 1]) / 2
    places = [way @ (np.array(divmod(hole, columns)) - middle) + middle for hole in range(rows * columns)]
    names = {step: name for name, step in STEPS.items()}
    directions = {name: names[tuple((way @ step).tolist())] for name, step in STEPS.items()}
    return BoardMap([round(row * columns + column) for row, column in places], directions)


def grid_symmetries(rows: int, columns: int) -> list[BoardMap]:
    """Return all symmetries of a grid except the identity."""
    ways = [way for way in SQUARE if rows == columns or way[0, 1] == 0]
    return [laid(rows, columns, way) for way in ways[1:]]

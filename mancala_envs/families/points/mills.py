"""The board of the mill games: three nested squares, with or without lines that join their corners.

Source: H. Parker, *Ancient Ceylon*, 1909, p. 577; L. Ludovisi, *The sports and games of the Singhalese*, 1873, p. 34.
"""

from mancala_envs.families.points.board import PointBoard, lines_of, points_of, stack

PLACES = points_of("""
*  *  *
 * * *
  ***
*** ***
  ***
 * * *
*  *  *
""")
LINES = lines_of(
    "0 1 2, 3 4 5, 6 7 8, 9 10 11, 12 13 14, 15 16 17, 18 19 20, 21 22 23,"
    "0 9 21, 3 10 18, 6 11 15, 1 4 7, 16 19 22, 8 12 17, 5 13 20, 2 14 23"
)
CORNER_LINES = lines_of("0 3 6, 2 5 8, 21 18 15, 23 20 17")

BOARDS = (PointBoard(PLACES, LINES), PointBoard(PLACES, LINES + CORNER_LINES))
"""Indexed by the option `corners`."""
POINTS = len(PLACES)

NEIGHBOURS = stack([board.neighbours for board in BOARDS])
"""By `[corners, point, direction]`; see `PointBoard.neighbours`."""
ROWS = stack([board.rows for board in BOARDS])
"""By `[corners, point, row]`; see `PointBoard.rows`."""

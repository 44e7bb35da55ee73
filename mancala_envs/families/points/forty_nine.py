"""The board of 49 points: a square of five lines each way with a triangle at the middle of each side.

Source: H. Parker, *Ancient Ceylon*, 1909, p. 581.
"""

from collections.abc import Sequence

from mancala_envs.families.points.board import PointBoard, lines_of, points_of

DRAWING = r"""
             0 --------- 1 --------- 2
                \        |        /
                   3 --- 4 --- 5
                      \  |  /
 6           7 --- 8 --- 9 --- 10 -- 11          12
 |  \        |  \  |  /  |  \  |  /  |        /  |
 |     13    14 -- 15 -- 16 -- 17 -- 18    19    |
 |     |  \  |  /  |  \  |  /  |  \  |  /  |     |
 20 -- 21 -- 22 -- 23 -- 24 -- 25 -- 26 -- 27 -- 28
 |     |  /  |  \  |  /  |  \  |  /  |  \  |     |
 |     29    30 -- 31 -- 32 -- 33 -- 34    35    |
 |  /        |  /  |  \  |  /  |  \  |        \  |
 36          37 -- 38 -- 39 -- 40 -- 41          42
                      /  |  \
                   43 -- 44 -- 45
                /        |        \
             46 -------- 47 -------- 48
"""

PLACES = points_of("""
  * * *
   ***
* ***** *
 *******
*********
 *******
* ***** *
   ***
  * * *
""")
LINES = lines_of(
    "0 1 2, 3 4 5, 7 8 9 10 11, 14 15 16 17 18, 20 21 22 23 24 25 26 27 28, 30 31 32 33 34, 37 38 39 40 41, 43 44 45,"
    "46 47 48,"
    "6 20 36, 13 21 29, 7 14 22 30 37, 8 15 23 31 38, 1 4 9 16 24 32 39 44 47, 10 17 25 33 40, 11 18 26 34 41,"
    "19 27 35, 12 28 42,"
    "0 3 9 17 26 35 42, 7 15 24 33 41, 6 13 22 31 39 45 48,"
    "2 5 9 15 22 29 36, 11 17 24 31 37, 12 19 26 33 39 43 46"
)
BOARD = PointBoard(PLACES, LINES)
POINTS = len(PLACES)
NEIGHBOURS = BOARD.neighbours


def with_board(text: str | None, set_up: Sequence[int] = ()) -> str | None:
    """Return the page of a game with a drawing of the board in place of `{board}`.

    Args:
        text: The page.
        set_up: Codes of all points, which are drawn beside the board.
    """
    lines = DRAWING.strip("\n").splitlines()
    for (row, column), code in zip(PLACES, set_up, strict=False):
        lines[row + 1] = f"{lines[row + 1]:{58 + 3 * column}}{'.12'[code]}"
    return text and text.replace("{board}", "\n".join(lines))

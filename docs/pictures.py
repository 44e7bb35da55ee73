"""Draws the pictures that README shows, into `docs/pictures`.

    python docs/pictures.py

A game of Qelat between two greedy players, sown seed by seed, and one position of each kind of game.
"""

import os
import sys
from itertools import islice
from pathlib import Path

HERE = Path(__file__).parent
os.environ["NUMBA_DISABLE_JIT"] = "1"
sys.path[:0] = [str(HERE), str(HERE.parent)]

import game_pages  # noqa: E402
from PIL import Image  # noqa: E402

from mancala_envs import make_game  # noqa: E402
from mancala_envs.agents import act  # noqa: E402
from mancala_envs.core.board import Board  # noqa: E402
from mancala_envs.play.sowing import sown  # noqa: E402
from mancala_envs.render import draw_picture  # noqa: E402

DECISIONS = 16
"""Of the game that is shown, from its beginning."""
WIDTH = 640
SEED, PAUSE = 120, 1000
"""Milliseconds between two seeds, and after a decision."""
COLOURS = 128

SHOWN = {"zigulzoqge": 120, "diviyan_keliya": 44, "sokkattan": 120}
"""One game of each kind, and after how many random decisions."""


def game_of_qelat() -> list[tuple[Board, int]]:
    """Boards, and how long each is shown."""
    game = make_game("qelat")
    states = game.init(1, seed=5)
    shown = [(game.board(states), PAUSE)]
    for _ in range(DECISIONS):
        (action,) = act(game, states, "greedy", seed=1)
        shown += [(board, SEED) for board in sown(game, states, int(action))]
        game.step(states, [action])
        shown.append((game.board(states), PAUSE))
    return shown


def small(board: Board) -> Image.Image:
    """The picture, `WIDTH` wide."""
    image = Image.fromarray(draw_picture(board))
    return image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)


def save_film(path: Path, shown: list[tuple[Board, int]]) -> None:
    """An animated GIF whose pictures share their colours."""
    pictures = [small(board) for board, _ in shown]
    colours = pictures[len(pictures) // 2].quantize(COLOURS)
    first, *others = (picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in pictures)
    durations = [duration for _, duration in shown]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0, optimize=True)


def main() -> None:
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    save_film(folder / "qelat.gif", game_of_qelat())
    for name, decisions in SHOWN.items():
        game = make_game(name)
        state, _ = next(islice(game_pages.random_games(game), decisions, None))
        small(game.board(state)).save(folder / f"{name}.webp", quality=game_pages.QUALITY)


if __name__ == "__main__":
    main()

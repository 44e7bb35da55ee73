"""Draw the pictures of the README and the diagrams of the guides into `docs/pictures`.

    python docs/pictures.py

The pictures are a film of a game of Qelat between two greedy players, seed by seed, and one position of each kind of
game. The diagrams are those of `diagrams.py`.
"""

import os
import sys
from itertools import islice
from pathlib import Path

HERE = Path(__file__).parent
os.environ["NUMBA_DISABLE_JIT"] = "1"
sys.path[:0] = [str(HERE), str(HERE.parent)]

import diagrams  # noqa: E402
import game_pages  # noqa: E402
from PIL import Image  # noqa: E402

from mancala_envs import make_game  # noqa: E402
from mancala_envs.agents import Agent  # noqa: E402
from mancala_envs.core.board import Board  # noqa: E402
from mancala_envs.play.sowing import sowing_frames  # noqa: E402
from mancala_envs.render import draw_picture  # noqa: E402

DECISIONS = 16
"""Decisions of the film, from the start of the game."""
WIDTH = 640
"""Width of every picture in pixels."""
SEED_MS, PAUSE_MS = 120, 1000
"""Time that the film shows a seed, and the board after a decision, in milliseconds."""
COLOURS = 128

POSITIONS = {"zigulzoqge": 120, "diviyan_keliya": 44, "sokkattan": 120}
"""One game of each kind, and the number of random decisions before its picture."""


def game_of_qelat() -> list[tuple[Board, int]]:
    """Return the boards of the film, each with its duration in milliseconds."""
    game = make_game("qelat")
    states = game.init(1, seed=5)
    frames = [(game.board(states), PAUSE_MS)]
    for _ in range(DECISIONS):
        (action,) = Agent(game, "greedy").act(states, seed=1)
        frames += [(board, SEED_MS) for board in sowing_frames(game, states, int(action))]
        game.step(states, [action])
        frames.append((game.board(states), PAUSE_MS))
    return frames


def small(board: Board) -> Image.Image:
    """Return a picture of the board, `WIDTH` pixels wide."""
    image = Image.fromarray(draw_picture(board))
    return image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)


def save_film(path: Path, frames: list[tuple[Board, int]]) -> None:
    """Save boards and their durations as an animated GIF; all frames share one palette."""
    pictures = [small(board) for board, _ in frames]
    colours = pictures[len(pictures) // 2].quantize(COLOURS)
    first, *others = (picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in pictures)
    durations = [duration for _, duration in frames]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0, optimize=True)


def main() -> None:
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    save_film(folder / "qelat.gif", game_of_qelat())
    for name, decisions in POSITIONS.items():
        game = make_game(name)
        state, _ = next(islice(game_pages.random_games(game), decisions, None))
        small(game.board(state)).save(folder / f"{name}.webp", quality=game_pages.QUALITY)
    diagrams.episode().save(folder / "episode.webp", lossless=True)
    diagrams.observation().save(folder / "observation.webp", quality=game_pages.QUALITY)


if __name__ == "__main__":
    main()

"""Replay recorded episodes: check that they match the recording, and draw them."""

import sys
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from mancala_envs.core.board import Board, with_last_moves
from mancala_envs.render import FPS, Film, draw_film, draw_picture, draw_text
from mancala_envs.wrappers import Recording

FINAL_HOLD = 8
"""How long the last frame of a GIF stays, in frames."""


def save_gif(path: Path, episode: list[Board]) -> None:
    """Save the boards of an episode as an animated GIF."""
    first, *others = (Image.fromarray(draw_picture(board)) for board in episode)
    durations = [1000 // FPS] * len(others) + [FINAL_HOLD * 1000 // FPS]
    first.save(path, "GIF", save_all=True, append_images=others, duration=durations, loop=0)


def save_pictures(folder: Path, number: int, episode: list[Board]) -> None:
    """Save every board of episode `number` as a PNG file in `folder`, which is created if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    for decision, board in enumerate(episode):
        Image.fromarray(draw_picture(board)).save(folder / f"episode_{number}_{decision:04}.png")


def replay_all(
    lines: Mapping[int, str],
    text: bool = False,
    gif: Path | None = None,
    png: Path | None = None,
    html: Path | None = None,
) -> list[int]:
    """Replay episodes, and print one line for each and for each file written.

    Args:
        lines: lines of a recorder's file by episode number.
        text: whether to print every position as text.
        gif: file for an animation of the last episode.
        png: folder for a picture of every position.
        html: file for a page that shows all episodes in a browser.

    Returns:
        The numbers of the episodes that cannot be replayed or do not match the recording.
    """
    failed, films = [], list[Film]()
    for number, line in lines.items():
        try:
            film = Recording.from_json(line).film()
        except ValueError as error:
            print(f"episode {number} is not as recorded: {error}", file=sys.stderr)
            failed.append(number)
            continue
        films.append(film)
        episode = with_last_moves(film.boards)
        if text:
            print("\n\n".join(map(draw_text, episode)), end="\n\n")
        print(f"episode {number}: {film.title}, {len(episode) - 1} decisions, {film.result or episode[-1].heading}")
        if gif:
            save_gif(gif, episode)
            print(f"wrote {gif}")
        if png:
            save_pictures(png, number, episode)
            print(f"wrote {len(episode)} pictures to {png}")
    if html and films:
        html.write_text(draw_film(films), "utf-8")
        print(f"wrote {html}")
    return failed

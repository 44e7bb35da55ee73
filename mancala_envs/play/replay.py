"""Replays recorded episodes, to see that they come out as recorded, and draws them.

    python scripts/replay.py games.jsonl                # one line an episode; fails at the end if one differs
    python scripts/replay.py games.jsonl --text         # every position as text
    python scripts/replay.py games.jsonl --episode 2 --gif game.gif
    python scripts/replay.py games.jsonl --png pictures/
    python scripts/replay.py games.jsonl --html games.html  # all in one page, to step through in any browser

`mancala_envs.wrappers` has the recorders, RecordEpisodes and RecordSoloEpisodes.
"""

import argparse
import json
import sys
from pathlib import Path

from PIL import Image

from mancala_envs.core.board import Board, with_last_moves
from mancala_envs.render import FPS, Film, draw_film, draw_picture, draw_text
from mancala_envs.wrappers import Recording

HOLD = 8
"""How many times as long the last picture of a film stays."""


def save_film(path: Path, episode: list[Board]) -> None:
    """An animated GIF."""
    first, *others = (Image.fromarray(draw_picture(board)) for board in episode)
    durations = [1000 // FPS] * len(others) + [HOLD * 1000 // FPS]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0)


def save_pictures(folder: Path, number: int, episode: list[Board]) -> None:
    """One PNG a position."""
    folder.mkdir(parents=True, exist_ok=True)
    for decision, board in enumerate(episode):
        Image.fromarray(draw_picture(board)).save(folder / f"episode_{number}_{decision:04}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="JSON lines of a recorder")
    parser.add_argument("--episode", type=int, help="only this line, the first is 1")
    parser.add_argument("--text", action="store_true", help="print every position")
    parser.add_argument("--gif", type=Path, metavar="FILE", help="draw a film; needs --episode if there are several")
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="draw every position")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page that shows them in any browser")
    args = parser.parse_args()
    try:
        lines = dict(enumerate(args.file.read_text().splitlines(), 1))
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"{args.file} cannot be read: {error}")
    if args.episode is not None:
        if args.episode not in lines:
            parser.error(f"--episode must be 1..{len(lines)}, got {args.episode}")
        lines = {args.episode: lines[args.episode]}
    if args.gif and len(lines) != 1:
        parser.error(f"--gif draws one episode: choose one of {len(lines)} by --episode")
    different, films = [], list[Film]()
    for number, text in lines.items():
        try:
            film = Recording(json.loads(text)).film()
        # A line may hold anything.
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
            print(f"episode {number} is not as recorded: {error!r}", file=sys.stderr)
            different.append(number)
            continue
        films.append(film)
        episode = with_last_moves(film.boards)
        if args.text:
            print("\n\n".join(map(draw_text, episode)), end="\n\n")
        print(f"episode {number}: {film.title}, {len(episode) - 1} decisions, {episode[-1].heading}")
        if args.gif:
            save_film(args.gif, episode)
        if args.png:
            save_pictures(args.png, number, episode)
    if args.html and films:
        args.html.write_text(draw_film(films), "utf-8")
    if different:
        sys.exit(f"{len(different)} of {len(lines)} episodes are not as recorded: {', '.join(map(str, different))}")


if __name__ == "__main__":
    main()

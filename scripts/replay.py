"""Replay recorded episodes, check them against the recording and draw them.

    python scripts/replay.py games.jsonl                # prints a line for each episode; fails if one differs
    python scripts/replay.py games.jsonl --text         # prints every position
    python scripts/replay.py games.jsonl --episode 2 --gif game.gif
    python scripts/replay.py games.jsonl --png pictures/
    python scripts/replay.py games.jsonl --html games.html  # one page to step through all episodes in a browser

Episodes are recorded by `RecordEpisodes` and `RecordSoloEpisodes` of `mancala_envs.wrappers`.
"""

import sys
from pathlib import Path

from mancala_envs.play.replay import replay_all
from mancala_envs.programs.arguments import file_to_write, program


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument("file", type=Path, help="recorded episodes, JSON lines")
    parser.add_argument("--episode", type=int, help="number of the only episode to replay, starting at 1")
    parser.add_argument("--text", action="store_true", help="print every position")
    parser.add_argument(
        "--gif",
        type=file_to_write,
        metavar="FILE",
        help="write an animation; needs --episode if the file has several episodes",
    )
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="write a picture of every position")
    parser.add_argument(
        "--html", type=file_to_write, metavar="FILE", help="write a page that shows the episodes in a browser"
    )
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
        parser.error(f"--gif draws one episode: choose one of the {len(lines)} with --episode")
    try:
        different = replay_all(lines, args.text, args.gif, args.png, args.html)
    except OSError as error:
        sys.exit(f"{error.filename or 'a file'} cannot be written: {error.strerror or error}")
    if different:
        sys.exit(
            f"{len(different)} of {len(lines)} episodes differ from the recording: {', '.join(map(str, different))}"
        )


if __name__ == "__main__":
    main()

"""Replays recorded episodes, to see that they come out as recorded, and draws them.

    python scripts/replay.py games.jsonl                # one line an episode; fails at the end if one differs
    python scripts/replay.py games.jsonl --text         # every position as text
    python scripts/replay.py games.jsonl --episode 2 --gif game.gif
    python scripts/replay.py games.jsonl --png pictures/
    python scripts/replay.py games.jsonl --html games.html  # all in one page, to step through in any browser

`mancala_envs.wrappers` has the recorders, RecordEpisodes and RecordSoloEpisodes.
"""

import sys
from pathlib import Path

from mancala_envs.evaluation.arguments import program
from mancala_envs.play.replay import replay_all


def main() -> None:
    parser = program(__doc__)
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
    if different := replay_all(lines, args.text, args.gif, args.png, args.html):
        sys.exit(f"{len(different)} of {len(lines)} episodes are not as recorded: {', '.join(map(str, different))}")


if __name__ == "__main__":
    main()

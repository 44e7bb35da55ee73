"""Every compliance suite on every environment: one table of games and suites.

    python scripts/check.py                      # all games, as rounds, as campaigns and in wrappers
    python scripts/check.py qelat --suites api,vector
    python scripts/check.py --python rllib=.venv/rllib/bin/python --python agilerl=.venv/agilerl/bin/python

Libraries whose pins conflict with the others' live in environments of their own; `--python` says with which Python the
suites of such a place are run. A suite whose library is not installed is shown as missing. The exit status is 0 if
every suite held for every game, else 1.
"""

import json
import os
import sys
from pathlib import Path

from mancala_envs.compliance.suites import SUITES
from mancala_envs.compliance.table import held, run, table
from mancala_envs.evaluation.arguments import program
from mancala_envs.registry import REGISTRY


def main(argv: list[str] | None = None) -> int:
    """Run, print the table and return the exit status."""
    parser = program(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(REGISTRY)}; default all")
    parser.add_argument("--suites", metavar="NAME,...", help=f"of {', '.join(SUITES)}; default all")
    parser.add_argument("--python", action="append", default=[], metavar="PLACE=PATH", help="rllib=..., agilerl=...")
    parser.add_argument(
        "--report", type=Path, help="write results and versions to this file, as JSON, instead of printing the table"
    )
    args = parser.parse_args(argv)
    names = args.games or list(REGISTRY)
    chosen = args.suites.split(",") if args.suites else list(SUITES)
    pythons = dict(item.partition("=")[::2] for item in args.python)
    for what, given, known in (
        ("game", names, REGISTRY),
        ("suite", chosen, SUITES),
        ("place", pythons, {one.place for one in SUITES.values()} - {""}),
    ):
        if unknown := set(given) - set(known):
            parser.error(f"there is no {what} {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    cells, versions = run(names, chosen, pythons)
    if args.report:
        args.report.write_text(json.dumps([cells, versions]))
    else:
        print(f"\n{table(cells, versions)}")
    return 0 if held(cells) else 1


if __name__ == "__main__":
    # Windows of the render test open nowhere unless asked for.
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    sys.exit(main())

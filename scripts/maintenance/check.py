"""Run the compliance suites on the environments, and print a table of games and suites.

    python scripts/maintenance/check.py      # all games: single rounds, campaigns and wrapped environments
    python scripts/maintenance/check.py qelat --suites api,vector
    python scripts/maintenance/check.py --python rllib=.venv/rllib/bin/python --python agilerl=.venv/agilerl/bin/python

Libraries with conflicting version pins need environments of their own; `--python` names the Python interpreter that
runs their suites. A suite whose library is not installed is reported as missing. The exit status is 0 if every suite
passes for every game, otherwise 1.
"""

import json
import os
import sys

from mancala_envs.compliance.suites import SUITES
from mancala_envs.compliance.table import all_passed, run, table
from mancala_envs.programs.arguments import file_to_write, game_name, program
from mancala_envs.registry import REGISTRY


def main(argv: list[str] | None = None) -> int:
    """Run the suites, print the table and return the exit status."""
    parser = program(__doc__)
    parser.add_argument(
        "games", nargs="*", type=game_name, metavar="GAME", help=f"any of {', '.join(REGISTRY)} (default: all)"
    )
    parser.add_argument("--suites", metavar="NAME,...", help=f"any of {', '.join(SUITES)} (default: all)")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="Python interpreter for the suites of an environment, rllib or agilerl; can be repeated",
    )
    parser.add_argument(
        "--report",
        type=file_to_write,
        help="write results and versions to this file, as JSON, instead of printing the table",
    )
    args = parser.parse_args(argv)
    names = args.games or list(REGISTRY)
    chosen = args.suites.split(",") if args.suites else list(SUITES)
    pythons = dict(item.partition("=")[::2] for item in args.python)
    for what, given, known in (
        ("suite", chosen, SUITES),
        ("environment", pythons, {one.environment for one in SUITES.values()} - {""}),
    ):
        if unknown := set(given) - set(known):
            parser.error(f"there is no {what} {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    cells, versions = run(names, chosen, pythons)
    if args.report:
        args.report.write_text(json.dumps([cells, versions]))
    else:
        print(f"\n{table(cells, versions)}")
    return 0 if all_passed(cells) else 1


if __name__ == "__main__":
    # Without a display, the windows of the render test use SDL's dummy driver.
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    sys.exit(main())

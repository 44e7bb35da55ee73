"""Measure throughput, interleaved with that of peer libraries on the same machine.

    python scripts/speed.py                     # all games, all peers that are installed
    python scripts/speed.py kalah --rounds 9
    python scripts/speed.py --check             # compare the ratios to peers with the accepted ones
    python scripts/speed.py kalah --threads 2   # speed-up of large batches on two threads
    python scripts/speed.py --starts            # CPU time of importing, compiling and a first step

A round measures every contender once, for about `--seconds` each. Results are medians over rounds, so a temporary
slowdown of the machine affects all contenders equally. Decisions are random legal actions; sampling them is part of the
measured time. Writes speed.md, speed.json, tables of ratios (table.json, jax.json) and speed.png to `--out`.
"""

import json
import sys
from pathlib import Path

from mancala_envs.programs.arguments import duration, game_name, positive, program
from mancala_envs.registry import REGISTRY, distinct
from mancala_envs.speed.measure import TOLERANCE, check, measure_speed, starts_table, threads_table

REFERENCE = Path(__file__).with_name("speed_reference.json")
"""The accepted ratios, copied from the speed.json of a full run.

They depend on the processor, most of all those to OpenSpiel's playouts of `mancala`: these are the lowest seen.
"""


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument(
        "games", nargs="*", type=game_name, metavar="GAME", help=f"any of {', '.join(REGISTRY)} (default: all)"
    )
    parser.add_argument("--rounds", type=positive, default=7, help="number of rounds")
    parser.add_argument("--seconds", type=duration, default=0.3, help="time for each contender in a round")
    parser.add_argument("--out", type=Path, default=Path("runs/speed"), help="output folder")
    parser.add_argument(
        "--check",
        action="store_true",
        help=f"fail if a ratio is more than {TOLERANCE:.0%}% below that in {REFERENCE.name}",
    )
    parser.add_argument(
        "--threads", type=positive, metavar="N", help="measure only large batches, on N threads and one"
    )
    parser.add_argument("--starts", action="store_true", help="measure only the CPU time until a first step")
    args = parser.parse_args()
    names = distinct(args.games or REGISTRY)
    if args.check:
        regressions = check(json.loads(REFERENCE.read_text()), args.rounds, args.seconds)
        print("\n".join(regressions) if regressions else f"no ratio fell by more than {TOLERANCE:.0%}")
        sys.exit(bool(regressions))
    if args.starts:
        print(starts_table(names, 3))
    elif args.threads:
        print(threads_table(names, args.threads, args.rounds, args.seconds))
    else:
        measure_speed(names, args.rounds, args.seconds, args.out)


if __name__ == "__main__":
    main()

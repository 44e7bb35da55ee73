"""Measure throughput, beside peers on the same machine, interleaved in one run; medians and ratios.

    python scripts/benchmark.py                     # every game, every peer that is installed
    python scripts/benchmark.py kalah --rounds 9
    python scripts/benchmark.py --check             # games against peers: has a ratio fallen since last accepted?
    python scripts/benchmark.py kalah --threads 2   # large batches on two threads against one
    python scripts/benchmark.py --starts            # CPU-seconds of importing, compiling and of a first step

A round measures every contender once, for about `--seconds` each; medians are over rounds, so that a machine that
slows down for a while slows everyone. Decisions are legal random moves, sampled within the time measured. Writes
benchmark.md, benchmark.json and benchmark.png into `--out`.
"""

import json
import sys
from pathlib import Path

from mancala_envs.evaluation.arguments import positive, program, refusing
from mancala_envs.evaluation.benchmark import FALL, benchmark, check, starts_table, threads_table
from mancala_envs.registry import REGISTRY, distinct

REFERENCE = Path(__file__).with_name("benchmark_reference.json")
"""The ratios that `--check` compares with: those of a whole run's benchmark.json."""


def main() -> None:
    parser = program(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(REGISTRY)}; default all")
    parser.add_argument("--rounds", type=positive, default=7, help="default %(default)s")
    parser.add_argument("--seconds", type=float, default=0.3, help="a contender and round; default %(default)s")
    parser.add_argument("--out", type=Path, default=Path("runs/benchmark"), help="default %(default)s")
    parser.add_argument(
        "--check", action="store_true", help=f"fail when a ratio of {REFERENCE.name} fell by {FALL:.0%}%"
    )
    parser.add_argument("--threads", type=positive, metavar="N", help="only: large batches on N threads against one")
    parser.add_argument("--starts", action="store_true", help="only: CPU-seconds until a new process has stepped")
    args = parser.parse_args()
    with refusing(parser, ValueError):
        names = distinct(args.games or REGISTRY)
    if args.check:
        falls = check(json.loads(REFERENCE.read_text()), args.rounds, args.seconds)
        print("\n".join(falls) if falls else f"no ratio fell by more than {FALL:.0%}")
        sys.exit(bool(falls))
    if args.starts:
        print(starts_table(names, 3))
    elif args.threads:
        print(threads_table(names, args.threads, args.rounds, args.seconds))
    else:
        benchmark(names, args.rounds, args.seconds, args.out)


if __name__ == "__main__":
    main()

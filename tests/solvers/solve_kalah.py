"""Solve Kalah, or its starts near the usual one, by either reading of its captures with the solver `stores`.

    cd tests
    python -m solvers.solve_kalah 6 5 --slots 28 --ending 18
    python -m solvers.solve_kalah 6 4 --into-empty --slots 28 --ending 20 --starts of_old.json

The first command prints the first player's lead under best play. The second one writes a file with a character for each
start that differs from the usual one by one or two seeds, each moved from a hole to another hole or to a store: + if
the first player wins, 0 for a draw, - if the first player loses, ? if it is not known yet. The same command continues
after Ctrl-C. The file `fair_of_old.json` is its result.
"""

import argparse
import json
from itertools import combinations_with_replacement
from pathlib import Path

from solvers.stores import Kalah


def starts(columns, seeds, moved):
    """Return the starts with `moved` moved seeds, as holes and two stores, in a fixed order."""
    holes, found = 2 * columns, {}
    for lifted in combinations_with_replacement(range(holes), moved):
        for laid in combinations_with_replacement(range(holes + 2), moved):
            start = tuple(seeds * (k < holes) - lifted.count(k) + laid.count(k) for k in range(holes + 2))
            if not set(lifted) & set(laid) and min(start) >= 0:
                found[start] = None
    return list(found)


def result(game, start):
    """Return the character of a start."""
    return "0+-"[game.result(start[:-2], start[-2] - start[-1])]


def solve_starts(game, out, columns, seeds):
    """Write the results of all starts with one and two moved seeds, and print their numbers."""
    saved = json.loads(out.read_text()) if out.exists() else {}
    for moved in (1, 2):
        todo = starts(columns, seeds, moved)
        found = list(saved.get(str(moved), "?" * len(todo)))
        for k, start in enumerate(todo):
            if found[k] == "?":
                found[k] = result(game, start)
                saved[str(moved)] = "".join(found)
                out.write_text(json.dumps(saved, indent=1) + "\n")
        print(f"{moved} moved: {len(todo)} starts", *(f"{found.count(sign)} {sign}" for sign in "+0-"), sep=", ")


def main():
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("columns", type=int)
    parser.add_argument("seeds", type=int)
    parser.add_argument("--into-empty", action="store_true", help="a last seed captures even if no seeds are opposite")
    parser.add_argument("--ending", type=int, default=15, help="maximum number of seeds of endgame positions")
    parser.add_argument("--slots", type=int, default=24, help="binary logarithm of the number of table entries")
    parser.add_argument(
        "--starts", type=Path, metavar="FILE", help="solve the starts near the usual one into this file"
    )
    args = parser.parse_args()
    game = Kalah(args.columns, args.seeds, args.into_empty, args.ending, 1 << args.slots)
    if args.starts:
        solve_starts(game, args.starts, args.columns, args.seeds)
        return
    print(game.value(progress=lambda *known: print("from {} to {}, {} positions".format(*known), flush=True)))


if __name__ == "__main__":
    main()

"""A table of how strong the opponents are, in every game that two can play: who looks farther should win.

    python scripts/strength.py
    python scripts/strength.py kalah oware --games 100

In each game the agents of MATCHES meet from random openings, each of which is played twice, the seats exchanged, as in
scripts/tournament.py. The table tells how many of the points the stronger one has won, a draw being half of one, with a
95% interval; in bold where that is not above one half. Both games of a pair count as one result, for an opening may be
lost for whoever must play one of its sides. So that who has won all has an interval too, one pair more counts as won
there and one as lost (A. Agresti, B. Coull, The American Statistician 52, 1998).

Writes results.json into its folder after every batch of games, and table.md at the end, of all that was ever played
there; a new call goes on where the last one ended. Ctrl-C and SIGTERM end it early, with whole files. The seed decides
everything.
"""

import argparse
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tqdm import tqdm

from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.scripts.arguments import positive
from mancala_envs.scripts.files import read_json, write_json, write_text
from mancala_envs.scripts.tournament import Batch, TooShort
from mancala_envs.wrappers.evaluation import Z95

MATCHES = (
    ("greedy", "random"),
    ("minimax:2", "greedy"),
    ("mcts:100", "greedy"),
    ("mcts:1000", "mcts:100"),
    ("minimax:6", "minimax:2"),
)
"""Who should win, and against whom."""

GAMES, BATCH, OPENING = 400, 50, 4
"""Games of a match, how many are played at once, and random turns before them, if nothing else is said."""

RESULTS, TABLE = "results.json", "table.md"

Results = dict[str, dict[str, list[list[float]]]]
"""By game and match, of every batch the points of its pairs, from 0 to 1."""


def games_for_two() -> dict[str, dict[str, int]]:
    """Every game that two can play, with the options by which they do; of several names of one game the first."""
    found: dict[str, dict[str, int]] = {}
    for name, known in REGISTRY.items():
        if known.law in (REGISTRY[other].law for other in found):
            continue
        players = next((option for option in known.book.options if option.name == "players"), None)
        if make_game(name).num_deciding == 2:
            found[name] = {}
        elif players and players.lowest <= 2:
            found[name] = {"players": 2}
    return found


def called(match: tuple[str, str]) -> str:
    return " > ".join(match)


def missing(
    results: Results, games: dict[str, dict[str, int]], batches: int, opening: int, seed: int
) -> Iterator[Batch]:
    """What is still to be played, one game after the other."""
    for name, options in games.items():
        for match in MATCHES:
            for number in range(len(results.get(name, {}).get(called(match), [])), batches):
                yield Batch(name, False, options, match, number, BATCH, opening, seed)


def cell(batches: list[list[float]]) -> str:
    """The points of a match, as the table tells them, and how many games there were where not the usual number."""
    points = np.concatenate(batches)
    with_two_more = np.append(points, [0.0, 1.0])
    half = Z95 * with_two_more.std(ddof=1) / np.sqrt(len(with_two_more))
    low, high = with_two_more.mean() - half, min(with_two_more.mean() + half, 1.0)
    text = f"{points.mean():.1%} [{100 * low:.1f}, {100 * high:.1f}]"
    games = "" if 2 * len(points) == GAMES else f" of {2 * len(points)}"
    return (text if low > 0.5 else f"**{text}**") + games


def table(results: Results) -> str:
    """Markdown: a row for each game, in the order of the registry."""
    lines = [["game", *(f"`{first}` > `{second}`" for first, second in MATCHES)], ["---", *["--:"] * len(MATCHES)]]
    for name in filter(results.__contains__, REGISTRY):
        played = (results[name].get(called(match)) for match in MATCHES)
        lines.append([REGISTRY[name].book.title, *(cell(batches) if batches else "" for batches in played)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chosen", nargs="*", metavar="GAME", help="its name, such as kalah (default: all, for two)")
    parser.add_argument("--games", type=positive, default=GAMES, help="of each match, in batches of 50 (%(default)s)")
    parser.add_argument("--opening", type=positive, default=OPENING, help="random turns before a game (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="decides everything (default %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("strength"), help="folder (default %(default)s)")
    args = parser.parse_args()
    known = games_for_two()
    for name in args.chosen:
        if name not in known:
            parser.error(f"{name!r} is no game that two can play; there are {', '.join(known)}")
    games = {name: known[name] for name in args.chosen} or known
    # Whoever ends the program from outside shall find the same as by Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    path = args.out / RESULTS
    agreed = {"seed": args.seed, "opening": args.opening}
    former = read_json(path) if path.exists() else agreed | {"points": {}}
    for name, value in agreed.items():
        if former.get(name) != value:
            sys.exit(f"{path} was played with {name} {former.get(name)}: choose another --out")
    results: Results = former["points"]
    args.out.mkdir(parents=True, exist_ok=True)
    batches = list(missing(results, games, -(-args.games // BATCH), args.opening, args.seed))
    try:
        for batch in (bar := tqdm(batches, unit=" batches", dynamic_ncols=True)):
            bar.set_description(f"{batch.game}, {called(batch.agents)}")
            points = (batch.results().mean(axis=0) + 1) / 2
            results.setdefault(batch.game, {}).setdefault(called(batch.agents), []).append(points.tolist())
            write_json(path, agreed | {"points": results})
    except KeyboardInterrupt:
        print("stopped by hand; the same command goes on")
    except TooShort as error:
        sys.exit(str(error))
    text = table(results)
    write_text(args.out / TABLE, text)
    print(text)
    print(f"wrote {args.out}/{RESULTS}, {TABLE}")


if __name__ == "__main__":
    main()

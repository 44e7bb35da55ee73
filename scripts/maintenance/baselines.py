"""Train by every method with several seeds, and draw the learning curves: what a new method is to be compared with.

    python scripts/maintenance/baselines.py
    python scripts/maintenance/baselines.py kalah --seeds 1 --minutes 1
    python scripts/maintenance/baselines.py 'qelat(columns=4,max_rounds=20,campaign=True)'

The methods are MaskablePPO over positions, MaskablePPO over afterstates, and AlphaZero, as scripts/train.py has them.
In campaigns they are MaskablePPO over afterstates, without and with each of the wrappers for rewards, and AlphaZero.
Each run has one PyTorch thread, and AlphaZero one actor; MaskablePPO over afterstates learns values in a second
process. A curve has the points of the policy alone, without a search, against `greedy`, in campaigns against
`minimax:2`; every opening is played from both seats, and a draw counts half. The times include the games of the curve.
Without names, the program trains in five games of different kinds; with --campaigns, in three campaigns.

Writes results.json, curves.webp, table.md and, for docs/results, table.json to the output folder. Ctrl-C and SIGTERM
end the program early without damaged files; the same command continues with the runs that are missing.
"""

from pathlib import Path

from mancala_envs.programs.arguments import GAME, duration, game, positive, program, usage_errors
from mancala_envs.studies.baselines import CAMPAIGNS, GAMES, train_all


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument("games", nargs="*", type=game, metavar="GAME", help=f"{GAME} (default: {' '.join(GAMES)})")
    parser.add_argument("--campaigns", action="store_true", help=f"train in {', '.join(CAMPAIGNS)}")
    parser.add_argument("--seeds", type=positive, default=3, help="runs of each method in each game")
    parser.add_argument("--minutes", type=duration, default=2.0, help="wall-clock time of each run")
    parser.add_argument("--out", type=Path, default=Path("runs/baselines"), help="output folder")
    args = parser.parse_args()
    with usage_errors(parser):
        train_all(args.out, args.games or list(CAMPAIGNS if args.campaigns else GAMES), args.seeds, args.minutes)


if __name__ == "__main__":
    main()

"""Write puzzles for language models: solved positions as questions with exact regrets.

    python scripts/language_models/puzzles.py kalah daramutu --number 200 --out puzzles

Writes `puzzles.jsonl`, `puzzles.parquet` and a card, `README.md`. Needs the extra `[text]`.
"""

from itertools import chain
from pathlib import Path

from mancala_envs.evaluation.solved import PARTS, SOLVED_GAMES, TEST
from mancala_envs.programs.arguments import add_seed, game_name, positive, program, usage_errors
from mancala_envs.programs.progress import Bar
from mancala_envs.text_play.prompts import RULES, SHORT
from mancala_envs.text_play.puzzles import puzzles, write


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument(
        "games",
        nargs="+",
        type=game_name,
        choices=SOLVED_GAMES,
        metavar="GAME",
        help=f"one of {', '.join(SOLVED_GAMES)}",
    )
    parser.add_argument("--number", type=positive, default=100, help="puzzles of each game")
    parser.add_argument("--part", choices=PARTS, default=TEST, help="part of the positions")
    parser.add_argument("--rules", choices=RULES, default=SHORT, help="rules in the question")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="folder to write to")
    add_seed(parser)
    args = parser.parse_args()
    found = chain.from_iterable(puzzles(name, args.number, args.seed, args.rules, args.part) for name in args.games)
    with usage_errors(parser, ValueError):
        number = write(args.out, Bar(found, "puzzles", args.number * len(args.games)), args.seed)
    print(f"wrote {number} puzzles to {args.out}")


if __name__ == "__main__":
    main()

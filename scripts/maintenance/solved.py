"""Write solved positions: sample positions of random games and prove the value of every action.

    python scripts/maintenance/solved.py --out solved.npz
    python scripts/maintenance/solved.py kalah qelat --positions 200 --seed 1 --out solved.npz

`python scripts/evaluate.py AGENT --solved` scores agents on the file that is part of the package. The file depends only
on the arguments. For each game the program prints the checksum of its positions, which `SOLVED_GAMES` of
mancala_envs.evaluation.solved must contain. Games that are not named are copied from the present file.
"""

from mancala_envs.evaluation.solved import SOLVED_GAMES, checksum, read
from mancala_envs.programs.arguments import add_seed, file_to_write, game_name, positive, program, usage_errors
from mancala_envs.programs.progress import Bar
from mancala_envs.studies.sampling import SOURCES, arrays_of, write


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument(
        "games", nargs="*", type=game_name, metavar="GAME", help=f"any of {', '.join(SOLVED_GAMES)} (default: all)"
    )
    parser.add_argument(
        "--positions", type=positive, help="positions of each game (default: those of the file in the package)"
    )
    add_seed(parser)
    parser.add_argument("--out", type=file_to_write, required=True, metavar="FILE", help="file to write")
    args = parser.parse_args()
    for name in args.games:
        if name not in SOLVED_GAMES:
            parser.error(f"positions of {name!r} are not sampled; there are {', '.join(SOLVED_GAMES)}")
    chosen = args.games or list(SOLVED_GAMES)
    with usage_errors(parser, OSError):
        arrays = {}
        for name in SOLVED_GAMES:
            if name not in chosen:
                arrays[name] = read(name)
                continue
            number = args.positions or SOURCES[name].number
            with Bar(desc=name, total=number, unit=" positions") as bar:
                arrays[name] = arrays_of(name, number, args.seed, bar.update)
            print(f"{name}: {checksum(arrays[name])}", flush=True)
        write(args.out, arrays)


if __name__ == "__main__":
    main()

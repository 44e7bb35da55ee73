"""Play a game by hand, in the terminal or by mouse in a window.

    python scripts/play.py kalah                                     # against mcts:400, from seat 0
    python scripts/play.py qelat --opponent minimax:6 --seat 1 --campaign --option max_rounds=4
    python scripts/play.py sokkattan --seat 0 2                      # two people, two agents
    python scripts/play.py oware --opponent runs/oware/model.zip --seat     # nobody: to watch
    python scripts/play.py nerenchi_keliya --window

Where there is one choice only it is taken for you. `help` tells what else can be said instead of an action: `hint`,
`undo`, `save FILE` for `scripts/replay.py`, `position` for `--position`. Luck is decided by the seed and by what was
done so far: what was taken back and done again comes out as before. In the window `s` saves to GAME.jsonl.
"""

from pathlib import Path

from mancala_envs.evaluation.arguments import program, refusing
from mancala_envs.play.arguments import add_session_arguments, session_of
from mancala_envs.play.terminal import play_in_terminal
from mancala_envs.play.window import play_in_window


def main() -> None:
    parser = program(__doc__)
    add_session_arguments(parser)
    parser.add_argument("--window", action="store_true", help="play by mouse; needs the extra [render]")
    args = parser.parse_args()
    with refusing(parser):
        session = session_of(parser, args)
        try:
            play_in_window(session, Path(f"{args.game}.jsonl")) if args.window else play_in_terminal(session)
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()

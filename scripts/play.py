"""Play a game against agents, in the terminal or with the mouse in a window.

    python scripts/play.py kalah                                     # from seat 0, against mcts:400
    python scripts/play.py qelat --opponent minimax:6 --seat 1 --campaign --option max_rounds=4
    python scripts/play.py sokkattan --seat 0 2                      # two people and two agents
    python scripts/play.py oware --opponent runs/oware/model.zip --seat     # no seat: watch two agents play
    python scripts/play.py nerenchi_keliya --window

A forced move is played for you. Instead of an action you can enter a command, such as `hint`, `undo`, `save FILE` (for
`scripts/replay.py`) or `position` (for `--position`); `help` lists them all. Throws and other random draws depend only
on the seed and on the moves so far, so a move that is undone and played again has the same outcome. In the window, `s`
saves to GAME.jsonl.
"""

from pathlib import Path

from mancala_envs.play.arguments import add_session_arguments, session_of
from mancala_envs.play.terminal import play_in_terminal
from mancala_envs.play.window import play_in_window
from mancala_envs.programs.arguments import program, usage_errors


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_session_arguments(parser)
    parser.add_argument(
        "--window", action="store_true", help="play with the mouse in a window; needs the extra [render]"
    )
    args = parser.parse_args()
    with usage_errors(parser):
        session = session_of(parser, args)
        try:
            play_in_window(session, Path(f"{session.game.name}.jsonl")) if args.window else play_in_terminal(session)
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()

"""Play a game against agents on a board in the browser.

    python scripts/board.py kalah --open                             # against mcts:400, from seat 0
    python scripts/board.py qelat --opponent minimax:6 --seat 1 --campaign --option max_rounds=4
    python scripts/board.py sokkattan --seat 0 2                     # two people, two agents
    python scripts/board.py oware --seat --open                      # no seat: watch agents play

Needs the extra [play]. `--open` opens the page in the default browser. The page can also start other games, analyse a
game, and save and load recordings. Only this machine can reach the page. Ctrl-C ends the program; a game that is not
saved is lost.
"""

from contextlib import suppress

from mancala_envs.play.arguments import add_session_arguments, session_of
from mancala_envs.programs.arguments import program, usage_errors


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_session_arguments(parser)
    parser.add_argument("--port", type=int, default=8000, help="port (default %(default)s; 0: any free port)")
    parser.add_argument("--open", action="store_true", help="open the page in the default browser")
    args = parser.parse_args()
    with usage_errors(parser):
        from mancala_envs.play.server import listen, serve  # Needs the extra [play].
    session = session_of(parser, args)
    try:
        listener = listen(args.port)
    except (OSError, OverflowError) as error:
        parser.error(f"--port {args.port} cannot be used: {error}")
    with suppress(KeyboardInterrupt):
        serve(session, listener, args.open)


if __name__ == "__main__":
    main()

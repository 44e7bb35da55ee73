"""Play in the browser: a board on a page of this machine's own.

    python -m mancala_envs.play kalah                                # against mcts:400, from seat 0
    python -m mancala_envs.play qelat --opponent minimax:6 --seat 1 --campaign --option max_rounds=4
    python -m mancala_envs.play sokkattan --seat 0 2                 # two people, two agents
    python -m mancala_envs.play oware --seat --open                  # nobody: to watch; opens the browser

Needs the extra [play]. The page begins other games, too, and saves and loads recordings. Only this machine can reach
it. Ctrl-C ends the program, and the game with it.
"""

from contextlib import suppress

from mancala_envs.evaluation.arguments import program, refusing
from mancala_envs.play.arguments import add_session_arguments, session_of


def main() -> None:
    parser = program(__doc__, "python -m mancala_envs.play")
    add_session_arguments(parser)
    parser.add_argument("--port", type=int, default=8000, help="default %(default)s; 0: any that is free")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    args = parser.parse_args()
    with refusing(parser):
        from mancala_envs.play.server import listening, serve  # Needs the extra [play].
    session = session_of(parser, args)
    try:
        socket = listening(args.port)
    except (OSError, OverflowError) as error:
        parser.error(f"--port {args.port} cannot be used: {error}")
    with suppress(KeyboardInterrupt):
        serve(session, socket, args.open)


if __name__ == "__main__":
    main()

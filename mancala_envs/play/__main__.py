"""Play a game in the browser.

    python -m mancala_envs.play kalah                                # against mcts:400, from seat 0
    python -m mancala_envs.play qelat --opponent minimax:6 --seat 1 --campaign --option max_rounds=4
    python -m mancala_envs.play sokkattan --seat 0 2                 # two people, two agents
    python -m mancala_envs.play oware --seat --open                  # watch agents play; opens the browser

Needs the extra [play]. The page can also start other games, and save and load recordings. Only this machine can reach
the page. Ctrl-C ends the program; a game that is not saved is lost.
"""

from contextlib import suppress

from mancala_envs.evaluation.arguments import program, usage_errors
from mancala_envs.play.arguments import add_session_arguments, session_of


def main() -> None:
    """Run the program."""
    parser = program(__doc__, "python -m mancala_envs.play")
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

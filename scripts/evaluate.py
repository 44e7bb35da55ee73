"""Evaluate agent A against agent B: the points, half a point for a draw, with their 95% interval, and by seat.

    python scripts/evaluate.py greedy random --game oware
    python scripts/evaluate.py runs/qelat/model.zip greedy --game mancala_envs/Qelat-v0 --games 2000 --seed 1
    python scripts/evaluate.py runs/a/model.zip runs/b/model.zip --game qelat --campaign --option columns=4
    python scripts/evaluate.py mcts:400 minimax:4 --game kalah --opening fair
    python scripts/evaluate.py minimax:4 --solved
    python scripts/evaluate.py runs/kalah/model.zip --solved --game kalah

`--solved` lets A choose in solved positions instead (mancala_envs.evaluation.solved), of one game or of all that have
some. It reports how often A keeps the best possible win, draw or loss, among positions in which not all actions do so,
and the mean regret: how many seeds of lead a choice gives away.

Agents are random, greedy, a search such as minimax:6 or mcts:400, or the path of a saved MaskablePPO model. Games begin
with random decisions of all players. Each opening is played from every seat, and these games count as one result. The
points from the usual opening follow on a line of their own. The same seed gives the same games.
"""

from mancala_envs.core.opening import FAIR, decisions, in_words
from mancala_envs.evaluation import evaluate
from mancala_envs.evaluation.solved import report
from mancala_envs.programs.arguments import (
    GAME,
    add_game_options,
    add_opening,
    add_seed,
    game,
    positive,
    program,
    usage_errors,
)
from mancala_envs.registry import read_game


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument("policy", metavar="A", help="random, greedy, minimax:TURNS, mcts:SIMULATIONS or a saved model")
    parser.add_argument("opponent", metavar="B", nargs="?", help="the same; plays all other seats")
    parser.add_argument("--game", type=game, help=GAME)
    parser.add_argument("--solved", action="store_true", help="let A choose in solved positions, without B")
    add_game_options(parser)
    parser.add_argument("--games", type=positive, default=400, help="total number of games")
    parser.add_argument("--seat", type=int, help="seat of A (default: all seats equally often)")
    add_opening(parser, fair=True)
    add_seed(parser)
    parser.add_argument("--deterministic", action="store_true", help="models play their most probable actions")
    args = parser.parse_args()
    if args.solved:
        name, campaign, options = read_game(args.game) if args.game else (None, False, {})
        if args.opponent is not None or args.options or options or args.campaign or campaign:
            parser.error("--solved takes neither B nor options of games")
        for of_games in ("games", "seat", "opening"):
            if getattr(args, of_games) != parser.get_default(of_games):
                parser.error(f"--solved has no --{of_games}")
        with usage_errors(parser, TypeError, ValueError):
            for line in report(args.policy, name, args.seed, args.deterministic):
                print(line, flush=True)
        return
    if args.opponent is None or args.game is None:
        parser.error("B and --game are required without --solved")
    seats = "balanced" if args.seat is None else args.seat
    options = args.options | ({"campaign": True} if args.campaign else {})
    with usage_errors(parser, TypeError, ValueError):
        for opening in [args.opening, 0] if args.opening else [0]:
            how = (seats, args.games, args.seed, args.deterministic, opening)
            score = evaluate(args.policy, args.game, args.opponent, *how, **options)
            begun = "fair starts" if opening == FAIR else in_words(*decisions(opening))
            print(f"{args.policy} against {args.opponent} from {begun}: {score}", flush=True)


if __name__ == "__main__":
    main()

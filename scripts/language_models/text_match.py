"""Let a language model, a person or a scripted agent play in text, and report results, refused answers and regret.

    python scripts/language_models/text_match.py kalah greedy --against random --games 20
    python scripts/language_models/text_match.py daramutu --person --against minimax:2 --games 1 --watch
    python scripts/language_models/text_match.py oware --endpoint http://localhost:8000/v1 --model qwen3 --out qwen.json

Scripted agents are those of the library (random, greedy, minimax:4 ...): they read the state in the prompt and write an
action, as a check of the whole path. An endpoint is any server with OpenAI's chat completions; its key comes from the
environment variable OPENAI_API_KEY.
"""

import sys

from mancala_envs import make_game
from mancala_envs.programs.arguments import (
    add_game,
    add_opening,
    add_seed,
    file_to_write,
    natural,
    positive,
    program,
    usage_errors,
)
from mancala_envs.programs.files import RunError, write_json
from mancala_envs.programs.progress import Bar
from mancala_envs.text_play import Endpoint, Person, Scripted, TextScore, text_games
from mancala_envs.text_play.match import ON_ILLEGAL, RETRY
from mancala_envs.text_play.prompts import RULES, SHORT


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument("agent", nargs="?", help="the scripted agent that plays in text")
    parser.add_argument("--person", action="store_true", help="a person plays at the terminal instead")
    parser.add_argument("--endpoint", metavar="ADDRESS", help="a served model plays instead, such as one at .../v1")
    parser.add_argument("--model", help="name of the model, with --endpoint")
    parser.add_argument("--against", default="random", metavar="AGENT", help="opponent")
    parser.add_argument("--games", type=positive, default=20, help="number of games")
    add_opening(parser, default=0)
    parser.add_argument("--rules", choices=RULES, default=SHORT, help="rules in the prompt")
    parser.add_argument("--no-list", action="store_true", help="do not list the legal actions in the prompt")
    parser.add_argument("--history", type=natural, help="earlier decisions in the prompt (default all)")
    parser.add_argument("--on-illegal", choices=ON_ILLEGAL, default=RETRY, help="after an answer that cannot be played")
    parser.add_argument("--retries", type=natural, default=2, help="repeated questions")
    parser.add_argument("--regret", action="store_true", help="prove the regret of every decision; small games only")
    parser.add_argument("--watch", action="store_true", help="print every decision")
    parser.add_argument("--out", type=file_to_write, metavar="FILE", help="also write the results to this JSON file")
    add_seed(parser)
    args = parser.parse_args()
    if (args.agent is not None) + args.person + (args.endpoint is not None) != 1:
        parser.error("name one agent, or give --person, or --endpoint")
    if (args.model is None) != (args.endpoint is None):
        parser.error("--endpoint and --model go together")
    with usage_errors(parser, TypeError, ValueError):
        game = make_game(args.game, args.campaign, **args.options)
        agent: Endpoint | Person | Scripted
        if args.endpoint:
            agent = Endpoint(args.endpoint, args.model)
        else:
            agent = Person() if args.person else Scripted(game, args.agent, args.seed)
        played = text_games(
            agent, game, args.against, args.games, opening=args.opening, on_illegal=args.on_illegal,
            retries=args.retries, rules=args.rules, list_actions=not args.no_list, history=args.history,
            regret=args.regret, seed=args.seed, watch=print if args.watch else lambda line: None,
        )  # fmt: skip
        result, ended = TextScore(), ""
        try:
            for latest in Bar(played, "games", args.games, disable=args.watch or args.person):
                result = latest
        except (KeyboardInterrupt, RunError) as error:
            ended = f"ended after {result.score.games} of {args.games} games: {str(error) or 'interrupted'}"
    print(f"from {game.opening(args.opening)}: {result}")
    if isinstance(agent, Endpoint) and agent.tokens:
        print(f"tokens: {agent.tokens:,}")
    if args.out:
        write_json(args.out, result.as_dict())
        print(f"wrote {args.out}")
    if ended:
        sys.exit(ended)


if __name__ == "__main__":
    main()

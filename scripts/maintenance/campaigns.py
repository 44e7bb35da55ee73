"""Measure campaigns that an agent plays against itself: how long they last, and what decides them.

    python scripts/maintenance/campaigns.py
    python scripts/maintenance/campaigns.py qelat congkak --agents greedy minimax:2 --campaigns 100

Campaigns begin with six random decisions, and each later round with two. In the table, decisions and rounds are the
median, with the 90th percentile in parentheses. The lead is that in worth at the start of a round, and the winner's at
the end. "The first leader wins" counts the campaigns in which a player leads after the first round, a draw as half.
"The first debtor wins" does so for those in which a player begins a round in debt. The last column is the share of
campaigns that the limit of rounds ends. 95% intervals in brackets.

Writes results.json to the output folder after every game and agent, and campaigns.webp, table.md and, for docs/results,
table.json at the end. Ctrl-C and SIGTERM end the program early without damaged files; the same command continues. The
results depend only on the seed.
"""

from pathlib import Path

from mancala_envs.agents import Agent
from mancala_envs.programs.arguments import add_campaign_games, add_seed, positive, program, usage_errors
from mancala_envs.registry import make_game
from mancala_envs.studies.campaigns import AGENTS, CAMPAIGNS, measure


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_campaign_games(parser)
    parser.add_argument("--agents", nargs="+", default=AGENTS, help=f"agents by name (default {' '.join(AGENTS)})")
    parser.add_argument("--campaigns", type=positive, default=CAMPAIGNS, help="campaigns of each agent in each game")
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("runs/campaigns"), help="output folder")
    args = parser.parse_args()
    with usage_errors(parser, ValueError):
        for name in args.games:
            for agent in args.agents:
                Agent(make_game(name, campaign=True), agent)  # raises for what cannot play
        measure(args.out, args.games, list(args.agents), args.campaigns, args.seed)


if __name__ == "__main__":
    main()

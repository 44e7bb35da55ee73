"""Estimate the chance of winning a campaign from each standing at the start of a round, and test it by campaigns.

    python scripts/maintenance/standings.py
    python scripts/maintenance/standings.py qelat --agent minimax:2 --rounds 200

An agent plays rounds against itself from every standing that comes up, with two random decisions at the start of each.
The chances follow from the last round backwards; their 95% intervals come from a bootstrap over the rounds. The table
compares them with whole campaigns: the favourite is the player with the higher chance after the first round.

Writes GAME.npz for each game, which mancala_envs.evaluation.standings reads, a picture GAME.webp, results.json, and the
table as table.md and, for docs/results, table.json to the output folder. `--install` copies the tables into the
package. Ctrl-C and SIGTERM end the program early without damaged files; the same command continues. The results depend
only on the seed.
"""

from pathlib import Path

from mancala_envs.agents import Agent
from mancala_envs.programs.arguments import add_campaign_games, add_seed, positive, program, usage_errors
from mancala_envs.registry import make_game
from mancala_envs.studies.rounds import AGENT, CAMPAIGNS, ROUNDS, measure


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_campaign_games(parser)
    parser.add_argument("--agent", default=AGENT, help="agent by name")
    parser.add_argument("--rounds", type=positive, default=ROUNDS, help="rounds from each standing")
    parser.add_argument("--campaigns", type=positive, default=CAMPAIGNS, help="campaigns of the test")
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("runs/standings"), help="output folder")
    parser.add_argument("--install", action="store_true", help="copy the tables into the package")
    args = parser.parse_args()
    with usage_errors(parser, ValueError):
        for name in args.games:
            Agent(make_game(name, campaign=True), args.agent)  # raises for what cannot play
        measure(args.out, args.games, args.agent, args.rounds, args.campaigns, args.seed, args.install)


if __name__ == "__main__":
    main()

"""Train an agent by self-play, on hundreds of games in parallel: with MaskablePPO, or with search as AlphaZero.

    python scripts/train.py qelat --campaign --option columns=4 --option max_rounds=20
    python scripts/train.py qelat --minutes 30
    python scripts/train.py qelat --method alphazero --minutes 30
    python scripts/train.py qelat --resume runs/qelat
    python scripts/train.py qelat --tensorboard runs/board    # to watch: tensorboard --logdir runs/board

With --campaign an episode is a whole campaign, of hundreds of decisions, and only its winner counts. The observation
contains everything on which later play depends, such as the round, the owned holes and the debts, so neither a
recurrent network nor stacked observations are needed.

The network judges what each legal action leads to (`ObserveAfterstates`), which it learns far faster than to judge
actions by the position before them, as with --observe position. Episodes start after up to ten random decisions.

With afterstates, another process learns a second, small network at the same time, by temporal differences in games
against itself. It plays about ten times as many decisions, so the policy sees its values of all legal actions, and
learns from them what a decision was worth. Minimax can use them too: `Agent(game, "minimax:2",
network="RUN/values.network")`. With at most 24 actions the policy also observes exchanges (`Exchanges`). With --expert
the value network begins as that of the expert, which is also one of the opponents.

The final evaluation plays with the policy alone, and with these values in minimax:2, a search of two turns; the
learning curve is that of the policy alone. Games begin with six random decisions, and each opening is played from every
seat. Agents without randomness would repeat the later rounds of a campaign, so the curve and a second column of the
evaluation also have two random decisions at the start of each later round; for single rounds the second column begins
with the usual opening.

With --method alphazero, a search of few simulations chooses the actions of both sides (Gumbel AlphaZero), and the
network, which also judges afterstates, learns its policy and the results. Campaigns, games for more than two players
and games with chance are trained in the same way. With --ray the actors, which play the games, run on the nodes of a
Ray cluster: this needs the extra [rllib], and the checkout at the same path on every node. The final evaluation plays
with the network alone and with search; the learning curve is that of the network alone.

Writes model.zip and, over afterstates, values.network (with alphazero only model.pt), config.json, evaluation.json,
table.json, table.md, learning_curve.json and learning_curve.png to the run's folder, by default a new one. The model,
the configuration and the curve are updated at every point of the curve; files are replaced atomically. Ctrl-C and
SIGTERM end training early; the model so far is saved and evaluated.
"""

from pathlib import Path

from mancala_envs.learning import Settings, train
from mancala_envs.learning.settings import MODELS, OBSERVED
from mancala_envs.programs.arguments import add_defaults, add_game, duration, natural, positive, program, usage_errors
from mancala_envs.programs.tensorboard import add_tensorboard


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument("--method", choices=MODELS, help="how to train, see above")
    parser.add_argument("--shaping", type=float, help="weight of ChangeOfWorth in campaigns, 0 to turn it off")
    parser.add_argument("--curriculum", action="store_true", help="start with the last rounds of campaigns")
    parser.add_argument("--expert", action="store_true", help="learn from the expert, as an opponent and as a teacher")
    parser.add_argument("--minutes", type=duration, help="wall-clock time of training")
    parser.add_argument("--steps", type=positive, help="maximum number of the learner's decisions (default: no limit)")
    parser.add_argument(
        "--envs",
        type=positive,
        help="games played in parallel (default 2048 with afterstates, 256 with positions and by each actor)",
    )
    parser.add_argument(
        "--observe",
        choices=OBSERVED,
        help="what the network judges (default afterstates, except in games of thousands of actions)",
    )
    parser.add_argument(
        "--simulations", type=positive, help="alphazero: simulations of a full search; most searches have a quarter"
    )
    parser.add_argument(
        "--actors", type=natural, help="alphazero: actors that play in parallel (default: one for each core)"
    )
    parser.add_argument(
        "--ray", metavar="ADDRESS", help="alphazero: address of a Ray cluster for the actors, or auto; local starts one"
    )
    parser.add_argument("--seed", type=natural, help="seed of the games and the network")
    parser.add_argument("--games", type=positive, help="games of the final evaluation for each seat and opponent")
    parser.add_argument("--out", type=Path, help="folder of the run (default runs/GAME, runs/GAME_2, ...)")
    add_tensorboard(parser, "the metrics of Stable-Baselines3 and the win rates")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="continue training the model in this folder")
    add_defaults(parser, Settings)
    args = parser.parse_args()
    with usage_errors(parser, TypeError, ValueError):
        settings = Settings(**vars(args))
    with usage_errors(parser):
        train(settings)


if __name__ == "__main__":
    main()

"""Train an agent with MaskablePPO by self-play, on hundreds of games in parallel.

    python scripts/train.py qelat --minutes 4.5
    python scripts/train.py qelat --resume runs/qelat
    python scripts/train.py qelat --tensorboard runs/board    # to watch: tensorboard --logdir runs/board
    python scripts/train.py qelat --campaign --option columns=4 --option max_rounds=20 --minutes 10

With --campaign an episode is a whole campaign, of hundreds of decisions. The learner then also gets a reward after
every round (`ChangeOfWorth`); the evaluation counts only who wins the campaign. The observation contains everything on
which later play depends, such as the round, the owned holes and the debts, so neither a recurrent network nor stacked
observations are needed.

The network judges what each legal action leads to (`ObserveAfterstates`), which it learns far faster than to judge
actions by the position before them. With --observe position, as in campaigns, it does the latter. Episodes start after
up to ten random decisions. The final evaluation plays from every seat after six random decisions, and from the usual
opening.

Writes model.zip, config.json, evaluation.json, learning_curve.json and learning_curve.png to the run's folder, by
default a new one. The model, the configuration and the curve are updated at every point of the curve; files are
replaced atomically. Ctrl-C and SIGTERM end training early; the model so far is saved and evaluated.
"""

from pathlib import Path

from mancala_envs.evaluation.arguments import add_game, minutes, positive, program, usage_errors
from mancala_envs.learning.curves import add_tensorboard
from mancala_envs.learning.settings import OBSERVED, Settings


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument(
        "--shaping",
        type=float,
        default=Settings.shaping,
        help="weight of ChangeOfWorth in campaigns, 0 to turn it off (default %(default)s)",
    )
    parser.add_argument("--curriculum", action="store_true", help="start with the last rounds of campaigns")
    parser.add_argument(
        "--minutes", type=minutes, default=Settings.minutes, help="wall-clock time of training (default %(default)s)"
    )
    parser.add_argument("--steps", type=positive, help="maximum number of the learner's decisions (default: no limit)")
    parser.add_argument(
        "--envs",
        type=positive,
        default=Settings.envs,
        help="games played in parallel (default 2048 with afterstates, 256 with positions)",
    )
    parser.add_argument(
        "--observe",
        choices=OBSERVED,
        default=Settings.observe,
        help="what the network judges (default afterstates, except in campaigns and games of thousands of actions)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the games and the network (default %(default)s)")
    parser.add_argument(
        "--games",
        type=positive,
        default=Settings.games,
        help="games of the final evaluation for each seat and opponent (default %(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, default=Path(), help="folder of the run (default runs/GAME, runs/GAME_2, ...)"
    )
    add_tensorboard(parser, "the metrics of Stable-Baselines3 and the win rates")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="continue training the model in this folder")
    args = parser.parse_args()
    with usage_errors(parser, TypeError, ValueError):
        settings = Settings(**vars(args))
    with usage_errors(parser):
        from mancala_envs.learning.ppo import train  # Needs the extra [train].

        train(settings)


if __name__ == "__main__":
    main()

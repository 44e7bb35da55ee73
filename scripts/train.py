"""Train an agent: MaskablePPO by self-play on thousands of games at once.

    python scripts/train.py qelat --minutes 4.5
    python scripts/train.py qelat --resume runs/qelat
    python scripts/train.py qelat --tensorboard runs/board    # and beside it: tensorboard --logdir runs/board
    python scripts/train.py qelat --campaign --option columns=4 --option max_rounds=20 --minutes 10

With --campaign an episode is a whole campaign, of some hundred decisions. The learner is then paid besides after every
round, by what it has changed (`ChangeOfWorth`); all evaluation is by wins alone. No recurrence and no stacking is
needed: the observation holds all that later play depends on, the round, the holes owned and the debts included, so that
a network that sees nothing else can play as well as any.

Writes into the run's folder, a new one unless told: model.zip, config.json, evaluation.json, learning_curve.json and
learning_curve.png. The first two and the curve are written anew at every point of the curve, each file whole before it
takes the old one's place. Ctrl-C and SIGTERM end training early; what was learnt until then is saved and evaluated.
"""

from pathlib import Path

from mancala_envs.evaluation.arguments import add_game, minutes, positive, program, refusing
from mancala_envs.learning.curves import add_tensorboard
from mancala_envs.learning.settings import Settings


def main() -> None:
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument(
        "--shaping",
        type=float,
        default=Settings.shaping,
        help="weight of ChangeOfWorth in campaigns (default %(default)s, 0: none)",
    )
    parser.add_argument("--curriculum", action="store_true", help="begin with the last rounds of campaigns")
    parser.add_argument("--minutes", type=minutes, default=Settings.minutes, help="of training (default %(default)s)")
    parser.add_argument("--steps", type=positive, help="end after so many decisions of the learner, if that is earlier")
    parser.add_argument("--envs", type=positive, default=Settings.envs, help="games at once (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the games and the network (default %(default)s)")
    parser.add_argument(
        "--games", type=positive, default=Settings.games, help="of the final evaluation for each seat and opponent"
    )
    parser.add_argument(
        "--out", type=Path, default=Path(), help="folder of the run (default runs/GAME, runs/GAME_2, ...)"
    )
    add_tensorboard(parser, "what Stable-Baselines3 measures, and the win rates")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with the model in this folder")
    args = parser.parse_args()
    with refusing(parser, TypeError, ValueError):
        settings = Settings(**vars(args))
    with refusing(parser):
        from mancala_envs.learning.ppo import train  # Needs the extra [train].

        train(settings)


if __name__ == "__main__":
    main()

"""Stable-Baselines3: train MaskablePPO in single environments, or by self-play in our vector environment.

    python scripts/examples/sb3_maskable_ppo.py --game kalah --steps 100000
    python scripts/examples/sb3_maskable_ppo.py --game kalah --steps 500000 --self-play

Needs ``pip install ".[train]"``. Ctrl-C ends training early; the model so far is saved and evaluated.
`scripts/train.py` is a longer version with a learning curve.
"""

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import ProgressBarCallback
from stable_baselines3.common.env_util import make_vec_env

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program
from mancala_envs.registry import REGISTRY
from mancala_envs.wrappers.sb3 import CountsExtractor, MancalaVecEnv, SelfPlay, snapshot


def against_random(game, **settings):
    """Make a model that trains against random play in eight environments of `gym.make`."""
    envs = make_vec_env(REGISTRY[game].id, n_envs=8, env_kwargs={"opponent": "random"})
    return make_model(envs, n_steps=256, batch_size=256, **settings)


def for_self_play(game, **settings):
    """Make a model that trains on 256 games in parallel, whose opponents `SelfPlay` chooses."""
    envs = MancalaVecEnv(MancalaVectorEnv(game, 256, autoreset_mode="SameStep"))
    return make_model(envs, n_steps=32, batch_size=1024, **settings)


def make_model(envs, **settings):
    network = {"features_extractor_class": CountsExtractor, "net_arch": [64, 64]}
    return MaskablePPO(
        "MlpPolicy", envs, learning_rate=1e-3, n_epochs=4, ent_coef=0.01, policy_kwargs=network, **settings
    )


def main():
    parser = training_program(__doc__, "sb3", "the metrics of Stable-Baselines3")
    parser.add_argument(
        "--self-play", action="store_true", help="add snapshots as opponents, after a fifth of training"
    )
    parser.add_argument("--steps", type=int, default=100_000, help="decisions to train on")
    args = begin(parser)
    make = for_self_play if args.self_play else against_random
    model = make(args.game, seed=args.seed, tensorboard_log=args.tensorboard and str(args.tensorboard))
    progress = ProgressBarCallback()
    opponents = [SelfPlay(after=args.steps // 5, every=args.steps // 10)] if args.self_play else []
    try:
        model.learn(args.steps, callback=[progress, *opponents], tb_log_name=args.out.name)
    except KeyboardInterrupt:
        # `learn(progress_bar=True)` would leave the bar open, whose thread can then block the program.
        if hasattr(progress, "pbar"):
            progress.on_training_end()
        print("interrupted; saving and evaluating the model so far")
    model.save(args.out / "model.zip")
    evaluate_and_write(snapshot(model.policy), args)


if __name__ == "__main__":
    main()

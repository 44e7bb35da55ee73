"""Training by any method."""

from mancala_envs.learning.settings import ALPHAZERO, Settings


def train(settings: Settings) -> None:
    """Train and evaluate an agent, and write the run's folder: see `scripts/train.py`.

    Raises:
        MissingExtra: PyTorch or Stable-Baselines3 is not installed.
    """
    # Each needs the extra [train].
    if settings.method == ALPHAZERO:
        from mancala_envs.learning import alphazero

        alphazero.train(settings)
    else:
        from mancala_envs.learning import ppo

        ppo.train(settings)

"""Optional packages, and the extras of mancala_envs that install them."""

from collections.abc import Iterator
from contextlib import contextmanager

EXTRAS = {
    "jax": "jax",
    "matplotlib": "train",
    "mctx": "jax",
    "optax": "jax",
    "pyarrow": "text",
    "pygame": "render",
    "pyspiel": "open_spiel",
    "ray": "rllib",
    "sb3_contrib": "train",
    "scipy": "benchmark",
    "stable_baselines3": "train",
    "starlette": "play",
    "tensorboard": "train",
    "torch": "train",
    "uvicorn": "play",
}
"""The extra that installs each package, by the name under which it is imported."""


class MissingExtra(ModuleNotFoundError):
    """An optional package is not installed. The message names the extra that installs it."""


@contextmanager
def needs_extra() -> Iterator[None]:
    """Raise `MissingExtra` if an import in the block fails because an optional package is not installed.

        with needs_extra():
            import torch

    Raises:
        MissingExtra: A package of `EXTRAS` is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if isinstance(error, MissingExtra) or package not in EXTRAS:
            raise
        message = f'{package} is not installed: pip install "mancala_envs[{EXTRAS[package]}]"'
        raise MissingExtra(message, name=package) from None

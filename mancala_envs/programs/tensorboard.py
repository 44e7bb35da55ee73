"""The `--tensorboard` option of training programs, and a TensorBoard writer for libraries without one."""

import argparse
import atexit
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path

from mancala_envs.core.extras import MissingExtra, needs_extra

Log = Callable[[str, float, int], object]
"""Called with the name of a curve, its next value and the number of decisions so far."""


def add_tensorboard(parser: argparse.ArgumentParser, measured: str) -> None:
    """Add the option `--tensorboard DIR`, parsed as a `Path` or None.

    Args:
        parser: the parser to extend.
        measured: what the program logs, for the help text.
    """
    parser.add_argument("--tensorboard", type=_folder, metavar="DIR", help=f"log {measured} to this folder")


def _folder(text: str) -> Path:
    try:
        with needs_extra():
            import_module("tensorboard")
    except MissingExtra as missing:
        raise argparse.ArgumentTypeError(str(missing)) from None
    return Path(text)


def run_folder(folder: Path, name: str) -> Path:
    """Return the first of `NAME_1`, `NAME_2`, ... that does not exist in the folder, as Stable-Baselines3 does."""
    return next(run for number in count(1) if not (run := folder / f"{name}_{number}").exists())


def curves(folder: Path | None, name: str) -> Log:
    """Return a function that logs the curves of a new run.

    Args:
        folder: the TensorBoard folder; with None, the function does nothing.
        name: the name of the run.
    """
    if folder is None:
        return lambda curve, value, decisions: None
    with needs_extra():
        from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(run_folder(folder, name))
    atexit.register(writer.close)
    log: Log = writer.add_scalar
    return log

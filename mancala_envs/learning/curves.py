"""Curves for TensorBoard: the option of all programs that learn, and the writer of those whose library has none."""

import argparse
import atexit
from collections.abc import Callable
from importlib.util import find_spec
from itertools import count
from pathlib import Path

Log = Callable[[str, float, int], object]
"""Is told the name of a curve, its next value, and after how many decisions."""


def add_tensorboard(parser: argparse.ArgumentParser, measured: str) -> None:
    """`--tensorboard`, which comes as the path of a folder or None."""
    parser.add_argument("--tensorboard", type=_folder, metavar="DIR", help=f"log there {measured}")


def _folder(text: str) -> Path:
    if find_spec("tensorboard") is None:
        raise argparse.ArgumentTypeError("the package tensorboard is missing: pip install tensorboard")
    return Path(text)


def run_folder(folder: Path, name: str) -> Path:
    """NAME_1 in the folder, as Stable-Baselines3 names its first run, or the first number that no run has yet."""
    return next(run for number in count(1) if not (run := folder / f"{name}_{number}").exists())


def curves(folder: Path | None, name: str) -> Log:
    """Writes the curves of a new run; without a folder nothing."""
    if folder is None:
        return lambda curve, value, decisions: None
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(run_folder(folder, name))
    atexit.register(writer.close)
    log: Log = writer.add_scalar
    return log

"""Learning: policies by MaskablePPO or AlphaZero, values by temporal differences, and experts.

::

    train(Settings("qelat", campaign=True, minutes=4.5))                    # MaskablePPO, with values beside it
    train(Settings("kalah", method="alphazero", minutes=30))                # AlphaZero
    network = fit_values("kalah", seconds=60)                               # Agent("kalah", "minimax", network=network)
    train_experts(Path("runs/experts"), ["kalah"], ExpertSettings())

`AfterstateNetwork`, `SelfPlayGames`, `ReplayBuffer` and `Learner` are parts for a training loop of your own. `train`,
`AfterstateNetwork` and `Learner` need the extra [train]. All other names are private to this package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mancala_envs.learning.experts import ExpertSettings, train_experts
from mancala_envs.learning.self_play import ReplayBuffer, SelfPlayGames
from mancala_envs.learning.settings import Settings
from mancala_envs.learning.training import train
from mancala_envs.learning.values import fit_values

if TYPE_CHECKING:
    from mancala_envs.learning.afterstate_network import AfterstateNetwork
    from mancala_envs.learning.alphazero import Learner

__all__ = [
    "AfterstateNetwork",
    "ExpertSettings",
    "Learner",
    "ReplayBuffer",
    "SelfPlayGames",
    "Settings",
    "fit_values",
    "train",
    "train_experts",
]

_WITH_PYTORCH = {"AfterstateNetwork": "afterstate_network", "Learner": "alphazero"}


def __getattr__(name: str) -> Any:
    if name not in _WITH_PYTORCH:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WITH_PYTORCH[name]}"), name)

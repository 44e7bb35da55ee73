"""A value network for minimax, fitted to the games that a policy over afterstates plays. Needs the extra [train].

Such a policy compares the positions after its own decision, whatever the others can reply. Its values know more than it
can use in this way: a search that evaluates later positions with them plays better. PyTorch is too slow for the
positions of a search, so a small network of `agents.network` learns the values and is compiled into minimax.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import ValueNetwork
from mancala_envs.agents.common import Streams
from mancala_envs.agents.model import Network
from mancala_envs.core.arguments import States
from mancala_envs.core.extras import needs_extra
from mancala_envs.game import Game
from mancala_envs.learning.fit import Floats
from mancala_envs.learning.value_training import RECIPES, fitted, self_play

with needs_extra():
    import torch

    from mancala_envs.wrappers.sb3 import AfterstatePolicy

POSITIONS = 600_000
"""The most positions of self-play."""
EPOCHS = 6
"""How often a position is used."""
OF_SELF_PLAY = 0.6
"""Share of the time that self-play takes; the rest is for fitting."""
AT_ONCE = 512
"""Games of self-play that advance together, at most."""


def values_of(
    policy: AfterstatePolicy, game: Game, seconds: float, at_once: int, seed: int, report: Callable[[str, float], None]
) -> ValueNetwork:
    """Return a value network fitted to the self-play of a policy: to its values, and to the results.

    Args:
        policy: The policy.
        game: The game.
        seconds: About how much CPU time this may take, in seconds.
        at_once: The most games that advance together.
        seed: Seed of openings, chance and the network; actions are drawn with PyTorch's generator.
        report: Called with the stage and its progress, from 0 to 1.
    """
    network, chance = Network(policy), np.random.default_rng(seed)

    def act_with_values(view: States, streams: Streams) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        observations = network.observe(game, np.asarray(view).view(game.dtype), streams)
        with torch.no_grad():
            actions, values, _ = policy(policy.obs_to_tensor(observations)[0])
        return actions.numpy(), values[:, 0].numpy()

    played = self_play(
        game,
        act_with_values,
        POSITIONS,
        OF_SELF_PLAY * seconds,
        chance,
        lambda done: report("self-play for values", done),
        min(at_once, AT_ONCE),
    )
    return fitted(
        game, played, chances_of_rewards, RECIPES[0], EPOCHS, chance, lambda done: report("fitting values", done)
    )


def chances_of_rewards(values: npt.NDArray[Any], scale: float) -> Floats:
    """Return expected rewards (n,), mapped from -1..1 to 0..1."""
    return ((values + 1) / 2).clip(0, 1).astype(np.float32)  # The network's values can lie outside.

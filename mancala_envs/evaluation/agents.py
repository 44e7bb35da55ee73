"""Agents given by name or by the path of a saved model, as on a command line."""

from collections.abc import Callable
from os.path import isfile  # Path.is_file raises OSError for a name that is too long.

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Searcher, resolve
from mancala_envs.core.arguments import States
from mancala_envs.game import Game

Actor = Callable[[States, int], npt.NDArray[np.int64]]
"""Maps (k,) states and a 64-bit seed to the agent's (k,) actions.

The actions depend on nothing else, unless the agent's budget is in milliseconds."""


def require_agent(agent: str, game: Game) -> None:
    """Raise ValueError, listing what is allowed, unless `agent` is the name of an agent or the path of a file."""
    if not isfile(agent):
        resolve(agent, game, who="an agent")


def as_actor(agent: str, game: Game) -> Actor:
    """Return the function that chooses actions for the agent of this name, or for the saved model at this path."""
    return Searcher(game, agent).act

"""Agents by name or path, as programs are given them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import NAMES, Searcher, is_search, load_policy, resolve
from mancala_envs.core.arguments import States
from mancala_envs.evaluation.score import seeded
from mancala_envs.game import Game

Chooser = Callable[[States, int], npt.NDArray[np.int64]]
"""(k,) games in which an agent is to move, and a seed of 64 bits -> its actions (k,), which depend on nothing else,
budgets in milliseconds excepted."""


def require_agent(agent: str, game: Game) -> None:
    """ValueError for what is neither the name of an agent nor the path of a file, saying what is allowed."""
    if not Path(agent).is_file():
        resolve(agent, game, who="an agent")


def chooser(agent: str, game: Game) -> Chooser:
    """Who plays by this name, or the saved model at this path."""
    if agent in NAMES or is_search(agent):
        return Searcher(game, agent).act
    policy = load_policy(agent)

    def choose(states: States, seed: int) -> npt.NDArray[np.int64]:
        with seeded(seed % 2**32):  # NumPy takes no more.
            return np.asarray(policy(game.observe(states), game.legal(states).astype(np.int8)))

    return choose

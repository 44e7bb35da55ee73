"""An agent whose decisions and CPU time are counted."""

from collections.abc import Callable
from time import process_time
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent
from mancala_envs.core.arguments import States

Watch: TypeAlias = Callable[[States | None], None]
"""Called with the states before each request to the agent, and with None when it has answered."""


class Timed:
    """An agent whose decisions and CPU time are counted.

    Args:
        agent: The agent.
        watch: Called before and after each request.
    """

    def __init__(self, agent: Agent, watch: Watch = lambda states: None) -> None:
        self.agent, self._watch = agent, watch
        self.decisions, self._timed, self._seconds = 0, 0, 0.0

    def __call__(self, states: States, seed: int) -> npt.NDArray[np.int64]:
        """Return the agent's actions (n,)."""
        self._watch(states)
        begun = process_time()
        actions = self.agent.act(states, seed)
        if self.decisions:
            self._seconds += process_time() - begun
            self._timed += len(states)
        self.decisions += len(states)
        self._watch(None)
        return actions

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of CPU time a decision, without the first request, which may also compile and load."""
        return 1000 * self._seconds / max(self._timed, 1)

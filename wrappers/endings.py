"""AEC wrappers that end episodes early: after an illegal action, or at a limit on the number of decisions."""

from copy import copy
from typing import Any

import numpy as np

from mancala_envs import IllegalAction
from mancala_envs.wrappers.forms import AECWrapper, is_over
from mancala_envs.wrappers.masks import mask_of, require_discrete

_EPISODE_STATE = (
    "agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos", "agent_selection",
)  # fmt: skip


class _EpisodeEnder(AECWrapper):
    """Base of wrappers that end episodes early; from the end on, the wrapper holds the state of the episode."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Reset the environment."""
        for name in (*_EPISODE_STATE, "_skip_agent_selection"):
            self.__dict__.pop(name, None)
        super().reset(seed=seed, options=options)

    @property
    def _has_ended_episode(self) -> bool:
        return "agents" in self.__dict__

    def _take_over(self) -> None:
        for name in _EPISODE_STATE:
            setattr(self, name, copy(getattr(self.env, name)))

    def step(self, action: Any) -> None:
        """Play the selected agent's action; None for an agent whose game is over."""
        if self._has_ended_episode:
            self._was_dead_step(action)
        else:
            super().step(action)


class IllegalMoves(_EpisodeEnder):
    """AEC: choose what an illegal action does, as in `SoloEnv`, instead of what the environment would do.

    Apply it to any environment with action masks. Apply recorders inside it, so that they record the action played.

    Args:
        env: an AEC environment with Discrete actions.
        illegal: `"lose"` ends the game for all agents, with reward -1 for the agent and +1 shared among the others;
            `"raise"` raises IllegalAction and changes nothing; `"random"` plays a random legal action, which depends on
            the seed of `reset`.

    Raises:
        ValueError: if `illegal` has another value.
        TypeError: if the actions of an agent are not Discrete.
    """

    def __init__(self, env: Any, illegal: str = "lose") -> None:
        if illegal not in ("lose", "raise", "random"):
            raise ValueError(f"illegal must be one of 'lose', 'raise', 'random', got {illegal!r}")
        super().__init__(env)
        require_discrete(env)
        self._illegal = illegal
        self._generator = np.random.default_rng()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Reset the environment."""
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        super().reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """Play the selected agent's action; None for an agent whose game is over."""
        agent = self.agent_selection
        if not is_over(self, agent):
            legal = np.flatnonzero(mask_of(self.env, agent)).tolist()
            if action not in legal:
                if self._illegal == "raise":
                    raise IllegalAction(0, action, legal)
                if self._illegal == "lose":
                    self._lose(agent)
                    return
                action = int(self._generator.choice(legal))
        super().step(action)

    def _lose(self, offender: str) -> None:
        self._take_over()
        share = 1 / max(len(self.agents) - 1, 1)
        self.rewards = {agent: -1.0 if agent == offender else share for agent in self.agents}
        self._cumulative_rewards[offender] = 0.0
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()


class TimeLimit(_EpisodeEnder):
    """AEC: truncate the episode for all agents after a number of decisions.

    Apply it outside all wrappers that change the episode. For Gymnasium environments there is
    ``gym.make(..., max_episode_steps=...)``.

    Args:
        env: an AEC environment.
        max_decisions: maximum number of actions of agents whose game is not over, at least 1.

    Raises:
        ValueError: if max_decisions is below 1.
    """

    def __init__(self, env: Any, max_decisions: int) -> None:
        if max_decisions < 1:
            raise ValueError(f"max_decisions must be at least 1, got {max_decisions}")
        super().__init__(env)
        self._max_decisions = max_decisions
        self._decisions = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Reset the environment."""
        self._decisions = 0
        super().reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """Play the selected agent's action; None for an agent whose game is over."""
        agent = self.agent_selection
        is_decision = not is_over(self, agent)
        super().step(action)
        self._decisions += is_decision
        if self._decisions >= self._max_decisions and not self._has_ended_episode:
            self._truncate()

    def _truncate(self) -> None:
        running = [agent for agent in self.agents if not is_over(self, agent)]
        if running:
            self._take_over()
            self.truncations |= dict.fromkeys(running, True)
            self._deads_step_first()

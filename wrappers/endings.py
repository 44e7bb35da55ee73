"""AEC: episodes that end otherwise than by the rules, by an illegal action or by a limit."""

from copy import copy
from typing import Any

import numpy as np

from mancala_envs import IllegalAction
from mancala_envs.wrappers.forms import AECWrapper, is_over
from mancala_envs.wrappers.masks import discrete, mask_of

_BOOKS = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos", "agent_selection")


class _Referee(AECWrapper):
    """Ends an episode over the environment's head and then keeps the agents' books itself."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As the environment's."""
        for name in (*_BOOKS, "_skip_agent_selection"):
            self.__dict__.pop(name, None)
        super().reset(seed=seed, options=options)

    @property
    def _has_ended_it(self) -> bool:
        return "agents" in self.__dict__

    def _take_over(self) -> None:
        for name in _BOOKS:
            setattr(self, name, copy(getattr(self.env, name)))

    def step(self, action: Any) -> None:
        """The selected agent's action; None for an agent whose game is over."""
        if self._has_ended_it:
            self._was_dead_step(action)
        else:
            super().step(action)


class IllegalMoves(_Referee):
    """What an illegal action does, in words of `SoloEnv`; whatever the environment does itself is not asked.

    `illegal`: `"lose"` ends the game for everyone, with -1 for the offender and +1 shared among the others, so that
    rewards sum to zero; `"raise"` raises IllegalAction and changes nothing; `"random"` plays a legal action, drawn by
    the seed of `reset`. Raises ValueError for another word, TypeError where actions are not Discrete.

    Place: around anything that tells the mask. Recorders go inside, so that they see what is played.
    """

    def __init__(self, env: Any, illegal: str = "lose") -> None:
        if illegal not in ("lose", "raise", "random"):
            raise ValueError(f"illegal must be one of 'lose', 'raise', 'random', got {illegal!r}")
        super().__init__(env)
        discrete(env)
        self._illegal = illegal
        self._generator = np.random.default_rng()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As the environment's."""
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        super().reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """The selected agent's action; None for an agent whose game is over."""
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


class TimeLimit(_Referee):
    """Truncates the episode for all agents after `max_decisions` actions of living ones. ValueError below 1.

    Place: outermost but for what only looks. Gymnasium has its own, ``gym.make(..., max_episode_steps=...)``.
    """

    def __init__(self, env: Any, max_decisions: int) -> None:
        if max_decisions < 1:
            raise ValueError(f"max_decisions must be at least 1, got {max_decisions}")
        super().__init__(env)
        self._max_decisions = max_decisions
        self._decisions = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As the environment's."""
        self._decisions = 0
        super().reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """The selected agent's action; None for an agent whose game is over."""
        agent = self.agent_selection
        lives = not is_over(self, agent)
        super().step(action)
        self._decisions += lives
        if self._decisions >= self._max_decisions and not self._has_ended_it:
            self._truncate()

    def _truncate(self) -> None:
        living = [agent for agent in self.agents if not is_over(self, agent)]
        if living:
            self._take_over()
            self.truncations |= dict.fromkeys(living, True)
            self._deads_step_first()

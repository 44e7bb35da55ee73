"""Any AEC environment as a Gymnasium environment for one agent."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs import IllegalAction
from mancala_envs.agents import Agent
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import whole_number
from mancala_envs.wrappers.forms import is_over
from mancala_envs.wrappers.masks import Mask, bare, bare_space, mask_of, require_discrete

MAX_TRIES = 100
"""Number of consecutive episodes without a decision of the agent after which `reset` gives up."""


class SingleAgent(gym.Env[Any, Any]):
    """Gymnasium environment for one agent of an AEC environment of any library; opponents move inside `step`.

    The observation is the agent's, without the mask (`MaskInObservation` adds it). The reward is the agent's total from
    one decision to the next, so it includes the loser's -1 even if an opponent ends the game. `info["action_mask"]`
    (A,) int8 and `action_masks()` (A,) bool are the legal actions, all of them if the environment has no masks;
    `info["seat"]` is the agent's seat. The AEC environment decides what an illegal action does. Apply AEC wrappers
    inside and Gymnasium wrappers outside.

    >>> env = SingleAgent(kalah_v0.env(), opponent="greedy")

    Args:
        env: the AEC environment, with Discrete actions.
        opponent: `"random"`, a callable (observation without mask, mask) -> action, or, in games of mancala_envs,
            `"greedy"`, a search such as `"minimax:6"` or `"mcts:400"`, or an object with a method `act(states, seed)`;
            or a list of these, one for each other seat, in turn order from the agent's.
        seat: `"random"` (drawn for every episode) or the number of a seat.

    Raises:
        ValueError: if an argument is not allowed.
        TypeError: if the actions of an agent are not Discrete.
        RuntimeError: raised by `reset` if the agent has nothing to decide in MAX_TRIES episodes.
    """

    def __init__(self, env: Any, opponent: Any = "random", seat: int | str = "random") -> None:
        agents = env.possible_agents
        if seat != "random" and seat not in range(len(agents)):
            raise ValueError(f"seat must be 'random' or 0..{len(agents) - 1}, got {seat!r}")
        require_discrete(env)
        seats = agents if seat == "random" else [agents[int(seat)]]
        spaces = [(bare_space(env.observation_space(agent)), env.action_space(agent)) for agent in seats]
        if any(other != spaces[0] for other in spaces):
            raise ValueError("seat='random' needs the same spaces for all agents; choose a number")
        self.observation_space, self.action_space = spaces[0]
        self._num_actions = int(spaces[0][1].n)
        self.env = env
        self.metadata = {name: env.metadata.get(name) for name in ("render_modes", "render_fps")}
        self.render_mode = getattr(env, "render_mode", None)
        self._seat = seat
        self._opponents = self._checked(opponent)
        self._running = False

    def __repr__(self) -> str:
        return f"SingleAgent({self.env!r})"

    __str__ = __repr__

    def _checked(self, opponent: Any) -> list[Any]:
        """Return a list with an opponent for each other seat."""
        others = len(self.env.possible_agents) - 1
        each = list(opponent) if isinstance(opponent, Sequence) and not isinstance(opponent, str) else None
        if each is not None and len(each) != others:
            raise ValueError(f"a list of opponents must have one for each of the {others} other seats, got {each}")
        return [self._known(one) for one in each or [opponent] * others]

    def _known(self, opponent: Any) -> Any:
        if callable(opponent) or (isinstance(opponent, str) and opponent == "random"):
            return opponent
        if isinstance(raw := self.env.unwrapped, RawEnv):
            return Agent(raw.game, opponent)
        raise ValueError(f"opponent must be 'random' or a callable, got {opponent!r}")

    def set_opponent(self, opponent: Any) -> None:
        """Replace the opponents from their next decision on.

        Args:
            opponent: as in the constructor.
        """
        self._opponents = self._checked(opponent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode. The same seed gives the same game, seat and random choices of the opponents."""
        super().reset(seed=seed)
        agents = self.env.possible_agents
        # If an opponent raises an error, no episode is running.
        self._running = False
        for attempt in range(MAX_TRIES):
            self.seat = int(self.np_random.integers(len(agents)) if self._seat == "random" else self._seat)
            self.agent = agents[self.seat]
            self.env.reset(seed=None if attempt else seed, options=options)
            self._play_opponents()
            self._running = not self._is_over()
            if self._running:
                observation, self._owed, _, _, info = self._last()
                return observation, info
        raise RuntimeError(f"{self.agent} had nothing to decide in {MAX_TRIES} episodes")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the agent's action and all replies of the opponents.

        Args:
            action: an integer.

        Returns:
            Observation, reward, terminated, truncated and info.

        Raises:
            gymnasium.error.ResetNeeded: if the episode is over, or an opponent raised an error in the last step.
            TypeError: if `action` is not an integer.
        """
        if not self._running:
            raise gym.error.ResetNeeded("call reset before step: no episode is running")
        chosen = whole_number(action, self._num_actions)
        self.env.step(chosen)
        self._running = False  # as in `reset`
        self._play_opponents()
        self._running = not self._is_over()
        observation, reward, *rest = self._last()
        # Rewards from before the agent's first decision are paid with that decision.
        reward, self._owed = reward + self._owed, 0.0
        return observation, reward, *rest

    def _is_over(self) -> bool:
        return is_over(self.env, self.env.agent_selection)

    def _play_opponents(self) -> None:
        # AEC selects the agent for each of its decisions, and once more when its game is over.
        while self.env.agent_selection != self.agent:
            self.env.step(None if self._is_over() else self._reply(self.env.agent_selection))

    def _reply(self, agent: str) -> int:
        agents = self.env.possible_agents
        opponent = self._opponents[(agents.index(agent) - self.seat) % len(agents) - 1]
        mask = mask_of(self.env, agent)
        if isinstance(opponent, str):
            return int(self.np_random.choice(np.flatnonzero(mask)))
        if callable(opponent):
            answer = opponent(bare(self.env.observe(agent)), mask)
        else:
            raw, seed = self.env.unwrapped, int(self.np_random.integers(2**63))
            (answer,) = opponent.act(raw.game.copies(raw.record, 1, seed, raw.record["to_move"]), seed)
        action = whole_number(answer, self._num_actions, f"the action of opponent {opponent!r}")
        if not (0 <= action < len(mask) and mask[action]):
            who = opponent.agent if isinstance(opponent, Agent) else opponent
            raise IllegalAction(0, action, np.flatnonzero(mask).tolist(), repr(who))
        return action

    def _last(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        # A copy, because after a refused action some environments return the same objects again.
        observation, reward, terminated, truncated, info = deepcopy(self.env.last())
        info = {**info, "action_mask": self._mask(), "seat": self.seat}
        return bare(observation), float(reward), bool(terminated), bool(truncated), info

    def _mask(self) -> Mask:
        """Return the agent's mask (A,) int8, all zeros once its game is over."""
        if not self._running:
            return np.zeros(self._num_actions, np.int8)
        return np.array(mask_of(self.env, self.agent), np.int8)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions (A,) bool, the method that MaskablePPO looks for."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """Render the AEC environment."""
        return self.env.render()

    def close(self) -> None:
        """Close the AEC environment."""
        self.env.close()

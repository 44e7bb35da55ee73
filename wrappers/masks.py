"""Where the mask is: in the observation or in the info, as a library wants it."""

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from mancala_envs.wrappers.forms import AECWrapper

Mask = npt.NDArray[np.int8]
Masked = dict[str, Any]
"""{"observation": ..., "action_mask": ...}"""


def holds_mask(space: gym.Space[Any]) -> bool:
    """Whether observations of `space` are dictionaries of an observation and its mask."""
    return isinstance(space, gym.spaces.Dict) and {"observation", "action_mask"} <= set(space.spaces)


def bare(observation: Any) -> Any:
    """The observation without its mask."""
    masked = isinstance(observation, dict) and "action_mask" in observation
    return observation["observation"] if masked else observation


def bare_space(space: gym.Space[Any]) -> gym.Space[Any]:
    """The space of what `bare` leaves."""
    return space["observation"] if isinstance(space, gym.spaces.Dict) and holds_mask(space) else space


def mask_of(env: Any, agent: str) -> Mask:
    """(A,) int8: what `agent` of an AEC environment may play, told by observation or info; all where neither does."""
    observation = env.observe(agent)
    told = observation if isinstance(observation, dict) else env.infos[agent]
    if "action_mask" not in told:
        return np.ones(env.action_space(agent).n, np.int8)
    mask: Mask = told["action_mask"]
    return mask


def discrete(env: Any) -> None:
    """TypeError unless all agents of an AEC environment have numbered actions, which alone can be masked."""
    for agent in env.possible_agents:
        if not isinstance(env.action_space(agent), gym.spaces.Discrete):
            raise TypeError(f"actions must be Discrete, those of {agent} are {env.action_space(agent)}")


class MaskInInfo(AECWrapper):
    """AEC: the observation bare, the mask in `infos[agent]["action_mask"]`.

    ValueError where observations hold no mask. Place: around `StackObservations` and all that looks for masks.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        for agent in env.possible_agents:
            if not holds_mask(env.observation_space(agent)):
                raise ValueError(f"the observations of {agent} hold no action_mask: {env.observation_space(agent)}")
        self._spaces = {agent: bare_space(env.observation_space(agent)) for agent in env.possible_agents}

    def observation_space(self, agent: str) -> gym.Space[Any]:
        """The same object at every call."""
        return self._spaces[agent]

    def observe(self, agent: str) -> Any:
        """What `agent` sees now."""
        return bare(self.env.observe(agent))

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """By agent; changing them changes nothing."""
        return {agent: {**info, "action_mask": mask_of(self.env, agent)} for agent, info in self.env.infos.items()}


class MaskInObservationOnly(AECWrapper):
    """AEC: infos without the mask, for libraries that take it from the observation and are confused by another.

    TorchRL 0.14 is, where infos say more than the mask, as those of campaigns do. Place: outermost.
    """

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """By agent; changing them changes nothing."""
        return {agent: {k: v for k, v in info.items() if k != "action_mask"} for agent, info in self.env.infos.items()}


def masked_space(observation: gym.Space[Any], action: Any) -> gym.spaces.Dict:
    """The space of observations that hold a mask of the Discrete space `action`."""
    mask = gym.spaces.Box(0, 1, (int(action.n),), np.int8)
    return gym.spaces.Dict({"observation": observation, "action_mask": mask})


class MaskInObservation(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Gymnasium: {"observation": the observation, "action_mask": (A,) int8 of the info}.

    Place: outermost, around stacking, symmetries and statistics.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        gym.utils.RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        self.observation_space = masked_space(env.observation_space, env.action_space)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Masked, dict[str, Any]]:
        """As the environment's."""
        observation, info = self.env.reset(seed=seed, options=options)
        return {"observation": observation, "action_mask": info["action_mask"]}, info

    def step(self, action: Any) -> tuple[Masked, Any, bool, bool, dict[str, Any]]:
        """As the environment's."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        masked = {"observation": observation, "action_mask": info["action_mask"]}
        return masked, reward, terminated, truncated, info


class VectorMaskInObservation(VectorWrapper):
    """`MaskInObservation` of a vector environment, `final_obs` included. Place: outermost."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self.single_observation_space = masked_space(env.single_observation_space, env.single_action_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Masked, dict[str, Any]]:
        """As the environment's."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return {"observation": observations, "action_mask": infos["action_mask"]}, infos

    def step(self, actions: Any) -> tuple[Masked, Any, Any, Any, dict[str, Any]]:
        """As the environment's."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and "final_obs" in infos:
            final_masks = infos["final_info"]["action_mask"]
            for i in np.flatnonzero(infos["_final_obs"]):
                infos["final_obs"][i] = {"observation": infos["final_obs"][i], "action_mask": final_masks[i]}
        masked = {"observation": observations, "action_mask": infos["action_mask"]}
        return masked, rewards, terminated, truncated, infos

"""Move the action mask into the observation or into the info, as a training library requires."""

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
    """Return whether observations of `space` are dicts with the keys `observation` and `action_mask`."""
    return isinstance(space, gym.spaces.Dict) and {"observation", "action_mask"} <= set(space.spaces)


def bare(observation: Any) -> Any:
    """Return an observation without its mask."""
    masked = isinstance(observation, dict) and "action_mask" in observation
    return observation["observation"] if masked else observation


def bare_space(space: gym.Space[Any]) -> gym.Space[Any]:
    """Return the space of observations without their mask."""
    return space["observation"] if isinstance(space, gym.spaces.Dict) and holds_mask(space) else space


def mask_of(env: Any, agent: str) -> Mask:
    """Return an agent's action mask (A,) int8, from its observation or info in an AEC environment; all ones if none."""
    observation = env.observe(agent)
    source = observation if isinstance(observation, dict) else env.infos[agent]
    if "action_mask" not in source:
        return np.ones(env.action_space(agent).n, np.int8)
    mask: Mask = source["action_mask"]
    return mask


def require_discrete(env: Any) -> None:
    """Raise TypeError unless all agents of an AEC environment have Discrete actions; only these can be masked."""
    for agent in env.possible_agents:
        if not isinstance(env.action_space(agent), gym.spaces.Discrete):
            raise TypeError(f"actions must be Discrete, those of {agent} are {env.action_space(agent)}")


class MaskInInfo(AECWrapper):
    """AEC: move the mask from the observation to `infos[agent]["action_mask"]`.

    Apply it outside `StackObservations` and all wrappers that read masks.

    Args:
        env: an AEC environment whose observations hold masks.

    Raises:
        ValueError: if an agent's observations hold no mask.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        for agent in env.possible_agents:
            if not holds_mask(env.observation_space(agent)):
                raise ValueError(f"the observations of {agent} hold no action_mask: {env.observation_space(agent)}")
        self._spaces = {agent: bare_space(env.observation_space(agent)) for agent in env.possible_agents}

    def observation_space(self, agent: str) -> gym.Space[Any]:
        """Return the agent's observation space, the same object at every call."""
        return self._spaces[agent]

    def observe(self, agent: str) -> Any:
        """Return the agent's current observation, without the mask."""
        return bare(self.env.observe(agent))

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """A copy of the infos by agent, with masks."""
        return {agent: {**info, "action_mask": mask_of(self.env, agent)} for agent, info in self.env.infos.items()}


class MaskInObservationOnly(AECWrapper):
    """AEC: remove the mask from the infos, for libraries that read it from the observation.

    TorchRL 0.14 needs this if the infos hold more than the mask, as in campaigns. Apply it outside all other wrappers.
    """

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """A copy of the infos by agent, without masks."""
        return {agent: {k: v for k, v in info.items() if k != "action_mask"} for agent, info in self.env.infos.items()}


def masked_space(observation: gym.Space[Any], action: Any) -> gym.spaces.Dict:
    """Return the space of observations that hold a mask for the Discrete space `action`."""
    mask = gym.spaces.Box(0, 1, (int(action.n),), np.int8)
    return gym.spaces.Dict({"observation": observation, "action_mask": mask})


class MaskInObservation(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Gymnasium: make the observation a dict with `observation` and `action_mask` (A,) int8, copied from the info.

    Apply it outside all other wrappers, such as stacking, symmetries and statistics.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        gym.utils.RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        self.observation_space = masked_space(env.observation_space, env.action_space)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Masked, dict[str, Any]]:
        """Reset the environment."""
        observation, info = self.env.reset(seed=seed, options=options)
        return {"observation": observation, "action_mask": info["action_mask"]}, info

    def step(self, action: Any) -> tuple[Masked, Any, bool, bool, dict[str, Any]]:
        """Step the environment."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        masked = {"observation": observation, "action_mask": info["action_mask"]}
        return masked, reward, terminated, truncated, info


class VectorMaskInObservation(VectorWrapper):
    """`MaskInObservation` for vector environments, including `final_obs`. Apply it outside all other wrappers."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self.single_observation_space = masked_space(env.single_observation_space, env.single_action_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Masked, dict[str, Any]]:
        """Reset the environment."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return {"observation": observations, "action_mask": infos["action_mask"]}, infos

    def step(self, actions: Any) -> tuple[Masked, Any, Any, Any, dict[str, Any]]:
        """Step the environment."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and "final_obs" in infos:
            final_masks = infos["final_info"]["action_mask"]
            for i in np.flatnonzero(infos["_final_obs"]):
                infos["final_obs"][i] = {"observation": infos["final_obs"][i], "action_mask": final_masks[i]}
        masked = {"observation": observations, "action_mask": infos["action_mask"]}
        return masked, rewards, terminated, truncated, infos

"""Pay the learner a little for every seed that enters their store."""

import gymnasium as gym

import mancala_envs  # registers every game


class SeedsStored(gym.Wrapper):
    """Pay `weight` for every seed that enters the learner's store."""

    def __init__(self, env, weight=0.01):
        super().__init__(env)
        self.weight = weight

    def _stored(self, info):
        return int(self.env.unwrapped.record.store[0][info["seat"]])

    def reset(self, **arguments):
        observation, info = self.env.reset(**arguments)
        self.before = self._stored(info)
        return observation, info

    def step(self, action):
        observation, reward, terminated, truncated, info = self.env.step(action)
        stored, before = self._stored(info), self.before
        self.before = stored
        return observation, reward + self.weight * (stored - before), terminated, truncated, info


env = SeedsStored(gym.make("mancala_envs/Kalah-v0", reward="margin"))
observation, info = env.reset(seed=1)
total, over = 0.0, False
while not over:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    total, over = total + reward, terminated or truncated
print(f"paid {total:.2f}")

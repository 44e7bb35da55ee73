"""Film games of every seat."""

from pathlib import Path

from pettingzoo.utils.wrappers import RecordVideo

from mancala_envs import niranchy_v0

env = RecordVideo(niranchy_v0.env(render_mode="rgb_array"), "seats", name_prefix="niranchy")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
env.close()
print(*Path("seats").iterdir())

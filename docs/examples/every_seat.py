"""Play every seat, and show the rewards at the end."""

from mancala_envs import kalah_v0

env = kalah_v0.env()
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(agent, reward, observation["action_mask"])
        env.step(None)
    else:
        env.step(env.action_space(agent).sample(observation["action_mask"]))

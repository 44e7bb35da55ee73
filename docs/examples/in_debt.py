"""Play a campaign from a position in debt."""

from mancala_envs import ceelkoqyuqkoqiji_v0
from mancala_envs.wrappers import Campaign

env = Campaign(ceelkoqyuqkoqiji_v0.env(), max_rounds=20, round_reward=0.1)
in_debt = {"sold_to": [1, 1] + [-1] * 8, "holes": [0, 0] + [5] * 8, "store": [0, 10], "debt": [[0, 4], [0, 0]]}
env.reset(seed=1, options={"position": {**in_debt, "round_number": 5}})
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
print(info["round_number"], info["owned"], info["worth"], info["debt"])

"""Train MaskablePPO of Stable-Baselines3 for a few seconds."""

from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import mancala_envs  # registers every game
from mancala_envs.evaluation import evaluate

envs = make_vec_env("mancala_envs/Kalah-v0", n_envs=4, env_kwargs={"opponent": "random"})
model = MaskablePPO("MlpPolicy", envs, n_steps=256, seed=1)
model.learn(3000)
model.save("kalah.zip")
print("greedy against the model:", evaluate("greedy", "kalah", "kalah.zip", games=100, seed=1))

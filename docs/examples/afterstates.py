"""Train MaskablePPO over afterstates."""

from sb3_contrib import MaskablePPO

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import evaluate
from mancala_envs.wrappers import ObserveAfterstates
from mancala_envs.wrappers.sb3 import AfterstatePolicy, MancalaVecEnv, SelfPlay

envs = MancalaVectorEnv("kalah", 64, autoreset_mode="SameStep", opening=(0, 10))
model = MaskablePPO(AfterstatePolicy, MancalaVecEnv(ObserveAfterstates(envs)), n_steps=32, batch_size=512, gamma=1.0)
model.learn(8192, callback=SelfPlay(after=2048, every=2048))
model.save("afterstates.zip")
print(evaluate("afterstates.zip", "kalah", "random", games=100))

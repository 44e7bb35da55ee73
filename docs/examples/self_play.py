"""Train against snapshots of the learner."""

from sb3_contrib import MaskablePPO

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import League
from mancala_envs.wrappers.sb3 import CountsExtractor, MancalaVecEnv, SelfPlay

envs = MancalaVecEnv(MancalaVectorEnv("kalah", 64, autoreset_mode="SameStep"))
model = MaskablePPO(
    "MlpPolicy", envs, n_steps=16, batch_size=256, policy_kwargs={"features_extractor_class": CountsExtractor}, seed=1
)
self_play = SelfPlay(League(), after=1024, every=1024)
model.learn(4096, callback=self_play)
print(len(self_play.league.members), "opponents:", self_play.league.win_rates.round(2))

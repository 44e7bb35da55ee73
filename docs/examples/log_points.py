"""Log the points against a fixed opponent during training."""

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import evaluate
from mancala_envs.wrappers.sb3 import MancalaVecEnv, snapshot


class Points(BaseCallback):
    """Log the points against greedy every `every` decisions."""

    def __init__(self, every):
        super().__init__()
        self.every, self.next = every, every

    def _on_step(self):
        return True

    def _on_rollout_end(self):
        if self.num_timesteps >= self.next:
            self.next += self.every
            score = evaluate(snapshot(self.model.policy), "kalah", "greedy", games=100)
            self.logger.record("evaluation/greedy", score.points)
            print(self.num_timesteps, score)


envs = MancalaVecEnv(MancalaVectorEnv("kalah", 64, opponent="greedy", autoreset_mode="SameStep"))
model = MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=256, tensorboard_log="runs/tensorboard", seed=1)
model.learn(4096, callback=Points(every=2048))

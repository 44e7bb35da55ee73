"""Save a PyTorch network as a MaskablePPO model."""

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from mancala_envs.envs.solo import SoloEnv
from mancala_envs.evaluation import evaluate

network = nn.Sequential(nn.Linear(16 * 17, 256), nn.ReLU(), nn.Linear(256, 7))  # untrained; use yours here


class OneHot(BaseFeaturesExtractor):
    """Encode every column as one of 16 levels, as `judge` does."""

    def __init__(self, space):
        super().__init__(space, features_dim=16 * len(space.high))

    def forward(self, observations):
        return nn.functional.one_hot(observations.long().clamp(max=15), 16).flatten(1).float()


shape = {"features_extractor_class": OneHot, "net_arch": [256], "activation_fn": nn.ReLU}
model = MaskablePPO("MlpPolicy", SoloEnv("kalah"), policy_kwargs=shape)
policy, (hidden, _, output) = model.policy, network
with torch.no_grad():
    policy.mlp_extractor.policy_net[0].load_state_dict(hidden.state_dict())
    policy.action_net.weight.copy_(output.weight[:-1])  # the last output is the value
    policy.action_net.bias.copy_(output.bias[:-1])
model.save("my_ppo.zip")
print(evaluate("my_ppo.zip", "kalah", "random", games=100, seed=1))

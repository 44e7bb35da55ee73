"""Tianshou 2: train a double DQN with action masks against a mixture of opponents.

    python scripts/examples/tianshou_dqn.py --game kalah --steps 100000

Needs ``pip install ".[tianshou]"``. Ctrl-C ends training early; the policy so far is saved and evaluated.
"""

import gymnasium as gym
import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils import TensorboardLogger
from torch import nn
from torch.utils.tensorboard import SummaryWriter

from mancala_envs.agents import Mixture
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program
from mancala_envs.programs.tensorboard import run_folder
from mancala_envs.registry import REGISTRY

ENVS = 32


class WithMask(gym.Wrapper):
    """Puts the mask into the observation, under the keys that Tianshou reads; it ignores masks in infos."""

    def __init__(self, env):
        super().__init__(env)
        mask = gym.spaces.MultiBinary(int(env.action_space.n))
        self.observation_space = gym.spaces.Dict({"obs": env.observation_space, "mask": mask})

    def reset(self, **arguments):
        observation, info = self.env.reset(**arguments)
        return {"obs": observation, "mask": info["action_mask"]}, info

    def step(self, action):
        observation, *results, info = self.env.step(action)
        return {"obs": observation, "mask": info["action_mask"]}, *results, info


class QNetwork(nn.Module):
    """Returns the values of all actions.

    Every count in every column has its own embedding, because one seed more or less makes a different move.
    """

    def __init__(self, high, actions, width=128):
        super().__init__()
        numbers = torch.as_tensor(high, dtype=torch.int64) + 1
        self.register_buffer("offsets", numbers.cumsum(0) - numbers)
        self.counts = nn.EmbeddingBag(int(numbers.sum()), width, mode="sum")
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, actions))
        nn.init.normal_(self.counts.weight, std=len(numbers) ** -0.5)

    def forward(self, observations, state=None, info=None):
        return self.rest(self.counts(torch.as_tensor(observations) + self.offsets)), state


def tensorboard(folder, name):
    """Make Tianshou's TensorBoard logger for a new run."""
    return TensorboardLogger(SummaryWriter(run_folder(folder, name)), update_interval=10)


def as_policy(policy):
    """Return the greedy policy in the form that `evaluate` takes."""

    @torch.no_grad()
    def play(observations, masks):
        return policy(Batch(obs=Batch(obs=observations, mask=masks), info=Batch())).act

    return play


def main():
    parser = training_program(__doc__, "tianshou", "Tianshou's metrics")
    parser.add_argument("--steps", type=int, default=100_000, help="decisions to train on")
    args = begin(parser)
    np.random.seed(args.seed)  # Tianshou's exploration uses this generator.

    def make():
        return WithMask(gym.make(REGISTRY[args.game].id, opponent=Mixture(("random", "greedy"))))

    envs = DummyVectorEnv([make] * ENVS)
    envs.seed(args.seed)
    space = make().observation_space
    network = QNetwork(space["obs"].high, space["mask"].n)
    policy = DiscreteQLearningPolicy(model=network, action_space=gym.spaces.Discrete(space["mask"].n))
    algorithm = DQN(
        policy=policy, optim=AdamOptimizerFactory(lr=5e-4), gamma=0.99, n_step_return_horizon=3, target_update_freq=200
    )
    collector = Collector(policy, envs, VectorReplayBuffer(100_000, ENVS), exploration_noise=True)
    training = OffPolicyTrainerParams(
        logger=tensorboard(args.tensorboard, args.out.name) if args.tensorboard else None,
        training_collector=collector,
        max_epochs=1,
        epoch_num_steps=args.steps,
        collection_step_num_env_steps=8 * ENVS,
        update_step_num_gradient_steps_per_sample=1 / 16,
        batch_size=256,
        # Epsilon falls from 1 to 0.05 in the first half of training.
        training_fn=lambda _, step: policy.set_eps_training(max(0.05, 1 - 1.9 * step / args.steps)),
    )
    try:
        algorithm.run_training(training)
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    torch.save(policy.state_dict(), args.out / "policy.pt")
    evaluate_and_write(as_policy(policy), args)


if __name__ == "__main__":
    main()

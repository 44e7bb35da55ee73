"""AgileRL: train a double DQN with action masks against an opponent, in our vector environment.

    python scripts/examples/agilerl_dqn.py --game kalah --steps 64000

Needs ``pip install ".[agilerl]"``. Ctrl-C ends training early; the agent so far is saved and evaluated.
"""

import gymnasium as gym
import numpy as np
from agilerl.algorithms import DQN
from agilerl.components import ReplayBuffer
from agilerl.networks.q_networks import QNetwork
from agilerl.training.train_off_policy import train_off_policy

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program

LEVELS = 16
"""Number of one-hot features for each count."""


class Features(gym.vector.VectorWrapper):
    """Encodes counts scaled and one-hot, because one seed more makes a different move, and appends the mask."""

    def __init__(self, envs):
        super().__init__(envs)
        self.high = envs.single_observation_space.high.astype(np.float32)
        self.counts = np.flatnonzero(self.high > 1)
        width = len(self.high) + len(self.counts) * LEVELS + envs.single_action_space.n
        self.single_observation_space = gym.spaces.Box(0, 1, (width,), np.float32)
        self.observation_space = gym.vector.utils.batch_space(self.single_observation_space, self.num_envs)

    def reset(self, **arguments):
        observations, infos = self.env.reset(**arguments)
        return self.features(observations, infos["action_mask"]), infos

    def step(self, actions):
        observations, *results, infos = self.env.step(actions)
        return self.features(observations, infos["action_mask"]), *results, infos

    def features(self, observations, masks):
        one_hot = observations[:, self.counts, None] == np.arange(LEVELS)
        parts = observations / self.high, one_hot.reshape(len(observations), -1), masks
        return np.concatenate(parts, axis=1, dtype=np.float32)


class MaskedQ(QNetwork):
    """A Q-network that values illegal actions below any result of a game, so that targets ignore them."""

    def forward(self, obs):
        values = super().forward(obs)
        return values.masked_fill(obs[:, -values.shape[1] :] == 0, -2.0)


def as_policy(agent, envs):
    """Return the agent's greedy policy in the form that `evaluate` takes."""

    def policy(observations, masks):
        return agent.get_action(envs.features(observations, masks), epsilon=0.0, action_mask=masks)

    return policy


def main():
    parser = training_program(__doc__, "agilerl", "AgileRL's metrics")
    parser.add_argument("--opponent", choices=("random", "greedy"), default="random", help="opponent in training")
    parser.add_argument("--steps", type=int, default=64_000, help="decisions to train on")
    parser.add_argument("--envs", type=int, default=64, help="games played in parallel")
    args = begin(parser)
    # With another autoreset mode the buffer would hold transitions from one game to the next.
    envs = Features(MancalaVectorEnv(args.game, args.envs, opponent=args.opponent, autoreset_mode="SameStep"))
    envs.reset(seed=args.seed)
    spaces = envs.single_observation_space, envs.single_action_space
    net = {"encoder_config": {"hidden_size": [256]}, "latent_dim": 128, "head_config": {"hidden_size": [128]}}
    agent = DQN(*spaces, actor_network=MaskedQ(*spaces, **net), batch_size=256, lr=5e-4, learn_step=16, tau=0.01)
    memory = ReplayBuffer(100_000)
    try:
        train_off_policy(
            envs, args.game, "DQN", [agent], memory,
            max_steps=args.steps, evo_steps=250 * args.envs, eps_end=0.05, eps_decay=0.998, learning_delay=2_000,
            tensorboard=args.tensorboard is not None, tensorboard_log_dir=args.tensorboard,
        )  # fmt: skip
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    agent.save_checkpoint(args.out / "agent.pt")
    agent.set_training_mode(False)
    evaluate_and_write(as_policy(agent, envs), args)


if __name__ == "__main__":
    main()

"""RLlib: train PPO with action masks by playing all seats itself, on one machine or on a Ray cluster.

    python scripts/examples/rllib_self_play.py --game kalah --minutes 3
    python scripts/examples/rllib_self_play.py --game qelat --minutes 60 --address auto --num-env-runners 64

Needs ``pip install ".[rllib]"``, on every node of a cluster. Ctrl-C ends training early; the policy so far
is saved and evaluated.
"""

import os
import signal
import time
from threading import Event

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray reads this at import: send no usage reports.

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune import register_env
from torch import nn

from mancala_envs.envs.aec import RawEnv
from mancala_envs.evaluation import evaluate
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program
from mancala_envs.programs.tensorboard import curves

LEVELS = 16
"""Number of one-hot features for each count."""


class MaskedNet(TorchRLModule, ValueFunctionAPI):
    """Policy and value with a shared body; illegal actions have probability zero. All seats use this module."""

    def setup(self):
        high = torch.as_tensor(self.observation_space["observation"].high.astype(np.float32))
        self.register_buffer("high", high)
        self.register_buffer("counts", torch.nonzero(high > 1).flatten())
        features, width = len(high) + len(self.counts) * LEVELS, 128
        self.body = nn.Sequential(nn.Linear(features, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.logits, self.value = nn.Linear(width, self.action_space.n), nn.Linear(width, 1)

    def embed(self, batch):
        """Encode counts scaled and one-hot, because one seed more makes a different move, and apply the body."""
        observation = batch[Columns.OBS]["observation"]
        one_hot = observation[:, self.counts].unsqueeze(-1) == torch.arange(LEVELS, device=observation.device)
        return self.body(torch.cat([observation / self.high, one_hot.flatten(1).float()], dim=1))

    def _forward(self, batch, **_):
        logits = self.logits(self.embed(batch))
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(batch[Columns.OBS]["action_mask"] == 0, -1e9)}

    def compute_values(self, batch, embeddings=None):
        return self.value(self.embed(batch)).squeeze(-1)


def as_policy(module):
    """Return an RLModule's stochastic policy in the form that `evaluate` takes."""

    def policy(observations, masks):
        batch = {"observation": torch.as_tensor(observations), "action_mask": torch.as_tensor(masks)}
        with torch.no_grad():
            logits = module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
        return torch.distributions.Categorical(logits=logits).sample().numpy()

    return policy


def build_algorithm(game, num_env_runners, seed):
    register_env("mancala", lambda config: PettingZooEnv(RawEnv(**config)))
    return (
        PPOConfig()
        .environment("mancala", env_config={"game": game})
        .env_runners(num_env_runners=num_env_runners, num_envs_per_env_runner=16)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": RLModuleSpec(module_class=MaskedNet)}))
        .training(
            train_batch_size_per_learner=4096, minibatch_size=256, num_epochs=6, lr=1e-3, gamma=0.995, lambda_=0.95,
            entropy_coeff=0.01, use_kl_loss=False, grad_clip=0.5,
        )
        .debugging(seed=seed, log_level="ERROR")
        .build_algo()
    )  # fmt: skip


def main():
    parser = training_program(__doc__, "rllib", "points against random, and losses")
    parser.add_argument("--minutes", type=float, default=3, help="minutes of training")
    parser.add_argument("--iterations", type=int, help="maximum number of training iterations (default: no limit)")
    parser.add_argument("--num-env-runners", type=int, default=2, help="processes that play")
    parser.add_argument(
        "--address", default="local", help="address of a Ray cluster, or auto (default: start a local one)"
    )
    args = begin(parser)
    own = {"num_cpus": args.num_env_runners + 1, "include_dashboard": False, "object_store_memory": 200 * 2**20}
    ray.init(args.address, **(own if args.address == "local" else {}))
    algo = build_algorithm(args.game, args.num_env_runners, args.seed)
    nodes = algo.env_runner_group.foreach_env_runner(
        lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=not args.num_env_runners
    )
    print(f"{len(nodes)} env runners on {len(set(nodes))} nodes", flush=True)
    # RLlib logs to TensorBoard only when run by Tune.
    log = curves(args.tensorboard, args.out.name)
    end, iteration, stopped = time.monotonic() + args.minutes * 60, 0, Event()
    # A KeyboardInterrupt can get lost inside Ray, so the handler sets a flag and training ends after the iteration.
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    while time.monotonic() < end and iteration != args.iterations and not stopped.is_set():
        result = algo.train()
        iteration = result["training_iteration"]
        score = evaluate(as_policy(algo.get_module("shared")), args.game, games=200)
        steps = result["env_runners"]["num_env_steps_sampled_lifetime"]
        print(f"{iteration:4d} {steps:9,.0f} decisions; against random {score}", flush=True)
        log("points/random", score.points, steps)
        for name in ("policy_loss", "vf_loss", "entropy"):
            log(f"learner/{name}", result["learners"]["shared"][name], steps)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if stopped.is_set():
        print("interrupted; saving and evaluating the model so far")
    module = algo.get_module("shared")
    module.save_to_path(args.out.resolve() / "module")
    evaluate_and_write(as_policy(module), args)
    algo.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()

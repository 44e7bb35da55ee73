"""RLlib: PPO with action masks learns a game by playing all seats itself, on one machine or on a Ray cluster.

    python scripts/examples/rllib_self_play.py --game kalah --minutes 3
    python scripts/examples/rllib_self_play.py --game qelat --minutes 60 --address auto --num-env-runners 64

Needs ``pip install "mancala_envs[rllib]"``, on every node of a cluster. Ctrl-C ends training early; what was learnt
until then is saved and evaluated all the same.
"""

import argparse
import json
import os
import signal
import time
from pathlib import Path
from threading import Event

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray is to report to nobody; it looks at its import.

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
from mancala_envs.learning.curves import add_tensorboard, curves
from mancala_envs.registry import REGISTRY
from mancala_envs.wrappers import evaluate

LEVELS = 16
"""Numbers of seeds that the network tells apart by a switch for each."""


class MaskedNet(TorchRLModule, ValueFunctionAPI):
    """Policy and value over one body; illegal actions get no probability. Every seat plays with this one network."""

    def setup(self):
        high = torch.as_tensor(self.observation_space["observation"].high.astype(np.float32))
        self.register_buffer("high", high)
        self.register_buffer("counts", torch.nonzero(high > 1).flatten())
        features, width = len(high) + len(self.counts) * LEVELS, 128
        self.body = nn.Sequential(nn.Linear(features, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.logits, self.value = nn.Linear(width, self.action_space.n), nn.Linear(width, 1)

    def embed(self, batch):
        """Counts as parts of their bound and as switches: one seed more is another move altogether."""
        observation = batch[Columns.OBS]["observation"]
        switches = observation[:, self.counts].unsqueeze(-1) == torch.arange(LEVELS, device=observation.device)
        return self.body(torch.cat([observation / self.high, switches.flatten(1).float()], dim=1))

    def _forward(self, batch, **_):
        logits = self.logits(self.embed(batch))
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(batch[Columns.OBS]["action_mask"] == 0, -1e9)}

    def compute_values(self, batch, embeddings=None):
        return self.value(self.embed(batch)).squeeze(-1)


def as_policy(module):
    """What an RLModule plays, drawn by its probabilities, as `evaluate` asks for it: for a batch."""

    def policy(observations, masks):
        batch = {"observation": torch.as_tensor(observations), "action_mask": torch.as_tensor(masks)}
        with torch.no_grad():
            logits = module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
        return torch.distributions.Categorical(logits=logits).sample().numpy()

    return policy


def learner(game, num_env_runners, seed):
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=REGISTRY, default="kalah")
    parser.add_argument("--minutes", type=float, default=3, help="length of training (default %(default)s)")
    parser.add_argument("--iterations", type=int, help="end after so many updates, if that is earlier")
    parser.add_argument("--num-env-runners", type=int, default=2, help="processes that play (default %(default)s)")
    parser.add_argument(
        "--address", default="local", help="of a running Ray cluster, or auto (default: one of its own)"
    )
    parser.add_argument("--games", type=int, default=400, help="of the evaluation, for each opponent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="folder of the run (default runs/rllib-GAME)")
    add_tensorboard(parser, "win rates against random, and losses")
    args = parser.parse_args()
    out = (args.out or Path("runs") / f"rllib-{args.game}").resolve()
    own = {"num_cpus": args.num_env_runners + 1, "include_dashboard": False, "object_store_memory": 200 * 2**20}
    ray.init(args.address, **(own if args.address == "local" else {}))
    torch.set_num_threads(1)  # Networks this small learn no faster on more, and far slower on busy cores.
    torch.manual_seed(args.seed)
    algo = learner(args.game, args.num_env_runners, args.seed)
    nodes = algo.env_runner_group.foreach_env_runner(
        lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=not args.num_env_runners
    )
    print(f"{len(nodes)} env runners on {len(set(nodes))} nodes", flush=True)
    # RLlib has no logger for TensorBoard but under Tune.
    log = curves(args.tensorboard, out.name)
    end, iteration, stopped = time.monotonic() + args.minutes * 60, 0, Event()
    # Within Ray an interrupt can get lost: training ends by it when the iteration is over.
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    while time.monotonic() < end and iteration != args.iterations and not stopped.is_set():
        result = algo.train()
        iteration = result["training_iteration"]
        score = evaluate(as_policy(algo.get_module("shared")), args.game, games=200)
        steps = result["env_runners"]["num_env_steps_sampled_lifetime"]
        print(f"{iteration:4d} {steps:9,.0f} decisions; against random {score}", flush=True)
        log("win_rate/random", score.win_rate, steps)
        for name in ("policy_loss", "vf_loss", "entropy"):
            log(f"learner/{name}", result["learners"]["shared"][name], steps)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if stopped.is_set():
        print("interrupted; saving and evaluating the model so far")
    module = algo.get_module("shared")
    module.save_to_path(out / "module")
    scores = {}
    for opponent in ("random", "greedy"):
        score = evaluate(as_policy(module), args.game, opponent, games=args.games)
        scores[opponent] = score.as_dict()
        print(f"against {opponent:7s} {score}")
    (out / "evaluation.json").write_text(json.dumps(scores, indent=2) + "\n")
    algo.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()

"""TorchRL: train PPO with action masks against a mixture of opponents, in our vector environment.

    python scripts/examples/torchrl_ppo.py --game kalah --steps 500000

Needs ``pip install ".[torchrl]"``. Ctrl-C ends training early; the policy so far is saved and evaluated.
"""

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv, default_info_dict_reader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE
from torchrl.record.loggers import TensorboardLogger

from mancala_envs.agents import Mixture
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tensorboard import run_folder

ENVS, STEPS, MINIBATCH, EPOCHS = 256, 32, 1024, 4


class Counts(nn.Module):
    """Gives every count in every column its own embedding, because one seed more or less makes a different move."""

    def __init__(self, high, width=128):
        super().__init__()
        numbers = torch.as_tensor(high, dtype=torch.int64) + 1
        self.register_buffer("offsets", numbers.cumsum(0) - numbers)
        self.embeddings = nn.Embedding(int(numbers.sum()), width)
        nn.init.normal_(self.embeddings.weight, std=len(numbers) ** -0.5)

    def forward(self, observations):
        return self.embeddings(observations + self.offsets).sum(-2)


def network(high, outputs, width=128):
    return nn.Sequential(Counts(high, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs))


def environment(game):
    """Make our vector environment for TorchRL, which resets finished games before the policy sees their empty masks."""
    envs = MancalaVectorEnv(game, ENVS, opponent=Mixture(("random", "greedy")), autoreset_mode="Disabled")
    env = GymWrapper(envs, categorical_action_encoding=True)
    masks = Binary(shape=(ENVS, envs.single_action_space.n), dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": masks}))
    return TransformedEnv(env, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))


def tensorboard(folder, name):
    """Make TorchRL's TensorBoard logger for a new run."""
    run = run_folder(folder, name)
    return TensorboardLogger(run.name, run.parent)


def log(logger, rollout, losses, decisions):
    if (ends := rollout["next", "done"]).any():
        # Rewards are paid at the end of a game.
        logger.log_scalar("rollout/return", rollout["next", "reward"][ends].mean(), decisions)
    for name in ("objective", "critic", "entropy"):
        logger.log_scalar(f"loss/{name}", losses[f"loss_{name}"].detach(), decisions)


def as_policy(actor):
    """Return the most probable legal actions, in the form that `evaluate` takes."""

    @torch.no_grad()
    def policy(observations, masks):
        logits = actor.module[0].module(torch.from_numpy(observations))
        return logits.masked_fill(torch.from_numpy(masks) == 0, -torch.inf).argmax(1).numpy()

    return policy


def main():
    parser = training_program(__doc__, "torchrl", "returns and losses")
    parser.add_argument("--steps", type=int, default=500_000, help="decisions to train on")
    args = begin(parser)
    env = environment(args.game)
    env.set_seed(args.seed)
    high = env.observation_spec["observation"].space.high[0]
    actor = ProbabilisticActor(
        TensorDictModule(network(high, env.action_spec.n), ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        spec=env.action_spec,
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(network(high, 1))
    advantage = GAE(gamma=0.995, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3, eps=1e-5)
    collector = Collector(env, actor, frames_per_batch=ENVS * STEPS, total_frames=args.steps)
    logger = tensorboard(args.tensorboard, args.out.name) if args.tensorboard else None
    try:
        bar = Bar(total=args.steps, unit=" steps", unit_scale=True, desc=args.game)
        for rollout in collector:
            with torch.no_grad():
                advantage(rollout)
            batch = rollout.reshape(-1)
            for _ in range(EPOCHS):
                for chosen in torch.randperm(len(batch)).split(MINIBATCH):
                    losses = loss(batch[chosen])
                    optimizer.zero_grad()
                    (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                    nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                    optimizer.step()
            bar.update(len(batch))
            if logger:
                log(logger, rollout, losses, bar.n)
        bar.close()
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    if logger:
        logger.experiment.close()
    torch.save(actor.state_dict(), args.out / "actor.pt")
    evaluate_and_write(as_policy(actor), args)


if __name__ == "__main__":
    main()

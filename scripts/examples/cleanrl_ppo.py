"""PPO with action masks in one file, in the style of CleanRL: the fastest of the examples.

    python scripts/examples/cleanrl_ppo.py --game kalah --steps 10000000

Trains on thousands of games in parallel, against a mixture of opponents. Needs PyTorch. Ctrl-C ends training early; the
agent so far is saved and evaluated.
"""

import torch
from torch import nn

from mancala_envs.agents import Mixture
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tensorboard import curves

ENVS, STEPS, MINIBATCH, EPOCHS = 2048, 16, 4096, 1
LEARNING_RATE, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, MAX_NORM = 1e-3, 0.995, 0.95, 0.2, 0.01, 0.5, 0.5


class Agent(nn.Module):
    """Returns logits of the actions, with illegal ones masked, and the value of the position.

    Every count in every column has its own embedding, because one seed more or less makes a different move.
    """

    def __init__(self, high, actions, width=64):
        super().__init__()
        numbers = torch.as_tensor(high, dtype=torch.int64) + 1
        self.register_buffer("offsets", (numbers.cumsum(0) - numbers).int())
        self.counts = nn.EmbeddingBag(int(numbers.sum()), width, mode="sum")
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, actions + 1))
        nn.init.normal_(self.counts.weight, std=len(numbers) ** -0.5)
        nn.init.normal_(self.rest[-1].weight, std=0.01)

    def forward(self, observations, masks):
        output = self.rest(self.counts(observations + self.offsets))
        return output[:, :-1].masked_fill(~masks, -1e9), output[:, -1]

    @torch.no_grad()
    def policy(self, observations, masks):
        """Return the most probable legal actions, in the form that `evaluate` takes."""
        return self(torch.from_numpy(observations), torch.from_numpy(masks).bool())[0].argmax(1).numpy()


def advantages_of(rewards, values, goes_on):
    """Return generalised advantage estimates (T, N), from values (T + 1, N)."""
    advantages, later = torch.empty_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        td_error = rewards[t] + GAMMA * goes_on[t] * values[t + 1] - values[t]
        advantages[t] = later = td_error + GAMMA * LAMBDA * goes_on[t] * later
    return advantages


def losses_of(agent, observations, masks, actions, old_log_probs, advantages, returns):
    """Return the terms of the loss, which are summed."""
    logits, values = agent(observations, masks)
    log_probs = logits.log_softmax(1)
    ratio = (log_probs.gather(1, actions[:, None])[:, 0] - old_log_probs).exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    entropy = -(log_probs.exp() * log_probs).sum(1).mean()
    return {"policy": -gain, "value": VALUE * (values - returns).square().mean(), "entropy": -ENTROPY * entropy}


def train(agent, envs, total, seed, log):
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE, eps=1e-5, fused=True)
    shape = STEPS, ENVS
    observations = torch.empty(*shape, len(agent.offsets), dtype=torch.uint8)
    masks = torch.empty(*shape, envs.single_action_space.n, dtype=torch.bool)
    actions, log_probs = torch.empty(shape, dtype=torch.int64), torch.empty(shape)
    rewards, goes_on, values = torch.empty(shape), torch.empty(shape), torch.empty(STEPS + 1, ENVS)
    observation, infos = envs.reset(seed=seed)
    with Bar(total=total, unit=" steps", unit_scale=True) as bar:
        while bar.n < total:
            with torch.no_grad():
                for t in range(STEPS):
                    observations[t], masks[t] = torch.from_numpy(observation), torch.from_numpy(infos["action_mask"])
                    logits, values[t] = agent(observations[t], masks[t])
                    # The argmax of logits with Gumbel noise is a sample of the softmax, and cheaper to compute.
                    actions[t] = (logits - torch.empty_like(logits).exponential_().log_()).argmax(1)
                    log_probs[t] = logits.log_softmax(1).gather(1, actions[t, :, None])[:, 0]
                    observation, reward, terminated, truncated, infos = envs.step(actions[t].numpy())
                    rewards[t], goes_on[t] = torch.from_numpy(reward), torch.from_numpy(~(terminated | truncated))
                last_masks = torch.from_numpy(infos["action_mask"]).bool()
                values[STEPS] = agent(torch.from_numpy(observation), last_masks)[1]
                advantages = advantages_of(rewards, values, goes_on)
                returns = advantages + values[:-1]
            rollout = (observations, masks, actions, log_probs, advantages, returns)
            batch = [part.flatten(0, 1) for part in rollout]
            for _ in range(EPOCHS):
                for chosen in torch.randperm(STEPS * ENVS).split(MINIBATCH):
                    optimizer.zero_grad()
                    losses = losses_of(agent, *(part[chosen] for part in batch))
                    sum(losses.values()).backward()
                    nn.utils.clip_grad_norm_(agent.parameters(), MAX_NORM)
                    optimizer.step()
            bar.update(STEPS * ENVS)
            for name, loss in losses.items():
                log(f"loss/{name}", loss.item(), bar.n)
            if (ends := goes_on == 0).any():
                log("rollout/return", rewards[ends].mean().item(), bar.n)  # Rewards are paid at the end of a game.


def main():
    parser = training_program(__doc__, "cleanrl", "returns and losses")
    parser.add_argument("--steps", type=int, default=10_000_000, help="decisions to train on")
    args = begin(parser)
    opponents = Mixture(("random", "greedy"))
    # copy=False, because the arrays are copied into the rollout at once.
    envs = MancalaVectorEnv(args.game, ENVS, opponent=opponents, autoreset_mode="SameStep", copy=False)
    agent = Agent(envs.single_observation_space.high, envs.single_action_space.n)
    try:
        train(agent, envs, args.steps, args.seed, curves(args.tensorboard, args.out.name))
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    torch.save(agent.state_dict(), args.out / "agent.pt")
    evaluate_and_write(agent.policy, args)


if __name__ == "__main__":
    main()

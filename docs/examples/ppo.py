"""PPO with action masks, against random and greedy play."""

import torch
from torch import nn

from mancala_envs.agents import Mixture
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import evaluate

ENVS, STEPS, UPDATES, EPOCHS, MINIBATCH = 256, 32, 60, 4, 1024
LEVELS, RATE, LAMBDA, CLIP, ENTROPY = 16, 1e-3, 0.95, 0.2, 0.01

envs = MancalaVectorEnv("kalah", ENVS, Mixture(("random", "greedy")), opening=(0, 8), autoreset_mode="SameStep")
columns, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
torch.manual_seed(1)
network = nn.Sequential(nn.Linear(LEVELS * columns, 256), nn.ReLU(), nn.Linear(256, actions + 1))
optimizer = torch.optim.Adam(network.parameters(), lr=RATE)


def judge(observations, masks):
    """Return the distribution over the legal actions, and the values of the positions."""
    output = network(nn.functional.one_hot(observations.long().clamp(max=LEVELS - 1), LEVELS).flatten(1).float())
    logits = output[:, :-1].masked_fill(masks == 0, -1e9)
    return torch.distributions.Categorical(logits=logits), output[:, -1]


@torch.no_grad()
def policy(observations, masks):
    """Return the most probable actions (k,) for observations (k, D) and masks (k, A)."""
    return judge(torch.from_numpy(observations), torch.from_numpy(masks))[0].probs.argmax(1).numpy()


print("before:", evaluate(policy, "kalah", "greedy", games=400, seed=1))
observations, infos = envs.reset(seed=1)
for _ in range(UPDATES):
    steps = []
    with torch.no_grad():
        for _ in range(STEPS):
            seen = torch.from_numpy(observations), torch.from_numpy(infos["action_mask"])
            chances, values = judge(*seen)
            chosen = chances.sample()
            observations, rewards, terminated, _, infos = envs.step(chosen.numpy())
            goes_on = torch.from_numpy(~terminated).float()
            steps.append((*seen, chosen, chances.log_prob(chosen), values, torch.from_numpy(rewards).float(), goes_on))
        *seen, chosen, log_probs, values, rewards, goes_on = map(torch.stack, zip(*steps, strict=True))
        later = judge(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]))[1]
        advantages = torch.zeros_like(values)
        for t in reversed(range(STEPS)):
            advantages[t] = rewards[t] + goes_on[t] * later - values[t]
            later = values[t] + LAMBDA * advantages[t]
    batch = [part.flatten(0, 1) for part in (*seen, chosen, log_probs, advantages, advantages + values)]
    for _ in range(EPOCHS):
        for rows in torch.randperm(ENVS * STEPS).split(MINIBATCH):
            observed, masks, taken, before, gained, returns = (part[rows] for part in batch)
            chances, values = judge(observed, masks)
            ratio = (chances.log_prob(taken) - before).exp()
            gain = torch.min(ratio * gained, ratio.clamp(1 - CLIP, 1 + CLIP) * gained).mean()
            loss = (values - returns).square().mean() - gain - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
print("after:", evaluate(policy, "kalah", "greedy", games=400, seed=1))

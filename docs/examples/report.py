"""Measure an agent while it trains, and report its result."""

from mancala_envs import benchmark

TASK, SEED, ENVS = "kalah", 0, 64


def policy(observations, masks):
    """Stand in for your network: from observations (k, D) and masks (k, A) to actions (k,)."""
    return masks.argmax(axis=1)


envs = benchmark.task(TASK).make_vec(ENVS, autoreset_mode="SameStep")
report = benchmark.Report("my_agent.json", "My agent", "learners")
observations, infos = envs.reset(seed=SEED)
for step in range(1, 101):
    observations, rewards, terminated, truncated, infos = envs.step(policy(observations, infos["action_mask"]))
    # Learn from the step here.
    if step % 50 == 0:
        print("on the way:", report.measure(TASK, SEED, policy, decisions=step * ENVS))
print("the result:", report.add(TASK, SEED, policy, decisions=step * ENVS))

"""The learners whose results the leaderboard shows: two of MaskablePPO, AlphaZero and double DQN. Needs [train].

Their settings are the same for all tasks, and were chosen before the first result.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Mixture, Policy, Search
from mancala_envs.benchmark.tasks import Task
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.opening import OPENINGS_TO_LEARN
from mancala_envs.evaluation import League
from mancala_envs.learning.afterstate_network import AfterstateNetwork, PolicyAgent
from mancala_envs.learning.alphazero import FIRST_RATE, LAST_RATE, Learner
from mancala_envs.learning.self_play import ReplayBuffer, SelfPlayGames
from mancala_envs.wrappers import ObserveAfterstates
from mancala_envs.wrappers.sb3 import AfterstatePolicy, CountsExtractor, MancalaVecEnv, SelfPlay, snapshot
from mancala_envs.wrappers.torch_layers import NEVER, CountsLinear

with needs_extra():
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from torch import nn

Measure: TypeAlias = Callable[["Policy | Search", int], None]
"""Called with the agent as it is after this number of its decisions."""

Learnt: TypeAlias = "tuple[Policy | Search, int]"
"""The agent at the end, and the number of decisions that it has learnt from."""

ENVS = 128
"""Games in parallel."""
OPPONENTS = ("greedy", "random")
"""The opponents of self-play beside the learner's own snapshots: at first only the first one."""


def environments(task: Task, **options: Any) -> Any:
    """Make the vector environment in which an agent learns a task."""
    return task.make_vec(ENVS, autoreset_mode="SameStep", illegal="raise", opening=OPENINGS_TO_LEARN, **options)


def measured_at(decisions: int) -> list[int]:
    """Return after how many decisions a learner is measured on the way: after 1/8 and 3/8 of them."""
    return [decisions // 8, 3 * decisions // 8]


class Course(BaseCallback):
    """Measures a policy on the way.

    Args:
        task: The task.
        decisions: The number of decisions of the training.
        measure: What measures it.
    """

    def __init__(self, task: Task, decisions: int, measure: Measure) -> None:
        super().__init__()
        self._task, self._measure, self._due = task, measure, measured_at(decisions)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self._due and self.num_timesteps >= self._due[0]:
            self._due.pop(0)
            self._measure(snapshot(self.model.policy, self._task.game), self.num_timesteps)


def _learn_ppo(task: Task, decisions: int, model: MaskablePPO, measure: Measure) -> Learnt:
    league = League(OPPONENTS, share=0.5)
    self_play = SelfPlay(league, after=decisions // 10, every=decisions // 10)
    model.learn(decisions - decisions % (ENVS * model.n_steps), [self_play, Course(task, decisions, measure)])
    return snapshot(model.policy, task.game), model.num_timesteps


def ppo(task: Task, seed: int, decisions: int, measure: Measure) -> Learnt:
    """Train MaskablePPO, whose network judges positions, by self-play."""
    extractor = {"features_extractor_class": CountsExtractor, "net_arch": [256, 256]}
    envs = MancalaVecEnv(environments(task))
    model = MaskablePPO(
        "MlpPolicy", envs, n_steps=64, batch_size=1024, n_epochs=4, learning_rate=_falling(1e-3), gamma=0.999,
        ent_coef=0.01, policy_kwargs=extractor, seed=seed, device="cpu",
    )  # fmt: skip
    return _learn_ppo(task, decisions, model, measure)


def ppo_afterstates(task: Task, seed: int, decisions: int, measure: Measure) -> Learnt:
    """Train MaskablePPO, whose network judges what each legal action leads to, by self-play."""
    afterstates: Any = ObserveAfterstates(environments(task))
    envs = MancalaVecEnv(afterstates)
    model = MaskablePPO(
        AfterstatePolicy, envs, n_steps=64, batch_size=1024, n_epochs=3, learning_rate=_falling(2e-3), gamma=1.0,
        ent_coef=0.01, policy_kwargs={"net_arch": (128, 64)}, seed=seed, device="cpu",
    )  # fmt: skip
    return _learn_ppo(task, decisions, model, measure)


def _falling(rate: float) -> Callable[[float], float]:
    """Return a learning rate that falls from `rate` to a twentieth of it."""
    return lambda left: rate * max(0.05, left)


GAMES, ROUND, SIMULATIONS, REUSE = 256, 8, 16, 4
"""AlphaZero: games in parallel, decisions in each between updates, simulations of a full search, and how often each
decision is learnt from, on average."""


def alphazero(task: Task, seed: int, decisions: int, measure: Measure) -> Learnt:
    """Train Gumbel AlphaZero, whose network judges afterstates. Decisions of both sides count, simulations do not."""
    network = AfterstateNetwork(task.game)
    games = SelfPlayGames(task.game, GAMES, SIMULATIONS, seed)
    learner, buffer = Learner(network, seed), ReplayBuffer(task.game, decisions)
    played, due = 0, measured_at(decisions)
    while played + GAMES * ROUND <= decisions:
        rows = games.play(network.evaluate, ROUND)
        played += GAMES * ROUND
        if len(rows):
            buffer.add(rows)
            learner.learn(buffer, REUSE * len(rows), max(LAST_RATE, FIRST_RATE * (1 - played / decisions)))
        if due and played >= due[0]:
            due.pop(0)
            measure(PolicyAgent(network), played)
    return PolicyAgent(network), played


class QNetwork(nn.Module):
    """The values of all actions in n positions: (n, D) observations -> (n, A).

    Args:
        task: The task.
        width: The width of the two hidden layers.
    """

    def __init__(self, task: Task, width: int = 256) -> None:
        super().__init__()
        counts = CountsLinear([column.high for column in task.game.observation_fields], width)
        layers = (nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, task.game.num_actions))
        self.layers = nn.Sequential(counts, *layers)

    def forward(self, observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> torch.Tensor:
        """Return the values (n, A), NEVER for illegal actions."""
        values: torch.Tensor = self.layers(torch.from_numpy(observations.astype(np.int64)))
        return values.masked_fill(torch.from_numpy(masks == 0), NEVER)

    def play(self, observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """Return the best actions (n,)."""
        with torch.inference_mode():
            best: npt.NDArray[np.int64] = self(observations, masks).argmax(1).numpy()
        return best


BUFFER, BATCH, TARGET_EVERY, EXPLORED = 200_000, 512, 50, 0.3
"""DQN: decisions in the replay buffer and in a gradient step, gradient steps between two copies of the target network,
and the share of the training in which exploration falls from 1 to LEAST."""
LEAST = 0.05


def dqn(task: Task, seed: int, decisions: int, measure: Measure) -> Learnt:
    """Train double DQN with action masks, against the opponents of the task.

    Source: H. van Hasselt, A. Guez, D. Silver, "Deep reinforcement learning with double Q-learning", 2016.
    """
    chance, envs = np.random.default_rng(seed), environments(task, opponent=Mixture(OPPONENTS))
    network, target = QNetwork(task), QNetwork(task)
    optimizer = torch.optim.Adam(network.parameters(), lr=5e-4)
    size = min(BUFFER, decisions) // ENVS * ENVS
    observations, infos = envs.reset(seed=seed)
    masks = infos["action_mask"]
    kept = {
        "observations": np.zeros((size, *observations.shape[1:]), observations.dtype),
        "masks": np.zeros((size, masks.shape[1]), np.int8),
        "later": np.zeros((size, *observations.shape[1:]), observations.dtype),
        "later_masks": np.zeros((size, masks.shape[1]), np.int8),
        "actions": np.zeros(size, np.int64),
        "rewards": np.zeros(size, np.float32),
        "over": np.zeros(size, np.bool_),
    }
    played, due = 0, measured_at(decisions)
    for step in range(decisions // ENVS):
        played = (step + 1) * ENVS
        explores = chance.random(ENVS) < max(LEAST, 1 - played / (EXPLORED * decisions))
        at_random = (chance.random(masks.shape) * masks).argmax(1)
        actions = np.where(explores, at_random, network.play(observations, masks))
        later, rewards, terminated, truncated, infos = envs.step(actions)
        later_masks, over = infos["action_mask"], terminated | truncated
        places = np.arange(step * ENVS, played) % size
        new = (observations, masks, later, later_masks, actions, rewards, over)
        for array, rows in zip(kept.values(), new, strict=True):
            array[places] = rows
        observations, masks = later, later_masks
        if step % TARGET_EVERY == 0:
            target.load_state_dict(network.state_dict())
        which = chance.integers(min(played, size), size=BATCH)
        drawn = {name: array[which] for name, array in kept.items()}
        with torch.no_grad():
            best = network(drawn["later"], drawn["later_masks"]).argmax(1, keepdim=True)
            values = target(drawn["later"], drawn["later_masks"]).gather(1, best)[:, 0]
            goals = torch.from_numpy(drawn["rewards"]) + values.masked_fill(torch.from_numpy(drawn["over"]), 0.0)
        played_values = network(drawn["observations"], drawn["masks"]).gather(
            1, torch.from_numpy(drawn["actions"])[:, None]
        )
        loss = nn.functional.smooth_l1_loss(played_values[:, 0], goals)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if due and played >= due[0]:
            due.pop(0)
            measure(network.play, played)
    return network.play, played


LEARNING = {"ppo": ppo, "ppo-afterstates": ppo_afterstates, "alphazero": alphazero, "dqn": dqn}
"""The learners by name."""

"""Self-play by search: games from random openings that a network plays against itself, as training data.

Sources: I. Danihelka et al., "Policy improvement by planning with Gumbel" (2022), for the search at the root and the
policies to learn; D. Wu, "Accelerating self-play learning in Go" (2019), for playout cap randomisation; R. Sutton,
"Learning to predict by the methods of temporal differences" (1988), for the values to learn.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.puct import Network, Puct
from mancala_envs.core.arguments import States
from mancala_envs.core.opening import OPENINGS_TO_LEARN
from mancala_envs.game import Game
from mancala_envs.registry import make_game

FULL, FEWER = 0.25, 4
"""Playout cap randomisation: the share of decisions with a full search, the only ones whose policies are learnt; and
how many times as few simulations the other decisions get, which only decide and value games."""

ACTIONS = 16
"""The most actions that a search considers at the root."""

LAMBDA = 0.98
"""The lambda of TD(lambda): with 1 a value to learn is the result of the game, with 0 that of the next search."""

WINDOW = 512
"""The most decisions that a decision waits for the result of its game."""

MEMORY = 2**30
"""The most bytes of a replay buffer, and of decisions that wait."""


@dataclass
class Rows:
    """Decisions to learn from.

    Attributes:
        states: (m,) records, before the decision.
        actions: (m,) int64, what was played.
        values: (m, P) float32, the expected rewards of all players from this action on.
        policies: (m, A) float32, the improved policy of the search.
        has_policy: (m,) bool, whether the policy is to be learnt; otherwise it is zeros.
    """

    states: States
    actions: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]
    policies: npt.NDArray[np.float32]
    has_policy: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.actions)

    def joined(self, *others: "Rows") -> "Rows":
        """Return these decisions followed by others."""
        parts = (self, *others)
        return Rows(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(self)))

    def __getitem__(self, which: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> "Rows":
        return Rows(*(getattr(self, field.name)[which] for field in fields(self)))


@dataclass
class _Step:
    """A decision in every game.

    Attributes:
        rows: The decisions, still without values.
        values: (n, P), the values of the searches, nan where there was none.
        rewards: (n, P), the rewards of the decisions.
        over: (n,), whether the games ended.
        exact: (n, P), exact values before the decision, nan where they are not known.
        waiting: (n,), which rows are still to be returned.
    """

    rows: Rows
    values: npt.NDArray[np.float64]
    rewards: npt.NDArray[Any]
    over: npt.NDArray[np.bool_]
    exact: npt.NDArray[np.float64]
    waiting: npt.NDArray[np.bool_]


class SelfPlayGames:
    """Games that a network plays against itself, all at once, from random openings.

    ::

        games = SelfPlayGames("kalah", 256, 32, seed=1)
        rows = games.play(network, 32)

    Each decision is searched by sequential halving with Gumbel noise, on a random share with all simulations. The
    other searches have fewer, and no noise. A decision with one legal action is played without a search.

    Args:
        game: The game, with any number of players, chance or hidden information.
        n: The number of games.
        simulations: The simulations of a full search.
        seed: Seed of openings, chance and noise: an integer or a sequence of integers.
        exact: The reward (k,) of the player to move under best play in each of (k,) states, nan where it is not known;
            it replaces all other values of these states. Only for two players.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        simulations: int,
        seed: int | tuple[int, ...] = 0,
        exact: Callable[[States], npt.NDArray[np.float64]] | None = None,
    ) -> None:
        self.game = game = make_game(game)
        self._exact = exact
        self._chance = np.random.default_rng(seed)
        self._full = Puct(game, n, simulations, gumbel=(ACTIONS, 1.0))
        self._fast = Puct(game, n, max(1, simulations // FEWER), gumbel=(ACTIONS, 0.0))
        self.states: States = self._begin(n)
        self._steps = list[_Step]()
        self._window = max(1, min(WINDOW, MEMORY // (n * bytes_of_row(game))))

    def play(self, network: Network, decisions: int) -> Rows:
        """Play this number of decisions in every game; return those that were searched and whose games have ended.

        The others are returned later, after WINDOW further decisions at the latest. The first calls may return none.

        Args:
            network: Records (m,) -> priors and values, as `Puct` takes it. It also values games that go on.
            decisions: The number of decisions; a game that ends is followed by another.
        """
        self._steps += [self._decide(network) for _ in range(decisions)]
        return self._settled(network)

    def _settled(self, network: Network) -> Rows:
        """Take out the decisions whose games have ended, and those that have waited for too long."""
        steps = self._steps
        values, rewards, over, exact = (
            np.stack([getattr(step, name) for step in steps]) for name in ("values", "rewards", "over", "exact")
        )
        returns = returns_of(values, rewards, over, self._now(network), exact)
        ends_later = np.logical_or.accumulate(over[::-1])[::-1]
        out = list[Rows]()
        for t, step in enumerate(steps):
            taken = step.waiting & (ends_later[t] | (t < len(steps) - self._window))
            step.rows.values = returns[t].astype(np.float32)
            out.append(step.rows[taken])
            step.waiting &= ~taken
        first = next((t for t, step in enumerate(steps) if step.waiting.any()), len(steps))
        self._steps = steps[first:]
        return out[0].joined(*out[1:])

    def _begin(self, n: int) -> States:
        return self.game.init(n, self._seed(), opening=OPENINGS_TO_LEARN)

    def _seed(self) -> int:
        return int(self._chance.integers(2**63))

    def _decide(self, network: Network) -> "_Step":
        """Play a decision in every game."""
        game, states = self.game, self.states.copy()
        legal = game.legal(states)
        actions, policies = legal.argmax(1), np.zeros(legal.shape, np.float32)
        values, has_policy = np.full((len(states), game.num_players), np.nan), np.zeros(len(states), np.bool_)
        to_search = legal.sum(1) > 1
        has_policy[to_search] = self._chance.random(int(to_search.sum())) < FULL
        for search, which in ((self._full, has_policy), (self._fast, to_search & ~has_policy)):
            if which.any():
                search.run(states[which], network, self._seed())
                actions[which] = search.actions()
                improved, values[which] = search.improved()
                if search is self._full:
                    policies[which] = improved
        exact = self._exact_values(states)
        rewards = game.step(self.states, actions)
        over = self.states["to_move"] < 0
        if over.any():
            self.states[over] = self._begin(int(over.sum()))
        rows = Rows(states, actions, np.empty(0, np.float32), policies, has_policy)
        return _Step(rows, values, rewards, over, exact, to_search)

    def _exact_values(self, states: States) -> npt.NDArray[np.float64]:
        """Return the exact values (n, P) of all players, nan where they are not known."""
        if self._exact is None:
            return np.full((len(states), self.game.num_players), np.nan)
        of_mover = self._exact(states)[:, None]
        return np.where(states["to_move"][:, None] == np.arange(self.game.num_players), of_mover, -of_mover)

    def _now(self, network: Network) -> npt.NDArray[np.float64]:
        """Return the values (n, P) of the games as they stand, exact where these are known."""
        found, exact = np.asarray(network(self.states)[1], np.float64), self._exact_values(self.states)
        if found.ndim == 1:
            found = np.where(self.states["to_move"][:, None] == [0, 1], found[:, None], -found[:, None])
        return np.where(np.isnan(exact), found, exact)


def returns_of(
    values: npt.NDArray[np.float64],
    rewards: npt.NDArray[np.floating],
    over: npt.NDArray[np.bool_],
    later: npt.NDArray[np.float64],
    exact: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """Return the TD(lambda) returns (T, n, P) of all players after each of T decisions.

    Args:
        values: (T, n, P), the values of the searches before each decision, nan where there was none.
        rewards: (T, n, P), the rewards of the decisions.
        over: (T, n), whether the game ended with the decision.
        later: (n, P), the values after the last decision.
        exact: (T, n, P), exact values before each decision, nan where they are not known. They replace all others.
    """
    returns = np.empty(values.shape)
    for t in reversed(range(len(values))):
        returns[t] = rewards[t] + np.where(over[t, :, None], 0.0, later)
        mixed = np.where(np.isnan(values[t]), returns[t], LAMBDA * returns[t] + (1 - LAMBDA) * values[t])
        later = np.where(np.isnan(exact[t]), mixed, exact[t])
    return returns


def bytes_of_row(game: Game) -> int:
    """Return the size of a decision in `Rows` in bytes."""
    return game.dtype.itemsize + 4 * (game.num_actions + game.num_players) + 9


class ReplayBuffer:
    """The last decisions of self-play.

    Args:
        game: The game.
        size: The most decisions.
        memory: The most bytes, which may make `size` smaller.
    """

    def __init__(self, game: Game | str, size: int, memory: int = MEMORY) -> None:
        game = make_game(game)
        self.size, self.written = max(1, min(size, memory // bytes_of_row(game))), 0
        self._rows = Rows(
            states=np.zeros(self.size, game.dtype),
            actions=np.zeros(self.size, np.int64),
            values=np.zeros((self.size, game.num_players), np.float32),
            policies=np.zeros((self.size, game.num_actions), np.float32),
            has_policy=np.zeros(self.size, np.bool_),
        )

    def __len__(self) -> int:
        return min(self.written, self.size)

    def add(self, rows: Rows) -> None:
        """Add decisions in place of the oldest; of more than `size` only the last."""
        places = np.arange(self.written, self.written + len(rows))[-self.size :] % self.size
        for field in fields(Rows):
            getattr(self._rows, field.name)[places] = getattr(rows, field.name)[-self.size :]
        self.written += len(rows)

    def sample(self, number: int, chance: np.random.Generator) -> Rows:
        """Return decisions drawn at random, with repetition."""
        return self._rows[chance.integers(len(self), size=number)]

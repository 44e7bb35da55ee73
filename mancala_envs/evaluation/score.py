"""Evaluation of a policy: games against an opponent, and the win rate with its confidence interval."""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from math import sqrt
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs import Game, make_game
from mancala_envs.agents import NAMES, Policy, Search, act, each, is_search, resolve
from mancala_envs.envs.vector import MancalaVectorEnv

Z95 = 1.959964
"""Half-width of the central 95% of the normal distribution, in standard deviations."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Score:
    """The results of a number of games. Scores can be added.

    A shared first place counts as a win.

    >>> score = Score(wins=30, draws=4, losses=10)
    >>> score.win_rate
    0.75
    """

    wins: int
    draws: int
    losses: int
    seats: dict[int, "Score"] = field(default_factory=dict, hash=False)
    """The results by seat, if they were counted by seat."""
    repeated: int = 0
    """Number of games that repeat another game from the same seat, decision for decision; 0 if this was not counted."""

    @property
    def games(self) -> int:
        """Number of games, draws included."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float:
        """Win rate, draws excluded; 0.5 if all games are draws."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence interval of `win_rate` (E. B. Wilson, JASA 22, 1927)."""
        n = self.wins + self.losses
        if n == 0:
            return 0.0, 1.0
        centre = (self.win_rate + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
        half = Z95 / (1 + Z95**2 / n) * sqrt(self.win_rate * (1 - self.win_rate) / n + Z95**2 / (4 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)

    def __add__(self, other: "Score") -> "Score":
        nothing = Score(0, 0, 0)
        both = sorted({*self.seats, *other.seats})
        seats = {seat: self.seats.get(seat, nothing) + other.seats.get(seat, nothing) for seat in both}
        counts = (self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)
        return Score(*counts, seats, self.repeated + other.repeated)

    def __str__(self) -> str:
        low, high = self.interval
        numbers = ((self.wins, "win", "wins"), (self.draws, "draw", "draws"), (self.losses, "loss", "losses"))
        counts = ", ".join(f"{number} {one if number == 1 else many}" for number, one, many in numbers)
        seats = ", ".join(f"seat {seat} {score.win_rate:.1%}" for seat, score in self.seats.items())
        split = f"; {seats}" if len(self.seats) > 1 else ""
        return f"win rate {self.win_rate:6.1%} [{low:.1%}, {high:.1%}] ({counts}){split}{self._warning}"

    @property
    def _warning(self) -> str:
        """A warning if at least half of the games are repetitions, otherwise ""."""
        if 2 * self.repeated < max(self.games, 1):
            return ""
        distinct = self.games - self.repeated
        return f"; only {distinct} of {self.games} games are distinct, but the interval counts all as independent"

    def as_dict(self) -> dict[str, Any]:
        """Return the score as a dict for a JSON file; `seats` is a list of such dicts with the seat's number.

        `repeated` and `seats` are left out if they were not counted.
        """
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        rates = {"win_rate": self.win_rate, "interval_95": list(self.interval)}
        seats = [{"seat": seat, **score.as_dict()} for seat, score in self.seats.items()]
        optional = {"repeated": self.repeated, "seats": seats}
        return {**counts, **rates, **{name: value for name, value in optional.items() if value}}


def evaluate(
    policy: Any,
    game: Game | str,
    opponent: Any = "random",
    seats: int | str = "balanced",
    games: int = 400,
    seed: int = 0,
    deterministic: bool = False,
    **options: Any,
) -> Score:
    """Play `games` games to the end, `policy` against `opponent`, and return the policy's score.

    >>> evaluate("minimax:4", "kalah", opponent="greedy", games=100)

    Args:
        policy: `"random"`, `"greedy"`, a search such as `"minimax:6"` or `"mcts:400"` (see
            `mancala_envs.agents.Searcher`), the path of a saved MaskablePPO model, a callable that maps observations
            (k, D) and masks (k, A) to actions (k,), or an object with a method `act(states, seed)`.
        game: the game, as `make_game` takes it, such as `"qelat"` or `"mancala_envs/QelatCampaign-v0"`.
        opponent: the same, a `Mixture`, or a list with one for each other seat, in turn order from the policy's seat.
        seats: `"balanced"` for the same number of games from every seat (the first seats get the remainder), or the
            number of a seat.
        games: number of games, at least 1.
        seed: seed of the games and of both sides, including policies that use the global generators of PyTorch, NumPy
            and Python; the state of these generators is restored afterwards.
        deterministic: whether saved models play their most probable action instead of sampling one.
        options: options of the game, `campaign` and `threads`.

    Returns:
        Wins, draws and losses of the policy, in total and by seat, and how many games are repetitions. Printed, the
        score warns if these are at least half of the games, as between two agents without randomness.

    Raises:
        ValueError: if an argument has a value that is not allowed.
        TypeError: if an argument has a wrong type, or the game does not have one of the options.
        IllegalAction: if a policy plays an illegal action.
    """
    if isinstance(games, bool) or index(games) < 1:
        raise ValueError(f"games must be an integer of at least 1, got {games!r}")
    threads = options.pop("threads", 1)
    rules = make_game(game, **options)
    player = resolve(policy, rules, deterministic, "policy")
    other = each(opponent, lambda one: resolve(one, rules, deterministic) if _is_path(one) else one)
    chance = np.random.default_rng(seed)
    result = Score(0, 0, 0)
    with seeded(int(chance.integers(2**32))):
        for seat, share in _shares(seats, games, rules.num_deciding):
            result += _play(player, share, chance, game=rules, opponent=other, seat=seat, threads=threads)
    return result


def _is_path(one: Any) -> bool:
    return isinstance(one, Path) or (isinstance(one, str) and one not in NAMES and not is_search(one))


def _shares(seats: int | str, games: int, number: int) -> list[tuple[int, int]]:
    """Return pairs of a seat and its number of games, of `number` seats. Raise ValueError for an unknown seat."""
    if seats == "balanced":
        return [(seat, games // number + (seat < games % number)) for seat in range(min(number, games))]
    if isinstance(seats, bool) or seats not in range(number):
        raise ValueError(f"seats must be 'balanced' or 0..{number - 1}, got {seats!r}")
    return [(int(seats), games)]


def _play(player: int | Policy | Search, games: int, chance: np.random.Generator, seat: int, **arguments: Any) -> Score:
    """Play all games from one seat in parallel."""
    envs = MancalaVectorEnv(num_envs=games, seat=seat, illegal="raise", autoreset_mode="SameStep", **arguments)
    observations, infos = envs.reset(seed=chance.integers(2**63, size=games).tolist())
    rewards_at_end = np.zeros(games)
    playing = np.ones(games, np.bool_)
    history = _History(observations)
    while playing.any():
        if isinstance(player, int):
            actions = act(envs.game, envs.states, NAMES[player], int(chance.integers(2**63)))
        elif callable(player):
            actions = np.asarray(player(observations, infos["action_mask"]))
        else:
            states, step_seed = envs.states, int(chance.integers(2**63))
            actions = np.asarray(player.act(envs.game.copies(states, 1, step_seed, states["to_move"]), step_seed))
        # A lane whose game is over plays on to keep the batch's shape, but only its first game counts.
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        over = (terminated | truncated) & playing
        rewards_at_end[over] = rewards[over]
        seen = observations.copy()
        for i in np.flatnonzero(over):
            seen[i] = infos["final_obs"][i]
        history.add(seen, playing)
        playing &= ~over
    won, drawn, lost = (int((np.sign(rewards_at_end) == sign).sum()) for sign in (1, 0, -1))
    repeated = games - history.distinct
    return Score(won, drawn, lost, {seat: Score(won, drawn, lost, repeated=repeated)}, repeated)


class _History:
    """A hash of all observations of each of n games, from the first one (n, D) on."""

    def __init__(self, observations: npt.NDArray[Any]) -> None:
        n, columns = observations.shape
        self._weights = np.random.default_rng(0).integers(2**64, size=columns, dtype=np.uint64) | np.uint64(1)
        self._hashes = np.zeros(n, np.uint64)
        self.add(observations, np.ones(n, np.bool_))

    def add(self, observations: npt.NDArray[Any], playing: npt.NDArray[np.bool_]) -> None:
        """Add the next observations (n, D) of the games that are `playing` (n,)."""
        added = self._hashes * _MULTIPLIER + (observations.astype(np.uint64) * self._weights).sum(1)
        self._hashes = np.where(playing, added, self._hashes)

    @property
    def distinct(self) -> int:
        """Number of distinct games."""
        return len(np.unique(self._hashes))


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed the global generators of Python, NumPy and (if loaded) PyTorch, and restore their state afterwards."""
    torch = sys.modules.get("torch")
    of_python, of_numpy = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        with torch.random.fork_rng(range(torch.cuda.device_count())) if torch else nullcontext():
            if torch:
                torch.manual_seed(seed)
            yield
    finally:
        random.setstate(of_python)
        np.random.set_state(of_numpy)

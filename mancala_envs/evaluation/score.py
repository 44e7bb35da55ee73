"""Evaluation of a policy: games against an opponent from random openings, and the points with their 95% interval.

Two agents that always begin from one position repeat much of their games, and a policy trained from one opening is
strong only there. So every game begins with random decisions of all players. Each opening is played from every seat,
because it may be lost for one of them, and the games from one opening count as one result.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs import Game, make_game
from mancala_envs.agents import Agent
from mancala_envs.agents.mixture import each
from mancala_envs.core.arguments import require_some, short
from mancala_envs.core.opening import FAIR, OPENING
from mancala_envs.envs.match import Match
from mancala_envs.evaluation.fair import fair_starts
from mancala_envs.evaluation.matches import leads

Z95 = 1.959964
"""Half-width of the central 95% of the normal distribution, in standard deviations."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Return the 95% confidence interval of a share (E. B. Wilson, JASA 22, 1927); (0, 1) without trials."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    centre = (share + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    half = Z95 / (1 + Z95**2 / trials) * sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


def interval_of(results: npt.ArrayLike) -> tuple[float, float]:
    """Return the 95% confidence interval of the mean of independent results from 0 to 1.

    One result 0 and one result 1 are added, so that the interval has a width even if all games are won (A. Agresti,
    B. Coull, The American Statistician 52, 1998).
    """
    with_two_more = np.append(np.asarray(results, np.float64), [0.0, 1.0])
    mean = float(with_two_more.mean())
    half = Z95 * float(with_two_more.std(ddof=1)) / sqrt(len(with_two_more))
    return max(0.0, mean - half), min(1.0, mean + half)


@dataclass(frozen=True)
class Score:
    """The results of a number of games. Scores can be added.

    A shared first place counts as a win.

    >>> score = Score(wins=30, draws=4, losses=10)
    >>> round(score.points, 3)
    0.727
    """

    wins: int
    draws: int
    losses: int
    seats: dict[int, "Score"] = field(default_factory=dict, hash=False)
    """The results by seat, if they were counted by seat."""
    repeated: int = 0
    """Number of games that repeat another game from the same seat, decision for decision; 0 if this was not counted."""
    by_opening: tuple[float, ...] = field(default=(), repr=False)
    """The mean points of the games from each opening, from 0 to 1, if each was played from several seats."""

    @classmethod
    def of(cls, results: npt.NDArray[Any], seats: Sequence[int], repeated: Sequence[int] = ()) -> "Score":
        """Return the score of games from the same openings in several seats.

        Args:
            results: (S, n) results in S seats from n openings: 1 for a win, 0 for a draw, -1 for a loss.
            seats: the numbers of the S seats.
            repeated: (S,) number of games that repeat others, if they were counted.
        """
        found = dict[int, Score]()
        for seat, row, repetitions in zip(seats, results, repeated or [0] * len(seats), strict=True):
            won, drawn, lost = (int((row == sign).sum()) for sign in (1, 0, -1))
            found[seat] = cls(won, drawn, lost, repeated=repetitions)
        total = sum(found.values(), cls(0, 0, 0))
        by_opening = tuple(((results + 1) / 2).mean(axis=0).tolist()) if len(seats) > 1 else ()
        return cls(total.wins, total.draws, total.losses, found, total.repeated, by_opening)

    @property
    def games(self) -> int:
        """Number of games, draws included."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Share of the points, one for a win and half for a draw; 0.5 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def results(self) -> tuple[float, ...]:
        """The independent results from 0 to 1: the mean points of each opening, or the points of each game."""
        return self.by_opening or (1.0,) * self.wins + (0.5,) * self.draws + (0.0,) * self.losses

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence interval of `points`. The games from one opening count as one result."""
        return interval_of(self.results) if self.games else (0.0, 1.0)

    def __add__(self, other: "Score") -> "Score":
        nothing = Score(0, 0, 0)
        both = sorted({*self.seats, *other.seats})
        seats = {seat: self.seats.get(seat, nothing) + other.seats.get(seat, nothing) for seat in both}
        counts = (self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)
        by_opening = self.results + other.results if self.by_opening or other.by_opening else ()
        return Score(*counts, seats, self.repeated + other.repeated, by_opening)

    def __str__(self) -> str:
        low, high = self.interval
        numbers = ((self.wins, "win", "wins"), (self.draws, "draw", "draws"), (self.losses, "loss", "losses"))
        counts = ", ".join(f"{number} {one if number == 1 else many}" for number, one, many in numbers)
        seats = ", ".join(f"seat {seat} {score.points:.1%}" for seat, score in self.seats.items())
        split = f"; {seats}" if len(self.seats) > 1 else ""
        return f"points {self.points:6.1%} [{low:.1%}, {high:.1%}] ({counts}){split}{self._warning}"

    @property
    def _warning(self) -> str:
        """A warning if at least half of the games are repetitions, otherwise ""."""
        if 2 * self.repeated < max(self.games, 1):
            return ""
        distinct = self.games - self.repeated
        return (
            f"; only {distinct} of {self.games} games are distinct, but the interval counts repetitions as new results"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the score as a dict for a JSON file; `seats` is a list of such dicts with the seat's number.

        `repeated` and `seats` are left out if they were not counted.
        """
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        rates = {"points": self.points, "interval_95": list(self.interval)}
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
    opening: Any = OPENING,
    each_round: int = 0,
    **options: Any,
) -> Score:
    """Play `games` games to the end, `policy` against `opponent`, and return the policy's score.

    >>> evaluate("minimax:4", "kalah", opponent="greedy", games=100)

    Args:
        policy: `"random"`, `"greedy"`, a search such as `"minimax:6"` or `"mcts:400"` (see
            `mancala_envs.agents.Agent`), the path of a saved MaskablePPO model, a callable that maps observations
            (k, D) and masks (k, A) to actions (k,), or an object with a method `act(states, seed)`.
        game: the game, as `make_game` takes it, such as `"qelat"` or `"mancala_envs/QelatCampaign-v0"`.
        opponent: the same, a `Mixture`, or a list with one for each other seat, in turn order from the policy's seat.
        seats: `"balanced"` to play every opening from every seat, or the number of a seat.
        games: number of games, at least 1. If every opening is played from every seat, it is rounded up to a multiple
            of their number.
        seed: seed of the games and of both sides, including policies that use the global generators of PyTorch, NumPy
            and Python; the state of these generators is restored afterwards.
        deterministic: whether saved models play their most probable action instead of sampling one.
        opening: what happens before the two sides take over: a number, or a range (low, high), of random decisions of
            all players, 0 for the usual opening; or positions, see `Game.opening`; or `"fair"` for `fair_starts`.
        each_round: number of random decisions at the start of each later round of a campaign for two players. Without
            them, agents without randomness repeat much of a round, and a few rounds decide many campaigns.
        options: options of the game, `campaign` and `threads`.

    Returns:
        Wins, draws and losses of the policy, in total and by seat, and how many games are repetitions. Printed, the
        score warns if these are at least half of the games, as between two agents without randomness.

    Raises:
        ValueError: if an argument has a value that is not allowed.
        TypeError: if an argument has a wrong type, or the game does not have one of the options.
        IllegalAction: if a policy plays an illegal action.
    """
    require_some(games, "games")
    require_some(each_round, "each_round", least=0)
    threads = options.pop("threads", 1)
    rules = make_game(game, **options)
    if isinstance(opening, str) and opening == FAIR:
        opening = fair_starts(rules)
    player = Agent(rules, policy, deterministic=deterministic)
    other = each(opponent, lambda one: Agent(rules, one, deterministic=deterministic))
    chosen = _seats(seats, rules.num_deciding)
    openings, chance = -(-games // len(chosen)), np.random.default_rng(seed)
    if each_round:
        if rules.num_deciding != 2 or not rules.campaign or not isinstance(other, Agent):
            needed = "a campaign for two players and one opponent"
            raise ValueError(f"each_round needs {needed}, got {rules.header} and {short(opponent)}")
        if threads != 1:
            raise ValueError(f"each_round needs threads=1, got {short(threads)}")
        states = np.tile(rules.init(openings, seed, opening=opening), len(chosen))
        first_seat, acts = np.repeat(chosen, openings), [player.act, other.act]
        with seeded(int(chance.integers(2**32))):
            lead = leads(rules, states, first_seat, acts, chance, each_round)
        return Score.of(np.sign(lead).reshape(len(chosen), openings), chosen)
    results, repeated = np.zeros((len(chosen), openings)), []
    with seeded(int(chance.integers(2**32))):
        # Games with the same seed begin with the same opening and the same draws.
        seeds = chance.integers(2**63, size=openings, dtype=np.uint64)
        for row, seat in zip(results, chosen, strict=True):
            match = Match(rules, openings, other, seat, "raise", opening, threads)
            row[:], distinct = _play(player, match, seeds)
            repeated.append(openings - distinct)
    return Score.of(results, chosen, repeated)


def _seats(seats: int | str, number: int) -> list[int]:
    """Return the seats to play from, of `number` seats. Raise ValueError for an unknown seat."""
    if seats == "balanced":
        return list(range(number))
    if isinstance(seats, bool) or seats not in range(number):
        raise ValueError(f"seats must be 'balanced' or 0..{number - 1}, got {seats!r}")
    return [int(seats)]


def _play(player: Agent, match: Match, seeds: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.float64], int]:
    """Play all games of a match in parallel, each by its seed.

    A search, like an opponent in an environment, chooses by a seed of each game, so its choices do not depend on the
    other games.

    Returns:
        The results (n,) of the player, 1 for a win, 0 for a draw and -1 for a loss, and the number of distinct games.
    """
    n = len(seeds)
    everyone = np.arange(n)
    match.seed(everyone, seeds)
    # A game that the opponents end before the player's first decision counts, so it is not started again.
    match.begin(everyone, restart=False)
    match.refresh()
    rewards = match.pending_rewards.copy()
    history = _History(match.observations)
    while (playing := ~match.over).any():
        if callable(player.agent):
            # To keep the batch's shape, a game that is over is shown as a running one; its action is ignored.
            shown = np.where(playing, everyone, playing.argmax())
            actions = np.asarray(player.agent(match.observations[shown], match.masks[shown]))
        else:
            actions = np.zeros(n, np.int64)
            actions[playing] = match.ask(player, np.flatnonzero(playing))
        if actions.shape != (n,) or actions.dtype.kind not in "iu":
            raise ValueError(f"policy must return integers of shape ({n},), got {actions!r}")
        match.step(np.ascontiguousarray(actions, np.int64))
        match.refresh()
        rewards[playing] = match.rewards[playing]
        history.add(match.observations, playing)
    return np.sign(rewards), history.distinct


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

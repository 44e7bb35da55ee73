"""How well a policy plays: games against an opponent, with an interval that says how far to trust the number."""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from math import sqrt
from operator import index
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from mancala_envs import make_game
from mancala_envs.agents import NAMES, Policy, Search, act, each, is_search, resolve
from mancala_envs.envs.vector import MancalaVectorEnv

Z95 = 1.959964
"""Half-width of the central 95% of the normal distribution, in standard deviations."""


@dataclass(frozen=True)
class Score:
    """Results of a number of games; a shared first place is a win. Rates are of decided games, `interval` is 95%."""

    wins: int
    draws: int
    losses: int
    seats: dict[int, "Score"] = field(default_factory=dict, hash=False)
    """The same by seat, where it was counted."""

    @property
    def games(self) -> int:
        """All games, draws included."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float:
        """Wins among decided games; 0.5 where none was decided."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95% interval of `win_rate` (E. B. Wilson, JASA 22, 1927)."""
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
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses, seats)

    def __str__(self) -> str:
        low, high = self.interval
        counts = f"{self.wins}-{self.draws}-{self.losses}"
        seats = ", ".join(f"seat {seat} {score.win_rate:.1%}" for seat, score in self.seats.items())
        split = f"; {seats}" if len(self.seats) > 1 else ""
        return f"{self.win_rate:6.1%} of decided games [{low:.1%}, {high:.1%}] ({counts}){split}"

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers for a JSON file; `seats` is a list, in which each tells its number."""
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        rates = {"win_rate": self.win_rate, "interval_95": list(self.interval)}
        seats = [{"seat": seat, **score.as_dict()} for seat, score in self.seats.items()]
        return {**counts, **rates, **({"seats": seats} if seats else {})}


def evaluate(
    policy: Any,
    game: str,
    opponent: Any = "random",
    seats: int | str = "balanced",
    games: int = 400,
    seed: int = 0,
    deterministic: bool = False,
    **options: Any,
) -> Score:
    """Play `games` games, each to its end, `policy` against `opponent`; every one counts, long or short.

    Arguments:
        policy: `"random"`, `"greedy"`, a search such as `"minimax:6"` or `"mcts:400"` (`mancala_envs.agents.Searcher`),
            the path of a saved MaskablePPO model, or a callable on batches, observations (k, D) and masks (k, A) ->
            actions (k,); or a search of your own, with a method `act(states, seed)`.
        game: a name or an id, such as `"qelat"` or `"mancala_envs/QelatCampaign-v0"`.
        opponent: the same, a `Mixture`, or a list with one for each other seat, counted on from the policy's.
        seats: `"balanced"`, as many games in every seat, the first ones getting what is over; or a player's number.
        seed: decides everything, with policies that draw from the generators of PyTorch, NumPy and Python too. These
            go on afterwards as if nothing had been drawn.
        deterministic: whether saved models play their likeliest action instead of drawing one.
        options: of the game, `campaign` and `threads`.

    Raises ValueError or TypeError for what is not allowed, and IllegalAction where either plays an illegal action.
    """
    if isinstance(games, bool) or index(games) < 1:
        raise ValueError(f"games must be an integer of at least 1, got {games!r}")
    known = gym.registry[game].kwargs if game in gym.registry else {}
    asked = {"game": game, **known, **options}
    agreed = {name: value for name, value in asked.items() if name != "threads"}
    board = make_game(agreed.pop("game"), **agreed)
    player = resolve(policy, board, deterministic, "policy")
    other = each(opponent, lambda one: resolve(one, board, deterministic) if _is_path(one) else one)
    chance = np.random.default_rng(seed)
    result = Score(0, 0, 0)
    with seeded(int(chance.integers(2**32))):
        for seat, share in _shares(seats, games, board.num_deciding):
            result += _play(player, share, chance, opponent=other, seat=seat, **asked)
    return result


def _is_path(one: Any) -> bool:
    return isinstance(one, Path) or (isinstance(one, str) and one not in NAMES and not is_search(one))


def _shares(seats: int | str, games: int, number: int) -> list[tuple[int, int]]:
    """Each of the `number` seats to play from, and how many games. Raises ValueError for a seat that there is not."""
    if seats == "balanced":
        return [(seat, games // number + (seat < games % number)) for seat in range(min(number, games))]
    if isinstance(seats, bool) or seats not in range(number):
        raise ValueError(f"seats must be 'balanced' or 0..{number - 1}, got {seats!r}")
    return [(int(seats), games)]


def _play(player: int | Policy | Search, games: int, chance: np.random.Generator, seat: int, **asked: Any) -> Score:
    """All games from one seat, at once."""
    envs = MancalaVectorEnv(num_envs=games, seat=seat, illegal="raise", autoreset_mode="SameStep", **asked)
    observations, infos = envs.reset(seed=chance.integers(2**63, size=games).tolist())
    rewards_at_end = np.zeros(games)
    playing = np.ones(games, np.bool_)
    while playing.any():
        if isinstance(player, int):
            actions = act(envs.game, envs.states, NAMES[player], int(chance.integers(2**63)))
        elif callable(player):
            actions = np.asarray(player(observations, infos["action_mask"]))
        else:
            states, luck = envs.states, int(chance.integers(2**63))
            actions = np.asarray(player.act(envs.game.copies(states, 1, luck, states["to_move"]), luck))
        # Games that are over start again unseen: the batch keeps its shape and only first games count.
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        over = (terminated | truncated) & playing
        rewards_at_end[over] = rewards[over]
        playing &= ~over
    won, drawn, lost = (int((np.sign(rewards_at_end) == sign).sum()) for sign in (1, 0, -1))
    return Score(won, drawn, lost, {seat: Score(won, drawn, lost)})


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """The generators that policies share, PyTorch's only where it is loaded, begin at `seed`, and end as they were."""
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

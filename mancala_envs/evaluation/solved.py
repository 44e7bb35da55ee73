"""Solved games: positions with the exact value of every action, and the scores of agents on them.

The file `solved.npz` has 10,000 positions of each game of SOLVED_GAMES, 2,000 of Oware, half of them to train on
(`TRAIN`) and half to test with (`TEST`). No position occurs twice, also not as an image under a symmetry of the board,
with the players exchanged, or, in games in which play does not depend on earlier captures, with other stores.
`mancala_envs.studies.sampling` says how the positions were chosen and solved; `scripts/maintenance/solved.py` writes
the file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from math import sqrt
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent
from mancala_envs.core.arguments import States, short
from mancala_envs.core.engine import IllegalAction
from mancala_envs.evaluation.score import Z95, seeded, wilson
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, make_game

FILE = "solved.npz"

ILLEGAL = -128
"""The value of an action that is not legal."""

PARTS = TRAIN, TEST = "train", "test"
"""The two halves of the positions of a game."""


@dataclass(frozen=True)
class SolvedGame:
    """The solved positions of one game.

    Attributes:
        options: Options of the game.
        about: Which positions these are.
        checksum: SHA-256 of the positions and their values, see `checksum`.
        unit: What values count.
    """

    options: Mapping[str, Any]
    about: str
    checksum: str
    unit: str = "seeds"

    def title(self, name: str) -> str:
        """Return the title of game `name`, followed by the options."""
        return " ".join([REGISTRY[name].book.title, *(f"`{option}={value}`" for option, value in self.options.items())])


SOLVED_GAMES = {
    "kalah": SolvedGame(
        {}, "at most 24 seeds in the holes", "f1cee345042d172a34c36c22ff116a23377d3159334d8a7143a5400317bf419b"
    ),
    "oware": SolvedGame(
        {"columns": 3, "seeds": 2, "max_turns": 60},
        "all stages of a round",
        "63a513cc21834e8f5384a98472829503211d5892f3ad7186e682113d832f6828",
    ),
    "qelat": SolvedGame(
        {"columns": 3}, "all stages of a round", "e045acdb24b808eef99fe844a7f61bea57953da141067875867e394fbc7ef699"
    ),
    "daramutu": SolvedGame(
        {}, "at most 36 seeds in the holes", "da47834fe094de0d1d1d0ab4911828156f03c25325db67220fb655671e9fca7e"
    ),
    "niranchy": SolvedGame(
        {}, "all stages of a game", "9f88be268a58f000e32944ec4fd3c2c16f2d363fc0102e09bc0caa14c15bd39a", unit="results"
    ),
    "bestemshe": SolvedGame(
        {"columns": 3}, "all stages of a round", "cc43331ea04915057a5bfa6d4ac0c654d93970b85a374b03068dedb5d65650e0"
    ),
}
"""The games with solved positions. A change of a checksum means new positions, whose scores cannot be compared with
those of the old one."""


@dataclass(frozen=True, eq=False)
class Solved:
    """Solved positions of a game.

    Attributes:
        game: The game.
        states: (n,) states.
        values: (n, A) int8, the final lead of the player to move after each action if both players then play their
            best, or 1, 0 and -1 for a win, a draw and a loss in games without a lead; ILLEGAL for actions that are not
            legal.
    """

    game: Game
    states: States
    values: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def best(self) -> npt.NDArray[np.int8]:
        """The value of the best action in each position, (n,) int8."""
        best: npt.NDArray[np.int8] = self.values.max(1)
        return best

    @property
    def matters(self) -> npt.NDArray[np.bool_]:
        """Whether not all legal actions of a position lead to the same win, draw or loss, (n,) bool."""
        legal = self.values != ILLEGAL
        worst = np.where(legal, self.values, 127).min(1)
        differs: npt.NDArray[np.bool_] = np.sign(worst) != np.sign(self.best)
        return differs


@dataclass(frozen=True)
class SolvedScore:
    """How well an agent chose in solved positions.

    Attributes:
        positions: The number of positions.
        regret: The mean regret: how much of the lead (or result) a choice gives away, in `unit`.
        regret_interval: Its 95% confidence interval.
        matters: The number of positions in which not all actions lead to the same result.
        kept: The number of these in which the agent kept the result: no other action leads to a better one.
        unit: What regret counts.
    """

    positions: int
    regret: float
    regret_interval: tuple[float, float]
    matters: int
    kept: int
    unit: str

    @property
    def share(self) -> float:
        """The share of positions in which the agent kept the result, of those in which this can fail; 1 if none can."""
        return self.kept / self.matters if self.matters else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence interval of `share` (E. B. Wilson, JASA 22, 1927)."""
        return wilson(self.kept, self.matters)

    def __str__(self) -> str:
        low, high = self.interval
        least, most = self.regret_interval
        return (
            f"keeps the result in {self.share:.1%} [{low:.1%}, {high:.1%}] of {self.matters} positions; "
            f"mean regret {self.regret:.3f} [{least:.3f}, {most:.3f}] {self.unit} in {self.positions} positions"
        )


def solved_positions(game: str, part: str = TEST) -> Solved:
    """Return solved positions of a game.

        train = solved_positions("kalah", "train")
        best = (train.values == train.best[:, None]).argmax(1)

    Args:
        game: The name of the game, a key of `SOLVED_GAMES`, which has its options.
        part: `"train"` or `"test"`. No position of one part occurs in the other.

    Raises:
        ValueError: There are no solved positions of the game, no such part, or the file is damaged.
    """
    if game not in SOLVED_GAMES:
        raise ValueError(f"there are no solved positions of {short(game)}; there are some of {', '.join(SOLVED_GAMES)}")
    solved = SOLVED_GAMES[game]
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(map(repr, PARTS))}, got {short(part)}")
    arrays = read(game)
    if checksum(arrays) != solved.checksum:
        raise ValueError(f"the solved positions of {game} are damaged: their checksum is not that of SOLVED_GAMES")
    values = arrays.pop("values")
    half = len(values) // 2
    rows = slice(half) if part == TRAIN else slice(half, None)
    rules = make_game(game, **solved.options)
    states = rules.init(1, 0).repeat(len(values[rows]))
    for field, found in arrays.items():
        states[field] = found[rows]
    return Solved(rules, states, values[rows])


def read(game: str) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of one game in the file: `values` and the fields of states that differ from the start."""
    with files(__package__).joinpath(FILE).open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return {name.partition(".")[2]: arrays[name] for name in arrays.files if name.partition(".")[0] == game}


def checksum(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return the SHA-256 of named arrays of integers, as little-endian int32."""
    found = sha256()
    for name, array in sorted(arrays.items()):
        found.update(f"{name} {array.shape}\n".encode() + array.astype("<i4").tobytes())
    return found.hexdigest()


def score_solved(
    policy: Any, game: str, part: str = TEST, seed: int = 0, deterministic: bool = False, positions: int | None = None
) -> SolvedScore:
    """Let a policy choose once in each solved position of a game, and return its score.

    >>> print(score_solved("minimax:4", "kalah"))

    Args:
        policy: As in `evaluate`.
        game: The name of the game, a key of `SOLVED_GAMES`.
        part: `"test"`, or `"train"` for the positions that learners train on.
        seed: Seed of the policy's choices.
        deterministic: Whether saved models play their most probable action instead of sampling one.
        positions: The number of positions, the first of the part; by default all.

    Raises:
        ValueError: An argument is not allowed.
        IllegalAction: The policy chose an illegal action.
    """
    found = solved_positions(game, part)
    if positions is not None:
        if isinstance(positions, bool) or not 1 <= index(positions) <= len(found):
            raise ValueError(f"positions must lie in 1..{len(found)}, got {positions!r}")
        found = Solved(found.game, found.states[:positions], found.values[:positions])
    player, chance = Agent(found.game, policy, deterministic=deterministic), np.random.default_rng(seed)
    with seeded(int(chance.integers(2**32))):
        chosen = player.act(found.states.copy(), None if player.is_policy else int(chance.integers(2**63)))
    rows = np.arange(len(found))
    wrong = (chosen < 0) | (chosen >= found.game.num_actions)
    wrong |= found.values[rows, np.where(wrong, 0, chosen)] == ILLEGAL
    if wrong.any():
        first = int(wrong.argmax())
        raise IllegalAction(first, chosen[first], np.flatnonzero(found.values[first] != ILLEGAL).tolist())
    return score_of(found, chosen)


def score_of(found: Solved, chosen: npt.NDArray[np.int64]) -> SolvedScore:
    """Return the score of legal actions (n,) int64, one in each position."""
    of_choice = found.values[np.arange(len(found)), chosen].astype(np.int64)
    best, matters = found.best.astype(np.int64), found.matters
    regrets = best - of_choice
    mean, half = float(regrets.mean()), Z95 * float(regrets.std()) / sqrt(len(found))
    kept = (np.sign(of_choice) == np.sign(best)) & matters
    interval = max(0.0, mean - half), mean + half
    unit = SOLVED_GAMES[found.game.name].unit
    return SolvedScore(len(found), mean, interval, int(matters.sum()), int(kept.sum()), unit)


def report(policy: Any, game: str | None = None, seed: int = 0, deterministic: bool = False) -> Iterator[str]:
    """Yield a line with the policy's score for one game or for all of SOLVED_GAMES; arguments as in `score_solved`."""
    for name in SOLVED_GAMES if game is None else (game,):
        score = score_solved(policy, name, seed=seed, deterministic=deterministic)
        yield f"{policy} in {SOLVED_GAMES[name].title(name)} {score}"

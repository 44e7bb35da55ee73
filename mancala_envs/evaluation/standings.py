"""The chances of winning a campaign from the standings between its rounds.

A standing is what a round leaves to the next one: who starts, what each player owns, the lead in worth, and the debts.
The chance of winning depends on it and on the rounds left. The tables of the package are for campaigns with the usual
options. `mancala_envs.studies.rounds` says how they were estimated; `scripts/maintenance/standings.py` writes them.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.network import plays_of
from mancala_envs.core.arguments import States, as_batch
from mancala_envs.game import Game
from mancala_envs.programs.files import atomic_write
from mancala_envs.registry import make_game

TABLES = Path(__file__).parent / "chances"
"""The folder of the tables that come with the package."""

SUFFIX = ".npz"
"""The end of the name of a file; the beginning is the name of the rule book."""

_CHANCES, _SCALE = ("chances", "low", "high"), 10_000
"""Files count chances in ten-thousandths."""

Chances = npt.NDArray[np.float64]


def standings_of(game: Game, states: States) -> npt.NDArray[np.int64]:
    """Return the standings (n, 4) of campaigns for two players at the start of a round.

    Columns: the parts of the board that the player to move owns, and those that the other player owns; the lead in
    `worth` of the player to move; and what they owe, less what the other player owes them.
    """
    found, rows = game.standing(states), np.arange(len(states))
    mover = states["to_move"].astype(np.int64)
    owned, worth = found["owned"], found["worth"]
    debt = found.get("debt", np.zeros((len(states), 2, 2), np.int64))
    lead = worth[rows, mover] - worth[rows, 1 - mover]
    owes = debt[rows, mover, 1 - mover] - debt[rows, 1 - mover, mover]
    return np.stack([owned[rows, mover], owned[rows, 1 - mover], lead, owes], axis=1)


@dataclass(frozen=True, eq=False)
class Standings:
    """The chances of winning campaigns of one game for the player who starts the next round; a draw counts half.

    ::

        game = make_game("qelat", campaign=True)
        states = game.init(1, seed=1)
        standings_for(game).chance(game, states)

    Attributes:
        plays: The game with its options, under the name of its rule book.
        agent: The agent that played the rounds from which the chances were estimated.
        standings: (K, 4) int64, see `standings_of`.
        rounds: The number of rounds played from each standing.
        chances: (R, K) float64. Row r - 1 is the chance with r rounds left, including the one about to start; the last
            row also holds if there are more.
        low: (R, K), the lower ends of the 95% intervals.
        high: (R, K), their upper ends.
    """

    plays: str
    agent: str
    standings: npt.NDArray[np.int64]
    rounds: int
    chances: Chances
    low: Chances
    high: Chances

    @property
    def most_left(self) -> int:
        """The most rounds left with chances of their own."""
        return len(self.chances)

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {tuple(standing): number for number, standing in enumerate(self.standings.tolist())}

    def chance(self, game: Game | str, states: States) -> Chances:
        """Return the chance of winning (n,) of the player to move in states (n,), or one, at the start of a round.

        It is nan for standings that never came up. In the middle of a round it means nothing, which is not checked.

        Raises:
            ValueError: The table is for another game or other options.
        """
        game, states = make_game(game), as_batch(states)
        if self.plays != plays_of(game):
            raise ValueError(f"these are the standings of {self.plays}, not of {game.header}")
        numbers = np.array([self._numbers.get(tuple(row), -1) for row in standings_of(game, states).tolist()], np.int64)
        left = game.options["max_rounds"] - states["round_number"].astype(np.int64)
        found = self.chances[np.clip(left, 0, self.most_left - 1), numbers]
        return np.where(numbers < 0, np.nan, found)

    @property
    def by_debt(self) -> npt.NDArray[np.int64]:
        """The indices (m,) of the standings that differ from an even one only in debts, by what the mover owes.

        There is at most one in games without debts.
        """
        owned, other, lead, owes = self.standings.T
        even = np.flatnonzero((owned == other) & (lead == -2 * owes))
        found: npt.NDArray[np.int64] = even[owes[even].argsort()]
        return found

    def price_of_debt(self) -> tuple[float, float]:
        """Return by how much a stone of debt lowers the chance of winning, and half of the width of its 95% interval.

        It is the mean between the first and the last standing of `by_debt`, whose errors are taken as independent.

        Raises:
            ValueError: The game has no debts.
        """
        if len(self.by_debt) < 2:
            raise ValueError(f"{self.plays} has no debts")
        least, *_, most = self.by_debt
        stones = self.standings[most, 3] - self.standings[least, 3]
        cost = self.chances[-1, least] - self.chances[-1, most]
        width = hypot(*(self.high[-1, number] - self.low[-1, number] for number in (most, least)))
        return float(cost / stones), float(width / 2 / stones)

    def save(self, path: Path) -> None:
        """Write the table to a file, atomically."""
        with atomic_write(path) as file:
            np.savez_compressed(
                file,
                about=np.array(json.dumps({"plays": self.plays, "agent": self.agent, "rounds": self.rounds})),
                standings=self.standings.astype(np.int16),
                **{name: np.rint(_SCALE * getattr(self, name)).astype(np.uint16) for name in _CHANCES},
            )


def load_standings(path: Path) -> Standings:
    """Read a table that `Standings.save` has written."""
    with np.load(path) as file:
        about: dict[str, Any] = json.loads(str(file["about"]))
        chances = {name: file[name] / _SCALE for name in _CHANCES}
        return Standings(standings=file["standings"].astype(np.int64), **about, **chances)


def standings_for(game: Game | str) -> Standings:
    """Return the table that comes with the package for campaigns of a game.

    Raises:
        ValueError: There is none, or it is for other options.
    """
    game = make_game(game)
    path = TABLES / f"{game.book.name}{SUFFIX}"
    found = load_standings(path) if game.campaign and path.is_file() else None
    if found is None or found.plays != plays_of(game):
        known = ", ".join(sorted(file.stem for file in TABLES.glob(f"*{SUFFIX}")))
        raise ValueError(
            f"there are standings for campaigns of {known} with their usual options, not for {game.header}"
        )
    return found

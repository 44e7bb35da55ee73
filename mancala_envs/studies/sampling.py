"""Sampling and solving positions (`mancala_envs.evaluation.solved`).

Random games provide one position each, sampled from those with more than one legal action and few enough seeds. Each
is set up at its first possible turn, so that limits of turns are far away. The value of an action is the final lead of
the player to move if both players then play their best, proven by alpha-beta search (`mancala_envs.agents.solve`).
Positions are left out if all actions have the same value, if one is not proven by a search of `Source.work` positions
or depends on the value of endless play, and if they are equal to an earlier one (`keys`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.solve.database import compute_database, has_database, no_database
from mancala_envs.agents.solve.gains import Measure
from mancala_envs.agents.solve.proofs import LONGEST, Proofs
from mancala_envs.core.arguments import States
from mancala_envs.core.engine import Engine
from mancala_envs.evaluation.solved import ILLEGAL, SOLVED_GAMES
from mancala_envs.game import Game
from mancala_envs.programs.files import atomic_write
from mancala_envs.registry import make_game

BATCH = 250
"""Random games that are played at a time."""

MEMORY, LEFT = 256, 16
"""Megabytes for the transposition table of a game, and the maximum number of seeds in its endgame database."""

LONGEST_PROOF = 256
"""Maximum length of the variations of a proof, in decisions; below all limits of turns that proofs lift."""


@dataclass(frozen=True)
class Source:
    """How the positions of a game are chosen.

    Attributes:
        seeds: Maximum number of seeds in the holes, 0 for no limit.
        work: Maximum number of positions visited to solve one position.
        number: The number of positions in the file.
    """

    seeds: int = 0
    work: int = 1_000_000
    number: int = 10_000


SOURCES = {
    "kalah": Source(24),
    "oware": Source(work=50_000, number=2_000),
    "qelat": Source(),
    "daramutu": Source(36),
    "niranchy": Source(),
    "bestemshe": Source(),
}


class TooMuchWork(Exception):
    """A position takes more than `Source.work` positions to solve."""


class Exact:
    """Computes the exact values of all actions of positions of one game; for its arguments see `SOLVED_GAMES`."""

    def __init__(self, name: str) -> None:
        self.source, options = SOURCES[name], SOLVED_GAMES[name].options
        self.game = make_game(name, **options)
        self._counted = make_game(name, reward="margin", **options)
        self._measure, database = Measure.of(self._counted), no_database()
        self._longest = LONGEST_PROOF
        if has_database(self._counted):
            database, self._longest = compute_database(self._counted, LEFT, lambda number: None), LONGEST
        self._proofs = Proofs(self._counted, self._measure, MEMORY * 2**20, database)

    def values(self, state: States) -> npt.NDArray[np.int8] | None:
        """Return the value of each action (A,) int8 for the player to move in a (1,) state; None if one is not known.

        See `Solved.values`.
        """
        before = self._measure.unbounded(self._counted, paid_by_margin(self._counted, state))
        values = np.full(self.game.num_actions, ILLEGAL, np.int8)
        most = self._proofs.positions + self.source.work

        def pause(bounds: object) -> None:
            if self._proofs.positions > most:
                raise TooMuchWork

        unit, sign = self._measure.unit, 1 - 2 * int(state["to_move"][0])
        for action in np.flatnonzero(self._counted.legal(before)[0]):
            after = before.copy()
            rewards = self._counted.step(after, [action])
            if after["to_move"][0] < 0:
                low = high = round(float(rewards[0, 0]) * unit)
            else:
                try:
                    low, high = self._proofs.bounds(after, (-unit, unit), pause, self._longest)
                except TooMuchWork:
                    return None
            if low != high:
                return None
            values[action] = sign * low
        return values


def paid_by_margin(counted: Engine, state: States) -> States:
    """Return a copy of the (1,) state as a state of `counted`, the same game with `reward="margin"`."""
    same, fresh = state.copy(), counted.init(1, 0)
    for field in ("reward", "rules"):
        same[field] = fresh[field]
    return same


def sample(game: Game, most: int, n: int, seed: int) -> States:
    """Return (at most n,) positions with a choice and at most `most` seeds (0: no limit), one from each of n games."""
    chance = np.random.default_rng(seed)
    states = np.asarray(game.init(n, int(chance.integers(2**63))))
    drawn, candidates = states.copy(), np.zeros(n, np.int64)
    while (states["to_move"] >= 0).any():
        fit = game.legal(states).sum(1) > 1
        if most:
            fit &= states["holes"].sum(1) <= most
        candidates += fit
        # Reservoir sampling: each of a game's k candidates is equally likely to stay.
        taken = fit & (chance.random(n) * candidates < 1)
        drawn[taken] = states[taken]
        game.step(states, game.sample(states, int(chance.integers(2**63))))
    return drawn[candidates > 0]


def set_up(game: Game, state: States) -> States:
    """Return the position of a (1,) state as a game that begins with it, (1,)."""
    left_out = {"turn", "quiet", "round_number", "opener", "ended", "winner", "positions", "history"}
    left_out.update(game.book.positions.unread)
    fields = {name: state[name][0] for name in game.position_fields if name not in left_out}
    turn = min(int(state["turn"][0]), game.book.positions.opening_turns)
    return np.asarray(game.load(seed=0, turn=turn, **fields))


def keys(game: Game, states: States) -> list[bytes]:
    """Return a key of each position, equal for images of each other.

    These are positions that differ only by a symmetry of the board, by the players' names or by counters, such as
    stores, on which play does not depend.
    """
    observed = game.observe(states)
    for kind in game.book.positions.counters:
        for column, field in enumerate(game.observation_fields):
            if field.name in (f"own_{kind}", f"other_{kind}"):
                observed[:, column] = 0
    images = [observed, *(symmetry.observe(observed) for symmetry in game.symmetries)]
    return [min(image[row].tobytes() for image in images) for row in range(len(observed))]


def solved_sample(name: str, number: int, seed: int) -> Iterator[tuple[States, npt.NDArray[np.int8]]]:
    """Yield `number` different positions of a game, (1,) states, with the values of their actions, (A,) int8."""
    exact, chance, met = Exact(name), np.random.default_rng([seed, crc32(name.encode())]), set[bytes]()
    while len(met) < number:
        drawn = sample(exact.game, exact.source.seeds, BATCH, int(chance.integers(2**63)))
        for state in np.split(drawn, len(drawn)):
            state = set_up(exact.game, state)
            (key,) = keys(exact.game, state)
            if key in met or len(met) == number:
                continue
            values = exact.values(state)
            if values is None or len(set(values[values != ILLEGAL].tolist())) == 1:
                continue
            met.add(key)
            yield state, values


def arrays_of(name: str, number: int, seed: int, progress: Callable[[], object]) -> dict[str, npt.NDArray[Any]]:
    """Sample and solve positions of a game, and return the arrays for its part of the file; see `solved.read`."""
    found = []
    for pair in solved_sample(name, number, seed):
        found.append(pair)
        progress()
    game = make_game(name, **SOLVED_GAMES[name].options)
    states, start = np.concatenate([state for state, _ in found]), game.init(1, 0)
    arrays = {"values": np.stack([values for _, values in found])}
    for field in sorted({*game.position_fields, *game.book.positions.hidden} - {"chance"}):
        if (states[field] != start[field]).any():
            arrays[field] = states[field]
    return arrays


def write(path: Path, arrays: dict[str, dict[str, npt.NDArray[Any]]]) -> None:
    """Write the arrays of games, by name, into one file."""
    columns = {
        f"{name}.{field}": np.asfortranarray(array) for name, one in arrays.items() for field, array in one.items()
    }
    with atomic_write(path) as file:
        np.savez_compressed(file, allow_pickle=False, **columns)

"""Matches between two agents from random openings, each played twice, the seats exchanged."""

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.core.arguments import States
from mancala_envs.evaluation.agents import Chooser, chooser
from mancala_envs.evaluation.runs import Unusable
from mancala_envs.game import Game
from mancala_envs.registry import make_game

Floats = npt.NDArray[np.float64]

OPENINGS_TRIED = 100
"""How often openings are drawn anew until enough of them are still in play."""


class TooShort(Unusable):
    """Games do not last so long as their openings are to."""


@dataclass(frozen=True)
class Batch:
    """Some games between two agents; what comes of them depends on nothing else."""

    game: str
    campaign: bool
    options: dict[str, Any]
    agents: tuple[str, str]
    number: int
    """Of the batch in its pairing; the same number means the same openings."""
    games: int
    opening: int
    seed: int

    def play(self) -> list[list[int]]:
        """Wins, draws and losses of the first agent, in the seats 0, 2, ... and in the others."""
        return [[int((row == sign).sum()) for sign in (1, 0, -1)] for row in self.results()]

    def results(self) -> Floats:
        """(2, games // 2): 1 where the first agent won, 0 where nobody did, else -1; in the seats 0, 2, ... and in the
        others, in each column from the same opening."""
        game = make_game(self.game, self.campaign, **self.options)
        of_openings, of_play = np.random.SeedSequence([self.seed, self.number]).spawn(2)
        begun = openings(game, self.games // 2, self.opening, np.random.default_rng(of_openings))
        states = np.tile(begun, 2)
        first_seat = np.repeat([0, 1], len(begun))
        chance = np.random.default_rng([*of_play.generate_state(4), *(crc32(agent.encode()) for agent in self.agents)])
        lead = leads(game, states, first_seat, [chooser(agent, game) for agent in self.agents], chance)
        return np.sign(lead).reshape(2, len(begun))


def openings(game: Game, n: int, turns: int, chance: np.random.Generator) -> States:
    """(n,) games after so many turns of random play. Raises TooShort where hardly any game lasts so long."""
    found: list[States] = []
    for _ in range(OPENINGS_TRIED):
        states = game.init(n, int(chance.integers(2**63)))
        while len(early := np.flatnonzero(is_opening(states, turns))):
            played = states[early]
            game.step(played, game.sample(played, int(chance.integers(2**63))))
            states[early] = played
        found.append(states[states["to_move"] >= 0])
        if sum(map(len, found)) >= n:
            return np.concatenate(found)[:n]
    raise TooShort(f"games of {game.header} are over within {turns} turns: choose fewer by --opening")


def is_opening(states: States, turns: int) -> npt.NDArray[np.bool_]:
    """Which games are in play and in their first `turns` turns."""
    early: npt.NDArray[np.bool_] = (states["turn"] < turns) & (states["round_number"] == 1)
    return early & (states["to_move"] >= 0)


def leads(
    game: Game,
    states: States,
    first_seat: npt.NDArray[np.int64],
    agents: Sequence[Chooser],
    chance: np.random.Generator,
) -> Floats:
    """(n,): play all games to their ends; how much more a seat of the first agent is paid there than one of the second.

    The first agent sits in the seats `first_seat` (n,), + 2, ..., the second in the others.
    """
    seats = np.arange(game.num_deciding)
    is_first = (seats + first_seat[:, None]) % 2 == 0
    weights = np.where(is_first, 1 / is_first.sum(1, keepdims=True), -1 / (~is_first).sum(1, keepdims=True))
    lead = np.zeros(len(states))
    while len(playing := np.flatnonzero(states["to_move"] >= 0)):
        actions = np.full(len(states), -1)
        whose = (states["to_move"][playing] + first_seat[playing]) % 2
        for agent, choose in enumerate(agents):
            asked = playing[whose == agent]
            if len(asked):
                actions[asked] = choose(states[asked], int(chance.integers(2**63)))
        rewards = game.step(states, actions)
        over = playing[states["to_move"][playing] < 0]
        lead[over] = (weights * rewards[:, seats])[over].sum(1)
    return lead


# Where it is played.


def in_this_process(batches: Sequence[Batch]) -> Iterator[tuple[Batch, list[list[int]]]]:
    """Every batch with its result, one after the other."""
    for batch in batches:
        yield batch, batch.play()


def in_processes(batches: Sequence[Batch], jobs: int) -> Iterator[tuple[Batch, list[list[int]]]]:
    """Every batch with its result, in processes of their own, as they are done."""
    # One thread each for PyTorch: side by side several would wait for each other most of the time.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        try:
            # Ctrl-C is for this process, which ends the others: whoever is started deaf to it stays so.
            listening = signal.signal(signal.SIGINT, signal.SIG_IGN)
            tasks = {pool.submit(batch.play): batch for batch in batches}
            signal.signal(signal.SIGINT, listening)
            for task in as_completed(tasks):
                yield tasks[task], task.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def on_cluster(batches: Sequence[Batch], address: str) -> Iterator[tuple[Batch, list[list[int]]]]:
    """Every batch with its result, as tasks of a Ray cluster, as they are done. Raises ModuleNotFoundError without Ray,
    before anything is played."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray is to report to nobody; it looks at its import.
    import ray  # Only for those who have it.

    def played() -> Iterator[tuple[Batch, list[list[int]]]]:
        own = {"include_dashboard": False, "object_store_memory": 200 * 2**20}
        ray.init(address, **(own if address == "local" else {}))
        try:
            play = ray.remote(Batch.play)
            tasks = {play.remote(batch): batch for batch in batches}
            waiting = list(tasks)
            while waiting:
                (done,), waiting = ray.wait(waiting)
                yield tasks[done], ray.get(done)
        finally:
            ray.shutdown()

    return played()

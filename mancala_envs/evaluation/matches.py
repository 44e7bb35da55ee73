"""Matches between two agents from random openings. Each opening is played twice, with the seats swapped."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent
from mancala_envs.core.arguments import States
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.record import NOBODY
from mancala_envs.game import Game
from mancala_envs.programs.processes import process_pool, sigint_blocked
from mancala_envs.registry import make_game

Floats = npt.NDArray[np.float64]

Actor: TypeAlias = Callable[[States, int], npt.NDArray[np.int64]]
"""`Agent.act` of an agent, or a function that does the same: maps (k,) states and a seed to (k,) actions."""

Results: TypeAlias = list[list[int]]
"""The results of an agent from n openings: in seats 0, 2, ..., then in seats 1, 3, ...; 1, 0 or -1 each."""


@dataclass(frozen=True)
class Batch:
    """A batch of games between two agents. Its results depend only on these fields."""

    game: str
    """Name of the game."""
    campaign: bool
    options: dict[str, Any]
    """Options of the game."""
    agents: tuple[str, str]
    """Names or paths of the two agents."""
    number: int
    """Number of the batch within its pairing; batches of one size with the same number have the same openings."""
    games: int
    """Number of games, even."""
    opening: int | Sequence[int]
    """Number of random decisions before the agents take over, or a range (low, high) of it."""
    seed: int

    def play(self) -> Results:
        """Return the results of the first agent from games // 2 openings."""
        game = make_game(self.game, self.campaign, **self.options)
        of_openings, of_play = np.random.SeedSequence([self.seed, self.number]).spawn(2)
        seed = int(of_openings.generate_state(1, np.uint64)[0])
        begun = game.init(self.games // 2, seed, opening=self.opening)
        states = np.tile(begun, 2)
        first_seat = np.repeat([0, 1], len(begun))
        chance = np.random.default_rng([*of_play.generate_state(4), *(crc32(agent.encode()) for agent in self.agents)])
        lead = leads(game, states, first_seat, [Agent(game, agent).act for agent in self.agents], chance)
        results: Results = np.sign(lead).astype(int).reshape(2, len(begun)).tolist()
        return results


def leads(
    game: Game,
    states: States,
    first_seat: npt.NDArray[np.int64],
    agents: Sequence[Actor],
    chance: np.random.Generator,
    each_round: int = 0,
    forfeited: npt.NDArray[np.bool_] | None = None,
) -> Floats:
    """Play all games to the end, and return the first agent's leads.

    Agents without randomness that meet again in a later round of a campaign play much of it as before, so one round
    decides many campaigns. Random decisions at the start of every round prevent that.

    Args:
        game: the game.
        states: (n,) states, changed in place.
        first_seat: (n,) 0 or 1: the first agent plays seats 0, 2, ... or 1, 3, ...; the second plays the others.
        agents: the two agents.
        chance: source of their seeds.
        each_round: number of random decisions at the start of each round of a campaign after the first, see
            `decides_at_random`.
        forfeited: (n,) where True is written for each game that the first agent ends by an illegal action; its lead is
            then -2, as in a lost game. Without it an illegal action raises IllegalAction.

    Returns:
        (n,) mean final reward of the first agent's seats minus that of the second agent's.
    """
    weights, lead = seat_weights(game, first_seat), np.zeros(len(states))
    for playing, _, rewards in steps(game, states, first_seat, agents, chance, each_round, forfeited):
        over = playing[states["to_move"][playing] < 0]
        lead[over] = (weights * rewards)[over].sum(1)
    if forfeited is not None:
        lead[forfeited] = -2.0
    return lead


def seat_weights(game: Game, first_seat: npt.NDArray[np.int64]) -> Floats:
    """Return the weights (n, P) whose products with the rewards of all players add up to the first agent's lead."""
    seats = np.arange(game.num_players)
    decides = seats < game.num_deciding
    is_first = decides & ((seats + first_seat[:, None]) % 2 == 0)
    is_second = decides & ~is_first
    weights: Floats = is_first / is_first.sum(1, keepdims=True) - is_second / is_second.sum(1, keepdims=True)
    return weights


def steps(
    game: Game,
    states: States,
    first_seat: npt.NDArray[np.int64],
    agents: Sequence[Actor],
    chance: np.random.Generator,
    each_round: int = 0,
    forfeited: npt.NDArray[np.bool_] | None = None,
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float32]]]:
    """Play all games to the end, as `leads` does.

    Yields:
        After each step of `states`, the numbers (k,) of the games in which somebody decided, all actions (n,), -1 where
        nobody did, and all rewards (n, P).
    """
    at_random = np.zeros(len(states), np.int64)
    while len(playing := np.flatnonzero(states["to_move"] >= 0)):
        actions = np.full(len(states), -1)
        drawn = playing[decides_at_random(states[playing], at_random[playing])]
        if len(drawn):
            actions[drawn] = game.sample(states[drawn], int(chance.integers(2**63)))
            at_random[drawn] -= 1
        deciding = np.setdiff1d(playing, drawn, assume_unique=True)
        mover = (states["to_move"][deciding] + first_seat[deciding]) % 2
        for agent, choose in enumerate(agents):
            to_decide = deciding[mover == agent]
            if len(to_decide):
                seed = int(chance.integers(2**63))
                # An agent gets no hidden information and no future draws.
                shown = game.copies(states[to_decide], 1, seed, states["to_move"][to_decide])
                actions[to_decide] = choose(shown, seed)
        if forfeited is not None:
            illegal = _illegal(game, states, actions, deciding[mover == 0])
            forfeited[illegal] = True
            states["to_move"][illegal], actions[illegal] = NOBODY, -1
        rounds = states["round_number"].copy() if each_round else None
        rewards = game.step(states, actions)
        if rounds is not None:
            at_random[states["round_number"] != rounds] = each_round
        yield playing, actions, rewards


def _illegal(
    game: Game, states: States, actions: npt.NDArray[np.int64], which: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return those games of `which` (k,) whose action is illegal."""
    chosen, legal = actions[which], game.legal(states[which])
    inside = (chosen >= 0) & (chosen < legal.shape[1])
    found: npt.NDArray[np.int64] = which[~inside | ~legal[np.arange(len(which)), np.where(inside, chosen, 0)]]
    return found


def decides_at_random(states: States, left: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return whether (n,) the next decision in each state is random, if this number (n,) of random ones is left.

    Only ordinary decisions (phase 0) are: a random one about the set-out of a round can lose the campaign.
    """
    found: npt.NDArray[np.bool_] = (left > 0) & (states["phase"] == 0)
    return found


# Playing batches: in this process, in several or on a cluster.


def in_this_process(batches: Sequence[Batch]) -> Iterator[tuple[Batch, Results]]:
    """Play the batches one after the other; yield each with its result."""
    for batch in batches:
        yield batch, batch.play()


def in_processes(batches: Sequence[Batch], jobs: int) -> Iterator[tuple[Batch, Results]]:
    """Play the batches in `jobs` processes; yield each with its result as it finishes."""
    # One PyTorch thread per process: more would compete for the same cores.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with process_pool(jobs) as pool:
        with sigint_blocked():
            tasks = {pool.submit(batch.play): batch for batch in batches}
        for task in as_completed(tasks):
            yield tasks[task], task.result()


def import_ray() -> Any:
    """Import Ray, which then sends no usage reports; raise MissingExtra if it is not installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray reads this at import.
    with needs_extra():
        import ray
    return ray


@contextmanager
def connected(ray: Any, address: str) -> Iterator[None]:
    """Connect to the Ray cluster with this address, "auto", or "local" to start one."""
    own = {"include_dashboard": False, "object_store_memory": 200 * 2**20}
    ray.init(address, **(own if address == "local" else {}))
    try:
        yield
    finally:
        ray.shutdown()


def on_cluster(batches: Sequence[Batch], address: str) -> Iterator[tuple[Batch, Results]]:
    """Play the batches as tasks on a Ray cluster; yield each with its result as it finishes.

    Raises:
        MissingExtra: if Ray is not installed; raised by the call itself, before iteration.
    """
    ray = import_ray()

    def played() -> Iterator[tuple[Batch, Results]]:
        with connected(ray, address):
            play = ray.remote(Batch.play)
            tasks = {play.remote(batch): batch for batch in batches}
            waiting = list(tasks)
            while waiting:
                (done,), waiting = ray.wait(waiting)
                yield tasks[done], ray.get(done)

    return played()

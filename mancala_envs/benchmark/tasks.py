"""The ten tasks of the benchmark, its version and its protocol."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import gymnasium as gym

from mancala_envs import Game, make_game
from mancala_envs.agents import Agent, Mixture
from mancala_envs.agents.network import SUFFIX, checksum
from mancala_envs.core.arguments import did_you_mean, short
from mancala_envs.core.opening import EACH_ROUND, OPENING
from mancala_envs.envs.aec import wrapped
from mancala_envs.registry import REGISTRY

VERSION = 1
"""Version of the benchmark. It rises when a task, an opponent or the protocol changes."""

NETWORKS = Path(__file__).with_name("opponents")
"""The networks of the experts of the ladder: those of the package when this version of the benchmark was made."""

EXPLORATION = 1.0
"""The exploration of these experts where they search by mcts, which had no other when this version was made."""

LADDER = ("random", "greedy", "minimax:2", "expert:500", "expert:4000", "expert:16000")
"""The opponents of every task, from the weakest to the strongest."""

OPENINGS = 16
"""Openings against each opponent with each seed. Each is played from both seats."""

SEEDS = (0, 1, 2)
"""The seeds of a result. A seed determines the openings, and the training of a learner."""

DECISIONS = 1_000_000
"""The most decisions of the learner in a task, in the track `learners`."""

LEARNERS, OPEN = TRACKS = ("learners", "open")
"""Agents that learnt from at most DECISIONS decisions and play without search; and any agent."""

FOR_LEARNING = Mixture(("random", "greedy"))
"""The opponents of the environments of a task, unless the caller chooses others."""


@dataclass(frozen=True)
class Task:
    """A game, or a campaign, with its options.

    ::

        env = benchmark.task("kalah").make()
        envs = benchmark.task("kalah").make_vec(64, opponent="greedy")
    """

    name: str
    """Name of the task, such as `"qelat_campaign"`."""
    game_name: str
    """Name of the game, as `make_game` takes it."""
    reason: str
    """The skill that the task asks for, and the others do not."""
    options: dict[str, Any] = field(default_factory=dict, hash=False)
    """Options that differ from their defaults; `campaign` is one of them."""

    @cached_property
    def game(self) -> Game:
        """The game."""
        return make_game(self.game_name, **self.options)

    @property
    def id(self) -> str:
        """Id of the environments."""
        return REGISTRY[self.game_name].id

    def make(self, opponent: Any = FOR_LEARNING, **options: Any) -> Any:
        """Make the Gymnasium environment: `gym.make`, with random openings unless `options` say otherwise."""
        return gym.make(self.id, opponent=opponent, **{"opening": OPENING, **self.options, **options})

    def make_vec(self, num_envs: int = 64, opponent: Any = FOR_LEARNING, **options: Any) -> Any:
        """Make the Gymnasium vector environment: `gym.make_vec`, with random openings, as in `make`."""
        return gym.make_vec(
            self.id, num_envs=num_envs, opponent=opponent, **{"opening": OPENING, **self.options, **options}
        )

    def make_aec(self, **options: Any) -> Any:
        """Make the PettingZoo environment, in which every seat is an agent, with random openings, as in `make`."""
        return wrapped(game=self.game_name, **{"opening": OPENING, **self.options, **options})

    @property
    def each_round(self) -> int:
        """Number of random decisions at the start of each later round of a campaign."""
        return EACH_ROUND if self.game.campaign else 0

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the rules, the observations and the expert's network."""
        return hashlib.sha256(checksum(self.game).encode() + self._network.read_bytes()).hexdigest()[:12]

    def opponent(self, name: str) -> Agent:
        """Make an opponent of the ladder. An expert has the network and the exploration of this version."""
        network = self._network if name.startswith("expert") else None
        return Agent(self.game, name, network=network, exploration=EXPLORATION)

    @property
    def _network(self) -> Path:
        return NETWORKS / f"{self.name}{SUFFIX}"


_CAMPAIGN = {"campaign": True}

TASKS = {
    task.name: task
    for task in (
        Task("kalah", "kalah", "the best-known game: short, with extra turns"),
        Task("oware", "oware", "small captures, and plans that take many turns"),
        Task("togyz_kumalak", "togyz_kumalak", "162 seeds, and holes that a player wins for the rest of the game"),
        Task("bao", "bao", "the most complicated rules: four rows, relays and two phases"),
        Task("qelat", "qelat", "relays, and holes that change their owner"),
        Task("nerenchi_keliya", "nerenchi_keliya", "no sowing: rows of three on a board of points, 216 actions"),
        Task("qelat_campaign", "qelat", "holes won in a round are kept in the next ones", _CAMPAIGN),
        Task("walak_pussa_campaign", "walak_pussa", "the loser of a round plays on with fewer holes", _CAMPAIGN),
        Task("congkak_campaign", "congkak", "turns of many decisions, and burnt holes", _CAMPAIGN),
        Task(
            "ceelkoqyuqkoqiji_campaign",
            "ceelkoqyuqkoqiji",
            "debts, bought and sold holes, and hidden throws that decide who begins",
            {"campaign": True, "first": "throw"},
        ),
    )
}
"""The tasks by name."""


def task(name: str) -> Task:
    """Return the task of this name.

    Raises:
        ValueError: There is none.
    """
    if name not in TASKS:
        raise ValueError(f"there is no task {short(name)}{did_you_mean(name, TASKS)}; there are {', '.join(TASKS)}")
    return TASKS[name]


def protocol() -> dict[str, Any]:
    """Return everything that results must share to be comparable, as a result file keeps it."""
    constants = {"ladder": list(LADDER), "openings": OPENINGS, "random_decisions": [OPENING, EACH_ROUND]}
    return {"version": VERSION, **constants, "tasks": {name: one.fingerprint for name, one in TASKS.items()}}


def version() -> str:
    """Return the version of the benchmark with a fingerprint of its protocol and rules, such as `1-3f2a90c1`."""
    return f"{VERSION}-{hashlib.sha256(json.dumps(protocol()).encode()).hexdigest()[:8]}"

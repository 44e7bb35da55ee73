"""Games of an agent against the ladder of a task."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent
from mancala_envs.benchmark.tasks import LADDER, OPENINGS, Task
from mancala_envs.core.arguments import States
from mancala_envs.core.opening import OPENING
from mancala_envs.evaluation.matches import leads
from mancala_envs.evaluation.score import seeded

LETTERS = {1: "W", 0: "D", -1: "L"}
"""A win, a draw and a loss in a result file."""

Watch: TypeAlias = Callable[[States | None], None]
"""Called with the states before each request to the agent, and with None when it has answered."""


class Timed:
    """An agent whose decisions and CPU time are counted.

    Args:
        agent: The agent.
        watch: Called before and after each request.
    """

    def __init__(self, agent: Agent, watch: Watch) -> None:
        self._agent, self._watch = agent, watch
        self.decisions, self._timed, self._seconds = 0, 0, 0.0

    def act(self, states: States, seed: int) -> npt.NDArray[np.int64]:
        """Return the agent's actions."""
        self._watch(states)
        begun = time.process_time()
        actions = self._agent.act(states, seed)
        if self.decisions:
            self._seconds += time.process_time() - begun
            self._timed += len(states)
        self.decisions += len(states)
        self._watch(None)
        return actions

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of CPU time a decision, without the first request, which may also compile and load."""
        return 1000 * self._seconds / max(self._timed, 1)


def play(
    task: Task, agent: Any, seed: int, openings: int = OPENINGS, watch: Watch = lambda states: None
) -> dict[str, Any]:
    """Play an agent against every opponent of the ladder, from random openings, each from both seats.

    Args:
        task: The task.
        agent: The agent, as `Agent` takes it.
        seed: The seed of openings, chance and both sides. Openings depend on nothing else.
        openings: The number of openings against each opponent.
        watch: Called before and after each request to the agent.

    Returns:
        The result, as a file keeps it: `score`, the mean of the points over the ladder, 0 to 100; by opponent, and in
        it for seats 0 and 1, the `points`, 0 to 1, and the `games`, a letter of LETTERS for each opening; `illegal`,
        the number of games lost by an illegal action; `decisions`; and `cpu_ms`, milliseconds of CPU time a decision.

    Raises:
        ValueError: The agent is not allowed.
    """
    game = task.game
    begin = game.init(openings, seed, opening=OPENING)
    first_seat = np.repeat([0, 1], openings)
    games, illegal = dict[str, list[str]](), 0
    player = Timed(Agent(game, agent), watch)
    for rung, opponent in enumerate(LADDER):
        forfeited = np.zeros(2 * openings, np.bool_)
        chance = np.random.default_rng([seed, rung])
        with seeded(seed):
            agents = [player.act, task.opponent(opponent).act]
            lead = leads(game, np.tile(begin, 2), first_seat, agents, chance, task.each_round, forfeited)
        results = np.sign(lead).astype(int).reshape(2, openings)
        games[opponent] = ["".join(LETTERS[result] for result in seat) for seat in results.tolist()]
        illegal += int(forfeited.sum())
    return {
        "score": score_of(games),
        "points": {opponent: [points_of(seat) for seat in seats] for opponent, seats in games.items()},
        "games": games,
        "illegal": illegal,
        "decisions": player.decisions,
        "cpu_ms": round(player.cpu_ms, 4),
    }


def score_of(games: Mapping[str, Sequence[str]]) -> float:
    """Return the score of a task, 0 to 100, from the games in both seats against every opponent."""
    return round(100 * sum(points_of("".join(games[opponent])) for opponent in LADDER) / len(LADDER), 2)


def points_of(games: str) -> float:
    """Return the points, 0 to 1, of games, each a letter of LETTERS."""
    return round((games.count("W") + games.count("D") / 2) / len(games), 4)

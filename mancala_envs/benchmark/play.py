"""Games of an agent against the ladder of a task."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mancala_envs.agents import Agent
from mancala_envs.benchmark.tasks import LADDER, OPENINGS, Task
from mancala_envs.core.opening import OPENING
from mancala_envs.evaluation.matches import Actor, leads
from mancala_envs.evaluation.score import seeded
from mancala_envs.evaluation.timed import Timed, Watch
from mancala_envs.programs.files import fits

LETTERS = {1: "W", 0: "D", -1: "L"}
"""A win, a draw and a loss in a result file."""


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
            agents: list[Actor] = [player, task.opponent(opponent).act]
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


def are_games(games: Any) -> bool:
    """Return whether these are all games of a seed of a task, as `play` returns them."""
    return fits(games, {str: [str]}) and all(
        [len(seat) for seat in games.get(opponent, ())] == [OPENINGS, OPENINGS]
        and set("".join(games[opponent])) <= set(LETTERS.values())
        for opponent in LADDER
    )


def score_of(games: Mapping[str, Sequence[str]]) -> float:
    """Return the score of a task, 0 to 100, from the games in both seats against every opponent."""
    return round(100 * sum(points_of("".join(games[opponent])) for opponent in LADDER) / len(LADDER), 2)


def points_of(games: str) -> float:
    """Return the points, 0 to 1, of games, each a letter of LETTERS."""
    return round((games.count("W") + games.count("D") / 2) / len(games), 4)

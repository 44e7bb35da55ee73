"""Matches in which all agents have the same time for a decision: choose the network of an expert, and measure it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.agent import Agent
from mancala_envs.agents.judges import Luck
from mancala_envs.agents.network import SEARCHES, ValueNetwork
from mancala_envs.core.arguments import States
from mancala_envs.core.opening import EACH_ROUND, OPENING
from mancala_envs.evaluation.matches import Actor, seat_weights, steps
from mancala_envs.evaluation.score import interval_of
from mancala_envs.evaluation.timed import Timed
from mancala_envs.game import Game
from mancala_envs.learning.value_training import GAMES_AT_ONCE, MOST_DECISIONS, begin

LOST = {"hat_diviyan_keliya"}
"""Games that one side wins after every first decision (docs/solved.md), so that matches need balanced openings. Koti
Keliya and Niranchy are lost as well, but there a search of a millisecond decides nearly all openings."""

DRAWS = 32
"""Outcomes of chance with which each one is compared, see `Luck`."""

LONGEST_BALANCED, TRIALS, MOST_LEAD = 30, 8, 0.5
"""A balanced opening has OPENING to 30 random decisions, and the mean reward of 8 trial games from it lies within
-0.5..0.5: each side wins some of them, or most are drawn."""

RANDOM_IN_TRIALS = 0.1
"""Share of random decisions in trial games, which greedy plays."""

GAMES_TIMED = 64
"""Games that are played to find out how long games are."""

MATCH_SECONDS, FEWEST_PAIRS = 120.0, 20
"""About the most time of a match: where games are long it has fewer pairs, but not fewer than this."""

Points: TypeAlias = npt.NDArray[np.float64]
"""Points (n,) of pairs of games, from 0 to 1, in games with chance without the part that luck explains."""


def expert_of(game: Game, network: ValueNetwork, milliseconds: int) -> Timed:
    """Return the expert that searches with a network for this time for each decision."""
    return Timed(Agent(game, f"expert:{milliseconds}ms", network=network))


def match(game: Game, agents: Sequence[Actor], pairs: int, seed: int, judge: ValueNetwork) -> Points:
    """Return the first agent's points (n,) of pairs of games from random openings.

    Both games of a pair draw the same random numbers: in a race, the throws of the k-th turn are the same. In games
    with chance, luck is removed from the points, which can then lie outside 0 to 1.

    Args:
        game: The game.
        agents: The two agents.
        pairs: The number of pairs, n.
        seed: Seed of the openings, of chance, and of the agents.
        judge: A network that judges what luck is, in games with chance.
    """
    chance = np.random.default_rng(seed)
    begun = (balanced if game.name in LOST else begin)(game, pairs, OPENING, chance)
    each_round = EACH_ROUND if game.campaign else 0
    states, first_seat = np.tile(begun, 2), np.repeat([0, 1], len(begun))
    luck_of, weights = Luck(game, judge, DRAWS) if game.has_chance else None, seat_weights(game, first_seat)
    lead, luck, before = np.zeros(len(states)), np.zeros(len(states)), states.copy()
    for playing, actions, rewards in steps(game, states, first_seat, agents, chance, each_round):
        over = playing[states["to_move"][playing] < 0]
        lead[over] = (weights * rewards)[over].sum(1)
        if luck_of:
            luck += (weights * luck_of(before, actions)).sum(1)
            before[playing] = states[playing]
    points, luck = (each.reshape(2, -1).mean(axis=0) for each in ((np.sign(lead) + 1) / 2, luck))
    return without_luck(points, luck)


def without_luck(points: Points, luck: npt.NDArray[np.float64]) -> Points:
    """Return points (n,) minus the part that luck (n,) explains, by linear regression.

    Luck is zero on average, so removing it does not favour either agent, and the interval of the mean is narrower: half
    as wide in Pancha Keliya, and 10 to 25% narrower in Sokkattan.

    Source: M. White, M. Bowling, "Learning a value analysis tool for agent evaluation" (2009).
    """
    deviation = luck - luck.mean()
    squares = float(deviation @ deviation)
    return points - (float(deviation @ points) / squares) * luck if squares else points


def affordable(game: Game, pairs: int, milliseconds: int, seed: int) -> int:
    """Return this number of pairs of games, or fewer if they took too long, see MATCH_SECONDS."""
    seconds = length_of(game, seed) * milliseconds / 1000
    return min(pairs, max(FEWEST_PAIRS, int(MATCH_SECONDS / (2 * seconds))))


def length_of(game: Game, seed: int) -> float:
    """Return the mean number of decisions in trial games."""
    chance = np.random.default_rng(seed)
    return play_trials(game, begin(game, GAMES_TIMED, OPENING, chance), chance)[1] / GAMES_TIMED


def balanced(game: Game, n: int, shortest: int, chance: np.random.Generator) -> States:
    """Return (n,) states after random openings after which trial games are not won by one side only."""
    found: list[States] = []
    while sum(map(len, found)) < n:
        states = begin(game, GAMES_AT_ONCE, (shortest, LONGEST_BALANCED), chance)
        rewards, _ = play_trials(game, np.repeat(states, TRIALS), chance)
        leads = rewards[:, 0].reshape(-1, TRIALS).mean(axis=1)
        found.append(states[abs(leads) <= MOST_LEAD])
    return np.concatenate(found)[:n]


def play_trials(game: Game, states: States, chance: np.random.Generator) -> tuple[npt.NDArray[np.float64], int]:
    """Let greedy, with some random decisions, play games to their ends from states (n,), which it changes.

    Returns:
        The rewards (n, P) of the games, and the number of decisions in all of them.
    """
    greedy, decisions = Agent(game, "greedy"), 0
    rewards = np.zeros((len(states), game.num_players))
    for _ in range(MOST_DECISIONS):
        playing = np.flatnonzero(states["to_move"] >= 0)
        if not len(playing):
            break
        decisions += len(playing)
        now = states[playing]
        actions = greedy.act(now, int(chance.integers(2**63)))
        at_random = chance.random(len(now)) < RANDOM_IN_TRIALS
        actions[at_random] = game.sample(now, int(chance.integers(2**63)))[at_random]
        rewards[playing] += game.step(now, actions)
        states[playing] = now
    return rewards, decisions


def measure(game: Game, network: ValueNetwork, milliseconds: int, pairs: int, seed: int) -> dict[str, Any]:
    """Play the expert against minimax and mcts, all with this time for each decision.

    Returns:
        For each opponent its name, the number of games, the expert's points, their 95% interval, the expert's CPU time
        for a decision in milliseconds, and its ratio to that of the opponent.
    """
    found = {}
    for kind in SEARCHES:
        expert, other = expert_of(game, network, milliseconds), Timed(Agent(game, f"{kind}:{milliseconds}ms"))
        points = match(game, [expert, other], pairs, seed, network)
        found[kind] = {
            "opponent": other.agent.agent,
            "games": 2 * pairs,
            **points_and_interval(points),
            "ms": round(expert.cpu_ms, 3),
            "time": round(expert.cpu_ms / other.cpu_ms, 3),
        }
    return found


def points_and_interval(points: Points) -> dict[str, Any]:
    """Return the mean of points (n,) of pairs of games, and its 95% interval."""
    return {"points": round(float(points.mean()), 4), "interval": [round(float(end), 4) for end in interval_of(points)]}


def best_network(game: Game, networks: list[ValueNetwork], milliseconds: int, pairs: int, seed: int) -> ValueNetwork:
    """Return the network that plays best in the same time, with the search, minimax or mcts, in which it does.

    Each network plays in each search against the stronger of the plain searches. The better half of them plays twice as
    many games, and so on until one is left. `pairs` is the number of pairs of games of the first matches.
    """
    plain = stronger_search(game, networks[0], milliseconds, 2 * pairs, seed)
    left = [replace(network, search=kind) for network in networks for kind in SEARCHES]
    while len(left) > 1:
        seed += 1
        agents = [[expert_of(game, network, milliseconds) for network in (each, plain)] for each in left]
        points = [match(game, both, pairs, seed, each).mean() for each, both in zip(left, agents, strict=True)]
        left = [left[place] for place in np.argsort(points)[::-1][: len(left) // 2]]
        pairs *= 2
    return left[0]


def stronger_search(game: Game, network: ValueNetwork, milliseconds: int, pairs: int, seed: int) -> ValueNetwork:
    """Return this network without weights, with the search that wins a match between minimax and mcts."""
    minimax, mcts = (replace(network.without_weights(), search=kind) for kind in SEARCHES)
    agents = [expert_of(game, each, milliseconds) for each in (mcts, minimax)]
    return mcts if match(game, agents, pairs, seed, network).mean() > 0.5 else minimax


def measured_network(
    game: Game, network: ValueNetwork, milliseconds: int, pairs: int, seed: int
) -> tuple[ValueNetwork, dict[str, Any]]:
    """Return the network and what `measure` says of it; without weights if the expert loses to minimax or mcts.

    It then searches as the stronger of them. In some games, above all where games between equals are drawn, a network
    learns too little to pay for its time.
    """
    measured = measure(game, network, milliseconds, pairs, seed)
    if all(found["points"] >= 0.5 for found in measured.values()):
        return network, measured
    stronger = stronger_search(game, network, milliseconds, pairs, seed)
    return stronger, measure(game, stronger, milliseconds, pairs, seed)

"""Fit value networks to games that an agent plays against itself from random openings.

The target of a position mixes the result of its game with the value that the agent gave to the position.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import process_time
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.agent import Agent
from mancala_envs.agents.common import Streams, streams_of
from mancala_envs.agents.inference import BLOCK
from mancala_envs.agents.minimax import UNSEARCHED
from mancala_envs.agents.network import SEARCHES, ValueNetwork, checksum, evaluate, outputs_of, plays_of, rows_of
from mancala_envs.core.arguments import States
from mancala_envs.core.opening import EACH_ROUND, OPENING
from mancala_envs.evaluation.matches import steps
from mancala_envs.game import Game
from mancala_envs.learning.fit import Floats, Model, Positions, best_scale, loss_of_evaluations
from mancala_envs.programs.files import RunError

GAMES_AT_ONCE = 256
"""Games of self-play that advance together."""

LONGEST_OPENING, MOST_DECISIONS = 12, 2000
"""Random decisions before self-play, at most; and decisions after which a game without a result is dropped."""

FIRST_SCALE = 64.0
"""Eighths of `worth` that change the odds by the factor e, as long as no game has shown how many do."""

RANDOM_DECISIONS = 0.03
"""Share of random decisions in self-play."""


@dataclass(frozen=True)
class Recipe:
    """How a network is fitted to the positions of self-play."""

    outcome: float
    """Weight of the result of the game in a target; the rest is the value of the search."""
    decay: float
    """Weight decay of the tables in a step of gradient descent."""


RECIPES = Recipe(0.3, 3e-3), Recipe(0.3, 3e-4), Recipe(0.7, 3e-4)
"""The recipes that are tried in every game. None is the best in all: the first was much better than one with a weight
of 0.7 in Togyz Kumalak, and much worse in Oware."""

ActWithValues: TypeAlias = Callable[[States, Streams], tuple[npt.NDArray[np.int64], npt.NDArray[Any]]]
"""An agent: maps states (n,) and their generators (n,) to actions (n,), and to the values (n,) of the positions."""


def self_play(
    game: Game,
    act_with_values: ActWithValues,
    number: int,
    seconds: float,
    chance: np.random.Generator,
    report: Callable[[float], None],
) -> dict[str, npt.NDArray[Any]]:
    """Play games of one agent from random openings, and return their positions.

    Args:
        game: The game.
        act_with_values: The agent, which plays for all sides.
        number: The number of positions; the last games are played to their end.
        seconds: A limit of CPU time in seconds, after which no game begins.
        chance: Source of randomness.
        report: Called with the share done so far, from 0 to 1.

    Returns:
        A dictionary: `columns` (n, D); `evaluations` and `rewards` (n, O) of the players from the one to move on, in
        campaigns with the rewards of `result_of_round`; and `values` (n,) of the agent.

    Raises:
        RunError: No game ended within MOST_DECISIONS decisions.
    """
    begun, done, parts = process_time(), 0, []
    unit = typical_lead(game, chance) if game.campaign else 1.0
    while done < number and process_time() - begun < seconds:
        states = begin(game, GAMES_AT_ONCE, (0, LONGEST_OPENING), chance)
        # The result of each game or, in campaigns, of each round; nan as long as it has none.
        results, current = np.full((len(states), game.num_players), np.nan), np.arange(len(states))
        rewards, seen = np.zeros((len(states), game.num_players)), []
        for _ in range(MOST_DECISIONS):
            playing = np.flatnonzero(states["to_move"] >= 0)
            report(min(max(done / number, (process_time() - begun) / seconds), 1.0))
            if not len(playing):
                break
            now = states[playing]
            view = game.view(now)
            words = chance.integers(2**63, size=len(now)).astype(np.uint64)
            actions, values = act_with_values(view, streams_of(len(now), words))
            movers = now["to_move"].astype(np.int64)
            seen.append((current[playing], game.observe(now), evaluate(game, now), movers, values))
            at_random = chance.random(len(now)) < RANDOM_DECISIONS
            actions[at_random] = game.sample(now, int(chance.integers(2**63)))[at_random]
            rounds = now["round_number"].copy()
            rewards[playing] += game.step(now, actions)
            states[playing] = now
            over = now["to_move"] < 0
            results[current[playing[over]]] = rewards[playing[over]]
            if game.campaign and len(ended := np.flatnonzero(~over & (now["round_number"] != rounds))):
                results[current[playing[ended]]] = result_of_round(game, now[ended], unit)
                current[playing[ended]] = len(results) + np.arange(len(ended))
                results = np.concatenate([results, np.full((len(ended), game.num_players), np.nan)])
        known = ~np.isnan(results[:, 0])
        for which, columns, evaluations, movers, values in seen:
            kept = known[which]
            done += int(kept.sum())
            order = seats_from(movers[kept], game.num_players)
            parts.append(
                (
                    columns[kept],
                    np.take_along_axis(evaluations[kept], order, 1),
                    np.take_along_axis(results[which[kept]], order, 1),
                    values[kept],
                )
            )
        if not done:
            raise RunError(f"no game of {game.header} ended within {MOST_DECISIONS} decisions")
    columns, evaluations, results, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    outputs = outputs_of(game)
    return {
        "columns": columns,
        "evaluations": evaluations[:, :outputs],
        "rewards": results[:, :outputs],
        "values": values,
    }


def typical_lead(game: Game, chance: np.random.Generator) -> float:
    """Return the mean lead after the rounds of campaigns that greedy plays, in eighths of `worth`."""
    states, greedy, leads = begin(game, GAMES_AT_ONCE, OPENING, chance), Agent(game, "greedy").act, [np.zeros(0)]
    rounds = states["round_number"].copy()
    for _ in steps(game, states, np.zeros(len(states), np.int64), [greedy, greedy], chance, EACH_ROUND):
        begun = (states["to_move"] >= 0) & (states["round_number"] != rounds)
        leads.append(np.abs(evaluate(game, states[begun])[:, 0]))
        rounds = states["round_number"].copy()
    found = np.concatenate(leads)
    return float(found.mean()) if found.any() else 1.0


def result_of_round(game: Game, states: States, unit: float) -> npt.NDArray[np.float64]:
    """Return what the round that has just ended was worth to all players (n, P), from -1 to 1.

    The result of a campaign of dozens of rounds says little about a decision. The lead after the round says more, and a
    large lead counts as a campaign that is nearly won.

    Args:
        game: The game.
        states: (n,) states at the start of the next round.
        unit: The lead, in eighths of `worth`, with which a player can expect a reward of 0.46.
    """
    found: npt.NDArray[np.float64] = np.tanh(evaluate(game, states) / (2 * unit))
    return found


def begin(game: Game, n: int, opening: int | tuple[int, int], chance: np.random.Generator) -> States:
    """Return (n,) states after an opening of random decisions, as `Game.opening` takes it."""
    return game.init(n, int(chance.integers(2**63)), opening=opening)


def seats_from(movers: npt.NDArray[np.int64], players: int) -> npt.NDArray[np.int64]:
    """Return the (n, P) players from each player to move on."""
    return (movers[:, None] + np.arange(players)) % players


def chances_of_search(values: npt.NDArray[Any], scale: float) -> Floats:
    """Return the expected rewards (n,), from 0 to 1, for values (n,) of minimax, nan where it searched nothing."""
    found = 1 / (1 + np.exp(-np.clip(values / scale, -30, 30)))
    return np.where(values == UNSEARCHED, np.nan, found).astype(np.float32)


def positions_of(
    played: dict[str, Any], outcome: float, scale_of_values: float | None = None
) -> tuple[Positions, float]:
    """Return the positions of `self_play` with their targets, and the scale of the static evaluation.

    Args:
        played: What `self_play` returned.
        outcome: Weight of the result of the game in a target.
        scale_of_values: The scale of the network with which the agent searched; None if it had none.
    """
    results = ((played["rewards"] + 1) / 2).clip(0, 1).astype(np.float32)
    positions = Positions(played["columns"], played["evaluations"].astype(np.float32), results)
    scale = best_scale(positions)
    chances, targets = chances_of_search(played["values"], scale_of_values or scale), results.copy()
    found = ~np.isnan(chances)
    targets[found, 0] *= outcome
    targets[found, 0] += (1 - outcome) * chances[found]
    return Positions(positions.columns, positions.evaluations, targets), scale


def plain_network(game: Game) -> ValueNetwork:
    """Return a network without weights."""
    rows, outputs = int(rows_of(game)[0][-1]), outputs_of(game)
    return ValueNetwork(
        plays_of(game),
        checksum(game),
        SEARCHES[0],
        FIRST_SCALE,
        np.zeros((rows, BLOCK), np.int16),
        np.zeros(BLOCK, np.int16),
        np.zeros((outputs, BLOCK), np.int32),
        np.zeros(outputs, np.int32),
    )


def fitted(
    game: Game,
    played: dict[str, Any],
    recipe: Recipe,
    epochs: int,
    chance: np.random.Generator,
    report: Callable[[float], None],
    scale_of_values: float | None = None,
    **training: Any,
) -> ValueNetwork:
    """Return a network fitted to the positions of `self_play`.

    Args:
        game: The game.
        played: What `self_play` returned.
        recipe: How the network is fitted.
        epochs: How often the positions are used.
        chance: Source of randomness.
        report: Called with the share done so far, from 0 to 1.
        scale_of_values: See `positions_of`.
        training: More about the training, for the network's file.
    """
    positions, scale = positions_of(played, recipe.outcome, scale_of_values)
    # The last games are not used to fit.
    kept = len(positions) * 19 // 20
    ours, others = positions[:kept], positions[kept:]
    # A column that has the same value everywhere, such as an unused option, would only cost time.
    used = np.flatnonzero((ours.columns != ours.columns[0]).any(axis=0))
    model = Model(*rows_of(game), used, positions.targets.shape[1], scale, recipe.decay, chance)
    for epoch, _ in enumerate(model.fit(ours, epochs)):
        report((epoch + 1) / epochs)
    training |= asdict(recipe) | {
        "positions": len(positions),
        "loss": round(model.loss(others), 4),
        "loss_of_evaluation": round(loss_of_evaluations(others, scale), 4),
    }
    return ValueNetwork(plays_of(game), checksum(game), SEARCHES[0], scale, **model.quantised(), training=training)

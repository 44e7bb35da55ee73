"""Train the networks of experts: play games by search from random openings, fit networks, and measure the best of them.

The positions come from minimax playing itself. The target of a position mixes the result of its game with the value
that the search found. If the expert is worse than minimax or mcts in the same time, its network loses its weights, and
the expert is that search.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from shutil import copy
from time import process_time
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from mancala_envs.agents.common import Budget, Streams, streams_of
from mancala_envs.agents.minimax import PARANOID, UNSEARCHED, Minimax
from mancala_envs.agents.network import EXPERTS, SEARCHES, SUFFIX, ValueNetwork, checksum, evaluate, plays_of, rows_of
from mancala_envs.agents.searcher import MEMORY, Searcher
from mancala_envs.core.arguments import States
from mancala_envs.evaluation.matches import leads
from mancala_envs.evaluation.runs import RunError, run_missing, write_table
from mancala_envs.evaluation.score import interval_of
from mancala_envs.game import Game
from mancala_envs.learning.fit import Floats, Model, Positions, best_scale, loss_of_evaluations
from mancala_envs.registry import REGISTRY, make_game

GAMES_AT_ONCE = 256
"""Games of self-play that advance together."""

MOST_TURNS_AHEAD, MOST_VISITED = 4, 3000
"""Self-play searches as many turns as visit no more than this number of positions for a decision, at most four."""

LONGEST_OPENING, MOST_DECISIONS = 12, 2000
"""Random decisions before self-play, at most; and decisions after which a game without a result is dropped."""

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

OPENING = 6
"""Random decisions before the agents of a match take over."""

LOST = {"hat_diviyan_keliya"}
"""Games that one side wins after every first decision (docs/solved.md), so that matches need balanced openings. Koti
Keliya and Niranchy are lost as well, but there a search of a millisecond decides nearly all openings."""

LONGEST_BALANCED, TRIALS, MOST_LEAD = 30, 8, 0.5
"""A balanced opening has OPENING to 30 random decisions, and the mean reward of 8 trial games from it lies within
-0.5..0.5: each side wins some of them, or most are drawn."""

RANDOM_IN_TRIALS = 0.1
"""Share of random decisions in trial games, which greedy plays."""

GAMES_TIMED = 64
"""Games that are played to find out how long games are."""

MATCH_SECONDS, FEWEST_PAIRS = 60.0, 20
"""About the most time of a match: where games are long it has fewer pairs, but not fewer than this."""

DRAWS = 2
"""Draws with which self-play searches each action, in games with chance."""

ActWithValues: TypeAlias = Callable[[States, Streams], tuple[npt.NDArray[np.int64], npt.NDArray[Any]]]
"""An agent: maps states (n,) and their generators (n,) to actions (n,), and to the values (n,) of the positions."""

Points: TypeAlias = npt.NDArray[np.float64]
"""Points (n,) of pairs of games, each from 0 to 1."""

Chances: TypeAlias = Callable[[npt.NDArray[Any], float], Floats]
"""Maps values (n,) of an agent, and the scale of the static evaluation, to expected rewards (n,) float32, mapped from
-1..1 to 0..1; nan where there is none."""


def self_play(
    game: Game,
    act_with_values: ActWithValues,
    number: int,
    seconds: float,
    chance: np.random.Generator,
    report: Callable[[float], None],
    at_once: int = GAMES_AT_ONCE,
) -> dict[str, npt.NDArray[Any]]:
    """Play games of one agent from random openings, and return their positions.

    Args:
        game: The game.
        act_with_values: The agent, which plays for all sides.
        number: The number of positions; the last games are played to their end.
        seconds: A limit of CPU time in seconds, after which no game begins.
        chance: Source of randomness.
        report: Called with the share done so far, from 0 to 1.
        at_once: The number of games that advance together.

    Returns:
        A dictionary: `columns` (n, D); `evaluations` and `rewards` (n, O) of the players from the one to move on; and
        `values` (n,) of the agent.

    Raises:
        RunError: No game ended within MOST_DECISIONS decisions.
    """
    begun, done, parts = process_time(), 0, []
    while done < number and process_time() - begun < seconds:
        states = begin(game, at_once, (0, LONGEST_OPENING), chance)
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
            seen.append((playing, game.observe(now), evaluate(game, now), now["to_move"].astype(np.int64), values))
            at_random = chance.random(len(now)) < RANDOM_DECISIONS
            actions[at_random] = game.sample(now, int(chance.integers(2**63)))[at_random]
            rewards[playing] += game.step(now, actions)
            states[playing] = now
        over = states["to_move"] < 0
        for which, columns, evaluations, movers, values in seen:
            kept = over[which]
            done += int(kept.sum())
            order = seats_from(movers[kept], game.num_players)
            parts.append(
                (
                    columns[kept],
                    np.take_along_axis(evaluations[kept], order, 1),
                    np.take_along_axis(rewards[which[kept]], order, 1),
                    values[kept],
                )
            )
        if not done:
            raise RunError(f"no game of {game.header} ended within {MOST_DECISIONS} decisions")
    columns, evaluations, results, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    outputs = 1 if game.num_players == 2 else game.num_players
    return {
        "columns": columns,
        "evaluations": evaluations[:, :outputs],
        "rewards": results[:, :outputs],
        "values": values,
    }


def begin(game: Game, n: int, opening: int | tuple[int, int], chance: np.random.Generator) -> States:
    """Return (n,) states after an opening of random decisions, as `Game.opening` takes it."""
    return game.init(n, int(chance.integers(2**63)), opening=opening)


def seats_from(movers: npt.NDArray[np.int64], players: int) -> npt.NDArray[np.int64]:
    """Return the (n, P) players from each player to move on."""
    return (movers[:, None] + np.arange(players)) % players


def deepest(game: Game, chance: np.random.Generator) -> tuple[Minimax, int]:
    """Return the deepest minimax that is fast enough for self-play, and its depth in turns."""
    states = begin(game, 64, 3, chance)
    for turns in range(MOST_TURNS_AHEAD, 0, -1):
        search = Minimax(game, Budget(turns), MEMORY << 20, DRAWS, PARANOID)
        search.act(game.view(states), np.arange(len(states), dtype=np.uint64))
        if search.visited <= MOST_VISITED * len(states):
            break
    return search, turns


def positions_of(played: dict[str, Any], chances_of: Chances, outcome: float) -> tuple[Positions, float]:
    """Return the positions of `self_play` with their targets, and the scale of the static evaluation.

    Args:
        played: What `self_play` returned.
        chances_of: What the values of its agent mean.
        outcome: Weight of the result of the game in a target.
    """
    results = ((played["rewards"] + 1) / 2).clip(0, 1).astype(np.float32)
    positions = Positions(played["columns"], played["evaluations"].astype(np.float32), results)
    scale = best_scale(positions)
    chances, targets = chances_of(played["values"], scale), results.copy()
    found = ~np.isnan(chances)
    targets[found, 0] *= outcome
    targets[found, 0] += (1 - outcome) * chances[found]
    return Positions(positions.columns, positions.evaluations, targets), scale


def chances_of_search(values: npt.NDArray[Any], scale: float) -> Floats:
    """Return the expected rewards (n,), from 0 to 1, for values (n,) of minimax, nan where it searched nothing."""
    found = 1 / (1 + np.exp(-np.clip(values / scale, -30, 30)))
    return np.where(values == UNSEARCHED, np.nan, found).astype(np.float32)


def fitted(
    game: Game,
    played: dict[str, Any],
    chances_of: Chances,
    recipe: Recipe,
    epochs: int,
    chance: np.random.Generator,
    report: Callable[[float], None],
    **training: Any,
) -> ValueNetwork:
    """Return a network fitted to the positions of `self_play`.

    Args:
        game: The game.
        played: What `self_play` returned.
        chances_of: What the values of its agent mean.
        recipe: How the network is fitted.
        epochs: How often the positions are used.
        chance: Source of randomness.
        report: Called with the share done so far, from 0 to 1.
        training: More about the training, for the network's file.
    """
    positions, scale = positions_of(played, chances_of, recipe.outcome)
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


def train(
    game: Game, number: int, seconds: float, epochs: int, seed: int, report: Callable[[str, float], None]
) -> list[ValueNetwork]:
    """Train a network for a game by each of RECIPES, all on the same games of self-play.

    They depend only on the arguments, unless self-play reaches its limit of time.

    Args:
        game: The game.
        number: The number of positions.
        seconds: The limit of CPU time for self-play, in seconds.
        epochs: How often the positions are used.
        seed: Seed of everything random.
        report: Called with the stage and its progress, from 0 to 1.
    """
    chance = np.random.default_rng(seed)
    search, turns = deepest(game, chance)
    played = self_play(game, search.act_with_values, number, seconds, chance, lambda done: report("self-play", done))
    values = played["values"]
    values[values != UNSEARCHED] //= DRAWS if game.has_chance else 1
    return [
        fitted(
            game,
            played,
            chances_of_search,
            recipe,
            epochs,
            chance,
            partial(report, f"fitting {number}"),
            turns=turns,
            seed=seed,
        )
        for number, recipe in enumerate(RECIPES, 1)
    ]


# Matches in the same time.


@dataclass
class Timed:
    """An agent that counts its decisions and their CPU time."""

    agent: Searcher
    decisions: int = 0
    seconds: float = 0.0

    def __call__(self, states: States, seed: int) -> npt.NDArray[np.int64]:
        """Return the agent's actions (k,)."""
        begun = process_time()
        actions = self.agent.act(states, seed)
        self.seconds += process_time() - begun
        self.decisions += len(states)
        return actions

    @property
    def each(self) -> float:
        """CPU time of a decision in seconds."""
        return self.seconds / max(self.decisions, 1)


def expert_of(game: Game, network: ValueNetwork, milliseconds: int) -> Timed:
    """Return the expert that searches with a network for this time for each decision."""
    return Timed(Searcher(game, f"expert:{milliseconds}ms", network=network))


def match(game: Game, agents: list[Timed], pairs: int, seed: int) -> Points:
    """Return the first agent's points (n,) of pairs of games from random openings, each from 0 to 1."""
    chance = np.random.default_rng(seed)
    begun = (balanced if game.name in LOST else begin)(game, pairs, OPENING, chance)
    found = leads(game, np.tile(begun, 2), np.repeat([0, 1], len(begun)), agents, chance)
    points: Points = (np.sign(found).reshape(2, -1).mean(axis=0) + 1) / 2
    return points


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
    greedy, decisions = Searcher(game, "greedy"), 0
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
        expert, other = expert_of(game, network, milliseconds), Timed(Searcher(game, f"{kind}:{milliseconds}ms"))
        points = match(game, [expert, other], pairs, seed)
        found[kind] = {
            "opponent": other.agent.agent,
            "games": 2 * pairs,
            "points": round(float(points.mean()), 4),
            "interval": [round(float(end), 4) for end in interval_of(points)],
            "ms": round(1000 * expert.each, 3),
            "time": round(expert.each / other.each, 3),
        }
    return found


def best_network(game: Game, networks: list[ValueNetwork], milliseconds: int, pairs: int, seed: int) -> ValueNetwork:
    """Return the network that plays best in the same time, in minimax or in mcts.

    Each challenger plays a match against the best one so far, and replaces it if it wins: first the other networks, all
    in minimax, then the best network in mcts.
    """
    best, *others = networks
    for other in others:
        best = better(game, best, other, milliseconds, pairs, seed)
    return better(game, best, replace(best, search="mcts"), milliseconds, pairs, seed)


def better(
    game: Game, best: ValueNetwork, challenger: ValueNetwork, milliseconds: int, pairs: int, seed: int
) -> ValueNetwork:
    """Return the challenger if it wins a match in the same time, otherwise the best one so far."""
    agents = [expert_of(game, network, milliseconds) for network in (challenger, best)]
    return challenger if match(game, agents, pairs, seed).mean() > 0.5 else best


def measured_network(
    game: Game, network: ValueNetwork, milliseconds: int, pairs: int, seed: int
) -> tuple[ValueNetwork, dict[str, Any]]:
    """Return the network and what `measure` says of it; without weights if the expert is worse than minimax or mcts.

    It then searches as the stronger of them. In some games, above all where games between equals are drawn, a network
    learns too little to pay for its time.
    """
    measured = measure(game, network, milliseconds, pairs, seed)
    if all(found["interval"][1] >= 0.5 for found in measured.values()):
        return network, measured
    stronger = min(SEARCHES, key=lambda kind: measured[kind]["points"])
    network = replace(network.without_weights(), search=stronger)
    return network, measure(game, network, milliseconds, pairs, seed)


@dataclass
class Settings:
    """The settings of a run that trains experts."""

    positions: int = 600_000
    """Positions of self-play for each game."""
    minutes: float = 5.0
    """Limit of the CPU time of self-play for each game."""
    epochs: int = 12
    """How often a position is used."""
    milliseconds: int = 1
    """Time of a decision in the matches."""
    pairs: int = 2000
    """Pairs of games of each match, at most, see MATCH_SECONDS."""
    seed: int = 0
    """Seed of everything random."""


def train_experts(out: Path, games: list[str], settings: Settings, install: bool = False) -> None:
    """Train and measure the experts that a folder lacks; write their networks, results.json and table.md.

    Args:
        out: The folder. Networks are written there as `GAME.network`.
        games: Names of games.
        settings: The settings.
        install: Whether to copy the networks into the package.

    Raises:
        RunError: The folder was made with other settings, or another program writes to it.
    """

    def make(results: dict[str, Any], name: str) -> None:
        game, seed, milliseconds = make_game(name), settings.seed, settings.milliseconds
        with tqdm(
            total=1.0, leave=False, mininterval=1, miniters=0, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}"
        ) as bar:

            def report(stage: str, part: float) -> None:
                bar.set_description_str(stage, refresh=False)
                bar.n = part
                bar.update(0)

            networks = train(game, settings.positions, 60 * settings.minutes, settings.epochs, seed, report)
            pairs = affordable(game, settings.pairs, milliseconds, seed)
            report("choosing", 0.0)
            network = best_network(game, networks, milliseconds, max(FEWEST_PAIRS, pairs // 8), seed + 1)
            report("matches", 0.0)
            network, measured = measured_network(game, network, milliseconds, pairs, seed + 2)
        network.training["matches"] = measured
        network.save(out / f"{name}{SUFFIX}")
        results[name] = {"search": network.search, "has_weights": network.has_weights, **network.training}

    results = run_missing(
        out,
        "experts",
        {str: dict},
        asdict(settings),
        lambda results: [name for name in games if name not in results],
        make,
        str,
    )
    write_table(out, table({name: found | found["matches"] for name, found in results.items()}))
    for name in filter(results.__contains__, games if install else ()):
        copy(out / f"{name}{SUFFIX}", EXPERTS)


def table(results: dict[str, dict[str, Any]]) -> str:
    """Return a Markdown table of the experts' points against minimax and mcts, with a row for each game.

    In parentheses are the number of games, and the expert's CPU time for a decision relative to that of the opponent.
    """
    lines = [["game", "search", *(f"against {kind}" for kind in SEARCHES)], ["---"] * 2 + ["--:"] * 2]
    for name in filter(results.__contains__, REGISTRY):
        cells = []
        for kind in SEARCHES:
            found = results[name][kind]
            low, high = found["interval"]
            text = f"{found['points']:.1%} [{100 * low:.1f}, {100 * high:.1f}]"
            shown = text if low > 0.5 else f"**{text}**"
            cells.append(f"{shown} ({found['games']}, {found['time']:.2f})")
        search = f"`{results[name]['search']}`" + ("" if results[name]["has_weights"] else ", no weights")
        lines.append([REGISTRY[name].book.title, search, *cells])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"

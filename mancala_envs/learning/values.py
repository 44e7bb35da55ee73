"""Learn the values of a game by temporal differences, from games that a network plays against itself and others.

Before each decision the network judges what every legal action leads to. It plays the best action, and learns that the
position before it is worth a mean of what it finds later in the game and of the result, TD(lambda). All of this is
compiled: a core plays and learns about 100,000 decisions a second, and needs no PyTorch.

In games with chance, such as races, all actions are tried with the same throws, and luck is left out of what is learnt:
the difference between what the position after the throw is worth and what it was worth on average before.

Sources: R. Sutton, "Learning to predict by the methods of temporal differences" (1988), and G. Tesauro, "Temporal
difference learning and TD-Gammon" (1995).
"""

import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.agent import Agent
from mancala_envs.agents.inference import BLOCK
from mancala_envs.agents.judges import ExpectedRewards, LookAhead
from mancala_envs.agents.network import SEARCHES, ValueNetwork, evaluate, load_network, outputs_of, rows_of
from mancala_envs.agents.pairs import HolePairs, hole_pairs
from mancala_envs.core.arguments import States
from mancala_envs.evaluation.matches import steps
from mancala_envs.game import Game
from mancala_envs.learning.fit import Model, Positions, best_scale
from mancala_envs.learning.value_training import (
    FIRST_SCALE,
    GAMES_AT_ONCE,
    LONGEST_OPENING,
    MOST_DECISIONS,
    RANDOM_DECISIONS,
    begin,
    plain_network,
    seats_from,
)
from mancala_envs.programs.files import RunError, atomic_write
from mancala_envs.programs.processes import end_with_parent, sigint_blocked
from mancala_envs.registry import make_game

GAMES = 1024
"""Games in progress."""
FEWEST, MOST = 32, 512
"""Decisions in each game before the first fit; twice as many before each further one, up to MOST."""
MEMORY = 2**28
"""The most bytes of the observations between two fits, which may make MOST smaller."""

LAMBDA = 0.95
"""With 1 a position is worth the result of its game, with 0 what the network finds one decision later."""
LAST_ROUNDS = 0.3
"""The share of the rounds of a campaign that are its last: then the player who leads in `worth` wins. In long campaigns
a single decision changes the chance of winning by less than a network can learn, but not that of leading soon."""
AGAINST_OTHERS = 0.5
"""Share of the games in which one seat belongs to an opponent, whose games differ from those of the network."""

DRAWS = 2
"""Draws of chance with which each action is tried before a decision, in games with chance."""

HIDDEN, DECAY = 64, 3e-4
"""Hidden units of the network, and the weight decay of its tables in a step of gradient descent."""
MOST_WEIGHTS = 75_000
"""The most weights of its tables, two bytes each: networks that would have more get BLOCK hidden units. Those with
pairs of holes, of which the package has none, do not: few units limit what they learn (docs/notes/values.md)."""
FIRST_RATE, LAST_RATE = 4e-3, 2e-4
"""The learning rate falls from the first to the last, in proportion to the time left."""
KEPT = 2
"""Each position takes part in this number of fits."""


def learn_values(
    game: Game,
    opponents: Sequence[str],
    seed: int,
    share: Callable[[], float],
    first: ValueNetwork | None = None,
    pairs: bool = True,
) -> Iterator[ValueNetwork]:
    """Yield a network after each fit, at least one, until the time is up.

    Args:
        game: The game, with any number of players, chance or hidden information.
        opponents: Names of further players in half of the games; slow ones take time from the network.
        seed: Seed of everything random.
        share: Returns which share of the time has passed, from 0 to 1.
        first: A network for the game, to train further.
        pairs: Whether the network reads pairs of holes, where the game has them.

    Raises:
        ValueError: The first network was trained for another game.
    """
    chance = np.random.default_rng(seed)
    if first:
        first.check(game)
    outputs, seen = outputs_of(game), games_of_greedy(game, chance)
    network = replace(first or plain_network(game), search=SEARCHES[0]).with_pairs(
        hole_pairs(game, seen.columns) if pairs else None
    )
    ends, highest = rows_of(game, network.pairs)
    hidden, columns = len(first.bias) if first else hidden_units(game, network.pairs), len(game.observation_fields)
    model = Model(ends, highest, np.arange(len(highest)), outputs, FIRST_SCALE, DECAY, chance, hidden, columns)
    games = Games(game, GAMES, opponents, chance)
    if first:
        model.take(network.scale, network.tables, network.bias, network.output, network.output_bias)
    largest = max(1, min(MOST, MEMORY // (2 * GAMES * len(highest))))
    if not (first or game.campaign):
        model.scale = best_scale(seen)
        network = replace(network, scale=model.scale)
    recent, decisions = list[Positions](), min(FEWEST, largest)
    learnt = begun = network.training.get("positions", 0)
    while learnt == begun or share() < 1:
        recent = [*recent, games.play(network, decisions)][-KEPT:]
        learnt += len(recent[-1])
        if game.campaign and len(recent) == 1 and not first:
            model.scale = best_scale(recent[0])
        for _ in model.fit(_joined(recent), 1, max(LAST_RATE, FIRST_RATE * (1 - share()))):
            network = replace(network, scale=model.scale, training={"positions": learnt}, **model.quantised())
        decisions = min(2 * decisions, largest)
        yield network


def fit_values(
    game: Game | str,
    seconds: float,
    opponents: Sequence[str] = (),
    seed: int = 0,
    report: Callable[[float], None] = lambda done: None,
    first: ValueNetwork | None = None,
    pairs: bool = True,
) -> ValueNetwork:
    """Return a network that has learnt the values of a game for this number of seconds of CPU time.

    Args:
        game: The game, with any number of players, chance or hidden information.
        seconds: The CPU time.
        opponents: Names of further players in half of the games; slow ones take time from the network.
        seed: Seed of everything random.
        report: Called with the share of the time that has passed, from 0 to 1.
        first: A network for the game, to train further.
        pairs: See `learn_values`.
    """
    begun, game = process_time(), make_game(game)

    def share() -> float:
        done = min((process_time() - begun) / seconds, 1.0)
        report(done)
        return done

    *_, network = learn_values(game, opponents, seed, share, first, pairs)
    return network


FAILED = "the process that learns values failed"


class Beside:
    """Learns values in a process of its own, on another core, while this process learns a policy.

    Args:
        game: The game, as arguments of `make_game`.
        opponents: As for `learn_values`, like `seed`.
        seed: Seed of everything random.
        seconds: The time until the learning rate has fallen to its last value; the process ends then, or with `finish`.
        path: Where the network is written after each fit. If there is one for this game already, it is trained further.
    """

    def __init__(self, game: dict[str, Any], opponents: Sequence[str], seed: int, seconds: float, path: Path) -> None:
        self._path, self._read = path, 0
        context = get_context("spawn")
        self._stop = context.Event()
        arguments = game, opponents, seed, seconds, path, self._stop
        self._process = context.Process(target=_learn, args=arguments, daemon=True)
        with sigint_blocked():
            self._process.start()

    def first(self) -> ValueNetwork:
        """Wait for the network of the first fit, and return it.

        Raises:
            RunError: The process failed, which has printed why.
        """
        while not self._path.exists():
            self._process.join(0.1)
            if self._process.exitcode:
                raise RunError(FAILED)
        return load_network(self._path)

    def newer(self) -> ValueNetwork | None:
        """Return the network as it is now, or None if it has not changed since the last call."""
        written = self._path.stat().st_mtime_ns if self._path.exists() else 0
        if written == self._read:
            return None
        self._read = written
        return load_network(self._path)

    def finish(self) -> ValueNetwork:
        """End learning after the present fit, and return the network.

        Raises:
            RunError: The process failed, which has printed why.
        """
        self._stop.set()
        self._process.join()
        # SIGTERM to all processes of a run ends this one at once; the file holds the network of the last fit.
        if self._process.exitcode not in (0, -signal.SIGTERM) or not self._path.exists():
            raise RunError(FAILED)
        return load_network(self._path)

    def close(self) -> None:
        """End the process at once, if it still runs."""
        self._process.kill()
        self._process.join()


def _learn(game: dict[str, Any], opponents: Sequence[str], seed: int, seconds: float, path: Path, stop: Event) -> None:
    """Learn values in this process, and write the network after each fit."""
    end_with_parent()
    begun, rules = monotonic(), make_game(**game)

    def share() -> float:
        return 1.0 if stop.is_set() else (monotonic() - begun) / seconds

    first = load_network(path) if path.exists() else None
    for network in learn_values(rules, opponents, seed, share, first):
        save(network, path)


def save(network: ValueNetwork, path: Path) -> None:
    """Write a network to a file, atomically."""
    with atomic_write(path) as file:
        network.save(file.name)


class Games:
    """Games in progress, from random openings; a game that ends is followed by another.

    Args:
        game: The game.
        n: The number of games.
        opponents: Names of the players that have a seat in half of the games.
        chance: Source of randomness.
    """

    def __init__(self, game: Game, n: int, opponents: Sequence[str], chance: np.random.Generator) -> None:
        self._game, self._chance = game, chance
        self._opponents = [Agent(game, name) for name in opponents]
        self._states = np.zeros(n, game.dtype)
        self._opponent, self._seat = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._begin(np.arange(n))

    def _seed(self) -> int:
        return int(self._chance.integers(2**63))

    def _begin(self, which: npt.NDArray[np.int64]) -> None:
        """Begin some of the games, or none."""
        n, chance = len(which), self._chance
        if not n:
            return
        self._states[which] = self._game.init(n, self._seed(), opening=(0, LONGEST_OPENING))
        drawn = chance.integers(max(len(self._opponents), 1), size=n)
        self._opponent[which] = np.where(chance.random(n) < AGAINST_OTHERS, drawn, -1)
        self._seat[which] = chance.integers(self._game.num_players, size=n)

    def play(self, network: ValueNetwork, decisions: int) -> Positions:
        """Let the network play this number of decisions in every game; return the positions before them."""
        game = self._game
        look_ahead, expected = LookAhead(game, network, DRAWS), ExpectedRewards(game, network)
        positions, movers, values, rewards, over = [], [], [], [], []
        for _ in range(decisions + 1):
            states = self._states
            movers.append(states["to_move"].astype(np.int64))
            positions.append((game.observe(states), evaluate(game, states)))
            best, results = look_ahead(self._known())
            values.append(results)
            actions = self._instead_of(best)
            rounds = states["round_number"].copy() if game.campaign else None
            rewards.append(game.step(states, actions))
            over.append(states["to_move"] < 0)
            if rounds is not None:
                self._end_campaigns(rounds, rewards[-1], over[-1])
            if game.has_chance and not game.campaign:
                luck = rewards[-1] + expected(states) - results
                rewards[-1] = rewards[-1] - np.where((actions == best)[:, None], luck, 0.0)
            self._begin(np.flatnonzero(over[-1]))
        targets = targets_of(np.stack(values), np.stack(rewards), np.stack(over))
        columns, evaluations = (np.concatenate(part[:-1]) for part in zip(*positions, strict=True))
        order = seats_from(np.concatenate(movers[:-1]), game.num_players)
        outputs = outputs_of(game)
        chances = ((targets.reshape(-1, game.num_players) + 1) / 2).clip(0, 1)
        of_mover = (np.take_along_axis(each, order, 1)[:, :outputs] for each in (evaluations, chances))
        codes = [network.pairs.codes(columns)] if network.pairs else []
        return Positions(np.concatenate([columns, *codes], 1), *(each.astype(np.float32) for each in of_mover))

    def _end_campaigns(self, rounds: npt.NDArray[Any], rewards: npt.NDArray[Any], over: npt.NDArray[np.bool_]) -> None:
        """End some of the campaigns whose number of the round has changed, in favour of the player who leads."""
        states = self._states
        last = (states["round_number"] != rounds) & ~over & (self._chance.random(len(states)) < LAST_ROUNDS)
        rewards[last] = np.sign(evaluate(self._game, states[last]))
        over |= last

    def _known(self) -> States:
        """Return the games as the player to move knows them."""
        if not (self._game.has_chance or self._game.has_secrets):
            return self._states
        return self._game.copies(self._states, 1, self._seed(), self._states["to_move"])

    def _instead_of(self, best: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return these actions (n,), some replaced by those of opponents, and some by random ones."""
        game, states, actions = self._game, self._states, best.copy()
        theirs = states["to_move"] == self._seat
        for number, opponent in enumerate(self._opponents):
            which = np.flatnonzero(theirs & (self._opponent == number))
            if len(which):
                actions[which] = opponent.act(states[which], self._seed())
        at_random = np.flatnonzero(self._chance.random(len(states)) < RANDOM_DECISIONS)
        actions[at_random] = game.sample(states[at_random], self._seed())
        return actions


def hidden_units(game: Game, pairs: HolePairs | None) -> int:
    """Return the number of hidden units of a network for a game, see MOST_WEIGHTS."""
    return HIDDEN if pairs or HIDDEN * int(rows_of(game)[0][-1]) <= MOST_WEIGHTS else BLOCK


def games_of_greedy(game: Game, chance: np.random.Generator) -> Positions:
    """Return the positions of games that greedy plays against itself, with the results of the games as targets."""
    states = begin(game, GAMES_AT_ONCE, (0, LONGEST_OPENING), chance)
    greedy, seen, results = Agent(game, "greedy").act, list[Any](), np.zeros((len(states), game.num_players))
    columns, evaluations = game.observe(states), evaluate(game, states)
    played = steps(game, states, np.zeros(len(states), np.int64), [greedy, greedy], chance)
    for playing, _, rewards in islice(played, MOST_DECISIONS):
        seen.append((playing, columns[playing], evaluations[playing]))
        results += rewards
        columns, evaluations = game.observe(states), evaluate(game, states)
    which, columns, evaluations = (np.concatenate(part) for part in zip(*seen, strict=True))
    targets = ((results[which] + 1) / 2).clip(0, 1)
    return Positions(columns, evaluations.astype(np.float32), targets.astype(np.float32))


def targets_of(
    values: npt.NDArray[np.float64], rewards: npt.NDArray[np.floating], over: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """Return what (T - 1, n, P) the positions before all but the last of T decisions are worth to all players.

    Args:
        values: (T, n, P), the expected rewards that the network found before each decision.
        rewards: (T, n, P), the rewards of the decisions.
        over: (T, n), whether the game ended with the decision.
    """
    targets = values.copy()
    for t in reversed(range(len(values) - 1)):
        later = rewards[t] + np.where(over[t, :, None], 0.0, targets[t + 1])
        targets[t] += LAMBDA * (later - values[t])
    return targets[:-1]


def _joined(parts: list[Positions]) -> Positions:
    return Positions(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Positions)))

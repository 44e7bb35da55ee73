"""Games of an agent against itself: how long they last, how they end and who wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent
from mancala_envs.core.arguments import States
from mancala_envs.core.record import TRUNCATED
from mancala_envs.game import Game

BY_RULES = "by the rules"
"""The reason for the end of games that reach no limit."""


@dataclass(frozen=True)
class Played:
    """Finished games; every field is an array (n,)."""

    last: States
    """Final states."""
    first: npt.NDArray[np.int64]
    """The first player."""
    decisions: npt.NDArray[np.int64]
    """Number of decisions."""
    turns: npt.NDArray[np.int64]
    """Number of turns."""
    legal: npt.NDArray[np.int64]
    """Number of legal actions, summed over all decisions."""
    explained: npt.NDArray[np.int64]
    """Number of turns whose laps were counted."""
    relays: npt.NDArray[np.int64]
    """Number of turns among them with more than one lap."""

    @classmethod
    def play(cls, game: Game, agent: str, games: int, explained_share: float, seed: int) -> "Played":
        """Play games of an agent against itself to the end.

        Args:
            game: the game.
            agent: name of the agent.
            games: number of games.
            explained_share: fraction of the turns that are explained to count their laps.
            seed: random seed.
        """
        chance = np.random.default_rng([seed, crc32(game.header.encode()), crc32(agent.encode())])
        act = Agent(game, agent).act
        last = np.asarray(game.init(games, int(chance.integers(2**63))))
        first, decisions, turns, legal, explained, relays = (np.zeros(games, np.int64) for _ in range(6))
        explanations: dict[int, list[str]] = {}
        begins = np.ones(games, np.bool_)
        while len(running := np.flatnonzero(last["to_move"] >= 0)):
            states = last[running]
            turn, rounds = states["turn"].copy(), states["round_number"].copy()
            step_seed = int(chance.integers(2**63))
            if not has_dice(game):
                # A decision before the first turn may settle who moves first, so the last to decide in turn 0 counts.
                first[running] = np.where(turn == 0, states["to_move"], first[running])
            drawn = turn < game.num_players
            actions = game.sample(states, step_seed)
            if not drawn.all():
                actions[~drawn] = act(states[~drawn], step_seed)
            decisions[running] += 1
            legal[running] += np.bitwise_count(game.legal_bits(states)).sum(1, dtype=np.int64)
            chosen = running[begins[running] & (chance.random(len(running)) < explained_share)]
            explanations |= {i: [] for i in chosen.tolist()}
            for i in explanations:
                k = int(np.searchsorted(running, i))
                explanations[i] += game.explain(states[k : k + 1], int(actions[k]))
            game.step(states, actions)
            last[running] = states
            # The step that ends a round ends a turn.
            ended = (states["round_number"] != rounds) | (states["to_move"] < 0)
            begins[running] = ended | (states["turn"] != turn)
            over = running[begins[running]]
            turns[over] += 1
            for i in explanations.keys() & set(over.tolist()):
                explained[i] += 1
                relays[i] += laps(explanations.pop(i)) > 1
        return cls(last, first, decisions, turns, legal, explained, relays)


def has_dice(game: Game) -> bool:
    """Return whether players throw dice. Then player 0 always moves first, even if the throw allows no move."""
    return "throws" in game.position_fields


def has_laps(game: Game) -> bool:
    """Return whether turns can have several laps."""
    return "max_laps" in game.options


def laps(explanation: Sequence[str]) -> int:
    """Count the laps of a turn by the lifts in its explanation. Consecutive lifts, as of large stones, count once."""
    lifts = [line.startswith("lifts ") for line in explanation]
    return sum(now and not before for before, now in pairwise([False, *lifts]))


def reasons(game: Game, states: npt.NDArray[Any]) -> dict[str, npt.NDArray[np.bool_]]:
    """Return a mask (n,) for each way in which a game can end: whether each of the final `states` ended in that way."""
    options = game.options
    found = {"truncated": states["ended"] == TRUNCATED}
    if game.campaign:
        found["at max_rounds"] = states["round_number"] >= options.get("max_rounds", np.inf)
    else:
        for bound, field in (("max_turns", "turn"), ("quiet_turns", "quiet")):
            if bound in options and field in (states.dtype.names or ()):
                found[f"at {bound}"] = states[field] >= options[bound]
    left = np.ones(len(states), np.bool_)
    for reason, holds in found.items():
        found[reason], left = holds & left, left & ~holds
    return {BY_RULES: left, **found}


def ends(game: Game, states: npt.NDArray[Any]) -> dict[str, float]:
    """Return the shares of the ways in which games ended."""
    shares = {reason: float(holds.mean()) for reason, holds in reasons(game, states).items()}
    return {reason: part for reason, part in shares.items() if part or reason == BY_RULES}


def seats(game: Game, states: npt.NDArray[Any]) -> dict[str, float]:
    """Return the shares of games won by each player (or team), and of draws."""
    winners = states["winner"]
    best = range(max(int(winners.max()) + 1, game.num_players if game.num_players < 3 else 0))
    return {**{f"won by {p}": float((winners == p).mean()) for p in best}, "drawn": float((winners == -1).mean())}


def statistics_of_random_play(game: Game, games: int, seed: int) -> str:
    """Play random games, and return their statistics as a text table."""
    played = Played.play(game, "random", games, 0.0, seed)
    states = played.last
    figures: dict[str, npt.NDArray[Any]] = {"decisions": played.decisions, "turns": played.turns}
    if game.campaign:
        figures["rounds"] = states["round_number"]
    if "laps_sown" in (states.dtype.names or ()):
        figures["laps/turn"] = states["laps_sown"] / np.maximum(played.turns, 1)
    lines = [
        f"{game.header}, {games} random games",
        "",
        f"{'':12}{'mean':>9}{'5%':>9}{'median':>9}{'95%':>9}{'max':>9}",
    ]
    for name, values in figures.items():
        row = [values.mean(), *np.percentile(values, [5, 50, 95]), values.max()]
        lines.append(f"{name:12}" + "".join(f"{value:9.1f}" for value in row))
    for shares in (ends(game, states), seats(game, states)):
        lines += ["", "  ".join(f"{what} {share:.1%}" for what, share in shares.items())]
    return "\n".join(lines)

"""Statistics of random play: how long games last, how they end and who wins."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.core.record import TRUNCATED
from mancala_envs.game import Game

Counts = npt.NDArray[np.int64]

BY_RULES = "by the rules"
"""The reason for the end of games that reach no limit."""


def playouts(game: Game, games: int, seed: int) -> tuple[npt.NDArray[Any], Counts, Counts]:
    """Play random games to the end.

    Args:
        game: the game.
        games: number of games.
        seed: random seed.

    Returns:
        The final states, and the numbers of decisions and turns of each game, (games,) each.
    """
    states = game.init(games, seed)
    decisions, turns = np.zeros(games, np.int64), np.zeros(games, np.int64)
    running = np.arange(games)
    while len(running):
        now = states[running]
        turn, round_number = now["turn"].copy(), now["round_number"].copy()
        game.step(now, game.sample(now, seed + int(decisions.max())))
        decisions[running] += 1
        # A step that starts a new round has ended the last turn of the previous one.
        turns[running] += np.where(now["round_number"] == round_number, now["turn"] - turn, 1)
        states[running] = now
        running = running[now["ended"] == 0]
    return states, decisions, turns


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


def survey(game: Game, games: int, seed: int) -> str:
    """Play random games, and return their statistics as a text table."""
    states, decisions, turns = playouts(game, games, seed)
    figures: dict[str, npt.NDArray[Any]] = {"decisions": decisions, "turns": turns}
    if game.campaign:
        figures["rounds"] = states["round_number"]
    if "laps_sown" in (states.dtype.names or ()):
        figures["laps/turn"] = states["laps_sown"] / np.maximum(turns, 1)
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

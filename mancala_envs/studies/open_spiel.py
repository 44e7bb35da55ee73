"""Matches on Kalah and Oware between our searches and OpenSpiel's C++ MCTSBot with random rollouts.

Each move is played in both libraries. Games start from random openings, and each opening is played from both seats. A
draw counts half a point; the 95% intervals count the two games from one opening as one result.
"""

from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from mancala_envs.agents import Agent
from mancala_envs.core.arguments import States
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.opening import Opening, decisions, in_words
from mancala_envs.evaluation.score import interval_of
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tables import Cell, Table, percent, write_table
from mancala_envs.registry import make_game, title_of
from mancala_envs.speed.measure import mcts_bot

with needs_extra():
    import pyspiel

PEERS = {"kalah": ("mancala", (1, 8)), "oware": ("oware", (0, 0))}
"""OpenSpiel's name of each game, and the number of the first action of each player there."""


def opened(name: str, search: Agent, opening: Opening, dice: np.random.Generator) -> tuple[States, Any]:
    """Play a random opening in both libraries, which share no form of a position, and return both states."""
    (peer, offsets), game = PEERS[name], search.game
    while True:
        state, theirs = game.init(1, 0), pyspiel.load_game(peer).new_initial_state()
        for _ in range(int(dice.integers(opening.shortest, opening.longest, endpoint=True))):
            if (mover := int(state["to_move"][0])) >= 0:
                action = int(game.sample(state, int(dice.integers(2**63)))[0])
                theirs.apply_action(action + offsets[mover])
                game.step(state, [action])
        if state["to_move"][0] >= 0:
            return state, theirs


def duel(
    name: str, search: Agent, bot: pyspiel.MCTSBot, first: int, opening: Opening, seed: int
) -> tuple[float, list[float]]:
    """Play one game with our search in seat `first`.

    Returns:
        Our reward, and the mean CPU time of a decision in seconds, ours and OpenSpiel's.
    """
    (_, offsets), dice = PEERS[name], np.random.default_rng(seed)
    state, theirs = opened(name, search, opening, dice)
    spent, decided, reward = [0.0, 0.0], [0, 0], 0.0
    while (mover := int(state["to_move"][0])) >= 0:
        is_theirs = int(mover != first)
        begin = process_time()
        if is_theirs:
            action = bot.step(theirs) - offsets[mover]
        else:
            action = int(search.act(state, int(dice.integers(2**63)))[0])
        spent[is_theirs] += process_time() - begin
        decided[is_theirs] += 1
        theirs.apply_action(action + offsets[mover])
        reward += float(search.game.step(state, [action])[0, first])
    return reward, [seconds / max(1, number) for seconds, number in zip(spent, decided, strict=True)]


def match(name: str, agent: str, simulations: int, games: int, opening: int | Sequence[int], seed: int) -> list[Cell]:
    """Play a match and return its row of the table."""
    search = Agent(make_game(name), agent)
    search.game.init(1, 0, opening=opening)  # raises if the opening is too long
    openings = search.game.opening(opening)
    games += games % 2
    results, times = [], []
    for number in Bar(range(games), desc=f"{name}, {agent}", leave=False):
        of_bot, of_pair = (np.random.SeedSequence([seed, number // 2]).generate_state(2) >> 1).tolist()
        bot = mcts_bot(PEERS[name][0], 1, simulations, of_bot)
        reward, seconds = duel(name, search, bot, number % 2, openings, of_pair)
        results.append(int(np.sign(reward)))
        times.append(seconds)
    interval = interval_of([(np.mean(results[i : i + 2]) + 1) / 2 for i in range(0, games, 2)])
    points = percent((np.mean(results) + 1) / 2, interval)
    ours, theirs = (round(milliseconds, 2) for milliseconds in (np.mean(times, axis=0) * 1000).tolist())
    return [f"{title_of(name)}, `{agent}`", games, points, ours, theirs]


CAPTION = """Points against OpenSpiel's MCTSBot in C++ with {} simulations a decision; {}, each from both seats. \
Times are milliseconds of CPU time a decision on one core."""
COLUMNS = ["our agent", "games", "our points", "our time (ms)", "OpenSpiel's time (ms)"]


def compare(
    out: Path, name: str, agents: Sequence[str], simulations: int, games: int, opening: int | Sequence[int], seed: int
) -> None:
    """Play a match of each agent against OpenSpiel's search; write a table with a row for each, and print it.

    Args:
        out: the folder.
        name: name of the game, a key of PEERS.
        agents: names of our searches.
        simulations: OpenSpiel's simulations per decision.
        games: games of each match.
        opening: number of random decisions before the programs take over, or a range (low, high) of it.
        seed: random seed.
    """
    caption = CAPTION.format(simulations, in_words(*decisions(opening)))
    rows = [match(name, agent, simulations, games, opening, seed) for agent in agents]
    begun = "-".join(map(str, dict.fromkeys(decisions(opening))))
    command = f"python scripts/maintenance/against_open_spiel.py {name} {' '.join(agents)} --games {games}"
    command += f" --simulations {simulations} --opening {begun} --seed {seed}"
    write_table(out, Table("Searches against OpenSpiel", caption, COLUMNS, rows, command))

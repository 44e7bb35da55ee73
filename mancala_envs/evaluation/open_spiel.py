"""Our searches against OpenSpiel's Monte-Carlo tree search, its C++ MCTSBot with random rollouts, on Kalah and Oware.

Both programs play the same game side by side, from random openings, with every opening from both seats. Points count
draws as halves; the interval is 95%.
"""

from collections.abc import Sequence
from itertools import count
from time import process_time
from typing import Any

import numpy as np
import pyspiel
from tqdm import tqdm

from mancala_envs.agents import Searcher
from mancala_envs.evaluation.score import Z95
from mancala_envs.registry import make_game

PEERS = {"kalah": ("mancala", (1, 8)), "oware": ("oware", (0, 0))}
"""OpenSpiel's name of a game, and which of its actions is the first of each player."""
UCT_C, MEGABYTES = 2.0, 1000
"""OpenSpiel's weight of what is little known, as its own examples have it, and the most that its tree may take."""
OPENING = 4
"""Random decisions before a duel begins."""


def mcts_bot(game: Any, rollouts: int, simulations: int, seed: int = 1) -> Any:
    """OpenSpiel's C++ search, with so many random rollouts for each simulation."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    return pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MEGABYTES, False, seed, False)


def duel(name: str, search: Searcher, bot: pyspiel.MCTSBot, first: int, seed: int) -> tuple[float, list[float]]:
    """One game, our search in seat `first`: our reward, and the seconds that each program took a decision."""
    (peer, offsets), dice = PEERS[name], np.random.default_rng(seed)
    state, theirs = search.game.init(1, 0), pyspiel.load_game(peer).new_initial_state()
    spent, asked, reward = [0.0, 0.0], [0, 0], 0.0
    for decision in count():
        mover = int(state["to_move"][0])
        if mover < 0:
            break
        is_theirs = int(mover != first)
        begin = process_time()
        if decision < OPENING:
            action = int(search.game.sample(state, int(dice.integers(2**63)))[0])
        elif is_theirs:
            action = bot.step(theirs) - offsets[mover]
        else:
            action = int(search.act(state, int(dice.integers(2**63)))[0])
        if decision >= OPENING:
            spent[is_theirs] += process_time() - begin
            asked[is_theirs] += 1
        theirs.apply_action(action + offsets[mover])
        reward += float(search.game.step(state, [action])[0, first])
    return reward, [seconds / max(1, times) for seconds, times in zip(spent, asked, strict=True)]


def match(name: str, agent: str, simulations: int, games: int, seed: int) -> str:
    """A row of the table."""
    search = Searcher(make_game(name), agent)
    results, times = [], []
    for number in tqdm(range(games), desc=f"{name}, {agent}", leave=False):
        bot = mcts_bot(pyspiel.load_game(PEERS[name][0]), 1, simulations, seed + number)
        reward, seconds = duel(name, search, bot, number % 2, seed + number // 2)
        results.append(int(np.sign(reward)))
        times.append(seconds)
    won, drawn, lost = (results.count(sign) for sign in (1, 0, -1))
    ours, theirs = np.mean(times, axis=0) * 1000
    points = (won + drawn / 2) / games
    spread = Z95 * float(np.std(results) / 2 / np.sqrt(len(results)))
    row = (name, f"`{agent}`", simulations, f"{points:.1%} ± {spread:.1%}", f"{won}-{drawn}-{lost}", ours, theirs)
    return "| {} | {} | {} | {} | {} | {:.2f} | {:.2f} |".format(*row)


def compare(name: str, agents: Sequence[str], simulations: int, games: int, seed: int) -> None:
    """Print a table with a row for each agent, after so many games of it against so many simulations of OpenSpiel's."""
    print("| game | agent | OpenSpiel's simulations | points | won-drawn-lost | ms a decision | OpenSpiel's |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for agent in agents:
        print(match(name, agent, simulations, games, seed), flush=True)

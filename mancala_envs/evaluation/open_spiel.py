"""Our searches against OpenSpiel's Monte-Carlo tree search on Kalah and Oware: points, and time a decision.

    python scripts/against_open_spiel.py kalah mcts:1000 minimax:6 --games 400

Both programs play the same game side by side, from random openings, with every opening from both seats. OpenSpiel's
search is its C++ MCTSBot with random rollouts. Points count draws as halves; the interval is 95%.
"""

import argparse
from itertools import count
from time import process_time

import numpy as np
import pyspiel
from tqdm import tqdm

from mancala_envs import make_game
from mancala_envs.agents import Searcher
from mancala_envs.scripts.arguments import positive
from mancala_envs.scripts.benchmark import spiel_bot
from mancala_envs.wrappers.evaluation import Z95

PEERS = {"kalah": ("mancala", (1, 8)), "oware": ("oware", (0, 0))}
"""OpenSpiel's name of a game, and which of its actions is the first of each player."""
OPENING = 4
"""Random decisions before a duel begins."""


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
        bot = spiel_bot(pyspiel.load_game(PEERS[name][0]), 1, simulations, seed + number)
        reward, seconds = duel(name, search, bot, number % 2, seed + number // 2)
        results.append(int(np.sign(reward)))
        times.append(seconds)
    won, drawn, lost = (results.count(sign) for sign in (1, 0, -1))
    ours, theirs = np.mean(times, axis=0) * 1000
    points = (won + drawn / 2) / games
    spread = Z95 * float(np.std(results) / 2 / np.sqrt(len(results)))
    row = (name, f"`{agent}`", simulations, f"{points:.1%} ± {spread:.1%}", f"{won}-{drawn}-{lost}", ours, theirs)
    return "| {} | {} | {} | {} | {} | {:.2f} | {:.2f} |".format(*row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=PEERS)
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="minimax:TURNS, mcts:SIMULATIONS, ...")
    parser.add_argument("--simulations", type=positive, default=1000, help="of OpenSpiel (default %(default)s)")
    parser.add_argument("--games", type=positive, default=400, help="for each agent (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="default %(default)s")
    args = parser.parse_args()
    print("| game | agent | OpenSpiel's simulations | points | won-drawn-lost | ms a decision | OpenSpiel's |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for agent in args.agents:
        print(match(args.game, agent, args.simulations, args.games, args.seed), flush=True)


if __name__ == "__main__":
    main()

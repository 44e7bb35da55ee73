"""Ray: a round robin of agents in a two-player game, every pairing from every seat a task of its own.

    python scripts/examples/ray_tournament.py kalah random greedy runs/kalah/model.zip runs/rllib-kalah/module
    python scripts/examples/ray_tournament.py qelat random greedy runs/*/model.zip --games 10000 --address auto

Agents: random, greedy, a model of `scripts/train.py` (a file; needs the extra `[train]` too), or one of
`rllib_self_play.py` (a folder). Needs ``pip install "mancala_envs[rllib]"``; on a cluster, checkout and models at the
same path of every node. Ctrl-C ends the tournament early; the table then counts what was played.
"""

import argparse
import json
import os
from itertools import combinations, product
from pathlib import Path

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray is to report to nobody; it looks at its import.

import ray

from mancala_envs.agents import NAMES
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.wrappers import Score, evaluate

SEATS = (0, 1)
NOTHING = Score(0, 0, 0)


def policy_of(agent):
    """The agent as `evaluate` takes it."""
    if agent in NAMES or Path(agent).is_file():
        return agent
    from ray.rllib.core.rl_module import RLModule  # Heavy, and not needed by the other agents.
    from rllib_self_play import as_policy

    return as_policy(RLModule.from_checkpoint(agent))


@ray.remote
def play(game, agent, opponent, seat, games, seed):
    """The agent's `Score` from this seat."""
    return evaluate(policy_of(agent), game, policy_of(opponent), seats=seat, games=games, seed=seed)


def print_table(agents, scores):
    """Rows against columns: wins of decided games; the best row first."""
    overall = {a: sum((scores.get((a, b), NOTHING) for b in agents), NOTHING) for a in agents}
    ranked = sorted(agents, key=lambda a: overall[a].win_rate, reverse=True)
    wide = max(map(len, agents))
    print(f"\n{'':{wide + 4}}   all" + "".join(f"{number:6d}" for number in range(1, len(agents) + 1)))
    for number, a in enumerate(ranked, 1):
        cells = (f"{scores[a, b].win_rate:6.0%}" if (a, b) in scores else "     -" for b in ranked)
        print(f"{number:2d}  {a:{wide}}{overall[a].win_rate:6.0%}" + "".join(cells))
    return [{"agent": a, **overall[a].as_dict()} for a in ranked]


def an_agent(text):
    if text in NAMES:
        return text
    if not Path(text).exists():
        raise argparse.ArgumentTypeError(f"must be {', '.join(NAMES)} or the path of a saved model, got {text!r}")
    return str(Path(text).resolve())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    two_players = [name for name in REGISTRY if make_game(name).num_players == 2]
    parser.add_argument("game", choices=two_players)
    parser.add_argument("agents", nargs="+", type=an_agent, metavar="AGENT", help="random, greedy or a saved model")
    parser.add_argument("--games", type=int, default=400, help="of each pairing from each seat (default %(default)s)")
    parser.add_argument(
        "--address", default="local", help="of a running Ray cluster, or auto (default: one of its own)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="also write the ranking here, as JSON")
    args = parser.parse_args()
    agents = list(dict.fromkeys(args.agents))
    if len(agents) < 2:
        parser.error("a tournament needs at least two different agents")
    own = {"include_dashboard": False, "object_store_memory": 200 * 2**20}
    ray.init(args.address, **(own if args.address == "local" else {}))
    pairings = combinations(agents, 2)
    tasks = {
        play.remote(args.game, a, b, seat, args.games, args.seed + number): (a, b, seat)
        for number, ((a, b), seat) in enumerate(product(pairings, SEATS))
    }
    scores, waiting = {}, list(tasks)
    try:
        while waiting:
            (done,), waiting = ray.wait(waiting)
            a, b, seat = tasks[done]
            score = ray.get(done)
            print(f"{a} in seat {seat} against {b}: {score}", flush=True)
            scores[a, b] = scores.get((a, b), NOTHING) + score
            scores[b, a] = scores.get((b, a), NOTHING) + Score(score.losses, score.draws, score.wins)
    except KeyboardInterrupt:
        print(f"stopped by hand; {len(waiting)} of {len(tasks)} pairings were not played to the end")
    ranking = print_table(agents, scores)
    if args.out:
        args.out.write_text(json.dumps(ranking, indent=2) + "\n")
    ray.shutdown()


if __name__ == "__main__":
    main()

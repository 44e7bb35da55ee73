"""List versions and games, or compile games ahead of time, for example in a container image.

    python -m mancala_envs
    python -m mancala_envs --precompile              # all games: takes many minutes
    python -m mancala_envs --precompile kalah qelat
    python -m mancala_envs --clear-cache             # remove all compiled code

Precompilation covers a game with its default options, and its campaign if it has one: the rules, the environments and
the opponents random and greedy. Searches and other board sizes are compiled at first use. The code is stored for the
user who runs this command.

Other programs for users: scripts/train.py, evaluate.py, benchmark.py, tournament.py, play.py, board.py, replay.py,
solve.py and speed.py, installed as `mancala-train` and so on. docs/programs.md describes them all.
"""

import argparse
import platform
import time

import numba
import numpy as np

from mancala_envs import REGISTRY, Game, __version__, make_game
from mancala_envs.core import cache
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.registry import Entry


def kinds(entry: Entry) -> list[Game]:
    """Return a game, and its campaign if it has one."""
    return [make_game(entry.name, campaign) for campaign in (False, True)[: 1 + entry.has_campaign]]


def precompile(game: Game) -> None:
    """Call all kernels of a game once, so that they are compiled and cached."""
    states = game.init(2, 0)
    game.legal(states), game.legal_bits(states), game.observe(states)
    game.step(states, game.sample(states, 0))
    game.step(states, game.sample(states, 0), threads=2)
    game.play_random(states, 1, 0)
    for agent in ("random", "greedy"):
        game.playout(game.init(1, 0), 0, agent)
    env = RawEnv(game.name, campaign=game.campaign)
    env.reset(seed=0)
    env.step(int(np.argmax(env.last()[0]["action_mask"])))
    solo = SoloEnv(game.name, ["random", "greedy", "random"][: game.num_deciding - 1], campaign=game.campaign)
    _, info = solo.reset(seed=0)
    solo.step(int(np.argmax(info["action_mask"])))


def show() -> None:
    """Print versions, the cache folder, and a line for each game."""
    print(f"mancala_envs {__version__}, Numba {numba.__version__}, Python {platform.python_version()}")
    limit = f"at most {cache.LIMIT / 1e6:.0f} MB"
    print(f"compiled code is cached in {cache.place()}, {cache.size() / 1e6:.0f} MB of {limit}")
    rows = [("game", "Gymnasium and PettingZoo id", "PettingZoo module", "cached kernels, and the campaign's")]
    for entry in REGISTRY.values():
        cached = ", ".join("{} of {}".format(*game.num_cached()) for game in kinds(entry))
        rows.append((entry.name, entry.id, entry.module, cached))
        if entry.campaign_id:
            rows.append(("", entry.campaign_id, "", ""))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print()
    for row in rows:
        print("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(
        "python -m mancala_envs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--precompile", nargs="*", choices=REGISTRY, metavar="GAME", help="compile these games (default: all games)"
    )
    parser.add_argument("--clear-cache", action="store_true", help="remove all compiled code from the cache folder")
    args = parser.parse_args()
    if args.clear_cache:
        print(f"removed {cache.clear() / 1e6:.0f} MB from {cache.place()}")
    elif args.precompile is None:
        show()
    for name in REGISTRY if args.precompile == [] else args.precompile or ():
        for game in kinds(REGISTRY[name]):
            begun = time.monotonic()
            precompile(game)
            print(f"{game.header}: {time.monotonic() - begun:.1f} s", flush=True)


if __name__ == "__main__":
    main()

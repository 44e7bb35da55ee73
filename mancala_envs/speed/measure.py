"""Throughput of games, interleaved with that of peer libraries on the same machine.

A round measures every contender once, and results are medians over rounds, so a temporary slowdown of the machine
affects all contenders equally. Decisions are random legal actions; sampling them is part of the measured time.
"""

import os
import platform
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import isnan, nan
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from mancala_envs.agents import Agent
from mancala_envs.core.extras import MissingExtra, needs_extra
from mancala_envs.core.shards import FEWEST_GAMES
from mancala_envs.envs.aec import RawEnv, wrapped
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.families.mancala import sow
from mancala_envs.game import Game
from mancala_envs.programs.files import draw, write_json, write_text
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tables import JSON, Cell, Table, markdown_table, significant
from mancala_envs.registry import REGISTRY, make_game

BATCHES = (1, 64, 1024, 8192)
OPPONENTS = ("random", "greedy")
PEER_GAME = "kalah"
"""The game that is compared with OpenSpiel's `mancala`."""
PEERS: dict[str, tuple[str, dict[str, Any]]] = {
    "nine_mens_morris": ("nerenchi_keliya", {"placing": "nine"}),
    "checkers": ("dam", {"size": 8}),
    "checkers(rows=10,columns=10)": ("dam", {"size": 10}),
    "backgammon": ("sokkattan", {"players": 2}),
}
"""Games of OpenSpiel, each with our most similar game and its options. Both are measured in random play."""
SEARCHED = {"mancala": "kalah", "oware": "oware"}
"""Games of OpenSpiel on which tree searches are compared, each with our game. OpenSpiel's search plays random playouts
to the end. Ours is measured with such playouts too, and with the default of `"mcts"`, which stops a playout after one
turn and evaluates the lead."""
PGX: dict[str, tuple[str, dict[str, Any]]] = {
    "connect_four": ("kalah", {}),
    "othello": ("dam", {"size": 8}),
    "backgammon": ("sokkattan", {"players": 2}),
}
"""Games of pgx, each with our most similar game and its options. Both are measured inside programs of JAX, by CPU time:
sampling, steps, masks and observations, and new games instead of those that end."""
PLAYOUTS_OF_SEARCH = {"playouts to the end": 0, "by default": 1}
"""Label of each kind of playout, with the argument `playout_turns` of `Agent`."""
SIMULATIONS = 1000
"""Simulations per decision."""
SPIEL_GAMES = 300
"""Random games that measure the mean length of an OpenSpiel game."""
ROLLOUTS = 20_000
"""Games in one call of OpenSpiel's rollout evaluator."""
UCT_C, MEGABYTES = 2.0, 1000
"""Exploration constant of OpenSpiel's search, as in its own examples, and the memory limit of its tree."""

Run = Callable[[int], float]
"""Plays approximately the given number of decisions, and returns the number of decisions per second."""
Search = Callable[[int], Any]
"""Makes one decision, with the given seed."""


@dataclass(frozen=True)
class Contender:
    """One line of the table. `game` is the game whose decisions are counted, also for a peer."""

    name: str
    game: str
    run: Run
    batch: int = 1
    ours: bool = True


def step_loop(game: Game, batch: int, observed: bool = False, threads: int = 1) -> Run:
    """Return a run of `sample` and `step` over a batch, with observations and masks if `observed`."""
    states = game.init(batch, 0)

    def run(decisions: int) -> float:
        steps = max(1, decisions // batch)
        begin = perf_counter()
        for step in range(steps):
            game.step(states, game.sample(states, step, threads=threads), autoreset=True, threads=threads)
            if observed:
                game.observe(states)
                game.legal(states)
        return steps * batch / (perf_counter() - begin)

    return run


def random_play(game: Game, batch: int = 1024) -> Run:
    """Return a run of `Game.play_random`, random decisions inside the kernel."""
    states = game.init(batch, 0)

    def run(decisions: int) -> float:
        each = max(1, decisions // batch)
        begin = perf_counter()
        game.play_random(states, each, seed=1)
        return each * batch / (perf_counter() - begin)

    return run


def vector_loop(name: str, opponent: str, bare: bool = False, batch: int = 1024) -> Run:
    """Return a run of steps of the vector environment; with `bare`, of its games only, without infos and copies."""
    envs = MancalaVectorEnv(name, batch, opponent=opponent, illegal="random", copy=False)
    envs.reset(seed=0)
    # The kernel replaces an illegal action by a random legal one.
    illegal = np.full(batch, -1)
    match = envs._match

    def step_games() -> None:
        waiting = match.over.nonzero()[0]
        match.step(illegal)
        match.begin(waiting)
        match.refresh()

    step = step_games if bare else lambda: envs.step(illegal)

    def run(decisions: int) -> float:
        steps = max(1, decisions // batch)
        waited = 0
        begin = perf_counter()
        for _ in range(steps):
            waited += int(np.count_nonzero(match.over))
            step()
        return (steps * batch - waited) / (perf_counter() - begin)

    return run


def aec_loop(make: Callable[..., Any], **arguments: Any) -> Run:
    """Return a run of decisions in an AEC environment, in which only `last` and `step` are timed."""
    env = make(**arguments)
    env.reset(seed=0)

    def run(decisions: int) -> float:
        spent, played = 0.0, 0
        while played < decisions:
            if not env.agents:
                env.reset()
            begin = perf_counter()
            observation, _, terminated, truncated, _ = env.last()
            spent += perf_counter() - begin
            if terminated or truncated:
                env.step(None)
                continue
            action = random.choice(np.flatnonzero(observation["action_mask"]).tolist())
            begin = perf_counter()
            env.step(action)
            spent += perf_counter() - begin
            played += 1
        return played / spent

    return run


def spiel_game(name: str) -> Any:
    """Load a game of OpenSpiel."""
    import pyspiel

    return pyspiel.load_game(name)


def mcts_bot(name: str, rollouts: int, simulations: int, seed: int = 1) -> Any:
    """Make OpenSpiel's C++ search.

    Args:
        name: OpenSpiel's name of the game.
        rollouts: random rollouts per simulation.
        simulations: simulations per decision.
        seed: random seed of the search.
    """
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    return pyspiel.MCTSBot(spiel_game(name), evaluator, UCT_C, simulations, MEGABYTES, False, seed, False)


def spiel_loop(observed: bool) -> Run:
    """Return a run of OpenSpiel's mancala, driven from Python."""
    game = spiel_game("mancala")

    def run(decisions: int) -> float:
        state = game.new_initial_state()
        begin = perf_counter()
        for _ in range(decisions):
            actions = state.legal_actions()
            state.apply_action(actions[random.randrange(len(actions))])
            if observed and not state.is_terminal():
                state.observation_tensor()
                state.legal_actions_mask()
                state.rewards()
            if state.is_terminal():
                state = game.new_initial_state()
        return decisions / (perf_counter() - begin)

    return run


def spiel_rollouts(name: str, length: float) -> Run:
    """Return a run of random games in OpenSpiel's C++ rollout evaluator; their mean length is `length` decisions."""
    game = spiel_game(name)

    def run(decisions: int) -> float:
        games = max(1, min(ROLLOUTS, round(decisions / length)))
        bot = mcts_bot(name, games, 1)
        begin = perf_counter()
        state = game.new_initial_state()
        # The evaluator cannot start at a chance node, so a first throw of dice is fixed.
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        bot.step(state)
        return games * length / (perf_counter() - begin)

    return run


def simulations(search: Search) -> Run:
    """Return a run of simulations of a tree search, at the first decision of a game."""

    def run(wanted: int) -> float:
        decisions = max(1, wanted // SIMULATIONS)
        begin = perf_counter()
        for decision in range(decisions):
            search(decision)
        return decisions * SIMULATIONS / (perf_counter() - begin)

    return run


def our_search(game: Game, turns: int) -> Search:
    """Return our `"mcts"` search, with playouts of this many turns (0: to the end)."""
    return partial(Agent(game, f"mcts:{SIMULATIONS}", playout_turns=turns).act, game.init(1, 0))


def spiel_search(name: str) -> Search:
    """Return OpenSpiel's C++ search. It has a random generator of its own and ignores the seed."""
    bot, state = mcts_bot(name, 1, SIMULATIONS), spiel_game(name).new_initial_state()
    return lambda seed: bot.step(state)


def decisions_per_game(game: Game) -> float:
    """Return the mean number of decisions of a random game. The result is the same in every run."""
    batch, decisions = 1024, 2000
    return batch * decisions / game.play_random(game.init(batch, 0), decisions, seed=0)


def spiel_decisions_per_game(name: str) -> float:
    """Return the mean number of decisions of a random OpenSpiel game, chance nodes not counted."""
    game, dice, decisions = spiel_game(name), random.Random(0), 0
    for _ in range(SPIEL_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, weights)[0])
            else:
                decisions += 1
                state.apply_action(dice.choice(state.legal_actions()))
    return decisions / SPIEL_GAMES


def contenders(names: list[str]) -> Iterator[Contender]:
    """Yield all contenders; print which peers are not installed and leave them out."""
    for name in names:
        game = make_game(name)
        for batch in BATCHES:
            yield Contender(f"step loop, batch {batch}", name, step_loop(game, batch), batch)
        for batch in BATCHES[2:]:
            title = f"step loop with observation and mask, batch {batch}"
            yield Contender(title, name, step_loop(game, batch, True), batch)
        yield Contender("random play in the kernel", name, random_play(game), 1024)
        for opponent in OPPONENTS:
            rest = f"against {opponent}, batch 1024"
            yield Contender(f"VectorEnv {rest}", name, vector_loop(name, opponent), 1024)
            yield Contender(f"VectorEnv's games {rest}", name, vector_loop(name, opponent, bare=True), 1024)
        yield Contender("AEC raw_env: last + step", name, aec_loop(RawEnv, game=name))
        yield Contender("AEC env: last + step", name, aec_loop(wrapped, game=name))
    if PEER_GAME in names:
        yield from peers()
    yield from pairs(names)
    yield from pairs_in_jax(names)
    yield from searches(names)


def searches(names: list[str]) -> Iterator[Contender]:
    """Yield our searches and OpenSpiel's, for each of our games in both SEARCHED and `names`."""
    for peer, name in SEARCHED.items():
        if name in names and find_spec("pyspiel"):
            game = make_game(name)
            ours, theirs = search_titles(peer)
            for title, turns in ours.items():
                yield Contender(title, name, simulations(our_search(game, turns)))
            yield Contender(theirs, name, simulations(spiel_search(peer)), ours=False)


def search_titles(peer: str) -> tuple[dict[str, int], str]:
    """Return the titles of our searches, each with its `playout_turns`, and the title of the peer's."""
    ours = {f"{SEARCHED[peer]}, simulations of mcts, {how}": turns for how, turns in PLAYOUTS_OF_SEARCH.items()}
    return ours, f"OpenSpiel {peer}, simulations of MCTSBot"


def pairs(names: list[str]) -> Iterator[Contender]:
    """Yield our game and OpenSpiel's, for each of our games in both PEERS and `names`."""
    for peer, (name, options) in PEERS.items():
        if name in names and find_spec("pyspiel"):
            ours, theirs = titles(peer)
            yield Contender(ours, name, step_loop(make_game(name, **options), 1024), 1024)
            yield Contender(theirs, name, spiel_rollouts(peer, spiel_decisions_per_game(peer)), ours=False)


def pairs_in_jax(names: list[str]) -> Iterator[Contender]:
    """Yield our game and pgx's, for each of our games in both PGX and `names`; print if a library is not installed."""
    chosen = {peer: (name, options) for peer, (name, options) in PGX.items() if name in names}
    if chosen and not (find_spec("jax") and find_spec("pgx")):
        print("pgx is left out, because it is not installed: pip install 'mancala_envs[jax]' pgx", file=sys.stderr)
        return
    for peer, (name, options) in chosen.items():
        from mancala_envs.speed.in_jax import GAMES, our_loop, pgx_loop

        ours, theirs = titles_in_jax(peer)
        yield Contender(ours, name, our_loop(name, **options), GAMES)
        yield Contender(theirs, name, pgx_loop(peer), GAMES, ours=False)


def titles(peer: str) -> tuple[str, str]:
    """Return the titles of our game and of the peer."""
    name, options = PEERS[peer]
    return f"{header(name, options)}, step loop, batch 1024", f"OpenSpiel {peer}, C++ rollouts"


def titles_in_jax(peer: str) -> tuple[str, str]:
    """Return the titles of our game and of pgx's."""
    return f"{header(*PGX[peer])}, in JAX, batch 4096", f"pgx {peer}, in JAX, batch 4096"


def header(name: str, options: dict[str, Any]) -> str:
    """Return a game's name with its options, for titles."""
    listed = ", ".join(f"{option}={value}" for option, value in options.items())
    return f"{name}({listed})" if listed else name


def peers() -> Iterator[Contender]:
    """Yield a contender for each other library that is installed."""
    try:
        with needs_extra():
            import pyspiel  # noqa: F401

        title = "OpenSpiel mancala"
        rollouts = spiel_rollouts("mancala", decisions_per_game(make_game(PEER_GAME)))
        yield Contender(f"{title}, C++ rollouts", PEER_GAME, rollouts, ours=False)
        yield Contender(f"{title} from Python: legal + apply", PEER_GAME, spiel_loop(False), ours=False)
        full = f"{title} from Python: with observation, mask, rewards"
        yield Contender(full, PEER_GAME, spiel_loop(True), ours=False)
    except MissingExtra as missing:
        print(f"OpenSpiel is left out: {missing}", file=sys.stderr)
    try:
        from pettingzoo.classic import connect_four_v3

        title = "PettingZoo connect_four_v3"
        yield Contender(f"{title} raw_env: last + step", "connect_four", aec_loop(connect_four_v3.raw_env), ours=False)
        yield Contender(f"{title} env: last + step", "connect_four", aec_loop(connect_four_v3.env), ours=False)
    except ImportError:
        print(
            "connect_four_v3 is left out, because it is not installed: pip install 'pettingzoo[classic]'",
            file=sys.stderr,
        )


def measure(entries: list[Contender], rounds: int, seconds: float) -> dict[Contender, list[float]]:
    """Return the decisions per second of every contender in every round. Contenders alternate within a round."""
    sizes: dict[Contender, int] = {}
    for entry in Bar(entries, desc="warming up"):
        entry.run(max(200, entry.batch))  # compiles
        sizes[entry] = max(1, round(entry.run(max(500, 4 * entry.batch)) * seconds))
    rates: dict[Contender, list[float]] = {entry: [] for entry in entries}
    for _ in Bar(range(rounds), desc="rounds"):
        for entry in entries:
            rates[entry].append(entry.run(sizes[entry]))
    return rates


def count_drops(name: str, decisions: int = 3000) -> float:
    """Return the number of seeds dropped per random decision, 0 in games without sowing.

    The rules run as plain Python, so that every call of `drop` can be counted.
    """
    game, dropped = make_game(name), 0
    if "holes" not in (game.dtype.names or ()):
        return 0.0

    def drop(s, hole):  # type: ignore[no-untyped-def]
        nonlocal dropped
        dropped += 1
        s.holes[hole] += 1

    def drop_in_store(s, p):  # type: ignore[no-untyped-def]
        nonlocal dropped
        dropped += 1
        s.store[p] += 1

    game.try_plain(decisions, {sow.drop: drop, sow.drop_in_store: drop_in_store})
    return dropped / decisions


def threads_table(names: list[str], threads: int, rounds: int, seconds: float) -> str:
    """Compare `sample` and `step` of large batches on several threads with one.

    Returns:
        A Markdown table of the speed-ups, medians over rounds.
    """
    lines = [f"| game | batch | {threads} threads / 1 |", "|---|--:|--:|"]
    for name in names:
        game = make_game(name)
        for batch in (FEWEST_GAMES, 2 * FEWEST_GAMES):
            pair = [Contender(f"{n} threads", name, step_loop(game, batch, threads=n), batch) for n in (threads, 1)]
            many, one = measure(pair, rounds, seconds).values()
            ratio = median(a / b for a, b in zip(many, one, strict=True))
            lines.append(f"| {name} | {batch:,} | {ratio:.2f} |")
    return "\n".join(lines)


START = """
import sys, numpy, numba, gymnasium, pettingzoo.utils
from time import process_time
begun = process_time()
import mancala_envs
imported = process_time()
game = mancala_envs.make_game(sys.argv[1], campaign=sys.argv[2] == "campaign")
states = game.init(8, 0)
game.step(states, game.sample(states, 0), autoreset=True)
print(imported - begun, process_time() - imported)
"""
"""A program that prints the CPU time of importing mancala_envs and of a first step, in seconds. The imports of NumPy,
Numba, Gymnasium and PettingZoo do not count."""


def start(name: str, rounds: int) -> list[float]:
    """Measure how long a game takes to start in a new process.

    Args:
        name: name of the game.
        rounds: number of measurements.

    Returns:
        Median CPU times in seconds: of the import, of a first step with a warm compile cache, of one with an empty
        cache, and of a campaign's first step with an empty cache (NaN without a campaign).
    """

    def program(cache: str, kind: str) -> list[float]:
        command = [sys.executable, "-c", START, name, kind]
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        found = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        return [float(number) for number in found.stdout.split()]

    measured = []
    for _ in range(rounds):
        with TemporaryDirectory() as cache, TemporaryDirectory() as other:
            cold, (imported, warm) = program(cache, "round")[1], program(cache, "round")
            campaign = program(other, "campaign")[1] if REGISTRY[name].has_campaign else nan
        measured.append((imported, warm, cold, campaign))
    return [median(numbers) for numbers in zip(*measured, strict=True)]


def starts_table(names: list[str], rounds: int) -> str:
    """Return `start` of each game as a Markdown table."""
    lines = ["| game | import | first step, cached | first step, not cached | of a campaign |", "|---|--:|--:|--:|--:|"]
    for name in Bar(names, desc="starting"):
        numbers = ("" if isnan(seconds) else f"{seconds:.2f}" for seconds in start(name, rounds))
        lines.append(f"| {name} | " + " | ".join(numbers) + " |")
    return "\n".join(lines)


def machine() -> dict[str, str]:
    """Return the versions and the hardware that throughput depends on."""
    found = {"python": platform.python_version(), "machine": platform.machine(), "cores": str(os.cpu_count())}
    for package in ("numpy", "numba", "gymnasium", "pettingzoo", "open_spiel", "jax", "pgx"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def quantity(number: float) -> Cell:
    """Return a number of a table with three significant figures, in thousands or millions."""
    unit, size = ("M", 1e6) if number >= 1e6 else ("k", 1e3)
    return {"value": significant(number / size), "unit": unit}


def table(rows: list[dict[str, Any]]) -> str:
    """Return the measurements as a Markdown table."""
    cells = list[list[Cell]]()
    for row in rows:
        rate, drops = row["decisions_per_second"], row["drops_per_second"]
        sown = quantity(drops) if drops else None
        cells.append([row["game"], row["what"], quantity(rate), sown, significant(1e6 / rate)])
    return markdown_table(["game", "contender", "decisions/s", "seeds dropped/s", "µs per decision"], cells)


RATIOS = (
    ("step loop, batch 64", "OpenSpiel mancala, C++ rollouts"),
    ("step loop, batch 1024", "OpenSpiel mancala, C++ rollouts"),
    ("step loop, batch 8192", "OpenSpiel mancala, C++ rollouts"),
    ("random play in the kernel", "OpenSpiel mancala, C++ rollouts"),
    ("step loop, batch 1024", "OpenSpiel mancala from Python: legal + apply"),
    *(
        (
            f"step loop with observation and mask, batch {batch}",
            "OpenSpiel mancala from Python: with observation, mask, rewards",
        )
        for batch in BATCHES[2:]
    ),
    ("AEC raw_env: last + step", "PettingZoo connect_four_v3 raw_env: last + step"),
    ("AEC env: last + step", "PettingZoo connect_four_v3 env: last + step"),
    *((f"VectorEnv against {who}, batch 1024", f"VectorEnv's games against {who}, batch 1024") for who in OPPONENTS),
)


def ratios(rates: dict[Contender, list[float]]) -> dict[str, float]:
    """Return our speed relative to each peer: the median over rounds of the ratio within a round."""
    search_pairs = ((mine, theirs) for ours, theirs in map(search_titles, SEARCHED) for mine in ours)
    wanted = [*RATIOS, *map(titles, PEERS), *map(titles_in_jax, PGX), *search_pairs]
    other_games = {mine for mine, _ in wanted[len(RATIOS) :]}
    series = {
        entry.name: measured
        for entry, measured in rates.items()
        if entry.game == PEER_GAME or entry.name in other_games or not entry.ours
    }
    found = {}
    for mine, other in wanted:
        if mine in series and other in series:
            found[f"{mine} / {other}"] = median(a / b for a, b in zip(series[mine], series[other], strict=True))
    return found


def table_in_jax(rates: dict[Contender, list[float]]) -> Table:
    """Return the table of our games and those of pgx. It has no rows if they were not measured."""
    speed = {entry.name: quantity(median(measured)) for entry, measured in rates.items()}
    found = ratios(rates)
    rows = list[list[Cell]]()
    for peer, ours in PGX.items():
        mine, other = titles_in_jax(peer)
        if ratio := found.get(f"{mine} / {other}"):
            rows.append([f"`{header(*ours)}`", speed[mine], f"`{peer}`", speed[other], significant(ratio)])
    return Table(
        "Speed in JAX, compared with pgx",
        "Random decisions per CPU second in one program of JAX on one core, with sampling, steps, masks, observations "
        f"and new games, in batches of 4096; medians of interleaved rounds, pgx {machine()['pgx']}, JAX "
        f"{machine()['jax']}, both to be installed first. The games of a row are similar, not equal.",
        ["ours", "decisions/s", "pgx", "decisions/s", "times as fast"],
        rows,
        command=f"python scripts/speed.py {' '.join(name for name, _ in PGX.values())}",
    )


TOLERANCE = 0.25
"""Fraction by which a ratio may fall below its reference."""


def regressions(found: dict[str, float], reference: dict[str, float]) -> list[str]:
    """Return a line for every measured ratio that is more than TOLERANCE below its reference."""
    return [
        f"{name}: {found[name]:.2f}, was {before:.2f}"
        for name, before in reference.items()
        if name in found and found[name] < (1 - TOLERANCE) * before
    ]


def check(reference: dict[str, float], rounds: int, seconds: float) -> list[str]:
    """Measure the ratios and return their regressions. A regression counts only if a second run confirms it."""
    others = [name for name in SEARCHED.values() if name != PEER_GAME]
    similar = [name for name, _ in PGX.values() if name != PEER_GAME]
    entries = [*contenders([PEER_GAME]), *pairs([name for name, _ in PEERS.values()])]
    entries += [*pairs_in_jax(similar), *searches(others)]
    found = regressions(ratios(measure(entries, rounds, seconds)), reference)
    if found:
        again = regressions(ratios(measure(entries, rounds, seconds)), reference)
        confirmed = {line.split(":")[0] for line in again}
        found = [line for line in found if line.split(":")[0] in confirmed]
    return found


def figure_of(rates: dict[Contender, list[float]], pyplot: Any) -> Any:
    """Plot throughput by batch size, with peers as horizontal lines."""
    figure, axes = pyplot.subplots(figsize=(8.5, 4.5), layout="constrained")
    for name in dict.fromkeys(entry.game for entry in rates if entry.ours):
        loops = {f"step loop, batch {batch}": batch for batch in BATCHES}
        points = [(loops[e.name], median(r)) for e, r in rates.items() if e.game == name and e.ours and e.name in loops]
        axes.plot(*zip(*points, strict=True), "o-", label=name)
    for style, (entry, series) in zip("-:" * 8, ((e, r) for e, r in rates.items() if not e.ours), strict=False):
        axes.axhline(median(series), color="grey", linestyle="-." if style == "-" else ":", linewidth=1)
        axes.text(BATCHES[0], median(series) * 1.06, entry.name, fontsize=7, color="dimgrey")
    axes.set(xscale="log", yscale="log", xlabel="batch", ylabel="decisions per second, sample + step, one core")
    axes.grid(alpha=0.3, which="both")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
    return figure


def measure_speed(names: list[str], rounds: int, seconds: float, out: Path) -> None:
    """Measure games and their peers, and write speed.md, speed.json, the tables of ratios and speed.png.

    Args:
        names: names of games.
        rounds: number of rounds.
        seconds: approximate time for each contender in a round.
        out: the folder to write to.
    """
    drops = {name: count_drops(name) for name in Bar(names, desc="counting seeds")}
    random.seed(0)
    rates = measure(list(contenders(names)), rounds, seconds)
    rows = [
        {
            "game": entry.game,
            "what": entry.name,
            "batch": entry.batch,
            "decisions_per_second": median(series),
            "drops_per_second": median(series) * drops[entry.game]
            if entry.ours and "Vector" not in entry.name and "simulations" not in entry.name
            else None,
            "rounds": series,
        }
        for entry, series in rates.items()
    ]
    found = ratios(rates)
    compared = Table(
        "Speed compared with other libraries",
        "How many times as fast ours is, in one interleaved run on one core with random legal actions.",
        ["ours / peer", "ratio"],
        [[pair, significant(ratio)] for pair, ratio in found.items()],
        command="make speed",
    )
    tables = {JSON: compared, "jax.json": table_in_jax(rates)}
    tables = {name: each for name, each in tables.items() if each.rows}
    report = "\n".join([table(rows), *(each.text for each in tables.values())])
    measured = {"machine": machine(), "rounds": rounds, "seconds": seconds, "rows": rows, "ratios": found}
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "speed.md", report)
    for name, each in tables.items():
        each.write(out / name)
    write_json(out / "speed.json", measured)
    drawn = draw(out / "speed.png", partial(figure_of, rates), dpi=150)
    print(report)
    print(f"wrote {out}/{', '.join(['speed.md', 'speed.json', *tables, *drawn])}")

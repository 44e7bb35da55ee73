"""A round robin: how strong agents are, as Bradley-Terry ratings with 95% intervals.

    python scripts/tournament.py kalah random greedy minimax:4 mcts:400
    python scripts/tournament.py qelat greedy mcts:400 runs/*/model.zip --games 1000 --jobs 8
    python scripts/tournament.py qelat random greedy minimax:2 --campaign --option columns=4
    python scripts/tournament.py kalah greedy mcts:1000 mcts:10000 --ray auto

Agents: random, greedy, a search such as minimax:6, mcts:400 or mcts:50ms, or the path of a saved MaskablePPO model.
Every two of them meet from the same random openings, and play each of these twice, the seats exchanged; where there
are more seats than two they sit in turn, so that partners are of one mind. Who is paid more at the end has won, and
of whom both halves of a pair are paid alike, has drawn.

Ratings are on the scale of Elo, their mean 0, and take a draw for half a win (D. R. Hunter, Annals of Statistics 32,
2004, "MM algorithms for generalized Bradley-Terry models"); intervals come from the Fisher information. So that who
has won all his games has a rating too, one drawn game is added between every two agents.

Writes into its folder, a new call with which goes on where the last one ended, with more games or more agents too:
results.json after every batch of games, ratings.json, table.md and ratings.png at the end. Each file is whole before it
takes the old one's place; Ctrl-C and SIGTERM end the tournament early. The seed decides everything but budgets in
milliseconds, however many processes there are. With --ray the batches are tasks of a Ray cluster: that needs
``pip install "mancala_envs[rllib]"`` on every node, and checkout and models at the same path of each.
"""

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import combinations
from math import log
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import IO, Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from mancala_envs.core.game import Game, States
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.scripts.agents import Chooser, chooser, require_agent
from mancala_envs.scripts.arguments import add_game_options, positive
from mancala_envs.scripts.files import read_json, whole, write_json, write_text
from mancala_envs.wrappers import Score
from mancala_envs.wrappers.evaluation import Z95

Floats = npt.NDArray[np.float64]

RESULTS, RATINGS, TABLE, PICTURE = "results.json", "ratings.json", "table.md", "ratings.png"
OPENINGS_TRIED = 100
"""How often openings are drawn anew until enough of them are still in play."""
ELO = 400 / log(10)
"""Points of Elo to one unit of the logarithm of strength."""


# Playing.


class TooShort(ValueError):
    """Games do not last so long as their openings are to."""


@dataclass(frozen=True)
class Batch:
    """Some games between two agents; what comes of them depends on nothing else."""

    game: str
    campaign: bool
    options: dict[str, Any]
    agents: tuple[str, str]
    number: int
    """Of the batch in its pairing; the same number means the same openings."""
    games: int
    opening: int
    seed: int

    def play(self) -> list[list[int]]:
        """Wins, draws and losses of the first agent, in the seats 0, 2, ... and in the others."""
        return [[int((row == sign).sum()) for sign in (1, 0, -1)] for row in self.results()]

    def results(self) -> Floats:
        """(2, games // 2): 1 where the first agent won, 0 where nobody did, else -1; in the seats 0, 2, ... and in the
        others, in each column from the same opening."""
        game = make_game(self.game, self.campaign, **self.options)
        of_openings, of_play = np.random.SeedSequence([self.seed, self.number]).spawn(2)
        begun = openings(game, self.games // 2, self.opening, np.random.default_rng(of_openings))
        states = np.tile(begun, 2)
        first_seat = np.repeat([0, 1], len(begun))
        chance = np.random.default_rng([*of_play.generate_state(4), *(crc32(agent.encode()) for agent in self.agents)])
        lead = leads(game, states, first_seat, [chooser(agent, game) for agent in self.agents], chance)
        return np.sign(lead).reshape(2, len(begun))


def openings(game: Game, n: int, turns: int, chance: np.random.Generator) -> States:
    """(n,) games after so many turns of random play. Raises TooShort where hardly any game lasts so long."""
    found: list[States] = []
    for _ in range(OPENINGS_TRIED):
        states = game.init(n, int(chance.integers(2**63)))
        while len(early := np.flatnonzero(is_opening(states, turns))):
            played = states[early]
            game.step(played, game.sample(played, int(chance.integers(2**63))))
            states[early] = played
        found.append(states[states["to_move"] >= 0])
        if sum(map(len, found)) >= n:
            return np.concatenate(found)[:n]
    raise TooShort(f"games of {game.header} are over within {turns} turns: choose fewer by --opening")


def is_opening(states: States, turns: int) -> npt.NDArray[np.bool_]:
    """Which games are in play and in their first `turns` turns."""
    early: npt.NDArray[np.bool_] = (states["turn"] < turns) & (states["round_number"] == 1)
    return early & (states["to_move"] >= 0)


def leads(
    game: Game,
    states: States,
    first_seat: npt.NDArray[np.int64],
    agents: Sequence[Chooser],
    chance: np.random.Generator,
) -> Floats:
    """(n,): play all games to their ends; how much more a seat of the first agent is paid there than one of the second.

    The first agent sits in the seats `first_seat` (n,), + 2, ..., the second in the others.
    """
    seats = np.arange(game.num_deciding)
    is_first = (seats + first_seat[:, None]) % 2 == 0
    weights = np.where(is_first, 1 / is_first.sum(1, keepdims=True), -1 / (~is_first).sum(1, keepdims=True))
    lead = np.zeros(len(states))
    while len(playing := np.flatnonzero(states["to_move"] >= 0)):
        actions = np.full(len(states), -1)
        whose = (states["to_move"][playing] + first_seat[playing]) % 2
        for agent, choose in enumerate(agents):
            asked = playing[whose == agent]
            if len(asked):
                actions[asked] = choose(states[asked], int(chance.integers(2**63)))
        rewards = game.step(states, actions)
        over = playing[states["to_move"][playing] < 0]
        lead[over] = (weights * rewards[:, seats])[over].sum(1)
    return lead


# Where it is played.


def in_this_process(batches: Sequence[Batch]) -> Iterator[tuple[Batch, list[list[int]]]]:
    """Every batch with its result, one after the other."""
    for batch in batches:
        yield batch, batch.play()


def in_processes(batches: Sequence[Batch], jobs: int) -> Iterator[tuple[Batch, list[list[int]]]]:
    """Every batch with its result, in processes of their own, as they are done."""
    # One thread each for PyTorch: side by side several would wait for each other most of the time.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        try:
            # Ctrl-C is for this process, which ends the others: whoever is started deaf to it stays so.
            listening = signal.signal(signal.SIGINT, signal.SIG_IGN)
            tasks = {pool.submit(batch.play): batch for batch in batches}
            signal.signal(signal.SIGINT, listening)
            for task in as_completed(tasks):
                yield tasks[task], task.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def on_cluster(batches: Sequence[Batch], address: str) -> Iterator[tuple[Batch, list[list[int]]]]:
    """Every batch with its result, as tasks of a Ray cluster, as they are done."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray is to report to nobody; it looks at its import.
    import ray  # Only for those who have it.

    own = {"include_dashboard": False, "object_store_memory": 200 * 2**20}
    ray.init(address, **(own if address == "local" else {}))
    try:
        play = ray.remote(Batch.play)
        tasks = {play.remote(batch): batch for batch in batches}
        waiting = list(tasks)
        while waiting:
            (done,), waiting = ray.wait(waiting)
            yield tasks[done], ray.get(done)
    finally:
        ray.shutdown()


# Results.


@dataclass
class Tournament:
    """What was played, and with which settings."""

    settings: dict[str, Any]
    """What every result depends on besides its agents."""
    agents: dict[str, int | None]
    """By name or path; of a saved model the checksum of its file."""
    results: list[dict[str, Any]] = field(default_factory=list)
    """Of every batch `agents`, `number` and `scores`: wins, draws and losses of the first agent, by seating."""

    def as_dict(self) -> dict[str, Any]:
        return {"settings": self.settings, "agents": self.agents, "results": self.results}

    def go_on(self, path: Path) -> None:
        """Take over what an earlier call has written. Ends the program where that was another tournament."""
        if not path.exists():
            return
        former = read_json(path)
        try:
            settings, agents, results = (former[name] for name in ("settings", "agents", "results"))
        except (TypeError, KeyError):
            sys.exit(f"{path} holds no tournament")
        for name, value in self.settings.items():
            if settings.get(name) != value:
                sys.exit(f"{path} is of another tournament, whose {name} is {settings.get(name)!r}, not {value!r}")
        for agent, checksum in self.agents.items():
            if agents.get(agent, checksum) != checksum:
                sys.exit(f"{agent} is another model than the one that played in {path}: choose another --out")
        self.agents, self.results = agents | self.agents, results

    def missing(self, asked: Sequence[Batch]) -> list[Batch]:
        """Those of `asked` that were not played yet."""
        known = {(*result["agents"], result["number"]) for result in self.results}
        return [
            batch for batch in asked if not {(*batch.agents, batch.number), (*batch.agents[::-1], batch.number)} & known
        ]

    def note(self, batch: Batch, scores: list[list[int]]) -> None:
        self.results.append({"agents": list(batch.agents), "number": batch.number, "scores": scores})

    def scores(self) -> dict[tuple[str, str], Score]:
        """How everyone did against everyone he met; seat 0 is that of who moves first, where players move in turn."""
        found: dict[tuple[str, str], Score] = {}
        for result in self.results:
            first, second = result["agents"]
            for seat, (wins, draws, losses) in enumerate(result["scores"]):
                ways = (
                    ((first, second), seat, (wins, draws, losses)),
                    ((second, first), 1 - seat, (losses, draws, wins)),
                )
                for pair, own_seat, counts in ways:
                    found[pair] = found.get(pair, Score(0, 0, 0)) + Score(*counts, {own_seat: Score(*counts)})
        return found


# Ratings.


def ratings(points: Floats) -> tuple[Floats, Floats]:
    """(n,) ratings in points of Elo, their mean 0, and half the widths of their 95% intervals.

    `points` (n, n): what i has won of his games against j, a draw counting half. See the head of this file.
    """
    n = len(points)
    points = points + (1 - np.eye(n)) / 2
    games = points + points.T
    strength, change = np.ones(n), np.inf
    while change > 1e-9:
        sums = strength[:, None] + strength
        better = points.sum(1) / (games / sums).sum(1)
        better /= np.exp(np.log(better).mean())
        change, strength = np.abs(np.log(better / strength)).max(), better
    chances = strength[:, None] / (strength[:, None] + strength)
    information = games * chances * (1 - chances)
    # Strengths are known up to a common factor: their mean is held fast.
    fisher, mean = np.diag(information.sum(1)) - information, np.full((n, n), 1 / n)
    variances = np.diag(np.linalg.inv(fisher + mean) - mean)
    return ELO * np.log(strength), Z95 * ELO * np.sqrt(variances)


def ranking(tournament: Tournament) -> list[dict[str, Any]]:
    """Every agent with its rating and how it did against each other, the strongest first; for a JSON file."""
    agents, scores = list(tournament.agents), tournament.scores()
    points = np.array([[of_points(scores.get((a, b), Score(0, 0, 0))) for b in agents] for a in agents])
    rated, half_widths = ratings(points)
    rows = []
    for agent, rating, half in zip(agents, rated.tolist(), half_widths.tolist(), strict=True):
        against = {other: scores[agent, other] for other in agents if (agent, other) in scores}
        overall = sum(against.values(), Score(0, 0, 0))
        rows.append(
            {
                "agent": agent,
                "rating": rating,
                "interval_95": [rating - half, rating + half],
                "games": overall.games,
                "points": of_points(overall),
                "against": {other: score.as_dict() for other, score in against.items()},
            }
        )
    return sorted(rows, key=lambda row: -row["rating"])


def of_points(score: Score) -> float:
    """Wins, and draws half."""
    return score.wins + score.draws / 2


def shares(rows: Sequence[Mapping[str, Any]]) -> Floats:
    """(n, n): of his games against each, what each has won, draws counting half; NaN where they have not met."""
    won = np.full((len(rows), len(rows)), np.nan)
    for i, row in enumerate(rows):
        for j, other in enumerate(rows):
            if counts := row["against"].get(other["agent"]):
                score = Score(counts["wins"], counts["draws"], counts["losses"])
                won[i, j] = of_points(score) / score.games
    return won


def table(rows: Sequence[Mapping[str, Any]], title: str) -> str:
    """Markdown: ratings, and what each has won against each."""
    names = short_names([row["agent"] for row in rows])
    head = ["", "agent", "Elo", "95%", "games", "points", *(str(number) for number in range(1, len(rows) + 1))]
    lines = [head, ["--:", "---", *["--:"] * (len(head) - 2)]]
    for number, (row, name, won) in enumerate(zip(rows, names, shares(rows), strict=True), 1):
        low, high = row["interval_95"]
        cells = ("" if np.isnan(share) else f"{share:.1%}" for share in won)
        points = f"{row['points'] / row['games']:.1%}" if row["games"] else ""
        rating = [f"{row['rating']:+.0f}", f"[{low:+.0f}, {high:+.0f}]"]
        lines.append([str(number), name, *rating, str(row["games"]), points, *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    body = ("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)
    return "\n".join([f"# {title}", "", *body, ""])


def short_names(agents: Sequence[str]) -> list[str]:
    """Paths by their last folders, as long as that tells them apart."""
    for parts in range(2, max((len(Path(agent).parts) for agent in agents), default=0) + 1):
        names = [str(Path(*Path(agent).parts[-parts:])) for agent in agents]
        if len(set(names)) == len(names):
            return names
    return list(agents)


def draw(rows: Sequence[Mapping[str, Any]], title: str, file: IO[bytes]) -> None:
    """Ratings with their intervals, and beside them what each has won against each."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    n, names = len(rows), short_names([row["agent"] for row in rows])
    size = (6.5 + 0.62 * n, 1.7 + 0.42 * n)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=size, layout="constrained", width_ratios=(4, 1 + 0.62 * n))
    rated = [row["rating"] for row in rows]
    half = [row["interval_95"][1] - row["rating"] for row in rows]
    left.errorbar(rated, range(n), xerr=half, fmt="o", color="#2a6f97", capsize=3, markersize=5)
    left.set_yticks(range(n), names)
    left.set(ylim=(n - 0.5, -0.5), xlabel="rating (Elo, mean 0) with 95% interval")
    left.grid(axis="x", alpha=0.3)
    won = shares(rows)
    right.imshow(won, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    for i, j in np.argwhere(~np.isnan(won)):
        dark = abs(won[i, j] - 0.5) > 0.3
        right.text(j, i, f"{won[i, j]:.0%}", ha="center", va="center", fontsize=8, color="white" if dark else "black")
    right.set_xticks(range(n), [str(number) for number in range(1, n + 1)])
    right.set_yticks(range(n), [str(number) for number in range(1, n + 1)])
    right.set(xlabel="points won by the row against the column", ylim=(n - 0.5, -0.5))
    figure.suptitle(title, fontsize=11)
    figure.savefig(file, dpi=150, format="png")
    pyplot.close(figure)


# The program.


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=REGISTRY, metavar="GAME", help="its name, such as kalah")
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="random, greedy, a search or a saved model")
    add_game_options(parser)
    parser.add_argument("--games", type=positive, default=400, help="of each pairing, in whole batches (%(default)s)")
    parser.add_argument("--batch", type=positive, default=50, help="games played at once, an even number (%(default)s)")
    parser.add_argument("--opening", type=int, default=4, help="random turns at the beginning (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="decides everything (default %(default)s)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=positive, default=1, help="processes (default %(default)s)")
    where.add_argument("--ray", metavar="ADDRESS", help="of a running Ray cluster, or auto; local starts one")
    parser.add_argument("--out", type=Path, help="folder of the tournament (default tournaments/GAME)")
    args = parser.parse_args()
    args.options = dict(args.options)
    args.agents = list(dict.fromkeys(args.agents))
    args.out = args.out or Path("tournaments") / (args.game + "_campaign" * args.campaign)
    try:
        game = make_game(args.game, args.campaign, **args.options)
        for agent in args.agents:
            require_agent(agent, game)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    if len(args.agents) < 2:
        parser.error("a tournament needs at least two different agents")
    if args.batch % 2:
        parser.error(f"--batch must be even, for every opening is played twice; got {args.batch}")
    if args.opening < 0 or args.seed < 0:
        parser.error("--opening and --seed must be at least 0")
    args.plays = game.header
    return args


def asked_for(args: argparse.Namespace) -> list[Batch]:
    """All batches of the tournament; every pairing begins before any is at its end."""
    return [
        Batch(args.game, args.campaign, args.options, pair, number, args.batch, args.opening, args.seed)
        for number in range(-(-args.games // args.batch))
        for pair in combinations(args.agents, 2)
    ]


def main() -> None:
    args = arguments()
    # Whoever ends the program from outside shall find the same as by Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    settings = {"plays": args.plays, "batch": args.batch, "opening": args.opening, "seed": args.seed}
    checksums = {agent: crc32(Path(agent).read_bytes()) if Path(agent).is_file() else None for agent in args.agents}
    tournament = Tournament(settings, checksums)
    out: Path = args.out
    tournament.go_on(out / RESULTS)
    out.mkdir(parents=True, exist_ok=True)
    asked = asked_for(args)
    batches = tournament.missing(asked)
    if args.ray:
        played = on_cluster(batches, args.ray)
    elif args.jobs > 1:
        played = in_processes(batches, args.jobs)
    else:
        played = in_this_process(batches)
    try:
        with tqdm(total=len(asked) * args.batch, unit=" games", desc=args.game, dynamic_ncols=True) as bar:
            bar.update((len(asked) - len(batches)) * args.batch)
            for batch, scores in played:
                tournament.note(batch, scores)
                write_json(out / RESULTS, tournament.as_dict())
                bar.update(args.batch)
    except KeyboardInterrupt:
        print("stopped by hand; the same command goes on")
    except TooShort as error:
        sys.exit(str(error))
    if not tournament.results:
        sys.exit("nothing was played yet")
    rows, title = ranking(tournament), f"{args.plays}: {REGISTRY[args.game].book.title}"
    write_json(out / RATINGS, rows)
    text = table(rows, title)
    write_text(out / TABLE, text)
    with whole(out / PICTURE) as file:
        draw(rows, title, file)
    print(text)
    print(f"wrote {out}/{RESULTS}, {RATINGS}, {TABLE}, {PICTURE}")


if __name__ == "__main__":
    main()

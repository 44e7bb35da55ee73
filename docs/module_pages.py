"""Write the pages of the reference that list modules, and a page for each family of games."""

from pathlib import Path

import mancala_envs

PAGES = {
    "wrappers": ("Wrappers", "wrappers"),
    "evaluation": (
        "Evaluation",
        "evaluation",
        "evaluation.every_game: tournaments, play_all",
        "evaluation.fair: starts, Prover",
        "evaluation.matches: Batch, leads",
        "evaluation.solved: SolvedGame",
        "evaluation.standings: standings_of, load_standings",
        "studies.rounds: estimate, explore, Rounds, chances_of, favourites",
        "studies.sampling: Source, sample, keys, solved_sample",
    ),
    "learning": ("Learning", "learning"),
    "benchmark": (
        "Benchmark",
        "benchmark",
        "benchmark.report: read, scores_by_task",
        "benchmark.score: interquartile_mean, suite_score, another_seed",
        "benchmark.run: benchmark, Unit, agent_for",
    ),
    "agents": (
        "Agents",
        "agents",
        "agents.pairs: HolePairs",
        "core.pauses: watched, Watch",
        "agents.solve: solve, Solver, solve_by_graph, Solution, TooLarge",
    ),
    "text": (
        "Play in text",
        "text_play.TextGame",
        "text_play.answers: parse, AnswerError, UnclearAnswer, AmbiguousAnswer, IllegalAnswer",
        "text_play.match: play_text, text_games, TextScore",
        "text_play.players",
        "text_play.regret: Regrets",
        "text_play.states: state_to_json, state_from_json",
        "text_play.puzzles: Puzzle, puzzles, write",
    ),
    "sb3": ("Stable-Baselines3", "wrappers.sb3"),
    "jax": ("JAX", "integrations.jax: make, sample, JaxEnv, State"),
    "drawing": ("Drawing", "core.board", "render: draw_picture, draw_svg, draw_text, Renderer, Window"),
    "book": (
        "Rule books",
        "core.book: Rules, Result, by_scores, Campaign, Presentation, Positions, RuleBook, Fast",
        "core.record.Field",
        "core.actions.Actions",
        "core.observation.Columns",
        "core.symmetry.BoardMap",
        "core.options.Option",
        "core.explanation.SmallEvent",
        "core.explanation.Summary",
        "core.contract",
    ),
}
"""The heading of each page and what it describes: classes, and modules with all public names or those listed."""

FAMILIES = {"mancala": "Verbs of sowing games", "points": "Verbs of games on points", "races": "Verbs of races"}
"""The heading of the page of each family."""

PACKED = {"laps", "words", "vectorised", "bits", "draughts_bits"}
"""Modules of the families that only fast forms use."""


def write(folder: Path) -> None:
    """Write all pages into a folder."""
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        (folder / f"{name}.md").write_text(text)


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    listed = PAGES | {f"families-{name}": (heading, *modules(name)) for name, heading in FAMILIES.items()}
    return {name: "\n\n".join([f"# {heading}", *map(described, rest)]) for name, (heading, *rest) in listed.items()}


def modules(family: str) -> list[str]:
    """Return the modules of a family."""
    package = Path(mancala_envs.__file__).parent / "families" / family
    paths = [path.relative_to(package.parents[1]).with_suffix("") for path in sorted(package.rglob("*.py"))]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths if path.name not in PACKED]


def described(thing: str) -> str:
    """Return the part of a page about a class or a module. Packages show what they import as their own."""
    path, _, members = thing.partition(": ")
    if path.rpartition(".")[2][0].isupper():
        return directive("autoclass", path, ":members:")
    imported = [] if "." in path else [":imported-members:"]
    return f"## {path}\n\n{directive('automodule', path, f':members: {members}'.rstrip(), *imported)}"


def directive(name: str, path: str, *options: str) -> str:
    """Return a directive of autodoc in Markdown."""
    return "\n   ".join([f"```{{eval-rst}}\n.. {name}:: mancala_envs.{path}", *options]) + "\n```"

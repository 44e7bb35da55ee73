"""The examples in README and the documentation run, and their lists are complete."""

import importlib
import re
from pathlib import Path

import pytest
from helpers.programs import ROOT, interpreter, run_python

from mancala_envs import REGISTRY, make_game
from mancala_envs.programs.tables import Table, in_markdown
from mancala_envs.render import FPS
from mancala_envs.studies.options import effects

DOCS = ROOT / "docs"
README, CONTRIBUTING = ((ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md"))
GENERATED = ("_build", "games", "modules", "programs.md")
"""Files that the build of the documentation writes."""
PAGES = {
    page.relative_to(DOCS).as_posix(): page.read_text()
    for page in sorted(DOCS.rglob("*.md"))
    if page.relative_to(DOCS).parts[0] not in GENERATED
}
ALL_PAGES = {"README.md": README, "CONTRIBUTING.md": CONTRIBUTING, **PAGES}
TRAINING = ("afterstates", "alphazero", "browser", "ppo", "self-play", "training")
PLAYING = (
    *("benchmark", "evaluation", "experts", "logging", "openings"),
    *("opponents", "search", "solved-positions", "vector"),
)
LONG = [*(f"guides/{name}.md" for name in TRAINING + PLAYING), "index.md", "start.md"]
"""Pages whose examples train, search or play thousands of games."""


INCLUDED = re.compile(r"^```\{literalinclude\} (?:\.\./)*examples/(\w+\.py)\n:language: python\n", re.MULTILINE)
"""A program of `docs/examples` on a page."""


def examples(page):
    """Return the programs on a page, those of `docs/examples` in place of their names."""
    page = INCLUDED.sub(lambda found: "```python\n" + (DOCS / "examples" / found[1]).read_text(), page)
    return re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


# Each example has its own namespace, but all share one process, which imports everything once.
RUN = """
import sys
for number, example in enumerate(sys.argv[1:]):
    print("example", number, flush=True)
    exec(compile(example, f"example {number}", "exec"), {"__name__": "__main__"})
"""


def run(programs, folder, **how):
    """Run programs in one process in `folder`; check that each prints something without warnings, and return it."""
    done = run_python("-W", "error", "-c", RUN, *programs, cwd=folder, OMP_NUM_THREADS="1", **how)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr
    printed = re.split(r"^example \d+\n", done.stdout, flags=re.MULTILINE)[1:]
    assert len(printed) == len(programs) and all(text.strip() for text in printed)
    return printed


def writes_video(example):
    return "RecordVideo(" in example


JAX = "guides/jax.md"
"""The page whose examples need the environment with JAX."""


def test_the_first_pages_show_every_interface():
    assert "gym.make(" in README
    for call in ("gym.make(", "gym.make_vec(", "qelat_v0.env(", "make_game("):
        assert call in PAGES["start.md"]


def test_every_example_is_on_one_page():
    shown = [name for page in PAGES.values() for name in INCLUDED.findall(page)]
    assert sorted(shown) == sorted(path.name for path in (DOCS / "examples").glob("*.py"))


def test_examples_of_the_readme_run_unchanged(tmp_path):
    run(examples(README), tmp_path)


@pytest.mark.slow
def test_short_examples_of_the_docs_run_unchanged(tmp_path):
    pytest.importorskip("pyspiel")
    pages = [page for name, page in PAGES.items() if name not in (*LONG, JAX)]
    short = [example for page in pages for example in examples(page) if not writes_video(example)]
    assert len(short) > 10
    run(short, tmp_path, NUMBA_DISABLE_JIT="1")


INSPECT = """
from pathlib import Path
import imageio_ffmpeg
import numpy as np
from mancala_envs import make_game
from mancala_envs.render import draw_picture

for folder, name in {"learner": "qelat", "seats": "niranchy"}.items():
    (path,) = Path(folder).glob("*.mp4")
    about, *pictures = imageio_ffmpeg.read_frames(str(path))
    game = make_game(name)
    start = draw_picture(game.board(game.init(1, seed=1))).astype(int)
    first, last = (np.frombuffer(picture, np.uint8).reshape(start.shape) for picture in (pictures[0], pictures[-1]))
    print(about["fps"], len(pictures), abs(first - start).mean(), abs(last - start).mean())
"""


@pytest.mark.slow
def test_videos_show_the_boards(tmp_path):
    videos = [example for example in examples(PAGES["guides/recording.md"]) if writes_video(example)]
    *_, seen = run([*videos, INSPECT], tmp_path, python=interpreter("video", "moviepy"), NUMBA_DISABLE_JIT="1")
    assert len(videos) == len(seen.splitlines()) == 2
    for line in seen.splitlines():
        fps, pictures, first, last = map(float, line.split())
        assert fps == FPS and pictures > 3
        assert first < 4 and last > 1.5 * first, "the video starts with the first board and ends with another"


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_long_examples_of_the_docs_run_unchanged(name, tmp_path):
    pytest.importorskip("sb3_contrib")
    assert examples(PAGES[name])
    run(examples(PAGES[name]), tmp_path)


@pytest.mark.slow
def test_examples_of_jax_run_unchanged(tmp_path):
    run(examples(PAGES[JAX]), tmp_path, python=interpreter("jax", "jax"))


@pytest.fixture
def maker(monkeypatch):
    """Return a function that imports a module of the documentation build."""
    monkeypatch.syspath_prepend(str(DOCS))
    return importlib.import_module


@pytest.fixture
def tables(maker):
    return maker("tables")


def test_the_program_of_a_user_runs(tmp_path):
    run([(Path(__file__).with_name("user.py")).read_text()], tmp_path, NUMBA_DISABLE_JIT="1")


def test_every_directive_names_a_table_and_every_table_is_on_a_page(tables):
    shown = re.findall(r"^```\{results\} (.*)$", "\n".join(ALL_PAGES.values()), re.MULTILINE)
    assert set(shown) == set(tables.names())
    with pytest.raises(ValueError, match=r"no table 'sped'; there are afterstates-learning, .* speed, "):
        tables.table("sped")


def test_captions_are_short(tables):
    for name in tables.names():
        assert tables.table(name).title and 0 < len(tables.table(name).caption.split()) <= 60, name


def test_every_game_has_figures_of_speed_and_strength(tables):
    for entry in REGISTRY.values():
        found = set(tables.of_game({entry.book.title}))
        assert "speed" in found and found & {"strength", "races"}, entry.name


def test_game_pages_show_the_rows_about_their_game(tables, maker):
    game_pages = maker("game_pages")
    assert re.fullmatch(r"/[\w/]+\.md#[\w-]+", tables.places()["speed"])
    shown = game_pages.strength_and_speed({"Magazeb II", "Qelat"})
    link = f"[Speed of every game]({tables.places()['speed']})"
    assert f"### {link}\n\n```{{results}} speed\n:game: Magazeb II; Qelat\n```" in shown
    assert "kalah-values" in game_pages.strength_and_speed({"Kalah"}), "a table that is wholly about the game"
    assert "kalah-values" not in shown
    table = Table("", "", [], [["Qelat, Magazeb II"], ["Kalah / Oware"], ["Kalah campaigns"], ["the rest"]])
    assert [row[0] for row in tables.about({"Kalah"}, table).rows] == ["Kalah / Oware", "Kalah campaigns"]
    assert tables.of_game({"Ludo"}) == {}
    with pytest.raises(ValueError, match="no table has a row of Ludo"):
        game_pages.strength_and_speed({"Ludo"})


def test_game_pages_show_the_effects_of_options(tables, maker):
    section = "\n".join(maker("game_pages").effects_of_options(make_game("nerenchi_keliya")))
    assert "| unchanged | `mcts:100` |" in section and "](/study/nerenchi_keliya.webp)" in section
    assert section.count("\n| `") == 3, "of the strong agent, only variants with significant effects"
    assert "with `protect=True`, `end='two'`." in section
    for name, study in tables.studies().items():
        shown, _ = effects(study)
        assert sum(map(len, shown.values())) <= 15, name


@pytest.mark.slow
def test_the_example_of_every_game_runs(tmp_path, maker):
    game_pages = maker("game_pages")
    run([game_pages.example(entry) for entry in REGISTRY.values()], tmp_path, NUMBA_DISABLE_JIT="1")


def test_the_list_of_games_is_the_registry():
    listed = re.findall(r"^\| \[[^|]+\]\(games/(\w+)\.md\) \| `([^`]+)` \|", PAGES["games.md"], re.MULTILINE)
    assert listed == [(entry.name, entry.id) for entry in REGISTRY.values()]
    assert re.findall(r"^[^|\n]+ <games/(\w+)>$", PAGES["games.md"], re.MULTILINE) == list(REGISTRY)


def test_the_reference_lists_every_family(maker):
    listed = {path.name for path in (ROOT / "mancala_envs" / "families").iterdir() if path.name[0] != "_"}
    module_pages = maker("module_pages")
    assert set(module_pages.FAMILIES) == listed
    assert "mancala_envs.families.mancala.four_rows.rings" in module_pages.pages()["families-mancala"]


def test_rows_counts_and_badges_are_up_to_date(maker):
    updated = maker("game_rows").updated()
    assert {path.name for path in updated} == {"games.md", "comparison.md", "README.md", "badges.svg"}
    for path, text in updated.items():
        assert path.read_text() == text, f"python docs/game_rows.py writes {path.name}"


def test_counts_and_badges_follow_the_registry(maker, monkeypatch):
    game_rows, badges = maker("game_rows"), maker("badges")
    fewer = {name: entry for name, entry in REGISTRY.items() if name not in ("kalah", "sokkattan")}
    for module in (game_rows, badges):
        monkeypatch.setattr(module, "REGISTRY", fewer)
    badge, before, after = f"games: {len(fewer)};", game_rows.COMPARISON.read_text(), game_rows.updated()
    assert badge in after[game_rows.README] and badge in after[badges.FILE]
    for label, fewer_by in (("games", 2), ("sowing games", 1)):
        old, new = (
            int(re.search(rf"^\| {label} \| (\d+)", page, re.MULTILINE)[1])
            for page in (before, after[game_rows.COMPARISON])
        )
        assert old - new == fewer_by, "Sokkattan is no sowing game"


SPOKEN = r"(?:\d+|[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]+)?)"


def test_no_sentence_counts_the_games():
    for name, page in {"README.md": README, **PAGES}.items():
        counts = rf"\b{SPOKEN} (?:traditional|board|sowing|of these) games|\b[Aa]ll (?:the )?{SPOKEN} (?:with|games)"
        assert not re.findall(counts, page), f"{name}: wrong as soon as a game is added"


RANGE = r"(\d+(?:\.\d+)?)%\*{0,2}\s+(?:±\s+(\d+(?:\.\d+)?)|\[([-\d.]+),\s+([-\d.]+)\])"


def test_intervals_of_shares_stay_within_0_and_100_percent(tables):
    cells = [(name, in_markdown(cell)) for name in tables.names() for row in tables.table(name).rows for cell in row]
    found = [(name, *match) for name, text in cells for match in re.findall(RANGE, text)]
    assert len(found) > 500
    for name, share, half, low, high in found:
        bounds = (float(share) - float(half), float(share) + float(half)) if half else (float(low), float(high))
        assert 0 <= bounds[0] <= float(share) <= bounds[1] <= 100, (name, share, bounds)


def test_measured_shares_stand_in_tables_not_in_sentences():
    pages = {name: page for name, page in ALL_PAGES.items() if not name.startswith("notes/")}
    assert not [name for name, page in pages.items() if re.search(RANGE, page)], "put the figures into docs/results"


BUDGETS = {"README.md": 600, "CONTRIBUTING.md": 1800, "guides/": 700, "notes/": 300, "numbers.md": 1000}
"""The most words of each page whose name starts like this."""
ALL_WORDS = 16_000
"""The most words of all pages."""


def words(page):
    """Return how many words a page has, code included, as `wc -w` counts them, without the leaderboard of the README.

    Programs write that table, and those of docs/results with their captions, which are not in the pages.
    """
    return len(re.sub(r"<!-- leaderboard -->.*?<!-- end of leaderboard -->", "", page, flags=re.DOTALL).split())


def test_pages_keep_to_their_budgets_of_words():
    counts = {name: words(page) for name, page in ALL_PAGES.items()}
    budgets = [(name, most) for start, most in BUDGETS.items() for name in counts if name.startswith(start)]
    assert not {name: counts[name] for name, most in budgets if counts[name] > most}
    del counts["games.md"]  # It lists the pages of the games.
    assert sum(counts.values()) <= ALL_WORDS


def test_documented_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    said = "\n".join([README, *PAGES.values()])
    commands = re.findall(r"^make (\w+)|[`$] ?make (\w+)", said, re.MULTILINE)
    commands = {first or second for first, second in commands}
    assert {"train", "test", "speed", "docs", "check"} <= commands
    for command in commands:
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command


COMMANDS = [Table.read(path).command for path in sorted((DOCS / "results").glob("*.json"))]
PROGRAMS = re.findall(r"python (scripts/[\w/]+\.py)([^`\n#]*)", "\n".join([README, *PAGES.values(), *COMMANDS]))


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS)
def test_documented_programs_and_options_exist(program, arguments):
    shared = [
        ROOT / "mancala_envs" / f"{name}.py"
        for name in ("programs/arguments", "programs/tensorboard", "play/arguments")
    ]
    known = "".join(path.read_text() for path in [ROOT / program, *shared])
    for option in re.findall(r"--[a-z-]+", arguments):
        assert f'"{option}"' in known, option


def test_pictures_and_links_of_the_readme_exist():
    for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).stat().st_size < 1_000_000
    for path in re.findall(r"(?<!!)\[[^\]]*\]\((?!https:)([^)#]+)\)", README):
        assert (ROOT / path).is_file(), path

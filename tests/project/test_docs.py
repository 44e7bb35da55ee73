"""The examples in README and the documentation run, and their lists are complete."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from helpers.programs import ROOT, interpreter, run_python

from mancala_envs import REGISTRY, make_game
from mancala_envs.agents import experts, load_network
from mancala_envs.agents.network import EXPERTS, expert_file
from mancala_envs.learning.experts import table
from mancala_envs.render import FPS

DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()
GENERATED = ("_build", "games", "programs.md")
"""Files that the build of the documentation writes."""
PAGES = {
    page.relative_to(DOCS).as_posix(): page.read_text()
    for page in sorted(DOCS.rglob("*.md"))
    if page.relative_to(DOCS).parts[0] not in GENERATED
}
GUIDES = ("afterstates", "benchmark", "logging", "openings", "opponents", "search", "self-play", "vector")
LONG = [f"guides/{name}.md" for name in GUIDES] + ["start.md"]
"""Pages whose examples train, search or play thousands of games."""


def examples(page):
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


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


def test_the_readme_shows_every_interface():
    whole = "\n".join(examples(README))
    for call in ("gym.make(", "gym.make_vec(", "qelat_v0.env(", "make_game("):
        assert call in whole


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


def test_the_program_of_a_user_runs(tmp_path):
    run([(Path(__file__).with_name("user.py")).read_text()], tmp_path, NUMBA_DISABLE_JIT="1")


def test_game_pages_include_their_measurements(maker):
    measured, game_pages = maker("measured"), maker("game_pages")
    for entry in REGISTRY.values():
        sections = {table.section for table in measured.of_game({entry.book.title})}
        assert "Speed" in sections, entry.name
        assert sections & {"Opponents against each other", "Greedy play in the races"}, entry.name
    kalah = game_pages.strength_and_speed({"Kalah"})
    assert "the number above a column is the number of seeds" in kalah, "the grid of the solved boards is explained"
    assert "CPU time per decision on one core, in milliseconds" in kalah
    bare = measured.Table("Speed", "numbers.md#speed", "| a row |", "| game |")
    with pytest.raises(ValueError, match=r"numbers\.md#speed needs a paragraph above it"):
        game_pages.captioned(bare)
    (solved,) = (table for table in measured.of_game({"Hat Diviyan Keliya"}) if table.place.startswith("solved"))
    assert solved.place == "solved.md#lines-and-hunts" and solved.text.count("\n") == 2
    whole, *others = (table.text for table in measured.of_game({"Qelat"}))
    assert "`greedy`" in whole, "a table with the game in its heading"
    assert not any("Kalah" in text for text in others)
    assert measured.of_game({"Ludo"}) == []


def test_the_table_of_experts_is_that_of_their_networks():
    networks = {name: load_network(EXPERTS / expert_file(make_game(name))) for name in experts()}
    results = {
        name: {**network.training["matches"], "search": network.search, "has_weights": network.has_weights}
        for name, network in networks.items()
    }
    assert table(results) in PAGES["guides/search.md"]


@pytest.mark.slow
def test_the_example_of_every_game_runs(tmp_path, maker):
    game_pages = maker("game_pages")
    run([game_pages.example(entry) for entry in REGISTRY.values()], tmp_path, NUMBA_DISABLE_JIT="1")


def test_the_list_of_games_is_the_registry():
    listed = re.findall(r"^\| \[[^|]+\]\(games/(\w+)\.md\) \| `([^`]+)` \|", PAGES["games.md"], re.MULTILINE)
    assert listed == [(entry.name, entry.id) for entry in REGISTRY.values()]
    assert re.findall(r"^[^|\n]+ <games/(\w+)>$", PAGES["games.md"], re.MULTILINE) == list(REGISTRY)


def test_names_in_the_reference_exist():
    reference = "\n".join(page for name, page in PAGES.items() if name.startswith("reference/"))
    blocks = re.findall(r"^\.\. auto\w+:: (\S+)\n((?:   :.*\n)*)", reference, re.MULTILINE)
    assert len(blocks) > 20
    for path, options in blocks:
        documented = pkgutil.resolve_name(path if "." in path else f"mancala_envs.{path}")
        for names in re.findall(r":(?:exclude-)?members: (.+)", options):
            assert not [name for name in names.split(", ") if not hasattr(documented, name)], path


def test_the_reference_lists_every_family():
    pages = "\n".join(page for name, page in PAGES.items() if name.startswith("reference/families-"))
    folder = ROOT / "mancala_envs" / "families"
    paths = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py") if path.stem != "__init__"]
    packed = re.findall(r"`(\w+)`", re.search(r"packed forms .*?\(([^)]*)\)", PAGES["reference/families.md"])[1])
    modules = {".".join(path.parts) for path in paths if path.name not in packed}
    listed = re.findall(r"automodule:: mancala_envs\.families\.(\S+)\n   :members:", pages)
    assert set(listed) == modules - {"mancala.olinda.explanation"}, "it defines nothing that a book calls"
    assert len(packed) == 5 and len(listed) == len(set(listed))


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


def test_intervals_of_shares_stay_within_0_and_100_percent():
    pages = {"README.md": README, **PAGES}
    found = [(name, *match) for name, page in pages.items() for match in re.findall(RANGE, page)]
    assert len(found) > 100
    for name, share, half, low, high in found:
        bounds = (float(share) - float(half), float(share) + float(half)) if half else (float(low), float(high))
        assert 0 <= bounds[0] <= float(share) <= bounds[1] <= 100, (name, share, bounds)


def test_documented_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    said = "\n".join([README, *PAGES.values()])
    commands = re.findall(r"^make (\w+)|[`$] ?make (\w+)", said, re.MULTILINE)
    commands = {first or second for first, second in commands}
    assert {"train", "test", "speed", "docs", "check"} <= commands
    for command in commands:
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command


PROGRAMS = re.findall(r"python (scripts/[\w/]+\.py)([^`\n#]*)", "\n".join([README, *PAGES.values()]))


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
    for path in re.findall(r"(?<!!)\[[^\]]*\]\(([^)#]+)\)", README):
        assert (ROOT / path).is_file(), path

"""Follow the guide to adding a game in a copy of the checkout, with tic-tac-toe as the new game."""

import shutil

import pytest
from helpers.programs import ROOT, run_python

from mancala_envs import REGISTRY
from mancala_envs.programs.tables import Table

pytestmark = pytest.mark.slow

USED = """
import gymnasium as gym
from mancala_envs import tic_tac_toe_v0

env = gym.make("mancala_envs/TicTacToe-v0", opponent="greedy", render_mode="ansi")
env.reset(seed=1)
print(env.render())
seats = tic_tac_toe_v0.env()
seats.reset(seed=1)
print(seats.unwrapped)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Copy the checkout and add a game: its rule file, and its line in the registry."""
    copy = tmp_path_factory.mktemp("checkout")
    for folder in ("mancala_envs", "scripts", "wrappers", "docs", "tests/playthroughs"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "_build"))
    for file in ("pyproject.toml", "README.md", "tests/playthroughs.py"):
        shutil.copy(ROOT / file, copy / file)
    shutil.copy(ROOT / "tests" / "books" / "tic_tac_toe.py", copy / "mancala_envs" / "games")
    registry = copy / "mancala_envs" / "registry.py"
    line = '        _game("kalah", "Kalah", fast=True),\n'
    before, after = registry.read_text().split(line)
    registry.write_text(f'{before}{line}        _game("tic_tac_toe", "TicTacToe"),\n{after}')
    return copy


def python(copy, *arguments, **environment):
    """Run Python in the copy without compilation; return the output and the exit code."""
    environment = {"PYTHONPATH": str(copy), "NUMBA_DISABLE_JIT": "1", **environment}
    done = run_python("-W", "error", *arguments, cwd=copy, **environment)
    return done.stdout + done.stderr, done.returncode


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("-c", "from mancala_envs import make_game; print(make_game('tic_tac_toe'))"), "tic_tac_toe"),
        (("scripts/maintenance/analyse.py", "tic_tac_toe", "--random", "--games", "50"), "won by 0"),
        (("-c", USED), "tic_tac_toe_v0"),
        (("-m", "mancala_envs"), "mancala_envs/TicTacToe-v0"),
    ],
)
def test_one_file_and_one_line_add_a_game(copy, arguments, expected):
    printed, code = python(copy, *arguments, MANCALA_ENVS_DEBUG="1")
    assert code == 0 and expected in printed, printed


def test_its_playthrough_is_written(copy):
    printed, code = python(copy, "tests/playthroughs.py", "tic_tac_toe")
    assert code == 0 and "point 4" in (copy / "tests/playthroughs/tic_tac_toe.txt").read_text(), printed


def test_one_command_writes_its_rows_and_the_counts(copy):
    game, page = copy / "mancala_envs" / "games" / "tic_tac_toe.py", "# Tic-tac-toe\n\n| | |\n|---|---|\n"
    *_, rest = game.read_text().split('"""', 2)
    command = "docs/game_rows.py", "--games", "50"
    printed, code = python(copy, *command)
    assert code and "the page of tic_tac_toe has nothing like" in printed, printed
    game.write_text(f'"""{page}| Board | 3 x 3 points |\n\nSource: common knowledge.\n"""{rest}')
    printed, code = python(copy, *command, NUMBA_DISABLE_JIT="0")
    assert code == 0, printed
    games, comparison = ((copy / "docs" / f"{name}.md").read_text() for name in ("games", "comparison"))
    row = (
        "| [Tic-tac-toe](games/tic_tac_toe.md) | `mancala_envs/TicTacToe-v0` | 2 | 3 x 3 points | common knowledge |\n"
    )
    assert f"{row}| [Nerenchi Keliya]" in games and "\nTic-tac-toe <games/tic_tac_toe>\nNerenchi" in games
    for name in ("strength", "speed"):
        rows = {row[0]: row for row in Table.read(copy / "docs" / "results" / f"{name}.json").rows}
        assert list(rows)[:3] == ["Kalah", "Tic-tac-toe", "Oware Abapa"], "rows stand in the order of the registry"
        first, *others = rows["Tic-tac-toe"][1:]
        assert others == [None] if name == "speed" else {cell["games"] for cell in (first, *others)} == {50}
    count = str(len(REGISTRY) + 1)
    for text in ((copy / "README.md").read_text(), (copy / "docs/pictures/badges.svg").read_text()):
        assert f"games: {count};" in text
    assert f"\n| games | {count}," in comparison
    assert python(copy, *command) == ("", 0), "nothing is missing any more"


def test_a_misspelt_field_gives_a_short_error_message(copy):
    game = copy / "mancala_envs" / "games" / "misspelt.py"
    right = (copy / "mancala_envs" / "games" / "tic_tac_toe.py").read_text()
    game.write_text(right.replace("s.board[action] = 1", "s.bord[action] = 1"))
    program = "from mancala_envs import Game; from mancala_envs.games.misspelt import RULE_BOOK\n"
    program += "Game(RULE_BOOK, 'misspelt', False, {}).try_plain()"
    printed, code = python(copy, "-c", program, NUMBA_DISABLE_JIT="0")
    assert code == 1 and "bord" in printed.splitlines()[-1] and len(printed.splitlines()) < 40, printed

"""`--help` shows the command by which the user called the program."""

import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest
from helpers.programs import ROOT, run_python

INSTALLED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


SCRIPTS = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "scripts").rglob("[!_]*.py"))]
SCRIPTS = [script for script in SCRIPTS if "/examples/" not in script]


@pytest.fixture
def help_of(monkeypatch, capsys):
    """Return a function that runs a program in this process with `--help`, and returns what it prints."""

    def run(program):
        monkeypatch.chdir(ROOT)
        monkeypatch.syspath_prepend(Path(program).parent)
        monkeypatch.setattr(sys, "argv", [str(program), "--help"])
        with pytest.raises(SystemExit, match=r"^0$"):
            runpy.run_path(str(program), run_name="__main__")
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("command", INSTALLED)
def test_an_installed_program_shows_installed_commands(command, tmp_path, help_of):
    module, _, function = INSTALLED[command].partition(":")
    program = tmp_path / command
    program.write_text(f"import sys\nfrom {module} import {function}\nsys.exit({function}())\n")
    shown = help_of(program)
    assert shown.startswith(f"usage: {command} ") and f"    {command} " in shown
    assert not re.search(r"python |scripts/", shown)


@pytest.mark.parametrize("script", [*SCRIPTS, "tests/playthroughs.py", "docs/game_rows.py"])
def test_a_script_shows_how_to_run_it(script, help_of):
    shown = help_of(script)
    assert shown.startswith(f"usage: python {script} ") and f"    python {script}" in shown
    assert "mancala-" not in shown


def test_a_module_shows_how_to_run_it():
    done = run_python("-m", "mancala_envs.scripts.play", "--help")
    assert done.stdout.startswith("usage: python -m mancala_envs.scripts.play ") and not done.stderr

"""`--help` shows the command by which the user called the program."""

import re
import runpy
import subprocess
import sys
import tomllib

import pytest
from helpers.programs import ROOT

INSTALLED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


def help_in_a_process(*command):
    command = [sys.executable, *command, "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def help_of(monkeypatch, capsys):
    """Return a function that runs a program in this process with `--help`, and returns what it prints."""

    def run(program):
        monkeypatch.chdir(ROOT)
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


@pytest.mark.parametrize("script", ["scripts/play.py", "tests/playthroughs.py", "docs/game_rows.py"])
def test_a_script_shows_how_to_run_it(script):
    shown = help_in_a_process(script)
    assert shown.startswith(f"usage: python {script} ") and f"    python {script} " in shown
    assert "mancala-" not in shown


def test_a_module_shows_how_to_run_it():
    shown = help_in_a_process("-m", "mancala_envs.scripts.play")
    assert shown.startswith("usage: python -m mancala_envs.scripts.play ")

"""Without an optional package, one line names the extra that installs it."""

import tomllib

import pytest
from helpers.forms import slowly
from helpers.programs import ROOT, run_python

from mancala_envs.core.extras import EXTRAS, MissingExtra, needs_extra

HIDDEN = """
import runpy, sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None
sys.argv = sys.argv[1:]
"""
"""Makes the import of packages fail."""


def without(packages, program, *arguments):
    """Run Python source after which the import of `packages` fails, and return its status and the lines of stderr."""
    done = run_python("-c", HIDDEN + program, packages, *arguments)
    return done.returncode, done.stderr.splitlines()


def test_every_extra_exists():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(EXTRAS.values()) <= extras.keys()


def test_a_missing_package_of_an_extra_is_named_and_other_errors_stay():
    line = r'^torch is not installed: pip install "mancala_envs\[train\]"$'
    with pytest.raises(MissingExtra, match=line) as caught, needs_extra():
        raise ModuleNotFoundError("No module named 'torch.nn'", name="torch.nn")
    assert caught.value.name == "torch" and caught.value.__suppress_context__
    with pytest.raises(ModuleNotFoundError, match="of the user") as caught, needs_extra():
        raise ModuleNotFoundError("of the user", name="mine")
    assert not isinstance(caught.value, MissingExtra)


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("mancala_envs.wrappers.sb3", "torch", "train"),
        ("mancala_envs.integrations.open_spiel", "pyspiel", "open_spiel"),
        ("mancala_envs.integrations.jax", "jax", "jax"),
        ("mancala_envs.play.server", "uvicorn", "play"),
        *slowly(
            ("mancala_envs.wrappers.sb3", "stable_baselines3", "train"),
            ("mancala_envs.learning.ppo", "torch", "train"),
            ("mancala_envs.studies.open_spiel", "pyspiel", "open_spiel"),
            ("mancala_envs.play.server", "starlette", "play"),
        ),
    ],
)
def test_importing_a_module_without_its_package_names_the_extra(module, package, extra):
    status, lines = without(package, f"import {module}")
    assert status and lines[-1].endswith(
        f'MissingExtra: {package} is not installed: pip install "mancala_envs[{extra}]"'
    )
    assert not any("During handling" in line or "direct cause" in line for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "arguments", "package", "extra"),
    [
        ("play", ("kalah", "--window"), "pygame", "render"),
        ("train", ("kalah", "--out", "OUT"), "torch", "train"),
        *slowly(
            ("play", ("kalah", "--opponent", "MODEL"), "sb3_contrib", "train"),
            ("evaluate", ("MODEL", "random", "--game", "kalah"), "sb3_contrib", "train"),
            ("tournament", ("kalah", "random", "MODEL", "--games", "2", "--out", "OUT"), "sb3_contrib", "train"),
            ("train", ("kalah", "--method", "alphazero", "--out", "OUT"), "torch", "train"),
            ("train", ("kalah", "--method", "alphazero", "--ray", "local", "--out", "OUT"), "ray", "rllib"),
            ("maintenance/against_open_spiel", ("kalah", "random"), "pyspiel", "open_spiel"),
        ),
    ],
)
def test_a_program_without_its_package_prints_one_line(program, arguments, package, extra, tmp_path):
    (tmp_path / "model.zip").touch()
    paths = {"MODEL": tmp_path / "model.zip", "OUT": tmp_path / "out"}
    run = f"runpy.run_path({str(ROOT / 'scripts' / f'{program}.py')!r}, run_name='__main__')"
    status, lines = without(package, run, f"{program}.py", *(paths.get(word, word) for word in arguments))
    lines = [line for line in lines if line and "is compiling" not in line and "0/2" not in line]
    assert (status, lines) == (1, [f'{package} is not installed: pip install "mancala_envs[{extra}]"'])


def test_without_matplotlib_a_tournament_has_no_picture_and_names_the_extra(tmp_path):
    arguments = ("kalah", "random", "greedy", "--games", "2", "--batch", "2", "--out", tmp_path)
    run = f"runpy.run_path({str(ROOT / 'scripts' / 'tournament.py')!r}, run_name='__main__')"
    status, lines = without("matplotlib", run, "tournament.py", *arguments)
    picture = tmp_path / "ratings.png"
    line = f'{picture} is not drawn: matplotlib is not installed: pip install "mancala_envs[train]"'
    assert status == 0 and line in lines and not picture.exists() and (tmp_path / "table.md").exists()


def test_without_open_spiel_the_speed_program_leaves_it_out_and_names_the_extra():
    run = "from mancala_envs.speed.measure import peers; print(next(peers()).title, file=sys.stderr)"
    _, lines = without("pyspiel", run)
    missing = 'pyspiel is not installed: pip install "mancala_envs[open_spiel]"'
    assert lines[0] == f"OpenSpiel is left out: {missing}"


def test_a_window_without_a_display_is_an_error_of_one_line():
    pytest.importorskip("pygame")
    run = "import os; os.environ['SDL_VIDEODRIVER'] = 'nowhere'; sys.argv = ['play.py', 'kalah', '--window']\n"
    run += f"runpy.run_path({str(ROOT / 'scripts' / 'play.py')!r}, run_name='__main__')"
    status, lines = without("nothing", run)
    assert status == 1 and len(lines) == 1 and lines[0].startswith("no window can be opened: ")

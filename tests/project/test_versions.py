"""Install the wheel in clean environments, with every Python version and the oldest and newest dependencies.

In each environment the games reproduce the files in `playthroughs/` exactly. Without extras every program works or
names the extra it needs.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from helpers.programs import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NO_INDEX = ("Failed to establish a new connection", "name resolution", "ProxyError", "ReadTimeout")

# All games in plain Python, which starts quickly, and one game compiled.
PLAYTHROUGHS = """
import os, sys
import mancala_envs
from playthroughs import CASES, path_of, playthrough
assert "site-packages" in mancala_envs.__file__, mancala_envs.__file__
compiled = os.environ["NUMBA_DISABLE_JIT"] == "0"
for case in CASES[:1] if compiled else CASES:
    assert playthrough(*case) == path_of(*case).read_text(), case
"""

# The first steps of a user.
FIRST_STEPS = """
import gymnasium, numpy, mancala_envs, mancala_envs.wrappers
env = gymnasium.make("mancala_envs/Kalah-v0")
observation, info = env.reset(seed=0)
while info["action_mask"].any():
    observation, reward, terminated, truncated, info = env.step(numpy.flatnonzero(info["action_mask"])[0])
assert terminated and reward in (-1, 0, 1)
assert gymnasium.make_vec("mancala_envs/Kalah-v0", 2, vectorization_mode="vector_entry_point").reset(seed=0)
envs = gymnasium.make_vec(
    "mancala_envs/Kalah-v0", 1, vectorization_mode="vector_entry_point", autoreset_mode="SameStep"
)
envs = mancala_envs.wrappers.SeatStatistics(envs)
envs.reset(seed=0)
for _ in range(2):  # An illegal action loses at once.
    assert envs.step(numpy.array([-1]))[-1]["episode"]["l"] == 1
env = mancala_envs.kalah_v0.env()
env.reset(seed=0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    env.step(None if terminated else env.action_space(agent).sample(info["action_mask"]))
"""


def interpreter(minor):
    """Return the path of a Python 3.`minor` interpreter, or skip the test."""
    named = shutil.which(f"python3.{minor}")
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for path in filter(None, [named, *map(str, sorted(home.glob(f"3.{minor}.*/bin/python")))]):
        command = [path, "-c", "import sys; print(sys.version_info.minor)"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.stdout.strip() == str(minor):
            return path
    pytest.skip(f"there is no Python 3.{minor} here")


def run(*command, cwd, typed="", **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA_", "MANCALA_"))}
    how = {"cwd": cwd, "env": clean | environment, "input": typed, "timeout": 1200}
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, **how)


def install(minor, wheel, folder, *versions):
    """Create an environment with the wheel and these versions of its dependencies; return its folder of programs."""
    done = run(interpreter(minor), "-m", "venv", folder / "venv", cwd=folder)
    assert done.returncode == 0, done.stderr
    programs = folder / "venv" / "bin"
    done = run(
        programs / "python", "-m", "pip", "install", "-q", "--only-binary", ":all:", wheel, *versions, cwd=folder
    )
    if any(words in done.stderr for words in NO_INDEX):
        pytest.skip("there is no package index to install from")
    assert done.returncode == 0, done.stderr
    return programs


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    # Without earlier builds and virtual environments.
    left_out = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*", "build", "runs")
    shutil.copytree(ROOT, source, ignore=left_out)
    done = run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, source, cwd=folder)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow
@pytest.mark.parametrize(
    ("minor", "versions"), [(11, "oldest"), (13, "newest"), (14, "newest")], ids=lambda value: str(value)
)
def test_games_are_the_same_with_every_version(minor, versions, wheel, tmp_path):
    needed = [need.replace(">=", "==") for need in PROJECT["dependencies"]] if versions == "oldest" else []
    python = install(minor, wheel, tmp_path, *needed) / "python"
    environment = {"PYTHONPATH": str(ROOT / "tests"), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for program, plain in ((PLAYTHROUGHS, "1"), (PLAYTHROUGHS, "0"), (FIRST_STEPS, "0")):
        done = run(python, "-W", "error", "-c", program, cwd=tmp_path, NUMBA_DISABLE_JIT=plain, **environment)
        assert done.returncode == 0, done.stderr


JOBS = {
    "mancala-benchmark": "greedy --tasks kalah --seeds 0",
    "mancala-evaluate": "greedy random --game kalah --games 4",
    "mancala-play": "kalah --opponent random --seed 1",
    "mancala-replay": "games.jsonl --gif game.gif --html games.html",
    "mancala-solve": "kalah --option columns=2 --option seeds=1",
    "mancala-speed": "kalah --rounds 1 --seconds 0.01",
    "mancala-tournament": "kalah random greedy --games 4 --batch 4 --jobs 2",
}
"""The shortest run of each program that needs no extra."""
NEED_EXTRAS = {
    "mancala-train kalah": "train",
    "mancala-evaluate model.zip random --game kalah": "train",
    "mancala-play kalah --window": "render",
    "mancala-tournament kalah random greedy --out cluster --ray local": "rllib",
    "mancala-board kalah": "play",
}


@pytest.mark.slow
def test_every_program_works_without_extras_or_names_the_one_it_needs(wheel, tmp_path):
    programs = install(sys.version_info.minor, wheel, tmp_path)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert {*JOBS, "mancala-board", "mancala-train"} == PROJECT["scripts"].keys()
    for name in (*PROJECT["scripts"], "python -m mancala_envs"):
        program, *module = name.split()
        done = run(programs / program, *module, "--help", cwd=tmp_path, **environment)
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert done.stdout.startswith(f"usage: {name} ")
    # mancala-replay comes last, because it needs the recording that mancala-play saves.
    order = sorted(JOBS, key="mancala-replay".__eq__)
    for program in order:
        typed = "3\nsave games.jsonl\n" if program == "mancala-play" else ""
        done = run(programs / program, *JOBS[program].split(), cwd=tmp_path, typed=typed, **environment)
        assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    (tmp_path / "model.zip").touch()
    for command, extra in NEED_EXTRAS.items():
        program, *arguments = command.split()
        done = run(programs / program, *arguments, cwd=tmp_path, **environment)
        (line,) = done.stderr.splitlines()
        assert done.returncode and line.endswith(f'is not installed: pip install "mancala_envs[{extra}]"')

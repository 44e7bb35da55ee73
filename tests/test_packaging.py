"""What is installed is what is here, and both find `mancala_envs.wrappers`."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BESIDE = ("scripts", "wrappers")
"""Packages that stand beside the folder `mancala_envs`, and are installed inside of it."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def folders():
    """Every package in the tree by the name it is installed under."""
    inside = {path.parent.relative_to(ROOT) for path in (ROOT / "mancala_envs").rglob("__init__.py")}
    return {".".join(path.parts) for path in inside} | {f"mancala_envs.{name}" for name in BESIDE}


def run(*command, cwd, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env={**clean, **environment}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def where_wrappers_are(path, cwd):
    """The file of `mancala_envs.wrappers` for a program elsewhere that has `path` first on its own."""
    program = (
        f"import sys; sys.path.insert(0, {str(path)!r})\n"
        "import mancala_envs, mancala_envs.wrappers\n"
        "print(mancala_envs.__file__); print(mancala_envs.wrappers.__file__)"
    )
    # No compiled rules are left behind in a folder that is about to vanish.
    return [Path(line) for line in run(sys.executable, "-c", program, cwd=cwd, NUMBA_DISABLE_JIT="1").split()]


def test_the_list_of_packages_is_complete():
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert listed == sorted(listed) and set(listed) == folders()
    assert PROJECT["tool"]["setuptools"]["package-dir"] == {f"mancala_envs.{name}": name for name in BESIDE}


def test_torch_is_pinned_in_the_constraints_only_and_no_part_of_the_tests():
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    every = [*project["dependencies"], *(name for extra in extras.values() for name in extra)]
    assert not [name for name in every if re.match(r"torch\W", name)]
    assert not [name for name in extras["test"] if name.startswith(("stable", "sb3"))], "they bring torch"


def test_a_bare_checkout_is_imported(tmp_path):
    package, wrappers = where_wrappers_are(ROOT, tmp_path)
    assert package == ROOT / "mancala_envs" / "__init__.py"
    assert wrappers == ROOT / "wrappers" / "__init__.py"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that nothing of an earlier build gets in."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "source"
    left_out = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("mancala_envs", *BESIDE):
        shutil.copytree(ROOT / name, copy / name, ignore=left_out)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    command = ["-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(folder), str(copy)]
    run(sys.executable, *command, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_module_and_nothing_else(wheel):
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    inside = {path.relative_to(ROOT).as_posix() for path in (ROOT / "mancala_envs").rglob("*.py")}
    beside = {f"mancala_envs/{name}/{path.name}" for name in BESIDE for path in (ROOT / name).glob("*.py")}
    data = {"mancala_envs/py.typed", "mancala_envs/scripts/benchmark_reference.json"}
    assert held == inside | beside | data


def test_the_wheel_is_installed_and_imported_elsewhere(wheel, tmp_path):
    target = tmp_path / "site"
    command = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    run(sys.executable, *command, cwd=tmp_path)
    package, wrappers = where_wrappers_are(target, tmp_path)
    assert package == target / "mancala_envs" / "__init__.py"
    assert wrappers == target / "mancala_envs" / "wrappers" / "__init__.py"

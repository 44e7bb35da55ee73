"""Packaging: wheels and source distributions are complete, and the package works from both and from a checkout."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from helpers.programs import ROOT

import mancala_envs
from mancala_envs import make_game
from mancala_envs.agents import experts
from mancala_envs.agents.network import expert_file
from mancala_envs.benchmark import TASKS
from mancala_envs.registry import games_with_campaigns

BESIDE = ("scripts", "wrappers")
"""Packages that are outside the folder `mancala_envs` in the checkout and inside it when installed."""
BESIDE_NAMES = [f"mancala_envs.{name}" for name in BESIDE]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def folders():
    """Return the installed names of all packages in the checkout."""
    inside = {path.parent.relative_to(ROOT) for path in (ROOT / "mancala_envs").rglob("__init__.py")}
    beside = {path.parent.relative_to(ROOT) for name in BESIDE for path in (ROOT / name).rglob("__init__.py")}
    return {".".join(path.parts) for path in inside} | {".".join(("mancala_envs", *path.parts)) for path in beside}


def run(*command, cwd, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env={**clean, **environment}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def imported_files(path, cwd):
    """Return the files of `mancala_envs` and its wrappers that a program finds with `path` first on its path."""
    program = (
        f"import sys; sys.path.insert(0, {str(path)!r})\n"
        "import mancala_envs, mancala_envs.wrappers\n"
        "print(mancala_envs.__file__); print(mancala_envs.wrappers.__file__)"
    )
    # Compile nothing: the cache would be in a temporary folder.
    return [Path(line) for line in run(sys.executable, "-c", program, cwd=cwd, NUMBA_DISABLE_JIT="1").split()]


def test_the_list_of_packages_is_complete():
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert listed == sorted(listed) and set(listed) == folders()
    assert PROJECT["tool"]["setuptools"]["package-dir"] == {f"mancala_envs.{name}": name for name in BESIDE}


def test_torch_is_pinned_only_in_the_constraints_and_not_needed_by_tests():
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    every = [*project["dependencies"], *(name for extra in extras.values() for name in extra)]
    assert not [name for name in every if re.match(r"torch\W", name)]
    assert not [name for name in extras["test"] if name.startswith(("stable", "sb3"))], "they install torch"


def test_the_citation_names_this_version():
    assert f"\nversion: {mancala_envs.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_package_is_imported_from_a_checkout(tmp_path):
    package, wrappers = imported_files(ROOT, tmp_path)
    assert package == ROOT / "mancala_envs" / "__init__.py"
    assert wrappers == ROOT / "wrappers" / "__init__.py"


def test_nothing_else_of_a_checkout_is_in_the_package(tmp_path):
    others = [path.stem for path in ROOT.iterdir() if path.stem not in BESIDE and path.stem.isidentifier()]
    assert {"setup", "tests", "mancala_envs"} <= set(others)
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from importlib.util import find_spec\n"
        f"print([name for name in {others} if find_spec(f'mancala_envs.{{name}}')])"
    )
    assert run(sys.executable, "-c", program, cwd=tmp_path) == "[]\n"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A copy of the checkout that contains a module left over from an earlier build."""
    copy = tmp_path_factory.mktemp("source") / "copy"
    left_out = shutil.ignore_patterns("__pycache__", "*.egg-info", ".git", ".venv", ".*_cache", ".hypothesis", "runs")
    shutil.copytree(ROOT, copy, ignore=left_out)
    stale = copy / "build" / "lib" / "mancala_envs" / "no_more.py"
    stale.parent.mkdir(parents=True, exist_ok=True)
    stale.write_text("")
    return copy


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = ["-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(folder), str(source)]
    run(sys.executable, *command, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_holds_every_module_and_nothing_else(wheel):
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    inside = {path.relative_to(ROOT).as_posix() for path in (ROOT / "mancala_envs").rglob("*.py")}
    packaged = (ROOT.joinpath(*name.split(".")[1:]) for name in folders() if name.startswith(tuple(BESIDE_NAMES)))
    beside = {f"mancala_envs/{path.relative_to(ROOT).as_posix()}" for place in packaged for path in place.glob("*.py")}
    page = {f"play/page.{kind}" for kind in ("css", "html", "js")}
    data = {"py.typed", "render/film.html", "render/shared.css", "scripts/speed_reference.json", *page}
    data |= {f"agents/experts/{expert_file(make_game(name))}" for name in experts()}
    data |= {f"benchmark/opponents/{name}.network" for name in TASKS}
    data |= {"evaluation/fair.json", "evaluation/solved.npz"}
    data |= {f"evaluation/chances/{name}.npz" for name in games_with_campaigns()}
    data = {f"mancala_envs/{name}" for name in data}
    assert held == inside | beside | data


@pytest.mark.slow
def test_the_wheel_is_installed_and_imported_elsewhere(wheel, tmp_path):
    target = tmp_path / "site"
    command = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    run(sys.executable, *command, cwd=tmp_path)
    package, wrappers = imported_files(target, tmp_path)
    assert package == target / "mancala_envs" / "__init__.py"
    assert wrappers == target / "mancala_envs" / "wrappers" / "__init__.py"


@pytest.mark.slow
def test_the_version_is_defined_in_one_place(wheel):
    assert wheel.name.startswith(f"mancala_envs-{mancala_envs.__version__}-")


def test_every_program_for_users_is_installed_and_no_other():
    programs = {path.stem: path.read_text() for path in (ROOT / "scripts").glob("*.py") if path.stem != "__init__"}
    assert PROJECT["project"]["scripts"] == {
        f"mancala-{name}": f"mancala_envs.scripts.{name}:main" for name in programs
    }
    assert all("\ndef main(" in text for text in programs.values())


def build(source, folder, **environment):
    """Build a checkout; return the source distribution and the wheel."""
    pytest.importorskip("setuptools", minversion="77")
    program = f"from setuptools import build_meta as b; b.build_sdist({str(folder)!r}); b.build_wheel({str(folder)!r})"
    run(sys.executable, "-c", program, cwd=source, **environment)
    return *folder.glob("*.tar.gz"), *folder.glob("*.whl")


@pytest.mark.slow
def test_a_source_distribution_is_a_checkout(source, tmp_path):
    built, _ = build(source, tmp_path)
    with tarfile.open(built) as archive:
        held = {entry.name.partition("/")[2] for entry in archive if entry.isfile()}
    needed = {"Makefile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE", "MANIFEST.in"}
    needed |= {"constraints.txt", "pyproject.toml", "setup.py", ".gitignore", ".ci/run"}
    for folder in ("mancala_envs", "docs", "scripts", "tests", "wrappers"):
        paths = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        needed |= {path.relative_to(ROOT).as_posix() for path in paths}
    # Without the output of `make docs`.
    needed = {
        name
        for name in needed
        if not name.startswith(("docs/_build/", "docs/games/", "docs/modules/", "docs/programs.md"))
    }
    generated = {name for name in held if name.startswith("mancala_envs.egg-info/")} | {"PKG-INFO", "setup.cfg"}
    assert held == needed | generated


@pytest.mark.slow
def test_builds_are_reproducible(source, tmp_path):
    """Owners, permissions, dates, the umask and the order of files in a folder do not change what is built."""
    other = tmp_path / "other" / "place"
    shutil.copytree(source, other)
    for path in other.rglob("*"):
        if path.is_file():
            path.chmod(path.stat().st_mode & 0o700)
            os.utime(path, (10**9, 10**9))
    usual = os.umask(0o077)
    try:
        folders = [tmp_path / name for name in ("one", "two")]
        for folder in folders:
            folder.mkdir()
        built = [
            build(place, folder, SOURCE_DATE_EPOCH="1700000000", PYTHONHASHSEED=seed, TZ=zone)
            for place, folder, seed, zone in zip((source, other), folders, "12", ("UTC", "Asia/Colombo"), strict=True)
        ]
    finally:
        os.umask(usual)
    for one, two in zip(*built, strict=True):
        assert one.name == two.name and one.read_bytes() == two.read_bytes()


def test_dir_shows_only_public_names():
    shown = dir(mancala_envs)
    assert {"Game", "make_game", "qelat_v0", "wrappers", "__version__"} <= set(shown)
    assert not {"Path", "ModuleType", "register_all", "core"} & set(shown)
    for name in shown:
        assert hasattr(mancala_envs, name) or import_module(f"mancala_envs.{name}")


def test_programs_write_to_folders_that_git_ignores():
    texts = [path.read_text() for name in ("scripts", "docs") for path in (ROOT / name).rglob("*.py")]
    written = {found for text in texts for found in re.findall(r'"--out",[^)]*default=Path\("([^"]+)"\)', text)}
    written |= {found for text in texts for found in re.findall(r"output folder \(default ([\w/]+)/", text)}
    assert {"runs/study", "tournaments"} <= written
    ignored = (ROOT / ".gitignore").read_text().split()
    assert not [folder for folder in written if f"{folder.split('/')[0]}/" not in ignored]

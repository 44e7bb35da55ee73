"""Where compiled rules are kept, and that an edit of any source file of the package compiles them anew.

All but one test run a copy of the package in processes of their own.
"""

import gc
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import mancala_envs
from mancala_envs.core import rule

PACKAGE = Path(mancala_envs.__file__).parent
UNSET = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "XDG_CACHE_HOME")

# Sows one seed with a rule of `games` that calls helpers of `core`; says what came out and how the cache did.
PROGRAM = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mancala_envs
    from mancala_envs.core.rule import cache_folder
    from mancala_envs.core.state import state_dtype
    from mancala_envs.games.kalah import sow_past_store
    import numpy as np
    states = np.zeros(1, state_dtype(4, 2, []))
    states["holes"][0, 0] = 1
    sow_past_store(states[0], 0)
print(json.dumps({
    "package": mancala_envs.__file__, "holes": states["holes"][0].tolist(), "folder": str(cache_folder()),
    "hits": sum(sow_past_store.stats.cache_hits.values()), "warnings": [str(each.message) for each in caught],
}))
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package, alone in a folder."""
    copy = tmp_path / "copy" / "mancala_envs"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def run(package, **env):
    """What PROGRAM prints. Nothing of the caller's settings of caches reaches it."""
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    home = {"HOME": str(package.parent / "home"), "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=package.parent,
        env=kept | home | {name: str(value) for name, value in env.items()},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert Path(told["package"]).parent == package
    return told


def cached(folder):
    return sorted(path.name for path in Path(folder).rglob("*.nbc"))


def test_the_second_process_takes_the_rules_from_the_cache(package):
    first = run(package)
    assert (first["hits"], first["holes"], first["warnings"]) == (0, [0, 1, 0, 0], [])
    assert Path(first["folder"]).parent == package / "__pycache__"
    assert any("sow_past_store" in name for name in cached(first["folder"]))
    second = run(package)
    assert (second["hits"], second["holes"], second["folder"]) == (1, [0, 1, 0, 0], first["folder"])


def test_an_edited_helper_leads_to_a_new_folder(package):
    first = run(package)
    helper = package / "core" / "sow.py"
    text = helper.read_text()
    assert text.count("s.holes[hole] = 0\n") == 1
    helper.write_text(text.replace("s.holes[hole] = 0\n", "s.holes[hole] = 9\n"))
    second = run(package)
    # The caller's file is as it was, and yet it is compiled anew: lifting now leaves nine seeds.
    assert second["folder"] != first["folder"]
    assert (second["hits"], second["holes"]) == (0, [9, 1, 0, 0])
    helper.write_text(text)
    third = run(package)
    assert (third["folder"], third["hits"], third["holes"]) == (first["folder"], 1, [0, 1, 0, 0])


def test_numba_cache_dir_goes_first(package, tmp_path):
    told = run(package, NUMBA_CACHE_DIR=tmp_path / "wanted")
    assert Path(told["folder"]).parent == tmp_path / "wanted"
    assert cached(told["folder"]) and not (package / "__pycache__").exists()


def test_a_read_only_package_falls_back_to_the_users_cache(package, tmp_path):
    # Root may write anywhere; a file in the place of the folder stops even root.
    (package / "__pycache__").write_text("")
    for home in ({"XDG_CACHE_HOME": tmp_path / "xdg"}, {}):
        told = run(package, **home)
        place = home.get("XDG_CACHE_HOME", package.parent / "home" / ".cache")
        assert Path(told["folder"]).parent == place
        assert cached(told["folder"])
        assert (told["holes"], told["warnings"]) == ([0, 1, 0, 0], [])
        assert run(package, **home)["hits"] == 1


def test_without_a_writable_cache_rules_compile_and_one_warning_is_given(package, tmp_path):
    (package / "__pycache__").write_text("")
    (tmp_path / "file").write_text("")
    told = run(package, XDG_CACHE_HOME=tmp_path / "file")
    assert (told["folder"], told["hits"], told["holes"]) == ("None", 0, [0, 1, 0, 0])
    assert len(told["warnings"]) == 1
    # It says what was tried and what helps.
    for word in (str(package / "__pycache__"), str(tmp_path / "file"), "NUMBA_CACHE_DIR"):
        assert word in told["warnings"][0]


def test_one_line_says_what_takes_so_long(package, tmp_path):
    program = (
        "from mancala_envs.core import rule; rule.NOTICE_AFTER = 0.01; "
        "from mancala_envs import make_game; game = make_game('kalah'); "
        "states = game.init(2, 0); game.step(states, game.sample(states, 0))"
    )
    env = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", program]
    first, second = (subprocess.run(command, env=env, capture_output=True, text=True, check=True) for _ in range(2))
    assert first.stdout == "" and len(first.stderr.splitlines()) == 1
    assert "compiles the rules" in first.stderr and str(tmp_path / "cache") in first.stderr
    # What is kept needs no compiling.
    assert second.stdout == second.stderr == ""


@pytest.mark.parametrize("collects", [True, False])
def test_while_rules_compile_garbage_waits_and_then_all_is_as_before(collects):
    compiling, begun = rule._Compiling(), SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=rule.rule)})
    (gc.enable if collects else gc.disable)()
    try:
        compiling.on_start(begun)
        compiling.on_start(begun)
        compiling.on_end(begun)
        assert not gc.isenabled()
        compiling.on_end(begun)
        assert gc.isenabled() is collects
    finally:
        gc.enable()

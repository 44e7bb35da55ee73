"""The cache of compiled rules: its folder, whom it trusts, and that an edit recompiles just the rules that it affects.

Most tests run a copy of the package, or a small module of rules, in separate processes.
"""

import gc
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest
from helpers.programs import stdout_of
from numba.core.codegen import JITCPUCodegen

import mancala_envs
from mancala_envs.agents import inference
from mancala_envs.core import cache, rule

PACKAGE = Path(mancala_envs.__file__).parent
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
UNSET = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "XDG_CACHE_HOME")

# Sows one seed with a rule of `games` that calls helpers of `core`; prints the result and the statistics of the cache.
PROGRAM = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mancala_envs
    from mancala_envs.core.record import record_dtype
    from mancala_envs.families.mancala.position import fields
    from mancala_envs.games.kalah import sow_past_store
    import numpy as np
    states = np.zeros(1, record_dtype(fields(4, 2)))
    states["holes"][0, 0] = 1
    sow_past_store(states[0], 0)
print(json.dumps({
    "package": mancala_envs.__file__, "holes": states["holes"][0].tolist(), "folder": sow_past_store.stats.cache_path,
    "hits": sum(sow_past_store.stats.cache_hits.values()), "warnings": [str(each.message) for each in caught],
}))
"""


@pytest.fixture
def package(tmp_path):
    """Copy the package into an empty folder."""
    copy = tmp_path / "copy" / "mancala_envs"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def run(package, **env):
    """Run PROGRAM without the caller's cache settings; return what it prints as JSON."""
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
    found = json.loads(done.stdout)
    assert Path(found["package"]).parent == package
    return found


def cached_files(folder):
    return sorted(path.name for path in Path(folder).rglob("*.kernel"))


@rule.rule
def doubles(number):
    return 2 * number


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Give this process an empty cache."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def reloaded(function):
    """Return the rule as in a new process, with nothing compiled or loaded."""
    return rule.rule(function.py_func)


@compiled
def test_damaged_files_are_replaced(place):
    """Files that are cut off, random, empty or have one wrong bit are replaced, so the last call gives no warning."""
    rng = random.Random(0)
    assert reloaded(doubles)(21) == 42
    for number in range(16):
        (file,) = place.rglob("*.kernel")
        whole = file.read_bytes()
        noise = rng.randbytes(rng.randrange(1, 400))
        wrong = bytearray(whole)
        wrong[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        file.write_bytes([whole[: rng.randrange(len(whole))], noise, b"", wrong][number % 4])
        with pytest.warns(UserWarning, match="is broken") as warned:
            assert reloaded(doubles)(21) == 42
        assert len(warned) == 1, number
    again = reloaded(doubles)
    assert again(21) == 42 and again.stats.cache_hits


@compiled
def test_a_full_disk_gives_a_warning(place, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.warns(UserWarning, match="cannot be stored in .*No space left on device.*NUMBA_CACHE_DIR"):
        assert reloaded(doubles)(21) == 42
    assert not cached_files(place)


@compiled
def test_code_for_other_types_is_not_used(place):
    assert reloaded(doubles)(21) == 42
    (of_integers,) = place.rglob("*.kernel")
    assert reloaded(doubles)(1.5) == 3.0
    (of_floats,) = set(place.rglob("*.kernel")) - {of_integers}
    of_floats.write_bytes(of_integers.read_bytes())
    with pytest.warns(UserWarning, match="broken.*the code is for"):
        assert reloaded(doubles)(1.5) == 3.0
    assert reloaded(doubles)(1.5) == 3.0


@compiled
def test_code_for_another_processor_is_not_used(place, monkeypatch):
    assert reloaded(doubles)(21) == 42
    of_this = cached_files(place)
    monkeypatch.setattr(JITCPUCodegen, "magic_tuple", lambda self: ("another", "processor", ""))
    again = reloaded(doubles)
    assert again(21) == 42
    assert not again.stats.cache_hits and len(cached_files(place)) == 2 and set(of_this) < set(cached_files(place))


# Other users.


@pytest.fixture
def another_user(monkeypatch):
    """Make all files and folders those of another user."""
    monkeypatch.setattr(os, "getuid", lambda: 12345, raising=False)


@compiled
@pytest.mark.parametrize("mode", [0o720, 0o702])
def test_a_folder_that_others_may_write_to_is_not_used(place, mode):
    assert reloaded(doubles)(21) == 42
    cache.place().chmod(mode)
    cache._warn_once.cache_clear()
    again = reloaded(doubles)
    with pytest.warns(UserWarning, match="other users may write to .*NUMBA_CACHE_DIR"):
        assert again(21) == 42
    assert not again.stats.cache_hits and cache.usable_folder() is None


@compiled
def test_a_folder_of_another_user_is_not_used(place, another_user):
    cache.place().mkdir()
    cache._warn_once.cache_clear()
    with pytest.warns(UserWarning, match="belongs to another user"):
        assert reloaded(doubles)(21) == 42
    assert not cached_files(place)


@compiled
def test_a_file_that_others_may_write_to_is_not_used(place):
    assert reloaded(doubles)(21) == 42
    (file,) = place.rglob("*.kernel")
    assert (cache.place().stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    file.chmod(0o620)
    with pytest.warns(UserWarning, match="other users may write to"):
        assert reloaded(doubles)(21) == 42
    again = reloaded(doubles)
    assert again(21) == 42 and again.stats.cache_hits


def test_an_edit_recompiles_the_rules_that_it_affects_and_no_others(package):
    first = run(package)
    assert (first["hits"], first["holes"], first["warnings"]) == (0, [0, 1, 0, 0], [])
    assert not list(package.rglob("*.kernel"))
    assert any("sow_past_store" in name for name in cached_files(first["folder"]))
    for file in ("games/oware.py", "render/text.py", "envs/vector.py", "core/board.py"):
        path = package / file
        path.write_text(path.read_text() + "\n\nEDITED = True\n")
    # A change of the helper's file that does not change the helper itself.
    helper = package / "families" / "mancala" / "sow.py"
    text = "# Edited.\n" + helper.read_text()
    helper.write_text(text)
    second = run(package)
    assert (second["hits"], second["holes"]) == (1, [0, 1, 0, 0])
    assert text.count("s.holes[hole] = 0\n") == 1
    helper.write_text(text.replace("s.holes[hole] = 0\n", "s.holes[hole] = 9\n"))
    third = run(package)
    # The caller's file has not changed, but the caller is recompiled: after lifting, nine seeds are left.
    assert (third["hits"], third["holes"]) == (0, [9, 1, 0, 0])
    helper.write_text(text)
    fourth = run(package)
    assert (fourth["hits"], fourth["holes"]) == (1, [0, 1, 0, 0])


@pytest.mark.slow
def test_all_installations_of_a_user_share_one_folder(package, tmp_path):
    """The folder is that of NUMBA_CACHE_DIR, of the system's settings, or of the user's home, in this order."""
    wanted, settings = {"NUMBA_CACHE_DIR": tmp_path / "wanted"}, {"XDG_CACHE_HOME": tmp_path / "xdg"}
    places = [tmp_path / "wanted", tmp_path / "xdg", package.parent / "home" / ".cache"]
    for place, env in zip(places, (wanted | settings, settings, {}), strict=True):
        found = run(package, **env)
        assert (Path(found["folder"]), found["hits"], found["warnings"]) == (place / "mancala_envs", 0, [])
        assert cached_files(found["folder"])
    another = package.parent / "another" / "mancala_envs"
    shutil.copytree(package, another)
    found = run(another, HOME=package.parent / "home")
    assert (Path(found["folder"]), found["hits"]) == (places[-1] / "mancala_envs", 1)


def test_without_a_usable_folder_rules_compile_and_one_warning_is_given(package, tmp_path):
    (tmp_path / "file").write_text("")
    found = run(package, XDG_CACHE_HOME=tmp_path / "file")
    assert (found["folder"], found["hits"], found["holes"]) == (None, 0, [0, 1, 0, 0])
    (warned,) = found["warnings"]
    assert "cannot be used" in warned and "NUMBA_CACHE_DIR" in warned


@pytest.mark.slow
def test_one_line_reports_that_rules_are_being_compiled(package, tmp_path):
    program = (
        "from mancala_envs.core import rule; rule.NOTICE_AFTER = 0.01; "
        "from mancala_envs import make_game; game = make_game('kalah'); "
        "states = game.init(2, 0); game.step(states, game.sample(states, 0))"
    )
    env = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", program]
    first, second = (subprocess.run(command, env=env, capture_output=True, text=True, check=True) for _ in range(2))
    assert first.stdout == "" and len(first.stderr.splitlines()) == 1
    assert "is compiling the rules" in first.stderr and str(tmp_path / "cache") in first.stderr
    # Cached rules need no compilation, so there is no notice.
    assert second.stdout == second.stderr == ""


def test_importing_the_package_makes_no_folder_and_leaves_heavy_modules_for_later(tmp_path):
    later = {"mancala_envs.agents.solve", "matplotlib", "PIL", "pygame", "torch"}
    program = f"import sys, mancala_envs; assert not {later} & set(sys.modules)"
    stdout_of(program, NUMBA_CACHE_DIR=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


# Rules outside the package.

HELPER = """
from mancala_envs.core.rule import rule

SEEDS = 2

@rule
def helper(number):
    return number * SEEDS

@rule
def other_helper(number):
    return number * 100
"""

# Arguments decide which helper the rule calls, and one of its constants.
MODULE = """
import json, sys
import numpy as np
import helpers
from mancala_envs.core.rule import rule

chosen = getattr(helpers, sys.argv[1])
TABLE = np.zeros(5000, np.int64)
TABLE[2500] = int(sys.argv[2])

@rule
def doubles(number):
    return chosen(number) + TABLE[number + 2497]

@rule
def by_module(number):
    return helpers.helper(number)

print(json.dumps([doubles(3), by_module(3), *(sum(each.stats.cache_hits.values()) for each in (doubles, by_module))]))
"""


@pytest.fixture
def module(tmp_path):
    """Return a function that runs MODULE, or changes it first: two results, and two numbers of hits."""
    folder = tmp_path / "module"
    folder.mkdir()
    (folder / "helpers.py").write_text(HELPER)
    (folder / "program.py").write_text(MODULE)

    def run_module(*arguments, helper=None, **env):
        if helper:
            (folder / "helpers.py").write_text(helper)
        return json.loads(stdout_of("program.py", *arguments, cwd=folder, NUMBA_CACHE_DIR=tmp_path / "cache", **env))

    return run_module


@pytest.mark.slow
@compiled
def test_a_change_of_anything_that_a_rule_uses_recompiles_it(module):
    assert module("helper", 0) == [6, 6, 0, 0]
    # Python's hashes of strings differ between processes; those of the cache must not.
    assert module("helper", 0, PYTHONHASHSEED="1") == [6, 6, 1, 1]
    # Each line changes one thing: the rule that is called, the module's constant, a helper's constant, a helper's code.
    assert module("other_helper", 0) == [300, 6, 0, 1]
    assert module("helper", 5) == [11, 6, 0, 1]
    assert module("helper", 0, helper=HELPER.replace("SEEDS = 2", "SEEDS = 3")) == [9, 9, 0, 0]
    assert module("helper", 0, helper=HELPER.replace("number * SEEDS", "number + SEEDS")) == [5, 5, 0, 0]


@pytest.mark.slow
@compiled
def test_code_without_a_file_is_cached(tmp_path):
    program = "from mancala_envs.core.rule import rule\n@rule\ndef f(x): return x + 1\nprint(f(1), *f.stats.cache_hits)"
    first, second = (stdout_of(program, NUMBA_CACHE_DIR=tmp_path) for _ in range(2))
    assert (first, second) == ("2\n", "2 (int64,)\n")


FINGERPRINTS = """
import json
from mancala_envs import make_game
from mancala_envs.core import cache, kernels
loops = kernels.init_loop, kernels.sample_loop, kernels.observe_loop, kernels.step_loop
games = map(make_game, ("kalah", "qelat", "dongjintian", "niranchy", "pancha_keliya"))
print(json.dumps([cache.fingerprint(game.bind(loop)) for game in games for loop in loops]))
"""


@pytest.mark.slow
@compiled
def test_fingerprints_are_the_same_in_every_process():
    first, second = (json.loads(stdout_of(FINGERPRINTS, PYTHONHASHSEED=seed)) for seed in (1, 2))
    assert first == second and len(set(first)) > len(first) // 2


@compiled
def test_the_fingerprint_of_an_intrinsic_changes_with_its_constants(monkeypatch):
    def described():
        return cache._bytes_of(described, "add_rows", inference.add_rows)

    before = described()
    monkeypatch.setattr(inference, "BLOCK", 16)
    assert described() != before


@compiled
def test_a_rule_that_uses_an_object_without_a_hash_is_refused(place):
    lock = threading.Lock()

    @rule.rule
    def uses_it(number):
        return number + lock

    with pytest.raises(TypeError, match="uses_it uses 'lock', which cannot be hashed"):
        uses_it(1)


# The size of the folder.


@compiled
def test_the_least_recently_used_code_is_removed(place, monkeypatch):
    folder = cache.place()
    folder.mkdir(mode=0o700)
    now = time.time()
    for number in range(5):
        (folder / f"{number}.kernel").write_bytes(bytes(100_000))
        os.utime(folder / f"{number}.kernel", (now - 86400 * (number + 1),) * 2)
    (folder / "notes.txt").write_bytes(bytes(900_000))
    monkeypatch.setattr(cache, "LIMIT", 350_000)
    monkeypatch.setattr(cache._Entries, "_stores", 0)
    assert reloaded(doubles)(21) == 42
    (own,) = folder.glob("test_rule_cache*.kernel")
    assert {file.name for file in folder.iterdir()} == {"0.kernel", "1.kernel", "2.kernel", own.name, "notes.txt"}
    # Using code makes it recent.
    os.utime(own, (now - 864000,) * 2)
    again = reloaded(doubles)
    assert again(21) == 42 and again.stats.cache_hits
    assert own.stat().st_mtime >= now - 1


@compiled
def test_a_deleted_cache_folder_is_made_again(place):
    fresh = reloaded(doubles)
    assert fresh(2) == 4
    assert len(cached_files(place)) == 1
    shutil.rmtree(next(place.iterdir()))
    assert fresh(2.5) == 5.0
    assert len(cached_files(place)) == 1


@pytest.mark.slow
@compiled
def test_several_processes_can_compile_and_store_at_once(module):
    numbers = (0, 1, 0, 1)  # two versions of one module, each in two processes
    for hits in (0, 1):
        with ThreadPoolExecutor(4) as pool:
            results = pool.map(lambda number: module("helper", number), numbers)
        for number, (*answers, of_doubles, of_by_module) in zip(numbers, results, strict=True):
            assert answers == [6 + number, 6] and (of_doubles, of_by_module) >= (hits, hits)


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_collection_pauses_during_compilation(collects):
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


# Plays Dam, whose rules are separate functions in its kernels, on boards of the given sizes.
OF_SIZES = """
import sys
from mancala_envs import make_game
for size in map(int, sys.argv[1:]):
    game = make_game("dam", size=size)
    states = game.init(1, 7)
    game.step(states, game.sample(states, 0))
    print(states["board"].tolist(), states["to_move"], states["turn"])
"""


@compiled
@pytest.mark.slow
def test_kernels_of_several_sizes_can_come_from_several_processes(tmp_path):
    def played(*sizes):
        return stdout_of(OF_SIZES, *sizes, NUMBA_CACHE_DIR=tmp_path)

    # A process that finds both sizes in the cache plays each as a process with one size does.
    alone = played(8), played(12)
    assert played(8, 12) == "".join(alone) and played(12, 8) == "".join(reversed(alone))

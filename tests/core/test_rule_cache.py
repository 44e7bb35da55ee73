"""Where compiled rules are kept, and that an edit compiles anew what it concerns and nothing else.

Most tests run a copy of the package, or a small module of rules, in processes of their own.
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
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

import mancala_envs
from mancala_envs.core import cache, rule

PACKAGE = Path(mancala_envs.__file__).parent
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
UNSET = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "XDG_CACHE_HOME")

# Sows one seed with a rule of `games` that calls helpers of `core`; says what came out and how the cache did.
PROGRAM = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mancala_envs
    from mancala_envs.core.rule import cache_folder
    from mancala_envs.core.record import record_dtype
    from mancala_envs.families.mancala.position import fields
    from mancala_envs.games.kalah import sow_past_store
    import numpy as np
    from pathlib import Path
    states = np.zeros(1, record_dtype(fields(4, 2)))
    states["holes"][0, 0] = 1
    sow_past_store(states[0], 0)
own = sow_past_store.stats.cache_path
print(json.dumps({
    "package": mancala_envs.__file__, "holes": states["holes"][0].tolist(), "folder": str(cache_folder()),
    "own": own and str(Path(own).parent),
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


@pytest.mark.slow
@pytest.mark.parametrize(("files", "left"), [("*.nbi", 0), ("*.nbc", 100)])
def test_broken_files_are_removed_and_compiled_anew(package, files, left):
    first = run(package)
    for file in Path(first["folder"]).rglob(files):
        file.write_bytes(file.read_bytes()[:left])
    second = run(package)
    assert (second["hits"], second["holes"]) == (0, first["holes"])
    assert "is broken" in " ".join(second["warnings"]) and "sow_past_store" in " ".join(second["warnings"])
    third = run(package)
    assert (third["hits"], third["holes"], third["warnings"]) == (1, first["holes"], [])


# Calls a rule again whenever a line comes, each time from what is kept; what is said is one line too.
AGAIN = """
import json, sys, warnings
from mancala_envs.core.rule import rule

def doubles(number):
    return 2 * number

for _ in sys.stdin:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(json.dumps([rule(doubles)(21), [str(each.message) for each in caught]]), flush=True)
"""


@compiled
def test_files_of_any_bytes_are_removed_and_compiled_anew(tmp_path):
    """Cut off, noise, empty, or with one wrong bit; the last line finds all in order."""
    (tmp_path / "program.py").write_text(AGAIN)
    luck = random.Random(0)
    running = subprocess.Popen(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def said():
        running.stdin.write("\n")
        running.stdin.flush()
        return json.loads(running.stdout.readline())

    with running:
        assert said() == [42, []] and said() == [42, []]
        for number in range(12):
            file = sorted((tmp_path / "cache").rglob("*.nb[ic]"))[number // 4 % 2]
            whole = file.read_bytes()
            noise = luck.randbytes(luck.randrange(1, 400))
            wrong = bytearray(whole)
            wrong[luck.randrange(len(whole))] ^= 1 << luck.randrange(8)
            file.write_bytes([whole[: luck.randrange(len(whole))], noise, b"", wrong][number % 4])
            answer, warned = said()
            assert answer == 42 and len(warned) == 1 and "is broken" in warned[0], (file, number)
        assert said() == [42, []]


def test_where_there_is_no_room_play_goes_on(tmp_path):
    def full(signature, compiled):
        raise OSError(28, "No space left on device")

    kept = cache._Kept(SimpleNamespace(save_overload=full, cache_path="here"), tmp_path)
    with pytest.warns(UserWarning, match="cannot be kept in .*No space left on device.*NUMBA_CACHE_DIR"):
        kept.save_overload(None, None)
    assert kept.cache_path == "here"


def test_an_edit_compiles_anew_what_it_concerns_and_nothing_else(package):
    first = run(package)
    assert (first["hits"], first["holes"], first["warnings"]) == (0, [0, 1, 0, 0], [])
    assert Path(first["folder"]).parent == package / "__pycache__"
    assert Path(first["own"]).parent == Path(first["folder"])
    assert any("sow_past_store" in name for name in cached(first["folder"]))
    for file in ("games/oware.py", "render/text.py", "envs/vector.py", "core/board.py"):
        path = package / file
        path.write_text(path.read_text() + "\n\nEDITED = True\n")
    # In the helper's own file, but not in what is called.
    helper = package / "families" / "mancala" / "sow.py"
    text = "# Edited.\n" + helper.read_text()
    helper.write_text(text)
    second = run(package)
    assert (second["own"], second["hits"], second["holes"]) == (first["own"], 1, [0, 1, 0, 0])
    assert text.count("s.holes[hole] = 0\n") == 1
    helper.write_text(text.replace("s.holes[hole] = 0\n", "s.holes[hole] = 9\n"))
    third = run(package)
    # The caller's file is as it was, and yet it is compiled anew: lifting now leaves nine seeds.
    assert third["own"] != first["own"] and third["folder"] == first["folder"]
    assert (third["hits"], third["holes"]) == (0, [9, 1, 0, 0])
    helper.write_text(text)
    fourth = run(package)
    assert (fourth["own"], fourth["hits"], fourth["holes"]) == (first["own"], 1, [0, 1, 0, 0])


def test_numba_cache_dir_goes_first(package, tmp_path):
    told = run(package, NUMBA_CACHE_DIR=tmp_path / "wanted")
    assert Path(told["folder"]).parent == tmp_path / "wanted"
    assert cached(told["folder"]) and not (package / "__pycache__").exists()


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_to_import_the_package_makes_no_folder(tmp_path):
    subprocess.run(
        [sys.executable, "-c", "import mancala_envs.registry"],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        check=True,
    )
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

# Which helper the rule calls, and one of its constants, come from outside its file.
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
    """Runs MODULE with a helper's text and arguments: two results, and how often each came from the cache."""

    def run_module(*arguments, helper=HELPER, text=MODULE, folder="module", **env):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / "helpers.py").write_text(helper)
        (place / "program.py").write_text(text)
        done = subprocess.Popen(
            [sys.executable, "program.py", *map(str, arguments)],
            cwd=place,
            env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache"), **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

        def result():
            out, err = done.communicate()
            assert done.returncode == 0, err
            return json.loads(out)

        return result

    return run_module


@pytest.mark.slow
@compiled
def test_all_that_a_rule_uses_counts(module):
    assert module("helper", 0)() == [6, 6, 0, 0]
    # Hashes of strings differ from process to process; ours do not.
    assert module("helper", 0, PYTHONHASHSEED="1")() == [6, 6, 1, 1]
    # Another rule of the same file, a constant made elsewhere, a helper's constant, and a helper's code.
    assert module("other_helper", 0)() == [300, 6, 0, 1]
    assert module("helper", 5)() == [11, 6, 0, 1]
    assert module("helper", 0, helper=HELPER.replace("SEEDS = 2", "SEEDS = 3"))() == [9, 9, 0, 0]
    assert module("helper", 0, helper=HELPER.replace("number * SEEDS", "number + SEEDS"))() == [5, 5, 0, 0]


@compiled
def test_what_has_no_file_is_compiled_without_a_cache(tmp_path):
    program = "from mancala_envs.core.rule import rule\n@rule\ndef f(number): return number + 1\nprint(f(1))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("2\n", "") and not cached(tmp_path)


FINGERPRINTS = """
import json
from mancala_envs import make_game
from mancala_envs.core import cache, kernels
loops = kernels.init_loop, kernels.sample_loop, kernels.observe_loop, kernels.step_loop
games = map(make_game, ("kalah", "qelat", "dongjintian", "niranchy", "pancha_keliya"))
print(json.dumps([cache.fingerprint(game.bind(loop)) for game in games for loop in loops]))
"""


@compiled
def test_every_process_finds_the_same_names(module):
    first, second = (module(text=FINGERPRINTS, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    names = first()
    assert names == second() and len(set(names)) > len(names) // 2


@compiled
def test_a_rule_that_uses_what_has_no_hash_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    lock = threading.Lock()

    @rule.rule
    def uses_it(number):
        return number + lock

    with pytest.raises(TypeError, match="uses_it uses 'lock', of which no hash can be taken"):
        uses_it(1)


# Old folders.


@compiled
def test_of_one_function_the_folders_used_last_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)

    @rule.rule
    def doubles(number):
        return 2 * number

    stem = f"test_rule_cache.{doubles.py_func.__qualname__.replace('<', '').replace('>', '')}"
    days = dict(zip("abcdef", (9, 1, 5, 7, 3, 0), strict=True))
    old = {letter: tmp_path / f"{stem}-{letter * 16}" for letter in days}
    # Folders of other functions, of which one begins alike.
    others = [tmp_path / f"test_rule_cache.halves-{'a' * 16}", tmp_path / f"{stem}_again-{'a' * 16}"]
    for folder in [*old.values(), *others]:
        folder.mkdir()
        (folder / "index.nbi").write_text("")
        age = next((age for letter, age in days.items() if folder == old[letter]), 99)
        os.utime(folder, (time.time() - 86400 * age,) * 2)
    assert doubles(2) == 4
    own = Path(doubles.stats.cache_path).parent
    # The new one, and those used a moment and a day ago.
    assert set(tmp_path.iterdir()) == {own, old["f"], old["b"], *others}


@compiled
def test_a_folder_just_used_stays_however_many_there_are(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    folders = [tmp_path / f"f-{number:016x}" for number in range(8)]
    for folder in folders:
        folder.mkdir()
    cache._remove_old(tmp_path, "f")
    assert set(tmp_path.iterdir()) == set(folders)


@compiled
def test_who_compiles_more_after_his_folder_has_gone_makes_it_again(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)

    @rule.rule
    def doubles(number):
        return 2 * number

    assert doubles(2) == 4
    assert len(cached(tmp_path)) == 1
    shutil.rmtree(next(tmp_path.iterdir()))
    assert doubles(2.5) == 5.0
    assert len(cached(tmp_path)) == 1


@pytest.mark.slow
@compiled
def test_several_processes_compile_and_remove_at_once(module, tmp_path):
    home = tmp_path / "cache" / "mancala_envs"
    old = [home / f"program.{name}-{number:016x}" for name in ("doubles", "by_module") for number in range(40)]
    for age, folder in enumerate(old):
        folder.mkdir(parents=True)
        (folder / "index.nbi").write_text("")
        # Of different ages, so that all processes agree which are the oldest.
        os.utime(folder, (age, age))
    for hits in (0, 1):
        # One version of the module each; all share the home.
        running = [module("helper", number, folder=f"copy{number}") for number in range(3)]
        assert [process() for process in running] == [[6 + number, 6, hits, hits] for number in range(3)]
    # Of one function three versions were just used, and of the other the same one by all. Of old ones one may be
    # missing: what another process was just removing looks as if it were in use.
    left = Counter(folder.name.partition("-")[0] for folder in set(home.iterdir()) - set(old))
    assert left == {"program.by_module": 1, "program.doubles": 3}
    assert len(list(home.iterdir())) <= 6


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


# A game whose rules stay functions of their own inside its kernels, on boards of the sizes that are given.
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
def test_kernels_of_several_sizes_may_be_compiled_by_several_processes(tmp_path):
    def said(*sizes):
        env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(PACKAGE.parent)}
        command = [sys.executable, "-c", OF_SIZES, *map(str, sizes)]
        run = subprocess.run(command, env=env, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return run.stdout

    # Whoever finds both in the cache plays both as they are.
    alone = said(8), said(12)
    assert said(8, 12) == "".join(alone) and said(12, 8) == "".join(reversed(alone))

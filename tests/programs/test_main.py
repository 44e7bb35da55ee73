"""python -m mancala_envs: the list of games, and precompilation."""

import numba
import pytest
from helpers.programs import refused, run_program, run_python

from mancala_envs import REGISTRY, __main__, __version__
from mancala_envs.core import cache


def in_a_process(*arguments, folder):
    done = run_python(*arguments, NUMBA_CACHE_DIR=str(folder))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_versions_cache_and_games_are_listed(capsys):
    run_program(__main__.main)
    out = capsys.readouterr().out
    assert f"mancala_envs {__version__}, " in out
    assert f"cached in {cache.place()}, {cache.size() / 1e6:.0f} MB of at most " in out
    words = set(out.split())
    for entry in REGISTRY.values():
        assert {entry.name, entry.id, entry.module} <= words
        assert not entry.campaign_id or entry.campaign_id in words


def test_the_cache_can_be_cleared(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    (folder := cache.place()).mkdir()
    (folder / "kernels_step_loop-0-0.kernel").write_bytes(bytes(3_000_000))
    (folder / "notes.txt").write_text("mine")
    run_program(__main__.main, "--clear-cache")
    assert capsys.readouterr().out == f"removed 3 MB from {folder}\n"
    assert [file.name for file in folder.iterdir()] == ["notes.txt"]


def test_an_unknown_game_is_an_error_that_lists_the_known_ones():
    error = refused(__main__.main, "--precompile", "chess")
    assert "'chess'" in error and "'kalah', 'oware'" in error


def test_cached_kernels_are_counted(tmp_path):
    program = (
        "import mancala_envs as m; g = m.make_game('kalah'); "
        "print(*g.num_cached()); g.init(1, 0); print(*g.num_cached())"
    )
    before, after = (list(map(int, line.split())) for line in in_a_process("-c", program, folder=tmp_path).splitlines())
    assert before[0] == 0 and after == [1, before[1]]


@pytest.mark.slow
def test_after_precompilation_games_and_environments_compile_nothing(tmp_path):
    in_a_process("-m", "mancala_envs", "--precompile", "kalah", folder=tmp_path)
    files = sorted(path for path in tmp_path.rglob("*.kernel"))
    program = (
        "import gymnasium as gym, mancala_envs as m\n"
        "game = m.make_game('kalah')\n"
        "kept, loops = game.num_cached()\n"
        "assert kept == loops, (kept, loops)\n"
        "states = game.init(7, 1)\n"
        "game.step(states, game.sample(states, 0))\n"
        "env = gym.make('mancala_envs/Kalah-v0', opponent='greedy')\n"
        "env.reset(seed=1), env.step(0)\n"
        "envs = gym.make_vec('mancala_envs/Kalah-v0', 3)\n"
        "envs.reset(seed=1), envs.step(envs.action_space.sample())\n"
        "aec = m.kalah_v0.env()\n"
        "aec.reset(seed=1), aec.step(0)\n"
    )
    in_a_process("-c", program, folder=tmp_path)
    assert sorted(path for path in tmp_path.rglob("*.kernel")) == files

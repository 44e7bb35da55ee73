"""The examples for training libraries, run as programs: the agents they train beat random play."""

import json
import os
import re
import signal
import subprocess
from contextlib import contextmanager

import pytest
from helpers.programs import ROOT, assert_drawn, command

EXAMPLES = {
    "sb3 self-play": ("sb3_contrib", "sb3_maskable_ppo.py", "--steps", "120000", "--self-play"),
    "tianshou": ("tianshou", "tianshou_dqn.py", "--steps", "40000"),
    "torchrl": ("torchrl", "torchrl_ppo.py", "--steps", "100000"),
    "cleanrl": ("torch", "cleanrl_ppo.py", "--steps", "1500000"),
    "alphazero": ("torch", "alphazero.py", "--minutes", "1", "--games", "100"),
}
CURVES = {
    "sb3_maskable_ppo.py": {"rollout/ep_rew_mean", "train/loss"},
    "tianshou_dqn.py": {"training/returns_stat/mean", "update/loss"},
    "torchrl_ppo.py": {"rollout/return", "loss/objective", "loss/critic", "loss/entropy"},
    "cleanrl_ppo.py": {"rollout/return", "loss/policy", "loss/value", "loss/entropy"},
    "alphazero.py": {"loss/policy", "loss/value"},
}
"""Some of the curves that each example logs for TensorBoard."""
ENDLESS = "1000000000"


@contextmanager
def run(script, out, *arguments):
    """Yield the running program, which does not outlive the test."""
    program = command(f"scripts/examples/{script}", "--game", "kalah", "--out", out, *arguments)
    # FORCE_COLOR: otherwise rich, which draws SB3's progress bar, draws none in a pipe.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FORCE_COLOR": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(program, env=environment, text=True, **pipes) as running:
        try:
            yield running
        finally:
            running.kill()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "script", "arguments"), [(e[0], e[1], e[2:]) for e in EXAMPLES.values()], ids=EXAMPLES
)
def test_an_example_trains_an_agent_that_beats_random_play(library, script, arguments, tmp_path):
    pytest.importorskip(library)
    board = tmp_path / "board"
    with run(script, tmp_path, *arguments, "--tensorboard", board) as running:
        printed, errors = running.communicate(timeout=900)
    assert running.returncode == 0, errors
    scores = json.loads((tmp_path / "evaluation.json").read_text())
    for opponent in ("random", "greedy"):
        assert f"against {opponent}" in printed
    # Training on another processor rounds differently and changes the points by several percent.
    assert scores["random"]["interval_95"][0] > 0.6
    assert_drawn(board, CURVES[script])


@pytest.mark.slow
@pytest.mark.parametrize(("library", "script", "length"), [EXAMPLES["sb3 self-play"][:3], EXAMPLES["cleanrl"][:3]])
def test_ctrl_c_ends_an_example_early_with_a_result(library, script, length, tmp_path):
    pytest.importorskip(library)
    with run(script, tmp_path, length, ENDLESS, "--games", "20") as running:
        # Wait for the progress bar, which SB3 prints to stdout and the others to stderr: an interrupt while Numba is
        # still loading would leave it unusable.
        stream = running.stdout if library == "sb3_contrib" else running.stderr
        read = ""
        while not re.search(r"\b[1-9][\d.,]*[kMG]?/[1-9]", read):
            more = os.read(stream.fileno(), 4096).decode(errors="replace")
            assert more, f"the program ended too early: {read}"
            read += more
        running.send_signal(signal.SIGINT)
        printed, errors = running.communicate(timeout=300)
    assert running.returncode == 0, errors
    _, interrupted, after = printed.partition("interrupted; saving")
    # A bar of rich that is still drawn is closed by the collector, perhaps in its own thread, which then blocks both.
    assert interrupted and "it/s" not in after
    assert (tmp_path / "evaluation.json").is_file()

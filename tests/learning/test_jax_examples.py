"""JAX, in a virtual environment of its own: our tests with it, and the examples.

The tests there play one game of each kind. `.venv/jax/bin/python -m pytest tests/environments/test_jax.py` plays all.
"""

import json
import os
import subprocess

import pytest
from helpers.programs import ROOT, interpreter

pytestmark = pytest.mark.slow

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
OURS = ("test_jax.py", "test_jax_vector.py")


@pytest.fixture(scope="module")
def python():
    return interpreter("jax", "jax")


def test_our_tests_pass(python):
    files = [ROOT / "tests" / "environments" / name for name in OURS]
    command = [python, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", *files]
    assert subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, timeout=1200).returncode == 0


@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        ("jax_ppo.py", ("--updates", "60")),
        ("jax_alphazero.py", ("--game", "kalah", "--minutes", "1", "--games", "100")),
    ],
)
def test_an_example_trains_an_agent_that_beats_random_play(python, script, arguments, tmp_path):
    command = [python, ROOT / "scripts" / "examples" / script, *arguments, "--out", tmp_path]
    subprocess.run(command, env=ENVIRONMENT, timeout=900, check=True)
    scores = json.loads((tmp_path / "evaluation.json").read_text())
    assert scores["random"]["interval_95"][0] > 0.6

"""RLlib and AgileRL: the examples, in virtual environments with the versions they need, and tournaments on Ray."""

import json
import os
import signal
import subprocess

import pytest
from helpers.programs import ROOT, assert_drawn, interpreter

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "scripts" / "examples"
OURS = ("games/test_kalah.py", "environments/test_aec.py", "environments/test_solo.py", "environments/test_vector.py")
"""Tests that need no library beyond those of these virtual environments."""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "RAY_USAGE_STATS_ENABLED": "0"}

TWO_NODES = """
import sys
from ray.cluster_utils import Cluster

node = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
cluster = Cluster(initialize_head=True, head_node_args=node)
cluster.add_node(**node)
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""


@pytest.fixture(scope="module")
def rllib():
    return interpreter("rllib", "ray")


@pytest.fixture(scope="module")
def agilerl():
    return interpreter("agilerl", "agilerl")


@pytest.fixture(scope="module")
def cluster(rllib):
    """Start a Ray cluster of two nodes with one core each, and return its address."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([rllib, "-c", TWO_NODES], env=ENVIRONMENT, **pipes) as running:
        yield running.stdout.readline().strip()


@pytest.fixture(scope="module")
def trained(rllib, cluster, tmp_path_factory):
    """Train on the cluster; return the folder of the run and the output."""
    out = tmp_path_factory.mktemp("rllib")
    arguments = ("--iterations", 14, "--minutes", 6, "--num-env-runners", 2, "--address", cluster)
    return out, run(rllib, "rllib_self_play.py", *arguments, "--out", out, "--tensorboard", out / "board")


def start(python, script, *arguments, **options):
    return subprocess.Popen([python, EXAMPLES / script, *map(str, arguments)], env=ENVIRONMENT, text=True, **options)


def run(python, script, *arguments):
    running = start(python, script, *arguments, stdout=subprocess.PIPE)
    printed, _ = running.communicate(timeout=600)
    assert running.returncode == 0
    return printed


def evaluation(out):
    return json.loads((out / "evaluation.json").read_text())


def test_rllib_learns_by_self_play_on_two_nodes(trained):
    out, printed = trained
    assert "2 env runners on 2 nodes" in printed
    assert evaluation(out)["random"]["interval_95"][0] > 0.7
    assert_drawn(out / "board", {"points/random", "learner/policy_loss", "learner/vf_loss", "learner/entropy"})


def test_rllib_saves_and_evaluates_after_ctrl_c(rllib, tmp_path):
    running = start(rllib, "rllib_self_play.py", "--num-env-runners", 1, "--out", tmp_path, stdout=subprocess.PIPE)
    for line in running.stdout:
        if "decisions; against random" in line:
            break
    running.send_signal(signal.SIGINT)
    printed, _ = running.communicate(timeout=600)
    assert running.returncode == 0
    assert "interrupted; saving" in printed
    assert (tmp_path / "module").is_dir()
    assert evaluation(tmp_path).keys() == {"random", "greedy"}


def test_a_tournament_is_played_on_two_nodes(rllib, cluster, tmp_path):
    arguments = ("kalah", "random", "greedy", "minimax:2", "--games", 100, "--ray", cluster, "--out", tmp_path)
    printed = run(rllib, "../tournament.py", *arguments)
    places = {row["agent"]: row for row in json.loads((tmp_path / "ratings.json").read_text())}
    assert list(places) == ["minimax:2", "greedy", "random"]
    assert all(row["games"] == 200 for row in places.values())
    assert (tmp_path / "table.md").read_text() in printed


def test_actors_of_alphazero_play_on_two_nodes(rllib, cluster, tmp_path):
    arguments = ("--method", "alphazero", "--envs", 32, "--simulations", 8, "--steps", 4_000, "--games", 10)
    printed = run(rllib, "../train.py", "kalah", *arguments, "--ray", cluster, "--out", tmp_path)
    assert "2 actors on 2 nodes" in printed
    assert json.loads((tmp_path / "config.json").read_text())["decisions"] >= 4_000


def test_agilerl_learns_against_random(agilerl, tmp_path):
    run(agilerl, "agilerl_dqn.py", "--out", tmp_path, "--tensorboard", tmp_path / "board")
    assert evaluation(tmp_path)["random"]["interval_95"][0] > 0.6
    assert_drawn(tmp_path / "board", {"train/mean_loss", "train/mean_score"})


@pytest.mark.parametrize("name", ["rllib", "agilerl"])
def test_our_tests_pass_with_the_pinned_versions(name, request):
    files = [ROOT / "tests" / path for path in OURS]
    command = [request.getfixturevalue(name), "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", *files]
    assert subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, timeout=900).returncode == 0

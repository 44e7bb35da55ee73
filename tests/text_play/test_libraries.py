"""The examples for libraries of language models, each in a virtual environment of its own."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from helpers.model_server import serving
from helpers.programs import ROOT, interpreter

from mancala_envs.text_play.puzzles import puzzles

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "scripts" / "examples"


def environment(python):
    """Return the environment of a program that `python` runs, with its programs and the examples first."""
    path = os.pathsep.join([str(Path(python).parent), os.environ["PATH"]])
    return {**os.environ, "PYTHONPATH": f"{EXAMPLES}{os.pathsep}{ROOT}", "PATH": path, "PYTHONUNBUFFERED": "1"}


def run(python, *command):
    done = subprocess.run(command, env=environment(python), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


# verifiers: puzzles, asked by vf-eval from a local server.


def test_verifiers_rewards_by_regret(tmp_path):
    python = interpreter("verifiers", "verifiers")
    best, worst, refused = list(puzzles("kalah", 3, seed=0))
    worst_action = worst.actions[worst.regrets.index(max(worst.regrets))]
    answers = {
        best.question: f"Action: {best.best[0]}",
        worst.question: f"Action: {worst_action}",
        refused.question: "I pass.",
    }
    with serving(answers.__getitem__) as server:
        run(
            python, Path(python).with_name("vf-eval"), "verifiers_puzzles", "-n", "3", "--env.taskset.number", "3",
            "--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess", "--model", "m",
            "--client.base-url", server.address, "--client.api-key-var", "NO_KEY",
            "--no-push", "--no-rich", "-o", tmp_path,
        )  # fmt: skip
    (traces,) = tmp_path.glob("*/traces.jsonl")
    found = {}
    for line in traces.read_text().splitlines():
        episode = json.loads(line)
        (trace,) = episode["traces"]
        reward = trace["rewards"]["closeness"]["score"]
        found[episode["task"]["data"]["prompt"]] = reward, trace["metrics"]["best"], trace["metrics"]["refused"]
    assert found == {best.question: (1, 1, 0), worst.question: (0, 0, 0), refused.question: (0, 0, 1)}


# TextArena: a match of agents of the library.


def test_a_match_in_textarena():
    python = interpreter("textarena", "textarena")
    printed = run(python, python, EXAMPLES / "textarena_match.py", "--agents", "minimax:2", "random", "--games", "4")
    assert re.search(r"seat 0, minimax:2: mean reward \+1\.00\nseat 1, random: mean reward -1\.00", printed)


REFUSED = """
import textarena as ta
import textarena_match

env = ta.make("Mancala-oware-v0")
env.reset(num_players=2, seed=1)
seat, first = env.get_observation()
assert seat == 0 and "## Rules" in first and "Legal actions:" in first and "player_1" not in first.split("## Board")[1]
done, _ = env.step(action="either 1 or 2")
_, second = env.get_observation()
assert not done and "not played: several actions found: 1, 2" in second
done, _ = env.step(action="[3]")
seat, other = env.get_observation()
assert not done and seat == 1 and "player_0: lift own hole 3" in other and "You are player_1" in other
done, _ = env.step(action="[99]")
done, _ = env.step(action="[99]")
rewards, info = env.close()
assert done and rewards == {0: 1, 1: -1} and info[1]["invalid_move"] and "action 99" in info[1]["reason"]
try:
    env.reset(num_players=3)
except ValueError as error:
    print(error)
"""


def test_textarena_shows_refusals_and_counts_them():
    python = interpreter("textarena", "textarena")
    assert "has 2 players, got 3" in run(python, python, "-c", REFUSED)


# OpenEnv: a server, and a client of the library.

CLIENT = """
import sys
from openenv.core import GenericEnvClient
from mancala_envs import make_game
from mancala_envs.text_play import Scripted

model = Scripted(make_game("kalah"), "minimax:2")
with GenericEnvClient(base_url=sys.argv[1]).sync() as env:
    for seed in (1, 2):
        result, answers = env.reset(seed=seed), 0
        while not result.done:
            result, answers = env.step({"answer": model(result.observation["prompt"])}), answers + 1
        assert env.state()["step_count"] == answers and " ended=1 " in env.state()["position"]
        print(result.reward)
    result = env.reset(seed=1)
    for done in (False, False, True):
        result = env.step({"answer": "I pass"})
        assert result.done == done and result.observation["refusal"] == "no action found in 'I pass'"
    print(result.reward)
"""


def test_openenv_serves_a_game():
    python = interpreter("openenv", "openenv")
    command = [python, EXAMPLES / "openenv_server.py", "--port", "0", "--opponent", "random"]
    with subprocess.Popen(command, env=environment(python), stderr=subprocess.PIPE, text=True) as server:
        try:
            address = next(found[1] for line in server.stderr if (found := re.search(r"(http://[\d.:]+)", line)))
            assert run(python, python, "-c", CLIENT, address).split() == ["1.0", "1.0", "-1.0"]
        finally:
            server.terminate()

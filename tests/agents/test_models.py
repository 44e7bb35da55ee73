"""Paths of saved models as agents, wherever an agent is named."""

import copy
import pickle
import re
import sys

import numpy as np
import pytest

from mancala_envs import kalah_v0, make_game
from mancala_envs.agents import Agent
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.evaluation import evaluate
from mancala_envs.play.session import begin_session
from mancala_envs.wrappers import SingleAgent

KALAH = make_game("kalah")


class Weighted:
    """A policy that prefers actions with high numbers; it stands for a loaded model."""

    def __init__(self, path, deterministic=False):
        self.deterministic = deterministic

    def judges_for(self, game):
        return {}

    def observe(self, game, states, seeds, judges):
        return game.observe(states)

    def require_fit(self, game):
        pass

    def probabilities(self, observations, masks):
        weights = masks * (1.0 + np.arange(masks.shape[1]))
        return weights / weights.sum(1, keepdims=True)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr("mancala_envs.agents.agent.load_policy", Weighted)
    (tmp_path / "model.zip").touch()
    return tmp_path / "model.zip"


def test_a_searcher_plays_and_analyses_with_a_model(path):
    states = KALAH.init(4000, 0)
    states["to_move"][0] = -1
    for agent in (path, str(path)):
        search = Agent("kalah", agent)
        actions = search.act(states, seed=1)
        assert actions[0] == -1 and actions.tolist() == search.act(states, seed=1).tolist()
        assert actions[:50].tolist() == search.act(states[:50], seed=1).tolist() != search.act(states[:50], 2).tolist()
        # Probabilities 1/21, ..., 6/21; the standard deviation of a share is at most 0.008.
        shares = np.bincount(actions[1:], minlength=6) / 3999
        assert shares == pytest.approx(np.arange(1, 7) / 21, abs=0.04)
        found = search.analyse(states[1:2])
        assert found.action == 5 and found.line == [5]
        assert found.value == found.values[5] == pytest.approx(6 / 21)
        assert sum(found.values.values()) == pytest.approx(1)
    assert set(Agent("kalah", path, deterministic=True).act(states[1:], 1)) == {5}


def test_a_model_gives_hints(path):
    first, *others = begin_session(KALAH, False, {}, [0], "random", 1).hint(str(path))
    assert first == f"{path} (29%) would play: lift own hole 5" and others[0].split()[:2] == ["29%", "5"]


def test_a_model_plays_wherever_an_agent_is_named(path):
    assert Agent(KALAH, str(path)).act(KALAH.init(3, 0), 1).shape == (3,)
    assert evaluate(path, KALAH, [path], games=8, deterministic=True).games == 8
    solo = SoloEnv("kalah", opponent=path, seat=1)
    assert solo.reset(seed=1)[1]["seat"] == 1
    single = SingleAgent(kalah_v0.env(), opponent=path, seat=1)
    assert single.reset(seed=1)[1]["seat"] == 1
    for again in (copy.deepcopy(solo), pickle.loads(pickle.dumps(solo))):
        assert again.record.tobytes() == solo.record.tobytes()


@pytest.mark.slow
def test_a_saved_model_gives_the_probabilities_that_it_plays_by(tmp_path):
    sb3_contrib = pytest.importorskip("sb3_contrib")
    model = sb3_contrib.MaskablePPO("MlpPolicy", SoloEnv("kalah"), seed=0, device="cpu")
    model.save(tmp_path / "model.zip")
    search, states = Agent("kalah", tmp_path / "model.zip"), KALAH.init(500, 0)
    KALAH.step(states, KALAH.sample(states, 1))
    observations, masks = KALAH.observe(states), KALAH.legal(states)
    best = Agent("kalah", tmp_path / "model.zip", deterministic=True).act(states, 1)
    assert best.tolist() == model.predict(observations, action_masks=masks, deterministic=True)[0].tolist()
    assert masks[np.arange(500), search.act(states, 1)].all()
    found = search.analyse(states[:1])
    assert found.action == best[0] and set(found.values) == set(np.flatnonzero(masks[0]))
    for again in (copy.deepcopy(search), pickle.loads(pickle.dumps(search))):
        assert again.act(states, 3).tolist() == search.act(states, 3).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["oware(columns=4)", "bao"])
def test_a_model_of_another_game_is_refused_when_it_is_named(tmp_path, game):
    sb3_contrib = pytest.importorskip("sb3_contrib")
    sb3_contrib.MaskablePPO("MlpPolicy", SoloEnv("kalah"), device="cpu").save(tmp_path / "model.zip")
    message = rf"model\.zip is a model for observations of shape \(17,\) and Discrete\(6\), not for {re.escape(game)}, "
    with pytest.raises(ValueError, match=message):
        Agent(game, tmp_path / "model.zip")


def test_without_sb3_the_error_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    (tmp_path / "model.zip").touch()
    line = r'^sb3_contrib is not installed: pip install "mancala_envs\[train\]"$'
    for use in (
        lambda path: Agent("kalah", path),
        lambda path: SoloEnv("kalah", opponent=path),
        lambda path: evaluate(path, "kalah"),
    ):
        with pytest.raises(ModuleNotFoundError, match=line):
            use(tmp_path / "model.zip")

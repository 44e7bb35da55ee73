"""Output of `help`, `repr` and `print` for games, states, environments and wrappers."""

import copy
import inspect
import io
import pickle
import pydoc

import gymnasium as gym
import numpy as np
import pytest

import mancala_envs
from mancala_envs import Game, make_game
from mancala_envs.registry import REGISTRY
from mancala_envs.wrappers import (
    Campaign,
    ChangeOfWorth,
    IllegalMoves,
    MaskInInfo,
    MaskInObservation,
    MaskInObservationOnly,
    RecordEpisodes,
    SeatStatistics,
    SingleAgent,
    StackObservations,
    TimeLimit,
)

every_game = pytest.mark.parametrize("name", REGISTRY)


def help_text(thing):
    return pydoc.render_doc(thing, renderer=pydoc.plaintext)


@every_game
@pytest.mark.parametrize("where", ["games.{name}", "{name}_v0"])
def test_help_shows_the_page_and_little_else(name, where):
    shown, page = (
        help_text(f"mancala_envs.{where.format(name=name)}").splitlines(),
        REGISTRY[name].book.page.splitlines(),
    )
    assert len(shown) < len(page) + 30
    lines = {line.strip() for line in shown}
    assert not [line for line in page[2:] if line.strip() not in lines]


def test_help_names_every_attribute_of_a_game():
    game = make_game("kalah")
    properties = inspect.getmembers(Game, lambda member: isinstance(member, property))
    public = {name for name in [*vars(game), *(name for name, _ in properties)] if not name.startswith("_")}
    attributes = Game.__doc__.split("Attributes:")[1]
    missing = {name for name in public if name not in attributes.replace("`", "")}
    assert not missing


@every_game
def test_environments_of_a_module_are_functions_with_their_arguments(name):
    module = getattr(mancala_envs, REGISTRY[name].module)
    for maker in (module.env, module.raw_env):
        assert list(inspect.signature(maker).parameters) == ["render_mode", "campaign", "options"]
        assert inspect.getdoc(maker).splitlines()[0] in help_text(maker)
        assert pickle.loads(pickle.dumps(maker)) is maker


def test_repr_of_environments_names_the_game():
    options = {"columns": 4}
    raw = mancala_envs.qelat_v0.raw_env(**options)
    assert repr(raw) == "RawEnv(qelat(columns=4))" and str(raw) == "qelat_v0"
    guarded = mancala_envs.qelat_v0.env(campaign=True)
    assert repr(guarded) == "Guarded(RawEnv(qelat(campaign=True)))" and str(guarded) == "qelat_v0"
    solo = gym.make("mancala_envs/Qelat-v0", **options)
    assert repr(solo.unwrapped) == str(solo.unwrapped) == "SoloEnv(qelat(columns=4))"
    assert "SoloEnv(qelat(columns=4))" in repr(MaskInObservation(solo))
    envs = gym.make_vec("mancala_envs/QelatCampaign-v0", num_envs=3)
    assert repr(envs) == "MancalaVectorEnv(qelat(campaign=True), num_envs=3)"
    assert repr(envs) in repr(SeatStatistics(envs))


def test_repr_of_wrappers_names_the_environment(tmp_path):
    raw = mancala_envs.qelat_v0.raw_env(campaign=True)
    bare = (Campaign, ChangeOfWorth, IllegalMoves, MaskInInfo, MaskInObservationOnly, SingleAgent)
    wrapped = [wrapper(raw) for wrapper in bare]
    wrapped += [RecordEpisodes(raw, tmp_path / "games.jsonl"), StackObservations(raw, 2), TimeLimit(raw, 5)]
    for env in wrapped:
        assert repr(env) == f"{type(env).__name__}(RawEnv(qelat(campaign=True)))"


def test_a_board_is_printed(capsys):
    game = make_game("kalah")
    states = game.init(2, 0)
    assert game.show(states[0]) is None
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "turn 0, player_0 to move" and "( 4)" in lines[2]
    with pytest.raises(ValueError, match="one game is needed, got 2"):
        game.show(states)


# States.


def test_repr_of_states_is_their_text_notation():
    game = make_game("kalah")
    states = game.init(3, 1)
    shown = [game.text(state) for state in states]
    assert [repr(state) for state in states] == [str(state) for state in states] == shown
    assert repr(states) == str(states) == "\n".join(["3 states of kalah:", *shown])
    assert repr(states[:1]) == f"1 state of kalah:\n{shown[0]}"
    assert repr(states[[2, 0]][0]) == repr(states.copy()[2]) == repr(copy.deepcopy(states)[2]) == shown[2]
    states[2].turn = 9
    assert "turn=9" in repr(states[2]) and "turn=9" not in shown[2]
    many = repr(game.init(1000, 1)).splitlines()
    assert (many[0], many[-1]) == ("1000 states of kalah:", "...") and len(many) < 10
    assert repr(game.copies(states, 2, seed=0)).startswith("6 states of kalah:\n")
    assert repr(game.parse(shown[0])) == repr(states[:1])


def test_other_arrays_keep_the_repr_of_numpy():
    states = make_game("kalah").init(2, 1)
    plain = states.view(np.recarray)
    for states_of_numpy in (states[["store"]], states.reshape(2, 1), plain, pickle.loads(pickle.dumps(states))):
        assert "states of" not in repr(states_of_numpy)
    assert not repr(plain[0]).startswith("kalah") and repr(states.holes) == repr(plain.holes)


def test_a_batch_behaves_like_a_recarray_otherwise():
    game = make_game("kalah")
    states = game.init(2, 1)
    assert isinstance(states, np.recarray) and states.dtype == game.dtype
    for again in (pickle.loads(pickle.dumps(states)), copy.deepcopy(states), states.copy(), states[:]):
        assert isinstance(again, np.recarray) and again.dtype == game.dtype
        assert again.tobytes() == states.tobytes() and again[1].holes.tolist() == [4] * 12
    assert type(pickle.loads(pickle.dumps(states))) is np.recarray
    file = io.BytesIO()
    np.save(file, states)
    file.seek(0)
    assert np.load(file).tobytes() == states.tobytes()
    states.turn = 3
    states[1].turn = 4
    assert states["turn"].tolist() == [3, 4] and type(states.turn) is np.ndarray

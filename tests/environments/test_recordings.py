"""Damaged recordings: `replay` raises only the errors that it documents."""

import copy
import json

import gymnasium as gym
import numpy as np
import pytest
from helpers.players import episode, first_legal, traced
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_game, qelat_v0
from mancala_envs.wrappers import RecordEpisodes, Recording, RecordSoloEpisodes, record, recorded, replay
from mancala_envs.wrappers import recordings as read_recordings

NUMBERS = st.sampled_from([-1, 0, 256, 2**31, -(2**63) - 1, 10**30, 1.5, float("nan"), float("inf")])
TEXTS = st.sampled_from(["", "x", "\0", "kalah", "kalah holes=1", "random", "position"])
JUNK = st.none() | st.booleans() | NUMBERS | TEXTS | st.sampled_from([[], [[]], {}, {"a": 1}, {"position": 1}])


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    path = tmp_path_factory.mktemp("recordings") / "games.jsonl"
    env = RecordEpisodes(qelat_v0.raw_env(), path)
    env.reset(seed=1)
    traced(env, first_legal)
    env.close()
    solo = RecordSoloEpisodes(gym.make("mancala_envs/Kalah-v0", seat=0), path)
    assert list(episode(solo, seed=3))
    solo.close()
    return [json.loads(line) for line in path.read_text().splitlines()]


def spoil(data, holder):
    """Change or remove a value anywhere in `holder`."""
    while True:
        key = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(min(4, len(holder)))))
        if not holder[key] or not isinstance(holder[key], dict | list) or data.draw(st.booleans()):
            break
        holder = holder[key]
    how = data.draw(st.sampled_from(["out", "else", "text"]))
    if how == "out":
        del holder[key]
    elif how == "text" and isinstance(holder[key], str):
        text = holder[key]
        at = data.draw(st.integers(0, len(text)))
        holder[key] = text[:at] + data.draw(st.text("0123456789,= ?-(", max_size=2)) + text[at + 1 :]
    else:
        holder[key] = data.draw(JUNK)


@pytest.mark.filterwarnings("ignore:.*reset takes the options")
@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_recording_is_an_error(recordings, data):
    line = copy.deepcopy(data.draw(st.sampled_from(recordings)))
    spoil(data, line)
    try:
        list(replay(line))
    except ValueError as error:
        assert str(error)


def test_an_intact_recording_is_replayed(recordings):
    decisions = [len(list(replay(line))) for line in recordings]
    assert decisions == [1 + len(line["decisions"]) for line in recordings]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a recording must be a line of JSON"),
        ("[" * 100_000, "a recording must be a line of JSON"),
        ("9" * 5000, "a recording must be a line of JSON"),
        ("3", "a recording must be a JSON object, got 3"),
    ],
)
def test_a_line_that_is_no_episode_is_refused(tmp_path, text, message):
    path = tmp_path / "games.jsonl"
    path.write_text(f"{text}\n")
    with pytest.raises(ValueError, match=message):
        read_recordings(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "9" * 10**6}, "id: recorded '999"),
        ({"campaign": "9" * 10**6}, "kalah: campaign='999"),
        ({"options": 3}, "no recorded episode"),
        ({"game": ["kalah"]}, "there is no game"),
        ({"start": "kalah " + "a" * 10**6}, "the text must have at most"),
        ({"decisions": 5}, "decisions must be a list, got 5"),
        ({"decisions": {}}, "decisions must be a list, got {}"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_changed_recording_is_refused_by_a_short_message(recordings, change, message):
    with pytest.raises(ValueError, match=message) as caught:
        list(replay(recordings[1] | change))
    assert len(str(caught.value)) < 1000


def test_actions_may_be_numpy_integers(tmp_path):
    game = make_game("kalah")
    start = game.init(1, 1)
    record(tmp_path / "games.jsonl", game, start, np.array([0, 1]))
    (found,) = read_recordings(tmp_path / "games.jsonl")
    assert found.line == recorded(game, start, [0, 1])


def test_a_recording_without_a_list_of_decisions_can_be_printed():
    assert repr(Recording({"game": "kalah", "decisions": 5})) == "Recording(kalah, no decisions)"

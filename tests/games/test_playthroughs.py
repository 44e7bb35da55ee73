"""Recorded random games (`tests/playthroughs`): states, masks, observations and rewards are still the same.

They do not depend on the version of Python, NumPy or Numba.
"""

import sys

import numpy as np
import playthroughs
import pytest
from helpers.forms import PlainGame
from playthroughs import CASES, FOLDER, OPTIONS_OF_CAMPAIGNS, path_of, playthrough

from mancala_envs import make_game
from mancala_envs.core import kernels, notation
from mancala_envs.core.record import python_records


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_playthrough_equals_its_record(name, campaign):
    """After an intended change, rewrite the records with ``python tests/playthroughs.py`` and read the difference."""
    assert playthrough(name, campaign) == path_of(name, campaign).read_text()


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_recorded_texts_can_be_parsed(name, campaign):
    game = make_game(name, campaign=campaign, **OPTIONS_OF_CAMPAIGNS if campaign else {})
    texts = [line for line in path_of(name, campaign).read_text().splitlines() if line.startswith(f"{game.header} ")]
    for text in [*texts[::4], texts[-1]]:
        assert game.text(game.parse(text)) == text


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_text_of_a_finished_game_can_be_parsed(name, campaign):
    """In plain Python, so that nothing is compiled for this test."""
    game = PlainGame(name, campaign, max_turns=2, **{"max_rounds": 1} if campaign else {})
    states = game.init(1, 1)
    while states[0].to_move >= 0:
        game.step(states, game.sample(states, int(states[0].turn)))
    text = game.text(states)
    assert states[0].ended and game.text(game.parse(text)) == text


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_beginning_in_a_used_record_gives_the_same_bytes(name, campaign):
    """The contents of the record before do not matter. In plain Python, so that nothing is compiled for this test."""
    game = make_game(name, campaign=campaign, **OPTIONS_OF_CAMPAIGNS if campaign else {})
    begin = game.plain.bind(kernels.fresh)
    last = [line for line in path_of(name, campaign).read_text().splitlines() if line.startswith(f"{game.header} ")][-1]
    first, used = (game._blank.copy().view(np.recarray) for _ in range(2))
    notation.read(game.name, game.header, last, used, game._text_fields)
    for field in game.position_fields:
        used[field] = 1
    used.ended, used.chance = 0, first.chance
    for states in (first, used):
        begin(python_records(game.records(states))[0])
    assert used.tobytes() == first.tobytes()


def test_every_playthrough_belongs_to_a_game():
    assert {path_of(*case) for case in CASES} == set(FOLDER.iterdir())


@pytest.mark.parametrize(("argument", "said"), [("--help", "rewrite all files"), ("ludo", "there is no game ludo")])
def test_the_program_explains_itself_and_refuses_unknown_games(argument, said, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["playthroughs.py", argument])
    monkeypatch.setattr(playthroughs, "FOLDER", tmp_path)
    with pytest.raises(SystemExit):
        playthroughs.main()
    assert said in "".join(capsys.readouterr()) and not list(tmp_path.iterdir())

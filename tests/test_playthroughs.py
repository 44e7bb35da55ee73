"""What games did when they were last looked at: the same states, masks, observations and rewards, whatever the version
of Python, NumPy and Numba."""

import pytest
from playthroughs import CASES, FOLDER, OPTIONS_OF_CAMPAIGNS, path_of, playthrough

from mancala_envs import make_game


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_a_game_goes_as_it_was_written_down(name, campaign):
    """If the change was meant: ``python tests/playthroughs.py`` writes them anew, and git shows what is different."""
    assert playthrough(name, campaign) == path_of(name, campaign).read_text()


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_texts_that_were_written_down_can_be_parsed(name, campaign):
    game = make_game(name, campaign=campaign, **OPTIONS_OF_CAMPAIGNS if campaign else {})
    texts = [line for line in path_of(name, campaign).read_text().splitlines() if line.startswith(f"{game.header} ")]
    for text in [*texts[::4], texts[-1]]:
        assert game.text(game.parse(text)) == text


def test_every_file_is_of_a_game():
    assert {path_of(*case) for case in CASES} == set(FOLDER.iterdir())

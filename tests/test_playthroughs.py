"""What games did when they were last looked at: the same states, masks, observations and rewards, whatever the version
of Python, NumPy and Numba."""

import pytest
from playthroughs import CASES, FOLDER, path_of, playthrough


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_a_game_goes_as_it_was_written_down(name, campaign):
    """If the change was meant: ``python tests/playthroughs.py`` writes them anew, and git shows what is different."""
    assert playthrough(name, campaign) == path_of(name, campaign).read_text()


def test_every_file_is_of_a_game():
    assert {path_of(*case) for case in CASES} == set(FOLDER.iterdir())

"""Statistics of random play."""

import pytest

from mancala_envs import make_game
from mancala_envs.evaluation.survey import playouts, survey


@pytest.mark.parametrize(("name", "campaign"), [("kalah", False), ("walak_pussa", False), ("walak_pussa", True)])
def test_survey(name, campaign):
    options = {"max_rounds": 3} if campaign else {}
    table = survey(make_game(name, campaign=campaign, **options), 20, 0)
    assert table == survey(make_game(name, campaign=campaign, **options), 20, 0)
    assert ("laps/turn" in table, "rounds" in table) == (name != "kalah", campaign)
    assert "by the rules" in table and "won by 0" in table


def test_turns_of_all_rounds_are_counted():
    game = make_game("walak_pussa", campaign=True, max_rounds=2)
    states, decisions, turns = playouts(game, 50, 3)
    # Between the rounds the deficient player takes one or two decisions, or none after an equal round.
    between = decisions - turns
    assert ((between >= 0) & (between <= 2)).all() and between.max() > 0
    assert (states["ended"] == 1).all()

"""Common rules of campaigns of Congkak and Pallanguzhi, in which players fill their holes with the seeds they own."""

import pytest
from helpers.hole_positions import settled

from mancala_envs import make_game

SEEDS = {"congkak": 98, "pallanguzhi": 84}
"""Seeds in play. A full hole holds a fourteenth of them."""
both = pytest.mark.parametrize("name", SEEDS)


@both
@pytest.mark.parametrize("winner", [0, 1])
def test_a_player_who_cannot_fill_a_hole_has_lost(name, winner):
    game, seeds = make_game(name, campaign=True), SEEDS[name]
    few = seeds // 14 - 1
    south = few if winner else seeds - few
    states, rewards = settled(south, game, round_number=2, opener=1, turn=7)
    s = states[0]
    assert (s.ended, s.winner, rewards) == (1, winner, [-1, 1] if winner else [1, -1])
    # The last board stays.
    assert (s.round_number, s.opener, s.turn, s.phase, s.store[1]) == (2, 1, 8, 0, seeds - south)
    assert s.seeds_owned.tolist() == [south, seeds - south]
    assert settled(seeds - few - 1, game)[0][0].ended == 0


@both
def test_houses_is_the_least_number_of_holes_to_fill(name):
    game, most = make_game(name, campaign=True, houses=3), SEEDS[name] * 11 // 14
    assert settled(most, game)[0][0].ended == 0
    assert settled(most + 1, game)[1] == [1, -1]
    with pytest.raises(ValueError, match="houses=8 is not allowed; a row has 7 holes"):
        make_game(name, campaign=True, houses=8)


@both
@pytest.mark.parametrize(("lead", "rewards"), [(1, [1, -1]), (-1, [-1, 1]), (0, [0, 0])])
def test_after_max_rounds_more_seeds_win(name, lead, rewards):
    game, south = make_game(name, campaign=True, max_rounds=2), SEEDS[name] // 2 + lead
    assert settled(south, game)[0][0].ended == 0
    assert settled(south, game, round_number=2)[1] == rewards


@both
def test_the_margin_of_a_campaign_is_the_lead_in_seeds(name):
    game, seeds = make_game(name, campaign=True, reward="margin"), SEEDS[name]
    margin = (seeds - 10) / seeds
    assert settled(seeds - 5, game)[1] == pytest.approx([margin, -margin])

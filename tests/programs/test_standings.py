"""The chances of winning a campaign from its standings: what a standing is, how chances follow, and the files."""

import json

import numpy as np
import pytest
from helpers.programs import run_program

from mancala_envs import make_game
from mancala_envs.evaluation.standings import Standings, load_standings, standings_for, standings_of
from mancala_envs.programs import files
from mancala_envs.registry import games_with_campaigns
from mancala_envs.scripts.maintenance.standings import main
from mancala_envs.studies import rounds
from mancala_envs.studies.rounds import OVER, Rounds, chances_of, estimate, explore, favourites

CEELKOQYUQKOQIJI = make_game("ceelkoqyuqkoqiji", campaign=True)


def in_debt(player):
    """Return Ceelkoqyuqkoqiji after player_0 has sold two holes and owes four stones, with this player to move."""
    return CEELKOQYUQKOQIJI.load(
        seed=1,
        sold_to=[1, 1] + [-1] * 8,
        holes=[0, 0] + [5] * 8,
        store=[0, 10],
        debt=[[0, 4], [0, 0]],
        round_number=5,
        to_move=player,
    )


def test_a_standing_is_that_of_the_player_who_starts():
    # Worth: stones, debts, and five for each hole owned; 15 - 4 + 3 * 5 against 25 + 10 + 4 + 7 * 5.
    assert standings_of(CEELKOQYUQKOQIJI, in_debt(0)).tolist() == [[3, 7, -48, 4]]
    assert standings_of(CEELKOQYUQKOQIJI, in_debt(1)).tolist() == [[7, 3, 48, -4]]
    qelat = make_game("qelat", campaign=True)
    assert standings_of(qelat, qelat.init(1, 0)).tolist() == [[6, 6, 0, 0]]


def test_chances_follow_from_the_last_round_backwards():
    standings = np.array([[6, 6, 0, 0], [7, 5, 2, 0]])
    # Of two rounds from the even standing one ends in a draw, and after the other one the opponent starts and leads.
    # Of two rounds from the other standing one wins, and after the other one the same player starts an even round.
    played = Rounds(
        standings,
        first=np.array([0, 0, 1, 1]),
        then=np.array([OVER, 1, OVER, 0]),
        result=np.array([0.5, 0.0, 1.0, 0.0]),
        swaps=np.array([False, True, False, False]),
    )
    found = chances_of(played, np.ones(4))
    assert found[0].tolist() == [(0.5 + 0) / 2, (1 + 0.5) / 2], "in the last round the lead in worth decides"
    assert found[1].tolist() == [(0.5 + 0.25) / 2, (1 + 0.25) / 2]
    assert found[2].tolist() == [(0.5 + 1 - 0.625) / 2, (1 + 0.375) / 2]
    assert chances_of(played, np.array([1.0, 3.0, 1.0, 1.0]))[0, 0] == 0.125, "weights"


def test_rounds_are_played_from_every_standing_that_comes_up():
    found = explore(make_game("daramutu", campaign=True), "greedy", 30, np.random.default_rng(1), lambda number: None)
    number = len(found.standings)
    assert (np.bincount(found.first) == 30).all() and len(np.unique(found.standings, axis=0)) == number > 10
    assert found.then.min() == OVER and set(found.then) - {OVER} <= set(range(number))
    # The player with fewer seeds starts, and cannot win the campaign in that round, only lose it; see the page.
    starts_behind = found.standings[found.first, 2] < 0
    assert starts_behind.any() and (found.standings[:, 2] <= 0).all()
    assert not found.result[starts_behind & (found.then == OVER)].any()


def test_rounds_from_one_standing_differ_in_chance():
    """Copies of a state that repeated its chance all drew the same player to start the next round."""
    found = explore(CEELKOQYUQKOQIJI, "random", 20, np.random.default_rng(1), lambda number: None)
    goes_on = found.then != OVER
    rounds, swaps = (np.bincount(found.first[goes_on], weights) for weights in (None, found.swaps[goes_on]))
    many = rounds >= 18
    assert many.sum() > 50 and ((swaps > 0) & (swaps < rounds))[many].all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qelat", "ceelkoqyuqkoqiji", "congkak"])
def test_whole_campaigns_agree_with_the_chances(name):
    """It finds swapped seats, a wrong number of rounds left, and missing parts of a standing."""
    game = make_game(name, campaign=True)
    found = favourites(game, estimate(game, "greedy", 1000, 3), 4000, 4)
    assert found["campaigns"] > 3800 and found["won"] == pytest.approx(found["expected"], abs=0.03)


@pytest.mark.parametrize("name", games_with_campaigns())
def test_the_package_has_chances_for_the_usual_campaigns(name):
    game = make_game(name, campaign=True)
    found = standings_for(game)
    assert found.agent == "expert:400" and found.rounds == 300 and found.chances.shape == (30, len(found.standings))
    assert ((found.low <= found.high) & (found.low >= 0) & (found.high <= 1)).all()
    assert np.corrcoef(found.standings[:, 2], found.chances[-1])[0, 1] > 0, "chances rise with the lead"
    if name == "ceelkoqyuqkoqiji":
        price, half = found.price_of_debt()
        assert 0 < price - half < price + half < 0.1, "debt costs chances"


def test_the_chance_of_a_state_depends_on_the_rounds_left():
    game = make_game("qelat", campaign=True)
    table = Standings("qelat(campaign=True)", "greedy", np.array([[6, 6, 0, 0]]), 1, *[np.array([[0.25], [0.5]])] * 3)
    states = game.init(3, 0)
    states["round_number"] = [300, 299, 2]
    assert table.chance(game, states).tolist() == [0.25, 0.5, 0.5]
    assert table.chance(game.header, states[1]).tolist() == [0.5]
    states = game.load(seed=1, owner=[0] * 7 + [1] * 5, owned=[7, 5], round_number=2)
    assert np.isnan(table.chance(game, states)).all()
    other = make_game("qelat", campaign=True, max_rounds=20)
    with pytest.raises(ValueError, match=r"the standings of qelat\(campaign=True\), not of qelat\(max_rounds=20"):
        table.chance(other, other.init(1, 0))
    with pytest.raises(ValueError, match=r"qelat\(campaign=True\) has no debts"):
        table.price_of_debt()
    short = make_game("qelat", campaign=True, max_rounds=3)
    with pytest.raises(ValueError, match="max_rounds must be at least 4, got qelat"):
        estimate(short, "greedy", 1, 0)
    for missing in (other, make_game("qelat")):
        with pytest.raises(ValueError, match="there are standings for campaigns of ceelkoqyuqkoqiji, congkak, "):
            standings_for(missing)


def test_the_program_writes_tables_and_pictures_and_installs(monkeypatch, tmp_path, capsys):
    package, out = tmp_path / "package", tmp_path / "out"
    package.mkdir()
    monkeypatch.setattr(rounds, "TABLES", package)
    few = ["ceelkoqyuqkoqiji", "--agent", "greedy", "--rounds", "10", "--campaigns", "20", "--install"]
    run_program(main, *few, "--out", out)
    saved = json.loads((out / files.RESULTS).read_text())["standings"]["ceelkoqyuqkoqiji"]
    found = load_standings(package / "ceelkoqyuqkoqiji.npz")
    assert saved["standings"] == len(found.standings) and found.agent == "greedy" and found.rounds == 10
    again = estimate(CEELKOQYUQKOQIJI, "greedy", 10, 0)
    assert (again.standings == found.standings).all()
    for name in ("chances", "low", "high"):
        np.testing.assert_allclose(getattr(again, name), getattr(found, name), atol=1e-4)
    assert "| Ceelkoqyuqkoqiji |" in capsys.readouterr().out
    assert (out / "ceelkoqyuqkoqiji.webp").stat().st_size > 1000

"""Kalah with captures even if the opposite hole is empty, as first solved: by the library and by another program."""

import pytest
from books import kalah_of_old
from solvers import stores

from mancala_envs.agents.solve import solve, solve_by_graph
from mancala_envs.agents.solve.database import compute_database
from mancala_envs.agents.solve.gains import Measure
from mancala_envs.agents.solve.proofs import Proofs
from mancala_envs.core.binding import in_python
from mancala_envs.game import Game


def of_old(**options):
    return Game(kalah_of_old.RULE_BOOK, "kalah_of_old", False, {"reward": "margin", **options})


def played(holes, action, mover=0):
    """Return holes, gains of the stores and whether the game is over, after `mover` lifts a hole on 2 x 3."""
    s = of_old(columns=3).load(holes=holes, store=[0, 24 - sum(holes)], to_move=mover)[0]
    before = s.store.tolist()
    in_python(kalah_of_old.RULE_BOOK.rules.play)(s, action)
    return s.holes.tolist(), [int(now) - then for now, then in zip(s.store, before, strict=True)], bool(s.ended)


def test_a_last_seed_is_captured_even_if_the_opposite_hole_is_empty():
    assert played([1, 0, 2, 1, 0, 1], 0) == ([0, 0, 2, 1, 0, 1], [1, 0], False)
    assert played([1, 0, 1, 1, 0, 1], 0, mover=1) == ([1, 0, 1, 0, 0, 1], [0, 1], False)
    # With the seeds opposite, if there are any.
    assert played([1, 0, 2, 1, 3, 1], 0) == ([0, 0, 2, 1, 0, 1], [4, 0], False)
    # The last seed of a row ends the game.
    assert played([1, 0, 0, 2, 0, 1], 0) == ([0, 0, 0, 2, 0, 1], [1, 0], True)


def test_nothing_is_captured_in_a_full_hole_or_in_the_other_row():
    assert played([1, 1, 0, 1, 0, 1], 0) == ([0, 2, 0, 1, 0, 1], [0, 0], False)
    assert played([1, 0, 2, 0, 0, 1], 2) == ([1, 0, 0, 1, 0, 1], [1, 0], False)


PUBLISHED = {1: "DLWLWD", 2: "WLLLWW", 3: "DWWWWL", 4: "WWWWWD", 5: "DDWW", 6: "WWW"}
"""Results for the first player by Irving, Donkers and Uiterwijk, by columns; letter k is for k + 1 seeds in a hole."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "seeds", "result"),
    [(columns, 1 + k, result) for columns, row in PUBLISHED.items() for k, result in enumerate(row)],
)
def test_values_of_small_games_are_those_published(columns, seeds, result):
    value = stores.Kalah(columns, seeds, into_empty=True).value()
    assert "DWL"[(value > 0) - (value < 0)] == result


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "seeds"), [(1, 3), (2, 2), (3, 2), (3, 4)])
def test_all_programs_compute_the_same_values_of_small_games(columns, seeds):
    game = of_old(columns=columns, seeds=seeds)
    expected = stores.Kalah(columns, seeds, into_empty=True).leads()
    found = solve(game).by_action
    assert found == solve_by_graph(game).by_action
    assert found == {hole: (value, value) for hole, value in expected.items()}


@pytest.mark.proof
def test_the_value_of_six_holes_of_four_seeds_is_ten():
    assert stores.Kalah(6, 4, into_empty=True).value() == 10
    game, memory = of_old(), 800 << 20
    measure, database = Measure.of(game), compute_database(game, 18, lambda number: None)
    proofs = Proofs(game, measure, memory - database.values.nbytes, database)
    first = measure.unbounded(game, game.init(1))
    assert proofs.bounds(first, (-measure.unit, measure.unit), lambda bounds: None) == (10, 10)

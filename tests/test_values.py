"""The values that docs/solved.md tells, by alpha-beta, and by programs that have nothing of the library."""

import leopard
import lines
import pytest
from rounds import Round
from test_solve import replayed

from mancala_envs import make_game
from mancala_envs.agents.solve import solve

KALAH = {(3, 4): 2, (3, 5): 6, (3, 6): -8, (4, 3): 6, (4, 4): 2, (4, 5): 4, (5, 2): 2, (5, 3): 6, (6, 2): 6}
"""By columns and seeds a hole, what the sweeps of test_solve leave out."""
ROUNDS = [
    *(("kalah", {"columns": columns, "seeds": seeds}, value) for (columns, seeds), value in KALAH.items()),
    ("qelat", {"columns": 3}, 0),
    ("qelat", {"columns": 4}, 8),
    ("daramutu", {"columns": 7}, 8),
    ("walak_pussa", {"columns": 7}, 6),
    ("kotu_baendum", {"columns": 4}, 8),
    ("kotu_baendum", {"columns": 5}, 8),
    ("puhulmutu", {"columns": 5}, -8),
    ("puhulmutu", {"columns": 6}, 0),
    ("zigulzoqge", {"columns": 4, "players": 2}, 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "value"), ROUNDS)
def test_rounds_are_worth_what_two_programs_say(name, options, value):
    game = make_game(name, reward="margin", **options)
    seeds = options.get("seeds", 5 if name == "zigulzoqge" else 4)
    once_more = Round(name, options["columns"], seeds)
    found = solve(game, line=name != "zigulzoqge")
    assert found.value == once_more.value() == value
    best = once_more.best(value)
    if name == "zigulzoqge":
        # He chooses the direction after the hole: no part of the same decision.
        best = sorted({action % options["columns"] for action in best})
    assert found.best == best
    assert not found.line or replayed(name, found.line, once_more.unit, **options) == value


def test_niranchy_is_won_by_the_fifth_man():
    board, corners = lines.lines(), [0, 3, 6]
    for men, won in ((4, []), (5, corners)):
        assert [point for point in (0, 1, 3, 4, 6, 7) if lines.forces(board, 0, 0, men, 1 << point)] == won
    assert not lines.forces(lines.lines(corners=False), 0, 0, 5)


@pytest.mark.slow
def test_niranchy_is_won_from_every_point():
    found = solve(make_game("niranchy"), line=False)
    assert found.best == list(range(24))


@pytest.mark.slow
@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("reach", [1, 2])
def test_the_leopard_wins_by_his_double_step(size, reach):
    game = make_game("koti_keliya", size=size, reach=reach)
    placed = leopard.winning(size, reach)
    assert placed == (list(range(size // 2, size * size // 2)) if reach == 2 else [])
    if size == 8:
        found = solve(game, line=False)
        assert found.value == (1 if placed else -1)
        assert found.best == (placed or list(range(size // 2, size * size // 2)))

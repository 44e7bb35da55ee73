"""The values of docs/solved.md, by the library's solvers and by programs that share no code with it."""

import pytest
from solvers import bestemshe, leopard, lines, stores
from solvers.retrograde import exhaustively, oracle, replayed, with_draws
from solvers.rounds import Round

from mancala_envs import make_game
from mancala_envs.agents.solve import solve, solve_by_graph
from mancala_envs.agents.solve.database import compute_database
from mancala_envs.agents.solve.gains import Measure
from mancala_envs.agents.solve.proofs import Proofs

ROUNDS = [
    ("qelat", {"columns": 3}, 0, [2]),
    ("qelat", {"columns": 4}, 8, [0]),
    ("daramutu", {}, 8, [4, 9]),
    ("walak_pussa", {}, 6, [1, 12]),
    ("kotu_baendum", {"columns": 4}, 8, [3, 4]),
    ("kotu_baendum", {"columns": 5}, 8, [4, 5]),
    ("kotu_baendum", {"columns": 6}, -6, [5, 6]),
    ("puhulmutu", {"columns": 5}, -8, [1, 2, 7, 8]),
    ("puhulmutu", {"columns": 6}, 0, [2, 9]),
    ("congkak", {"columns": 4, "seeds": 4}, 30, [3]),
    ("congkak", {"columns": 5, "seeds": 3}, 14, [2]),
    ("pallanguzhi", {"columns": 6, "seeds": 6}, 8, [3]),
    ("pallanguzhi", {"seeds": 6}, 2, [1]),
    ("zigulzoqge", {"columns": 4, "players": 2}, 0, [2, 5]),
]
"""Game, options, value and best actions of rounds that are too large for the solvers of test_solve.py."""


@pytest.mark.proof
@pytest.mark.parametrize(("name", "options", "value", "best"), ROUNDS)
def test_two_programs_agree_on_rounds(name, options, value, best):
    game = make_game(name, reward="margin", **options)
    seeds = options.get("seeds", 5 if name == "zigulzoqge" else 4)
    independent = Round(name, game.options["columns"], seeds)
    assert (independent.value(), independent.best(value)) == (value, best)
    found = solve(game, endless=True)
    # In Zigulzoqge the direction is a separate decision after the hole. Parker's boards are mirror-symmetric, so best
    # actions come in pairs.
    holes = sorted({action % game.options["columns"] for action in best}) if name == "zigulzoqge" else best
    assert (found.value, found.best) == (value, holes)
    if name != "zigulzoqge":
        assert replayed(name, found.line, independent.unit, **options) == value


@pytest.mark.proof
@pytest.mark.parametrize(
    ("columns", "seeds", "value", "best"),
    [
        (3, 4, 2, [0]), (3, 5, 6, [0]), (3, 6, -8, [0]),
        (4, 3, 6, [1]), (4, 4, 2, [0]), (4, 5, 4, [0]), (4, 6, 0, [1]),
        (5, 2, 2, [3]), (5, 3, 6, [2]), (5, 4, 10, [1]),
        (6, 2, 6, [4]), (6, 3, 2, [4]),
    ],
)  # fmt: skip
def test_two_programs_agree_on_kalah(columns, seeds, value, best):
    game = make_game("kalah", columns=columns, seeds=seeds, reward="margin")
    found = solve(game)
    assert (found.value, found.best) == (value, best)
    independent = stores.Kalah(columns, seeds).leads()
    assert found.by_action == {hole: (value, value) for hole, value in independent.items()}
    assert replayed("kalah", found.line, 2 * columns * seeds, columns=columns, seeds=seeds) == value


@pytest.mark.proof
def test_two_programs_agree_on_kalah_with_five_holes_of_five_seeds():
    assert stores.Kalah(5, 5, max_ending=18, slots=1 << 26).value() == 2
    game = make_game("kalah", columns=5, seeds=5, reward="margin")
    measure, database = Measure.of(game), compute_database(game, 20, lambda number: None)
    proofs, first = Proofs(game, measure, 1 << 30, database), measure.unbounded(game, game.init(1, 0))
    assert [proofs.reaches(first, goal, lambda: None) for goal in (2, 3)] == [True, False]


@pytest.mark.proof
@pytest.mark.parametrize(("seeds", "unit", "value"), [(2, 8 + 7 + 6, 15), (3, 12 + 7 + 6, 13)])
def test_three_programs_agree_on_a_small_round_of_ceelkoqyuqkoqiji(seeds, unit, value):
    name, options = "ceelkoqyuqkoqiji", {"columns": 2, "seeds": seeds, "first": "player_0"}
    game = make_game(name, reward="margin", **options)
    found = solve(game)
    assert (found.value, found.best) == (value, [1])
    assert found.by_action == solve_by_graph(game).by_action
    assert replayed(name, found.line, unit, **options) == value
    assert exhaustively(oracle(name, **options), unit) == (value, value)


DONGJINTIAN = {"rows": 2, "columns": 4, "seeds": 1, "players": 2}


@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "options", "value", "best"),
    [
        ("puhulmutu", {"columns": 4, "quiet_turns": 100}, 4, [1, 3, 4, 6]),
        # The four corners, which are equal by symmetry.
        ("dongjintian", {**DONGJINTIAN, "quiet_turns": 5}, 0, [0, 3, 4, 7]),
        ("dongjintian", {**DONGJINTIAN, "quiet_turns": 10}, 0, [0, 3, 4, 7]),
    ],
)
def test_two_solvers_agree_on_games_with_quiet_turns(name, options, value, best):
    game = make_game(name, reward="margin", **options)
    found = solve(game)
    assert (found.value, found.best) == (value, best)
    assert found.by_action == solve_by_graph(game, memory=3000).by_action


@pytest.mark.slow
def test_niranchy_is_won_with_the_fifth_man_from_corners_and_otherwise_with_the_eighth():
    board, corners = lines.lines(), [0, 3, 6]
    for men, won in ((4, []), (5, corners), (7, corners), (8, [0, 1, 3, 4, 6, 7])):
        assert [point for point in (0, 1, 3, 4, 6, 7) if lines.forces(board, 0, 0, men, 1 << point)] == won
    assert not lines.forces(lines.lines(corners=False), 0, 0, 5)


@pytest.mark.proof
def test_every_first_point_of_niranchy_wins():
    found = solve(make_game("niranchy"), line=False)
    assert found.best == list(range(24))


@pytest.mark.proof
@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("reach", [1, 2])
def test_the_leopard_wins_only_with_its_double_step(size, reach):
    game = make_game("koti_keliya", size=size, reach=reach)
    placed = leopard.winning(size, reach)
    assert placed == (list(range(size // 2, size * size // 2)) if reach == 2 else [])
    if size == 8:
        found = solve(game, line=False)
        assert found.value == (1 if placed else -1)
        assert found.best == (placed or list(range(size // 2, size * size // 2)))


BESTEMSHE = {
    2: [[-1, 0], [0, 0], [1, 1], [0, -1], [0, -1], [-1, 1], [1, -1], [0, -1]],
    3: [[-1, -1, -1], [0, 0, 0], [-1, -1, 1], [-1, -1, -1], [1, 1, -1]],
    4: [[-1, -1, -1, -1], [-1, -1, 0, 0]],
    5: [[-1, -1, -1, -1, -1]],
}
"""Results of all first actions: for each number of columns, with 1, 2, ... seeds per hole. Endless play is a draw."""


@pytest.mark.proof
@pytest.mark.parametrize(
    ("columns", "seeds", "results"),
    [(columns, 1 + k, results) for columns, row in BESTEMSHE.items() for k, results in enumerate(row)],
)
def test_small_boards_of_bestemshe_end_as_two_programs_say(columns, seeds, results):
    game = make_game("bestemshe", columns=columns, seeds=seeds)
    assert bestemshe.solve(columns, seeds) == results
    found = solve_by_graph(game, drawn=True, memory=3000)
    assert found.by_action == {hole: (result, result) for hole, result in enumerate(results)}
    if found.positions < 5000:
        lead = with_draws(oracle("bestemshe", columns=columns, seeds=seeds), 2 * columns * seeds)
        assert (lead > 0) - (lead < 0) == max(results)

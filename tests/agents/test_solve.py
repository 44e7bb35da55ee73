"""Exact values by the two solvers of the library, and by a third one that uses only the oracles."""

import copy
import json
import subprocess

import pytest
from books import tic_tac_toe
from helpers.kalah_positions import as_oracle, endings
from helpers.programs import command
from solvers.retrograde import exhaustively, oracle, replayed, with_draws

from mancala_envs import make_game
from mancala_envs.agents.solve import TooLarge, solve, solve_by_graph
from mancala_envs.agents.solve.gains import Measure
from mancala_envs.agents.solve.proofs import Proofs
from mancala_envs.evaluation.solving import as_json, as_text
from mancala_envs.game import Game

MOST_SEEDS = 8
"""The most seeds in an ending that the solver in plain Python can search."""


@pytest.mark.slow
def test_all_three_solvers_agree_on_endings_of_kalah():
    kalah = make_game("kalah", reward="margin")
    for state in (few for few in endings(20) if few["holes"].sum() <= MOST_SEEDS):
        ending = kalah.load(**{field: state[field][0] for field in ("holes", "store", "to_move")})
        expected = exhaustively(as_oracle(ending), 48)
        by_proofs, by_graph = solve(kalah, ending, memory=1), solve_by_graph(kalah, ending)
        assert by_proofs.bounds == by_graph.bounds == expected
        assert by_proofs.by_action == by_graph.by_action
        assert by_proofs.value == expected[0]
        assert by_proofs.best
        for action in by_proofs.line:
            rewards = kalah.step(ending, [action])
        assert ending["ended"][0]
        assert round(float(rewards[0, 0]) * 48) == by_proofs.value


@pytest.mark.slow
def test_tic_tac_toe_is_drawn():
    game = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
    for found in (solve(game), solve_by_graph(game)):
        assert found.value == 0
        assert found.best == list(range(9))
    # 5478 positions are known, 958 of them over; nothing is looked at twice.
    assert solve_by_graph(game).positions == 5478 - 958
    corner_and_edge = game.init(1, 0)
    game.step(corner_and_edge, [0])
    game.step(corner_and_edge, [1])
    assert solve(game, corner_and_edge).value == 1
    with pytest.raises(TooLarge, match="allow more memory"):
        solve_by_graph(game, memory=0.01)


def test_games_that_cannot_be_solved_are_refused():
    for game, why in (
        (make_game("pancha_keliya"), "has chance"),
        (make_game("dongjintian"), "does not have two players"),
        (make_game("qelat", campaign=True), "has chance"),
        (make_game("puhulmutu", campaign=True, round_reward=1.0), "pays for rounds"),
    ):
        with pytest.raises(ValueError, match=why):
            solve(game)


@pytest.mark.parametrize("name", ["kalah", "qelat"])
def test_the_transposition_table_uses_the_given_memory(name):
    memory = 3 << 20
    game = make_game(name, reward="margin")
    table = Proofs(game, Measure.of(game), memory).memory.tt
    taken = table.entries.nbytes + table.left_open.nbytes
    assert memory - 128 < taken <= memory
    # Kalah always ends, so its table needs no memory for unanswered questions.
    assert (len(table.left_open) == 0) == (name == "kalah")
    assert table.entries.ctypes.data % 64 == 0


TABLE = {1: [0, -2, 6, -2, 2, 0], 2: [2, -2, -2, -10, 6, 8], 3: [0, 4, 2], 4: [2, 6], 5: [0], 6: [2]}
"""Values of Kalah: for each number of columns, with 1, 2, ... seeds per hole."""
SMALL = [
    ("kalah", {"columns": columns, "seeds": 1 + k}, v) for columns, row in TABLE.items() for k, v in enumerate(row)
]
SMALL += [("qelat", {"columns": 2}, 4), ("qelat", {"columns": 2, "reading": "summary"}, 4)]
CONGKAK = [(2, 2, 8), (2, 3, 12), (3, 2, 6), (3, 3, 8), (3, 4, 22), (4, 2, 6), (4, 3, 22), (4, 4, 30), (5, 2, 16)]
PALLANGUZHI = [
    *((2, 2, 8), (2, 3, -4), (3, 2, 10), (3, 3, 2), (3, 4, -6)),
    *((3, 6, 4), (4, 4, 8), (4, 6, 2), (5, 4, 0), (5, 6, 12)),
]
"""Columns, seeds in a hole and value."""
SMALL += [
    (name, {"columns": columns, "seeds": seeds}, value)
    for name, table in (("congkak", CONGKAK), ("pallanguzhi", PALLANGUZHI))
    for columns, seeds, value in table
]


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [pytest.param(*case, marks=pytest.mark.proof if k % 4 else pytest.mark.slow) for k, case in enumerate(SMALL)],
)
def test_all_three_solvers_agree_on_small_games(name, options, value):
    game = make_game(name, reward="margin", **options)
    unit = 2 * game.options["columns"] * game.options.get("seeds", 4)
    by_proofs, by_graph = solve(game, endless=True), solve_by_graph(game, endless=True)
    assert by_proofs.value == by_graph.value == value
    assert by_proofs.by_action == by_graph.by_action
    assert replayed(name, by_proofs.line, unit, **options) == value
    if by_graph.positions < 15_000:
        if name == "pallanguzhi":
            assert exhaustively(oracle(name, **options, **UNBOUNDED), unit, seeds_at_stake) == (value, value)
        else:
            assert exhaustively(oracle(name, **options), unit) == (value, value)


def seeds_at_stake(position):
    """Return the lead of player 0 in the stores, and the seeds in the holes."""
    return position.store[0] - position.store[1], sum(position.holes)


@pytest.mark.slow
@pytest.mark.parametrize("capture", ["inner", "both"])
def test_hus_on_two_columns_is_won_by_the_first_player(capture):
    options = {"columns": 2, "capture": capture}
    game = make_game("hus", reward="margin", **options)
    by_proofs, by_graph = solve(game), solve_by_graph(game)
    assert by_proofs.by_action == by_graph.by_action == {0: (-12, -12), 1: (-12, -12), 2: (12, 12)}
    assert replayed("hus", by_proofs.line, 12, **options) == 12
    assert exhaustively(oracle("hus", **options), 12) == (12, 12)


UNBOUNDED = {"quiet_turns": 10**6, "max_turns": 10**6}
"""Bounds that only repetition can reach."""

ENDLESS = [
    (1, [1, 3, 0, 2, 2, 0, 0, 1, 1, 0, 3, 2, 1, 0], (8, 8), 8),
    (2, [1, 0, 0, 3, 1, 1], (-16, -16), -16),
    (2, [0, 2, 1, 1, 2, 0, 3, 3, 2, 1, 3, 3, 2], (-16, -8), -8),
    (2, [0, 2, 2, 2, 1, 1, 3, 1, 2, 1, 0], (-16, -8), 0),
    (2, [5, 5, 7, 7, 5, 7], (-8, -8), 0),
    (1, [5, 7, 6, 6, 7, 6, 5, 7], (0, 8), 0),
]
"""Puhulmutu on 4 columns: seeds per hole, a line of play, player 0's gain after it if the value of endless play is left
open, and if endless play is a draw. In a draw, seeds captured earlier count for nothing."""


@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "line", "bounds", "value"), ENDLESS)
def test_endless_play_can_be_a_draw(seeds, line, bounds, value):
    name, options, unit = "puhulmutu", {"columns": 4, "seeds": seeds}, 8 * seeds
    game, position = make_game(name, reward="margin", **options), oracle(name, **options, **UNBOUNDED)
    state = game.init(1, 0)
    for action in line:
        game.step(state, [action])
        position.play(action)
    assert solve_by_graph(game, state, endless=True).bounds == bounds
    found = solve_by_graph(game, state, endless=True, drawn=True)
    assert found.value == with_draws(position, unit) == value
    for action, after in found.by_action.items():
        further = copy.deepcopy(position)
        further.play(action)
        gained = round(further.rewards[0] * unit) if further.ended else with_draws(further, unit)
        assert after == (gained, gained)


@pytest.mark.proof
def test_the_value_of_kalah_is_the_published_one():
    # More than three minutes of CPU time. +8 for these rules: M. Rawlings (2015).
    found = solve(make_game("kalah", reward="margin"), memory=700, line=False)
    assert (found.value, found.best) == (8, [2])
    # tests/solvers/stores.py gives the same values, in two minutes.
    assert found.by_action == {hole: (value, value) for hole, value in enumerate([-14, -10, 8, -2, -8, 4])}


@pytest.mark.slow
def test_a_line_of_best_play_ends_where_a_position_repeats():
    game = make_game("bestemshe(columns=2,seeds=3)")
    found = solve(game)
    # Every action that keeps the win is as good as another, so play can return to an earlier position.
    assert found.value == 1 and found.repeats is not None and found.repeats < len(found.line) < 50
    state, reached = game.init(1, 0), []
    for action in found.line:
        reached.append(state["holes"][0].tolist())
        game.step(state, [action])
    again = state["holes"][0].tolist()
    assert again == reached[found.repeats] and reached.count(again) == 1
    assert as_text(game, found).splitlines()[-2].endswith(f", the same position as after {found.repeats} decisions")
    assert json.loads(as_json(found))["repeats"] == found.repeats
    assert solve(make_game("kalah(columns=2,seeds=2)")).repeats is None


@pytest.mark.slow
def test_the_program_prints_its_results_as_json():
    program = command("scripts/solve.py", "kalah", "--option", "seeds=1", "--json")
    found = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)
    assert (found["value"], found["proven"]) == (2, True)
    assert set(found["best"]) == {int(hole) for hole, value in found["values"].items() if value == 2}


def test_the_program_refuses_drawn_without_the_graph():
    program = command("scripts/solve.py", "kalah", "--drawn")
    refused = subprocess.run(program, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "drawn needs the graph" in refused.stderr

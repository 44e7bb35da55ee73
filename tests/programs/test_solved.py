"""Solved positions: their file, its two parts, the scores of agents, and the program that writes it."""

import numpy as np
import pytest
from helpers.programs import run_program
from solvers import repeating, stores

from mancala_envs import make_game
from mancala_envs.agents.solve import solve_by_graph
from mancala_envs.core.engine import IllegalAction
from mancala_envs.evaluation import score_solved, solved, solved_positions
from mancala_envs.evaluation.solved import ILLEGAL, PARTS, SOLVED_GAMES, TRAIN, Solved, score_of
from mancala_envs.scripts import evaluate as evaluate_program
from mancala_envs.scripts.maintenance import solved as solved_program
from mancala_envs.studies import sampling

GAMES = [pytest.param(name, marks=() if name == "kalah" else pytest.mark.slow) for name in SOLVED_GAMES]


@pytest.mark.parametrize("name", GAMES)
def test_the_parts_have_different_positions_with_values_of_all_legal_actions(name):
    parts = [solved_positions(name, part) for part in PARTS]
    keys = [set(sampling.keys(part.game, part.states)) for part in parts]
    assert len(parts[0]) + len(parts[1]) == sampling.SOURCES[name].number
    assert len(keys[0]) == len(parts[0]) == len(parts[1]) == len(keys[1]) and not keys[0] & keys[1]
    for part in parts:
        assert ((part.values != ILLEGAL) == part.game.legal(part.states)).all()
        assert (np.where(part.values == ILLEGAL, 127, part.values).min(1) < part.best).all(), "a choice matters"
        part.game.check(part.states[:200])


def test_images_of_a_position_have_one_key():
    kalah, niranchy = make_game("kalah"), make_game("niranchy")
    holes = [0, 2, 0, 4, 1, 5, 3, 0, 0, 2, 6, 1]
    south = kalah.load(holes=holes, store=[13, 11])
    north = kalah.load(holes=holes[6:] + holes[:6], store=[10, 14], to_move=1)
    other = kalah.load(holes=holes[6:] + holes[:6], store=[13, 11])
    of_south, of_north, of_other = (sampling.keys(kalah, each)[0] for each in (south, north, other))
    assert of_south == of_north != of_other
    corners = [[int(point == corner) for point in range(24)] for corner in (0, 2, 1)]
    first, image, middle = (
        sampling.keys(niranchy, niranchy.load(board=board, hand=[11, 12], to_move=1))[0] for board in corners
    )
    assert first == image != middle


def test_scores_count_results_and_regret():
    game = make_game("kalah")
    values = np.full((3, game.num_actions), ILLEGAL, np.int8)
    values[0, :3] = 5, 3, -1
    values[1, 3:] = -2, -2, -7
    values[2, 1:3] = 0, -1
    found = Solved(game, game.init(3, 0), values)
    assert found.matters.tolist() == [True, False, True], "all actions lose the second position"
    score = score_of(found, np.array([1, 5, 2]))
    assert (score.positions, score.matters, score.kept) == (3, 2, 1) and score.share == 0.5
    assert score.regret == pytest.approx((2 + 5 + 1) / 3) and score.unit == "seeds"
    low, high = score.regret_interval
    assert low < score.regret < high and low + high == pytest.approx(2 * score.regret)
    assert score_of(found, np.array([0, 3, 1])).regret_interval == (0, 0)
    assert "keeps the result in 50.0% [" in str(score) and "2 positions; mean regret 2.667 [" in str(score)


def test_policies_of_every_kind_are_scored():
    found = solved_positions("kalah")
    best = (found.values == found.best[:, None]).argmax(1)

    class Oracle:
        def act(self, states, seed):
            return best[: len(states)]

    def masks_only(observations, masks):
        return masks.argmax(1)

    perfect, leftmost, random, greedy = (score_solved(p, "kalah") for p in (Oracle(), masks_only, "random", "greedy"))
    assert perfect.share == 1 and perfect.regret == 0
    assert random.share < greedy.share < 1 and random.regret > greedy.regret > 0
    assert leftmost.positions == 5000 and score_solved("random", "kalah", seed=0) == random != score_solved(
        "random", "kalah", seed=1
    )
    assert score_solved("greedy", "kalah", positions=200).positions == 200
    assert score_solved("greedy", "kalah", TRAIN).regret != greedy.regret


@pytest.mark.parametrize("action", [-1, 6, None])
def test_an_illegal_choice_is_an_error(action):
    values = solved_positions("kalah").values
    chosen = np.where(values[:, 0] == ILLEGAL, 0, -9) if action is None else np.full(len(values), action)
    with pytest.raises(IllegalAction, match=r"of game .* is illegal: legal are"):
        score_solved(lambda observations, masks: chosen, "kalah")


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="no solved positions of 'bao'; there are some of kalah, "):
        score_solved("greedy", "bao")
    with pytest.raises(ValueError, match="part must be one of 'train', 'test', got 'all'"):
        solved_positions("kalah", "all")
    for number in (0, 5001, True):
        with pytest.raises(ValueError, match=f"positions must lie in 1..5000, got {number}"):
            score_solved("greedy", "kalah", positions=number)


def test_damaged_values_are_refused(monkeypatch):
    arrays = solved.read("kalah")
    arrays["values"][7, arrays["values"][7].argmax()] -= 1
    monkeypatch.setattr(solved, "read", lambda name: arrays)
    with pytest.raises(ValueError, match="of kalah are damaged"):
        solved_positions("kalah")


def test_the_program_scores_one_game(capsys):
    run_program(evaluate_program.main, "greedy", "--solved", "--game", "mancala_envs/Kalah-v0")
    assert capsys.readouterr().out == f"greedy in Kalah {score_solved('greedy', 'kalah')}\n"


# Slow: the positions are those of the program, and other programs find the same values.


@pytest.mark.slow
def test_the_program_writes_the_positions_of_the_file(tmp_path, capsys):
    out, chosen = tmp_path / "solved.npz", [name for name in SOLVED_GAMES if name != "kalah"]
    run_program(solved_program.main, *chosen, "--positions", 30, "--out", out)
    printed = capsys.readouterr().out
    with np.load(out) as arrays:
        for name in SOLVED_GAMES:
            number = 30 if name in chosen else None
            written = {key.partition(".")[2]: arrays[key] for key in arrays.files if key.startswith(f"{name}.")}
            expected = solved.read(name)
            assert written["values"].tolist() == expected["values"][:number].tolist()
            assert all((array == expected[field][:number]).all() for field, array in written.items())
            assert name not in chosen or f"{name}: {solved.checksum(written)}\n" in printed


@pytest.mark.proof
def test_another_program_finds_the_values_of_kalah():
    solver, found = stores.Kalah(6, 4), solved_positions("kalah")
    for index in range(60):
        state, values = found.states[index], found.values[index]
        mover = int(state["to_move"])
        lead = int(state["store"][mover]) - int(state["store"][1 - mover])
        leads = {hole: lead + gain for hole, gain in solver.leads(np.roll(state["holes"], -6 * mover)).items()}
        legal = np.flatnonzero(values != ILLEGAL)
        assert leads == dict(zip(legal, values[legal], strict=True)), found.game.text(found.states[index : index + 1])


@pytest.mark.proof
def test_another_program_finds_the_values_of_oware():
    """Only positions with few seeds in the holes: the program is slow, because it keeps no values."""
    solver, found = repeating.Oware(**SOLVED_GAMES["oware"].options), solved_positions("oware")
    fewest = np.argsort(found.states["holes"].sum(1), kind="stable")[:12]
    for state, values in zip(found.states[fewest], found.values[fewest], strict=True):
        leads = solver.by_action(tuple(state["holes"].tolist()), tuple(state["store"].tolist()), int(state["to_move"]))
        assert leads == {int(action): int(values[action]) for action in np.flatnonzero(values != ILLEGAL)}


@pytest.mark.proof
@pytest.mark.parametrize("name", ["qelat", "bestemshe", "daramutu", "niranchy"])
def test_the_graph_has_the_same_values(name):
    found, counted = solved_positions(name), make_game(name, **SOLVED_GAMES[name].options, reward="margin")
    pieces = found.states["hand" if name == "niranchy" else "holes"].sum(1)
    order = np.argsort(pieces, kind="stable")
    for index in order[np.linspace(0, len(order) // 20, 12).astype(int)]:
        state = sampling.paid_by_margin(counted, np.asarray(found.states[index : index + 1]))
        graph, values = solve_by_graph(counted, state), found.values[index]
        leads = {a: (-1) ** graph.to_move * low for a, (low, high) in graph.by_action.items() if low == high}
        assert leads == {int(action): int(values[action]) for action in np.flatnonzero(values != ILLEGAL)}

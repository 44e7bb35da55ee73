"""`evaluate`: the policies and opponents it takes, seats, seeds, and the program."""

import random
import subprocess
import sys

import numpy as np
import pytest
from helpers.programs import ROOT

from mancala_envs import IllegalAction, make_game
from mancala_envs.agents import Mixture
from mancala_envs.scripts.evaluate import main
from mancala_envs.wrappers import Score, evaluate


def first(observations, masks):
    return masks.argmax(axis=1)


def test_scores_have_a_confidence_interval():
    score = Score(wins=90, draws=20, losses=10)
    low, high = score.interval
    # Wilson's interval for 90 of 100, by hand: (0.9 + 0.0192 +- 1.96 * sqrt(0.0009 + 0.0000960)) / 1.0384
    assert low == pytest.approx(0.8256, abs=1e-3)
    assert high == pytest.approx(0.9448, abs=1e-3)
    assert score.games == 120
    assert (score + score).win_rate == score.win_rate == 0.9
    assert Score(0, 5, 0).interval == (0.0, 1.0)


def test_scores_split_by_seat_and_add_up():
    one = Score(3, 1, 0, {0: Score(2, 0, 0), 1: Score(1, 1, 0)})
    other = Score(0, 0, 4, {1: Score(0, 0, 4)})
    both = one + other
    assert (both.wins, both.draws, both.losses) == (3, 1, 4)
    assert both.seats == {0: Score(2, 0, 0), 1: Score(1, 1, 4)}
    assert str(both).endswith("(3 wins, 1 draw, 4 losses); seat 0 100.0%, seat 1 20.0%")
    assert [(seat["seat"], seat["losses"]) for seat in both.as_dict()["seats"]] == [(0, 0), (1, 4)]
    assert "seats" not in Score(1, 0, 0).as_dict()
    assert hash(one) == hash(Score(3, 1, 0))


def test_a_score_warns_if_most_games_repeat_others():
    """Two agents without randomness play the same game from each seat; every game of two random agents is different."""
    repeated = evaluate(first, "kalah", first, games=40)
    assert [score.repeated for score in (repeated, *repeated.seats.values())] == [38, 19, 19]
    warning = "; only 2 of 40 games are distinct, but the interval counts all as independent"
    assert str(repeated).endswith(warning) and repeated.as_dict()["repeated"] == 38
    varied = evaluate("random", "kalah", "random", games=40)
    assert varied.repeated == 0 and "distinct" not in str(varied) and "repeated" not in varied.as_dict()
    assert (repeated + varied).repeated == 38 and "distinct" not in str(repeated + varied)


def test_games_that_differ_only_at_the_end_are_distinct():
    """On a board of two holes with one seed each a game lasts few decisions; perft counts the games."""
    small, played = make_game("kalah", columns=2, seeds=1), set()

    def follow(state, actions):
        if state["to_move"][0] < 0:
            played.add(actions)
            return
        for action in np.flatnonzero(small.legal(state)[0]):
            after = state.copy()
            small.step(after, [action])
            follow(after, (*actions, int(action)))

    follow(small.init(1, 0), ())
    score = evaluate("random", small, "random", seats=0, games=2000)
    assert score.games - score.repeated == len(played) > 2


@pytest.mark.parametrize(("name", "players"), [("kalah", 2), ("dongjintian", 4)])
def test_seats_are_played_equally_often(name, players):
    score = evaluate("random", name, games=4 * players + 1, seed=1)
    assert {seat: part.games for seat, part in score.seats.items()} == {0: 5} | dict.fromkeys(range(1, players), 4)
    assert sum(score.seats.values(), Score(0, 0, 0)) == Score(score.wins, score.draws, score.losses)


def test_fewer_games_than_seats_take_the_first_seats_and_a_number_is_one_seat():
    assert set(evaluate("random", "kalah", games=1).seats) == {0}
    assert {seat: part.games for seat, part in evaluate("random", "kalah", seats=1, games=6).seats.items()} == {1: 6}


def test_both_sides_may_be_a_name_or_a_callable():
    strong = evaluate("greedy", "kalah", first, games=100)
    weak = evaluate(first, "kalah", "greedy", games=100)
    assert strong.interval[0] > 0.5 > weak.interval[1]
    assert evaluate("greedy", "kalah", Mixture(("random", first)), games=20).games == 20
    assert evaluate("random", "kalah", ["greedy"], games=50).interval[1] < 0.5


def test_a_game_may_be_named_by_its_id():
    assert evaluate("random", "mancala_envs/Kalah-v0", games=30) == evaluate("random", "kalah", games=30)
    arguments = {"games": 4, "max_rounds": 1}
    campaigns = evaluate("random", "mancala_envs/QelatCampaign-v0", **arguments)
    assert campaigns == evaluate("random", "qelat", campaign=True, **arguments)
    with pytest.raises(ValueError, match="there is no game 'CartPole-v1'"):
        evaluate("random", "CartPole-v1")


def global_random(observations, masks):
    """Draw from the global generators of NumPy and Python."""
    drawn = np.random.random(masks.shape) + random.random()
    return (masks * drawn).argmax(axis=1)


@pytest.mark.parametrize("policy", ["random", "greedy", global_random])
def test_the_same_seed_gives_the_same_score(policy):
    def score(seed):
        return evaluate(policy, "kalah", policy, games=60, seed=seed)

    assert score(1) == score(1) != score(2)


def test_the_state_of_global_generators_is_restored():
    states = random.getstate(), np.random.get_state()[1].copy()
    evaluate(global_random, "kalah", games=4)
    assert random.getstate() == states[0]
    np.testing.assert_array_equal(np.random.get_state()[1], states[1])


def test_errors_name_the_argument_and_what_is_allowed(tmp_path):
    with pytest.raises(ValueError, match=r"policy must be .* got 'wallak.zip'; there is no such file"):
        evaluate("wallak.zip", "kalah")
    with pytest.raises(ValueError, match=r"opponent must be .*none.zip'\); there is no such file"):
        evaluate("random", "kalah", tmp_path / "none.zip")
    with pytest.raises(ValueError, match=r"opponent must be .* got 'wallak.zip'; there"):
        evaluate("random", "kalah", Mixture(("random", "wallak.zip")))
    with pytest.raises(ValueError, match=r"seats must be 'balanced' or 0..1, got 2"):
        evaluate("random", "kalah", seats=2)
    with pytest.raises(ValueError, match=r"seats must be .balanced. or 0..1, got .random."):
        evaluate("random", "kalah", seats="random")
    with pytest.raises(ValueError, match="games must be an integer of at least 1, got 0"):
        evaluate("random", "kalah", games=0)
    with pytest.raises(IllegalAction):
        evaluate(lambda observations, masks: masks.argmin(axis=1), "kalah")


def program(*arguments):
    command = [sys.executable, str(ROOT / "scripts" / "evaluate.py"), *arguments]
    return subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=300)


def test_the_program_prints_the_score():
    done = program("greedy", "random", "--game", "kalah", "--games", "40", "--seed", "3")
    assert done.stdout == f"greedy against random: {evaluate('greedy', 'kalah', games=40, seed=3)}\n", done.stderr


def test_the_program_plays_one_seat_of_a_game_by_its_id(monkeypatch, capsys):
    arguments = ("greedy", "random", "--game", "mancala_envs/Kalah-v0", "--games", "9", "--seat", "1")
    monkeypatch.setattr(sys, "argv", ["evaluate.py", *arguments])
    main()
    printed = capsys.readouterr().out
    assert "seat" not in printed and printed.startswith("greedy against random: win rate ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("wallak.zip", "random", "--game", "kalah"), "there is no such file"),
        (("greedy", "random", "--game", "chess"), "there is no game 'chess'"),
        (("greedy", "random", "--game", "kalah", "--option", "rows=3"), "no option 'rows'"),
        (("greedy", "random", "--game", "kalah", "--games", "0"), "must be at least 1, got 0"),
    ],
)
def test_the_program_reports_errors_without_a_traceback(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["evaluate.py", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code != 0 and message in capsys.readouterr().err

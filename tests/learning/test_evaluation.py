"""`evaluate`: the policies and opponents it takes, seats, seeds, and the program."""

import random

import numpy as np
import pytest
from helpers.forms import slowly
from helpers.olinda_positions import last_lift
from helpers.programs import run_program, run_python

from mancala_envs import IllegalAction, make_game
from mancala_envs.agents import Agent, Mixture
from mancala_envs.envs.match import Match
from mancala_envs.evaluation import Score, evaluate
from mancala_envs.evaluation.score import _play as play_all
from mancala_envs.scripts.evaluate import main


def first(observations, masks):
    return masks.argmax(axis=1)


def test_scores_have_points_and_a_confidence_interval():
    score = Score(wins=89, draws=0, losses=9)
    # With one win and one loss more, by hand: 0.9 +- 1.96 * sqrt(0.9 * 0.1 / 99).
    assert score.interval == pytest.approx((0.8409, 0.9591), abs=1e-4)
    assert Score(wins=1, draws=2, losses=1).points == Score(0, 0, 0).points == 0.5
    assert Score(90, 20, 10).games == 120 and Score(90, 20, 10).points == pytest.approx(100 / 120)
    assert (score + score).points == score.points
    assert Score(0, 0, 0).interval == (0.0, 1.0)
    assert Score(200, 0, 0).interval[0] < 1 == Score(200, 0, 0).interval[1]


@pytest.mark.parametrize("agent", ["greedy", "mcts:20"])
def test_an_agent_decides_by_the_seed_of_each_game_whatever_the_batch(agent):
    game, seeds = make_game("kalah"), np.arange(8, dtype=np.uint64)
    player = Agent(game, agent)

    def results(chosen):
        return play_all(player, Match(game, len(chosen), "random", 0, "raise"), chosen)[0].tolist()

    together = results(seeds)
    assert together == [results(seeds[k : k + 1])[0] for k in range(8)]


def test_the_games_from_one_opening_count_as_one_result():
    """Every opening is won from one seat and lost from the other: the points of every opening are the same."""
    seats = {0: Score(50, 0, 0), 1: Score(0, 0, 50)}
    paired = Score(50, 0, 50, seats, by_opening=(0.5,) * 50)
    low, high = paired.interval
    assert high - low < 0.1 < 0.2 > Score(50, 0, 50).interval[1] - Score(50, 0, 50).interval[0] > 0.15
    both = paired + Score(1, 1, 0)
    assert both.by_opening == (0.5,) * 50 + (1.0, 0.5) and both.games == 102


def test_intervals_cover_the_expected_points_95_percent_of_the_time():
    """Of the openings half favour the first seat, so that the two games from one opening depend on each other."""
    chance, covered, expected = np.random.default_rng(0), 0, 0.6
    for _ in range(2000):
        favoured = chance.random(60) < 0.5
        wins = [chance.random(60) < np.where(favoured, expected + side, expected - side) for side in (0.35, -0.35)]
        counts = [(int(won.sum()), 0, int((~won).sum())) for won in wins]
        seats = {seat: Score(*count) for seat, count in enumerate(counts)}
        won, drawn, lost = map(sum, zip(*counts, strict=True))
        low, high = Score(won, drawn, lost, seats, by_opening=tuple(np.mean(wins, axis=0))).interval
        covered += low <= expected <= high
    assert 0.935 < covered / 2000 < 0.97


def test_scores_split_by_seat_and_add_up():
    one = Score(3, 1, 0, {0: Score(2, 0, 0), 1: Score(1, 1, 0)})
    other = Score(0, 0, 4, {1: Score(0, 0, 4)})
    both = one + other
    assert (both.wins, both.draws, both.losses) == (3, 1, 4)
    assert both.seats == {0: Score(2, 0, 0), 1: Score(1, 1, 4)}
    assert str(both).endswith("(3 wins, 1 draw, 4 losses); seat 0 100.0%, seat 1 25.0%")
    assert [(seat["seat"], seat["losses"]) for seat in both.as_dict()["seats"]] == [(0, 0), (1, 4)]
    assert "seats" not in Score(1, 0, 0).as_dict()
    assert hash(one) == hash(Score(3, 1, 0))


def test_a_score_warns_if_most_games_repeat_others():
    """Two agents without randomness play the same game from each seat; every game of two random agents is different."""
    repeated = evaluate(first, "kalah", first, games=40, opening=0)
    assert [score.repeated for score in (repeated, *repeated.seats.values())] == [38, 19, 19]
    warning = "; only 2 of 40 games are distinct, but the interval counts repetitions as new results"
    assert str(repeated).endswith(warning) and repeated.as_dict()["repeated"] == 38
    varied = evaluate("random", "kalah", "random", games=40)
    assert varied.repeated == 0 and "distinct" not in str(varied) and "repeated" not in varied.as_dict()
    assert evaluate(first, "kalah", first, games=40, opening=(4, 8)).repeated < 10
    assert (repeated + varied).repeated == 38 and "distinct" not in str(repeated + varied)


@pytest.mark.slow
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
    score = evaluate("random", small, "random", seats=0, games=2000, opening=0)
    assert score.games - score.repeated == len(played) > 2


@pytest.mark.parametrize(("name", "players"), [("kalah", 2), *slowly(("dongjintian", 4))])
def test_every_opening_is_played_from_every_seat(name, players):
    score = evaluate("random", name, games=4 * players + 1, seed=1)
    assert {seat: part.games for seat, part in score.seats.items()} == dict.fromkeys(range(players), 5)
    total = sum(score.seats.values(), Score(0, 0, 0))
    assert (score.wins, score.draws, score.losses) == (total.wins, total.draws, total.losses)
    assert len(score.by_opening) == 5 and np.mean(score.by_opening) == pytest.approx(score.points)


def test_a_seat_is_played_from_openings_of_its_own():
    score = evaluate("random", "kalah", seats=1, games=6)
    assert {seat: part.games for seat, part in score.seats.items()} == {1: 6} and not score.by_opening


OWARE = make_game("oware")
"""Every decision is a turn, so `turn` counts the decisions."""


def first_states(**arguments):
    """The states before a policy's first decisions, from each seat, and the score."""
    seen = []

    class Watcher:
        takes_seeds = True

        def act(self, states, seeds):
            seen.append(states.copy())
            return OWARE.legal(states).argmax(axis=1)

    score = evaluate(Watcher(), OWARE, "random", **arguments)
    # Only games in play are asked for, so there are more of them again when the next seat begins.
    begun = [states for before, states in zip([[], *seen], seen, strict=False) if len(states) > len(before)]
    return begun, score


def test_both_seats_begin_with_the_same_openings():
    (first_seat, second_seat), _ = first_states(games=40, opening=4)
    assert (first_seat.turn == 4).all() and (second_seat.turn == 5).all()
    assert len({holes.tobytes() for holes in first_seat.holes}) > 15
    # The second seat sees the opening after one reply of the opponent.
    for opened, replied in zip(first_seat, second_seat, strict=True):
        after = np.repeat(opened.reshape(1) if opened.shape else np.array([opened]), 6).view(np.recarray)
        legal = np.flatnonzero(OWARE.legal(after[:1])[0])
        OWARE.step(after[: len(legal)], legal)
        assert replied.holes.tolist() in after.holes[: len(legal)].tolist()


@pytest.mark.parametrize("opening", [0, 3, (2, 5), OWARE.init(4, 1, opening=7)], ids=["0", "3", "2-5", "positions"])
def test_evaluate_takes_every_opening(opening):
    (first_seat, _), score = first_states(games=30, opening=opening)
    turns = {0: {0}, 3: {4}, (2, 5): {2, 4, 6}}.get(opening if isinstance(opening, int | tuple) else None, {8})
    assert score.games == 30 and set(first_seat.turn) <= turns


def test_games_that_opponents_end_before_the_policys_first_decision_count():
    """Player 1 wins with their only action, so seat 0 loses without a decision and seat 1 wins."""
    game = make_game("daramutu", campaign=True, max_rounds=4)
    score = evaluate("random", game, "random", games=10, opening=last_lift(game, 22, 34, round_number=4))
    assert score.seats == {0: Score(0, 0, 5, repeated=4), 1: Score(5, 0, 0, repeated=4)}


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


def test_later_rounds_of_campaigns_can_begin_with_random_decisions():
    def first_legal(observations, masks):
        return masks.argmax(axis=1)

    how = {"opponent": first_legal, "games": 20, "opening": 0, "campaign": True, "max_rounds": 3}
    usual = evaluate(first_legal, "qelat", **how)
    varied, again = (evaluate(first_legal, "qelat", **how, each_round=2) for _ in range(2))
    assert len(set(usual.by_opening)) == 1 < len(set(varied.by_opening)) and varied == again
    assert [score.games for score in varied.seats.values()] == [10, 10]
    assert evaluate(first_legal, "qelat", **how, each_round=2, seats=1).games == 20


def test_errors_name_the_argument_and_what_is_allowed(tmp_path):
    with pytest.raises(ValueError, match=r"an agent must be .* got 'wallak.zip'; there is no such file"):
        evaluate("wallak.zip", "kalah")
    with pytest.raises(ValueError, match=r"an agent must be .*none.zip'; there is no such file"):
        evaluate("random", "kalah", tmp_path / "none.zip")
    with pytest.raises(ValueError, match=r"an agent must be .* got 'wallak.zip'; there"):
        evaluate("random", "kalah", Mixture(("random", "wallak.zip")))
    with pytest.raises(ValueError, match=r"seats must be 'balanced' or 0..1, got 2"):
        evaluate("random", "kalah", seats=2)
    with pytest.raises(ValueError, match=r"seats must be .balanced. or 0..1, got .random."):
        evaluate("random", "kalah", seats="random")
    with pytest.raises(ValueError, match="games must be an integer of at least 1, got 0"):
        evaluate("random", "kalah", games=0)
    with pytest.raises(ValueError, match=r"games must be an integer of at least 1, got 2\.5"):
        evaluate("random", "kalah", games=2.5)
    with pytest.raises(ValueError, match="each_round must be an integer of at least 0, got -1"):
        evaluate("random", "qelat", games=2, campaign=True, each_round=-1)
    assert evaluate("random", "qelat", games=2, campaign=True, max_rounds=1, each_round=2, seed=2**40).games == 2
    with pytest.raises(ValueError, match="each_round needs threads=1, got 2"):
        evaluate("random", "qelat", games=2, campaign=True, each_round=2, threads=2)
    with pytest.raises(ValueError, match=r"each_round needs a campaign for two players .* got kalah and 'random'"):
        evaluate("random", "kalah", each_round=2)
    with pytest.raises(TypeError, match="opening must be a number of random decisions"):
        evaluate("random", "kalah", opening="6")
    with pytest.raises(ValueError, match="choose a shorter opening"):
        evaluate("random", "kalah", opening=1000)
    with pytest.raises(ValueError, match=r"policy must return integers of shape \(1,\)"):
        evaluate(lambda observations, masks: [0, 0], "kalah", games=1)
    with pytest.raises(IllegalAction):
        evaluate(lambda observations, masks: masks.argmin(axis=1), "kalah")


def test_the_program_prints_the_score():
    done = run_python("scripts/evaluate.py", *["greedy", "random", "--game", "kalah", "--games", "40", "--seed", "3"])
    random, usual = (evaluate("greedy", "kalah", games=40, seed=3, opening=opening) for opening in (6, 0))
    line = "greedy against random from {}: {}\n".format
    expected = line("openings of 6 random decisions", random) + line("the usual opening", usual)
    assert done.stdout == expected, done.stderr


@pytest.mark.parametrize(
    ("words", "openings", "by_seat"),
    [
        ("--game kalah --games 10 --opening 0", ["the usual opening"], True),
        ("--game kalah --games 10 --opening fair", ["fair starts", "the usual opening"], True),
        (
            "--game mancala_envs/Kalah-v0 --games 9 --seat 1",
            ["openings of 6 random decisions", "the usual opening"],
            False,
        ),
    ],
    ids=["usual opening only", "fair starts", "one seat of a game by its id"],
)
def test_the_program_prints_a_line_for_each_opening(words, openings, by_seat, capsys):
    run_program(main, "greedy", "random", *words.split())
    for line, opening in zip(capsys.readouterr().out.splitlines(), openings, strict=True):
        assert line.startswith(f"greedy against random from {opening}: points ") and ("seat" in line) == by_seat

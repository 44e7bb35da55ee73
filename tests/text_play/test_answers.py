"""Actions parsed from answers: tolerant of prose, strict about ambiguity."""

import time

import pytest

from mancala_envs.text_play.answers import MAX_LENGTH, AmbiguousAnswer, AnswerError, IllegalAnswer, UnclearAnswer, parse

NAMES = ("lift own hole 0", "lift own hole 1", "lift own hole 2", "lift own hole 10", "end the turn", "End the turn")
LEGAL = (0, 2, 3, 4)


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("2", 2),
        (" 2.\n", 2),
        ("Action: 2", 2),
        ("I think 0 is weak and 3 too.\n\n**Action: 2**", 2),
        ("action = 2", 2),
        ("- Action: `2` (lift own hole 2)", 2),
        ("Action: lift own hole 10", 3),
        ("LIFT OWN  HOLE\n2", 2),
        ("My move is to end the turn.", 4),
        ("Action: 2\nAction: lift own hole 2", 2),
        ("I lift own hole 2, because it captures 5 seeds", 2),
        ("The best move is 3", 3),
    ],
)
def test_an_answer_that_names_one_legal_action_is_played(answer, action):
    assert parse(answer, NAMES, LEGAL) == action


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        ("", UnclearAnswer, "no action found"),
        ("I pass", UnclearAnswer, "'I pass'"),
        ("Action: none of them\nbut 2 is fine", UnclearAnswer, "'none of them'"),
        ("²", UnclearAnswer, "no action found"),
        ("2.5", UnclearAnswer, "no action found"),
        ("-2", UnclearAnswer, "no action found"),
        ("9" * 5000, UnclearAnswer, "no action found"),
        ("x" * (MAX_LENGTH + 1), UnclearAnswer, "at most 100,000"),
        ("2 or 3", AmbiguousAnswer, "2, 3"),
        ("Action: 2\nAction: 3", AmbiguousAnswer, "name exactly one"),
        ("lift own hole 2 or lift own hole 0", AmbiguousAnswer, "0, 2"),
        ("1", IllegalAnswer, r"action 1 \(lift own hole 1\) is not legal"),
        ("lift own hole 1", IllegalAnswer, "action 1"),
        ("Action: 7", IllegalAnswer, "action 7 is not legal"),
    ],
)
def test_other_answers_are_refused_with_the_reason(answer, error, message):
    with pytest.raises(error, match=message):
        parse(answer, NAMES, LEGAL)


@pytest.mark.parametrize("answer", ["9" * 99_999, "Action:" * 14_000, "*" * 99_999, " \n" * 49_999, "1 " * 49_999])
def test_long_answers_are_refused_quickly(answer):
    begin = time.process_time()
    with pytest.raises(AnswerError):
        parse(answer, NAMES, LEGAL)
    assert time.process_time() - begin < 2

"""Actions parsed from answers: tolerant of prose, strict about ambiguity."""

import time

import pytest

from mancala_envs import make_game
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
        ("**Action**: 2\n\nNot 0, not 3.", 2),
        ("Not 0, not 3.\n\n**Action:**\n\n2", 2),
        ('```json\n{\n  "reason": "3 loses",\n  "action": 2\n}\n```', 2),
        ("| action | value |\n|---|---|\n| 0 | -3 |\n| 3 | 1 |\n\nAction: 2", 2),
        ("0 ist schwach, 3 auch.\nAction\uff1a2", 2),
        ("0 est faible.\nAction\u202f: 2", 2),
        ("<think>Action: 3\nor Action: 0?</think>\nAction: 2", 2),
        ("Action: 2 <think> or 3", 2),
        ("Action: 3 (lift own hole 10)", 3),
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
        ("Action: \uff12", UnclearAnswer, "no action found"),
        ("Action: \u0662", UnclearAnswer, "no action found"),
        ("<think>perhaps 2", UnclearAnswer, "no action found in ''"),
        ("2 or 3", AmbiguousAnswer, "2, 3"),
        ("| action | value |\n|---|---|\n| 2 | 3 |", AmbiguousAnswer, "2, 3"),
        ("Action: 2\u2028Action: 3", AmbiguousAnswer, "2, 3"),
        ("Action: 2 (lift own hole 0)", AmbiguousAnswer, "0, 2"),
        ("Action: 1 (lift own hole 0)", AmbiguousAnswer, "0, 1"),
        ("Action: lift own hole 1, then 0", AmbiguousAnswer, "0, 1"),
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


def test_a_number_in_the_name_of_an_illegal_action_is_not_an_answer():
    names = ("move piece 1", "move piece 2", "move piece 0")
    with pytest.raises(IllegalAnswer, match=r"action 2 \(move piece 0\)"):
        parse("I move piece 0 now.", names, [0, 1])
    assert parse("I move piece 1 now.", names, [0, 1]) == 0


def test_legal_actions_that_share_a_name_are_ambiguous():
    with pytest.raises(AmbiguousAnswer, match="4, 5"):
        parse("Action: end the turn", NAMES, [4, 5])


def test_the_reason_stays_short():
    with pytest.raises(AmbiguousAnswer) as caught:
        parse(" ".join(map(str, range(15_000))), NAMES, LEGAL)
    assert "9, ...; name exactly one" in str(caught.value) and len(str(caught.value)) < 100


MANY = tuple(f"go from square {number // 72} to square {number % 72}" for number in range(5184))
"""As many names as Dam has."""


@pytest.mark.parametrize(
    "answer",
    [
        "9" * 99_999,
        "Action:" * 14_000,
        "*" * 99_999,
        " \n" * 49_999,
        "1 " * 49_999,
        "Action:\n" * 12_000,
        "<think>" * 14_000,
        " ".join(MANY)[:100_000],
        "\n".join(f"Action: {name}" for name in MANY)[:100_000],
        "\n".join(f"Action: x{number}" for number in range(6000)),
    ],
    ids=range(10),
)
@pytest.mark.parametrize(("names", "legal"), [(NAMES, LEGAL), (MANY, range(0, 5184, 7))], ids=["few", "many"])
def test_long_answers_are_refused_quickly(answer, names, legal):
    begin = time.process_time()
    with pytest.raises(AnswerError):
        parse(answer, names, legal)
    assert time.process_time() - begin < 20  # Half a second on a quiet machine.


@pytest.mark.parametrize("name", ["kalah", "qelat", "dam", "niranchy", "tayam_sonalu", "saturankam", "walak_pussa"])
def test_every_name_of_a_game_is_understood(name):
    names = make_game(name).names_for(0)
    for action in range(0, len(names), 1 + len(names) // 60):
        for answer in (names[action], f"Action: {action} ({names[action]})", f"I choose to {names[action]}."):
            assert parse(answer, names, range(len(names))) == action

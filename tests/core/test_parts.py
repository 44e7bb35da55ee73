"""Rules as parts of kernels (`core/parts.py`), what a rule may not be made of, and that its errors reach the caller."""

import json
import os
import subprocess
import sys
from types import FunctionType

import numba
import numpy as np
import pytest
from helpers.forms import slowly
from numba.core import event
from numba.core.codegen import JITCodeLibrary

from mancala_envs.core import cache, parts
from mancala_envs.core.rule import rule

compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


def run(program, *arguments, **environment):
    """What a program prints as JSON, in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "MANCALA_ENVS_PARTS"}
    done = subprocess.run(
        [sys.executable, *(["-c"] if "\n" in program else []), program, *arguments],
        env={**kept, **{name: str(value) for name, value in environment.items()}},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# Whether parts are made.


@compiled
def test_this_numba_makes_parts():
    assert parts.KNOWN


@pytest.mark.parametrize(
    ("asked", "known", "setting", "enabled"),
    [
        (None, True, None, True),
        (None, False, None, False),
        (None, True, "BOUNDSCHECK", False),
        (None, True, "DEBUG", False),
        (None, True, "DEBUGINFO_DEFAULT", False),
        ("0", True, None, False),
        ("1", False, None, True),
        ("1", True, "BOUNDSCHECK", True),
        ("", True, None, True),
    ],
)
def test_who_decides_whether_parts_are_made(monkeypatch, asked, known, setting, enabled):
    monkeypatch.setattr(parts, "KNOWN", known)
    for name in ("BOUNDSCHECK", "DEBUG", "DEBUGINFO_DEFAULT"):
        monkeypatch.setattr(numba.config, name, int(name == setting))
    if asked is None:
        monkeypatch.delenv("MANCALA_ENVS_PARTS", raising=False)
    else:
        monkeypatch.setenv("MANCALA_ENVS_PARTS", asked)
    assert parts._wanted() is enabled


def test_another_value_is_refused(monkeypatch):
    monkeypatch.setenv("MANCALA_ENVS_PARTS", "no")
    with pytest.raises(ValueError, match="MANCALA_ENVS_PARTS must be 0 or 1 or not set, got 'no'"):
        parts._wanted()


PLAY = """
import hashlib, json, sys
import numba
if "newer" in sys.argv:
    numba.version_info = (0, 99, 0, 0, 99, 0, None, None)
from mancala_envs import make_game
from mancala_envs.core import parts
game = make_game("kalah", columns=5)
states = game.init(3, 5)
played = []
for step in range(200):
    rewards = game.step(states, game.sample(states, step), autoreset=True)
    played.append(hashlib.sha256(states.tobytes() + rewards.tobytes() + game.observe(states).tobytes()).hexdigest())
print(json.dumps([parts.ENABLED, played]))
"""


@pytest.mark.slow
@compiled
def test_parts_play_alike(tmp_path):
    enabled, played = run(PLAY, NUMBA_CACHE_DIR=tmp_path, MANCALA_ENVS_PARTS=1)
    assert enabled and len(set(played)) == 200
    assert run(PLAY, NUMBA_CACHE_DIR=tmp_path, MANCALA_ENVS_PARTS=0) == [False, played]
    assert run(PLAY, "newer", NUMBA_CACHE_DIR=tmp_path) == [False, played]


# Arrays, which rules borrow.


def makes_an_array(number):
    return len(np.empty(number))


def asks_for_one(number):
    return makes_an_array(number)


@compiled
def test_who_borrows_makes_no_array():
    def borrowing(function, **more):
        return rule(FunctionType(function.__code__, {**globals(), **more, "BORROWS_ARRAYS": True}))

    assert rule(makes_an_array)(5) == 5
    with pytest.raises(numba.core.errors.NumbaError, match="returning of array passed"):
        borrowing(makes_an_array)(5)
    # He may ask others who do; and makes none as a part of others either.
    assert borrowing(asks_for_one, makes_an_array=rule(makes_an_array))(5) == 5
    others = {**globals(), "makes_an_array": borrowing(makes_an_array)}
    with pytest.raises(numba.core.errors.NumbaError, match="returning of array passed"):
        rule(FunctionType(asks_for_one.__code__, others))(5)


# What a rule may not be made of.


def prints(number):
    print(number)
    return number


def has_a_list_comprehension(number):
    return len([each for each in range(number)])


def has_a_dict_comprehension(number):
    return len({each: each for each in range(number)})


def has_a_generator_expression(number):
    return sum(each for each in range(number))


def has_a_lambda(number):
    return (lambda each: each + 1)(number)


def has_a_function(number):
    def inner(each):
        return each + 1

    return inner(number)


def yields(number):
    yield number


@compiled
@pytest.mark.parametrize("decorator", [rule, rule(inline=True)])
@pytest.mark.parametrize(
    ("function", "fault"),
    [
        (prints, "prints"),
        (has_a_list_comprehension, "has a comprehension"),
        (has_a_dict_comprehension, "has a comprehension"),
        (has_a_generator_expression, "has a comprehension, a generator expression"),
        (has_a_lambda, "has a comprehension, a generator expression, a lambda"),
        (has_a_function, "has a comprehension, a generator expression, a lambda or a function in it"),
        (yields, "yields"),
    ],
)
def test_python_that_no_rule_may_use_is_refused_by_name(decorator, function, fault):
    with pytest.raises(TypeError, match=rf"test_parts\.{function.__name__} {fault}.*, which no compiled rule may; "):
        decorator(function)


def test_as_plain_python_it_runs(monkeypatch, capsys):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    assert rule(prints)(3) == 3
    assert capsys.readouterr().out == "3\n"


@compiled
def test_a_field_may_be_called_print():
    @rule
    def reads(s):
        return s.print

    assert reads(np.ones(1, [("print", "i8")])[0]) == 1


# Errors.


FAULTS = """
import json, sys
import numpy as np
from mancala_envs.core import parts
from mancala_envs.core.rule import rule

record = np.dtype([("many", np.int64, 4), ("few", np.int64, 3)], align=True)

@rule
def out_of_range(s, number):
    return s.many[number + 1]

@rule
def unequal_lengths(s, number):
    s.many[number - 3:] = s.few
    return number

@rule(inline=True)
def unequal_lengths_inlined(s, number):
    s.many[number - 3:] = s.few
    return number

@rule
def asserts(s, number):
    assert number < 3, "three is too many"
    return number

@rule
def raises(s, number):
    if number == 3:
        raise OverflowError(f"{number} is too many")
    return number

def loop_over(fault):
    @rule
    def deep(s, number):
        return fault(s, number) + 1

    @rule
    def less_deep(s, number):
        return deep(s, number) + 1

    @rule
    def loop(states, number):
        total = 0
        for i in range(len(states)):
            total += less_deep(states[i], number)
        return total

    return loop

def heard(fault):
    try:
        loop_over(globals()[fault])(np.zeros(2, record), 3)
    except Exception as error:
        # Which lengths they are, each version of Numba says in its own way.
        return [type(error).__name__, str(error).partition(" of shape")[0]]

print(json.dumps([parts.ENABLED, [heard(fault) for fault in sys.argv[1:]]]))
"""

UNEQUAL = ["ValueError", "cannot assign slice"]
HEARD = {
    "unequal_lengths": UNEQUAL,
    "unequal_lengths_inlined": UNEQUAL,
    "asserts": ["AssertionError", "three is too many"],
    "raises": ["OverflowError", "3 is too many"],
}


@pytest.fixture
def faults(tmp_path):
    """The program in a file, without which nothing is cached."""
    path = tmp_path / "faults.py"
    path.write_text(FAULTS)
    return str(path)


@compiled
@pytest.mark.parametrize(("enabled", "some"), [(True, ["raises"]), *slowly((True, HEARD), (False, HEARD))])
def test_errors_are_heard(faults, tmp_path, enabled, some):
    settings = {"NUMBA_CACHE_DIR": tmp_path / "cache", "MANCALA_ENVS_PARTS": int(enabled)}
    for _compiled_or_from_the_cache in range(2):
        assert run(faults, *some, **settings) == [enabled, [HEARD[fault] for fault in some]]


@compiled
@pytest.mark.parametrize("asked", [{}, *slowly({"MANCALA_ENVS_PARTS": 1})])
def test_an_index_out_of_range_is_heard_where_bounds_are_checked(faults, tmp_path, asked):
    settings = {"NUMBA_CACHE_DIR": tmp_path / "cache", **asked}
    # Without checks first: what is kept of them must not be taken for code with checks.
    assert run(faults, "out_of_range", **settings) == [True, [None]]
    checked = [bool(asked), [["IndexError", "index is out of bounds"]]]
    assert run(faults, "out_of_range", NUMBA_BOUNDSCHECK=1, **settings) == checked


# What parts are to Numba.


@pytest.fixture
def uncached(monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: None)


@pytest.mark.skipif(numba.config.DISABLE_JIT or not parts.ENABLED, reason="no parts are made")
def test_parts_are_no_machine_code(uncached, monkeypatch):
    @rule
    def lowest(number):
        return number * 3

    @rule
    def middle(number):
        return lowest(number) + lowest(number + 1)

    @rule
    def kernel(number):
        return middle(number) - lowest(number)

    made = []
    finalize = JITCodeLibrary.finalize
    monkeypatch.setattr(JITCodeLibrary, "finalize", lambda library: (made.append(library.name), finalize(library)))
    assert kernel(5) == 18
    assert [name.rpartition(".")[2] for name in made if "test_parts_are" in name] == ["kernel"]


@rule
def halves(number):
    if number % 2:
        raise ValueError("odd")
    return number // 2


@rule
def halves_twice(number):
    return halves(halves(number))


@compiled
def test_other_functions_call_rules():
    @numba.njit
    def quarter(number):
        return halves_twice(number)

    assert quarter(12) == 3
    with pytest.raises(ValueError, match="odd"):
        quarter(14)
    # Called from Python the rule is a kernel.
    assert halves_twice(12) == 3


@compiled
def test_numba_compiles_its_own_once(uncached):
    @rule(inline=True)
    def one(numbers):
        return np.count_nonzero(numbers)

    @rule
    def other(numbers):
        return np.count_nonzero(numbers)

    @rule
    def kernel(numbers):
        return one(numbers) + other(numbers) + np.count_nonzero(numbers)

    with event.install_recorder("numba:compile") as recorder:
        assert kernel(np.array([0, 4, 0, 2])) == 6
    begun = [each.data["dispatcher"].py_func for _, each in recorder.buffer if each.is_start]
    of_numba = [function.__qualname__ for function in begun if function.__module__.startswith("numba")]
    assert len(of_numba) == len(set(of_numba)) > 0

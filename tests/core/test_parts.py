"""Rules as parts of kernels (`core/parts.py`), and that their errors reach the caller."""

import json
import os
import subprocess
import sys
from types import FunctionType

import numba
import numpy as np
import pytest
from helpers.forms import slowly
from numba.core.codegen import JITCodeLibrary

from mancala_envs.core import cache
from mancala_envs.core.rule import rule

compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


def run(program, *arguments, **environment):
    """What a program prints as JSON, in a process of its own."""
    done = subprocess.run(
        [sys.executable, *(["-c"] if "\n" in program else []), program, *arguments],
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def uncached(monkeypatch):
    monkeypatch.setattr(cache, "_cache_of", lambda dispatcher: None)


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


# Python that Numba knows.


def prints(number):
    print(number, "seeds")
    return number


def has_a_list_comprehension(number):
    return len([each for each in range(number)])


def has_a_dict_comprehension(number):
    return len({each: each for each in range(number)})


def has_a_lambda(number):
    return (lambda each: each + 1)(number)


def has_a_function(number):
    def inner(each):
        return each + number

    return inner(number)


def yields(number):
    yield number
    yield number + 1


PYTHON = [prints, has_a_list_comprehension, has_a_dict_comprehension, has_a_lambda, has_a_function]


@compiled
@pytest.mark.parametrize("function", PYTHON)
def test_what_numba_compiles_may_be_part_of_a_kernel(function, capfd, uncached):
    part = rule(function)

    @rule
    def kernel(number):
        return part(number) + 1

    assert kernel(3) == function(3) + 1
    assert capfd.readouterr().out == ("3 seeds\n3 seeds\n" if function is prints else "")


@compiled
def test_a_generator_may_be_part_of_a_kernel(uncached):
    part = rule(yields)

    @rule
    def kernel(number):
        total = 0
        for each in part(number):
            total += each
        return total

    assert kernel(3) == 7


# Errors.


FAULTS = """
import json, sys
import numpy as np
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

print(json.dumps([heard(fault) for fault in sys.argv[1:]]))
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
@pytest.mark.parametrize("fault", ["raises", *slowly("unequal_lengths", "unequal_lengths_inlined", "asserts")])
def test_errors_are_heard(faults, tmp_path, fault):
    for _compiled_or_from_the_cache in range(2):
        assert run(faults, fault, NUMBA_CACHE_DIR=tmp_path / "cache") == [HEARD[fault]]


@compiled
def test_an_index_out_of_range_is_heard_where_bounds_are_checked(faults, tmp_path):
    # Without checks first: what is kept of them must not be taken for code with checks.
    assert run(faults, "out_of_range", NUMBA_CACHE_DIR=tmp_path) == [None]
    checked = run(faults, "out_of_range", NUMBA_CACHE_DIR=tmp_path, NUMBA_BOUNDSCHECK=1, NUMBA_DEBUGINFO=1)
    assert checked == [["IndexError", "index is out of bounds"]]


# What parts are to Numba.


@compiled
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
    make = JITCodeLibrary._finalize_final_module
    monkeypatch.setattr(
        JITCodeLibrary, "_finalize_final_module", lambda library: (made.append(library.name), make(library))
    )
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

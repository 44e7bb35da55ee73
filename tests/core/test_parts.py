"""Rules compiled as parts of kernels (`core/parts.py`), whose errors reach the caller."""

import json
from types import FunctionType

import numba
import numpy as np
import pytest
from helpers.forms import slowly
from helpers.programs import stdout_of
from numba.core.codegen import JITCodeLibrary

from mancala_envs.core import cache
from mancala_envs.core.rule import rule

compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


def run(program, *arguments, **environment):
    """Run a file in its own process; return what it prints as JSON."""
    return json.loads(stdout_of(program.name, *arguments, cwd=program.parent, **environment))


@pytest.fixture
def uncached(monkeypatch):
    monkeypatch.setattr(cache, "usable_folder", lambda: None)


# Rules that allocate memory.


def makes_an_array(number):
    return len(np.empty(number))


def calls_it(number):
    return makes_an_array(number)


@compiled
def test_only_a_rule_that_says_so_allocates():
    def calling(made, **options):
        return rule(**options)(FunctionType(calls_it.__code__, {**globals(), "makes_an_array": made}))

    making, borrowing = rule(allocates=True)(makes_an_array), rule(makes_an_array)
    assert making(5) == 5
    for refused in (borrowing, calling(borrowing, allocates=True)):
        with pytest.raises(numba.core.errors.NumbaError, match="returning of array passed"):
            refused(5)
    # It may call a rule that allocates memory.
    assert calling(making)(5) == 5


# Python that Numba supports.


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
def test_rules_with_any_supported_python_can_be_parts(function, capfd, uncached):
    part = rule(allocates=True)(function)

    @rule
    def kernel(number):
        return part(number) + 1

    assert kernel(3) == function(3) + 1
    assert capfd.readouterr().out == ("3 seeds\n3 seeds\n" if function is prints else "")


@compiled
def test_a_generator_can_be_a_part(uncached):
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

@rule(allocates=True)
def unequal_lengths(s, number):
    s.many[number - 3:] = s.few
    return number

@rule(inline=True, allocates=True)
def unequal_lengths_inlined(s, number):
    s.many[number - 3:] = s.few
    return number

@rule
def asserts(s, number):
    assert number < 3, "three is too many"
    return number

@rule(allocates=True)
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

def caught(fault):
    try:
        loop_over(globals()[fault])(np.zeros(2, record), 3)
    except Exception as error:
        # The words after "of shape" depend on the version of Numba.
        return [type(error).__name__, str(error).partition(" of shape")[0]]

print(json.dumps([caught(fault) for fault in sys.argv[1:]]))
"""

UNEQUAL = ["ValueError", "cannot assign slice"]
CAUGHT = {
    "unequal_lengths": UNEQUAL,
    "unequal_lengths_inlined": UNEQUAL,
    "asserts": ["AssertionError", "three is too many"],
    "raises": ["OverflowError", "3 is too many"],
}


@pytest.fixture
def faults(tmp_path):
    """The path of the program. It must be a file, because Numba caches no code without one."""
    path = tmp_path / "faults.py"
    path.write_text(FAULTS)
    return path


@compiled
@pytest.mark.parametrize("fault", ["raises", *slowly("unequal_lengths", "unequal_lengths_inlined", "asserts")])
def test_errors_in_parts_reach_the_caller(faults, tmp_path, fault):
    for _compiled_or_from_the_cache in range(2):
        assert run(faults, fault, NUMBA_CACHE_DIR=tmp_path / "cache") == [CAUGHT[fault]]


@pytest.mark.slow
@compiled
def test_an_index_out_of_range_is_an_error_with_bounds_checks(faults, tmp_path):
    # First without bounds checks: the cached code must not be used when checks are on.
    assert run(faults, "out_of_range", NUMBA_CACHE_DIR=tmp_path) == [None]
    checked = run(faults, "out_of_range", NUMBA_CACHE_DIR=tmp_path, NUMBA_BOUNDSCHECK=1, NUMBA_DEBUGINFO=1)
    assert checked == [["IndexError", "index is out of bounds"]]


# The compiled form of parts.


@compiled
def test_parts_are_not_compiled_to_machine_code(uncached, monkeypatch):
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
def test_functions_compiled_by_numba_can_call_rules():
    @numba.njit
    def quarter(number):
        return halves_twice(number)

    assert quarter(12) == 3
    with pytest.raises(ValueError, match="odd"):
        quarter(14)
    # Called from Python, the rule is a kernel itself.
    assert halves_twice(12) == 3

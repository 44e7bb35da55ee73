"""Chance: one splitmix64 word per game, so that a game's luck depends on (seed, index) alone.

A record's `chance` is the generator; its `script`, 0 in normal play, says where results to use instead lie (`Scripts`).
Arithmetic is on masked integers, which compiled code and plain Python do alike.
Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba.core import cgutils, types
from numba.extending import intrinsic

from mancala_envs.core.rule import rule

MASK = 0xFFFFFFFFFFFFFFFF
"""The 64 bits of a word: plain Python's integers are cut to them."""
_GOLDEN = 0x9E3779B97F4A7C15
_M1 = 0xBF58476D1CE4E5B9
_M2 = 0x94D049BB133111EB
_S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (27, 30, 31, 32))

MOST_SIDES = 254
"""Of one draw."""
_ANY, _END = 0, 255
"""In a script: for the sides of a draw that nobody recorded, and after the last draw."""
_TWO = np.uint64(2)
MISFIT = np.uint64(MASK)
"""`script` after a result that the draw cannot have."""
LACKING = np.uint64(MASK - 2 * _END)
"""`script` after a draw beyond the last result, plus its sides. No memory lies so high."""


@rule
def mix(x):
    """Finaliser of splitmix64: uint64 -> uint64."""
    x = int(x)
    x = ((x ^ int(np.uint64(x) >> _S30)) * _M1) & MASK
    x = ((x ^ int(np.uint64(x) >> _S27)) * _M2) & MASK
    return np.uint64(x ^ int(np.uint64(x) >> _S31))


@rule
def advance(word):
    """The generator's next state: uint64 -> uint64."""
    return np.uint64((int(word) + _GOLDEN) & MASK)


@rule
def stream(seed, index):
    """The generator that belongs to (seed, index): uint64."""
    return mix((int(mix(seed)) + int(np.uint64(index)) * _GOLDEN) & MASK)


@rule
def below(word, sides):
    """A fair result 0..sides-1 from the generator state `word` (sides < 2^32)."""
    return scale(mix(word), sides)


@rule
def scale(mixed, sides):
    """A fair result 0..sides-1 from a mixed word (sides < 2^32)."""
    return np.int64(int(mixed >> _S32) * sides >> 32)


@rule
def draw(s, sides):
    """A fair result 0..sides-1 (sides at most MOST_SIDES) by the game's own chance, or the next scripted one."""
    if s.script == 0:
        s.chance = advance(s.chance)
        return below(s.chance, sides)
    return scripted(s, sides)


@rule
def scripted(s, sides):
    """The next result of the script. Where it has none the generator is asked, so that play goes on to its end."""
    if s.script < LACKING:
        result, recorded = read_script(s)
        if result < sides and recorded in (sides, _ANY):
            s.script += _TWO
            return result
        s.script = LACKING + np.uint64(sides) if recorded == _END else MISFIT
    s.chance = advance(s.chance)
    return below(s.chance, sides)


def peek_at_script(s: Any) -> tuple[int, int]:
    """`read_script` in plain Python."""
    result, sides = (ctypes.c_uint8.from_address(int(s.script) + byte).value for byte in range(2))
    return result, sides


if numba.config.DISABLE_JIT:
    read_script = peek_at_script
else:

    @intrinsic
    def byte_at(typing: Any, address: Any) -> Any:
        """The byte that lies at an address of memory."""

        def load(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(builder.inttoptr(arguments[0], cgutils.int8_t.as_pointer()))

        return types.uint8(types.uint64), load

    @rule
    def read_script(s):
        """The next result, and the sides of its draw."""
        return np.int64(byte_at(s.script)), np.int64(byte_at(s.script + np.uint64(1)))


class Scripts:
    """Results for the draws of several games: while this lives, `words[i]` is the `script` of game i."""

    def __init__(self, draws: Sequence[Sequence[tuple[int, int]]]) -> None:
        """`draws`: for every game (result, sides) of every draw in order; sides 0 where they are not known."""
        bytes_of = [byte for row in draws for result, sides in (*row, (_END, _END)) for byte in (result, sides)]
        self._bytes = np.array(bytes_of, np.uint8)
        lengths = np.array([2 * len(row) + 2 for row in draws], np.uint64)
        self._ends = np.cumsum(lengths) + np.uint64(self._bytes.ctypes.data) - _TWO
        self.words: npt.NDArray[np.uint64] = self._ends + _TWO - lengths

    def fault(self, index: int, left: np.uint64) -> str:
        """What was wrong with the draws of game `index`, of whose script play left `left`; "" for nothing."""
        if left == self._ends[index]:
            return ""
        if left < LACKING:
            return "too many"
        return "out of range" if left == MISFIT else f"too few: the next draw has {int(left - LACKING)} sides"

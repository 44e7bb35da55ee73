"""Chance: one splitmix64 word per game, so that a game's luck depends on (seed, index) alone.

A record's `chance` is the generator; its `script`, 0 in normal play, holds results to use instead (see `script`).
Arithmetic is on masked integers, which compiled code and plain Python do alike.
Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
"""

from collections.abc import Sequence

import numpy as np

from mancala_envs.core.rule import rule

MASK = 0xFFFFFFFFFFFFFFFF
"""The 64 bits of a word: plain Python's integers are cut to them."""
_GOLDEN = 0x9E3779B97F4A7C15
_M1 = 0xBF58476D1CE4E5B9
_M2 = 0x94D049BB133111EB
_S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (27, 30, 31, 32))

SCRIPT_LENGTH = 15
"""Most scripted results of one step; each is below 16."""
SCRIPT_END = np.uint64(1)
SCRIPT_FAULT = np.uint64(MASK)
_S4 = np.uint64(4)
_NIBBLE = np.uint64(15)


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
    """A fair result 0..sides-1 (sides at most 16) by the game's own chance, or the next scripted one."""
    if s.script == 0:
        s.chance = advance(s.chance)
        return below(s.chance, sides)
    result = np.int64(s.script & _NIBBLE)
    if s.script == SCRIPT_END or s.script == SCRIPT_FAULT or result >= sides:
        s.script = SCRIPT_FAULT
        return 0
    s.script = s.script >> _S4
    return result


def script(results: Sequence[int]) -> np.uint64:
    """The `script` word that makes `draw` give `results` in turn.

    It ends as `SCRIPT_END` when exactly these were drawn; `SCRIPT_FAULT` says that one did not fit or was lacking.
    Raises ValueError for more than 15 results or one outside 0..15.
    """
    if len(results) > SCRIPT_LENGTH or any(not 0 <= result < 16 for result in results):
        raise ValueError(f"draws must be at most {SCRIPT_LENGTH} results of 0..15 a game, got {list(results)}")
    word = 1
    for result in reversed(results):
        word = word << 4 | int(result)
    return np.uint64(word)

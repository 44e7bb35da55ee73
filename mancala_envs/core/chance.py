"""Random numbers: one splitmix64 state per game, so that a game's draws depend only on (seed, index).

The field `chance` of a record is the generator's state. In plain Python a script of results can replace it: see
`scripted`. Arithmetic uses masked integers, which give the same results in compiled code and in plain Python.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.core.arguments import is_integer
from mancala_envs.core.rule import rule

MASK = 0xFFFFFFFFFFFFFFFF
"""The bits of a 64-bit word. In plain Python, `& MASK` makes integers wrap around as 64-bit words do."""
_GOLDEN = 0x9E3779B97F4A7C15
_M1 = 0xBF58476D1CE4E5B9
_M2 = 0x94D049BB133111EB
_S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (27, 30, 31, 32))

MOST_SIDES = 254
"""The most sides that a draw may have."""


@rule
def mix(x):
    """Return the output of splitmix64 for the state `x`: uint64 -> uint64."""
    x = int(x)
    x = ((x ^ int(np.uint64(x) >> _S30)) * _M1) & MASK
    x = ((x ^ int(np.uint64(x) >> _S27)) * _M2) & MASK
    return np.uint64(x ^ int(np.uint64(x) >> _S31))


@rule
def advance(word):
    """Return the state after `word`: uint64 -> uint64."""
    return np.uint64((int(word) + _GOLDEN) & MASK)


def advanced(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the states (n,) after those of `words`."""
    return words + np.uint64(_GOLDEN)


@rule
def skip(word, number):
    """Return the state after `number` states from `word` on: uint64 -> uint64."""
    return np.uint64((int(word) + int(np.uint64(number)) * _GOLDEN) & MASK)


@rule
def stream(seed, index):
    """Return the first state of the generator for (seed, index), uint64."""
    return mix((int(mix(seed)) + int(np.uint64(index)) * _GOLDEN) & MASK)


@rule
def stream_loop(words, indices, out):
    """Write the `stream` of each (word, index) into out (n,) uint64."""
    for i in range(len(out)):
        out[i] = stream(words[i], indices[i])


def streams(words: npt.NDArray[np.uint64], indices: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Return the `stream` (n,) of each (word, index)."""
    out = np.empty(len(words), np.uint64)
    stream_loop(words, indices, out)
    return out


@rule
def below(word, sides):
    """Return a uniform result 0..sides-1 from the generator state `word`, for sides below 2^32."""
    return scale(mix(word), sides)


@rule
def scale(mixed, sides):
    """Return a uniform result 0..sides-1 from `mixed`, an output of `mix`, for sides below 2^32."""
    return np.int64(int(mixed >> _S32) * sides >> 32)


@rule
def draw(s, sides):
    """Return a uniform result 0..sides-1 from the game's generator, for sides up to MOST_SIDES."""
    s.chance = advance(s.chance)
    return below(s.chance, sides)


# Scripts: results that replace the generator.

Result = tuple[int, int]
"""A result and the number of sides of its draw, 0 if unknown."""


class Misfit(ValueError):
    """The results of a script do not fit the draws of the game.

    Attributes:
        sides: If the script is too short, the sides of the first draw without a result; otherwise 0.
    """

    def __init__(self, fault: str, sides: int = 0) -> None:
        self.sides = sides
        super().__init__(fault)


_script: ContextVar[Iterator[Result] | None] = ContextVar("script", default=None)


@contextmanager
def scripted(results: Iterable[Result]) -> Iterator[None]:
    """Make rules that run in plain Python (`Engine.plain`) take `results`, in order, instead of drawing.

    Raises:
        Misfit: There are too few or too many results, or a draw cannot have its result.
    """
    script = iter(results)
    token = _script.set(script)
    try:
        yield
    finally:
        _script.reset(token)
    if next(script, None):
        raise Misfit("too many")


def draw_or_read(s: Any, sides: int) -> int:
    """Replace `draw` in plain Python: return the next result of the script, or draw if there is no script."""
    script = _script.get()
    if script is None:
        return int(draw(s, sides))
    result, recorded = next(script, (None, 0))
    if result is None:
        raise Misfit(f"too few: the next draw has {sides} sides", sides)
    if result >= sides or recorded not in (0, sides):
        raise Misfit("out of range")
    return result


def read_draws(draws: Any, n: int) -> list[list[Result]]:
    """Return the results that a caller gives for each of `n` games, as pairs of a result and its number of sides.

    A result is given as an integer or as recorded, [what, sides, integer]; `what`, a description, is ignored.

    Raises:
        ValueError: `draws` is not one row of such results for each game.
    """

    def read(drawn: Any) -> Result:
        recorded = isinstance(drawn, list | tuple) and len(drawn) == 3
        numbers = (drawn[2], drawn[1]) if recorded else (drawn, 0)
        if not all(map(is_integer, numbers)):
            raise ValueError(f"a draw must be an integer or [what, sides, integer], got {drawn!r}")
        if not all(0 <= number <= MOST_SIDES for number in numbers):
            raise ValueError(f"draws have at most {MOST_SIDES} sides and results from 0 on, got {drawn!r}")
        return int(numbers[0]), int(numbers[1])

    if not isinstance(draws, Sequence | np.ndarray) or isinstance(draws, str) or len(draws) != n:
        raise ValueError(f"draws must be a sequence of one row for each of the {n} games, got {draws!r}")
    return [[read(drawn) for drawn in (row if isinstance(row, Sequence | np.ndarray) else [row])] for row in draws]

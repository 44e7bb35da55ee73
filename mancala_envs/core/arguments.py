"""Checks of the arguments that callers pass to an engine: states, seeds and numbers."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

States = npt.NDArray[Any]
"""A batch of records: an array of shape (n,) and a game's dtype."""

Seed: TypeAlias = int | npt.NDArray[np.integer[Any]] | None
"""One seed for n games, so that game i has the generator of (seed, i); or seeds (n,), so that game i has the generator
of (seed[i], 0), like a single game with that seed. None draws one seed from the system."""

_LONGEST_NAME = 100
"""Maximum number of characters of a name that `did_you_mean` compares."""


def short(value: Any) -> str:
    """Return a value as text for a message, cut if it is long."""
    try:
        shown = repr(value)
    except (RecursionError, ValueError):  # Lists in lists in lists, or an integer of thousands of digits.
        return f"a value of type {type(value).__name__} too long to print"
    return shown if len(shown) <= 200 else shown[:200] + "..."


def did_you_mean(given: Any, known: Iterable[str]) -> str:
    """Return " (did you mean 'NAME'?)" with the most similar of the known names, "" if none is similar."""
    if not isinstance(given, str):
        return ""
    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(given[:_LONGEST_NAME].lower(), by_lower, 1)
    return f" (did you mean {by_lower[near[0]]!r}?)" if near else ""


def as_batch(states: States) -> States:
    """Return a single record as a batch of one that shares its memory, and anything else unchanged."""
    return np.asarray(states).reshape(1) if isinstance(states, np.void) else states


def is_integer(value: Any) -> TypeGuard[int | np.integer[Any]]:
    """Return whether a value is an integer of Python or NumPy; a bool is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def require_some(n: Any, name: str = "n", least: int = 1) -> None:
    """Raise ValueError unless `n` is an integer of at least `least`; `name` is its name in the message."""
    if not is_integer(n) or n < least:
        raise ValueError(f"{name} must be an integer of at least {least}, got {short(n)}")


def require_integer(name: str, value: Any, least: int, most: int) -> int:
    """Return `value` as an int, or raise ValueError unless it is an integer from `least` to `most`."""
    if not is_integer(value) or not least <= value <= most:
        raise ValueError(f"{name} must be an integer from {least} to {most}, got {value!r}")
    return int(value)


def first(flags: npt.NDArray[np.bool_]) -> int:
    """Return the index of the first set flag of (n,) flags, or -1 if none is set."""
    return int(flags.argmax()) if flags.any() else -1


def one(states: States) -> States:
    """Return `states` if it has one game; otherwise raise ValueError."""
    if len(states) != 1:
        raise ValueError(f"one game is needed, got {len(states)}")
    return states


_ZERO = np.uint64(0)


def seed_word(seed: int | None) -> np.uint64:
    """Return a seed as uint64, drawn from the system if it is None; raise ValueError for an invalid seed."""
    if seed is None:
        return np.uint64(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if not (type(seed) is int or is_integer(seed)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed must be None or an integer from 0 to 2^64 - 1, got {short(seed)}")
    # Four times as fast as np.uint64(seed), which would be a seventh of a call for 64 games.
    return _ZERO + int(seed)


def seed_words(n: int, seed: Seed) -> npt.NDArray[np.uint64]:
    """Return one seed (1,), or one for each of n games (n,), as uint64; raise ValueError for other seeds."""
    seed = np.array(seed) if isinstance(seed, list | tuple) else seed
    if not isinstance(seed, np.ndarray):
        return np.array([seed_word(seed)])
    if seed.shape != (n,) or seed.dtype.kind not in "iu" or (seed < 0).any():
        raise ValueError(f"seeds must be integers from 0 to 2^64 - 1 of shape ({n},), one for each game, got {seed!r}")
    return seed.astype(np.uint64)


def read_only(name: str, why: str) -> ValueError:
    """Return the error for an array that must be writeable; `why` says what writes to it."""
    return ValueError(f"{name} must not be read-only: {why}")

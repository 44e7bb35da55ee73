"""States as one line of text: the game with its options, then `name=value` for every field that matters.

Numbers are decimal, 64-bit words hexadecimal. A table of bytes, such as a history of positions, is written as the words
of its rows, without zeros at the end.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from mancala_envs.core.options import prefixed
from mancala_envs.core.position import set_field, short


def written(header: str, state: np.recarray[Any, Any], names: Sequence[str], unknown: Sequence[str] = ()) -> str:
    """Return the text of a state (1,) with the fields `names`; those in `unknown` are written as "?"."""
    fields = {name: "?" if name in unknown else _value(state[name][0]) for name in names}
    return " ".join([header, *(f"{name}={value}" for name, value in fields.items())])


def read(game: str, header: str, text: str, state: np.recarray[Any, Any], names: Sequence[str]) -> frozenset[str]:
    """Write the fields of a text into the state (1,).

    Args:
        game: The name of the game, for messages.
        header: What the text must begin with.
        text: The text.
        state: The state, changed in place.
        names: The fields that the text must give.

    Returns:
        The names of the fields.

    Raises:
        ValueError: The text does not fit; the message says why.
    """
    begins, *words = text.split(" ")
    if begins != header:
        raise ValueError(f"the text is for {short(begins)}, this game is {header!r}")
    given = dict(word.split("=", 1) for word in words if "=" in word)
    if len(words) != len(given) or set(given) != set(names):
        raise ValueError(f"the text must give each of {', '.join(names)} once, as name=value")
    for name in names:
        _read_field(game, state, name, given[name])
    return frozenset(given)


def _is_table(kind: np.dtype[Any]) -> bool:
    """Whether a field is rows of bytes that fill whole words."""
    return kind.base == np.uint8 and len(kind.shape) == 2 and kind.shape[1] % 8 == 0


def _value(value: Any) -> str:
    if _is_table(np.dtype((value.dtype, value.shape))):
        value = np.ascontiguousarray(value).view("<u8")
    if value.dtype == np.uint64:
        words = np.trim_zeros(np.ravel(value), "b") if value.ndim else np.ravel(value)
        return ",".join(f"{int(word):x}" for word in words)
    return ",".join(map(str, np.ravel(value).tolist()))


def _read_field(game: str, state: np.recarray[Any, Any], name: str, word: str) -> None:
    assert state.dtype.fields is not None
    field = state.dtype.fields[name][0]
    table = _is_table(field)
    in_words = table or field.base == np.uint64
    base, number = (16, "[0-9a-f]+") if in_words else (10, "-?[0-9]+")
    if not re.fullmatch(f"({number}(,{number})*)?", word):
        raise ValueError(f"{name}={short(word)} is not a list of numbers")
    numbers = [int(digits, base) for digits in word.split(",")] if word else []
    size = int(np.prod(field.shape, dtype=int)) // (8 if table else 1)
    if in_words:
        if len(numbers) > size or any(number >= 2**64 for number in numbers):
            raise ValueError(f"{name} takes at most {size} words of 64 bits")
        words = np.array(numbers + [0] * (size - len(numbers)), "<u8")
        state[name][0] = (words.view(np.uint8) if table else words).reshape(field.shape)
    else:
        value = np.reshape(numbers, field.shape).tolist() if len(numbers) == size else numbers
        with prefixed(game):
            set_field(state, name, value)

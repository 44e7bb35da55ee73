"""States as one line of text: the game with its options, then `name=value` for every field that matters.

Numbers are decimal, 64-bit words hexadecimal. A table of bytes, such as a history of positions, is written as the words
of its rows, without zeros at the end.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from mancala_envs.core.arguments import short
from mancala_envs.core.options import parse_value, prefixed
from mancala_envs.core.position import set_field

MOST_HEADER = 1000
"""Maximum length of the header with which a text begins: the game with its options."""
_OPTION = r"\w+=(?:\([^()]*\)|[^,()]*)"
_HEADER = re.compile(rf"(\w+)(?:\(({_OPTION}(?:,{_OPTION})*)\))?")
_MOST_DIGITS = 20
"""The most characters of a number: integers have 64 bits."""


def game_of_position(text: str) -> tuple[str, bool, dict[str, Any]]:
    """Return the game that a text is for: its name, whether it is a campaign, and its options.

    The game need not exist.

    Raises:
        ValueError: The text does not begin with a game, or gives an option twice.
    """
    header = text.partition(" ")[0]
    if len(header) > MOST_HEADER:
        raise ValueError(f"the game and its options must have at most {MOST_HEADER} characters, got {len(header)}")
    found = _HEADER.fullmatch(header)
    if not found:
        raise ValueError(f"the text must begin with NAME or NAME(OPTION=VALUE,...), got {short(header)}")
    options: dict[str, Any] = {}
    for word in re.findall(_OPTION, found[2] or ""):
        name, value = word.split("=", 1)
        if name in options:
            raise ValueError(f"option {name} is given twice in {short(header)}")
        options[name] = parse_value(value)
    return found[1], options.pop("campaign", False), options


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
    numbers = sum(state.dtype[name].itemsize // state.dtype[name].base.itemsize for name in names)
    most = len(header) + sum(len(name) + 2 for name in names) + numbers * (_MOST_DIGITS + 1)
    if len(text) > most:
        raise ValueError(f"the text must have at most {most} characters for {header!r}, got {len(text)}")
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
    base, number = (16, "[0-9a-f]{1,16}") if in_words else (10, "-?[0-9]{1,19}")
    if not re.fullmatch(f"({number}(,{number})*)?", word):
        allowed = "hexadecimal words of 64 bits" if in_words else "integers of 64 bits"
        raise ValueError(f"{name} must be {allowed}, separated by commas, got {short(word)}")
    numbers = [int(digits, base) for digits in word.split(",")] if word else []
    size = int(np.prod(field.shape, dtype=int)) // (8 if table else 1)
    if in_words:
        if len(numbers) > size:
            raise ValueError(f"{name} takes at most {size} words of 64 bits")
        words = np.array(numbers + [0] * (size - len(numbers)), "<u8")
        state[name][0] = (words.view(np.uint8) if table else words).reshape(field.shape)
    else:
        value = np.reshape(numbers, field.shape).tolist() if len(numbers) == size else numbers
        with prefixed(game):
            set_field(state, name, value)

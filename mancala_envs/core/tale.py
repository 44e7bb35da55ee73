"""Descriptions of a step in words, made while the step is played in plain Python.

A verb is a rule that the book's rules call. Families and games describe verbs in `Look.tells`, which has a function for
each. A verb that is not in it adds no line, but the verbs that it calls do.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any

from mancala_envs.core.binding import Edition
from mancala_envs.core.rule import Rule


@dataclass(frozen=True)
class Small:
    """A small event at a place. Consecutive ones become one line: "sows 5 from hole 3 to hole 8"."""

    verb: str
    place: str


Line = str | Small
Words = Callable[..., Line]
"""Function of (record before, record after, the verb's other arguments) that describes what the verb did, or ""."""


@dataclass(frozen=True)
class Whole:
    """Words for everything that a verb does; the verbs that it calls add no lines."""

    words: Words


Tells = Mapping[Rule, Words | Whole]

_heard: ContextVar[list[Line]] = ContextVar("heard")
"""The lines of the step that is being played."""


class Telling(Edition):
    """A book's rules in plain Python, in which the verbs of `tells` add lines for `tale_of`."""

    def __init__(self, name: str, exchanged: Mapping[Any, Any], tells: Tells) -> None:
        super().__init__(name, exchanged, compiled=False)
        self._tells = tells

    def _made(self, function: Any, originals: frozenset[Any]) -> Any:
        made = super()._made(function, originals)
        return _telling(made, self._tells[function]) if function in self._tells else made


def tale_of(deed: Rule, *arguments: Any) -> tuple[Any, list[str]]:
    """Call `deed`, bound by a `Telling`; return its result and a description of what it did, as lines."""
    result, lines = heard(deed, *arguments)
    return result, [in_words(row) for row in rows(lines)]


def heard(deed: Rule, *arguments: Any) -> tuple[Any, list[Line]]:
    """Do the same as `tale_of`, but return the description event by event, as `Line`."""
    lines: list[Line] = []
    token = _heard.set(lines)
    try:
        result = deed(*arguments)
    finally:
        _heard.reset(token)
    return result, lines


def _telling(verb: Rule, told: Words | Whole) -> Rule:
    """Wrap `verb` so that it adds its own line, followed by those of the verbs that it calls."""
    words, whole = (told.words, True) if isinstance(told, Whole) else (told, False)

    @wraps(verb)
    def told_of(s: Any, *arguments: Any) -> Any:
        lines = _heard.get()
        before, begins = s.copy(), len(lines)
        result = verb(s, *arguments)
        if whole:
            del lines[begins:]
        if line := words(before, s, *arguments):
            lines.insert(begins, line)
        return result

    return told_of


def rows(lines: Iterable[Line]) -> list[list[Line]]:
    """Group consecutive small events of one kind; every other line is a group of its own."""
    together: list[list[Line]] = []
    for line in lines:
        before = together[-1][-1] if together else ""
        if isinstance(line, Small) and isinstance(before, Small) and line.verb == before.verb:
            together[-1].append(line)
        else:
            together.append([line])
    return together


def in_words(row: Sequence[Line]) -> str:
    """Return one group of `rows` as text."""
    first, last = row[0], row[-1]
    if not isinstance(first, Small) or not isinstance(last, Small):
        return str(first)
    where = f"from {first.place} to {last.place}" if len(row) > 1 else f"into {first.place}"
    return f"{first.verb} {len(row)} {where}"

"""Descriptions of a step in words, made while the step is played in plain Python.

A verb is a rule that the book's rules call. Families and games describe verbs in `Presentation.descriptions`, which has
a function for each. A verb that is not in it adds no line, but the verbs that it calls do.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any

from mancala_envs.core.binding import Edition
from mancala_envs.core.rule import Rule


@dataclass(frozen=True)
class SmallEvent:
    """A small event at a place. Consecutive ones become one line: "sows 5 from hole 3 to hole 8"."""

    verb: str
    place: str


Line = str | SmallEvent
Description = Callable[..., Line]
"""Function of (record before, record after, the verb's other arguments) that describes what the verb did, or ""."""


@dataclass(frozen=True)
class Summary:
    """A description of everything that a verb does; the verbs that it calls add no lines."""

    describe: Description


Descriptions = Mapping[Rule, Description | Summary]

_lines: ContextVar[list[Line]] = ContextVar("lines")
"""The lines of the step that is being played."""


class ExplainingEdition(Edition):
    """A book's rules in plain Python, in which the verbs of `descriptions` add lines for `explained`."""

    def __init__(self, name: str, exchanged: Mapping[Any, Any], descriptions: Descriptions) -> None:
        super().__init__(name, exchanged, compiled=False)
        self._descriptions = descriptions

    def _made(self, function: Any, originals: frozenset[Any]) -> Any:
        made = super()._made(function, originals)
        return _explaining(made, self._descriptions[function]) if function in self._descriptions else made


def explained(call: Rule, *arguments: Any) -> tuple[Any, list[str]]:
    """Call `call`, bound by an `ExplainingEdition`; return its result and lines that describe what it did."""
    result, lines = lines_of(call, *arguments)
    return result, [sentence(group) for group in groups(lines)]


def lines_of(call: Rule, *arguments: Any) -> tuple[Any, list[Line]]:
    """Do the same as `explained`, but return the description event by event, as `Line`."""
    lines: list[Line] = []
    token = _lines.set(lines)
    try:
        result = call(*arguments)
    finally:
        _lines.reset(token)
    return result, lines


def _explaining(verb: Rule, description: Description | Summary) -> Rule:
    """Wrap `verb` so that it adds its own line, followed by those of the verbs that it calls."""
    is_summary = isinstance(description, Summary)
    describe = description.describe if isinstance(description, Summary) else description

    @wraps(verb)
    def described(s: Any, *arguments: Any) -> Any:
        lines = _lines.get()
        before, begins = s.copy(), len(lines)
        result = verb(s, *arguments)
        if is_summary:
            del lines[begins:]
        if line := describe(before, s, *arguments):
            lines.insert(begins, line)
        return result

    return described


def groups(lines: Iterable[Line]) -> list[list[Line]]:
    """Group consecutive small events of one kind; every other line is a group of its own."""
    together: list[list[Line]] = []
    for line in lines:
        before = together[-1][-1] if together else ""
        if isinstance(line, SmallEvent) and isinstance(before, SmallEvent) and line.verb == before.verb:
            together[-1].append(line)
        else:
            together.append([line])
    return together


def sentence(group: Sequence[Line]) -> str:
    """Return one of the `groups` as text."""
    first, last = group[0], group[-1]
    if not isinstance(first, SmallEvent) or not isinstance(last, SmallEvent):
        return str(first)
    where = f"from {first.place} to {last.place}" if len(group) > 1 else f"into {first.place}"
    return f"{first.verb} {len(group)} {where}"

"""What happens inside one step, in words: it is played in plain Python, and its verbs tell what they do.

What there is to tell of belongs to families and games: `Look.tells` lists verbs, rules that the book's rules call, each
with its words. A verb without words says nothing; those that it calls speak for themselves.
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
    """A small deed at a place. Those in a row are told together: "sows 5 from hole 3 to hole 8"."""

    verb: str
    place: str


Line = str | Small
Words = Callable[..., Line]
"""(record before, record after, what the verb was given besides) -> what it has done; "" for nothing to tell of."""


@dataclass(frozen=True)
class Whole:
    """Words for all that a verb does: of the verbs that it calls nothing is told."""

    words: Words


Tells = Mapping[Rule, Words | Whole]

_heard: ContextVar[list[Line]] = ContextVar("heard")
"""What the verbs of the step that is played now have told."""


class Telling(Edition):
    """A book's rules in plain Python, where the verbs of `tells` are heard by `tale_of`."""

    def __init__(self, name: str, exchanged: Mapping[Any, Any], tells: Tells) -> None:
        super().__init__(name, exchanged, compiled=False)
        self._tells = tells

    def _made(self, function: Any, originals: frozenset[Any]) -> Any:
        made = super()._made(function, originals)
        return _telling(made, self._tells[function]) if function in self._tells else made


def tale_of(deed: Rule, *arguments: Any) -> tuple[Any, list[str]]:
    """What `deed`, bound by a `Telling`, returns, and what the verbs that it calls have told, line by line."""
    result, lines = heard(deed, *arguments)
    return result, [in_words(row) for row in rows(lines)]


def heard(deed: Rule, *arguments: Any) -> tuple[Any, list[Line]]:
    """`tale_of`, small deeds each for itself."""
    lines: list[Line] = []
    token = _heard.set(lines)
    try:
        result = deed(*arguments)
    finally:
        _heard.reset(token)
    return result, lines


def _telling(verb: Rule, told: Words | Whole) -> Rule:
    """`verb`, which is heard: first its own words, then those of the verbs that it calls."""
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
    """Each line for itself, small deeds in a row together."""
    together: list[list[Line]] = []
    for line in lines:
        before = together[-1][-1] if together else ""
        if isinstance(line, Small) and isinstance(before, Small) and line.verb == before.verb:
            together[-1].append(line)
        else:
            together.append([line])
    return together


def in_words(row: Sequence[Line]) -> str:
    """One of `rows` as text."""
    first, last = row[0], row[-1]
    if not isinstance(first, Small) or not isinstance(last, Small):
        return str(first)
    where = f"from {first.place} to {last.place}" if len(row) > 1 else f"into {first.place}"
    return f"{first.verb} {len(row)} {where}"

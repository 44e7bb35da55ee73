"""Actions from answers in prose."""

import re
from collections.abc import Sequence


class AnswerError(ValueError):
    """An answer that cannot be played. The message says why, in words for the one who answered."""


class UnclearAnswer(AnswerError):
    """The answer names no action."""


class AmbiguousAnswer(AnswerError):
    """The answer names several actions."""


class IllegalAnswer(AnswerError):
    """The answer names an action that is not legal now."""


MAX_LENGTH = 100_000
"""Maximum length of an answer, in characters."""

_LABELLED = re.compile(r"(?im)^[^\w\n]*action[^\S\n]*[:=]([^\n]*)$")
_NUMBER = re.compile(r"(?<![\w.-])[0-9]{1,9}(?![\w-]|\.[0-9])")
_SPACE = re.compile(r"\s+")
_ORNAMENT = "*_`\"'.,;:!()[]<> \t"


def parse(answer: str, names: Sequence[str], legal: Sequence[int]) -> int:
    """Return the legal action that an answer names.

    A line `Action: X` counts, and then nothing else does; several such lines must agree. X is the number or the name of
    an action, or prose that contains exactly one. Without such a line the whole answer must be or contain exactly one.

    Args:
        answer: What the model or the person wrote.
        names: Names of all actions, for the player to move.
        legal: The legal actions.

    Raises:
        UnclearAnswer: The answer names no action.
        AmbiguousAnswer: It names more than one.
        IllegalAnswer: It names one that is not legal.
    """
    if len(answer) > MAX_LENGTH:
        raise UnclearAnswer(f"the answer has {len(answer):,} characters; at most {MAX_LENGTH:,} are read")
    labelled = _LABELLED.findall(answer)
    found = {action for part in labelled or [answer] for action in _named(part, names, legal)}
    if not found:
        raise UnclearAnswer(f"no action found in {_shortened(labelled[-1] if labelled else answer)}")
    if len(found) > 1:
        raise AmbiguousAnswer(f"several actions found: {', '.join(map(str, sorted(found)))}; name exactly one")
    (action,) = found
    if action not in legal:
        name = f" ({names[action]})" if action < len(names) else ""
        raise IllegalAnswer(f"action {action}{name} is not legal now")
    return action


def _named(part: str, names: Sequence[str], legal: Sequence[int]) -> set[int]:
    """Return the actions that a part of an answer names."""
    plain = _SPACE.sub(" ", part).strip(_ORNAMENT).lower()
    if plain.isascii() and plain.isdigit() and len(plain) < 10:
        return {int(plain)}
    # The name of an illegal action is only recognised if it is the whole answer: several actions can share a name.
    whole = [action for action, name in enumerate(names) if name.lower() == plain]
    if whole:
        return {action for action in whole if action in legal} or set(whole[:1])
    by_name, rest = set(), plain
    for action in sorted(legal, key=lambda action: -len(names[action])):
        pattern = re.compile(rf"(?<!\w){re.escape(names[action].lower())}(?!\w)")
        if pattern.search(rest):
            by_name.add(action)
            rest = pattern.sub(" ", rest)
    return by_name or {int(number) for number in _NUMBER.findall(rest)}


def _shortened(text: str) -> str:
    shown = repr(text.strip())
    return shown if len(shown) <= 80 else f"{shown[:77]}..."

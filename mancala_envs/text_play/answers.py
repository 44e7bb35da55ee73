"""Actions from answers in prose."""

import re
from collections.abc import Mapping, Sequence


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

_LABELLED = re.compile(r"(?im)^[^\w\n]*action[^\w\n:=\uff1a]*[:=\uff1a][\s*_`]*([^\n]*)$")
_NUMBER = re.compile(r"(?<![\w.-])[0-9]{1,9}(?![\w-]|\.[0-9])")
_LEADING_NUMBER = re.compile(r"\W*([0-9]{1,9})(?![\w-]|\.[0-9])")
_SPACE = re.compile(r"\s+")
_ORNAMENT = "*_`\"'.,;:!()[]<> \t"
_SHOWN = 10
"""Maximum number of actions that a message lists."""


def parse(answer: str, names: Sequence[str], legal: Sequence[int]) -> int:
    """Return the legal action that an answer names.

    If the answer contains a line `Action: X`, only that line counts; several such lines must agree. X is the number or
    the name of an action, or prose that names exactly one; a number in front of a name must agree with it. Numbers in
    prose count only if it contains no name of a legal action. X may stand on the next line. An answer without such a
    line is read as if it were X. Text before `</think>`, or after a `<think>` that is not closed, is ignored.

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
    answer = answer.rpartition("</think>")[2].partition("<think>")[0]
    labelled = _LABELLED.findall(answer)
    text = _plain(answer)
    named: dict[str, list[int]] = {}
    for action, name in enumerate(names):
        if (lowered := name.lower()) in text:
            named.setdefault(lowered, []).append(action)
    # Of actions that share a name the legal ones count, and the first if none is legal.
    meant = {name: set(actions).intersection(legal) or {actions[0]} for name, actions in named.items()}
    # One expression for all names, longest first: names can be parts of others, and a game can have thousands.
    any_name = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(meant, key=len, reverse=True)))})(?!\w)")
    found = {action for part in labelled or [answer] for action in _named(_plain(part), meant, any_name, legal)}
    if not found:
        raise UnclearAnswer(f"no action found in {_shortened(labelled[-1] if labelled else answer)}")
    if len(found) > 1:
        shown = ", ".join(map(str, sorted(found)[:_SHOWN])) + (", ..." if len(found) > _SHOWN else "")
        raise AmbiguousAnswer(f"several actions found: {shown}; name exactly one")
    (action,) = found
    if action not in legal:
        name = f" ({names[action]})" if action < len(names) else ""
        raise IllegalAnswer(f"action {action}{name} is not legal now")
    return action


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip(_ORNAMENT).lower()


def _named(text: str, meant: Mapping[str, set[int]], any_name: re.Pattern[str], legal: Sequence[int]) -> set[int]:
    """Return the actions that a part of an answer names.

    Args:
        text: The part, as `_plain` returns it.
        meant: The actions that each name means, of the names that occur in the answer.
        any_name: Matches these names.
        legal: The legal actions.
    """
    by_name = {action for name in any_name.findall(text) if name for action in meant[name]}
    rest = any_name.sub("_", text) if by_name else text
    if allowed := by_name.intersection(legal):
        leading = _LEADING_NUMBER.match(rest)
        return allowed | ({int(leading[1])} if leading else set())
    return by_name | {int(number) for number in _NUMBER.findall(rest)}


def _shortened(text: str) -> str:
    shown = repr(text.strip())
    return shown if len(shown) <= 80 else f"{shown[:77]}..."

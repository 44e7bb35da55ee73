"""Rules bound to names: loops that are written once get one book's rules, and rounds get no campaign's.

What is bound is a copy of the code with other globals, compiled under a name of its own: so Numba can inline the rules
and cache the result, which it cannot do with closures and with functions passed as arguments.
"""

import dis
import types
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from mancala_envs.core import kernels, outcome
from mancala_envs.core.rule import Rule, inlined_rule, is_inlined, is_rule, rule

if TYPE_CHECKING:
    from mancala_envs.core.game import RuleBook

FREE = (
    *("num_actions", "begin", "legal", "play", "captured", "count", "total", "observe", "hide", "owned"),
    *("legal_flags", "play_words", "settle", "max_turns"),
)
"""The rules of a book that call no other by the names below."""


@cache
def bound(book: "RuleBook", campaign: bool, loop: Rule, tag: str, extra: tuple[tuple[str, Rule], ...]) -> Rule:
    """`loop` with the rules of `book` (and `extra`) in place of the names it calls."""
    rules = _rules(book, campaign)
    if not campaign and book.has_campaign and not extra and _same(loop, rules, _rules(book, True)):
        return bound(book, True, loop, tag, extra)
    return _copy(book, campaign, loop, {**rules, **dict(extra)}, tag)


@cache
def _rules(book: "RuleBook", campaign: bool) -> dict[str, Any]:
    """Everything a loop may call by name; each is bound to those before it."""
    rules = {name: getattr(book, name) for name in FREE}
    rules["PAYS_ROUNDS"] = campaign
    usual: Mapping[str, Any] = {}
    if book.has_campaign and not campaign:
        rules = {name: _of_rounds(book, value) for name, value in rules.items()}
        usual = _rules(book, True)

    def bind(name: str, loop: Rule) -> None:
        same = name in usual and _same(loop, rules, usual)
        rules[name] = usual[name] if same else _copy(book, campaign, loop, rules)

    if is_rule(book.legal_word):
        rules["legal_word"] = _of_rounds(book, book.legal_word) if usual else book.legal_word
    else:
        bind("legal_word", book.legal_word)
    bind("worth", book.worth)
    bind("round_reward", outcome.round_reward)
    bind("ahead", book.ahead)
    bind("best_player", outcome.best)
    bind("share_of_player", outcome.share)
    bind("best", book.best)
    bind("share", book.share)
    for loop in (kernels.fresh, kernels.finish, kernels.move, kernels.close, kernels.pay, kernels.pick):
        bind(loop.__name__, loop)
    return rules


@cache
def _of_rounds(book: "RuleBook", value: Any) -> Any:
    """A rule as it is without a campaign: where it would go on to another round, the game is over."""
    if not is_rule(value):
        return value
    if value in book.between_rounds:
        return outcome.no_other_round
    called = {name: rule for name, rule in _named(value).items() if is_rule(rule)}
    scope = {name: _of_rounds(book, rule) for name, rule in called.items()}
    return value if scope == called else _copy(book, False, value, scope)


def _named(loop: Rule) -> dict[str, Any]:
    """The globals that `loop` itself uses, by name."""
    function = _function(loop)
    names = {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def _same(loop: Rule, rules: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    """Whether `loop` finds the same under all its names in both."""
    return all(rules[name] is others[name] for name in _named(loop) if name in rules)


def _copy(book: "RuleBook", campaign: bool, loop: Rule, scope: Mapping[str, Any], tag: str = "") -> Rule:
    """A copy of `loop` that finds the names of `scope` among its globals."""
    code = _function(loop)
    copy = types.FunctionType(code.__code__, {**code.__globals__, **scope}, code.__name__, code.__defaults__)
    rounds_only = "round" if book.has_campaign and not campaign else ""
    copy.__qualname__ = "_".join(filter(None, (book.name, rounds_only, code.__name__, tag)))
    copy.__module__ = code.__module__
    copy.__doc__ = code.__doc__
    inlined = is_inlined(loop) or loop in (kernels.move, kernels.pick, kernels.close)
    return inlined_rule(copy) if inlined else rule(copy)


def _function(loop: Rule) -> types.FunctionType:
    function = loop.py_func if is_rule(loop) else loop  # type: ignore[attr-defined]
    assert isinstance(function, types.FunctionType)
    return function

"""`RuleBook`: what a game file declares, in groups. `Fast`: faster forms of some of its rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import Any

from mancala_envs.core import contract, outcome
from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import Edition
from mancala_envs.core.board import Board
from mancala_envs.core.chance import draw, draw_or_read
from mancala_envs.core.explanation import Descriptions, ExplainingEdition
from mancala_envs.core.observation import Columns, row_in_python, row_of
from mancala_envs.core.options import Option
from mancala_envs.core.page import page
from mancala_envs.core.record import Field
from mancala_envs.core.rule import Rule
from mancala_envs.core.symmetry import BoardMap

Options = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules that every game has; `core.contract` says what each must do."""

    num_actions: Rule
    begin: Rule
    legal: Rule
    play: Rule
    observe: Rule
    num_players: Rule = contract.num_players
    hide: Rule = contract.hide
    legal_word: Rule = contract.legal_word
    worth: Rule = contract.worth
    positional_bonus: Rule = contract.positional_bonus
    side: Rule = contract.side


@dataclass(frozen=True, eq=False)
class Result:
    """The rules for the winner and the rewards; see `core.outcome`. By default `play` sets `winner`."""

    best: Rule = outcome.named_by_play
    share: Rule = outcome.share_of_winner
    score: Rule = outcome.score
    whole: Rule = outcome.whole
    ahead: Rule = outcome.ahead
    secured_score: Rule = contract.secured_score


def by_scores(
    score: Rule,
    whole: Rule,
    best: Rule = outcome.highest_score,
    share: Rule = outcome.share_by_score,
    ahead: Rule = outcome.ahead,
    secured_score: Rule = contract.secured_score,
) -> Result:
    """Return a `Result` in which the highest score wins, for a game with the option `outcome.REWARD`."""
    return Result(best, share, score, whole, ahead, secured_score)


@dataclass(frozen=True, eq=False)
class Campaign:
    """How rounds follow each other in a campaign, for a game that has campaigns."""

    options: tuple[Option, ...]
    """Options that only campaigns have."""
    between_rounds: tuple[Rule, ...]
    """Rules that only campaigns call, and that return None or bool; games of one round are compiled without them."""
    owned: Rule
    standing: Rule
    accounts: tuple[str, ...] = ()
    """Fields of the record that `Game.standing` also returns."""
    most_lead: Callable[[Options], float] = lambda options: 1.0
    """Options -> upper bound of a player's lead in `standing`, as a share of `whole`."""


@dataclass(frozen=True, eq=False)
class Presentation:
    """How a game is presented to people and to networks."""

    board: Callable[[Any], Board]
    """Record -> the board to draw."""
    observation: Callable[[Options], Sequence[Columns]]
    """Options -> the columns that `observe` writes, by kind."""
    actions: Callable[[Options], Sequence[Actions]]
    """Options -> all actions, by kind."""
    phases: Mapping[int, str]
    """Phase -> what the player decides in it, in words."""
    grid: Callable[[Options], Sequence[tuple[int, int]]] = lambda options: ()
    """Options -> row and column of every place; empty if the board is not a grid."""
    turn: Callable[[Options], BoardMap] | None = None
    """Options -> the map from player 1's numbers of places and names of directions to those of the board; None if all
    players use those of the board."""
    sides: tuple[str, ...] = ()
    """Names of the sides, such as "the leopards" and "the cattle". Sides without a name are called by their players."""
    counted: Callable[[Options], str] = lambda options: ""
    """Options and `campaign` -> what the result counts for each side, in words, such as "seeds in store and row"."""
    tally: Rule | None = None
    """Rule of (s, side) that counts it, -1 for a side of which nothing is counted; None if `Result.score` does."""
    descriptions: Descriptions = field(default_factory=dict)
    """Verb (any rule that the book's rules call) -> a function that describes what it did; see `core.explanation`."""


def _anything(s: Any, options: Options, given: frozenset[str]) -> None:
    """Accept every position."""


@dataclass(frozen=True, eq=False)
class Positions:
    """Conditions on loaded positions, and what searches may assume about fields."""

    check: Callable[[Any, Options, frozenset[str]], None] = _anything
    """Function of (record, options and `campaign`, names of the given fields) that checks a loaded position.

    It fills in the hidden fields. For a position that the game cannot have it raises ValueError, by
    `require(condition, "what is wrong")`; the caller puts the game's name before the message.
    """
    hidden: tuple[str, ...] = ()
    """Fields that `load` computes itself. `text` includes them."""
    unread: tuple[str, ...] = ()
    """Fields that play writes and never reads. Searches treat positions that differ only in them as equal."""
    counters: tuple[str, ...] = ()
    """Fields that only grow during a round and affect nothing but the score; `secured_score` counts them.

    Positions that differ only in them have the same continuations, with the same gains in score.
    """
    database_row: str = ""
    """The field that indexes an endgame database; "" if the game has none.

    It is a row of bytes, whose sum never rises. A round depends only on this row, the player to move, `counters`
    and the options that are sizes. No position repeats. Swapping the halves of the row and the player to move gives
    an equivalent position.
    """
    opening_turns: int = 0
    """Number of turns at the start of a game whose rules depend on the turn number."""


def _any_options(options: Options, campaign: bool) -> None:
    """Accept every combination of options."""


@dataclass(frozen=True, eq=False)
class RuleBook:
    """Everything that a game file declares. Rules are compiled; everything else is ordinary Python."""

    name: str
    title: str
    text: str | None
    """The module docstring; None if Python runs with docstrings removed."""
    options: tuple[Option, ...]
    record: Callable[[Options], Sequence[Field]]
    """Options that are sizes -> the fields of a game in progress, with `record.HEAD`, without the options."""
    rules: Rules
    presentation: Presentation
    most_decisions: Callable[[Options], int]
    """Options -> upper bound of the number of decisions of a game, or of a round."""
    result: Result = field(default_factory=Result)
    family: Mapping[Rule, Rule] = field(default_factory=dict)
    """Rule in the contract of the game's family -> the book's rule that replaces it, as `rules` does for
    `core.contract`."""
    campaign: Campaign | None = None
    positions: Positions = field(default_factory=Positions)
    check_options: Callable[[Options, bool], None] = _any_options
    """Function of (options, campaign) that raises ValueError, as `Positions.check` does, for options that are allowed
    one by one but not together."""
    deciding: Callable[[Options], int] | None = None
    """Options -> number of players, counted from player 0, who ever decide; None if all do."""
    has_chance: Callable[[Options, bool], bool] = lambda options, campaign: False
    """(options, campaign) -> whether `begin` or `play` ever draws a random number."""
    equivalent_results: Callable[[int], Sequence[int]] = range
    """Number of sides of a draw -> for each result, the lowest result with the same meaning."""
    has_secrets: Callable[[Options], bool] = lambda options: False
    """Options -> whether `hide` ever removes anything."""
    symmetries: Callable[[Options], list[BoardMap]] = lambda options: []
    """Options -> the symmetries of the board under which the rules stay the same, without the identity."""

    @cached_property
    def page(self) -> str:
        """The game's page: `text` with tables of actions, positions, observations and options."""
        return page(self)

    @property
    def campaign_options(self) -> tuple[Option, ...]:
        """The options that only campaigns have."""
        return self.campaign.options if self.campaign else ()

    @property
    def every_option(self) -> tuple[Option, ...]:
        """All options, those of campaigns last."""
        return (*self.options, *self.campaign_options)


@dataclass(frozen=True, eq=False)
class Fast:
    """Faster forms of some rules of a book, with byte-for-byte the same results."""

    forms: Mapping[Rule, Rule]
    """Plain rule of the book, name of `core.contract`, or loop -> the function that replaces it."""
    fits: Callable[[Options], bool] = lambda options: True
    """Options -> whether the forms can represent the game."""


@cache
def edition(book: RuleBook, campaign: bool, fast: Fast | None, compiled: bool = True) -> Edition:
    """Return the rules of `book` for campaigns or for single rounds, with or without fast forms."""
    return Edition(book.name, stand_ins(book, campaign, fast, compiled), compiled)


@cache
def explaining_edition(book: RuleBook, campaign: bool) -> ExplainingEdition:
    """Return the plain rules of `book` for campaigns or for single rounds, with verbs that describe what they do."""
    return ExplainingEdition(book.name, stand_ins(book, campaign, None, compiled=False), book.presentation.descriptions)


def stand_ins(book: RuleBook, campaign: bool, fast: Fast | None, compiled: bool) -> dict[Any, Any]:
    """Return a map from functions to the rules of `book` that replace them, for `edition`."""
    exchanged: dict[Any, Any] = {}
    for names, group in ((contract, book.rules), (contract, book.result), (outcome, book.result)):
        for rule in fields(group):
            if hasattr(names, rule.name):
                exchanged[getattr(names, rule.name)] = getattr(group, rule.name)
    exchanged |= book.family
    if book.campaign:
        exchanged[contract.owned] = book.campaign.owned
        exchanged[contract.standing] = book.campaign.standing
        if campaign:
            exchanged[contract.ends_round] = outcome.has_ended_round
            exchanged[contract.round_pay] = outcome.pay_for_lead
            exchanged[contract.round_lead] = outcome.lead_in_standing
        else:
            exchanged |= dict.fromkeys(book.campaign.between_rounds, outcome.no_other_round)
    if fast:
        exchanged |= fast.forms
    if not compiled:
        exchanged[draw] = draw_or_read
        exchanged[row_of] = row_in_python
    return {name: rule for name, rule in exchanged.items() if name is not rule}

"""`RuleBook`, what a game file declares, in groups; and `Fast`, packed forms of some of its rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import Any

from mancala_envs.core import contract, outcome
from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import Edition
from mancala_envs.core.board import Board
from mancala_envs.core.chance import draw, draw_or_read
from mancala_envs.core.observation import Columns, row_in_python, row_of
from mancala_envs.core.options import Option
from mancala_envs.core.page import page
from mancala_envs.core.record import Field
from mancala_envs.core.rule import Rule
from mancala_envs.core.symmetry import Turned
from mancala_envs.core.tale import Telling, Tells

Options = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of every game, named as in core.contract, which says what each must do."""

    num_actions: Rule
    begin: Rule
    legal: Rule
    play: Rule
    observe: Rule
    num_players: Rule = contract.num_players
    hide: Rule = contract.hide
    legal_word: Rule = contract.legal_word
    worth: Rule = contract.worth
    prospects: Rule = contract.prospects
    side: Rule = contract.side


@dataclass(frozen=True, eq=False)
class Result:
    """Who has won and what everyone gets; see core.outcome. By default `play` sets `winner`."""

    best: Rule = outcome.named_by_play
    share: Rule = outcome.share_of_winner
    score: Rule = outcome.score
    whole: Rule = outcome.whole
    ahead: Rule = outcome.ahead
    assured: Rule = contract.assured


def by_scores(
    score: Rule,
    whole: Rule,
    best: Rule = outcome.highest_score,
    share: Rule = outcome.share_by_score,
    ahead: Rule = outcome.ahead,
    assured: Rule = contract.assured,
) -> Result:
    """The highest score wins. The game has the option `outcome.REWARD`."""
    return Result(best, share, score, whole, ahead, assured)


@dataclass(frozen=True, eq=False)
class Campaign:
    """How rounds are tied together, where they can be."""

    options: tuple[Option, ...]
    """Those that only campaigns have."""
    between_rounds: tuple[Rule, ...]
    """Rules that only campaigns reach, with no result or a truth value; rounds are compiled without them."""
    owned: Rule
    standing: Rule
    accounts: tuple[str, ...] = ()
    """Fields of the record that `Game.standing` shows besides."""
    most_lead: Callable[[Options], float] = lambda options: 1.0
    """Options -> what nobody's lead in worth, as a part of the whole, exceeds."""


@dataclass(frozen=True, eq=False)
class Look:
    """What a game looks like, to people and to networks."""

    board: Callable[[Any], Board]
    """Record -> what is drawn."""
    observation: Callable[[Options], Sequence[Columns]]
    """The columns that `observe` writes, kind by kind."""
    actions: Callable[[Options], Sequence[Actions]]
    """All actions, kind by kind."""
    phases: Mapping[int, str]
    """The kinds of decision, by number, in words."""
    grid: Callable[[Options], Sequence[tuple[int, int]]] = lambda options: ()
    """Options -> row and column of every place, where the board is a grid."""
    turn: Callable[[Options], Turned] | None = None
    """Options -> where the places and directions that player 1 counts from their own side lie on the board; None where
    all players count them as the board does."""
    tells: Tells = field(default_factory=dict)
    """A verb, any rule that the book's rules call -> what it has done, in words: see core.tale."""


def _anything(s: Any, options: Options, given: frozenset[str]) -> None:
    """Every position is possible."""


@dataclass(frozen=True, eq=False)
class Positions:
    """What a position that is loaded must be."""

    check: Callable[[Any, Options, frozenset[str]], None] = _anything
    """(record, options and `campaign`, names of the given fields): fills in the hidden fields of a loaded position.

    Raises ValueError, by `require(condition, "what is wrong")`, for a position that is none of the game. The caller
    puts the game's name before the message.
    """
    hidden: tuple[str, ...] = ()
    """Fields that `load` fills in by itself; `text` gives them."""
    unread: tuple[str, ...] = ()
    """Fields that play writes and never reads: positions that differ in nothing else are the same."""
    counters: tuple[str, ...] = ()
    """Fields that a round only adds to, and which `assured` counts: from positions that differ in nothing else it goes
    on alike, and by as much in scores."""
    database_row: str = ""
    """The field by which an endgame database is indexed, if there is one: a row of bytes, counts that never rise. With
    the player to move, this row and `counters` are all that a round depends on, whatever the options but sizes; no
    position comes back. Player 1 plays by it as player 0 does by its halves exchanged."""
    opening_turns: int = 0
    """How many turns of a game, the first ones, depend on the number of the turn."""


def _agreed(options: Options, campaign: bool) -> None:
    """All options go together."""


@dataclass(frozen=True, eq=False)
class RuleBook:
    """All that one game file says. Rules are compiled; everything else is ordinary Python."""

    name: str
    title: str
    text: str | None
    """The module docstring; None where Python strips them."""
    options: tuple[Option, ...]
    record: Callable[[Options], Sequence[Field]]
    """Options that are sizes -> the fields of a game in progress, `record.HEAD` among them, but no options."""
    rules: Rules
    look: Look
    most_decisions: Callable[[Options], int]
    """Options -> what the number of decisions of a game, or a round, never exceeds."""
    result: Result = field(default_factory=Result)
    family: Mapping[Rule, Rule] = field(default_factory=dict)
    """A name that rules of the game's family call -> the book's rule for it, as `rules` are for those of the core."""
    campaign: Campaign | None = None
    positions: Positions = field(default_factory=Positions)
    agree: Callable[[Options, bool], None] = _agreed
    """(options, campaign): raises ValueError for options that are allowed one by one but not together, as
    `Positions.check` does."""
    deciding: Callable[[Options], int] | None = None
    """Options -> how many players, the first ones, ever decide; None: all."""
    has_chance: Callable[[Options, bool], bool] = lambda options, campaign: False
    """(options, campaign): whether `begin` or `play` ever draws."""
    alike: Callable[[int], Sequence[int]] = range
    """Sides of a draw -> for every result the least one that means the same."""
    has_secrets: Callable[[Options], bool] = lambda options: False
    """Options -> whether there is ever something to `hide`."""
    symmetries: Callable[[Options], list[Turned]] = lambda options: []
    """Options -> the ways to lay the board on itself under which the rules stay the same, but the one that changes
    nothing."""

    @cached_property
    def page(self) -> str:
        """`text`, and tables of actions, positions, observations and options."""
        return page(self)

    @property
    def campaign_options(self) -> tuple[Option, ...]:
        """Those that only campaigns have."""
        return self.campaign.options if self.campaign else ()

    @property
    def every_option(self) -> tuple[Option, ...]:
        """Those of rounds, then those of campaigns."""
        return (*self.options, *self.campaign_options)


@dataclass(frozen=True, eq=False)
class Fast:
    """Packed forms of some rules of a book, which play byte for byte the same."""

    forms: Mapping[Rule, Rule]
    """A plain rule of the book, a name of core.contract or a loop -> what is played in its place."""
    fits: Callable[[Options], bool] = lambda options: True
    """Options -> whether the forms hold the game."""


@cache
def edition(book: RuleBook, campaign: bool, fast: Fast | None, compiled: bool = True) -> Edition:
    """The rules of `book` as rounds or campaigns play them, with or without packed forms."""
    return Edition(book.name, stand_ins(book, campaign, fast, compiled), compiled)


@cache
def telling(book: RuleBook, campaign: bool) -> Telling:
    """The plain rules of `book` as rounds or campaigns play them, whose verbs tell what they do."""
    return Telling(book.name, stand_ins(book, campaign, None, compiled=False), book.look.tells)


def stand_ins(book: RuleBook, campaign: bool, fast: Fast | None, compiled: bool) -> dict[Any, Any]:
    """What the rules of `book` stand in for, as rounds or campaigns play them, with or without packed forms."""
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

"""Where an action leads, shown to people before they choose it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from mancala_envs.core import kernels
from mancala_envs.core.board import Board
from mancala_envs.core.book import RuleBook, stand_ins
from mancala_envs.core.explanation import (
    Description,
    ExplainingEdition,
    Line,
    SmallEvent,
    Summary,
    groups,
    lines_of,
    sentence,
)
from mancala_envs.core.record import python_records
from mancala_envs.play.session import Session
from mancala_envs.play.sowing import SEED_FIELDS
from mancala_envs.play.spots import Spot, changes

MOST_LINES = 4
"""The most events that a preview names; of more, it leaves out those in the middle."""


class Preview(NamedTuple):
    """The effect of an action.

    Attributes:
        changed: The spots that would change, stores included, with the difference in the number of pieces.
        last: The hole or store into which the last seed would fall; None if no seeds are sown.
        words: The events of the action.
    """

    changed: Mapping[Spot, int]
    last: Spot | None
    words: str


@dataclass(frozen=True)
class SownSeed(SmallEvent):
    """A seed that fell into a hole, or into the store of a player if `hole` is None."""

    hole: int | None
    player: int


def preview(session: Session, action: int) -> Preview:
    """Play a legal action in plain Python on a copy of the current state.

    As in `Session.after`, chance is drawn independently of the session, and events after the turn are left out.
    """
    game = session.game
    state = game.copies(session.state, 1, session.seed, session.mover)
    before = game.board(state)
    move = locating_edition(game.book, game.campaign).bind(kernels.move)
    with np.errstate(over="ignore"):  # The random number generator overflows on purpose.
        _, lines = lines_of(move, python_records(game.records(state))[0], action)
    of_turn = list(takewhile(lambda line: not str(line).startswith("player_"), lines))
    sown = [line for line in of_turn if isinstance(line, SownSeed)]
    last = spot_of_seed(before, sown[-1]) if sown else None
    return Preview(changes(before, game.board(state), stores=True), last, in_short(of_turn))


def spot_of_seed(board: Board, seed: SownSeed) -> Spot:
    """Return the spot into which a seed fell."""
    if seed.hole is not None:
        return False, seed.hole
    return False, next(i for i, place in enumerate(board.places) if place.tray and place.owner == seed.player)


@cache
def locating_edition(book: RuleBook, campaign: bool) -> ExplainingEdition:
    """Return the same as `explaining_edition`, but with a `SownSeed` for every seed."""
    descriptions = {verb: with_seeds(description) for verb, description in book.presentation.descriptions.items()}
    return ExplainingEdition(book.name, stand_ins(book, campaign, None, compiled=False), descriptions)


def with_seeds(description: Description | Summary) -> Description | Summary:
    """Return a description that makes small events of sowing a `SownSeed`."""
    if isinstance(description, Summary):
        return description

    def described(before: Any, s: Any, *arguments: Any) -> Line:
        line = description(before, s, *arguments)
        if not isinstance(line, SmallEvent):
            return line
        holes, players = (np.flatnonzero(s[field] > before[field]).tolist() for field in SEED_FIELDS)
        return SownSeed(line.verb, line.place, holes[0] if holes else None, players[0] if players else -1)

    return described


def in_short(lines: list[Line]) -> str:
    """Return the events of a turn in one line."""
    told = [sentence(group) for group in groups(lines)]
    if len(told) > MOST_LINES:
        told[1 : 1 - MOST_LINES] = [f"... ({len(told) - MOST_LINES} more)"]
    return "; ".join(told)

"""Checks of positions that a caller gives as fields or as text."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mancala_envs.core.arguments import short
from mancala_envs.core.book import RuleBook
from mancala_envs.core.options import require
from mancala_envs.core.record import IN_PLAY, NOBODY


def set_field(state: np.recarray[Any, Any], name: str, value: Any) -> None:
    """Write integers into one field of the state (1,), or raise ValueError if they do not fit."""
    assert state.dtype.fields is not None
    field = state.dtype.fields[name][0]
    try:
        given = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    what = f"integers of shape {field.shape}" if field.shape else "one integer"
    fits = given.shape == field.shape and (np.issubdtype(given.dtype, np.integer) or given.dtype == bool)
    require(fits, f"{name} must be {what}, got {short(value)}")
    limits = np.iinfo(field.base)
    within = not given.size or (given.min() >= limits.min and given.max() <= limits.max)
    require(within, f"{name} must lie in {limits.min}..{limits.max}, got {short(value)}")
    state[name][0] = given


def check_position(book: RuleBook, players: int, options: Mapping[str, Any], s: Any, given: frozenset[str]) -> None:
    """Check that the record `s` is consistent and fits the rules, and fill in its hidden fields.

    Args:
        book: The rules.
        players: The number of players.
        options: All options, and `campaign`.
        s: The record, in which hidden fields change.
        given: The names of the fields that the caller gave.

    Raises:
        ValueError: The game cannot have this position.
    """
    campaign = options["campaign"]
    over = s.to_move == NOBODY
    require(over or 0 <= s.to_move < players, f"to_move must be 0..{players - 1}")
    require(int(s.phase) in book.presentation.phases, f"phase must be one of {sorted(book.presentation.phases)}")
    require(s.turn >= 0, "turn must be at least 0")
    if "max_turns" in options:
        # The round ends at the bound. Between rounds, the turn still has that value.
        between_rounds = campaign and s.phase != 0
        bound = options["max_turns"] + (over or between_rounds)
        require(s.turn < bound, f"turn must be below {bound}")
    require(s.round_number >= 1, "round_number must be at least 1")
    require(s.round_number == 1 or campaign, "round_number must be 1 without a campaign")
    limit = options.get("max_rounds", s.round_number)
    require(s.round_number <= limit, f"round_number must be at most {limit}")
    if over:
        require(-1 <= s.winner < players, f"winner must be -1..{players - 1}")
        require(s.phase == 0 and s.ended in (1, 2), "phase must be 0 and ended 1 or 2 when over")
    else:
        require(s.winner == IN_PLAY, f"winner must be {IN_PLAY} while in play")
        require("ended" not in given or s.ended == 0, "ended must be 0 while in play")
        # After an autoreset it still says how the game before ended.
        require(s.ended in (0, 1, 2), "ended must be 0, 1 or 2")
    book.positions.check(s, options, given)

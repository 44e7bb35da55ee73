"""What all searches share: how a player stands, when a turn goes on, and keys of positions. They know no game.

Written against the names of core.contract, as everything that is bound to a game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mancala_envs.core.bits import select_bit
from mancala_envs.core.chance import mix
from mancala_envs.core.contract import num_players, round_lead, share, worth
from mancala_envs.core.game import Game, States
from mancala_envs.core.record import ENGINE_FIELDS

BORROWS_ARRAYS = True

WON = 1 << 40
"""The lead of who has won; no lead in worth comes near it."""

LONGEST_LINE = 64
"""Decisions of the line of play that an analysis tells."""

_WORD = 8


@dataclass(frozen=True)
class Budget:
    """What a search may spend on a decision: `number` of turns to look ahead, of simulations, or of milliseconds."""

    number: int
    timed: bool = False


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks of a position.

    `action`: what it would play; `value`: what that is worth to the player to move; `values`: the same of every action
    that was tried. minimax counts leads, in the game's `worth`, before all others together, and has won from 2^39 on,
    lost below -2^39; mcts counts from -1, lost, to 1, won. `line`: how play would go on, `action` first, as far as it
    is known before chance decides. `nodes`: positions or simulations looked at; `depth`: turns looked ahead (minimax),
    or the length of the line.
    """

    action: int
    value: float
    values: Mapping[int, float]
    line: list[int] = field(default_factory=list)
    nodes: int = 0
    depth: int = 0


def same_turn(s, before):
    """Whether in `s` the turn of `before` still goes on."""
    return s.to_move == before.to_move and s.turn == before.turn and s.round_number == before.round_number


def lead(s, p):
    """How far player p is ahead of the others in worth, all others together."""
    players = num_players(s)
    value = (players - 1) * np.int64(worth(s, p))
    for q in range(players):
        if q != p:
            value -= np.int64(worth(s, q))
    return value


def lead_after(s, p):
    """Player p's `lead` in a game or a round that is over by the last move; who has won is ahead of everything."""
    if not s.ended:
        return np.int64(round_lead(s, p))
    won = share(s, p)
    return np.int64(won * WON) + lead(s, p) if won else np.int64(0)


def lowest(bits):
    """The place of the lowest bit of a uint64 that is set; there must be one."""
    return select_bit(bits, 0, 64)


def key_of(words, places, masks):
    """A key of the position in `words`, a record as uint64: what two positions share that play goes on alike from.

    `places`, `masks`: which words count, and which bits of them; see `what_counts`.
    """
    key = np.uint64(0)
    for k in range(len(places)):
        key = mix(key ^ (words[places[k]] & masks[k]))
    return key


def what_counts(game: Game) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """The words of a record, and their bits, that `key_of` looks at: all fields on which play depends.

    Left out are chance, what was agreed, what play never reads, the number of the turn, which matters only where a
    game is cut off, and histories, which take longer to read than to search on.
    """
    mask = np.zeros(game.dtype.itemsize, np.uint8)
    left_out = {*ENGINE_FIELDS, *game.options, "campaign", "turn", "ended", *game.book.positions.unread}
    fields = game.dtype.fields
    assert fields is not None
    for name, (kind, offset, *_) in fields.items():
        if name not in left_out and not name.startswith("padding") and kind.itemsize <= _LONGEST:
            mask[offset : offset + kind.itemsize] = 0xFF
    words = mask.view(np.uint64)
    places = np.flatnonzero(words)
    return places, words[places]


_LONGEST = 1024
"""Bytes of a field that is no history."""


def words_of(game: Game, states: States) -> npt.NDArray[np.uint64]:
    """(n, W) uint64: contiguous states as words, on the same memory."""
    return np.asarray(states).view(np.uint64).reshape(len(states), game.dtype.itemsize // _WORD)

"""What all searches share: how a player stands, when a turn goes on, and keys of positions. They know no game.

Written against the names of core.contract, as everything that is bound to a game.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mancala_envs.core.bits import select_bit
from mancala_envs.core.chance import mix
from mancala_envs.core.contract import num_players, prospects, round_lead, share, worth
from mancala_envs.core.game import Game, States
from mancala_envs.core.kernels import write_words
from mancala_envs.core.record import ENGINE_FIELDS
from mancala_envs.core.rule import rule

BORROWS_ARRAYS = True

WON = 1 << 40
"""The lead of who has won; no lead in worth comes near it."""

EIGHTHS = 8
"""In which prospects are counted, and leads with them."""

LONGEST_LINE = 64
"""Decisions of the line of play that an analysis tells."""

BRANCHES = 24
"""Actions for which a tree has room in each position, on average, at most."""

_WORD = 8
_LONGEST = 1024
"""Bytes of a field that is no history."""


@dataclass(frozen=True)
class Budget:
    """What a search may spend on a decision: `number` of turns to look ahead, of simulations, or of milliseconds."""

    number: int
    timed: bool = False


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks of a position.

    `action`: what it would play; `value`: what that is worth to the player to move, nan where there was no time to see;
    `values`: the same of every action that was tried. minimax counts leads, in the game's `worth` and with its
    `prospects`, before all others together, and has won from 2^39 on, lost below -2^39; mcts counts from -1, lost, to
    1, won, and 0 is a lead as large as it is now. `line`: how play would go on, `action` first, as far as it is known
    before chance decides. `nodes`: positions or simulations looked at; `depth`: turns looked ahead (minimax), or the
    length of the line.
    """

    action: int
    value: float
    values: Mapping[int, float]
    line: list[int] = field(default_factory=list)
    nodes: int = 0
    depth: int = 0


@rule
def same_turn(s, before):
    """Whether in `s` the turn of `before` still goes on."""
    return goes_on(s, before.to_move, before.turn, before.round_number)


@rule
def goes_on(s, mover, turn, round_number):
    """Whether in `s` this turn, of this player in this round, still goes on."""
    return s.to_move == mover and s.turn == turn and s.round_number == round_number


@rule
def lead(s, p):
    """How far player p is ahead of the others in worth, all others together."""
    players = num_players(s)
    value = (players - 1) * np.int64(worth(s, p))
    for q in range(players):
        if q != p:
            value -= np.int64(worth(s, q))
    return value


@rule
def outlook(s, p):
    """Player p's `lead` in EIGHTHS, with what the position promises him and the others."""
    players = num_players(s)
    value = EIGHTHS * lead(s, p) + (players - 1) * np.int64(prospects(s, p))
    for q in range(players):
        if q != p:
            value -= np.int64(prospects(s, q))
    return value


@rule
def lead_after(s, p):
    """Player p's `lead` in a game or a round that is over by the last move; who has won is ahead of everything."""
    if not s.ended:
        return np.int64(round_lead(s, p))
    won = share(s, p)
    return np.int64(won * WON) + lead(s, p) if won else np.int64(0)


@rule
def lowest(bits):
    """The place of the lowest bit of a uint64 that is set; there must be one."""
    return select_bit(bits, 0, 64)


@rule
def list_actions(s, actions, first, legal):
    """Write what is legal into actions[first] and on; returns where it ends, -1 where there is no room.

    `legal` (W,) uint64 is room to work in.
    """
    write_words(s, legal)
    end = first
    for word in range(len(legal)):
        bits = legal[word]
        while bits:
            if end == len(actions):
                return -1
            actions[end] = 64 * word + lowest(bits)
            bits &= bits - np.uint64(1)
            end += 1
    return end


@rule
def key_of(words, places, masks):
    """A key of the position in `words`, a record as uint64: what two positions share that play goes on alike from.

    `places`, `masks`: which words count, and which bits of them; see `what_counts`.
    """
    key = np.uint64(0)
    for k in range(len(places)):
        key = mix(key ^ (words[places[k]] & masks[k]))
    return key


def what_counts(
    game: Game, besides: Collection[str] | None = None, longest: int = _LONGEST
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """The words of a record, and their bits, that `key_of` looks at: all fields on which play depends.

    Left out are chance, what was agreed, what play never reads, the fields `besides`, and fields of more than `longest`
    bytes, histories, which take longer to read than to search on. `besides`, if not told, is the number of the turn,
    which matters only where a game is cut off, but in games that have an opening.
    """
    if besides is None:
        besides = () if game.book.positions.opening else ("turn",)
    mask = np.zeros(game.dtype.itemsize, np.uint8)
    left_out = {*ENGINE_FIELDS, *game.options, "campaign", "ended", *game.book.positions.unread, *besides}
    fields = game.dtype.fields
    assert fields is not None
    for name, (kind, offset, *_) in fields.items():
        if name not in left_out and not name.startswith("padding") and kind.itemsize <= longest:
            mask[offset : offset + kind.itemsize] = 0xFF
    words = mask.view(np.uint64)
    places = np.flatnonzero(words)
    return places, words[places]


def words_of(game: Game, states: States) -> npt.NDArray[np.uint64]:
    """(n, W) uint64: contiguous states as words, on the same memory."""
    return np.asarray(states).view(np.uint64).reshape(len(states), game.dtype.itemsize // _WORD)


def one_by_one(view: States, word: np.uint64, choose: Callable[[States, np.uint64], int]) -> npt.NDArray[np.int64]:
    """(n,): what `choose` makes of each game of `view`, as a view (1,), and a seed of its own; -1 where over."""
    out = np.full(len(view), -1, np.int64)
    for i in np.flatnonzero(view["to_move"] >= 0):
        out[i] = choose(view[i : i + 1], word ^ np.uint64(i))
    return out

"""Static evaluation, hash keys, budgets and analyses, which all searches share, for any game.

The rules here are written against the names of core.contract, and `Engine.bind` makes a copy of them for each game.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numba
import numpy as np
import numpy.typing as npt

from mancala_envs.core.arguments import States
from mancala_envs.core.bits import lowest_bit
from mancala_envs.core.chance import mix, streams
from mancala_envs.core.contract import num_players, positional_bonus, round_lead, share, worth
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import write_words
from mancala_envs.core.pauses import Pace
from mancala_envs.core.record import ENGINE_FIELDS, python_records
from mancala_envs.core.rule import rule

WON = 1 << 40
"""The lead of a player who has won, far above any lead in `worth`."""

EIGHTHS = 8
"""Evaluations count eighths of `worth`, as `positional_bonus` does."""

LONGEST_LINE = 64
"""Maximum number of decisions of the principal variation in an `Analysis`."""

_WORD = 8
_LONGEST_FIELD = 1024
"""Bytes of the largest field that a hash key covers; longer fields are histories."""


_FEW = 8
"""Positions or simulations that take less than a millisecond in any game."""


@dataclass(frozen=True)
class Budget:
    """The limit of a search for one decision.

    Attributes:
        number: Turns of depth (minimax) or simulations (mcts).
        timed: Whether `number` is in milliseconds.
        visits: Whether `number` is in positions (minimax) or simulations (mcts).
    """

    number: int
    timed: bool = False
    visits: bool = False

    def pace(self, unit: str, expected: int, size: int) -> Pace:
        """Return the pace of a search that begins now; under a time limit the first slice is small."""
        return Pace(unit, size=_FEW, limit=self.number / 1000) if self.timed else Pace(unit, expected, size)


@dataclass(frozen=True)
class Analysis:
    """The result of the analysis of a position.

    Attributes:
        action: The action that the search would play.
        value: The value of `action` for the player to move; nan if there was no time to search it. minimax returns the
            sum of this player's leads over each other player in `worth` plus `positional_bonus`; a value of 2^39 or
            more is a win, and one below -2^39 a loss. mcts returns values from -1 (loss) to 1 (win); 0 means that the
            lead stays as it is, or with a network that the expected reward is 0. An expert returns what its search
            does. `"perfect"` returns proven values: leads at the end with `reward="margin"`, otherwise 1, 0 or -1. A
            saved model returns probabilities.
        values: The value of every action that was searched.
        line: The principal variation, `action` first, as far as the search knows it and up to the next chance event.
        nodes: Number of positions (minimax) or simulations (mcts) searched.
        depth: The search depth in turns (minimax), or the length of `line`.
    """

    action: int
    value: float
    values: Mapping[int, float]
    line: list[int] = field(default_factory=list)
    nodes: int = 0
    depth: int = 0


@rule
def same_turn(s, before):
    """Return whether the turn of `before` still continues in `s`."""
    return goes_on(s, before.to_move, before.turn, before.round_number)


@rule
def goes_on(s, mover, turn, round_number):
    """Return whether turn `turn` of player `mover` in this round still continues in `s`."""
    return s.to_move == mover and s.turn == turn and s.round_number == round_number


@rule
def lead(s, p):
    """Return the lead of player p over each other player in `worth`, summed over the other players."""
    players = num_players(s)
    value = (players - 1) * np.int64(worth(s, p))
    for q in range(players):
        if q != p:
            value -= np.int64(worth(s, q))
    return value


@rule
def evaluation(s, p):
    """Return the static evaluation of `s` for player p, in EIGHTHS: leads in `worth` and `positional_bonus`."""
    players = num_players(s)
    value = EIGHTHS * lead(s, p) + (players - 1) * np.int64(positional_bonus(s, p))
    for q in range(players):
        if q != p:
            value -= np.int64(positional_bonus(s, q))
    return value


@rule
def final_lead(s, p):
    """Return player p's lead after a move that ended the game or a round; a win outweighs every lead."""
    if not s.ended:
        return np.int64(round_lead(s, p))
    won = share(s, p)
    return np.int64(won * WON) + lead(s, p) if won else np.int64(0)


@rule
def list_actions(s, actions, first, legal):
    """Write the legal actions into `actions` from index `first` on; `legal` (W,) uint64 is scratch memory.

    Returns the index after the last one, or -1 if they do not fit.
    """
    write_words(s, legal)
    end = first
    for word in range(len(legal)):
        bits = legal[word]
        while bits:
            if end == len(actions):
                return -1
            actions[end] = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            end += 1
    return end


@rule
def key_of(words, places, masks):
    """Return the hash key of a position, equal for positions with identical continuations.

    `words` is its record as uint64; `places` and `masks` say which bits of which words count, see `key_words`.
    """
    key = np.uint64(0)
    for k in range(len(places)):
        key = mix(key ^ (words[places[k]] & masks[k]))
    return key


def key_words(
    game: Engine, left_out: Collection[str] | None = None, longest: int = _LONGEST_FIELD
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """Return which words of a record a hash key covers, and which of their bits: all fields on which play depends.

    Args:
        game: The game.
        left_out: Fields to ignore, in addition to chance, options and fields that play never reads. By default the
            turn number, except in games whose openings have rules of their own: elsewhere it only matters at
            `max_turns`.
        longest: Ignore fields of more bytes: they are histories, and hashing them takes longer than it saves.

    Returns:
        The (K,) indices of the words and their (K,) uint64 masks.
    """
    if left_out is None:
        left_out = () if game.book.positions.opening_turns else ("turn",)
    mask = np.zeros(game.dtype.itemsize, np.uint8)
    ignored = {*ENGINE_FIELDS, *game.options, "campaign", "ended", *game.book.positions.unread, *left_out}
    assert game.dtype.fields is not None
    for name, (kind, offset, *_) in game.dtype.fields.items():
        if name not in ignored and not name.startswith("padding") and kind.itemsize <= longest:
            mask[offset : offset + kind.itemsize] = 0xFF
    words = mask.view(np.uint64)
    places = np.flatnonzero(words)
    return places, words[places]


def words_of(game: Engine, states: States) -> npt.NDArray[np.uint64]:
    """Return contiguous states as words, (n, W) uint64, on the same memory."""
    return np.asarray(states).view(np.uint64).reshape(len(states), game.dtype.itemsize // _WORD)


def fields(kind: str, names: str) -> list[tuple[str, str]]:
    """Return fields of a record that all have this dtype, from their names, which spaces separate."""
    return [(name, kind) for name in names.split()]


def record_array(n: int, dtype: np.dtype[Any]) -> npt.NDArray[np.void]:
    """Return n zeroed records that rules can read and write by field, compiled or as plain Python."""
    records = np.zeros(n, dtype)
    return python_records(records) if numba.config.DISABLE_JIT else records


Streams: TypeAlias = npt.NDArray[np.uint64]
"""(n,) uint64, the random generators of the searches of n games."""


def streams_of(n: int, words: npt.NDArray[np.uint64]) -> Streams:
    """Return the random generators (n,) of n games, from their `seed_words`."""
    one = len(words) == 1
    return streams(np.repeat(words, n) if one else words, np.arange(n) * one)


def one_by_one(view: States, streams: Streams, choose: Callable[[States, Streams], int]) -> npt.NDArray[np.int64]:
    """Return what `choose` returns for each game, called with a view (1,) and its generator (1,); -1 where over."""
    out = np.full(len(view), -1, np.int64)
    for i in np.flatnonzero(view["to_move"] >= 0):
        out[i] = choose(view[i : i + 1], streams[i : i + 1])
    return out

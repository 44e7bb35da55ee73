"""Oware on boards of 4 to 6 columns and up to 127 seeds: a row is the bytes of one word, a turn has no branches.

Stands in for the loops over batches, but for rollouts, by families.mancala.abreast; and for `legal_word` and `play`.
"""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import LOW_BITS, equal_flags, gather, ones, sum_bytes
from mancala_envs.core.book import Fast
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.families.mancala import abreast
from mancala_envs.families.mancala.laps import MOST_PACKED_COLUMNS, add
from mancala_envs.families.mancala.words import row_of
from mancala_envs.games import oware
from mancala_envs.games.oware import forget, has_half, max_turns, take_own_sides

MOST_SEEDS = 127
"""With more, a byte plus 127 would run over in `liftable`."""

_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_TO_LAST = np.uint64(0x0001020304050607)
"""How far it is from each byte to the last."""
_ALL, _ONE, _S7, _S8, _S16, _S32 = (np.uint64(number) for number in (2**64 - 1, 1, 7, 8, 16, 32))


@rule
def legal(s, action):
    """`oware.legal`."""
    flags = legal_flags(s.holes_word[0], s.holes_word[1], s.to_move & 1, len(s.holes) // 2)
    return (flags >> np.uint64(8 * action) & _ONE) == _ONE


@rule
def legal_word(s, word):
    """`oware.legal` of all actions at once."""
    return gather(legal_flags(s.holes_word[0], s.holes_word[1], s.to_move & 1, len(s.holes) // 2))


@inlined_rule
def legal_flags(low, high, mover, width):
    """`oware.legal`."""
    return liftable(row_of(low, high, width, mover), row_of(low, high, width, 1 - mover), width)


@inlined_rule
def liftable(own, other, width):
    """1 in the bytes of the row `own` that may be lifted when the other row is `other`."""
    # One seed will do, or one and as many as there are holes after it.
    besides = np.uint64(0) if other else _TO_LAST >> np.uint64(64 - 8 * width)
    return (own + (_LOW_SEVEN - besides)) >> _S7 & LOW_BITS


@inlined_rule
def play(s, action):
    """`oware.play`."""
    close_turn(s, *play_words(s.holes_word[0], s.holes_word[1], s.to_move & 1, action, len(s.holes) // 2))


@inlined_rule
def play_words(low, high, mover, action, width):
    """What `oware.play` does to the position: sowing and capture; and whether the next player can move.

    Returns the words, the seeds captured, and 1 where the next player can move.
    """
    action &= 7
    own, other = row_of(low, high, width, mover), row_of(low, high, width, 1 - mover)
    origin = np.uint64(8 * action)
    lifted = own >> origin & np.uint64(MOST_SEEDS)

    # Whole laps, which pass the origin over, and up to one more, whose last seed falls `last` holes after own hole 0.
    lap = 2 * width - 1
    # Vectors cannot divide by `lap`.
    laps = max(np.int64(lifted) - 1, 0) * (4096 // lap + 1) >> 12
    last = action + np.int64(lifted) - lap * laps
    each = np.uint64(laps) * ones(width)
    reached = ones(min(max(last - width + 1, 0), width))
    own = own + each - ((lifted + np.uint64(laps)) << origin)
    own = own + (ones(min(last + 1, width)) & ~ones(action + 1)) + ones(max(last - 2 * width + 1, 0))
    other = other + each + reached

    # Down from the last hole reached: the holes up to the first that is not two or three.
    breaks = reached & ~equal_flags(other & ~LOW_BITS, 2)
    breaks = breaks | breaks >> _S8
    breaks = breaks | breaks >> _S16
    breaks = breaks | breaks >> _S32
    run = reached & ~breaks
    captured = other & ((run << _S8) - run)
    captured = np.uint64(0) if last >= 2 * width or captured == other else captured
    other = other - captured
    gained = sum_bytes(captured)

    south, north = (other, own) if mover else (own, other)
    rows_end = np.uint64(16 * width - 64)
    low = south | north << np.uint64(8 * width)
    high = north >> np.uint64(64 - 8 * width) | high >> rows_end << rows_end
    high = add(high, np.uint64(gained) << np.uint64(8 * (2 * width + mover - 8)))
    high = high ^ _ONE << np.uint64(8 * (2 * width + 2 - 8))
    return low, high, gained, 1 if liftable(other, own, width) else 0


@inlined_rule
def close_turn(s, low, high, gained, can_move):
    """The rest of `oware.play`."""
    s.holes_word[0], s.holes_word[1] = low, high
    s.turn += 1
    if gained:
        forget(s)
    # One branch for all that is seldom.
    if (can_move == 0) | has_half(s) | (s.turn >= max_turns(s)) or is_known(s):
        take_own_sides(s)
        s.ended = BY_RULES
    else:
        s.ended = 0
        remember(s)


@inlined_rule
def position_of(s):
    """The position as two words, as a row of the history holds it: holes, stores and player to move."""
    return s.holes_word[0], s.holes_word[1] & (_ALL >> np.uint64(96 - 16 * (len(s.holes) // 2)))


@inlined_rule
def is_known(s):
    """`oware.is_known`, of the few positions that can come back.

    A position comes back no sooner than after as many turns as there are holes. For whoever lifts a hole drops a seed
    in the next, and seeds that are not captured leave that hole only when it is lifted too: so every hole was lifted,
    one a turn. And every second position has the other player to move.
    """
    low, high = position_of(s)
    row = np.int64(s.positions) - len(s.holes)
    while row >= 0:
        if s.history_word[row, 0] == low and s.history_word[row, 1] == high:
            return True
        row -= 2
    return False


@inlined_rule
def remember(s):
    """`oware.remember`."""
    s.history_word[s.positions, 0], s.history_word[s.positions, 1] = position_of(s)
    s.positions += 1


@inlined_rule
def copy_game(s, games, place):
    """`kernels.copy_game`. Of the history no more than is in use there or here: the rest is empty."""
    t = games[place]
    for row in range(max(s.positions, t.positions)):
        t.history_word[row, 0], t.history_word[row, 1] = s.history_word[row, 0], s.history_word[row, 1]
    t.holes_word[0], t.holes_word[1] = s.holes_word[0], s.holes_word[1]
    t.winner, t.ended, t.reward = s.winner, s.ended, s.reward
    t.chance, t.script = s.chance, s.script
    t.turn, t.round_number, t.positions, t.seeds = s.turn, s.round_number, s.positions, s.seeds


FAST = Fast(
    forms={
        contract.legal_word: legal_word,
        oware.legal: legal,
        oware.play: play,
        abreast.legal_flags: legal_flags,
        abreast.play_words: play_words,
        abreast.close_turn: close_turn,
        abreast.max_turns: max_turns,
        kernels.copy_game: copy_game,
        **abreast.LOOPS,
    },
    fits=lambda options: 4 <= options["columns"] <= min(6, MOST_PACKED_COLUMNS) and oware.seeds(options) <= MOST_SEEDS,
)

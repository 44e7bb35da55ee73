"""Fast form of Oware on boards of 4 to 6 columns with up to 127 seeds: a row is one word, and a turn has no branches.

It replaces `legal_word` and `play`, and the loops over batches, except `play_random_loop`, by those of
`families.mancala.vectorised`. A playout is one game, in which each turn must wait for the one before. There branches,
which the processor predicts, and a table of laps are faster.
"""

import numpy as np

from mancala_envs.core import kernels
from mancala_envs.core.bits import LOW_BITS, count_bits, equal_flags, gather, ones, select_bit, sum_bytes
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import advance, mix, scale
from mancala_envs.core.kernels import finish
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import vectorised
from mancala_envs.families.mancala.laps import LAP_SEEDS, MOST_PACKED_COLUMNS, add, lap_table, stack
from mancala_envs.families.mancala.rows import seeds
from mancala_envs.families.mancala.words import are_adjacent, packed, row_of
from mancala_envs.games import oware
from mancala_envs.games.oware import forget, has_half, max_turns, take_own_sides

FEWEST_COLUMNS, MOST_COLUMNS = 4, 6

MOST_SEEDS = 127
"""With more seeds, `liftable` could overflow a byte when it adds 127."""

SOWN = stack(
    [
        lap_table([*range(width), *range(8, 8 + width)], skipping=True)
        for width in range(FEWEST_COLUMNS, MOST_COLUMNS + 1)
    ]
)
"""`[columns - FEWEST_COLUMNS, hole, seeds]`: the effects of a lap on the own and on the other row, a word each."""

_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_TO_LAST = np.uint64(0x0001020304050607)
"""In each byte its distance to the last byte."""
_ALL, _ONE, _S7, _S8, _S16, _S32 = (np.uint64(number) for number in (2**64 - 1, 1, 7, 8, 16, 32))
_BYTE, _LIFTED, _TWO, _TWO_OR_THREE = (np.uint64(number) for number in (255, LAP_SEEDS - 1, 2, 255 - 1))


@rule
def legal(s, action):
    """`oware.legal`."""
    flags = legal_flags(s.holes_word[0], s.holes_word[1], s.to_move & 1, len(s.holes) // 2)
    return (flags >> np.uint64(8 * action) & _ONE) == _ONE


@rule(inline=True)
def legal_flags(low, high, mover, width):
    """Return `oware.legal` of all actions, as 1 or 0 in the bytes of a word."""
    return liftable(row_of(low, high, width, mover), row_of(low, high, width, 1 - mover), width)


@rule(inline=True)
def liftable(own, other, width):
    """Return a word with 1 in the bytes of the row `own` that may be lifted if the other row is `other`."""
    # A hole needs one seed; if the other row is empty, one more for each hole after it in the row.
    extra = np.uint64(0) if other else _TO_LAST >> np.uint64(64 - 8 * width)
    return (own + (_LOW_SEVEN - extra)) >> _S7 & LOW_BITS


@rule(inline=True)
def play_words(low, high, mover, action, width):
    """Sow and capture; return the two words, the seeds captured, and 1 if the next player can move."""
    action &= 7
    own, other = row_of(low, high, width, mover), row_of(low, high, width, 1 - mover)
    origin = np.uint64(8 * action)
    lifted = own >> origin & np.uint64(MOST_SEEDS)

    # First whole rounds, which skip the origin; then the rest, whose last seed falls `last` holes after own hole 0.
    lap = 2 * width - 1
    # Multiply and shift, because there is no vector instruction for division.
    laps = max(np.int64(lifted) - 1, 0) * (4096 // lap + 1) >> 12
    last = action + np.int64(lifted) - lap * laps
    each = np.uint64(laps) * ones(width)
    reached = ones(min(max(last - width + 1, 0), width))
    own = own + each - ((lifted + np.uint64(laps)) << origin)
    own = own + (ones(min(last + 1, width)) & ~ones(action + 1)) + ones(max(last - 2 * width + 1, 0))
    other = other + each + reached

    captured = twos_and_threes(other, reached)
    captured = np.uint64(0) if last >= 2 * width or captured == other else captured
    other = other - captured
    gained = sum_bytes(captured)

    south, north = (other, own) if mover else (own, other)
    low, high = packed(south, north, high >> np.uint64(16 * width - 64), width)
    high = add(high, np.uint64(gained) << np.uint64(8 * (2 * width + mover - 8)))
    high = high ^ _ONE << np.uint64(8 * (2 * width + 2 - 8))
    return low, high, gained, 1 if liftable(other, own, width) else 0


@rule(inline=True)
def twos_and_threes(row, reached):
    """Return the bytes of `row` that hold two or three, in unbroken sequence down from the last byte in `reached`."""
    breaks = reached & ~equal_flags(row & ~LOW_BITS, 2)
    breaks = breaks | breaks >> _S8
    breaks = breaks | breaks >> _S16
    breaks = breaks | breaks >> _S32
    run = reached & ~breaks
    return row & ((run << _S8) - run)


@rule(inline=True)
def close_turn(s, low, high, gained, can_move):
    """Carry out the rest of `oware.play`, after `play_words`."""
    s.holes_word[0], s.holes_word[1] = low, high
    s.turn += 1
    if gained:
        forget(s)
    # One branch covers all rare cases.
    if (can_move == 0) | has_half(s) | (s.turn >= max_turns(s)) or is_known(s, s.positions, *position_of(s)):
        take_own_sides(s)
        s.ended = BY_RULES
    else:
        s.ended = 0
        remember(s)


@rule(inline=True)
def position_of(s):
    """Return the position as two words, as a row of the history has it: holes, stores and player to move."""
    return s.holes_word[0], position_bits(s.holes_word[1], len(s.holes) // 2)


@rule(inline=True)
def position_bits(high, width):
    """Return the second word of a record without the bytes that are not part of the position."""
    return high & (_ALL >> np.uint64(96 - 16 * width))


@rule(inline=True)
def is_known(s, positions, low, high):
    """Return whether position `low`, `high` is among the first `positions` of the history, as `oware.is_known` does."""
    row = np.int64(positions) - len(s.holes)
    while row >= 0:
        if s.history_word[row, 0] == low and s.history_word[row, 1] == high:
            return True
        row -= 2
    return False


@rule(inline=True)
def remember(s):
    """`oware.remember`."""
    s.history_word[s.positions, 0], s.history_word[s.positions, 1] = position_of(s)
    s.positions += 1


@rule
def playout(s, rng):
    """`kernels.playout`, with each row in a word. Unused rows of the history are cleared only at the end."""
    width = len(s.holes) // 2
    if 2 * width * s.seeds >= LAP_SEEDS:
        kernels.playout(s, rng)
        return
    low, high, mover = s.holes_word[0], s.holes_word[1], s.to_move & 1
    own, other = row_of(low, high, width, mover), row_of(low, high, width, 1 - mover)
    stores = high >> np.uint64(16 * width - 64)
    half, positions, most_positions = s.seeds * width, np.int64(s.positions), np.int64(s.positions)
    lifts = gather(liftable(own, other, width))
    while True:
        rng = advance(rng)
        action = select_bit(lifts, scale(mix(rng), count_bits(lifts)), width)
        own, other, gained = play_rows(own, other, action, width)
        south, north = (other, own) if mover else (own, other)
        # After the stores comes the player to move.
        stores = (stores + (np.uint64(gained) << np.uint64(8 * mover))) ^ (_ONE << _S16)
        low, high = packed(south, north, stores, width)
        own, other, mover = other, own, 1 - mover
        lifts = gather(liftable(own, other, width))
        s.turn += 1
        if gained:
            positions = np.int64(0)
        high_bits = position_bits(high, width)
        has_half = max(stores & _BYTE, stores >> _S8 & _BYTE) > half
        # If both players have half, nobody can move.
        if (lifts == 0) | has_half | (s.turn >= max_turns(s)) or is_known(s, positions, low, high_bits):
            break
        s.history_word[positions, 0], s.history_word[positions, 1] = low, high_bits
        positions += 1
        most_positions = max(most_positions, positions)
    s.history[positions:most_positions] = 0
    s.positions = positions
    s.holes_word[0], s.holes_word[1] = low, high
    take_own_sides(s)
    s.ended = BY_RULES
    finish(s)


@rule(inline=True)
def play_rows(own, other, action, width):
    """Sow and capture on the mover's and the other row; return both, and the seeds captured.

    The lifted hole must hold at most LAP_SEEDS - 1 seeds.
    """
    action &= 7
    lifted = np.int64(own >> np.uint64(8 * action) & _LIFTED)
    sown = SOWN[width - FEWEST_COLUMNS, action, lifted]
    own, other = add(own, sown[0]), add(other, sown[1])
    # The last hole, counted from the first of the other row.
    lap, last = 2 * width - 1, action + lifted - width
    if lifted > lap:
        last -= lap * ((lifted - 1) // lap)
    # Two and three differ only in the lowest bit.
    if 0 <= last < width and other >> np.uint64(8 * last) & _TWO_OR_THREE == _TWO:
        captured = twos_and_threes(other, ones(last + 1))
        if captured != other:
            return own, other - captured, sum_bytes(captured)
    return own, other, np.int64(0)


@rule(inline=True)
def copy_game(s, games, place):
    """`kernels.copy_game`, which copies only rows of the history that either game uses; the others are empty."""
    t = games[place]
    for row in range(max(s.positions, t.positions)):
        t.history_word[row, 0], t.history_word[row, 1] = s.history_word[row, 0], s.history_word[row, 1]
    t.holes_word[0], t.holes_word[1] = s.holes_word[0], s.holes_word[1]
    t.winner, t.ended, t.reward = s.winner, s.ended, s.reward
    t.chance, t.rules = s.chance, s.rules
    t.turn, t.round_number, t.positions, t.seeds = s.turn, s.round_number, s.positions, s.seeds


SIZES = range(FEWEST_COLUMNS, min(MOST_COLUMNS, MOST_PACKED_COLUMNS) + 1)
assert all(are_adjacent(oware.record({"columns": columns, "max_turns": 1})) for columns in SIZES)

FAST = Fast(
    forms={
        oware.legal: legal,
        oware.play: vectorised.play,
        vectorised.legal_flags: legal_flags,
        vectorised.play_words: play_words,
        vectorised.close_turn: close_turn,
        vectorised.max_turns: max_turns,
        kernels.copy_game: copy_game,
        kernels.playout: playout,
        **vectorised.FORMS,
    },
    fits=lambda options: options["columns"] in SIZES and seeds(options) <= MOST_SEEDS,
)

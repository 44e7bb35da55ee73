"""Oware on boards of 4 to 6 columns and up to 127 seeds: a row is the bytes of one word, a turn has no branches.

Stands in for the loops over batches, but for rollouts, by families.mancala.abreast; and for `legal_word` and `play`.
A search plays one game after the other to its end: there a turn waits for the turn before, and so has branches again,
which the processor guesses, and a table of what is sown.
"""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import LOW_BITS, count_bits, equal_flags, gather, ones, select_bit, sum_bytes
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import advance, mix, scale
from mancala_envs.core.kernels import finish
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import abreast
from mancala_envs.families.mancala.laps import LAP_SEEDS, MOST_PACKED_COLUMNS, add, lap_table, stack
from mancala_envs.families.mancala.words import lie_in_order, packed, row_of
from mancala_envs.games import oware
from mancala_envs.games.oware import forget, has_half, max_turns, take_own_sides

FEWEST_COLUMNS, MOST_COLUMNS = 4, 6

MOST_SEEDS = 127
"""With more, a byte plus 127 would run over in `liftable`."""

SOWN = stack(
    [
        lap_table([*range(width), *range(8, 8 + width)], skipping=True)
        for width in range(FEWEST_COLUMNS, MOST_COLUMNS + 1)
    ]
)
"""By columns, the hole lifted, and its seeds: what sowing changes in the own row and in the other's, a word each."""

_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_TO_LAST = np.uint64(0x0001020304050607)
"""How far it is from each byte to the last."""
_ALL, _ONE, _S7, _S8, _S16, _S32 = (np.uint64(number) for number in (2**64 - 1, 1, 7, 8, 16, 32))
_BYTE, _LIFTED, _TWO, _TWO_OR_THREE = (np.uint64(number) for number in (255, LAP_SEEDS - 1, 2, 255 - 1))


@rule
def legal(s, action):
    """`oware.legal`."""
    flags = legal_flags(s.holes_word[0], s.holes_word[1], s.to_move & 1, len(s.holes) // 2)
    return (flags >> np.uint64(8 * action) & _ONE) == _ONE


@rule
def legal_word(s, word):
    """`oware.legal` of all actions at once."""
    return gather(legal_flags(s.holes_word[0], s.holes_word[1], s.to_move & 1, len(s.holes) // 2))


@rule(inline=True)
def legal_flags(low, high, mover, width):
    """`oware.legal`."""
    return liftable(row_of(low, high, width, mover), row_of(low, high, width, 1 - mover), width)


@rule(inline=True)
def liftable(own, other, width):
    """1 in the bytes of the row `own` that may be lifted when the other row is `other`."""
    # One seed will do, or one and as many as there are holes after it.
    besides = np.uint64(0) if other else _TO_LAST >> np.uint64(64 - 8 * width)
    return (own + (_LOW_SEVEN - besides)) >> _S7 & LOW_BITS


@rule(inline=True)
def play(s, action):
    """`oware.play`."""
    close_turn(s, *play_words(s.holes_word[0], s.holes_word[1], s.to_move & 1, action, len(s.holes) // 2))


@rule(inline=True)
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
    """The seeds of `row` from its last hole that is 1 in `reached` down to the first that has not two or three."""
    breaks = reached & ~equal_flags(row & ~LOW_BITS, 2)
    breaks = breaks | breaks >> _S8
    breaks = breaks | breaks >> _S16
    breaks = breaks | breaks >> _S32
    run = reached & ~breaks
    return row & ((run << _S8) - run)


@rule(inline=True)
def close_turn(s, low, high, gained, can_move):
    """The rest of `oware.play`."""
    s.holes_word[0], s.holes_word[1] = low, high
    s.turn += 1
    if gained:
        forget(s)
    # One branch for all that is seldom.
    if (can_move == 0) | has_half(s) | (s.turn >= max_turns(s)) or is_known(s, s.positions, *position_of(s)):
        take_own_sides(s)
        s.ended = BY_RULES
    else:
        s.ended = 0
        remember(s)


@rule(inline=True)
def position_of(s):
    """The position as two words, as a row of the history holds it: holes, stores and player to move."""
    return s.holes_word[0], seen_of(s.holes_word[1], len(s.holes) // 2)


@rule(inline=True)
def seen_of(high, width):
    """What the second word of a record says of the position."""
    return high & (_ALL >> np.uint64(96 - 16 * width))


@rule(inline=True)
def is_known(s, positions, low, high):
    """`oware.is_known` of the position `low`, `high`, after so many; of these only the few that can come back.

    A position comes back no sooner than after as many turns as there are holes. For whoever lifts a hole drops a seed
    in the next, and seeds that are not captured leave that hole only when it is lifted too: so every hole was lifted,
    one a turn. And every second position has the other player to move.
    """
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
    """`kernels.playout`, with each row in a word of its own. What captures leave of the history is emptied at last."""
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
        seen = seen_of(high, width)
        has_half = max(stores & _BYTE, stores >> _S8 & _BYTE) > half
        # Where both have half, nobody can move.
        if (lifts == 0) | has_half | (s.turn >= max_turns(s)) or is_known(s, positions, low, seen):
            break
        s.history_word[positions, 0], s.history_word[positions, 1] = low, seen
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
    """What `oware.play` does to the rows of who moves and of the other; returns them, and the seeds captured.

    At most LAP_SEEDS - 1 seeds are sown.
    """
    action &= 7
    lifted = np.int64(own >> np.uint64(8 * action) & _LIFTED)
    sown = SOWN[width - FEWEST_COLUMNS, action, lifted]
    own, other = add(own, sown[0]), add(other, sown[1])
    # The last hole, counted from the other's first.
    lap, last = 2 * width - 1, action + lifted - width
    if lifted > lap:
        last -= lap * ((lifted - 1) // lap)
    # Two and three are alike but for the lowest bit.
    if 0 <= last < width and other >> np.uint64(8 * last) & _TWO_OR_THREE == _TWO:
        captured = twos_and_threes(other, ones(last + 1))
        if captured != other:
            return own, other - captured, sum_bytes(captured)
    return own, other, np.int64(0)


@rule(inline=True)
def copy_game(s, games, place):
    """`kernels.copy_game`. Of the history no more than is in use there or here: the rest is empty."""
    t = games[place]
    for row in range(max(s.positions, t.positions)):
        t.history_word[row, 0], t.history_word[row, 1] = s.history_word[row, 0], s.history_word[row, 1]
    t.holes_word[0], t.holes_word[1] = s.holes_word[0], s.holes_word[1]
    t.winner, t.ended, t.reward = s.winner, s.ended, s.reward
    t.chance, t.rules = s.chance, s.rules
    t.turn, t.round_number, t.positions, t.seeds = s.turn, s.round_number, s.positions, s.seeds


SIZES = range(FEWEST_COLUMNS, min(MOST_COLUMNS, MOST_PACKED_COLUMNS) + 1)
assert all(lie_in_order(oware.record({"columns": columns, "max_turns": 1})) for columns in SIZES)

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
        kernels.playout: playout,
        **abreast.LOOPS,
    },
    fits=lambda options: options["columns"] in SIZES and oware.seeds(options) <= MOST_SEEDS,
)

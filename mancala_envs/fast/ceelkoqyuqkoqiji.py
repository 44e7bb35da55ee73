"""Fast form of Ceelkoqyuqkoqiji: table-driven laps on packed words, and all legal actions at once.

The ring is two words. Byte h is hole h; the stores of MU and GONG follow. A spot is the byte number of a place of the
ring. Bit GOAT of a byte is set if a goat lies there; the lower bits count small stones. In sinks (stores and sold
holes) they count only the stones sown this turn, which `put_back` gives to their owners.
"""

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.bits import gather, low_bits, nonzero_flags, sum_bytes, write_bytes
from mancala_envs.core.book import Fast
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import ledger
from mancala_envs.families.mancala.laps import MOST_PACKED_COLUMNS, add, byte_of, lap_table
from mancala_envs.families.mancala.rows import row_begins, seeds
from mancala_envs.families.mancala.words import row_of
from mancala_envs.games import ceelkoqyuqkoqiji as law

GOAT, BYTE = 128, 255
NOWHERE = 16
"""Spot of a goat that is not on the ring."""
TABLE_SEEDS = 24
"""The table has laps of fewer seeds; of longer laps whole rounds are sown first. No ring has as many places."""
_GOATS, _STONES = np.uint64(0x8080808080808080), np.uint64(0x7F7F7F7F7F7F7F7F)
_ONE, _S7 = np.uint64(1), np.uint64(7)


def spots_onward(columns, clockwise):
    """Return the spots of the ring in the direction of sowing."""
    anticlockwise = [*range(columns), 2 * columns, *range(columns, 2 * columns), 2 * columns + 1]
    return anticlockwise[::-1] if clockwise else anticlockwise


def lap_changes(spots):
    """Return a table `[spot, seeds]` of the effects of laps; see `lap_table`."""
    table = np.zeros((16, TABLE_SEEDS, 2), np.uint64)
    table[spots] = lap_table(spots)[:, :TABLE_SEEDS]
    return table


def spots_after(spots):
    """Return a table `[spot, seeds]` of the spots after the last drop of a lap."""
    table = np.zeros((16, TABLE_SEEDS), np.uint8)
    for index, spot in enumerate(spots):
        table[spot] = np.resize(spots[index + 1 :] + spots[: index + 1], TABLE_SEEDS)
    return table


ONE_AT = np.array([[1 << 8 * spot & 2**64 - 1, 1 << 8 * spot >> 64] for spot in range(NOWHERE)] + [[0, 0]], np.uint64)
"""`[spot]`: two words with 1 in the byte of the spot; 0 for NOWHERE."""


def goat_words(columns, goat):
    """Return a table `[large & 31]` of two words with GOAT where the goat lies; 0 if it is not on the ring."""
    table = np.zeros((32, 2), np.uint64)
    table[: 2 * columns] = ONE_AT[: 2 * columns] * np.uint64(GOAT)
    table[law.HOME] = ONE_AT[2 * columns + goat] * np.uint64(GOAT)
    return table


_SIZES = range(MOST_PACKED_COLUMNS + 1)
_RINGS = [[spots_onward(columns, clockwise) for clockwise in (0, 1)] for columns in _SIZES]
LAPS = np.array([[lap_changes(spots) for spots in both_ways] for both_ways in _RINGS])
"""`[columns, clockwise]`: see `lap_changes`."""
AFTER = np.array([[spots_after(spots) for spots in both_ways] for both_ways in _RINGS])
"""`[columns, clockwise]`: see `spots_after`."""
GOATS_AT = np.array([[goat_words(columns, goat) for goat in (law.MU, law.GONG)] for columns in _SIZES])
"""`[columns, goat]`: see `goat_words`."""


# Legal actions.


@rule(inline=True)
def legal_word(s, word):
    """Return `law.legal` of all actions as a bit mask."""
    width = len(s.holes) // 2
    if s.phase == law.LIFT:
        holes = liftable_bits(s, s.to_move)
        return holes | holes << np.uint64(width) | np.uint64(may_offer(s)) << np.uint64(law.offer(s))
    if s.phase == law.DROP:
        kinds = law.holds_kind(s, 0) | law.holds_kind(s, 1) << 1 | law.holds_kind(s, 2) << 2
        return np.uint64(kinds) << np.uint64(2 * width)
    if s.phase == law.ANSWER:
        return _ONE << np.uint64(law.yes(s)) | _ONE << np.uint64(law.no(s))
    if s.phase == law.HUELSHE:
        declines = np.uint64(not law.goat_at_home(s))
        return huelshe_bits(s) << np.uint64(law.first_hole(s)) | declines << np.uint64(law.no(s))
    return plain_legal_word(s, word)


@rule(inline=True)
def liftable_bits(s, p):
    """Return `law.may_lift` of player p's holes as a bit mask, by column."""
    # Sold holes need no test, because they are empty.
    width = len(s.holes) // 2
    bits = gather(nonzero_flags(row_of(s.holes_word[0], s.holes_word[1], width, p)))
    for goat in range(2):
        column = s.large[goat] - width * p
        bits |= np.uint64((column >= 0) & (column < width)) << np.uint64(column & 63)
    return bits


@rule
def may_offer(s):
    """Return `law.may_offer`, without unpredictable branches."""
    stones = sum_bytes(s.holes_word[0] & hole_bits(s, 0)) + sum_bytes(s.holes_word[1] & hole_bits(s, 1))
    stones += s.large[law.MU] >= 0
    stones += s.large[law.GONG] >= 0
    away = (s.large[law.MU] != law.HOME) & (s.large[law.GONG] != law.HOME)
    return (s.agreement > 0) & (s.offered == 0) & away & (stones <= len(s.holes))


@rule
def huelshe_bits(s):
    """Return `law.may_begin_run` of the mover's holes as a bit mask, by column."""
    first = row_begins(s, s.to_move)
    needed = min(s.store[s.to_move], ledger.unsold(s, s.to_move))
    holes = 0
    bits = np.uint64(0)
    for column in range(len(s.holes) // 2 - 1, -1, -1):
        unsold = ledger.is_unsold(s, first + column)
        holes += unsold
        bits |= np.uint64(unsold and holes >= needed) << np.uint64(column)
    return bits


@rule(inline=True)
def hole_bits(s, word):
    """Return a mask of the bytes of a word that are holes."""
    return low_bits(8 * len(s.holes) - 64 * word)


# The ring as two words.


@rule
def spot_at(s, place):
    """Return the spot of a place."""
    goat = law.goat_of_store(s, place)
    return len(s.holes) + goat if goat >= 0 else law.hole_at(s, place)


@rule
def place_at(s, spot):
    """Return the place of a spot."""
    width = len(s.holes) // 2
    return law.place_of(s, spot) if spot < 2 * width else width if spot == 2 * width else 2 * width + 1


@rule
def spot_of_goat(s, goat):
    """Return the spot where a goat lies, or NOWHERE."""
    large = s.large[goat]
    return len(s.holes) + goat if large == law.HOME else large if large >= 0 else NOWHERE


@rule(inline=True)
def at_spot(byte, spot, word):
    """Return a word with `byte` at `spot`, or 0 if the spot is in the other word."""
    return ONE_AT[spot, word] * np.uint64(byte)


@rule(inline=True)
def ring_word(s, word):
    """Return a word of the ring with its holes and goats, and no stones in the stores."""
    width = len(s.holes) // 2
    goats = (
        GOATS_AT[width, law.MU, s.large[law.MU] & 31, word] | GOATS_AT[width, law.GONG, s.large[law.GONG] & 31, word]
    )
    return s.holes_word[word] & hole_bits(s, word) | goats


@rule(inline=True)
def open_bits(s, word):
    """Return a mask of the bits of a word that may be lifted: the stones of unsold holes, and all goats."""
    unsold = s.sold_to_word[word] & _GOATS  # only ledger.UNSOLD, which is negative, has the highest bit
    return ((unsold - (unsold >> _S7)) & hole_bits(s, word)) | _GOATS


@rule(inline=True)
def put_back(s, low, high, open_low, open_high):
    """Write the small stones of the words to holes and stores; those in sold holes go to the buyers' stores."""
    ring = len(s.holes)
    low, high = low & _STONES, high & _STONES
    # Write only the holes: reading a word just after one of its bytes was written is slow.
    if ring < 8:
        write_bytes(low & open_low, ring, s.holes, 0)
    else:
        s.holes_word[0] = low & open_low
        write_bytes(high & open_high, ring - 8, s.holes, 8)
    s.store[law.store_owner(s, law.MU)] += byte_of(low, high, ring)
    s.store[law.store_owner(s, law.GONG)] += byte_of(low, high, ring + 1)
    sunk_low, sunk_high = low & ~open_low & hole_bits(s, 0), high & ~open_high & hole_bits(s, 1)
    if sunk_low | sunk_high:
        for hole in range(ring):
            if not ledger.is_unsold(s, hole):
                s.store[s.sold_to[hole]] += byte_of(sunk_low, sunk_high, hole)


# Sowing.


@rule
def sow_from(s, hole, heading):
    """`law.sow_from`."""
    sow_laps(s, hole, np.int64(heading < 0), np.int64(s.laps))


@rule
def sow_chosen(s, kind):
    """`law.sow_chosen`; if only small stones are left in the hand, `sow_laps` sows them."""
    law.drop_next(s, kind)
    if s.hand == 0:
        law.drop_single_kind(s)
    if law.kinds_in_hand(s) < 2:
        lap_is_over = s.hand == 0
        place = law.onward(s, s.at) if lap_is_over else np.int64(s.at)
        sow_laps(s, spot_at(s, place), np.int64(s.heading < 0), s.laps + lap_is_over)


@rule
def sow_laps(s, spot, clockwise, laps):
    """`law.sow_on` after `laps` laps: sow the small stones in the hand from `spot` on; without any, lift `spot`."""
    width = len(s.holes) // 2
    # The mask shows the compiler that the index is not negative, so it omits a check.
    spot &= 15
    open_low, open_high = open_bits(s, 0), open_bits(s, 1)
    low, high = ring_word(s, 0), ring_word(s, 1)
    # Stones in the hand are put back, because a lap lifts its stones from its first spot.
    hand = np.int64(s.hand)
    low, high = add(low, at_spot(hand, spot, 0)), add(high, at_spot(hand, spot, 1))
    lifted = hand if hand > 0 else byte_of(low & open_low, high & open_high, spot)
    while lifted > 0 and laps < s.max_laps:
        if lifted < GOAT:
            while lifted >= TABLE_SEEDS:
                low = add(low, LAPS[width, clockwise, spot, 2 * width + 2, 0])
                high = add(high, LAPS[width, clockwise, spot, 2 * width + 2, 1])
                lifted -= 2 * width + 2
            low = add(low, LAPS[width, clockwise, spot, lifted, 0])
            high = add(high, LAPS[width, clockwise, spot, lifted, 1])
            spot = np.int64(AFTER[width, clockwise, spot, lifted]) & 15
        else:
            mu, gong = spot_of_goat(s, law.MU), spot_of_goat(s, law.GONG)
            if lifted > GOAT or mu == gong:
                break
            goat = law.MU if mu == spot else law.GONG
            low, high = low ^ at_spot(GOAT, spot, 0), high ^ at_spot(GOAT, spot, 1)
            spot = np.int64(AFTER[width, clockwise, spot, 0]) & 15
            drop_goat(s, goat, spot)
            dropped = spot_of_goat(s, goat)
            low, high = low | at_spot(GOAT, dropped, 0), high | at_spot(GOAT, dropped, 1)
            spot = np.int64(AFTER[width, clockwise, spot, 0]) & 15
        laps += 1
        lifted = byte_of(low & open_low, high & open_high, spot)

    chooses = lifted > 0 and laps < s.max_laps
    if chooses:
        lift_to_choose(s, spot, clockwise, laps, lifted)
        low, high = low & ~at_spot(BYTE, spot, 0), high & ~at_spot(BYTE, spot, 1)
    elif laps < s.max_laps:
        low, high = capture(s, low, high, open_low, open_high, spot, clockwise)
    put_back(s, low, high, open_low, open_high)
    if not chooses:
        other_row = row_of(low & open_low, high & open_high, width, 1 - (s.to_move & 1))
        if other_row and s.turn + 1 < s.max_turns:
            s.phase = law.LIFT
            law.pass_on(s)
        else:
            law.end_turn(s)


@rule
def drop_goat(s, goat, spot):
    """`law.drop_next` of a goat."""
    ring = len(s.holes)
    sink = law.store_owner(s, spot - ring) if spot >= ring else s.sold_to[spot]
    s.large[goat] = law.owned_by(sink) if sink >= 0 else spot


@rule
def lift_to_choose(s, spot, clockwise, laps, lifted):
    """`law.lift_place` of more than one kind of stone; the caller clears their byte."""
    s.phase = law.DROP
    s.hand = lifted & (GOAT - 1)
    s.at = place_at(s, spot)
    s.heading = -1 if clockwise else 1
    s.laps = laps
    for goat in range(2):
        if spot_of_goat(s, goat) == spot:
            s.large[goat] = law.in_hand(s)


@rule(inline=True)
def capture(s, low, high, open_low, open_high, spot, clockwise):
    """`law.capture`, where `spot` follows the last drop; return the words of the ring afterwards."""
    width = len(s.holes) // 2
    full_low, full_high = low & open_low, high & open_high
    taken_low = taken_high = np.uint64(0)
    for _ in range(width + 1):
        target = np.int64(AFTER[width, clockwise, spot, 0]) & 15
        if byte_of(full_low, full_high, spot) > 0 or byte_of(full_low, full_high, target) == 0:
            break
        taken_low |= at_spot(BYTE, target, 0)
        taken_high |= at_spot(BYTE, target, 1)
        spot = np.int64(AFTER[width, clockwise, target, 0]) & 15
    taken_low &= full_low
    taken_high &= full_high
    s.store[s.to_move] += sum_bytes((taken_low & _STONES) + (taken_high & _STONES))
    if (taken_low | taken_high) & _GOATS:
        take_goats(s, taken_low, taken_high)
    return low ^ taken_low, high ^ taken_high


@rule
def take_goats(s, low, high):
    """Let the mover win the goats in these words."""
    for goat in range(2):
        spot = spot_of_goat(s, goat)
        if spot != NOWHERE and byte_of(low, high, spot) >= GOAT:
            s.large[goat] = law.owned_by(s.to_move)


FAST = Fast(
    forms={contract.legal_word: legal_word, law.sow_from: sow_from, law.sow_chosen: sow_chosen},
    fits=lambda options: options["columns"] <= MOST_PACKED_COLUMNS and seeds(options) < GOAT,
)

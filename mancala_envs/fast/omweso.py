"""Omweso: laps are played on the four words of the board, and clockwise beginnings are found on them."""

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.book import Fast
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.four_rows import words
from mancala_envs.families.mancala.four_rows.rings import ANTICLOCKWISE, CLOCKWISE, pass_on
from mancala_envs.families.mancala.laps import byte_of
from mancala_envs.games import omweso
from mancala_envs.games.omweso import (
    ANY,
    BOTH_ENDS,
    FULL,
    LEFT_END,
    LIFT,
    NONE,
    RELAY,
    RIGHT_END,
    RING,
    SOW,
    ask,
    rest,
    win_by_two_ends,
)

_ONE = np.uint64(1)


@rule(inline=True)
def pair(outer, inner, k):
    """Return the seeds of the enemy's pair in the column of `k`; 0 unless `k` is an inner hole and both hold seeds."""
    front, behind = byte_of(outer, inner, words.faced_by(k) & 15), byte_of(outer, inner, k & 7)
    return front + behind if k & 8 and front > 0 and behind > 0 else 0


@rule(inline=True)
def captures_clockwise(low, high, outer, inner, k, hand):
    """Return whether a clockwise lap of `hand` seeds from `k` captures; `k` holds only what stays there."""
    last = (k - hand) & 15
    return byte_of(low, high, last) + (hand - 1) // RING > 0 and pair(outer, inner, last) > 0


@rule(inline=True)
def is_left_four(k):
    """`omweso.is_left_four` of a relative hole."""
    return k < 2 or k >= RING - 2


@rule
def legal_word(s, word):
    """`omweso.legal` of all actions at once."""
    if s.phase != LIFT:
        return plain_legal_word(s, word)
    mover = s.to_move & 1
    low, high = words.ring_words(s, mover)
    outer, inner = words.ring_words(s, 1 - mover)
    bits = words.two_or_more(low, high)
    for place in range(4 if s.reverse != NONE else 0):
        k = (place - 2) & 15
        hand = byte_of(low, high, k)
        rest_low, rest_high = words.emptied(low, high, k)
        if hand > 1 and captures_clockwise(rest_low, rest_high, outer, inner, k, hand):
            bits |= _ONE << np.uint64(RING + k)
    return bits


@rule
def sow_on(s, hole, hand, direction):
    """`omweso.sow_on`."""
    mover = s.to_move & 1
    low, high = words.ring_words(s, mover)
    outer, inner = words.ring_words(s, 1 - mover)
    k = hole & 15
    laps, ends = np.int64(s.laps), np.int64(s.ends)
    asked, won, relays = LIFT, False, True
    while relays:
        low, high, last = words.sow_ring(low, high, k, hand, direction)
        laps += 1
        seeds = byte_of(low, high, last)
        if seeds == 1 or laps >= s.max_laps:
            relays = False
        elif pair(outer, inner, last) > 0:
            hand = pair(outer, inner, last)
            outer, inner = words.emptied(outer, inner, words.faced_by(last))
            outer, inner = words.emptied(outer, inner, last & 7)
            ends |= (last == LEFT_END) | (last == RIGHT_END) << 1
            won = s.two_ends and ends == BOTH_ENDS
            turns = is_left_four(k) if s.reverse == ANY else s.reverse == FULL and direction == CLOCKWISE
            if not won and turns and captures_clockwise(low, high, outer, inner, k, hand):
                asked = SOW
            relays = not won and asked == LIFT
        else:
            k, hand = last, seeds
            rest_low, rest_high = words.emptied(low, high, k)
            if s.reverse <= ANY and is_left_four(k) and captures_clockwise(rest_low, rest_high, outer, inner, k, hand):
                asked = RELAY
                relays = False
            else:
                low, high = rest_low, rest_high
        direction = ANTICLOCKWISE
    words.write_ring(s, mover, low, high)
    words.write_ring(s, 1 - mover, outer, inner)
    s.laps, s.ends = laps, ends
    if asked != LIFT:
        ask(s, asked, RING * mover + k, hand if asked == SOW else 0)
    elif won:
        win_by_two_ends(s, hand)
    else:
        rest(s)
        pass_on(s)


FAST = Fast({**words.FORMS, contract.legal_word: legal_word, omweso.sow_on: sow_on}, words.fits)

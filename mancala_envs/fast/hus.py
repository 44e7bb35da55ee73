"""Hus on eight columns: a turn is played on the four words of the board."""

from mancala_envs.core import contract
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.four_rows import words
from mancala_envs.families.mancala.four_rows.rings import ANTICLOCKWISE, pass_on
from mancala_envs.families.mancala.laps import byte_of
from mancala_envs.games import hus
from mancala_envs.games.hus import BOTH


@rule(inline=True)
def legal_word(s, word):
    """`hus.legal` of all actions at once."""
    low, high = words.ring_words(s, s.to_move & 1)
    return words.two_or_more(low, high)


@rule
def play(s, action):
    """`hus.play`."""
    mover = s.to_move & 1
    low, high = words.ring_words(s, mover)
    outer, inner = words.ring_words(s, 1 - mover)
    k = action & 15
    hand = byte_of(low, high, k)
    low, high = words.emptied(low, high, k)
    laps = 0
    relays = True
    while relays:
        low, high, k = words.sow_ring(low, high, k, hand, ANTICLOCKWISE)
        laps += 1
        hand = byte_of(low, high, k)
        relays = hand > 1 and laps < s.max_laps
        if relays:
            front, behind = byte_of(outer, inner, words.faced_by(k) & 15), byte_of(outer, inner, k & 7)
            if k & 8 and front > 0 and (s.capture != BOTH or behind > 0):
                hand = front + behind
                outer, inner = words.emptied(outer, inner, words.faced_by(k))
                outer, inner = words.emptied(outer, inner, k & 7)
            else:
                low, high = words.emptied(low, high, k)
    words.write_ring(s, mover, low, high)
    words.write_ring(s, 1 - mover, outer, inner)
    pass_on(s)


FAST = Fast({**words.FORMS, contract.legal_word: legal_word, hus.play: play}, words.fits)

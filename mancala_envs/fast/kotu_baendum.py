"""Fast form of Kotu-baendum on packed words; see `fast.olinda`."""

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.bits import gather
from mancala_envs.core.book import Fast
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.olinda.law import LIFT
from mancala_envs.fast import olinda
from mancala_envs.fast.olinda import ends_of_row, lifts, row_of_player
from mancala_envs.games.kotu_baendum import is_opening


@rule(inline=True)
def legal_word(s, word):
    """Return the legal actions as a bit mask; between rounds the plain rules decide."""
    if s.phase != LIFT:
        return plain_legal_word(s, word)
    bits = lifts(s)
    return opening_lifts(s, bits) if is_opening(s) else bits


@rule(inline=True)
def opening_lifts(s, bits):
    """Return the lifts from end holes, or all lifts if there are none, separately for each direction."""
    width = np.uint64(len(s.holes) // 2)
    _, kinds = row_of_player(s, s.to_move & 1)
    first, last = ends_of_row(kinds, len(s.holes) // 2)
    ends = gather(first | last)
    row = (np.uint64(1) << width) - np.uint64(1)
    ahead, back = bits & row, bits >> width
    ahead = ahead & ends if ahead & ends else ahead
    back = back & ends if back & ends else back
    return ahead | back << width


FAST = Fast({**olinda.FORMS, contract.legal_word: legal_word}, olinda.fits)

"""Fast forms of the common rules of Parker's four games: all legal lifts at once, on packed words.

They fit boards whose holes and stores take at most two words.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.bits import LOW_BITS, equal_flags, gather, nonzero_flags
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import Rule, rule
from mancala_envs.families.mancala.laps import MOST_PACKED_COLUMNS
from mancala_envs.families.mancala.olinda import law, set_out
from mancala_envs.families.mancala.olinda.law import BLIND, LIFT, PLAIN, SUMMARY
from mancala_envs.families.mancala.olinda.law import may_lift as plain_may_lift
from mancala_envs.families.mancala.olinda.set_out import end_round
from mancala_envs.families.mancala.words import row_of

_ONE, _S8, _S16, _S32 = (np.uint64(number) for number in (1, 8, 16, 32))


def fits(options: Mapping[str, Any]) -> bool:
    """Return whether holes and stores fit into two words."""
    return bool(options["columns"] <= MOST_PACKED_COLUMNS)


@rule(inline=True)
def plain_flags(kinds):
    """Return a word with 1 in each byte of `kinds` that is PLAIN."""
    return ~(kinds | kinds >> _ONE) & LOW_BITS


@rule(inline=True)
def blind_flags(kinds):
    """Return a word with 1 in each byte of `kinds` that is BLIND."""
    # Only BLIND has the lower of the two bits without the upper one.
    return kinds & ~(kinds >> _ONE) & LOW_BITS


@rule(inline=True)
def row_of_player(s, p):
    """Return player p's row as the bytes of two words: seeds, and kinds of holes."""
    width = len(s.holes) // 2
    held = row_of(s.holes_word[0], s.holes_word[1], width, p)
    return held, row_of(s.kind_word[0], s.kind_word[1], width, p)


@rule(inline=True)
def legal_word(s, word):
    """Return the legal actions as a bit mask; between rounds the plain rules decide."""
    return lifts(s) if s.phase == LIFT else plain_legal_word(s, word)


@rule(inline=True)
def lifts(s):
    """Return a mask in which bit a is set if `law.may_begin` allows action a."""
    held, kinds = row_of_player(s, s.to_move & 1)
    free = nonzero_flags(held) & plain_flags(kinds)
    single = equal_flags(held, 1) & free
    if s.reading == SUMMARY and single != free:
        free ^= single
        single = np.uint64(0)
    first, last = ends_of_row(kinds, len(s.holes) // 2)
    ahead = liftable(free, single & last) * np.uint64(s.direction >= 0)
    back = liftable(free, single & first) * np.uint64(s.direction <= 0)
    return ahead | back << np.uint64(len(s.holes) // 2)


@rule(inline=True)
def ends_of_row(kinds, width):
    """Return two words with 1 in the byte of the first, and of the last, hole of the row that is not blind."""
    from_first = up_to_last = ~blind_flags(kinds) & LOW_BITS & ((_ONE << np.uint64(8 * width)) - _ONE)
    for bytes_further in (_S8, _S16, _S32):
        from_first |= from_first << bytes_further
        up_to_last |= up_to_last >> bytes_further
    return from_first ^ from_first << _S8, up_to_last ^ up_to_last >> _S8


@rule(inline=True)
def liftable(free, banned):
    """Return the free holes as bits, without the `banned` one unless it is the only one."""
    return gather(free if free == banned else free ^ banned)


@rule(inline=True)
def may_lift(s, hole, direction):
    """`law.may_lift`, which usually takes only one branch."""
    # Usually the hole has several seeds or is not the front one.
    row = len(s.holes) // 2 * np.int64(s.to_move & 1)
    ahead = hole + direction
    behind = (ahead >= row) & (ahead < row + len(s.holes) // 2)
    behind &= s.kind[ahead if behind else row] != BLIND
    enough = (s.holes[hole] > 1) | ((s.holes[hole] == 1) & behind & (s.reading != SUMMARY))
    if enough & (s.kind[hole] == PLAIN):
        return True
    return plain_may_lift(s, hole, direction)


@rule(inline=True)
def end_turn(s, ate):
    """`set_out.end_turn`."""
    mover = s.to_move & 1
    s.turn += 1
    s.quiet = (s.quiet + 1) * np.int64(not ate)
    s.to_move = 1 - mover
    held, kinds = row_of_player(s, 1 - mover)
    stuck = nonzero_flags(held) & plain_flags(kinds) == 0
    if stuck | (s.turn >= s.max_turns) | (s.quiet >= s.quiet_turns):
        end_round(s)


FORMS: dict[Rule, Rule] = {contract.legal_word: legal_word, law.may_lift: may_lift, set_out.end_turn: end_turn}
"""Replacements of the common rules."""

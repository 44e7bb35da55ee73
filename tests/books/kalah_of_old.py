"""Kalah as it was first solved: a last seed in an own empty hole is captured even if the opposite hole is empty.

Source: G. Irving, J. Donkers, J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000): the first player wins Kalah(6,4)
by ten seeds.
"""

from dataclasses import replace

from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.rows import row_is_empty
from mancala_envs.games import kalah


@rule
def play(s, action):
    width = len(s.holes) // 2
    mover = s.to_move
    last = kalah.sow_past_store(s, action)
    own = last + width * mover
    if last < width and s.holes[own] == 1:
        kalah.capture(s, own, 2 * width - 1 - own)
    over = row_is_empty(s, 0) or row_is_empty(s, 1)
    if last != width or over:
        s.turn += 1
        s.to_move = 1 - mover
    if over:
        s.ended = BY_RULES


RULE_BOOK = replace(kalah.RULE_BOOK, name="kalah_of_old", rules=replace(kalah.RULE_BOOK.rules, play=play))

"""
# Walak-pussa, "A Hole Empty"
"""

from mancala_envs.core import row_law, set_out
from mancala_envs.core.game import RuleBook
from mancala_envs.core.row_law import (
    COMMON_OPTIONS,
    KEPT,
    LIFT,
    PHASES,
    PLAIN,
    READING,
    SUMMARY,
    begin_with,
    captured,
    count,
    full_for_mover,
    holds_free,
    may_begin,
    next_hole,
    num_actions,
    seeds,
    sow,
    sow_past,
    total,
)
from mancala_envs.core.rule import rule
from mancala_envs.core.set_out import (
    CAMPAIGN_OPTIONS,
    NO_CUTTING,
    arrange,
    begin,
    end_turn,
    may_arrange,
    round_reward,
    share,
)
from mancala_envs.core.sow import lift

OPTIONS = (*COMMON_OPTIONS, READING)


# The turn.


@rule
def legal(s, action):
    return may_begin(s, action) if s.phase == LIFT else may_arrange(s, action)


@rule
def play(s, action):
    if s.phase != LIFT:
        arrange(s, action)
        return
    before = s.store[s.to_move]
    hole = begin_with(s, action)
    if s.few[s.to_move] > 0:
        sow_on_as_few(s, hole)
    else:
        sow_on(s, hole)
    end_turn(s, s.store[s.to_move] > before)


@rule
def sow_on(s, hole):
    """Lift `hole` and sow, and go on with the hole after the last seed's while that is full; else eat."""
    for _ in range(s.max_laps - 1):
        last = sow(s, hole)
        if stops_at(s, last):
            return
        hole = hole_after(s, last)
        if not holds_free(s, hole):
            pick_pearls(s, last)
            return
    # Nothing comes of the last lap that is allowed.
    sow(s, hole)


@rule
def stops_at(s, last):
    """By the summary a last seed in an empty hole ends the turn at once."""
    return s.reading == SUMMARY and (s.kind[last] != PLAIN or s.holes[last] == 1)


@rule
def hole_after(s, hole):
    """The next hole; the summary steps over kept holes too, "as though they are non-existent"."""
    after = next_hole(s, hole)
    while s.reading == SUMMARY and s.kind[after] == KEPT and after != hole:
        after = next_hole(s, after)
    return after


@rule
def pick_pearls(s, last):
    """Eat every other hole after `last`, as long as empty and full holes alternate, once round at most."""
    hole = last
    while True:
        hole = hole_after(s, hole)
        if holds_free(s, hole) or hole == last:
            return
        hole = hole_after(s, hole)
        if not holds_free(s, hole):
            return
        s.store[s.to_move] += lift(s, hole)
        if hole == last:
            return


@rule
def sow_on_as_few(s, hole):
    """A `few` player eats only what his last seed falls into, but goes on from the next hole as ever."""
    full = full_for_mover(s)
    for _ in range(s.max_laps - 1):
        last = sow_past(s, hole, full)
        if s.kind[last] == PLAIN and s.holes[last] == full + 1:
            s.store[s.to_move] += lift(s, last)
            return
        if stops_at(s, last):
            return
        hole = hole_after(s, last)
        if not holds_free(s, hole):
            return
    # Nothing comes of the last lap that is allowed.
    sow_past(s, hole, full)


RULE_BOOK = RuleBook(
    name="walak_pussa",
    title="Walak-pussa",
    page=__doc__,
    options=OPTIONS,
    campaign_options=(*CAMPAIGN_OPTIONS, NO_CUTTING),
    agree=lambda options, campaign: set_out.agree("walak_pussa", options, campaign),
    record=row_law.record,
    seeds=seeds,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    legal_word=row_law.legal_word,
    play=play,
    captured=captured,
    count=count,
    total=total,
    observe=row_law.observe,
    observation=row_law.observation,
    board=row_law.board,
    check=lambda s, options, given: set_out.check("walak_pussa", s, options, given),
    phases=PHASES,
    action_names=row_law.action_names,
    share=share,
    round_reward=round_reward,
)

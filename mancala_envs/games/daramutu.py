"""
# Daramutu, or Ellaewala-kanda
"""

from mancala_envs.core import row_law, set_out
from mancala_envs.core.game import RuleBook
from mancala_envs.core.options import Option
from mancala_envs.core.row_law import (
    COMMON_OPTIONS,
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
    opposite,
    require,
    seeds,
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

OPTIONS = (*COMMON_OPTIONS, READING, Option("fours", True, choices=(False, True)))

NEVER = -1
"""No hole holds so many seeds."""


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
    sow_on(s, begin_with(s, action))
    end_turn(s, s.store[s.to_move] > before)


@rule
def sow_on(s, hole):
    """Lift `hole` and sow, lap after lap."""
    full = full_for_mover(s) if s.fours else NEVER
    for _ in range(s.max_laps - 1):
        last = sow_past(s, hole, full)
        held = s.holes[last] - 1
        if s.kind[last] != PLAIN or held == 0:
            eat_opposite(s, last)
            return
        if held == full:
            s.store[s.to_move] += lift(s, last)
            last = next_hole(s, last)
            if not holds_free(s, last):
                return
        hole = last
    # Nothing comes of the last lap that is allowed.
    sow_past(s, hole, full)


@rule
def eat_opposite(s, hole):
    """The last seed fell into an empty or a kept hole: what lies across is eaten, by Parker."""
    across = opposite(s, hole)
    if s.reading != SUMMARY and holds_free(s, across):
        s.store[s.to_move] += lift(s, across)


def agree(options, campaign):
    set_out.agree("daramutu", options, campaign)
    nothing = not options["fours"] and options["reading"] == "summary"
    require("daramutu", not nothing, 'with fours=False and reading="summary" nothing could be captured')


RULE_BOOK = RuleBook(
    name="daramutu",
    title="Daramutu",
    page=__doc__,
    options=OPTIONS,
    campaign_options=(*CAMPAIGN_OPTIONS, NO_CUTTING),
    agree=agree,
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
    check=lambda s, options, given: set_out.check("daramutu", s, options, given),
    phases=PHASES,
    action_names=row_law.action_names,
    share=share,
    round_reward=round_reward,
)

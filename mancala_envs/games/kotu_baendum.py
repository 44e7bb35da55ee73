"""
# Kotu-baendum, "Tying up the Enclosures"
"""

from mancala_envs.core import row_law, set_out
from mancala_envs.core.game import RuleBook
from mancala_envs.core.observation import Column
from mancala_envs.core.options import Option
from mancala_envs.core.row_law import (
    BLIND,
    COMMON_OPTIONS,
    KEPT,
    LIFT,
    PHASES,
    PLAIN,
    TIED,
    begin_with,
    captured,
    count,
    direction_of,
    front_hole,
    full_for_mover,
    hole_of,
    may_begin,
    may_lift,
    num_actions,
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

OPTIONS = (*COMMON_OPTIONS, Option("reading", "parker", choices=("parker",)))


# The turn.


@rule
def legal(s, action):
    if s.phase != LIFT:
        return may_arrange(s, action)
    return may_begin(s, action) and not (is_opening(s) and spares_ends(s, action))


@rule
def is_opening(s):
    """Each player's first turn of the first round."""
    return s.round_number == 1 and s.turn < 2


@rule
def spares_ends(s, action):
    """Whether this lift is from the middle of the row though an end hole could be lifted in its direction."""
    direction = direction_of(s, action)
    front = front_hole(s, s.to_move, direction)
    back = front_hole(s, s.to_move, -direction)
    hole = hole_of(s, action)
    if hole in (front, back):
        return False
    return may_lift(s, front, direction) or may_lift(s, back, direction)


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
    full = full_for_mover(s)
    for _ in range(s.max_laps - 1):
        last = sow_past(s, hole, full)
        held = s.holes[last] - 1
        if s.kind[last] != PLAIN or held == 0:
            return
        if held == full:
            tie_or_eat(s, last)
            return
        hole = last
    # Nothing comes of the last lap that is allowed.
    sow_past(s, hole, full)


@rule
def tie_or_eat(s, hole):
    """An end hole is tied by who fills it; the seeds of another are his at once."""
    if is_end_hole(s, hole):
        s.kind[hole] = TIED
        s.owner[hole] = s.to_move
    else:
        s.store[s.to_move] += lift(s, hole)


@rule
def is_end_hole(s, hole):
    """Of either row of the board."""
    column = hole % (len(s.holes) // 2)
    return column == 0 or column == len(s.holes) // 2 - 1


# What players see, and what a position must be.


@rule
def observe(s, p, out):
    at = row_law.observe(s, p, out)
    out[at] = is_opening(s)


def observation(options):
    return [
        *row_law.observation(options),
        Column("opening", 1, "1 while each player's first turn of round one is played, which is bound to end holes"),
    ]


def check(s, options, given):
    set_out.check("kotu_baendum", s, options, given, kinds=(PLAIN, BLIND, KEPT, TIED))


RULE_BOOK = RuleBook(
    name="kotu_baendum",
    title="Kotu-baendum",
    page=__doc__,
    options=OPTIONS,
    campaign_options=(*CAMPAIGN_OPTIONS, NO_CUTTING),
    agree=lambda options, campaign: set_out.agree("kotu_baendum", options, campaign),
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
    observe=observe,
    observation=observation,
    board=row_law.board,
    check=check,
    phases=PHASES,
    action_names=row_law.action_names,
    share=share,
    round_reward=round_reward,
)

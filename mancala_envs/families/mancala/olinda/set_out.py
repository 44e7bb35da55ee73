"""Rules between the rounds of Parker's four games: the set-out of a round, and the end of a campaign.

*Puta*, *naga* and *wala* are the one, two or three seeds left for a player's last hole after the fours.
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 594-597.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import BY_MARGIN, ROUND_REWARD, margin, share_of_winner
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.olinda.law import (
    BLIND,
    ENDS,
    FEWER,
    KEPT,
    LIFT,
    PLAIN,
    SUMMARY,
    can_lift,
    may_begin,
    nth_hole,
    opener,
    opposite,
    score,
)
from mancala_envs.families.mancala.olinda.law import check as check_law
from mancala_envs.families.mancala.rows import row_begins
from mancala_envs.families.mancala.sow import lift

FOUR = 4
TWELVE = 12
"""A player with fewer seeds may set out by twos or by ones."""

BY_FOURS, BY_TWOS, BY_ONES, ANTICLOCKWISE_END, CLOCKWISE_END = range(5)
"""Actions, after the 2W lifts."""

DRAW = 1

CAMPAIGN_OPTIONS = (Option("equal", "continue", choices=("continue", "draw")), Option("max_rounds", 30), ROUND_REWARD)
NO_CUTTING = Option("cutting", "none", choices=("none",))
"""*Puhul kapanawa* is possible in Puhulmutu only; in the other games the option has a single value."""


# Legal actions.


@rule
def legal(s, action):
    """Return whether an action is legal: a lift within a round, or a decision between rounds."""
    return may_begin(s, action) if s.phase == LIFT else may_arrange(s, action)


# The round's end.


@rule
def end_turn(s, ate):
    """End a turn; `ate` says whether it captured. The round ends when the next player cannot lift a hole."""
    s.turn += 1
    s.quiet = 0 if ate else s.quiet + 1
    s.to_move = 1 - s.to_move
    if s.turn >= s.max_turns or s.quiet >= s.quiet_turns or not can_lift(s, s.to_move):
        end_round(s)


@rule
def end_round(s):
    """Count the seeds of both players; then start another round or end the game."""
    for p in range(2):
        s.seeds_owned[p] = score(s, p)
    own, others = s.seeds_owned[0], s.seeds_owned[1]
    last = s.round_number >= s.max_rounds or own == 0 or others == 0 or (own == others and s.equal == DRAW)
    if s.campaign and not last:
        next_round(s)
    else:
        s.ended = BY_RULES


@rule
def next_round(s):
    """Start the next round; the player with fewer seeds decides how to set out, nobody if the seeds are equal."""
    own, others = s.seeds_owned[0], s.seeds_owned[1]
    beginner = 1 - opener(s)
    s.round_number += 1
    clear(s)
    if own == others:
        s.to_move = beginner
        for p in range(2):
            set_out_by_fours(s, p)
    else:
        s.to_move = 0 if own < others else 1
        s.holes[:] = 0
        for p in range(2):
            s.store[p] = s.seeds_owned[p]
        ask_deficient_player(s)


@rule
def clear(s):
    """Reset everything of the last round except the seeds."""
    s.turn = 0
    s.quiet = 0
    s.direction = 0
    s.few[:] = 0
    s.kind[:] = PLAIN
    width = len(s.holes) // 2
    s.owner[:width] = 0
    s.owner[width:] = 1


@rule
def begin(s):
    """Set up the first round with equal numbers of seeds in all holes."""
    s.laps_sown = 0
    s.seeds_owned[:] = len(s.holes) // 2 * s.seeds
    s.store[:] = 0
    clear(s)
    s.holes[:] = s.seeds


@rule
def owned(s, p):
    """Count the holes of p's row that are not blind."""
    row = row_begins(s, p)
    holes = 0
    for hole in range(row, row + len(s.holes) // 2):
        holes += s.kind[hole] != BLIND
    return holes


@rule
def share(s, p):
    """Return player p's reward at the end; margins count only outside of campaigns."""
    return margin(s, p) if s.reward == BY_MARGIN and not s.campaign else share_of_winner(s, p)


# The deficient player's two decisions.


@rule
def ask_deficient_player(s):
    """Ask the deficient player how to set out, if there is a choice, and then at which end the blind holes are."""
    s.phase = ENDS
    ways = 0
    only = 0
    for k in range(3):
        if may_set_out(s, k):
            ways += 1
            only = k
    if ways > 1:
        s.phase = FEWER
    else:
        s.few[s.to_move] = only


@rule
def may_set_out(s, k):
    """Return whether the deficient player may set out by twos (k = 2), ones (1) or fours (0)."""
    seeds = np.int64(s.seeds_owned[s.to_move])
    if k > 0:
        surplus = seeds - k * (len(s.holes) // 2 - 1)
        return seeds < TWELVE and surplus <= FOUR
    # A puta or a naga alone could not be lifted.
    return seeds >= FOUR or (seeds == FOUR - 1 and not rest_stays_out(s))


@rule
def rest_stays_out(s):
    """Return whether the rest is not set out: by the summary, *puta*, *naga* and *wala* start with the third round."""
    return s.reading == SUMMARY and s.round_number == 2


@rule
def by_how_many(s, action):
    """Return the k of an action in phase FEWER: 2 by twos, 1 by ones, 0 by fours; -1 for other actions."""
    how = action - len(s.holes)
    return 0 if how == BY_FOURS else 2 if how == BY_TWOS else 1 if how == BY_ONES else -1


@rule
def may_arrange(s, action):
    """Return whether `action` is legal between rounds."""
    if s.phase == FEWER:
        k = by_how_many(s, action)
        return k >= 0 and may_set_out(s, k)
    return action - len(s.holes) >= ANTICLOCKWISE_END


@rule
def arrange(s, action):
    """Carry out a decision between rounds; after the second one the round starts."""
    if s.phase == FEWER:
        s.few[s.to_move] = by_how_many(s, action)
        s.phase = ENDS
        return
    s.phase = LIFT
    s.direction = 1 if action - len(s.holes) == ANTICLOCKWISE_END else -1
    deficient = np.int64(s.to_move)
    set_out_by_fours(s, 1 - deficient)
    if s.few[deficient] > 0:
        set_out_few(s, deficient)
    else:
        set_out_by_fours(s, deficient)
        make_up_four(s)


# The set-out.


@rule
def set_out_by_fours(s, p):
    """Set out player p's seeds by fours, with the rest in the next hole; holes without seeds are blind."""
    seeds = np.int64(s.seeds_owned[p])
    for n in range(len(s.holes) // 2):
        hole = nth_hole(s, p, n, s.direction)
        laid = min(seeds, FOUR)
        s.holes[hole] = laid
        s.kind[hole] = PLAIN if laid > 0 else BLIND
        seeds -= laid
    s.store[p] = seeds


@rule
def set_out_few(s, p):
    """Set out player p's seeds by twos or ones, with the rest in the last hole; holes without seeds are blind."""
    k = np.int64(s.few[p])
    seeds = np.int64(s.seeds_owned[p])
    width = len(s.holes) // 2
    for n in range(width):
        hole = nth_hole(s, p, n, s.direction)
        laid = seeds if n == width - 1 else k if seeds >= k else 0
        s.holes[hole] = laid
        s.kind[hole] = PLAIN if laid > 0 else BLIND
        seeds -= laid
    s.store[p] = 0


@rule
def make_up_four(s):
    """Let the last holes of both players hold four seeds together; holes with one or two seeds become kept holes."""
    deficient = np.int64(s.to_move)
    winner = 1 - deficient
    seeds = np.int64(s.seeds_owned[deficient])
    rest = seeds % FOUR
    if rest == 0:
        return
    hole = nth_hole(s, deficient, seeds // FOUR, s.direction)
    if rest_stays_out(s):
        s.store[deficient] = lift(s, hole)
        s.kind[hole] = BLIND
        return
    answer = nth_hole(s, winner, len(s.holes) // 2 - 1, s.direction)
    if s.reading == SUMMARY:
        answer = opposite(s, hole)
    if s.holes[answer] == FOUR:
        s.holes[answer] -= rest
        s.store[winner] += rest
        keep_if_small(s, answer)
    keep_if_small(s, hole)


@rule
def keep_if_small(s, hole):
    """Make a hole a kept hole if it holds a *puta* or a *naga*, but not a *wala*."""
    if s.holes[hole] < FOUR - 1:
        s.kind[hole] = KEPT


# Checks of options and positions.


def check_options(options: Mapping[str, Any], campaign: bool) -> None:
    """Check that the options fit together.

    Raises:
        ValueError: if they do not.
    """
    require(not campaign or options["seeds"] == FOUR, f"a campaign needs seeds={FOUR}")


def check(s: Any, options: Mapping[str, Any], given: frozenset[str], kinds: Sequence[int]) -> None:
    """Check a position by `law.check`, and the phases between rounds.

    Between rounds the board is empty, all seeds are in the stores, and the player with fewer seeds is to move.

    Raises:
        ValueError: if a check fails.
    """
    between = s.phase in (FEWER, ENDS)
    if between:
        if "holes" not in given:
            s.holes[:] = 0
        if "store" in given and "seeds_owned" not in given:
            s.seeds_owned[:] = s.store
        elif "store" not in given:
            s.store[:] = s.seeds_owned
    elif "seeds_owned" not in given and s.round_number > 1:
        # An estimate: the position does not show with how many seeds the round started.
        s.seeds_owned[:] = [score(s, 0), score(s, 1)]
    check_law(s, options, kinds)
    seeds = s.seeds_owned.tolist()
    most = 2 * options["columns"] * options["seeds"]
    require(sum(seeds) <= most, f"seeds_owned must be at most {most} in all, got {seeds}")
    if not between:
        return
    p, k = int(s.to_move), int(s.few[s.to_move])
    require(options["campaign"] and s.round_number > 1, f"phase {s.phase} comes between rounds of a campaign")
    require(not s.holes.any() and not s.kind.any(), f"in phase {s.phase} holes and kind must be 0")
    require(
        s.direction == 0 and s.turn == 0 and s.quiet == 0, f"in phase {s.phase} direction, turn and quiet must be 0"
    )
    require(seeds == s.store.tolist(), f"store must be seeds_owned {seeds} in phase {s.phase}")
    require(0 < seeds[p] < seeds[1 - p], f"player {p} decides in phase {s.phase} but does not have fewer seeds")
    require(s.few[1 - p] == 0, f"few of player {1 - p}, who has more seeds, must be 0")
    if s.phase == FEWER:
        require(seeds[p] < TWELVE, f"there is no phase 1 with {TWELVE} seeds or more")
        require(k == 0, "few must be 0 before it is chosen")
    else:
        require(may_set_out(s, k), f"player {p} cannot have set out {seeds[p]} seeds by few={k}")

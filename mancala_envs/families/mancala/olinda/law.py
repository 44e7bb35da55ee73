"""Rules within a round that Parker's four "Kandian forms of the Olinda game" have in common.

Two rows form a ring, sown in one direction per round; holes can be out of play or keep their seeds. The rules page is
that of Puhulmutu, Walak-pussa, Kotu-baendum and Daramutu. For the rules between rounds see `set_out`.
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 594-599.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board
from mancala_envs.core.observation import FAR, Columns, observe_phase, phase_columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import two_rows
from mancala_envs.families.mancala.position import fields
from mancala_envs.families.mancala.rows import (
    ROUNDS_LEFT,
    next_on_ring,
    observe_rows,
    ring_hole,
    rounds_left,
    row_begins,
    row_columns,
    seeds,
)
from mancala_envs.families.mancala.sow import capture, drop, lift

LIFT, FEWER, ENDS = 0, 1, 2
PHASES = {LIFT: "lift a hole", FEWER: "set out by fours, twos or ones", ENDS: "leave the blind holes at an end"}
PHASE_NUMBERS = np.array(list(PHASES))
Phases = Mapping[int, str]
NOTHING: Phases = {}

WAYS = ("anticlockwise", "clockwise")
ANTICLOCKWISE, CLOCKWISE = range(2)

PLAIN, BLIND, KEPT, TIED = 0, 1, 2, 3
"""Values of `kind`, the kind of a hole."""

THREE = 3
"""A hole with this many seeds is full: sowing skips it, and the last seed captures it."""

SUMMARY = 1
"""Value of the option `reading`: the summary on the Ludii portal."""

COMMON_OPTIONS = (
    Option("columns", 7, lowest=4, size=True),
    Option("seeds", 4),
    Option("max_turns", 400),
    Option("max_laps", 256, highest=MOST_LAPS),
    Option("quiet_turns", 100),
    REWARD,
)
READING = Option("reading", "parker", choices=("parker", "summary"))


def record(options: Mapping[str, Any], *more: Field) -> list[Field]:
    """Return the fields of a record, with the game's own fields `more`."""
    holes = 2 * options["columns"]
    common = [
        Field("kind", "u1", "kind of each hole: 0 plain, 1 blind, 2 kept, 3 tied", (holes,)),
        Field("owner", "u1", "who gets the seeds of each hole: its row's player, except in tied holes", (holes,)),
        Field("direction", "i1", "direction of this round: 1 anticlockwise, -1 clockwise, 0 not chosen yet"),
        Field("few", "u1", "2 for the player who set out by twos, 1 by ones; otherwise 0", (2,)),
        Field(
            "seeds_owned", "u1", "each player's seeds at the start of the round, or in the store between rounds", (2,)
        ),
        Field("quiet", "i4", "turns in a row without a capture, below `quiet_turns`"),
        Field("laps_sown", "i8", "laps sown in this episode"),
    ]
    return fields(holes, players=2, more=[*common, *more])


# Places.


@rule
def next_hole(s, hole):
    """Return the next hole in the direction of play that is not blind."""
    step = np.int64(s.direction)
    while True:
        hole = next_on_ring(hole, len(s.holes), step)
        if s.kind[hole] != BLIND:
            return hole


@rule
def nth_hole(s, p, n, direction):
    """Return the n-th hole of player p's row, counted from 0 in `direction`; from the left if the direction is 0."""
    width = len(s.holes) // 2
    return row_begins(s, p) + (n if direction >= 0 else width - 1 - n)


@rule
def front_hole(s, p, direction):
    """Return the last hole of player p's row in `direction` that is not blind, -1 if all are."""
    for n in range(len(s.holes) // 2):
        hole = nth_hole(s, p, n, -direction)
        if s.kind[hole] != BLIND:
            return hole
    return -1


@rule
def opposite(s, hole):
    """Return the hole opposite `hole`."""
    return len(s.holes) - 1 - hole


@rule
def holds_free(s, hole):
    """Return whether a hole is plain and holds seeds; only these can be lifted."""
    return s.kind[hole] == PLAIN and s.holes[hole] > 0


# Lifting.


@rule
def can_lift(s, p):
    """Return whether player p can lift any hole."""
    row = row_begins(s, p)
    for hole in range(row, row + len(s.holes) // 2):
        if holds_free(s, hole):
            return True
    return False


@rule
def may_lift(s, hole, direction):
    """Return whether the mover may lift `hole` of the own row and sow it in `direction`."""
    if not holds_free(s, hole):
        return False
    if s.holes[hole] > 1:
        return True
    # A single seed in front can be lifted only if nothing else can; by the summary, any single seed only if no larger
    # hole can.
    if hole == front_hole(s, s.to_move, direction):
        return not another_holds(s, hole, 1)
    return s.reading != SUMMARY or not another_holds(s, hole, 2)


@rule
def another_holds(s, hole, least):
    """Return whether another plain hole of the mover's row holds at least `least` seeds."""
    row = row_begins(s, s.to_move)
    for other in range(row, row + len(s.holes) // 2):
        if other != hole and holds_free(s, other) and s.holes[other] >= least:
            return True
    return False


@rule
def direction_of(s, action):
    """Return the direction in which a lift sows."""
    return 1 if action < len(s.holes) // 2 else -1


@rule
def hole_of(s, action):
    """Return the hole of a lift."""
    width = len(s.holes) // 2
    return row_begins(s, s.to_move) + (action if action < width else action - width)


@rule
def may_begin(s, action):
    """Return whether the mover may start the turn with this lift."""
    if action >= len(s.holes):
        return False
    direction = direction_of(s, action)
    return s.direction != -direction and may_lift(s, hole_of(s, action), direction)


@rule
def begin_with(s, action):
    """Fix the direction of the round; return the hole to be lifted."""
    s.direction = direction_of(s, action)
    return hole_of(s, action)


# Sowing.


@rule
def sow(s, hole):
    """Lift `hole` and sow in the direction of play; return the last hole."""
    s.laps_sown += 1
    for _ in range(lift(s, hole)):
        hole = next_hole(s, hole)
        drop(s, hole)
    return hole


@rule
def full_for_mover(s):
    """Return the number of seeds of a full hole: three, or the number by which a `few` player set out."""
    few = np.int64(s.few[s.to_move])
    return few if few > 0 else THREE


@rule(inline=True)
def sow_past(s, hole, full):
    """Sow, but skip plain holes with exactly `full` seeds except with the last seed; return the last hole."""
    s.laps_sown += 1
    for _ in range(lift(s, hole) - 1):
        hole = next_hole_not_full(s, hole, full)
        drop(s, hole)
    hole = next_hole(s, hole)
    drop(s, hole)
    return hole


@rule
def next_hole_not_full(s, hole, full):
    """Return the next hole that is not skipped; if all would be, the next hole."""
    goal = next_hole(s, hole)
    while s.kind[goal] == PLAIN and s.holes[goal] == full:
        if goal == hole:
            return next_hole(s, hole)
        goal = next_hole(s, goal)
    return goal


INTO_EMPTY, INTO_FULL, OUT_OF_LAPS = range(3)
"""Why a relay stops: the last seed fell into an empty hole or one that keeps its seeds; it fell into a full hole; or
the limit on laps was reached, in which case nothing is captured."""


@rule(inline=True)
def relay(s, hole, full, last_lap):
    """Sow laps with `sow_past`, each from the last hole of the one before; return the last hole and why it stopped.

    `last_lap` is the value of `laps_sown` at the limit on laps.
    """
    while True:
        hole = sow_past(s, hole, full)
        if s.laps_sown == last_lap:
            return hole, OUT_OF_LAPS
        if s.kind[hole] != PLAIN or s.holes[hole] == 1:
            return hole, INTO_EMPTY
        if s.holes[hole] == full + 1:
            return hole, INTO_FULL


@rule
def relay_and_capture(s, hole, full):
    """Relay, capture a full hole that the last seed falls into, and continue from the hole after it."""
    last_lap = s.laps_sown + s.max_laps
    while True:
        hole, stopped = relay(s, hole, full, last_lap)
        if stopped != INTO_FULL:
            return hole, stopped
        capture(s, hole)
        hole = next_hole(s, hole)
        if not holds_free(s, hole):
            return hole, stopped


# Counting.


@rule
def captured(s, p):
    """Count player p's captured seeds, including those in kept and tied holes."""
    seeds = np.int64(s.store[p])
    for hole in range(len(s.holes)):
        if s.kind[hole] >= KEPT and s.owner[hole] == p:
            seeds += s.holes[hole]
    return seeds


@rule
def score(s, p):
    """Count player p's captured seeds and those in the holes that p owns."""
    seeds = np.int64(s.store[p])
    for hole in range(len(s.holes)):
        if s.owner[hole] == p:
            seeds += s.holes[hole]
    return seeds


@rule
def opener(s):
    """Return the player who started this round; turns alternate."""
    return np.int64(s.to_move) ^ (s.turn & 1)


# Observations, actions and checks of positions.


@rule
def num_actions(s):
    """Return the number of actions."""
    return len(s.holes) + 5


def actions(options: Mapping[str, Any], lifts: Phases = NOTHING, ends: Phases = NOTHING) -> list[Actions]:
    """Return the actions; `lifts` and `ends` describe the actions of these phases in other phases."""
    return [
        Actions(
            "lift own hole {place}, {direction}", {LIFT: "", **lifts}, direction=WAYS, place=range(options["columns"])
        ),
        Actions("set out by {number}", {FEWER: ""}, number=("fours", "twos", "ones")),
        Actions("blind holes at the {direction} end", {ENDS: "", **ends}, direction=WAYS),
    ]


@rule(inline=True)
def observe(s, p, out):
    """Write the columns of `observation`."""
    observe_rows(s, p, s.max_turns, out)
    for step in range(len(s.holes)):
        hole = ring_hole(s, p, step)
        out.kind[step] = s.kind[hole]
        out.own[step] = s.owner[hole] == p
    out.direction[ANTICLOCKWISE] = s.direction > 0
    out.direction[CLOCKWISE] = s.direction < 0
    out.own_few = s.few[p]
    out.other_few = s.few[1 - p]
    observe_phase(s, PHASE_NUMBERS, out)
    out.quiet_turns_left = min(s.quiet_turns - s.quiet, FAR)
    out.round = min(s.round_number, FAR)
    out.rounds_left = rounds_left(s)
    out.opened = s.to_move >= 0 and opener(s) == p


def observation(options: Mapping[str, Any]) -> list[Columns]:
    """Return the columns that `observe` writes."""
    ring = range(2 * options["columns"])
    return [
        *row_columns(options["columns"], seeds(options)),
        Columns("kind", TIED, "0 plain, 1 blind, 2 kept, 3 tied, own row first", place=ring),
        Columns("own", 1, "1 where the observing player gets the seeds, own row first", place=ring),
        Columns(
            "direction",
            1,
            "1 when this round goes {each}; 0 in both columns while no direction is chosen",
            direction=WAYS,
            bare=True,
        ),
        Columns("own_few", 2, "1 or 2 when the observing player set out by ones or twos"),
        Columns("other_few", 2, "1 or 2 when the other player set out by ones or twos"),
        phase_columns(PHASES),
        Columns("quiet_turns_left", FAR, f"turns without a capture before quiet_turns, {FAR} where more"),
        Columns("round", FAR, f"number of the round, {FAR} where higher"),
        ROUNDS_LEFT,
        Columns("opened", 1, "1 when the observing player opened this round; 0 once the game is over"),
    ]


def check(s: Any, options: Mapping[str, Any], kinds: Sequence[int]) -> None:
    """Check the kinds and owners of holes, the direction and the limits of a loaded position.

    Raises:
        ValueError: if a check fails.
    """
    width = options["columns"]
    ends = (0, width - 1, width, 2 * width - 1)
    for hole in range(2 * width):
        kind, owner, row = int(s.kind[hole]), int(s.owner[hole]), hole // width
        require(kind in kinds, f"kind {kind} of hole {hole} must be one of {tuple(kinds)}")
        require(owner == row or kind == TIED, f"owner of hole {hole} must be {row}, whose row it is in")
        require(owner in (0, 1), f"owner of hole {hole} must be 0 or 1")
        require(kind != TIED or hole in ends, f"hole {hole} cannot be tied (kind 3): it is no end hole")
        require(kind != BLIND or s.holes[hole] == 0, f"hole {hole} is blind (kind 1) but holds seeds")
    require(s.direction in (-1, 0, 1), f"direction must be -1, 0 or 1, got {s.direction}")
    require(max(s.few) <= 2, f"few must be 0, 1 or 2 for each player, got {s.few.tolist()}")
    require(min(s.few) == 0, f"few can be above 0 for one player only, got {s.few.tolist()}")
    most_quiet = options["quiet_turns"] - 1
    require(0 <= s.quiet <= most_quiet or s.to_move < 0, f"quiet must lie in 0..{most_quiet}, got {s.quiet}")
    require(s.laps_sown >= 0, "laps_sown must be at least 0")


def board(s: Any) -> Board:
    """Draw the board; kept and tied holes are filled with the colour of their owner."""
    marks = [owner if kind >= KEPT else -1 for kind, owner in zip(s.kind.tolist(), s.owner.tolist(), strict=True)]
    way = {1: "anticlockwise", -1: "clockwise", 0: "direction open"}[int(s.direction)]
    few = [f"player_{p} captures at {k}" for p, k in enumerate(s.few.tolist()) if k]
    return two_rows(s, marks=marks, blind=s.kind == BLIND, captions=[", ".join([way, *few])])

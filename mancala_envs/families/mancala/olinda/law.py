"""The common law of Parker's four "Kandian forms of the Olinda game", as played within a round.

Two rows on a ring, sown in one direction a round; holes out of play, and holes that keep their seeds. The page of the
rules is that of Puhulmutu, Walak-pussa, Kotu-baendum and Daramutu; between rounds `core.set_out` goes on. Most turns
are played by words, in `core.row_words`, to the same effect.
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 594-599.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mancala_envs.core.board import Board, two_rows
from mancala_envs.core.observation import FAR, Column, columns, observe_rows, ring_hole, row_columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.sow import lift
from mancala_envs.core.state import Field, state_dtype

LIFT, FEWER, ENDS = 0, 1, 2
PHASES = {LIFT: "lift a hole", FEWER: "set out by fours, twos or ones", ENDS: "leave the blind holes at an end"}

PLAIN, BLIND, KEPT, TIED = 0, 1, 2, 3
"""`kind` of a hole."""

THREE = 3
"""A hole of so many seeds is passed over, and captured by the last one."""

SUMMARY = 1
"""`reading` of those games that have the portal's."""

COMMON_OPTIONS = (
    Option("columns", 7, lowest=4, size=True),
    Option("seeds", 4),
    Option("max_turns", 400),
    Option("max_laps", 256),
    Option("quiet_turns", 100),
    REWARD,
)
READING = Option("reading", "parker", choices=("parker", "summary"))


def record(options: Mapping[str, Any], *fields: Field) -> np.dtype[Any]:
    """The record of these games, with a game's own `fields`. `laps_sown` counts the laps of the episode."""
    holes = 2 * options["columns"]
    common: list[Field] = [
        ("kind", "u1", (holes,)),
        ("owner", "u1", (holes,)),
        ("direction", "i1"),
        ("few", "u1", (2,)),
        ("seeds_owned", "u1", (2,)),
        ("quiet", "i4"),
        ("laps_sown", "i8"),
    ]
    return state_dtype(holes, players=2, fields=[*common, *fields])


# Places.


@rule
def next_hole(s, hole):
    """The next hole that is not blind, in the direction of play."""
    ring = len(s.holes)
    step = np.int64(s.direction)
    while True:
        hole += step
        if hole < 0:
            hole += ring
        elif hole >= ring:
            hole -= ring
        if s.kind[hole] != BLIND:
            return hole


@rule
def nth_hole(s, p, n, direction):
    """Player p's hole number n, counted from 0 along his row in `direction`; from the left by direction 0."""
    width = len(s.holes) // 2
    return width * np.int64(p) + (n if direction >= 0 else width - 1 - n)


@rule
def front_hole(s, p, direction):
    """The last playable hole of player p's row in `direction`; -1 if all are blind."""
    for n in range(len(s.holes) // 2):
        hole = nth_hole(s, p, n, -direction)
        if s.kind[hole] != BLIND:
            return hole
    return -1


@rule
def opposite(s, hole):
    return len(s.holes) - 1 - hole


@rule
def holds_free(s, hole):
    """Whether it is plain and holds seeds: those of any other hole stay where they are."""
    return s.kind[hole] == PLAIN and s.holes[hole] > 0


# Lifting.


@rule
def can_lift(s, p):
    """Whether player p may lift a hole at all."""
    width = len(s.holes) // 2
    row = width * np.int64(p)
    for hole in range(row, row + width):
        if holds_free(s, hole):
            return True
    return False


@rule
def may_lift(s, hole, direction):
    """Whether the mover may lift `hole`, which is in his row, and sow it in `direction`."""
    if not holds_free(s, hole):
        return False
    if s.holes[hole] > 1:
        return True
    in_front = hole == front_hole(s, s.to_move, direction)
    if not in_front and s.reading != SUMMARY:
        return True
    width = len(s.holes) // 2
    row = width * np.int64(s.to_move)
    for other in range(row, row + width):
        if other != hole and holds_free(s, other) and (in_front or s.holes[other] > 1):
            return False
    return True


@rule
def direction_of(s, action):
    """In which direction a lift sows."""
    return 1 if action < len(s.holes) // 2 else -1


@rule
def hole_of(s, action):
    """Which hole a lift takes."""
    width = len(s.holes) // 2
    return width * np.int64(s.to_move) + (action if action < width else action - width)


@rule
def may_begin(s, action):
    """Whether the mover may begin his turn by this lift."""
    if action >= len(s.holes):
        return False
    direction = direction_of(s, action)
    return s.direction != -direction and may_lift(s, hole_of(s, action), direction)


@rule
def lift_bits(s):
    """`may_begin` of all actions as bits, of which there are at most 64."""
    free, lone, left, right = row_bits(s)
    if s.reading == SUMMARY and free & ~lone:
        free &= ~lone
    ahead = free & ~(right & lone) if free & ~right else free
    back = free & ~(left & lone) if free & ~left else free
    width = len(s.holes) // 2
    return np.uint64((ahead if s.direction >= 0 else 0) | (back if s.direction <= 0 else 0) << width)


@rule
def row_bits(s):
    """Of the mover's row, as bits: plain holes with seeds, holes of one seed, the first and the last hole not blind."""
    width = len(s.holes) // 2
    row = width * np.int64(s.to_move)
    free, lone, left, right = 0, 0, 0, 0
    for n in range(width):
        bit = 1 << n
        held = s.holes[row + n]
        kind = s.kind[row + n]
        free |= bit if (kind == PLAIN) & (held > 0) else 0
        lone |= bit if held == 1 else 0
        right = bit if kind != BLIND else right
        left = bit if (kind != BLIND) & (left == 0) else left
    return free, lone, left, right


@rule
def begin_with(s, action):
    """Settle the direction of the round; returns the hole to be lifted."""
    s.direction = direction_of(s, action)
    return hole_of(s, action)


# Sowing.


@rule
def full_for_mover(s):
    """At how many seeds a hole is passed over and captured: three, or as many as a `few` player set out."""
    few = np.int64(s.few[s.to_move])
    return few if few > 0 else THREE


@rule
def sow(s, hole):
    """Lift `hole` and sow one by one in the direction of play; returns the last hole."""
    s.laps_sown += 1
    for _ in range(lift(s, hole)):
        hole = next_hole(s, hole)
        s.holes[hole] += 1
    return hole


@rule
def sow_past(s, hole, full):
    """`sow`, but plain holes of exactly `full` seeds get none, excepting the last seed; returns its hole.

    Where all holes are passed over the next one takes the seed.
    """
    # `&` and sums, not `and` and branches: the processor cannot guess which hole is passed over.
    s.laps_sown += 1
    ring = len(s.holes)
    step = np.int64(s.direction)
    seeds = lift(s, hole)
    passed = 0
    while seeds > 1:
        hole += step
        hole += ring if hole < 0 else -ring if hole >= ring else 0
        kind = s.kind[hole]
        gets = np.int64((kind != BLIND) & ((kind != PLAIN) | (s.holes[hole] != full)))
        s.holes[hole] += gets
        seeds -= gets
        passed = 0 if gets else passed + 1
        if passed == ring:
            hole = next_hole(s, hole)
            s.holes[hole] += 1
            seeds -= 1
            passed = 0
    hole = next_hole(s, hole)
    s.holes[hole] += 1
    return hole


# Counting.


@rule
def captured(s, p):
    """Seeds captured, and those in kept and tied holes, which nobody can take away."""
    seeds = np.int64(s.store[p])
    for hole in range(len(s.holes)):
        if s.kind[hole] >= KEPT and s.owner[hole] == p:
            seeds += s.holes[hole]
    return seeds


@rule
def count(s, p):
    """Captured seeds, and those in holes whose seeds are his: his row, but for what the other tied."""
    seeds = np.int64(s.store[p])
    for hole in range(len(s.holes)):
        if s.owner[hole] == p:
            seeds += s.holes[hole]
    return seeds


@rule
def total(s):
    return len(s.holes) * s.seeds


@rule
def opener(s):
    """Who began this round: turns alternate."""
    return np.int64(s.to_move) ^ (s.turn & 1)


# What players see, and what a position must be.


@inlined_rule
def observe(s, p, out):
    """The columns of `observation`; returns how many they are."""
    ring = len(s.holes)
    at = observe_rows(s, p, s.max_turns, out)
    for step in range(ring):
        hole = ring_hole(s, p, step)
        out[at + step] = s.kind[hole]
        out[at + ring + step] = s.owner[hole] == p
    at += 2 * ring
    out[at] = s.direction > 0
    out[at + 1] = s.direction < 0
    out[at + 2] = s.few[p]
    out[at + 3] = s.few[1 - p]
    out[at + 4] = s.phase == LIFT
    out[at + 5] = s.phase == FEWER
    out[at + 6] = s.phase == ENDS
    out[at + 7] = min(s.quiet_turns - s.quiet, FAR)
    out[at + 8] = min(s.round_number, FAR)
    out[at + 9] = min(s.max_rounds - s.round_number, FAR) if s.campaign else 0
    out[at + 10] = s.to_move >= 0 and opener(s) == p
    return at + 11


def seeds(options: Mapping[str, Any]) -> int:
    """Of the set-up."""
    return 2 * int(options["columns"]) * int(options["seeds"])


def observation(options: Mapping[str, Any]) -> list[Column]:
    """What `observe` writes."""
    ring = 2 * options["columns"]
    return [
        *row_columns(options["columns"], seeds(options)),
        *columns("kind", ring, TIED, "0 plain, 1 blind, 2 kept, 3 tied, own row first"),
        *columns("own", ring, 1, "1 where the seeds will be the observing player's, own row first"),
        Column("anticlockwise", 1, "1 when this round goes anticlockwise"),
        Column("clockwise", 1, "1 when it goes clockwise; neither while the direction is not chosen"),
        Column("own_few", 2, "1 or 2 when the observing player set out by ones or twos"),
        Column("other_few", 2, "the same of the other player"),
        *(Column(f"phase_{phase}", 1, f"1 when the decision is to {what}") for phase, what in PHASES.items()),
        Column("quiet_turns_left", FAR, f"turns without capture before quiet_turns, {FAR} where more"),
        Column("round", FAR, f"number of the round, {FAR} where higher"),
        Column("rounds_left", FAR, f"rounds before max_rounds, {FAR} where more; 0 without a campaign"),
        Column("opened", 1, "1 when the observing player opened this round (0 once the game is over)"),
    ]


def action_names(options: Mapping[str, Any]) -> list[str]:
    """By action number."""
    lifts = [
        f"lift own hole {hole}, {way}" for way in ("anticlockwise", "clockwise") for hole in range(options["columns"])
    ]
    how = [f"set out by {number}" for number in ("fours", "twos", "ones")]
    return [*lifts, *how, "blind holes at the anticlockwise end", "blind holes at the clockwise end"]


@rule
def num_actions(s):
    return len(s.holes) + 5


def require(game: str, holds: Any, what: str) -> None:
    """ValueError unless it `holds`."""
    if not holds:
        raise ValueError(f"{game}: {what}")


def check(game: str, s: Any, options: Mapping[str, Any], kinds: Sequence[int] = (PLAIN, BLIND, KEPT)) -> None:
    """Kinds, owners, direction and bounds of a loaded position must agree; ValueError where they do not."""
    width = options["columns"]
    ends = (0, width - 1, width, 2 * width - 1)
    for hole in range(2 * width):
        kind, owner, row = int(s.kind[hole]), int(s.owner[hole]), hole // width
        require(game, kind in kinds, f"kind {kind} of hole {hole} must be one of {tuple(kinds)}")
        require(game, owner == row or kind == TIED, f"owner of hole {hole} must be {row}, whose row it is in")
        require(game, owner in (0, 1), f"owner of hole {hole} must be 0 or 1")
        require(game, kind != TIED or hole in ends, f"hole {hole} cannot be tied (kind 3): it is no end hole")
        require(game, kind != BLIND or s.holes[hole] == 0, f"hole {hole} is blind (kind 1) but holds seeds")
    require(game, s.direction in (-1, 0, 1), f"direction must be -1, 0 or 1, got {s.direction}")
    require(game, max(s.few) <= 2, f"few must be 0, 1 or 2 for each player, got {s.few.tolist()}")
    require(game, min(s.few) == 0, f"few can be above 0 for one player only, got {s.few.tolist()}")
    require(game, 0 <= s.quiet < options["quiet_turns"] or s.to_move < 0, "quiet must lie below quiet_turns")
    require(game, s.laps_sown >= 0, "laps_sown must be at least 0")


def board(s: Any) -> Board:
    """Blind holes are shut, kept and tied ones filled with the colour of their owner."""
    marks = [owner if kind >= KEPT else -1 for kind, owner in zip(s.kind.tolist(), s.owner.tolist(), strict=True)]
    way = {1: "anticlockwise", -1: "clockwise", 0: "direction open"}[int(s.direction)]
    few = [f"player_{p} captures at {k}" for p, k in enumerate(s.few.tolist()) if k]
    return two_rows(s, marks=marks, blind=s.kind == BLIND, captions=[", ".join([way, *few])])

"""Walking over a grid: a hand at a hole, seeds dropped or holes looked at step by step, never turning back.

Holes are numbered row by row from the top left. Sets of headings are four bits, bit h for heading h. A game's record
has `WALK`; its own rules say which ways are open and what follows when the hand is empty.
"""

import numpy as np

from mancala_envs.core.observation import FAR, Column, columns
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.sow import lift
from mancala_envs.core.words import seeds_on_board, write_bytes

NORTH, EAST, SOUTH, WEST = range(4)
HEADINGS = ("north", "east", "south", "west")
NOWHERE = -1
"""`at` and `heading` when nobody walks; `heading` also before the first step of a turn."""

WALK = [("hand", "u1"), ("at", "i2"), ("heading", "i1"), ("laps", "i4"), ("quiet", "i4")]
"""Seeds in hand, the hole it is at, the last step's heading, laps completed in this turn, and `quiet`: turns in a row
without a capture, -1 once this turn has had one."""

ALL = 0b1111
SIDEWAYS = 1 << EAST | 1 << WEST
BACK = (SOUTH, WEST, NORTH, EAST)
ONWARD = np.array([*(ALL ^ 1 << back for back in BACK), *[ALL] * 4], np.uint8)
"""The headings that do not turn back, by the lowest three bits of the last one, which may be none, -1."""
LOWEST = np.array([NOWHERE, *((bits & -bits).bit_length() - 1 for bits in range(1, ALL + 1))], np.int8)
"""The first heading of a set."""

_WIDTHS = np.arange(128, dtype=np.int16)[:, None]
_HOLES = np.arange(256, dtype=np.int16)
STRIDES = np.concatenate([-_WIDTHS, _WIDTHS**0, _WIDTHS, -(_WIDTHS**0)], axis=1)
"""What a step adds to the number of a hole: [width, heading]."""
_COLUMNS = _HOLES % np.maximum(_WIDTHS, 1)
WALLS = (
    np.where(_HOLES < _WIDTHS, 0, 1 << NORTH)
    | np.where(_COLUMNS == _WIDTHS - 1, 0, 1 << EAST)
    | np.where(_COLUMNS == 0, 0, 1 << WEST)
    | 1 << SOUTH
).astype(np.uint8)
"""The headings that do not leave a board that is open to the south: [width, hole]."""


@rule
def exits(hole, width, holes):
    """The headings that do not leave a board of so many `holes`, `width` to a row."""
    # Numbers cut to their bits are not negative to the compiler, which then asks no questions at an index.
    return WALLS[width & 127, hole & 255] & ~(np.int64(hole >= holes - width) << SOUTH)


@rule
def next_hole(hole, heading, width):
    """The hole one step on, where there is one."""
    return hole + STRIDES[width & 127, heading & 3]


@rule
def branches(ways):
    """Whether a set holds more than one heading."""
    return ways & (ways - 1) != 0


@rule
def walk_bits(ways, first):
    """A set of headings as bits of a uint64, heading 0 at bit `first`, which may lie outside."""
    bits = np.uint64(ways)
    if first >= 64:
        return np.uint64(0)
    return bits << np.uint64(first) if first >= 0 else bits >> np.uint64(-first)


# The hand.


@rule
def take_up(s, hole):
    """Lift `hole` into the hand, which is there then."""
    s.hand = lift(s, hole)
    s.at = hole


@rule
def walk(s, heading, width):
    """One step."""
    s.at = next_hole(s.at, heading, width)
    s.heading = heading


@rule
def drop(s, hole):
    """One seed into `hole`."""
    s.holes[hole] += 1


@rule
def capture(s, hole):
    s.store[s.to_move] += lift(s, hole)
    s.quiet = -1


@rule
def rest(s):
    """Nobody walks; between turns."""
    s.hand = 0
    s.at = NOWHERE
    s.heading = NOWHERE
    s.laps = 0


@rule
def count_turn(s):
    """A turn is over. True when that ends the round: nothing is left to capture, or by one of the bounds."""
    rest(s)
    s.turn += 1
    s.quiet += 1
    return seeds_on_board(s) < 2 or s.quiet >= s.quiet_turns or s.turn >= s.max_turns


# What players see and do, and what a position must be.


def walk_actions(holes):
    """The names of the actions: holes to lift, then steps."""
    return [*(f"lift hole {hole}" for hole in range(holes)), *(f"step {name}" for name in HEADINGS)]


def hand_caption(s):
    """Where the hand is and what it holds."""
    return f"{s.hand} in hand at hole {s.at}" if s.at >= 0 else "no seeds in hand"


def seeds_of_walk(s):
    """All seeds of the position."""
    return int(s.holes.sum()) + int(s.store.sum()) + int(s.hand)


def walk_columns(holes, seeds):
    """The columns that `observe_walk` writes."""
    return [
        *columns("hole", holes, seeds, "seeds in that hole"),
        Column("hand", seeds, "seeds in hand"),
        *columns("at", holes, 1, "1 where the hand is"),
        *(Column(f"heading_{name}", 1, f"1 when the last step went {name}") for name in HEADINGS),
        Column("over", 1, "1 when the game is over"),
        Column("turns_left", FAR, f"turns before max_turns, {FAR} where more"),
        Column("quiet_left", FAR, f"turns without a capture before quiet_turns, {FAR} where more"),
        Column("laps_left", FAR, f"laps left in this turn, {FAR} where more"),
    ]


@inlined_rule
def observe_walk(s, out):
    """Board and hand, the same for every player; returns the number of columns written."""
    # All is read before anything is written: as far as compilers know, `out` might be the record.
    holes = len(s.holes)
    at, heading, hand, over = np.int64(s.at), np.int64(s.heading), s.hand, s.to_move < 0
    turns_left = min(s.max_turns - s.turn, FAR)
    quiet_left = min(s.quiet_turns - max(s.quiet, 0), FAR)
    laps_left = min(s.max_laps - s.laps, FAR)
    for eight in range((holes + 7) // 8):
        write_bytes(s.word[eight], min(8, holes - 8 * eight), out, 8 * eight)
    out[holes] = hand
    column = 2 * holes + 1
    one_hot(out, holes + 1, column, at)
    one_hot(out, column, column + 4, heading)
    out[column + 4] = over
    out[column + 5] = turns_left
    out[column + 6] = quiet_left
    out[column + 7] = laps_left
    return column + 8


@inlined_rule
def one_hot(out, first, end, place):
    """1 in column first + place, if that is not before `first`; 0 in the others before `end`."""
    for column in range(first, end):
        out[column] = 0
    out[first + max(place, 0)] = place >= 0


def check_walk(s, name, options, paths, sowing):
    """The hand must be where the phase says. `paths`: the headings open from each hole; `sowing`: that phase."""

    def require(holds, what):
        if not holds:
            raise ValueError(f"{name}: {what}")

    if s.phase == 0:
        require((s.hand, s.at, s.heading) == (0, NOWHERE, NOWHERE), "in phase 0 hand must be 0, at and heading -1")
        require(s.laps == 0, "in phase 0 laps must be 0")
    else:
        require(0 <= s.at < len(s.holes), f"at must be 0..{len(s.holes) - 1} in phase {s.phase}")
        require(NOWHERE <= s.heading < len(HEADINGS), "heading must be -1..3")
        require((s.hand > 0) == (s.phase == sowing), f"hand {s.hand} does not fit phase {s.phase}")
        if s.heading == NOWHERE:
            first = s.phase == sowing and s.holes[s.at] == 0 and s.laps == 0
            require(first, "heading -1 means that the hole at `at` was lifted as the first of this turn")
        else:
            require(paths[s.at] >> BACK[s.heading] & 1, f"no step {HEADINGS[s.heading]} leads to hole {s.at}")
    require(0 <= s.laps < options["max_laps"], f"laps must be 0..{options['max_laps'] - 1}")
    most = options["quiet_turns"] - (s.to_move >= 0)
    least = -1 if s.phase > sowing else 0
    require(least <= s.quiet <= most, f"quiet must be {least}..{most}")

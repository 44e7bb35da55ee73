"""Walking over a grid: a hand goes from hole to hole, drops seeds or looks, and never turns straight back.

Holes are numbered row by row from the top left. The record of such a game has the fields `WALK`; its own rules say
which ways are open, and what follows when the hand is empty. A set of headings is a number whose bit h is 1 when
heading h belongs to it.
"""

import numpy as np

from mancala_envs.core.observation import FAR, Column, columns
from mancala_envs.core.options import require
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.sow import drop, lift

NORTH, EAST, SOUTH, WEST = range(4)
HEADINGS = ("north", "east", "south", "west")
DOWN, RIGHT = np.array([-1, 0, 1, 0]), np.array([0, 1, 0, -1])
"""How many rows down and columns to the right one step leads, by heading."""
BACK = (SOUTH, WEST, NORTH, EAST)
"""The heading opposite to each."""
NOWHERE = -1
"""`at` and `heading` when nobody walks; `heading` also before the first step of a turn."""

WALK = [("hand", "u1"), ("at", "i2"), ("heading", "i1"), ("laps", "i4"), ("quiet", "i4")]
"""Seeds in hand, the hole it is at, the last step's heading, laps completed in this turn, and `quiet`: turns in a row
without a capture, -1 once this turn has had one."""


# Ways: sets of headings.


ALL = 0b1111
ONWARD = np.array([*(ALL - (1 << back) for back in BACK), ALL])
"""All headings but the one back, by the last step's heading; the last entry, which index NOWHERE finds, holds all."""


@rule
def leads(ways, heading):
    """Whether `heading` is one of the ways."""
    return ways >> heading & 1 == 1


def headings_of(ways):
    """The ways as a list."""
    return [heading for heading in range(len(HEADINGS)) if ways >> heading & 1]


def only_way(ways):
    """The one heading of a set of one; NOWHERE for any other set."""
    headings = headings_of(ways)
    return headings[0] if len(headings) == 1 else NOWHERE


ONLY_WAY = np.array([only_way(ways) for ways in range(ALL + 1)])
"""`only_way` of every set."""


# The board.


def ways_but_south(hole, width):
    """The ways that stay on a board with rows of `width` holes, leaving out the south; takes whole arrays too."""
    column = hole % width
    return (hole >= width) << NORTH | (column < width - 1) << EAST | (column > 0) << WEST


WAYS_BUT_SOUTH = ways_but_south(np.arange(255), np.arange(128).clip(min=1)[:, None]).astype(np.uint8)
"""`ways_but_south` by width and hole, for two rows or more of at most 255 holes in all; no board has the width 0."""


@rule
def ways_on_board(hole, width, holes):
    """The ways that stay on a board of so many `holes`, `width` to a row."""
    return WAYS_BUT_SOUTH[width, hole] | np.int64(hole < holes - width) << SOUTH


@rule
def next_hole(hole, heading, width):
    """The hole one step on, where there is one."""
    return hole + DOWN[heading] * width + RIGHT[heading]


# The hand.


@rule
def take_up(s, hole):
    """Lift `hole` into the hand, which is there then."""
    s.hand = lift(s, hole)
    s.at = hole


@rule
def walk(s, heading, width):
    """Take the hand one step on."""
    s.at = next_hole(s.at, heading, width)
    s.heading = heading


@rule
def drop_from_hand(s, hole):
    """One seed of the hand into `hole`."""
    drop(s, hole)
    s.hand -= 1


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


@rule
def seeds_on_board(s):
    seeds = 0
    for hole in range(len(s.holes)):
        seeds += np.int64(s.holes[hole])
    return seeds


# What players see and do, and what a position must be.


def walk_actions(holes):
    """The names of the actions: holes to lift, then steps."""
    return [*(f"lift hole {hole}" for hole in range(holes)), *(f"step {name}" for name in HEADINGS)]


def hand_caption(s):
    """Where the hand is and what it holds."""
    return f"{s.hand} in hand at hole {s.at}" if s.at >= 0 else "no seeds in hand"


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


@rule(inline=True)
def observe_walk(s, out):
    """Board and hand, the same for every player; returns the number of columns written."""
    holes = len(s.holes)
    for hole in range(holes):
        out[hole] = s.holes[hole]
    out[holes] = s.hand
    one_hot(out, holes + 1, holes, s.at)
    one_hot(out, 2 * holes + 1, len(HEADINGS), s.heading)
    column = 2 * holes + 1 + len(HEADINGS)
    out[column] = s.to_move < 0
    out[column + 1] = min(s.max_turns - s.turn, FAR)
    out[column + 2] = min(s.quiet_turns - max(s.quiet, 0), FAR)
    out[column + 3] = min(s.max_laps - s.laps, FAR)
    return column + 4


@rule(inline=True)
def one_hot(out, first, number, place):
    """1 in column first + place, 0 in the others of `number` columns; a place below 0 leaves them all 0."""
    for column in range(first, first + number):
        out[column] = 0
    # No branch: whether there is a place is as good as a coin toss to the processor.
    out[first + max(np.int64(place), 0)] = place >= 0


def check_walk(s, options, paths, sowing):
    """The hand must be where the phase says, and led there by a step that is open.

    `paths`: the ways open from each hole; `sowing`: the phase in which seeds are dropped.
    """

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
            came = BACK[s.heading] in headings_of(paths[s.at])
            require(came, f"no step {HEADINGS[s.heading]} leads to hole {s.at}")
    require(0 <= s.laps < options["max_laps"], f"laps must be 0..{options['max_laps'] - 1}")
    most = options["quiet_turns"] - (s.to_move >= 0)
    least = -1 if s.phase > sowing else 0
    require(least <= s.quiet <= most, f"quiet must be {least}..{most}")

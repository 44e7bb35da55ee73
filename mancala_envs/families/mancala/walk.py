"""Walking over a grid: a hand goes from hole to hole, drops seeds or looks, and never turns straight back.

Holes are numbered row by row from the top left. The record of such a game has the fields `WALK`; its own rules say
which ways are open, and what follows when the hand is empty. A set of headings is a number whose bit h is 1 when
heading h belongs to it.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.observation import FAR, Columns
from mancala_envs.core.options import require
from mancala_envs.core.record import Field
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

WALK = [
    Field("hand", "u1", "seeds in hand, in a turn that is not over"),
    Field("at", "i2", "hole where the hand is; -1 when nobody walks"),
    Field("heading", "i1", "of the last step: 0 north, 1 east, 2 south, 3 west; -1 if there is none yet"),
    Field("laps", "i4", "laps completed in this turn"),
    Field("quiet", "i4", "turns in a row without a capture; -1 once this turn has had one"),
]


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


def walk_actions(holes, steps):
    """Holes to lift, then steps, `steps`: what a step does in each phase."""
    return [
        Actions("lift hole {place}", {0: ""}, place=range(holes)),
        Actions("step {direction}", steps, direction=HEADINGS),
    ]


def hand_caption(s):
    """Where the hand is and what it holds."""
    return f"{s.hand} in hand at hole {s.at}" if s.at >= 0 else "no seeds in hand"


def walk_columns(holes, seeds):
    """The columns that `observe_walk` writes."""
    return [
        Columns("hole", seeds, "seeds in the holes, row by row from the top left", place=range(holes)),
        Columns("hand", seeds, "seeds in hand"),
        Columns("at", 1, "1 where the hand is", place=range(holes)),
        Columns("heading", 1, "1 when the last step went {each}", direction=HEADINGS),
        Columns("over", 1, "1 when the game is over"),
        Columns("turns_left", FAR, f"turns before max_turns, {FAR} where more"),
        Columns("quiet_left", FAR, f"turns without a capture before quiet_turns, {FAR} where more"),
        Columns("laps_left", FAR, f"laps left in this turn, {FAR} where more"),
    ]


@rule(inline=True)
def observe_walk(s, out):
    """Board and hand, the same for every player."""
    for hole in range(len(s.holes)):
        out.hole[hole] = s.holes[hole]
    out.hand = s.hand
    one_hot(out.at, s.at)
    one_hot(out.heading, s.heading)
    out.over = s.to_move < 0
    out.turns_left = min(s.max_turns - s.turn, FAR)
    out.quiet_left = min(s.quiet_turns - max(s.quiet, 0), FAR)
    out.laps_left = min(s.max_laps - s.laps, FAR)


@rule(inline=True)
def one_hot(columns, place):
    """1 in column `place`, 0 in the others; a place below 0 leaves them all 0."""
    for column in range(len(columns)):
        columns[column] = 0
    # No branch: whether there is a place is as good as a coin toss to the processor.
    columns[max(np.int64(place), 0)] = place >= 0


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

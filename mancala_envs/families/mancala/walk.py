"""Walking on a grid: a hand goes from hole to hole, drops or inspects seeds, and never turns straight back.

Holes are numbered row by row from the top left. The record of such a game has the fields `FIELDS`. The game's own rules
determine the open ways and what follows when the hand is empty. A set of headings is a bit mask: bit h stands for
heading h.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.observation import FAR, Columns
from mancala_envs.core.options import require
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.position import check_hand
from mancala_envs.families.mancala.sow import drop, lift

NORTH, EAST, SOUTH, WEST = range(4)
HEADINGS = ("north", "east", "south", "west")
DOWN, RIGHT = np.array([-1, 0, 1, 0]), np.array([0, 1, 0, -1])
"""Rows down and columns to the right of one step, by heading."""
BACK = (SOUTH, WEST, NORTH, EAST)
"""The opposite of each heading."""
NOWHERE = -1
"""Value of `at` and `heading` when nobody walks, and of `heading` before the first step of a turn."""

FIELDS = [
    Field("hand", "u1", "seeds in hand, in a turn that is not over"),
    Field("at", "i2", "hole where the hand is; -1 when nobody walks"),
    Field("heading", "i1", "heading of the last step: 0 north, 1 east, 2 south, 3 west; -1 if there is none yet"),
    Field("laps", "i4", "laps completed in this turn"),
    Field("quiet", "i4", "turns in a row without a capture; -1 once this turn has had one"),
]


# Ways: sets of headings.


ALL = 0b1111
ONWARD = np.array([*(ALL - (1 << back) for back in BACK), ALL])
"""All headings except straight back, by the heading of the last step; index NOWHERE (-1) gives all headings."""


@rule
def leads(ways, heading):
    """Return whether a set of headings contains `heading`."""
    return ways >> heading & 1 == 1


def headings_of(ways):
    """Return a set of headings as a list."""
    return [heading for heading in range(len(HEADINGS)) if ways >> heading & 1]


def only_way(ways):
    """Return the only heading of a set, NOWHERE if there are none or several."""
    headings = headings_of(ways)
    return headings[0] if len(headings) == 1 else NOWHERE


ONLY_WAY = np.array([only_way(ways) for ways in range(ALL + 1)])
"""`only_way` of every set of headings."""


# The board.


def ways_but_south(hole, width):
    """Return the headings except south that stay on a board with rows of `width` holes; accepts arrays, too."""
    column = hole % width
    return (hole >= width) << NORTH | (column < width - 1) << EAST | (column > 0) << WEST


WAYS_BUT_SOUTH = ways_but_south(np.arange(255), np.arange(128).clip(min=1)[:, None]).astype(np.uint8)
"""`ways_but_south` by width and hole, for boards of at least two rows and at most 255 holes; width 0 is unused."""


@rule
def ways_on_board(hole, width, holes):
    """Return the headings that stay on a board of `holes` holes with `width` holes in a row."""
    return WAYS_BUT_SOUTH[width, hole] | np.int64(hole < holes - width) << SOUTH


@rule
def next_hole(hole, heading, width):
    """Return the hole one step away, which must be on the board."""
    return hole + DOWN[heading] * width + RIGHT[heading]


# The hand.


@rule
def take_up(s, hole):
    """Lift `hole` into the hand, and move the hand there."""
    s.hand = lift(s, hole)
    s.at = hole


@rule
def step(s, heading, width):
    """Move the hand one step."""
    s.at = next_hole(s.at, heading, width)
    s.heading = heading


@rule
def drop_from_hand(s, hole):
    """Drop one seed from the hand into `hole`."""
    drop(s, hole)
    s.hand -= 1


@rule
def capture(s, hole):
    """Move the seeds of `hole` into the mover's store."""
    s.store[s.to_move] += lift(s, hole)
    s.quiet = -1


@rule
def rest(s):
    """Clear the hand between turns."""
    s.hand = 0
    s.at = NOWHERE
    s.heading = NOWHERE
    s.laps = 0


@rule
def count_turn(s):
    """Count a finished turn; return whether it ends the round, by a limit or because nothing is left to capture."""
    rest(s)
    s.turn += 1
    s.quiet += 1
    return seeds_on_board(s) < 2 or s.quiet >= s.quiet_turns or s.turn >= s.max_turns


@rule
def seeds_on_board(s):
    """Count the seeds in all holes."""
    seeds = 0
    for hole in range(len(s.holes)):
        seeds += np.int64(s.holes[hole])
    return seeds


# Actions, observations and checks of positions.


@rule
def num_actions(s):
    """Return the number of actions."""
    return len(s.holes) + len(HEADINGS)


def actions(holes, steps):
    """Return the actions: holes to lift, then steps; `steps` describes a step in each phase."""
    return [
        Actions("lift hole {place}", {0: ""}, place=range(holes)),
        Actions("step {direction}", steps, direction=HEADINGS),
    ]


def hand_caption(s):
    """Return a caption with the seeds in hand and the hand's position."""
    return f"{s.hand} in hand at hole {s.at}" if s.at >= 0 else "no seeds in hand"


def columns(holes, seeds):
    """Return the columns that `observe` writes."""
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
def observe(s, out):
    """Write the board and the hand, which are the same for every player."""
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
    """Write 1 in column `place` and 0 in the others; if `place` is negative, write 0 everywhere."""
    for column in range(len(columns)):
        columns[column] = 0
    # Avoid an unpredictable branch.
    columns[max(np.int64(place), 0)] = place >= 0


def check(s, options, paths, sowing):
    """Check that the hand and the phase of a position are consistent.

    Args:
        s: the record of the position.
        options: the options of the game.
        paths: the headings open from each hole, as bit masks.
        sowing: the phase in which seeds are dropped.

    Raises:
        ValueError: if they are not.
    """
    if s.phase == 0:
        require((s.hand, s.at, s.heading) == (0, NOWHERE, NOWHERE), "in phase 0 hand must be 0, at and heading -1")
        require(s.laps == 0, "in phase 0 laps must be 0")
    else:
        require(0 <= s.at < len(s.holes), f"at must be 0..{len(s.holes) - 1} in phase {s.phase}")
        require(NOWHERE <= s.heading < len(HEADINGS), "heading must be -1..3")
        check_hand(s, sowing)
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

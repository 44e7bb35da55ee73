"""
# Saturankam (Sri Lanka)

| | |
|---|---|
| Players | 2; option `players` (2, 3, 4), without teams |
| Board | 9 x 9 squares; a track of 80 to the centre |
| Pieces | 2 counters each, in their *katti* |
| Rewards | the winner +1, the others -1 together; 0 for a draw |
| Import | `from mancala_envs import saturankam_v0` |

```
 21  20  19  18 #17  16  15  14  13
 22  41  42  43  44  45  46  47  12
 23  40  63  64  65  66  67  48  11
 24  39  62  77  78  79  68  49  10
#25  38  61  76 #81  80  69  50  #9
 26  37  60  75  74  73  70  51   8
 27  36  59  58  57  72  71  52   7
 28  35  34  33  56  55  54  53   6
 29  30  31  32  #1   2   3   4   5
```
The drawing numbers the squares of the south player's track, from their katti, 1, to the centre, 81. `#` is a crossed
square: safe. The seats follow each other to the right; the tracks of the other seats are rotated by quarter turns. Two
players sit opposite each other, three at south, east and north.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 605-607 (Chaturanga; not chess, but a race with dice), with the Ludii
portal's summary of it (evidence 1399).

1. Two long dice with sides 1, 3, 4 and 6 are thrown. Their sum S is used on one counter, or divided at will: counter 0
   goes a squares and counter 1 goes S - a. Either all of S is used or nothing. It must be used if it can be; otherwise
   the throw is lost.
2. A counter on the track may go any number of squares up to the centre, which it must reach by the exact number.
   Counters do not block each other.
3. A counter that is 1, 3 or 4 squares from the centre cannot pass out by using that number as part of a sum: both dice
   must show it. It may go fewer squares.
4. A double of 1, 3 or 4 may be spent whole: every counter exactly that far from the centre passes out, and with a
   double 1 every waiting counter enters its katti. The other counters stay where they are.
5. A counter chops every enemy counter on the squares that it passes or ends on, except on crossed squares. Chopped
   counters wait.
6. A double gives one more throw, whether it is used or not. A player who cannot use any throw passes, which does not
   count as a turn.
7. The player who first has both counters home wins. After `max_turns` turns the game is a draw.

## Not settled by the source, decided here
* `track="short"`: Ludii's plain spiral, which turns inwards already at the 30th square and has 78 squares before the
  centre.
* `near="stand"`: a counter 1, 3 or 4 squares from the centre may not move at all until the double comes.
* `chop="landing"` (the summary): a counter chops only on the square where it ends.

The first decision of a turn is always asked. After a later throw of the turn, the engine plays a single choice itself.

## Options
With `reward="margin"` a player receives the sum of their places minus the mean of the others', divided by the number of
all counters times 81, or 79 on the short track. No campaign.

## Random play
200 games: the players win 47.5% and 52.5%. A game takes 53 decisions in 43 turns and 106 throws, with 3.8 chops. With
four players they win 28%, 24%, 21% and 27%, in 97 decisions.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.explanation import Summary
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, explanation, presentation, turn, verbs
from mancala_envs.families.races.contract import home, is_safe, lane, meeting_places
from mancala_envs.families.races.cross import rotated
from mancala_envs.families.races.dice import DISTANCES, NAMES, SHOWN, VALUES, cast
from mancala_envs.families.races.tracks import WAITING, Tracks

__all__ = ["RULE_BOOK"]

SIZE, SEATS, PIECES = 9, 4, 2
MOST = 2 * max(VALUES)
"""The largest sum of two dice."""
DOUBLE = MOST + 1
"""The action that spends a double whole."""
NEAR = (1, 3, 4)
"""Distances from the centre that only a double of this number covers."""
CLOSE = 4
"""Distance from the centre up to which few throws pass a counter out."""
KATTI = 1
"""The place where counters start and enter."""

# The corners of the south player's spirals, as row and column.
OUTSIDE = ((8, 4), (8, 8), (0, 8), (0, 0), (8, 0))
INWARDS = ((8, 3), (7, 3), (7, 1), (1, 1), (1, 7), (7, 7), (7, 4))
WHOLE = (*OUTSIDE, *INWARDS, (6, 4), (6, 2), (2, 2), (2, 6), (6, 6), (6, 5), (5, 5), (5, 3), (3, 3), (3, 5), (4, 5))
SHORT = (
    *OUTSIDE,
    (8, 1),
    (1, 1),
    (1, 7),
    (7, 7),
    (7, 2),
    (2, 2),
    (2, 6),
    (6, 6),
    (6, 3),
    (3, 3),
    (3, 5),
    (5, 5),
    (5, 4),
)
CROSSED = frozenset({4, 36, 40, 44, 76})


def along(corners):
    """Return all squares on the straight lines from corner to corner."""
    squares = [corners[0]]
    for row, column in corners[1:]:
        while squares[-1] != (row, column):
            at_row, at_column = squares[-1]
            down, right = np.sign((row - at_row, column - at_column)).tolist()
            squares.append((at_row + down, at_column + right))
    return squares


def spiral(corners):
    """Return the tracks of all seats, which are the south's track rotated by quarter turns."""
    squares = [[rotated(square, quarters, SIZE) for square in along(corners)] for quarters in range(SEATS)]
    return Tracks(tuple(tuple(SIZE * row + column for row, column in lane) for lane in squares), CROSSED)


TRACKS = (spiral(WHOLE), spiral(SHORT))
"""Indexed by the option `track`."""
LASTS = tuple(way.length for way in TRACKS)
LAST = np.array(LASTS)
LONGEST = max(LASTS)


def padded(table, axis):
    """Pad a table along the axis of places, so that the tables of both tracks have the same shape."""
    return np.pad(table, [(0, LONGEST + 2 - table.shape[i] if i == axis else 0) for i in range(table.ndim)])


CELLS = np.stack([padded(way.cells, 1) for way in TRACKS])
SAFE = np.stack([padded(way.is_marked, 1) for way in TRACKS])
MARKS = np.stack([way.marks for way in TRACKS])
MEETS = np.stack([padded(way.meets, 2) for way in TRACKS])

OVER = 0
"""Value of the option `chop`."""


def distances(last, stands, place):
    """List how many squares a counter on `place` may go; `stands` is whether `near="stand"`."""
    left = last + 1 - place
    if place == WAITING or left <= 0 or (stands and left in NEAR):
        return [0]
    return [squares for squares in range(min(left, MOST) + 1) if squares != left or left not in NEAR]


WAYS = [[[distances(last, near, place) for place in range(LONGEST + 2)] for near in (False, True)] for last in LASTS]
GOES, LEAVES = (
    np.array([[[sum(1 << number(squares) for squares in way) for way in places] for places in near] for near in WAYS])
    for number in (lambda squares: squares, lambda squares: MOST - squares)
)
"""By `[track, near, place]`: the set of numbers of squares that a counter may go, and the set of `MOST` minus these."""


def served_by(last, place):
    """List the doubles that take a counter on `place` home, or into its katti if it waits."""
    left = last + 1 - place
    return [1] if place == WAITING else [left] if left in NEAR else []


SERVED_BY = np.array(
    [[sum(1 << both for both in served_by(last, place)) for place in range(LONGEST + 2)] for last in LASTS]
)
"""By `[track, place]`: these doubles as a set."""

OPTIONS = (
    Option("players", 2, lowest=2, highest=4, size=True),
    Option("track", "whole", choices=("whole", "short")),
    Option("near", "move", choices=("move", "stand")),
    Option("chop", "over", choices=("over", "landing")),
    Option("max_turns", 1000),
    REWARD,
)


def record(options):
    return turn.fields(options["players"], PIECES, NAMES, f"{LASTS[0]}, or {LASTS[1]} on the short track")


@rule(inline=True)
def num_actions(s):
    return DOUBLE + 1


@rule(inline=True)
def no_stop(s):
    return -1


@rule(inline=True)
def may_not_stop(s):
    return False


@rule
def begin(s):
    s.pieces[:] = KATTI
    turn.first_turn(s)


# The board.


@rule(inline=True)
def tracks(s):
    return CELLS[s.track], SAFE[s.track], MARKS[s.track], MEETS[s.track]


@rule(inline=True)
def last_place(s):
    """Return the place of the centre, as the family's rule `home`."""
    return LAST[s.track] + 1


@rule(inline=True)
def seat(s, r, k):
    """Return the seat of row r, as the family's rule `lane`; two players sit opposite each other."""
    return 2 * r if len(s.pieces) == 2 else r


# Throws.


@rule(inline=True)
def throw(s):
    """Throw, again after a double that cannot be used."""
    cast(s)
    while double(s) != 0 and choices(s) == 0:
        cast(s)


@rule(inline=True)
def double(s):
    """Return the number that both dice show, 0 if they differ."""
    return verbs.sum_of_throws(verbs.doubled(verbs.throws_left(s)), DISTANCES)


@rule(inline=True)
def total(s):
    """Return the sum of the dice."""
    return verbs.sum_of_throws(verbs.throws_left(s), DISTANCES)


# Counters.


@rule(inline=True)
def choices(s):
    """Return, as a bit mask, the actions that divide the sum between the counters, and that which spends a double."""
    squares = total(s)
    r = verbs.row_of(s, s.to_move)
    first, second = s.pieces[r, 0], s.pieces[r, 1]
    if squares == 0:
        return verbs.as_actions(0, 0)
    divisions = GOES[s.track, s.near, first] & LEAVES[s.track, s.near, second] >> MOST - squares
    whole = serves(s, 0) | serves(s, 1)
    return verbs.as_actions(divisions, 0) | verbs.as_actions(whole, DOUBLE)


@rule(inline=True)
def serves(s, k):
    """Return 1 if the double takes counter k home or into its katti, otherwise 0."""
    return SERVED_BY[s.track, s.pieces[verbs.row_of(s, s.to_move), k]] >> double(s) & 1


@rule(inline=True)
def carry_out(s, action):
    """Move both counters or spend the double; after a double, throw again."""
    again = double(s) != 0
    if action == DOUBLE:
        spend_double(s)
    else:
        squares = total(s)
        chop(s, walk(s, 0, action), walk(s, 1, squares - action))
    verbs.store_throws(s, 0)
    if again and not verbs.side_is_home(s, s.to_move):
        throw(s)


@rule(inline=True)
def spend_double(s):
    r = verbs.row_of(s, s.to_move)
    for k in range(PIECES):
        if serves(s, k) != 0:
            s.pieces[r, k] = home(s) if s.pieces[r, k] > WAITING else KATTI


@rule(inline=True)
def walk(s, k, squares):
    """Move counter k by a number of squares; return the places of its track on which it chops."""
    r = verbs.row_of(s, s.to_move)
    end = np.int64(s.pieces[r, k]) + squares
    s.pieces[r, k] = end
    chops_on = squares if s.chop == OVER else min(squares, 1)
    return verbs.next_places(end - chops_on, chops_on)


@rule(inline=True)
def chop(s, one_way, other_way):
    """Send back every enemy on the ways of both counters, except those on crossed squares."""
    r = verbs.row_of(s, s.to_move)
    track, ways = lane(s, r, 0), verbs.union(one_way, other_way)
    for other in range(1, len(s.pieces)):
        q = verbs.row_after(s, r, other)
        for k in range(PIECES):
            place, seat_there = s.pieces[q, k], lane(s, q, k)
            on_way = verbs.intersect(ways, meeting_places(s, track, seat_there, place))
            s.pieces[q, k] = WAITING if on_way & (not is_safe(s, seat_there, place)) else place


@rule(inline=True)
def worth(s, p):
    """Evaluate a position for player p: the lead of the player's counters over the others' by `worth_of`."""
    value = 0
    for r in range(len(s.pieces)):
        for k in range(PIECES):
            worth_here = worth_of(s, r, k)
            value += (len(s.pieces) - 1) * worth_here if r == p else -worth_here
    return value


@rule(inline=True)
def worth_of(s, r, k):
    """Evaluate counter k of row r by its place: less close to the centre, where it waits for a throw, and in danger."""
    place = np.int64(s.pieces[r, k])
    left = home(s) - place
    if left == 0:
        return 6 * place
    value = 4 * (place if left > CLOSE else home(s) - MOST)
    if not is_safe(s, lane(s, r, k), place) and 0 < presentation.threat(s, r, k) <= MOST:
        value -= place
    return value


# Observations, actions and checks of positions.


def observation(options):
    last = LASTS[options["track"] == "short"]
    return presentation.race_columns(options["players"], PIECES, last, NAMES, options["players"], 2)


def actions(options):
    return [
        Actions("counter 0 goes {squares}, counter 1 the rest", squares=range(DOUBLE)),
        Actions("spend the double whole"),
    ]


def check(s, options, given):
    last = LASTS[options["track"] == "short"]
    presentation.check_race(s, given, last, 2)
    presentation.check_sides(s, options["players"], last)
    thrown = int(s.throws.sum())
    require(s.to_move < 0 or thrown == 2, f"throws must be two while the game is in progress, got {thrown}")


def board(s):
    cells = TRACKS[s.track].cells
    standing = [[int(cells[seat(s, r, 0), place]) for place in row] for r, row in enumerate(s.pieces)]
    places = {square: (float(square % SIZE), float(square // SIZE)) for square in range(SIZE * SIZE)}
    yards = [presentation.Yard(2.25 * r, SIZE + 0.25) for r in range(SEATS)]
    return presentation.draw_race(s, places, standing, CROSSED, SHOWN, LASTS[s.track], yards)


def describe_throw(before, s):
    return f"player_{s.to_move} throws {explanation.thrown(s, NAMES)}"


def describe_walk(before, s, k, squares):
    return moved(before, s, k) if squares else ""


def describe_chop(before, s, *ways):
    return ", ".join(
        filter(None, (explanation.sends_back(before, s, q) for q in range(len(s.pieces)) if q != s.to_move))
    )


def moved(before, s, k):
    return explanation.moved(before, s, s.to_move, k, LASTS[s.track])


def describe_double(before, s):
    gone = [k for k in range(PIECES) if before.pieces[s.to_move, k] != s.pieces[s.to_move, k]]
    return ", ".join(moved(before, s, k) for k in gone)


MOST_DOUBLES = 64
"""Assumed maximum number of doubles in a row; the rules set no limit, but each has a probability of one in four."""

RULE_BOOK = presentation.book(
    "saturankam",
    "Saturankam",
    __doc__,
    options=OPTIONS,
    record=record,
    num_actions=num_actions,
    begin=begin,
    worth=worth,
    family={
        contract.tracks: tracks,
        contract.home: last_place,
        contract.lane: seat,
        contract.stop: no_stop,
        contract.may_stop: may_not_stop,
        contract.throw: throw,
        contract.choices: choices,
        contract.carry_out: carry_out,
    },
    check=check,
    decision="use the throw",
    board=board,
    observation=observation,
    actions=actions,
    descriptions={
        cast: describe_throw,
        spend_double: Summary(describe_double),
        walk: describe_walk,
        chop: describe_chop,
    },
    equivalent_results=verbs.equivalent_dice,
    most_decisions=lambda options: MOST_DOUBLES * options["max_turns"],
)
__doc__ = RULE_BOOK.page

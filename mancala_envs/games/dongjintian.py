"""
# Dongjintian for four players (Hani; Yunnan)

| | |
|---|---|
| Players | 4 (`player_0` to `player_3`, in turn); option `players` |
| Board | grid of 4 x 5 holes without owners; options `rows`, `columns` |
| Seeds | 5 a hole; option `seeds` |
| Rewards | at the end: the best player +1, the others -1/3; tied best players share |
| Import | `from mancala_envs import dongjintian_v0` |

```
     0    1    2    3    4                     north 20
     5    6  ( 7)   8    9       west 23  <-  last seed  ->  east 21
    10   11  (12)  13   14                     south 22
    15   16   17   18   19
```
Holes 7 and 12, in brackets, can never be captured. The next picture shows a lap of three seeds from hole `*`. Each step
goes forward, left or right of the last one, never back. Then the hole `+` straight ahead is lifted or, if it is empty,
the hole `x` beyond it is captured:
```
     .    .    .    .    .
     b -> c -> +    x    .
     ^
     a <- *    .    .    .
     .    .    .    .    .
```

## Rules
Source: V. Eagle, "Some Newly Described Mancala Games from Yunnan Province, China", 1995, pp. 57-58, as the Ludii portal
gives it (evidence 2095), and the portal's summary. Played by the Hani; informant Wang Hongbin, 1994.

1. "The board is 4 x 5, with five stones per hole"; "a player may play from any of the 20 holes on the board".
2. "The first stone may be sown in any hole horizontally or vertically neighboring the hole being played; subsequently
   stones are sown forward, left, or right, but may not double back". The path may cross itself and the lifted hole.
3. "If a stone has been sown in a corner, edge, or middle hole and there remain stones to be sown, there are
   respectively one, two, or three possible choices". If there is only one, the engine drops the seed.
4. After the last seed "the contents of the neighboring hole in the opposite direction from the hole in which the
   penultimate stone was sown are lifted and sown". This is the hole straight ahead.
5. "If this hole is empty, the contents of the hole beyond, if any, are captured", and the turn ends.
6. "If the last stone lands in a corner, no relay or capture is possible", nor "in an edge-hole, but the penultimate
   stone was sown in a middle hole". In both cases there is no hole ahead.
7. "Stones lying in one of the two holes at the midpoints of the two internal rows cannot be captured at all". This
   follows from rules 4 and 5: on this board no step has one of these holes as the hole beyond.
8. "The player who captures the most counters wins."

Eagle counts "52 different ways" to sow four stones from a hole diagonally next to a corner. By rule 3 there are 46, and
52 from the middle of an inner row. The numbers for all holes are 25 36 42 36 25 / 33 46 52 46 33, and the same upside
down. If a path could not cross itself, the number would be neither 46 nor 52. The library follows the rule, not the
number; a test counts both.

## Not settled by the source, decided here
* The first seed of a relay does not go back either, because a player "can never double back" "at any point in the move"
  (summary). With `relay_back=True` it can go to "any hole ... neighboring the hole being played".
* After a lap of one seed the lifted hole counts as the one where the penultimate seed was sown.
* A turn captures one hole at most, on any board. A chain of captures, usual in pussa kanawa, needs six holes in a line,
  and this board has none.
* A round ends when fewer than two seeds are on the board, because then nothing can be captured. It also ends after
  `quiet_turns` turns in a row without a capture, and after `max_turns` turns. Seeds on the board count for nobody.
* Sowing that never ends stops after `max_laps` laps of a turn; the last lap neither relays nor captures.

## Observation
All players see the board in the same orientation, with holes numbered as in the actions.

## Options
`rows` or `columns` must be at least 4. At most 255 seeds are in play. There is no campaign.

## Random play
Means of 4,000 rounds: 1,503 decisions (3,027 in the longest round) in 304 turns, with 3.6 legal actions per decision.
85% of the rounds end with fewer than two seeds on the board, 15% by `quiet_turns`, none by `max_turns`. The players win
25%, 25%, 24% and 23% of the rounds; in 4% several players are best.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import BY_RULES, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import walk
from mancala_envs.families.mancala.board import grid
from mancala_envs.families.mancala.explanation import in_grid, sowing
from mancala_envs.families.mancala.position import (
    GRID,
    check_capacity,
    check_seeds,
    fields,
    in_store,
    most_decisions,
    num_players,
)
from mancala_envs.families.mancala.rows import all_seeds
from mancala_envs.families.mancala.symmetry import grid_symmetries

__all__ = ["RULE_BOOK"]

LIFT, SOW = 0, 1
PHASES = {LIFT: "lift a hole", SOW: "drop the next seed"}

OPTIONS = (
    Option("rows", 4, lowest=2, size=True),
    Option("columns", 5, lowest=2, size=True),
    Option("seeds", 5),
    Option("players", 4, lowest=2, highest=6, size=True),
    Option("relay_back", False, choices=(False, True)),
    Option("quiet_turns", 100),
    Option("max_turns", 600),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)


def record(options):
    return fields(
        options["rows"] * options["columns"],
        options["players"],
        [*walk.FIELDS, Field("columns", "i2", "holes in a row")],
        GRID,
    )


@rule
def begin(s):
    s.holes[:] = s.seeds
    s.store[:] = 0
    s.quiet = 0
    walk.rest(s)


@rule
def ways(s):
    """Return the headings open to the next seed: on the board and not back; `relay_back` frees a relay's first seed."""
    just_lifted = s.holes[s.at] == 0
    onward = walk.ALL if s.relay_back and just_lifted else walk.ONWARD[s.heading]
    return walk.ways_on_board(s.at, s.columns, len(s.holes)) & onward


@rule
def legal(s, action):
    holes = len(s.holes)
    if s.phase == LIFT:
        return action < holes and s.holes[action] > 0
    return action >= holes and walk.leads(ways(s), action - holes)


@rule(inline=True)
def play(s, action):
    if s.phase == LIFT:
        # Every hole has at least two neighbours, so the first step is always a choice.
        walk.take_up(s, action)
        s.phase = SOW
    else:
        sow_on(s, action - len(s.holes))


@rule(inline=True)
def sow_on(s, heading):
    """Drop the next seed, and further seeds as long as there is only one way."""
    while heading != walk.NOWHERE:
        walk.step(s, heading, s.columns)
        walk.drop_from_hand(s, s.at)
        if s.hand == 0:
            relay_or_capture(s)
        if s.hand == 0:
            end_turn(s)
            return
        heading = walk.ONLY_WAY[ways(s)]


@rule
def relay_or_capture(s):
    """After a lap lift the hole straight ahead or, if it is empty, capture the one beyond."""
    s.laps += 1
    if s.laps < s.max_laps and has_hole_ahead(s, s.at):
        ahead = walk.next_hole(s.at, s.heading, s.columns)
        if s.holes[ahead] > 0:
            walk.take_up(s, ahead)
        elif has_hole_ahead(s, ahead):
            beyond = walk.next_hole(ahead, s.heading, s.columns)
            if s.holes[beyond] > 0:
                walk.capture(s, beyond)


@rule
def has_hole_ahead(s, hole):
    """Return whether there is a hole straight ahead of `hole`."""
    return walk.leads(walk.ways_on_board(hole, s.columns, len(s.holes)), s.heading)


@rule
def end_turn(s):
    s.phase = LIFT
    s.to_move = (s.to_move + 1) % len(s.store)
    if walk.count_turn(s):
        s.ended = BY_RULES


@rule(inline=True)
def observe(s, p, out):
    walk.observe(s, out)
    for after in range(len(s.store)):
        player = (p + after) % len(s.store)
        out.store[after] = s.store[player]
        out.to_move[after] = s.to_move == player


def seeds(options):
    return options["rows"] * options["columns"] * options["seeds"]


def check_options(options, campaign):
    require(max(options["rows"], options["columns"]) >= 4, "rows or columns must be at least 4")
    check_capacity(seeds(options))


def observation(options):
    after = range(options["players"])
    return [
        *walk.columns(options["rows"] * options["columns"], seeds(options)),
        Columns("store", seeds(options), "seeds in the stores: the own one, the next player's, and so on", each=after),
        Columns("to_move", 1, "1 for the player to move, in the same order", each=after),
    ]


def check(s, options, given):
    """Check the hand and the phase, see `walk.check`, and the number of seeds."""
    holes = len(s.holes)
    paths = [int(walk.ways_on_board(hole, s.columns, holes)) for hole in range(holes)]
    walk.check(s, options, paths, SOW)
    check_seeds(s, seeds(options), beside=int(s.hand))


def board(s):
    """Draw the board; the hole where the hand is has the mover's colour."""
    marks = [int(s.to_move) if hole == s.at else -1 for hole in range(len(s.holes))]
    return grid(s, int(s.columns), marks=marks, captions=[walk.hand_caption(s)])


RULE_BOOK = RuleBook(
    name="dongjintian",
    title="Dongjintian",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(walk.num_actions, begin, legal, play, observe, num_players=num_players, worth=in_store),
    result=by_scores(in_store, all_seeds, secured_score=in_store),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=lambda options: walk.actions(options["rows"] * options["columns"], {SOW: "drop the next seed there"}),
        phases=PHASES,
        descriptions=sowing(in_grid, walk.capture),
        grid=lambda options: list(np.ndindex(options["rows"], options["columns"])),
        counted=lambda options: "seeds in store",
    ),
    positions=Positions(check, counters=("store",)),
    check_options=check_options,
    symmetries=lambda options: grid_symmetries(options["rows"], options["columns"]),
    most_decisions=lambda options: most_decisions(options, seeds(options)),
)
__doc__ = RULE_BOOK.page

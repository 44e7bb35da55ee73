"""
# Zigulzoqge (Hani of the Biyue branch; Yunnan)

| | |
|---|---|
| Players | 4, each with a row; option `players` (2, 3, 4), with four also two teams (`teams=True`) |
| Board | a row of 4 holes for each player; option `columns` (4, 5, 6) |
| Seeds | 5 a hole |
| Rewards | at the end: the best player +1, the others -1/3; tied best players share; in teams +1 / -1 / 0 each |
| Import | `from mancala_envs import zigulzoqge_v0` |

```
     0 -  1 -  2 -  3      player_0      steps: north 16, east 17, south 18, west 19
     |              |
     4 -  5 -  6 -  7      player_1
     |              |
     8 -  9 - 10 - 11      player_2
     |              |
    12 - 13 - 14 - 15      player_3
```
The lines are the path. *Onward* is any way along them except back. Only the end holes of an inner row have two onward
ways. With two rows the path is a simple ring.

## Rules
Source: Mancala World, "Zigulzoqge", after V. Eagle, "Some Newly Described Mancala Games from Yunnan Province, China",
1995, pp. 48-61.

1. "It is played by two, three or four, each player controlling one row"; or "by two teams of two players, each team
   controlling two adjoining rows". "At the start each hole contains five stones."
2. Lift a hole of your row and sow "one by one, following the path". The first seed goes to any neighbouring hole; then
   "at the edge he may branch into two different directions. He may not double back." The path may pass the lifted hole.
3. "After the last stone was dropped, the player lifts the counters of the hole which follows in the same direction and
   then distributes them in another lap."
4. "If this hole is empty, the contents of the hole beyond, if any, are captured."
5. "The move ends after a capture or when no relay sowing is possible."
6. "If a player cannot move, he must pass until he can move again."
7. "It probably ends when no more captures can be made". This is when fewer than two seeds are on the board.
8. "The player (or team) who captured most counters wins."

## Not settled by the source, decided here
* "In the same direction", if the path branches after the last seed: the player chooses, being "completely free to
  capture, relay or continue" (Eagle). With `onward="straight"` the player looks straight ahead if the path leads there.
* Which holes a player may lift: "a player picks up the contents of any pit he wishes", but then nobody would ever have
  to pass. The choices are the player's own row (`lift="row"`; "each player having a row as his sector", Eagle), the two
  rows of the player's team (`"team"`, only with teams), and any hole (`"any"`).
* A capture ends the turn (`capture="single"`), or, as in "standard pussa kanawa" (Eagle), captures continue along
  holes that are empty, full, empty, full (`"chain"`). A chain ends at a hole that was already inspected after the last
  seed, or at the hole of the last seed.
* Seeds left at the end are "either won by the player who controls their holes" (`leftover="row"`) or "neutral and not
  counted at all" (`"neutral"`).
* Teams are players 0 and 1 against 2 and 3; the order of turns is 0, 2, 1, 3.
* The round also ends after `quiet_turns` turns in a row without a capture, and after `max_turns` turns.
* Sowing that never ends stops after `max_laps` laps of a turn; the last lap neither relays nor captures.

## Actions
The engine plays a step if there is only one.

## Observation
All players see the board in the same orientation, with holes numbered as in the actions. The columns `row` show which
row is the observing player's.

## Options
There is no campaign. With `teams=True`, `winner` is the number of the team.

## Random play
Means of 4,000 rounds: 326 decisions (633 in the longest round) in 68 turns, with 2.0 legal actions per decision. 94% of
the rounds end with fewer than two seeds on the board, 6% by `quiet_turns`. The players win 32%, 27%, 20% and 16% of the
rounds, so opening is a large advantage; in 5% several players are best. With teams, the teams win 54% and 41%. With
three players a round has 185 decisions, and the players win 41%, 31% and 24%; with two players 50 decisions, 46% and
48%.

## Versions
* v0: first version.
"""

from dataclasses import replace
from itertools import product

import numpy as np

from mancala_envs.core.board import heading
from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import BY_MARGIN, REWARD, highest_score, share_by_score
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
from mancala_envs.families.mancala.symmetry import laid

__all__ = ["RULE_BOOK"]

SEEDS = 5

LIFT, SOW, LOOK = 0, 1, 2
PHASES = {LIFT: "lift a hole", SOW: "drop the next seed", LOOK: "look for the next hole"}
STEPS = {SOW: "drop the next seed there", LOOK: "look for the next hole there"}

NEXT, PREY, GAP = 1, 2, 3
"""Values of `look`: the mover looks for the next hole, a hole to capture, or the empty hole that continues a chain."""

OWN_ROW, TEAM_ROWS = 0, 1
STRAIGHT = 1
CHAIN = 1
ROW = 0

TEAM_ORDER = np.array([2, 3, 1, 0])
"""The player who follows each player if teams alternate."""

OPTIONS = (
    Option("players", 4, lowest=2, highest=4, size=True),
    Option("columns", 4, lowest=4, highest=6, size=True),
    Option("teams", False, choices=(False, True)),
    Option("lift", "row", choices=("row", "team", "any")),
    Option("onward", "path", choices=("path", "straight")),
    Option("capture", "single", choices=("single", "chain")),
    Option("leftover", "row", choices=("row", "neutral")),
    Option("quiet_turns", 40),
    Option("max_turns", 400),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)


def record(options):
    more = [
        *walk.FIELDS,
        Field(
            "look",
            "u1",
            "in phase 2 what the mover looks for: 1 the next hole, 2 one to capture, 3 the empty one that continues a "
            "chain; otherwise 0",
        ),
        Field(
            "seen",
            "u4",
            "in phase 2 the hole of the last seed and those inspected after it, hole h as bit h; otherwise 0",
        ),
    ]
    return fields(options["players"] * options["columns"], options["players"], more, GRID)


@rule
def width(s):
    return len(s.holes) // len(s.store)


@rule
def begin(s):
    s.holes[:] = SEEDS
    s.store[:] = 0
    s.quiet = 0
    end_walk(s)


# Holes that players may lift, and the order of turns.


@rule
def sector(s, p):
    """Return the holes that player p may lift if they hold seeds, as the first one and the one after the last."""
    if s.lift == OWN_ROW:
        return width(s) * p, width(s) * (p + 1)
    if s.lift == TEAM_ROWS:
        team = side(s, p)
        return 2 * width(s) * team, 2 * width(s) * (team + 1)
    return 0, len(s.holes)


@rule
def may_lift(s, p, hole):
    first, end = sector(s, p)
    return first <= hole < end and s.holes[hole] > 0


@rule
def can_lift(s, p):
    """Return whether player p may lift any hole."""
    first, end = sector(s, p)
    for hole in range(first, end):
        if s.holes[hole] > 0:
            return True
    return False


@rule
def next_player(s, p):
    return TEAM_ORDER[p] if s.teams else (p + 1) % len(s.store)


@rule
def side(s, p):
    """Return player p's team; without teams, p."""
    return p // 2 if s.teams else p


# The path.


def open_ways(players, columns, hole):
    """Return the headings open from `hole`: along the row, and up and down the two outer columns."""
    row, column = divmod(hole, columns)
    outer = column in (0, columns - 1)
    ways = (outer and row > 0, column < columns - 1, outer and row < players - 1, column > 0)
    return sum(way << heading for heading, way in enumerate(ways))


PATH = np.zeros((5, 7, 24), np.int64)
"""`[players, columns, hole]`: see `open_ways`."""
for _players, _columns in product((2, 3, 4), (4, 5, 6)):
    for _hole in range(_players * _columns):
        PATH[_players, _columns, _hole] = open_ways(_players, _columns, _hole)


@rule
def ways(s):
    """Return the headings open to the next step."""
    return ways_from(s, s.at, s.heading)


@rule
def ways_from(s, hole, heading):
    """Return the headings onward from `hole` after a step `heading`.

    With `onward="straight"`, the mover looks straight ahead if the path leads there.
    """
    onward = PATH[len(s.store), width(s), hole] & walk.ONWARD[heading]
    if s.onward == STRAIGHT and s.look > 0 and walk.leads(onward, heading):
        return 1 << heading
    return onward


# The turn.


@rule
def legal(s, action):
    holes = len(s.holes)
    if action < holes:
        return s.phase == LIFT and may_lift(s, s.to_move, action)
    return s.phase != LIFT and walk.leads(ways(s), action - holes)


@rule(inline=True)
def play(s, action):
    if s.phase == LIFT:
        # Every hole has at least two neighbours, so the first step is always a choice.
        walk.take_up(s, action)
        s.phase = SOW
    else:
        walk_on(s, action - len(s.holes))


@rule(inline=True)
def walk_on(s, heading):
    """Step along the path, dropping seeds and then inspecting holes, until there is a choice or the turn ends."""
    # Writing `at` and `heading` to the record at every step would take a tenth more time.
    hole = s.at
    onward = heading
    while onward != walk.NOWHERE:
        heading = onward
        hole = walk.next_hole(hole, heading, width(s))
        goes_on = sow(s, hole) if s.hand > 0 else look(s, hole)
        if not goes_on:
            end_turn(s)
            return
        onward = walk.ONLY_WAY[ways_from(s, hole, heading)]
    s.at = hole
    s.heading = heading
    s.phase = SOW if s.hand > 0 else LOOK


@rule
def sow(s, hole):
    """Drop a seed; after the last one of a lap start to look for the next hole. Return whether the turn continues."""
    walk.drop_from_hand(s, hole)
    if s.hand == 0:
        s.laps += 1
        s.look = NEXT
        s.seen = hole_bit(hole)
    return s.laps < s.max_laps


@rule
def look(s, hole):
    """Inspect a hole: relay from it, capture it or look further. Return whether the turn continues."""
    if s.seen & hole_bit(hole) != 0:
        return False
    s.seen |= hole_bit(hole)
    if s.holes[hole] == 0:
        goes_on = s.look != PREY
        s.look = PREY
        return goes_on
    if s.look == NEXT:
        walk.take_up(s, hole)
        s.look = 0
        s.seen = 0
        return True
    if s.look == PREY:
        walk.capture(s, hole)
        s.look = GAP
        return s.capture == CHAIN
    return False


@rule
def hole_bit(hole):
    return np.int64(1) << np.int64(hole)


@rule
def end_walk(s):
    walk.rest(s)
    s.phase = LIFT
    s.look = 0
    s.seen = 0


@rule
def end_turn(s):
    """End the turn and skip players who cannot lift a hole."""
    end_walk(s)
    if walk.count_turn(s):
        s.ended = BY_RULES
        return
    s.to_move = next_player(s, s.to_move)
    while not can_lift(s, s.to_move):
        s.to_move = next_player(s, s.to_move)


# The result.


@rule
def score(s, p):
    """Count player p's store and, with `leftover="row"`, the seeds left in the row."""
    seeds = np.int64(s.store[p])
    if s.leftover == ROW:
        for hole in range(width(s) * p, width(s) * (p + 1)):
            seeds += s.holes[hole]
    return seeds


@rule
def worth(s, p):
    """Return player p's store, with teams plus the teammate's."""
    mate = p ^ 1
    return in_store(s, p) + in_store(s, mate) if s.teams else in_store(s, p)


@rule
def all_seeds(s):
    return len(s.holes) * SEEDS


@rule
def lead(s):
    """Return team 0's lead over team 1 in seeds."""
    seeds = 0
    for p in range(4):
        seeds += score(s, p) if p < 2 else -score(s, p)
    return seeds


@rule
def best(s):
    if s.teams:
        return 0 if lead(s) > 0 else 1 if lead(s) < 0 else -1
    return highest_score(s)


@rule
def share(s, p):
    """Return player p's reward; each member of a team gets the team's whole reward."""
    if s.teams:
        margin = lead(s) if p < 2 else -lead(s)
        if s.reward == BY_MARGIN:
            return margin / all_seeds(s)
        return 1.0 if margin > 0 else -1.0 if margin < 0 else 0.0
    return share_by_score(s, p)


# Observations, checks of positions and drawings.


@rule(inline=True)
def observe(s, p, out):
    walk.observe(s, out)
    walk.one_hot(out.look, np.int64(s.look) - NEXT)
    for hole in range(len(s.holes)):
        out.seen[hole] = s.seen & hole_bit(hole) != 0
    player = p
    for after in range(len(s.store)):
        out.store[after] = s.store[player]
        out.to_move[after] = s.to_move == player
        out.row[after] = after == p
        player = next_player(s, player)


def seeds(options):
    return options["players"] * options["columns"] * SEEDS


def check_options(options, campaign):
    four = options["players"] == 4
    require(not options["teams"] or four, f"teams=True needs players=4, got {options['players']}")
    require(options["lift"] != "team" or options["teams"], "lift='team' needs teams=True")
    check_capacity(seeds(options))


def observation(options):
    after, holes = range(options["players"]), range(options["players"] * options["columns"])
    looks = ("the next hole", "a hole to capture", "the empty hole that continues a chain")
    return [
        *walk.columns(len(holes), seeds(options)),
        Columns("look", 1, "1 when the mover looks for {each}", each=looks),
        Columns("seen", 1, "1 where the last seed fell, and where a hole was inspected after it", place=holes),
        Columns("store", seeds(options), "seeds in the stores, in the order of turns, the own one first", each=after),
        Columns("to_move", 1, "1 for the player to move, in the same order", each=after),
        Columns("row", 1, "1 for the observing player's own row, from the top", each=after),
    ]


def check(s, options, given):
    """Check the hand, `look`, `seen` and the number of seeds; derive `quiet` and `seen` if they are not given."""
    paths = PATH[len(s.store), width(s)].tolist()
    if s.look == GAP and "quiet" not in given:
        s.quiet = -1
    walk.check(s, options, paths, SOW)
    if s.phase == LOOK and "seen" not in given:
        s.seen = trail(s, paths)
    check_look(s, options)
    check_seeds(s, seeds(options), beside=int(s.hand))


def check_look(s, options):
    if s.phase != LOOK:
        require(s.look == 0 and s.seen == 0, f"look and seen must be 0 in phase {s.phase}")
        return
    in_chains = options["capture"] == "chain"
    most = GAP if in_chains else PREY
    require(NEXT <= s.look <= most, f"look must lie in {NEXT}..{most}, got {s.look}")
    require((s.holes[s.at] > 0) == (s.look == NEXT), f"look {s.look} does not fit the seeds of hole {s.at}")
    require((s.quiet < 0) <= (s.look != NEXT and in_chains), "quiet is -1 only in a chain")
    require((s.quiet < 0) >= (s.look == GAP), "quiet must be -1 after a capture")
    seen = int(s.seen)
    require(seen >> int(s.at) & 1 and seen >> len(s.holes) == 0, "seen must be holes, `at` among them")


def trail(s, paths):
    """Return the holes that must have been inspected on the way to `at`, traced back while the path has one way."""
    hole, heading = int(s.at), int(s.heading)
    seen = 1 << hole
    for _ in range(NEXT, s.look):
        hole = int(walk.next_hole(hole, walk.BACK[heading], width(s)))
        seen |= 1 << hole
        before = [way for way in walk.headings_of(paths[hole]) if way != heading]
        if len(before) > 1:
            break
        heading = walk.BACK[before[0]]
    return seen


def board(s):
    """Draw the board: rows show their player, and the hole where the hand is has the mover's colour."""
    marks = [int(s.to_move) if hole == s.at else -1 for hole in range(len(s.holes))]
    owners = [hole // width(s) for hole in range(len(s.holes))]
    drawn = grid(s, width(s), owners=owners, marks=marks, captions=[walk.hand_caption(s)])
    if s.teams and s.winner >= 0:
        return replace(drawn, heading=heading(s, "team"))
    return drawn


RULE_BOOK = RuleBook(
    name="zigulzoqge",
    title="Zigulzoqge",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(walk.num_actions, begin, legal, play, observe, num_players=num_players, worth=worth, side=side),
    result=by_scores(score, all_seeds, best=best, share=share, secured_score=in_store),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=lambda options: walk.actions(options["players"] * options["columns"], STEPS),
        phases=PHASES,
        descriptions={**sowing(in_grid, walk.capture), look: lambda before, s, hole: f"looks into hole {hole}"},
        grid=lambda options: list(np.ndindex(options["players"], options["columns"])),
        counted=lambda options: "seeds in store" + (" and row" if options["leftover"] == "row" else ""),
    ),
    positions=Positions(check, counters=("store",)),
    check_options=check_options,
    symmetries=lambda options: [laid(options["players"], options["columns"], np.diag([1, -1]))],
    most_decisions=lambda options: most_decisions(options, seeds(options)),
)
__doc__ = RULE_BOOK.page

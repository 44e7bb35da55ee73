"""
# Zigulzoqge (Hani of the Biyue branch; Yunnan)

| | |
|---|---|
| Players | 4, each with a row; option `players` (2, 3, 4), with four also two teams (`teams=True`) |
| Board | a row of 4 holes for each player; option `columns` (4, 5, 6) |
| Seeds | 5 a hole |
| Decisions | `Discrete(20)`: the 16 holes, then a step to the north, east, south or west |
| Observation | `(72,)` uint8; the board as it lies, the own store first |
| Rewards | at the end: the best +1, the others -1/3; several best share; the winning team +1 each, the other -1 |
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
The lines are the path. *Onward* from a hole is any way along them but back; only at both ends of an inner row are there
two. With two rows the path is a plain ring.

## Rules
Source: Mancala World, "Zigulzoqge", after V. Eagle, "Some Newly Described Mancala Games from Yunnan Province, China",
1995, pp. 48-61.

1. "It is played by two, three or four, each player controlling one row"; or "by two teams of two players, each team
   controlling two adjoining rows". "At the start each hole contains five stones."
2. Lift a hole of your row and sow "one by one, following the path". The first seed goes to any neighbour; then "at the
   edge he may branch into two different directions. He may not double back." The path may pass the lifted hole.
3. "After the last stone was dropped, the player lifts the counters of the hole which follows in the same direction and
   then distributes them in another lap."
4. "If this hole is empty, the contents of the hole beyond, if any, are captured."
5. "The move ends after a capture or when no relay sowing is possible."
6. "If a player cannot move, he must pass until he can move again."
7. "It probably ends when no more captures can be made": with fewer than two seeds on the board.
8. "The player (or team) who captured most counters wins."

## Not settled by the source, decided here
* "In the same direction", where the path branches after the last seed: the player chooses, for he is "completely free
  to capture, relay or continue" (Eagle). With `onward="straight"` a look goes straight on where the path does.
* Which holes he may lift: "a player picks up the contents of any pit he wishes", but then nobody would ever have to
  pass. His own row (`lift="row"`; "each player having a row as his sector", Eagle), his team's two rows (`"team"`, only
  with teams), or any hole (`"any"`).
* A capture ends the turn (`capture="single"`), or, as "standard pussa kanawa" (Eagle), goes on with empty, full, empty,
  full (`"chain"`), until it meets a hole looked at since the last seed fell, that seed's own hole included.
* Seeds left at the end are "either won by the player who controls their holes" (`leftover="row"`) or "neutral and not
  counted at all" (`"neutral"`).
* Teams are players 0 and 1 against 2 and 3, and move in turn: 0, 2, 1, 3.
* The round also ends after `quiet_turns` turns in a row without a capture, and at `max_turns`.
* Sowing that never ends: stopped after `max_laps` laps of a turn, with no look after the last one.

## Actions
| number | phase | meaning |
|---|---|---|
| 0..15 | 0 | lift that hole, row by row from the top left |
| 16..19 | 1 | drop the next seed to the north, east, south, west |
| 16..19 | 2 | look for the next hole to the north, east, south, west |

Steps without a choice are the engine's.

## Observation
| columns | meaning |
|---|---|
| 0..15 | seeds in the holes; all see the board alike, as the actions number it, and know themselves by 68..71 |
| 16 | seeds in hand |
| 17..32 | 1 where the hand is: at the lifted hole, where the last seed fell, or the hole looked at |
| 33..36 | 1 for the last step's heading: north, east, south, west |
| 37 | 1 when the game is over |
| 38, 39, 40 | turns left before `max_turns`, quiet ones before `quiet_turns`, laps left in this turn; 255 where more |
| 41..43 | 1 when looking: for the next hole, for one to capture, for the empty one that carries a chain on |
| 44..59 | 1 where a hole was looked at since the last seed fell, or that seed fell |
| 60..63 | stores in the order of turns: the own one first (with teams the mate's is the third) |
| 64..67 | 1 for the player to decide, in the same order |
| 68..71 | 1 for the own row |

## Options
`players` (4), `columns` (4), `teams` (False), `lift` (`"row"`, `"team"`, `"any"`), `onward` (`"path"`, `"straight"`),
`capture` (`"single"`, `"chain"`), `leftover` (`"row"`, `"neutral"`), `quiet_turns` (40), `max_turns` (400), `max_laps`
(256), `reward` (`"win"`, `"margin"`). No campaign. `winner` is the team with `teams=True`.

## Random play
4,000 rounds: 326 decisions (633 in the longest) in 68 turns, with 2.0 choices each. 94% of the rounds end with fewer
than two seeds on the board, 6% by quiet turns. The seats win 32%, 27%, 20% and 16%, 5% have several best: to open is
worth much. Teams: 54% and 41%. Three players: 185 decisions, 41%, 31% and 24%; two: 50 decisions, 46% and 48%.

## Versions
* v0: first version.
"""

from dataclasses import replace
from itertools import product

import numpy as np

from mancala_envs.core.board import grid, standing
from mancala_envs.core.game import RuleBook
from mancala_envs.core.grid import (
    BACK,
    HEADINGS,
    LOWEST,
    ONWARD,
    STRIDES,
    WALK,
    branches,
    capture,
    check_walk,
    count_turn,
    hand_caption,
    next_hole,
    observe_walk,
    one_hot,
    rest,
    seeds_of_walk,
    take_up,
    walk_actions,
    walk_bits,
    walk_columns,
)
from mancala_envs.core.kernels import best_player, share_of_player
from mancala_envs.core.observation import columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import BY_MARGIN, REWARD
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.sow import add, lift
from mancala_envs.core.state import BY_RULES, state_dtype
from mancala_envs.core.words import SPREAD, hole_bits, write_bytes

SEEDS = 5

LIFT, SOW, LOOK = 0, 1, 2
PHASES = {LIFT: "lift a hole", SOW: "drop the next seed", LOOK: "look for the next hole"}

NEXT, PREY, GAP = 1, 2, 3
"""What the mover looks for: the next hole, a hole to capture, the empty hole that carries a chain on."""

OWN_ROW, TEAM_ROWS = 0, 1
STRAIGHT = 1
CHAIN = 1
ROW = 0

TEAM_ORDER = np.array([2, 3, 1, 0])
"""Who follows whom when teams alternate."""

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
    Option("max_laps", 256),
    REWARD,
)


def record(options):
    fields = [*WALK, ("look", "u1"), ("seen", "u4")]
    return state_dtype(options["players"] * options["columns"], options["players"], fields)


@rule
def num_actions(s):
    return len(s.holes) + len(HEADINGS)


@rule
def width(s):
    return len(s.holes) // len(s.store)


@rule
def begin(s):
    s.holes[:] = SEEDS
    s.store[:] = 0
    s.quiet = 0
    end_walk(s)


# Who may lift, and in what order.


@rule
def liftable_bits(s, p):
    """Bit h is set where player p may lift hole h."""
    holes = hole_bits(s, 0)
    if s.lift == OWN_ROW:
        rows, first = 1, p
    elif s.lift == TEAM_ROWS:
        rows, first = 2, p & 2
    else:
        return holes
    sector = (np.uint64(1) << np.uint64(width(s) * rows)) - np.uint64(1)
    return holes & (sector << np.uint64(width(s) * first))


@rule
def may_lift(s, p, hole):
    row = hole // width(s)
    if s.lift == OWN_ROW:
        return s.holes[hole] > 0 and row == p
    if s.lift == TEAM_ROWS:
        return s.holes[hole] > 0 and row // 2 == p // 2
    return s.holes[hole] > 0


@rule
def next_player(s, p):
    return TEAM_ORDER[p] if s.teams else (p + 1) % len(s.store)


# The path.


def open_ways(players, columns, hole):
    """The headings open from `hole`: along the row, and up and down the two outer columns."""
    row, column = divmod(hole, columns)
    outer = column in (0, columns - 1)
    ways = (outer and row > 0, column < columns - 1, outer and row < players - 1, column > 0)
    return sum(way << heading for heading, way in enumerate(ways))


LONGEST = 7
"""Steps from a fork to the next one, at most."""


def runs(players, columns, hole, heading):
    """So many steps from `hole` on, but not past a fork, as a word each.

    Bits 0..23: the holes passed; 24..28: the last one; 29, 30: the last heading; 32..35: the headings that lead on;
    40..: the steps taken.
    """
    words, passed, onward = [0], 0, 1 << heading
    for steps in range(1, LONGEST + 1):
        if onward.bit_count() > 1:
            words.append(words[-1])
            continue
        heading = int(LOWEST[onward])
        hole += int(STRIDES[columns, heading])
        passed |= 1 << hole
        onward = open_ways(players, columns, hole) & int(ONWARD[heading])
        words.append(passed | hole << 24 | heading << 29 | onward << 32 | steps << 40)
    return words


PATHS = np.zeros((3, 3, 32), np.uint8)
"""`open_ways` by players - 2, columns - 4 and hole."""
RUNS = np.zeros((3, 3, 32, 4, LONGEST + 1), np.uint64)
"""`runs` by the same, heading and steps."""
for _players, _columns in product(range(2, 5), range(4, 7)):
    for _hole in range(_players * _columns):
        PATHS[_players - 2, _columns - 4, _hole] = _ways = open_ways(_players, _columns, _hole)
        for _heading in range(4):
            if _ways >> _heading & 1:
                RUNS[_players - 2, _columns - 4, _hole, _heading] = runs(_players, _columns, _hole, _heading)


@rule
def ways(s):
    """Onward along the path; a look goes straight on where it can, if so agreed."""
    onward = np.int64(PATHS[len(s.store) - 2, width(s) - 4, s.at & 31] & ONWARD[s.heading & 7])
    if s.onward == STRAIGHT and s.phase == LOOK and onward >> s.heading & 1:
        return 1 << s.heading
    return onward


# The turn.


@rule
def legal(s, action):
    holes = len(s.holes)
    if action < holes:
        return s.phase == LIFT and may_lift(s, s.to_move, action)
    return s.phase != LIFT and ways(s) >> (action - holes) & 1 == 1


@rule
def legal_word(s, word):
    """`legal` of all actions at once: there are fewer than 64."""
    return liftable_bits(s, s.to_move) if s.phase == LIFT else walk_bits(ways(s), len(s.holes))


@inlined_rule
def play(s, action):
    if action < len(s.holes):
        # No step follows by itself: from every hole two ways lead on.
        take_up(s, action)
        s.phase = SOW
    else:
        walk_on(s, action - len(s.holes) & 3)


@inlined_rule
def walk_on(s, heading):
    """Along the path, to drop seeds and then to look, until there is a choice or the turn ends."""
    hand, at = np.int64(s.hand), np.int64(s.at)
    look, seen = np.int64(s.look), np.int64(s.seen)
    while True:
        # Seeds are dropped run by run, holes are looked at step by step.
        steps = min(hand, LONGEST) if hand > 0 else 1
        run = np.int64(RUNS[len(s.store) - 2, width(s) - 4, at & 31, heading & 3, steps & 7])
        at, heading, onward = run >> 24 & 31, run >> 29 & 3, run >> 32 & 15
        if hand > 0:
            sow(s, run)
            hand -= run >> 40
            last = hand == 0
            s.laps += last
            look = NEXT if last else 0
            seen = hole_bit(at) if last else 0
            if s.laps >= s.max_laps:
                break
        else:
            known = seen & hole_bit(at) != 0
            seen |= hole_bit(at)
            full = s.holes[at] > 0
            if known or (full and look == GAP) or (not full and look == PREY):
                break
            if not full:
                look = PREY
            elif look == NEXT:
                hand = lift(s, at)
                look = 0
                seen = 0
            else:
                capture(s, at)
                look = GAP
                if s.capture != CHAIN:
                    break
        if s.onward == STRAIGHT and look > 0 and onward >> heading & 1:
            onward = 1 << heading
        if branches(onward):
            s.hand = hand
            s.at = at
            s.heading = heading
            s.look = look
            s.seen = seen
            s.phase = LOOK if look > 0 else SOW
            return
        heading = np.int64(LOWEST[onward])
    end_turn(s)


@rule
def sow(s, run):
    """One seed into every hole of a run."""
    for eight in range((len(s.holes) + 7) // 8):
        s.word[eight] = add(s.word[eight], SPREAD[run >> 8 * eight & 255])


@rule
def hole_bit(hole):
    return np.int64(1) << np.int64(hole)


@rule
def end_walk(s):
    rest(s)
    s.phase = LIFT
    s.look = 0
    s.seen = 0


@rule
def end_turn(s):
    """The move passes on, over players who may lift nothing."""
    end_walk(s)
    if count_turn(s):
        s.ended = BY_RULES
        return
    s.to_move = next_player(s, s.to_move)
    while liftable_bits(s, s.to_move) == 0:
        s.to_move = next_player(s, s.to_move)


# The result.


@rule
def captured(s, p):
    return np.int64(s.store[p])


@rule
def count(s, p):
    """The store and, if so agreed, the seeds left in the row."""
    seeds = np.int64(s.store[p])
    if s.leftover == ROW:
        for hole in range(width(s) * p, width(s) * (p + 1)):
            seeds += s.holes[hole]
    return seeds


@rule
def total(s):
    return len(s.holes) * SEEDS


@rule
def lead(s):
    """Seeds by which team 0 is ahead of team 1."""
    seeds = 0
    for p in range(4):
        seeds += count(s, p) if p < 2 else -count(s, p)
    return seeds


def best(s):
    if s.teams:
        return 0 if lead(s) > 0 else 1 if lead(s) < 0 else -1
    return best_player(s)


def share(s, p):
    """Each team mate gets the team's reward whole."""
    if s.teams:
        margin = lead(s) if p < 2 else -lead(s)
        if s.reward == BY_MARGIN:
            return margin / total(s)
        return 1.0 if margin > 0 else -1.0 if margin < 0 else 0.0
    return share_of_player(s, p)


# What players see, and what a position must be.


@inlined_rule
def observe(s, p, out):
    look, seen = np.int64(s.look), np.int64(s.seen)
    at = observe_walk(s, out)
    one_hot(out, at, at + GAP, look - NEXT)
    at += GAP
    holes = len(s.holes)
    for eight in range((holes + 7) // 8):
        write_bytes(SPREAD[seen >> 8 * eight & 255], min(8, holes - 8 * eight), out, at + 8 * eight)
    at += holes
    players = len(s.store)
    player = p
    for after in range(players):
        out[at + after] = s.store[player]
        out[at + players + after] = s.to_move == player
        out[at + 2 * players + after] = after == p
        player = next_player(s, player)


def seeds(options):
    if options["teams"] and options["players"] != 4:
        raise ValueError(f"zigulzoqge: teams=True needs players=4, got {options['players']}")
    if options["lift"] == "team" and not options["teams"]:
        raise ValueError("zigulzoqge: lift='team' needs teams=True")
    return options["players"] * options["columns"] * SEEDS


def observation(options):
    players, holes = options["players"], options["players"] * options["columns"]
    return [
        *walk_columns(holes, seeds(options)),
        *columns("look", 3, 1, "1 when looking for the next hole, one to capture, an empty one in a chain"),
        *columns("seen", holes, 1, "1 where a hole was looked at since the last seed fell, or that seed fell"),
        *columns("store", players, seeds(options), "seeds in the store of the player so many turns after the own one"),
        *columns("to_move", players, 1, "1 when the player so many turns after the own one decides now"),
        *columns("row", players, 1, "1 for the observing player's own row, from the top"),
    ]


def check(s, options, given):
    """The hand must be on the path, led there by one of its steps; what was looked at must include where it is."""

    def require(holds, what):
        if not holds:
            raise ValueError(f"zigulzoqge: {what}")

    paths = PATHS[len(s.store) - 2, width(s) - 4].tolist()
    if s.look == GAP and "quiet" not in given:
        s.quiet = -1
    check_walk(s, "zigulzoqge", options, paths, SOW)
    if s.phase != LOOK:
        require(s.look == 0 and s.seen == 0, f"look and seen must be 0 in phase {s.phase}")
        return
    require(NEXT <= s.look <= (GAP if options["capture"] == "chain" else PREY), f"look must not be {s.look}")
    require((s.holes[s.at] > 0) == (s.look == NEXT), f"look {s.look} does not fit the seeds of hole {s.at}")
    require((s.quiet < 0) <= (s.look != NEXT and options["capture"] == "chain"), "quiet is -1 only in a chain")
    require((s.quiet < 0) >= (s.look == GAP), "quiet must be -1 after a capture")
    if "seen" not in given:
        s.seen = trail(s, paths)
    require(int(s.seen) >> int(s.at) & 1 and int(s.seen) >> len(s.holes) == 0, "seen must be holes, `at` among them")


def trail(s, paths):
    """The holes looked at on the way to `at`, back to where the path tells no more."""
    hole, heading = int(s.at), int(s.heading)
    seen = 1 << hole
    for _ in range(NEXT, s.look):
        hole = int(next_hole(hole, BACK[heading], width(s)))
        seen |= 1 << hole
        before = paths[hole] & ~(1 << heading)
        if branches(before):
            break
        heading = BACK[LOWEST[before]]
    return seen


def board(s):
    """Rows show their player; the hole where the hand is has the mover's colour."""
    marks = [int(s.to_move) if hole == s.at else -1 for hole in range(len(s.holes))]
    owners = [hole // width(s) for hole in range(len(s.holes))]
    drawn = grid(s, width(s), owners=owners, marks=marks, captions=[hand_caption(s)])
    if s.teams and s.winner >= 0:
        return replace(drawn, heading=standing(s).replace("player", "team"))
    return drawn


RULE_BOOK = RuleBook(
    name="zigulzoqge",
    title="Zigulzoqge",
    page=__doc__,
    options=OPTIONS,
    record=record,
    seeds=seeds,
    seeds_of=seeds_of_walk,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    legal_word=legal_word,
    play=play,
    captured=captured,
    count=count,
    total=total,
    best=best,
    share=share,
    observe=observe,
    observation=observation,
    board=board,
    check=check,
    phases=PHASES,
    action_names=lambda options: walk_actions(options["players"] * options["columns"]),
)

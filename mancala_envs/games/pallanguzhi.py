"""
# Pallanguzhi (Tamil Nadu, Sri Lanka), also Pallankuli

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 7 holes; option `columns` |
| Seeds | 6 a hole; options `seeds` and `middle` |
| Rewards | +1 / -1 / 0 at the end of the round, or of the campaign; `round_reward` adds rewards after each round |
| Import | `from mancala_envs import pallanguzhi_v0` |

```
      13 12 11 10  9  8  7      North, player_1
  [1]                      [0]
       0  1  2  3  4  5  6      South, player_0
```
Sowing runs anticlockwise, by increasing number; the stores are off the ring.

## Rules
Sources: L. Russ, *Mancala Games*, 1984, p. 58, and S. & J. Hanson, *All about Mancala*, 2003, pp. 85-92. The defaults
are the rules on which both agree, with six seeds a hole as in Hanson and in H. G. Durai, 1928, p. 135 (in Ludii's
*Pallankuli*).

1. Lift a hole of your own row and sow. The lifted hole is not skipped. Rubbish holes are skipped, here and in all rules
   below.
2. *The cow* (*pasu*): whenever a seed makes a hole hold four, all four go at once to the store of the player in whose
   row the hole is, and the sowing goes on.
3. After the last seed, look at the next hole. If it holds seeds, lift it and sow on.
4. If it is empty, capture the hole beyond it, and the turn ends. If that hole is empty, too, the turn ends without a
   capture.
5. The round ends when the player to move has no seeds in their row. Each player counts their store and their row.

## The campaign
6. Players own what they counted, and fill their holes with `seeds` each, from the left. Holes that they cannot fill are
   *rubbish holes* (*kuppai*) for one round. The rest of their seeds are in their store.
7. The opening alternates. A player who cannot fill a hole has lost. After `max_rounds` rounds the player with more
   seeds wins.

## Not settled by the source, decided here
The rules are not fixed anywhere. Each of the following readings is an option.

* The cow belongs to the player who drops its last seed (`cow_owner="sower"`: Indianetzone 2014, Dsource). A cow
  has another number of seeds (`cow`). According to Hanson the last seed of a lap makes no cow (`cow_last="left"`).
* According to Durai the sowing goes on from the last seed's own hole (`relay="last"`): if it held seeds, lift it; if it
  was empty, capture the next hole, and the turn ends; if the last seed made a cow, the turn ends.
* After a capture the next hole that holds seeds is lifted and sown (`after="on"`: Indianetzone, Dsource, Wikipedia).
  The turn then ends at two empty holes.
* A round ends when either row is empty (`finish="row"`: Durai), or when both are; until then a player without seeds
  passes (`finish="pass"`: Indianetzone). According to Hanson such a player must be fed, which is not modelled.
* Hanson's campaigns end below three holes (`houses=3`).
* Wikipedia's game is `seeds=12, middle=2, cow=6, cow_owner="sower", after="on"`.
* A rubbish hole comes back into play only at the next set-out.
* Sowing that never ends is stopped after `max_laps` laps of a turn. The last lap takes no cow and captures nothing.
* A round also ends, with the same count, after `quiet_turns` turns in a row in which no seed goes to a store, and at
  `max_turns`. A campaign ends at `max_rounds`.

## Options
At most 255 seeds; `houses` is at most `columns`. `middle` is the number of seeds in the middle hole of each row, or 0
for `seeds` as in the other holes; another value than 0 needs an odd number of columns and a single round. With
`reward="margin"` each player is paid their lead in seeds, divided by all seeds.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.book import Campaign, Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.observation import FAR, Columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD, ROUND_REWARD
from mancala_envs.core.record import BY_RULES, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import explanation, filling
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH, two_rows
from mancala_envs.families.mancala.position import check_capacity, check_seeds, fields, in_store, most_decisions
from mancala_envs.families.mancala.rows import (
    ROUNDS_LEFT,
    holds_seeds,
    lifts,
    num_actions,
    observe_rows,
    other_side,
    own_hole,
    ring_hole,
    rounds_left,
    row_begins,
    row_columns,
    row_is_empty,
)
from mancala_envs.families.mancala.sow import capture, drop, lift

__all__ = ["RULE_BOOK"]

NOWHERE = -1
"""In place of the next hole to lift: the turn ends."""

SOWER = 1
TAKEN = 0
FROM_LAST = 1
ON = 1
STUCK, ROW = 0, 1

OPTIONS = (
    Option("columns", 7, lowest=2, size=True),
    Option("seeds", 6),
    Option("middle", 0, lowest=0),
    Option("cow", 4, lowest=2),
    Option("cow_owner", "row", choices=("row", "sower")),
    Option("cow_last", "taken", choices=("taken", "left")),
    Option("relay", "next", choices=("next", "last")),
    Option("after", "end", choices=("end", "on")),
    Option("finish", "stuck", choices=("stuck", "row", "pass")),
    Option("quiet_turns", 100),
    Option("max_turns", 400),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)
CAMPAIGN_OPTIONS = (
    Option("first", "alternate", choices=filling.FIRST),
    filling.HOUSES,
    filling.MAX_ROUNDS,
    ROUND_REWARD,
)


def record(options):
    holes = 2 * options["columns"]
    own = [
        Field("rubbish", "u1", "1 where the hole is out of play this round", (holes,)),
        filling.SEEDS_OWNED,
        filling.OPENER,
        Field("quiet", "i4", "turns in a row in which no seed went to a store"),
    ]
    return fields(holes, players=2, more=own)


@rule
def begin(s):
    s.holes[:] = s.seeds
    if s.middle > 0:
        for p in range(2):
            s.holes[row_begins(s, p) + num_actions(s) // 2] = s.middle
    s.rubbish[:] = 0
    s.store[:] = 0
    s.seeds_owned[:] = all_seeds(s) // 2
    s.opener = 0
    s.quiet = 0


@rule
def all_seeds(s):
    more = 2 * (s.middle - s.seeds) if s.middle > 0 else 0
    return len(s.holes) * s.seeds + more


@rule
def play(s, action):
    before = seeds_in_stores(s)
    sow_on(s, own_hole(s, action))
    end_turn(s, seeds_in_stores(s) > before)


@rule
def seeds_in_stores(s):
    return in_store(s, 0) + in_store(s, 1)


# The turn.


@rule
def sow_on(s, hole):
    """Lift `hole` and sow, lap after lap, until the turn ends."""
    for _ in range(s.max_laps - 1):
        hole = end_lap(s, sow(s, hole))
        if hole == NOWHERE:
            return
    sow_last_lap(s, hole)


@rule
def sow(s, hole):
    """Lift `hole` and sow, taking cows; return the last hole."""
    seeds = lift(s, hole)
    while seeds > 0:
        hole = filling.next_hole(hole, s.rubbish, 1)
        drop(s, hole)
        seeds -= 1
        if s.holes[hole] == s.cow and (seeds > 0 or s.cow_last == TAKEN):
            take_cow(s, hole)
    return hole


@rule
def sow_last_lap(s, hole):
    """Lift `hole` and sow without taking cows, as nothing is captured in the last lap that is allowed."""
    for _ in range(lift(s, hole)):
        hole = filling.next_hole(hole, s.rubbish, 1)
        drop(s, hole)


@rule
def take_cow(s, hole):
    """Put the seeds of `hole` into the store of the player whose row it is in, or of the mover."""
    owner = s.to_move if s.cow_owner == SOWER else hole // num_actions(s)
    s.store[owner] += lift(s, hole)


@rule
def end_lap(s, last):
    """Capture what a lap that ended in hole `last` captures; return the hole to be lifted next, or NOWHERE."""
    after = filling.next_hole(last, s.rubbish, 1)
    if s.relay == FROM_LAST:
        # The last hole is empty after a cow, and holds a single seed if it was empty before.
        if s.holes[last] != 1:
            return last if s.holes[last] > 0 else NOWHERE
        return capture_and_go_on(s, after)
    if s.holes[after] > 0:
        return after
    return capture_and_go_on(s, filling.next_hole(after, s.rubbish, 1))


@rule
def capture_and_go_on(s, hole):
    """Capture `hole` if it holds seeds; return the hole to be lifted after that, or NOWHERE."""
    if s.holes[hole] == 0:
        return NOWHERE
    capture(s, hole)
    return next_with_seeds(s, hole) if s.after == ON else NOWHERE


@rule
def next_with_seeds(s, hole):
    """Return the first hole after the empty hole `hole` that holds seeds; NOWHERE if the board is empty."""
    after = filling.next_hole(hole, s.rubbish, 1)
    while s.holes[after] == 0 and after != hole:
        after = filling.next_hole(after, s.rubbish, 1)
    return NOWHERE if after == hole else after


# The end of a turn and of a round.


@rule
def end_turn(s, stored):
    """Let the other player move, or the same one if the other has no seeds; `stored` says whether a store grew."""
    mover = np.int64(s.to_move)
    s.turn += 1
    s.quiet = 0 if stored else s.quiet + 1
    if not is_round_over(s):
        s.to_move = mover if row_is_empty(s, 1 - mover) else 1 - mover
    elif s.campaign:
        settle(s)
    else:
        s.ended = BY_RULES


@rule
def is_round_over(s):
    if s.turn >= s.max_turns or s.quiet >= s.quiet_turns:
        return True
    own_empty, other_empty = row_is_empty(s, s.to_move), row_is_empty(s, 1 - s.to_move)
    if s.finish == STUCK:
        return other_empty
    return own_empty or other_empty if s.finish == ROW else own_empty and other_empty


# The campaign.


@rule
def settle(s):
    """Count the round; then set out the next one, or end the campaign."""
    lead = filling.count_round(s)
    if filling.ends_campaign(s):
        s.ended = BY_RULES
        return
    s.opener = filling.next_opener(s, lead)
    s.round_number += 1
    s.turn = 0
    s.quiet = 0
    for p in range(2):
        filling.close_unfilled(s, p, s.rubbish, True)
    filling.fill(s, s.rubbish)
    s.to_move = s.opener


@rule
def owned(s, p):
    """Count the holes of player p that are not rubbish holes."""
    return filling.open_holes(s, p, s.rubbish)


# Observations, actions, checks of positions and drawings.


@rule(inline=True)
def observe(s, p, out):
    observe_rows(s, p, s.max_turns, out)
    for step in range(len(s.holes)):
        out.rubbish[step] = s.rubbish[ring_hole(s, p, step)]
    out.own_seeds = s.seeds_owned[p]
    out.other_seeds = s.seeds_owned[1 - p]
    out.quiet_turns_left = min(s.quiet_turns - s.quiet, FAR)
    out.rounds_left = rounds_left(s)
    out.opened = s.opener == p


def seeds(options):
    width, each = options["columns"], options["seeds"]
    return 2 * ((width - 1) * each + (options["middle"] or each))


def observation(options):
    most = seeds(options)
    return [
        *row_columns(options["columns"], most),
        Columns("rubbish", 1, "1 where the hole is a rubbish hole, own row first", place=range(2 * options["columns"])),
        Columns("own_seeds", most, "seeds that the observing player owned when the round began"),
        Columns("other_seeds", most, "seeds that the other player owned then"),
        Columns("quiet_turns_left", FAR, f"turns without a seed for a store before quiet_turns, {FAR} where more"),
        ROUNDS_LEFT,
        Columns("opened", 1, "1 when the observing player opened this round"),
    ]


def check_options(options, campaign):
    middle, columns = options["middle"], options["columns"]
    require(not middle or columns % 2, f"middle={middle} needs an odd number of columns, got {columns}")
    require(not (middle and campaign), f"middle={middle} needs campaign=False")
    check_capacity(seeds(options))
    filling.check_houses(options)


def check(s, options, given):
    filling.check_closed(s, options, s.rubbish, "rubbish", seeds(options))
    check_seeds(s, seeds(options))
    most = options["quiet_turns"] - (s.to_move >= 0)
    require(0 <= s.quiet <= most, f"quiet must be 0..{most}, got {s.quiet}")


DESCRIPTIONS: Descriptions = {
    **explanation.sowing(explanation.in_rows, capture),
    take_cow: Summary(
        lambda before, s, hole: (
            f"a cow: {before.holes[hole]} from {explanation.in_rows(before, hole)} go to "
            f"player_{np.flatnonzero(s.store != before.store)[0]}"
        )
    ),
    filling.count_round: explanation.owned_seeds,
    filling.fill: Summary(explanation.both_set_out),
}

RULE_BOOK = RuleBook(
    name="pallanguzhi",
    title="Pallanguzhi",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, holds_seeds, play, observe, worth=in_store),
    result=by_scores(filling.score, all_seeds, secured_score=in_store),
    campaign=Campaign(CAMPAIGN_OPTIONS, between_rounds=(settle,), owned=owned, standing=filling.owned_seeds),
    presentation=Presentation(
        board=lambda s: two_rows(s, blind=s.rubbish == 1),
        observation=observation,
        actions=lambda options: lifts(options["columns"]),
        phases={0: "lift a hole"},
        turn=lambda options: other_side(options["columns"]),
        descriptions=DESCRIPTIONS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "seeds at the last count" if options["campaign"] else "seeds in store and row",
    ),
    positions=Positions(check, counters=("store",)),
    check_options=check_options,
    most_decisions=most_decisions,
)
__doc__ = RULE_BOOK.page

"""
# Qelat (Bilen and Tigre; Eritrea), also Magazeb II

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 6 holes; option `columns` |
| Seeds | 4 a hole |
| Rewards | +1 / -1 / 0 at the end of the round, or of the campaign; `round_reward` adds rewards after each round |
| Import | `from mancala_envs import qelat_v0` (or `magazeb_ii_v0`, the same game) |

```
      11 10  9  8  7  6      North, player_1
  [1]                   [0]
       0  1  2  3  4  5      South, player_0
```
Sowing runs anticlockwise, by increasing number; the stores are off the ring.

## Rules
Source: R. Pankhurst, "Gabata and Related Board Games of Ethiopia and the Horn of Africa", Ethiopia Observer 14(3),
1971, pp. 167-168 and 171; and the Ludii portal's summary of it (evidence 1168 and 1299).

1. Lift one of your holes and sow "one by one in the following holes, his own or his opponent's", "invariably in an
   anti-clockwise direction".
2. After dropping the last seed, "pick up the contents of the hole in which it fell" and continue, "until he reached an
   empty hole". There the turn ends.
3. If the last seed falls "into an enemy hole containing three balls which would thus be increased to four", the hole
   becomes your *ekwarna*, your child. "A player could not take from his own ekwarna"; it stays yours "even if it became
   empty".
4. If the last seed falls into your own child ("drink, my child!"), it stays there and the turn ends.
5. If the last seed falls into a child of your opponent, you *eat* "one of the counters in that hole, and put it,
   together with the ball effecting this capture, aside", then continue "by picking up the contents of any of his
   holes".
6. A player without seeds in free holes, which are own holes that are nobody's child, is skipped, and resumes "if and
   when balls came into any of his free holes".
7. The round ends "when all the counters were captured either by being put aside or accumulated in ekwarna".
8. *The last hole.* When a player's only hole is captured in this way, the four seeds are put aside. The player keeps
   the hole and is "entitled to 'eat' from that hole": it is *spared* (`child` -1).
9. *The campaign.* Between rounds every four seeds buy a hole. A remainder of three seeds takes the hole from a
   remainder of one; at two and two "they would draw lots". The campaign ends with "one of the players gaining a
   monopoly ... of all twelve holes".

## Not settled by the source, decided here
* Which holes change hands: those at the border of the rows (`territory="border"`), or those that the player who gains
  holes chooses (`"choice"`).
* The opener of later rounds: the players in turn (`first="alternate"`), or the loser or the winner of the last round.
* Only the last seed and one more are eaten, as Pankhurst says. According to the summary only one seed is eaten in all
  (`reading="summary"`).
* Sowing that never ends stops after `max_laps` laps of a turn; the last lap captures nothing and makes no child.
* After `max_turns` turns a round ends, and the seeds in free holes count for their owners. After `max_rounds` rounds a
  campaign ends, and the player with more holes wins.
* If a loaded position has fewer seeds than the set-up, a hole that no seeds buy keeps its owner as far as possible.

## Options
`reward="margin"` pays the lead in seeds, in campaigns in holes. `round_reward` pays the lead in holes after each round
of a campaign, divided by the number of holes.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.book import Campaign, Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.chance import draw
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.observation import FAR, Columns, observe_phase, phase_columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD, ROUND_REWARD
from mancala_envs.core.record import BY_RULES, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH, two_rows
from mancala_envs.families.mancala.explanation import in_rows, sowing, whose
from mancala_envs.families.mancala.filling import FIRST, next_opener
from mancala_envs.families.mancala.position import check_capacity, check_seeds, fields, in_store, most_decisions
from mancala_envs.families.mancala.rows import (
    ROUNDS_LEFT,
    observe_rows,
    other_side,
    ring_hole,
    rounds_left,
    row_columns,
)
from mancala_envs.families.mancala.sow import lift, sow

__all__ = ["RULE_BOOK"]

SEEDS = 4
"""Seeds in a hole at the start of a round, and the price of a hole."""

LIFT, GO_ON, TAKE = 0, 3, 4
PHASES = {LIFT: "lift a hole", GO_ON: "go on from a hole after eating", TAKE: "take a hole of the loser"}
PHASE_NUMBERS = np.array(list(PHASES))

FREE, SPARED = 0, -1
"""Values of `child`; 1 + p is a child of player p."""

SUMMARY = 1
CHOICE = 1

OPTIONS = (
    Option("columns", 6, lowest=2, size=True),
    Option("reading", "text", choices=("text", "summary")),
    Option("max_turns", 300),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)
CAMPAIGN_OPTIONS = (
    Option("territory", "border", choices=("border", "choice")),
    Option("first", "alternate", choices=FIRST),
    Option("max_rounds", 300),
    ROUND_REWARD,
)


def record(options):
    holes = 2 * options["columns"]
    own = [
        Field("owner", "u1", "owner of each hole", (holes,)),
        Field("child", "i1", "state of each hole: 0 free, 1 player 0's child, 2 player 1's child, -1 spared", (holes,)),
        Field("owned", "u1", "holes of each player by `owner`; in phase 4 those that the player is entitled to", (2,)),
        Field("opener", "u1", "player who opened this round"),
        Field("laps", "i4", "laps sown in this turn; above 0 in phase 3 only"),
    ]
    return fields(holes, players=2, more=own)


@rule
def num_actions(s):
    return len(s.holes)


@rule
def begin(s):
    s.owned[:] = len(s.holes) // 2
    s.opener = 0
    hand_over_at_the_border(s)
    set_out(s)


@rule
def set_out(s):
    """Set up a round, with the holes owned as `owner` says."""
    s.holes[:] = SEEDS
    s.child[:] = FREE
    s.store[:] = 0
    s.turn = 0
    s.laps = 0
    s.phase = LIFT
    s.to_move = s.opener


# The turn.


@rule
def hole_of(s, action):
    """Return the hole of an action, which counts from the mover's row."""
    ring = len(s.holes)
    hole = action + ring // 2 * s.to_move
    return hole - ring if hole >= ring else hole


@rule
def may_lift(s, p, hole):
    return s.holes[hole] > 0 and s.owner[hole] == p and s.child[hole] <= FREE


@rule
def num_liftable(s, p):
    """Count the holes that player p may lift."""
    holes = 0
    for hole in range(len(s.holes)):
        holes += may_lift(s, p, hole)
    return holes


@rule
def legal(s, action):
    hole = hole_of(s, action)
    if s.phase == TAKE:
        return s.owner[hole] != s.to_move
    return may_lift(s, s.to_move, hole)


@rule
def play(s, action):
    hole = hole_of(s, action)
    if s.phase == TAKE:
        take_hole(s, hole)
        return
    goes_on = sow_on(s, hole)
    while goes_on and num_liftable(s, s.to_move) == 1:
        goes_on = sow_on(s, the_only_hole(s))
    if goes_on and num_liftable(s, s.to_move) > 1:
        s.phase = GO_ON
    else:
        end_turn(s)


@rule
def the_only_hole(s):
    for hole in range(len(s.holes)):
        if may_lift(s, s.to_move, hole):
            return hole
    return -1


STOPS, RELAYS, EATS, BEGETS = range(4)
"""Effects of a last seed: nothing, the hole is lifted, the mover eats, or the hole becomes the mover's child."""
MANY = SEEDS + 1
"""Larger numbers of seeds have the same effect as this one."""


def last_seed(mover, owner, child, seeds):
    """Return the effect of the last seed in a hole of `owner` that now holds `seeds`, at most MANY."""
    if child == 1 + mover:
        return STOPS
    if child == 2 - mover or (child == SPARED and owner == mover):
        return EATS
    if seeds == SEEDS and owner != mover:
        return BEGETS
    return RELAYS if seeds > 1 else STOPS


LAST_SEED = np.array(
    [
        [
            [[last_seed(mover, owner, child, n) for n in range(MANY + 1)] for child in (0, 1, 2, SPARED)]
            for owner in (0, 1)
        ]
        for mover in (0, 1)
    ],
    np.uint8,
)
"""`[mover, owner, child, seeds]`: see `last_seed`."""


@rule
def sow_on(s, hole):
    """Lift `hole` and sow lap after lap; return whether the mover eats at the end and so continues."""
    last, effect = relay(s, hole)
    if s.laps >= s.max_laps:
        return False
    if effect == EATS:
        eat(s, last)
    elif effect == BEGETS:
        make_child(s, last)
    return effect == EATS


@rule
def relay(s, hole):
    """Sow until the last hole is not lifted again; return this hole and the effect of the last seed."""
    effect = RELAYS
    while effect == RELAYS and s.laps < s.max_laps:
        hole = sow(s, hole)
        s.laps += 1
        effect = LAST_SEED[s.to_move, s.owner[hole], s.child[hole], min(s.holes[hole], MANY)]
    return hole, np.int64(effect)


@rule
def eat(s, hole):
    """Put aside the last seed and one more, if the hole held any; with `reading="summary"` only one seed in all."""
    eaten = 2 if s.holes[hole] > 1 and s.reading != SUMMARY else 1
    s.holes[hole] -= eaten
    s.store[s.to_move] += eaten


@rule
def make_child(s, hole):
    """Make a hole the mover's child; if it is its owner's only hole, capture its seeds and spare the hole."""
    if num_held(s, s.owner[hole]) == 1:
        s.store[s.to_move] += lift(s, hole)
        s.child[hole] = SPARED
    else:
        s.child[hole] = 1 + s.to_move


@rule
def num_held(s, p):
    """Count the holes that player p owns on the board."""
    holes = 0
    for hole in range(len(s.holes)):
        holes += s.owner[hole] == p
    return holes


@rule
def end_turn(s):
    """Pass the turn to the next player who can lift a hole; if nobody can, end the round."""
    mover = s.to_move
    s.laps = 0
    s.turn += 1
    if s.turn < s.max_turns and num_liftable(s, 1 - mover) > 0:
        begin_turn(s, 1 - mover)
    elif s.turn < s.max_turns and num_liftable(s, mover) > 0:
        begin_turn(s, mover)
    elif s.campaign:
        settle(s)
    else:
        s.ended = BY_RULES


@rule
def begin_turn(s, p):
    s.phase = LIFT
    s.to_move = p


@rule
def captured(s, p):
    """Count player p's seeds put aside and in children."""
    seeds = in_store(s, p)
    for hole in range(len(s.holes)):
        if s.child[hole] == 1 + p:
            seeds += s.holes[hole]
    return seeds


@rule
def seeds_of(s, p):
    """Count player p's seeds put aside, in children, and in free holes; the last occur only at `max_turns`."""
    seeds = captured(s, p)
    for hole in range(len(s.holes)):
        if s.child[hole] <= FREE and s.owner[hole] == p:
            seeds += s.holes[hole]
    return seeds


@rule
def score(s, p):
    """Return player p's score: seeds after a single round, holes after a campaign."""
    return np.int64(s.owned[p]) if s.campaign else seeds_of(s, p)


@rule
def total(s):
    return len(s.holes) if s.campaign else SEEDS * len(s.holes)


@rule
def owned(s, p):
    return np.int64(s.owned[p])


# The campaign.


@rule
def settle(s):
    """Let seeds buy holes; then start the next round, ask which holes to take, or end the campaign."""
    seeds = seeds_of(s, 0)
    others = seeds_of(s, 1)
    s.opener = next_opener(s, seeds - others)
    buy_holes(s, seeds, others)
    holes = len(s.holes)
    if s.owned[0] == holes or s.owned[1] == holes or s.round_number >= s.max_rounds:
        s.ended = BY_RULES
    elif s.territory == CHOICE:
        s.to_move = 0 if s.owned[0] > num_held(s, 0) else 1
        choose_holes(s)
    else:
        hand_over_at_the_border(s)
        next_round(s)


@rule
def buy_holes(s, seeds, others):
    """Let every four seeds buy a hole; a remainder of three wins the hole over one, two and two draw lots."""
    bought = seeds // SEEDS
    others_bought = others // SEEDS
    rest = seeds % SEEDS
    if rest + others % SEEDS == SEEDS:
        winner = draw(s, 2) if rest == 2 else 0 if rest == 3 else 1
        bought += winner == 0
        others_bought += winner == 1
    # With all seeds in play all holes are bought, and both bounds are equal.
    most = len(s.holes) - others_bought
    s.owned[0] = min(max(num_held(s, 0), bought), most)
    s.owned[1] = len(s.holes) - s.owned[0]


@rule
def hand_over_at_the_border(s):
    """Give the player with more holes their row and the first holes beyond its right end."""
    ring = len(s.holes)
    width = ring // 2
    gainer = 0 if s.owned[0] >= width else 1
    for step in range(ring):
        hole = (step + width * gainer) % ring
        s.owner[hole] = gainer if step < s.owned[gainer] else 1 - gainer


@rule
def choose_holes(s):
    """Ask the player who gains holes for the next one to take, or start the next round."""
    # At least two holes are there to choose from: with all holes taken the campaign is over.
    if num_held(s, s.to_move) < s.owned[s.to_move]:
        s.phase = TAKE
    else:
        next_round(s)


@rule
def take_hole(s, hole):
    s.owner[hole] = s.to_move
    choose_holes(s)


@rule
def next_round(s):
    s.round_number += 1
    set_out(s)


# Observations, actions, checks of positions and drawings.


@rule(inline=True)
def observe(s, p, out):
    observe_rows(s, p, s.max_turns, out)
    for step in range(len(s.holes)):
        hole = ring_hole(s, p, step)
        child = s.child[hole]
        out.own[step] = s.owner[hole] == p
        out.child[step] = 3 if child == SPARED else child if child == FREE else 1 if child == 1 + p else 2
    out.own_owned = s.owned[p]
    out.other_owned = s.owned[1 - p]
    observe_phase(s, PHASE_NUMBERS, out)
    out.laps_left = min(s.max_laps - s.laps, FAR) if s.phase == GO_ON else min(s.max_laps, FAR)
    out.rounds_left = rounds_left(s)
    out.opened = s.opener == p


def seeds(options):
    return 2 * options["columns"] * SEEDS


def observation(options):
    ring = 2 * options["columns"]
    return [
        *row_columns(options["columns"], seeds(options)),
        Columns("own", 1, "1 where the observing player owns the hole, own row first", place=range(ring)),
        Columns(
            "child",
            3,
            "0 free hole, 1 own child, 2 child of the other player, 3 spared; own row first",
            place=range(ring),
        ),
        Columns("own_owned", ring, "holes that the observing player owns"),
        Columns("other_owned", ring, "holes that the other player owns"),
        phase_columns(PHASES),
        Columns("laps_left", FAR, f"laps left in this turn, {FAR} where more"),
        ROUNDS_LEFT,
        Columns("opened", 1, "1 when the observing player opened this round"),
    ]


def actions(options):
    width = options["columns"]
    phases = {LIFT: "lift it to begin the turn", GO_ON: "lift it to go on after eating", TAKE: "take it from the loser"}
    rows = {"own": range(width), "other": range(width, 2 * width)}
    return [Actions(f"{whose} row hole {{place}}", phases, place=row) for whose, row in rows.items()]


def check(s, options, given):
    """Check that owners, children and phase agree; derive `owned` from `owner` if it is not given."""
    ring = len(s.holes)
    held = [int((s.owner == p).sum()) for p in (0, 1)]
    require(sum(held) == ring, "owner must be 0 or 1 in every hole")
    if "owner" in given and "owned" not in given:
        s.owned[:] = held
    owned = [int(holes) for holes in s.owned]
    require(sum(owned) == ring, f"owned must add up to {ring} holes, got {owned}")
    if "opener" not in given:
        s.opener = (s.round_number - 1) % 2
    require(s.opener in (0, 1), f"opener must be 0 or 1, got {s.opener}")
    most_laps = options["max_laps"] - 1 if s.phase == GO_ON else 0
    require(0 <= s.laps <= most_laps, f"laps must lie in 0..{most_laps} in phase {s.phase}")
    for hole in range(ring):
        child, owner = int(s.child[hole]), int(s.owner[hole])
        # While players choose holes, a hole that changes hands can still be a child of the last round.
        children = (FREE, SPARED, *((1, 2) if s.phase == TAKE else (2 - owner,)))
        require(child in children, f"child {child} of hole {hole} must be one of {children}")
        only = held[owner] == 1 or s.phase == TAKE
        require(child != SPARED or only, f"hole {hole} is spared (-1) but not its owner's only one")
    if s.phase == TAKE:
        in_choice = options["campaign"] and options["territory"] == "choice"
        require(in_choice, 'phase 4 needs a campaign with territory="choice"')
        require(owned[s.to_move] > held[s.to_move], "in phase 4 the player to move must have holes to take")
        over = max(owned) == ring or s.round_number == options["max_rounds"]
        require(not over, "there is no phase 4 when the campaign is over")
    elif s.to_move >= 0:
        require(owned == held, f"owned {owned} must agree with owner, which gives {held}")
    check_seeds(s, seeds(options))


def board(s):
    """Draw the board: rims show the owner, filled holes are children."""
    marks = [max(child, FREE) - 1 for child in s.child.tolist()]
    return two_rows(s, owners=s.owner, marks=marks)


def named(s, hole):
    """Name a hole as the actions do."""
    return in_rows(s, hole).replace(" ", " row ", 1)


def describe_child(before, s, hole):
    if s.child[hole] == SPARED:
        return f"captures {before.holes[hole]} from {named(s, hole)}, the owner's last one, which is spared"
    return f"makes {named(s, hole)} a child"


def describe_purchase(before, s, seeds, others):
    lot = ", by lot" if seeds % SEEDS == others % SEEDS == SEEDS // 2 else ""
    return f"player_0 has {seeds} seeds and player_1 {others}: they own {s.owned[0]} and {s.owned[1]} holes{lot}"


def describe_border(before, s):
    gained = [[whose(s, hole) for hole in np.flatnonzero((before.owner != p) & (s.owner == p))] for p in (0, 1)]
    return ", ".join(f"player_{p} takes over {' and '.join(holes)}" for p, holes in enumerate(gained) if holes)


DESCRIPTIONS: Descriptions = {
    **sowing(named),
    eat: lambda before, s, hole: f"eats {s.store[s.to_move] - before.store[s.to_move]} from {named(s, hole)}",
    make_child: Summary(describe_child),
    buy_holes: describe_purchase,
    hand_over_at_the_border: describe_border,
    take_hole: lambda before, s, hole: f"takes {whose(s, hole)}",
}

RULE_BOOK = RuleBook(
    name="qelat",
    title="Qelat",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, worth=captured),
    result=by_scores(score, total, secured_score=in_store),
    campaign=Campaign(CAMPAIGN_OPTIONS, between_rounds=(settle, take_hole), owned=owned, standing=score),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=PHASES,
        turn=lambda options: other_side(options["columns"]),
        descriptions=DESCRIPTIONS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "holes" if options["campaign"] else "seeds",
    ),
    positions=Positions(check, counters=("store",)),
    check_options=lambda options, campaign: check_capacity(seeds(options)),
    has_chance=lambda options, campaign: campaign,
    most_decisions=lambda options: most_decisions(options, seeds(options)),
)
__doc__ = RULE_BOOK.page

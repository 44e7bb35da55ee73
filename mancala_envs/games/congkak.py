"""
# Congkak (Malay Peninsula)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | 2 x 7 holes, called houses; option `columns` |
| Seeds | 7 a hole; option `seeds` |
| Rewards | +1 / -1 / 0 at the end of the round, or of the campaign; `round_reward` adds rewards after each round |
| Import | `from mancala_envs import congkak_v0` |

```
      13 12 11 10  9  8  7      North, player_1
  [0]                      [1]
       0  1  2  3  4  5  6      South, player_0
```
Sowing runs clockwise, by decreasing number, and each store is at its player's left. With `direction="anticlockwise"`
the board is reversed: the same game in a mirror. Sungka and Dakon are close kin.

## Rules
Sources: W. W. Skeat, *Malay Magic*, 1900, pp. 485-486; L. Russ, *Mancala Games*, 1984, p. 62; Malay school pages;
Wikipedia's "Southeast Asian mancala". The last three agree on the rules that are the defaults here.

1. Lift a hole of your own row and sow along *your circuit*: all holes, with your own store between your row and the
   other one. The other store and burnt holes are skipped. The lifted hole is not.
2. Last seed in your own store: go on in the same turn, with any hole of your own row.
3. Last seed in a hole that held seeds, on either side: lift all of it and sow on.
4. Last seed in an empty hole of the other row: it stays, and the turn ends.
5. Last seed in an empty hole of your own row: you *shoot* (*tembak*). The seeds of the opposite hole go to your store,
   and the last seed with them; if the opposite hole is empty, the last seed stays. The turn ends.
6. A player without seeds in their row passes, for as long as that lasts.
7. The round ends after a turn that leaves all holes empty. Each player counts their store and their row.

## The campaign
8. Players own what they counted, and fill their holes with `seeds` each. Holes that they cannot fill are *burnt*
   (*rumah terbakar*, *hangus*) for one round. The rest of their seeds are in their store.
9. The winner of a round opens the next one; after an even round, the player who did not open it.
10. A player who cannot fill a hole has lost. After `max_rounds` rounds the player with more seeds wins.

## Not settled by the source, decided here
* The last seed of rule 5 goes to the store only with captured seeds. In Skeat's and Bernardo's descriptions (1937, as
  Ludii has them) it stays (`own_seed="never"`); in a much copied description it is captured in any case (`"always"`).
* In some descriptions a player may shoot only if a seed has fallen in the other row before; otherwise the last seed
  stays (`shoot="circuit"`). A seed of any lap of the turn counts.
* According to Skeat a round ends when a row is empty (`finish="row"`), so nobody ever passes.
* Players fill holes from their store outwards (Russ), from the far end (Skeat; `fill="far"`), or name the holes that
  burn (Bernardo; `fill="choice"`).
* The player who had the last turn of a round opens the next one in Russ's description (`first="last"`).
* StoneShark's program ends a campaign earlier, at fewer than four holes (`houses=4`).
* Play is by turns from the first move. In many descriptions both players make the first move at once.
* Sowing that never ends is stopped after `max_laps` laps of a turn. The last lap captures nothing, and the turn ends
  even if the lap ends in the store.
* A round also ends at `max_turns`, with the same count, and a campaign at `max_rounds`.
* A loaded position may hold so few seeds that neither player can fill all holes. Both then have burnt holes, and
  player 0 names theirs first.

## Options
At most 255 seeds; `houses` is at most `columns`. With `reward="margin"` each player is paid their lead in seeds,
divided by all seeds.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.book import Campaign, Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.observation import FAR, Columns, observe_phase, phase_columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD, ROUND_REWARD
from mancala_envs.core.record import BY_RULES, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import explanation, filling
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH, two_rows
from mancala_envs.families.mancala.position import check_capacity, check_seeds, fields, in_store
from mancala_envs.families.mancala.rows import (
    ROUNDS_LEFT,
    all_seeds,
    next_on_ring,
    num_actions,
    observe_rows,
    other_side,
    own_hole,
    ring_hole,
    rounds_left,
    row_columns,
    row_is_empty,
    seeds,
)
from mancala_envs.families.mancala.sow import drop, drop_in_store, lift

__all__ = ["RULE_BOOK"]

LIFT, BURN, GO_ON = 0, 1, 3
PHASES = {LIFT: "lift a hole", BURN: "name a hole that burns", GO_ON: "go on from a hole after the store"}
PHASE_NUMBERS = np.array(list(PHASES))

STORE = -1
"""The place of the mover's own store on their circuit; the other places are holes."""

CLOCKWISE = 0
ALWAYS, NEVER = 1, 2
CIRCUIT = 1
ROW = 1
FROM_STORE, CHOICE = 0, 2
LAST = len(filling.FIRST)

OPTIONS = (
    Option("columns", 7, lowest=2, size=True),
    Option("seeds", 7),
    Option("direction", "clockwise", choices=("clockwise", "anticlockwise")),
    Option("own_seed", "captured", choices=("captured", "always", "never")),
    Option("shoot", "any", choices=("any", "circuit")),
    Option("finish", "stores", choices=("stores", "row")),
    Option("max_turns", 400),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)
CAMPAIGN_OPTIONS = (
    Option("fill", "store", choices=("store", "far", "choice")),
    Option("first", "winner", choices=(*filling.FIRST, "last")),
    filling.HOUSES,
    filling.MAX_ROUNDS,
    ROUND_REWARD,
)


def record(options):
    holes = 2 * options["columns"]
    own = [
        Field("burnt", "u1", "1 where the hole is out of play this round", (holes,)),
        filling.SEEDS_OWNED,
        filling.OPENER,
        Field("passed", "u1", '1 when, with `shoot="circuit"`, a seed of this turn has fallen in the other row'),
        Field("laps", "i4", "laps sown in this turn; above 0 in phase 3 only"),
    ]
    return fields(holes, players=2, more=own, store="seeds in the stores, by player")


@rule
def begin(s):
    s.holes[:] = s.seeds
    s.burnt[:] = 0
    s.store[:] = 0
    s.seeds_owned[:] = num_actions(s) * s.seeds
    s.opener = 0
    begin_turn(s, 0)


@rule
def begin_turn(s, p):
    s.passed = 0
    s.laps = 0
    s.phase = LIFT
    s.to_move = p


@rule
def legal(s, action):
    hole = own_hole(s, action)
    return s.burnt[hole] == 0 if s.phase == BURN else s.holes[hole] > 0


@rule
def play(s, action):
    if s.phase == BURN:
        burn(s, own_hole(s, action))
        return
    goes_on = sow_on(s, own_hole(s, action))
    while goes_on and holes_with_seeds(s) == 1:
        goes_on = sow_on(s, only_hole(s))
    if goes_on and holes_with_seeds(s) > 1:
        s.phase = GO_ON
    else:
        end_turn(s)


# The turn.


@rule
def holes_with_seeds(s):
    """Count the holes that the mover can lift."""
    holes = 0
    for action in range(num_actions(s)):
        holes += s.holes[own_hole(s, action)] > 0
    return holes


@rule
def only_hole(s):
    """Return the only hole that the mover can lift."""
    action = 0
    while s.holes[own_hole(s, action)] == 0:
        action += 1
    return own_hole(s, action)


@rule
def sow_on(s, hole):
    """Lift `hole` and sow, lap after lap; return whether the mover goes on after a last seed in their store."""
    while True:
        hole = sow(s, hole)
        s.laps += 1
        if s.laps >= s.max_laps:
            return False
        if hole == STORE:
            return True
        if s.holes[hole] == 1:
            if in_own_row(s, hole):
                shoot(s, hole)
            return False


@rule
def sow(s, hole):
    """Lift `hole` and sow along the mover's circuit; return the last place."""
    place = hole
    for _ in range(lift(s, hole)):
        place = next_place(s, place)
        if place == STORE:
            drop_in_store(s, s.to_move)
        else:
            drop(s, place)
            s.passed |= s.shoot == CIRCUIT and not in_own_row(s, place)
    return place


@rule
def next_place(s, place):
    """Return the next place of the mover's circuit."""
    step = -1 if s.direction == CLOCKWISE else 1
    before_store = own_hole(s, 0 if s.direction == CLOCKWISE else num_actions(s) - 1)
    if place == STORE:
        return filling.next_hole(before_store, s.burnt, step)
    # Burnt holes may lie between this hole and the store.
    while place != before_store:
        place = next_on_ring(place, len(s.holes), step)
        if not s.burnt[place]:
            return place
    return STORE


@rule
def in_own_row(s, hole):
    return hole // num_actions(s) == s.to_move


@rule
def shoot(s, hole):
    """Capture the seeds opposite `hole`, where only the mover's last seed lies, and that seed if `own_seed` says so."""
    if s.shoot == CIRCUIT and not s.passed:
        return
    seeds = lift(s, len(s.holes) - 1 - hole)
    if s.own_seed == ALWAYS or (seeds > 0 and s.own_seed != NEVER):
        seeds += lift(s, hole)
    s.store[s.to_move] += seeds


# The end of a turn and of a round.


@rule
def end_turn(s):
    """Let the other player move, or the same one if the other has no seeds in their row."""
    mover = np.int64(s.to_move)
    s.turn += 1
    if not is_round_over(s):
        begin_turn(s, mover if row_is_empty(s, 1 - mover) else 1 - mover)
    elif s.campaign:
        settle(s, mover)
    else:
        begin_turn(s, mover)
        s.ended = BY_RULES


@rule
def is_round_over(s):
    empty = row_is_empty(s, 0) + row_is_empty(s, 1)
    return s.turn >= s.max_turns or empty == 2 or (empty == 1 and s.finish == ROW)


# The campaign.


@rule
def settle(s, last_mover):
    """Count the round; then begin the next one, or end the campaign."""
    lead = filling.count_round(s)
    begin_turn(s, last_mover)
    if filling.ends_campaign(s):
        s.ended = BY_RULES
        return
    s.opener = last_mover if s.first == LAST else filling.next_opener(s, lead)
    s.round_number += 1
    s.turn = 0
    # Not `s.fill`, which in plain Python is a method of NumPy's records.
    how = s["fill"]
    if how == CHOICE:
        clear(s)
        choose_burnt(s)
    else:
        for p in range(2):
            filling.close_unfilled(s, p, s.burnt, (how == FROM_STORE) == (s.direction == CLOCKWISE))
        set_out(s)


@rule
def set_out(s):
    filling.fill(s, s.burnt)
    begin_turn(s, s.opener)


@rule
def clear(s):
    """Empty the board: put all seeds into the stores."""
    s.holes[:] = 0
    s.burnt[:] = 0
    for p in range(2):
        s.store[p] = s.seeds_owned[p]


@rule
def lacking(s):
    """Return the player who must still name a hole that burns, or -1."""
    for p in range(2):
        if filling.open_holes(s, p, s.burnt) > filling.fillable(s, p):
            return p
    return -1


@rule
def choose_burnt(s):
    """Let the player who lacks holes name another one; if nobody does, set the board out."""
    p = lacking(s)
    if p >= 0:
        s.phase = BURN
        s.to_move = p
    else:
        set_out(s)


@rule
def burn(s, hole):
    s.burnt[hole] = 1
    choose_burnt(s)


@rule
def owned(s, p):
    """Count the holes of player p that are not burnt."""
    return filling.open_holes(s, p, s.burnt)


# Observations, actions, checks of positions and drawings.


@rule(inline=True)
def observe(s, p, out):
    observe_rows(s, p, s.max_turns, out)
    for step in range(len(s.holes)):
        out.burnt[step] = s.burnt[ring_hole(s, p, step)]
    out.own_seeds = s.seeds_owned[p]
    out.other_seeds = s.seeds_owned[1 - p]
    observe_phase(s, PHASE_NUMBERS, out)
    out.passed = s.passed
    out.laps_left = min(s.max_laps - s.laps, FAR)
    out.rounds_left = rounds_left(s)
    out.opened = s.opener == p


def observation(options):
    most = seeds(options)
    return [
        *row_columns(options["columns"], most),
        Columns("burnt", 1, "1 where the hole is burnt, own row first", place=range(2 * options["columns"])),
        Columns("own_seeds", most, "seeds that the observing player owned when the round began"),
        Columns("other_seeds", most, "seeds that the other player owned then"),
        phase_columns(PHASES),
        Columns("passed", 1, "1 when, with shoot='circuit', a seed of this turn has fallen in the other row"),
        Columns("laps_left", FAR, f"laps left in this turn, {FAR} where more"),
        ROUNDS_LEFT,
        Columns("opened", 1, "1 when the observing player opened this round"),
    ]


def actions(options):
    phases = {LIFT: "lift it to begin the turn", GO_ON: "lift it to go on", BURN: "let it burn"}
    return [Actions("own hole {place}", phases, place=range(options["columns"]))]


def check_options(options, campaign):
    check_capacity(seeds(options))
    filling.check_houses(options)


def check(s, options, given):
    if s.phase == BURN:
        asked = options["campaign"] and options["fill"] == "choice" and s.round_number > 1
        require(asked, "phase 1 comes before the second and later rounds of a campaign with fill='choice'")
        if "holes" not in given:
            s.holes[:] = 0
        if "store" not in given:
            s.store[:] = s.seeds_owned
        elif "seeds_owned" not in given:
            s.seeds_owned[:] = s.store
    filling.check_closed(s, options, s.burnt, "burnt", seeds(options))
    check_seeds(s, seeds(options))
    most_laps = options["max_laps"] - 1 if s.phase == GO_ON else 0
    require(0 <= s.laps <= most_laps, f"laps must be 0..{most_laps} in phase {s.phase}, got {s.laps}")
    most_passed = 1 if s.phase == GO_ON and s.shoot == CIRCUIT else 0
    require(s.passed <= most_passed, f"passed must be at most {most_passed} in phase {s.phase}, got {s.passed}")
    if s.phase == BURN:
        require(not s.holes.any(), "in phase 1 holes must be 0")
        require(s.turn == 0, f"in phase 1 turn must be 0, got {s.turn}")
        owned = s.seeds_owned.tolist()
        require(s.store.tolist() == owned, f"in phase 1 store must be seeds_owned, {owned}, got {s.store.tolist()}")
        for p in range(2):
            fills = filling.fillable(s, p)
            require(
                filling.open_holes(s, p, s.burnt) >= fills,
                f"burnt must leave player {p} the {fills} holes they can fill",
            )
        require(lacking(s) == s.to_move, f"player {s.to_move} has no hole to name in phase 1")


def board(s):
    clockwise = s.direction == CLOCKWISE
    captions = ["clockwise" if clockwise else "anticlockwise"]
    return two_rows(s, captions=captions, blind=s.burnt == 1, left_stores=clockwise)


def describe_shot(before, s, hole):
    taken = [place for place in (hole, len(s.holes) - 1 - hole) if s.holes[place] < before.holes[place]]
    return explanation.captured(before, taken).replace("captures", "shoots: captures")


DESCRIPTIONS: Descriptions = {
    **explanation.sowing(),
    shoot: Summary(describe_shot),
    filling.count_round: explanation.owned_seeds,
    burn: lambda before, s, hole: f"{explanation.in_rows(before, hole)} burns",
    filling.fill: Summary(explanation.both_set_out),
}

RULE_BOOK = RuleBook(
    name="congkak",
    title="Congkak",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, worth=in_store),
    result=by_scores(filling.score, all_seeds, secured_score=in_store),
    campaign=Campaign(CAMPAIGN_OPTIONS, between_rounds=(settle, burn), owned=owned, standing=filling.owned_seeds),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=PHASES,
        turn=lambda options: other_side(options["columns"]),
        descriptions=DESCRIPTIONS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "seeds at the last count" if options["campaign"] else "seeds in store and row",
    ),
    positions=Positions(check, counters=("store",)),
    check_options=check_options,
    # A turn goes on only after a seed has fallen in a store, so at most `seeds` decisions of a round continue a turn.
    most_decisions=lambda options: options["max_turns"] + seeds(options) + 2 * options["columns"],
)
__doc__ = RULE_BOOK.page

"""
# Ceelkoqyuqkoqiji, "walking goats and buying holes" (Naxi; Lijiang, Yunnan)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North), or 4: `player_2` and `player_3` own the stores and decide nothing |
| Board | ring of 2 x 5 holes and two stores; options `columns`, `players` |
| Seeds | 5 small stones a hole, and two large ones: the *mu* (nanny-goat) and the *gong* (billy-goat) |
| Rewards | +1 / -1 / 0 (of four +1, the others -1/3) at the end of the round or campaign; see also `round_reward` |
| Import | `from mancala_envs import ceelkoqyuqkoqiji_v0` |

```
           9  8  7  6  5         North, player_1
  gong [1]               [0] mu
           0  1  2  3  4         South, player_0
```
The sowing ring is South's holes, the east store [0], North's holes, the west store [1], in this order if sown
anticlockwise. With four players the stores belong to `player_2` and `player_3`.

## Rules
Source: V. Eagle, "Some Newly Described Mancala Games from Yunnan Province, China", 1995, pp. 53-55, with the Ludii
portal's summary above that text (evidence 688).

1. *Who begins* each round: "index finger (snake) beats thumb (frog), which beats little finger (centipede), which in
   turn beats index finger" (`first="throw"`; by default a fair draw).
2. *The turn.* Lift one of your holes and sow; "play is in either direction". If the hole holds both kinds, "the stones
   may be sown in any order". "No player can play from a store."
3. *Relay* "from the postultimate hole": if the place after the last drop is not empty, lift it and continue sowing.
4. *Capture.* If that place is empty and the next one is not, capture the next one, and so on along "an alternating
   sequence of empty and non-empty holes". "If this and the next hole are both empty, the move ends with no capture."
5. *Stores* "are sinks": what is sown in them "in effect has been captured by the owner". A store counts as empty,
   "except when a store contains a large stone which never left it"; only that stone is relayed or captured from it.
   Such a stone is called *at home* here.
6. *Large stones*, or goats, "are played, relayed and captured just like the small stones".
7. *Huelshe.* A player to move who has no stones in their row may place "a single stone in each hole in his sector"; a
   player with fewer stones than holes uses holes that "must be consecutive". A player who does not place stones ends
   the round: "the round ends, and his opponent confiscates all the stones on his side". A huelshe is "obligatory" while
   a large stone is in its original store.
8. *Agreement.* "The round ends by mutual agreement, each player taking the few stones left in his sector."
9. *Goats.* After the round the large stones "must be bought back": "the mu is worth seven, and the gong is worth six".
10. *Loans.* A player who "has less than his original complement, must borrow"; one with a surplus "may not refuse to
    lend"; "the debt is remembered".
11. *Sales.* "If a player's debt to another reaches five, he is obliged to sell a hole". The player chooses the hole,
    and gets five stones "to repay debt and to fill holes, so long as the debt to any player does not exceed four".
12. *Sold holes* are sinks of the buyer. They are always empty, also for captures and in a huelshe.
13. *Buying back.* A player with "the five surplus stones needed" may buy a hole back, "but he must still have or borrow
    the stones needed to fill it".

Between rounds, in this order: the goats are paid for; debts are netted and repaid; holes are bought back; players who
are short of stones borrow or sell holes; the holes are filled, and the stones left over are the stock for the next
round. After every payment except those for goats, mutual debts cancel and every surplus repays debts. See
`families.mancala.ledger`.

The result of a round counts stones and the prices of the large stones won. The result of a campaign counts stones,
claims less debts, and holes at `hole_price`; with two players, one who sells the last hole has lost.

## Not settled by the source, decided here
* The mu belongs to the owner of the east store, the gong to the owner of the west store.
* "The few stones left": a player may offer to end the round once a turn, as its first decision, when at most two stones
  per column are on the board and no goat is at home, which "would belong to neither player".
* A sequence of captures goes round the ring once at most and can end with the hole sown last.
* Sold holes do not interrupt the run of holes of a huelshe. A player without a stone for it has declined it; a goat at
  home then goes to the owner of its store.
* After eight tied throws chance decides who begins.
* The player with the largest surplus lends or buys first; of equal ones the lower number. The stones missing to fill a
  hole that was bought back come first from its former owner. Every surplus repays debts at once. Owners of stores, who
  have no holes, borrow without limit.
* After a sale all players are checked again, from player 0, until nobody is short.
* A campaign ends when the last hole of a row is sold, or after `max_rounds` rounds; then the higher worth wins.
* After `max_turns` turns a round ends as by agreement. A turn ends after `max_laps` laps; the last lap neither relays
  nor captures.
* In loaded positions stones can be missing. A player who is short when nobody has a surplus then sells a hole to the
  player nearest to a surplus, and the owner of a store borrows from the largest stock.

## Observation
A thrown finger is hidden in observations, pictures and `text(state, player)` until both players have thrown. The owner
of a store sees the board from the row at whose right end the store is.

## Options
The source also has `prices` of (5, 5), and (7, 7) with seven columns and seeds. `round_reward` pays the lead in worth
after each round of a campaign, divided by the total worth.

## Random play
Means of 20000 rounds and 4000 campaigns. The standard error of a share is about 0.004 for rounds and 0.008 for
campaigns.

| | decisions | turns per round | rounds | won by player 0, 1, 2, 3 |
|---|---|---|---|---|
| round | 19.8 | 14.4 | 1 | 0.50, 0.50 |
| round, `agreement=False` | 27.2 | 22.8 | 1 | 0.50, 0.50 |
| round, four players | 19.8 | 14.4 | 1 | 0.47, 0.47, 0.02, 0.02 |
| campaign | 242 | 12.1 | 13.9 | 0.43, 0.57 |
| campaign, four players | 131 | 9.5 | 9.6 | 0.16, 0.15, 0.27, 0.42 |

The mean reward of the player who begins a round is 0.03. 59% of the rounds end by agreement, 41% by a declined huelshe,
0.05% by one that is impossible; none reached `max_turns`, and the longest had 129 turns. The mu costs one stone more
than the gong in each round, which is player 1's advantage in a campaign. 94% of the campaigns end with a last hole sold
(99% with four players).

## Versions
* v0: first version.
"""

from dataclasses import replace

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import in_python
from mancala_envs.core.board import Place
from mancala_envs.core.book import Campaign, Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.chance import draw
from mancala_envs.core.explanation import Descriptions, SmallEvent, Summary
from mancala_envs.core.observation import CLOCK, FAR, Columns, observe_clock, phase_columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD, ROUND_REWARD
from mancala_envs.core.record import BY_RULES, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import ledger
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH, two_rows
from mancala_envs.families.mancala.explanation import LEDGER, captured, emptied, in_rows, sowing
from mancala_envs.families.mancala.position import check_capacity, check_seeds, fields, most_decisions, num_players
from mancala_envs.families.mancala.rows import ROUNDS_LEFT, other_side, ring_hole, rounds_left, row_begins, seeds
from mancala_envs.families.mancala.sow import drop, drop_in_store, lift

__all__ = ["RULE_BOOK"]

LIFT, DROP, ANSWER, HUELSHE, THROW, SELL, BUY_BACK = range(7)
PHASES = {
    LIFT: "lift a hole, or offer to end the round",
    DROP: "choose the stone to drop next",
    ANSWER: "answer an offer to end the round",
    HUELSHE: "huelshe or decline",
    THROW: "throw a finger",
    SELL: "choose the hole to sell",
    BUY_BACK: "buy back a sold hole or decline",
}

MU, GONG = 0, 1
GOATS = ("mu", "gong")
SMALL = 0
"""Kind of a small stone; 1 + g is the kind of goat g."""
HOME = -1
"""Value of `large` for a goat that has never left its store; see `owned_by` and `in_hand` for other values."""
UNTHROWN = -1
MOST_TIES = 8
BELOW = 1
"""Of the two columns of a stock, the one with its shortage below zero."""

CHANCE, FINGERS = 0, 1
MOST_STONES = 1_000_000
"""Maximum price, so that stocks do not overflow."""

OPTIONS = (
    Option("players", 2, choices=(2, 4), size=True),
    Option("columns", 5, size=True),
    Option("seeds", 5),
    Option("prices", (7, 6), length=2, highest=MOST_STONES),
    Option("hole_price", None, like="seeds", highest=MOST_STONES),
    Option("debt_limit", None, like="seeds"),
    Option("first", "chance", choices=("chance", "throw", "player_0")),
    Option("agreement", True, choices=(False, True)),
    Option("max_turns", 150),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)
CAMPAIGN_OPTIONS = (Option("max_rounds", 30), ROUND_REWARD)


def record(options):
    players, holes = options["players"], 2 * options["columns"]
    ring = f"{options['columns']} and {holes + 1} the stores of mu and gong"
    own = [
        Field(
            "large",
            "i2",
            f"where mu and gong are: a hole; {holes} in the hand; -1 at home; -2 - p won by player p",
            (2,),
        ),
        Field("sold_to", "i1", "buyer of each hole; -1 if it is not sold", (holes,)),
        Field("debt", "i4", "stones that player i owes player j, in row i", (players, players)),
        Field("asked_first", "i1", "lender whom each player asks first; -1 if there is none", (players,)),
        Field("hand", "u1", "small stones in the hand, in phase 1; otherwise 0"),
        Field(
            "at", "i2", f"in phase 1 the place sown last, counted round the ring with its stores: {ring}; otherwise -1"
        ),
        Field("heading", "i1", "direction of the sowing in phase 1: 1 anticlockwise, -1 clockwise; otherwise 0"),
        Field("offered", "u1", "1 once the mover may no longer offer this turn, and in phase 2"),
        Field("thrown", "i1", "finger of each player: 0 thumb, 1 index finger, 2 little finger; -1 not thrown", (2,)),
        Field("ties", "u1", "tied throws in this round"),
        Field("laps", "i4", "laps sown in this turn; above 0 in phase 1 only"),
    ]
    stones = "small stones in the holes: player 0's row, then player 1's, anticlockwise"
    stock = "small stones off the board, by player; below 0 for a shortage while holes are sold and bought back"
    return fields(holes, players, own, stones, stock, "i4")


# Numbers of actions. The first ones lift a hole anticlockwise, lift a hole clockwise, and drop a kind of stone.


@rule
def offer(s):
    return len(s.holes) + 3


@rule
def yes(s):
    return len(s.holes) + 4


@rule
def no(s):
    return len(s.holes) + 5


@rule
def first_hole(s):
    return len(s.holes) + 6


@rule
def thumb(s):
    return first_hole(s) + len(s.holes) // 2


@rule
def num_actions(s):
    return thumb(s) + 3


@rule
def names_hole(s, action):
    return first_hole(s) <= action < thumb(s)


@rule
def named_hole(s, action):
    """Return the mover's hole that an action names."""
    return row_begins(s, s.to_move) + action - first_hole(s)


# The ring: South's holes, the east store, North's holes, the west store. Places are numbered in this order.


@rule
def place_of(s, hole):
    return hole if hole < len(s.holes) // 2 else hole + 1


@rule
def goat_of_store(s, place):
    """Return the goat whose store a place is, or -1 if it is a hole."""
    width = len(s.holes) // 2
    return MU if place == width else GONG if place == 2 * width + 1 else -1


@rule
def hole_at(s, place):
    """Return the hole at a place that is not a store."""
    return place if place < len(s.holes) // 2 else place - 1


@rule
def onward(s, place):
    """Return the next place in the direction of sowing."""
    return (place + np.int64(s.heading)) % (len(s.holes) + 2)


@rule
def store_owner(s, goat):
    """Return the owner of a goat's store: its row's player, or with four players one of the other two."""
    return goat + len(s.store) - 2


@rule
def sink_at(s, place):
    """Return who gains a stone dropped at a place, the owner of a store or a sold hole; -1 if the stone stays."""
    goat = goat_of_store(s, place)
    return store_owner(s, goat) if goat >= 0 else s.sold_to[hole_at(s, place)]


@rule
def owned_by(p):
    """Return the value of `large` for a goat that player p has won."""
    return -2 - p


@rule
def winner_of(s, goat):
    """Return the player who has won a goat; a negative number if nobody has."""
    return -2 - s.large[goat]


@rule
def in_hand(s):
    """Return the value of `large` for a goat in the hand."""
    return len(s.holes)


# The round begins.


@rule
def begin(s):
    s.sold_to[:] = ledger.UNSOLD
    s.debt[:] = 0
    s.store[:] = 0
    s.store[:2] = s.seeds * (len(s.holes) // 2)
    set_out(s)


@rule
def set_out(s):
    """Fill the unsold holes from the stocks, and choose who begins or ask for throws."""
    for hole in range(len(s.holes)):
        s.holes[hole] = s.seeds if ledger.is_unsold(s, hole) else 0
    for p in range(ledger.ROWS):
        s.store[p] = ledger.balance(s, p)
    s.large[:] = HOME
    s.asked_first[:] = -1
    s.thrown[:] = UNTHROWN
    s.ties = 0
    s.turn = 0
    s.phase = LIFT
    clear_turn(s)
    if s.first == FINGERS:
        s.phase = THROW
        s.to_move = 0
    else:
        s.to_move = draw(s, 2) if s.first == CHANCE else 0


@rule
def clear_turn(s):
    """Clear the hand and the offer."""
    s.hand = 0
    s.at = -1
    s.heading = 0
    s.offered = 0
    s.laps = 0


@rule
def throw(s, finger):
    """Throw a finger: index (1) beats thumb (0), thumb beats little (2), little beats index; a tie is repeated."""
    s.thrown[s.to_move] = finger
    if s.to_move == 0:
        s.to_move = 1
        return
    # Player 0's finger is missing in states from which it is hidden, as in player 1's search.
    if s.thrown[0] == UNTHROWN:
        s.thrown[0] = draw(s, 3)
    lead = (s.thrown[0] - s.thrown[1]) % 3
    if lead > 0:
        s.phase = LIFT
        s.to_move = 0 if lead == 1 else 1
        return
    s.ties += 1
    if s.ties == MOST_TIES:
        s.phase = LIFT
        s.to_move = draw(s, 2)
    else:
        s.thrown[:] = UNTHROWN
        s.to_move = 0


@rule
def hide(s, p):
    """Hide player 0's finger from all other players until both have thrown."""
    if s.phase == THROW and p != 0:
        s.thrown[0] = UNTHROWN


# Decisions.


@rule
def legal(s, action):
    if s.phase == LIFT:
        if action < len(s.holes):
            return may_lift(s, hole_to_lift(s, action))
        return action == offer(s) and may_offer(s)
    if s.phase == DROP:
        return len(s.holes) <= action < offer(s) and holds_kind(s, action - len(s.holes))
    if s.phase == ANSWER:
        return action == yes(s) or action == no(s)
    if s.phase == HUELSHE:
        if action == no(s):
            return not goat_at_home(s)
        return names_hole(s, action) and may_begin_run(s, named_hole(s, action))
    if s.phase == THROW:
        return action >= thumb(s)
    if s.phase == SELL:
        return names_hole(s, action) and ledger.is_unsold(s, named_hole(s, action))
    return action == no(s) or (names_hole(s, action) and not ledger.is_unsold(s, named_hole(s, action)))


@rule
def play(s, action):
    if s.phase == LIFT and action == offer(s):
        offer_to_end(s)
    elif s.phase == LIFT:
        sow_from(s, hole_to_lift(s, action), 1 if action < len(s.holes) // 2 else -1)
    elif s.phase == DROP:
        sow_chosen(s, action - len(s.holes))
    elif s.phase == ANSWER:
        answer(s, action == yes(s))
    elif s.phase == HUELSHE:
        if action == no(s):
            end_round(s)
        else:
            huelshe(s, named_hole(s, action))
    elif s.phase == THROW:
        throw(s, action - thumb(s))
    elif s.phase == SELL:
        sell(s, named_hole(s, action))
    else:
        buy_back(s, named_hole(s, action), action == no(s))


# The turn.


@rule
def hole_to_lift(s, action):
    return row_begins(s, s.to_move) + action % (len(s.holes) // 2)


@rule
def may_lift(s, hole):
    return ledger.is_unsold(s, hole) and holds_anything(s, hole)


@rule
def holds_anything(s, hole):
    return s.holes[hole] > 0 or s.large[MU] == hole or s.large[GONG] == hole


@rule
def can_lift(s, p):
    """Return whether p can lift any hole."""
    for hole in range(row_begins(s, p), ledger.row_ends(s, p)):
        if may_lift(s, hole):
            return True
    return False


@rule
def sow_from(s, hole, heading):
    """Lift a hole and sow."""
    s.heading = heading
    lift_place(s, place_of(s, hole))
    sow_on(s)


@rule
def sow_chosen(s, kind):
    """Drop a stone of the kind that the mover chose, and continue sowing."""
    drop_next(s, kind)
    sow_on(s)


@rule
def sow_on(s):
    """Sow the stones in the hand and relay, until the mover must choose a kind of stone or the turn ends."""
    drop_single_kind(s)
    while kinds_in_hand(s) == 0:
        s.laps += 1
        if s.laps >= s.max_laps:
            end_turn(s)
            return
        if not is_full(s, onward(s, s.at)):
            capture(s)
            end_turn(s)
            return
        lift_place(s, onward(s, s.at))
        drop_single_kind(s)
    s.phase = DROP


@rule
def lift_place(s, place):
    """Lift all stones of a hole, or the goat of a store, into the hand."""
    s.at = place
    goat = goat_of_store(s, place)
    if goat >= 0:
        s.large[goat] = in_hand(s)
        return
    hole = hole_at(s, place)
    s.hand = lift(s, hole)
    for goat in range(2):
        if s.large[goat] == hole:
            s.large[goat] = in_hand(s)


@rule
def holds_kind(s, kind):
    return s.hand > 0 if kind == SMALL else s.large[kind - 1] == in_hand(s)


@rule
def kinds_in_hand(s):
    kinds = 0
    for kind in range(3):
        kinds += holds_kind(s, kind)
    return kinds


@rule
def drop_single_kind(s):
    """Drop stones while the hand holds only one kind."""
    while kinds_in_hand(s) == 1:
        for kind in range(3):
            if holds_kind(s, kind):
                drop_next(s, kind)


@rule
def drop_next(s, kind):
    """Drop one stone of a kind on the next place; stores and sold holes are sinks."""
    s.at = onward(s, s.at)
    sink = sink_at(s, s.at)
    if kind != SMALL:
        s.large[kind - 1] = owned_by(sink) if sink >= 0 else hole_at(s, s.at)
        return
    s.hand -= 1
    if sink >= 0:
        drop_in_store(s, sink)
    else:
        drop(s, hole_at(s, s.at))


@rule
def is_full(s, place):
    """Return whether a place is full: a hole that can be lifted, or a store whose goat has never left it."""
    goat = goat_of_store(s, place)
    return s.large[goat] == HOME if goat >= 0 else may_lift(s, hole_at(s, place))


@rule
def capture(s):
    """Capture every full place that follows an empty one, while they alternate, at most once round the ring."""
    place = onward(s, s.at)
    for _ in range(len(s.holes) // 2 + 1):
        target = onward(s, place)
        if is_full(s, place) or not is_full(s, target):
            return
        goat = goat_of_store(s, target)
        if goat >= 0:
            s.large[goat] = owned_by(s.to_move)
        else:
            take_hole(s, s.to_move, hole_at(s, target))
        place = onward(s, target)


@rule
def take_hole(s, p, hole):
    """Let player p take all stones of a hole."""
    s.store[p] += lift(s, hole)
    for goat in range(2):
        if s.large[goat] == hole:
            s.large[goat] = owned_by(p)


@rule
def end_turn(s):
    """Pass the turn to the other player, who lifts a hole or is asked for a huelshe; otherwise end the round."""
    pass_on(s)
    if s.turn >= s.max_turns:
        end_round(s)
    elif can_lift(s, s.to_move):
        s.phase = LIFT
    elif s.store[s.to_move] > 0:
        s.phase = HUELSHE
    else:
        end_round(s)


@rule
def pass_on(s):
    clear_turn(s)
    s.turn += 1
    s.to_move = 1 - s.to_move


# Huelshe.


@rule
def may_begin_run(s, hole):
    """Return whether a huelshe can start at `hole`: it must fit into the unsold holes up to the end of the row."""
    mover = s.to_move
    holes = 0
    for other in range(hole, ledger.row_ends(s, mover)):
        holes += ledger.is_unsold(s, other)
    return ledger.is_unsold(s, hole) and holes >= min(s.store[mover], ledger.unsold(s, mover))


@rule
def huelshe(s, first):
    """Place one stone in each unsold hole from `first` on, as far as the stock suffices."""
    mover = s.to_move
    for hole in range(first, ledger.row_ends(s, mover)):
        if ledger.is_unsold(s, hole) and s.store[mover] > 0:
            s.holes[hole] = 1
            s.store[mover] -= 1
    s.phase = LIFT
    s.offered = 1


# Agreement.


@rule
def may_offer(s):
    """Return whether the mover may offer to end the round: once a turn, with few stones left and no goat at home."""
    return s.agreement > 0 and s.offered == 0 and not goat_at_home(s) and stones_on_board(s) <= len(s.holes)


@rule
def goat_at_home(s):
    """Return whether a goat has never left its store."""
    return s.large[MU] == HOME or s.large[GONG] == HOME


@rule
def stones_on_board(s):
    """Count the stones in all holes, small and large."""
    stones = np.int64(s.large[MU] >= 0) + np.int64(s.large[GONG] >= 0)
    for hole in range(len(s.holes)):
        stones += s.holes[hole]
    return stones


@rule
def offer_to_end(s):
    s.offered = 1
    s.phase = ANSWER
    s.to_move = 1 - s.to_move


@rule
def answer(s, agrees):
    """Answer an offer: end the round, or give the move back to the player who offered."""
    s.phase = LIFT
    s.to_move = 1 - s.to_move
    if agrees:
        end_round(s)


# The end of the round.


@rule
def end_round(s):
    """Give each player the stones in their row, and goats that never left their store to its owner; then settle."""
    clear_turn(s)
    s.phase = LIFT
    for p in range(ledger.ROWS):
        s.store[p] += lift_row(s, p)
    for goat in range(2):
        if s.large[goat] == HOME:
            s.large[goat] = owned_by(store_owner(s, goat))
        elif s.large[goat] >= 0:
            s.large[goat] = owned_by(s.large[goat] // (len(s.holes) // 2))
    if s.campaign:
        settle(s)
    else:
        s.ended = BY_RULES


@rule
def lift_row(s, p):
    """Take all small stones out of p's row; return their number."""
    stones = 0
    for hole in range(row_begins(s, p), ledger.row_ends(s, p)):
        stones += lift(s, hole)
    return stones


# The campaign: the settlement between rounds.


@rule
def settle(s):
    buy_back_goats(s)
    if s.round_number >= s.max_rounds:
        s.ended = BY_RULES
        return
    ledger.clear(s)
    offer_holes(s, 0)


@rule
def buy_back_goats(s):
    for goat in range(2):
        owner = store_owner(s, goat)
        if winner_of(s, goat) != owner:
            ledger.pay(s, owner, winner_of(s, goat), s.prices[goat])
    s.large[:] = HOME


@rule
def offer_holes(s, p):
    """Ask the first player from p on who may buy back a hole; if nobody may, balance the books."""
    while p < ledger.ROWS and not ledger.may_buy_back(s, p):
        p += 1
    if p < ledger.ROWS:
        s.phase = BUY_BACK
        s.to_move = p
    else:
        balance_books(s)


@rule
def buy_back(s, hole, declined):
    buyer = np.int64(s.to_move)
    s.phase = LIFT
    if declined:
        offer_holes(s, buyer + 1)
    else:
        ledger.buy_back(s, buyer, hole)
        offer_holes(s, buyer)


@rule
def balance_books(s):
    """Let players who are short borrow, then sell, until nobody is short; ask a player who can choose a hole to sell.

    Then start the next round.
    """
    while ledger.first_short(s) >= 0:
        p = ledger.first_short(s)
        ledger.borrow(s, p)
        if ledger.balance(s, p) < 0:
            if p >= ledger.ROWS:
                ledger.borrow_from_stock(s, p)
            elif ledger.unsold(s, p) > 1:
                s.phase = SELL
                s.to_move = p
                return
            else:
                sell_last(s, p)
                return
    s.round_number += 1
    set_out(s)


@rule
def sell(s, hole):
    s.phase = LIFT
    ledger.sell(s, s.to_move, hole)
    balance_books(s)


@rule
def sell_last(s, p):
    """Sell p's last hole and end the campaign."""
    for hole in range(row_begins(s, p), ledger.row_ends(s, p)):
        if ledger.is_unsold(s, hole):
            ledger.sell(s, p, hole)
    s.ended = BY_RULES


# Scores.


@rule
def secured(s, p):
    """Return p's stones and the prices of p's goats; in a campaign also claims less debts, and holes.

    No payment of the settlement changes the value in a campaign.
    """
    stones = ledger.worth(s, p) if s.campaign else np.int64(s.store[p])
    return stones + price_of_goats(s, p)


@rule
def price_of_goats(s, p):
    """Return the prices of the goats that p has won or, between rounds, has at home."""
    price = np.int64(0)
    for goat in range(2):
        home = s.large[goat] == HOME and s.phase >= SELL and store_owner(s, goat) == p
        if winner_of(s, goat) == p or home:
            price += s.prices[goat]
    return price


@rule
def score(s, p):
    """Return p's score; at the end of a campaign the goats are already paid for."""
    return ledger.worth(s, p) if s.campaign else secured(s, p)


@rule
def total(s):
    stones = np.int64(s.seeds) * len(s.holes)
    if s.campaign:
        return stones + np.int64(s.hole_price) * len(s.holes)
    return stones + s.prices[MU] + s.prices[GONG]


@rule
def ahead(s, p, q):
    """Return p's lead over q in the score; with two players in a campaign, one without holes has lost."""
    if s.campaign and len(s.store) == 2:
        loser = ledger.sold_out(s)
        if loser >= 0:
            return 1 if q == loser else -1
    return score(s, p) - score(s, q)


@rule
def standing(s, p):
    """Return p's worth if the round ended now, with the stones of p's row and the prices of goats that are won."""
    stones = ledger.worth(s, p)
    if p < ledger.ROWS:
        for hole in range(row_begins(s, p), ledger.row_ends(s, p)):
            stones += s.holes[hole]
    for goat in range(2):
        if winner_of(s, goat) >= 0:
            stones += s.prices[goat] * (np.int64(winner_of(s, goat) == p) - np.int64(store_owner(s, goat) == p))
    return stones


# Observations, actions, checks of positions and drawings.


@rule(inline=True)
def observe(s, p, out):
    """Write the columns of `observation`: own side first, and player q as number q ^ p.

    That number is 0 for player p, 1 for the player opposite, and 2 and 3 for the others.
    """
    ring = len(s.holes)
    players = len(s.store)
    side = p % 2
    own_goat, other_goat = np.int64(s.large[side]), np.int64(s.large[1 - side])
    for step in range(ring):
        hole = ring_hole(s, side, step)
        buyer = np.int64(s.sold_to[hole])
        out.hole[step] = s.holes[hole]
        out.own_goat_in[step] = own_goat == hole
        out.other_goat_in[step] = other_goat == hole
        out.sold[step] = 0 if buyer < 0 else 1 + (buyer ^ p)
    out.own_goat_home = own_goat == HOME
    out.own_goat_in_hand = own_goat == in_hand(s)
    out.other_goat_home = other_goat == HOME
    out.other_goat_in_hand = other_goat == in_hand(s)
    most_short = np.int64(max(s.prices[MU], s.prices[GONG], s.hole_price))
    pair = 0
    for other in range(players):
        out.own_goat_is[other] = own_goat == owned_by(other ^ p)
        out.other_goat_is[other] = other_goat == owned_by(other ^ p)
        stock = np.int64(s.store[other ^ p])
        out.stock[2 * other] = min(max(stock, 0), s.seeds * ring + most_short * (players - 1))
        out.stock[2 * other + BELOW] = min(max(-stock, 0), most_short)
        for lender in range(players):
            if lender != other:
                out.owes[pair] = min(s.debt[other ^ p, lender ^ p], FAR)
                pair += 1
    for phase in range(len(out.phase)):
        out.phase[phase] = s.to_move >= 0 and s.phase == phase
    out.own_finger = 1 + s.thrown[side] if s.phase != THROW or p < 2 else 0
    out.other_finger = 1 + s.thrown[1 - side] if s.phase != THROW else 0
    out.ties = s.ties
    out.hand = s.hand
    out.heading = s.heading % 3
    out.offered = s.offered
    own_row = ring // 2 + 1 if side else 0
    for step in range(ring + 2):
        out.at[step] = s.at == (own_row + step) % (ring + 2)
    observe_clock(s, p, s.max_turns, out)
    out.laps_left = min(s.max_laps - s.laps, FAR)
    out.round_number = min(s.round_number, FAR)
    out.rounds_left = rounds_left(s)


def observation(options):
    ring, players, stones = range(2 * options["columns"]), options["players"], seeds(options)
    names = ("own", "other") if players == 2 else ("own", "opposite", "third", "fourth")
    words = ("the observing player", "the player opposite", "the third player", "the fourth player")
    who = dict(zip(names, words, strict=False))
    most_short = max(*options["prices"], options["hole_price"])
    stocks = {}
    for name, player in who.items():
        stocks |= {f"{name}_stock": f"{player} has off the board", f"{name}_below": f"{player} is short of"}
    debts = {f"{a}_owes_{b}": f"{who[a]} owes {who[b]}" for a in names for b in names if a != b}
    return [
        Columns("hole", stones, "small stones in the own side's row, left to right, then in the other row", place=ring),
        Columns("own_goat_in", 1, "1 where the own side's goat lies, in the order of the holes", place=ring),
        Columns("other_goat_in", 1, "1 where the other side's goat lies", place=ring),
        Columns("sold", players, "0 unsold, otherwise 1 + the buyer: " + ", ".join(who.values()), place=ring),
        *goat_columns("own", who),
        *goat_columns("other", who),
        Columns(
            "stock",
            (stones + most_short * (players - 1), most_short) * players,
            "stones {each}",
            each=stocks,
            bare=True,
        ),
        Columns("owes", FAR, f"stones {{each}}, {FAR} where more", each=debts, bare=True),
        phase_columns(PHASES),
        Columns("own_finger", 3, "finger of the own side: 1 thumb, 2 index, 3 little finger; 0 not thrown or hidden"),
        Columns("other_finger", 3, "finger of the other side; 0 until both have thrown"),
        Columns("ties", MOST_TIES, "tied throws in this round"),
        Columns("hand", stones, "small stones in the sower's hand"),
        Columns("heading", 2, "direction of the sowing: 1 anticlockwise, 2 clockwise, 0 nobody sows"),
        Columns("offered", 1, "1 once the mover may no longer offer this turn"),
        Columns(
            "at",
            1,
            "1 at the place sown last: own row, store at its right, other row, other store",
            each=range(len(ring) + 2),
        ),
        *CLOCK,
        Columns("laps_left", FAR, f"laps left in this turn, {FAR} where more"),
        Columns("round_number", FAR, f"number of the round, {FAR} where higher"),
        ROUNDS_LEFT,
    ]


def goat_columns(side, who):
    """Return the columns of a side's goat that is in no hole; `who` maps names of players in columns to words."""
    goat = f"the {side} side's goat"
    return [
        Columns(f"{side}_goat_home", 1, f"1 when {goat} has never left its store this round"),
        Columns(f"{side}_goat_in_hand", 1, f"1 when {goat} is in the sower's hand"),
        Columns(f"{side}_goat_is", 1, f"1 when {{each}} has won {goat}", each=who),
    ]


def check(s, options, given):
    """Check that goats, sold holes, hand and phase agree."""
    width, players = options["columns"], options["players"]
    ring, phase, mover = 2 * width, int(s.phase), int(s.to_move)
    sold, goats, thrown = s.sold_to.tolist(), s.large.tolist(), s.thrown.tolist()
    over, between = mover < 0, phase in (SELL, BUY_BACK)
    require(mover < 2, f"to_move must be 0 or 1, the players with rows; got {mover}")
    for hole, buyer in enumerate(sold):
        fits = ledger.UNSOLD <= buyer < players and buyer != hole // width
        require(fits, f"sold_to {buyer} of hole {hole} must be -1 or a player other than its row's")
        require(buyer < 0 or not holds_anything(s, hole), f"hole {hole} is sold and must be empty")
    rows = [sold[:width], sold[width:]]
    require(over or all(ledger.UNSOLD in row for row in rows), "both rows must have an unsold hole")
    require((s.debt >= 0).all() and not s.debt.diagonal().any(), "debt must be at least 0, and 0 on the diagonal")
    require(all(-1 <= p < players for p in s.asked_first), f"asked_first must lie in -1..{players - 1}")
    require(over or between or (s.store >= 0).all(), "store may be below 0 only in phases 5 and 6")
    require(all(-2 - players < place <= ring for place in goats), f"large must lie in {-1 - players}..{ring}")
    require(phase == DROP or ring not in goats, f"a large stone is in the hand ({ring}) only in phase 1")
    require(all(-1 <= finger <= 2 for finger in thrown), "thrown must lie in -1..2")
    require(0 <= s.ties <= MOST_TIES, f"ties must lie in 0..{MOST_TIES}")
    require(0 <= s.laps < options["max_laps"], f"laps must lie in 0..{options['max_laps'] - 1}")
    if phase == ANSWER and "offered" not in given:
        s.offered = 1
    require(s.offered in (0, 1), "offered must be 0 or 1")
    if phase == DROP:
        sowing = 0 <= s.at <= ring + 1 and s.heading in (-1, 1)
        require(sowing, f"phase 1 needs at in 0..{ring + 1} and heading -1 or 1")
        require(kinds_in_hand(s) > 1, "phase 1 needs more than one kind of stone in the hand")
    else:
        still = s.hand == 0 and s.at == -1 and s.heading == 0 and s.laps == 0
        require(still, "hand and laps must be 0, at -1 and heading 0 except in phase 1")
    if phase == THROW:
        require(options["first"] == "throw" and s.turn == 0, "phase 4 needs first='throw' and turn 0")
        due = thrown[1] == UNTHROWN and (thrown[0] == UNTHROWN) == (mover == 0)
        require(due and s.ties < MOST_TIES, "in phase 4 player 0 throws first, then player 1")
    else:
        both = (thrown[0] == UNTHROWN) == (thrown[1] == UNTHROWN)
        require(both, "thrown must be -1 for both players or for none, except in phase 4")
    if over:
        pass
    elif phase == LIFT:
        hint = f"; use phase {HUELSHE}, {PHASES[HUELSHE]}" if s.store[mover] > 0 else ", nor stones for a huelshe"
        require(can_lift(s, mover), f"player {mover} to move has nothing to lift in phase {LIFT}{hint}")
    elif phase == ANSWER:
        require(s.offered == 1, "in phase 2 offered must be 1")
        s.offered = 0
        offered = can_lift(s, 1 - mover) and may_offer(s)
        s.offered = 1
        require(offered, "the offer of phase 2 must have been legal")
    elif phase == HUELSHE:
        has_stock_only = not can_lift(s, mover) and s.store[mover] > 0
        require(has_stock_only, "in phase 3 the mover must have stones, but none in the own row")
        require(s.offered == 0, "in phase 3 offered must be 0")
    elif between:
        require(options["campaign"], f"phase {phase} needs a campaign")
        empty = not s.holes.any() and goats == [HOME, HOME] and s.offered == 0
        require(empty, "between rounds the holes are empty, large is -1, -1 and offered 0")
        if phase == SELL:
            short = ledger.balance(s, mover) < 0 and ledger.lender_for(s, mover) < 0 and ledger.unsold(s, mover) > 1
            require(short, "in phase 5 the mover must be short, without a lender, and have at least two holes to sell")
        else:
            require(ledger.may_buy_back(s, mover), "in phase 6 the mover must be able to buy a hole back")
    check_seeds(s, seeds(options), beside=int(s.hand))


def board(s):
    """Draw the board; sold holes are filled with the colour of the buyer."""
    width, players = len(s.holes) // 2, len(s.store)
    goats = s.large.tolist()
    captions = [", ".join(f"{name} {_whereabouts(large, width)}" for name, large in zip(GOATS, goats, strict=True))]
    decision = PHASES[int(s.phase)] if s.to_move >= 0 else "nothing"
    captions.append(f"in hand: {_in_words(s, width)}; to decide: {decision}")
    if s.campaign:
        owed = [f"P{p} owes P{q} {s.debt[p, q]}" for p in range(players) for q in range(players) if s.debt[p, q]]
        captions.append("debts: " + (", ".join(owed) or "none"))
    large = [goats.count(hole) for hole in range(2 * width)]
    plain = two_rows(s, marks=s.sold_to, captions=captions, large=large)
    holes, stores = plain.places[: 2 * width], plain.places[2 * width :]
    home = [replace(store, large=int(goats[goat] == HOME)) for goat, store in enumerate(stores)]
    if players == 4:
        # The stores at the ends belong to players 2 and 3; the stocks of players 0 and 1 are drawn beside them.
        stones = s.store.tolist()
        home = [
            *(replace(store, pieces=stones[p], owner=p, label=f"P{p}") for p, store in zip((2, 3), home, strict=True)),
            Place(width + 2.2, 1.0, stones[0], "P0", 0, tray=True),
            Place(-1.2, 0.0, stones[1], "P1", 1, tray=True),
        ]
    return replace(plain, places=(*holes, *home))


def _whereabouts(large, width):
    if large == HOME:
        return "at home"
    if large == 2 * width:
        return "in hand"
    return f"with P{-2 - large}" if large < 0 else f"in P{large // width}'s hole {large % width}"


def _in_words(s, width):
    goats = [name for name, large in zip(GOATS, s.large.tolist(), strict=True) if large == 2 * width]
    small = [f"{s.hand} small"] if s.hand else []
    return " and ".join(small + goats) or "nothing"


def actions(options):
    own = range(options["columns"])
    offer = {HUELSHE: "begin a huelshe there", SELL: "sell it", BUY_BACK: "buy it back"}
    return [
        Actions("lift own hole {place}, sow {direction}", direction=("anticlockwise", "clockwise"), place=own),
        Actions("drop {stone}", {DROP: ""}, stone=("a small stone", "the mu", "the gong")),
        Actions("offer to end the round"),
        Actions("yes", {ANSWER: ""}),
        Actions("no", {ANSWER: "", HUELSHE: "", BUY_BACK: ""}),
        Actions("own hole {place}: begin a huelshe, sell or buy back", offer, place=own),
        Actions("throw the {finger}", {THROW: ""}, finger=("thumb", "index finger", "little finger")),
    ]


def most_lead(options):
    """Return an upper bound on the lead in worth as a share of the total; debts can make a worth negative."""
    debts = options["max_rounds"] * sum(options["prices"])
    return 2 * (1 + debts / seeds(options))


# Explanations of a step.


def place_name(s, place):
    goat = in_python(goat_of_store)(s, place)
    return f"the {GOATS[goat]}'s store" if goat >= 0 else in_rows(s, in_python(hole_at)(s, place))


def describe_lift(before, s, place):
    goats = [f"the {name}" for goat, name in enumerate(GOATS) if before.large[goat] != s.large[goat]]
    return f"lifts {' and '.join(goats)} from {place_name(before, place)}" if goats else ""


def describe_drop(before, s, kind):
    place = place_name(before, s.at)
    return SmallEvent("sows", place) if kind == SMALL else f"drops the {GOATS[kind - 1]} into {place}"


def describe_captures(before, s):
    small = captured(before, emptied(before, s))
    goats = [f"captures the {name}" for goat, name in enumerate(GOATS) if before.large[goat] != s.large[goat]]
    return ", ".join(filter(None, [small, *goats]))


def describe_huelshe(before, s, first):
    laid = before.store[s.to_move] - s.store[s.to_move]
    return f"places {laid} from the stock, one in each unsold hole from {in_rows(s, first)} on"


def describe_finger(before, s, finger):
    if s.phase == LIFT:
        return f"player_{s.to_move} begins"
    return "a tie: both throw again" if s.ties > before.ties else ""


def describe_row(before, s, p):
    stones = before.holes.sum(dtype=int) - s.holes.sum(dtype=int)
    return f"player_{p} takes {stones} from their row" if stones else ""


def describe_goats(before, s):
    """Describe who gets the goats that nobody has won."""
    owners = [
        in_python(store_owner)(s, goat) if large == HOME else large // (len(s.holes) // 2)
        for goat, large in enumerate(before.large.tolist())
    ]
    won = [f"the {GOATS[goat]} is player_{owner}'s" for goat, owner in enumerate(owners) if before.large[goat] >= HOME]
    return ", ".join(won)


def describe_price_of_goats(before, s):
    """Describe the payments for goats that another player has won."""
    owners = [(goat, in_python(store_owner)(s, goat), in_python(winner_of)(before, goat)) for goat in range(2)]
    paid = [
        f"player_{keeps} buys the {GOATS[goat]} back from player_{won} for {s.prices[goat]}"
        for goat, keeps, won in owners
        if keeps != won
    ]
    return ", ".join(paid)


def describe_new_round(before, s):
    begins = f", player_{s.to_move} begins by lot" if s.first == CHANCE else ""
    return f"fills each unsold hole with {s.seeds}{begins}"


DESCRIPTIONS: Descriptions = {
    **sowing(),
    **LEDGER,
    lift_place: describe_lift,
    drop_next: Summary(describe_drop),
    capture: Summary(describe_captures),
    huelshe: Summary(describe_huelshe),
    throw: describe_finger,
    lift_row: Summary(describe_row),
    buy_back_goats: Summary(describe_price_of_goats),
    set_out: Summary(describe_new_round),
    end_round: describe_goats,
}

RULE_BOOK = RuleBook(
    name="ceelkoqyuqkoqiji",
    title="Ceelkoqyuqkoqiji",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, num_players=num_players, hide=hide, worth=secured),
    result=by_scores(score, total, ahead=ahead, secured_score=price_of_goats),
    campaign=Campaign(
        CAMPAIGN_OPTIONS,
        between_rounds=(settle, sell, buy_back),
        owned=ledger.owned,
        standing=standing,
        accounts=("debt",),
        most_lead=most_lead,
    ),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=PHASES,
        turn=lambda options: other_side(options["columns"]),
        descriptions=DESCRIPTIONS,
        sides=(*SOUTH_AND_NORTH, "the east store", "the west store"),
        counted=lambda options: "stones, holes and debts included" if options["campaign"] else "stones, goats included",
    ),
    positions=Positions(check),
    check_options=lambda options, campaign: check_capacity(seeds(options)),
    deciding=lambda options: 2,
    has_chance=lambda options, campaign: options["first"] != "player_0",
    has_secrets=lambda options: options["first"] == "throw",
    most_decisions=lambda options: most_decisions(options, seeds(options)),
)
__doc__ = RULE_BOOK.page

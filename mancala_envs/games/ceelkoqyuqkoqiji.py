"""
# Ceelkoqyuqkoqiji, "walking goats and buying holes" (Naxi; Lijiang, Yunnan)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North), or 4: `player_2` and `player_3` own the stores and never decide |
| Board | ring of 2 x 5 holes and two stores; options `columns`, `players` |
| Seeds | 5 small stones a hole, and two large ones: the *mu* (nanny-goat) and the *gong* (billy-goat) |
| Decisions | `Discrete(24)`: 3 x columns + 9 |
| Observation | `(85,)` uint8, `(103,)` with four players, from the observing player's side |
| Rewards | +1 / -1 / 0 (of four +1, the others -1/3) at the end of the round or campaign; `round_reward` besides |
| Import | `from mancala_envs import ceelkoqyuqkoqiji_v0` |

```
           9  8  7  6  5         North, player_1
  gong [1]               [0] mu
           0  1  2  3  4         South, player_0
```
The sowing ring: South's holes, the east store [0], North's holes, the west store [1], and round again. Anticlockwise is
that order, clockwise the other. With four players the stores are 2's and 3's.

## Rules
Source: V. Eagle, "Some Newly Described Mancala Games from Yunnan Province, China", 1995, pp. 53-55, with the Ludii
portal's summary above his text (evidence 688).

1. *Who begins*, each round: "index finger (snake) beats thumb (frog), which beats little finger (centipede), which in
   turn beats index finger" (`first="throw"`; by default a fair draw).
2. *The turn.* Lift an own hole and sow; "play is in either direction". A hole with both kinds: "the stones may be sown
   in any order". "No player can play from a store."
3. *Relay* "from the postultimate hole": if the place after the last drop is full, lift it and sow on.
4. *Capture.* If it is empty and the next one is not, capture that, and so on along "an alternating sequence of empty
   and non-empty holes". "If this and the next hole are both empty, the move ends with no capture."
5. *Stores* "are sinks": what is sown in them "in effect has been captured by the owner". A store is empty, "except when
   a store contains a large stone which never left it"; that stone alone is relayed or captured from it.
6. *Large stones* "are played, relayed and captured just like the small stones".
7. *Huelshe.* A player to move without stones in his row may place "a single stone in each hole in his sector"; with
   fewer, in holes that "must be consecutive". Else "the round ends, and his opponent confiscates all the stones on his
   side". It is "obligatory" while a large stone is in its original store.
8. *Agreement.* "The round ends by mutual agreement, each player taking the few stones left in his sector."
9. *Goats.* After the round the large stones "must be bought back": "the mu is worth seven, and the gong is worth six".
10. *Loans.* Who "has less than his original complement, must borrow"; a surplus "may not refuse to lend"; "the debt is
    remembered".
11. *Sales.* "If a player's debt to another reaches five, he is obliged to sell a hole", of his choice; he gets five
    stones "to repay debt and to fill holes, so long as the debt to any player does not exceed four".
12. *Sold holes* are sinks of the buyer, always empty, also for captures and in a huelshe.
13. *Buying back.* With "the five surplus stones needed" he may, "but he must still have or borrow the stones needed to
    fill it".

Between rounds, in this order: the goats are paid; debts are netted and repaid; holes are bought back; who is short
borrows or sells; the holes are filled, and what is left is the stock for the next round. After every payment but those
for goats mutual debts cancel and every surplus repays. See `core.ledger`.

The result of a round counts stones and the prices of the large stones won; that of a campaign stones, claims and holes
at `hole_price`. Of two players who sells his last hole has lost.

## Not settled by the source, decided here
* Whose the goats are: the mu is of the east store, the gong of the west.
* "The few stones left": an offer to end the round may be made once a turn, as its first decision, with at most two
  stones to a column on the board, and with no goat at home, which "would belong to neither player".
* A captured sequence goes once round the ring at most, up to the hole sown last.
* Sold holes do not break a huelshe's run. Who has no stone for it has declined; then a goat at home is its store's.
* After eight tied throws chance decides who begins.
* Lenders and buyers: the largest surplus first, lower numbers where equal; but what is lacking to fill a hole bought
  back comes from its former owner first. Every surplus repays at once. Store owners, with no holes, borrow without
  limit.
* After a sale everyone is looked at anew, from player 0 on, until nobody is short.
* The campaign ends when a row's last hole is sold, or after `max_rounds` rounds, by worth.
* `max_turns` ends a round as by agreement; a turn of `max_laps` laps ends with nothing made of the last one.
* Positions loaded with stones missing: who is short and finds no surplus sells to whoever is nearest to one, and a
  store owner borrows from the largest stock.

## Actions
With W columns:

| number | phase | meaning |
|---|---|---|
| 0..W-1 | 0 | lift that own hole, left to right, and sow anticlockwise |
| W..2W-1 | 0 | lift own hole a - W and sow clockwise |
| 2W, 2W+1, 2W+2 | 1 | drop a small stone, the mu, the gong next |
| 2W+3 | 0 | offer to end the round |
| 2W+4, 2W+5 | 2, 3, 6 | yes (2 only), no |
| 2W+6..3W+5 | 3, 5, 6 | own hole: where a huelshe begins, to sell, to buy back |
| 3W+6..3W+8 | 4 | throw thumb, index finger, little finger |

## Observation
For two players and five columns; the order is the same in every size. A store owner looks from the side his store is
at the right hand of.

| columns | meaning |
|---|---|
| 0..9 | small stones in the own row, left to right, then in the other row as its player sees it |
| 10..19, 20..29 | 1 where the own side's goat lies, and the other's, in the order of columns 0..9 |
| 30..39 | sold holes: 0 unsold, 1 bought by the observing player, 2 by the other (four: opposite, third, fourth) |
| 40..43, 44..47 | own and other goat: 1 at home, in the hand, won by the observing player, by the other |
| 48, 49 | own stock: stones held off the board, and stones below none (after paying for a goat or a hole) |
| 50, 51 | the other's stock in the same way |
| 52, 53 | what the observing player owes, and what he is owed (four players: every pair) |
| 54..60 | one column a phase |
| 61, 62 | own and other side's finger: 0 not thrown or hidden, 1 thumb, 2 index, 3 little finger |
| 63 | tied throws of this round |
| 64, 65 | small stones in the hand; 1 sowing anticlockwise, 2 clockwise |
| 66 | 1 once the mover may no longer offer this turn |
| 67..78 | 1 at the place sown last: own row, the store at its right, other row, other store |
| 79, 80 | 1 when the observing player decides now; 1 when the game is over |
| 81, 82 | turns left before `max_turns`, laps left in this turn, 255 where more |
| 83, 84 | the round; rounds left before `max_rounds` (0 without a campaign) |

A finger thrown is hidden, in observations, pictures and `text(state, player)`, until both have thrown.

## Options
`players` (2, 4), `columns` (5), `seeds` (5), `prices` of mu and gong ((7, 6); the source also has (5, 5), and (7, 7)
with seven columns and seeds), `hole_price` and `debt_limit` (both as `seeds`), `first` (`"chance"`, `"throw"`,
`"player_0"`), `agreement` (True), `max_turns` (150), `max_laps` (256), `reward` (`"win"`, `"margin"`); with
`campaign=True` also `max_rounds` (30) and `round_reward` (0.0, any number: pays each round, by the
lead in worth as a part of all). Prices are at most 1000000.

## Random play
20000 rounds, 4000 campaigns; standard error of a share about 0.004 and 0.008.

| | decisions | turns a round | rounds | won by player 0, 1, 2, 3 |
|---|---|---|---|---|
| round | 19.8 | 14.4 | 1 | 0.50, 0.50 |
| round, `agreement=False` | 27.2 | 22.8 | 1 | 0.50, 0.50 |
| round, four players | 19.8 | 14.4 | 1 | 0.47, 0.47, 0.02, 0.02 |
| campaign | 242 | 12.1 | 13.9 | 0.43, 0.57 |
| campaign, four players | 131 | 9.5 | 9.6 | 0.16, 0.15, 0.27, 0.42 |

Who begins a round scores 0.03 above 0. Of rounds 59% end by agreement, 41% by a huelshe declined, 0.05% by one that is
impossible; none reached `max_turns`, the longest had 129 turns. The mu costs one stone more than the gong, round after
round: that is player 1's advantage in the campaign. 94% of campaigns end with a last hole sold (99% with four players).

## Versions
* v0: first version.
"""

from dataclasses import replace

import numpy as np

from mancala_envs.core import ledger
from mancala_envs.core.board import Place, two_rows
from mancala_envs.core.chance import draw
from mancala_envs.core.game import RuleBook
from mancala_envs.core.observation import FAR, Column, columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, ROUND_REWARD
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.sow import MOST_PACKED_COLUMNS, add, byte_of, is_packed, lap_table, lift
from mancala_envs.core.state import BY_RULES, state_dtype
from mancala_envs.core.words import (
    bytes_with_seeds,
    count_bits,
    equal_flags,
    gather,
    low_bits,
    nonzero_flags,
    row_of,
    row_word,
    select_bit,
    sum_bytes,
)

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

# Numba compiles a rule once more for every literal it is given, but not for these.
MU, GONG = np.int64(0), np.int64(1)
LOW, HIGH = np.int64(0), np.int64(1)
"""The words of a packed ring."""
GOATS = ("mu", "gong")
SMALL = np.int64(0)
"""Kind of a stone; 1 + g is goat g."""
HOME = -1
"""`large` of a goat that has never left its store; see `owned_by` and `in_hand` for others."""
UNTHROWN = -1
MOST_TIES = 8

CHANCE, FINGERS = 0, 1
MOST_STONES = 1_000_000
"""Bound of the prices, so that stocks stay far from the limits of their numbers."""

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
    Option("max_laps", 256),
    REWARD,
)
CAMPAIGN_OPTIONS = (Option("max_rounds", 30), ROUND_REWARD)


def record(options):
    players, holes = options["players"], 2 * options["columns"]
    fields = [
        ("large", "i2", (2,)),
        ("sold_to", "i1", (holes,)),
        ("debt", "i4", (players, players)),
        ("asked_first", "i1", (players,)),
        ("hand", "u1"),
        ("at", "i2"),
        ("heading", "i1"),
        ("offered", "u1"),
        ("thrown", "i1", (2,)),
        ("ties", "u1"),
        ("laps", "i4"),
    ]
    return state_dtype(holes, players, fields, store="i4")


# Actions, by the number of columns: lift anticlockwise, lift clockwise, drop, offer, yes, no, own hole, finger.


@rule
def offer(width):
    return 2 * width + 3


@rule
def yes(width):
    return 2 * width + 4


@rule
def no(width):
    return 2 * width + 5


@rule
def first_hole(width):
    return 2 * width + 6


@rule
def thumb(width):
    return 3 * width + 6


@rule
def num_actions(s):
    return thumb(len(s.holes) // 2) + 3


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
    """Fill the unsold holes out of the stocks; then see who begins."""
    for hole in range(len(s.holes)):
        s.holes[hole] = s.seeds if s.sold_to[hole] == ledger.UNSOLD else 0
    for p in range(ledger.ROWS):
        s.store[p] = ledger.balance(s, p)
    s.large[:] = HOME
    s.asked_first[:] = -1
    s.thrown[:] = UNTHROWN
    s.ties = 0
    s.turn = 0
    s.phase = LIFT
    idle(s)
    if s.first == FINGERS:
        s.phase = THROW
        s.to_move = 0
    else:
        s.to_move = draw(s, 2) if s.first == CHANCE else 0


@rule
def idle(s):
    """Nobody sows, nothing is on offer."""
    s.hand = 0
    s.at = -1
    s.heading = 0
    s.offered = 0
    s.laps = 0


@rule
def throw(s, finger):
    """Index (1) beats thumb (0), thumb beats little (2), little beats index; a tie is thrown again."""
    s.thrown[s.to_move] = finger
    if s.to_move == 0:
        s.to_move = 1
        return
    if s.thrown[0] == UNTHROWN:  # in the thoughts of player 1, from whom it is hidden
        s.thrown[0] = draw(s, 3)
    lead = (np.int64(s.thrown[0]) - s.thrown[1]) % 3
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
    """Until both have thrown, nobody else knows the finger of player 0."""
    if s.phase == THROW and p != 0:
        s.thrown[0] = UNTHROWN


# Places of the ring: South's holes, the east store, North's holes, the west store.


@rule
def place_of(s, hole):
    return hole if hole < len(s.holes) // 2 else hole + 1


@rule
def hole_at(s, place):
    return place if place < len(s.holes) // 2 else place - 1


@rule
def store_at(s, place):
    """MU's or GONG's store, or -1 where there is a hole."""
    width = len(s.holes) // 2
    return MU if place == width else GONG if place == 2 * width + 1 else -1


@rule
def onward(s, steps):
    """The place so many steps on in the direction of sowing."""
    return (np.int64(s.at) + np.int64(s.heading) * steps) % (len(s.holes) + 2)


@rule
def keeper(s, goat):
    """Who owns the store of a goat: its row's player, or with four players one of the other two."""
    return goat + len(s.store) - 2


@rule
def owned_by(p):
    """`large` of a goat that player p has won."""
    return -2 - p


@rule
def in_hand(s):
    """`large` of a goat in the hand."""
    return len(s.holes)


@rule
def holds_anything(s, hole):
    return (s.holes[hole] > 0) | (s.large[MU] == hole) | (s.large[GONG] == hole)


@rule
def may_lift(s, hole):
    return (s.sold_to[hole] == ledger.UNSOLD) & holds_anything(s, hole)


@rule
def is_full(s, place):
    """A store only by a goat that never left it; never a sold hole."""
    goat = store_at(s, place)
    return s.large[goat] == HOME if goat >= 0 else may_lift(s, hole_at(s, place))


@rule
def can_lift(s, p):
    """Whether anything is in p's unsold holes."""
    first = ledger.row_begins(s, p)
    for hole in range(first, first + len(s.holes) // 2):
        if may_lift(s, hole):
            return True
    return False


# What may be done.


@rule
def legal(s, action):
    width = len(s.holes) // 2
    own_row = width * s.to_move
    if s.phase == LIFT:
        if action < 2 * width:
            return may_lift(s, own_row + (action - width if action >= width else action))
        return action == offer(width) and may_offer(s)
    if s.phase == DROP:
        return 2 * width <= action < offer(width) and holds_kind(s, action - 2 * width)
    if s.phase == ANSWER:
        return action == yes(width) or action == no(width)
    if s.phase == THROW:
        return action >= thumb(width)
    if action == no(width):
        return s.phase == BUY_BACK or (s.phase == HUELSHE and not goat_at_home(s))
    if action < first_hole(width) or action >= thumb(width):
        return False
    hole = own_row + action - first_hole(width)
    if s.phase == HUELSHE:
        return may_begin_run(s, hole)
    return (s.sold_to[hole] == ledger.UNSOLD) == (s.phase == SELL)


@inlined_rule
def legal_word(s, word):
    """`legal` of 64 actions at once, in the phases of a turn: there sold holes are empty."""
    width = len(s.holes) // 2
    if not is_packed(s) or s.phase > HUELSHE:
        return legal_word_plain(s, word)
    if s.phase == LIFT:
        holes = liftable_bits(s, np.int64(s.to_move))
        left = sum_bytes(s.word[LOW] & hole_bits(s, LOW)) + sum_bytes(s.word[HIGH] & hole_bits(s, HIGH))
        offers = np.uint64(may_offer_with(s, left))
        return holes | (holes << np.uint64(width)) | (offers << np.uint64(offer(width)))
    if s.phase == ANSWER:
        return np.uint64((1 << yes(width)) | (1 << no(width)))
    if s.phase == HUELSHE:
        runs = run_beginnings(s)
        return (runs << np.uint64(first_hole(width))) | (np.uint64(not goat_at_home(s)) << np.uint64(no(width)))
    kinds = (s.hand > 0) | (s.large[MU] == in_hand(s)) << 1 | (s.large[GONG] == in_hand(s)) << 2
    return np.uint64(kinds) << np.uint64(2 * width)


@rule
def legal_word_plain(s, word):
    first = 64 * word
    bits = np.uint64(0)
    for action in range(first, min(num_actions(s), first + 64)):
        bits |= np.uint64(legal(s, action)) << np.uint64(action - first)
    return bits


@inlined_rule
def run_beginnings(s):
    """`may_begin_run` of all holes: the unsold ones up to the last that leaves room enough."""
    width = len(s.holes) // 2
    row = row_of(s.sold_to_word[LOW], s.sold_to_word[HIGH], width, np.int64(s.to_move))
    unsold = gather(equal_flags(row, ledger.UNSOLD & 255))
    holes = count_bits(unsold)
    last = select_bit(unsold, holes - min(np.int64(s.store[s.to_move]), holes), np.int64(8))
    return unsold & low_bits(last + 1)


@inlined_rule
def hole_bits(s, word):
    """All bits of the bytes of a word that are holes."""
    return low_bits(8 * len(s.holes) - 64 * word)


@inlined_rule
def liftable_bits(s, p):
    """Bit i is set where anything is in hole i of player p's row, which is one word at most."""
    width = len(s.holes) // 2
    bits = bytes_with_seeds(row_word(s, p))
    for goat in range(2):
        column = np.int64(s.large[goat]) - width * p
        bits |= np.uint64((column >= 0) & (column < width)) << np.uint64(column & 63)
    return bits


@rule
def goat_at_home(s):
    """Whether a goat has never left its store."""
    return (s.large[MU] == HOME) | (s.large[GONG] == HOME)


@rule
def may_offer(s):
    """Once a turn, with few stones left, unless a goat would belong to nobody."""
    left = np.int64(0)
    for hole in range(len(s.holes)):
        left += s.holes[hole]
    return may_offer_with(s, left)


@rule
def may_offer_with(s, left):
    """`may_offer` where so many small stones are on the board; all at once, for each is a guess to the processor."""
    left += (s.large[MU] >= 0) + (s.large[GONG] >= 0)
    return (s.agreement > 0) & (s.offered == 0) & (not goat_at_home(s)) & (left <= len(s.holes))


@rule
def may_begin_run(s, hole):
    """From an unsold hole to the end of the row there must be room for all the stones, or for one in every hole."""
    mover = np.int64(s.to_move)
    room = 0
    for other in range(hole, ledger.row_begins(s, mover) + len(s.holes) // 2):
        room += s.sold_to[other] == ledger.UNSOLD
    return s.sold_to[hole] == ledger.UNSOLD and room >= min(np.int64(s.store[mover]), ledger.unsold(s, mover))


# The ring as the bytes of two words. A spot is a place by its byte: a hole by its number, 2W and 2W + 1 the stores.

GOAT = np.int64(128)
"""In the byte of a spot: a goat lies there. The bits below count small stones, in a store those of this turn."""
LAP_SEEDS = 24
"""Laps of fewer seeds are sown at once, others a round at a time until so few are left. Above any round."""
BYTE = np.int64(255)
_GOATS, _STONES = np.uint64(0x8080808080808080), np.uint64(0x7F7F7F7F7F7F7F7F)
_LANES, _LOW_15 = np.uint64(0x0001000100010001), np.uint64(0x7FFF7FFF7FFF7FFF)
_S7, _S8, _S15 = np.uint64(7), np.uint64(8), np.uint64(15)


def words_of(spots, byte):
    """The two words that have `byte` at each of `spots`."""
    whole = sum(int(byte) << 8 * spot for spot in spots)
    return whole & 2**64 - 1, whole >> 64


_SIZES = max(MOST_PACKED_COLUMNS, 0) + 1
LAPS = np.zeros((_SIZES, 2, 16, LAP_SEEDS, 2), np.uint64)
"""`[columns, clockwise, spot, seeds]`: see `lap_table`."""
NEXT = np.zeros((_SIZES, 2, 16, LAP_SEEDS), np.uint8)
"""`[columns, clockwise, spot, seeds]`: the spot after the last drop of that lap."""
PAIRS, SECONDS = (np.zeros((_SIZES, 2, 16, 8), np.uint16) for _ in range(2))
"""`[columns, clockwise, spot, k]`: bits of the 2k + 2 spots from this one on, and of every second of them."""
TAKEN = np.zeros((_SIZES, 2, 16, 9, 2), np.uint64)
"""`[columns, clockwise, spot, captures]`: the bytes that so many captures take, of which the first is after `spot`."""
GOATS_AT = np.zeros((_SIZES, 2, 32, 2), np.uint64)
"""`[columns, goat, large & 31]`: GOAT at the spot of a goat on the board."""
for _columns in range(1, _SIZES):
    _anticlockwise = [*range(_columns), 2 * _columns, *range(_columns, 2 * _columns), 2 * _columns + 1]
    for _clockwise, _ring in enumerate((_anticlockwise, _anticlockwise[::-1])):
        _here = _columns, _clockwise
        LAPS[_here][_ring] = lap_table(_ring)[:, :LAP_SEEDS]
        SECONDS[_here] = 1  # Where there are no more pairs none is captured: this is no part of `PAIRS` there.
        for _start, _spot in enumerate(_ring):
            _onward = _ring[_start:] + _ring[:_start]
            NEXT[_here][_spot] = np.resize(_onward[1:] + _onward[:1], LAP_SEEDS)
            for _k in range(_columns + 1):
                _seconds = _onward[1 : 2 * _k + 2 : 2]
                PAIRS[_here][_spot, _k] = sum(1 << spot for spot in _onward[: 2 * _k + 2])
                SECONDS[_here][_spot, _k] = sum(1 << spot for spot in _seconds)
                TAKEN[_here][_spot, _k + 1] = words_of(_seconds, BYTE)
    for _goat in range(2):
        GOATS_AT[_columns, _goat, HOME] = words_of([2 * _columns + _goat], GOAT)
        for _hole in range(2 * _columns):
            GOATS_AT[_columns, _goat, _hole] = words_of([_hole], GOAT)
PAIRS, SECONDS = PAIRS.view(np.uint64), SECONDS.view(np.uint64)


@rule
def is_sown_packed(s):
    """Whether the ring is two words in which no stones add up to GOAT."""
    return is_packed(s) and len(s.holes) * s.seeds < GOAT


@rule
def spot_at(s, place):
    goat = store_at(s, place)
    return len(s.holes) + goat if goat >= 0 else np.int64(hole_at(s, place))


@rule
def place_of_spot(s, spot):
    ring = len(s.holes)
    return place_of(s, spot) if spot < ring else ring // 2 if spot == ring else ring + 1


@rule
def spot_of_goat(s, goat):
    """Of a goat on the board; below 0 of another."""
    return np.int64(len(s.holes) + goat if s.large[goat] == HOME else s.large[goat])


@inlined_rule
def at_spot(byte, spot, word):
    """`byte` at `spot`, if it is in this word."""
    return np.uint64(byte * (spot // 8 == word)) << np.uint64(spot % 8 * 8)


@inlined_rule
def ring_word(s, word):
    """The holes and the goats of a word; no stones in the stores."""
    width = len(s.holes) // 2
    mu, gong = s.large[MU] & 31, s.large[GONG] & 31
    holes = s.word[word] & hole_bits(s, word)
    return holes | GOATS_AT[width, MU, mu, word] | GOATS_AT[width, GONG, gong, word]


@inlined_rule
def open_bits(s, word):
    """What of a word may be lifted: the stones of unsold holes, and all goats."""
    unsold = s.sold_to_word[word] & _GOATS
    return ((unsold - (unsold >> _S7)) & hole_bits(s, word)) | _GOATS


@inlined_rule
def sow_on_packed(s, spot, clockwise):
    """`sow_on` on words: sow the small stones in the hand after `spot`; with an empty hand lift `spot` first."""
    width = len(s.holes) // 2
    ring = 2 * width + 2
    spot &= 15
    laps, hand = np.int64(s.laps), np.int64(s.hand)
    open_low, open_high = open_bits(s, LOW), open_bits(s, HIGH)
    low, high = ring_word(s, LOW), ring_word(s, HIGH)
    if hand:
        # Put back, for a lap takes its stones out of where it begins.
        low, high = add(low, at_spot(hand, spot, LOW)), add(high, at_spot(hand, spot, HIGH))
    lifted = hand if hand else byte_of(low & open_low, high & open_high, spot)
    chooses = False
    while lifted > 0 and laps < s.max_laps:
        if lifted < GOAT:
            while lifted >= LAP_SEEDS:
                low = add(low, LAPS[width, clockwise, spot, ring, LOW])
                high = add(high, LAPS[width, clockwise, spot, ring, HIGH])
                lifted -= ring
            low = add(low, LAPS[width, clockwise, spot, lifted, LOW])
            high = add(high, LAPS[width, clockwise, spot, lifted, HIGH])
            spot = np.int64(NEXT[width, clockwise, spot, lifted]) & 15
        else:
            mu, gong = spot_of_goat(s, MU), spot_of_goat(s, GONG)
            chooses = lifted != GOAT or mu == gong
            if chooses:
                break
            goat = MU if mu == spot else GONG
            low, high = low ^ at_spot(GOAT, spot, LOW), high ^ at_spot(GOAT, spot, HIGH)
            spot = np.int64(NEXT[width, clockwise, spot, 0]) & 15
            drop_goat(s, goat, spot)
            if s.large[goat] >= 0:
                low, high = low | at_spot(GOAT, spot, LOW), high | at_spot(GOAT, spot, HIGH)
            spot = np.int64(NEXT[width, clockwise, spot, 0]) & 15
        laps += 1
        lifted = byte_of(low & open_low, high & open_high, spot)

    if chooses:
        lift_to_choose(s, spot, clockwise, laps, lifted)
        low, high = low & ~at_spot(BYTE, spot, LOW), high & ~at_spot(BYTE, spot, HIGH)
    taken_low = taken_high = np.uint64(0)
    if lifted == 0 and laps < s.max_laps:
        captures = count_captures(low & open_low, high & open_high, width, clockwise, spot)
        taken_low = low & open_low & TAKEN[width, clockwise, spot, captures, LOW]
        taken_high = high & open_high & TAKEN[width, clockwise, spot, captures, HIGH]
        low, high = low ^ taken_low, high ^ taken_high
        s.store[s.to_move] += sum_bytes((taken_low & _STONES) + (taken_high & _STONES))
        if (taken_low | taken_high) & _GOATS:
            take_goats(s, taken_low, taken_high)
    put_back(s, low & _STONES, high & _STONES, open_low, open_high)
    if not chooses:
        other = row_of(low & open_low, high & open_high, width, 1 - (s.to_move & 1))
        if other and s.turn + 1 < s.max_turns:
            pass_on(s)
        else:
            end_turn(s)


@rule
def drop_goat(s, goat, spot):
    """On a spot; see `drop`."""
    ring = len(s.holes)
    sink = keeper(s, spot - ring) if spot >= ring else np.int64(s.sold_to[spot])
    s.large[goat] = owned_by(sink) if sink >= 0 else spot


@rule
def lift_to_choose(s, spot, clockwise, laps, lifted):
    """More than one kind of stone into the hand; their byte is left to be cleared."""
    s.phase = DROP
    s.hand = lifted & (GOAT - 1)
    s.at = place_of_spot(s, spot)
    s.heading = 1 - 2 * clockwise
    s.laps = laps
    for goat in range(2):
        if spot_of_goat(s, goat) == spot:
            s.large[goat] = in_hand(s)


@inlined_rule
def count_captures(low, high, width, clockwise, spot):
    """How often, from `spot` on, an empty place is followed by a full one; all pairs at once, as bits of four lanes."""
    full = gather(nonzero_flags(low)) | gather(nonzero_flags(high)) << _S8
    lanes = np.uint64(int(full) * int(_LANES))
    captures = 8
    for four in range(2):
        wrong = (lanes & PAIRS[width, clockwise, spot, four]) ^ SECONDS[width, clockwise, spot, four]
        captures -= count_bits(((((wrong & _LOW_15) + _LOW_15) | wrong) >> _S15) & _LANES)
    return captures


@rule
def take_goats(s, low, high):
    """The mover wins the goats of these bytes."""
    for goat in range(2):
        spot = spot_of_goat(s, goat)
        if spot >= 0 and byte_of(low, high, spot) >= GOAT:
            s.large[goat] = owned_by(np.int64(s.to_move))


@inlined_rule
def put_back(s, low, high, open_low, open_high):
    """The stones of the words into holes and stores; what lies in sold holes to their buyers."""
    ring = len(s.holes)
    holes_low, holes_high = low & open_low, high & open_high
    if ring < 8:
        for hole in range(ring):
            s.holes[hole] = byte_of(holes_low, holes_high, hole)
    else:
        # Not the second word whole: the stores in it, just written, would have to drain first.
        s.word[LOW] = holes_low
        for hole in range(8, ring):
            s.holes[hole] = byte_of(holes_low, holes_high, hole)
    s.store[keeper(s, MU)] += byte_of(low, high, ring)
    s.store[keeper(s, GONG)] += byte_of(low, high, ring + 1)
    sunk_low, sunk_high = low & ~open_low & hole_bits(s, LOW), high & ~open_high & hole_bits(s, HIGH)
    if sunk_low | sunk_high:
        for hole in range(ring):
            if s.sold_to[hole] >= 0:
                s.store[s.sold_to[hole]] += byte_of(sunk_low, sunk_high, hole)


# The turn.


@inlined_rule
def play(s, action):
    """Sowing by words, where the ring fits: the same as `play_plain`, the rule."""
    width = len(s.holes) // 2
    if s.phase > DROP or action == offer(width):
        decide(s, action)
    elif not is_sown_packed(s):
        play_plain(s, action)
    else:
        clockwise = np.int64(action >= width)
        spot = width * np.int64(s.to_move) + action - width * clockwise
        if s.phase == DROP:
            spot = drop_chosen(s, action - 2 * width)
            clockwise = np.int64(s.heading < 0)
        if s.phase == LIFT:
            sow_on_packed(s, spot, clockwise)


@rule
def drop_chosen(s, kind):
    """Drop it, and a goat that is left alone then; LIFT when nothing is left to choose.

    Returns the spot from which `sow_on_packed` goes on then.
    """
    drop(s, kind)
    if s.hand == 0 and kinds_in_hand(s) == 1:
        drop(s, first_kind(s))
    if kinds_in_hand(s) <= 1:
        s.phase = LIFT
    if s.hand > 0:
        return spot_at(s, np.int64(s.at))
    s.laps += s.phase == LIFT
    return spot_at(s, onward(s, 1))


@rule
def play_plain(s, action):
    """A lift or a drop stone by stone."""
    width = len(s.holes) // 2
    if s.phase == DROP:
        s.phase = LIFT
        drop(s, action - 2 * width)
    else:
        s.heading = 1 if action < width else -1
        lift_place(s, place_of(s, width * s.to_move + action % width))
    sow_on(s)


@rule
def decide(s, action):
    """Whatever is not sowing."""
    width = len(s.holes) // 2
    hole = width * s.to_move + action - first_hole(width)
    if s.phase == THROW:
        throw(s, action - thumb(width))
    elif s.phase == ANSWER:
        s.phase = LIFT
        s.to_move = 1 - s.to_move
        if action == yes(width):
            end_round(s)
    elif s.phase == HUELSHE:
        if action == no(width):
            end_round(s)
        else:
            huelshe(s, hole)
    elif s.phase == SELL:
        sell(s, hole)
    elif s.phase == BUY_BACK:
        buy_back(s, hole, action == no(width))
    else:
        s.offered = 1
        s.phase = ANSWER
        s.to_move = 1 - s.to_move


@rule
def lift_place(s, place):
    """Into the hand: all that is in a hole, or the goat of a store."""
    s.at = place
    goat = store_at(s, place)
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
def first_kind(s):
    """The first kind of stone in the hand."""
    return SMALL if s.hand > 0 else 1 + MU if holds_kind(s, 1 + MU) else 1 + GONG


@rule
def sow_on(s):
    """Drop stone by stone and relay, until the mover must choose or his turn ends."""
    while True:
        while kinds_in_hand(s) == 1:
            drop(s, first_kind(s))
        if kinds_in_hand(s) > 1:
            s.phase = DROP
            return
        s.laps += 1
        if s.laps >= s.max_laps:
            break
        if not is_full(s, onward(s, 1)):
            capture(s)
            break
        lift_place(s, onward(s, 1))
    end_turn(s)


@rule
def drop(s, kind):
    """One stone of a kind on the next place; stores and sold holes are sinks."""
    s.at = onward(s, 1)
    goat = store_at(s, np.int64(s.at))
    hole = hole_at(s, np.int64(s.at))
    sink = keeper(s, goat) if goat >= 0 else np.int64(s.sold_to[hole])
    if kind != SMALL:
        s.large[kind - 1] = owned_by(sink) if sink >= 0 else hole
        return
    s.hand -= 1
    if sink >= 0:
        s.store[sink] += 1
    else:
        s.holes[hole] += 1


@rule
def capture(s):
    """Every full place that follows an empty one, while empty and full alternate; once round at most."""
    for pair in range(len(s.holes) // 2 + 1):
        target = onward(s, 2 * pair + 2)
        if is_full(s, onward(s, 2 * pair + 1)) or not is_full(s, target):
            return
        goat = store_at(s, target)
        if goat >= 0:
            s.large[goat] = owned_by(np.int64(s.to_move))
        else:
            take_hole(s, np.int64(s.to_move), hole_at(s, target))


@rule
def take_hole(s, p, hole):
    """All that is in a hole, to player p."""
    s.store[p] += lift(s, hole)
    for goat in range(2):
        if s.large[goat] == hole:
            s.large[goat] = owned_by(p)


@rule
def pass_on(s):
    idle(s)
    s.turn += 1
    s.to_move = 1 - s.to_move


@rule
def end_turn(s):
    """The other may move, or must huelshe; if he has nothing for it, the round is over."""
    pass_on(s)
    if s.turn >= s.max_turns:
        end_round(s)
    elif can_lift(s, np.int64(s.to_move)):
        s.phase = LIFT
    elif s.store[s.to_move] > 0:
        s.phase = HUELSHE
    else:
        end_round(s)


@rule
def huelshe(s, first):
    """One stone in each unsold hole from `first` on, as far as the stock goes."""
    mover = np.int64(s.to_move)
    for hole in range(first, ledger.row_begins(s, mover) + len(s.holes) // 2):
        if s.sold_to[hole] == ledger.UNSOLD and s.store[mover] > 0:
            s.holes[hole] = 1
            s.store[mover] -= 1
    s.phase = LIFT
    s.offered = 1


@rule
def end_round(s):
    """Each takes what lies in his row; a goat that never left its store goes to the store's owner."""
    idle(s)
    s.phase = LIFT
    width = len(s.holes) // 2
    for p in range(ledger.ROWS):
        stones = np.int64(0)
        for hole in range(width * p, width * p + width):
            stones += lift(s, hole)
        s.store[p] += stones
    for goat in range(2):
        if s.large[goat] >= 0:
            s.large[goat] = owned_by(np.int64(s.large[goat] >= width))
        elif s.large[goat] == HOME:
            s.large[goat] = owned_by(keeper(s, goat))
    if s.campaign:
        settle(s)
    else:
        s.ended = BY_RULES


# The campaign: the settlement between rounds.


@rule
def settle(s):
    buy_back_goats(s)
    if s.round_number >= s.max_rounds:
        s.ended = BY_RULES
        return
    ledger.clear(s)
    offer_holes(s, np.int64(0))


@rule
def buy_back_goats(s):
    for goat in range(2):
        owner = keeper(s, goat)
        holder = -2 - s.large[goat]
        if holder != owner:
            ledger.pay(s, owner, holder, np.int64(s.prices[goat]))
    s.large[:] = HOME


@rule
def offer_holes(s, p):
    """From player p on: who may buy back a hole is asked."""
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
    """Until nobody is short: the first who is borrows, then sells; who has a choice of holes is asked."""
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
    ledger.sell(s, np.int64(s.to_move), hole)
    balance_books(s)


@rule
def sell_last(s, p):
    """The last hole is sold, and the campaign over."""
    first = ledger.row_begins(s, p)
    for hole in range(first, first + len(s.holes) // 2):
        if s.sold_to[hole] == ledger.UNSOLD:
            ledger.sell(s, p, hole)
    s.ended = BY_RULES


# What it counts.


@rule
def stock_and_goats(s, p):
    """Stones, and the price of each goat that is p's; between rounds the goats are at home again."""
    stones = np.int64(s.store[p])
    for goat in range(2):
        home = s.large[goat] == HOME and s.phase >= SELL and keeper(s, goat) == p
        if s.large[goat] == owned_by(p) or home:
            stones += s.prices[goat]
    return stones


@rule
def captured(s, p):
    """What p has secured; in a campaign with claims and holes, so that no payment of the settlement changes it."""
    if s.campaign:
        return stock_and_goats(s, p) - s.store[p] + ledger.worth(s, p)
    return stock_and_goats(s, p)


@rule
def count(s, p):
    return ledger.worth(s, p) if s.campaign else stock_and_goats(s, p)


def worth(s, p):
    """What p counts, and what the settlement would give him now: the stones of his row, and the prices of goats."""
    stones = ledger.worth(s, p)
    for hole in range(len(s.holes)):
        if hole // (len(s.holes) // 2) == p:
            stones += s.holes[hole]
    for goat in range(2):
        holder = -2 - s.large[goat]
        if holder >= 0:
            stones += s.prices[goat] * (np.int64(holder == p) - np.int64(keeper(s, goat) == p))
    return stones


@rule
def total(s):
    stones = np.int64(s.seeds) * len(s.holes)
    if s.campaign:
        return stones + np.int64(s.hole_price) * len(s.holes)
    return stones + s.prices[MU] + s.prices[GONG]


def ahead(s, p, q):
    """By the count; but of two players in a campaign the one without holes has lost."""
    if s.campaign and len(s.store) == 2:
        loser = ledger.sold_out(s)
        if loser >= 0:
            return 1 if q == loser else -1
    return count(s, p) - count(s, q)


# What players see, and what a position must be.


@inlined_rule
def observe(s, p, out):
    """Own side first; player q is column q ^ p: oneself, whoever is opposite, then the other two."""
    ring = len(s.holes)
    players = len(s.store)
    side = p % 2
    at = 0
    for step in range(ring):
        hole = (step + ring // 2 * side) % ring
        buyer = np.int64(s.sold_to[hole])
        out[step] = s.holes[hole]
        out[ring + step] = s.large[side] == hole
        out[2 * ring + step] = s.large[1 - side] == hole
        out[3 * ring + step] = 0 if buyer < 0 else 1 + (buyer ^ p)
    at = 4 * ring
    for goat in range(2):
        large = np.int64(s.large[side ^ goat])
        out[at] = large == HOME
        out[at + 1] = large == in_hand(s)
        for other in range(players):
            out[at + 2 + other] = large == owned_by(other ^ p)
        at += 2 + players
    most_short = np.int64(max(s.prices[MU], s.prices[GONG], s.hole_price))
    for other in range(players):
        stock = np.int64(s.store[other ^ p])
        out[at] = min(max(stock, 0), s.seeds * ring + most_short * (players - 1))
        out[at + 1] = min(max(-stock, 0), most_short)
        at += 2
    for debtor in range(players):
        for lender in range(players):
            if debtor != lender:
                out[at] = min(s.debt[debtor ^ p, lender ^ p], FAR)
                at += 1
    for phase in range(BUY_BACK + 1):
        out[at + phase] = s.to_move >= 0 and s.phase == phase
    at += BUY_BACK + 1
    out[at] = 1 + s.thrown[side] if s.phase != THROW or p < 2 else 0
    out[at + 1] = 1 + s.thrown[1 - side] if s.phase != THROW else 0
    out[at + 2] = s.ties
    out[at + 3] = s.hand
    out[at + 4] = s.heading % 3
    out[at + 5] = s.offered
    at += 6
    for step in range(ring + 2):
        out[at + step] = s.at == (step + (ring // 2 + 1) * side) % (ring + 2)
    at += ring + 2
    out[at] = s.to_move == p
    out[at + 1] = s.to_move < 0
    out[at + 2] = min(s.max_turns - s.turn, FAR)
    out[at + 3] = min(s.max_laps - s.laps, FAR)
    out[at + 4] = min(s.round_number, FAR)
    out[at + 5] = min(s.max_rounds - s.round_number, FAR) if s.campaign else 0


def seeds(options):
    return 2 * options["columns"] * options["seeds"]


def observation(options):
    ring, players, stones = 2 * options["columns"], options["players"], seeds(options)
    who = ("own", "other") if players == 2 else ("own", "opposite", "third", "fourth")
    whom = dict(zip(who, ("the observing player", "the player opposite", "the third", "the fourth"), strict=False))
    most_short = max(*options["prices"], options["hole_price"])
    fields = [
        *columns("hole", ring, stones, "small stones, own side's row left to right, then the other row"),
        *columns("own_goat_in", ring, 1, "1 where the own side's goat lies, in the order of the holes"),
        *columns("other_goat_in", ring, 1, "1 where the other side's goat lies"),
        *columns("sold", ring, players, "0 unsold, else 1 + the buyer: " + ", ".join(map(str, whom.values()))),
    ]
    for goat in ("own_goat", "other_goat"):
        fields.append(Column(f"{goat}_home", 1, "1 when it has never left its store this round"))
        fields.append(Column(f"{goat}_in_hand", 1, "1 when it is in the sower's hand"))
        fields += [Column(f"{goat}_is_{name}", 1, f"1 when {whom[name]} has won it") for name in who]
    for name in who:
        most = stones + most_short * (players - 1)
        fields.append(Column(f"{name}_stock", most, f"stones of {whom[name]} off the board"))
        fields.append(Column(f"{name}_below", most_short, f"stones {whom[name]} is below none, between rounds"))
    fields += [
        Column(f"{debtor}_owes_{lender}", FAR, f"stones {whom[debtor]} owes {whom[lender]}, {FAR} where more")
        for debtor in who
        for lender in who
        if debtor != lender
    ]
    return [
        *fields,
        *(Column(f"phase_{phase}", 1, f"1 when the decision is to {what}") for phase, what in PHASES.items()),
        Column("own_finger", 3, "1 thumb, 2 index, 3 little finger of the own side; 0 not thrown or not to be seen"),
        Column("other_finger", 3, "the same of the other side; 0 until both have thrown"),
        Column("ties", MOST_TIES, "throws of this round that were ties"),
        Column("hand", stones, "small stones in the sower's hand"),
        Column("heading", 2, "1 anticlockwise, 2 clockwise, 0 nobody sows"),
        Column("offered", 1, "1 once the mover may no longer offer this turn"),
        *columns("at", ring + 2, 1, "1 at the place sown last: own row, store at its right, other row, other store"),
        Column("to_move", 1, "1 when the observing player decides now"),
        Column("over", 1, "1 when the game is over"),
        Column("turns_left", FAR, f"turns before max_turns, {FAR} where more"),
        Column("laps_left", FAR, f"laps left in this turn, {FAR} where more"),
        Column("round_number", FAR, f"the round, {FAR} where later"),
        Column("rounds_left", FAR, f"rounds before max_rounds, {FAR} where more; 0 without a campaign"),
    ]


def seeds_of(s):
    """Small stones wherever they are."""
    return int(s.holes.sum()) + int(s.store.sum()) + int(s.hand)


def check(s, options, given):
    """Goats, sold holes, hand and phase must agree."""

    def require(holds, what):
        if not holds:
            raise ValueError(f"ceelkoqyuqkoqiji: {what}")

    width, players = options["columns"], options["players"]
    ring, phase, mover = 2 * width, int(s.phase), int(s.to_move)
    sold, goats, thrown = s.sold_to.tolist(), s.large.tolist(), s.thrown.tolist()
    over, between = mover < 0, phase in (SELL, BUY_BACK)
    require(mover < 2, f"to_move must be 0 or 1, who have the rows; got {mover}")
    for hole, buyer in enumerate(sold):
        fits = buyer == ledger.UNSOLD or (0 <= buyer < players and buyer != hole // width)
        require(fits, f"sold_to {buyer} of hole {hole} must be -1 or another player than its row's")
        require(buyer < 0 or not holds_anything(s, hole), f"hole {hole} is sold and must be empty")
    rows = [sold[:width], sold[width:]]
    require(over or all(ledger.UNSOLD in row for row in rows), "both rows must have an unsold hole")
    require((s.debt >= 0).all() and not s.debt.diagonal().any(), "debts must be at least 0, and none to oneself")
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
        require((thrown[0] == UNTHROWN) == (thrown[1] == UNTHROWN), "one has thrown and the other has not")
    if over:
        return
    if phase == LIFT:
        require(can_lift(s, mover), f"player {mover} to move has nothing to lift")
    elif phase == ANSWER:
        require(s.offered == 1, "in phase 2 offered must be 1")
        s.offered = 0
        offered = can_lift(s, 1 - mover) and may_offer(s)
        s.offered = 1
        require(offered, "nobody may have offered to end this round")
    elif phase == HUELSHE:
        require(not can_lift(s, mover) and s.store[mover] > 0, "in phase 3 the mover has stones, but none in his row")
        require(s.offered == 0, "in phase 3 offered must be 0")
    elif between:
        require(options["campaign"], f"phase {phase} needs a campaign")
        empty = not s.holes.any() and goats == [HOME, HOME] and s.offered == 0
        require(empty, "between rounds the holes are empty, large is -1, -1 and offered 0")
        if phase == SELL:
            short = ledger.balance(s, mover) < 0 and ledger.lender_for(s, mover) < 0 and ledger.unsold(s, mover) > 1
            require(short, "in phase 5 the mover must be short, with nobody to lend and a choice of holes")
        else:
            require(ledger.may_buy_back(s, mover), "in phase 6 the mover must be able to buy a hole back")


def board(s):
    """Filled holes are sold, in the colour of the buyer."""
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
    holes, stores = plain.places[: 2 * width], plain.places[2 * width : 2 * width + 2]
    home = [replace(store, large=int(goats[goat] == HOME)) for goat, store in enumerate(stores)]
    if players == 4:
        # The stores at the ends are players 2's and 3's; what the rows' players hold lies beside them.
        seeds = s.store.tolist()
        home = [
            *(replace(store, seeds=seeds[p], owner=p, label=f"P{p}") for p, store in zip((2, 3), home, strict=True)),
            Place(width + 2.2, 1.0, seeds[0], "P0", 0, store=True),
            Place(-1.2, 0.0, seeds[1], "P1", 1, store=True),
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


def action_names(options):
    own = range(options["columns"])
    return [
        *(f"lift own hole {hole}, sow anticlockwise" for hole in own),
        *(f"lift own hole {hole}, sow clockwise" for hole in own),
        *(f"drop {stone}" for stone in ("a small stone", "the mu", "the gong")),
        "offer to end the round",
        "yes",
        "no",
        *(f"own hole {hole}: begin a huelshe, sell or buy back" for hole in own),
        *(f"throw the {finger}" for finger in ("thumb", "index finger", "little finger")),
    ]


RULE_BOOK = RuleBook(
    name="ceelkoqyuqkoqiji",
    title="Ceelkoqyuqkoqiji",
    page=__doc__,
    options=OPTIONS,
    campaign_options=CAMPAIGN_OPTIONS,
    between_rounds=(settle, sell, buy_back),
    record=record,
    seeds=seeds,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    legal_word=legal_word,
    play=play,
    captured=captured,
    count=count,
    total=total,
    owned=ledger.owned,
    worth=worth,
    observe=observe,
    hide=hide,
    has_chance=lambda options, campaign: options["first"] != "player_0",
    has_secrets=lambda options: options["first"] == "throw",
    ahead=ahead,
    observation=observation,
    board=board,
    check=check,
    seeds_of=seeds_of,
    deciding=lambda options: 2,
    phases=PHASES,
    action_names=action_names,
)

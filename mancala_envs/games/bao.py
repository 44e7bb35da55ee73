"""
# Bao la Kiswahili (Zanzibar), with Bao la kujifunza

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | 4 x 8 holes, one of which is each player's *nyumba* (house) |
| Seeds | 32 a player: 10 on the board, 22 in the stock; option `start` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import bao_v0` (`baokujifunza_v0` for Bao la kujifunza) |

```
       7  6  5  4  3  2  1  0      North, player_1: back row
       8  9 10 [] 12 13 14 15      front row, nyumba 11
      15 14 13 12 [] 10  9  8      South, player_0: front row, nyumba 11
       0  1  2  3  4  5  6  7      back row
```
Each player owns two rows, a ring of 16 holes over which only that player sows. The numbers are *relative holes*, as the
owner of the hole sees them: 0..7 the back (outer) row from left to right, 8..15 the front (inner) row from right to
left. Relative hole k of player p is hole 16p + k of the record. Anticlockwise is k + 1, clockwise k - 1. The usual
notation is A1..A8 for the front and B1..B8 for the back, both from the left: Ac = 16 - c, Bc = c - 1.

The *kichwa* (heads) are the ends of the front row, A1 = 15 and A8 = 8; the *kimbi* are the holes beside them, A2 = 14
and A7 = 9. The *nyumba* is A5 = 11. It is *functional* while its player owns it and it holds six seeds or more.

## Rules
Sources: A. de Voogt, *Limits of the Mind*, 1995, and "Strategy in Bao", *Abstract Games* 4, 5 and 7, 2000-01; J.
Donkers, *Nosce Hostem*, 2003, appendix C, which states de Voogt's rules exactly; all three as reported, with pages, by
nkkmd ("bao-la-kiswahili-ja" and the engine bao-la-kiswahili-game, GitHub). Also the K.I.B.A. rules, revised by N.
Vessella, 2009; R. Nierse, "Bao" (gamecabinet.com); Mancala World, "Bao la Kiswahili".

1. At the start A5 holds six seeds, A6 and A7 two each. Each player has 22 seeds in the stock and owns the nyumba.
   Player 0 begins; turns alternate, and nobody passes.
2. A player with seeds in the stock plays *namua*: the turn begins with a seed from the stock. A player whose stock is
   empty plays *mtaji*: the turn begins with seeds from the board. Both stocks run out together.
3. If you can begin with a capture, you must. Otherwise the turn is a *takata*, in which nothing is captured, however
   its laps end.
4. *Namua, capture.* Put the seed into an occupied front hole whose *faced hole* (the enemy's front hole of that column)
   is occupied, too. You capture (rule 9). You choose from which kichwa the captured seeds are sown, unless the
   capturing hole is a kichwa or kimbi.
5. *Namua, takata.* Put the seed into an occupied front hole, lift the hole and sow in either direction. The hole may
   not be the functional nyumba, unless that is your only occupied front hole. If you do not own the nyumba, choose a
   hole that held two seeds or more before the seed is put in, if you have one. From the functional nyumba only two
   seeds are taken and sown.
6. *Mtaji, capture.* Lift any hole of 2 to 15 seeds and sow in either direction such that the last seed falls in an
   occupied front hole of yours whose faced hole is occupied.
7. *Mtaji, takata.* Lift a front hole of two seeds or more and sow in either direction; if there is none, a back hole of
   two or more.
8. In every takata, if your only occupied front hole is a kichwa, it may not be sown towards the back row.
9. *Capture.* All seeds of the faced hole are taken; the capturing hole keeps its own. They are sown from a kichwa, with
   the first seed in it: from the kichwa of the same side if the capturing hole is kichwa or kimbi, otherwise in the
   direction of the lap: anticlockwise from the right kichwa, clockwise from the left one.
10. A lap drops one seed in each hole. No hole is skipped, not even the lifted one. If the last seed of a lap falls in
    an empty hole, the turn ends. If, in a capturing turn, it falls in an occupied front hole whose faced hole is
    occupied, you capture (rule 9). Otherwise you lift the hole and sow on in the same direction.
11. *The nyumba.* If the last seed falls in your functional nyumba and does not capture: in a capturing namua turn you
    choose whether to stop or to lift the nyumba and sow on; a namua takata ends; in mtaji the nyumba is a hole like any
    other.
12. You lose your nyumba for good when you lift it whole, when the enemy captures it, or when you capture in mtaji.
13. *Takasia* (also kutakatia). You end a mtaji takata, the enemy cannot begin with a capture, and if you moved again on
    the same board, every capture with which you could begin would take one and the same enemy hole. Then this hole is
    *blocked* in the enemy's next turn: it may not be lifted to begin, and a lap whose last seed falls there ends the
    turn. A hole is not blocked if it holds one seed, if it is the only occupied front hole or the only one of two or
    more, or if it is an owned nyumba.
14. A player whose front row is empty has lost, at once, even in the middle of a turn. A player to move who cannot begin
    has lost. Seeds still in hand are put into the winner's store; otherwise `store` is always 0.

## Bao la kujifunza
The game for beginners, `start="beginners"`, has its own name `baokujifunza`: two seeds in every hole, no stocks and no
nyumba, so that mtaji is played from the first turn.

## Not settled by the source, decided here
* `start="malawi"` has 8, 2 and 2 seeds on each side and 20 in each stock (AbstractPlay).
* In mtaji, the first capture outside kichwa and kimbi keeps the direction of the lap (`first_kichwa="kept"`: Donkers;
  K.I.B.A. 1.4.3; Board Game Arena; AbstractPlay). With `"choice"` the player chooses the kichwa, as in namua (an
  unsigned "Definitive Ruleset Specification" on GitHub; Ludii, at every such capture).
* Single seeds may begin a namua takata while the nyumba is owned (`singles="house"`: Donkers). With `"last"` the hole
  must hold two or more in any case, if rule 5 leaves such a hole (de Voogt 2001).
* A nyumba from which two seeds are taken stays owned; with fewer than six left it is no longer functional
  (`house_lost="emptied"`: Donkers). With `"below_six"` it is then lost for good (de Voogt 2001, who notes local
  differences).
* `house_mtaji="takata"`: in mtaji, too, a takata ends in the functional nyumba (K.I.B.A. 1.6.2 names no stage; Board
  Game Arena). By default it does not (`"off"`: de Voogt 2001; AbstractPlay).
* Takasia as in de Voogt and Donkers (`takasia="on"`), or not at all (`"off"`). With `"forced"` the player who set it
  must next begin with a capture of that hole, if there is one (Mancala World; Board Game Arena; AbstractPlay asks only
  that the turn capture it). AbstractPlay has takasia in Bao la kujifunza, too; Board Game Arena does not.
* Sowing that never ends is stopped after `max_laps` laps of a turn; the last of these laps captures nothing. Each
  handful of seeds sown is a lap; the seed put in from the stock is not. Donkers and the programs forbid or punish such
  turns.
* At `max_turns` the player with more seeds on their own side, the stock included, wins; equal numbers are a draw. Rule
  14 comes first.
* Not offered: the exception from takasia for a sowing that began from the nyumba (recorded and rejected in de Voogt
  1995); a hole of sixteen or more that skips itself; a nyumba that survives captures in mtaji, and the rule that an
  owned nyumba of fewer than six seeds may not begin a takata (both in AbstractPlay).

## Actions
In a namua capture the action names the hole that gets the seed, and the direction in which the captured seeds go.

## Options
With `reward="margin"` a win by rule 14 pays the winner +1 and the loser -1, and a game that ends at `max_turns` pays
the difference in seeds, divided by 64. No campaign.

## Random play
A game takes 54 turns on average (27 with `start="beginners"`). The first player wins 51.5% of the games (54%).

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import in_python
from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.observation import FAR, Columns, observe_phase, phase_columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import BY_RULES, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH
from mancala_envs.families.mancala.explanation import captured, emptied, in_rows
from mancala_envs.families.mancala.four_rows import presentation
from mancala_envs.families.mancala.four_rows.rings import (
    ANTICLOCKWISE,
    CLOCKWISE,
    DIRECTIONS,
    NOWHERE,
    OUTRIGHT,
    WHERE,
    can_begin,
    facing,
    is_inner,
    own_hole,
    score_by,
    sow_hand,
    win,
)
from mancala_envs.families.mancala.position import check_hand, check_seeds, fields, most_decisions
from mancala_envs.families.mancala.rows import other_side, row_seeds
from mancala_envs.families.mancala.sow import drop, lift

__all__ = ["RULE_BOOK"]

COLUMNS, RING, SEEDS = 8, 16, 64
NYUMBA = 11
LEFT_KICHWA, RIGHT_KICHWA = 15, 8
LEFT_KIMBI, RIGHT_KIMBI = 14, 9
FUNCTIONAL = 6
"""Seeds that make an owned nyumba functional."""
TAKEN = 2
"""Seeds taken from the functional nyumba in a takata."""

TAKATA = -2
"""In place of a hole to capture: nothing can be captured."""
NAMUA_CAPTURE, NAMUA_TAKATA, MTAJI_CAPTURE, MTAJI_TAKATA = range(4)

BEGIN, KICHWA, HOUSE = range(3)
PHASES = {
    BEGIN: "begin the turn",
    KICHWA: "choose the kichwa for the captured seeds",
    HOUSE: "stop at the nyumba or go on",
}
PHASE_NUMBERS = np.array(list(PHASES))
FROM_KICHWA = 32
"""Actions 32 and 33 sow the captured seeds anticlockwise and clockwise."""
STOP, GO_ON = 34, 35

STANDARD, MALAWI, BEGINNERS = range(3)
SET_UP = np.array([[6, 2, 2, 22], [8, 2, 2, 20]])
"""Seeds in A5, A6 and A7, and in the stock, by `start`."""
CHOICE = 1
LAST = 1
BELOW_SIX = 1
IN_MTAJI = 1
ON, OFF, FORCED = range(3)

OPTIONS = (
    Option("start", "standard", choices=("standard", "malawi", "beginners")),
    Option("first_kichwa", "kept", choices=("kept", "choice")),
    Option("singles", "house", choices=("house", "last")),
    Option("house_lost", "emptied", choices=("emptied", "below_six")),
    Option("house_mtaji", "off", choices=("off", "takata")),
    Option("takasia", "on", choices=("on", "off", "forced")),
    Option("max_turns", 300),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)


def record(options):
    own = [
        Field("stock", "u1", "seeds still to be brought in, by player", (2,)),
        Field("house", "u1", "1 while the player owns the nyumba", (2,)),
        Field("blocked", "i1", "the hole that the player to move may not empty this turn (takasia), or -1"),
        Field("target", "i1", 'the hole that the player to move must capture if possible (`takasia="forced"`), or -1'),
        Field("hand", "u1", "captured seeds in hand, in phase 1; otherwise 0"),
        Field("at", "i1", "the capturing hole in phase 1, the nyumba in phase 2; otherwise -1"),
        Field("heading", "i1", "direction of the lap in phases 1 and 2: 0 anticlockwise, 1 clockwise; otherwise -1"),
        Field("laps", "i4", "laps sown in this turn; above 0 in phases 1 and 2 only"),
        OUTRIGHT,
    ]
    return fields(2 * RING, 2, own, WHERE, "0, except for seeds in the hand of a winner at the end")


@rule
def num_actions(s):
    return GO_ON + 1


@rule
def begin(s):
    s.store[:] = 0
    s.outright = 0
    s.laps = 0
    s.blocked = NOWHERE
    s.target = NOWHERE
    rest(s)
    if s.start == BEGINNERS:
        s.holes[:] = 2
        s.stock[:] = 0
        s.house[:] = 0
        return
    s.holes[:] = 0
    s.house[:] = 1
    for p in range(2):
        for place in range(3):
            s.holes[RING * p + NYUMBA - place] = SET_UP[s.start, place]
        s.stock[p] = SET_UP[s.start, 3]


@rule
def rest(s):
    """Clear the choice within a turn."""
    s.phase = BEGIN
    s.hand = 0
    s.at = NOWHERE
    s.heading = NOWHERE


# Holes.


@rule
def side_direction(k, otherwise):
    """Return the direction from the kichwa of the same side for kichwa and kimbi, `otherwise` for other front holes."""
    if k >= LEFT_KIMBI:
        return CLOCKWISE
    if k <= RIGHT_KIMBI:
        return ANTICLOCKWISE
    return otherwise


@rule
def faces_seeds(s, hole):
    """Return whether `hole` is a front hole, and its faced hole is occupied."""
    return is_inner(s, hole) and s.holes[facing(s, hole)] > 0


@rule
def is_functional(s, p):
    return s.house[p] == 1 and s.holes[RING * p + NYUMBA] >= FUNCTIONAL


@rule
def front_holes(s, p, least, left_out):
    """Return how many front holes of player p, other than `left_out`, hold at least `least` seeds."""
    count = 0
    for hole in range(RING * p + COLUMNS, RING * p + RING):
        count += s.holes[hole] >= least and hole != left_out
    return count


# How a turn may begin.


@rule
def first_capture(s, p, k, direction):
    """Return the enemy hole that player p captures by beginning with `k` in `direction`; NOWHERE if none."""
    hole = RING * p + k
    seeds = np.int64(s.holes[hole])
    if s.stock[p] > 0:
        if k < COLUMNS or seeds == 0 or side_direction(k, direction) != direction:
            return NOWHERE
    else:
        if seeds < 2 or seeds >= RING:
            return NOWHERE
        k = (k + seeds if direction == ANTICLOCKWISE else k - seeds) % RING
        hole = RING * p + k
        if s.holes[hole] == 0:
            return NOWHERE
    return facing(s, hole) if faces_seeds(s, hole) else NOWHERE


@rule
def captures(s, p, captured):
    """Return whether player p can begin with a capture of the hole `captured`; NOWHERE stands for any hole."""
    for k in range(RING):
        for direction in range(2):
            hole = first_capture(s, p, k, direction)
            if hole != NOWHERE and (captured == NOWHERE or hole == captured):
                return True
    return False


@rule
def may_takata(s, k, direction):
    """Return whether the mover may begin a takata with `k` in `direction`."""
    p = s.to_move
    hole = RING * p + k
    if leaves_front(k, direction) and front_holes(s, p, 1, hole) == 0:
        return False
    if s.stock[p] > 0:
        return may_put(s, k)
    if s.holes[hole] < 2 or hole == s.blocked:
        return False
    return k >= COLUMNS or front_holes(s, p, 2, s.blocked) == 0


@rule
def leaves_front(k, direction):
    """Return whether sowing from `k` in `direction` leads from a kichwa to the back row."""
    return (k == LEFT_KICHWA and direction == ANTICLOCKWISE) or (k == RIGHT_KICHWA and direction == CLOCKWISE)


@rule
def may_put(s, k):
    """Return whether a namua takata may begin with `k`."""
    p = s.to_move
    hole = RING * p + k
    if k < COLUMNS or s.holes[hole] == 0:
        return False
    nyumba = RING * p + NYUMBA if is_functional(s, p) else NOWHERE
    if hole == nyumba:
        return front_holes(s, p, 1, nyumba) == 0
    if s.house[p] == 1 and s.singles != LAST:
        return True
    return s.holes[hole] >= 2 or front_holes(s, p, 2, nyumba) == 0


@rule
def may_begin(s, k, direction, captured):
    """Return whether the mover may begin with `k` in `direction`; `captured` is a result of `obligation`."""
    if captured == TAKATA:
        return may_takata(s, k, direction)
    hole = first_capture(s, s.to_move, k, direction)
    return hole != NOWHERE and (captured == NOWHERE or hole == captured)


@rule
def obligation(s):
    """Return the hole that the mover must capture to begin; NOWHERE for any hole, TAKATA if there is no capture."""
    if s.target != NOWHERE and captures(s, s.to_move, s.target):
        return np.int64(s.target)
    return NOWHERE if captures(s, s.to_move, NOWHERE) else TAKATA


@rule
def legal(s, action):
    if s.phase == KICHWA:
        return FROM_KICHWA <= action < STOP
    if s.phase == HOUSE:
        return action >= STOP
    return action < FROM_KICHWA and may_begin(s, action % RING, action // RING, obligation(s))


# The turn.


@rule
def play(s, action):
    if s.phase == KICHWA:
        hand = np.int64(s.hand)
        rest(s)
        direction = action - FROM_KICHWA
        sow_on(s, before_kichwa(s, direction), hand, direction, MTAJI_CAPTURE)
    elif s.phase == HOUSE:
        hole, direction = np.int64(s.at), np.int64(s.heading)
        rest(s)
        if action == GO_ON:
            sow_on(s, hole, lift_whole(s, hole), direction, NAMUA_CAPTURE)
        else:
            end_turn(s, NAMUA_CAPTURE)
    else:
        begin_turn(s, action % RING, action // RING)


@rule
def begin_turn(s, k, direction):
    hole = own_hole(s, k)
    takata = first_capture(s, s.to_move, k, direction) == NOWHERE
    if s.stock[s.to_move] == 0:
        sow_on(s, hole, lift_whole(s, hole), direction, MTAJI_TAKATA if takata else MTAJI_CAPTURE)
        return
    spares_house = k == NYUMBA and is_functional(s, s.to_move)
    bring_in(s, hole)
    if takata:
        hand = take_two(s, hole) if spares_house else lift_whole(s, hole)
        sow_on(s, hole, hand, direction, NAMUA_TAKATA)
        return
    hand = capture(s, hole, NAMUA_CAPTURE)
    if front_holes(s, 1 - s.to_move, 1, NOWHERE) == 0:
        win_by_capture(s, hand)
    else:
        sow_on(s, before_kichwa(s, direction), hand, direction, NAMUA_CAPTURE)


@rule
def bring_in(s, hole):
    """Put a seed of the stock into `hole`."""
    s.stock[s.to_move] -= 1
    drop(s, hole)


@rule
def take_two(s, hole):
    """Take two seeds from the functional nyumba."""
    s.holes[hole] -= TAKEN
    if s.house_lost == BELOW_SIX and s.holes[hole] < FUNCTIONAL:
        lose_house(s, s.to_move)
    return TAKEN


@rule
def lift_whole(s, hole):
    """Lift a hole of the mover, who loses the nyumba if it is that hole. Return the seeds."""
    if hole == own_hole(s, NYUMBA):
        lose_house(s, s.to_move)
    return lift(s, hole)


@rule
def lose_house(s, p):
    s.house[p] = 0


@rule
def capture(s, hole, turn):
    """Take the seeds of the hole that `hole` faces; return their number."""
    across = facing(s, hole)
    if across == RING * (1 - s.to_move) + NYUMBA:
        lose_house(s, 1 - s.to_move)
    if turn == MTAJI_CAPTURE:
        lose_house(s, s.to_move)
    return lift(s, across)


@rule
def before_kichwa(s, direction):
    """Return the mover's hole before the kichwa from which captured seeds are sown in `direction`."""
    return own_hole(s, RIGHT_KICHWA - 1 if direction == ANTICLOCKWISE else (LEFT_KICHWA + 1) % RING)


@rule
def sow_on(s, hole, hand, direction, turn):
    """Sow `hand` from the hole after `hole`, lap after lap, to the end of the turn or until there is a choice."""
    while True:
        last = sow_hand(s, hole, hand, direction)
        s.laps += 1
        if s.laps >= s.max_laps or s.holes[last] == 1:
            break
        if captures_at(s, last, turn):
            hand = capture(s, last, turn)
            if front_holes(s, 1 - s.to_move, 1, NOWHERE) == 0:
                win_by_capture(s, hand)
                return
            k = last % RING
            if turn == MTAJI_CAPTURE and s.laps == 1 and s.first_kichwa == CHOICE and RIGHT_KIMBI < k < LEFT_KIMBI:
                ask(s, KICHWA, last, hand, direction)
                return
            direction = side_direction(k, direction)
            hole = before_kichwa(s, direction)
        elif stops_at(s, last, turn):
            break
        elif turn == NAMUA_CAPTURE and is_own_functional(s, last):
            ask(s, HOUSE, last, 0, direction)
            return
        else:
            hand = lift_whole(s, last)
            hole = last
    end_turn(s, turn)


@rule
def captures_at(s, last, turn):
    return turn in (NAMUA_CAPTURE, MTAJI_CAPTURE) and faces_seeds(s, last)


@rule
def stops_at(s, last, turn):
    """Return whether a takata ends in the occupied hole `last`."""
    if turn == NAMUA_TAKATA:
        return is_own_functional(s, last)
    if turn == MTAJI_TAKATA:
        return last == s.blocked or (s.house_mtaji == IN_MTAJI and is_own_functional(s, last))
    return False


@rule
def is_own_functional(s, hole):
    return hole == own_hole(s, NYUMBA) and is_functional(s, s.to_move)


@rule
def ask(s, phase, hole, hand, direction):
    s.phase = phase
    s.at = hole
    s.hand = hand
    s.heading = direction


@rule
def win_by_capture(s, hand):
    """End the game at once, because the enemy's front row is empty; `hand` goes to the winner's store."""
    s.store[s.to_move] += hand
    s.turn += 1
    s.laps = 0
    s.target = NOWHERE
    win(s, s.to_move)


@rule
def end_turn(s, turn):
    mover = s.to_move
    s.laps = 0
    s.turn += 1
    s.target = s.blocked if s.takasia == FORCED else NOWHERE
    s.blocked = NOWHERE
    s.to_move = 1 - mover
    # In namua every player can begin, because the front row holds seeds.
    if s.stock[s.to_move] == 0 and not can_begin(s, s.to_move):
        s.target = NOWHERE
        win(s, mover)
    elif s.turn >= s.max_turns:
        s.target = NOWHERE
        s.ended = BY_RULES
    elif turn == MTAJI_TAKATA and s.takasia != OFF:
        set_takasia(s)


# Takasia.


@rule
def set_takasia(s):
    """Block the only hole that the player of the last takata threatens, if it can be blocked."""
    enemy = s.to_move
    if captures(s, enemy, NOWHERE):
        return
    hole = only_threat(s, 1 - enemy)
    if hole != NOWHERE and can_be_blocked(s, hole):
        block(s, hole)


@rule
def only_threat(s, p):
    """Return the hole with which all captures of player p would begin; NOWHERE if there is none or several."""
    only = NOWHERE
    for k in range(RING):
        for direction in range(2):
            hole = first_capture(s, p, k, direction)
            if only == NOWHERE:
                only = hole
            elif hole != NOWHERE and hole != only:
                return NOWHERE
    return only


@rule
def can_be_blocked(s, hole):
    """Return whether front hole `hole` holds two or more, is not the only such front hole, and is no owned nyumba."""
    p = hole // RING
    if hole == RING * p + NYUMBA and s.house[p] == 1:
        return False
    return s.holes[hole] > 1 and front_holes(s, p, 2, hole) > 0


@rule
def block(s, hole):
    s.blocked = hole


# Values.


@rule
def seeds_held(s, p):
    """Return the seeds on the side of player p and in the stock."""
    return row_seeds(s, p) + s.stock[p]


@rule
def worth(s, p):
    """Return the seeds on the side of player p, in the stock and in hand."""
    return seeds_held(s, p) + (s.hand if s.to_move == p else 0)


@rule
def score(s, p):
    return score_by(s, p, seeds_held(s, p), SEEDS)


@rule
def all_seeds(s):
    return SEEDS


# Observations, actions, checks of positions and drawings.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_rings(s, p, out)
    presentation.observe_at(s, out)
    out.own_stock = s.stock[p]
    out.other_stock = s.stock[1 - p]
    out.own_house = s.house[p]
    out.other_house = s.house[1 - p]
    out.hand = s.hand
    for k in range(RING):
        out.blocked[k] = s.blocked >= 0 and s.blocked % RING == k
        out.target[k] = s.target >= 0 and s.target % RING == k
    for direction in range(2):
        out.heading[direction] = s.heading == direction
    observe_phase(s, PHASE_NUMBERS, out)
    out.laps_left = min(s.max_laps - s.laps, FAR)


def observation(options):
    return [
        *presentation.ring_columns(RING, SEEDS),
        presentation.at_columns(RING, "1 at the hole where the player to move chooses"),
        Columns("own_stock", SEEDS, "seeds in the own stock"),
        Columns("other_stock", SEEDS, "seeds in the other player's stock"),
        Columns("own_house", 1, "1 while the observing player owns the nyumba"),
        Columns("other_house", 1, "1 while the other player owns the nyumba"),
        Columns("hand", SEEDS, "captured seeds in hand"),
        Columns("blocked", 1, "1 at the hole that the player to move may not empty", place=range(RING)),
        Columns("target", 1, "1 at the enemy hole that the player to move must capture", place=range(RING)),
        Columns("heading", 1, "1 when the lap in progress runs {each}", direction=DIRECTIONS),
        phase_columns(PHASES),
        Columns("laps_left", FAR, f"laps left in this turn, {FAR} where more"),
    ]


def actions(options):
    return [
        Actions("own hole {place}, {direction}", direction=DIRECTIONS, place=range(RING)),
        Actions(
            "sow the captured seeds {direction}",
            {KICHWA: "anticlockwise from the right kichwa, clockwise from the left one"},
            direction=DIRECTIONS,
        ),
        Actions("stop at the nyumba", {HOUSE: ""}),
        Actions("go on from the nyumba", {HOUSE: ""}),
    ]


def check(s, options, given):
    presentation.check_end(s)
    over = s.to_move < 0
    require(over or not s.store.any(), "store must be 0, 0 in a game that is not over")
    require(not s.store.any() or (s.outright and s.store[1 - s.winner] == 0), "store holds only what a winner captured")
    check_seeds(s, SEEDS, beside=int(s.hand) + int(s.stock.sum()))
    most = int(options["start"] != "beginners")
    require(s.house.max() <= most, f"house must be 0{' or 1' * most} for each player")
    presentation.check_at(s, options, (KICHWA, HOUSE))
    headings = "-1" if s.phase == BEGIN else "0 or 1"
    require(s.heading in ((NOWHERE,) if s.phase == BEGIN else (0, 1)), f"heading must be {headings} in phase {s.phase}")
    check_hand(s, KICHWA)
    if over:
        return
    for p in (0, 1):
        row = s.holes[RING * p + COLUMNS : RING * p + RING]
        require(row.any(), f"the front row of player {p} must hold seeds in a game that is not over")
    check_takasia(s)
    if s.phase == KICHWA:
        check_kichwa(s)
    elif s.phase == HOUSE:
        own = in_python(is_own_functional)(s, int(s.at))
        require(own, "in phase 2 `at` must be the own nyumba, owned and of six seeds or more")
        require(not in_python(faces_seeds)(s, int(s.at)), "in phase 2 the nyumba must face an empty hole")


def check_kichwa(s):
    """Check a choice of the kichwa: after the first capture of a turn in mtaji, outside kichwa and kimbi."""
    require(s.first_kichwa == CHOICE, 'phase 1 needs first_kichwa="choice"')
    require(s.stock[s.to_move] == 0, "in phase 1 the player to move must have no stock")
    require(RIGHT_KIMBI < s.at % RING < LEFT_KIMBI, "in phase 1 `at` must be a front hole outside kichwa and kimbi")
    require(s.holes[s.at] > 1, "in phase 1 the hole at `at` must hold two seeds or more")
    require(not in_python(faces_seeds)(s, int(s.at)), "in phase 1 the hole that `at` faces must be empty")
    require(not s.house[s.to_move], "in phase 1 the player to move must not own the nyumba")


def check_takasia(s):
    """Check that the blocked hole is one that can be, and that the target is an enemy's front hole."""
    if s.blocked != NOWHERE:
        p, k = divmod(int(s.blocked), RING)
        require(p == s.to_move and k >= COLUMNS, "blocked must be -1 or a front hole of the player to move")
        require(s.takasia != OFF, 'blocked must be -1 with takasia="off"')
        require(in_python(can_be_blocked)(s, int(s.blocked)), f"hole {s.blocked} cannot be blocked")
        free = s.phase == BEGIN and not s.stock[s.to_move] and not in_python(captures)(s, int(s.to_move), NOWHERE)
        require(free, "blocked must be -1 unless a takata of mtaji begins")
    if s.target != NOWHERE:
        p, k = divmod(int(s.target), RING)
        require(p == 1 - s.to_move and k >= COLUMNS, "target must be -1 or a front hole of the other player")
        require(s.takasia == FORCED, 'target must be -1 without takasia="forced"')


def board(s):
    """Draw an owned nyumba as a square, a blocked hole crossed, and the hole of a choice in the mover's colour."""
    squares = [RING * p + NYUMBA for p in (0, 1) if s.house[p]]
    arrows = presentation.around(COLUMNS, int(s.to_move), s.heading == CLOCKWISE) if s.phase != BEGIN else ()
    beside = () if s.start == BEGINNERS else presentation.trays(COLUMNS, s.stock, "stock")
    if s.target != NOWHERE:
        caption = f"hole {s.target % RING} of player_{1 - s.to_move} must be captured if possible"
    elif s.phase == KICHWA:
        caption = f"{s.hand} captured seeds in hand"
    else:
        caption = "an owned nyumba is square, a blocked hole crossed"
    return presentation.four_rows(s, [int(s.at)], beside, [caption], arrows, squares, [int(s.blocked)])


def describe_loss(before, s, p):
    return f"player_{p} loses the nyumba" if before.house[p] else ""


def describe_capture(before, s, hole, turn):
    (across,) = emptied(before, s)
    lost = [describe_loss(before, s, p) for p in (0, 1) if before.house[p] > s.house[p]]
    return "; ".join([captured(before, [across]), *lost])


DESCRIPTIONS: Descriptions = {
    **presentation.RINGS,
    bring_in: Summary(lambda before, s, hole: f"brings a seed into {in_rows(s, hole)}"),
    take_two: lambda before, s, hole: f"takes {TAKEN} from {in_rows(s, hole)}",
    lose_house: describe_loss,
    capture: Summary(describe_capture),
    win_by_capture: lambda before, s, hand: "has emptied the other front row",
    block: lambda before, s, hole: f"takasia: {in_rows(s, hole)} is blocked",
}

RULE_BOOK = RuleBook(
    name="bao",
    title="Bao la Kiswahili",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, worth=worth),
    result=by_scores(score, all_seeds),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=PHASES,
        turn=lambda options: other_side(RING),
        descriptions=DESCRIPTIONS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "seeds on own side" + (" and in stock" if options["start"] != "beginners" else ""),
        tally=seeds_held,
    ),
    positions=Positions(check),
    symmetries=lambda options: [presentation.mirror(COLUMNS)] if options["start"] == "beginners" else [],
    most_decisions=lambda options: most_decisions(options, SEEDS),
)
__doc__ = RULE_BOOK.page

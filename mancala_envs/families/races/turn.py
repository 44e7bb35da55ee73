"""The turn of a race: all throws, then one use after the other, until nothing thrown can be used; and the result.

Written against the names of `contract.py`. A player who can use nothing passes, which is no turn.
"""

from collections.abc import Mapping

import numpy as np

from mancala_envs.core.bits import select_bit
from mancala_envs.core.contract import num_players
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import BY_MARGIN
from mancala_envs.core.record import BY_RULES, HEAD, IN_PLAY, Field
from mancala_envs.core.rule import Rule, rule
from mancala_envs.families.races.contract import (
    carry_out,
    choices,
    go,
    has_choice,
    home,
    is_choice,
    may_stop,
    sides,
    stop,
    throw,
)
from mancala_envs.families.races.verbs import (
    FEWEST_VALUES,
    MOST_VALUES,
    all_home,
    has_use,
    is_use,
    one,
    progress,
    put_down,
    row_of,
    side_is_home,
    throws_left,
    uses,
    value_and_piece,
)

USE = Option("use", "must", choices=("must", "may"))
"""Whether a throw that can be used must be."""

MOST_PASSES = 4000
"""In a row, by a freak of chance: then the game is drawn."""


def fields(rows, pieces, values, last, *more):
    """The fields of a race. `values`: of throws, in words; `last`: L, in words where options change it; `more`: those
    that stand before the head."""
    if not FEWEST_VALUES <= len(values) <= MOST_VALUES:
        raise ValueError(f"throws must have {FEWEST_VALUES} to {MOST_VALUES} values, got {len(values)}")
    way = f"how far each piece has come: 0 waiting, then its place on its track, L + 1 home; L is {last}"
    throws = f"throws still to be used of each value: {', '.join(values)}"
    return [Field("pieces", "u1", way, (rows, pieces)), Field("throws", "u1", throws, (len(values),)), *more, *HEAD]


# Decisions.


@rule(inline=True)
def legal_word(s, word):
    """The uses, and to stop."""
    bits, last = choices(s), stop(s)
    stops = np.uint64(bits != 0 and may_stop(s) and last // 64 == word) << np.uint64(last % 64)
    return (bits if word == 0 else np.uint64(0)) | stops


@rule(inline=True)
def legal(s, action):
    if action == stop(s):
        return may_stop(s) and has_choice(s)
    return is_choice(s, action)


@rule(inline=True)
def spend(s, value):
    """One throw of the value of this index is used."""
    put_down(s, throws_left(s) - one(value))


@rule(inline=True)
def use_one(s, action):
    """`carry_out` of the actions value * K + k."""
    value, k = value_and_piece(s, action)
    spend(s, value)
    go(s, k, value)


BY_THROWS: Mapping[Rule, Rule] = {choices: uses, has_choice: has_use, is_choice: is_use, carry_out: use_one}
"""Of `RuleBook.family`, where nothing else is done than to use one throw on one piece."""


# The turn.


@rule
def first_turn(s):
    """Player 0 throws, and after him the others, until somebody can use his throws."""
    if not throws_to_use(s):
        pass_on(s, 1)


@rule(inline=True)
def throws_to_use(s):
    """The player to move throws; returns whether he can use any of it."""
    throw(s)
    return has_choice(s)


@rule(inline=True)
def play(s, action):
    """Carry out an action and then, as long as there is one only, what must follow it in this turn."""
    while action != stop(s):
        carry_out(s, action)
        if side_is_home(s, row_of(s, s.to_move)):
            s.winner = s.to_move % sides(s)
            break
        further = choices(s)
        if further == 0:
            break
        if further & (further - np.uint64(1)) != 0 or may_stop(s):
            return
        action = select_bit(further, 0, 64)
    end_turn(s)


@rule
def end_turn(s):
    """The turn is over, and with it the game where somebody has won or turns are used up."""
    s.turn += 1
    if s.winner != IN_PLAY or s.turn >= s.max_turns:
        end_game(s)
    else:
        pass_on(s, 0)


@rule
def pass_on(s, passes):
    """The next who can use what he throws is to move; so many have passed already."""
    while passes < MOST_PASSES:
        s.to_move = next_player(s)
        if throws_to_use(s):
            return
        passes += 1
    end_game(s)


@rule(inline=True)
def end_game(s):
    put_down(s, 0)
    s.ended = BY_RULES


@rule(inline=True)
def next_player(s):
    """Who has a piece that is not home, after the player to move."""
    p = after(s, s.to_move)
    # Who is alone has won when all his pieces are home.
    while sides(s) < len(s.pieces) and all_home(s, row_of(s, p)):
        p = after(s, p)
    return p


@rule(inline=True)
def after(s, p):
    # Cheaper than a division.
    return p + 1 if p + 1 < num_players(s) else 0


# The result.


@rule
def side(s, p):
    """The side that player p is of."""
    return p % sides(s)


@rule
def share(s, p):
    """Player p's reward, which is his side's; see `reward` in core.outcome. What counts is how far the pieces came."""
    others = sides(s) - 1
    if s.reward == BY_MARGIN:
        return lead(s, side(s, p)) / (others * s.pieces.size * home(s))
    if s.winner < 0:
        return 0.0
    return 1.0 if s.winner == side(s, p) else -1.0 / others


@rule(inline=True)
def lead(s, side):
    """The progress of a side less the mean of the others', times the number of the others."""
    total = 0
    for other in range(sides(s)):
        total += progress(s, other)
    own = progress(s, side)
    return (sides(s) - 1) * own - (total - own)

"""The turn of a race, and the result: the player makes all throws, then uses them one by one until none can be used.

The rules call those of `contract.py`. A player who cannot use any throw passes, which does not count as a turn.
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
from mancala_envs.families.races.tracks import WAITING
from mancala_envs.families.races.verbs import (
    FEWEST_VALUES,
    MOST_VALUES,
    all_home,
    has_use,
    is_use,
    one_throw,
    progress,
    row_of,
    side_is_home,
    store_throws,
    throws_left,
    uses,
    value_and_piece,
)

USE = Option("use", "must", choices=("must", "may"))
"""Whether usable throws must be used."""

MOST_PASSES = 4000
"""Maximum number of passes in a row, after which the game is a draw; this is extremely unlikely."""


def fields(rows, pieces, values, last, *more):
    """Return the fields of the record of a race.

    Args:
        rows: The number of rows of pieces.
        pieces: The number of pieces in a row.
        values: The names of the values of throws.
        last: The last place on the track, L; in words if it depends on options.
        *more: The game's own fields.

    Raises:
        ValueError: If there are too few or too many values for a word of the record.
    """
    if not FEWEST_VALUES <= len(values) <= MOST_VALUES:
        raise ValueError(f"throws must have {FEWEST_VALUES} to {MOST_VALUES} values, got {len(values)}")
    way = f"place of each piece on its track: 0 waiting, 1 to L on the track, L + 1 home; L is {last}"
    throws = f"throws still to be used of each value: {', '.join(values)}"
    return [Field("pieces", "u1", way, (rows, pieces)), Field("throws", "u1", throws, (len(values),)), *more, *HEAD]


# Players.


@rule(inline=True)
def num_rows(s):
    """Return the number of players where each has a row of pieces."""
    return len(s.pieces)


TEAMS = 2


@rule(inline=True)
def two_sides(s):
    """Return the number of sides if the players are always in teams."""
    return TEAMS


@rule(inline=True)
def are_opponents_in_teams(s, r, q):
    """Return whether two rows are opponents if the players are always in teams."""
    return (r ^ q) & 1 != 0


# Decisions.


@rule(inline=True)
def num_actions_of_throws(s):
    """Return the number of actions where each uses one throw on one piece, and the last one is `stop`."""
    return len(s.throws) * s.pieces.shape[1] + 1


@rule(inline=True)
def legal_word(s, word):
    """Return a word of the legal actions: the uses of throws, and `stop`."""
    bits, last = choices(s), stop(s)
    stops = np.uint64(bits != 0 and may_stop(s) and last // 64 == word) << np.uint64(last % 64)
    return (bits if word == 0 else np.uint64(0)) | stops


@rule(inline=True)
def legal(s, action):
    """Return whether an action is legal."""
    if action == stop(s):
        return may_stop(s) and has_choice(s)
    return is_choice(s, action)


@rule(inline=True)
def spend(s, value):
    """Use up one throw of the value with index `value`."""
    store_throws(s, throws_left(s) - one_throw(value))


@rule(inline=True)
def use_one(s, action):
    """Carry out action value * K + k: use one throw on one piece."""
    value, k = value_and_piece(s, action)
    spend(s, value)
    go(s, k, value)


BY_THROWS: Mapping[Rule, Rule] = {choices: uses, has_choice: has_use, is_choice: is_use, carry_out: use_one}
"""Entries of `RuleBook.family` for games in which every action uses one throw on one piece."""


# The turn.


@rule
def begin(s):
    """Begin the game with all pieces waiting."""
    s.pieces[:] = WAITING
    first_turn(s)


@rule
def first_turn(s):
    """Let the players throw in turn, starting with player 0, until one can use a throw."""
    if not throws_to_use(s):
        pass_on(s, 1)


@rule(inline=True)
def throws_to_use(s):
    """Throw for the player to move; return whether any throw can be used."""
    throw(s)
    return has_choice(s)


@rule(inline=True)
def play(s, action):
    """Carry out an action, and then every following decision of the turn that has a single legal action."""
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
    """End the turn, and the game if a side has won or the limit on turns is reached."""
    s.turn += 1
    if s.winner != IN_PLAY or s.turn >= s.max_turns:
        end_game(s)
    else:
        pass_on(s, 0)


@rule
def pass_on(s, passes):
    """Pass the turn to the next player who can use a throw; `passes` counts the passes so far."""
    while passes < MOST_PASSES:
        s.to_move = next_player(s)
        if throws_to_use(s):
            return
        passes += 1
    end_game(s)


@rule(inline=True)
def end_game(s):
    """End the game and drop the remaining throws."""
    store_throws(s, 0)
    s.ended = BY_RULES


@rule(inline=True)
def next_player(s):
    """Return the next player with a piece that is not home."""
    p = player_after(s, s.to_move)
    # Without partners, a player whose pieces are all home has won.
    while sides(s) < len(s.pieces) and all_home(s, row_of(s, p)):
        p = player_after(s, p)
    return p


@rule(inline=True)
def player_after(s, p):
    """Return the player after p in the order of turns."""
    # Faster than a modulo operation.
    return p + 1 if p + 1 < num_players(s) else 0


# The result.


@rule
def side(s, p):
    """Return the side of player p."""
    return p % sides(s)


@rule
def share(s, p):
    """Return the reward of player p's side, see `core.outcome`; a margin compares the places of all pieces."""
    others = sides(s) - 1
    if s.reward == BY_MARGIN:
        return lead(s, side(s, p)) / (others * s.pieces.size * home(s))
    if s.winner < 0:
        return 0.0
    return 1.0 if s.winner == side(s, p) else -1.0 / others


@rule
def pieces_home(s, side):
    """Return the number of a side's pieces that are home."""
    pieces = 0
    for r in range(side, len(s.pieces), sides(s)):
        for k in range(s.pieces.shape[1]):
            pieces += s.pieces[r, k] == home(s)
    return pieces


@rule(inline=True)
def lead(s, side):
    """Return the number of other sides times (the side's progress minus the mean progress of the others)."""
    total = 0
    for other in range(sides(s)):
        total += progress(s, other)
    own = progress(s, side)
    return (sides(s) - 1) * own - (total - own)

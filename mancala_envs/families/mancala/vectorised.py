"""Batch loops that step several games at once, for games whose position is two words, a turn and a player to move.

A loop copies LANES games into arrays with a row per number and a lane per game. A branch-free rule over these numbers
then compiles to vector instructions, which play eight games at once. A fast form gives two such rules, `legal_flags`
and `play_words`, for boards of two rows of `width` holes. `low` and `high` are the first two words of `holes` and the
rest of the record, uint64; all other numbers are int64. Observations are those of `rows.observe_rows`. The end of a
game is rare and handled game by game with the rules of core.kernels.

If a move depends on more than these words and the turn, as on Oware's history, the form also gives `close_turn` and
`max_turns`, and uses `play_random_loop` of core.kernels, which plays game by game.
"""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import gather, nonzero_flags, select_flag, write_bytes
from mancala_envs.core.chance import advance, skip, stream
from mancala_envs.core.kernels import close, finish, foreign_loop, fresh, pay
from mancala_envs.core.observation import FAR
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import Rule, rule
from mancala_envs.families.mancala.words import observation_words, row_of

LANES = 32
"""Games in a block: several vectors, so that the processor can work on one while another waits."""


# A fast form replaces these rules.


@rule
def legal_flags(low, high, mover, width):
    """Return a word with 1 in byte a if action a is legal, otherwise 0. Default: a hole with seeds can be lifted."""
    return nonzero_flags(row_of(low, high, width, mover))


@rule
def play_words(low, high, mover, action, width):
    """Carry out a legal action; return the two words, 1 if the turn passes, and 1 if the game is over.

    A form with its own `close_turn` can return other numbers instead of the last two.
    """
    raise RuntimeError("a fast form must define this rule")


@rule(inline=True)
def max_turns(s):
    """Return the number of turns after which a game ends."""
    return s.max_turns


@rule(inline=True)
def close_turn(s, low, high, passes, over):
    """Complete a turn of one game with the results of `play_words`."""
    mover = s.to_move
    s.holes_word[0], s.holes_word[1] = low, high
    # After the words, because `to_move` may be a byte of the second one.
    s.to_move = mover ^ passes
    s.turn += passes
    s.ended = BY_RULES * (over | (s.turn >= s.max_turns))


# Fast forms of plain rules.


@rule(inline=True)
def legal_word(s, word):
    """Fast form of `contract.legal_word`."""
    return gather(legal_flags(s.holes_word[0], s.holes_word[1], s.to_move & 1, len(s.holes) // 2))


@rule(inline=True)
def play(s, action):
    """Fast form of the game's rule `play`."""
    close_turn(s, *play_words(s.holes_word[0], s.holes_word[1], s.to_move & 1, action, len(s.holes) // 2))


# The numbers of a block are rows of one array, because the compiler would check separate arrays for overlap.
#
# Loops that take `rules` compare all records and return at the end. A foreign record cannot make them write beyond the
# arrays, because its numbers are only words to compute with; returning early would cost up to a tenth of the speed.


@rule(allocates=True)
def observe_loop(states, rules, players, out, layout):
    """See core.kernels."""
    words, numbers = np.empty((2, LANES), np.uint64), np.empty((2, LANES), np.int64)
    low, high, mover, player = words[0], words[1], numbers[0], numbers[1]
    different = np.int64(0)
    for begin in range(0, len(states), LANES):
        block = states[begin : begin + LANES]
        width = len(block[0].holes) // 2
        for k in range(len(block)):
            s = block[k]
            low[k], high[k], mover[k] = s.holes_word[0], s.holes_word[1], s.to_move
            player[k] = players[begin + k] if len(players) else max(s.to_move, 0)
        for k in range(LANES):
            low[k], high[k] = observation_words(low[k], high[k], mover[k], player[k] & 1, width)
        for k in range(len(block)):
            seen = out[begin + k]
            different |= block[k].rules ^ rules
            write_bytes(low[k], 8, seen, 0)
            write_bytes(high[k], 2 * width - 4, seen, 8)
            seen[2 * width + 4] = min(max_turns(block[k]) - block[k].turn, FAR)
    return foreign_loop(states, rules) if different else -1


@rule(allocates=True)
def sample_loop(states, rules, seed, first, out):
    """See core.kernels."""
    words, numbers = np.empty((2, LANES), np.uint64), np.empty((2, LANES), np.int64)
    low, high, mover, action = words[0], words[1], numbers[0], numbers[1]
    different = np.int64(0)
    for begin in range(0, len(states), LANES):
        block, chosen = states[begin : begin + LANES], out[begin : begin + LANES]
        width = len(block[0].holes) // 2
        for k in range(len(block)):
            s = block[k]
            low[k], high[k], mover[k] = s.holes_word[0], s.holes_word[1], s.to_move
        for k in range(LANES):
            flags = legal_flags(low[k], high[k], mover[k] & 1, width)
            drawn = select_flag(flags, stream(seed, first + begin + k))
            action[k] = drawn if mover[k] >= 0 else -1
        for k in range(len(chosen)):
            chosen[k] = action[k]
            different |= block[k].rules ^ rules
    return foreign_loop(states, rules) if different else -1


@rule(allocates=True)
def step_loop(states, actions, rewards, autoreset, final):
    """See core.kernels."""
    words, numbers = np.empty((2, LANES), np.uint64), np.empty((4, LANES), np.int64)
    low, high, mover, action, one, other = words[0], words[1], numbers[0], numbers[1], numbers[2], numbers[3]
    for begin in range(0, len(states), LANES):
        block, chosen = states[begin : begin + LANES], actions[begin : begin + LANES]
        width = len(block[0].holes) // 2
        for k in range(len(block)):
            s = block[k]
            low[k], high[k], mover[k] = s.holes_word[0], s.holes_word[1], s.to_move
        for k in range(len(chosen)):
            action[k] = chosen[k]
        for k in range(LANES):
            # Games that are over, with action -1, are computed but ignored.
            low[k], high[k], one[k], other[k] = play_words(low[k], high[k], mover[k] & 1, action[k], width)
        for k in range(len(block)):
            if action[k] >= 0:
                s = block[k]
                close_turn(s, low[k], high[k], one[k], other[k])
                if s.ended:
                    finish(s)
                    for p in range(rewards.shape[1]):
                        rewards[begin + k, p] = pay(s, p)
                    close(s, begin + k, autoreset, final)


@rule(allocates=True)
def play_random_loop(states, seed, first, done, until):
    """See core.kernels."""
    games = 0
    words, numbers = np.empty((3, LANES), np.uint64), np.empty((4, LANES), np.int64)
    rng, low, high = words[0], words[1], words[2]
    mover, turn, max_turns, over = numbers[0], numbers[1], numbers[2], numbers[3]
    for begin in range(0, len(states) if done < until else 0, LANES):
        block = states[begin : begin + LANES]
        width = len(block[0].holes) // 2
        for k in range(len(block)):
            s = block[k]
            rng[k] = skip(stream(seed, first + begin + k), done)
            low[k], high[k], mover[k], turn[k], max_turns[k] = (
                s.holes_word[0],
                s.holes_word[1],
                s.to_move,
                s.turn,
                s.max_turns,
            )
        for _ in range(done, until):
            for k in range(LANES):
                rng[k] = advance(rng[k])
                action = select_flag(legal_flags(low[k], high[k], mover[k] & 1, width), rng[k])
                low[k], high[k], passes, empty = play_words(low[k], high[k], mover[k] & 1, action, width)
                mover[k] ^= passes
                turn[k] += passes
                over[k] = empty | (turn[k] >= max_turns[k])
            for k in range(len(block)):
                if over[k]:
                    games += 1
                    s = block[k]
                    fresh(s)
                    low[k], high[k], mover[k], turn[k] = s.holes_word[0], s.holes_word[1], s.to_move, s.turn
        for k in range(len(block)):
            s = block[k]
            s.holes_word[0], s.holes_word[1] = low[k], high[k]
            s.to_move, s.turn, s.ended = mover[k], turn[k], BY_RULES * over[k]
    return games


@rule
def playout(s, rng):
    """See core.kernels. One game, kept in numbers: reading a word after writing one of its bytes is slow."""
    width = len(s.holes) // 2
    low, high, mover, turn = s.holes_word[0], s.holes_word[1], s.to_move & 1, np.int64(s.turn)
    over = False
    while not over:
        rng = advance(rng)
        action = select_flag(legal_flags(low, high, mover, width), rng)
        low, high, passes, empty = play_words(low, high, mover, action, width)
        mover ^= passes
        turn += passes
        over = (empty != 0) | (turn >= s.max_turns)
    s.holes_word[0], s.holes_word[1] = low, high
    s.to_move, s.turn, s.ended = mover, turn, BY_RULES
    finish(s)


FORMS: dict[Rule, Rule] = {
    contract.legal_word: legal_word,
    kernels.observe_loop: observe_loop,
    kernels.sample_loop: sample_loop,
    kernels.step_loop: step_loop,
}
"""Replacements for rules and loops of the core, for forms that give the rules above."""

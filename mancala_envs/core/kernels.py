"""Loops over batches, written once for all games.

They call the rules of a book by the names of core.contract, and each other by their own. `Engine.bind` makes every
game's copies (see core.binding): compiled for one game the rules become parts of the loops, and the result can be
cached.
"""

import numpy as np

from mancala_envs.core.bits import count_bits, draw_bit, select_bit
from mancala_envs.core.chance import advance, mix, scale, stream
from mancala_envs.core.contract import (
    begin,
    best,
    ends_round,
    hide,
    legal,
    legal_word,
    num_actions,
    observe,
    owned,
    play,
    round_pay,
    share,
    standing,
)
from mancala_envs.core.observation import row_of
from mancala_envs.core.record import IN_PLAY, NOBODY
from mancala_envs.core.rule import rule

# Over one record, used by the loops below and by agents.


@rule
def fresh(s):
    """Set up a new game in `s`, whose options and chance are set."""
    s.to_move = 0
    s.phase = 0
    s.turn = 0
    s.round_number = 1
    s.winner = IN_PLAY
    begin(s)


@rule(inline=True)
def may_play(s, action):
    """Whether `action`, any integer, is one that the player to move may take."""
    return action >= 0 and action < num_actions(s) and legal(s, action)


@rule(inline=True)
def move(s, action):
    """Play a legal action and, when it ends the game, say who has won; returns whether it pays: see `pay`.

    No array goes in: to pass one on costs two atomic reference counts, as much as the move of a quick game.
    """
    s.ended = 0
    round_number = s.round_number
    play(s, action)
    if s.ended:
        finish(s)
        return True
    return ends_round(s, round_number)


@rule
def finish(s):
    """Say who has won a game that ended."""
    s.winner = best(s)
    s.to_move = NOBODY
    s.phase = 0


@rule
def pay(s, p):
    """Player p's reward for the move just played, when a game or a round is over by it."""
    return (share(s, p) if s.ended else 0.0) + round_pay(s, p)


@rule(inline=True)
def close(s, i, autoreset, final):
    """What is left to do with game i, which is over."""
    if len(final):
        final[i] = s
    if autoreset:
        fresh(s)


@rule(inline=True)
def pick(s, luck):
    """A uniformly drawn legal action by the mixed random word `luck`; -1 where there is none."""
    words = (num_actions(s) + 63) // 64
    if words == 1:
        bits = legal_word(s, 0)
        choices = count_bits(bits)
        place = select_bit(bits, scale(luck, choices), num_actions(s))
        return place if choices else -1
    choices = 0
    for word in range(words):
        choices += count_bits(legal_word(s, word))
    rest = scale(luck, choices)
    for word in range(words):
        bits = legal_word(s, word)
        here = count_bits(bits)
        if rest < here:
            return 64 * word + select_bit(bits, rest, 64)
        rest -= here
    return -1


@rule(inline=True)
def copy_game(s, games, place):
    """games[place] becomes what `s` is, a game with the same options."""
    games[place] = s


@rule
def playout(s, luck):
    """Play at random until a move pays, by the generator `luck`; at least one."""
    paid = False
    while not paid:
        luck = advance(luck)
        paid = move(s, pick(s, mix(luck)))


@rule(inline=True)
def write_words(s, words):
    """Write the legal actions into words (W,) uint64, as `legal_word` has them; a form may find all words at once."""
    for word in range(len(words)):
        words[word] = legal_word(s, word)


@rule(inline=True)
def write_mask(s, words, mask):
    """Write the legal actions into mask (A,) as 0 and 1; `words` (W,) uint64 is room to work in."""
    write_words(s, words)
    actions = num_actions(s)
    whole = actions // 64
    for word in range(whole):
        write_bits(words[word], mask, 64 * word, 64)
    if whole < len(words):
        write_bits(words[whole], mask, 64 * whole, actions - 64 * whole)


@rule(inline=True)
def write_bits(bits, mask, first, number):
    """Write so many bits of a uint64 into mask[first], mask[first + 1] and so on."""
    for place in range(number):
        mask[first + place] = (bits >> np.uint64(place)) & np.uint64(1)


# Over a batch. Loops that take `rules` return the first index of a record that bears another number, or -1: there
# they stop, because rules would write as many columns and actions as the record's own options say.


@rule
def foreign_loop(states, rules):
    """Look at `rules` alone."""
    for i in range(len(states)):
        if states[i].rules != rules:
            return i
    return -1


@rule
def init_loop(states, words, indices):
    """Start game i by the chance of (words[i], indices[i])."""
    for i in range(len(states)):
        s = states[i]
        s.chance = stream(words[i], indices[i])
        s.ended = 0
        fresh(s)
        if s.ended:
            finish(s)


@rule
def legal_loop(states, rules, out):
    """Write the legal actions into out (n, A) uint8.

    Of 64 actions at most: see `legal_many_loop`.
    """
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        for first in range(0, num_actions(s), 64):
            bits = legal_word(s, first // 64) if s.to_move >= 0 else np.uint64(0)
            for action in range(first, min(num_actions(s), first + 64)):
                out[i, action] = (bits >> np.uint64(action - first)) & np.uint64(1)
    return -1


@rule
def legal_many_loop(states, rules, out):
    """`legal_loop` of any number of actions."""
    words = np.empty((out.shape[1] + 63) // 64, np.uint64)
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        if s.to_move >= 0:
            write_mask(s, words, out[i])
        else:
            out[i] = 0
    return -1


@rule
def legal_bits_loop(states, rules, out):
    """Write the legal actions into out (n, words) uint64, action a as bit a % 64 of word a // 64."""
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        if s.to_move >= 0:
            write_words(s, out[i])
        else:
            out[i] = 0
    return -1


@rule
def sample_loop(states, rules, seed, first, out):
    """Write a uniformly drawn legal action of each game into out (n,) int64; game 0 here is `first` of its batch.

    Of 64 actions at most: see `sample_many_loop`.
    """
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        out[i] = np.int64(legal_word(s, 0)) if s.to_move >= 0 else 0
    # All draws come last: in a loop of their own they become vector instructions.
    for i in range(len(states)):
        out[i] = draw_bit(np.uint64(out[i]), mix(stream(seed, first + i)), num_actions(states[i]))
    return -1


@rule
def sample_many_loop(states, rules, seed, first, out):
    """`sample_loop` of any number of actions."""
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        out[i] = pick(s, mix(stream(seed, first + i))) if s.to_move >= 0 else -1
    return -1


@rule
def illegal_loop(states, rules, actions):
    """Look at `rules`, and return also the first index whose action is not legal; games over must get -1."""
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        action = actions[i]
        if s.to_move < 0:
            if action != -1:
                return i
        elif not may_play(s, action):
            return i
    return -1


@rule
def step_loop(states, actions, rewards, autoreset, final):
    """Play actions known to be legal; -1 leaves a game as it is. `final` takes ended games, if it has any rows.

    `rewards` (n, P) comes in as zeros.
    """
    for i in range(len(states)):
        action = actions[i]
        if action >= 0:
            s = states[i]
            if move(s, action):
                for p in range(rewards.shape[1]):
                    rewards[i, p] = pay(s, p)
            if s.ended:
                close(s, i, autoreset, final)


@rule
def checked_step_loop(states, rules, actions, rewards, autoreset, final):
    """`step_loop` if `illegal_loop` finds nothing; otherwise nothing is played."""
    index = illegal_loop(states, rules, actions)
    if index < 0:
        step_loop(states, actions, rewards, autoreset, final)
    return index


@rule
def observe_loop(states, rules, players, out, layout):
    """Write what players[i] sees of game i into out (n, D); without players the one to move, or player 0 once over.

    `layout`: the dtype of a row as a record.
    """
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        p = players[i] if len(players) else max(s.to_move, 0)
        observe(s, p, row_of(out, i, layout))
    return -1


@rule
def standing_loop(states, holdings, worths):
    """Write what everyone owns of the board, and is worth between rounds, into (n, P) int64 arrays."""
    for i in range(len(states)):
        s = states[i]
        for p in range(holdings.shape[1]):
            holdings[i, p] = owned(s, p)
            worths[i, p] = standing(s, p)


@rule
def hide_loop(states, p):
    """Take out of every game what player p may not know."""
    for i in range(len(states)):
        hide(states[i], p)


@rule
def reseed_loop(states, seed, players):
    """Begin the chance of game i anew, by (seed, i), and take out what players[i], if there are any, may not know."""
    for i in range(len(states)):
        s = states[i]
        # Another one than `init_loop` gives by the same seed: that game's chance shall not be known from here.
        s.chance = stream(mix(seed), i)
        if len(players):
            hide(s, players[i])


ABREAST = 32
"""Games of a rollout that are played in turns, so that the processor works on several at once."""


@rule
def rollout_loop(states, seed, decisions):
    """`decisions` random decisions in every game, starting anew at each end; returns the number of games ended."""
    games = 0
    luck = np.empty(ABREAST, np.uint64)
    actions = np.empty(ABREAST, np.int64)
    for first in range(0, len(states), ABREAST):
        abreast = min(ABREAST, len(states) - first)
        for k in range(abreast):
            luck[k] = stream(seed, first + k)
        for _ in range(decisions):
            for k in range(abreast):
                luck[k] = advance(luck[k])
                actions[k] = pick(states[first + k], mix(luck[k]))
            for k in range(abreast):
                s = states[first + k]
                move(s, actions[k])
                if s.ended:
                    games += 1
                    fresh(s)
    return games

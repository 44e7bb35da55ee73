"""Loops over batches, written once for all games.

They call the rules of a book by the names in `core.contract`. `Engine.bind` copies them for one game (see
`core.binding`); the rules are compiled together with the loops, and the result can be cached.
"""

import numpy as np

from mancala_envs.core.bits import count_bits, draw_bit, select_bit
from mancala_envs.core.chance import advance, below, mix, scale, skip, stream
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
from mancala_envs.core.record import IN_PLAY, NOBODY, TRUNCATED
from mancala_envs.core.rule import rule

ILLEGAL = ("lose", "raise", "random")
LOSE, RAISE, RANDOM = range(3)
"""Responses to an illegal action: end the game with -1 for the player, raise, or play a random legal action."""

# Rules over one record, for the loops below and for agents.


@rule
def fresh(s):
    """Set up a new game in `s`, whose options and random generator are already set."""
    s.to_move = 0
    s.phase = 0
    s.turn = 0
    s.round_number = 1
    s.winner = IN_PLAY
    begin(s)


@rule
def forfeit(s):
    """End the game without a winner, because the player to move chose an illegal action."""
    s.to_move = NOBODY
    s.phase = 0
    s.winner = -1
    s.ended = TRUNCATED


@rule(inline=True)
def num_words(s):
    """Return the number of `legal_word`s."""
    return (num_actions(s) + 63) // 64


@rule(inline=True)
def may_play(s, action):
    """Return whether `action`, any integer, is legal for the player to move."""
    return action >= 0 and action < num_actions(s) and legal(s, action)


@rule(inline=True)
def move(s, action):
    """Play a legal action, and set `winner` if it ends the game. Return whether there is a reward: see `pay`.

    This rule takes no array: passing one costs two atomic reference counts, as much as a move of a fast game.
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
    """Set `winner`, `to_move` and `phase` of a game that ended."""
    s.winner = best(s)
    s.to_move = NOBODY
    s.phase = 0


@rule
def pay(s, p):
    """Return the reward of player p for the move just played, which ended a game or a round."""
    return (share(s, p) if s.ended else 0.0) + round_pay(s, p)


@rule(inline=True)
def close(s, i, autoreset, final):
    """Copy game i, which is over, into `final` if that has rows, and start it again with `autoreset`."""
    if len(final):
        final[i] = s
    if autoreset:
        fresh(s)


@rule(inline=True)
def pick(s, random_word):
    """Return a uniformly drawn legal action by `random_word`, an output of `mix`; -1 if there is none."""
    if num_words(s) == 1:
        bits = legal_word(s, 0)
        choices = count_bits(bits)
        place = select_bit(bits, scale(random_word, choices), num_actions(s))
        return place if choices else -1
    choices = 0
    for word in range(num_words(s)):
        choices += count_bits(legal_word(s, word))
    rest = scale(random_word, choices)
    for word in range(num_words(s)):
        bits = legal_word(s, word)
        here = count_bits(bits)
        if rest < here:
            return 64 * word + select_bit(bits, rest, 64)
        rest -= here
    return -1


@rule(inline=True)
def copy_game(s, games, place):
    """Copy `s` into games[place], a game with the same options."""
    games[place] = s


@rule
def playout(s, rng):
    """Play at random, by the generator state `rng`, until a move has a reward; at least one move."""
    paid = False
    while not paid:
        rng = advance(rng)
        paid = move(s, pick(s, mix(rng)))


@rule(inline=True)
def write_words(s, words):
    """Write every `legal_word` into words (W,) uint64. A fast form may compute all words at once."""
    for word in range(len(words)):
        words[word] = legal_word(s, word)


@rule(inline=True)
def write_mask(s, words, mask):
    """Write the legal actions into mask (A,) as 0 and 1; `words` (W,) uint64 is a buffer."""
    write_words(s, words)
    actions = num_actions(s)
    whole = actions // 64
    for word in range(whole):
        write_bits(words[word], mask, 64 * word, 64)
    if whole < len(words):
        write_bits(words[whole], mask, 64 * whole, actions - 64 * whole)


@rule(inline=True)
def write_bits(bits, mask, first, number):
    """Write the first `number` bits of a uint64 into mask[first], mask[first + 1] and so on."""
    for place in range(number):
        mask[first + place] = (bits >> np.uint64(place)) & np.uint64(1)


OPENINGS_TRIED = 10_000
"""How many openings of a game are drawn before giving up because the game ended in all of them."""


@rule
def open_game(states, i, word, positions, shortest, longest):
    """Start game i, whose options and random generator are set, with an opening (see `core.opening`).

    An opening in which the game or a round of a campaign ends is drawn again, so nobody earns a reward in an opening.

    Args:
        states: (n,) records.
        i: index of the game.
        word: state of the generator that the opening is drawn by.
        positions: (m,) records to draw from.
        shortest: if there are no positions, the minimum number of random decisions.
        longest: the maximum number.

    Returns:
        Whether the game has begun: False if OPENINGS_TRIED openings were too long.
    """
    s = states[i]
    s.ended = 0
    if len(positions):
        chance = s.chance
        states[i] = positions[below(word, len(positions))]
        s.chance = chance
        return True
    for _ in range(OPENINGS_TRIED):
        fresh(s)
        word = advance(word)
        left = shortest + below(word, longest - shortest + 1)
        over = s.ended > 0
        while left and not over:
            word = advance(word)
            over = move(s, pick(s, mix(word)))
            left -= 1
        if not over:
            return True
        s.ended = 0
    return False


# Loops over a batch. Those that take `rules` return the index of the first record with another number in that field,
# or -1. They stop there, because that record's options could make its rules write beyond the arrays.


@rule
def foreign_loop(states, rules):
    """Return the index of the first record with another number in `rules`, or -1."""
    for i in range(len(states)):
        if states[i].rules != rules:
            return i
    return -1


@rule
def init_loop(states, which):
    """Start the games of `which` (k,), whose options and random generators are set."""
    for k in range(len(which)):
        s = states[which[k]]
        s.ended = 0
        fresh(s)
        if s.ended:
            finish(s)


@rule
def open_loop(states, which, words, positions, shortest, longest):
    """Start game which[k] with an opening by words[k], see `open_game`. Return whether all games have begun."""
    for k in range(len(which)):
        if not open_game(states, which[k], words[k], positions, shortest, longest):
            return False
    return True


@rule
def legal_loop(states, rules, out):
    """Write the legal actions into out (n, A) uint8, for games with at most 64 actions."""
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        for first in range(0, num_actions(s), 64):
            bits = legal_word(s, first // 64) if s.to_move >= 0 else np.uint64(0)
            for action in range(first, min(num_actions(s), first + 64)):
                out[i, action] = (bits >> np.uint64(action - first)) & np.uint64(1)
    return -1


@rule(allocates=True)
def legal_many_loop(states, rules, out):
    """Do the same as `legal_loop` for any number of actions."""
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
    """Write a uniformly drawn legal action of each game into out (n,) int64, for games with at most 64 actions.

    `first` is the index of states[0] in its batch.
    """
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        out[i] = np.int64(legal_word(s, 0)) if s.to_move >= 0 else 0
    # The draws are in a loop of their own, which compiles to vector instructions.
    for i in range(len(states)):
        out[i] = draw_bit(np.uint64(out[i]), mix(stream(seed, first + i)), num_actions(states[i]))
    return -1


@rule
def sample_many_loop(states, rules, seed, first, out):
    """Do the same as `sample_loop` for any number of actions."""
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        out[i] = pick(s, mix(stream(seed, first + i))) if s.to_move >= 0 else -1
    return -1


@rule
def illegal_loop(states, rules, actions):
    """Return the first index with other `rules` or an illegal action, or -1. A game that is over needs action -1."""
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
    """Play legal actions; -1 skips a game. If `final` has rows, games that end are copied there.

    `rewards` (n, P) must be zeros.
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
def checked_step_loop(states, rules, actions, rewards, autoreset, final, checks, plays):
    """Call `illegal_loop` if `checks`, and `step_loop` if `plays` and nothing was found; return what was found.

    Several threads must check all actions before they play any. One loop does both, which saves the compilation of two.
    """
    index = illegal_loop(states, rules, actions) if checks else -1
    if plays and index < 0:
        step_loop(states, actions, rewards, autoreset, final)
    return index


@rule
def observe_loop(states, rules, players, out, layout):
    """Write the observation of players[i] in game i into out (n, D).

    If `players` is empty, the player to move observes, and player 0 in a game that is over. `layout` is the dtype of a
    row of `out` as a record.
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
    """Write `owned` and `standing` of every player into (n, P) int64 arrays."""
    for i in range(len(states)):
        s = states[i]
        for p in range(holdings.shape[1]):
            holdings[i, p] = owned(s, p)
            worths[i, p] = standing(s, p)


@rule
def hide_loop(states, p):
    """Remove from every game what player p may not know."""
    for i in range(len(states)):
        hide(states[i], p)


@rule
def reseed_loop(states, seed, players):
    """Give game i a generator by (seed, i), and remove what players[i] may not know if `players` is not empty."""
    for i in range(len(states)):
        s = states[i]
        # This differs from the generator of `init_loop` for the same seed, so that it does not predict that game.
        s.chance = stream(mix(seed), i)
        if len(players):
            hide(s, players[i])


@rule
def afterstates_loop(states, rules, words, scratch, observations, layout, rewards, ended, same_player):
    """Write what every legal action leads to, as the player to move sees it; the arrays must be zeros.

    Outcome k of an action in game i has the generator and the hidden information of copy i * K + k that
    `Engine.copies` makes with the seed words[0]; if there is a seed for each game, those of copy k of game i alone.

    Args:
        states: (n,) records.
        rules: The game's number, which every record must have in its field `rules`.
        words: (1,) or (n,) uint64, the seeds.
        scratch: (1,) record, in which the actions are played.
        observations: (n * A * K, D) for K outcomes of each of A actions; the arrays below have as many rows.
        layout: The dtype of a row of `observations` as a record.
        rewards: float32, the reward of the player who moved.
        ended: bool, whether the game is over.
        same_player: bool, whether the player who moved is to move again.
    """
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return i
        if s.to_move < 0:
            continue
        p = s.to_move
        actions = num_actions(s)
        draws = len(rewards) // (len(states) * actions)
        shared = len(words) == 1
        for word in range(num_words(s)):
            bits = legal_word(s, word)
            for action in range(64 * word, min(actions, 64 * word + 64)):
                if not (bits >> np.uint64(action - 64 * word)) & np.uint64(1):
                    continue
                for k in range(draws):
                    row = (i * actions + action) * draws + k
                    copy_game(s, scratch, 0)
                    t = scratch[0]
                    t.chance = stream(mix(words[0 if shared else i]), i * draws + k if shared else k)
                    hide(t, p)
                    if move(t, action):
                        rewards[row] = pay(t, p)
                    ended[row] = t.ended > 0
                    same_player[row] = t.to_move == p
                    observe(t, p, row_of(observations, row, layout))
    return -1


LANES = 32
"""How many games `play_random_loop` interleaves, so that the processor works on several at once."""


@rule(allocates=True)
def play_random_loop(states, seed, first, done, until):
    """Play random decisions `done` to `until` - 1 of every game; a game that ends starts again.

    `first` is the index of states[0] in its batch. Return the number of games that ended.
    """
    games = 0
    rng = np.empty(LANES, np.uint64)
    actions = np.empty(LANES, np.int64)
    for block in range(0, len(states), LANES):
        lanes = min(LANES, len(states) - block)
        for k in range(lanes):
            rng[k] = skip(stream(seed, first + block + k), done)
        for _ in range(done, until):
            for k in range(lanes):
                rng[k] = advance(rng[k])
                actions[k] = pick(states[block + k], mix(rng[k]))
            for k in range(lanes):
                s = states[block + k]
                move(s, actions[k])
                if s.ended:
                    games += 1
                    fresh(s)
    return games

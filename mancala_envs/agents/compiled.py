"""Agents that play inside the kernels, in any game: random and greedy.

The rules here are written against the names of core.contract, and `Engine.bind` makes a copy of them for each game.
"""

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import same_turn, streams_of
from mancala_envs.core.arguments import Seed, States, seed_words
from mancala_envs.core.bits import lowest_bit
from mancala_envs.core.chance import advance, below, mix
from mancala_envs.core.contract import hide, legal_word, num_players, worth
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import copy_game, move, num_words, pay, pick
from mancala_envs.core.names import as_game
from mancala_envs.core.pauses import Pace
from mancala_envs.core.record import NOBODY
from mancala_envs.core.rule import rule

RANDOM, GREEDY = 0, 1
NAMES = ("random", "greedy")
"""The compiled agents. An agent's number is its index here."""

_MINUS_INFINITY = -(1 << 40)
"""Below every value."""

IN_A_ROW = 64
"""Maximum number of decisions that a playout takes in a game before it goes on to the next game."""

GREEDY_DEPTH = 4
"""Number of decisions of one turn that greedy searches."""


@rule
def value_of_decision(s, action, rng, scratch):
    """Return the `worth` of the player to move in `s` after `action`, which is played in scratch[0].

    If the action ends a round, the next position does not show what the player gained, so `worth` of `s` is returned.
    """
    copy_game(s, scratch, 0)
    t = scratch[0]
    t.chance = rng  # other draws: an agent must not know future draws
    hide(t, t.to_move)
    move(t, action)
    if t.round_number != s.round_number:
        return worth(s, s.to_move)
    return worth(t, s.to_move)


@rule
def value_of_turn(s, action, rng, scratch):
    """Return the `worth` after `action` and the rest of the turn, in which the player decides greedily.

    At most GREEDY_DEPTH decisions are played, `action` included.
    """
    value = value_of_decision(s, action, rng, scratch)
    for _ in range(GREEDY_DEPTH - 1):
        if not same_turn(scratch[0], s):
            break
        copy_game(scratch[0], scratch, 1)
        t = scratch[1]
        value = _MINUS_INFINITY
        best_action = -1
        for word in range(num_words(t)):
            bits = legal_word(t, word)
            while bits:
                further = 64 * word + lowest_bit(bits)
                bits &= bits - np.uint64(1)
                gained = value_of_decision(t, further, rng, scratch)
                if gained > value:
                    value = gained
                    best_action = further
        value_of_decision(t, best_action, rng, scratch)
    return value


@rule
def greedy(s, rng, scratch):
    """Return the action with the highest `value_of_turn`; ties are broken at random."""
    best_value = _MINUS_INFINITY
    best_action = -1
    ties = 0
    for word in range(num_words(s)):
        bits = legal_word(s, word)
        while bits:
            action = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            rng = advance(rng)
            value = value_of_turn(s, action, rng, scratch)
            if value > best_value:
                best_value = value
                best_action = action
                ties = 1
            elif value == best_value:
                ties += 1
                if below(rng, ties) == 0:
                    best_action = action
    return best_action


@rule
def choose(s, agent, rng, scratch):
    """Return the action of the compiled agent with number `agent`; `scratch` is two records to try actions in."""
    if agent == GREEDY:
        return greedy(s, rng, scratch)
    return pick(s, mix(rng))


@rule
def choose_loop(states, which, agent, streams, scratch, out):
    """Write the action of `agent` in each game of `which` (k,) into out (k,), -1 where the game is over."""
    for k in range(len(which)):
        i = which[k]
        s = states[i]
        out[k] = -1
        if s.to_move >= 0:
            out[k] = choose(s, agent, streams[i], scratch)


@rule
def mix_loop(streams):
    """Replace each generator of streams (n,) by its next output."""
    for i in range(len(streams)):
        streams[i] = mix(streams[i])


@rule
def earn(s, seat, rewards):
    """Add to rewards (R,) what the R players from `seat` on earn by the move just played."""
    for r in range(len(rewards)):
        rewards[r] += pay(s, (seat + r) % num_players(s))


@rule
def play_loop(states, which, actions, rng, seats, agents, scratch, rewards, over, decisions):
    """Play an action in each game of `which`, then let compiled agents move until somebody else must.

    Args:
        states: (n,) records.
        which: (k,) indices of these games.
        actions: (k,) actions to play first, -1 for none.
        rng: (n,) generators of the agents. They advance with each decision.
        seats: (n,) the learner's seats; -1 where there is no learner.
        agents: (n, P) the agent of every other seat; only numbers below len(NAMES) are compiled agents.
        scratch: (2,) records, in which agents try actions.
        rewards: (n, R) rewards, to which those of R players are added, in turn order from the learner's seat.
        over: (n,) set to True where the game is over.
        decisions: maximum number of decisions of agents in each game.
    """
    for k in range(len(which)):
        i = which[k]
        s = states[i]
        if actions[k] >= 0 and move(s, actions[k]):
            earn(s, max(seats[i], 0), rewards[i])
        left = decisions
        while s.to_move >= 0 and s.to_move != seats[i] and agents[i, s.to_move] < len(NAMES):
            if left == 0:
                break
            left -= 1
            rng[i] = advance(rng[i])
            if move(s, choose(s, agents[i, s.to_move], rng[i], scratch)):
                earn(s, max(seats[i], 0), rewards[i])
        if s.ended:
            over[i] = True


def scratch_for(game: Engine) -> States:
    """Return the two records in which `choose` tries actions."""
    return game.records(np.zeros(2, game.dtype))


def number_of(agent: str) -> int:
    """Return the number of a compiled agent.

    Raises:
        ValueError: There is no compiled agent of that name.
    """
    if agent not in NAMES:
        raise ValueError(f"agent must be one of {', '.join(NAMES)}, got {agent!r}")
    return NAMES.index(agent)


def act(game: Engine | str, states: States, agent: str, seed: Seed = None) -> npt.NDArray[np.int64]:
    """Return the actions (n,) int64 of the agent `"random"` or `"greedy"`, -1 where a game is over.

    They depend only on (seed, index).

    Raises:
        ValueError: There is no compiled agent of that name.
    """
    number, game = number_of(agent), as_game(game)
    view = game.view(states)
    out = np.empty(len(view), np.int64)
    streams = streams_of(len(view), seed_words(len(view), seed))
    game.bind(choose_loop)(view, np.arange(len(view)), number, streams, scratch_for(game), out)
    return out


def playout(game: Engine | str, states: States, agent: str, seed: int | None = None) -> npt.NDArray[np.float64]:
    """Play random or greedy play to the end and return the rewards (n, P), as `Game.playout` does."""
    number, game = number_of(agent), as_game(game)
    played = game.records(game.view(states).copy())
    n, players = len(played), game.num_players
    streams = streams_of(n, seed_words(n, seed))
    mix_loop(streams)
    seats, agents, over = np.full(n, -1), np.full((n, players), number), np.zeros(n, np.bool_)
    rewards, scratch, loop = np.zeros((n, players)), scratch_for(game), game.bind(play_loop)
    which, nothing, pace = np.arange(n), np.full(n, -1), Pace("games", n, size=1)
    while len(which):
        some = which[: pace.size]
        loop(played, some, nothing, streams, seats, agents, scratch, rewards, over, IN_A_ROW)
        rest = some[played["to_move"][some] != NOBODY]
        pace.pause(len(some) - len(rest))
        which = np.concatenate([rest, which[len(some) :]])
    return rewards

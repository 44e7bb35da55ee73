"""Positions of games with holes. A test module binds the functions to its game with `of`."""

import re
from functools import partial

import numpy as np

from helpers.positions import legal, seeds


def position(*, game, **given):
    """Load a position from seeds in holes (`h5=2`: two seeds in hole 5) and other fields; all other holes are empty."""
    holes = [0] * game.dtype["holes"].shape[0]
    fields = {}
    for name, value in given.items():
        if re.fullmatch(r"h\d+", name):
            holes[int(name[1:])] = value
        else:
            fields[name] = value
    return game.load(holes=holes, **fields)


def play(states, *actions, game):
    """Return the state after the actions, and the rewards of the last one."""
    for action in actions:
        rewards = game.step(states, [action])
    return states[0], rewards[0].tolist()


def played(*actions, game, **given):
    """Return the state after the actions from `position(...)`, and the rewards of the last one."""
    return play(position(game=game, **given), *actions, game=game)


def sown(*actions, game, **given):
    """Return the seeds in the holes and in the stores after the actions from `position(...)`."""
    state, _ = played(*actions, game=game, **given)
    return seeds(state), state.store.tolist()


def outcome(*actions, game, **given):
    """Return `ended`, `winner` and the rewards after the actions from `position(...)`."""
    state, rewards = played(*actions, game=game, **given)
    return int(state.ended), int(state.winner), rewards


def of(game):
    """Return `position`, `played`, `sown` and `outcome` of a game."""
    return [partial(function, game=game) for function in (position, played, sown, outcome)]


def settled(south, game, mover=0, **fields):
    """Return the states after the last turn of a round, in which player 0 counts `south` of all seeds, and the rewards.

    The mover lifts a single seed beside the own store, or from the first hole.
    """
    store = [south, int(game.init(1, 0).holes.sum()) - south]
    store[mover] -= 1
    action = 6 if game.options.get("direction") == "anticlockwise" else 0
    holes = marks(7 * mover + action)
    states = game.load(holes=holes, store=store, to_move=mover, **fields)
    return states, play(states, action, game=game)[1]


def marks(*holes):
    """Return fourteen numbers, 1 for these holes and 0 for the others."""
    return [int(hole in holes) for hole in range(14)]


def heaped(game, n=2000):
    """Return random states, many with most seeds in few holes, and for each a hole of the mover that holds seeds."""
    width = game.options["columns"]
    most = 2 * width * game.options["seeds"]
    rng = np.random.default_rng(width)
    states = game.init(n, 0)
    actions = rng.integers(width, size=n)
    for i in range(n):
        mover = rng.integers(2)
        held = rng.multinomial(rng.integers(most), rng.dirichlet(np.full(2 * width + 2, rng.choice([0.1, 0.5, 2]))))
        held[width * mover + actions[i]] += 1
        states.holes[i], states.store[i], states.to_move[i] = held[:-2], held[-2:], mover
    states.turn = rng.choice([3, 4, game.options["max_turns"] - 1], size=n)
    return states, actions


def choose(states, choices, out, *, game):
    """Play `choices` among the legal actions until the game ends; yield the states before and after each.

    Check that seeds stay in play, stores only grow, and holes that the field `out` marks stay empty.
    """
    total = states.holes.sum() + states.store.sum()
    for choice in choices:
        if states[0].ended:
            return
        before, actions = states.copy(), legal(game, states)
        game.step(states, [actions[choice % len(actions)]])
        state = states[0]
        assert state.holes.sum() + state.store.sum() == total
        assert (state.store >= before[0].store).all()
        assert not state.holes[state[out] == 1].any()
        yield before[0], state


def walk_to_the_end(game, states, seed):
    """Play one game on a grid at random to its end; check seeds and texts; yield states and rewards after decisions."""
    total = states.holes.sum() + states.store.sum()
    while states[0].to_move >= 0:
        rewards = game.step(states, game.sample(states, seed))
        seed += 1
        state = states[0]
        assert state.holes.sum() + state.store.sum() + state.hand == total
        assert (state.hand > 0) == (state.phase == 1)
        # A decision inside a turn is a real one.
        assert state.phase == 0 or len(legal(game, state)) > 1
        assert game.parse(game.text(states)).tobytes() == states.tobytes()
        yield state, rewards[0]

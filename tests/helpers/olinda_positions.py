"""Positions of the four games from Parker. A test module binds the functions to its game with `of`."""

from functools import partial

from helpers.positions import legal, seeds

BLIND, KEPT, TIED = 1, 2, 3
"""Values of `kind`."""
ANTICLOCKWISE, CLOCKWISE = 17, 18
"""Actions that set out in a direction."""


def at(values):
    """Return fourteen numbers from a dict by hole."""
    return [values.get(hole, 0) for hole in range(14)]


def position(holes, kind=None, *, game, direction=1, **fields):
    """Load a position; `holes` and `kind` are dicts by hole."""
    return game.load(holes=at(holes), kind=at(kind or {}), direction=direction, **fields)


def played(action, *given, game, **fields):
    """Return the state after one action from `position(...)`."""
    states = position(*given, game=game, **fields)
    game.step(states, [action])
    return states[0]


def sown(*given, **fields):
    """Return the seeds in the holes and in the stores after one action from `position(...)`."""
    state = played(*given, **fields)
    return seeds(state), state.store.tolist()


def of(game, **fields):
    """Return `position`, `played` and `sown` of a game, with these fields by default."""
    return [partial(function, game=game, **fields) for function in (position, played, sown)]


def last_lift(game, own=22, others=34, turn=8, **fields):
    """Load a position in which player 1 lifts the last seed of a round; the final score is `own` to `others`."""
    holes = at({7: 1})
    return game.load(store=[own, others - 1], holes=holes, direction=1, turn=turn, to_move=1, **fields)


def set_out(game, owned, *actions, to_move=0, round_number=2):
    """Return states (1,) after the decisions of the deficient player, who has `owned` seeds."""
    every = [56 - owned] * 2
    every[to_move] = owned
    phase = 1 if owned < 12 else 2
    states = game.load(seeds_owned=every, to_move=to_move, phase=phase, round_number=round_number)
    for action in actions:
        assert action in legal(game, states)
        game.step(states, [action])
    return states

"""Positions of games with holes. A test module binds the functions to its game with `of`."""

import re
from functools import partial

from helpers.positions import seeds


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

"""Positions of games with holes. A test module binds its game to these: `partial(position, game=KALAH)`."""

import re


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

"""Positions of races, rows of chance as `draws=` takes them, and perft along a given stream of throws."""

from itertools import cycle, islice

from helpers.forms import SIZES, PlainGame
from helpers.positions import legal
from mancala_envs import make_game

IN_TEAMS = {"pahada_keliya", "asi_keliya", "tayam_sonalu"}
"""Games that four players play in two teams by default: players 0 and 2 against 1 and 3."""


def cowries(*mouths):
    """Return the rows of throws of six cowries with these numbers of mouths up."""
    return [["cowries", 64, (1 << number) - 1] for number in mouths]


def dice(*throws):
    """Return the rows of throws of dice with these results."""
    return [["dice", 16, throw] for throw in throws]


def begun(game, stream):
    """Start a game with the throws of a repeating stream; return the states and the number of throws used."""
    return _taking(stream, 0, lambda draws: game.init(1, 0, draws=[draws]))


def after(game, states, action, stream, taken=0):
    """Play an action with the throws of a repeating stream from number `taken` on.

    Return the new states and the number of the next throw.
    """
    following = states.copy()

    def step(draws):
        game.step(following, [action], draws=[draws])
        return following

    return _taking(stream, taken, step)


def _taking(stream, taken, play):
    for number in range(1000):
        try:
            return play(list(islice(cycle(stream), taken, taken + number))), taken + number
        except ValueError as error:
            if "too few" not in str(error):
                raise
    raise AssertionError("the throws do not end")


def perft(game, stream, depth, states=None, taken=0):
    """Count the sequences of 1, 2, .., `depth` decisions."""
    if states is None:
        states, taken = begun(game, stream)
    counts = [0] * depth
    for action in legal(game, states):
        counts[0] += 1
        if depth > 1:
            following, number = after(game, states, action, stream, taken)
            for further, more in enumerate(perft(game, stream, depth - 1, following, number)):
                counts[1 + further] += more
    return counts


def position(name, pieces, throws, to_move=0, fields=None, **options):
    """Return the game and one position of it; `throws` lists the indices of the throws still to be used."""
    game = (PlainGame if SIZES & options.keys() else make_game)(name, **options)
    left = [0] * game.dtype["throws"].shape[0]
    for index in throws:
        left[index] += 1
    return game, game.load(pieces=pieces, throws=left, to_move=to_move, **(fields or {}))

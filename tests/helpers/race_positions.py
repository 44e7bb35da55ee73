"""What tests of races share: results of chance as the pages give them, and perft along a stream of throws."""

from itertools import cycle, islice

from helpers.forms import SIZES, PlainGame
from helpers.positions import legal
from mancala_envs import make_game

IN_TEAMS = {"pahada_keliya", "asi_keliya", "tayam_sonalu"}
"""What four play in two teams if nothing else is agreed: players 0 and 2 against 1 and 3."""


def cowries(*mouths):
    """Rows of chance with so many mouths up."""
    return [["cowries", 64, (1 << number) - 1] for number in mouths]


def dice(*throws):
    """Rows of chance, each by its number."""
    return [["dice", 16, throw] for throw in throws]


def begun(game, stream):
    """The game begun with the first throws of an endless stream, as many as it takes, and how many it took."""
    return _taking(stream, 0, lambda draws: game.init(1, 0, draws=[draws]))


def after(game, states, action, stream, taken=0):
    """The states after an action, the throws from number `taken` of the stream on following, and how many are taken."""
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
    """How many sequences of 1, 2, .. `depth` decisions there are."""
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
    """The game and one position of it; `throws`: value -> how many, by the names of the game's columns."""
    game = (PlainGame if SIZES & options.keys() else make_game)(name, **options)
    left = [0] * game.dtype["throws"].shape[0]
    for index in throws:
        left[index] += 1
    return game, game.load(pieces=pieces, throws=left, to_move=to_move, **(fields or {}))

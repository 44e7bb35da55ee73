"""Positions of races, rows of chance as `draws=` takes them, and perft along a given stream of throws."""

from itertools import cycle, islice

from helpers.forms import SIZES, PlainGame
from helpers.positions import legal
from mancala_envs import make_game
from mancala_envs.families.races import pancha
from mancala_envs.games import asi_keliya, pahada_keliya, saturankam, sokkattan, tayam_sonalu

VALUES = {
    **{book.RULE_BOOK.name: book.NAMES for book in (sokkattan, pahada_keliya, asi_keliya, tayam_sonalu, saturankam)},
    **dict.fromkeys(("pancha_keliya", "pancha_keliya_complex", "kawade_kelia"), pancha.NAMES),
}
VALUES = {name: [int(value) if value.isdigit() else value for value in values] for name, values in VALUES.items()}
"""The values of throws of each game, in the order of its field `throws`."""
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


def place(name, pieces, *throws, to_move=0, fields=None, **options):
    """Return the game, and a position with throws of these values left."""
    return position(name, pieces, [VALUES[name].index(value) for value in throws], to_move, fields, **options)


def use(game, value, piece):
    return VALUES[game.name].index(value) * game.dtype["pieces"].shape[1] + piece


def uses(game, states):
    """Return the legal uses as (value, piece), and other actions as numbers."""
    pieces, values = game.dtype["pieces"].shape[1], VALUES[game.name]
    return {(values[a // pieces], a % pieces) if a < len(values) * pieces else a for a in legal(game, states)}

"""Games by name, for code below the registry."""

from collections.abc import Callable

from mancala_envs.core.engine import Engine

_makers: list[Callable[[str], Engine]] = []


def makes_games(make: Callable[[str], Engine]) -> None:
    """Set the function with which `as_game` makes games by name. The registry calls this."""
    _makers[:] = [make]


def as_game(game: Engine | str) -> Engine:
    """Return a game as it is, or make the one that a name means, see `make_game`.

    Code above the registry calls `make_game`, which does the same and also takes options.

    Raises:
        ValueError: There is no such game.
    """
    if isinstance(game, Engine):
        return game
    (make,) = _makers
    return make(game)

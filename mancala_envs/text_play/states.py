"""States as JSON and back."""

import json
from typing import Any

import numpy as np

from mancala_envs.core.arguments import States
from mancala_envs.game import Game
from mancala_envs.registry import make_game

KEYS = {"game", "campaign", "options", "position"}


def state_to_json(game: Game, state: States) -> str:
    """Return a single state as a JSON object with the keys `game`, `campaign`, `options` and `position`.

    `position` is the whole state in the notation of `Game.text`; it includes hidden information and the random
    generator.

    Raises:
        ValueError: `state` is not one state of this game with its options.
    """
    position = game.text(state)
    return json.dumps({"game": game.name, "campaign": game.campaign, "options": game.options, "position": position})


def state_from_json(text: str) -> tuple[Game, np.recarray[Any, Any]]:
    """Return the game and the state (1,) that `state_to_json` wrote.

    Raises:
        ValueError: The text is not such an object, or its state is not valid; the message says why.
        TypeError: The game does not have one of the options.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(given, dict) or given.keys() != KEYS:
        raise ValueError(f"a state is a JSON object with the keys {', '.join(sorted(KEYS))}, got {str(given)[:100]}")
    for key, kind in {"game": str, "campaign": bool, "options": dict, "position": str}.items():
        if not isinstance(given[key], kind):
            raise ValueError(f"{key} must be of type {kind.__name__}, got {str(given[key])[:100]!r}")
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in given["options"].items()}
    game = make_game(given["game"], given["campaign"], **options)
    return game, game.parse(given["position"])

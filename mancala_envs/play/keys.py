"""The keys that people type to choose an action. They name its place on the board, so they never change."""

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from mancala_envs.core.actions import Action
from mancala_envs.game import Game

ARTICLES = ("a", "an", "the")


def keys_for(game: Game, player: int) -> tuple[str, ...]:
    """Return the key of every action of a player, such as `3`, `14-23`, `3-c` or `s`.

    A key contains the places of the action as the board numbers them, then its other values: numbers as they are, words
    by their initials. An action without values has the initial of its name. If actions of two kinds that can be legal
    together would have the same keys, those of the later kind end with the initial of a word that only its name has.
    """
    actions, kinds = game.actions_for(player), game.action_kinds
    ends = list(accumulate(map(len, kinds), initial=0))
    found: list[list[str]] = []
    for kind, (first, end) in zip(kinds, pairwise(ends), strict=True):
        keys = [_key(action) for action in actions[first:end]]
        for other, others in zip(kinds, found, strict=False):
            if set(other.phases) & set(kind.phases) and set(map(typed, others)).intersection(map(typed, keys)):
                word = next(word for word in _words(kind.kind) if word not in _words(other.kind))
                keys = [f"{key}-{word[0]}" for key in keys]
        found.append(keys)
    return tuple(key for keys in found for key in keys)


def typed(key: str) -> str:
    """Return a key without its hyphens, which people may leave out."""
    return key.replace("-", "")


def _key(action: Action) -> str:
    return "-".join(map(_part, action.words)) or _initials(_words(action.name)[:1])


def _part(word: str) -> str:
    return word if word.isdigit() else _initials(_words(word))


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.lower()) if word not in ARTICLES]


def _initials(words: Sequence[str]) -> str:
    return "".join(word[0] for word in words)

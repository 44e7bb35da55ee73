"""Symmetries of rules: boards that look different and are the same, for more training data from the same games.

A symmetry here keeps every player in his seat, and holds for all positions that play can reach. Parker's four games
(Puhulmutu, Walak-pussa, Kotu-baendum, Daramutu) look alike in a mirror, left for right and anticlockwise for clockwise;
Zigulzoqge left for right; Dongjintian in all ways its grid can be laid on itself. The other games have none: Kalah,
Oware and Qelat go one way round only, and in Ceelkoqyuqkoqiji the stores at the two ends of a row are not alike. Nor
has Puhulmutu with `cutting`, where one action is an end of the row or a yes, by the phase.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs import Game

ROW_GAMES = ("puhulmutu", "walak_pussa", "kotu_baendum", "daramutu")
STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
PLACES = ("own_hole", "other_hole", "hole", "kind", "own", "moved_to", "at", "seen")
"""What stands before the number of a hole in the names of columns and actions."""

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Symmetry:
    """`columns` (D,): column i of the image is column `columns[i]`. `actions` (A,): what action a is in the image."""

    columns: Indices
    actions: Indices

    @property
    def sources(self) -> Indices:
        """(A,): which action becomes action a of the image."""
        return np.argsort(self.actions)

    def observe(self, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """(..., D): the images of `observations`."""
        return observations[..., self.columns]

    def mask(self, masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """(..., A): the images of `masks`."""
        return masks[..., self.sources]


def symmetries(game: Game) -> list[Symmetry]:
    """All but the one that changes nothing; empty for games without, see the module."""
    if game.name in ROW_GAMES and game.options.get("cutting", "none") == "none":
        return [mirror(game)]
    if game.name == "dongjintian":
        rows, columns = game.options["rows"], game.options["columns"]
        ways = [way for way in _WAYS if rows == columns or way[0, 1] == 0]
        return [_laid(game, rows, columns, way) for way in ways[1:]]
    if game.name == "zigulzoqge":
        return [_laid(game, game.options["players"], game.options["columns"], np.diag([1, -1]))]
    return []


def mirror(game: Game) -> Symmetry:
    """Two rows, left for right and anticlockwise for clockwise; whether its rules are the same there or not."""
    width = game.options["columns"]
    holes = [hole // width * width + width - 1 - hole % width for hole in range(2 * width)]
    return _symmetry(game, holes, {"anticlockwise": "clockwise", "clockwise": "anticlockwise"})


_WAYS = [np.diag(signs) for signs in product((1, -1), repeat=2)]
_WAYS += [way[::-1] for way in _WAYS]
"""The eight ways to lay a square on itself, as matrices for (rows down, columns right); the first changes nothing."""


def _laid(game: Game, rows: int, columns: int, way: Indices) -> Symmetry:
    """The grid laid on itself: holes by their distance from the middle, steps by their direction."""
    middle = np.array([rows - 1, columns - 1]) / 2
    places = [way @ (np.array(divmod(hole, columns)) - middle) + middle for hole in range(rows * columns)]
    names = {step: name for name, step in STEPS.items()}
    words = {name: names[tuple((way @ step).tolist())] for name, step in STEPS.items()}
    return _symmetry(game, [round(row * columns + column) for row, column in places], words)


def _symmetry(game: Game, holes: Sequence[int], words: dict[str, str]) -> Symmetry:
    """The symmetry that renames holes and words in the names of columns and actions."""
    place = re.compile(rf"\b({'|'.join(PLACES)})([\[ ])(\d+)")
    word = re.compile("|".join(words))

    def renamed(names: Sequence[str]) -> Indices:
        images = [place.sub(lambda found: f"{found[1]}{found[2]}{holes[int(found[3])]}", name) for name in names]
        images = [word.sub(lambda found: words[found[0]], name) for name in images]
        return np.array([names.index(image) for image in images])

    columns = renamed([column.name for column in game.observation_fields])
    return Symmetry(np.argsort(columns), renamed(game.action_names))


def augment(
    game: Game, observations: npt.NDArray[Any], actions: Indices, masks: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], Indices, npt.NDArray[Any]]:
    """Training data (n, D), (n,), (n, A) and, after it, its images under each symmetry of `game`.

    What else belongs to the data, returns say, is to be repeated as often: `1 + len(symmetries(game))` times.
    """
    images = symmetries(game)
    return (
        np.concatenate([observations, *(image.observe(observations) for image in images)]),
        np.concatenate([actions, *(image.actions[actions] for image in images)]),
        np.concatenate([masks, *(image.mask(masks) for image in images)]),
    )


class RandomSymmetry(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Gymnasium: draws for every episode one of the game's symmetries, or none, through which the learner sees it.

    Opponents see the game itself. ValueError for a game without symmetries. Place: right around what `gym.make`
    gives, inside stacking and `MaskInObservation`.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        gym.utils.RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        game = env.get_wrapper_attr("game")
        self._choice = symmetries(game)
        if not self._choice:
            raise ValueError(f"{game!r} has no symmetries")
        self._choice.insert(0, Symmetry(np.arange(len(game.observation_fields)), np.arange(game.num_actions)))
        self._now = self._choice[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """As the environment's."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._now = self._choice[self.np_random.integers(len(self._choice))]
        return self._now.observe(observation), self._seen(info)

    def step(self, action: Any) -> tuple[npt.NDArray[Any], Any, bool, bool, dict[str, Any]]:
        """As the environment's; `action` is one of the image. What is no action goes through as it is."""
        known = 0 <= action < len(self._now.actions)
        original = self._now.sources[action] if known else action
        observation, reward, terminated, truncated, info = self.env.step(original)
        return self._now.observe(observation), reward, terminated, truncated, self._seen(info)

    def _seen(self, info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "action_mask": self._now.mask(info["action_mask"])}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(A,) bool: what is legal now."""
        return self._now.mask(self.env.get_wrapper_attr("action_masks")())

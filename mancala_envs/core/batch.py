"""`Batch`: games in progress that show themselves, as text or as pictures, and a recarray for the rest."""

from html import escape
from typing import Any

import numpy as np

_SHOWN = 4
"""So many states of a batch; of more than these the first ones."""


_get, _set = object.__getattribute__, object.__setattr__
_set_dtype = np.ndarray.dtype.__set__  # type: ignore[attr-defined]
"""Attributes without the detour through the fields that a recarray makes for each."""


def _is_of(game: Any, states: Any) -> bool:
    """Whether these are states of `game`, or None, whatever has been written into them."""
    return game is not None and states.dtype == game.dtype and not game.difference(states)


class State(np.record):  # type: ignore[misc]
    """One record of a `Batch`, shown by its text as long as it is a part of it."""

    def __repr__(self) -> str:
        game: Any = getattr(self.base, "_game", None)
        return str(game.text(self)) if _is_of(game, self) else super().__repr__()

    __str__ = __repr__

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        game: Any = getattr(self.base, "_game", None)
        return str(game.svg(self)) if _is_of(game, self) else None


class Batch(np.recarray[Any, Any]):
    """What `Game.init` and the like return. Views, slices and copies know the game too; pickled, it is a recarray."""

    _game: Any = None

    @classmethod
    def of(cls, game: Any, states: np.ndarray[Any, Any]) -> "Batch":
        """The same memory, (n,) of the game's dtype."""
        # Before it is one: a recarray would make other records of a structured dtype.
        batch = np.asarray(states).view(np.dtype((State, states.dtype))).view(cls)
        _set(batch, "_game", game)
        return batch

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, Batch):
            _set(self, "_game", _get(source, "_game"))

    def __setattr__(self, name: str, value: Any) -> None:
        # As a recarray makes records of a structured dtype; before NumPy 2.5 every view comes here.
        if name == "dtype" and np.dtype(value).names:
            _set_dtype(self, np.dtype((State, value)))
        else:
            super().__setattr__(name, value)

    def __reduce__(self) -> Any:
        return self.view(np.recarray).__reduce__()

    def __repr__(self) -> str:
        if not self._has_states:
            return super().__repr__()
        lines = [self._title, *(self._game.text(state) for state in self[:_SHOWN])]
        return "\n".join(lines + ["..."] * (len(self) > _SHOWN))

    __str__ = __repr__

    def _repr_html_(self) -> str | None:
        """What a notebook shows."""
        if not self._has_states:
            return None
        boards = "".join(self._game.svg(state) for state in self[:_SHOWN])
        return f"<p>{escape(self._title)}</p>{boards}" + "<p>...</p>" * (len(self) > _SHOWN)

    @property
    def _has_states(self) -> bool:
        return self.ndim == 1 and _is_of(self._game, self)

    @property
    def _title(self) -> str:
        return f"{len(self)} state{'s' * (len(self) != 1)} of {self._game.header}:"

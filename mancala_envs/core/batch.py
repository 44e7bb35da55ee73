"""`Batch`: a recarray of game states that prints itself as text, and as pictures in a notebook."""

from html import escape
from typing import Any

import numpy as np

_SHOWN = 4
"""The most states of a batch that are printed."""

_get, _set = object.__getattribute__, object.__setattr__
_set_dtype = np.ndarray.dtype.__set__  # type: ignore[attr-defined]
"""Access to attributes that skips the search for a field of that name, which a recarray makes every time."""


def _is_of(game: Any, states: Any) -> bool:
    """Return whether `states`, which the user may have changed, are still states of `game`; False if `game` is None."""
    return game is not None and states.dtype == game.dtype and not game.difference(states)


class State(np.record):  # type: ignore[misc]
    """One record of a `Batch`. As long as it shares the batch's memory, it prints as the text of the state."""

    def __repr__(self) -> str:
        game: Any = getattr(self.base, "_game", None)
        return str(game.text(self)) if _is_of(game, self) else super().__repr__()

    __str__ = __repr__

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows."""
        game: Any = getattr(self.base, "_game", None)
        return str(game.svg(self)) if _is_of(game, self) else None


class Batch(np.recarray[Any, Any]):
    """A recarray of states that knows its game, as `Game.init` and similar methods return it.

    Views, slices and copies know the game, too. A pickled batch becomes a plain recarray.
    """

    _game: Any = None

    @classmethod
    def of(cls, game: Any, states: np.ndarray[Any, Any]) -> "Batch":
        """Return (n,) states of the game's dtype as a batch that shares their memory."""
        # The dtype is set before the class, because a recarray would replace the record type.
        batch = np.asarray(states).view(np.dtype((State, states.dtype))).view(cls)
        _set(batch, "_game", game)
        return batch

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, Batch):
            _set(self, "_game", _get(source, "_game"))

    def __setattr__(self, name: str, value: Any) -> None:
        # A recarray would change the record type to `np.record`. Before NumPy 2.5 every view sets the dtype here.
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
        """Return the pictures that a notebook shows."""
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

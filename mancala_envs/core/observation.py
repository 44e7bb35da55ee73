"""Observations: columns of unsigned integers, each with a description, from the observing player's side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba.core import types
from numba.extending import intrinsic

from mancala_envs.core.rule import rule

FAR = 255
"""The highest number of turns that an observation shows; more are shown as this number."""


@dataclass(frozen=True)
class Column:
    """One column of the observation, an integer 0..`high`."""

    name: str
    high: int
    meaning: str


class Columns:
    """The columns of one kind, which `observe` writes as the field `name` of `out`: one number or an array.

    `Columns("own_store", 48, "...")` is a single column. An array has one of `place`, `direction` and `each`.

    Args:
        name: Name of the kind. The columns of an array are named by index, `own_hole[0]`; those of directions, or of a
            mapping `each`, are named by key, `heading_north`.
        high: The highest value, one for all columns or one for each.
        meaning: What a column says. In it, `{each}` stands for the direction, or for the value of `each`.
        place: Places of the board, as the observing player counts them, such as `range(6)`.
        direction: Directions, such as `("north", "south")`.
        each: Other values, one for each column, or a mapping of keys to words.
        bare: Whether columns with keys are named by the key alone, `north`.
    """

    def __init__(
        self,
        name: str,
        high: int | Sequence[int],
        meaning: str,
        *,
        place: Sequence[int] | None = None,
        direction: Sequence[str] | None = None,
        each: Sequence[Any] | Mapping[Any, str] | None = None,
        bare: bool = False,
    ) -> None:
        self.name, self.meaning = name, meaning
        about = {"place": place, "direction": direction, "each": each}
        self.about: dict[str, Sequence[Any]] = {
            what: tuple(found) for what, found in about.items() if found is not None
        }
        """The values that differ between columns; at most one entry."""
        (keys,) = self.about.values() or (("",),)
        self._words = tuple(each.values()) if isinstance(each, Mapping) else keys
        if not self.about:
            self._keys, self._pattern = keys, name
        elif direction is None and not isinstance(each, Mapping):
            self._keys, self._pattern = range(len(keys)), f"{name}[{{}}]"
        else:
            self._keys, self._pattern = keys, "{}" if bare else f"{name}_{{}}"
        self._highs = (high,) * len(self) if isinstance(high, int) else tuple(high)
        self.high = max(self._highs, default=0)
        """The highest value of any column."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the field that `observe` writes."""
        return (len(self),) if self.about else ()

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[Column]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> Column:
        meaning = self.meaning.replace("{each}", str(self._words[number]))
        return Column(self._pattern.format(self._keys[number]), self._highs[number], meaning)


def observation_dtype(kinds: Sequence[Columns]) -> np.dtype[Any]:
    """Return the smallest unsigned dtype that holds every column."""
    return np.dtype(np.min_scalar_type(max(kind.high for kind in kinds)))


def layout(kinds: Sequence[Columns]) -> np.dtype[Any]:
    """Return the dtype of an observation as a record with a field for each kind, as `observe` writes it.

    The field `columns` covers all columns. Without it, Numba would treat a record as equal to a longer one that begins
    with the same fields.
    """
    dtype, sizes = observation_dtype(kinds), [len(kind) for kind in kinds]
    offsets = np.cumsum([0, *sizes]) * dtype.itemsize
    names = ["columns", *(kind.name for kind in kinds)]
    formats = [(dtype, (sum(sizes),)), *((dtype, kind.shape) for kind in kinds)]
    fields: Any = {"names": names, "formats": formats, "offsets": [0, *offsets[:-1]], "itemsize": offsets[-1]}
    row: np.dtype[Any] = np.dtype((np.record, fields))
    return row


def row_in_python(out: npt.NDArray[Any], i: int, layout: np.dtype[Any]) -> Any:
    """Do the same as `row_of` in plain Python."""
    return out[i].view(layout)[0]


if numba.config.DISABLE_JIT:
    row_of = row_in_python
else:

    @intrinsic
    def record_at(typing: Any, out: Any, i: Any, layout: Any) -> Any:
        """Implement `row_of`; `view` does the same but takes 0.2 seconds to compile."""

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            rows = context.make_array(out)(context, builder, arguments[0]).data
            return builder.gep(builder.bitcast(rows, context.get_value_type(layout.dtype)), [arguments[1]])

        return layout.dtype(out, types.intp, layout), call

    @rule(inline=True)
    def row_of(out, i, layout):
        """Return row i of a contiguous array `out` (n, D) as a record of dtype `layout`."""
        return record_at(out, i, layout)


def planes(kinds: Sequence[Columns], grid: Sequence[tuple[int, int]]) -> tuple[tuple[str, ...], npt.NDArray[np.int64]]:
    """Arrange the columns of an observation as planes of a grid.

    Columns with one value for each place of the board become one plane. Every other column fills a plane.

    Args:
        kinds: The columns, by kind.
        grid: Row and column of every place.

    Returns:
        The C names of the planes, and a (C, H, W) int64 array of column indices, -1 where there is none.
    """
    rows, columns = np.array(grid).T
    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    found: dict[str, npt.NDArray[np.int64]] = {}
    number = 0
    for kind in kinds:
        if sorted(kind.about.get("place", ())) == list(range(len(grid))):
            found[kind.name] = np.full(shape, -1)
            places = list(kind.about["place"])
            found[kind.name][rows[places], columns[places]] = range(number, number + len(kind))
        else:
            found |= {column.name: np.full(shape, number + index) for index, column in enumerate(kind)}
        number += len(kind)
    return tuple(found), np.stack(list(found.values()))


# Columns that most games have.

CLOCK = (
    Columns("to_move", 1, "1 when the observing player decides now"),
    Columns("over", 1, "1 when the game is over"),
    Columns("turns_left", FAR, f"turns before max_turns, {FAR} where more"),
)


@rule(inline=True)
def observe_clock(s, p, max_turns, out):
    """Write the columns of `CLOCK`."""
    out.to_move = s.to_move == p
    out.over = s.to_move < 0
    out.turns_left = min(max_turns - s.turn, FAR)


def phase_columns(phases: Mapping[int, str]) -> Columns:
    """Return a column for each phase."""
    return Columns("phase", 1, "1 when the decision is to {each}", each=phases)


@rule(inline=True)
def observe_phase(s, phases, out):
    """Write the columns of `phase_columns`; `phases` is the array of their numbers."""
    for i in range(len(phases)):
        out.phase[i] = s.phase == phases[i]

"""The record of one game in progress: the fields that every game has, and those of the game.

A game lists its fields, with those of `HEAD`, in the order in which notation writes them. In memory they are naturally
aligned: first bytes, in the order of the list, then the others by falling width, then long fields such as histories.
"""

from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np


class Field(NamedTuple):
    """A field of the record.

    Attributes:
        name: The name.
        kind: The dtype of its numbers, such as "u1".
        meaning: What the field says, for the game's page.
        shape: The shape; () for one number.
    """

    name: str
    kind: str
    meaning: str
    shape: tuple[int, ...] = ()


HEAD = (
    Field("to_move", "i1", "the player to move; -1 when the game is over"),
    Field("phase", "u1", "what that player decides; 0 when the game is over"),
    Field("turn", "i4", "turns completed in this round"),
    Field("round_number", "i4", "the round, from 1; always 1 without a campaign"),
    Field("winner", "i1", "-2 during play; then the best player or team, -1 if no single one is best"),
    Field("ended", "u1", "0 during play; 1 (by the rules) or 2 (truncated) after the step that ended the game"),
)
"""The fields that every game has."""

ENGINE = (
    Field("chance", "u8", "the state of the random generator"),
    Field("rules", "i8", "the number of the game and its options"),
)
"""Fields that are not part of the position: the random generator (see `core.chance`), and the number of the game that
the record belongs to. Kernels compare `rules` with the number of their game for every record."""
ENGINE_FIELDS = tuple(field.name for field in ENGINE)

IN_PLAY = -2
"""`winner` during play."""
NOBODY = -1
"""`to_move` when the game is over."""
BY_RULES, TRUNCATED = 1, 2
"""`ended` after the step that ended the game."""

_LONG = 256
"""Fields of more bytes are at the end of the record, so that play uses few cache lines."""
_WORD = 8


def record_dtype(fields: Sequence[Field]) -> np.dtype[Any]:
    """Return the aligned dtype of a record with these fields and those of `ENGINE`, padded to whole words.

    The padding consists of named fields, because NumPy neither copies nor compares padding without names.
    """
    kinds: dict[str, np.dtype[Any]] = {field.name: np.dtype((field.kind, field.shape)) for field in (*ENGINE, *fields)}
    offset, padding = 0, 0
    placed: list[tuple[str, np.dtype[Any], int]] = []

    def align(size: int) -> None:
        nonlocal offset, padding
        if gap := -offset % size:
            placed.append((f"padding_{padding}", np.dtype((np.uint8, (gap,))), offset))
            offset, padding = offset + gap, padding + 1

    for name, kind in sorted(kinds.items(), key=lambda item: (item[1].itemsize > _LONG, _rank(item[1]))):
        # Rows of bytes begin a word, because rules read them by words. A short row has a word to itself, so that it can
        # also be written as a word: reading a word is slow just after its bytes were written one by one.
        of_bytes = kind.base.itemsize == 1
        alone = of_bytes and len(kind.shape) == 1 and _WORD // 2 <= kind.itemsize < _WORD
        align(_WORD if alone or (of_bytes and kind.itemsize >= _WORD) else kind.base.itemsize)
        placed.append((name, kind, offset))
        offset += kind.itemsize
        if alone:
            align(_WORD)
    align(_WORD)
    names, formats, offsets = zip(*placed, strict=True)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": offset}, align=True)


def _rank(kind: np.dtype[Any]) -> int:
    """Sort key: bytes first, then the widest."""
    return -_WORD - 1 if kind.base.itemsize == 1 else -kind.base.itemsize


def kernel_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return `dtype` with a second field of uint64 words, `NAME_word`, over every row of bytes, for fast forms.

    The words start at the first byte of NAME. There is one more than NAME fills if the record is long enough. The words
    of a table with rows of whole words cover exactly the table. On little-endian machines, byte i of a row is byte i of
    its words.
    """
    names = list(dtype.names or ())
    fields = dtype.fields
    assert fields is not None
    words: dict[str, tuple[tuple[int, ...], int]] = {}
    for name in names:
        kind, offset = fields[name][:2]
        if kind.base.itemsize != 1 or not kind.shape:
            continue
        if len(kind.shape) == 1:
            filled, room = -(-kind.shape[0] // _WORD), (dtype.itemsize - offset) // _WORD
            words[f"{name}_word"] = ((min(filled + 1, room),), offset)
        elif kind.shape[-1] % _WORD == 0:
            words[f"{name}_word"] = ((*kind.shape[:-1], kind.shape[-1] // _WORD), offset)
    return np.dtype(
        {
            "names": [*names, *words],
            "formats": [*(fields[name][0] for name in names), *(("<u8", shape) for shape, _ in words.values())],
            "offsets": [*(fields[name][1] for name in names), *(offset for _, offset in words.values())],
            "itemsize": dtype.itemsize,
        }
    )


def python_records(records: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a view of (n,) records whose fields are attributes, for rules in ordinary Python.

    A recarray has such attributes, too, but reads them several times more slowly: it searches the methods of a record
    for each name first.
    """
    return np.asarray(records).view(_with_attributes(records.dtype))


@cache
def _with_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    def attribute(name: str) -> property:
        return property(itemgetter(name), lambda record, value: record.__setitem__(name, value))

    return np.dtype((type("PythonRecord", (np.void,), {name: attribute(name) for name in dtype.names or ()}), dtype))

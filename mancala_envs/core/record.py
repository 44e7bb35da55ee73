"""The record of one game in progress: the head that every game has, and the fields of its own.

A game lists its fields, the head among them, in the order in which notation names them. In memory they lie naturally
aligned: bytes first, in the order of the list, then the others, the widest first, and long ones (a history) at the end.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class Field(NamedTuple):
    """A field of the record: its name, the type of its numbers, what they mean, and its shape, () for one number."""

    name: str
    kind: str
    meaning: str
    shape: tuple[int, ...] = ()


HEAD = (
    Field("to_move", "i1", "the player who decides next; -1 once the game is over"),
    Field("phase", "u1", "what they decide; 0 once the game is over"),
    Field("turn", "i4", "turns completed in this round"),
    Field("round_number", "i4", "the round, from 1; always 1 without a campaign"),
    Field(
        "winner",
        "i1",
        "-2 during play, -1 where no single player or team is best, otherwise which one is",
    ),
    Field("ended", "u1", "0; after the step that ended the game 1 (by the rules) or 2 (truncated)"),
)
"""The fields that every game has."""

ENGINE = (
    Field("chance", "u8", "the generator of chance"),
    Field("rules", "i8", "the number of the game and its options"),
)
"""Not part of the position: the generator of chance (see core.chance), and to which game the record belongs. Kernels
compare `rules` with their own game's number, which is signed, for every record."""
ENGINE_FIELDS = tuple(field.name for field in ENGINE)

IN_PLAY = -2
"""`winner` while the game goes on; -1 when no single player or team is best."""
NOBODY = -1
"""`to_move` once the episode is over."""
BY_RULES, TRUNCATED = 1, 2
"""`ended` after the step that ended the episode."""

_LONG = 256
"""Fields of more bytes lie at the end of the record, so that play touches few cache lines."""
_WORD = 8


def record_dtype(fields: Sequence[Field]) -> np.dtype[Any]:
    """The dtype of a record with these fields and the engine's, aligned, and padded by name to whole words.

    Padding has names because NumPy neither copies nor compares the bytes of padding without names.
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
        # Rows of bytes begin a word: rules read them by words. A single short one has its word to itself, so that it is
        # written as one too: a word whose bytes were just written is dear to read.
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
    """Bytes come first, then the widest."""
    return -_WORD - 1 if kind.base.itemsize == 1 else -kind.base.itemsize


def kernel_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """`dtype` with a second name for the bytes of every row of bytes: `NAME_word`, uint64, for fast forms.

    The words begin where NAME does and are one more than it fills, as far as the record reaches; those of a table of
    whole words are as many as its own. Byte i of a row is byte i of its words on little-endian machines.
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

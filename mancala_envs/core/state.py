"""The record of one game in progress, and the two views of its bytes.

Every record begins with the position: `holes`, `store`, `to_move`, `phase`, padded by name to whole 8-byte words. The
public dtype is plain. `kernel_dtype` gives the same bytes a second name, `word`: the position as uint64, for sowing
whole laps at once and for comparing positions. Bytes 0..H-1 of the words are the holes, on little-endian machines.
So it does for the game's own fields of one byte a hole: `owner_word` are the two words that begin where `owner` does.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

Field = tuple[str, str] | tuple[str, str, tuple[int, ...]]

IN_PLAY = -2
"""`winner` while the game goes on; -1 when no single player or team is best."""
NOBODY = -1
"""`to_move` once the episode is over."""
BY_RULES, TRUNCATED = 1, 2
"""`ended` after the step that ended the episode."""

MOST_SEEDS = 255
ENGINE_FIELDS = ("chance", "script")
"""Not part of the position: the generator and its scripted results."""


def state_dtype(holes: int, players: int, fields: Sequence[Field], store: str = "u1") -> np.dtype[Any]:
    """The record of a game: the common fields of the rules pages, then the game's own `fields`, then chance."""
    position: list[Field] = [
        ("holes", "u1", (holes,)),
        ("store", store, (players,)),
        ("to_move", "i1"),
        ("phase", "u1"),
    ]
    size = np.dtype(position).itemsize
    filler: list[Field] = [("filler", "u1", (-size % 8,))] if size % 8 else []
    common: list[Field] = [("turn", "i4"), ("round_number", "i4"), ("winner", "i1"), ("ended", "u1")]
    return np.dtype([*position, *filler, ("chance", "u8"), ("script", "u8"), *common, *fields])


def kernel_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """`dtype` with `word`, the position as uint64, over its first bytes, and two words over every field of bytes."""
    names = list(dtype.names or ())
    fields = dtype.fields
    assert fields is not None
    words = {"word": (fields["chance"][1] // 8, 0)}
    for name in names:
        field, offset = fields[name][:2]
        if field.shape == fields["holes"][0].shape and field.base.itemsize == 1 and offset + 16 <= dtype.itemsize:
            words[f"{name}_word"] = (2, offset)
    return np.dtype(
        {
            "names": [*names, *words],
            "formats": [*(fields[name][0] for name in names), *(("<u8", (count,)) for count, _ in words.values())],
            "offsets": [*(fields[name][1] for name in names), *(offset for _, offset in words.values())],
            "itemsize": dtype.itemsize,
        }
    )

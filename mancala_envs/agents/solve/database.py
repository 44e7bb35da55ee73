"""Endgame databases: the values of all positions with few seeds left, by retrograde analysis.

A game can have a database if its book names a row of counts in `Positions.database_row`: play depends only on that row
and the player to move, and the sum of the counts never rises. An ending is a position of the database. Its index
depends on the number of seeds left and then on their places, seen from the player to move. The value of an ending
depends on endings with fewer seeds, and on endings with the same number of seeds that cannot lead back to it.

A database file begins with a header in JSON, followed by a layer for each number of seeds left. A program writes it
layer by layer and continues after the last complete layer. It locks the file, and allocates each layer before it
computes it.
"""

import json
import os
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import fields, record_array
from mancala_envs.agents.solve.gains import Measure, gain, secured_lead
from mancala_envs.core.arguments import short
from mancala_envs.core.binding import in_python
from mancala_envs.core.bits import lowest_bit
from mancala_envs.core.contract import legal_word, num_actions
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import move
from mancala_envs.core.outcome import BY_MARGIN
from mancala_envs.core.pauses import Pace
from mancala_envs.core.rule import rule

MOST_LEFT = 100
"""Maximum number of seeds of an ending, because its value is a byte."""

UNKNOWN = 127
"""Marks a value that is not known yet."""

PLIES = 4096
"""Size of the search stack: the maximum length of a variation through endings with the same number of seeds."""

FIRST_SLICE = 4096
"""Endings that are valued before the first pause."""

NODE = np.dtype(fields("i8", "index action value"))
"""An ending on the search stack: its index, the last action that was tried, and the best value so far."""

FORMAT, VERSION, HEADER = "endgame database of mancala_envs", 1, 4096
"""The name and version of the file format, as the header gives them, and the length of the header in bytes."""


class Database(NamedTuple):
    """The values of endings.

    Attributes:
        values: (N,) int8, the further gain of the player to move in each ending, by index.
        first: (M + 2,) int64: endings with m seeds, m from 0 to M, have the indices first[m] to first[m + 1] - 1.
        fewer: (P + 1, M + 2) int64: the number of ways to place fewer than m seeds in p places.
        row: (2,) int64, the offset of the row of counts in a record, and its length, in bytes.
    """

    values: npt.NDArray[np.int8]
    first: npt.NDArray[np.int64]
    fewer: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]


class SearchStack(NamedTuple):
    """The variation being searched.

    Args:
        states: (PLIES,) records.
        octets: (PLIES, B) uint8, the same memory as bytes.
        nodes: (PLIES,) NODE records.
    """

    states: npt.NDArray[np.void]
    octets: npt.NDArray[np.uint8]
    nodes: npt.NDArray[np.void]


@rule
def index_of(d, octets, mover):
    """Return the index of a position from the bytes of its record; -1 if it is not in the database."""
    begin, places, most = d.row[0], d.row[1], len(d.first) - 2
    if most < 0:
        return np.int64(-1)
    # Endings with the same number of seeds are in the order of their counts: those with more seeds in the first place
    # come later, then those with more in the second, and so on. `above` counts the endings from this one to the last:
    # those with equal counts up to some place, more seeds there and therefore fewer after it.
    last = begin + places - 1
    place = begin + places // 2 - 1 if mover else last
    left, above = np.int64(octets[place]), np.int64(1)
    for behind in range(1, places):
        if left > most:
            return np.int64(-1)
        above += d.fewer[behind, left]
        place = place - 1 if place > begin else last
        left += np.int64(octets[place])
    return d.first[left + 1] - above if left <= most else np.int64(-1)


@rule
def set_up(d, index, octets):
    """Write the ending with an index, with player 0 to move, into the bytes of a record."""
    begin, places = d.row[0], d.row[1]
    left = 0
    while d.first[left + 1] <= index:
        left += 1
    above = d.first[left + 1] - 1 - index
    last = begin + places - 1
    for behind in range(places - 1, 0, -1):
        further = left
        while d.fewer[behind, further] > above:
            further -= 1
        above -= d.fewer[behind, further]
        octets[last - behind] = left - further
        left = further
    octets[last] = left


@rule
def retrograde_loop(d, t, unit, begin, end):
    """Compute the values of the endings with indices from `begin` up to `end`, each after those that it leads to."""
    for index in range(begin, end):
        if d.values[index] != UNKNOWN:
            continue
        set_up(d, index, t.octets[0])
        t.states[0].to_move = 0
        ply = open_node(t, 0, index)
        while ply >= 0:
            node = t.nodes[ply]
            s = t.states[ply]
            action = next_legal(s, node.action)
            if action < 0:
                # Positions without legal actions do not occur in play.
                d.values[node.index] = max(node.value, -MOST_LEFT)
                ply -= 1
                continue
            mover = np.int64(s.to_move)
            t.states[ply + 1] = s
            n = t.states[ply + 1]
            before = secured_lead(s, mover, True)
            if move(n, action):
                value = gain(n, mover, unit) - before
            else:
                after = index_of(d, t.octets[ply + 1], n.to_move)
                known = np.int64(d.values[after])
                if known == UNKNOWN:
                    ply = open_node(t, ply + 1, after)
                    continue
                value = secured_lead(n, mover, True) - before + (known if n.to_move == mover else -known)
            node.action = action
            node.value = max(node.value, value)


@rule
def next_legal(s, action):
    """Return the first legal action above `action`; -1 if there is none."""
    action += 1
    while action < num_actions(s):
        bits = legal_word(s, action // 64) >> np.uint64(action % 64)
        if bits:
            return action + lowest_bit(bits)
        action += 64 - action % 64
    return -1


@rule
def open_node(t, ply, index):
    """Open the node of the ending in states[ply]; return `ply`."""
    assert ply + 1 < len(t.states)
    node = t.nodes[ply]
    node.index = index
    node.action = -1
    node.value = -2 * MOST_LEFT
    return ply


def has_database(game: Engine) -> bool:
    """Return whether a game can have a database. In such a game no position repeats."""
    return bool(game.book.positions.database_row) and not game.campaign


def row_of(game: Engine) -> tuple[int, int]:
    """Return the offset of the row of counts in a record, and its length, in bytes.

    Raises:
        ValueError: The game has no such row.
    """
    if not has_database(game):
        raise ValueError(f"{game.header} has no endgame database: play depends on more than seeds that leave it")
    kind, begin = game.dtype.fields[game.book.positions.database_row][:2]  # type: ignore[index]
    return begin, kind.itemsize


def most_left_within(game: Engine, number: int) -> int:
    """Return the maximum number of seeds for which there are at most `number` endings."""
    places = row_of(game)[1]
    most = 0
    while most < MOST_LEFT and comb(most + 1 + places, places) <= number:
        most += 1
    return most


def empty_database(game: Engine, most: int, values: npt.NDArray[np.int8] | None = None) -> Database:
    """Return a database of endings with up to `most` seeds, with unknown values or those of the array `values`.

    Raises:
        ValueError: `most` is above MOST_LEFT.
    """
    begin, places = row_of(game)
    if most > MOST_LEFT:
        raise ValueError(f"endings have at most {MOST_LEFT} seeds left, {most} were asked for")
    fewer = np.array([[0, *(comb(left + p, p) for left in range(most + 1))] for p in range(places + 1)], np.int64)
    first = fewer[places]
    if values is None:
        values = np.full(first[-1], UNKNOWN, np.int8)
    row = np.array([begin, places], np.int64)
    return Database(values, first, fewer, row)


def no_database() -> Database:
    """Return a database without endings."""
    row = np.zeros(2, np.int64)
    return Database(np.zeros(0, np.int8), np.zeros(1, np.int64), np.zeros((1, 1), np.int64), row)


def compute_layer(game: Engine, database: Database, left: int, pause: Callable[[int], None]) -> None:
    """Compute the values of all endings with `left` seeds; call `pause` with the number of values known."""
    states = np.zeros(PLIES, game.dtype)
    states[:1] = Measure.of(game).unbounded(game, game.init(1, 0))
    states["reward"] = BY_MARGIN
    for name in game.book.positions.counters:
        states[name] = 0
    octets = states.view(np.uint8).reshape(PLIES, game.dtype.itemsize)
    stack = SearchStack(game.records(states), octets, record_array(PLIES, NODE))
    loop, unit = game.bind(retrograde_loop), int(in_python(game.book.result.whole)(game.init(1, 0)[0]))
    begin, end = int(database.first[left]), int(database.first[left + 1])
    database.values[begin:end] = UNKNOWN
    for done, further in Pace("endings", end - begin, FIRST_SLICE).slices(begin, end):
        loop(database, stack, unit, done, further)
        pause(further)


def compute_database(game: Engine, most: int, pause: Callable[[int], None]) -> Database:
    """Compute the database of endings with up to `most` seeds, in memory."""
    database = empty_database(game, most)
    for left in range(most + 1):
        compute_layer(game, database, left, pause)
    return database


def write_file(path: Path, game: Engine, most: int, pause: Callable[[int], None]) -> None:
    """Write the endings with up to `most` seeds into a file; endings that it contains already are kept.

    The file is locked meanwhile. An empty file counts as a new one.

    Raises:
        ValueError: The file is no endgame database, one of another game, or damaged, or another process writes it.
        OSError: There is no room on the disk for the next layer. The file keeps the layers that it has.
    """
    row_of(game)
    with open(path, "r+b", buffering=0, opener=lambda name, _: os.open(name, os.O_RDWR | os.O_CREAT, 0o666)) as file:
        _lock(file, path)
        sums = read_header(path, game)
        _values_in(path, game, sums)
        if not sums:
            _allocate(file, path, 0, HEADER)
            _write_header(file, game, sums)
        for left in range(len(sums), most + 1):
            begin, end = (int(index) for index in empty_database(game, left, _NO_VALUES).first[-2:])
            _allocate(file, path, HEADER + begin, HEADER + end)
            values = np.memmap(path, np.int8, "r+", HEADER, (end,))
            compute_layer(game, empty_database(game, left, np.asarray(values)), left, pause)
            values.flush()
            # The header is written last, so that a layer that is not complete does not count.
            sums.append(_checksum(values[begin:end]))
            _write_header(file, game, sums)


def read_file(path: Path, game: Engine) -> Database:
    """Return the database in a file. Its values stay in the file and are read when needed.

    Raises:
        ValueError: The file is no endgame database, one of another game, or damaged.
    """
    row_of(game)
    sums = read_header(path, game)
    if not sums:
        raise ValueError(f"{path} has no endings yet")
    return empty_database(game, len(sums) - 1, _values_in(path, game, sums))


def _values_in(path: Path, game: Engine, sums: list[int]) -> npt.NDArray[np.int8]:
    """The values of the layers with these checksums in a file; writing to the array does not change the file.

    Raises:
        ValueError: The file is damaged.
    """
    if not sums:
        return _NO_VALUES
    first = empty_database(game, len(sums) - 1, _NO_VALUES).first.tolist()
    if path.stat().st_size < HEADER + first[-1]:
        raise ValueError(f"{path} is damaged: it is too short")
    values = np.asarray(np.memmap(path, np.int8, "c", HEADER, (first[-1],)))
    for left, expected in enumerate(sums):
        if _checksum(values[first[left] : first[left + 1]]) != expected:
            raise ValueError(f"{path} is damaged: endings with {left} seeds left are not what was written")
    return values


def _checksum(values: npt.NDArray[np.int8]) -> int:
    checksum = 0
    for begin in range(0, len(values), _AT_ONCE):
        checksum = crc32(values[begin : begin + _AT_ONCE].data, checksum)
    return checksum


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock an open file until it is closed; raise ValueError if another process has locked it."""
    import fcntl  # Only POSIX has it.

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(f"{path} is being written by another process: wait for it, or name another file") from None


def _allocate(file: BinaryIO, path: Path, begin: int, end: int) -> None:
    """Write zeros into these bytes of an open file; if the disk is full, cut the file off there and raise OSError.

    A disk that becomes full while a memory map is written ends the process.
    """
    written = file.seek(begin)
    try:
        while written < end:
            written += file.write(bytes(min(_AT_ONCE, end - written)))
    except OSError as error:
        file.truncate(begin)
        raise OSError(error.errno, f"{error.strerror}: {end - written:,} bytes more are needed", str(path)) from None


def _write_header(file: BinaryIO, game: Engine, sums: list[int]) -> None:
    file.seek(0)
    file.write(_header(game, sums))


_NO_VALUES = np.zeros(0, np.int8)
_AT_ONCE = 1 << 24
"""Bytes that are written or checked before Python can handle a signal."""


def _sizes(game: Engine) -> dict[str, Any]:
    return {option.name: game.options[option.name] for option in game.book.options if option.size}


def _header(game: Engine, sums: list[int]) -> bytes:
    said = {"format": FORMAT, "version": VERSION, "game": game.book.name, "options": _sizes(game), "checksums": sums}
    return json.dumps(said).encode().ljust(HEADER - 1) + b"\n"


def read_header(path: Path, game: Engine) -> list[int]:
    """Return the checksums of the layers in a file; none if the file is empty.

    Raises:
        ValueError: The file is no endgame database of this game.
    """
    with path.open("rb") as file:
        begin = file.read(HEADER)
    # A full disk, or a process that was ended, leaves an empty file, or zeros in place of the header.
    if not begin.strip(b"\0"):
        return []
    try:
        said = json.loads(begin)
        found = said["format"], said["version"], said["game"], said["options"]
        sums: list[int] = said["checksums"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError(f"{path} is no endgame database") from None
    expected = FORMAT, VERSION, game.book.name, _sizes(game)
    if found != expected:
        raise ValueError(f"{path} must have {expected}, it has {short(found)}")
    if not isinstance(sums, list) or len(sums) > MOST_LEFT + 1 or not all(type(each) is int for each in sums):
        most = MOST_LEFT + 1
        raise ValueError(f"{path} is damaged: checksums must be a list of at most {most} integers, got {short(sums)}")
    return sums

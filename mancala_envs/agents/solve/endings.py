"""Endings: what every position with few seeds left is worth to its mover, in a row of bytes. They know no game.

For games that have a `Positions.dwindling` row of counts: it is all that play goes on by, and what it counts only
leaves play. So endings can be numbered, by how many seeds are left and then by how they lie as their mover sees them;
and each depends on those with fewer left and on others with as many, from which no way leads back.
A file of them begins with a header in JSON; layers, of equally many left, follow each other. It is written layer after
layer, and goes on where it was left.
"""

import json
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.compiled import next_legal
from mancala_envs.agents.solve.gains import Measure, gain, lead_assured
from mancala_envs.core.binding import in_python
from mancala_envs.core.game import Game
from mancala_envs.core.kernels import move
from mancala_envs.core.outcome import BY_MARGIN
from mancala_envs.core.rule import rule

BORROWS_ARRAYS = True

MOST_LEFT = 100
"""Seeds of an ending, at most: its value is a byte."""

UNVALUED = 127
"""In place of a value that is not known yet."""

LONGEST = 4096
"""Decisions of a way through endings with equally many left."""

BETWEEN_PAUSES = 1 << 18
"""Endings valued before anybody can interrupt."""

NUMBER, TRIED, BEST = range(3)
"""Of an open ending: its number, the last action that was tried, and the best gain by any of those."""

FORMAT, VERSION, HEADER = "endings of mancala_envs", 1, 4096
"""What the header of a file says, the version of how it is written, and its bytes."""


class Endings(NamedTuple):
    """What is known of endings.

    `values` (N,): what the mover gains from there on, by number; `first` (M + 2,): endings with m left, up to M, are
    numbered from first[m] to before first[m + 1]; `fewer` (P + 1, M + 2): how many ways there are to lay fewer than m
    seeds into p places; `row` (2,): at which byte of a record the row of counts begins, and how many it has.
    """

    values: npt.NDArray[np.int8]
    first: npt.NDArray[np.int64]
    fewer: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]


class Line(NamedTuple):
    """Room to value endings in: the positions of a line of play and what is known of each."""

    states: npt.NDArray[np.void]
    octets: npt.NDArray[np.uint8]
    nodes: npt.NDArray[np.int64]


@rule
def ending_of(e, octets, mover):
    """The number of a position, from the bytes of its record; -1 where it is none of these endings."""
    begin, places, most = e.row[0], e.row[1], len(e.first) - 2
    if most < 0:
        return np.int64(-1)
    # Of endings with as many left those with more in the first place come later, then those with more in the second ...
    # Above this one lie those that are like it up to some place, and have more there and so fewer behind it.
    last = begin + places - 1
    place = begin + places // 2 - 1 if mover else last
    left, above = np.int64(octets[place]), np.int64(1)
    for behind in range(1, places):
        if left > most:
            return np.int64(-1)
        above += e.fewer[behind, left]
        place = place - 1 if place > begin else last
        left += np.int64(octets[place])
    return e.first[left + 1] - above if left <= most else np.int64(-1)


@rule
def lay(e, number, octets):
    """Write the ending of a number, player 0 to move, into the bytes of a record."""
    begin, places = e.row[0], e.row[1]
    left = 0
    while e.first[left + 1] <= number:
        left += 1
    above = e.first[left + 1] - 1 - number
    last = begin + places - 1
    for behind in range(places - 1, 0, -1):
        further = left
        while e.fewer[behind, further] > above:
            further -= 1
        above -= e.fewer[behind, further]
        octets[last - behind] = left - further
        left = further
    octets[last] = left


@rule
def value_loop(e, t, unit, begin, end):
    """Value the endings numbered from `begin` to before `end`, each when all that it leads to are."""
    for number in range(begin, end):
        if e.values[number] != UNVALUED:
            continue
        lay(e, number, t.octets[0])
        t.states[0].to_move = 0
        depth = open_ending(t, 0, number)
        while depth >= 0:
            node = t.nodes[depth]
            s = t.states[depth]
            action = next_legal(s, node[TRIED])
            if action < 0:
                # A position without any action is none of the game's.
                e.values[node[NUMBER]] = max(node[BEST], -MOST_LEFT)
                depth -= 1
                continue
            mover = np.int64(s.to_move)
            t.states[depth + 1] = s
            n = t.states[depth + 1]
            before = lead_assured(s, mover, True)
            if move(n, action):
                value = gain(n, mover, unit) - before
            else:
                after = ending_of(e, t.octets[depth + 1], n.to_move)
                known = np.int64(e.values[after])
                if known == UNVALUED:
                    depth = open_ending(t, depth + 1, after)
                    continue
                value = lead_assured(n, mover, True) - before + (known if n.to_move == mover else -known)
            node[TRIED] = action
            node[BEST] = max(node[BEST], value)


@rule
def open_ending(t, depth, number):
    """Begin to try the actions of the ending in states[depth]; returns `depth`."""
    assert depth + 1 < len(t.states)
    t.nodes[depth, NUMBER] = number
    t.nodes[depth, TRIED] = -1
    t.nodes[depth, BEST] = -2 * MOST_LEFT
    return depth


def has_endings(game: Game) -> bool:
    """Whether its endings can be numbered."""
    return bool(game.book.positions.dwindling) and not game.campaign


def row_of(game: Game) -> tuple[int, int]:
    """At which byte of the record the row of counts begins, and how many it has. Raises ValueError without one."""
    if not has_endings(game):
        raise ValueError(f"{game.header} has no database of endings: play depends on more than seeds that leave it")
    name = game.book.positions.dwindling
    kind, begin = game.dtype.fields[name][:2]  # type: ignore[index]
    return begin, kind.itemsize


def endings_within(game: Game, number: int) -> int:
    """Up to how many seeds left there are `number` endings at most."""
    places = row_of(game)[1]
    most = 0
    while most < MOST_LEFT and comb(most + 1 + places, places) <= number:
        most += 1
    return most


def room_for(game: Game, most: int, values: npt.NDArray[np.int8] | None = None) -> Endings:
    """Endings with up to `most` seeds left, none of them valued; in `values` where that is given.

    Raises ValueError for more than MOST_LEFT.
    """
    begin, places = row_of(game)
    if most > MOST_LEFT:
        raise ValueError(f"endings have at most {MOST_LEFT} seeds left, {most} were asked for")
    fewer = np.array([[0, *(comb(left + p, p) for left in range(most + 1))] for p in range(places + 1)], np.int64)
    first = fewer[places]
    if values is None:
        values = np.full(first[-1], UNVALUED, np.int8)
    row = np.array([begin, places], np.int64)
    return Endings(values, first, fewer, row)


def no_endings() -> Endings:
    """For games that have none."""
    row = np.zeros(2, np.int64)
    return Endings(np.zeros(0, np.int8), np.zeros(1, np.int64), np.zeros((1, 1), np.int64), row)


def value_layer(game: Game, endings: Endings, left: int, pause: Callable[[int], None]) -> None:
    """Value all endings with so many left; `pause` is told how many endings are valued."""
    states = np.zeros(LONGEST, game.dtype)
    states[:1] = Measure.of(game).unbounded(game, game.init(1, 0))
    states["reward"] = BY_MARGIN
    for name in game.book.positions.counters:
        states[name] = 0
    octets = states.view(np.uint8).reshape(LONGEST, game.dtype.itemsize)
    line = Line(game.records(states), octets, np.zeros((LONGEST, BEST + 1), np.int64))
    loop, unit = game.bind(value_loop), int(in_python(game.book.result.whole)(game.init(1, 0)[0]))
    begin, end = int(endings.first[left]), int(endings.first[left + 1])
    endings.values[begin:end] = UNVALUED
    while begin < end:
        further = min(begin + BETWEEN_PAUSES, end)
        loop(endings, line, unit, begin, further)
        pause(further)
        begin = further


def value_all(game: Game, most: int, pause: Callable[[int], None]) -> Endings:
    """The endings of a game with up to `most` seeds left, in memory."""
    endings = room_for(game, most)
    for left in range(most + 1):
        value_layer(game, endings, left, pause)
    return endings


def write_file(path: Path, game: Game, most: int, pause: Callable[[int], None]) -> None:
    """Write the endings with up to `most` seeds left into a file, or those that it lacks.

    Raises ValueError for a file that is something else, or of another game.
    """
    row_of(game)
    sums = read_header(path, game) if path.exists() else []
    if not sums:
        path.write_bytes(_header(game, sums))
    for left in range(len(sums), most + 1):
        begin, end = (int(number) for number in room_for(game, left, _NONE).first[-2:])
        with path.open("r+b") as file:
            file.truncate(HEADER + end)
        values = np.memmap(path, np.int8, "r+", HEADER, (end,))
        value_layer(game, room_for(game, left, np.asarray(values)), left, pause)
        values.flush()
        # The header says last what there is, so that a layer that was not finished counts for nothing.
        sums.append(crc32(values[begin:end].data))
        with path.open("r+b") as file:
            file.write(_header(game, sums))


def read_file(path: Path, game: Game) -> Endings:
    """The endings in a file, which stay there and are read as they are needed.

    Raises ValueError for a file that is something else, of another game, or damaged.
    """
    row_of(game)
    sums = read_header(path, game)
    if not sums:
        raise ValueError(f"{path} has no endings yet")
    first = room_for(game, len(sums) - 1, _NONE).first
    if path.stat().st_size < HEADER + first[-1]:
        raise ValueError(f"{path} is damaged: it is too short")
    endings = room_for(game, len(sums) - 1, np.asarray(np.memmap(path, np.int8, "c", HEADER, (int(first[-1]),))))
    for left, expected in enumerate(sums):
        if crc32(endings.values[first[left] : first[left + 1]].data) != expected:
            raise ValueError(f"{path} is damaged: endings with {left} seeds left are not what was written")
    return endings


_NONE = np.zeros(0, np.int8)


def _sizes(game: Game) -> dict[str, Any]:
    return {option.name: game.options[option.name] for option in game.book.options if option.size}


def _header(game: Game, sums: list[int]) -> bytes:
    said = {"format": FORMAT, "version": VERSION, "game": game.book.name, "options": _sizes(game), "checksums": sums}
    return json.dumps(said).encode().ljust(HEADER - 1) + b"\n"


def read_header(path: Path, game: Game) -> list[int]:
    """The checksums of its layers. Raises ValueError where it is no file of endings of this game."""
    with path.open("rb") as file:
        begin = file.read(HEADER)
    try:
        said = json.loads(begin)
        found = said["format"], said["version"], said["game"], said["options"]
        sums: list[int] = said["checksums"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path} is no file of endings") from None
    expected = FORMAT, VERSION, game.book.name, _sizes(game)
    if found != expected:
        raise ValueError(f"{path} must have {expected}, it has {found}")
    return sums

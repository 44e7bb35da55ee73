"""What races look like: columns of the observation, names of actions, drawings, and what a position must be."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mancala_envs.core.board import Board, Point, Throw, heading
from mancala_envs.core.contract import num_players
from mancala_envs.core.observation import FAR, Column, columns
from mancala_envs.core.options import require
from mancala_envs.core.rule import rule
from mancala_envs.families.races.contract import home, lane, met, opposed, safe, sides
from mancala_envs.families.races.tracks import NOWHERE, WAITING, WORD
from mancala_envs.families.races.verbs import NONE, beyond, first_of, met_on, row_of

# What players see.


def race_columns(rows: int, pieces: int, last: int, values: Sequence[str], players: int, most: int) -> list[Column]:
    """The columns that `observe_race` writes. `last`: L; `most`: throws of one value that can be left."""
    far = min(last, WORD)
    others = [
        column
        for after in range(1, rows)
        for column in columns(f"place_{after}", pieces, last + 1, f"the same of the row {after} after the own one")
    ]
    return [
        *columns("own_place", pieces, last + 1, f"how far the own piece has come: 0 waiting, {last + 1} home"),
        *columns("own_safe", pieces, 1, "1 where it stands safe on a marked cell"),
        *columns("own_refuge", pieces, far, "how far before it the next safe cell is, 0 for none"),
        *columns("own_prey", pieces, far, "how far before it the next opponent stands, 0 for none"),
        *columns("own_threat", pieces, far, "how far the next opponent has to go who can come to its cell, 0 for none"),
        *others,
        *(Column(f"throws[{i}]", most, f"throws of {value} still to be used") for i, value in enumerate(values)),
        *columns("to_move", players, 1, "1 when the player so many turns after the observing one decides now"),
        Column("over", 1, "1 when the game is over"),
        Column("turns_left", FAR, f"turns before max_turns, {FAR} where more"),
    ]


@rule(inline=True)
def observe_race(s, p, out):
    """The own pieces and how they stand to others, the others, the throws; returns the number of columns written."""
    r, rows, pieces, players = row_of(s, p), len(s.pieces), s.pieces.shape[1], num_players(s)
    for k in range(pieces):
        place, track = s.pieces[r, k], lane(s, r, k)
        out[k] = place
        out[pieces + k] = safe(s, track, place)
        out[2 * pieces + k] = refuge(s, track, place)
        out[3 * pieces + k] = distance(beyond(met_on(s, track, r, False), place))
        out[4 * pieces + k] = threat(s, r, k)
        for after in range(1, rows):
            out[(4 + after) * pieces + k] = s.pieces[(r + after) % rows, k]
    at = (4 + rows) * pieces
    for value in range(len(s.throws)):
        out[at + value] = s.throws[value]
    at += len(s.throws)
    for after in range(players):
        out[at + after] = s.to_move == (p + after) % players
    at += players
    out[at] = s.to_move < 0
    out[at + 1] = min(s.max_turns - s.turn, FAR)
    return at + 2


@rule(inline=True)
def observe(s, p, out):
    """`observe_race`, where there is nothing else to see."""
    observe_race(s, p, out)


@rule(inline=True)
def distance(places):
    """`first_of`, 0 where there is none."""
    return first_of(places) % NONE


@rule(inline=True)
def refuge(s, track, place):
    """How far the next safe place of a lane is, 0 where there is none."""
    for there in range(place + 1, home(s)):
        if safe(s, track, there):
            return min(there - place, WORD)
    return 0


@rule(inline=True)
def threat(s, r, k):
    """How far the next opponent has to go who can come to where piece k of row r stands, 0 where nobody can."""
    track = lane(s, r, k)
    nearest = 0
    for q in range(len(s.pieces)):
        if opposed(s, r, q):
            for other in range(s.pieces.shape[1]):
                way = lane(s, q, other)
                steps = distance(beyond(met(s, way, track, s.pieces[r, k]), s.pieces[q, other]))
                if steps > 0 and (nearest == 0 or steps < nearest):
                    nearest = steps
    return nearest


@rule(inline=True)
def worth(s, p):
    """How far the own side is before the others, less a quarter of what a single throw of an opponent can undo."""
    side, count = p % sides(s), sides(s)
    value = 0
    for r in range(len(s.pieces)):
        for k in range(s.pieces.shape[1]):
            place = np.int64(s.pieces[r, k])
            if r % count != side:
                value -= 4 * place
            elif not safe(s, lane(s, r, k), place) and 0 < threat(s, r, k) <= REACH:
                value += (count - 1) * 3 * place
            else:
                value += (count - 1) * 4 * place
    return value


REACH = 12
"""As far before an opponent a piece is in danger: nearer than that he comes by most turns' throws."""


def action_names(values: Sequence[str], pieces: int, *more: str) -> list[str]:
    """value * K + piece uses one throw; then the further actions."""
    return [*(f"use {value} on piece {piece}" for value in values for piece in range(pieces)), *more, "stop"]


# What people see.

LETTERS = "abcd"
"""The pieces of each row."""


def mouths(*numbers: int) -> tuple[Throw, ...]:
    """Throws of six cowries with so many mouths up, named by the number."""
    return tuple(Throw(str(number), tuple(shell < number for shell in range(6))) for number in numbers)


def places_of(drawing: str) -> dict[int, tuple[float, float]]:
    """Column and row of every cell of a drawing in which the cells stand as their numbers, four letters apart."""
    return {
        int(number[0]): ((number.end() - 1) / 4, float(row))
        for row, line in enumerate(drawing.strip("\n").splitlines())
        for number in re.finditer(r"\d+", line)
    }


def drawn(
    s: Any,
    places: Mapping[int, tuple[float, float]],
    standing: Sequence[Sequence[int]],
    marked: frozenset[int],
    values: Sequence[Throw],
    last: int,
    side: str = "player",
    notes: Sequence[str] = (),
) -> Board:
    """The board, its cells at `places`. `standing`: the cell of every piece, by row. `side`: what wins, in a word.

    `values`: a throw of each value.
    """
    men: dict[int, list[tuple[str, int]]] = {cell: [] for cell in places}
    for r, cells in enumerate(standing):
        for cell in cells:
            if cell != NOWHERE:
                men[cell].append((LETTERS[r], r))
    points = tuple(
        Point(
            x,
            y,
            "",
            *(men[cell][0] if men[cell] else ("", -1)),
            False,
            False,
            True,
            cell in marked,
            tuple(men[cell][1:]),
        )
        for cell, (x, y) in places.items()
    )
    rows = (
        f"{LETTERS[r]}: {(pieces == WAITING).sum()} waiting, {(pieces > last).sum()} home, on the way "
        + (", ".join(map(str, sorted(pieces[(pieces > WAITING) & (pieces <= last)].tolist()))) or "nobody")
        for r, pieces in enumerate(s.pieces)
    )
    left = tuple(shown for shown, times in zip(values, s.throws, strict=True) for _ in range(times))
    return Board((), heading(s, side), (*rows, *notes), int(s.to_move), points, throws=left)


# Positions.


def check_race(s: Any, given: frozenset[str], last: int, most_throws: int) -> None:
    """Places are on the track; who is over is home, who plays is not; throws are there while the game is on.

    Where throws are given and no player, player 0 has thrown them.
    """
    pieces, throws = s.pieces.tolist(), s.throws.tolist()
    if "throws" in given and "to_move" not in given and s.to_move >= 0:
        s.to_move = 0
    require(s.pieces.max() <= last + 1, f"pieces must hold 0..{last + 1}, got {pieces}")
    require(sum(throws) <= most_throws, f"throws must be at most {most_throws} together, got {throws}")
    if s.to_move < 0:
        require(sum(throws) == 0, f"throws must be 0 when the game is over, got {throws}")
        return
    require(sum(throws) > 0, "throws must be left to use while the game is on")


def check_sides(s: Any, number: int, last: int) -> None:
    """All pieces of a side, of which there are so many, are home where it has won, and only there."""
    through = [bool((s.pieces[side::number] == last + 1).all()) for side in range(number)]
    if s.to_move >= 0:
        require(not any(through), f"a side has won: all its pieces are home, {s.pieces.tolist()}")
        own = s.pieces[int(s.to_move) % len(s.pieces)]
        require((own != last + 1).any(), f"player {s.to_move} to move has all his pieces home")
        return
    winners = [side for side in range(number) if through[side]]
    expected = winners if s.winner >= 0 else []
    require(
        s.winner < number and winners == expected and s.winner in (*winners, -1),
        f"winner is {s.winner}, but {winners} are home",
    )

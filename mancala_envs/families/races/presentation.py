"""Observations, actions, drawings and checks of positions shared by races."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board, Point, Throw, heading
from mancala_envs.core.contract import num_players
from mancala_envs.core.observation import CLOCK, FAR, Columns
from mancala_envs.core.options import require
from mancala_envs.core.rule import rule
from mancala_envs.families.races.contract import home, lane, met, opposed, safe, sides
from mancala_envs.families.races.tracks import NOWHERE, WAITING, WORD
from mancala_envs.families.races.verbs import NONE, beyond, first_of, met_on, row_of

# Observations.


def race_columns(rows: int, pieces: int, last: int, values: Sequence[str], players: int, most: int) -> list[Columns]:
    """Return the columns that `observe_race` writes.

    Args:
        rows: number of rows of pieces.
        pieces: number of pieces in a row.
        last: the last place on the track, L.
        values: names of the values of throws.
        players: number of players.
        most: maximum number of throws of one value to be used.
    """
    far = min(last, WORD)
    own = range(pieces)
    others = dict.fromkeys((f"{after}[{piece}]" for after in range(1, rows) for piece in own), "")
    return [
        Columns("own_place", last + 1, f"how far each own piece has come: 0 waiting, {last + 1} home", each=own),
        Columns("own_safe", 1, "1 where it stands safe on a marked cell", each=own),
        Columns("own_refuge", far, "how far before it the next safe cell is, 0 for none", each=own),
        Columns("own_prey", far, "how far before it the next opponent stands, 0 for none", each=own),
        Columns(
            "own_threat", far, "how far the next opponent has to go who can come to its cell, 0 for none", each=own
        ),
        Columns("place", last + 1, "the same as `own_place` of the other rows, in the order of turns", each=others),
        Columns("throws", most, "throws of {each} still to be used", each=values),
        Columns(
            "to_move",
            1,
            "1 for the player who decides now, in the order of turns, the observing one first",
            each=range(players),
        ),
        *CLOCK[1:],
    ]


@rule(inline=True)
def observe_race(s, p, out):
    """Write the pieces, their relations to opponents, and the throws."""
    r, rows, pieces, players = row_of(s, p), len(s.pieces), s.pieces.shape[1], num_players(s)
    for k in range(pieces):
        place, track = s.pieces[r, k], lane(s, r, k)
        out.own_place[k] = place
        out.own_safe[k] = safe(s, track, place)
        out.own_refuge[k] = refuge(s, track, place)
        out.own_prey[k] = distance(beyond(met_on(s, track, r, False), place))
        out.own_threat[k] = threat(s, r, k)
    for other in range(len(out.place)):
        out.place[other] = s.pieces[(r + 1 + other // pieces) % rows, other % pieces]
    for value in range(len(s.throws)):
        out.throws[value] = s.throws[value]
    for after in range(players):
        out.to_move[after] = s.to_move == (p + after) % players
    out.over = s.to_move < 0
    out.turns_left = min(s.max_turns - s.turn, FAR)


@rule(inline=True)
def observe(s, p, out):
    """Write the columns of `observe_race` only."""
    observe_race(s, p, out)


@rule(inline=True)
def distance(places):
    """Return `first_of`, or 0 if there is none."""
    return first_of(places) % NONE


@rule(inline=True)
def refuge(s, track, place):
    """Return the distance to the next safe place of a lane, 0 if there is none."""
    for there in range(place + 1, home(s)):
        if safe(s, track, there):
            return min(there - place, WORD)
    return 0


@rule(inline=True)
def threat(s, r, k):
    """Return the distance of the nearest opponent behind piece k of row r, 0 if there is none."""
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
    """Evaluate a position: the lead of p's side in places, where pieces in danger count for three quarters."""
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
"""A piece is in danger if an opponent is at most this far behind; most turns' throws cover this distance."""


def actions(values: Sequence[str], pieces: int, *more: Actions) -> list[Actions]:
    """Return the actions: value * K + piece uses one throw; then the actions `more`, and `stop`."""
    return [
        Actions("use {value} on piece {piece}", value=values, piece=range(pieces)),
        *more,
        Actions("stop", {0: '`use="may"`'}),
    ]


# Drawings.

LETTERS = "abcd"
"""The letters of the pieces, by row."""


def mouths(*numbers: int) -> tuple[Throw, ...]:
    """Return throws of six cowries with these numbers of mouths up, named by the number."""
    return tuple(Throw(str(number), tuple(shell < number for shell in range(6))) for number in numbers)


def places_of(drawing: str) -> dict[int, tuple[float, float]]:
    """Parse a drawing with the numbers of the cells, four characters to a column; return the column and row of each."""
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
    """Draw a race.

    Args:
        s: the record of the game.
        places: column and row of every cell.
        standing: the cell of every piece, by row.
        marked: the marked cells.
        values: a throw of each value.
        last: the last place on the track.
        side: the word for a side in the heading, "player" or "side".
        notes: further captions.
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
    """Check places and throws; throws must remain while the game goes on, and only then.

    If throws are given without a player to move, it is player 0's turn.

    Raises:
        ValueError: if a check fails.
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
    """Check that exactly the winning side, of `number` sides, has all its pieces home.

    Raises:
        ValueError: if this is not so.
    """
    through = [bool((s.pieces[side::number] == last + 1).all()) for side in range(number)]
    if s.to_move >= 0:
        require(not any(through), f"a side has won: all its pieces are home, {s.pieces.tolist()}")
        own = s.pieces[int(s.to_move) % len(s.pieces)]
        require((own != last + 1).any(), f"player {s.to_move} is to move but has all pieces home")
        return
    winners = [side for side in range(number) if through[side]]
    expected = winners if s.winner >= 0 else []
    require(
        s.winner < number and winners == expected and s.winner in (*winners, -1),
        f"winner is {s.winner}, but {winners} are home",
    )

"""Rule books of races, and the observations, actions, drawings and checks of positions that they share."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board, Note, Point, Throw, heading
from mancala_envs.core.book import Options, Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.contract import num_players
from mancala_envs.core.explanation import Descriptions
from mancala_envs.core.observation import CLOCK, FAR, Columns
from mancala_envs.core.options import require
from mancala_envs.core.outcome import named_by_play
from mancala_envs.core.rule import Rule, rule
from mancala_envs.families.races import turn
from mancala_envs.families.races.contract import are_opponents, home, is_safe, lane, meeting_places, sides
from mancala_envs.families.races.tracks import NOWHERE, WAITING, WORD
from mancala_envs.families.races.verbs import NONE, beyond, distance_to_first, occupied_places, row_of

# Observations.


def race_columns(rows: int, pieces: int, last: int, values: Sequence[str], players: int, most: int) -> list[Columns]:
    """Return the columns that `observe_race` writes.

    Args:
        rows: The number of rows of pieces.
        pieces: The number of pieces in a row.
        last: The last place on the track, L.
        values: The names of the values of throws.
        players: The number of players.
        most: The maximum number of throws of one value still to be used.
    """
    far = min(last, WORD)
    own = range(pieces)
    others = dict.fromkeys((f"{after}[{piece}]" for after in range(1, rows) for piece in own), "")
    return [
        Columns("own_place", last + 1, f"place of each own piece: 0 waiting, {last + 1} home", each=own),
        Columns("own_safe", 1, "1 where this piece stands on a safe cell", each=own),
        Columns("own_refuge", far, "distance from this piece to the next safe cell ahead, 0 if none", each=own),
        Columns("own_prey", far, "distance from this piece to the next opponent ahead, 0 if none", each=own),
        Columns("own_threat", far, "distance from the nearest opponent behind to this piece, 0 if none", each=own),
        Columns("place", last + 1, "places of the other rows' pieces, in the order of turns", each=others),
        Columns("throws", most, "throws of {each} still to be used", each=values),
        Columns(
            "to_move",
            1,
            "1 for the player to move, in the order of turns, the observing player first",
            each=range(players),
        ),
        *CLOCK[1:],
    ]


@rule(inline=True)
def observe_race(s, p, out):
    """Write the places of the pieces, their distances to opponents, and the throws."""
    r, rows, pieces, players = row_of(s, p), len(s.pieces), s.pieces.shape[1], num_players(s)
    for k in range(pieces):
        place, track = s.pieces[r, k], lane(s, r, k)
        out.own_place[k] = place
        out.own_safe[k] = is_safe(s, track, place)
        out.own_refuge[k] = refuge(s, track, place)
        out.own_prey[k] = distance_or_0(beyond(occupied_places(s, track, r, False), place))
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
def distance_or_0(places):
    """Return `distance_to_first` of a set of places, or 0 if it is empty."""
    return distance_to_first(places) % NONE


@rule(inline=True)
def refuge(s, track, place):
    """Return the distance from a place to the next safe place of a lane, 0 if there is none."""
    for there in range(place + 1, home(s)):
        if is_safe(s, track, there):
            return min(there - place, WORD)
    return 0


@rule(inline=True)
def threat(s, r, k):
    """Return how far the nearest opponent is behind piece k of row r, 0 if there is none."""
    track = lane(s, r, k)
    nearest = 0
    for q in range(len(s.pieces)):
        if are_opponents(s, r, q):
            for other in range(s.pieces.shape[1]):
                way = lane(s, q, other)
                steps = distance_or_0(beyond(meeting_places(s, way, track, s.pieces[r, k]), s.pieces[q, other]))
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
            elif not is_safe(s, lane(s, r, k), place) and 0 < threat(s, r, k) <= REACH:
                value += (count - 1) * 3 * place
            else:
                value += (count - 1) * 4 * place
    return value


REACH = 12
"""A piece is in danger if an opponent is at most this far behind; the throws of most turns cover this distance."""


def actions(values: Sequence[str], pieces: int, *more: Actions) -> list[Actions]:
    """Return the actions, by kind.

    Args:
        values: The names of the values; action value * K + piece uses one throw.
        pieces: The number of pieces in a row, K.
        *more: Actions that only this game has, which come before `stop`.
    """
    return [
        Actions("use {value} on piece {piece}", value=values, piece=range(pieces)),
        *more,
        Actions("stop", {0: '`use="may"`'}),
    ]


# Drawings.

LETTERS = "abcd"
"""The letters of the pieces, by row."""


def mouths(*numbers: int) -> tuple[Throw, ...]:
    """Return throws of six cowries as drawn, with these numbers of mouths up, each named by its number."""
    return tuple(Throw(str(number), tuple(shell < number for shell in range(6))) for number in numbers)


def places_of(drawing: str) -> dict[int, tuple[float, float]]:
    """Return the column and row of each cell in a drawing of the cells' numbers, with four characters to a column."""
    return {
        int(number[0]): ((number.end() - 1) / 4, float(row))
        for row, line in enumerate(drawing.strip("\n").splitlines())
        for number in re.finditer(r"\d+", line)
    }


class Yard(NamedTuple):
    """Where the pieces of a row that wait or are home are drawn, beside the track.

    Attributes:
        x, y: Column and row of the upper left corner.
        pitch: The distance between two slots, in columns.
    """

    x: float
    y: float
    pitch: float = 1.0


YARD_LINES = (0.0, 0.7, 1.35, 2.0)
"""The lines of a yard, in rows: a heading, the waiting pieces, a heading, the pieces that are home."""


def draw_race(
    s: Any,
    places: Mapping[int, tuple[float, float]],
    standing: Sequence[Sequence[int]],
    marked: frozenset[int],
    values: Sequence[Throw],
    last: int,
    yards: Sequence[Yard],
    side: str = "player",
    notes: Sequence[str] = (),
) -> Board:
    """Draw a race.

    Args:
        s: The record of the game.
        places: Column and row of every cell.
        standing: The cell of every piece, by row.
        marked: The marked cells.
        values: A throw of each value.
        last: The last place on the track, L.
        yards: The yard of every row.
        side: The word for a side in the heading, such as "player" or "side".
        notes: Further captions.
    """
    men: dict[int, list[tuple[str, int]]] = {cell: [] for cell in places}
    numbers: dict[int, list[int]] = {cell: [] for cell in places}
    for r, cells in enumerate(standing):
        for k, cell in enumerate(cells):
            if cell != NOWHERE:
                men[cell].append((LETTERS[r], r))
                numbers[cell].append(k)
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
            numbers=tuple(numbers[cell]),
        )
        for cell, (x, y) in places.items()
    )
    captions = tuple(_caption(letter, pieces, last) for letter, pieces in zip(LETTERS, s.pieces, strict=False))
    left = tuple(shown for shown, times in zip(values, s.throws, strict=True) for _ in range(times))
    rows = list(zip(range(len(s.pieces)), s.pieces.tolist(), yards, strict=False))
    return Board(
        *((), heading(s, side), (*captions, *notes), int(s.to_move), points),
        throws=left,
        aside=tuple(slot for row in rows for slot in _slots(*row, last)),
        notes=tuple(note for r, _, yard in rows for note in _headings(r, yard)),
    )


def _slots(r: int, pieces: Sequence[int], yard: Yard, last: int) -> Iterator[Point]:
    """Yield a slot for each piece of row r while it waits, then one for each while it is home."""
    _, waiting, _, at_home = YARD_LINES
    for line, there in ((waiting, WAITING), (at_home, last + 1)):
        for k, place in enumerate(pieces):
            man = (LETTERS[r], r) if place == there else ("", -1)
            yield Point(yard.x + k * yard.pitch, yard.y + line, "", *man, numbers=(k,) if man[0] else ())


def _headings(r: int, yard: Yard) -> Iterator[Note]:
    """Yield the headings of the yard of row r."""
    for line, words in ((YARD_LINES[0], "waiting"), (YARD_LINES[2], "home")):
        yield Note(yard.x, yard.y + line, f"{LETTERS[r]} {words}")


def _caption(letter: str, pieces: Any, last: int) -> str:
    """Return a caption that says where the pieces of a row are."""
    places = sorted(pieces[(pieces > WAITING) & (pieces <= last)].tolist())
    on_track = f"on the track {', '.join(map(str, places))}" if places else "none on the track"
    return f"{letter}: {(pieces == WAITING).sum()} waiting, {(pieces > last).sum()} home, {on_track}"


# Positions.


def check_race(s: Any, given: frozenset[str], last: int, most_throws: int) -> None:
    """Check the places of the pieces, and that throws are left exactly while the game is in progress.

    If throws are given without a player to move, player 0 is to move.

    Args:
        s: The record of the game.
        given: The names of the given fields.
        last: The last place on the track, L.
        most_throws: The maximum number of throws.

    Raises:
        ValueError: If a check fails.
    """
    pieces, throws = s.pieces.tolist(), s.throws.tolist()
    if "throws" in given and "to_move" not in given and s.to_move >= 0:
        s.to_move = 0
    require(s.pieces.max() <= last + 1, f"pieces must hold 0..{last + 1}, got {pieces}")
    require(sum(throws) <= most_throws, f"throws must be at most {most_throws} together, got {throws}")
    if s.to_move < 0:
        require(sum(throws) == 0, f"throws must be 0 when the game is over, got {throws}")
        return
    require(sum(throws) > 0, "throws must be left to use while the game is in progress")


def check_sides(s: Any, number: int, last: int) -> None:
    """Check that only the winning side has all its pieces home.

    Args:
        s: The record of the game.
        number: The number of sides.
        last: The last place on the track, L.

    Raises:
        ValueError: If `winner` does not fit the places of the pieces.
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


# Rule books.


def book(
    name: str,
    title: str,
    text: str | None,
    *,
    drawing: str = "",
    check: Callable[[Any, Options, frozenset[str]], None],
    board: Callable[[Any], Board],
    observation: Callable[[Options], Sequence[Columns]],
    actions: Callable[[Options], Sequence[Actions]],
    descriptions: Descriptions,
    decision: str = "use a throw",
    num_actions: Rule = turn.num_actions_of_throws,
    begin: Rule = turn.begin,
    observe: Rule = observe,
    num_players: Rule = turn.num_rows,
    worth: Rule = worth,
    **more: Any,
) -> RuleBook:
    """Return the rule book of a race; the rules that are left out are those that most races have in common.

    Args:
        name: The name of the game.
        title: Its title.
        text: Its page, with `{board}` in place of `drawing`.
        drawing: The drawing of the board for the page.
        check: See `Positions`.
        board: See `Presentation`, also for `observation`, `actions` and `descriptions`.
        observation: The columns of the observation, by options.
        actions: The actions, by options.
        descriptions: The descriptions of verbs.
        decision: What the players decide, in words.
        num_actions: See `Rules`, also for the other rules.
        begin: The set-up.
        observe: The rule that writes the columns of `observation`.
        num_players: The number of players.
        worth: The static evaluation.
        **more: The other fields of `RuleBook`.
    """
    return RuleBook(
        name=name,
        title=title,
        text=text and text.replace("{board}", drawing.strip("\n")),
        rules=Rules(
            num_actions,
            begin,
            turn.legal,
            turn.play,
            observe,
            num_players=num_players,
            legal_word=turn.legal_word,
            worth=worth,
            side=turn.side,
        ),
        result=Result(named_by_play, turn.share),
        presentation=Presentation(
            board=board,
            observation=observation,
            actions=actions,
            phases={0: decision},
            descriptions=descriptions,
            counted=lambda options: "pieces home",
            tally=turn.pieces_home,
        ),
        positions=Positions(check),
        has_chance=lambda options, campaign: True,
        **more,
    )

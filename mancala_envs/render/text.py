"""Draw a board as plain text.

A hole is ``( 4)``, one marked as player 1's ``{ 4}P1``, a store ``| 4|``, a blind hole ``  - ``, a square hole ``[
4]``, a blocked hole ``( 4)x``; each large stone adds an ``*``. The label is on the next line. If the holes of a row
have several owners, each label names the owner. A point is ``.13``; the letter of its piece, if any, replaces the dot.
A marked point is ``[x13]``. A crossed empty cell is ``*``. Several pieces with one letter are ``x3``; two different
letters are ``xo``, more than two ``x+``. An arrow between places is ``<``, ``>``, ``^`` or ``v``. A throw is its name,
followed by its cowries, ``u`` for mouth up and ``n`` for mouth down, or its dice, ``[4]``.
"""

from itertools import pairwise
from math import ceil

from mancala_envs.core.board import Arrow, Board, Place, Point, Throw

LINES = 4
"""Line spacing between rows of holes; consecutive empty lines are then merged."""
POINT_LINES = 2
"""Line spacing between rows of points."""


def draw_text(board: Board) -> str:
    """Return the board as lines of text, without trailing spaces or a final newline."""
    thrown = [] if board.throws is None else ["to use: " + (", ".join(map(_throw, board.throws)) or "nothing")]
    legend = [line for line in (_legend(board.places), _men(board.points)) if line]
    heading = [board.heading] if board.heading else []
    blocks = (heading, _points(board), _places(board.places, board.arrows), [*thrown, *board.captions, *legend])
    return "\n\n".join("\n".join(block).rstrip() for block in blocks if block)


def _places(places: tuple[Place, ...], arrows: tuple[Arrow, ...]) -> list[str]:
    """The lines of the holes and stores, with their labels, and the arrows between them."""
    items = _items(places)
    core = 2 + _digits(places)
    scale = _scale(items)
    left = min((x * scale for x, _, _, _ in items), default=0.0)
    canvas: dict[int, list[tuple[int, str]]] = {}
    for x, line, upper, lower in items:
        column = round(x * scale - left)
        canvas.setdefault(line, []).append((column, upper))
        canvas.setdefault(line + 1, []).append((column + (core - len(lower)) // 2, lower))
    for arrow in arrows:
        at, line = round(arrow.x * scale - left) + core // 2, round(LINES * (arrow.y - _top(places)))
        canvas.setdefault(line, []).append((at, _arrow(arrow)))
    margin = -min((column for line in canvas.values() for column, _ in line), default=0)
    lines = [_line(canvas.get(y, []), margin) for y in range(min(canvas, default=0), max(canvas, default=-1) + 1)]
    return [line for y, line in enumerate(lines) if line or (y > 0 and lines[y - 1])]


def _throw(throw: Throw) -> str:
    """A throw: its name, then the cowries or dice."""
    shells = "".join("u" if up else "n" for up in throw.shells)
    dice = "".join(f"[{side}]" for side in throw.dice)
    return " ".join(filter(None, (throw.label, shells, dice)))


def _points(board: Board) -> list[str]:
    """The lines of the points and their pieces, with the strokes between them."""
    points = board.points
    if not points:
        return []
    scale = _point_scale(board)
    left, top = min(point.x for point in points), min(point.y for point in points)
    # The first column is for the bracket of a marked point.
    at = [(1 + round(scale * (point.x - left)), round(POINT_LINES * (point.y - top))) for point in points]
    canvas: dict[tuple[int, int], str] = {}
    for one, other in board.lines:
        for place, mark in _stroke(*sorted((at[one], at[other]))):
            canvas[place] = mark
    for point, (column, line) in zip(points, at, strict=True):
        before, after = "[]" if point.marked else "  "
        word = before + _men_on(point) + point.label + after
        canvas.update(((column - 1 + i, line), letter) for i, letter in enumerate(word))
    columns, lines = (max(place[axis] for place in canvas) + 1 for axis in (0, 1))
    return ["".join(canvas.get((x, y), " ") for x in range(columns)).rstrip() for y in range(lines)]


def _men_on(point: Point) -> str:
    """The pieces on a point, in at most two characters."""
    if not point.piece:
        return "*" if point.crossed else "."
    letters = sorted({point.letter, *(man for man, _ in point.others)})
    if len(letters) > 2:
        return letters[0] + "+"
    return "".join(letters) if len(letters) > 1 or not point.others else f"{point.letter}{1 + len(point.others)}"


def _point_scale(board: Board) -> int:
    """Column width of points in characters, wide enough for a stroke between joined neighbours of a row."""
    joined = {frozenset(pair) for pair in board.lines}
    scale = 2
    rows: dict[float, list[int]] = {}
    for number, point in enumerate(board.points):
        rows.setdefault(point.y, []).append(number)
    for row in rows.values():
        row.sort(key=lambda number: board.points[number].x)
        for one, other in pairwise(row):
            width = (
                2 + len(_men_on(board.points[one])) + len(board.points[one].label) + (frozenset((one, other)) in joined)
            )
            scale = max(scale, ceil(width / (board.points[other].x - board.points[one].x)))
    return scale


def _stroke(begin: tuple[int, int], end: tuple[int, int]) -> list[tuple[tuple[int, int], str]]:
    """The characters of a line between two points; `begin` must not be right of `end`."""
    (x, y), (end_x, end_y) = begin, end
    if y == end_y:
        return [((column, y), "-") for column in range(x + 1, end_x)]
    mark = "|" if x == end_x else "\\" if y < end_y else "/"
    slope = (end_x - x) / (end_y - y)
    return [((round(x + slope * (line - y)), line), mark) for line in range(min(y, end_y) + 1, max(y, end_y))]


def _men(points: tuple[Point, ...]) -> str:
    """The legend of the pieces: each letter and its player."""
    men = {(p.player, p.letter) for p in points if p.piece} | {
        (player, man) for p in points for man, player in p.others
    }
    return ", ".join(f"{man} player_{player}" for player, man in sorted(men))


def _items(places: tuple[Place, ...]) -> list[tuple[float, int, str, str]]:
    """(x of the left end in hole widths, line, text, label) of every place."""
    digits = _digits(places)
    top = _top(places)
    mixed = _mixed(places)
    items = []
    for place in places:
        label = f"{place.label}:P{place.owner}" if id(place) in mixed else place.label
        items.append((place.x, round(LINES * (place.y - top)), _seeds(place, digits), label))
    return items


def _top(places: tuple[Place, ...]) -> float:
    return min((place.y for place in places), default=0.0)


def _arrow(arrow: Arrow) -> str:
    return "<>"[arrow.dx > 0] if arrow.dx else "^v"[arrow.dy > 0]


def _digits(places: tuple[Place, ...]) -> int:
    return max(2, *(len(str(place.pieces)) for place in places)) if places else 2


def _mixed(places: tuple[Place, ...]) -> set[int]:
    """The ids of the owned holes, if any row has several owners."""
    rows: dict[float, list[Place]] = {}
    for place in places:
        if not place.tray:
            rows.setdefault(place.y, []).append(place)
    if all(len({place.owner for place in row}) == 1 for row in rows.values()):
        return set()
    return {id(place) for row in rows.values() for place in row if place.owner >= 0}


def _seeds(place: Place, digits: int) -> str:
    if place.blind and not place.pieces:
        number = "-".rjust(digits)
    else:
        number = str(place.pieces).rjust(digits)
    if place.tray:
        before, after = "|", "|"
    elif place.mark >= 0:
        before, after = "{", "}"
    elif place.blind:
        before, after = " ", " "
    else:
        before, after = "[]" if place.square else "()"
    blocked, mark = "x" * place.blocked, f"P{place.mark}" if place.mark >= 0 else ""
    return before + number + after + blocked + "*" * place.large + mark


def _scale(items: list[tuple[float, int, str, str]]) -> int:
    """Hole width in characters, wide enough that neighbours on a line do not touch."""
    rows: dict[int, list[tuple[float, int]]] = {}
    for x, line, upper, lower in items:
        rows.setdefault(line, []).append((x, max(len(upper), len(lower))))
    scale = 7.0
    for row in rows.values():
        row.sort()
        for (x, width), (next_x, _) in pairwise(row):
            if next_x > x:
                scale = max(scale, (width + 1) / (next_x - x))
    return int(-(-scale // 1))


def _line(words: list[tuple[int, str]], margin: int) -> str:
    line = ""
    for column, word in sorted(words):
        line = line.ljust(column + margin) + word
    return line.rstrip()


def _legend(places: tuple[Place, ...]) -> str:
    parts = []
    marked = sorted({place.mark for place in places if place.mark >= 0})
    parts += [f"{{ }}P{player} marked as player_{player}'s" for player in marked]
    if any(place.large for place in places):
        parts.append("* a large stone")
    if any(place.blind for place in places):
        parts.append("- out of play")
    if any(place.blocked for place in places):
        parts.append("x blocked")
    return ", ".join(parts)

"""Layout of a board: the shapes that pixel and SVG pictures draw, with their positions, sizes and colours.

Lengths are in pixels. The position of a shape is that of its centre: in the picture, or relative to the centre of its
place or point, or to the upper left corner of its throw.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mancala_envs.core.board import Arrow, Board, Place, Point, Throw

Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]
Shade = tuple[float, ...]
"""A colour whose red, green and blue need not be whole numbers."""

PLAYERS: tuple[Colour, ...] = (
    (38, 110, 178),
    (196, 58, 44),
    (92, 176, 110),
    (226, 168, 30),
    (126, 78, 160),
    (70, 78, 84),
)
"""Colours of the players: blue, red, green, yellow, violet, grey; further players start again with blue."""
PAPER: Colour = (247, 242, 233)
INK: Colour = (62, 44, 30)
ENGRAVED: Colour = (40, 20, 8)
WOOD: Colour = (190, 136, 82)
HOLLOW: Colour = (136, 88, 48)
NOBODY: Colour = (112, 72, 40)
PEBBLES: tuple[Colour, ...] = ((228, 222, 208), (196, 196, 192), (158, 164, 168), (214, 192, 160), (176, 150, 128))
LARGE: Colour = (74, 66, 66)
MARKED: Colour = (255, 240, 170)
PLATE_RISE, LABEL_FALL = 2, 19
"""Distance from the lower end of a hollow up to the centre of the count's plate, and down to that of the label."""
GROOVE = 8
"""Distance from the edge of a man to the groove around its letter."""
PLATE = 0.62
"""Brightness of a count's plate relative to the rim."""
SHADED, FAINT = 70, 110
"""Opacity of a square and of the diagonals of a cell, out of 255."""
LIT: Colour = (250, 246, 236)
"""Colour of the letters on dark men; those on bright men are in INK."""
BRIGHT = 140
"""Colours above this brightness, out of 255, count as bright."""

# Pixels.
PITCH = (104, 124)
"""Distance between adjacent holes, horizontally and vertically."""
RADIUS = 42
RIM = 5
STONE = 9
LARGE_STONE = 16
POINT_PITCH = 76
"""Distance between adjacent points, horizontally and vertically."""
EDGE = 56
"""Distance from the outermost points to the edge of the board."""
MAN = 27
DOUBLED = 4
"""Offset of each of the two men of a king from the centre of the point."""
CELL_REACH = 28
"""Distance from the centre of a cell to its sides. Cells that are three quarters of the pitch apart touch."""
CROWDED = 1.4
"""Size of men that share a cell, relative to the size at which they would fit side by side."""
DOT, STROKE, MARK = 6, 3, 4
SQUARE_CORNER = 10
"""Radius of the corners of a square place."""
BLOCKED = 26
"""Distance from the centre of a blocked place to the ends of its cross, horizontally and vertically."""
ARROW = 15
"""Length of an arrow, and its width."""
FRAME = 18
"""Distance from the outermost rims to the edge of the board."""
MARGIN = 18
CORNER = 40
HEADING, CAPTION, COUNT, LABEL, LETTER, NUMBER, NOTE = 24, 17, 18, 15, 30, 14, 32
"""Font sizes."""
LINE = CAPTION + 8
"""Line spacing of captions."""
MIN_FONT_SIZE = 10
"""Text that is too long is shrunk to this font size, and then truncated."""
MOVER_DOT = 9
"""Radius of the dot in the colour of the player to move."""
SHELL, DIE = (14, 20), (18, 34)
"""Width and height of a cowrie and of a long die."""
SHELL_PITCH, DIE_PITCH = SHELL[0] + 3, DIE[0] + 4
PIP_RADIUS = 2.2
"""Radius of a pip of a die."""
MOUTH, BACK = (0.4, 0.1, 0.6, 0.9), (0.25, 0.15, 0.6, 0.5)
"""Left, top, right and bottom of a cowrie's slit and of the highlight on its back, relative to its size."""
SHELL_TOP, DIE_TOP, THROW_NAME = 4, 1, 42
"""Distance from the top of the row of throws to the top of cowries and of dice, and to the centre of their names."""
THROWS = 58
"""Height of the row of throws, including their names."""
MAX_IN_RING = 7
"""Up to this many pebbles lie in a ring."""
LAYER_FALL = 0.72
"""Size of a layer of a heap relative to the one below."""

DOTTED, SQUARE, CELL, CROSSED, SLOT = range(5)
"""The shapes of points; slots are those beside the track."""

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def centres(board: Board) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    """Return the centres (x, y) of all places and of all points in the picture; those of `Board.aside` come last."""
    _, _, (x, y) = measure(board)
    places = [(x + place.x * PITCH[0], y + place.y * PITCH[1]) for place in board.places]
    return places, [in_picture(board, point.x, point.y) for point in board.spots]


def in_picture(board: Board, column: float, row: float) -> tuple[int, int]:
    """Return the position in the picture of a column and row of points."""
    left, upper = points_corner(board)
    first_x, first_y = min(point.x for point in board.spots), min(point.y for point in board.spots)
    return (left + round(EDGE + (column - first_x) * POINT_PITCH), upper + round(EDGE + (row - first_y) * POINT_PITCH))


def target_size(board: Board) -> int:
    """Return the side, an even number, of the square around each place or point in which people can select it."""
    if not board.spots:
        return 2 * RADIUS
    at = np.array([(point.x, point.y) for point in board.spots])
    apart = np.abs(at[:, None] - at).max(axis=2)[~np.eye(len(at), dtype=bool)]
    return 2 * int(POINT_PITCH * apart.min() / 2) if len(apart) else POINT_PITCH


def arrow_corners(board: Board, arrow: Arrow) -> list[tuple[float, float]]:
    """Return the corners (x, y) of an arrow, a triangle, in the picture; the tip is first."""
    _, _, (x, y) = measure(board)
    x, y, half = x + arrow.x * PITCH[0], y + arrow.y * PITCH[1], ARROW / 2
    along, across = (arrow.dx * half, arrow.dy * half), (-arrow.dy * half, arrow.dx * half)
    tail = x - along[0], y - along[1]
    return [
        (x + along[0], y + along[1]),
        (tail[0] + across[0], tail[1] + across[1]),
        (tail[0] - across[0], tail[1] - across[1]),
    ]


def points_corner(board: Board) -> tuple[int, int]:
    """Return the upper left corner of the area of the points, which is centred in the picture."""
    return (measure(board)[0] - points_size(board)[0]) // 2, heading_height(board)


def length_of(place: Place) -> float:
    """Return the distance between the centres of the two round ends of a place; 0 for a round place."""
    return max(0.0, place.height - 1) * PITCH[1]


def measure(board: Board) -> tuple[int, int, tuple[float, float]]:
    """Return the width and height of the picture, and the position of a place with x = y = 0.

    Width and height are even, as video encoders require.
    """
    places = board.places or ((Place(0.0, 0.0, 0),) if not board.points else ())
    out = RADIUS + RIM + FRAME
    left = min((place.x for place in places), default=0.0) * PITCH[0] - out
    right = max((place.x for place in places), default=0.0) * PITCH[0] + out
    upper = min((place.y * PITCH[1] - length_of(place) / 2 for place in places), default=0.0) - out
    lower = max((place.y * PITCH[1] + length_of(place) / 2 for place in places), default=-2.0 * out) + out + LABEL
    points_width, points_height = points_size(board)
    wide = max(right - left, points_width)
    top = heading_height(board)
    width = math.ceil(wide) + 2 * MARGIN
    height = math.ceil(lower - upper + points_height) + top + MARGIN + captions_height(board)
    indent = (wide - (right - left)) / 2
    return width + width % 2, height + height % 2, (MARGIN - left + indent, top - upper + points_height)


def points_size(board: Board) -> tuple[int, int]:
    """Return the width and height of the area of the points, which lies above the places."""
    if not board.points:
        return 0, 0
    x = [point.x for point in board.spots]
    y = [point.y for point in board.spots] + [note.y for note in board.notes]
    width, height = (round((max(along) - min(along)) * POINT_PITCH) + 2 * EDGE for along in (x, y))
    return width, height


def board_box(board: Board) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the wooden board, without its shadow."""
    width, height, _ = measure(board)
    top = heading_height(board)
    return MARGIN, top, width - 2 * MARGIN, height - top - MARGIN - captions_height(board)


def player_colour(player: int) -> Colour:
    """Return the colour of a player; -1 stands for no player."""
    return NOBODY if player < 0 else PLAYERS[player % len(PLAYERS)]


def letter_colour(colour: Colour) -> Colour:
    """Return the colour of the letter on a man of this colour."""
    red, green, blue = colour
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > BRIGHT else LIT


def fill_colour(mark: int, blind: bool) -> Shade:
    """Return the colour at the bottom of a place, fully lit."""
    if blind:
        return tuple(0.8 * part for part in WOOD)
    if mark < 0:
        return HOLLOW
    return tuple(0.25 * part + 0.75 * other for part, other in zip(HOLLOW, player_colour(mark), strict=True))


def heading_height(board: Board) -> int:
    """Return the height of the area above the board."""
    return MARGIN + (HEADING + 14 if board.heading else 0)


def captions_height(board: Board) -> int:
    """Return the height of the captions and throws below the board."""
    captions = len(board.captions) * LINE + 6 if board.captions else 0
    return captions + (0 if board.throws is None else THROWS)


# Shapes.


@dataclass(frozen=True)
class Text:
    """A line of text.

    Attributes:
        words: the text; if it is too long, it is shrunk, then truncated.
        size: the preferred font size.
        max_width: the maximum width.
        colour: the colour.
        centred: whether its position is that of its centre rather than that of its left end.
        kind: LABELS, COUNTS or "", for style sheets.
    """

    words: str
    size: int
    max_width: int
    colour: Colour = ENGRAVED
    centred: bool = True
    kind: str = ""


@dataclass(frozen=True)
class Hollow:
    """A round, elongated or square hole with a rim; for `length` see `length_of`."""

    length: int
    rim: Colour
    fill: Shade
    blind: bool
    square: bool


@dataclass(frozen=True)
class Stone:
    """A pebble; `kind` determines its rotation and roundness, see `pebble_shape`."""

    radius: int
    tint: Colour
    kind: int


@dataclass(frozen=True)
class Cross:
    """The cross over a blocked place."""


@dataclass(frozen=True)
class Count:
    """A number on a plate."""

    number: str
    plate: Shade


@dataclass(frozen=True)
class Man:
    """A disc with a letter, in a bright ring if marked; without a letter, only the ring."""

    letter: str
    colour: Colour
    marked: bool
    scale: float


@dataclass(frozen=True)
class Dot:
    """The dot in the colour of the player to move."""

    colour: Colour


@dataclass(frozen=True)
class Shell:
    """A cowrie: the mouth is a dark slit, the back has a highlight."""

    up: bool


@dataclass(frozen=True)
class Die:
    """A long die and the number that it shows."""

    side: int


LABELS, COUNTS = "label", "count"
"""The kinds of text that style sheets name: labels of places and points, and counts of places."""

Shape = Text | Hollow | Stone | Cross | Count | Man | Dot | Shell | Die
Placed = tuple[int, int, Shape]
"""The position (x, y) of a shape, and the shape."""


def words_around(board: Board) -> Iterator[Placed]:
    """Yield the heading, with the dot of the player to move, and the captions."""
    width, height, _ = measure(board)
    x, y = MARGIN + 6, MARGIN + HEADING // 2 - 2
    if board.to_move >= 0:
        if board.heading:
            yield x + MOVER_DOT + 1, y, Dot(player_colour(board.to_move))
        x += 2 * MOVER_DOT + 13
    yield x, y, Text(board.heading, HEADING, width - x - MARGIN, INK, centred=False)
    top = height - captions_height(board) + CAPTION // 2
    for i, line in enumerate(board.captions):
        yield MARGIN + 6, top + i * LINE, Text(line, CAPTION, width - 2 * MARGIN - 12, INK, centred=False)


def notes(board: Board) -> Iterator[Placed]:
    """Yield the notes."""
    for note in board.notes:
        x, y = in_picture(board, note.x, note.y)
        yield x - MAN, y, Text(note.words, NOTE, measure(board)[0], centred=False)


# Places.


def on_place(place: Place, number: int) -> Iterator[Placed]:
    """Yield a hollow, its contents, their count and its label; places of different numbers look different."""
    length, rim = round(length_of(place)), player_colour(place.owner)
    yield 0, 0, Hollow(length, rim, fill_colour(place.mark, place.blind), place.blind, place.square)
    yield from pebbles(max(0, place.pieces), length, number)
    for stone in range(place.large):
        across = round(1.7 * LARGE_STONE * (stone - (place.large - 1) / 2))
        yield across, -16 if place.pieces > 0 else -4, Stone(LARGE_STONE, LARGE, stone)
    if place.blocked:
        yield 0, 0, Cross()
    lower = length // 2 + RADIUS
    if shows_count(place):
        yield 0, lower - PLATE_RISE, Count(str(place.pieces), tuple(PLATE * part for part in rim))
    yield 0, lower + LABEL_FALL, Text(place.label, LABEL, PITCH[0], kind=LABELS)


def shows_count(place: Place) -> bool:
    """Return whether a place shows the number of its pieces."""
    return not (place.blind and not place.pieces)


def plate_size(text_width: int) -> tuple[int, int]:
    """Return the width and height of the plate of a count whose text has this width."""
    return max(COUNT + 12, text_width + 14), COUNT + 6


@lru_cache(maxsize=256)
def pebbles(seeds: int, length: int, index: int) -> list[Placed]:
    """Return the pebbles of a place, lowest first.

    Args:
        seeds: number of seeds.
        length: length of the place, see `length_of`.
        index: number of the place; it makes places look different.
    """
    chance = np.random.default_rng((index, 7))
    kinds = chance.integers(0, 1 << 30, 256)
    angle = chance.uniform(0, 2 * math.pi)
    found: list[Placed] = []
    for i, (dx, dy) in enumerate(pebble_positions(seeds, length, angle)):
        kind = int(kinds[i % 256])
        found.append((round(dx), round(dy - 4), Stone(STONE, PEBBLES[kind % len(PEBBLES)], kind // 8 % 6)))
    return found


def pebble_shape(kind: int) -> tuple[float, float]:
    """Return the angle of a pebble in radians, and the ratio of its width to its length."""
    return 0.4 + 1.05 * kind, 0.88 - 0.025 * (kind % 3)


def pebble_positions(seeds: int, length: int, angle: float) -> Iterator[tuple[float, float]]:
    """Yield the positions of the pebbles of a place: a ring for a few, otherwise layers of irregular lattices."""
    if 0 < seeds <= MAX_IN_RING:
        yield from _ring(seeds, angle)
        return
    reach, layer = RADIUS - RIM - STONE - 1.0, 0
    while seeds > 0:
        lattice = _lattice(round(reach, 3), length, round(angle + layer * GOLDEN_ANGLE, 3), layer)
        placed = lattice[:seeds]
        middle = placed.mean(axis=0) if len(placed) < len(lattice) else np.zeros(2)
        yield from (placed - middle).tolist()
        seeds -= len(placed)
        layer += 1
        reach *= LAYER_FALL
        if reach < STONE:
            reach = RADIUS - RIM - STONE - 6.0


def _ring(seeds: int, angle: float) -> Iterator[tuple[float, float]]:
    """Positions in a ring; from six pebbles on, one of them lies in the centre."""
    around = seeds if seeds < 6 else seeds - 1
    if around < seeds or seeds == 1:
        yield 0.0, 0.0
    for i in range(around if seeds > 1 else 0):
        turn = angle + 2 * math.pi * i / around + 0.12 * math.sin(7 * angle + 3 * i)
        reach = max(STONE + 1.0, (STONE + 1.2) / math.sin(math.pi / around)) + 1.5 * math.sin(5 * angle + 4 * i)
        reach = max(reach, 2 * STONE + 1.5) if around < seeds else reach
        yield reach * math.cos(turn), reach * math.sin(turn)


@lru_cache(maxsize=256)
def _lattice(reach: float, length: int, angle: float, layer: int) -> Floats:
    """(n, 2) points of an irregular hexagonal lattice within `reach` of the axis of a place, centre first."""
    step = 2 * STONE + 1.5
    size = int((reach + length) / step) + 2
    i, j = np.meshgrid(np.arange(-size, size + 1), np.arange(-size, size + 1))
    flat = np.stack([(i + j / 2).ravel(), (j * math.sqrt(3) / 2).ravel()], axis=1) * step
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    chance = np.random.default_rng((round(angle * 1000) % 9973, layer))
    points = flat @ turn + chance.uniform(-1.6, 1.6, flat.shape)
    along = np.maximum(np.abs(points[:, 1]) - length / 2 * LAYER_FALL**layer, 0)
    inside = np.hypot(points[:, 0], along) <= reach
    points = np.asarray(points[inside], np.float64)
    order = np.argsort(np.hypot(points[:, 0], points[:, 1] * (reach / (reach + length / 2))), kind="stable")
    return points[order]


# Points.


def on_point(point: Point) -> Iterator[Placed]:
    """Yield the men of a point, and its label: clear of the lines, or in the corner of a square.

    One man is in the centre, two are side by side, up to four form two rows, and so on; they overlap slightly. A king
    is drawn as two men.
    """
    men = men_on(point) or [("", -1)] * point.marked
    columns = math.ceil(math.sqrt(len(men))) or 1
    rows = math.ceil(len(men) / columns)
    scale = CROWDED / columns if columns > 1 else 1.0
    apart = 2 * CELL_REACH / columns
    for i, (letter, player) in enumerate(men):
        dx = round((i % columns - (columns - 1) / 2) * apart)
        dy = round((i // columns - (rows - 1) / 2) * apart)
        for lift in (-DOUBLED, DOUBLED) if point.doubled else (0,):
            yield dx - lift, dy - lift, Man(letter, player_colour(player), point.marked, scale)
    right, below = (25, 29) if point.square or point.cell else (36, 19)
    yield right, below, Text(point.label, NUMBER, POINT_PITCH // 2, kind=LABELS)


def men_on(point: Point) -> list[tuple[str, int]]:
    """Return the letter with the number, and the player, of every man on a point."""
    men = [(point.letter, point.player), *point.others] if point.piece else []
    if not point.numbers:
        return men
    return [(f"{letter}{number}", player) for (letter, player), number in zip(men, point.numbers, strict=True)]


def point_shapes(board: Board) -> list[int]:
    """Return how the points and the slots beside them are drawn: DOTTED, SQUARE, CELL, CROSSED or SLOT."""
    shapes = [
        CROSSED if point.crossed else CELL if point.cell else SQUARE if point.square else DOTTED
        for point in board.points
    ]
    return shapes + [SLOT] * len(board.aside)


# Throws.


def on_throw(throw: Throw, width: int) -> Iterator[Placed]:
    """Yield the cowries and dice of a throw side by side, and its name below."""
    for i, up in enumerate(throw.shells):
        yield i * SHELL_PITCH + SHELL[0] // 2, SHELL_TOP + SHELL[1] // 2, Shell(up)
    for i, side in enumerate(throw.dice):
        yield i * DIE_PITCH + DIE[0] // 2, DIE_TOP + DIE[1] // 2, Die(side)
    yield 0, THROW_NAME, Text(throw.label, CAPTION, width, INK, centred=False)


def throw_boxes(board: Board) -> Iterator[tuple[int, int, int, Throw]]:
    """Yield x, y and width of every throw: as many as fit into a row below the captions."""
    width, height, _ = measure(board)
    x, y = MARGIN + 6, height - captions_height(board) + len(board.captions) * LINE
    for throw in board.throws or ():
        across = throw_width(throw)
        if x + across > width - MARGIN:
            return
        yield x, y, across, throw
        x += across + 14


def throw_width(throw: Throw) -> int:
    """Return the width of a throw."""
    return max(len(throw.shells) * SHELL_PITCH, len(throw.dice) * DIE_PITCH, 2 * DIE[0])


def pips(side: int) -> Iterator[tuple[float, float]]:
    """Yield the positions of the pips of a long die, relative to its size: a column, or two columns from 4 on."""
    columns = 2 if side > 3 else 1
    for pip in range(side):
        yield (pip % columns + 1) / (columns + 1), (pip // columns + 1) / (-(-side // columns) + 1)


# Text.


def fit_text(text: str, size: int, max_width: int, width: Callable[[str, int], float]) -> tuple[str, int]:
    """Fit text into a width: first reduce the font size, then truncate the text.

    Args:
        text: the text.
        size: the preferred font size.
        max_width: the width available.
        width: returns the width of a text at a font size.

    Returns:
        The text and its font size.
    """
    while width(text, size) > max_width and size > MIN_FONT_SIZE:
        size -= 1
    while width(text, size) > max_width and len(text) > 1:
        text = text[:-2].rstrip() + "…"
    return text, size

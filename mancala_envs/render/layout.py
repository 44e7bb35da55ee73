"""Where everything of a board is, how large, and in what colours: what all that paint share. Lengths in pixels."""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.core.board import Board, Place, Point, Throw

Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

PLAYERS: tuple[Colour, ...] = (
    (38, 110, 178),
    (196, 58, 44),
    (92, 176, 110),
    (226, 168, 30),
    (126, 78, 160),
    (70, 78, 84),
)
"""Blue, red, green, yellow, violet, grey; further players begin again."""
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
"""From the lower end of a hollow up to the middle of the plate, and down to that of the label."""
GROOVE = 8
"""From the edge of a man to the groove around his letter."""
PLATE = 0.62
"""How dark the plate below a number is, of the colour of the rim."""
SHADED, FAINT = 70, 110
"""Of 255, how much of the wood a square and the diagonals of a cell cover."""
LIT: Colour = (250, 246, 236)
"""Of the letters on men, of which those of bright ones are in INK."""
BRIGHT = 140
"""A colour brighter than this, of 255, is a bright one."""

# Pixels.
PITCH = (104, 124)
"""From hole to hole, across and down."""
RADIUS = 42
RIM = 5
STONE = 9
LARGE_STONE = 16
POINT_PITCH = 76
"""From point to point, across and down."""
EDGE = 56
"""From the outermost points to the edge of the board."""
MAN = 27
DOUBLED = 4
"""How far from the middle of a point, down and up, the two men of a doubled one lie."""
CELL_REACH = 28
"""From the middle of a cell to its sides: cells three quarters of the pitch apart touch."""
CROWDED = 1.4
"""How much larger men are drawn where several share a cell than would fit side by side."""
DOT, STROKE, MARK = 6, 3, 4
FRAME = 18
"""From the outermost rims to the edge of the board."""
MARGIN = 18
CORNER = 40
HEADING, CAPTION, COUNT, LABEL, LETTER, NUMBER = 24, 17, 18, 15, 30, 14
"""Sizes of letters."""
LINE = CAPTION + 8
"""From caption to caption."""
SMALLEST = 10
"""To this size words are made smaller where there is no room; then they are cut."""
TURN = 9
"""Radius of the dot in the colour of who is to move."""
SHELL, DIE = (14, 20), (18, 34)
"""Width and height of a cowrie and of a long die."""
SHELL_PITCH, DIE_PITCH = SHELL[0] + 3, DIE[0] + 4
EYE = 2.2
MOUTH, BACK = (0.4, 0.1, 0.6, 0.9), (0.25, 0.15, 0.6, 0.5)
"""Left, top, right and bottom of the slit of a cowrie, and of the gleam on its back, in parts of its size."""
SHELL_TOP, DIE_TOP, THROW_NAME = 4, 1, 42
"""From the top of the row of throws to that of cowries and dice, and to the middle of their names."""
THROWS = 58
"""Height of the row of throws, with their names."""
MOST_IN_RING = 7
LAYER_FALL = 0.72
"""A layer of a heap is this much smaller than the one below."""

DOTTED, SQUARE, CELL, CROSSED = range(4)
"""How a point is drawn."""

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def middles(board: Board) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    """Where the middles of all places and of all points are in the picture, (x, y) in pixels."""
    _, _, (x, y) = measure(board)
    places = [(x + place.x * PITCH[0], y + place.y * PITCH[1]) for place in board.places]
    if not board.points:
        return places, []
    left, upper = points_corner(board)
    first_x, first_y = min(point.x for point in board.points), min(point.y for point in board.points)
    points = [
        (
            left + round(EDGE + (point.x - first_x) * POINT_PITCH),
            upper + round(EDGE + (point.y - first_y) * POINT_PITCH),
        )
        for point in board.points
    ]
    return places, points


def points_corner(board: Board) -> tuple[int, int]:
    """The upper left corner of all points, in the middle of the picture."""
    return (measure(board)[0] - points_size(board)[0]) // 2, heading_height(board)


def length_of(place: Place) -> float:
    """From the centre of the upper end of a place to that of the lower; 0 for a round one."""
    return max(0.0, place.height - 1) * PITCH[1]


def measure(board: Board) -> tuple[int, int, tuple[float, float]]:
    """Width, height, and where x = y = 0 of the places is; sizes even, as encoders of videos want them."""
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
    middle = (wide - (right - left)) / 2
    return width + width % 2, height + height % 2, (MARGIN - left + middle, top - upper + points_height)


def points_size(board: Board) -> tuple[int, int]:
    """Width and height of the points, which lie above the places."""
    if not board.points:
        return 0, 0
    x, y = [point.x for point in board.points], [point.y for point in board.points]
    width, height = (round((max(along) - min(along)) * POINT_PITCH) + 2 * EDGE for along in (x, y))
    return width, height


def wooden(board: Board) -> tuple[int, int, int, int]:
    """The board without its shadow: left, top, width and height."""
    width, height, _ = measure(board)
    top = heading_height(board)
    return MARGIN, top, width - 2 * MARGIN, height - top - MARGIN - captions_height(board)


def colour_of(player: int) -> int:
    """Which of the colours of PLAYERS is that of a player; -1 none."""
    return player % len(PLAYERS) if player >= 0 else -1


def tint_of(player: int) -> Colour:
    """The colour of what is a player's, -1 nobody's."""
    return NOBODY if player < 0 else PLAYERS[colour_of(player)]


def letters_on(player: int) -> Colour:
    """The colour of the letters on a man."""
    red, green, blue = tint_of(player)
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > BRIGHT else LIT


def filling(mark: int, blind: bool) -> Floats:
    """The colour (3,) at the bottom of a place, in the light."""
    if blind:
        return 0.8 * np.array(WOOD)
    return np.array(HOLLOW, float) if mark < 0 else 0.25 * np.array(HOLLOW) + 0.75 * np.array(tint_of(mark))


def heading_height(board: Board) -> int:
    return MARGIN + (HEADING + 14 if board.heading else 0)


def captions_height(board: Board) -> int:
    captions = len(board.captions) * LINE + 6 if board.captions else 0
    return captions + (0 if board.throws is None else THROWS)


# What lies on a place.


class Pebble(NamedTuple):
    """From the middle of the place to that of the pebble; its colour, and a number below 6 that makes its shape."""

    dx: int
    dy: int
    tint: Colour
    kind: int


def pebbles(seeds: int, length: int, index: int) -> Iterator[Pebble]:
    """The pebbles of a place, lowest first; the same for the same arguments. `index`: which place it is."""
    chance = np.random.default_rng((index, 7))
    kinds = chance.integers(0, 1 << 30, 256)
    angle = chance.uniform(0, 2 * math.pi)
    for i, (dx, dy) in enumerate(spots(seeds, length, angle)):
        kind = int(kinds[i % 256])
        yield Pebble(round(dx), round(dy - 4), PEBBLES[kind % len(PEBBLES)], kind // 8 % 6)


def turned(kind: int) -> tuple[float, float]:
    """By which angle a pebble is turned, and how much less wide than long it is."""
    return 0.4 + 1.05 * kind, 0.88 - 0.025 * (kind % 3)


def large_stones(place: Place) -> Iterator[tuple[int, int]]:
    """From the middle of the place to those of its large stones."""
    for stone in range(place.large):
        yield round(1.7 * LARGE_STONE * (stone - (place.large - 1) / 2)), -16 if place.pieces > 0 else -4


def plate_size(word: int) -> tuple[int, int]:
    """Width and height of the plate below a number so wide."""
    return max(COUNT + 12, word + 14), COUNT + 6


def has_number(place: Place) -> bool:
    """Whether the number of its pieces stands at a place."""
    return not (place.blind and not place.pieces)


def spots(seeds: int, length: int, angle: float) -> Iterator[tuple[float, float]]:
    """Where the pebbles lie: a few in a ring; more on a loose lattice, and smaller layers upon it when it is full."""
    if 0 < seeds <= MOST_IN_RING:
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
    """A ring, from six on with one within it."""
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
    """(spots, 2): a shaken hexagonal lattice within `reach` of the middle line of a place, from the middle out."""
    step = 2 * STONE + 1.5
    size = int((reach + length) / step) + 2
    i, j = np.meshgrid(np.arange(-size, size + 1), np.arange(-size, size + 1))
    flat = np.stack([(i + j / 2).ravel(), (j * math.sqrt(3) / 2).ravel()], axis=1) * step
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    chance = np.random.default_rng((round(angle * 1000) % 9973, layer))
    spots = flat @ turn + chance.uniform(-1.6, 1.6, flat.shape)
    along = np.maximum(np.abs(spots[:, 1]) - length / 2 * LAYER_FALL**layer, 0)
    inside = np.hypot(spots[:, 0], along) <= reach
    spots = np.asarray(spots[inside], np.float64)
    order = np.argsort(np.hypot(spots[:, 0], spots[:, 1] * (reach / (reach + length / 2))), kind="stable")
    return spots[order]


# What stands on a point.


class Standing(NamedTuple):
    """A man, from the middle of his point to his own, and how much smaller than alone he is drawn."""

    letter: str
    player: int
    dx: int
    dy: int
    scale: float


def standing_on(point: Point) -> Iterator[Standing]:
    """The men of a point: one in the middle, two side by side, up to four in two rows of two, and so on; they overlap a
    little. A doubled man is there twice."""
    men = [(point.letter, point.player), *point.others]
    columns = math.ceil(math.sqrt(len(men)))
    rows = math.ceil(len(men) / columns)
    scale = CROWDED / columns if columns > 1 else 1.0
    apart = 2 * CELL_REACH / columns
    for i, (letter, player) in enumerate(men):
        dx = round((i % columns - (columns - 1) / 2) * apart)
        dy = round((i // columns - (rows - 1) / 2) * apart)
        for lift in (-DOUBLED, DOUBLED) if point.doubled else (0,):
            yield Standing(letter, player, dx - lift, dy - lift, scale)


def shape_of(point: Point) -> int:
    """How it is drawn."""
    return CROSSED if point.crossed else CELL if point.cell else SQUARE if point.square else DOTTED


def number_of(point: Point) -> tuple[int, int]:
    """From the middle of a point to that of its number: clear of the lines, on a square in its corner."""
    return (25, 29) if point.square or point.cell else (36, 19)


# Throws.


def thrown(board: Board) -> Iterator[tuple[int, int, int, Throw]]:
    """x, y and width of every throw, one after the other in a row below the captions, as many as it holds."""
    width, height, _ = measure(board)
    x, y = MARGIN + 6, height - captions_height(board) + len(board.captions) * LINE
    for throw in board.throws or ():
        across = max(len(throw.shells) * SHELL_PITCH, len(throw.dice) * DIE_PITCH, 2 * DIE[0])
        if x + across > width - MARGIN:
            return
        yield x, y, across, throw
        x += across + 14


def eyes(side: int) -> Iterator[tuple[float, float]]:
    """Where the eyes of a long die are, in parts of its width and height: one below the other, in pairs from 4 on."""
    columns = 2 if side > 3 else 1
    for eye in range(side):
        yield (eye % columns + 1) / (columns + 1), (eye // columns + 1) / (-(-side // columns) + 1)


# Words.


def heading_at(board: Board) -> tuple[int | None, tuple[int, int]]:
    """x of the middle of the dot for who is to move, None if nobody is; and where the heading begins, half way up."""
    x, y = MARGIN + 6, MARGIN + HEADING // 2 - 2
    if board.to_move < 0:
        return None, (x, y)
    return x + TURN + 1, (x + 2 * TURN + 13, y)


def captions(board: Board) -> Iterator[tuple[str, int]]:
    """Every caption with the y of its middle."""
    top = measure(board)[1] - captions_height(board) + CAPTION // 2
    for i, line in enumerate(board.captions):
        yield line, top + i * LINE


def fitted(text: str, size: int, room: int, width: Callable[[str, int], float]) -> tuple[str, int]:
    """The words and their size, smaller and then cut where they are longer than `room`; `width`: of words in a size."""
    while width(text, size) > room and size > SMALLEST:
        size -= 1
    while width(text, size) > room and len(text) > 1:
        text = text[:-2].rstrip() + "…"
    return text, size

"""A board as a picture: wood, hollows, pebbles and men, shaded from their distance to the edge of each shape.

Everything that does not change from picture to picture (the wood, the lines, each kind of hollow, each pebble, each
man, each word) is drawn once and kept. Pillow is imported with the first picture, not with the package.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mancala_envs.core.board import Board, Place, Point, Throw

if TYPE_CHECKING:
    from PIL import Image, ImageFont

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

PLAYERS: tuple[Colour, ...] = (
    (38, 110, 178),
    (196, 58, 44),
    (52, 138, 78),
    (226, 168, 30),
    (126, 78, 160),
    (70, 78, 84),
)
"""Blue, red, green, yellow, violet, grey; further players begin again."""
PAPER: Colour = (247, 242, 233)
INK: Colour = (62, 44, 30)
ENGRAVED: Colour = (72, 42, 20)
WOOD: Colour = (190, 136, 82)
HOLLOW: Colour = (136, 88, 48)
NOBODY: Colour = (112, 72, 40)
PEBBLES: tuple[Colour, ...] = ((228, 222, 208), (196, 196, 192), (158, 164, 168), (214, 192, 160), (176, 150, 128))
LARGE: Colour = (74, 66, 66)
MARKED: Colour = (255, 240, 170)

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
SHELL, DIE = (14, 20), (18, 34)
"""Width and height of a cowrie and of a long die."""
THROWS = 58
"""Height of the row of throws, with their names."""
MOST_IN_RING = 7
LAYER_FALL = 0.72
"""A layer of a heap is this much smaller than the one below."""

DOTTED, SQUARE, CELL, CROSSED = range(4)
"""How a point is drawn."""

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def draw_picture(board: Board) -> Picture:
    """(H, W, 3) uint8 picture; its size depends on the places, the points and the number of captions only."""
    from PIL import Image

    width, height, _ = _layout(board)
    top = _heading_height(board)
    image = Image.new("RGB", (width, height), PAPER)
    box = (width - 2 * MARGIN, height - top - MARGIN - _captions_height(board))
    wood = _wood(*box)
    image.paste(wood, (MARGIN - MARGIN // 2, top - MARGIN // 2), wood)
    places, points = middles(board)
    if board.points:
        _draw_points(image, board, points)
    for index, (place, middle) in enumerate(zip(board.places, places, strict=True)):
        _draw_place(image, place, middle, index)
    _write_heading(image, board)
    y = height - _captions_height(board)
    for line in board.captions:
        write(image, line, (MARGIN + 6, y + CAPTION // 2), CAPTION, INK, "left", width - 2 * MARGIN - 12)
        y += CAPTION + 8
    _draw_throws(image, board.throws or (), y)
    return np.array(image)


# Layout.


def middles(board: Board) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    """Where the middles of all places and of all points are in the picture, (x, y) in pixels."""
    _, _, (x, y) = _layout(board)
    places = [(x + place.x * PITCH[0], y + place.y * PITCH[1]) for place in board.places]
    if not board.points:
        return places, []
    left, upper = _points_corner(board)
    first_x, first_y = min(point.x for point in board.points), min(point.y for point in board.points)
    points = [
        (
            left + round(EDGE + (point.x - first_x) * POINT_PITCH),
            upper + round(EDGE + (point.y - first_y) * POINT_PITCH),
        )
        for point in board.points
    ]
    return places, points


def _points_corner(board: Board) -> tuple[int, int]:
    """The upper left corner of all points, in the middle of the picture."""
    return (_layout(board)[0] - _points_size(board)[0]) // 2, _heading_height(board)


def _length(place: Place) -> float:
    """From the centre of the upper end of a place to that of the lower; 0 for a round one."""
    return max(0.0, place.height - 1) * PITCH[1]


def _layout(board: Board) -> tuple[int, int, tuple[float, float]]:
    """Width, height, and where x = y = 0 of the places is; sizes even, as encoders of videos want them."""
    places = board.places or ((Place(0.0, 0.0, 0),) if not board.points else ())
    out = RADIUS + RIM + FRAME
    left = min((place.x for place in places), default=0.0) * PITCH[0] - out
    right = max((place.x for place in places), default=0.0) * PITCH[0] + out
    upper = min((place.y * PITCH[1] - _length(place) / 2 for place in places), default=0.0) - out
    lower = max((place.y * PITCH[1] + _length(place) / 2 for place in places), default=-2.0 * out) + out + LABEL
    points_width, points_height = _points_size(board)
    wide = max(right - left, points_width)
    top = _heading_height(board)
    width = math.ceil(wide) + 2 * MARGIN
    height = math.ceil(lower - upper + points_height) + top + MARGIN + _captions_height(board)
    middle = (wide - (right - left)) / 2
    return width + width % 2, height + height % 2, (MARGIN - left + middle, top - upper + points_height)


def _points_size(board: Board) -> tuple[int, int]:
    """Width and height of the points, which lie above the places."""
    if not board.points:
        return 0, 0
    x, y = [point.x for point in board.points], [point.y for point in board.points]
    width, height = (round((max(along) - min(along)) * POINT_PITCH) + 2 * EDGE for along in (x, y))
    return width, height


def _heading_height(board: Board) -> int:
    return MARGIN + (HEADING + 14 if board.heading else 0)


def _captions_height(board: Board) -> int:
    captions = len(board.captions) * (CAPTION + 8) + 6 if board.captions else 0
    return captions + (0 if board.throws is None else THROWS)


# Throws.


def _draw_throws(image: "Image.Image", throws: tuple[Throw, ...], y: int) -> None:
    """One after the other in a row, as many as it holds, with their names below."""
    x = MARGIN + 6
    for throw in throws:
        width = max(len(throw.shells) * (SHELL[0] + 3), len(throw.dice) * (DIE[0] + 4), 2 * DIE[0])
        if x + width > image.width - MARGIN:
            break
        for i, up in enumerate(throw.shells):
            shell = _shell(up)
            image.paste(shell, (x + i * (SHELL[0] + 3), y + 4), shell)
        for i, side in enumerate(throw.dice):
            die = _die(side)
            image.paste(die, (x + i * (DIE[0] + 4), y + 1), die)
        write(image, throw.label, (x, y + THROWS - 16), CAPTION, INK, "left", width)
        x += width + 14


@lru_cache(maxsize=2)
def _shell(up: bool) -> "Image.Image":
    """A cowrie: its mouth is a dark slit, its back is round."""
    from PIL import Image, ImageDraw

    fine, (width, height) = 4, SHELL
    shell = Image.new("RGBA", (fine * width, fine * height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(shell)
    draw.ellipse((0, 0, fine * width - 1, fine * height - 1), fill=(*PEBBLES[0], 255), outline=(*INK, 255), width=fine)
    if up:
        draw.ellipse(
            (0.4 * fine * width, 0.1 * fine * height, 0.6 * fine * width, 0.9 * fine * height), fill=(*INK, 255)
        )
    else:
        draw.ellipse((0.25 * fine * width, 0.15 * fine * height, 0.6 * fine * width, 0.5 * fine * height), fill="white")
    return shell.reduce(fine)


@lru_cache(maxsize=16)
def _die(side: int) -> "Image.Image":
    """The uppermost side of a long die, with so many eyes one below the other, in pairs from 4 on."""
    from PIL import Image, ImageDraw

    fine, (width, height) = 4, DIE
    die = Image.new("RGBA", (fine * width, fine * height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(die)
    draw.rounded_rectangle(
        (0, 0, fine * width - 1, fine * height - 1), 3 * fine, fill=(*PEBBLES[0], 255), outline=(*INK, 255), width=fine
    )
    columns = 2 if side > 3 else 1
    for eye in range(side):
        across = fine * width * (eye % columns + 1) / (columns + 1)
        down = fine * height * (eye // columns + 1) / (-(-side // columns) + 1)
        reach = 2.2 * fine
        draw.ellipse((across - reach, down - reach, across + reach, down + reach), fill=(*INK, 255))
    return die.reduce(fine)


# Points.


def _draw_points(image: "Image.Image", board: Board, middles: list[tuple[int, int]]) -> None:
    """All points, and the lines between them."""
    corner = _points_corner(board)
    # Where each point is in the drawing of all of them.
    spots = tuple((x - corner[0], y - corner[1]) for x, y in middles)
    shapes = tuple(
        CROSSED if point.crossed else CELL if point.cell else SQUARE if point.square else DOTTED
        for point in board.points
    )
    drawing = _drawing(*_points_size(board), spots, shapes, board.lines)
    image.paste(ENGRAVED, corner, drawing)
    for point, middle in zip(board.points, middles, strict=True):
        _draw_point(image, point, middle)


def _draw_point(image: "Image.Image", point: Point, at: tuple[int, int]) -> None:
    """The man and the number of a point."""
    x, y = at
    if point.man or point.marked:
        men = [(point.letter, point.player), *point.others]
        # One in the middle, two side by side, up to four in two rows of two, and so on; they overlap a little.
        columns = math.ceil(math.sqrt(len(men)))
        rows = math.ceil(len(men) / columns)
        for i, (letter, player) in enumerate(men):
            man = _man(letter, _player(player), point.marked)
            if columns > 1:
                man = man.resize((round(man.width * CROWDED / columns), round(man.height * CROWDED / columns)))
            apart = 2 * CELL_REACH / columns
            dx = round((i % columns - (columns - 1) / 2) * apart)
            dy = round((i // columns - (rows - 1) / 2) * apart)
            for lift in (-DOUBLED, DOUBLED) if point.doubled else (0,):
                image.paste(man, (x + dx - man.width // 2 - lift, y + dy - man.height // 2 - lift), man)
    # Clear of the lines; on a square in its corner.
    beside = (25, 29) if point.square or point.cell else (36, 19)
    write(image, point.label, (x + beside[0], y + beside[1]), NUMBER, ENGRAVED, "middle", POINT_PITCH // 2)


@lru_cache(maxsize=8)
def _drawing(
    width: int,
    height: int,
    spots: tuple[tuple[int, int], ...],
    shapes: tuple[int, ...],
    lines: tuple[tuple[int, int], ...],
) -> "Image.Image":
    """How much of each pixel the lines, the points and the squares cover."""
    from PIL import Image, ImageDraw

    fine = 4
    drawing = Image.new("L", (fine * width, fine * height), 0)
    draw = ImageDraw.Draw(drawing)
    half = POINT_PITCH // 2
    for (x, y), shape in zip(spots, shapes, strict=True):
        reach = DOT if shape == DOTTED else half if shape == SQUARE else CELL_REACH
        box = (fine * (x - reach), fine * (y - reach), fine * (x + reach) - 1, fine * (y + reach) - 1)
        if shape == SQUARE:
            draw.rectangle(box, fill=70)
        elif shape == DOTTED:
            draw.ellipse(box, fill=255)
        else:
            draw.rectangle(box, outline=255, width=fine)
            if shape == CROSSED:
                left, upper, right, lower = box
                draw.line([(left, upper), (right, lower)], fill=110, width=fine * STROKE)
                draw.line([(left, lower), (right, upper)], fill=110, width=fine * STROKE)
    for one, other in lines:
        draw.line([(fine * x, fine * y) for x, y in (spots[one], spots[other])], fill=255, width=fine * STROKE)
    return drawing.reduce(fine)


@lru_cache(maxsize=64)
def _man(letter: str, player: int, marked: bool) -> "Image.Image":
    """A flat disc in the colour of its player with the letter on it, and its shadow; a marked one in a bright ring."""
    pad = MARK + 4
    x, y = _plane(2 * (MAN + pad) + 1, 2 * (MAN + pad) + 1)
    radial = np.hypot(x, y)
    shadow = 0.5 * (1 - _smooth(-3, 4, np.hypot(x - 1.6, y - 2.4) - MAN))
    colour, alpha = np.full((*x.shape, 3), 15.0), shadow if letter else np.zeros(x.shape)
    if marked:
        colour, alpha = _over(colour, alpha, MARKED, _edge(radial - MAN - MARK) * _edge(MAN - MARK - radial))
    if letter:
        # A rim that rises and a face that is level; light comes from the upper left.
        slope = -(x + y) / (np.maximum(radial, 1e-9) * math.sqrt(2)) * _smooth(MAN - 8, MAN - 1, radial)
        groove = 1 - 0.25 * _edge(np.abs(radial - MAN + 8) - 1)
        face = np.array(PLAYERS[player] if player >= 0 else NOBODY, float) * (groove * (1 + 0.30 * slope))[..., None]
        colour, alpha = _over(colour, alpha, face, _edge(radial - MAN))
    man = _rgba(colour, alpha)
    word = _word(letter, LETTER)
    man.paste((250, 246, 236, 255), ((man.width - word.width) // 2, (man.height - word.height) // 2), word)
    return man


# One place.


def _draw_place(image: "Image.Image", place: Place, centre: tuple[float, float], index: int) -> None:
    x, y = round(centre[0]), round(centre[1])
    length = round(_length(place))
    owner, mark = _player(place.owner), _player(place.mark)
    hollow = _hollow(length, owner, mark, place.blind)
    image.paste(hollow, (x - hollow.width // 2, y - hollow.height // 2), hollow)
    for dx, dy, sprite in _heap(max(0, place.pieces), length, index):
        image.paste(sprite, (x + dx - sprite.width // 2, y + dy - sprite.height // 2), sprite)
    for stone in range(place.large):
        sprite = _stone(LARGE_STONE, LARGE, stone)
        across = round(1.7 * LARGE_STONE * (stone - (place.large - 1) / 2))
        above = 16 if place.pieces > 0 else 4
        image.paste(sprite, (x + across - sprite.width // 2, y - sprite.height // 2 - above), sprite)
    lower = y + length // 2 + RADIUS
    if not (place.blind and not place.pieces):
        badge = _badge(str(place.pieces), owner)
        image.paste(badge, (x - badge.width // 2, lower - badge.height // 2 - 2), badge)
    write(image, place.label, (x, lower + 19), LABEL, ENGRAVED, "middle", PITCH[0])


def _player(player: int) -> int:
    """Which colour; -1 none."""
    return player % len(PLAYERS) if player >= 0 else -1


@lru_cache(maxsize=256)
def _heap(seeds: int, length: int, index: int) -> "list[tuple[int, int, Image.Image]]":
    """(dx, dy, pebble) from the centre of a place, lowest first; the same for the same arguments."""
    chance = np.random.default_rng((index, 7))
    kinds = chance.integers(0, 1 << 30, 256)
    angle = chance.uniform(0, 2 * math.pi)
    stones = []
    for i, (dx, dy) in enumerate(_spots(seeds, length, angle)):
        kind = int(kinds[i % 256])
        sprite = _stone(STONE, PEBBLES[kind % len(PEBBLES)], kind // 8 % 6)
        stones.append((round(dx), round(dy - 4), sprite))
    return stones


def _spots(seeds: int, length: int, angle: float) -> Iterator[tuple[float, float]]:
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


# What is drawn once.


def _plane(width: int, height: int) -> tuple[Floats, Floats]:
    """(height, width) each: x and y of every pixel from the middle."""
    y, x = np.mgrid[0:height, 0:width]
    return x - (width - 1) / 2, y - (height - 1) / 2


def _rgba(colour: Floats, alpha: Floats) -> "Image.Image":
    from PIL import Image

    pixels = np.concatenate([colour, 255 * alpha[..., None]], axis=2)
    return Image.fromarray(np.clip(pixels + 0.5, 0, 255).astype(np.uint8), "RGBA")


def _over(colour: Floats, alpha: Floats, upper: Floats | Colour, upper_alpha: Floats) -> tuple[Floats, Floats]:
    """Lay one picture on another."""
    out = upper_alpha + alpha * (1 - upper_alpha)
    weight = (upper_alpha / np.maximum(out, 1e-9))[..., None]
    return np.asarray(upper) * weight + colour * (1 - weight), out


def _edge(distance: Floats) -> Floats:
    """How much of each pixel lies within a shape, by the distance of its middle from the edge (below 0 inside)."""
    covered: Floats = np.clip(0.5 - distance, 0, 1)
    return covered


def _smooth(low: float, high: float, value: Floats) -> Floats:
    t = np.clip((value - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


@lru_cache(maxsize=4)
def _wood(width: int, height: int) -> "Image.Image":
    """The board without hollows, its shadow in half a margin around it."""
    pad = MARGIN // 2
    x, y = _plane(width + 2 * pad, height + 2 * pad)
    qx, qy = np.abs(x) - width / 2 + CORNER, np.abs(y) - height / 2 + CORNER
    distance = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - CORNER
    # The grain: bands across a slowly bent height, fine fibres along it.
    bent = y + 14 * np.sin(x / 210 + 0.8) + 7 * np.sin(x / 83 + y / 120) + 60 * np.sin(y / 160 + 2)
    bands = 0.5 + 0.5 * np.sin(bent / 7.5 + 1.5 * np.sin(bent / 31))
    chance = np.random.default_rng(20)
    fibres = chance.normal(0, 1, (y.shape[0], y.shape[1] // 40 + 3)).cumsum(axis=1)
    fibres -= fibres.mean(axis=1, keepdims=True)
    columns = np.linspace(0, fibres.shape[1] - 1.001, y.shape[1])
    left = columns.astype(int)
    mix = columns - left
    threads = fibres[:, left] * (1 - mix) + fibres[:, left + 1] * mix
    tone = 1 - 0.10 * bands**2 + 0.012 * np.clip(threads, -3, 3) + 0.05 * np.sin(bent / 60)
    colour = np.array(WOOD) * tone[..., None]
    # The bevel: light from the upper left.
    bevel = _smooth(-9, 0, distance)
    slope = (-x / width - y / height) * 2
    colour *= (1 + 0.28 * bevel * np.clip(slope, -1, 1))[..., None]
    colour *= (1 - 0.25 * _smooth(-2.5, 0, distance))[..., None]
    shadow = 0.35 * (1 - _smooth(-2, pad - 2, distance))
    return _rgba(*_over(np.full(colour.shape, 40.0), shadow, colour, _edge(distance)))


@lru_cache(maxsize=128)
def _hollow(length: int, owner: int, mark: int, blind: bool) -> "Image.Image":
    """A round hole, or a long one, with its rim in the colour of `owner` and filled with that of `mark`."""
    pad = RIM + 4
    side = 2 * (RADIUS + pad) + 1
    x, y = _plane(side, side + length)
    over = y - np.clip(y, -length / 2, length / 2)
    radial = np.hypot(x, over)
    distance = radial - RADIUS
    depth = np.clip(-distance / RADIUS, 0, 1)
    # The slope of the bowl, steep at the wall; light comes from the upper left.
    steep = (1 - depth) ** 1.6
    light = (x + over) / (np.maximum(radial, 1e-9) * math.sqrt(2)) * steep
    fill = np.array(HOLLOW, float)
    if mark >= 0:
        fill = 0.25 * fill + 0.75 * np.array(PLAYERS[mark])
    if blind:
        fill = 0.8 * np.array(WOOD)
        light, depth = light * 0.15, depth * 0 + 0.6
    tone = 0.78 + 0.42 * light + 0.12 * _smooth(0, 1, depth)
    wall = _smooth(0, 12, -distance - 3 * (x + over) / np.maximum(radial, 1e-9))
    colour = fill * (tone * (0.62 + 0.38 * wall if not blind else 1.0))[..., None]
    if blind:
        cross = np.minimum(np.abs(x - over), np.abs(x + over)) / math.sqrt(2)
        colour *= (1 - 0.22 * _edge(cross - 2.5) * (radial < RADIUS * 0.6))[..., None]
    # A soft groove around, then the rim.
    alpha = 0.30 * (1 - _smooth(0, 4, distance - RIM + 1))
    rim = np.array(NOBODY if owner < 0 else PLAYERS[owner], float)
    around = (x + y - (y - over)) / (np.maximum(radial, 1e-9) * math.sqrt(2))
    ridge = 1 - np.abs((distance - RIM / 2 + 0.5) / (RIM / 2 + 1))
    shade = (0.92 - 0.14 * around + 0.20 * np.clip(ridge, 0, 1))[..., None]
    base, alpha = _over(np.full(colour.shape, 30.0), alpha, np.clip(rim * shade, 0, 255), _edge(distance - RIM + 1))
    return _rgba(*_over(base, alpha, colour, _edge(distance)))


@lru_cache(maxsize=128)
def _stone(radius: int, tint: Colour, kind: int) -> "Image.Image":
    """A pebble with its shadow; `kind` turns it and makes it more or less round."""
    pad = 4
    x, y = _plane(2 * (radius + pad) + 1, 2 * (radius + pad) + 1)
    angle, flat = 0.4 + 1.05 * kind, 0.88 - 0.025 * (kind % 3)
    along = x * math.cos(angle) + y * math.sin(angle)
    across = (-x * math.sin(angle) + y * math.cos(angle)) / flat
    radial = np.hypot(along, across)
    distance = (radial - radius) * flat
    shadow_x, shadow_y = x - 1.6, y - 2.2
    shadow = np.hypot(shadow_x, shadow_y) - radius
    alpha = 0.55 * (1 - _smooth(-2.5, 2.5, shadow))
    # A dome, lit from the upper left, with a small gleam.
    round_off = np.clip(radial / radius, 0, 1)
    light = -(x + y) / (radius * math.sqrt(2))
    tone = 0.93 + 0.20 * light * round_off - 0.30 * _smooth(0.72, 1.0, round_off) * (0.6 - 0.4 * light)
    colour = np.array(tint) * tone[..., None]
    gleam = np.exp(-((x + 0.36 * radius) ** 2 + (y + 0.40 * radius) ** 2) / (0.055 * radius**2))
    colour += (255 - colour) * (0.75 * gleam)[..., None]
    return _rgba(*_over(np.full(colour.shape, 15.0), alpha, np.clip(colour, 0, 255), _edge(distance)))


@lru_cache(maxsize=512)
def _badge(number: str, owner: int) -> "Image.Image":
    """A number on a plate in the colour of the rim."""
    from PIL import Image

    word = _word(number, COUNT)
    height = COUNT + 6
    width = max(height + 6, word.width + 14)
    width += (width - word.width) % 2
    x, y = _plane(width, height)
    distance = np.hypot(np.maximum(np.abs(x) - width / 2 + height / 2, 0), y) - height / 2 + 0.5
    tint = np.array(NOBODY if owner < 0 else PLAYERS[owner], float)
    plate = _rgba(
        *_over(
            np.full((height, width, 3), 255.0),
            _edge(distance),
            0.62 * tint * np.ones((height, width, 1)),
            _edge(distance + 1.5),
        )
    )
    white = Image.new("RGBA", word.size, (255, 255, 255, 255))
    plate.paste(white, ((width - word.width) // 2, (height - word.height) // 2), word)
    return plate


# Words.


@lru_cache(maxsize=64)
def _font(size: int) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    from PIL import ImageFont

    return ImageFont.load_default(size)


@lru_cache(maxsize=1024)
def _word(text: str, size: int) -> "Image.Image":
    """The word as coverage, (height of the line) tall and as wide as it is."""
    from PIL import Image, ImageDraw

    font = _font(size)
    left, _, right, _ = font.getbbox(text)
    _, top, _, bottom = font.getbbox("0")
    # Figures stand in the middle; room above and below for what is taller.
    room = math.ceil(0.4 * size)
    word = Image.new("L", (max(1, math.ceil(right - left)), math.ceil(bottom - top) + 2 * room), 0)
    ImageDraw.Draw(word).text((-left, room - top), text, 255, font)
    return word


def write(
    image: "Image.Image", text: str, at: tuple[int, int], size: int, colour: Colour, side: str, room: int
) -> None:
    """A line of words beside or around `at`, made smaller and then cut where it is longer than `room`."""
    if not text:
        return
    word = _word(text, size)
    while word.width > room and size > 10:
        size -= 1
        word = _word(text, size)
    while word.width > room and len(text) > 1:
        text = text[:-2].rstrip() + "…"
        word = _word(text, size)
    x = at[0] - (word.width // 2 if side == "middle" else 0)
    image.paste(colour, (x, at[1] - word.height // 2), word)


def _write_heading(image: "Image.Image", board: Board) -> None:
    if not board.heading:
        return
    x, y = MARGIN + 6, MARGIN + HEADING // 2 - 2
    if board.to_move >= 0:
        dot = _dot(_player(board.to_move))
        image.paste(dot, (x, y - dot.height // 2), dot)
        x += dot.width + 10
    write(image, board.heading, (x, y), HEADING, INK, "left", image.width - x - MARGIN)


@lru_cache(maxsize=16)
def _dot(player: int) -> "Image.Image":
    x, y = _plane(21, 21)
    return _rgba(np.full((21, 21, 3), PLAYERS[player], float), _edge(np.hypot(x, y) - 9))

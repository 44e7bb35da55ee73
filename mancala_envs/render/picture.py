"""Draw a board as a pixel picture. Shading is computed from each pixel's distance to the edge of a shape.

Everything that recurs from picture to picture (the wood, the lines, each kind of hollow, each pebble, each man, each
text) is cached. Pillow is imported with the first picture, not with the package.
"""

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mancala_envs.core.board import Board, Place, Point
from mancala_envs.render.layout import (
    ARROW,
    BACK,
    BLOCKED,
    CAPTION,
    CELL_REACH,
    CORNER,
    COUNT,
    CROSSED,
    DIE,
    DIE_PITCH,
    DIE_TOP,
    DOT,
    DOTTED,
    ENGRAVED,
    FAINT,
    GROOVE,
    HEADING,
    INK,
    LABEL,
    LABEL_FALL,
    LARGE,
    LARGE_STONE,
    LETTER,
    MAN,
    MARGIN,
    MARK,
    MARKED,
    MOUTH,
    MOVER_DOT,
    NOTE,
    NUMBER,
    PAPER,
    PEBBLES,
    PIP_RADIUS,
    PITCH,
    PLATE,
    PLATE_RISE,
    PLAYERS,
    POINT_PITCH,
    RADIUS,
    RIM,
    SHADED,
    SHELL,
    SHELL_PITCH,
    SHELL_TOP,
    SLOT,
    SQUARE,
    SQUARE_CORNER,
    STONE,
    STROKE,
    THROW_NAME,
    WOOD,
    Colour,
    Floats,
    arrow_corners,
    board_box,
    captions,
    centres,
    colour_index,
    drawn_men,
    fill_colour,
    fit_text,
    heading_at,
    label_offset,
    large_stones,
    length_of,
    letter_colour,
    measure,
    notes,
    pebble_shape,
    pebbles,
    pips,
    plate_size,
    player_colour,
    point_shapes,
    points_corner,
    points_size,
    shows_count,
    throw_boxes,
)

if TYPE_CHECKING:
    from PIL import Image, ImageFont

Picture = npt.NDArray[np.uint8]


def draw_picture(board: Board) -> Picture:
    """Draw a board as a picture.

    Args:
        board: the board to draw.

    Returns:
        An (H, W, 3) uint8 array. Its size depends only on the layout of places and points, on whether there are a
        heading and throws, and on the number of captions.
    """
    from PIL import Image

    width, height, _ = measure(board)
    image = Image.new("RGB", (width, height), PAPER)
    left, top, *box = board_box(board)
    wood = _wood(*box)
    image.paste(wood, (left - MARGIN // 2, top - MARGIN // 2), wood)
    places, points = centres(board)
    if board.points:
        _draw_points(image, board, points)
    for index, (place, middle) in enumerate(zip(board.places, places, strict=True)):
        _draw_place(image, place, middle, index)
    _draw_arrows(image, board)
    _write_heading(image, board)
    for line, y in captions(board):
        write(image, line, (MARGIN + 6, y), CAPTION, INK, "left", width - 2 * MARGIN - 12)
    _draw_throws(image, board)
    return np.array(image)


# Arrows.


def _draw_arrows(image: "Image.Image", board: Board) -> None:
    from PIL import Image, ImageDraw

    fine = 4
    for arrow in board.arrows:
        corners = arrow_corners(board, arrow)
        left, top = (math.floor(min(corner[axis] for corner in corners)) for axis in (0, 1))
        drawing = Image.new("L", (fine * (ARROW + 2), fine * (ARROW + 2)), 0)
        ImageDraw.Draw(drawing).polygon([(fine * (x - left), fine * (y - top)) for x, y in corners], fill=255)
        image.paste(ENGRAVED, (left, top), drawing.reduce(fine))


# Throws.


def _draw_throws(image: "Image.Image", board: Board) -> None:
    """Draw the throws in a row, with their names below."""
    for x, y, width, throw in throw_boxes(board):
        for i, up in enumerate(throw.shells):
            shell = _shell(up)
            image.paste(shell, (x + i * SHELL_PITCH, y + SHELL_TOP), shell)
        for i, side in enumerate(throw.dice):
            die = _die(side)
            image.paste(die, (x + i * DIE_PITCH, y + DIE_TOP), die)
        write(image, throw.label, (x, y + THROW_NAME), CAPTION, INK, "left", width)


@lru_cache(maxsize=2)
def _shell(up: bool) -> "Image.Image":
    """A cowrie: the mouth is a dark slit, the back has a highlight."""
    from PIL import Image, ImageDraw

    fine, (width, height) = 4, SHELL
    shell = Image.new("RGBA", (fine * width, fine * height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(shell)
    draw.ellipse((0, 0, fine * width - 1, fine * height - 1), fill=(*PEBBLES[0], 255), outline=(*INK, 255), width=fine)
    if up:
        draw.ellipse(tuple(part * fine * side for part, side in zip(MOUTH, 2 * SHELL, strict=True)), fill=(*INK, 255))
    else:
        draw.ellipse(tuple(part * fine * side for part, side in zip(BACK, 2 * SHELL, strict=True)), fill="white")
    return shell.reduce(fine)


@lru_cache(maxsize=16)
def _die(side: int) -> "Image.Image":
    """A long die that shows `side`."""
    from PIL import Image, ImageDraw

    fine, (width, height) = 4, DIE
    die = Image.new("RGBA", (fine * width, fine * height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(die)
    draw.rounded_rectangle(
        (0, 0, fine * width - 1, fine * height - 1), 3 * fine, fill=(*PEBBLES[0], 255), outline=(*INK, 255), width=fine
    )
    reach = PIP_RADIUS * fine
    for across, down in pips(side):
        x, y = fine * width * across, fine * height * down
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=(*INK, 255))
    return die.reduce(fine)


# Points.


def _draw_points(image: "Image.Image", board: Board, centres: list[tuple[int, int]]) -> None:
    """Draw all points with their men, and the lines between them."""
    corner = points_corner(board)
    # Positions relative to the corner of the area of the points.
    spots = tuple((x - corner[0], y - corner[1]) for x, y in centres)
    shapes = tuple(point_shapes(board))
    drawing = _drawing(*points_size(board), spots, shapes, board.lines)
    image.paste(ENGRAVED, corner, drawing)
    for words, at in notes(board):
        write(image, words, at, NOTE, ENGRAVED, "left", image.width)
    for point, middle in zip(board.spots, centres, strict=True):
        _draw_point(image, point, middle)


def _draw_point(image: "Image.Image", point: Point, at: tuple[int, int]) -> None:
    """Draw the men and the label of a point."""
    x, y = at
    if point.piece or point.marked:
        for letter, player, dx, dy, scale in drawn_men(point):
            man = _man(letter, colour_index(player), point.marked)
            if scale != 1:
                man = man.resize((round(man.width * scale), round(man.height * scale)))
            image.paste(man, (x + dx - man.width // 2, y + dy - man.height // 2), man)
    right, below = label_offset(point)
    write(image, point.label, (x + right, y + below), NUMBER, ENGRAVED, "middle", POINT_PITCH // 2)


@lru_cache(maxsize=8)
def _drawing(
    width: int,
    height: int,
    spots: tuple[tuple[int, int], ...],
    shapes: tuple[int, ...],
    lines: tuple[tuple[int, int], ...],
) -> "Image.Image":
    """The coverage of each pixel by lines, points and squares, as a grey-scale image."""
    from PIL import Image, ImageDraw

    fine = 4
    drawing = Image.new("L", (fine * width, fine * height), 0)
    draw = ImageDraw.Draw(drawing)
    half = POINT_PITCH // 2
    for (x, y), shape in zip(spots, shapes, strict=True):
        reach = {DOTTED: DOT, SQUARE: half, SLOT: MAN}.get(shape, CELL_REACH)
        box = (fine * (x - reach), fine * (y - reach), fine * (x + reach) - 1, fine * (y + reach) - 1)
        if shape == SQUARE:
            draw.rectangle(box, fill=SHADED)
        elif shape == DOTTED:
            draw.ellipse(box, fill=255)
        elif shape == SLOT:
            draw.ellipse(box, outline=FAINT, width=fine)
        else:
            draw.rectangle(box, outline=255, width=fine)
            if shape == CROSSED:
                left, upper, right, lower = box
                draw.line([(left, upper), (right, lower)], fill=FAINT, width=fine * STROKE)
                draw.line([(left, lower), (right, upper)], fill=FAINT, width=fine * STROKE)
    for one, other in lines:
        draw.line([(fine * x, fine * y) for x, y in (spots[one], spots[other])], fill=255, width=fine * STROKE)
    return drawing.reduce(fine)


@lru_cache(maxsize=64)
def _man(letter: str, player: int, marked: bool) -> "Image.Image":
    """A man: a disc in the colour of the player with a letter and a shadow, in a bright ring if marked."""
    pad = MARK + 4
    x, y = _plane(2 * (MAN + pad) + 1, 2 * (MAN + pad) + 1)
    radial = np.hypot(x, y)
    shadow = 0.5 * (1 - _smooth(-3, 4, np.hypot(x - 1.6, y - 2.4) - MAN))
    colour, alpha = np.full((*x.shape, 3), 15.0), shadow if letter else np.zeros(x.shape)
    if marked:
        colour, alpha = _over(colour, alpha, MARKED, _edge(radial - MAN - MARK) * _edge(MAN - MARK - radial))
    if letter:
        # A raised rim around a flat face; light comes from the upper left.
        slope = -(x + y) / (np.maximum(radial, 1e-9) * math.sqrt(2)) * _smooth(MAN - GROOVE, MAN - 1, radial)
        groove = 1 - 0.25 * _edge(np.abs(radial - MAN + GROOVE) - 1)
        face = np.array(player_colour(player), float) * (groove * (1 + 0.30 * slope))[..., None]
        colour, alpha = _over(colour, alpha, face, _edge(radial - MAN))
    man = _rgba(colour, alpha)
    word = _word(*fit_text(letter, LETTER, round(1.3 * MAN), lambda text, size: _word(text, size).width))
    man.paste((*letter_colour(player), 255), ((man.width - word.width) // 2, (man.height - word.height) // 2), word)
    return man


# Places.


def _draw_place(image: "Image.Image", place: Place, centre: tuple[float, float], index: int) -> None:
    x, y = round(centre[0]), round(centre[1])
    length = round(length_of(place))
    owner, mark = colour_index(place.owner), colour_index(place.mark)
    hollow = _hollow(length, owner, mark, place.blind, place.square)
    image.paste(hollow, (x - hollow.width // 2, y - hollow.height // 2), hollow)
    for dx, dy, sprite in _heap(max(0, place.pieces), length, index):
        image.paste(sprite, (x + dx - sprite.width // 2, y + dy - sprite.height // 2), sprite)
    for kind, (dx, dy) in enumerate(large_stones(place)):
        sprite = _stone(LARGE_STONE, LARGE, kind)
        image.paste(sprite, (x + dx - sprite.width // 2, y + dy - sprite.height // 2), sprite)
    if place.blocked:
        cross = _cross()
        image.paste(MARKED, (x - cross.width // 2, y - cross.height // 2), cross)
    lower = y + length // 2 + RADIUS
    if shows_count(place):
        badge = _badge(str(place.pieces), owner)
        image.paste(badge, (x - badge.width // 2, lower - badge.height // 2 - PLATE_RISE), badge)
    write(image, place.label, (x, lower + LABEL_FALL), LABEL, ENGRAVED, "middle", PITCH[0])


@lru_cache(maxsize=256)
def _heap(seeds: int, length: int, index: int) -> "list[tuple[int, int, Image.Image]]":
    """The pebbles of a place: offsets (dx, dy) from its centre and images, lowest first."""
    return [(dx, dy, _stone(STONE, tint, kind)) for dx, dy, tint, kind in pebbles(seeds, length, index)]


# Cached images.


def _plane(width: int, height: int) -> tuple[Floats, Floats]:
    """Two (height, width) arrays: x and y of every pixel relative to the centre."""
    y, x = np.mgrid[0:height, 0:width]
    return x - (width - 1) / 2, y - (height - 1) / 2


def _rgba(colour: Floats, alpha: Floats) -> "Image.Image":
    from PIL import Image

    pixels = np.concatenate([colour, 255 * alpha[..., None]], axis=2)
    return Image.fromarray(np.clip(pixels + 0.5, 0, 255).astype(np.uint8))


def _over(colour: Floats, alpha: Floats, upper: Floats | Colour, upper_alpha: Floats) -> tuple[Floats, Floats]:
    """Composite a layer over another; returns colour and alpha of the result."""
    out = upper_alpha + alpha * (1 - upper_alpha)
    weight = (upper_alpha / np.maximum(out, 1e-9))[..., None]
    return np.asarray(upper) * weight + colour * (1 - weight), out


def _edge(distance: Floats) -> Floats:
    """The coverage of each pixel by a shape, from the signed distance to its edge (negative inside)."""
    covered: Floats = np.clip(0.5 - distance, 0, 1)
    return covered


def _smooth(low: float, high: float, value: Floats) -> Floats:
    """Smooth step from 0 at `low` to 1 at `high`."""
    t = np.clip((value - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


@lru_cache(maxsize=4)
def _wood(width: int, height: int) -> "Image.Image":
    """The wooden board without hollows, with its shadow in half the margin around it."""
    pad = MARGIN // 2
    x, y = _plane(width + 2 * pad, height + 2 * pad)
    qx, qy = np.abs(x) - width / 2 + CORNER, np.abs(y) - height / 2 + CORNER
    distance = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - CORNER
    # The grain: slightly curved horizontal bands, and fine fibres along them.
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
    # The bevel, lit from the upper left.
    bevel = _smooth(-9, 0, distance)
    slope = (-x / width - y / height) * 2
    colour *= (1 + 0.28 * bevel * np.clip(slope, -1, 1))[..., None]
    colour *= (1 - 0.25 * _smooth(-2.5, 0, distance))[..., None]
    shadow = 0.35 * (1 - _smooth(-2, pad - 2, distance))
    return _rgba(*_over(np.full(colour.shape, 40.0), shadow, colour, _edge(distance)))


@lru_cache(maxsize=128)
def _hollow(length: int, owner: int, mark: int, blind: bool, square: bool) -> "Image.Image":
    """A round, elongated or square hole with a rim in the colour of `owner`, filled with the colour of `mark`."""
    pad = RIM + 4
    side = 2 * (RADIUS + pad) + 1
    x, y = _plane(side, side + length)
    over = y - np.clip(y, -length / 2, length / 2)
    radial = np.hypot(x, over)
    distance = radial - RADIUS
    if square:
        beyond = np.abs(np.stack([x, over])) - RADIUS + SQUARE_CORNER
        distance = np.hypot(*np.maximum(beyond, 0)) + np.minimum(beyond.max(axis=0), 0) - SQUARE_CORNER
    depth = np.clip(-distance / RADIUS, 0, 1)
    # The bowl is steep at its wall and lit from the upper left.
    steep = (1 - depth) ** 1.6
    light = (x + over) / (np.maximum(radial, 1e-9) * math.sqrt(2)) * steep
    fill = fill_colour(mark, blind)
    if blind:
        light, depth = light * 0.15, depth * 0 + 0.6
    tone = 0.78 + 0.42 * light + 0.12 * _smooth(0, 1, depth)
    wall = _smooth(0, 12, -distance - 3 * (x + over) / np.maximum(radial, 1e-9))
    colour = fill * (tone * (0.62 + 0.38 * wall if not blind else 1.0))[..., None]
    if blind:
        cross = np.minimum(np.abs(x - over), np.abs(x + over)) / math.sqrt(2)
        colour *= (1 - 0.22 * _edge(cross - 2.5) * (radial < RADIUS * 0.6))[..., None]
    # A soft groove around the rim, then the rim itself.
    alpha = 0.30 * (1 - _smooth(0, 4, distance - RIM + 1))
    rim = np.array(player_colour(owner), float)
    around = (x + y - (y - over)) / (np.maximum(radial, 1e-9) * math.sqrt(2))
    ridge = 1 - np.abs((distance - RIM / 2 + 0.5) / (RIM / 2 + 1))
    shade = (0.92 - 0.14 * around + 0.20 * np.clip(ridge, 0, 1))[..., None]
    base, alpha = _over(np.full(colour.shape, 30.0), alpha, np.clip(rim * shade, 0, 255), _edge(distance - RIM + 1))
    return _rgba(*_over(base, alpha, colour, _edge(distance)))


@lru_cache(maxsize=1)
def _cross() -> "Image.Image":
    """The cross over a blocked place as a coverage mask."""
    from PIL import Image, ImageDraw

    fine, side = 4, 2 * (BLOCKED + MARK) + 1
    cross = Image.new("L", (fine * side, fine * side), 0)
    near, far = fine * MARK, fine * (side - MARK)
    for line in ((near, near, far, far), (near, far, far, near)):
        ImageDraw.Draw(cross).line(line, fill=255, width=fine * 2 * MARK)
    return cross.reduce(fine)


@lru_cache(maxsize=128)
def _stone(radius: int, tint: Colour, kind: int) -> "Image.Image":
    """A pebble with its shadow; `kind` determines its rotation and roundness."""
    pad = 4
    x, y = _plane(2 * (radius + pad) + 1, 2 * (radius + pad) + 1)
    angle, flat = pebble_shape(kind)
    along = x * math.cos(angle) + y * math.sin(angle)
    across = (-x * math.sin(angle) + y * math.cos(angle)) / flat
    radial = np.hypot(along, across)
    distance = (radial - radius) * flat
    shadow_x, shadow_y = x - 1.6, y - 2.2
    shadow = np.hypot(shadow_x, shadow_y) - radius
    alpha = 0.55 * (1 - _smooth(-2.5, 2.5, shadow))
    # A dome with a small highlight, lit from the upper left.
    round_off = np.clip(radial / radius, 0, 1)
    light = -(x + y) / (radius * math.sqrt(2))
    tone = 0.93 + 0.20 * light * round_off - 0.30 * _smooth(0.72, 1.0, round_off) * (0.6 - 0.4 * light)
    colour = np.array(tint) * tone[..., None]
    highlight = np.exp(-((x + 0.36 * radius) ** 2 + (y + 0.40 * radius) ** 2) / (0.055 * radius**2))
    colour += (255 - colour) * (0.75 * highlight)[..., None]
    return _rgba(*_over(np.full(colour.shape, 15.0), alpha, np.clip(colour, 0, 255), _edge(distance)))


@lru_cache(maxsize=512)
def _badge(number: str, owner: int) -> "Image.Image":
    """A count on a plate in the colour of the rim."""
    from PIL import Image

    word = _word(number, COUNT)
    width, height = plate_size(word.width)
    width += (width - word.width) % 2
    x, y = _plane(width, height)
    distance = np.hypot(np.maximum(np.abs(x) - width / 2 + height / 2, 0), y) - height / 2 + 0.5
    tint = np.array(player_colour(owner), float)
    plate = _rgba(
        *_over(
            np.full((height, width, 3), 255.0),
            _edge(distance),
            PLATE * tint * np.ones((height, width, 1)),
            _edge(distance + 1.5),
        )
    )
    white = Image.new("RGBA", word.size, (255, 255, 255, 255))
    plate.paste(white, ((width - word.width) // 2, (height - word.height) // 2), word)
    return plate


# Text.


@lru_cache(maxsize=64)
def _font(size: int) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    from PIL import ImageFont

    return ImageFont.load_default(size)


@lru_cache(maxsize=1024)
def _word(text: str, size: int) -> "Image.Image":
    """A text as a coverage mask of full line height."""
    from PIL import Image, ImageDraw

    font = _font(size)
    left, _, right, _ = font.getbbox(text)
    _, top, _, bottom = font.getbbox("0")
    # Digits are centred vertically; the padding leaves space for taller letters and for descenders.
    pad = math.ceil(0.4 * size)
    word = Image.new("L", (max(1, math.ceil(right - left)), math.ceil(bottom - top) + 2 * pad), 0)
    ImageDraw.Draw(word).text((-left, pad - top), text, 255, font)
    return word


def write(
    image: "Image.Image", text: str, at: tuple[int, int], size: int, colour: Colour, side: str, max_width: int
) -> None:
    """Write a line of text on an image; text that is too long is shrunk, then truncated.

    Args:
        image: the image to change.
        text: the text.
        at: position of the text; vertically it is always the centre.
        size: the preferred font size.
        colour: colour of the text.
        side: "left" if `at` is the left end of the text, "middle" if it is its centre.
        max_width: maximum width of the text in pixels.
    """
    if not text:
        return
    word = _word(*fit_text(text, size, max_width, lambda text, size: _word(text, size).width))
    x = at[0] - (word.width // 2 if side == "middle" else 0)
    image.paste(colour, (x, at[1] - word.height // 2), word)


def _write_heading(image: "Image.Image", board: Board) -> None:
    if not board.heading:
        return
    dot, (x, y) = heading_at(board)
    if dot is not None:
        sprite = _dot(colour_index(board.to_move))
        image.paste(sprite, (dot - sprite.width // 2, y - sprite.height // 2), sprite)
    write(image, board.heading, (x, y), HEADING, INK, "left", image.width - x - MARGIN)


@lru_cache(maxsize=16)
def _dot(player: int) -> "Image.Image":
    """The dot in the colour of the player to move."""
    side = 2 * MOVER_DOT + 3
    x, y = _plane(side, side)
    return _rgba(np.full((side, side, 3), PLAYERS[player], float), _edge(np.hypot(x, y) - MOVER_DOT))

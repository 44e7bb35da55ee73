"""Draw a board as a pixel picture. Shading is computed from each pixel's distance to the edge of a shape.

Everything that recurs from picture to picture (the wood, the lines, each kind of hollow, each pebble, each man, each
text) is cached. Pillow is imported with the first picture, not with the package.
"""

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mancala_envs.core.board import Board
from mancala_envs.render import layout
from mancala_envs.render.layout import INK, PAPER, Colour, Floats, Placed, Shape, centres, fit_text, measure

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

Picture = npt.NDArray[np.uint8]

FINE = 4
"""Drawings are this many times as large before they are reduced, which makes their edges smooth."""


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
    left, top, *box = layout.board_box(board)
    wood = _wood(*box)
    image.paste(wood, (left - layout.MARGIN // 2, top - layout.MARGIN // 2), wood)
    places, points = centres(board)
    if board.points:
        _draw_lines(image, board, points)
    _draw(image, layout.notes(board))
    for point, (x, y) in zip(board.spots, points, strict=True):
        _draw(image, layout.on_point(point), x, y)
    for number, (place, (across, down)) in enumerate(zip(board.places, places, strict=True)):
        _draw(image, layout.on_place(place, number), round(across), round(down))
    _draw_arrows(image, board)
    _draw(image, layout.words_around(board))
    for x, y, width, throw in layout.throw_boxes(board):
        _draw(image, layout.on_throw(throw, width), x, y)
    return np.array(image)


def _draw(image: "Image.Image", shapes: Iterable[Placed], x: int = 0, y: int = 0) -> None:
    """Draw shapes whose positions are relative to (x, y)."""
    for dx, dy, shape in shapes:
        if isinstance(shape, layout.Text):
            side = "middle" if shape.centred else "left"
            write(image, shape.words, (x + dx, y + dy), shape.size, shape.colour, side, shape.max_width)
        else:
            sprite = _sprite(shape)
            image.paste(sprite, (x + dx - sprite.width // 2, y + dy - sprite.height // 2), sprite)


@lru_cache(maxsize=1024)
def _sprite(shape: Shape) -> "Image.Image":
    return SPRITES[type(shape)](**vars(shape))


# Arrows and lines.


def _sheet(mode: str, width: int, height: int) -> "tuple[Image.Image, ImageDraw.ImageDraw]":
    """An empty drawing that is `FINE` times as large, and its pen."""
    from PIL import Image, ImageDraw

    sheet = Image.new(mode, (FINE * width, FINE * height))
    return sheet, ImageDraw.Draw(sheet)


def _draw_arrows(image: "Image.Image", board: Board) -> None:
    for arrow in board.arrows:
        corners = layout.arrow_corners(board, arrow)
        left, top = (math.floor(min(corner[axis] for corner in corners)) for axis in (0, 1))
        drawing, draw = _sheet("L", layout.ARROW + 2, layout.ARROW + 2)
        draw.polygon([(FINE * (x - left), FINE * (y - top)) for x, y in corners], fill=255)
        image.paste(layout.ENGRAVED, (left, top), drawing.reduce(FINE))


def _draw_lines(image: "Image.Image", board: Board, points: list[tuple[int, int]]) -> None:
    """Draw all points without their men, and the lines between them."""
    corner = layout.points_corner(board)
    # Positions relative to the corner of the area of the points.
    spots = tuple((x - corner[0], y - corner[1]) for x, y in points)
    drawing = _drawing(*layout.points_size(board), spots, tuple(layout.point_shapes(board)), board.lines)
    image.paste(layout.ENGRAVED, corner, drawing)


@lru_cache(maxsize=8)
def _drawing(
    width: int,
    height: int,
    spots: tuple[tuple[int, int], ...],
    shapes: tuple[int, ...],
    lines: tuple[tuple[int, int], ...],
) -> "Image.Image":
    """The coverage of each pixel by lines, points and squares, as a grey-scale image."""
    drawing, draw = _sheet("L", width, height)
    half = layout.POINT_PITCH // 2
    for (x, y), shape in zip(spots, shapes, strict=True):
        reach = {layout.DOTTED: layout.DOT, layout.SQUARE: half, layout.SLOT: layout.MAN}.get(shape, layout.CELL_REACH)
        box = (FINE * (x - reach), FINE * (y - reach), FINE * (x + reach) - 1, FINE * (y + reach) - 1)
        if shape == layout.SQUARE:
            draw.rectangle(box, fill=layout.SHADED)
        elif shape == layout.DOTTED:
            draw.ellipse(box, fill=255)
        elif shape == layout.SLOT:
            draw.ellipse(box, outline=layout.FAINT, width=FINE)
        else:
            draw.rectangle(box, outline=255, width=FINE)
            if shape == layout.CROSSED:
                left, upper, right, lower = box
                draw.line([(left, upper), (right, lower)], fill=layout.FAINT, width=FINE * layout.STROKE)
                draw.line([(left, lower), (right, upper)], fill=layout.FAINT, width=FINE * layout.STROKE)
    for one, other in lines:
        draw.line([(FINE * x, FINE * y) for x, y in (spots[one], spots[other])], fill=255, width=FINE * layout.STROKE)
    return drawing.reduce(FINE)


# Shapes.


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
    pad = layout.MARGIN // 2
    x, y = _plane(width + 2 * pad, height + 2 * pad)
    qx, qy = np.abs(x) - width / 2 + layout.CORNER, np.abs(y) - height / 2 + layout.CORNER
    distance = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - layout.CORNER
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
    colour = np.array(layout.WOOD) * tone[..., None]
    # The bevel, lit from the upper left.
    bevel = _smooth(-9, 0, distance)
    slope = (-x / width - y / height) * 2
    colour *= (1 + 0.28 * bevel * np.clip(slope, -1, 1))[..., None]
    colour *= (1 - 0.25 * _smooth(-2.5, 0, distance))[..., None]
    shadow = 0.35 * (1 - _smooth(-2, pad - 2, distance))
    return _rgba(*_over(np.full(colour.shape, 40.0), shadow, colour, _edge(distance)))


def _hollow(length: int, rim: Colour, fill: layout.Shade, blind: bool, square: bool) -> "Image.Image":
    """A round, elongated or square hole."""
    pad = layout.RIM + 4
    side = 2 * (layout.RADIUS + pad) + 1
    x, y = _plane(side, side + length)
    over = y - np.clip(y, -length / 2, length / 2)
    radial = np.hypot(x, over)
    distance = radial - layout.RADIUS
    if square:
        beyond = np.abs(np.stack([x, over])) - layout.RADIUS + layout.SQUARE_CORNER
        distance = np.hypot(*np.maximum(beyond, 0)) + np.minimum(beyond.max(axis=0), 0) - layout.SQUARE_CORNER
    depth = np.clip(-distance / layout.RADIUS, 0, 1)
    # The bowl is steep at its wall and lit from the upper left.
    steep = (1 - depth) ** 1.6
    light = (x + over) / (np.maximum(radial, 1e-9) * math.sqrt(2)) * steep
    if blind:
        light, depth = light * 0.15, depth * 0 + 0.6
    tone = 0.78 + 0.42 * light + 0.12 * _smooth(0, 1, depth)
    wall = _smooth(0, 12, -distance - 3 * (x + over) / np.maximum(radial, 1e-9))
    colour = np.array(fill) * (tone * (0.62 + 0.38 * wall if not blind else 1.0))[..., None]
    if blind:
        cross = np.minimum(np.abs(x - over), np.abs(x + over)) / math.sqrt(2)
        colour *= (1 - 0.22 * _edge(cross - 2.5) * (radial < layout.RADIUS * 0.6))[..., None]
    # A soft groove around the rim, then the rim itself.
    alpha = 0.30 * (1 - _smooth(0, 4, distance - layout.RIM + 1))
    around = (x + y - (y - over)) / (np.maximum(radial, 1e-9) * math.sqrt(2))
    ridge = 1 - np.abs((distance - layout.RIM / 2 + 0.5) / (layout.RIM / 2 + 1))
    shade = (0.92 - 0.14 * around + 0.20 * np.clip(ridge, 0, 1))[..., None]
    raised = np.clip(np.array(rim) * shade, 0, 255)
    base, alpha = _over(np.full(colour.shape, 30.0), alpha, raised, _edge(distance - layout.RIM + 1))
    return _rgba(*_over(base, alpha, colour, _edge(distance)))


def _cross() -> "Image.Image":
    """The cross over a blocked place."""
    from PIL import Image

    side = 2 * (layout.BLOCKED + layout.MARK) + 1
    mask, draw = _sheet("L", side, side)
    near, far = FINE * layout.MARK, FINE * (side - layout.MARK)
    for line in ((near, near, far, far), (near, far, far, near)):
        draw.line(line, fill=255, width=FINE * 2 * layout.MARK)
    cross = Image.new("RGBA", (side, side), layout.MARKED)
    cross.putalpha(mask.reduce(FINE))
    return cross


def _stone(radius: int, tint: Colour, kind: int) -> "Image.Image":
    """A pebble with its shadow."""
    pad = 4
    x, y = _plane(2 * (radius + pad) + 1, 2 * (radius + pad) + 1)
    angle, flat = layout.pebble_shape(kind)
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


def _count(number: str, plate: layout.Shade) -> "Image.Image":
    """A number on a plate with a bright edge."""
    word = _word(number, layout.COUNT)
    width, height = layout.plate_size(word.width)
    width += (width - word.width) % 2
    x, y = _plane(width, height)
    distance = np.hypot(np.maximum(np.abs(x) - width / 2 + height / 2, 0), y) - height / 2 + 0.5
    dark = np.array(plate) * np.ones((height, width, 1))
    badge = _rgba(*_over(np.full(dark.shape, 255.0), _edge(distance), dark, _edge(distance + 1.5)))
    badge.paste("white", ((width - word.width) // 2, (height - word.height) // 2), word)
    return badge


def _man(letter: str, colour: Colour, marked: bool, scale: float) -> "Image.Image":
    """A disc with a letter and a shadow, in a bright ring if marked."""
    pad = layout.MARK + 4
    x, y = _plane(2 * (layout.MAN + pad) + 1, 2 * (layout.MAN + pad) + 1)
    radial = np.hypot(x, y)
    shadow = 0.5 * (1 - _smooth(-3, 4, np.hypot(x - 1.6, y - 2.4) - layout.MAN))
    layer, alpha = np.full((*x.shape, 3), 15.0), shadow if letter else np.zeros(x.shape)
    if marked:
        ring = _edge(radial - layout.MAN - layout.MARK) * _edge(layout.MAN - layout.MARK - radial)
        layer, alpha = _over(layer, alpha, layout.MARKED, ring)
    if letter:
        # A raised rim around a flat face; light comes from the upper left.
        slope = (
            -(x + y)
            / (np.maximum(radial, 1e-9) * math.sqrt(2))
            * _smooth(layout.MAN - layout.GROOVE, layout.MAN - 1, radial)
        )
        groove = 1 - 0.25 * _edge(np.abs(radial - layout.MAN + layout.GROOVE) - 1)
        face = np.array(colour) * (groove * (1 + 0.30 * slope))[..., None]
        layer, alpha = _over(layer, alpha, face, _edge(radial - layout.MAN))
    man = _rgba(layer, alpha)
    word = _word(*fit_text(letter, layout.LETTER, round(1.3 * layout.MAN), lambda text, size: _word(text, size).width))
    at = (man.width - word.width) // 2, (man.height - word.height) // 2
    man.paste((*layout.letter_colour(colour), 255), at, word)
    return man if scale == 1 else man.resize((round(man.width * scale), round(man.height * scale)))


def _shell(up: bool) -> "Image.Image":
    """A cowrie."""
    width, height = layout.SHELL
    shell, draw = _sheet("RGBA", width, height)
    box = 0, 0, FINE * width - 1, FINE * height - 1
    draw.ellipse(box, fill=(*layout.PEBBLES[0], 255), outline=(*INK, 255), width=FINE)
    mark, colour = (layout.MOUTH, INK) if up else (layout.BACK, (255, 255, 255))
    draw.ellipse([part * FINE * side for part, side in zip(mark, 2 * layout.SHELL, strict=True)], fill=(*colour, 255))
    return shell.reduce(FINE)


def _die(side: int) -> "Image.Image":
    """A long die that shows `side`."""
    width, height = layout.DIE
    die, draw = _sheet("RGBA", width, height)
    box = 0, 0, FINE * width - 1, FINE * height - 1
    draw.rounded_rectangle(box, 3 * FINE, fill=(*layout.PEBBLES[0], 255), outline=(*INK, 255), width=FINE)
    reach = layout.PIP_RADIUS * FINE
    for across, down in layout.pips(side):
        x, y = FINE * width * across, FINE * height * down
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=(*INK, 255))
    return die.reduce(FINE)


def _dot(colour: Colour) -> "Image.Image":
    """The dot in the colour of the player to move."""
    side = 2 * layout.MOVER_DOT + 3
    x, y = _plane(side, side)
    return _rgba(np.full((side, side, 3), colour, float), _edge(np.hypot(x, y) - layout.MOVER_DOT))


SPRITES: dict[type[Shape], Callable[..., "Image.Image"]] = {
    layout.Hollow: _hollow,
    layout.Stone: _stone,
    layout.Cross: _cross,
    layout.Count: _count,
    layout.Man: _man,
    layout.Dot: _dot,
    layout.Shell: _shell,
    layout.Die: _die,
}
"""The function that draws each shape, except Text, as an image."""


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

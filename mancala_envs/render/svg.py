"""Draw a board as an SVG picture with the same layout as `picture`.

Every hole and every point is a group with the attribute `data-spot`, such as `place-3` or `point-3` for number 3 on the
board, and a `title` that describes it in words. Each group is on a line of its own, so two boards of a game differ only
in the lines of the spots that changed. All ids start with `mancala-` and mean the same in every picture, so a page can
contain several pictures.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from html import escape
from typing import Any

from mancala_envs.core.board import Arrow, Board, Place, Throw
from mancala_envs.render import layout
from mancala_envs.render.layout import INK, PAPER, Colour, Placed, Shape, centres, fit_text, measure

FONT = "Helvetica, Arial, sans-serif"
LETTER_WIDTH = 0.56
"""Average width of a letter relative to the font size; an estimate, because the viewer chooses the font."""
BASELINE = 0.36
"""Distance from the centre of a line of text down to its baseline, relative to the font size."""
WHITE, SHADOW, DARK = (255, 255, 255), (15, 15, 15), (0, 0, 0)
KINDS = 6
"""Number of pebble shapes."""


def draw_svg(board: Board) -> str:
    """Draw a board as an SVG document of the same size as the picture by `draw_picture`.

    Screen readers can read the document: every spot and the heading have descriptions.

    Args:
        board: the board to draw.

    Returns:
        The SVG document.
    """
    width, height, _ = measure(board)
    places, points = centres(board)
    lines = [
        *_wood(board),
        *_strokes(board, points),
        *_elements(layout.notes(board)),
        *map(partial(_point, board, layout.target_size(board)), range(len(points)), points, layout.point_shapes(board)),
        *(_place(i, place, at) for i, (place, at) in enumerate(zip(board.places, places, strict=True))),
        *(_arrow(board, arrow) for arrow in board.arrows),
        *_elements(layout.words_around(board)),
        *(_throw(x, y, width, throw) for x, y, width, throw in layout.throw_boxes(board)),
    ]
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    style = "max-width:100%;height:auto"  # On a page that is narrower than the picture.
    description = {"role": "group", "aria-label": board.heading or "board", "font-family": FONT, "style": style}
    inside = "\n".join(["", DEFINITIONS, _tag("rect", width=width, height=height, fill=PAPER), *lines, ""])
    return _tag("svg", inside, xmlns="http://www.w3.org/2000/svg", **size, **description) + "\n"


# Descriptions.


def place_in_words(place: Place) -> str:
    """Describe a place and its contents."""
    short, owner = f"P{place.owner}", f"player_{place.owner}"
    if not place.tray:
        name = f"hole {place.label}".strip() + (f" of {owner}" if place.owner >= 0 else "")
    elif place.label == short:
        name = f"store of {owner}"
    else:
        name = place.label.replace(short, owner)
    number = f"owes {-place.pieces}" if place.pieces < 0 else str(place.pieces)
    if not layout.shows_count(place):
        number = "out of play"
    parts = [f"{name}: {number}"]
    if place.large:
        parts.append(f"{place.large} large stone{'s' * (place.large > 1)}")
    if place.mark >= 0:
        parts.append(f"marked as player_{place.mark}'s")
    if place.blind and layout.shows_count(place):
        parts.append("out of play")
    if place.square:
        parts.append("square")
    if place.blocked:
        parts.append("blocked")
    return ", ".join(parts)


def arrow_word(arrow: Arrow) -> str:
    """Return where an arrow points, such as "up" or "down left"."""
    return f"{('up', '', 'down')[arrow.dy + 1]} {('left', '', 'right')[arrow.dx + 1]}".strip()


def point_in_words(board: Board, number: int) -> str:
    """Describe point `number` and its men; a point without a label is named by its column and row."""
    point = board.spots[number]
    if point.label:
        name = f"point {point.label}"
    elif number >= len(board.points):
        name = "beside the track"
    else:
        column, row = (
            sorted({getattr(each, axis) for each in board.points}).index(getattr(point, axis)) for axis in "xy"
        )
        name = f"column {column + 1}, row {row + 1}"
    men = layout.men_on(point)
    counts = {man: f"{men.count(man)} times " if men.count(man) > 1 else "" for man in men}
    pieces = [f"{count}{letter} of player_{player}" for (letter, player), count in counts.items()]
    marks = ["two men high"] * point.doubled + ["marked"] * point.marked + ["crossed"] * point.crossed
    return f"{name}: {', '.join([*(pieces or ['empty']), *marks])}"


def throw_in_words(throw: Throw) -> str:
    """Describe a throw."""
    parts = [f"{sum(throw.shells)} of {len(throw.shells)} cowries mouth up"] if throw.shells else []
    parts += [f"dice {' and '.join(map(str, throw.dice))}"] if throw.dice else []
    return f"to use: {throw.label} ({', '.join(parts)})"


# Drawing.


def _wood(board: Board) -> Iterator[str]:
    """The wooden board without hollows, and its shadow."""
    x, y, width, height = layout.board_box(board)
    box = {"x": x, "y": y, "width": width, "height": height, "rx": layout.CORNER}
    for wide in (2, 6, 10):
        yield _tag("rect", **box, fill="none", stroke=SHADOW, stroke_width=wide, stroke_opacity=0.12)
    for fill in (layout.WOOD, "url(#mancala-grain)", "url(#mancala-light)"):
        yield _tag("rect", **box, fill=fill)


def _strokes(board: Board, points: list[tuple[int, int]]) -> Iterator[str]:
    """The lines between points."""
    if board.lines:
        path = "".join("M{} {}L{} {}".format(*points[one], *points[other]) for one, other in board.lines)
        yield _tag("path", d=path, stroke=layout.ENGRAVED, stroke_width=layout.STROKE)


def _point(board: Board, target: int, number: int, at: tuple[int, int], shape: int) -> str:
    """A point or slot with its men and its label. The clickable area is a square of side `target`."""
    point = board.spots[number]
    parts = [_box(target // 2, fill="none", pointer_events="all"), _bare(shape), *_elements(layout.on_point(point))]
    return _group(at, point_in_words(board, number), parts, f"point-{number}")


def _bare(shape: int) -> str:
    """A point, square, cell or slot without men."""
    if shape == layout.SQUARE:
        return _box(layout.POINT_PITCH // 2, fill=layout.ENGRAVED, fill_opacity=layout.SHADED / 255)
    if shape == layout.DOTTED:
        return _disc(layout.DOT, fill=layout.ENGRAVED)
    if shape == layout.SLOT:
        return _disc(layout.MAN, fill="none", stroke=layout.ENGRAVED, stroke_opacity=layout.FAINT / 255)
    cell = _box(layout.CELL_REACH, fill="none", stroke=layout.ENGRAVED)
    cross = _cross(
        layout.CELL_REACH, stroke=layout.ENGRAVED, stroke_opacity=layout.FAINT / 255, stroke_width=layout.STROKE
    )
    return cell + cross if shape == layout.CROSSED else cell


def _place(number: int, place: Place, at: tuple[float, float]) -> str:
    """A hollow with its contents, their count and its label."""
    middle, spot = (round(at[0]), round(at[1])), "data-tray" if place.tray else "data-spot"
    return _group(middle, place_in_words(place), _elements(layout.on_place(place, number)), f"place-{number}", spot)


def _arrow(board: Board, arrow: Arrow) -> str:
    """An arrow between places."""
    path = "M{:.4g} {:.4g}L{:.4g} {:.4g}L{:.4g} {:.4g}Z".format(*sum(layout.arrow_corners(board, arrow), ()))
    title = _tag("title", f"sowing runs {arrow_word(arrow)} here")
    return _tag("g", title, _tag("path", d=path, fill=layout.ENGRAVED), role="img")


def draw_throw(throw: Throw) -> str:
    """Draw a throw by itself as an SVG document."""
    width = layout.throw_width(throw)
    size = {"viewBox": f"-1 0 {width + 2} {layout.THROWS}", "width": width + 2, "height": layout.THROWS}
    return _tag("svg", _throw(0, 0, width, throw), xmlns="http://www.w3.org/2000/svg", **size, font_family=FONT)


def _throw(x: int, y: int, max_width: int, throw: Throw) -> str:
    """A throw, with its name below."""
    return _group((x, y), throw_in_words(throw), _elements(layout.on_throw(throw, max_width)))


def draw_disc(text: str, at: tuple[float, float]) -> str:
    """Draw a short text on a pale disc, such as the number of a place, as an element of an SVG document."""
    disc = _disc(layout.MAN, fill=PAPER, stroke=INK) + _text(0, 0, text, layout.HEADING + 2, 2 * layout.MAN - 6, INK)
    return _tag("g", disc, transform=f"translate({at[0]:.4g} {at[1]:.4g})")


# Shapes. Each function draws one around (x, y).


def _elements(shapes: Iterable[Placed]) -> list[str]:
    """The shapes, each as one or more elements."""
    return [ELEMENTS[type(shape)](x, y, **vars(shape)) for x, y, shape in shapes]


def _text(
    x: int, y: int, words: str, size: int, max_width: int, colour: Colour, centred: bool = True, kind: str = ""
) -> str:
    if not words:
        return ""
    words, size = fit_text(words, size, max_width, _width)
    where = {"x": x, "y": y + BASELINE * size} | ({"text-anchor": "middle"} if centred else {})
    named = {"class": kind} if kind else {}
    return _tag("text", escape(words), **named, **where, font_size=size, fill=colour)


def _width(text: str, size: int) -> float:
    """Estimated width of a text."""
    return LETTER_WIDTH * size * len(text)


def _hollow(x: int, y: int, length: int, rim: Colour, fill: layout.Shade, blind: bool, square: bool) -> str:
    reach, corner = layout.RADIUS, layout.SQUARE_CORNER if square else layout.RADIUS
    out = layout.RIM - 1
    edge = _pill(reach + out, length, corner + out, fill=rim, stroke=DARK, stroke_opacity=0.2)
    bowl = _pill(reach, length, corner, fill=fill)
    if blind:
        return edge + bowl + _cross(round(0.42 * reach), stroke=DARK, stroke_opacity=0.22, stroke_width=5)
    return edge + bowl + _pill(reach, length, corner, fill="url(#mancala-bowl)")


def _stone(x: int, y: int, radius: int, tint: Colour, kind: int) -> str:
    href = f"#mancala-pebble-{kind % KINDS}"
    if radius == layout.STONE:
        return _tag("use", href=href, x=x, y=y, fill=tint)
    return _tag("use", href=href, transform=f"translate({x} {y})scale({radius / layout.STONE:.3g})", fill=tint)


def _blocked(x: int, y: int) -> str:
    return _cross(layout.BLOCKED, stroke=layout.MARKED, stroke_width=2 * layout.MARK)


def _count(x: int, y: int, number: str, plate: layout.Shade) -> str:
    width, height = layout.plate_size(round(_width(number, layout.COUNT)))
    box = {"x": x - width / 2, "y": y - height / 2, "width": width, "height": height, "rx": height / 2}
    drawn = _tag("rect", **box, fill=plate, stroke=WHITE, stroke_width=1.5)
    return drawn + _text(x, y, number, layout.COUNT, width, WHITE, kind=layout.COUNTS)


def _man(x: int, y: int, letter: str, colour: Colour, marked: bool, scale: float) -> str:
    man = _disc(layout.MAN, fill="none", stroke=layout.MARKED, stroke_width=2 * layout.MARK) if marked else ""
    if letter:
        man += _tag("use", href="#mancala-man", fill=colour)
        man += _text(0, 0, letter, layout.LETTER, layout.MAN, layout.letter_colour(colour))
    move = f"translate({x} {y})" if x or y else ""
    shrink = f"scale({scale:.3g})" if scale != 1 else ""
    return _tag("g", man, transform=move + shrink) if move or shrink else man


def _dot(x: int, y: int, colour: Colour) -> str:
    return _disc(layout.MOVER_DOT, cx=x, cy=y, fill=colour)


def _shell(x: int, y: int, up: bool) -> str:
    shell = _oval(x, y, (0, 0, 1, 1), fill=layout.PEBBLES[0], stroke=INK)
    return shell + (_oval(x, y, layout.MOUTH, fill=INK) if up else _oval(x, y, layout.BACK, fill=WHITE))


def _die(x: int, y: int, side: int) -> str:
    width, height = layout.DIE
    left, top = x - width / 2, y - height / 2
    box = {"x": left + 0.5, "y": top + 0.5, "width": width - 1, "height": height - 1, "rx": 3}
    at = [(left + across * width, top + down * height) for across, down in layout.pips(side)]
    dots = (_disc(layout.PIP_RADIUS, cx=cx, cy=cy, fill=INK) for cx, cy in at)
    return _tag("rect", **box, fill=layout.PEBBLES[0], stroke=INK) + "".join(dots)


ELEMENTS: dict[type[Shape], Callable[..., str]] = {
    layout.Text: _text,
    layout.Hollow: _hollow,
    layout.Stone: _stone,
    layout.Cross: _blocked,
    layout.Count: _count,
    layout.Man: _man,
    layout.Dot: _dot,
    layout.Shell: _shell,
    layout.Die: _die,
}
"""The function that draws each shape."""


# Elements.


def _tag(name: str, *inside: str, **attributes: Any) -> str:
    """An element with its content. Underscores in attribute names become hyphens, (red, green, blue) values colours."""
    given = "".join(f' {key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(inside)}</{name}>" if inside else f"<{name}{given}/>"


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return hexadecimal(value)
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))


def hexadecimal(colour: Iterable[float]) -> str:
    """Return a (red, green, blue) colour in the hexadecimal notation of SVG and CSS."""
    return "#" + "".join(f"{round(part):02x}" for part in colour)


def _group(
    at: tuple[int, int], description: str, parts: list[str], spot: str = "", attribute: str = "data-spot"
) -> str:
    """A group of elements around `at` with a description; `spot` is the value of its `attribute`, "" for none."""
    spots = {attribute: spot} if spot else {}
    title = _tag("title", escape(description))
    return _tag("g", title, *parts, role="img", **spots, transform=f"translate({at[0]} {at[1]})")


def _disc(reach: float, **attributes: Any) -> str:
    return _tag("circle", r=reach, **attributes)


def _box(reach: int, **attributes: Any) -> str:
    """A square of side 2 * `reach`."""
    return _tag("rect", x=-reach, y=-reach, width=2 * reach, height=2 * reach, **attributes)


def _cross(reach: int, **attributes: Any) -> str:
    """The diagonals of a square."""
    return _tag("path", d=f"M{-reach} {-reach}L{reach} {reach}M{reach} {-reach}L{-reach} {reach}", **attributes)


def _pill(reach: int, length: int, corner: int, **attributes: Any) -> str:
    """A rectangle with round corners, which is a circle or has round ends if `corner` is `reach`."""
    half = reach + length / 2
    return _tag("rect", x=-reach, y=-half, width=2 * reach, height=2 * half, rx=corner, **attributes)


def _oval(x: int, y: int, box: tuple[float, ...], **attributes: Any) -> str:
    """An oval on the cowrie around (x, y); `box` is its left, top, right and bottom relative to the cowrie's size."""
    left, top, right, bottom = (part * side for part, side in zip(box, 2 * layout.SHELL, strict=True))
    middle = {"cx": x - layout.SHELL[0] / 2 + (left + right) / 2, "cy": y - layout.SHELL[1] / 2 + (top + bottom) / 2}
    return _tag("ellipse", **middle, rx=(right - left) / 2, ry=(bottom - top) / 2, **attributes)


# Definitions that every picture starts with: lighting from the upper left, the grain of the wood, pebbles and men.


def _gradient(name: str, where: Mapping[str, float], *stops: tuple[float, Colour, float]) -> str:
    """A radial or linear gradient through stops (offset, colour, opacity)."""
    drawn = (_tag("stop", offset=at, stop_color=colour, stop_opacity=much) for at, colour, much in stops)
    return _tag("radialGradient" if "r" in where else "linearGradient", *drawn, id=f"mancala-{name}", **where)


def _definitions() -> Iterator[str]:
    """The content of the `defs` element."""
    across, bowl, dome = {"x2": 1, "y2": 1}, {"cx": 0.58, "cy": 0.58, "r": 0.6}, {"cx": 0.32, "cy": 0.3, "r": 0.75}
    yield _gradient("light", across, (0, WHITE, 0.1), (0.5, WHITE, 0), (0.6, DARK, 0), (1, DARK, 0.1))
    yield _gradient("bowl", bowl, (0, DARK, 0), (0.5, DARK, 0.08), (0.8, DARK, 0.32), (1, DARK, 0.64))
    yield _gradient("dome", dome, (0, WHITE, 0.75), (0.3, WHITE, 0.15), (0.6, DARK, 0), (1, DARK, 0.38))
    yield _gradient("rise", across, (0.15, WHITE, 0.22), (0.5, WHITE, 0), (0.85, DARK, 0.3))
    veins = (
        _tag("path", d=f"M0 {y}q180 {bend} 360 0t360 0", stroke_opacity=much, stroke_width=width)
        for y, bend, much, width in VEINS
    )
    veined = _tag("g", *veins, fill="none", stroke=layout.ENGRAVED)
    yield _tag("pattern", veined, id="mancala-grain", width=720, height=210, patternUnits="userSpaceOnUse")
    for kind in range(KINDS):
        angle, flat = layout.pebble_shape(kind)
        oval = {"rx": layout.STONE, "ry": layout.STONE * flat, "transform": f"rotate({math.degrees(angle):.0f})"}
        yield _tag(
            "g",
            _disc(layout.STONE, cx=1.6, cy=2.2, fill=SHADOW, fill_opacity=0.4),
            _tag("ellipse", **oval),
            _disc(layout.STONE * flat, fill="url(#mancala-dome)"),
            id=f"mancala-pebble-{kind}",
        )
    yield _tag(
        "g",
        _disc(layout.MAN + 1, cx=1.6, cy=2.4, fill=SHADOW, fill_opacity=0.4),
        _disc(layout.MAN),
        _disc(layout.MAN - layout.GROOVE / 2, fill="none", stroke="url(#mancala-rise)", stroke_width=layout.GROOVE),
        _disc(layout.MAN - layout.GROOVE, fill="none", stroke=DARK, stroke_opacity=0.25, stroke_width=2),
        id="mancala-man",
    )


VEINS = (
    (12, 14, 0.10, 5),
    (30, 38, 0.05, 14),
    (55, 20, 0.11, 6),
    (70, 12, 0.06, 10),
    (96, -22, 0.09, 8),
    (118, -34, 0.05, 16),
    (140, -30, 0.10, 5),
    (163, -8, 0.07, 12),
    (190, 16, 0.09, 7),
)
"""The veins of the wood: y at the start, curvature, opacity and width of each."""
DEFINITIONS = _tag("defs", *_definitions())

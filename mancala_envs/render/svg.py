"""Draw a board as an SVG picture with the same layout as `picture`.

Every hole and every point is a group with the attribute `data-spot`, such as `place-3` or `point-3` for number 3 on the
board, and a `title` that describes it in words. Each group is on a line of its own, so two boards of a game differ only
in the lines of the spots that changed. All ids start with `mancala-` and mean the same in every picture, so a page can
contain several pictures.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from html import escape
from typing import Any

import numpy as np

from mancala_envs.core.board import Arrow, Board, Place, Throw
from mancala_envs.render.layout import (
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
    THROWS,
    WOOD,
    Colour,
    arrow_corners,
    board_box,
    captions,
    centres,
    drawn_men,
    fill_colour,
    fit_text,
    heading_at,
    label_offset,
    large_stones,
    length_of,
    letter_colour,
    measure,
    men_on,
    notes,
    pebble_shape,
    pebbles,
    pips,
    plate_size,
    player_colour,
    point_shapes,
    shows_count,
    target_size,
    throw_boxes,
    throw_width,
)

FONT = "Helvetica, Arial, sans-serif"
LETTER_WIDTH = 0.56
"""Average width of a letter relative to the font size; an estimate, because the viewer chooses the font."""
BASELINE = 0.36
"""Distance from the centre of a line of text down to its baseline, relative to the font size."""
WHITE, SHADOW, DARK = (255, 255, 255), (15, 15, 15), (0, 0, 0)
LABELS, COUNTS = "label", "count"
"""The class attributes of the labels of places and points and of the counts of places, for style sheets."""
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
        *(_write(words, at, NOTE, ENGRAVED, "start", width) for words, at in notes(board)),
        *map(partial(_point, board, target_size(board)), range(len(points)), points, point_shapes(board)),
        *(_place(i, place, at) for i, (place, at) in enumerate(zip(board.places, places, strict=True))),
        *(_arrow(board, arrow) for arrow in board.arrows),
        *_heading_and_captions(board),
        *(_throw(x, y, width, throw) for x, y, width, throw in throw_boxes(board)),
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
    if not shows_count(place):
        number = "out of play"
    parts = [f"{name}: {number}"]
    if place.large:
        parts.append(f"{place.large} large stone{'s' * (place.large > 1)}")
    if place.mark >= 0:
        parts.append(f"marked as player_{place.mark}'s")
    if place.blind and shows_count(place):
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
    men = men_on(point) if point.piece else []
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
    x, y, width, height = board_box(board)
    box = {"x": x, "y": y, "width": width, "height": height, "rx": CORNER}
    for wide in (2, 6, 10):
        yield _tag("rect", **box, fill="none", stroke=SHADOW, stroke_width=wide, stroke_opacity=0.12)
    for fill in (WOOD, "url(#mancala-grain)", "url(#mancala-light)"):
        yield _tag("rect", **box, fill=fill)


def _strokes(board: Board, points: list[tuple[int, int]]) -> Iterator[str]:
    """The lines between points."""
    if board.lines:
        path = "".join("M{} {}L{} {}".format(*points[one], *points[other]) for one, other in board.lines)
        yield _tag("path", d=path, stroke=ENGRAVED, stroke_width=STROKE)


def _point(board: Board, target: int, number: int, at: tuple[int, int], shape: int) -> str:
    """A point or slot with its men and its label. The clickable area is a square of side `target`."""
    point = board.spots[number]
    parts = [_box(target // 2, fill="none", pointer_events="all"), _bare(shape)]
    if point.piece or point.marked:
        parts += [_man(point.marked, *man) for man in drawn_men(point)]
    parts.append(_write(point.label, label_offset(point), NUMBER, ENGRAVED, "middle", POINT_PITCH // 2, LABELS))
    return _group(at, point_in_words(board, number), parts, f"point-{number}")


def _bare(shape: int) -> str:
    """A point, square, cell or slot without men."""
    if shape == SQUARE:
        return _box(POINT_PITCH // 2, fill=ENGRAVED, fill_opacity=SHADED / 255)
    if shape == DOTTED:
        return _disc(DOT, fill=ENGRAVED)
    if shape == SLOT:
        return _disc(MAN, fill="none", stroke=ENGRAVED, stroke_opacity=FAINT / 255)
    cell = _box(CELL_REACH, fill="none", stroke=ENGRAVED)
    cross = _cross(CELL_REACH, stroke=ENGRAVED, stroke_opacity=FAINT / 255, stroke_width=STROKE)
    return cell + cross if shape == CROSSED else cell


def _man(marked: bool, letter: str, player: int, dx: int, dy: int, scale: float) -> str:
    """A disc in the colour of the player with a letter, in a bright ring if marked; without a letter, only the ring."""
    man = _disc(MAN, fill="none", stroke=MARKED, stroke_width=2 * MARK) if marked else ""
    if letter:
        man += _tag("use", href="#mancala-man", fill=player_colour(player))
        man += _write(letter, (0, 0), LETTER, letter_colour(player), "middle", MAN)
    move = f"translate({dx} {dy})" if dx or dy else ""
    shrink = f"scale({scale:.3g})" if scale != 1 else ""
    return _tag("g", man, transform=move + shrink) if move or shrink else man


def _place(number: int, place: Place, at: tuple[float, float]) -> str:
    """A hollow with its contents, their count and its label."""
    length = round(length_of(place))
    rim = {"fill": player_colour(place.owner), "stroke": DARK, "stroke_opacity": 0.2}
    corner = SQUARE_CORNER if place.square else RADIUS
    parts = [
        _pill(RADIUS + RIM - 1, length, corner + RIM - 1, **rim),
        _pill(RADIUS, length, corner, fill=fill_colour(place.mark, place.blind)),
    ]
    if place.blind:
        parts.append(_cross(round(0.42 * RADIUS), stroke=DARK, stroke_opacity=0.22, stroke_width=5))
    else:
        parts.append(_pill(RADIUS, length, corner, fill="url(#mancala-bowl)"))
    for x, y, tint, kind in pebbles(max(0, place.pieces), length, number):
        parts.append(_tag("use", href=f"#mancala-pebble-{kind}", x=x, y=y, fill=tint))
    for kind, (x, y) in enumerate(large_stones(place)):
        grown = f"translate({x} {y})scale({LARGE_STONE / STONE:.3g})"
        parts.append(_tag("use", href=f"#mancala-pebble-{kind % KINDS}", transform=grown, fill=LARGE))
    if place.blocked:
        parts.append(_cross(BLOCKED, stroke=MARKED, stroke_width=2 * MARK))
    lower = length // 2 + RADIUS
    if shows_count(place):
        parts.append(_number(str(place.pieces), lower - PLATE_RISE, place.owner))
    parts.append(_write(place.label, (0, lower + LABEL_FALL), LABEL, ENGRAVED, "middle", PITCH[0], LABELS))
    middle = round(at[0]), round(at[1])
    return _group(middle, place_in_words(place), parts, f"place-{number}", "data-tray" if place.tray else "data-spot")


def _arrow(board: Board, arrow: Arrow) -> str:
    """An arrow between places."""
    path = "M{:.4g} {:.4g}L{:.4g} {:.4g}L{:.4g} {:.4g}Z".format(*sum(arrow_corners(board, arrow), ()))
    title = _tag("title", f"sowing runs {arrow_word(arrow)} here")
    return _tag("g", title, _tag("path", d=path, fill=ENGRAVED), role="img")


def _number(number: str, y: int, owner: int) -> str:
    """A count on a plate in the colour of the rim."""
    width, height = plate_size(round(_width(number, COUNT)))
    box = {"x": -width / 2, "y": y - height / 2, "width": width, "height": height, "rx": height / 2}
    dark = PLATE * np.array(player_colour(owner))
    return _tag("rect", **box, fill=dark, stroke=WHITE, stroke_width=1.5) + _write(
        number, (0, y), COUNT, WHITE, "middle", width, COUNTS
    )


def _heading_and_captions(board: Board) -> Iterator[str]:
    """The heading and the captions."""
    width, _, _ = measure(board)
    dot, (x, y) = heading_at(board)
    if board.heading and dot is not None:
        yield _disc(MOVER_DOT, cx=dot, cy=y, fill=player_colour(board.to_move))
    yield _write(board.heading, (x, y), HEADING, INK, "start", width - x - MARGIN)
    for line, middle in captions(board):
        yield _write(line, (MARGIN + 6, middle), CAPTION, INK, "start", width - 2 * MARGIN - 12)


def draw_throw(throw: Throw) -> str:
    """Draw a throw by itself as an SVG document."""
    width = throw_width(throw)
    size = {"viewBox": f"-1 0 {width + 2} {THROWS}", "width": width + 2, "height": THROWS}
    return _tag("svg", _throw(0, 0, width, throw), xmlns="http://www.w3.org/2000/svg", **size, font_family=FONT)


def _throw(x: int, y: int, max_width: int, throw: Throw) -> str:
    """The cowries and dice of a throw side by side, with its name below."""
    parts = []
    for i, up in enumerate(throw.shells):
        left = i * SHELL_PITCH
        parts.append(_oval(left, (0, 0, 1, 1), fill=PEBBLES[0], stroke=INK))
        parts.append(_oval(left, MOUTH, fill=INK) if up else _oval(left, BACK, fill=WHITE))
    for i, side in enumerate(throw.dice):
        left, (width, height) = i * DIE_PITCH, DIE
        box = {"x": left + 0.5, "y": DIE_TOP + 0.5, "width": width - 1, "height": height - 1, "rx": 3}
        parts.append(_tag("rect", **box, fill=PEBBLES[0], stroke=INK))
        for across, down in pips(side):
            parts.append(_disc(PIP_RADIUS, cx=left + across * width, cy=DIE_TOP + down * height, fill=INK))
    parts.append(_write(throw.label, (0, THROW_NAME), CAPTION, INK, "start", max_width))
    return _group((x, y), throw_in_words(throw), parts)


def draw_disc(text: str, at: tuple[float, float]) -> str:
    """Draw a short text on a pale disc, such as the number of a place, as an element of an SVG document."""
    disc = _disc(MAN, fill=PAPER, stroke=INK) + _write(text, (0, 0), HEADING + 2, INK, "middle", 2 * MAN - 6)
    return _tag("g", disc, transform=f"translate({at[0]:.4g} {at[1]:.4g})")


# Elements.


def _tag(name: str, *inside: str, **attributes: Any) -> str:
    """An element with its content. Underscores in attribute names become hyphens, (red, green, blue) values colours."""
    given = "".join(f' {key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(inside)}</{name}>" if inside else f"<{name}{given}/>"


def _value(value: Any) -> str:
    if isinstance(value, tuple | np.ndarray):
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


def _write(text: str, at: tuple[int, int], size: int, colour: Colour, side: str, max_width: int, kind: str = "") -> str:
    """A line of text, see `picture.write`; `side` is the SVG attribute `text-anchor`, `kind` the class."""
    if not text:
        return ""
    text, size = fit_text(text, size, max_width, _width)
    where = {"x": at[0], "y": at[1] + BASELINE * size} | ({"text-anchor": side} if side != "start" else {})
    named = {"class": kind} if kind else {}
    return _tag("text", escape(text), **named, **where, font_size=size, fill=colour)


def _width(text: str, size: int) -> float:
    """Estimated width of a text."""
    return LETTER_WIDTH * size * len(text)


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


def _oval(x: int, box: tuple[float, ...], **attributes: Any) -> str:
    """An oval on the cowrie at x; `box` is its left, top, right and bottom relative to the cowrie's size."""
    left, top, right, bottom = (part * side for part, side in zip(box, 2 * SHELL, strict=True))
    middle = {"cx": x + (left + right) / 2, "cy": SHELL_TOP + (top + bottom) / 2}
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
    veined = _tag("g", *veins, fill="none", stroke=ENGRAVED)
    yield _tag("pattern", veined, id="mancala-grain", width=720, height=210, patternUnits="userSpaceOnUse")
    for kind in range(KINDS):
        angle, flat = pebble_shape(kind)
        oval = {"rx": STONE, "ry": STONE * flat, "transform": f"rotate({np.degrees(angle):.0f})"}
        yield _tag(
            "g",
            _disc(STONE, cx=1.6, cy=2.2, fill=SHADOW, fill_opacity=0.4),
            _tag("ellipse", **oval),
            _disc(STONE * flat, fill="url(#mancala-dome)"),
            id=f"mancala-pebble-{kind}",
        )
    yield _tag(
        "g",
        _disc(MAN + 1, cx=1.6, cy=2.4, fill=SHADOW, fill_opacity=0.4),
        _disc(MAN),
        _disc(MAN - GROOVE / 2, fill="none", stroke="url(#mancala-rise)", stroke_width=GROOVE),
        _disc(MAN - GROOVE, fill="none", stroke=DARK, stroke_opacity=0.25, stroke_width=2),
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

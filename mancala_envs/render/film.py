"""Games that were played, as a page to step through in any browser or in a notebook.

The page, film.html with the boards put into it, loads nothing from elsewhere and asks nobody, unlike the board in the
browser, `mancala_envs.play`, whose page plays with a program; both look alike by look.css. A line of SVG that several
boards share, such as that of a hole in which nothing happens, is in it once.
"""

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

from mancala_envs.core.board import Board, with_last_moves
from mancala_envs.render.layout import measure
from mancala_envs.render.svg import draw_svg

HEIGHTS = (420, 720)
"""Pixels of a notebook that a film takes up, at least and at most."""


class Film(NamedTuple):
    """One game from board to board. `told`: what led to each of them, in words, the first included."""

    title: str
    boards: Sequence[Board]
    told: Sequence[str]


def draw_film(films: Sequence[Film]) -> str:
    """An HTML page with at least one film. ValueError where there is none, or boards and words are not as many."""
    if not films:
        raise ValueError("there must be at least one film")
    lines: dict[str, int] = {}
    shown = []
    for title, boards, told in films:
        if len(boards) != len(told):
            raise ValueError(f"film {title!r} has {len(boards)} boards, but words for {len(told)}")
        numbers = [by_lines(board, lines) for board in with_last_moves(boards)]
        shown.append({"title": title, "told": list(told), "boards": numbers})
    # A script ends where its closing tag stands, even in a string.
    data = json.dumps({"lines": list(lines), "films": shown}, separators=(",", ":")).replace("</", "<\\/")
    page = files("mancala_envs.render").joinpath("film.html").read_text("utf-8")
    return page.replace("#STYLE#", look()).replace("#DATA#", data)


def by_lines(board: Board, lines: dict[str, int]) -> list[int]:
    """The SVG of a board by the numbers of its lines; what is not in `lines` yet comes to its end."""
    return [lines.setdefault(line, len(lines)) for line in draw_svg(board).splitlines()]


def look() -> str:
    """The style of a page around boards."""
    return files("mancala_envs.render").joinpath("look.css").read_text("utf-8")


def film_in_notebook(film: Film) -> str:
    """The page with one film as a part of another page, of which it takes no room but its own."""
    _, height, _ = measure(film.boards[0])
    style = f"width:100%;height:{max(HEIGHTS[0], min(height + 32, HEIGHTS[1]))}px;border:0"
    return f'<iframe srcdoc="{escape(draw_film([film]))}" title="{escape(film.title)}" style="{style}"></iframe>'

"""Recorded games as an HTML page to step through, in a browser or a notebook.

The page is `film.html` with the boards embedded. It loads nothing and needs no server, unlike the page of
`mancala_envs.play`; both share the style in `shared.css`. An SVG line that several boards share, such as that of an
unchanged hole, is embedded once.
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
"""Minimum and maximum height of a film in a notebook, in pixels."""


class Film(NamedTuple):
    """One game as a sequence of boards.

    Attributes:
        title: title of the game.
        boards: the board at the start and after every decision.
        descriptions: for each board, the decision that led to it, in words; the first describes the start.
        result: the result in words, "" if the game is not over.
    """

    title: str
    boards: Sequence[Board]
    descriptions: Sequence[str]
    result: str = ""


def draw_film(films: Sequence[Film]) -> str:
    """Return an HTML page that shows films.

    Args:
        films: at least one film.

    Raises:
        ValueError: if there is no film, or a film has different numbers of boards and descriptions.
    """
    if not films:
        raise ValueError("there must be at least one film")
    lines: dict[str, int] = {}
    shown = []
    for title, boards, descriptions, result in films:
        if len(boards) != len(descriptions):
            raise ValueError(f"film {title!r} has {len(boards)} boards, but {len(descriptions)} descriptions")
        numbers = [line_numbers(board, lines) for board in with_last_moves(boards)]
        words = [*descriptions[:-1], ". ".join(filter(None, (*descriptions[-1:], result)))]
        shown.append({"title": title, "descriptions": words, "boards": numbers})
    # HTML ends a script at its closing tag, even within a string.
    data = json.dumps({"lines": list(lines), "films": shown}, separators=(",", ":")).replace("</", "<\\/")
    page = files("mancala_envs.render").joinpath("film.html").read_text("utf-8")
    return page.replace("#STYLE#", shared_style()).replace("#DATA#", data)


def line_numbers(board: Board, lines: dict[str, int]) -> list[int]:
    """Return the SVG of a board as a list of line numbers.

    Args:
        board: the board to draw.
        lines: the number of every known SVG line; new lines are added with the next numbers.
    """
    return [lines.setdefault(line, len(lines)) for line in draw_svg(board).splitlines()]


def shared_style() -> str:
    """Return the CSS that all pages with boards share."""
    return files("mancala_envs.render").joinpath("shared.css").read_text("utf-8")


def film_in_notebook(film: Film) -> str:
    """Return an HTML element that shows one film within a notebook."""
    _, height, _ = measure(film.boards[0])
    style = f"width:100%;height:{max(HEIGHTS[0], min(height + 32, HEIGHTS[1]))}px;border:0"
    return f'<iframe srcdoc="{escape(draw_film([film]))}" title="{escape(film.title)}" style="{style}"></iframe>'

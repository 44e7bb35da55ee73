"""The empty board of a game with the numbers of its places, as actions and positions name them."""

from dataclasses import replace

from mancala_envs.core.board import Board
from mancala_envs.game import Game
from mancala_envs.render.layout import centres
from mancala_envs.render.svg import draw_disc, draw_svg


def draw_numbered(game: Game) -> tuple[str, str]:
    """Return the empty board with the numbers that people see as an SVG document, and what the numbers are."""
    board, numbers, _ = numbered_places(game)
    drawn = game.board(game.init(1, seed=1))
    labels = [spot.label for spot in (drawn.points or drawn.places)[: len(numbers)]]
    if any(labels):
        numbers, words = labels, "The numbers on the board, which also name the choices."
    else:
        words = "The places on the track of player_0, as explanations and captions number them."
    at = centres(board)[bool(board.points)]
    discs = "\n".join(draw_disc(number, middle) for number, middle in zip(numbers, at, strict=True) if number)
    return draw_svg(board).replace("</svg>", f"{discs}\n</svg>"), words


def numbered_places(game: Game) -> tuple[Board, list[str], str]:
    """Return the empty board of a game, the number of each of its places or points, and what the numbers are."""
    state = game.init(1, seed=1)
    board = game.board(state)
    if "pieces" in game.position_fields:
        numbers, words = track_numbers(game), "The places on the track of player_0, as numbered in `pieces`."
    elif board.points:
        numbers, words = list(map(str, range(len(board.points)))), "The points, as numbered in actions and in `board`."
    else:
        numbers, words = list(map(str, range(state["holes"].size))), "The holes, as numbered in `holes`."
    holes = () if board.points else board.places[: len(numbers)]
    empty = Board(
        places=tuple(replace(hole, pieces=0, large=0, label="", blind=True) for hole in holes),
        points=tuple(
            replace(point, piece="", player=-1, others=(), label="", numbers=(), marked=False) for point in board.points
        ),
        lines=board.lines,
    )
    return empty, numbers, words


def track_numbers(game: Game) -> list[str]:
    """Return the place numbers of each cell, found by putting a piece of player 0 on each place of the track."""
    state = game.init(1, seed=1)
    state["pieces"] = 0
    names: list[list[str]] = [[] for _ in game.board(state).points]
    for place in range(1, game.observation_fields[0].high):
        state["pieces"][0, 0, 0] = place
        (cell,) = (i for i, point in enumerate(game.board(state).points) if point.piece)
        names[cell].append(str(place))
    return ["/".join(name) for name in names]

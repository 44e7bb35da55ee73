"""Descriptions of placing, steps, jumps and rows of three for `Game.explain`; see `core.explanation`."""

from typing import Any

from mancala_envs.core.binding import in_python
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.families.points.mills import ROWS
from mancala_envs.families.points.verbs import jump, lay, makes_row, move_man, remove


def _jumps(before: Any, s: Any, neighbours: Any, point: int, direction: int) -> str:
    over = neighbours[point, direction]
    return f"jumps from point {point} to point {neighbours[over, direction]} and captures on point {over}"


STEPS_AND_JUMPS: Descriptions = {
    lay: lambda before, s, point, man: f"places a piece on point {point}",
    move_man: lambda before, s, start, end: f"moves from point {start} to point {end}",
    jump: Summary(_jumps),
}


def _row(s: Any, point: int) -> str:
    """Return a remark if the man on `point` is part of a row, otherwise ""."""
    return " and makes a row" if in_python(makes_row)(s, ROWS[s.corners], point, s.board[point]) else ""


MILLS: Descriptions = {
    lay: lambda before, s, point, man: f"lays a piece on point {point}{_row(s, point)}",
    move_man: lambda before, s, start, end: f"moves from point {start} to point {end}{_row(s, end)}",
    remove: lambda before, s, point: f"removes the piece on point {point}",
}

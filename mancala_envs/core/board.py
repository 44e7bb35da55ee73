"""What a board looks like, as plain data: a game describes it, `render` draws it as text or picture."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where pieces lie. `x`, `y` are its centre in widths of a place, y downwards; a tray may be `height` rows long."""

    x: float
    y: float
    pieces: int
    """How many. It may be below 0 in a tray, where somebody owes pieces; then only the number is drawn."""
    label: str = ""
    owner: int = -1
    """Player whose colour the rim has; -1 none."""
    mark: int = -1
    """Player whose colour fills the place, which he captured, say; -1 none."""
    height: float = 1.0
    tray: bool = False
    """Beside the board, for what a player has put aside."""
    large: int = 0
    """Large pieces, besides the others."""
    blind: bool = False
    """Out of play: drawn filled up."""


@dataclass(frozen=True)
class Board:
    """All places, and lines of words above and below."""

    places: tuple[Place, ...]
    heading: str = ""
    captions: tuple[str, ...] = ()
    """As many lines at any time of a game, so that its pictures are all of one size."""
    to_move: int = -1
    """Player whose colour stands beside the heading; -1 none."""


def heading(s: Any) -> str:
    """Round, turn and who is to move, or how it ended."""
    if s.to_move >= 0:
        now = f"player_{s.to_move} to move"
    else:
        now = "draw" if s.winner < 0 else f"player_{s.winner} wins"
    round_number = f"round {s.round_number}, " if s.round_number > 1 else ""
    return f"{round_number}turn {s.turn}, {now}"

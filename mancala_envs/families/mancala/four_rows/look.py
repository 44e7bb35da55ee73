"""Drawing, observation, actions and checks of boards of four rows."""

from collections.abc import Sequence
from typing import Any

from mancala_envs.core.board import Arrow, Board, Place, heading
from mancala_envs.core.observation import CLOCK, Columns, observe_clock
from mancala_envs.core.options import require
from mancala_envs.core.rule import rule
from mancala_envs.core.symmetry import Turned
from mancala_envs.core.tale import Tells, Whole
from mancala_envs.families.mancala.four_rows.rings import capture_pair
from mancala_envs.families.mancala.told import captured, emptied, sowing

# The board.


def spot(columns: int, player: int, k: int) -> tuple[float, float]:
    """Return x and y of relative hole `k`, with player 0's rows below."""
    x, y = (k, 3) if k < columns else (2 * columns - 1 - k, 2)
    return (columns - 1 - x, 3 - y) if player else (x, y)


def four_rows(
    s: Any,
    marks: Sequence[int] = (),
    beside: Sequence[Place] = (),
    captions: Sequence[str] = (),
    arrows: Sequence[Arrow] = (),
) -> Board:
    """Draw the rows of both players, with relative holes as labels.

    Args:
        s: the record of the game.
        marks: holes that are filled with the colour of the player to move.
        beside: trays beside the board.
        captions: further lines of text below the board.
        arrows: the directions of sowing.
    """
    ring = len(s.holes) // 2
    places = []
    for hole in range(2 * ring):
        player, k = divmod(hole, ring)
        x, y = spot(ring // 2, player, k)
        mark = int(s.to_move) if hole in marks else -1
        places.append(Place(x, y, int(s.holes[hole]), str(k), player, mark=mark))
    whose = "rows of player_1 above, of player_0 below"
    return Board((*places, *beside), heading(s), (whose, *captions), int(s.to_move), arrows=tuple(arrows))


def around(columns: int, player: int, clockwise: bool) -> tuple[Arrow, Arrow]:
    """Return the arrows at both ends of a player's rows, in the direction of sowing."""
    y, up = (0.5 if player else 2.5), (1 if clockwise else -1)
    return Arrow(-0.5, y, 0, -up), Arrow(columns - 0.5, y, 0, up)


# What players see.


def ring_columns(ring: int, seeds: int) -> list[Columns]:
    """Return the columns that `observe_rings` writes."""
    where = "the outer row left to right, then the inner row right to left, as its player sees it"
    return [
        Columns("own_hole", seeds, f"seeds in the own holes: {where}", place=range(ring)),
        Columns("other_hole", seeds, f"seeds in the other player's holes: {where}", place=range(ring, 2 * ring)),
        *CLOCK,
    ]


@rule(inline=True)
def observe_rings(s, p, out):
    """Write the holes from the view of player p, and the clock."""
    ring = len(out.own_hole)
    for k in range(ring):
        out.own_hole[k] = s.holes[ring * p + k]
        out.other_hole[k] = s.holes[ring * (1 - p) + k]
    observe_clock(s, p, s.max_turns, out)


def other_ring(ring: int) -> Turned:
    """Return the numbering of holes by player 1, whose own ring comes first."""
    return Turned([*range(ring, 2 * ring), *range(ring)], {})


# Words.


RINGS: Tells = {
    **sowing(),
    capture_pair: Whole(lambda before, s, inner: captured(before, emptied(before, s))),
}
"""Words for the verbs of `rings`."""


# Positions.


def check_end(s: Any) -> None:
    """Check the fields of a position that only the end of a game changes.

    Raises:
        ValueError: if they do not fit.
    """
    over = s.to_move < 0
    require(s.outright <= (over and s.winner >= 0), "outright must be 0, or 1 in a game that is over and has a winner")

"""Drawing, observation, actions and checks of boards of four rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from mancala_envs.core.board import Arrow, Board, Place, heading
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.observation import CLOCK, Columns, observe_clock
from mancala_envs.core.options import require
from mancala_envs.core.rule import rule
from mancala_envs.core.symmetry import BoardMap
from mancala_envs.families.mancala.explanation import captured, emptied, sowing
from mancala_envs.families.mancala.four_rows.rings import DIRECTIONS, NOWHERE, capture_pair

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
    squares: Sequence[int] = (),
    blocked: Sequence[int] = (),
) -> Board:
    """Draw the rows of both players, with relative holes as labels.

    Args:
        s: the record of the game.
        marks: holes that are filled with the colour of the player to move.
        beside: trays beside the board.
        captions: further lines of text below the board.
        arrows: the directions of sowing.
        squares: holes that are drawn as squares.
        blocked: holes that may not be emptied.
    """
    ring = len(s.holes) // 2
    places = []
    for hole in range(2 * ring):
        player, k = divmod(hole, ring)
        x, y = spot(ring // 2, player, k)
        mark = int(s.to_move) if hole in marks else -1
        drawn = {"square": hole in squares, "blocked": hole in blocked}
        places.append(Place(x, y, int(s.holes[hole]), str(k), player, mark=mark, **drawn))
    whose = "rows of player_1 above, of player_0 below"
    return Board((*places, *beside), heading(s), (whose, *captions), int(s.to_move), arrows=tuple(arrows))


def trays(columns: int, seeds: Sequence[int], label: str) -> tuple[Place, Place]:
    """Return a tray for seeds of each player: player 0's on the right, player 1's on the left."""
    return (
        Place(columns + 0.3, 2.5, int(seeds[0]), f"P0 {label}", 0, tray=True),
        Place(-1.3, 0.5, int(seeds[1]), f"P1 {label}", 1, tray=True),
    )


def around(columns: int, player: int, clockwise: bool) -> tuple[Arrow, Arrow]:
    """Return the arrows at both ends of a player's rows, in the direction of sowing."""
    y, up = (0.5 if player else 2.5), (1 if clockwise else -1)
    return Arrow(-0.5, y, 0, -up), Arrow(columns - 0.5, y, 0, up)


# Observations.


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


def at_columns(ring: int, meaning: str) -> Columns:
    """Return the columns that `observe_at` writes."""
    return Columns("at", 1, meaning, place=range(ring))


@rule(inline=True)
def observe_at(s, out):
    """Write 1 in the column of the hole at which the player to move chooses, and 0 in the others."""
    ring = len(out.at)
    for k in range(ring):
        out.at[k] = s.at >= 0 and s.at % ring == k


def mirror(columns: int) -> BoardMap:
    """Return the mirror image of the board, which exchanges the directions of sowing."""
    ring = [columns - 1 - k if k < columns else 3 * columns - 1 - k for k in range(2 * columns)]
    return BoardMap([*ring, *(2 * columns + k for k in ring)], dict(zip(DIRECTIONS, DIRECTIONS[::-1], strict=True)))


# Words.


RINGS: Descriptions = {**sowing(), capture_pair: Summary(lambda before, s, inner: captured(before, emptied(before, s)))}
"""Descriptions of what the rules in `rings` do."""


# Positions.


def check_end(s: Any) -> None:
    """Check the fields of a position that only the end of a game changes.

    Raises:
        ValueError: if they do not fit.
    """
    over = s.to_move < 0
    require(s.outright <= (over and s.winner >= 0), "outright must be 0, or 1 in a game that is over and has a winner")


def check_at(s: Any, options: Mapping[str, Any], phases: Sequence[int]) -> None:
    """Check the fields of a choice within a turn, which is made in `phases` only.

    Raises:
        ValueError: if they do not fit.
    """
    ring = len(s.holes) // 2
    if s.phase in phases:
        own = f"{ring * s.to_move}..{ring * s.to_move + ring - 1}"
        require(s.at // ring == s.to_move, f"at must be a hole of the player to move, {own}, in phase {s.phase}")
        require(0 <= s.laps < options["max_laps"], f"laps must lie in 0..{options['max_laps'] - 1}")
    else:
        require(s.at == NOWHERE, f"at must be -1 in phase {s.phase}")
        require(s.laps == 0, f"laps must be 0 in phase {s.phase}")

"""Pairs: two pieces that one move sends back from one cell can enter together by one throw.

`s.pairs[r]` is the number of pairs of row r that wait to enter.

Source: H. Parker, *Ancient Ceylon*, 1909, pp. 614-616 (Asi Keliya).
"""

from typing import Any

from mancala_envs.core.observation import Columns
from mancala_envs.core.options import require
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.races.contract import are_opponents
from mancala_envs.families.races.tracks import WAITING
from mancala_envs.families.races.verbs import first_waiting, row_after, row_of, send_back, strike_cell


@rule(inline=True)
def arrive_together(s, k, place):
    """Move a piece and send back opponents as `arrive` does, and count the pairs sent back."""
    r = row_of(s, s.to_move)
    s.pieces[r, k] = place
    here = strike_cell(s, r, k)
    for other in range(1, len(s.pieces)):
        q = row_after(s, r, other)
        if are_opponents(s, r, q):
            s.pairs[q] += send_back(s, q, here) // 2


@rule(inline=True)
def enter_together(s, k, place):
    """Enter piece k of the player to move on `place`, and the next waiting piece with it if the player has a pair."""
    r = row_of(s, s.to_move)
    if s.pairs[r] > 0:
        s.pairs[r] -= 1
        arrive_together(s, first_waiting(s, r, k), place)
    arrive_together(s, k, place)


def field(rows: int) -> Field:
    """Return the field `pairs`."""
    return Field("pairs", "u1", "pairs of waiting pieces that may enter together, by player", (rows,))


def columns(rows: int, pieces: int) -> Columns:
    """Return the columns that `observe` writes, for numbers of rows and of pieces in a row."""
    meaning = "pairs that may enter together, in the order of turns, the observing player's first"
    return Columns("pairs", max(1, pieces // 2), meaning, each=range(rows))


@rule(inline=True)
def observe(s, p, out):
    """Write the number of pairs of each player."""
    rows = len(s.pieces)
    for after in range(rows):
        out.pairs[after] = s.pairs[(row_of(s, p) + after) % rows]


def check(s: Any) -> None:
    """Check that there are enough waiting pieces for the pairs.

    Raises:
        ValueError: If there are too few.
    """
    for r, pieces in enumerate(s.pieces):
        most = int((pieces == WAITING).sum()) // 2
        require(s.pairs[r] <= most, f"player {r} has at most {most} pairs waiting, got {s.pairs[r]}")


def note(s: Any) -> str:
    """Return a caption with the number of pairs of each player."""
    return f"pairs: {s.pairs.tolist()}"

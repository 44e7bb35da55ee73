"""Recorded games of Togyz Kumalak and Bestemshe in the notation of PlayStrategy.

A move names the hole lifted and the hole of the last seed. South's holes are a1, b1, ... from the left; a2 lies above
a1, so North's first hole has the last letter.
"""

import re

LETTERS = "abcdefghi"


def ring_hole(name, columns):
    """Return the index on the ring of a hole such as "e2"."""
    column = LETTERS.index(name[0])
    return column if name[1] == "1" else 2 * columns - 1 - column


def last_hole(lines, mover, columns):
    """Return the hole of the last seed by the lines of `Game.explain`."""
    (sown,) = [line for line in lines if line.startswith("sows ")]
    row, number = re.search(r"(own|other) hole (\d+)$", sown).groups()
    return int(number) + columns * (mover if row == "own" else 1 - mover)


def replay(game, moves):
    """Play recorded moves from the start, and check that each is the mover's and ends where it says."""
    columns, states = game.options["columns"], game.init(1, 0)
    for move in moves.split():
        mover = int(states[0].to_move)
        row, action = divmod(ring_hole(move[:2], columns), columns)
        assert row == mover, move
        assert last_hole(game.explain(states, action), mover, columns) == ring_hole(move[2:], columns), move
        game.step(states, [action])
    return states[0]

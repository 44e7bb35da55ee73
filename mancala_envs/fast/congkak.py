"""Congkak on words: while no hole is burnt, laps are read from a table; all holes of a row are tested at once."""

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.bits import count_bits, gather, low_bits, nonzero_flags
from mancala_envs.core.book import Fast
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.laps import LAP_SEEDS, MOST_PACKED_COLUMNS, add, byte_of, lap_table, stack
from mancala_envs.families.mancala.words import are_adjacent, row_of
from mancala_envs.games import congkak
from mancala_envs.games.congkak import BURN, in_own_row, shoot
from mancala_envs.games.congkak import sow_on as plain_sow_on


def circuit(columns, way, player):
    """Return the bytes of a player's circuit, beginning with their store; `way` is 0 clockwise and 1 anticlockwise."""
    own, other = (list(range(p * columns, (p + 1) * columns)) for p in (player, 1 - player))
    holes = [*other, *own] if way else [*other[::-1], *own[::-1]]
    return [2 * columns + player, *holes]


_CIRCUITS = [
    circuit(columns, way, player)
    for columns in range(max(MOST_PACKED_COLUMNS, 0) + 1)
    for way in (0, 1)
    for player in (0, 1)
]
"""The circuits, by number: 4 * columns + 2 * way + player."""
LAPS = stack([lap_table(order) for order in _CIRCUITS])
"""`[circuit, place, seeds]`: the changes of both words by a lap, see `lap_table`."""
BYTES = np.array([np.resize(order, 16 + LAP_SEEDS) for order in _CIRCUITS], np.uint8)
"""`[circuit, place]`: the byte of a place; places past the end of the circuit start again at its beginning."""
PLACES = np.array([[order.index(byte) if byte in order else 0 for byte in range(16)] for order in _CIRCUITS], np.uint8)
"""`[circuit, byte]`: the place of a byte."""


@rule(inline=True)
def row_bits(s, p):
    """Return the holes of player p's row that hold seeds, as bits."""
    return gather(nonzero_flags(row_of(s.holes_word[0], s.holes_word[1], len(s.holes) // 2, p)))


@rule(inline=True)
def legal_word(s, word):
    """`congkak.legal` of all actions at once."""
    return plain_legal_word(s, word) if s.phase == BURN else row_bits(s, s.to_move & 1)


@rule
def holes_with_seeds(s):
    """`congkak.holes_with_seeds`."""
    return count_bits(row_bits(s, s.to_move & 1))


@rule
def is_burnt(s):
    """Return whether any hole is burnt."""
    bits = 8 * len(s.holes)
    return (s.burnt_word[0] & low_bits(bits) | s.burnt_word[1] & low_bits(bits - 64)) != 0


@rule
def sow_on(s, hole):
    """`congkak.sow_on`. The plain rule goes on where the table ends, and plays the last lap that is allowed."""
    if is_burnt(s):
        return plain_sow_on(s, hole)
    way = (2 * len(s.holes) + 2 * s.direction + s.to_move) & 31
    low, high = s.holes_word[0], s.holes_word[1]
    laps = np.int64(s.laps)
    place = np.int64(PLACES[way, hole & 15])
    seeds = byte_of(low, high, hole)
    relays = True
    while relays and seeds < LAP_SEEDS and laps < s.max_laps - 1:
        low, high = add(low, LAPS[way, place, seeds, 0]), add(high, LAPS[way, place, seeds, 1])
        laps += 1
        hole = np.int64(BYTES[way, place + seeds])
        place = np.int64(PLACES[way, hole])
        seeds = byte_of(low, high, hole)
        relays = place > 0 and seeds > 1
    s.holes_word[0], s.holes_word[1] = low, high
    s.laps = laps
    if relays:
        return plain_sow_on(s, hole)
    if place > 0 and in_own_row(s, hole):
        shoot(s, hole)
    return place == 0


def fits(options):
    """Return whether holes and stores fit into the first two words of the record, and `shoot` is "any"."""
    packed = options["columns"] <= MOST_PACKED_COLUMNS and are_adjacent(congkak.record(options))
    return packed and options["shoot"] == "any"


FAST = Fast({contract.legal_word: legal_word, congkak.holes_with_seeds: holes_with_seeds, congkak.sow_on: sow_on}, fits)

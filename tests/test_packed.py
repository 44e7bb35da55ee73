"""The packed verbs do what the plain ones do, byte for byte, at every size of the board."""

import numba
import numpy as np
import pytest

from mancala_envs.core import sow
from mancala_envs.core.state import kernel_dtype, state_dtype
from mancala_envs.games import kalah

COLUMNS = range(1, 9)
"""From boards of one word over those that are sown packed to the first that is too long."""


def ring(columns, mover, start):
    """The places after `start` to the end of a whole round; stores are places 2W and 2W + 1."""
    return [(start + step) % (2 * columns) for step in range(1, 2 * columns + 1)]


def ring_but_origin(columns, mover, start):
    return ring(columns, mover, start)[:-1]


def ring_with_store(columns, mover, start):
    """From own hole `start` of the mover: his row, his store, the other row."""
    row = list(range(columns * mover, columns * mover + columns))
    other = list(range(columns - columns * mover, 2 * columns - columns * mover))
    places = [*row, 2 * columns + mover, *other]
    return places[start + 1 :] + places[: start + 1]


VERBS = {
    "sow": (sow.sow, sow.sow_packed, ring),
    "sow_skipping": (sow.sow_skipping, sow.sow_skipping_packed, ring_but_origin),
    "sow_past_store": (kalah.sow_past_store, kalah.sow_past_store_packed, ring_with_store),
}


def positions(columns, from_own_row, n=400):
    """Records of random boards of up to 255 seeds, many of them in few holes; and where to lift in each."""
    luck = np.random.default_rng(columns)
    states = np.zeros(n, kernel_dtype(state_dtype(2 * columns, 2, [])))
    starts = np.zeros(n, np.int64)
    for i in range(n):
        mover = luck.integers(2)
        start = luck.integers(columns if from_own_row else 2 * columns)
        shares = luck.dirichlet(np.full(2 * columns + 2, luck.choice([0.1, 0.5, 2.0])))
        seeds = luck.multinomial(luck.integers(0, 255), shares)
        seeds[start + columns * mover * from_own_row] += 1
        states["holes"][i], states["store"][i] = seeds[:-2], seeds[-2:]
        states["to_move"][i], states["phase"][i] = mover, luck.integers(5)
        states["chance"][i], states["turn"][i] = luck.integers(2**63), luck.integers(500)
        starts[i] = start
    return states, starts


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("columns", COLUMNS)
def test_packed_is_plain(columns, verb):
    plain, packed, order = VERBS[verb]

    @numba.njit
    def sow_both(ones, others, starts, ends):
        for i in range(len(ones)):
            ends[i, 0] = plain(ones[i], starts[i])
            ends[i, 1] = packed(others[i], starts[i])

    from_own_row = verb == "sow_past_store"
    before, starts = positions(columns, from_own_row)
    one, other, ends = before.copy(), before.copy(), np.zeros((len(before), 2), np.int64)
    if numba.config.DISABLE_JIT:
        sow_both(one.view(np.recarray), other.view(np.recarray), starts, ends)
    else:
        sow_both(one, other, starts, ends)
    assert ends[:, 0].tolist() == ends[:, 1].tolist()
    assert one.tobytes() == other.tobytes()
    # Both by arithmetic: one seed in each place of the round, until the hand is empty.
    for i, start in enumerate(starts):
        mover = int(before["to_move"][i])
        lifted = start + columns * mover * from_own_row
        expected = [*before["holes"][i].tolist(), *before["store"][i].tolist()]
        hand, expected[lifted] = expected[lifted], 0
        places = order(columns, mover, start)
        for seed in range(hand):
            expected[places[seed % len(places)]] += 1
        assert [*one["holes"][i].tolist(), *one["store"][i].tolist()] == expected
        # The last place; past a store it is counted from the mover's first hole.
        last = places[(hand - 1) % len(places)]
        assert ends[i, 0] == (ring_with_store(columns, mover, -1).index(last) if from_own_row else last)


def test_a_board_of_six_columns_is_sown_packed():
    # Else the test above would compare the plain verb with itself.
    assert COLUMNS[0] < 6 <= sow.MOST_PACKED_COLUMNS < COLUMNS[-1]
    assert positions(6, False)[0].dtype["word"].shape[0] >= 2

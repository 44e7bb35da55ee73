"""The packed verbs do what the plain ones do, byte for byte, at every size of the board."""

import numba
import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.core import chance, sow, words
from mancala_envs.core.kernels import legal, legal_word, num_actions
from mancala_envs.core.state import kernel_dtype, state_dtype
from mancala_envs.games import ceelkoqyuqkoqiji, kalah, oware, qelat
from mancala_envs.registry import REGISTRY

COLUMNS = range(1, 9)
"""From boards of one word over those that are sown packed to the first that is too long."""


def ring(columns, mover, start):
    """The places after `start` to the end of a whole round; stores are places 2W and 2W + 1."""
    return [(start + step) % (2 * columns) for step in range(1, 2 * columns + 1)]


def ring_but_origin(columns, mover, start):
    return ring(columns, mover, start)[:-1]


@numba.njit
def sow_by_words(s, hole):
    if sow.is_packed(s) and s.holes[hole] < sow.LAP_SEEDS:
        s.word[0], s.word[1], hole = sow.sow_words(s.word[0], s.word[1], len(s.holes), hole)
        return hole
    return sow.sow(s, hole)


VERBS = {
    "sow": (sow.sow, sow_by_words, ring),
    "sow_skipping": (sow.sow_skipping, sow.sow_skipping_packed, ring_but_origin),
}


@numba.njit
def drawn(bits, luck, width):
    return (
        words.select_bit(bits, chance.scale(luck, words.count_bits(bits)), width),
        words.draw_bit(bits, luck, width),
        words.select_flag(words.SPREAD[np.int64(bits & np.uint64(127))], luck),
    )


@pytest.mark.parametrize("width", [1, 7, 8, 9, 24, 32, 33, 64])
def test_every_way_to_draw_a_bit_draws_the_same(width):
    luck = np.random.default_rng(width)
    for _ in range(300):
        places = np.flatnonzero(luck.random(width) < luck.choice([0.05, 0.5, 1])).tolist()
        bits, word = np.uint64(sum(1 << place for place in places)), luck.integers(2**64, dtype=np.uint64)
        of_flags = [place for place in places if place < 7]
        by_bit, by_arithmetic, by_flag = drawn(bits, word, width)
        # A uniform draw: the upper half of the word as a fraction of the places.
        assert by_arithmetic == (places[(int(word) >> 32) * len(places) >> 32] if places else -1)
        assert by_bit == by_arithmetic or not places
        mixed = int(chance.mix(word))
        assert by_flag == (of_flags[(mixed >> 32) * len(of_flags) >> 32] if of_flags else -1)


def positions(columns, n=400):
    """Records of random boards of up to 255 seeds, many of them in few holes; and where to lift in each."""
    luck = np.random.default_rng(columns)
    states = np.zeros(n, kernel_dtype(state_dtype(2 * columns, 2, [("max_turns", "i4")])))
    starts = np.zeros(n, np.int64)
    for i in range(n):
        starts[i] = luck.integers(2 * columns)
        shares = luck.dirichlet(np.full(2 * columns + 2, luck.choice([0.1, 0.5, 2.0])))
        seeds = luck.multinomial(luck.integers(0, 255), shares)
        seeds[starts[i]] += 1
        states["holes"][i], states["store"][i] = seeds[:-2], seeds[-2:]
        states["to_move"][i], states["phase"][i] = starts[i] // columns, luck.integers(5)
        states["chance"][i], states["turn"][i] = luck.integers(2**63), luck.integers(500)
        states["max_turns"][i] = states["turn"][i] + luck.integers(1, 3)
    return states, starts


def do_both(plain, packed, states, places):
    """What both leave of copies of `states`, and what both return."""

    @numba.njit
    def loop(ones, others, places, ends):
        for i in range(len(ones)):
            ends[i, 0] = plain(ones[i], places[i])
            ends[i, 1] = packed(others[i], places[i])

    one, other, ends = states.copy(), states.copy(), np.zeros((len(states), 2), np.uint64)
    if numba.config.DISABLE_JIT:
        loop(one.view(np.recarray), other.view(np.recarray), places, ends)
    else:
        loop(one, other, places, ends)
    return one, other, ends


def returning_ended(move):
    @numba.njit
    def play(s, action):
        move(s, action)
        return s.ended

    return play


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("columns", COLUMNS)
def test_packed_is_plain(columns, verb):
    plain, packed, order = VERBS[verb]
    before, starts = positions(columns)
    one, other, ends = do_both(plain, packed, before, starts)
    assert ends[:, 0].tolist() == ends[:, 1].tolist()
    assert one.tobytes() == other.tobytes()
    # Both by arithmetic: one seed in each place of the round, until the hand is empty.
    for i, start in enumerate(starts):
        mover = int(before["to_move"][i])
        expected = before["holes"][i].tolist()
        hand, expected[start] = expected[start], 0
        places = order(columns, mover, start)
        for seed in range(hand):
            expected[places[seed % len(places)]] += 1
        assert one["holes"][i].tolist() == expected
        assert ends[i, 0] == places[(hand - 1) % len(places)]


@pytest.mark.parametrize("columns", COLUMNS)
def test_a_packed_move_of_kalah_is_plain(columns):
    before, starts = positions(columns, n=2000)
    both = returning_ended(kalah.play_plain), returning_ended(kalah.play)
    one, other, ends = do_both(*both, before, starts % columns)
    assert one.tobytes() == other.tobytes()
    # The positions are such that captures, further moves and ends are among them.
    gained = one["store"].sum(axis=1) - before["store"].sum(axis=1)
    assert (gained > 20).any() and (one["to_move"] == before["to_move"]).any() and 0 < ends[:, 0].mean() < 1


def oware_turns(columns, n=4000):
    """Turns of Oware, many with twos and threes in reach, some at the last turn, some that repeat a position."""
    luck = np.random.default_rng(columns)
    ring, most = 2 * columns, 126 // (2 * columns)
    game = make_game("oware", columns=columns, seeds=most, max_turns=12)
    states = game.records(game.init(n, 0))
    actions = luck.integers(columns, size=n)
    for i in range(n):
        mover = luck.integers(2)
        shares = luck.dirichlet(np.full(ring + 2, luck.choice([0.1, 0.5, 2.0])))
        held = luck.multinomial(luck.integers(ring * most - 3 * columns), shares)
        if luck.random() < 0.6:
            held[columns * (1 - mover) :][:columns] = luck.integers(4, size=columns) * luck.integers(2, size=columns)
        held[columns * mover + actions[i]] += 1
        states["holes"][i], states["store"][i], states["to_move"][i] = held[:-2], held[-2:], mover
    states["turn"], states["positions"] = luck.choice([3, 4, 11], size=n), luck.integers(1, 4, size=n)
    after, _, _ = do_both(returning_ended(oware.play_plain), returning_ended(oware.play_plain), states, actions)
    repeats = luck.random(n) < 0.3
    states["history"][repeats, 0] = after["word"][repeats]
    states["filter"] = ~np.uint64(0)
    return states, actions


@pytest.mark.parametrize("columns", [3, 4, 5, 6, 7])
def test_a_packed_turn_of_oware_is_plain(columns):
    before, actions = oware_turns(columns)
    one, other, ends = do_both(returning_ended(oware.play_plain), returning_ended(oware.play), before, actions)
    assert one.tobytes() == other.tobytes()
    # The positions are such that captures, repetitions and ends are among them.
    captures, goes_on = one["positions"] <= 1, ends[:, 0] == 0
    assert (captures & goes_on).any() and (~captures & ~goes_on & (one["turn"] < 12)).any() and goes_on.any()


def qelat_positions(columns, n=2000):
    """Boards of Qelat with owners and children anywhere, some near the bound of laps."""
    luck = np.random.default_rng(columns)
    game = make_game("qelat", columns=columns)
    states = game.records(game.init(n, 0))
    ring = 2 * columns
    states["holes"] = luck.multinomial(8 * columns, luck.dirichlet(np.ones(ring), n))
    states["to_move"] = luck.integers(2, size=n)
    states["owner"] = luck.integers(2, size=(n, ring))
    states["child"] = luck.choice([-1, 0, 0, 0, 0, 1, 2], size=(n, ring))
    states["laps"] = luck.choice([0, 250, 255], size=n)
    return states


QELAT_SIZES = (2, 6, 7)
"""Of two words at most, as the default and the longest that is packed."""


@pytest.mark.parametrize("columns", QELAT_SIZES)
def test_a_packed_relay_of_qelat_is_plain(columns):
    def ends_of(relay):
        @numba.njit
        def played(s, hole):
            last, becomes = relay(s, hole)
            return np.uint64(last * 4 + becomes)

        return played

    states = qelat_positions(columns)
    starts = np.argmax(states["holes"], axis=1)
    packed = qelat.relay_packed if columns > 2 else qelat.relay
    one, other, ends = do_both(ends_of(qelat.relay), ends_of(packed), states, starts)
    assert one.tobytes() == other.tobytes() and (ends[:, 0] == ends[:, 1]).all()
    assert set((ends[:, 0] % 4).tolist()) == {qelat.STOPS, qelat.RELAYS, qelat.EATS, qelat.BEGETS}


@pytest.mark.parametrize("columns", QELAT_SIZES)
def test_the_packed_choice_of_qelat_is_plain(columns):
    @numba.njit
    def plain(s, p):
        bits = np.uint64(0)
        for hole in range(len(s.holes)):
            bits |= np.uint64(qelat.may_lift(s, p, hole)) << np.uint64(hole)
        return bits

    states = qelat_positions(columns)
    _, _, bits = do_both(plain, qelat.liftable_bits, states, states["to_move"].astype(np.int64))
    assert (bits[:, 0] == bits[:, 1]).all() and len(np.unique(bits)) > 2


def ceelkoqyuqkoqiji_turns(columns, players, n=4000):
    """Decisions of lifting and dropping, with sold holes, goats anywhere, near the bounds; an action in each."""
    luck = np.random.default_rng(columns)
    ring, most = 2 * columns, 126 // (2 * columns)
    game = make_game("ceelkoqyuqkoqiji", columns=columns, players=players, seeds=most, max_laps=9, max_turns=20)
    states = game.records(game.init(n, 0))
    actions = np.zeros(n, np.int64)
    for i in range(n):
        mover, column = luck.integers(2), luck.integers(columns)
        lifted = columns * mover + column
        sold = luck.random(ring) < luck.choice([0, 0.2])
        sold[lifted] = False
        shares = luck.dirichlet(np.full(ring, luck.choice([0.1, 1.0]))) * ~sold
        holes = luck.multinomial(luck.integers(1, ring * most - 20), shares / shares.sum())
        holes[lifted] += luck.integers(3)
        anywhere = [*np.flatnonzero(~sold), lifted, ceelkoqyuqkoqiji.HOME, *(-2 - np.arange(players))]
        large = luck.choice(anywhere, 2)
        if luck.random() < 0.3:
            hand = luck.integers(3, size=3) * luck.integers(2, size=3)
            large[hand[1:] > 0] = ring
            if (hand > 0).sum() > 1:
                states["phase"][i], states["hand"][i] = ceelkoqyuqkoqiji.DROP, hand[0]
                states["at"][i], states["heading"][i] = luck.integers(ring + 2), luck.choice([-1, 1])
                states["laps"][i] = luck.integers(9)
                actions[i] = 2 * columns + luck.choice(np.flatnonzero(hand))
            else:
                large[:] = ceelkoqyuqkoqiji.HOME
        if states["phase"][i] == ceelkoqyuqkoqiji.LIFT:
            holes[lifted] += 1
            actions[i] = column + columns * luck.integers(2)
        states["to_move"][i], states["turn"][i], states["large"][i] = mover, luck.choice([3, 19]), large
        states["holes"][i], states["sold_to"][i] = holes, np.where(sold, 1 - np.arange(ring) // columns, -1)
    return states, actions


@pytest.mark.parametrize(("columns", "players"), [(1, 4), (5, 2), (7, 4)])
def test_a_packed_turn_of_ceelkoqyuqkoqiji_is_plain(columns, players):
    def returning(move):
        @numba.njit
        def play(s, action):
            packed = ceelkoqyuqkoqiji.is_sown_packed(s)
            move(s, action)
            return packed

        return play

    before, actions = ceelkoqyuqkoqiji_turns(columns, players)
    both = returning(ceelkoqyuqkoqiji.play_plain), returning(ceelkoqyuqkoqiji.play)
    one, other, packed = do_both(*both, before, actions)
    assert packed.all()
    assert one.tobytes() == other.tobytes()
    # Among them are goats moved, choices of the stone to drop, the ends of rounds, and turns that sow sold holes.
    goes_on = one["ended"] == 0
    assert (one["large"] != before["large"])[goes_on].any() and 0 < goes_on.mean() < 1
    assert {ceelkoqyuqkoqiji.LIFT, ceelkoqyuqkoqiji.DROP} <= set(one["phase"][goes_on])
    assert columns == 1 or (before["sold_to"] >= 0)[goes_on & (one["turn"] > before["turn"])].any()


def first_difference(states):
    """The first game whose `legal_word` and `legal` differ, or -1. Bound to a game."""
    for i in range(len(states)):
        s = states[i]
        for action in range(num_actions(s)):
            if s.to_move >= 0 and (legal_word(s, action // 64) >> np.uint64(action % 64)) & np.uint64(1) != legal(
                s, action
            ):
                return i
    return -1


GRIDS = [
    ("dongjintian", {"rows": 7, "columns": 9, "seeds": 2}),
    ("dongjintian", {"rows": 15, "columns": 17, "seeds": 1, "relay_back": True}),
    ("zigulzoqge", {"columns": 6, "teams": True, "lift": "team", "onward": "straight"}),
    ("zigulzoqge", {"players": 3, "columns": 5, "lift": "any", "capture": "chain"}),
]
"""Among them boards of more than one word of actions, and one where the steps lie in two."""


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in REGISTRY), *GRIDS])
def test_legal_words_are_what_is_legal(name, options):
    campaign = REGISTRY[name].has_campaign
    game = make_game(name, campaign=campaign, **options)
    differs = game.bind(first_difference)
    states = game.init(64, 2)
    for step in range(300):
        assert differs(game.records(states)) == -1, step
        game.step(states, game.sample(states, step), autoreset=True)


@pytest.mark.parametrize("holes", [1, 8, 20, 24, 63, 64, 65, 252])
def test_holes_as_words_are_the_holes(holes):
    @numba.njit
    def look(s, place):
        bits = words.hole_bits(s, place // 64)
        return np.uint64(words.seeds_on_board(s)) << np.uint64(1) | bits >> np.uint64(place % 64) & np.uint64(1)

    luck = np.random.default_rng(holes)
    states = np.zeros(400, kernel_dtype(state_dtype(holes, 2, [])))
    shares = luck.dirichlet(np.full(holes, 0.3), 400)
    states["holes"] = [luck.multinomial(luck.integers(256), share) for share in shares]
    states["store"] = luck.integers(256, size=(400, 2))
    places = luck.integers(holes, size=400)
    _, _, seen = do_both(look, look, states, places)
    assert (seen[:, 0] & 1 == (states["holes"][np.arange(400), places] > 0)).all()
    assert (seen[:, 0] >> 1 == states["holes"].sum(axis=1)).all()


def test_a_board_of_six_columns_is_sown_packed():
    # Else the tests above would compare the plain verbs with themselves.
    assert COLUMNS[0] < 6 <= sow.MOST_PACKED_COLUMNS < COLUMNS[-1]
    assert positions(6)[0].dtype["word"].shape[0] >= 2
    assert sow.LAP_SEEDS < 255

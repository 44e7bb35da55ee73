"""Rules on packed words, and fast forms of Kalah, Oware, Qelat and others, give the same bytes as the plain rules."""

from importlib import import_module

import numba
import numpy as np
import pytest
from helpers.forms import InPython, both_forms, compare_forms, compare_turns, slowly
from helpers.hole_positions import heaped

from mancala_envs import make_game
from mancala_envs.core import bits, chance, kernels
from mancala_envs.core.binding import code_of, in_python
from mancala_envs.core.record import python_records
from mancala_envs.families.mancala import vectorised
from mancala_envs.families.mancala.laps import LAP_SEEDS, MOST_PACKED_COLUMNS
from mancala_envs.fast import oware as oware_form
from mancala_envs.games import qelat
from mancala_envs.registry import REGISTRY


@numba.njit
def drawn(choices, rng, width):
    flags = np.uint64(0)
    for place in range(7):
        flags |= (choices >> np.uint64(place) & np.uint64(1)) << np.uint64(8 * place)
    return (
        bits.select_bit(choices, chance.scale(rng, bits.count_bits(choices)), width),
        bits.draw_bit(choices, rng, width),
        bits.select_flag(flags, rng),
    )


def test_copy_game_of_oware_copies_every_field():
    for columns in oware_form.SIZES:
        dtype = make_game("oware", columns=columns).dtype
        words = range(dtype.fields["holes"][1], dtype.fields["holes"][1] + 16)
        named = {*code_of(oware_form.copy_game).__code__.co_names, "history"}
        left = {name for name, (_, offset, *_) in dtype.fields.items() if offset not in words and name not in named}
        assert all(name.startswith("padding_") for name in left), left


@pytest.mark.parametrize("width", [1, 7, 8, 9, 24, 32, 33, 64])
def test_every_way_to_draw_a_bit_draws_the_same(width):
    rng = np.random.default_rng(width)
    for _ in range(300):
        places = np.flatnonzero(rng.random(width) < rng.choice([0.05, 0.5, 1])).tolist()
        choices, word = np.uint64(sum(1 << place for place in places)), rng.integers(2**64, dtype=np.uint64)
        of_flags = [place for place in places if place < 7]
        by_bit, by_arithmetic, by_flag = drawn(choices, word, width)
        # A uniform draw: the upper half of the word as a fraction of the places.
        assert by_arithmetic == (places[(int(word) >> 32) * len(places) >> 32] if places else -1)
        assert by_bit == by_arithmetic or not places
        mixed = int(chance.mix(word))
        assert by_flag == (of_flags[(mixed >> 32) * len(of_flags) >> 32] if of_flags else -1)


def put_tuzdyks(states, actions):
    """Make random holes tuzdyks, but not those that the actions lift."""
    luck = np.random.default_rng(9)
    for state, action in zip(states, actions, strict=True):
        for player, row in enumerate((range(9, 18), range(9))):
            hole = luck.choice([-1, *row])
            if hole != 9 * state.to_move + action:
                state.tuzdyk[player] = hole
            if state.tuzdyk[player] >= 0:
                state.holes[hole] = 0


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kalah", {"seeds": 5}),
        ("kalah", {"columns": 4, "seeds": 7}),
        ("kalah", {"columns": 5, "seeds": 6}),
        ("togyz_kumalak", {}),
        ("togyz_kumalak", {"end": "last", "twin": "opposite", "least": 4}),
        ("togyz_kumalak", {"twin": "free", "last_hole": "open", "seeds": 14}),
        ("bestemshe", {}),
        ("bestemshe", {"end": "last"}),
        ("bestemshe", {"columns": 4, "seeds": 7}),
        ("bestemshe", {"columns": 6}),
    ],
    ids=str,
)
def test_words_are_played_as_the_plain_law_plays(name, options):
    fast, plain = both_forms(name, **options)
    before, actions = heaped(fast)
    if name == "togyz_kumalak":
        put_tuzdyks(before, actions)
    assert np.array_equal(fast.legal_bits(before), plain.legal_bits(before))
    one = compare_turns(fast, plain, before, actions)
    # Some moves capture, give another move in Kalah, or end the round.
    gained = one.store.sum(axis=1).astype(int) - before.store.sum(axis=1)
    assert gained.max() > 9 and 0 < one.ended.mean() < 1
    assert (one.to_move == before.to_move).any() or name != "kalah"
    if name == "togyz_kumalak":
        # Some holes have more seeds than tables of laps cover.
        assert (before.holes.max(axis=1) > 80).any() and (one.tuzdyk != before.tuzdyk).any()


QELAT_SIZES = (6, *slowly(2, 3, 7))


def qelat_positions(game, n=2000):
    """Return random states with owners and children anywhere, some near the limit on laps."""
    rng = np.random.default_rng(game.num_actions)
    states = game.init(n, 0)
    ring = game.num_actions
    states.holes = rng.multinomial(4 * ring, rng.dirichlet(np.ones(ring), n))
    states.to_move = rng.integers(2, size=n)
    states.owner = rng.integers(2, size=(n, ring))
    states.child = rng.choice([0, 0, 0, 1, 2, -1], size=(n, ring))
    states.laps = rng.choice([0, 0, game.options["max_laps"] - 2], size=n)
    return states


@pytest.mark.parametrize("columns", QELAT_SIZES)
def test_fast_qelat_plays_like_the_plain_rules(columns):
    fast, plain = both_forms("qelat", columns=columns)
    before, one = compare_forms(fast, plain, qelat_positions(fast))
    assert len(np.unique(plain.legal_bits(before))) > 2
    # Some turns eat, make children or put seeds aside.
    assert (one.phase == qelat.GO_ON).any() and (one.child != before.child).any() and (one.store > 0).any()


GRIDS = [
    ("dongjintian", {"rows": 7, "columns": 9, "seeds": 2}),
    ("dongjintian", {"rows": 15, "columns": 17, "seeds": 1, "relay_back": True}),
]
"""Boards with more than one word of actions; on one of them the steps are in two words."""


ALIKE = {
    *("puhulmutu", "walak_pussa", "kotu_baendum", "baokujifunza", "peralikatuma", "kotu_ellima"),
    *("hat_diviyan_keliya", "pancha_keliya_complex", "kawade_kelia"),
}
"""Games whose legal actions are those of a relative, or are counted in the same way."""


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in REGISTRY if name not in ALIKE),
        *GRIDS,
        *slowly(*((name, {}) for name in REGISTRY if name in ALIKE)),
    ],
)
def test_legal_words_agree_with_legal(name, options):
    game, rng = make_game(name, campaign=REGISTRY[name].has_campaign, **options), np.random.default_rng(3)
    law, states = InPython(game), game.init(64, 2)
    for step in range(200 if game.num_actions < 1000 else 40):
        state = states[step % 64 : step % 64 + 1]
        mask = game.legal(state)[0]
        # Plain Python is slow, so check at most 30 legal and 30 illegal actions.
        for some in (np.flatnonzero(mask), np.flatnonzero(~mask)):
            some = rng.permutation(some)[:30]
            assert law.are_legal(state, some.tolist()) == mask[some].tolist(), step
        game.step(states, game.sample(states, step), autoreset=True)


# Vectorised loops.

KALAH = [
    ("kalah", {}),
    ("kalah", {"columns": 4, "seeds": 6, "max_turns": 7, "reward": "margin"}),
    ("kalah", {"columns": 5, "seeds": 1}),
]
OWARE = [
    ("oware", {"max_turns": 50}),
    ("oware", {"max_turns": 50, "seeds": 10}),
    ("oware", {"columns": 4, "seeds": 6, "max_turns": 7, "reward": "margin"}),
    ("oware", {"columns": 5, "max_turns": 50, "seeds": 1}),
]
BESTEMSHE = [
    ("bestemshe", {}),
    ("bestemshe", {"end": "last", "reward": "margin", "max_turns": 40}),
    ("bestemshe", {"columns": 4, "seeds": 7}),
    ("bestemshe", {"columns": 6, "seeds": 5, "max_turns": 60}),
]
BATCHES = (1, vectorised.LANES - 1, 2 * vectorised.LANES + 5)
"""Less than a block, and blocks with a remainder."""


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize(("name", "options"), KALAH + OWARE + BESTEMSHE, ids=str)
@pytest.mark.parametrize("autoreset", [False, True])
def test_vectorised_loops_play_like_single_games(name, options, batch, autoreset):
    games = both_forms(name, **options)
    batches, finals = ([game.init(batch, 3) for game in games] for _ in range(2))
    ends = 0
    for seed in range(70):
        found = []
        for game, states, final in zip(games, batches, finals, strict=True):
            actions = game.sample(states, seed)
            seen = [game.observe(states, players) for players in (None, 0, np.arange(batch) % 2)]
            rewards = game.step(states, actions, autoreset, final=final)
            found.append([array.tobytes() for array in (actions, *seen, rewards, states, final)])
        assert found[0] == found[1]
        ends += (batches[0].ended > 0).sum()
    assert ends > 0


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize(("name", "options"), KALAH, ids=str)
def test_vectorised_rollouts_play_like_single_games(name, options, batch):
    games = both_forms(name, **options)
    one, other = (game.init(batch, 3) for game in games)
    for decisions in (0, 1, 150):
        assert games[0].play_random(one, decisions, 9) == games[1].play_random(other, decisions, 9)
        assert one.tobytes() == other.tobytes()


DO_NOT_FIT = {
    "kalah": ({"columns": 3}, {"columns": 7}, {"seeds": 6}),
    "oware": ({"columns": 3}, {"columns": 7}, {"seeds": 11}),
    "qelat": ({"columns": 8},),
    "bestemshe": ({"columns": 3}, {"columns": 7}, {"seeds": 7}),
    "togyz_kumalak": ({"columns": 8}, {"columns": 10}),
    "congkak": ({"columns": 3}, {"columns": 8}, {"shoot": "circuit"}),
    "hus": ({"columns": 4}, {"columns": 10}),
    "ceelkoqyuqkoqiji": ({"columns": 8, "seeds": 1}, {"seeds": 13}),
}


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name, each in DO_NOT_FIT.items() for options in each], ids=str
)
def test_games_that_do_not_fit_the_fast_form_use_the_plain_rules(name, options):
    fast = import_module(REGISTRY[name].fast).FAST
    assert not fast.fits(make_game(name, **options).options)
    assert MOST_PACKED_COLUMNS == 7 and LAP_SEEDS == 64


def test_copy_game_of_oware_copies_long_and_short_histories():
    game = both_forms("oware")[0]
    copy_game = in_python(game.bind(kernels.copy_game))
    states = game.init(30, 1)
    for decision in range(40):
        playing = states[decision % 30 :]
        game.step(playing, game.sample(playing, decision), autoreset=True)
    assert len(set(states["positions"].tolist())) > 5
    after = states.copy()
    games = python_records(game.records(after))
    for place in range(29):
        copy_game(games[29 - place], games, place)
        assert after[place].tobytes() == after[29 - place].tobytes()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kalah", {"max_turns": 30}),
        ("oware", {"max_turns": 50}),
        ("oware", {"columns": 4, "seeds": 2}),
        ("oware", {"columns": 4, "seeds": 12}),
    ],
    ids=str,
)
def test_playouts_end_in_the_same_states(name, options):
    """From the start, the middle, and full holes; Oware also with more seeds than the table of laps covers."""
    fast, plain = both_forms(name, **options)
    starts = fast.init(40, 1)
    for decision in range(30):
        some = starts[decision:20]
        fast.step(some, fast.sample(some, decision), autoreset=True)
    full = heaped(fast)[0]
    starts[20:] = full[fast.legal(full).any(axis=1)][:20]
    ends = []
    for game in (fast, plain):
        playout = in_python(game.bind(kernels.playout))
        states = starts.copy()
        for index, s in enumerate(python_records(game.records(states))):
            playout(s, np.uint64(index))
        ends.append(states)
    assert ends[0].tobytes() == ends[1].tobytes()
    assert (ends[0]["to_move"] == -1).all() and len(set(ends[0]["turn"].tolist())) > 5

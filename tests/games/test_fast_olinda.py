"""The fast forms of Parker's four games give the same bytes as the plain rules, from any position."""

import numpy as np
import pytest
from helpers.forms import both_forms, compare_forms, slowly

from mancala_envs.core.contract import legal, num_actions
from mancala_envs.families.mancala.olinda.law import BLIND, KEPT, PLAIN, SUMMARY, TIED

GAMES = ("walak_pussa", "puhulmutu", "kotu_baendum", "daramutu")


def positions(game, n=4000):
    """Return states before a lift, in all directions and readings, near all limits, some with a `few` player.

    A third has only plain holes, a third also kept or tied ones, a third also blind ones.
    """
    columns, seeds = game.options["columns"], game.options["seeds"]
    rng = np.random.default_rng(columns + seeds)
    states = game.init(n, 0)
    ring = 2 * columns
    for i in range(n):
        most = (PLAIN, TIED if game.name == "kotu_baendum" else KEPT, BLIND)[i % 3]
        states["kind"][i] = rng.choice([PLAIN, PLAIN, PLAIN, KEPT, most], size=ring) if i % 3 else PLAIN
        shares = rng.dirichlet(np.full(ring + 2, rng.choice([0.1, 0.5, 5.0])))
        shares[:ring] *= states["kind"][i] != BLIND
        held = rng.multinomial(rng.integers(ring * seeds), shares / shares.sum())
        # Many holes hold three, so that they are skipped.
        states["holes"][i] = np.where((held[:-2] > 2) & (rng.random(ring) < 0.4), 3, held[:-2])
        states["store"][i] = held[-2:]
        states["owner"][i] ^= (states["kind"][i] == TIED) & (rng.random(ring) < 0.5)
        states["few"][i, i // 3 % 2] = rng.choice([0, 0, 1, 2])
    states["to_move"] = rng.integers(2, size=n)
    states["direction"] = rng.integers(-1, 2, size=n)
    states["turn"], states["quiet"] = rng.choice([0, 1, 7, 398, 399], size=n), rng.choice([0, 98, 99], size=n)
    states["max_laps"] = rng.choice([1, 2, 3, 256], size=n)
    if game.name != "kotu_baendum":
        states["reading"] = rng.choice([0, 0, SUMMARY], size=n)
    if game.name == "daramutu":
        states["fours"] = rng.choice([0, 1, 1], size=n)
    return states


BOARDS = [
    ("daramutu", 7, 4),
    ("daramutu", 7, 18),
    *slowly(*((name, 7, 4) for name in GAMES if name != "daramutu"), ("puhulmutu", 7, 18), ("kotu_baendum", 7, 18)),
    *slowly(("puhulmutu", 4, 4), ("walak_pussa", 4, 7)),
]
"""The largest and the smallest boards of two words, some with many seeds in a hole."""
boards = pytest.mark.parametrize(("name", "columns", "seeds"), BOARDS)


def write_legal(states, out):
    """Write `legal` of every action to out (n, A); a kernel to bind to a game."""
    for i in range(len(states)):
        for action in range(num_actions(states[i])):
            out[i, action] = legal(states[i], action)


@boards
def test_legal_actions_are_the_same(name, columns, seeds):
    fast, plain = both_forms(name, columns=columns, seeds=seeds)
    states = positions(plain)
    mask = plain.legal(states)
    np.testing.assert_array_equal(fast.legal(states), mask)
    for game in (plain, fast):
        each = np.zeros_like(mask)
        game.bind(write_legal)(game.records(states), each)
        np.testing.assert_array_equal(each, mask)
    assert len(np.unique(mask, axis=0)) > 50


@boards
def test_a_turn_is_the_same(name, columns, seeds):
    fast, plain = both_forms(name, columns=columns, seeds=seeds)
    before, one = compare_forms(fast, plain, positions(plain))
    # Some turns capture, take many laps, tie holes or end the round, with and without blind holes.
    gained = one["store"].sum(axis=1, dtype=int) - before["store"].sum(axis=1, dtype=int)
    blind = (before["kind"] == BLIND).any(axis=1)
    for some in (blind, ~blind):
        assert (gained[some] > 3).any() and one["laps_sown"][some].max() > 4 and 0 < one["ended"][some].mean() < 1
    assert (one["kind"] != before["kind"]).any() == (name == "kotu_baendum")

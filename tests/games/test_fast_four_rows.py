"""Hus, Omweso and Bao on words play as by the plain rules, byte for byte, from any position."""

import numpy as np
import pytest
from helpers.forms import both_forms, compare_forms, slowly

RING = 16


def random_holes(rng, n, seeds):
    """Return (n, 32) holes with `seeds` seeds, spread evenly or heaped up in a few holes."""
    spreads = rng.choice([0.05, 0.3, 3.0], size=n)
    return np.array([rng.multinomial(seeds, rng.dirichlet(np.full(2 * RING, spread))) for spread in spreads])


def positions(game, seeds, n=3000):
    """Return positions at the beginning of a turn, of both players, some near the limits on turns and laps."""
    rng = np.random.default_rng(seeds)
    states = game.init(n, 0)
    states["holes"] = random_holes(rng, n, seeds)
    states["to_move"] = rng.integers(2, size=n)
    states["max_laps"] = rng.choice([1, 2, 256], size=n)
    states["turn"] = rng.choice([0, 7, game.options["max_turns"] - 1], size=n)
    return states


def compare(fast, plain, states, turns=6):
    """Compare both forms for some decisions; return all positions that were reached."""
    reached = []
    for _ in range(turns):
        states, after = compare_forms(fast, plain, states)
        reached.append(after)
        states = after
    return np.concatenate(reached)


@pytest.mark.parametrize("capture", ["inner", "both"])
def test_both_forms_of_hus_agree_from_any_position(capture):
    fast, plain = both_forms("hus", capture=capture)
    reached = compare(fast, plain, positions(plain, 48))
    assert reached["outright"].any() and (reached["holes"] > RING).any()


@pytest.mark.parametrize(
    ("reverse", "two_ends"), [("full", True), *slowly(("any", False), ("any", True), ("start", True), ("none", False))]
)
def test_both_forms_of_omweso_agree_from_any_position(reverse, two_ends):
    fast, plain = both_forms("omweso", reverse=reverse, two_ends=two_ends)
    reached = compare(fast, plain, positions(plain, 64))
    assert {1, 2} <= set(reached["phase"]) if reverse in ("full", "any") else set(reached["phase"]) == {0}
    assert reached["store"].any() == two_ends


@pytest.mark.parametrize(
    ("takasia", "stocks"), slowly(("on", 0), ("on", 10), ("forced", 0), ("off", 0), ("forced", 10))
)
def test_both_forms_of_bao_agree_from_any_position(takasia, stocks):
    fast, plain = both_forms("bao", takasia=takasia)
    states = positions(plain, 64 - 2 * stocks)
    states["stock"] = stocks
    if stocks:
        # In namua the front rows hold seeds.
        states = states[[bool(h[8:16].any() and h[24:].any()) for h in states["holes"]]]
    else:
        states["house"] = np.random.default_rng(1).integers(2, size=(len(states), 2))
    reached = compare(fast, plain, states)
    assert (reached["blocked"] >= 0).any() == (takasia != "off" and not stocks)
    assert (reached["phase"] == 2).any() == bool(stocks)

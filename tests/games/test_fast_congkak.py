"""Congkak on words plays as by the plain rules, byte for byte, from any position."""

import numpy as np
import pytest
from helpers.forms import both_forms, compare_forms, slowly

from mancala_envs.families.mancala.laps import LAP_SEEDS
from mancala_envs.games.congkak import GO_ON

BOARDS = [(False, 7, 7), *slowly((True, 7, 7), (False, 4, 31), (False, 5, 12), (False, 7, 18))]


def positions(game, n=4000):
    """Return positions of all directions, a third with burnt holes, some with large holes or near the limits."""
    columns, seeds = game.options["columns"], game.options["seeds"]
    ring = 2 * columns
    rng = np.random.default_rng(columns + seeds)
    states = game.init(n, 0)
    for i in range(n):
        if i % 3 == 0:
            states["burnt"][i] = rng.random(ring) < 0.2
        shares = rng.dirichlet(np.full(ring + 2, rng.choice([0.1, 0.5, 5.0])))
        shares[:ring] *= states["burnt"][i] == 0
        held = rng.multinomial(rng.integers(1, ring * seeds + 1), shares / shares.sum())
        states["holes"][i], states["store"][i] = held[:-2], held[-2:]
    states["to_move"] = rng.integers(2, size=n)
    states["direction"] = rng.integers(2, size=n)
    states["own_seed"] = rng.integers(3, size=n)
    states["finish"] = rng.integers(2, size=n)
    states["max_laps"] = rng.choice([2, 3, 256], size=n)
    states["phase"] = rng.choice([0, GO_ON], size=n)
    states["laps"] = (states["phase"] == GO_ON) * (states["max_laps"] - 1)
    states["turn"] = rng.choice([0, 7, 398, 399], size=n)
    return states


@pytest.mark.parametrize(("campaign", "columns", "seeds"), BOARDS)
def test_both_forms_of_congkak_agree_from_any_position(campaign, columns, seeds):
    fast, plain = both_forms("congkak", campaign, columns=columns, seeds=seeds)
    states = positions(plain)
    assert (states.holes >= LAP_SEEDS).any() and states.burnt.any()
    seen = 0
    for _ in range(6):
        states, after = compare_forms(fast, plain, states)
        seen += (after.phase == GO_ON).sum()
        states = after
    assert seen > 100

"""The fast form of Ceelkoqyuqkoqiji gives the same bytes as the plain rules, from positions of all kinds."""

import numpy as np
import pytest
from helpers.forms import compare_turns, slowly

from mancala_envs.core import contract
from mancala_envs.fast.ceelkoqyuqkoqiji import FAST
from mancala_envs.game import Game
from mancala_envs.games.ceelkoqyuqkoqiji import ANSWER, DROP, HOME, HUELSHE, LIFT, RULE_BOOK

SIZES = [(5, 2), *slowly((1, 4), (7, 4))]
"""Columns and players: the default ring, one of one word, and the longest that fits."""


def plain_and_fast(columns, players, **options):
    """Return the game without and with its fast form, with as many seeds as the fast form allows."""
    options |= {"columns": columns, "players": players, "seeds": 126 // (2 * columns)}
    plain, fast = (Game(RULE_BOOK, "ceelkoqyuqkoqiji", False, options, form) for form in (None, FAST))
    assert plain.bind(contract.play) is not fast.bind(contract.play)
    return plain, fast


def turns(game, n=4000):
    """Return states before a lift or a drop, and an action for each: with sold holes, goats anywhere, near limits."""
    columns, players, most = game.options["columns"], game.num_players, game.options["seeds"]
    rng = np.random.default_rng(columns)
    ring = 2 * columns
    states = game.init(n, 0).view(np.ndarray)
    actions = np.zeros(n, np.int64)
    for i in range(n):
        mover, column = rng.integers(2), rng.integers(columns)
        lifted = columns * mover + column
        sold = rng.random(ring) < rng.choice([0, 0.2])
        sold[lifted] = False
        shares = rng.dirichlet(np.full(ring, rng.choice([0.1, 1.0]))) * ~sold
        holes = rng.multinomial(rng.integers(1, ring * most - 20), shares / shares.sum())
        holes[lifted] += rng.integers(3)
        anywhere = [*np.flatnonzero(~sold), lifted, HOME, *(-2 - np.arange(players))]
        large = rng.choice(anywhere, 2)
        if rng.random() < 0.3:
            hand = rng.integers(3, size=3) * rng.integers(2, size=3)
            large[hand[1:] > 0] = ring
            if (hand > 0).sum() > 1:
                states["phase"][i], states["hand"][i] = DROP, hand[0]
                states["at"][i], states["heading"][i] = rng.integers(ring + 2), rng.choice([-1, 1])
                states["laps"][i] = rng.integers(9)
                actions[i] = 2 * columns + rng.choice(np.flatnonzero(hand))
            else:
                large[:] = HOME
        if states["phase"][i] == LIFT:
            holes[lifted] += 1
            actions[i] = column + columns * rng.integers(2)
        states["to_move"][i], states["turn"][i], states["large"][i] = mover, rng.choice([3, 19]), large
        states["holes"][i], states["sold_to"][i] = holes, np.where(sold, 1 - np.arange(ring) // columns, -1)
    return states, actions


@pytest.mark.parametrize(("columns", "players"), SIZES)
def test_the_fast_form_plays_a_turn_like_the_plain_rules(columns, players):
    plain, fast = plain_and_fast(columns, players, max_laps=9, max_turns=20)
    before, actions = turns(plain)
    one = compare_turns(fast, plain, before, actions)
    # Some turns move goats, ask which stone to drop, end rounds, or sow into sold holes.
    goes_on = one["ended"] == 0
    assert (one["large"] != before["large"])[goes_on].any() and 0 < goes_on.mean() < 1
    assert {LIFT, DROP} <= set(one["phase"][goes_on])
    assert columns == 1 or (before["sold_to"] >= 0)[goes_on & (one["turn"] > before["turn"])].any()


@pytest.mark.parametrize(("columns", "players"), SIZES)
def test_the_fast_form_gives_the_legal_actions_of_the_plain_rules(columns, players):
    plain, fast = plain_and_fast(columns, players)
    states, _ = turns(plain)
    rng = np.random.default_rng(players)
    # Some states have few stones, so that offers are legal; some ask for an answer or a huelshe.
    states["holes"][::2] = np.minimum(states["holes"][::2], rng.integers(3, size=(len(states[::2]), 2 * columns)))
    states["offered"] = rng.integers(2, size=len(states))
    lifting = states["phase"] == LIFT
    states["phase"][lifting] = rng.choice([LIFT, LIFT, ANSWER, HUELSHE], lifting.sum())
    states["store"][:, :2] = rng.integers(2 * columns, size=(len(states), 2))
    legal = plain.legal(states)
    assert (fast.legal(states) == legal).all()
    for phase in (LIFT, DROP, ANSWER, HUELSHE):
        assert len(np.unique(legal[states["phase"] == phase], axis=0)) > (phase != ANSWER), phase

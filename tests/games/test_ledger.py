"""The ledger: single payments, then whole settlements from every position that two players can reach.

Each settlement preserves stones and worth, ends, and leaves no debt above the limit.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_game
from mancala_envs.families.mancala import ledger

NAME = "ceelkoqyuqkoqiji"
LIFT, ANSWER, SELL, BUY_BACK = 0, 2, 5, 6
YES, NO = 14, 15
LIMIT = 4
PRICES = np.array([7, 6])


def book(store, sold=(), debt=(), **fields):
    """Return a record with a ledger of 2 x 5 holes. `sold`: (hole, buyer); `debt`: (debtor, lender, stones)."""
    players = len(store)
    dtype = [
        ("holes", "u1", (10,)),
        ("store", "i4", (players,)),
        ("debt", "i4", (players, players)),
        ("sold_to", "i1", (10,)),
        ("asked_first", "i1", (players,)),
        *((option, "i4") for option in ("seeds", "hole_price", "debt_limit")),
    ]
    s = np.zeros(1, dtype).view(np.recarray)[0]
    s.store[:] = store
    s.sold_to[:] = s.asked_first[:] = -1
    for name, value in {"seeds": 5, "hole_price": 5, "debt_limit": 5, **fields}.items():
        s[name] = value
    for hole, buyer in sold:
        s.sold_to[hole] = buyer
    for debtor, lender, stones in debt:
        s.debt[debtor, lender] = stones
    return s


def debts(s):
    return {(int(p), int(q)): int(s.debt[p, q]) for p, q in zip(*s.debt.nonzero(), strict=True)}


def test_unsold_owned_balance_worth_and_richest():
    s = book([30, 12, 8, 0], sold=[(1, 2), (6, 0), (7, 0)], debt=[(1, 0, 3), (2, 1, 4)])
    assert [ledger.unsold(s, p) for p in range(4)] == [4, 3, 0, 0]
    assert [ledger.owned(s, p) for p in range(4)] == [6, 3, 1, 0]
    assert [ledger.balance(s, p) for p in range(4)] == [10, -3, 8, 0]
    assert [ledger.worth(s, p) for p in range(4)] == [63, 28, 9, 0]
    assert [ledger.richest(s, p) for p in range(4)] == [2, 0, 0, 0]


def test_mutual_debts_cancel_and_a_surplus_repays_the_largest_first():
    s = book([28, 25, 0, 0], debt=[(0, 1, 3), (1, 0, 1), (0, 2, 4), (3, 2, 9)])
    ledger.clear(s)
    assert debts(s) == {(0, 1): 2, (0, 2): 1, (3, 2): 9}
    assert s.store.tolist() == [25, 25, 3, 0]
    # Equal debts are repaid in the order of players.
    s = book([27, 20, 0, 0], debt=[(0, 1, 2), (0, 2, 2), (0, 3, 2)])
    ledger.clear(s)
    assert debts(s) == {(0, 2): 2, (0, 3): 2}


def test_a_repayment_can_lead_to_another():
    # Player 0 repays 2, who thereby has a surplus and repays 3, who repays 1.
    s = book([29, 20, 0, 0], debt=[(0, 2, 4), (2, 3, 3), (3, 1, 2)])
    ledger.clear(s)
    assert debts(s) == {}
    assert s.store.tolist() == [25, 22, 1, 1]


def test_loans_come_from_the_largest_surplus_within_the_limit():
    s = book([27, 10, 8, 5], debt=[(1, 3, 1)])
    ledger.borrow(s, 1)
    assert debts(s) == {(1, 0): 2, (1, 2): 4, (1, 3): 4}
    assert s.store.tolist() == [25, 19, 4, 2]
    assert ledger.lender_for(s, 1) == -1


def test_a_seller_is_paid_by_the_richest_and_repays():
    s = book([26, 24], debt=[(1, 0, 4)])
    ledger.sell(s, 1, 7)
    assert (s.store.tolist(), debts(s), s.sold_to[7]) == ([25, 25], {}, 0)
    # The last hole is sold without clearing.
    s = book([49, 1], sold=[(5, 0), (6, 0), (7, 0), (8, 0)], debt=[(1, 0, 4)])
    assert ledger.sold_out(s) == -1
    ledger.sell(s, 1, 9)
    assert (s.store.tolist(), debts(s), ledger.sold_out(s)) == ([44, 6], {(1, 0): 4}, 1)


def test_a_hole_is_bought_back_by_a_player_who_can_fill_it():
    assert not ledger.may_buy_back(book([25, 25], sold=[(4, 1)]), 0)
    assert ledger.may_buy_back(book([26, 24], sold=[(4, 1)]), 0)
    assert not ledger.may_buy_back(book([26, 24], sold=[(4, 1)], debt=[(0, 1, 1)]), 0)
    assert not ledger.may_buy_back(book([26, 24]), 0)
    s = book([26, 24], sold=[(4, 1)])
    ledger.buy_back(s, 0, 4)
    ledger.borrow(s, 0)
    assert (s.store.tolist(), debts(s), s.sold_to[4]) == ([25, 25], {(0, 1): 4}, -1)


# Whole settlements with random choices.


def worths(states):
    """Return the worth of each player (n, P): stones on the board and off it, claims less debts, and holes."""
    players = states.store.shape[1]
    worth = states.store + states.debt.sum(axis=1) - states.debt.sum(axis=2)
    rows = np.repeat([0, 1], states.holes.shape[1] // 2)
    owner = np.where(states.sold_to < 0, rows, states.sold_to)
    for p in range(players):
        worth[:, p] += 5 * (owner == p).sum(axis=1) + states.holes[:, rows == p].sum(axis=1, dtype=int)
    return worth


def balances(states):
    unsold = (states.sold_to < 0).reshape(len(states), 2, -1).sum(axis=2)
    return states.store - 5 * np.pad(unsold, ((0, 0), (0, states.store.shape[1] - 2)))


def settle(game, store, sold_to, debt, large, declining):
    """Settle every position and check what a settlement must preserve; games in `declining` (n,) buy no hole back."""
    states = game.init(len(store), seed=0)
    states.phase, states.to_move, states.holes = ANSWER, 1, 0
    states.store, states.sold_to, states.debt, states.large = store, sold_to, debt, large
    before = worths(states)
    players = game.num_players
    for goat in range(2):
        store_owner = goat + players - 2
        holder = -2 - states.large[:, goat]
        before[:, store_owner] -= PRICES[goat]
        before[np.arange(len(states)), holder] += PRICES[goat]
    actions = np.full(len(states), YES)
    seen: set[int] = set()
    for decision in range(40):
        game.step(states, actions)
        assert (worths(states) == before).all()
        assert ((states.store.sum(axis=1) + states.holes.sum(axis=1, dtype=int)) == 50).all()
        # Nobody owes too much, and no two players owe each other.
        assert states.debt[:, :2].max() <= LIMIT
        assert not np.minimum(states.debt, states.debt.swapaxes(1, 2)).any()
        asked = states.phase != LIFT
        assert np.isin(states.phase[asked], [SELL, BUY_BACK]).all()
        # A player with a surplus owes nothing.
        owing = states.debt.sum(axis=2) > 0
        assert not (owing & (balances(states) > 0))[asked].any()
        if not asked.any():
            break
        seen.update(states.phase[asked].tolist())
        actions = np.where(asked, game.sample(states, decision), -1)
        actions[(states.phase == BUY_BACK) & declining] = NO
        # Games that need no decision wait, marked as over.
        states.to_move[~asked] = -1
    else:
        pytest.fail("a settlement that does not end")
    over = states.ended > 0
    assert seen == {SELL, BUY_BACK}
    assert not over.all()
    assert over.any() or players == 4  # of random positions sometimes none ends
    goes_on = states[~over]
    assert (goes_on.round_number == 2).all()
    assert (goes_on.store >= 0).all()
    assert not ((goes_on.debt.sum(axis=2) > 0) & (goes_on.store > 0)).any()
    assert (goes_on.holes == np.where(goes_on.sold_to < 0, 5, 0)).all()
    unsold = (states.sold_to < 0).reshape(len(states), 2, -1).sum(axis=2)
    assert ((unsold == 0).any(axis=1) == over).all()
    if players == 2:
        assert (states.winner[over] == 1 - unsold[over].argmin(axis=1)).all()
        assert (before[over, states.winner[over]] > before[over, 1 - states.winner[over]]).all()


@pytest.mark.parametrize("declining", [False, True])
def test_settlements_of_all_positions_of_two_players(declining):
    rows = []
    for stock, sold, others_sold, debt, mu, gong in product(
        range(51), range(5), range(5), range(-LIMIT, LIMIT + 1), (0, 1), (0, 1)
    ):
        sold_to = [1] * sold + [-1] * (5 - sold) + [0] * others_sold + [-1] * (5 - others_sold)
        rows.append((stock, 50 - stock, *sold_to, max(debt, 0), max(-debt, 0), -2 - mu, -2 - gong))
    table = np.array(rows)
    debt = np.zeros((len(table), 2, 2), int)
    debt[:, 0, 1], debt[:, 1, 0] = table[:, 12], table[:, 13]
    game = make_game(NAME, campaign=True)
    assert len(table) == 45900
    settle(game, table[:, :2], table[:, 2:12], debt, table[:, 14:], np.full(len(table), declining))


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_settlements_of_random_positions_of_four_players(seed):
    chance, n = np.random.default_rng(seed), 2000
    store = chance.multinomial(50, chance.dirichlet([1.0] * 4, n))
    buyers = np.array([[1, 2, 3], [0, 2, 3]])[np.repeat([0, 1], 5)[None], chance.integers(0, 3, (n, 10))]
    sold_to = np.where(chance.random((n, 10)) < chance.random((n, 1)), buyers, -1)
    sold_to[np.arange(n), chance.integers(0, 5, n)] = -1
    sold_to[np.arange(n), chance.integers(5, 10, n)] = -1
    debt = chance.integers(0, LIMIT + 1, (n, 4, 4)) * (chance.random((n, 4, 4)) < 0.4)
    debt[:, 2:] *= chance.integers(1, 6, (n, 1, 1))
    debt[:, range(4), range(4)] = 0
    large = -2 - chance.integers(0, 4, (n, 2))
    game = make_game(NAME, players=4, campaign=True)
    settle(game, store, sold_to, debt, large, chance.random(n) < 0.5)

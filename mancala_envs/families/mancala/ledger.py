"""The ledger of rounds tied by loans and sold holes: who has what, who owes whom, whose is which hole.

A game's record gives it `store` (P,) the stones each player holds, `debt` (P, P) with debt[i, j] what i owes j,
`sold_to` (2W,) the buyer of a hole or -1, `asked_first` (P,) the lender a player turns to first or -1, and the
agreed `seeds` to a hole, `hole_price` and `debt_limit`. Players 0 and 1 have the rows; further ones have no holes.

Every payment keeps the number of stones, and what everybody is worth: a hole costs what it is reckoned at.
"""

import numpy as np

from mancala_envs.core.rule import rule

UNSOLD = -1
ROWS = 2
"""Players with a row of holes: the first ones."""


# Standing.


@rule
def row_begins(s, p):
    """The first hole of p's row."""
    return len(s.holes) // 2 * np.int64(p)


@rule
def row_ends(s, p):
    """The hole after the last one of p's row."""
    return row_begins(s, p) + len(s.holes) // 2


@rule
def is_unsold(s, hole):
    return s.sold_to[hole] == UNSOLD


@rule
def unsold(s, p):
    """Holes of his row that p has not sold."""
    holes = 0
    if p < ROWS:
        for hole in range(row_begins(s, p), row_ends(s, p)):
            holes += is_unsold(s, hole)
    return holes


@rule
def has_sold(s, p):
    return p < ROWS and unsold(s, p) < len(s.holes) // 2


@rule
def owned(s, p):
    """Holes that are p's: unsold ones of his row and bought ones."""
    holes = unsold(s, p)
    for hole in range(len(s.holes)):
        holes += s.sold_to[hole] == p
    return holes


@rule
def balance(s, p):
    """What p has above what fills his holes, a surplus; below 0: what he is short of."""
    return np.int64(s.store[p]) - np.int64(s.seeds) * unsold(s, p)


@rule
def first_short(s):
    """The first player who is short, or -1."""
    for p in range(len(s.store)):
        if balance(s, p) < 0:
            return p
    return -1


@rule
def owes(s, p):
    """What p owes in all."""
    stones = np.int64(0)
    for lender in range(len(s.store)):
        stones += s.debt[p, lender]
    return stones


@rule
def is_owed(s, p):
    """What the others owe p in all."""
    stones = np.int64(0)
    for debtor in range(len(s.store)):
        stones += s.debt[debtor, p]
    return stones


@rule
def worth(s, p):
    """Stones, claims and holes, at the price of a hole."""
    return np.int64(s.store[p]) + is_owed(s, p) - owes(s, p) + np.int64(s.hole_price) * owned(s, p)


@rule
def richest(s, p):
    """The player other than p with the largest balance, the lower number where equal."""
    best = 1 if p == 0 else 0
    for other in range(best + 1, len(s.store)):
        if other != p and balance(s, other) > balance(s, best):
            best = other
    return best


# Payments.


@rule
def pay(s, payer, payee, stones):
    s.store[payer] -= stones
    s.store[payee] += stones


@rule
def net(s):
    """Mutual debts cancel."""
    for p in range(len(s.store)):
        for q in range(p):
            both = min(s.debt[p, q], s.debt[q, p])
            s.debt[p, q] -= both
            s.debt[q, p] -= both


@rule
def largest_debt(s, p):
    """Whom p owes most, the lower number where equal."""
    most = 0
    for lender in range(1, len(s.store)):
        if s.debt[p, lender] > s.debt[p, most]:
            most = lender
    return most


@rule
def repay_one(s):
    """The first player with a surplus who owes repays what he can of his largest debt; False if there is none."""
    for p in range(len(s.store)):
        if owes(s, p) > 0 and balance(s, p) > 0:
            lender = largest_debt(s, p)
            stones = min(balance(s, p), np.int64(s.debt[p, lender]))
            pay(s, p, lender, stones)
            s.debt[p, lender] -= stones
            return True
    return False


@rule
def clear(s):
    """Net all debts, and repay until nobody who owes has a surplus. Follows every payment."""
    net(s)
    while repay_one(s):
        net(s)


# Loans.


@rule
def credit(s, p, lender):
    """How much p may still borrow from `lender`: within his surplus and the limit; who has no row has no limit."""
    surplus = max(balance(s, lender), 0)
    if p >= ROWS:
        return surplus
    return min(surplus, max(np.int64(s.debt_limit) - 1 - s.debt[p, lender], 0))


@rule
def lender_for(s, p):
    """Whom p borrows from next: whoever he asks first, then the largest surplus; -1 if nobody may lend."""
    first = s.asked_first[p]
    if first >= 0 and credit(s, p, first) > 0:
        return np.int64(first)
    best = np.int64(-1)
    for other in range(len(s.store)):
        if other != p and credit(s, p, other) > 0 and (best < 0 or balance(s, other) > balance(s, best)):
            best = np.int64(other)
    return best


@rule
def lend(s, lender, p, stones):
    pay(s, lender, p, stones)
    s.debt[p, lender] += stones
    clear(s)


@rule
def borrow(s, p):
    """p borrows what he is short of, as far as he may."""
    while balance(s, p) < 0 and lender_for(s, p) >= 0:
        lender = lender_for(s, p)
        lend(s, lender, p, min(-balance(s, p), credit(s, p, lender)))


@rule
def borrow_from_stock(s, p):
    """p, who has no row, borrows what nobody has to spare: only where stones are missing from the game."""
    while balance(s, p) < 0:
        lender = 0
        for other in range(1, len(s.store)):
            if s.store[other] > s.store[lender]:
                lender = other
        lend(s, lender, p, min(-balance(s, p), np.int64(s.store[lender])))


# Holes.


@rule
def sell(s, p, hole):
    """p sells `hole` to the richest of the others. With the last one he leaves the game, and no debt is cleared."""
    buyer = richest(s, p)
    pay(s, buyer, p, np.int64(s.hole_price))
    s.sold_to[hole] = buyer
    if unsold(s, p) > 0:
        clear(s)


@rule
def may_buy_back(s, p):
    """Whether p owes nothing, has the price of a sold hole to spare, and could fill it without owing too much."""
    if not has_sold(s, p) or owes(s, p) > 0:
        return False
    left = balance(s, p) - s.hole_price
    return left >= 0 and s.seeds - left < s.debt_limit


@rule
def buy_back(s, p, hole):
    """p pays the owner of `hole`, whom he will ask first for what he lacks to fill it."""
    owner = np.int64(s.sold_to[hole])
    pay(s, p, owner, np.int64(s.hole_price))
    s.sold_to[hole] = UNSOLD
    s.asked_first[p] = owner
    clear(s)


@rule
def sold_out(s):
    """The player who has sold all his holes, or -1."""
    for p in range(ROWS):
        if unsold(s, p) == 0:
            return p
    return -1

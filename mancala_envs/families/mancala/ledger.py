"""The ledger of campaigns with loans and sold holes: stones, debts, and the owners of holes.

It uses these fields of the record: `store` (P,), the stones of each player; `debt` (P, P), where debt[i, j] is what i
owes j; `sold_to` (2W,), the buyer of each hole or -1; `asked_first` (P,), the lender whom each player asks first or -1;
and the options `seeds` per hole, `hole_price` and `debt_limit`. Players 0 and 1 have a row each; further players have
no holes.

Payments preserve the number of stones and every player's worth, because a hole is valued at its price.
"""

import numpy as np

from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.rows import row_begins

UNSOLD = -1
ROWS = 2
"""Number of players with a row of holes: players 0 and 1."""


# Standing.


@rule
def row_ends(s, p):
    """Return the hole after the last one of p's row."""
    return row_begins(s, p) + len(s.holes) // 2


@rule
def is_unsold(s, hole):
    """Return whether a hole is not sold."""
    return s.sold_to[hole] == UNSOLD


@rule
def unsold(s, p):
    """Count the holes of p's row that p has not sold."""
    holes = 0
    if p < ROWS:
        for hole in range(row_begins(s, p), row_ends(s, p)):
            holes += is_unsold(s, hole)
    return holes


@rule
def has_sold(s, p):
    """Return whether p has sold a hole."""
    return p < ROWS and unsold(s, p) < len(s.holes) // 2


@rule
def owned(s, p):
    """Count the holes that p owns: unsold ones of p's row and bought ones."""
    holes = unsold(s, p)
    for hole in range(len(s.holes)):
        holes += s.sold_to[hole] == p
    return holes


@rule
def balance(s, p):
    """Return p's stones minus those needed to fill p's holes: a surplus, or a shortage if negative."""
    return np.int64(s.store[p]) - np.int64(s.seeds) * unsold(s, p)


@rule
def first_short(s):
    """Return the first player with a shortage, or -1."""
    for p in range(len(s.store)):
        if balance(s, p) < 0:
            return p
    return -1


@rule
def owes(s, p):
    """Return what p owes in total."""
    stones = np.int64(0)
    for lender in range(len(s.store)):
        stones += s.debt[p, lender]
    return stones


@rule
def is_owed(s, p):
    """Return what the others owe p in total."""
    stones = np.int64(0)
    for debtor in range(len(s.store)):
        stones += s.debt[debtor, p]
    return stones


@rule
def worth(s, p):
    """Return the worth of p: stones, claims less debts, and holes at their price."""
    return np.int64(s.store[p]) + is_owed(s, p) - owes(s, p) + np.int64(s.hole_price) * owned(s, p)


@rule
def richest(s, p):
    """Return the player other than p with the largest balance; of equal ones the lowest number."""
    best = 1 if p == 0 else 0
    for other in range(best + 1, len(s.store)):
        if other != p and balance(s, other) > balance(s, best):
            best = other
    return best


# Payments.


@rule
def pay(s, payer, payee, stones):
    """Move stones from one player's store to another's."""
    s.store[payer] -= stones
    s.store[payee] += stones


@rule
def net(s):
    """Cancel mutual debts."""
    for p in range(len(s.store)):
        for q in range(p):
            both = min(s.debt[p, q], s.debt[q, p])
            s.debt[p, q] -= both
            s.debt[q, p] -= both


@rule
def largest_debt(s, p):
    """Return the player to whom p owes most; of equal ones the lowest number."""
    most = 0
    for lender in range(1, len(s.store)):
        if s.debt[p, lender] > s.debt[p, most]:
            most = lender
    return most


@rule
def repay_one(s):
    """Let the first debtor with a surplus repay as much as possible of the largest debt; return whether one exists."""
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
    """Cancel mutual debts and repay until no debtor has a surplus. Runs after every payment."""
    net(s)
    while repay_one(s):
        net(s)


# Loans.


@rule
def credit(s, p, lender):
    """Return how much p can still borrow from `lender`.

    The lender's surplus is the limit, and `debt_limit` for players with a row.
    """
    surplus = max(balance(s, lender), 0)
    if p >= ROWS:
        return surplus
    return min(surplus, max(np.int64(s.debt_limit) - 1 - s.debt[p, lender], 0))


@rule
def lender_for(s, p):
    """Return p's next lender: the one whom p asks first, then the one with the largest surplus; -1 if none."""
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
    """Let p borrow stones from `lender`; then settle debts."""
    pay(s, lender, p, stones)
    s.debt[p, lender] += stones
    clear(s)


@rule
def borrow(s, p):
    """Let p borrow to cover the shortage, as far as loans are allowed."""
    while balance(s, p) < 0 and lender_for(s, p) >= 0:
        lender = lender_for(s, p)
        lend(s, lender, p, min(-balance(s, p), credit(s, p, lender)))


@rule
def borrow_from_stock(s, p):
    """Let p, who has no row, borrow without regard to surpluses. Needed only if stones are missing from the game."""
    while balance(s, p) < 0:
        lender = 0
        for other in range(1, len(s.store)):
            if s.store[other] > s.store[lender]:
                lender = other
        lend(s, lender, p, min(-balance(s, p), np.int64(s.store[lender])))


# Holes.


@rule
def sell(s, p, hole):
    """Sell p's `hole` to the richest other player. After the last hole p is out of the game, and debts stay."""
    buyer = richest(s, p)
    pay(s, buyer, p, np.int64(s.hole_price))
    s.sold_to[hole] = buyer
    if unsold(s, p) > 0:
        clear(s)


@rule
def may_buy_back(s, p):
    """Return whether p can buy back a hole.

    p must have sold one, owe nothing, have its price as a surplus, and be able to fill it within `debt_limit`.
    """
    if not has_sold(s, p) or owes(s, p) > 0:
        return False
    left = balance(s, p) - s.hole_price
    return left >= 0 and s.seeds - left < s.debt_limit


@rule
def buy_back(s, p, hole):
    """Let p buy `hole` back from its owner, who becomes the lender whom p asks first."""
    owner = np.int64(s.sold_to[hole])
    pay(s, p, owner, np.int64(s.hole_price))
    s.sold_to[hole] = UNSOLD
    s.asked_first[p] = owner
    clear(s)


@rule
def sold_out(s):
    """Return the player who has sold every hole, or -1."""
    for p in range(ROWS):
        if unsold(s, p) == 0:
            return p
    return -1

"""Results: who is best and what everyone gets, from a game's `count`, for any number of players.

Source: rules page 00-conventions, "Round end and result of a single round".
"""

from mancala_envs.core.options import Option
from mancala_envs.core.rule import rule
from mancala_envs.core.state import BY_RULES

REWARD = Option("reward", "win", choices=("win", "margin"))
"""`win`: +1, -1 or 0. `margin`: seeds above the mean of the others, as a part of all the seeds of the set-up."""
BY_MARGIN = 1

ROUND_REWARD = Option("round_reward", 0.0)
"""Of every campaign: after each round, the last included, everyone gets so much times his lead in worth besides."""


def count(s, p):
    """Stands for the book's `count`; see core.kernels."""
    raise NotImplementedError


def total(s):
    """Stands for the book's `total`; see core.kernels."""
    raise NotImplementedError


def ahead(s, p, q):
    """Above 0 where player p stands before q at the end, 0 where they are equal."""
    return count(s, p) - count(s, q)


@rule
def no_holes(s, p):
    """Stands for the book's `owned` where there is no campaign."""
    return 0


def worth(s, p):
    """What player p is worth between rounds, by default what he counts at the end."""
    return count(s, p)


def round_reward(s, p):
    """What player p gets when a round of a campaign is over: his lead in worth, by the agreed weight."""
    players = len(s.store)
    others = 0
    for q in range(players):
        if q != p:
            others += worth(s, q)
    return s.round_reward * (worth(s, p) - others / (players - 1)) / total(s)


@rule
def no_other_round(s, *_):
    """Stands for the rules of a campaign where a round is the whole game: nothing follows, nothing may be chosen."""
    s.ended = BY_RULES
    return False


def best(s):
    """The player with the highest count, -1 when that is not one player alone."""
    players = len(s.store)
    leader = 0
    tied = False
    for p in range(1, players):
        lead = ahead(s, p, leader)
        if lead > 0:
            leader = p
            tied = False
        elif lead == 0:
            tied = True
    return -1 if tied else leader


def share(s, p):
    """Player p's reward; the rewards of all sum to zero."""
    players = len(s.store)
    if s.reward == BY_MARGIN:
        mine = count(s, p)
        others = 0
        for q in range(players):
            if q != p:
                others += count(s, q)
        return (mine - others / (players - 1)) / total(s)
    if players == 2:
        lead = ahead(s, p, 1 - p)
        return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    leaders = 0
    behind = False
    for q in range(players):
        higher = True
        for r in range(players):
            if ahead(s, r, q) > 0:
                higher = False
        leaders += higher
        if ahead(s, q, p) > 0:
            behind = True
    if leaders == players:
        return 0.0
    return -1.0 / (players - leaders) if behind else 1.0 / leaders

"""Results: who is best and what everyone gets, for any number of players.

`play` itself may name the winner; or the winner is who has the highest `score` when the game is over.
Decided here for every game: `docs/conventions.md`, "Results and rewards".
"""

import numpy as np

from mancala_envs.core.contract import num_players, standing
from mancala_envs.core.options import Option
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule

REWARD = Option("reward", "win", choices=("win", "margin"))
"""`win`: +1, -1 or 0. `margin`: the score above the mean of the others' scores, as a part of `whole`."""
BY_MARGIN = 1
WIN_ONLY = Option("reward", "win", choices=("win",))
"""Where there is nothing to count."""

ROUND_REWARD = Option("round_reward", 0.0)
"""Of every campaign: after each round, the last included, everyone gets so much times his lead in worth besides."""


# Stood in for by the book's, where it has them.


def score(s, p):
    """What player p has gained when the game is over, an integer."""
    raise RuntimeError("this book has no score")


def whole(s):
    """What the scores of all can come to together: the unit of margins and leads."""
    raise RuntimeError("this book has no whole")


@rule
def ahead(s, p, q):
    """Above 0 where player p stands before q at the end, 0 where they are equal."""
    return score(s, p) - score(s, q)


# By play.


@rule
def named_by_play(s):
    """`best`: the winner that `play` wrote down, -1 where it named none."""
    return max(np.int64(s.winner), -1)


@rule
def share_of_winner(s, p):
    """`share`: 1 for the winner, and of the others each an equal part of -1; nothing for anybody without a winner."""
    if s.winner < 0:
        return 0.0
    return 1.0 if s.winner == p else -1.0 / (num_players(s) - 1)


@rule
def share_of_winner_or_margin(s, p):
    """`share`: as agreed by the option `reward`."""
    return margin(s, p) if s.reward == BY_MARGIN else share_of_winner(s, p)


# By scores.


@rule
def highest_score(s):
    """`best`: the player with the highest score, -1 when that is not one player alone."""
    leader = 0
    tied = False
    for p in range(1, num_players(s)):
        lead = ahead(s, p, leader)
        if lead > 0:
            leader = p
            tied = False
        elif lead == 0:
            tied = True
    return -1 if tied else leader


@rule
def margin(s, p):
    """Player p's score above the mean of the others', as a part of the whole."""
    players = num_players(s)
    others = 0
    for q in range(players):
        if q != p:
            others += score(s, q)
    return (score(s, p) - others / (players - 1)) / whole(s)


@rule
def share_by_score(s, p):
    """`share`: 1 for the best and -1 for the others, tied players sharing; or the margin, by the option `reward`."""
    if s.reward == BY_MARGIN:
        return margin(s, p)
    players = num_players(s)
    if players == 2:
        lead = ahead(s, p, 1 - p)
        return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    leaders = 0
    behind = False
    for q in range(players):
        leads = True
        for r in range(players):
            if ahead(s, r, q) > 0:
                leads = False
        leaders += leads
        if ahead(s, q, p) > 0:
            behind = True
    if leaders == players:
        return 0.0
    return -1.0 / (players - leaders) if behind else 1.0 / leaders


# Of campaigns.


@rule
def has_ended_round(s, round_number):
    """`ends_round` of a campaign."""
    return s.round_number != round_number


@rule
def pay_for_lead(s, p):
    """`round_pay` of a campaign: player p's lead in worth over the mean of the others, by the agreed weight."""
    if not s.round_reward:
        return 0.0
    players = num_players(s)
    others = 0
    for q in range(players):
        if q != p:
            others += standing(s, q)
    return s.round_reward * (standing(s, p) - others / (players - 1)) / whole(s)


@rule
def lead_in_standing(s, p):
    """`round_lead` of a campaign."""
    players = num_players(s)
    value = (players - 1) * np.int64(standing(s, p))
    for q in range(players):
        if q != p:
            value -= np.int64(standing(s, q))
    return value


@rule
def no_other_round(s, *_):
    """Stands for the rules of a campaign where a round is the whole game: nothing follows, nothing may be chosen."""
    s.ended = BY_RULES
    return False

"""Results: the winner and the rewards, for any number of players.

Either `play` sets `winner`, or the highest `score` wins when the game is over. `docs/conventions.md`, "Results and
rewards", describes what these rules do.
"""

import numpy as np

from mancala_envs.core.contract import num_players, standing
from mancala_envs.core.options import Option
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule

REWARD = Option("reward", "win", choices=("win", "margin"))
"""`win`: +1, -1 or 0. `margin`: the score minus the mean of the other players' scores, divided by `whole`."""
BY_MARGIN = 1
WIN_ONLY = Option("reward", "win", choices=("win",))
"""The same option for games without scores."""

ROUND_REWARD = Option("round_reward", 0.0)
"""For campaigns: after each round, each player is also paid this weight times their lead in `standing`."""


# A book with scores replaces `score` and `whole`, and can replace `ahead`.


def score(s, p):
    """Return the score of player p when the game is over, an integer."""
    raise RuntimeError("the rule book has no rule `score`")


def whole(s):
    """Return the highest sum of all scores, the unit of margins and leads."""
    raise RuntimeError("the rule book has no rule `whole`")


@rule
def ahead(s, p, q):
    """Return a positive number if player p ranks above player q at the end, 0 if they are equal."""
    return score(s, p) - score(s, q)


# Results set by `play`.


@rule
def named_by_play(s):
    """`best`: return the winner that `play` set, -1 if none."""
    return max(np.int64(s.winner), -1)


@rule
def share_of_winner(s, p):
    """`share`: return 1 for the winner and -1 / (players - 1) for each other player; 0 if nobody won."""
    if s.winner < 0:
        return 0.0
    return 1.0 if s.winner == p else -1.0 / (num_players(s) - 1)


@rule
def share_of_winner_or_margin(s, p):
    """`share`: return `margin` or `share_of_winner`, as the option `reward` says."""
    return margin(s, p) if s.reward == BY_MARGIN else share_of_winner(s, p)


# Results by scores.


@rule
def highest_score(s):
    """`best`: return the player with the highest score, -1 for a tie."""
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
    """Return player p's score minus the mean of the other scores, divided by `whole`."""
    players = num_players(s)
    others = 0
    for q in range(players):
        if q != p:
            others += score(s, q)
    return (score(s, p) - others / (players - 1)) / whole(s)


@rule
def share_by_score(s, p):
    """`share`: return `margin` if the option `reward` says so, and otherwise the reward by rank.

    The best players share 1, the others share -1; if all are tied, everyone gets 0.
    """
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


# Rules of campaigns.


@rule
def has_ended_round(s, round_number):
    """`ends_round` of campaigns: return whether the round is no longer `round_number`."""
    return s.round_number != round_number


@rule
def pay_for_lead(s, p):
    """`round_pay` of campaigns: return `round_reward` times player p's lead in `standing` over the mean."""
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
    """`round_lead` of campaigns: return the sum of player p's leads in `standing` over each other player."""
    players = num_players(s)
    value = (players - 1) * np.int64(standing(s, p))
    for q in range(players):
        if q != p:
            value -= np.int64(standing(s, q))
    return value


@rule
def no_other_round(s, *_):
    """Replace the rules of `Campaign.between_rounds` where there is no campaign: end the game and return False."""
    s.ended = BY_RULES
    return False

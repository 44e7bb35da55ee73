"""The contract of a rule book: the rules that loops call, and what each must do.

A loop that calls `legal(s, action)` imports `legal` from here. `Engine.bind` copies the loop for one game and replaces
`legal` by the book's own rule (see `core.binding`). If a book has no rule of that name, the one here applies.

Every rule takes one record `s`. `p` is a player, `action` an integer below `num_actions(s)`.
"""

import numpy as np

from mancala_envs.core.rule import rule


@rule
def _of_the_book(name):
    raise RuntimeError(f"{name} is a rule that each book defines: call it in a loop bound to a game by Engine.bind")


@rule
def num_players(s):
    """Return the number of players. It depends only on the sizes of the record and the options. Default: 2."""
    return 2


@rule
def num_actions(s):
    """Return the number of actions, legal or not. It depends only on the sizes of the record and the options."""
    _of_the_book("num_actions")


@rule
def begin(s):
    """Set up a new game. The head of the record is already set: player 0 is to move, in phase 0."""
    _of_the_book("begin")


@rule
def legal(s, action):
    """Return whether `action` is legal for the player to move."""
    _of_the_book("legal")


@rule
def play(s, action):
    """Play a legal action. Set `ended` (see `core.record`) if it ends the game."""
    _of_the_book("play")


@rule
def observe(s, p, out):
    """Write the observation of player p into `out`, a record with a field for each of the book's `Columns`."""
    _of_the_book("observe")


@rule
def hide(s, p):
    """Remove from `s` what player p may not know. `play` draws it again where needed. Default: nothing is hidden."""


@rule
def legal_word(s, word):
    """Return the legal actions among 64 * word .. 64 * word + 63 as the bits of a uint64."""
    bits = np.uint64(0)
    first = 64 * word
    for action in range(first, min(num_actions(s), first + 64)):
        bits |= np.uint64(legal(s, action)) << np.uint64(action - first)
    return bits


@rule
def worth(s, p):
    """Return the static evaluation of the position for player p, an integer. Default: 0."""
    return 0


@rule
def positional_bonus(s, p):
    """Return the positional bonus of player p at the horizon of a search of whole turns, in eighths of `worth`.

    Default: 0.
    """
    return 0


@rule
def best(s):
    """Return the `winner` of a game that is over (see `core.outcome`)."""
    _of_the_book("best")


@rule
def share(s, p):
    """Return the reward of player p for a game that is over (see `core.outcome`).

    The rewards of all players, or of all teams, sum to 0.
    """
    _of_the_book("share")


@rule
def secured_score(s, p):
    """Return the part of player p's score of this round that nobody can take away any more. Default: 0."""
    return 0


@rule
def owned(s, p):
    """Return how many parts of the board player p owns, for games that have campaigns."""
    _of_the_book("owned")


@rule
def standing(s, p):
    """Return player p's standing, which decides a campaign, for games that have campaigns.

    The sum of the standings of all players is constant.
    """
    _of_the_book("standing")


@rule
def ends_round(s, round_number):
    """Return whether a round of a campaign ended since round `round_number`; False without a campaign."""
    return False


@rule
def round_pay(s, p):
    """Return the reward of player p for a completed round of a campaign; 0 without a campaign."""
    return 0.0


@rule
def round_lead(s, p):
    """Return the sum of player p's leads over each other player after a round; 0 without a campaign."""
    return 0


@rule
def side(s, p):
    """Return the number of the side of player p; players of a side win together. Default: each player is a side."""
    return p

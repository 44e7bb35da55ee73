"""What the rules of a book must do: the names by which loops call them.

A loop that says `legal(s, action)` imports `legal` from here; `Engine.bind` makes a copy of the loop for one game, in
which the book's own rule stands in its place (see core.binding). Where a book has no such rule what stands here holds.

All rules are over one record `s`; `p` is a player, `action` a number below `num_actions(s)`.
"""

import numpy as np

from mancala_envs.core.rule import rule


@rule
def _of_the_book(name):
    raise RuntimeError(f"{name} is a rule of every book: call it in a loop that Engine.bind has bound to one")


@rule
def num_players(s):
    """How many players there are, a constant of the record's sizes; usually two."""
    return 2


@rule
def num_actions(s):
    """How many actions there are, legal or not; a number of the record's sizes, or of what was agreed on."""
    _of_the_book("num_actions")


@rule
def begin(s):
    """Set up a new game; the head of the record is already set, so that player 0 is to move in phase 0."""
    _of_the_book("begin")


@rule
def legal(s, action):
    """Whether the player to move may take `action`."""
    _of_the_book("legal")


@rule
def play(s, action):
    """Carry out a legal action; sets `ended` (core.record) when the game is over."""
    _of_the_book("play")


@rule
def observe(s, p, out):
    """Write what player p sees into `out`, a record with a field for each kind of the book's columns."""
    _of_the_book("observe")


@rule
def hide(s, p):
    """Take out of `s` what player p may not know; `play` draws it anew where it matters. Usually nothing is hidden."""


@rule
def legal_word(s, word):
    """Actions 64 * word .. 64 * word + 63 as the bits of a uint64, set where they are legal."""
    bits = np.uint64(0)
    first = 64 * word
    for action in range(first, min(num_actions(s), first + 64)):
        bits |= np.uint64(legal(s, action)) << np.uint64(action - first)
    return bits


@rule
def worth(s, p):
    """How well player p stands now, an integer, for those who look ahead; usually all stand alike."""
    return 0


@rule
def prospects(s, p):
    """What the position promises player p besides, in eighths of `worth`, to those who look whole turns ahead and stop;
    usually nothing is said of it."""
    return 0


@rule
def best(s):
    """`winner` of a game that is over (see core.outcome)."""
    _of_the_book("best")


@rule
def share(s, p):
    """Player p's reward for a game that is over (see core.outcome); those of all players or teams sum to zero."""
    _of_the_book("share")


@rule
def assured(s, p):
    """What of player p's score after a round nobody can take from him any more; usually nothing."""
    return 0


@rule
def owned(s, p):
    """How many parts of the board are player p's; only where there is a campaign."""
    _of_the_book("owned")


@rule
def standing(s, p):
    """What player p is worth between rounds; only where there is a campaign. What all are worth is always the same."""
    _of_the_book("standing")


@rule
def ends_round(s, round_number):
    """Whether a round of a campaign ended since the round was `round_number`; where there is no campaign none does."""
    return False


@rule
def round_pay(s, p):
    """What player p gets for a round of a campaign that is over; where there is no campaign nothing."""
    return 0.0


@rule
def round_lead(s, p):
    """How far player p is ahead of the others, all together, after a round; where there is no campaign nobody is."""
    return 0


@rule
def side(s, p):
    """The number of the side that player p is of, who wins or loses with all of it; usually he is alone."""
    return p

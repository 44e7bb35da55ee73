"""
# Bao la kujifunza (Zanzibar)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | 4 x 8 holes |
| Seeds | 2 a hole |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import baokujifunza_v0` |

Bao for beginners: Bao la Kiswahili with `start="beginners"`.

## Rules
Sources: those of Bao la Kiswahili, whose page shows the board and the numbers of its holes.

1. At the start there are two seeds in every hole. There are no stocks and no nyumba.
2. Play is that of Bao la Kiswahili in mtaji, from the first turn.

## Not settled by the source, decided here
* AbstractPlay has takasia in this game, too; Board Game Arena does not (`takasia="off"`).
* Everything else as in Bao la Kiswahili, whose options this game has. Those about the nyumba and namua have no effect.

## Random play
A game takes 27 turns on average. The first player wins 54% of the games.

## Versions
* v0: first version.
"""

from dataclasses import replace

from mancala_envs.games.bao import RULE_BOOK as BAO

__all__ = ["RULE_BOOK"]

OPTIONS = tuple(replace(option, default="beginners") if option.name == "start" else option for option in BAO.options)

RULE_BOOK = replace(BAO, name="baokujifunza", title="Bao la kujifunza", text=__doc__, options=OPTIONS)
__doc__ = RULE_BOOK.page

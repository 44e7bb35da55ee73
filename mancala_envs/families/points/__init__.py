"""Rules and presentation that mills, war games, hunts and draughts share: boards of lines, steps, jumps, rows of three.

A rule takes the record `s` of one game and changes it in place. `p` is a player.
"""

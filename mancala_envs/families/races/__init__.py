"""Rules and presentation that races share: tracks, throws, entering, moving and sending back pieces.

A rule takes the record `s` of one game and changes it in place. `p` is a player, `r` and `q` are rows of `s.pieces`,
and `k` is the number of a piece in its row.
"""

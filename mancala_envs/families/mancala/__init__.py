"""Rules and presentation that sowing games share: sowing, rows, grids, the ledger, drawings and explanations.

A rule takes the record `s` of one game and changes it in place. `p` is a player, `hole` a hole's number in `s.holes`.
"""

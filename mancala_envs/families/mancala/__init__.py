"""Rules that mancala games share: sowing, rows, grids, the ledger, drawings and explanations."""

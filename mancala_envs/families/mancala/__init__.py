"""Rules that sowing games share: sowing, rows, grids, the ledger, drawings and explanations."""

"""Rules that sowing games of four rows share: two rings, one for each player."""

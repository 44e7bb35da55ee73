"""Games on points: boards of lines, steps, jumps, rows of three, and what kinds of these games share."""

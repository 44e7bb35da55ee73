"""Faster forms of rules, with byte-for-byte the same results as the rule books in `games`."""

"""The rule books, one module for each game."""

"""Rule books of games that only tests use."""

"""Rules that Parker's four Olinda games share."""

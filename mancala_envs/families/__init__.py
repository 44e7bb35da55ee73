"""Rules and presentation that several games share."""

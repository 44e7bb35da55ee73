"""What sowing games share."""

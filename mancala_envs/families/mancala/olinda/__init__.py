"""Rules that the four sowing games described by Parker share."""

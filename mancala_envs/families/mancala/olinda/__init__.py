"""What the four sowing games that Parker described share."""

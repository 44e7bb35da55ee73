"""What dice races share."""

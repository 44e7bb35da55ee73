"""Rule books for tests, which the package does not contain."""

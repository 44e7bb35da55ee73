"""Compliance suites of other libraries, and our own, on every environment."""

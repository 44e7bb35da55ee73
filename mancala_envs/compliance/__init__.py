"""Runs the compliance suites of other libraries, and our own, on all environments."""

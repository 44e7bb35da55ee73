"""Solvers that share no code with the library."""

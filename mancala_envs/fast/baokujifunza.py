"""Bao la kujifunza has the fast form of Bao."""

from mancala_envs.fast.bao import FAST

__all__ = ["FAST"]

"""Magazeb II, which its source calls "identical" with Qelat: one rule book has both names, and so one page."""

from mancala_envs.games.qelat import RULE_BOOK

__all__ = ["RULE_BOOK"]

__doc__ = RULE_BOOK.page

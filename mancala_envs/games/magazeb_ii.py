# Its source calls it "identical" with Qelat: one book has both names, and so one page.
from mancala_envs.games.qelat import RULE_BOOK

__all__ = ["RULE_BOOK"]

__doc__ = RULE_BOOK.page

"""How well agents play: scores, tournaments, leagues, solved positions, fair starts, standings of campaigns."""

from mancala_envs.evaluation.fair import fair_starts
from mancala_envs.evaluation.league import League
from mancala_envs.evaluation.score import Score, evaluate
from mancala_envs.evaluation.solved import SOLVED_GAMES, Solved, SolvedScore, score_solved, solved_positions
from mancala_envs.evaluation.standings import Standings, standings_for
from mancala_envs.evaluation.tournament import Tournament

__all__ = [
    "SOLVED_GAMES",
    "League",
    "Score",
    "Solved",
    "SolvedScore",
    "Standings",
    "Tournament",
    "evaluate",
    "fair_starts",
    "score_solved",
    "solved_positions",
    "standings_for",
]

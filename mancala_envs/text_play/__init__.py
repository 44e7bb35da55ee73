"""Play in text, for language models: prompts, parsed answers, matches, exact regret and puzzles.

game = make_game("kalah")
talk = TextGame(game, rules="short")
state = game.init(1, seed=0)
action = talk.parse_action(state, model(talk.prompt(state)))
"""

from mancala_envs.text_play.answers import AmbiguousAnswer, AnswerError, IllegalAnswer, UnclearAnswer
from mancala_envs.text_play.match import TextScore, play_text, text_games
from mancala_envs.text_play.players import Endpoint, Person, Scripted
from mancala_envs.text_play.prompts import TextGame
from mancala_envs.text_play.regret import Regrets
from mancala_envs.text_play.states import state_from_json, state_to_json

__all__ = [
    "AmbiguousAnswer",
    "AnswerError",
    "Endpoint",
    "IllegalAnswer",
    "Person",
    "Regrets",
    "Scripted",
    "TextGame",
    "TextScore",
    "UnclearAnswer",
    "play_text",
    "state_from_json",
    "state_to_json",
    "text_games",
]

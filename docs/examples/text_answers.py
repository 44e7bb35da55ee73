"""Show a prompt, and which answers are understood."""

from mancala_envs import make_game
from mancala_envs.text_play import AnswerError, TextGame

game = make_game("kalah", columns=3, seeds=2, reward="margin")
talk = TextGame(game, rules="none")
state = game.init(1, seed=0)
print(talk.prompt(state))
for answer in ("I take hole 1. It ends in my store.\n\nAction: 1", "either 0 or 2", "Action: 7"):
    try:
        print("plays", game.action_names[talk.parse_action(state, answer)])
    except AnswerError as error:
        print("refused:", error)

"""Show a position as text, as a picture, and in words."""

from PIL import Image

from mancala_envs import make_game
from mancala_envs.render import draw_picture

game = make_game("pancha_keliya")
states = game.init(1, seed=4)
game.show(states[0])  # as text
Image.fromarray(draw_picture(game.board(states))).save("board.png")
print(game.svg(states)[:60])
(action,) = game.sample(states, seed=1)
print("\n".join(game.explain(states[0], action)))  # what the action does, in words

"""Write a position as text, and read it."""

from mancala_envs import make_game

oware = make_game("oware")
text = oware.text(oware.init(1, seed=1))
print(text)
assert oware.text(oware.parse(text)) == text
try:
    oware.load(holes=[4] * 11 + [50])
except ValueError as error:
    print(error)

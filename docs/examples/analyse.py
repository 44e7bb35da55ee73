"""Analyse a position by two searches."""

from mancala_envs import make_game
from mancala_envs.agents import Agent

kalah = make_game("kalah")
state = kalah.load(seed=1, holes=[0, 2, 0, 4, 1, 5, 3, 0, 0, 2, 6, 1], store=[13, 11])
kalah.show(state)

found = Agent(kalah, "minimax:8").analyse(state)
print(f"{kalah.action_names[found.action]} leads to a value of {found.value}")
print(f"{found.nodes} positions searched; principal variation: {found.line}")

found = Agent(kalah, "mcts:2000").analyse(state, seed=1)
for action, value in sorted(found.values.items(), key=lambda item: -item[1]):
    print(f"{value:+.2f}  {kalah.action_names[action]}")

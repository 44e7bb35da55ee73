"""Show what the columns of an observation hold."""

from mancala_envs import make_game

game = make_game("kalah")
for column in game.observation_fields[11:]:
    print(f"{column.name}: 0..{column.high}, {column.meaning}")

states = game.init(3, seed=1, opening=6)
rows = game.observe(states).view(game.layout)[:, 0]
print("own holes and stores of three games:", rows["own_hole"], rows["own_store"])

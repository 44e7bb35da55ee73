"""Ask for the chance of winning from a standing."""

from mancala_envs import make_game
from mancala_envs.evaluation import standings_for

game = make_game("ceelkoqyuqkoqiji", campaign=True)
table = standings_for(game)
in_debt = game.load(seed=1, holes=[5] * 10, debt=[[0, 4], [0, 0]], round_number=5)
print(table.chance(game, in_debt))
cost, half_width = table.price_of_debt()
print(f"a seed of debt costs {cost:.3f} ± {half_width:.3f}")

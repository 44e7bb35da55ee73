"""Show the afterstates of all legal actions."""

from mancala_envs import make_game

game = make_game("qelat")
states = game.init(4, seed=1, opening=6)
after = game.afterstates(states)
print(after.observations.shape)  # (n, A, D)
print(after.rewards[0], after.ended[0], after.same_player[0], after.legal[0], sep="\n")

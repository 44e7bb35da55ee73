"""Score a search in solved positions, and train on the others."""

from mancala_envs.evaluation import score_solved, solved_positions

print(score_solved("minimax:4", "kalah", positions=500))

train = solved_positions("kalah", "train")
targets = train.values == train.best[:, None]
print(train.game.observe(train.states).shape, targets.shape)

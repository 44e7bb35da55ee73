"""A board in the browser: `python -m mancala_envs.play qelat --opponent mcts:400`."""

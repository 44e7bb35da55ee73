"""Command-line programs, installed as `mancala_envs.scripts`."""

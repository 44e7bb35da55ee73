"""Programs; an installed package has them as `mancala_envs.scripts`."""

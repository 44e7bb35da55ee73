"""Studies of games, campaigns and agents, which make figures of the documentation and files of the package."""

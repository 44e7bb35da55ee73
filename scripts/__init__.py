"""Command-line programs, installed as `mancala_envs.scripts`.

The nine programs in this folder are for users. `language_models/` lets language models play and writes puzzles for
them. `maintenance/` makes figures of the documentation and files of the package. `examples/` shows other libraries.
"""

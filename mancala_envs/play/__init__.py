"""A game that people play: the session, and what shows it in the terminal, in a window and in the browser."""

"""Games that people play against agents: the session, and its display in the terminal, a window or the browser."""

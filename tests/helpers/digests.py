"""Digests of random play, which tests compare between processes."""

import hashlib

from mancala_envs import make_game


def play_digests(name, campaign, options, n=2, decisions=60):
    """Play at random; return a digest of every query and state per decision, and the last round reached."""
    game = make_game(name, campaign=campaign, **options)
    states = game.init(n, seed=21)
    digests = []
    for decision in range(decisions if not campaign else 3 * decisions):
        actions = game.sample(states, seed=decision)
        queries = [game.legal(states), game.legal_bits(states), game.observe(states, 1), actions]
        rewards = game.step(states, actions, autoreset=True)
        shown = b"".join(array.tobytes() for array in (*queries, rewards, states))
        digests.append(hashlib.sha256(shown).hexdigest()[:16])
    return digests, int(states["round_number"].max())

"""Digests of random play, to compare processes."""

import hashlib

from mancala_envs import make_game


def play_digests(name, campaign, options, n=2, decisions=60):
    """Return a digest of all that each random decision shows, and the last round reached."""
    game = make_game(name, campaign=campaign, **options)
    states = game.init(n, seed=21)
    digests = []
    for decision in range(decisions if not campaign else 3 * decisions):
        actions = game.sample(states, seed=decision)
        seen = [game.legal(states), game.legal_bits(states), game.observe(states, 1), actions]
        rewards = game.step(states, actions, autoreset=True)
        shown = b"".join(array.tobytes() for array in (*seen, rewards, states))
        digests.append(hashlib.sha256(shown).hexdigest()[:16])
    return digests, int(states["round_number"].max())

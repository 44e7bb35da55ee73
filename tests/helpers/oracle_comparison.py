"""Comparison of a game with its oracle."""

import random

import numpy as np
from oracles.catalogue import ORACLES

from mancala_envs import make_game


def compare(name, decisions, seed=0, campaign=False, **options):
    """Play games at random with both, and compare all that the page tells."""
    game, chance, twin = make_game(name, campaign=campaign, **options), random.Random(seed), None
    for _ in range(decisions):
        if twin is None or twin.ended:
            twin = ORACLES[name](chance, campaign, **options)
            told = twin.told()
            states = game.init(1, 0, draws=[told])
            differ = differences(game, states, twin, [0] * game.num_players)
            assert not differ, (game, told, differ)
            # Whoever often takes the first thing he may do comes to where chance alone seldom leads.
            lean = chance.choice((0, 0, 0.3))
        before, actions = states.copy(), twin.legal()
        action = actions[0] if chance.random() < lean else chance.choice(actions)
        twin.play(action)
        told = twin.told()
        try:
            rewards = game.step(states, [action], draws=[told])[0].tolist()
            differ = differences(game, states, twin, rewards)
        except ValueError as error:
            differ = error
        assert not differ, f"{game.text(before)}: {action} with {told}: {differ}"


def differences(game, states, twin, rewards):
    """{what: (as the engine has it, as it is by the page)}"""
    legal = np.flatnonzero(game.legal(states)[0]).tolist()
    expected = twin.fields()
    seen = {name: states[name][0].tolist() for name in expected} | {"legal": legal}
    expected["legal"] = [] if twin.ended else sorted(twin.legal())
    differ = {name: (seen[name], expected[name]) for name in seen if seen[name] != expected[name]}
    paid = twin.rewards if twin.ended else [0] * len(rewards)
    if max(abs(one - other) for one, other in zip(rewards, paid, strict=True)) > 1e-6:
        differ["rewards"] = rewards, paid
    return differ

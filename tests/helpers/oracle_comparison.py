"""Comparison of a game with its oracle."""

import random

import numpy as np
from oracles.catalogue import ORACLES

from mancala_envs import make_game
from mancala_envs.core.binding import in_python
from mancala_envs.core.chance import advance, below, stream

REPLAY_INTERVAL = 40
"""One decision in this many is also replayed with `draws=`, which is slow because it runs in plain Python."""


class Generator:
    """A copy of a record's random number generator, so that the oracle draws the same results as the engine."""

    advance, below = staticmethod(in_python(advance)), staticmethod(in_python(below))

    def __init__(self):
        self.word = np.uint64(0)

    def randrange(self, sides):
        self.word = self.advance(self.word)
        return int(self.below(self.word, sides))


def compare(name, decisions, seed=0, campaign=False, **options):
    """Play random games with the engine and the oracle, and compare everything that the rules page defines."""
    game, chance, twin = make_game(name, campaign=campaign, **options), random.Random(seed), None
    generator = Generator()
    for decision in range(decisions):
        if twin is None or twin.ended:
            word = chance.randrange(2**63)
            generator.word = stream(np.uint64(word), 0)
            twin = ORACLES[name](generator, campaign, **options)
            draws = twin.take_draws()
            states = game.init(1, word)
            differ = differences(game, states, twin, [0] * game.num_players)
            assert not differ, (game, draws, differ)
            # A bias for the first legal action reaches positions that are rare in uniform play.
            bias = chance.choice((0, 0, 0.3))
        before, actions = states.copy(), twin.legal()
        action = actions[0] if chance.random() < bias else chance.choice(actions)
        twin.play(action)
        draws = twin.take_draws()
        rewards = game.step(states, [action])[0].tolist()
        differ = differences(game, states, twin, rewards)
        if decision % REPLAY_INTERVAL == 0:
            replayed = before.copy()
            assert game.step(replayed, [action], draws=[draws])[0].tolist() == rewards
            replayed.chance = states.chance
            assert replayed.tobytes() == states.tobytes(), f"{game.text(before)}: {action} with {draws}"
        assert not differ, f"{game.text(before)}: {action} with {draws}: {differ}"


def differences(game, states, twin, rewards):
    """Return the differences as {name: (value of the engine, value of the oracle)}."""
    legal = np.flatnonzero(game.legal(states)[0]).tolist()
    expected = twin.fields()
    actual = {name: states[name][0].tolist() for name in expected} | {"legal": legal}
    expected["legal"] = [] if twin.ended else sorted(twin.legal())
    if isinstance(twin.chance, Generator):
        actual["chance"], expected["chance"] = int(states.chance[0]), int(twin.chance.word)
    differ = {name: (actual[name], expected[name]) for name in actual if actual[name] != expected[name]}
    paid = twin.rewards if twin.ended else [0] * len(rewards)
    if max(abs(one - other) for one, other in zip(rewards, paid, strict=True)) > 1e-6:
        differ["rewards"] = rewards, paid
    return differ

"""Every game against its oracle: an independent second implementation, written from its page (`oracles/`)."""

import random

import pytest
from helpers.forms import SIZES, slowly
from helpers.oracle_comparison import compare
from oracles.catalogue import BOUNDS, ORACLES, VARIANTS

from mancala_envs import make_game
from mancala_envs.registry import REGISTRY

RARE = {
    "qelat": (True, {"columns": 4}),
    "zigulzoqge": (False, {"players": 2, "capture": "chain"}),
    "niranchy": (False, {"blocked": "pass"}),
    "dam": (False, {"size": 8, "crown": "pass"}),
    "tayam_sonalu": (False, {"counters": 1, "first": "always"}),
}
"""Options that make rare rules frequent: spared holes, closed chains, blocked players, kings, lost pieces."""
RARE_CASES = [name if not SIZES & RARE[name][1].keys() else slowly(name)[0] for name in RARE]
CHANCE = {
    *((name, True) for name in ("qelat", "magazeb_ii")),
    *(("ceelkoqyuqkoqiji", campaign) for campaign in (False, True)),
    *((name, False) for name in ("sokkattan", "pahada_keliya", "asi_keliya", "tayam_sonalu", "saturankam")),
    *((name, False) for name in ("pancha_keliya", "pancha_keliya_complex", "kawade_kelia")),
}
"""Games with chance: lots for a hole, a random beginner, dice or cowries."""
variants = pytest.mark.parametrize(("name", "campaign", "options", "sizes"), VARIANTS)


def test_every_game_and_campaign_has_an_oracle():
    every = {
        (name, campaign) for name, entry in REGISTRY.items() for campaign in (False, True)[: 1 + entry.has_campaign]
    }
    assert every == {(name, campaign) for name, campaign, *_ in VARIANTS}
    assert set(ORACLES) == set(REGISTRY)


@variants
def test_options_and_chance_are_those_of_the_page(name, campaign, options, sizes):
    agreed = {option: values[0] for option, values in options.items() if len(values) == 1}
    game = make_game(name, campaign=campaign, **agreed)
    assert game.options.items() >= {(option, values[0]) for option, values in options.items()}
    assert game.has_chance == ((name, campaign) in CHANCE)
    for size in sizes:
        assert make_game(name, campaign=campaign, **agreed, **size).options.items() >= size.items()


@pytest.mark.parametrize("name", REGISTRY)
def test_most_decisions_is_a_bound_that_grows_with_max_turns(name):
    game = make_game(name, max_turns=1)
    most = game.book.most_decisions(game.options)
    assert 1 <= most < game.book.most_decisions(make_game(name).options)
    states = game.init(100, 0)
    for decision in range(most):
        going = states["to_move"] >= 0
        if not going.any():
            return
        states = states[going]
        game.step(states, game.sample(states, decision))
    assert (states["to_move"] < 0).all()


@variants
def test_random_play_agrees_with_the_oracle(name, campaign, options, sizes):
    """With the defaults, then with every value of each option, then with every other option at its last value."""
    usual = {option: values[0] for option, values in options.items()}
    compare(name, 500, 0, campaign, **usual)
    for number in range(1, max(map(len, options.values()))):
        compare(name, 150, number, campaign, **{option: each[number % len(each)] for option, each in options.items()})
    choices = [option for option in options if option not in BOUNDS]
    for first in (0, 1):
        others = {option: options[option][-1] for option in choices[first::2]}
        compare(name, 150, first, campaign, **usual | others)


@pytest.mark.parametrize("name", RARE_CASES)
def test_rare_rules_agree_with_the_oracle(name):
    campaign, options = RARE[name]
    compare(name, 3000, 5, campaign, **options)


@pytest.mark.slow
@variants
def test_long_random_play_agrees_with_the_oracle(name, campaign, options, sizes):
    """With the defaults, then with random values and sizes."""
    compare(name, 1_500, 1, campaign, **{option: values[0] for option, values in options.items()})
    for seed in range(3):
        rng = random.Random(seed)
        drawn = {option: rng.choice(values) for option, values in options.items()}
        compare(name, 400, seed, campaign, **drawn, **rng.choice([{}, *sizes]))

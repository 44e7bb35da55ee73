"""The argument `draws` of `init`, `step` and `explain`: results of chance given by the caller."""

from dataclasses import replace

import numpy as np
import pytest
from books import lucky

from mancala_envs import Game
from mancala_envs.core.chance import Misfit, draw, draw_or_read, scripted
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule

ENDS = 0
"""The result of a throw that ends a game of `RUIN`."""


@rule
def throw_until_ruin(s, action):
    s.points[s.to_move] = draw(s, lucky.SIDES)
    s.turn += 1
    if s.points[s.to_move] == ENDS:
        s.ended = BY_RULES
        s.winner = 1 - s.to_move
    s.to_move = 1 - s.to_move


RUIN = Game(replace(lucky.RULE_BOOK, rules=replace(lucky.RULE_BOOK.rules, play=throw_until_ruin)), "lucky", False, {})


def thrown_by_generator(n=64):
    """Return n new games, the same games after a throw by their generators, and the rewards of this throw."""
    states = RUIN.init(n, 1)
    after = states.copy()
    rewards = RUIN.step(after, np.zeros(n, np.int64))
    return states, after, rewards


def test_the_same_results_play_the_same_game():
    states, after, rewards = thrown_by_generator()
    chance = states.chance.copy()
    thrown = after.points[:, 0].tolist()
    got = RUIN.step(states, np.zeros(len(states), np.int64), draws=[[["die", 6, result]] for result in thrown])
    assert np.array_equal(got, rewards) and (states.chance == chance).all()
    states.chance = after.chance
    assert states.tobytes() == after.tobytes()


@pytest.mark.parametrize("autoreset", [False, True])
def test_given_draws_replace_those_of_the_generator(autoreset):
    """Games that the generator would end go on without its rewards, and the others end."""
    states, after, _ = thrown_by_generator()
    ends = after.ended.astype(bool)
    assert ends.any() and not ends.all()
    final = np.zeros(len(states), RUIN.dtype)
    draws = [[1 if end else ENDS] for end in ends]
    rewards = RUIN.step(states, np.zeros(len(states), np.int64), autoreset, draws=draws, final=final)
    assert (states.ended.astype(bool) == ~ends).all()
    assert (rewards[:, 0] == np.where(ends, 0, -1)).all()
    assert ((final["rules"] != 0) == ~ends).all() and not any(final[ends].tobytes())


def test_only_rules_in_plain_python_read_a_script_and_only_within_its_context():
    s = RUIN.init(1, 1)[0]
    with scripted([(3, 6), (1, 0)]):
        assert [draw_or_read(s, 6), draw_or_read(s, 6)] == [3, 1]
    chance = int(s.chance)
    assert 0 <= draw_or_read(s, 6) < 6 and s.chance != chance
    with pytest.raises(Misfit, match="too few: the next draw has 4 sides") as caught, scripted([]):
        draw_or_read(s, 4)
    assert caught.value.sides == 4
    with pytest.raises(Misfit, match="too many") as caught, scripted([(0, 0)]):
        pass
    assert caught.value.sides == 0
    for wrong in ((4, 0), (1, 5)):
        with pytest.raises(Misfit, match="out of range"), scripted([wrong]):
            draw_or_read(s, 4)

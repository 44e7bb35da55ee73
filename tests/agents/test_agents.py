"""The built-in opponents and how opponents are named."""

import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.agents import Agent, Mixture
from mancala_envs.agents.compiled import act
from mancala_envs.envs.vector import MancalaVectorEnv


@pytest.mark.parametrize(
    ("name", "holes", "best"),
    [
        # Hole 0 ends in the empty hole 1 and captures the nine seeds opposite; hole 4 captures one.
        ("kalah", [1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 9, 1], 0),
        # Hole 5 gives a seed and the move again, and hole 0 then captures: seven; the capture alone: six.
        ("kalah", [1, 0, 0, 0, 3, 1, 0, 0, 0, 0, 5, 8], 5),
        # Hole 5 makes a child.
        ("qelat", [1, 1, 0, 0, 0, 1, 3, 4, 4, 4, 4, 4], 5),
    ],
)
def test_greedy_gains_most_in_its_turn(name, holes, best):
    game = make_game(name)
    assert act(game, game.load(holes=holes), "greedy", seed=0)[0] == best


def test_greedy_breaks_ties_at_random_by_the_seed():
    kalah = make_game("kalah")
    # Four moves, none of which gains anything.
    states = kalah.load(holes=[1, 1, 1, 1, 0, 0, 9, 0, 9, 0, 0, 0]).repeat(400).view(np.recarray)
    chosen = act(kalah, states, "greedy", seed=3)
    counts = np.bincount(chosen, minlength=6)
    assert counts[:4].min() > 60
    assert counts.sum() == counts[:4].sum()
    np.testing.assert_array_equal(chosen, act(kalah, states, "greedy", seed=3))


def test_an_unknown_agent_is_refused_and_the_allowed_ones_are_listed():
    with pytest.raises(ValueError, match="random, greedy"):
        act(make_game("kalah"), make_game("kalah").init(1, 0), "clever")
    with pytest.raises(ValueError, match=r"'random', 'greedy', .*, a callable or the path"):
        Agent("kalah", "no/such/model.zip")


def test_a_mixture_samples_opponents_by_weight():
    asked = {"often": 0, "rarely": 0}

    def counting(name):
        def policy(observations, masks):
            asked[name] += len(masks)
            return masks.argmax(axis=1)

        return policy

    mixture = Mixture((counting("often"), counting("rarely")), (0.9, 0.1))
    MancalaVectorEnv("kalah", 2000, opponent=mixture, seat=1).reset(seed=0)
    assert 0.86 < asked["often"] / (asked["often"] + asked["rarely"]) < 0.94
    with pytest.raises(ValueError, match="2 positive numbers"):
        Mixture(("random", "greedy"), (1.0,))


def test_a_new_opponent_plays_only_games_that_start_later():
    first_asked, second_asked = [], []
    envs = MancalaVectorEnv("kalah", 4, opponent=lambda o, m: first_asked.append(1) or m.argmax(axis=1), seat=0)
    _, infos = envs.reset(seed=0)
    envs.set_opponent(lambda o, m: second_asked.append(1) or m.argmax(axis=1))
    envs.step(infos["action_mask"].argmax(axis=1))
    assert first_asked
    assert not second_asked
    envs.reset(seed=0)
    envs.step(infos["action_mask"].argmax(axis=1))
    assert second_asked

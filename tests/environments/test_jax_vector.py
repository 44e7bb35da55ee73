"""`MancalaVectorEnv.xla`: the same games as the vector environment, inside programs of JAX."""

import numpy as np
import pytest

from mancala_envs.agents import Mixture
from mancala_envs.envs.vector import MancalaVectorEnv

jax = pytest.importorskip("jax")
jnp = jax.numpy

N = 6
OPPONENTS = ["random", "greedy", "minimax:1", Mixture(("random", "mcts:10"))]


def assert_same(got, expected):
    """Check that a program returns what the environment does; in JAX, `illegal_action` is always there."""
    *arrays, infos = got
    *wanted, expected_infos = expected
    assert all(map(np.array_equal, arrays, wanted))
    for name, value in expected_infos.items():
        if name[0] != "_" and not name.startswith("final"):
            assert np.array_equal(infos[name], value), name
    assert infos["illegal_action"].any() == ("illegal_action" in expected_infos)


@pytest.mark.parametrize("opponent", OPPONENTS, ids=str)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_steps_are_those_of_the_environment(opponent, mode):
    envs, others = (MancalaVectorEnv("kalah", N, opponent, autoreset_mode=mode) for _ in range(2))
    handle, reset, step = others.xla()
    reset, step = jax.jit(reset), jax.jit(step)
    handle, shown = reset(handle, seed=5)
    assert_same(shown, envs.reset(seed=5))
    random = np.random.default_rng(0)
    ends = 0
    for number in range(60):
        # Some actions are illegal.
        actions = random.integers(-1, 7, N) if number % 7 == 0 else np.asarray(shown[-1]["action_mask"]).argmax(1)
        handle, shown = step(handle, actions)
        expected = envs.step(actions)
        assert_same(shown, expected)
        ends += expected[2].sum()
    assert ends


def test_campaigns_have_their_standings():
    envs, others = (MancalaVectorEnv("qelat", N, campaign=True, opening=4) for _ in range(2))
    handle, reset, _ = others.xla()
    assert_same(reset(handle, np.arange(N) + 3)[1], envs.reset(seed=3))
    assert {"round_number", "owned", "worth"} <= reset(handle)[1][1].keys()


def test_a_whole_rollout_is_one_program():
    envs = MancalaVectorEnv("kalah", 64, "greedy")
    handle, reset, step = envs.xla()

    @jax.jit
    def play(handle):
        handle, (_, infos) = reset(handle, seed=1)

        def body(carry, _):
            handle, mask = carry
            handle, (_, rewards, _, _, infos) = step(handle, mask.argmax(-1))
            return (handle, infos["action_mask"]), rewards

        return jax.lax.scan(body, (handle, infos["action_mask"]), length=50)

    (end, _), rewards = play(handle)
    _, infos = envs.reset(seed=1)
    for expected in np.asarray(rewards):
        _, got, _, _, infos = envs.step(infos["action_mask"].argmax(1))
        assert np.array_equal(got, expected)
    assert np.array_equal(play(handle)[0][0], end)


def test_a_handle_holds_the_games_as_they_are():
    envs = MancalaVectorEnv("kalah", N)
    envs.reset(seed=3)
    handle, reset, step = envs.xla()
    actions = envs.action_masks().argmax(1)
    assert_same(step(handle, actions)[1], envs.step(actions))
    mask = np.arange(N) < 2
    _, (observations, _) = reset(step(handle, actions)[0], 9, mask)
    assert np.array_equal(observations[2:], envs._match.observations[2:])


def test_what_it_does_not_take_is_refused():
    with pytest.raises(ValueError, match="xla needs opponents by name"):
        MancalaVectorEnv("kalah", N, lambda observations, masks: masks.argmax(1)).xla()
    envs = MancalaVectorEnv("kalah", N, illegal="raise")
    handle, _, step = envs.xla()
    with pytest.raises(ValueError, match=r"actions must be integers of shape \(6,\), got float32"):
        jax.jit(step).lower(handle, jnp.zeros(N))
    with pytest.raises(ValueError, match="handle must be"):
        step(handle[:2], jnp.zeros(N, int))
    with pytest.raises(Exception, match="action 9 of game 0 is illegal"):
        jax.block_until_ready(jax.jit(step)(handle, jnp.full(N, 9)))
    # The error changed nothing.
    assert not step(handle, envs.xla()[1](handle)[1][1]["action_mask"].argmax(1))[1][2].any()

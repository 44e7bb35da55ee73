"""Games inside programs of JAX: the same bytes as `Game.step`, and errors instead of broken records."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from books import tic_tac_toe
from helpers.programs import ROOT

from mancala_envs import make_game
from mancala_envs.core.kernels import hide_loop
from mancala_envs.core.rule import rule
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY

jax = pytest.importorskip("jax")
jnp = jax.numpy

from mancala_envs.integrations.jax import JaxEnv, State, make, sample  # noqa: E402

GAMES, STEPS = 50, 200
"""10,000 random steps of every kind of game."""
KINDS = [(name, campaign) for name, entry in REGISTRY.items() for campaign in {False, entry.has_campaign}]


@pytest.fixture(scope="module")
def kalah():
    return make("kalah")


def keys(n, seed=0):
    return jax.random.split(jax.random.key(seed), n)


def rollout(env, state, seed, steps):
    """Play random actions in one program. Return the last state, and the actions and states of all steps."""

    def body(state, key):
        action = sample(key, state.legal_action_mask)
        state = env.step(state, action)
        return state, (action, state)

    return jax.jit(lambda state, keys: jax.lax.scan(body, state, keys))(state, keys(steps, seed))


def assert_same(env, state, records, rewards=0.0, ended=False):
    """Check that a state shows what `Game` says of the records."""
    over = records["to_move"] < 0
    assert np.asarray(state.record).tobytes() == records.tobytes()
    assert np.array_equal(state.rewards, np.broadcast_to(rewards, state.rewards.shape))
    assert np.array_equal(state.observation, env.game.observe(records))
    assert np.array_equal(state.legal_action_mask, env.game.legal(records) | over[:, None])
    assert np.array_equal(state.current_player, np.maximum(records["to_move"], 0))
    assert np.array_equal(state.terminated, over | ended)
    assert not state.truncated.any()


@pytest.mark.parametrize(("name", "campaign"), KINDS)
def test_random_steps_are_those_of_the_game(name, campaign):
    env = make(name, campaign, autoreset=True)
    state = jax.jit(jax.vmap(env.init))(keys(GAMES))
    records = env.to_records(state)
    assert_same(env, state, records)
    begun = records.copy()
    _, (actions, states) = rollout(env, state, 1, STEPS)
    for step in range(STEPS):
        rewards = env.game.step(records, np.asarray(actions[step]), autoreset=True)
        now = jax.tree.map(lambda array, step=step: array[step], states)
        assert_same(env, now, records, rewards, records["ended"] > 0)
    assert np.asarray(states.record[:, 0]).any() and begun.tobytes() != records.tobytes()


def test_a_new_game_is_that_of_the_game_with_the_same_generator():
    env = make("ceelkoqyuqkoqiji", campaign=True)
    state = env.init(keys(20))
    expected = env.game._seeded(np.zeros(20, np.uint64), np.zeros(20, np.int64))
    drawn = np.asarray(jax.vmap(lambda key: jax.random.bits(key, (8,), jnp.uint8))(keys(20)))
    expected["chance"] = drawn.view(np.uint64)[:, 0]
    env.game._init.call(env.game.records(expected), np.arange(20))
    assert env.to_records(state).tobytes() == expected.tobytes()


def test_a_game_that_is_over_stays_as_it_is(kalah):
    state, (_, states) = rollout(kalah, kalah.init(keys(20)), 3, 200)
    assert state.terminated.all() and state.legal_action_mask.all() and not state.rewards.any()
    assert np.array_equal(states.rewards.sum(0).sum(-1), np.zeros(20))
    again = kalah.step(state, jnp.arange(20))
    assert all(map(np.array_equal, jax.tree.leaves(again), jax.tree.leaves(state)))


def test_one_game_a_batch_and_vmap_agree(kalah):
    batch = kalah.init(keys(6))
    actions = jnp.arange(6)
    of_batch = kalah.step(batch, actions)
    mapped = jax.vmap(kalah.step)(batch, actions)
    single = [kalah.step(jax.tree.map(lambda array, i=i: array[i], batch), i) for i in range(6)]
    stacked = jax.tree.map(lambda *arrays: jnp.stack(arrays), *single)
    grid = jax.vmap(jax.vmap(kalah.step))(
        *jax.tree.map(lambda array: array.reshape(2, 3, *array.shape[1:]), (batch, actions))
    )
    for one, two, three, four in zip(*map(jax.tree.leaves, (of_batch, mapped, stacked, grid)), strict=True):
        assert np.array_equal(one, two) and np.array_equal(one, three)
        assert np.array_equal(one, four.reshape(one.shape))
    fanned = jax.vmap(kalah.step, in_axes=(None, 0))(kalah.init(keys(1)[0]), actions)
    assert fanned.record.shape == (6, kalah.game.dtype.itemsize)
    assert kalah.step(kalah.init(keys(0)), jnp.zeros(0, int)).record.shape[0] == 0


def test_old_keys_and_keys_with_types_agree(kalah):
    old = jax.random.split(jax.random.PRNGKey(0), 4)
    assert np.array_equal(kalah.init(old).record, kalah.init(keys(4)).record)
    assert np.array_equal(kalah.init(old[0]).record, kalah.init(keys(4)[0]).record)


def test_chance_follows_the_key_of_a_step():
    env = make("sokkattan")
    state = env.init(keys(64))
    actions = state.legal_action_mask.argmax(-1)
    one, same, other = (env.step(state, actions, keys(64, seed)).record for seed in (1, 1, 2))
    plain = env.step(state, actions).record
    assert np.array_equal(one, same) and not np.array_equal(one, other) and not np.array_equal(one, plain)
    assert env.step(state, actions, jax.random.key(0)).record.shape == plain.shape


def test_redraw_hides_what_the_player_may_not_know():
    env = make("ceelkoqyuqkoqiji")
    state, _ = rollout(env, env.init(keys(200)), 5, 3)
    hidden = env.redraw(state, keys(200, 1))
    records = env.to_records(state)
    records["chance"] = env.to_records(hidden)["chance"]
    assert not np.array_equal(records["chance"], env.to_records(state)["chance"])
    for i, player in enumerate(records["to_move"]):
        env.game.bind(hide_loop)(env.game.records(records[i : i + 1]), player)
    assert env.to_records(hidden).tobytes() == records.tobytes()
    assert np.array_equal(hidden.observation, state.observation)


def test_observations_of_every_player(kalah):
    state, _ = rollout(kalah, kalah.init(keys(30)), 2, 10)
    for player in range(2):
        seen = kalah.observe(state, jnp.full(30, player))
        assert np.array_equal(seen, kalah.game.observe(kalah.to_records(state), player))
    for player in (-1, 2, 100_000):
        with pytest.raises(Exception, match="there is no such player"):
            jax.block_until_ready(jax.jit(kalah.observe)(state, jnp.full(30, player)))


def test_states_become_records_and_back_without_loss(kalah):
    records = kalah.game.init(10, 1)
    kalah.game.step(records, kalah.game.sample(records, 1))
    state = kalah.from_records(records)
    assert isinstance(state, State) and kalah.to_records(state).tobytes() == records.tobytes()
    assert_same(kalah, state, records)
    assert kalah.from_records(records[0]).record.shape == (1, kalah.game.dtype.itemsize)
    assert np.array_equal(
        kalah.step(state.record, jnp.zeros(10, int)).record, kalah.step(state, jnp.zeros(10, int)).record
    )


def test_records_of_other_options_are_refused(kalah):
    with pytest.raises(ValueError, match=r"belongs to kalah\(seeds=3\)"):
        kalah.from_records(make_game("kalah", seeds=3).init(2, 0))
    changed = kalah.game.init(2, 0)
    changed["max_turns"] = 7
    with pytest.raises(ValueError, match="max_turns differs"):
        kalah.from_records(changed)
    other = make("kalah", seeds=3).init(keys(2))
    with pytest.raises(Exception, match="another game or has other options"):
        jax.block_until_ready(jax.jit(kalah.step)(other, jnp.zeros(2, int)))


def illegal_steps(env, seed=0):
    """Return a state, and random actions that are illegal."""
    state, _ = rollout(env, env.init(keys(40)), seed, 6)
    return state, jnp.array([-1, 6, 2**31 - 1, -(2**31)] * 10)


def test_an_illegal_action_loses(kalah):
    state, actions = illegal_steps(kalah)
    after = jax.jit(kalah.step)(state, actions)
    player = np.asarray(state.current_player)
    assert (np.asarray(after.rewards)[np.arange(40), player] == -1).all() and (after.rewards.sum(-1) == 0).all()
    assert after.terminated.all() and not after.truncated.any()
    records = kalah.to_records(after)
    assert (records["to_move"] == -1).all() and (records["ended"] == 2).all()
    assert np.array_equal(records["holes"], kalah.to_records(state)["holes"])
    fresh = JaxEnv(kalah.game, autoreset=True).step(state, actions)
    assert fresh.terminated.all() and (fresh.rewards.min(-1) == -1).all()
    assert (kalah.to_records(fresh)["turn"] == 0).all() and (kalah.to_records(fresh)["holes"] == 4).all()


def test_an_illegal_action_raises_if_asked(kalah):
    env = JaxEnv(kalah.game, "raise")
    state, actions = illegal_steps(env)
    with pytest.raises(Exception, match="an action is illegal"):
        jax.block_until_ready(jax.jit(env.step)(state, actions))
    legal = env.step(state, state.legal_action_mask.argmax(-1))
    assert np.array_equal(legal.record, kalah.step(state, state.legal_action_mask.argmax(-1)).record)


def test_an_illegal_action_becomes_a_random_one_if_asked(kalah):
    env = JaxEnv(kalah.game, "random")
    state, actions = kalah.init(keys(4000)), jnp.full(4000, -1)
    after = env.step(state, actions, jax.random.key(1))
    holes = kalah.to_records(after)["holes"]
    chosen = np.bincount((holes[:, :6] == 0).argmax(1), minlength=6)
    assert (chosen > 550).all() and not after.terminated.any()
    with pytest.raises(ValueError, match="needs a key"):
        env.step(state, actions)


def test_large_actions_do_not_wrap_around(kalah):
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        after = kalah.step(kalah.init(keys(2)), np.array([2**32, -(2**32)]))
        assert after.terminated.all()


@rule
def play_or_fail(s, action):
    if action == 4:
        raise ValueError("no rules for the centre")
    tic_tac_toe.play(s, action)


def test_an_error_in_the_rules_reaches_the_caller():
    rules = replace(tic_tac_toe.RULE_BOOK.rules, play=play_or_fail)
    env = JaxEnv(Game(replace(tic_tac_toe.RULE_BOOK, rules=rules), "tic_tac_toe", False, {}))
    state = env.init(keys(2))
    for action in (jnp.array([0, 4]), jnp.array([4, 0])):
        with pytest.raises(Exception, match="the rules raised an error"):
            jax.block_until_ready(jax.jit(env.step)(state, action))
    assert not jax.jit(env.step)(state, jnp.array([0, 1])).terminated.any()


@pytest.mark.parametrize(
    ("change", "action", "kind", "words"),
    [
        ({}, jnp.zeros(3), TypeError, "actions must be integers, got dtype float32"),
        ({}, jnp.zeros(4, int), ValueError, r"actions must have shape \(3,\), as the states, got \(4,\)"),
        ({"record": jnp.zeros((3, 56))}, jnp.zeros(3, int), TypeError, "must have dtype uint8, got float32"),
        ({"record": jnp.zeros((3, 50), jnp.uint8)}, jnp.zeros(3, int), ValueError, r"56 bytes, got shape \(3, 50\)"),
    ],
)
def test_a_wrong_dtype_or_shape_is_named_when_a_program_is_traced(kalah, change, action, kind, words):
    state = kalah.init(keys(3)).replace(**change)
    with pytest.raises(kind, match=words):
        jax.jit(kalah.step).lower(state, action)


def test_wrong_arguments_are_refused(kalah):
    with pytest.raises(ValueError, match="illegal must be one of 'lose', 'raise', 'random', got 'win'"):
        make("kalah", illegal="win")
    with pytest.raises(TypeError, match="colour"):
        make("kalah", colour=1)
    with pytest.raises(ValueError, match="one key or keys of shape"):
        kalah.step(kalah.init(keys(3)), jnp.zeros(3, int), keys(4))


def test_threads_play_different_games():
    def make_one(number):
        return make("kalah", seeds=4 - number % 2, autoreset=True)

    with ThreadPoolExecutor(4) as pool:
        envs = list(pool.map(make_one, range(4)))
    assert envs[0]._target == envs[2]._target != envs[1]._target

    def play(number):
        return np.asarray(rollout(envs[number], envs[number].init(keys(64)), number, 100)[0].record)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(play, range(4)))
    assert all(np.array_equal(play(number), record) for number, record in enumerate(together))


def test_devices_without_compiled_code_get_the_same_results_through_python(kalah):
    state, actions = illegal_steps(kalah)
    actions = jnp.where(jnp.arange(40) % 2, actions, state.legal_action_mask.argmax(-1))
    env = JaxEnv(kalah.game)
    env._target = ""
    for step in (env.step, jax.jit(env.step), jax.vmap(env.step)):
        got = step(state, actions)
        assert all(map(np.array_equal, jax.tree.leaves(got), jax.tree.leaves(kalah.step(state, actions))))
    with pytest.raises(Exception, match="another game"):
        jax.block_until_ready(env.step(jnp.zeros_like(state.record), actions))


def test_gradients_pass_by_the_game(kalah):
    state = kalah.init(keys(8))

    def loss(weights):
        def body(state, key):
            logits = state.observation.astype(jnp.float32) @ weights
            action = jax.random.categorical(key, jnp.where(state.legal_action_mask, logits, -1e9))
            log_prob = jax.nn.log_softmax(logits)[jnp.arange(8), action]
            return kalah.step(state, action), log_prob.sum()

        return jax.lax.scan(body, state, keys(5))[1].sum()

    gradient = jax.jit(jax.grad(loss))(jnp.zeros((17, 6)))
    assert jnp.isfinite(gradient).all() and gradient.any()


def test_speed_is_measured():
    measured = pytest.importorskip("mancala_envs.speed.in_jax")
    assert measured.our_loop("kalah", 64)(10_000) > 0


def test_the_speed_of_pgx_is_measured():
    pytest.importorskip("pgx")
    measured = pytest.importorskip("mancala_envs.speed.in_jax")
    assert measured.pgx_loop("tic_tac_toe", 64)(10_000) > 0


def test_uniform_sampling():
    mask = jnp.broadcast_to(jnp.arange(23) % 3 == 1, (8000, 23))
    drawn = np.bincount(sample(jax.random.key(0), mask), minlength=23)
    assert (drawn[1::3] > 850).all() and drawn.sum() == drawn[1::3].sum() == 8000
    assert sample(jax.random.key(0), mask[0]) % 3 == 1 and sample(jax.random.key(0), mask[:1, :2])[0] == 1


def run(program, **environment):
    """Run a program that uses JAX in its own process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


DEVICES = """
import jax, numpy as np
from mancala_envs.integrations.jax import make
env = make("kalah")
state = env.init(jax.random.split(jax.random.key(0), 8))
for device in jax.devices():
    placed = jax.device_put(state, device)
    print(device.id, np.asarray(jax.jit(env.step)(placed, jax.device_put(np.arange(8) % 6, device)).record).sum())
mesh = jax.sharding.Mesh(np.array(jax.devices()), "d")
spread = jax.device_put(state, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("d")))
print(2, np.asarray(jax.jit(env.step)(spread, np.arange(8) % 6).record).sum())
"""


def test_two_devices_play_the_same():
    lines = run(DEVICES, XLA_FLAGS="--xla_force_host_platform_device_count=2").split("\n")[:3]
    assert [line.split()[0] for line in lines] == ["0", "1", "2"] and len({line.split()[1] for line in lines}) == 1


STORED = """
import jax
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
from mancala_envs.integrations.jax import make
env = make("kalah", seeds={seeds})
state = jax.jit(env.step)(jax.jit(env.init)(jax.random.key(0)), 2)
print(state.record.tolist())
"""


def test_programs_that_jax_stores_on_disk_find_the_right_game(tmp_path):
    outputs = [run(STORED.format(seeds=seeds), JAX_COMPILATION_CACHE_DIR=str(tmp_path)) for seeds in (4, 4, 3, 4)]
    assert outputs[0] == outputs[1] == outputs[3] != outputs[2] and any(tmp_path.iterdir())

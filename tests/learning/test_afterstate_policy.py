"""`AfterstatePolicy`, a policy of MaskablePPO that scores afterstates, in training and as an opponent."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from books import lucky
from helpers.networks import random_network
from sb3_contrib import MaskablePPO

from mancala_envs import Game, make_game
from mancala_envs.agents import Agent, Exchanges
from mancala_envs.agents.model import Network, load_policy
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import League, evaluate
from mancala_envs.learning.ppo import follow
from mancala_envs.wrappers import ObserveAfterstates
from mancala_envs.wrappers.sb3 import FOLLOWED, AfterstatePolicy, CountsExtractor, MancalaVecEnv, SelfPlay, snapshot
from mancala_envs.wrappers.torch_layers import CountsLinear

KALAH = make_game("kalah")
NETWORK = random_network(KALAH)
LUCKY = Game(lucky.RULE_BOOK, "lucky", False, {})


def vec_env(game=KALAH, draws=None, n=16, network=None, exchanges=False):
    envs = MancalaVectorEnv(game, n, autoreset_mode="SameStep")
    return MancalaVecEnv(ObserveAfterstates(envs, draws, network, exchanges))


def model(envs, values=None, **options):
    settings = {"n_steps": 16, "batch_size": 64, "n_epochs": 1, "device": "cpu", "seed": 0} | options
    return MaskablePPO(AfterstatePolicy, envs, policy_kwargs={"net_arch": (16, 8), "values": values}, **settings)


def tensors(observations):
    return {name: torch.as_tensor(array) for name, array in observations.items()}


def judged(policy, observations):
    """Return the probabilities (n, A) and the values (n,)."""
    with torch.no_grad():
        distribution = policy.get_distribution(tensors(observations))
        return distribution.distribution.probs.numpy(), policy.predict_values(tensors(observations)).flatten().numpy()


@pytest.fixture(scope="module")
def policy():
    return model(vec_env()).policy


def test_the_layer_on_counts_equals_a_linear_layer_on_their_features():
    space = MancalaVectorEnv("kalah", 1).single_observation_space
    observations = torch.as_tensor(KALAH.observe(KALAH.init(50, 0))).repeat(2, 1)
    observations[:, :6] += torch.arange(100).to(torch.uint8)[:, None] % 30
    layer, features = CountsLinear(space.high, 8, levels=10), CountsExtractor(space, levels=10)(observations)
    plain = torch.nn.Linear(features.shape[1], 8)
    with torch.no_grad():
        plain.weight[:] = torch.cat([layer.scaled.weight, layer.table.T], dim=1)
        plain.bias[:] = layer.scaled.bias
    torch.testing.assert_close(layer(observations), plain(features))
    layer(observations).square().sum().backward()
    plain(features).square().sum().backward()
    # Sums of hundreds of float32 products differ in their last digits.
    torch.testing.assert_close(layer.table.grad, plain.weight.grad[:, -len(layer.table) :].T, rtol=1e-4, atol=1e-4)


def test_the_layer_takes_observations_without_counts_and_columns_that_are_always_0():
    layer, observations = CountsLinear([1, 0], 8), torch.tensor([[0, 0], [1, 0]])
    torch.testing.assert_close(layer(observations), layer.scaled(observations.float()))


def test_a_score_depends_on_nothing_but_the_afterstate(policy):
    states = KALAH.init(1, 0)
    observations = KALAH.afterstates(states).as_dict()
    before, _ = judged(policy, observations)
    assert before.shape == (1, 6) and before[0].min() > 0
    # Actions 1 and 4 lead to the same position now; action 5 becomes illegal, whatever its row says.
    observations["observation"][0, 4] = observations["observation"][0, 1]
    observations["action_mask"][0, 5] = 0
    after, _ = judged(policy, observations)
    assert after[0, 4] == after[0, 1] and after[0, 5] == 0 and after[0].sum() == pytest.approx(1)
    assert after[0, 0] / after[0, 1] == pytest.approx(before[0, 0] / before[0, 1])


def test_the_value_is_the_mean_of_rewards_and_values_of_the_afterstates(policy):
    observations = KALAH.afterstates(KALAH.init(2, 0)).as_dict()
    observations["ended"][0] = 1
    observations["reward"][0] = [1, -1, 0, 0, 1, 1]
    probabilities, values = judged(policy, observations)
    assert values[0] == pytest.approx(probabilities[0] @ observations["reward"][0])
    observations["reward"][1] += 1
    assert judged(policy, observations)[1][1] == pytest.approx(values[1] + 1)
    # Nothing is legal when a game is over.
    assert judged(policy, {name: array * 0 for name, array in observations.items()})[1].tolist() == [0, 0]


def test_several_outcomes_of_an_action_count_by_their_mean():
    of_many = model(vec_env(LUCKY, draws=3)).policy
    states = LUCKY.init(4, 0)
    many = LUCKY.afterstates(states, 3, seed=1).as_dict()
    logits = []
    for k in range(3):
        one = {name: array if name == "action_mask" else array[:, :, k : k + 1] for name, array in many.items()}
        logits.append(np.log(judged(of_many, one)[0]))
    mean = np.exp(np.mean(logits, axis=0))
    np.testing.assert_allclose(judged(of_many, many)[0], mean / mean.sum(1, keepdims=True), rtol=1e-5)


def test_values_of_a_network_add_to_those_of_the_policy(policy):
    learner = model(vec_env(network=NETWORK), NETWORK)
    learner.policy.load_state_dict(policy.state_dict(), strict=False)
    observations = KALAH.afterstates(KALAH.init(2, 0, opening=4)).as_dict()
    plain, _ = judged(policy, observations)
    value = np.linspace(-0.5, 0.5, 12, dtype=np.float32).reshape(2, 6)
    probabilities, _ = judged(learner.policy, observations | {"value": value})
    followed = plain * np.exp(FOLLOWED * value)
    np.testing.assert_allclose(probabilities, followed / followed.sum(1, keepdims=True), rtol=1e-4)
    _, without = judged(learner.policy, observations | {"value": 0 * value})
    _, shifted = judged(learner.policy, observations | {"value": 0 * value + 0.25})
    np.testing.assert_allclose(shifted, without + 0.25, atol=1e-5)
    # The value of an action that ends the game is its reward, which does not count twice.
    reward = np.repeat(np.float32([[1, -1, 0, 0, 1, 1]]), 2, axis=0)
    ended = {"ended": np.ones((2, 6), np.int8), "reward": reward, "value": reward}
    probabilities, values = judged(learner.policy, observations | ended)
    np.testing.assert_allclose(values, (probabilities * reward).sum(1), atol=1e-5)


def test_a_policy_plays_by_the_values_of_its_network_when_it_was_saved(tmp_path):
    networks = [NETWORK, random_network(KALAH, 1)]
    learner = model(vec_env(network=networks[0], exchanges=True), networks[0])
    states, seeds, path = KALAH.init(200, 0, opening=4), np.arange(200, dtype=np.uint64), tmp_path / "model.zip"
    frozen = snapshot(learner.policy, KALAH)
    before = frozen.act(states, seeds).tolist()
    learner.learn(1)
    follow(learner, networks[1])
    learner.save(path)
    later = snapshot(learner.policy, KALAH).act(states, seeds).tolist()
    assert frozen.act(states, seeds).tolist() == before != later == Agent(KALAH, path).act(states, seeds).tolist()
    assert learner.env.envs.network is networks[1]
    with pytest.raises(ValueError, match=r"model for afterstates of shape \(6, 17\) and Discrete\(6\), not for oware"):
        Agent("oware(columns=4)", path)
    with pytest.raises(ValueError, match="the network was trained for kalah, not for kalah"):
        Agent(make_game("kalah", seeds=3), path)
    loaded, observations = load_policy(path), KALAH.afterstates(states).as_dict()
    with pytest.raises(TypeError, match=r"lacks exchange, value: give ObserveAfterstates network=policy\.val"):
        loaded(observations, observations["action_mask"])
    wrapped = ObserveAfterstates(SoloEnv(KALAH), network=loaded.policy.values, exchanges=True)
    observation, info = wrapped.reset(seed=1)
    assert info["action_mask"][loaded(observation, info["action_mask"])]


@pytest.mark.parametrize(("game", "draws"), [(KALAH, None), (LUCKY, 3)])
def test_the_network_reads_the_exchange_of_each_action(game, draws):
    states = game.init(20, 0, opening=3 if game is KALAH else 0)
    policy = model(vec_env(game, draws, exchanges=True)).policy
    observations = game.afterstates(states, draws).as_dict() | {"exchange": Exchanges(game)(states)}
    before, _ = judged(policy, observations)
    observations["exchange"][:, 0] += 1
    changed = (judged(policy, observations)[0] != before).any(1)
    assert (changed == game.legal(states)[:, 0]).all() and changed.any()


@pytest.mark.parametrize(("of_envs", "of_policy"), [(None, NETWORK), (NETWORK, None)])
def test_a_policy_without_the_network_of_its_observations_is_refused(of_envs, of_policy):
    with pytest.raises(ValueError, match="must take values of the same network, or of none"):
        model(vec_env(network=of_envs), of_policy)


def test_training_with_self_play_changes_the_policy_but_no_snapshot():
    learner = model(vec_env(), learning_rate=0.01)
    frozen = snapshot(learner.policy, KALAH)
    states, seeds = KALAH.init(200, 0), np.arange(200, dtype=np.uint64)
    before = frozen.act(states, seeds)
    with pytest.raises(ValueError, match="snapshot needs the game"):
        snapshot(learner.policy)
    league = League()
    learner.learn(1024, callback=SelfPlay(league, after=256, every=256))
    assert len(league.members) > 3
    later = snapshot(learner.policy, KALAH).act(states, seeds)
    assert frozen.act(states, seeds).tolist() == before.tolist() != later.tolist()
    assert frozen.act(states[50:], seeds[50:]).tolist() == before[50:].tolist()
    assert evaluate(frozen, "kalah", frozen, games=10).games == 10


@pytest.mark.parametrize(("game", "draws"), [(KALAH, None), (LUCKY, 3)])
def test_saved_models_play_by_path_with_the_probabilities_of_the_policy(tmp_path, game, draws):
    path = tmp_path / "model.zip"
    learner = model(vec_env(game, draws))
    learner.learn(256)
    learner.save(path)
    states, seeds = game.init(100, 0), np.arange(100, dtype=np.uint64)
    loaded = load_policy(path)
    expected = Network(learner.policy).observe(game, states, seeds, {})
    assert expected["reward"].shape == (100, *learner.observation_space["reward"].shape)
    np.testing.assert_array_equal(
        loaded.probabilities(expected, game.legal(states)), judged(learner.policy, expected)[0].astype(float)
    )
    search = Agent(game, path)
    assert search.act(states, seeds).tolist() == search.act(states, seeds).tolist()
    assert search.act(states, seeds)[40:].tolist() == search.act(states[40:], seeds[40:]).tolist()
    found = search.analyse(states[:1])
    assert sum(found.values.values()) == pytest.approx(1)
    assert evaluate(path, game, path, games=20, opening=0).games == 20
    env = SoloEnv(game, opponent=path, seat=1)
    env.reset(seed=1)
    # A user's program asks the loaded model in the wrapped environment.
    wrapped = ObserveAfterstates(SoloEnv(game), draws)
    observation, info = wrapped.reset(seed=1)
    assert info["action_mask"][loaded(observation, info["action_mask"])]
    with pytest.raises(TypeError, match=r"model\.zip is a model of afterstates: .* in evaluate, give its path"):
        evaluate(loaded, game, games=20, opening=0)

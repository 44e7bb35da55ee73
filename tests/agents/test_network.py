"""Value networks: their files, their values in the compiled searches, and the experts of the package."""

import copy
import hashlib
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, replace
from multiprocessing import get_context

import gymnasium as gym
import numpy as np
import pytest
from books import tic_tac_toe
from helpers.forms import PlainGame, slowly, some_states, with_another_finger
from helpers.networks import expected_values, random_network
from helpers.programs import stdout_of

from mancala_envs import Game, make_game
from mancala_envs.agents import Agent, Evaluator, Puct, PuctAgent, experts, load_network
from mancala_envs.agents.common import record_array
from mancala_envs.agents.inference import BLOCK, add_rows_in_python
from mancala_envs.agents.judges import ActionValues, LookAhead, Luck
from mancala_envs.agents.mcts import FIRST_DEVIATION, SPREAD, deviation, note
from mancala_envs.agents.network import EXPERTS, SUFFIX, checksum, evaluate, expert_file
from mancala_envs.agents.pairs import HolePairs
from mancala_envs.evaluation.matches import leads
from mancala_envs.registry import REGISTRY, distinct

KALAH = make_game("kalah")
NETWORK = random_network(KALAH)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "kalah.network"
    NETWORK.save(path)
    return path


# Files.


@pytest.mark.parametrize("kind", [np.int8, np.int16])
def test_a_network_is_the_same_after_saving_and_loading(file, kind):
    network = replace(NETWORK, tables=NETWORK.tables.astype(kind) * (1 if kind == np.int8 else 11))
    network.save(file)
    loaded = load_network(file)
    assert loaded.tables.dtype == kind
    for part in fields(loaded):
        np.testing.assert_array_equal(getattr(loaded, part.name), getattr(network, part.name), part.name)
    assert repr(loaded) == "ValueNetwork('kalah', search='minimax')"


def test_every_changed_or_missing_byte_is_noticed(file, tmp_path):
    content, bad = file.read_bytes(), tmp_path / "bad"
    places, lengths = (0, 30, len(content) // 2, len(content) - 1), (0, 10, 100, len(content) - 1)
    changed = [content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :] for place in places]
    for wrong in [*changed, *(content[:length] for length in lengths)]:
        bad.write_bytes(wrong)
        with pytest.raises(ValueError, match=r"bad is (no network of mancala_envs|damaged or cut short)"):
            load_network(bad)
    with pytest.raises(FileNotFoundError, match="there is no network"):
        load_network(tmp_path / "missing")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("rows", 5, "bytes of weights"),
        ("rows", -1, "at least 1"),
        ("rows", 10**30, "malformed"),
        ("outputs", 10**9, "bytes of weights"),
        ("search", "perfect", "search must be one of minimax, mcts"),
        ("scale", 0, "scale positive"),
        ("bytes", 3, "1 or 2 bytes"),
        ("pairs", {"columns": [[0], [1]], "highest": [2], "levels": [0]}, "each combination needs a level"),
        ("pairs", 3, "malformed"),
        ("plays", None, "malformed"),
        ("more", 1, "more"),
    ],
)
def test_a_malformed_header_is_refused(file, name, value, message):
    magic, line, packed = file.read_bytes()[:-32].split(b"\n", 2)
    header = json.loads(line) | {name: value}
    if name == "plays":
        del header[name]
    content = b"\n".join([magic, json.dumps(header).encode(), packed])
    file.write_bytes(content + hashlib.sha256(content).digest())
    with pytest.raises(ValueError, match=message):
        load_network(file)


def test_a_network_is_bound_to_options_rules_and_observation():
    with pytest.raises(ValueError, match=r"trained for kalah, not for kalah\(seeds=3\)"):
        Agent("kalah(seeds=3)", "minimax:2", network=NETWORK)
    other = replace(NETWORK, checksum="0" * 64)
    with pytest.raises(ValueError, match=r"trained for other rules or observations of kalah .*000000000000"):
        Agent(KALAH, "minimax:2", network=other)
    with pytest.raises(ValueError, match="trained for other rules or observations"):
        replace(NETWORK, tables=NETWORK.tables[1:]).check(KALAH)
    too_large = replace(NETWORK, tables=np.full_like(NETWORK.tables, 127), bias=np.full(BLOCK, 31_000, np.int16))
    with pytest.raises(ValueError, match="must fit into 16 bits"):
        evaluate(KALAH, KALAH.init(1, 0), too_large)


def test_the_checksum_covers_rules_and_not_the_form_of_the_code():
    assert checksum(KALAH) == checksum(PlainGame("kalah"))
    others = [{"seeds": 3}, {"max_turns": 50}]
    assert len({checksum(PlainGame("kalah", **options)) for options in ({}, *others)}) == 3


@pytest.mark.parametrize("agent", ["greedy", "random", "perfect"])
def test_agents_without_an_evaluation_refuse_a_network(agent):
    with pytest.raises(ValueError, match="only minimax, mcts and expert use a network"):
        Agent(KALAH, agent, network=NETWORK)


# Values.


@pytest.mark.parametrize("name", ["kalah", *slowly("dam", "pancha_keliya", "sokkattan", "dongjintian")])
def test_compiled_values_are_those_of_numpy(name):
    game = make_game(name)
    states = some_states(game, 50, 12)
    network = random_network(game)
    expected = expected_values(game, states, network)
    np.testing.assert_array_equal(evaluate(game, states, network), expected)
    assert (expected != evaluate(game, states)).any()


def test_sums_of_rows_in_plain_python_are_those_of_numpy():
    w, hidden = NETWORK.weights_for(KALAH), np.zeros(BLOCK, np.int16)
    columns = KALAH.observe(some_states(KALAH, 1, 5))[0]
    add_rows_in_python(columns, w.used, w.first, w.highest, w.tables, w.bias, hidden)
    assert w.used.tolist() == [0, *range(2, len(columns))]
    rows = w.first + np.minimum(columns[w.used], w.highest)
    np.testing.assert_array_equal(hidden, w.bias + w.tables[rows].sum(axis=0))


def values_after(game, state, network):
    """Return the value of each action that neither ends the game nor continues the turn, in seeds for the mover."""
    found = {}
    for action in np.flatnonzero(game.legal(state)[0]).tolist():
        after, player = state.copy(), int(state["to_move"][0])
        game.step(after, [action])
        if after["to_move"][0] == 1 - player:
            found[action] = expected_values(game, after, network)[0, player] / 8
    return found


def test_minimax_evaluates_by_the_network_at_its_horizon():
    for index in range(10):
        state = some_states(KALAH, 10, 7)[index : index + 1]
        found = Agent(KALAH, "minimax:1", network=NETWORK).analyse(state, 1).values
        expected = values_after(KALAH, state, NETWORK)
        assert {action: found[action] for action in expected} == expected


def test_an_expert_without_weights_is_the_plain_search():
    states, network = some_states(KALAH, 30, 7), replace(NETWORK, search="mcts")
    plain = Agent(KALAH, "mcts:100").act(states, 1).tolist()
    with_weights, without = (
        Agent(KALAH, "expert:100", network=each).act(states, 1).tolist()
        for each in (network, network.without_weights())
    )
    assert without == plain != with_weights


@pytest.mark.parametrize("columns", [4, 8])
def test_a_network_without_weights_fits_all_options(columns):
    pairs = HolePairs(((0,), (13,)), (1,), (0, 0))
    network, game = replace(NETWORK, pairs=pairs).without_weights(), make_game("kalah", columns=columns)
    states = some_states(game, 10, 7)
    np.testing.assert_array_equal(evaluate(game, states, network), evaluate(game, states))


def test_a_network_of_zeros_changes_nothing():
    zeros = replace(NETWORK, output=NETWORK.output * 0, output_bias=NETWORK.output_bias * 0)
    states = some_states(KALAH, 30, 7)
    plain, same = Agent(KALAH, "minimax:4"), Agent(KALAH, "minimax:4", network=zeros)
    np.testing.assert_array_equal(plain.act(states, 1), same.act(states, 1))
    assert plain.analyse(states[:1], 1) == same.analyse(states[:1], 1)
    other = Agent(KALAH, "minimax:4", network=NETWORK)
    assert (other.act(states, 1) != plain.act(states, 1)).any()


def test_positions_that_end_the_game_keep_their_values():
    state = KALAH.load(holes=[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1], store=[24, 22])
    for name in ("minimax:3", "expert:200"):
        found = Agent(KALAH, name, network=NETWORK).analyse(state)
        assert found.value >= 2**39
    assert Agent(KALAH, "mcts:50", network=NETWORK).analyse(state).value == 1.0


def test_the_values_of_mcts_are_expected_rewards():
    state, tried = some_states(KALAH, 1, 7), set()
    expected = values_after(KALAH, state, NETWORK)
    for seed in range(12):
        ((action, value),) = Agent(KALAH, "mcts:1", network=NETWORK).analyse(state, seed).values.items()
        if action in expected:
            assert value == pytest.approx(np.tanh(8 * expected[action] / 2 / NETWORK.scale))
            tried.add(action)
    assert tried


def test_exploration_is_the_deviation_of_expected_rewards_with_a_network_and_otherwise_one():
    states = some_states(KALAH, 30, 7)
    for network, is_one in ((None, True), (NETWORK, False)):
        usual, one = (
            Agent(KALAH, "mcts:100", network=network, exploration=each).act(states, 1).tolist() for each in (None, 1.0)
        )
        assert (usual == one) == is_one


def test_the_expected_rewards_of_a_search_count_for_its_deviation():
    state = some_states(KALAH, 1, 7)
    search = Agent(KALAH, "mcts:1", network=NETWORK)
    action = search.analyse(state, 3).action
    after = {each: state.copy() for each in np.flatnonzero(KALAH.legal(state)[0]).tolist()}
    for each, one in after.items():
        KALAH.step(one, [each])
    seen = [after[each] for each in (*after, action)]  # One for each action of the root, and that of the simulation.
    mover = int(state["to_move"][0])
    rewards = [np.tanh(expected_values(KALAH, one, NETWORK)[0, mover] / 2 / NETWORK.scale) for one in seen]
    expected = sum(rewards), np.square(rewards).sum(), len(rewards)
    assert search._search._spread[0].tolist() == pytest.approx(expected)


def test_the_deviation_counts_a_first_one():
    spread, rewards = record_array(1, SPREAD), np.array([0.3, -0.2, 0.9, 0.4])
    assert deviation(spread) == FIRST_DEVIATION
    for reward in rewards:
        note(spread, reward)
    assert deviation(spread) == pytest.approx(np.sqrt((rewards.var() * 4 + FIRST_DEVIATION**2) / 5))


@pytest.mark.slow
def test_max_n_uses_the_network():
    game = make_game("dongjintian", players=3)
    state, network = some_states(game, 1, 9), random_network(game)
    plain = Agent(game, "minimax:1", others="maxn").analyse(state, 1)
    assert Agent(game, "minimax:1", others="maxn", network=network).analyse(state, 1).values != plain.values


@pytest.mark.parametrize("name", ["kalah", "zigulzoqge"])
def test_looking_one_decision_ahead_finds_what_every_action_and_the_best_one_lead_to(name):
    game = make_game(name)
    network = random_network(game)
    states = some_states(game, 200)
    actions, results = LookAhead(game, network)(states)
    of_actions = ActionValues(game, network)(states)
    assert (of_actions != 0).sum() > 300
    for state, action, result, judged in zip(states, actions, results, of_actions, strict=True):
        if state["to_move"] < 0:
            assert action == -1 and not result.any() and not judged.any()
            continue
        expected = {}
        for legal in np.flatnonzero(game.legal(state[None])[0]):
            after = np.array([state])
            rewards = game.step(after, np.array([legal]))[0]
            over = after["to_move"][0] < 0
            values = np.tanh(expected_values(game, after, network)[0] / (2 * network.scale))
            expected[legal] = rewards if over else values
        best = max(values[state["to_move"]] for values in expected.values())
        assert expected[action][state["to_move"]] == pytest.approx(best)
        np.testing.assert_allclose(result, expected[action], atol=1e-6)
        to_mover = [expected[legal][state["to_move"]] if legal in expected else 0.0 for legal in range(len(judged))]
        np.testing.assert_allclose(judged, to_mover, atol=1e-6)


@pytest.mark.slow
def test_the_values_of_actions_show_no_secret():
    game = make_game("ceelkoqyuqkoqiji", first="throw")
    states = some_states(game, 50, decisions=1)
    values = ActionValues(game, random_network(game), 3)
    np.testing.assert_array_equal(values(states), values(with_another_finger(states)))


def test_luck_is_how_much_better_an_outcome_is_than_its_mean():
    game = make_game("pancha_keliya")
    network = random_network(game)
    states = np.repeat(some_states(game, 40), 400)
    states = states[states["to_move"] >= 0]
    states["chance"] = np.arange(len(states)) + 1
    actions = game.sample(states[::400], 3).repeat(400)
    luck = Luck(game, network, 4)(states, actions).reshape(-1, 400, 2)
    before = states["chance"].copy()
    after = states.copy()
    rewards = game.step(after, actions)
    found = np.tanh(expected_values(game, after, network) / (2 * network.scale))
    found = np.where(after["to_move"][:, None] < 0, rewards, found).reshape(-1, 400, 2)
    by_chance = (after["chance"] != before).reshape(-1, 400).all(1)
    assert by_chance.any() and not by_chance.all()
    assert not luck[~by_chance].any()
    # The other outcomes are as likely, so luck is zero on average and differs from one outcome to another as they do.
    np.testing.assert_allclose(luck[by_chance].mean(1), 0, atol=5 * found.std() / 20)
    for lucky, value in zip(luck[by_chance], found[by_chance], strict=True):
        assert np.corrcoef(lucky[:, 0], value[:, 0])[0, 1] > 0.8
    assert not Luck(game, network)(states[:1], np.array([-1])).any()


def test_with_more_draws_actions_are_compared_by_their_means():
    game = make_game("pancha_keliya")
    network = random_network(game)
    states = some_states(game, 30)
    states = states[states["to_move"] >= 0]
    ahead = LookAhead(game, network, 2000)
    actions, results = ahead(states)
    states["chance"] += 1
    _, again = ahead(states)
    np.testing.assert_allclose(results, again, atol=0.05)
    assert (actions == copy.copy(ahead)(states)[0]).mean() > 0.8


def test_puct_takes_a_network_for_values_and_priors():
    states = some_states(KALAH, 6, 7)
    over = KALAH.load(holes=[0, 0, 0, 0, 0, 1] + [0] * 5 + [1], store=[24, 22])
    KALAH.step(over, [5])
    states[5:6] = over
    priors, values = Evaluator(KALAH, NETWORK)(states)
    assert ((priors > 0) == KALAH.legal(states)).all()
    expected = np.tanh(expected_values(KALAH, states[:5], NETWORK) / (2 * NETWORK.scale))
    np.testing.assert_allclose(values[:5], expected)
    assert not values[5].any()
    state = states[:1]
    for action, value in values_after(KALAH, state, NETWORK).items():
        assert priors[0, action] == pytest.approx(np.exp(8 * value / NETWORK.scale))


# Experts.


def test_experts_are_searches_with_a_budget_of_positions_or_time():
    state = some_states(KALAH, 1, 7)
    found = Agent(KALAH, "expert:400").analyse(state, 1)
    assert found.nodes <= 400
    assert Agent(KALAH, "expert").analyse(state, 1).nodes > 9000
    assert KALAH.legal(state)[0, Agent(KALAH, "expert:5ms").act(state)[0]]
    assert KALAH.legal(state)[0, Agent(KALAH, "expert:1").act(state)[0]]


@pytest.mark.slow
@pytest.mark.parametrize("campaign", [False, True])
def test_every_game_and_campaign_has_an_expert_under_all_its_names(campaign):
    campaigns = {f"{name}(campaign=True)" for name in distinct() if REGISTRY[name].book.campaign}
    assert set(experts()) == {*distinct(), *campaigns}
    games = [make_game(name, campaign=campaign) for name in ("qelat", "magazeb_ii")]
    chosen = [Agent(game, "expert:200").act(game.init(3, 1, opening=4), 1).tolist() for game in games]
    assert chosen[0] == chosen[1]


def test_a_game_or_options_without_an_expert_are_an_error():
    with pytest.raises(ValueError, match=r"there is no expert for tic_tac_toe; .* for .*kalah"):
        Agent(Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {}), "expert")
    with pytest.raises(ValueError, match=r"trained for qelat\(campaign=True\), not for qelat\(max_rounds=3, ?campaign"):
        Agent(make_game("qelat", campaign=True, max_rounds=3), "expert")
    with pytest.raises(ValueError, match=r"trained for kalah, not for kalah\(seeds=3\)"):
        gym.make("mancala_envs/Kalah-v0", opponent="expert", seeds=3)


@pytest.mark.parametrize("name", ["kalah", *slowly(*(name for name in experts() if name != "kalah"))])
def test_the_networks_of_the_package_fit_their_games(name):
    game = make_game(name)
    path = EXPERTS / expert_file(game)
    assert path.stat().st_size <= 150_000
    network = load_network(path)
    network.check(game)
    states = some_states(game, 20, 5)
    np.testing.assert_array_equal(evaluate(game, states, network), expected_values(game, states, network))
    assert all(found["interval"][1] >= 0.5 for found in network.training["matches"].values())


def test_an_expert_beats_its_search_without_a_network():
    chance = np.random.default_rng(5)
    begun = KALAH.init(60, 5, opening=6)
    agents = [Agent(KALAH, "minimax:4", network=EXPERTS / f"kalah{SUFFIX}").act, Agent(KALAH, "minimax:4").act]
    found = leads(KALAH, np.tile(begun, 2), np.repeat([0, 1], len(begun)), agents, chance)
    assert (np.sign(found).mean() + 1) / 2 > 0.6


def act_in_another_process(agent, states):
    return agent.act(states, 4).tolist()


@pytest.mark.slow
def test_copies_and_other_processes_choose_the_same_actions():
    states = some_states(KALAH, 6, 7)
    for agent in (Agent(KALAH, "expert:300"), PuctAgent(Puct(KALAH, 6, 50), Evaluator(KALAH, NETWORK))):
        actions = agent.act(states, 4).tolist()
        for again in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            assert again.act(states, 4).tolist() == actions
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            assert pool.submit(act_in_another_process, agent, states).result(60) == actions


IN_PYTHON = """
from helpers.forms import some_states
from helpers.networks import expected_values, random_network

from mancala_envs import make_game
from mancala_envs.agents import Agent
from mancala_envs.agents.network import evaluate

game = make_game("kalah")
states, network = some_states(game, 6, 7), random_network(game)
assert (evaluate(game, states, network) == expected_values(game, states, network)).all()
print([Agent(game, name, network=network).act(states, 1).tolist() for name in ("minimax:2", "mcts:5")])
"""


@pytest.mark.slow
def test_plain_python_chooses_the_same_actions():
    states = some_states(KALAH, 6, 7)
    chosen = [Agent(KALAH, name, network=NETWORK).act(states, 1).tolist() for name in ("minimax:2", "mcts:5")]
    assert stdout_of(IN_PYTHON, NUMBA_DISABLE_JIT="1").strip() == str(chosen)

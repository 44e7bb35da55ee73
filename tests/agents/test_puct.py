"""PUCT gives the visit counts of a plain implementation of the published algorithm, for any game and batch."""

import copy
import math
import pickle
from dataclasses import dataclass, field

import numpy as np
import pytest
from books import tic_tac_toe
from helpers.forms import slowly, some_states, with_another_finger

from mancala_envs import make_game
from mancala_envs.agents import Puct, PuctAgent, puct
from mancala_envs.agents.puct import sequential_halving
from mancala_envs.evaluation import evaluate
from mancala_envs.game import Game

TIC_TAC_TOE = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
RACE = make_game("pancha_keliya")
KALAH = make_game("kalah")


def uniform(game):
    return lambda leaves: (np.ones((len(leaves), game.num_actions)), np.zeros((len(leaves), game.num_players)))


def arbitrary(game):
    """Return a network with arbitrary but fixed outputs for every position."""
    chance = np.random.default_rng(1)
    weights = chance.normal(size=(len(game.observation_fields), game.num_actions + 1)) / 3
    highs = np.array([column.high for column in game.observation_fields])

    def network(leaves):
        output = game.observe(leaves) / highs @ weights
        return np.exp(output[:, :-1]), np.tanh(output[:, -1])

    return network


def searched(game, states, network, simulations=100, seed=1, **options):
    search = Puct(game, len(states), simulations, **options)
    search.run(states, network, seed)
    return search


# Single games.


def test_it_takes_a_win_and_blocks_a_threat():
    wins = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 2, 0, 0, 0, 0], turn=4)
    meets = TIC_TAC_TOE.load(board=[1, 0, 0, 0, 2, 0, 2, 1, 0], turn=4)
    search = searched(TIC_TAC_TOE, np.concatenate([wins, meets]), uniform(TIC_TAC_TOE), 400)
    assert search.actions().tolist() == [2, 2]
    assert search.values()[0] == pytest.approx([1, -1], abs=0.1)


@dataclass
class Node:
    """A node of the plain implementation."""

    state: np.ndarray
    priors: dict[int, float]
    visits: int
    total: float
    edges: dict[int, list] = field(default_factory=dict)


def visits_by_definition(game, state, network, simulations, exploration):
    """Return the visit count of each action at the root, by a plain implementation of the published algorithm."""

    def look(state):
        priors, values = network(state)
        legal = np.flatnonzero(game.legal(state)[0])
        whole = sum(priors[0, action] for action in legal)
        node = Node(state, {action: priors[0, action] / whole for action in legal}, 1, values[0])
        node.edges = {action: [0, 0.0, None] for action in legal}
        return node, values[0]

    def bound(node, action):
        visits, total, _ = node.edges[action]
        value = total / visits if visits else node.total / node.visits
        return value + exploration * node.priors[action] * np.sqrt(node.visits) / (1 + visits)

    def simulate(node):
        """Run one simulation; return its value for the player to move in `node`."""
        mover = node.state["to_move"][0]
        action = max(node.edges, key=lambda action: bound(node, action))
        edge = node.edges[action]
        if edge[2] is None:
            after = node.state.copy()
            rewards = game.step(after, [action])
            while after["to_move"][0] >= 0 and game.legal(after).sum() == 1:
                rewards = game.step(after, game.legal(after).argmax(axis=1))
            if after["to_move"][0] < 0:
                value = rewards[0, mover]
            else:
                edge[2], value = look(after)
                value *= 1 if after["to_move"][0] == mover else -1
        else:
            value = simulate(edge[2]) * (1 if edge[2].state["to_move"][0] == mover else -1)
        edge[0] += 1
        edge[1] += value
        node.visits += 1
        node.total += value
        return value

    root, _ = look(state)
    for _ in range(simulations):
        simulate(root)
    return [root.edges[action][0] if action in root.edges else 0 for action in range(game.num_actions)]


def test_visit_counts_equal_those_of_a_plain_implementation(monkeypatch):
    network = arbitrary(TIC_TAC_TOE)
    states = some_states(TIC_TAC_TOE)
    visits = searched(TIC_TAC_TOE, states, network, exploration=2.0).visits()
    for state, found in zip(states, visits, strict=True):
        assert found.tolist() == visits_by_definition(TIC_TAC_TOE, state.reshape(1), network, 100, 2.0)
    # The same holds for games that are played again from the root because their records are long.
    monkeypatch.setattr(puct, "LONG", 0)
    np.testing.assert_array_equal(searched(TIC_TAC_TOE, states, network, exploration=2.0).visits(), visits)


# Batches.


@pytest.mark.parametrize(
    ("game", "leaves_per_game"), [(TIC_TAC_TOE, 1), (TIC_TAC_TOE, 5), *slowly((RACE, 1), (RACE, 5))]
)
def test_every_simulation_is_a_visit_and_every_leaf_has_several_legal_actions(game, leaves_per_game):
    states, network = some_states(game), arbitrary(game)
    states["to_move"][4] = -1
    before = states.tobytes()
    search = Puct(game, 20, 60, leaves_per_game=leaves_per_game)
    search.begin(states, 1)
    asked = 0
    while len(leaves := search.select()):
        assert len(leaves) <= 11 * leaves_per_game
        assert (game.legal(leaves).sum(axis=1) > 1).all() or asked == 0
        if asked == 0:
            assert (game.observe(leaves) == game.observe(np.delete(states, 4))).all()
        told = network(leaves)
        # The caller may change the leaves.
        game.step(leaves, game.sample(leaves, asked))
        search.backup(*told)
        asked += 1
    visits, actions = search.visits(), search.actions()
    assert visits.sum(axis=1).tolist() == [60 * (i != 4) for i in range(12)]
    assert not visits[~game.legal(states)].any()
    assert (visits[np.arange(12), actions] == visits.max(axis=1)).all() and actions[4] == -1
    assert (abs(search.values()) <= 1).all() and not search.values().sum(axis=1).any()
    assert states.tobytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"noise": (0.5, 0.25)}, {"leaves_per_game": 4}, {"gumbel": (4, 1.0)}])
def test_a_search_depends_only_on_seed_and_position(options):
    states, network = some_states(RACE), arbitrary(RACE)
    one = searched(RACE, states, network, **options)
    # A search knows no future dice and does not depend on the other games of the batch.
    others = states.copy()
    RACE.reseed(others, 99)
    other = searched(RACE, others[:7], network, **options)
    np.testing.assert_array_equal(one.visits()[:7], other.visits())
    np.testing.assert_array_equal(one.actions(1.0, 5)[:7], other.actions(1.0, 5))
    assert (one.actions(1.0, 5) != one.actions(1.0, 6)).any()
    assert (one.visits() != searched(RACE, states, network, seed=2, **options).visits()).any()


@pytest.mark.slow
def test_a_search_does_not_know_hidden_fingers():
    game = make_game("ceelkoqyuqkoqiji", first="throw")
    states, network = some_states(game, decisions=1), arbitrary(game)
    one, other = (searched(game, some, network) for some in (states, with_another_finger(states)))
    np.testing.assert_array_equal(one.visits(), other.visits())


@pytest.mark.parametrize("game", [KALAH, *slowly(RACE)], ids=["kalah", "race"])
@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda search: pickle.loads(pickle.dumps(search))])
def test_a_copy_searches_as_the_original_does(copied, is_used, game):
    states, network = some_states(game), arbitrary(game)
    search = Puct(game, 12, 60, noise=(0.5, 0.25), leaves_per_game=2)
    if is_used:
        search.begin(states, 9)
        search.backup(*network(search.select()))
    other = copied(search)
    with pytest.raises(RuntimeError, match="not ended"):
        other.visits()
    other.run(states, network, 1)
    search.run(states, network, 1)
    np.testing.assert_array_equal(other.visits(), search.visits())
    assert (search.visits().sum(axis=1) == 60).all()
    # Each has its own trees.
    other.begin(states[:3])
    assert (search.visits().sum(axis=1) == 60).all()


def test_a_full_tree_continues_to_search_without_growing():
    states = some_states(TIC_TAC_TOE)
    search = searched(TIC_TAC_TOE, states, arbitrary(TIC_TAC_TOE), 200, memory=0.03)
    assert (search.visits().sum(axis=1) == 200).all()
    roots = search._tree.roots
    assert (roots["next_node"] == roots["last_node"]).all() and roots["last_node"][0] < 50


# Sequential halving with Gumbel noise.


def test_sequential_halving_divides_simulations_among_rounds_and_rounds_among_actions():
    # Two rounds of eight simulations: two for each of four actions, then four for each of the two best.
    assert sequential_halving(4, 16) == [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]
    assert sequential_halving(3, 8) == [0, 0, 0, 1, 1, 2, 2, 3]
    assert sequential_halving(16, 4) == [0] * 4
    assert sequential_halving(1, 3) == [0, 1, 2]


def of_points(values, priors):
    """Return a network with these priors, and values for the player to move by the only occupied point of the board."""

    def network(leaves):
        points = np.where((leaves["board"] > 0).sum(1) == 1, (leaves["board"] > 0).argmax(1), -1)
        return np.tile(priors, (len(leaves), 1)), np.array([values.get(int(point), 0.0) for point in points])

    return network


def test_improved_policy_and_values_of_a_tree_by_hand():
    """Two simulations visit the two likeliest actions once, 0 with a value of -0.4 and 1 with a value of 0.6."""
    priors = np.array([0.5, 0.3, *[0.2 / 7] * 7])
    network = of_points({-1: 0.2, 0: 0.4, 1: -0.6}, priors)
    search = searched(TIC_TAC_TOE, TIC_TAC_TOE.init(1, 0), network, 2, gumbel=(2, 0.0))
    assert search.visits().tolist() == [[1, 1, *[0] * 7]]
    assert search.actions().tolist() == [1]
    # The others count as (0.2 + 2 * (0.5 * -0.4 + 0.3 * 0.6) / 0.8) / 3.
    values = np.array([-0.4, 0.6, *[0.05] * 7])
    weights = priors * np.exp(0.5 * (50 + 1) * values)
    policies, improved = search.improved()
    expected = weights / weights.sum()
    np.testing.assert_allclose(policies[0], expected, rtol=1e-4)
    assert improved[0] == pytest.approx([expected @ values, -expected @ values], abs=1e-6)
    assert search.values()[0] == pytest.approx([0.1, -0.1], abs=1e-6)


def test_sequential_halving_keeps_the_better_half():
    """Of nine actions the four likeliest are considered, of these the two best win the second round."""
    priors = np.array([9, 8, 7, 6, 1, 1, 1, 1, 1]) / 35
    network = of_points({0: 0.5, 1: 0.1, 2: -0.2, 3: 0.3, 4: -1.0}, priors)
    search = searched(TIC_TAC_TOE, TIC_TAC_TOE.init(1, 0), network, 8, gumbel=(4, 0.0))
    assert search.visits().tolist() == [[1, 3, 3, 1, 0, 0, 0, 0, 0]]
    # With as many actions as there are, all are visited first; the unlikely one with the highest value wins.
    many = searched(TIC_TAC_TOE, TIC_TAC_TOE.init(1, 0), network, 9, gumbel=(100, 0.0))
    assert many.visits().tolist() == [[1] * 9] and many.actions().tolist() == [4]


def test_a_game_with_one_action_or_over_is_searched_too():
    states = np.concatenate([TIC_TAC_TOE.load(board=[1, 2, 1, 1, 2, 2, 2, 1, 0], turn=8), TIC_TAC_TOE.init(1, 0)])
    states["to_move"][1] = -1
    search = searched(TIC_TAC_TOE, states, arbitrary(TIC_TAC_TOE), 5, gumbel=(4, 1.0))
    policies, values = search.improved()
    assert search.actions().tolist() == [8, -1] and search.visits()[0, 8] == 5
    assert policies[0].tolist() == [0] * 8 + [1] and not policies[1].any() and not values[1].any()


def test_gumbel_noise_draws_actions_by_their_priors():
    """With one action and equal values the winner has the distribution of the priors."""
    priors = np.array([4, 3, 2, 1, 0, 0, 0, 0, 0]) / 10
    states = np.repeat(TIC_TAC_TOE.init(1, 0), 3000)
    search = searched(TIC_TAC_TOE, states, of_points({}, priors), 1, gumbel=(1, 1.0))
    drawn = np.bincount(search.actions(), minlength=9) / 3000
    assert drawn == pytest.approx(priors, abs=0.03)


@pytest.mark.slow
def test_improved_values_of_more_than_two_players_sum_to_zero():
    four = make_game("dongjintian")
    states = some_states(four)
    search = searched(four, states, uniform(four), 16, gumbel=(8, 1.0))
    policies, values = search.improved()
    np.testing.assert_allclose(policies.sum(1), 1)
    assert not policies[~four.legal(states)].any()
    np.testing.assert_allclose(values.sum(1), 0, atol=1e-9)


@pytest.mark.slow
def test_partners_share_improved_values():
    teams = make_game("pahada_keliya")
    states, of_team = some_states(teams), np.array([1, -1, 1, -1])

    def network(leaves):
        value = np.sin(teams.observe(leaves).sum(1, dtype=float))
        sign = of_team * np.where(leaves["to_move"] % 2, -1, 1)[:, None]
        return np.ones((len(leaves), teams.num_actions)), value[:, None] * sign

    search = searched(teams, states, network, 16, gumbel=(8, 0.0))
    values = search.improved()[1]
    assert abs(values - search.values()).max() > 0.01
    np.testing.assert_allclose(values, values[:, :1] * of_team, atol=1e-6)


# The network's outputs.


def test_priors_and_values_direct_the_search():
    states = TIC_TAC_TOE.init(1, 0)

    def visits(priors, value=lambda leaves: np.zeros(len(leaves)), **options):
        return searched(TIC_TAC_TOE, states, lambda s: (np.tile(priors, (len(s), 1)), value(s)), **options).visits()[0]

    prefers_7 = np.eye(9)[7] + 0.1
    assert visits(prefers_7).argmax() == 7
    # Only the proportions of priors count; zeros count as equal priors.
    np.testing.assert_array_equal(visits(prefers_7), visits(8 * prefers_7))
    np.testing.assert_array_equal(visits(np.zeros(9)), visits(np.ones(9)))

    def holds_point_3(leaves):
        """Return 1 for the player who holds point 3, -1 for the other, and 0 if it is empty."""
        there, mover = leaves["board"][:, 3], leaves["to_move"]
        return np.select([there == 1 + mover, there == 2 - mover], [1, -1])

    assert visits(np.ones(9), holds_point_3).argmax() == 3


def test_noise_makes_every_action_be_visited():
    states = np.repeat(TIC_TAC_TOE.init(1, 0), 100)

    def network(leaves):
        return np.tile(np.eye(9)[0], (len(leaves), 1)), np.zeros(len(leaves))

    assert searched(TIC_TAC_TOE, states, network).visits()[:, 0].min() == 100
    visits = searched(TIC_TAC_TOE, states, network, noise=(1.0, 0.5)).visits()
    assert (visits > 0).any(axis=0).all() and visits.std(axis=0).min() > 0
    # On average, half of the priors is equal noise.
    assert visits.mean(axis=0) / 100 == pytest.approx([0.5 + 0.5 / 9, *[0.5 / 9] * 8], abs=0.06)


def test_values_can_be_given_for_all_players_or_for_the_player_to_move():
    states, network = some_states(TIC_TAC_TOE), arbitrary(TIC_TAC_TOE)

    def of_everyone(leaves):
        priors, values = network(leaves)
        return priors, values[:, None] * np.where(leaves["to_move"][:, None] == [0, 1], 1, -1)

    one, other = searched(TIC_TAC_TOE, states, network), searched(TIC_TAC_TOE, states, of_everyone)
    np.testing.assert_array_equal(one.visits(), other.visits())
    np.testing.assert_array_equal(one.values(), other.values())


def test_actions_are_sampled_by_visit_counts_and_temperature():
    states = np.repeat(TIC_TAC_TOE.init(1, 0), 3000)
    search = searched(TIC_TAC_TOE, states, arbitrary(TIC_TAC_TOE), 30)
    shares = search.visits()[0] / 30
    for temperature in (1.0, 0.5):
        wanted = shares ** (1 / temperature)
        drawn = np.bincount(search.actions(temperature, 1), minlength=9) / 3000
        assert drawn == pytest.approx(wanted / wanted.sum(), abs=0.04)
    mixed = search.actions(np.where(np.arange(3000) < 1500, 0, 1.0), 1)
    assert (mixed[:1500] == shares.argmax()).all() and len(set(mixed[1500:].tolist())) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dongjintian", "sokkattan", "oware", "ceelkoqyuqkoqiji"])
def test_any_kind_of_game_can_be_searched(name):
    """Games with four players, with four players and dice, with a long record, and with hidden information."""
    options = {"first": "throw"} if name == "ceelkoqyuqkoqiji" else {}
    game = make_game(name, **options)
    agent = PuctAgent(Puct(game, 16, 100), uniform(game))
    assert evaluate(agent, name, games=40, **options).games == 40
    states = some_states(game)
    values = searched(game, states, uniform(game), 50).values()
    assert values.shape == (12, game.num_players) and abs(values.sum(axis=1)).max() < 1e-9


@pytest.mark.slow
def test_rewards_of_rounds_count():
    """If chance has no influence, one simulation of a single legal action gives the reward of that action."""
    game = make_game("qelat", campaign=True, columns=2, round_reward=2.0)
    states = game.init(100, 1)
    paid = set()
    for decision in range(150):
        before = states.copy()
        rewards = game.step(states, game.sample(states, decision), autoreset=True)
        only = (game.legal(before).sum(axis=1) == 1) & ((states.ended > 0) | (game.legal(states).sum(axis=1) > 1))
        for i in np.flatnonzero(only & (rewards[:, 0] != 0)):
            tries = game.copies(before[i], 8, seed=1)
            if (game.step(tries, np.full(8, game.legal(before[i]).argmax())) == rewards[i]).all():
                assert searched(game, before[i : i + 1], uniform(game), 1).values().tolist() == [[*rewards[i]]]
                paid.add((abs(rewards[i, 0]), bool(states.ended[i])))
    # A lead of half the holes; and a lead of all holes, which also wins the campaign.
    assert paid == {(1.0, False), (3.0, True)}


def test_the_agent_splits_large_batches():
    states, network = some_states(TIC_TAC_TOE), arbitrary(TIC_TAC_TOE)
    states["to_move"][4] = -1
    agent = PuctAgent(Puct(TIC_TAC_TOE, 5, 60), network)
    actions = agent.act(states, 1)
    assert actions[4] == -1 and (np.delete(actions, 4) >= 0).all()
    for first in (0, 5, 10):
        part = states[first : first + 5]
        expected = searched(TIC_TAC_TOE, part, network, 60).actions()
        np.testing.assert_array_equal(actions[first : first + 5], expected)


# Misuse.


def test_methods_called_out_of_order_are_refused():
    states, network = TIC_TAC_TOE.init(2, 0), uniform(TIC_TAC_TOE)
    search = Puct(TIC_TAC_TOE, 2, 10)
    with pytest.raises(RuntimeError, match="call begin before select"):
        search.select()
    for early in (search.visits, search.values, search.actions):
        with pytest.raises(RuntimeError, match="the search has not ended"):
            early()
    search.begin(states)
    with pytest.raises(RuntimeError, match="no leaves wait"):
        search.backup(np.ones((2, 9)), np.zeros(2))
    leaves = search.select()
    with pytest.raises(RuntimeError, match="call backup before select"):
        search.select()
    with pytest.raises(RuntimeError, match="not ended"):
        search.actions()
    search.backup(*network(leaves))
    with pytest.raises(RuntimeError, match="no leaves wait"):
        search.backup(*network(leaves))


def test_wrong_network_outputs_are_refused_and_change_nothing():
    network = arbitrary(TIC_TAC_TOE)
    states = some_states(TIC_TAC_TOE)
    search = Puct(TIC_TAC_TOE, 12, 100)
    search.begin(states)
    nothing, bad = np.zeros(12), np.full((12, 9), np.nan)
    for priors, values, why in (
        (np.ones((12, 8)), nothing, r"priors must have shape \(12, 9\), got \(12, 8\)"),
        (np.ones((12, 9)), nothing[:3], r"values must have shape \(12, 2\) or \(12,\), got \(3,\)"),
        (np.ones((12, 9)), np.zeros((12, 1)), "values must have shape"),
        (-np.ones((12, 9)), nothing, "not logits"),
        (bad, nothing, "priors must be finite"),
        (np.ones((12, 9)), nothing + np.inf, "values must be finite"),
    ):
        if search._next == "select":
            leaves = search.select()
        with pytest.raises(ValueError, match=why):
            search.backup(priors, values)
    search.backup(*network(leaves))
    while len(leaves := search.select()):
        search.backup(*network(leaves))
    np.testing.assert_array_equal(search.visits(), searched(TIC_TAC_TOE, states, network).visits())
    with pytest.raises(ValueError, match="temperature must be"):
        search.actions(-1.0)
    with pytest.raises(ValueError, match="n = 12 games, got 13"):
        search.begin(TIC_TAC_TOE.init(13, 0))
    with pytest.raises(ValueError, match="dtype"):
        search.begin(RACE.init(2, 0))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        *(
            ({name: number}, f"{name} must be")
            for name in ("n", "simulations", "leaves_per_game")
            for number in (0, 1.5)
        ),
        *(({name: 10**30}, "from 1 to 2147483647") for name in ("n", "simulations", "leaves_per_game")),
        ({"n": True}, "n must be"),
        ({"exploration": 0}, "exploration must be"),
        ({"memory": np.nan}, "memory must be"),
        *(({"noise": noise}, "noise must be") for noise in ((0, 0.5), (1, 1.5), 0.3)),
        *(({"gumbel": gumbel}, "gumbel must be") for gumbel in ((4, -1.0), (4,), 16)),
        ({"gumbel": (0, 1.0)}, "the actions of gumbel must be an integer from 1"),
        ({"gumbel": (4, 1.0), "noise": (1.0, 0.25)}, "either noise or gumbel"),
    ],
)
def test_wrong_settings_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Puct(TIC_TAC_TOE, **{"n": 1, "simulations": 1, **wrong})


def bytes_of(search):
    """All bytes that a search holds; views on the same memory count once."""
    arrays = [array for part in (search._tree, search._batch) for array in part]
    return sum({array.ctypes.data: array.nbytes for array in arrays}.values())


@pytest.mark.parametrize(("name", "n"), [("dam", 1024), ("oware", 4096), ("kalah", 4096), ("dongjintian", 64)])
def test_memory_is_a_limit(name, n):
    game = make_game(name)
    least = math.ceil(bytes_of(Puct(game, n, 1, memory=1000)) / 2**20)
    for memory in (least + 1, 4 * least):
        assert bytes_of(Puct(game, n, 10**6, memory=memory)) <= memory * 2**20
    with pytest.raises(ValueError, match=rf"{name}: n = {n} games need at least memory=\d+, got 0.01"):
        Puct(game, n, 1, memory=0.01)

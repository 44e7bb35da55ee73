"""PUCT: the search of the papers, over any game, with leaves given out in batches."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

import numpy as np
import pytest
from books import tic_tac_toe
from helpers.forms import some_states, with_another_finger

from mancala_envs import make_game
from mancala_envs.agents import Puct, PuctAgent, puct
from mancala_envs.game import Game
from mancala_envs.wrappers import evaluate

TIC_TAC_TOE = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
RACE = make_game("pancha_keliya")
KALAH = make_game("kalah")


def knows_nothing(game):
    return lambda leaves: (np.ones((len(leaves), game.num_actions)), np.zeros((len(leaves), game.num_players)))


def believes(game):
    """Some opinion about every position, the same whenever it is asked."""
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


# One game.


def test_a_winning_point_is_found_and_a_threat_is_met():
    wins = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 2, 0, 0, 0, 0], turn=4)
    meets = TIC_TAC_TOE.load(board=[1, 0, 0, 0, 2, 0, 2, 1, 0], turn=4)
    search = searched(TIC_TAC_TOE, np.concatenate([wins, meets]), knows_nothing(TIC_TAC_TOE), 400)
    assert search.actions().tolist() == [2, 2]
    assert search.values()[0] == pytest.approx([1, -1], abs=0.1)


@dataclass
class Node:
    """Of a search written down as in the papers."""

    state: np.ndarray
    priors: dict[int, float]
    visits: int
    total: float
    edges: dict[int, list] = field(default_factory=dict)


def by_the_papers(game, state, network, simulations, exploration):
    """Visits of each action at the root."""

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
        """What it is worth to who is to move in `node`."""
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


def test_it_searches_as_the_papers_say(monkeypatch):
    network = believes(TIC_TAC_TOE)
    states = some_states(TIC_TAC_TOE)
    visits = searched(TIC_TAC_TOE, states, network, exploration=2.0).visits()
    for state, found in zip(states, visits, strict=True):
        assert found.tolist() == by_the_papers(TIC_TAC_TOE, state.reshape(1), network, 100, 2.0)
    # Games that are played again from the root, because their records are long, are searched alike.
    monkeypatch.setattr(puct, "LONG", 0)
    np.testing.assert_array_equal(searched(TIC_TAC_TOE, states, network, exploration=2.0).visits(), visits)


# Batches.


@pytest.mark.parametrize(("game", "abreast"), [(TIC_TAC_TOE, 1), (TIC_TAC_TOE, 5), (RACE, 1), (RACE, 5)])
def test_every_simulation_is_a_visit_and_every_leaf_a_choice(game, abreast):
    states, network = some_states(game), believes(game)
    states["to_move"][4] = -1
    before = states.tobytes()
    search = Puct(game, 20, 60, abreast=abreast)
    search.begin(states, 1)
    asked = 0
    while len(leaves := search.select()):
        assert len(leaves) <= 11 * abreast
        assert (game.legal(leaves).sum(axis=1) > 1).all() or asked == 0
        if asked == 0:
            assert (game.observe(leaves) == game.observe(np.delete(states, 4))).all()
        told = network(leaves)
        # Leaves may be played on from.
        game.step(leaves, game.sample(leaves, asked))
        search.backup(*told)
        asked += 1
    visits, actions = search.visits(), search.actions()
    assert visits.sum(axis=1).tolist() == [60 * (i != 4) for i in range(12)]
    assert not visits[~game.legal(states)].any()
    assert (visits[np.arange(12), actions] == visits.max(axis=1)).all() and actions[4] == -1
    assert (abs(search.values()) <= 1).all() and not search.values().sum(axis=1).any()
    assert states.tobytes() == before


@pytest.mark.parametrize("options", [{}, {"noise": (0.5, 0.25)}, {"abreast": 4}])
def test_the_seed_decides_everything(options):
    states, network = some_states(RACE), believes(RACE)
    one = searched(RACE, states, network, **options)
    # Nobody foresees the dice, and a game's search does not depend on those beside it.
    others = states.copy()
    RACE.reseed(others, 99)
    other = searched(RACE, others[:7], network, **options)
    np.testing.assert_array_equal(one.visits()[:7], other.visits())
    np.testing.assert_array_equal(one.actions(1.0, 5)[:7], other.actions(1.0, 5))
    assert (one.actions(1.0, 5) != one.actions(1.0, 6)).any()
    assert (one.visits() != searched(RACE, states, network, seed=2, **options).visits()).any()


@pytest.mark.slow
def test_what_is_hidden_is_not_seen():
    game = make_game("ceelkoqyuqkoqiji", first="throw")
    states, network = some_states(game, decisions=1), believes(game)
    one, other = (searched(game, some, network) for some in (states, with_another_finger(states)))
    np.testing.assert_array_equal(one.visits(), other.visits())


def test_a_search_can_be_used_again():
    states, network = some_states(TIC_TAC_TOE), believes(TIC_TAC_TOE)
    search = searched(TIC_TAC_TOE, states, network)
    visits = search.visits()
    search.begin(states[::-1])
    search.select()
    search.run(states[:5], network)
    np.testing.assert_array_equal(search.visits(), visits[:5])


@pytest.mark.parametrize("game", [KALAH, RACE], ids=["kalah", "race"])
@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda search: pickle.loads(pickle.dumps(search))])
def test_a_copy_searches_as_the_original_does(copied, is_used, game):
    states, network = some_states(game), believes(game)
    search = Puct(game, 12, 60, noise=(0.5, 0.25), abreast=2)
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
    # Each has trees of its own.
    other.begin(states[:3])
    assert (search.visits().sum(axis=1) == 60).all()


def visits_in_worker(search, states):
    search.run(states, believes(search.game), 1)
    return search.visits()


def test_spawned_workers_search_too():
    states = some_states(KALAH)
    search = searched(KALAH, states, believes(KALAH), 60)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        found = pool.submit(visits_in_worker, search, np.asarray(states)).result(timeout=300)
    np.testing.assert_array_equal(found, search.visits())


def test_a_full_tree_learns_on():
    states = some_states(TIC_TAC_TOE)
    search = searched(TIC_TAC_TOE, states, believes(TIC_TAC_TOE), 200, memory=0.03)
    assert (search.visits().sum(axis=1) == 200).all()
    roots = search._tree.roots
    assert (roots["next_node"] == roots["last_node"]).all() and roots["last_node"][0] < 50


# What the network says.


def test_priors_and_values_count():
    states = TIC_TAC_TOE.init(1, 0)

    def visits(priors, value=lambda leaves: np.zeros(len(leaves)), **options):
        return searched(TIC_TAC_TOE, states, lambda s: (np.tile(priors, (len(s), 1)), value(s)), **options).visits()[0]

    fond = np.eye(9)[7] + 0.1
    assert visits(fond).argmax() == 7
    # By proportion alone; and where all are zero they are equal.
    np.testing.assert_array_equal(visits(fond), visits(8 * fond))
    np.testing.assert_array_equal(visits(np.zeros(9)), visits(np.ones(9)))

    def happy(leaves):
        """Who has been at point 3."""
        there, mover = leaves["board"][:, 3], leaves["to_move"]
        return np.select([there == 1 + mover, there == 2 - mover], [1, -1])

    assert visits(np.ones(9), happy).argmax() == 3


def test_noise_makes_all_be_tried():
    states = np.repeat(TIC_TAC_TOE.init(1, 0), 100)

    def network(leaves):
        return np.tile(np.eye(9)[0], (len(leaves), 1)), np.zeros(len(leaves))

    assert searched(TIC_TAC_TOE, states, network).visits()[:, 0].min() == 100
    visits = searched(TIC_TAC_TOE, states, network, noise=(1.0, 0.5)).visits()
    assert (visits > 0).any(axis=0).all() and visits.std(axis=0).min() > 0
    # Half of the priors are equal in the mean.
    assert visits.mean(axis=0) / 100 == pytest.approx([0.5 + 0.5 / 9, *[0.5 / 9] * 8], abs=0.06)


def test_values_are_of_everyone_or_of_the_mover():
    states, network = some_states(TIC_TAC_TOE), believes(TIC_TAC_TOE)

    def of_everyone(leaves):
        priors, values = network(leaves)
        return priors, values[:, None] * np.where(leaves["to_move"][:, None] == [0, 1], 1, -1)

    one, other = searched(TIC_TAC_TOE, states, network), searched(TIC_TAC_TOE, states, of_everyone)
    np.testing.assert_array_equal(one.visits(), other.visits())
    np.testing.assert_array_equal(one.values(), other.values())


def test_actions_are_drawn_by_visits():
    states = np.repeat(TIC_TAC_TOE.init(1, 0), 3000)
    search = searched(TIC_TAC_TOE, states, believes(TIC_TAC_TOE), 30)
    shares = search.visits()[0] / 30
    for temperature in (1.0, 0.5):
        wanted = shares ** (1 / temperature)
        drawn = np.bincount(search.actions(temperature, 1), minlength=9) / 3000
        assert drawn == pytest.approx(wanted / wanted.sum(), abs=0.04)
    mixed = search.actions(np.where(np.arange(3000) < 1500, 0, 1.0), 1)
    assert (mixed[:1500] == shares.argmax()).all() and len(set(mixed[1500:].tolist())) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dongjintian", "sokkattan", "oware", "ceelkoqyuqkoqiji"])
def test_any_game_is_searched(name):
    """Four players, four with dice, a long record, and secrets."""
    options = {"first": "throw"} if name == "ceelkoqyuqkoqiji" else {}
    game = make_game(name, **options)
    agent = PuctAgent(Puct(game, 16, 100), knows_nothing(game))
    assert evaluate(agent, name, games=40, **options).games == 40
    states = some_states(game)
    values = searched(game, states, knows_nothing(game), 50).values()
    assert values.shape == (12, game.num_players) and abs(values.sum(axis=1)).max() < 1e-9


@pytest.mark.slow
def test_rounds_of_a_campaign_are_paid():
    """One simulation, with one legal action, is worth what that action pays, where no lots decide it."""
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
                assert searched(game, before[i : i + 1], knows_nothing(game), 1).values().tolist() == [[*rewards[i]]]
                paid.add((abs(rewards[i, 0]), bool(states.ended[i])))
    # A lead of half the holes, and of all of them, which wins the campaign besides.
    assert paid == {(1.0, False), (3.0, True)}


def test_an_agent_is_asked_about_any_number_of_games():
    states, network = some_states(TIC_TAC_TOE), believes(TIC_TAC_TOE)
    states["to_move"][4] = -1
    agent = PuctAgent(Puct(TIC_TAC_TOE, 5, 60), network)
    actions = agent.act(states, 1)
    assert actions[4] == -1 and (np.delete(actions, 4) >= 0).all()
    for first in (0, 5, 10):
        part = states[first : first + 5]
        expected = searched(TIC_TAC_TOE, part, network, 60).actions()
        np.testing.assert_array_equal(actions[first : first + 5], expected)


@pytest.mark.slow
def test_who_counts_seeds_beats_random_play():
    kalah = make_game("kalah")

    def counts(leaves):
        seen = kalah.observe(leaves).astype(np.float32)
        return np.ones((len(leaves), 6)), np.tanh((seen[:, 12] - seen[:, 13]) / 10)

    agent = PuctAgent(Puct(kalah, 16, 100), counts)
    assert evaluate(agent, "kalah", games=40).win_rate > 0.8
    assert evaluate(agent, "kalah", "greedy", games=40) == evaluate(agent, "kalah", "greedy", games=40)


# Misuse.


def test_steps_out_of_turn_are_refused():
    states, network = TIC_TAC_TOE.init(2, 0), knows_nothing(TIC_TAC_TOE)
    search = Puct(TIC_TAC_TOE, 2, 10)
    with pytest.raises(RuntimeError, match="select was called where begin must be"):
        search.select()
    for early in (search.visits, search.values, search.actions):
        with pytest.raises(RuntimeError, match="the search has not ended"):
            early()
    search.begin(states)
    with pytest.raises(RuntimeError, match="no leaves wait"):
        search.backup(np.ones((2, 9)), np.zeros(2))
    leaves = search.select()
    with pytest.raises(RuntimeError, match="backup must be"):
        search.select()
    with pytest.raises(RuntimeError, match="not ended"):
        search.actions()
    search.backup(*network(leaves))
    with pytest.raises(RuntimeError, match="no leaves wait"):
        search.backup(*network(leaves))


def test_what_does_not_fit_is_refused_and_changes_nothing():
    network = believes(TIC_TAC_TOE)
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
    "wrong",
    [
        {"n": 0},
        {"n": True},
        {"simulations": 1.5},
        {"abreast": 0},
        {"exploration": 0},
        {"memory": np.nan},
        {"noise": (0, 0.5)},
        {"noise": (1, 1.5)},
    ],
)
def test_numbers_that_are_not_allowed_are_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        Puct(TIC_TAC_TOE, **{"n": 1, "simulations": 1, **wrong})

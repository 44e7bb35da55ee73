"""Searches by name: they work wherever an opponent is named, depend on the seed, and know no future or hidden state."""

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import gymnasium as gym
import numpy as np
import pytest
from books import lucky
from helpers.forms import some_states, with_another_finger
from helpers.programs import stdout_of

from mancala_envs import make_game
from mancala_envs.agents import Agent, Mixture
from mancala_envs.agents.common import key_of, key_words, words_of
from mancala_envs.agents.compiled import act
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import evaluate
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY
from mancala_envs.wrappers import SingleAgent

NAMES = ["minimax:2", "mcts:50"]
KALAH = make_game("kalah")
LUCKY = Game(lucky.RULE_BOOK, "lucky", False, {})
RACE = make_game("pancha_keliya")


@pytest.mark.parametrize("name", ["greedy", *NAMES])
@pytest.mark.parametrize("game", [KALAH, pytest.param(RACE, marks=pytest.mark.slow)], ids=["kalah", "race"])
def test_actions_depend_only_on_seed_and_index_and_states_do_not_change(game, name):
    states = some_states(game, decisions=9)
    before = states.tobytes()
    search = Agent(game, name)
    actions = search.act(states, seed=4)
    assert states.tobytes() == before
    assert actions.dtype == np.int64
    assert game.legal(states)[np.arange(len(states)), actions].all()
    for again in (search, Agent(game, name), pickle.loads(pickle.dumps(search)), copy.deepcopy(search)):
        np.testing.assert_array_equal(again.act(states, seed=4), actions)
        np.testing.assert_array_equal(again.act(states[:5], seed=4), actions[:5])


@pytest.mark.parametrize("name", ["random", "mcts:5"])
def test_with_a_seed_for_each_game_the_batch_does_not_matter(name):
    search, states, seeds = Agent(KALAH, name), some_states(KALAH, decisions=9), np.arange(3, 8)
    alone = [int(search.act(states[i], seed=3 + i)[0]) for i in range(5)]
    assert search.act(states[:5], seeds).tolist() == alone
    for wrong in (seeds[:4], seeds / 2, -seeds):
        with pytest.raises(ValueError, match=r"seeds must be integers .* of shape \(5,\)"):
            search.act(states[:5], wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minimax:1", "minimax:2", "mcts:1", "mcts:100"])
def test_a_search_does_not_know_future_chance(name):
    """For positions that differ only in future chance, it chooses the same action and gives the same analysis."""
    states = LUCKY.init(30, 1)
    after = states.copy()
    LUCKY.step(after, np.full(30, lucky.LUCKY))
    assert len(set(after["points"][:, 0].tolist())) > 3, "the die would show different numbers"
    search = Agent(LUCKY, name)
    first, *others = ((search.act(state, seed=7).tolist(), search.analyse(state, seed=7)) for state in states)
    assert all(other == first for other in others)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_search_does_not_know_hidden_fingers(name):
    game = make_game("ceelkoqyuqkoqiji", campaign=True, first="throw", columns=3)
    states = some_states(game, decisions=1)
    search = Agent(game, name)
    np.testing.assert_array_equal(search.act(states, seed=1), search.act(with_another_finger(states), seed=1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "name", "games"),
    [
        ("dongjintian", "mcts:50", 20),
        ("dongjintian", "minimax:1", 4),
        *(("sokkattan", name, 40) for name in NAMES),
        *(("pahada_keliya", name, 40) for name in NAMES),
    ],
)
def test_searches_beat_random_play_with_more_than_two_players(game, name, games):
    """Each of four players alone, and in teams."""
    score = evaluate(name, game, "random", games=games)
    assert score.games == games
    assert score.wins / games > 0.25


@pytest.mark.parametrize("name", [*NAMES, "expert:50"])
def test_every_environment_accepts_the_name_of_a_search(name):
    solo = gym.make("mancala_envs/Kalah-v0", opponent=name)
    solo.reset(seed=1)
    solo.step(int(np.flatnonzero(solo.unwrapped.action_masks())[0]))
    envs = MancalaVectorEnv("kalah", 6, opponent=Mixture((name, "random")))
    _, infos = envs.reset(seed=1)
    envs.step(infos["action_mask"].argmax(axis=1))
    alone = SingleAgent(RawEnv("kalah"), opponent=name)
    _, info = alone.reset(seed=1)
    alone.step(int(info["action_mask"].argmax()))
    copy.deepcopy(solo.unwrapped)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, known in REGISTRY.items() if known.book.positions.unread])
def test_fields_left_out_of_hash_keys_do_not_affect_play(name):
    game = make_game(name)
    states = some_states(game, 64, 20)
    others = states.copy()
    for field in game.book.positions.unread:
        others[field] += 5
    for decision in range(30):
        np.testing.assert_array_equal(game.legal(others), game.legal(states))
        actions = game.sample(states, decision)
        np.testing.assert_array_equal(game.step(others, actions), game.step(states, actions))
        assert (others["to_move"] == states["to_move"]).all()


def test_a_chance_action_has_the_mean_value_of_its_results():
    """The die brings 2.5 points on average, half a point more than the sure choice."""
    found = Agent(LUCKY, "minimax:1", draws=1000).analyse(LUCKY.init(1, 0), seed=1)
    assert found.action == lucky.LUCKY
    assert found.values[lucky.SURE] == lucky.POINTS
    assert abs(found.values[lucky.LUCKY] - 2.5) < 0.3  # five standard deviations


def test_a_single_legal_action_has_a_value():
    state = KALAH.load(holes=[1, 0, 0, 0, 0, 0, 4, 4, 0, 0, 0, 0], store=[20, 19])
    for name in NAMES:
        found = Agent(KALAH, name).analyse(state, seed=1)
        assert set(found.values) == {0}
        assert found.nodes > 0
    for name in ("minimax:20ms", "mcts:20ms", *NAMES):
        assert Agent(KALAH, name).act(state)[0] == 0


def test_threads_can_share_a_search():
    states = some_states(KALAH, 40)
    search = Agent(KALAH, "mcts:300")
    expected = [Agent(KALAH, "mcts:300").act(states, seed).tolist() for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert [found.tolist() for found in pool.map(lambda seed: search.act(states, seed), range(8))] == expected


@pytest.mark.parametrize("name", ["minimax:1ms", "mcts:1ms", *NAMES])
def test_an_empty_batch_gives_no_actions(name):
    assert Agent(KALAH, name).act(KALAH.init(1, 0)[:0]).shape == (0,)


def test_searches_beat_greedy():
    assert evaluate("minimax:2", "kalah", "greedy", games=100).interval[0] > 0.5
    assert evaluate("mcts:100", "kalah", "greedy", games=100).interval[0] > 0.5


def test_greedy_is_a_searcher():
    states = some_states(KALAH)
    np.testing.assert_array_equal(Agent(KALAH, "greedy").act(states, 3), act(KALAH, states, "greedy", 3))
    found = Agent(KALAH, "greedy").analyse(states[0])
    assert found.depth == 1
    assert found.value == max(found.values.values())


def test_games_that_are_over_get_minus_one_and_no_analysis():
    over = some_states(KALAH)
    while (over["to_move"] >= 0).all():
        KALAH.step(over, KALAH.sample(over))
    for name in NAMES:
        np.testing.assert_array_equal(Agent(KALAH, name).act(over)[over["to_move"] < 0], -1)
        with pytest.raises(ValueError, match="over"):
            Agent(KALAH, name).analyse(over[over["to_move"] < 0][0])


@pytest.mark.parametrize(
    "name",
    [
        *("minimax", "minimax:", "minimax:0", "minimax:1001", "mcts:-1", "mcts:4.5", "mcts:10s", "mcts:x", "alphabeta"),
        *("expert:", "expert:0", "expert:1.5", "expert:x", "expert:5s", "expertise"),
    ],
)
def test_a_wrong_name_is_refused_and_the_allowed_ones_are_listed(name):
    allowed = "'random', 'greedy', 'minimax:TURNS', 'mcts:SIMULATIONS', .* 'expert:POSITIONS', 'expert:MSms'"
    with pytest.raises(ValueError, match=allowed):
        Agent(KALAH, name)
    with pytest.raises(ValueError, match=allowed):
        MancalaVectorEnv("kalah", 2, opponent=name)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("memory", 0),
        ("memory", float("nan")),
        ("draws", 0),
        ("draws", True),
        ("draws", 10**30),
        ("playout_turns", 10**30),
        ("others", "friends"),
        ("exploration", -1.0),
        ("playout_turns", -1),
    ],
)
def test_a_wrong_option_is_named(option, value):
    with pytest.raises(ValueError, match=option):
        Agent(KALAH, "mcts:10", **{option: value})


class Leftmost:
    """A search of the caller's."""

    takes_seeds = True

    def act(self, states, seed):
        assert type(seed) is int or len(seed) == len(states)
        return KALAH.legal(states).argmax(1)


@pytest.mark.parametrize("agent", [Leftmost(), lambda observations, masks: masks.argmax(1)])
def test_an_agent_of_the_caller_takes_what_named_ones_take(agent):
    states = KALAH.init(3, 1)
    agent = Agent(KALAH, agent)
    assert agent.act(states).tolist() == [0, 0, 0] and agent.act(states[0], 1).tolist() == [0]
    with pytest.raises(ValueError, match="dtype"):
        agent.act(RACE.init(3, 1))


def test_a_wrong_number_does_not_suggest_the_same_name():
    with pytest.raises(ValueError, match="there is no agent 'mcts:0'; there are"):
        Agent(KALAH, "mcts:0")


def test_random_has_no_analysis():
    with pytest.raises(ValueError, match="cannot analyse"):
        Agent(KALAH, "random").analyse(KALAH.init(1, 0))


@pytest.mark.parametrize(("name", "counts"), [("kotu_baendum", True), ("kalah", False)])
def test_hash_keys_include_the_turn_only_if_play_depends_on_it(name, counts):
    game = make_game(name)
    one = game.init(1, 0)
    other = one.copy()
    other["turn"] += 1
    keys = [key_of(words_of(game, state)[0], *key_words(game)) for state in (one, other)]
    assert (keys[0] != keys[1]) == counts


FORKED = """
import os, signal, threading, warnings
from mancala_envs import make_game
from mancala_envs.agents import Agent
from mancala_envs.core.pauses import watched

warnings.simplefilter("ignore")  # Python warns of forks beside threads.
game = make_game("kalah")
state, searcher = game.init(1, 0), Agent(game, "mcts:1000000000")
searching, forked = threading.Event(), threading.Event()

def watch(done, total, unit):
    searching.set()
    if forked.is_set():
        raise SystemExit

def search():
    with watched(watch):
        searcher.act(state, 1)

thread = threading.Thread(target=search)
thread.start()
searching.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)
    try:
        forked.set()
        search()
    except SystemExit:
        os._exit(7)
forked.set()
thread.join()
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_forked_searcher_does_not_wait_for_a_thread_of_its_parent():
    stdout_of(FORKED)

"""States of another game, or of the same game with other options, are refused by everything that takes states.

Their records can have an equal dtype. Rules write as many columns and actions as the record's own options say, so that
kernels of this game would write beyond their arrays.
"""

import pickle
import zlib

import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.agents import Agent
from mancala_envs.agents.puct import Puct
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv

QELAT = make_game("qelat")
MAGAZEB = make_game("magazeb_ii")

PAIRS = {
    "wider observation": (("dam", {}), ("dam", {"lift": "end"})),
    "more actions": (("nerenchi_keliya", {}), ("nerenchi_keliya", {"moves": "any"})),
    "more players": (("pancha_keliya", {}), ("pancha_keliya", {"players": 4})),
    "campaign": (("qelat", {}), ("qelat", {"campaign": True})),
    "another game": (("qelat", {}), ("magazeb_ii", {})),
    "another number": (("kalah", {}), ("kalah", {"max_turns": 7})),
}
pairs = pytest.mark.parametrize(("own", "other"), PAIRS.values(), ids=PAIRS)


def actions(game, states):
    """Return legal actions for the first two games and 0 for the third."""
    return [*game.sample(states[:2], 1), 0]


METHODS = {
    "legal": lambda game, states: game.legal(states),
    "legal_bits": lambda game, states: game.legal_bits(states),
    "sample": lambda game, states: game.sample(states, 1),
    "sample on threads": lambda game, states: game.sample(states, 1, threads=2),
    "step": lambda game, states: game.step(states, actions(game, states)),
    "step on threads": lambda game, states: game.step(states, actions(game, states), threads=2),
    "step by draws": lambda game, states: game.step(states, actions(game, states), draws=[[]] * 3),
    "observe": lambda game, states: game.observe(states),
    "observe for a player": lambda game, states: game.observe(states, 0),
    "random play": lambda game, states: game.play_random(states, 3, 1),
    "afterstates": lambda game, states: game.afterstates(states, seed=1),
    "copies": lambda game, states: game.copies(states, 2, 1),
    "reseed": lambda game, states: game.reseed(states, 1),
    "check": lambda game, states: game.check(states),
    "text": lambda game, states: game.text(states[2:3]),
    "board": lambda game, states: game.board(states[2:3]),
    "svg": lambda game, states: game.svg(states[2]),
    "explain": lambda game, states: game.explain(states[2:3], 0),
}


def made(name, options):
    return make_game(name, **options)


def mixed(game, other, n=3):
    """Yield two batches of `game` with a foreign third state: a fresh batch, and one that the game has used before."""
    foreign = other.init(1, 1)
    fresh, seen = game.init(n, 1), game.init(n, 1)
    game.observe(seen)
    for states in (fresh, seen):
        states[2] = foreign[0]
        yield states


def refused(game, other, call, states):
    before = states.tobytes()
    with pytest.raises(ValueError, match=r"state \d belongs to ") as caught:
        call(game, states)
    assert f"belongs to {other.header}, not to {game.header}" in str(caught.value)
    assert states.tobytes() == before


@pairs
def test_foreign_states_can_have_an_equal_dtype(own, other):
    game, other = made(*own), made(*other)
    assert game.dtype == other.dtype and game.header != other.header


@pytest.mark.parametrize("method", METHODS)
def test_every_method_refuses_foreign_states_and_changes_nothing(method):
    for states in mixed(QELAT, MAGAZEB):
        refused(QELAT, MAGAZEB, METHODS[method], states)


@pairs
@pytest.mark.parametrize("method", ["observe", "legal", "sample", "step"])
def test_kernels_refuse_foreign_states_of_every_kind(own, other, method):
    game, other = made(*own), made(*other)
    for states in mixed(game, other):
        refused(game, other, METHODS[method], states)


@pytest.mark.parametrize("agent", ["random", "greedy", "minimax:1", "mcts:4"])
def test_agents_refuse_foreign_states(agent):
    searcher = Agent(QELAT, agent)
    for states in mixed(QELAT, MAGAZEB):
        refused(QELAT, MAGAZEB, lambda game, states: searcher.act(states, 1), states)
        if agent != "random":
            refused(QELAT, MAGAZEB, lambda game, states: searcher.analyse(states[2:], 1), states)


def test_puct_refuses_foreign_states():
    search = Puct(QELAT, 3, 4)
    for states in mixed(QELAT, MAGAZEB):
        refused(QELAT, MAGAZEB, lambda game, states: search.begin(states, 1), states)


@pytest.mark.parametrize("make", [SoloEnv, lambda name: MancalaVectorEnv(num_envs=2, game=name)])
def test_environments_refuse_foreign_states_as_positions(make):
    env, foreign = make("qelat"), MAGAZEB.init(1, 1)
    for start in (lambda: env.set_opening(foreign), lambda: env.reset(options={"position": foreign})):
        with pytest.raises(ValueError, match="belongs to magazeb_ii, not to qelat"):
            start()


def test_records_that_no_game_made_are_refused():
    for states in (np.zeros(2, QELAT.dtype), np.full(2, 255, np.uint8).repeat(QELAT.dtype.itemsize).view(QELAT.dtype)):
        with pytest.raises(ValueError, match=r"state 0: .* differs from that of Game"):
            QELAT.observe(states)
    states = QELAT.init(2, 1)
    states.rules[1] += 1
    with pytest.raises(ValueError, match=r"state 1: rules differs from that of Game\(qelat\)"):
        QELAT.observe(states)


def test_the_number_of_a_game_is_the_checksum_of_its_header():
    """The number of a game is the same in every process, so saved states stay valid."""
    for name, options in (("kalah", {}), ("dam", {"lift": "end"}), ("qelat", {"campaign": True})):
        game = made(name, options)
        assert (game.init(3, 1).rules == zlib.crc32(game.header.encode())).all()
    assert made("kalah", {"seeds": 4}).init(1, 1).rules == made("kalah", {}).init(1, 1).rules


def test_records_can_be_saved_and_pickled(tmp_path):
    """Records contain no memory addresses, so copied, saved and pickled states can be played on anywhere."""
    game = make_game("kawade_kelia")
    states = game.init(2, 1, draws=[[1], [0, 1]])
    np.save(tmp_path / "states.npy", np.asarray(states).view(game.dtype))
    expected = states.copy()
    game.step(expected, game.sample(expected, 1))
    for read in (np.load(tmp_path / "states.npy"), pickle.loads(pickle.dumps(states))):
        game.step(read, game.sample(read, 1))
        assert read.tobytes() == expected.tobytes()
    assert "script" not in game.dtype.names


def test_a_batch_with_a_foreign_state_is_not_shown_as_text():
    states = QELAT.init(2, 1)
    assert repr(states).startswith("2 states of qelat")
    states[1] = MAGAZEB.init(1, 1)[0]
    # NumPy prints an array then; since version 2.5 it prints each state by itself.
    assert "states of" not in repr(states) and "rules" in repr(states) and states._repr_html_() is None

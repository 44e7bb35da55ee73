"""Self-play by search: what is learnt from, playout caps, exact values, and the replay buffer."""

import numpy as np
import pytest
from books import lucky, tic_tac_toe

from mancala_envs import Game, make_game
from mancala_envs.agents.solve import solve
from mancala_envs.evaluation.solved import solved_positions
from mancala_envs.learning.exact import Endings, solved_rows
from mancala_envs.learning.self_play import FULL, LAMBDA, ReplayBuffer, SelfPlayGames, returns_of

TIC_TAC_TOE = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
LUCKY = Game(lucky.RULE_BOOK, "lucky", False, {})
KALAH = make_game("kalah")
NONE = np.nan


def uniform(leaves):
    """Return equal priors and values of 0.3 for the player to move."""
    return np.ones((len(leaves), 9)), np.full(len(leaves), 0.3)


def played(n=64, decisions=8, network=uniform, **arguments):
    return SelfPlayGames(TIC_TAC_TOE, n, 8, **arguments).play(network, decisions)


# Returns.


def returns(values, rewards, over, later, exact=None):
    """The returns of the first of two players in one game; the values of the other are the opposite."""

    def both(row):
        return np.stack([np.array(row, float), -np.array(row, float)], -1)[:, None]

    exact = [NONE] * len(values) if exact is None else exact
    found = returns_of(both(values), both(rewards), np.array(over)[:, None], both([later])[0], both(exact))
    np.testing.assert_allclose(found[..., 0], -found[..., 1])
    return found[:, 0, 0].tolist()


def test_returns_mix_results_and_searches():
    # The game ends with the second decision; the third is the first of another game.
    found = returns([0.5, 0.2, -0.4], [0, 1, 0], [False, True, False], 0.6)
    assert found == pytest.approx([LAMBDA * 1 + (1 - LAMBDA) * 0.2, 1, 0.6])


def test_a_decision_without_a_search_passes_the_return_on():
    assert returns([0.5, NONE, NONE], [0, 0, 0], [False] * 3, 0.6) == pytest.approx([0.6] * 3)


def test_exact_values_replace_searches_and_results():
    found = returns([0.5, 0.2, 0.1], [0, 0, -1], [False, False, True], 0.6, exact=[NONE, 0.75, 1])
    assert found == pytest.approx([0.75, 1, -1])


# Playing.


def test_decisions_of_short_searches_have_no_policies():
    rows = played(n=200)
    assert rows.has_policy.mean() == pytest.approx(FULL, abs=0.05)
    full = rows[rows.has_policy]
    np.testing.assert_allclose(full.policies.sum(1), 1, rtol=1e-5)
    assert not full.policies[~TIC_TAC_TOE.legal(full.states)].any()
    assert not rows.policies[~rows.has_policy].any()


def test_searches_of_few_simulations_decide_what_is_not_learnt():
    games, counted = SelfPlayGames(TIC_TAC_TOE, 50, 8), []
    games._full.run = lambda states, *more, run=games._full.run: counted.append((8, len(states))) or run(states, *more)
    games._fast.run = lambda states, *more, run=games._fast.run: counted.append((2, len(states))) or run(states, *more)
    rows = games.play(uniform, 6)
    assert games._full.simulations == 8 and games._fast.simulations == 2
    has_policy = np.concatenate([part.has_policy for part in (rows, *waiting_in(games))])
    assert sum(n for simulations, n in counted if simulations == 8) == has_policy.sum()
    assert sum(n for simulations, n in counted if simulations == 2) == (~has_policy).sum()


def test_decisions_are_searched_from_random_openings_and_legal():
    rows = played()
    legal = TIC_TAC_TOE.legal(rows.states)
    # A decision with one legal action is not searched.
    assert legal.sum(1).min() == 2 and legal[np.arange(len(rows)), rows.actions].all()
    assert set(rows.states["turn"]) == set(range(8))
    np.testing.assert_allclose(rows.values.sum(1), 0, atol=1e-6)
    assert abs(rows.values).max() <= 1
    # An action that wins at once is worth 1 to the player.
    after = rows.states.copy()
    rewards = TIC_TAC_TOE.step(after, rows.actions)
    wins = (rewards != 0).any(1)
    assert wins.any() and (rows.values[wins] == rewards[wins]).all()


def test_games_depend_on_the_seed_alone():
    one, same, other = (played(n=8, seed=seed) for seed in ((1, 2), (1, 2), (1, 3)))
    assert one.states.tobytes() == same.states.tobytes() and one.values.tobytes() == same.values.tobytes()
    assert one.states.tobytes() != other.states.tobytes()


def test_exact_values_override_what_comes_later():
    def exact(states):
        return np.where(states["turn"] == 5, 0.25, np.nan)

    rows = played(exact=exact)
    over = (TIC_TAC_TOE.step(rows.states.copy(), rows.actions) != 0).any(1)
    before = (rows.states["turn"] == 4) & ~over
    assert before.sum() > 10
    movers = rows.states["to_move"][before].astype(int)
    assert (rows.values[before][np.arange(before.sum()), movers] == -0.25).all()


@pytest.mark.slow
def test_chance_is_drawn_in_play():
    rows = SelfPlayGames(LUCKY, 200, 4, seed=1).play(lambda s: (np.ones((len(s), 2)), np.zeros((len(s), 2))), 4)
    last = rows.states["turn"] == 1
    assert last.any() and {-1, 0, 1} == set(np.sign(rows.values[last, 0]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sokkattan", "zigulzoqge", "pahada_keliya", "ceelkoqyuqkoqiji", "dam"])
def test_any_kind_of_game_is_played(name):
    """Dice and four players, four players, teams, hidden information, and thousands of actions."""
    game = make_game(name)

    def network(states):
        return np.ones((len(states), game.num_actions)), np.zeros((len(states), game.num_players))

    games = SelfPlayGames(game, 8, 8)
    while not len(rows := games.play(network, 60)):
        continue
    assert game.legal(rows.states)[np.arange(len(rows)), rows.actions].all()
    np.testing.assert_allclose(rows.values.sum(1), 0, atol=1e-5)
    if name == "pahada_keliya":
        np.testing.assert_array_equal(np.sign(rows.values[:, 0]), np.sign(rows.values[:, 2]))


def test_no_more_is_played_than_asked_for():
    game = make_game("kalah")
    games = SelfPlayGames(game, 4, 2)
    rows = games.play(lambda states: (np.ones((len(states), game.num_actions)), np.zeros(len(states))), 1)
    assert len(rows) == 0 and len(games._steps) == 1


def waiting_in(games):
    return [step.rows[step.waiting] for step in games._steps]


def test_decisions_wait_for_the_results_of_their_games():
    games = SelfPlayGames(TIC_TAC_TOE, 50, 4)
    games.play(uniform, 1)
    waiting = {row.tobytes() for rows in waiting_in(games) for row in rows.states}
    # No game lasts longer than nine decisions.
    later = {row.tobytes() for row in games.play(uniform, 9).states}
    assert waiting and waiting <= later and 0 < len(games._steps) < 9


def test_decisions_wait_no_longer_than_the_window():
    games = SelfPlayGames(TIC_TAC_TOE, 50, 4)
    games._window = 2
    games.play(uniform, 8)
    assert len(games._steps) <= 2


# Exact values.


@pytest.mark.slow
def test_endings_have_the_values_that_proofs_give():
    by_margin = make_game("kalah", reward="margin")
    states, leads = (game.init(300, 1, opening=(20, 30)) for game in (KALAH, by_margin))
    few = np.flatnonzero(states["holes"].reshape(300, -1).sum(1) <= 12)[:20]
    values = Endings(KALAH).values(states)
    margins = Endings(by_margin).values(leads)
    assert len(few) == 20 and set(values[few]) >= {-1.0, 1.0}
    for i in few:
        # Player 0's lead under best play.
        lead = solve(by_margin, leads[i : i + 1]).value * (1 - 2 * int(states["to_move"][i]))
        assert values[i] == np.sign(lead) and margins[i] == pytest.approx(lead / 48)
    many = states["holes"].reshape(300, -1).sum(1) > 12
    assert many.any() and np.isnan(values[many]).all()
    assert np.isnan(Endings(TIC_TAC_TOE).values(TIC_TAC_TOE.init(3, 0))).all()


def test_solved_positions_have_a_row_for_each_action():
    rows, solved = solved_rows(KALAH), solved_positions("kalah", "train")
    assert len(rows) == KALAH.legal(solved.states).sum()
    assert KALAH.legal(rows.states)[np.arange(len(rows)), rows.actions].all() and rows.has_policy.all()
    actions = np.flatnonzero(solved.values[0] != -128)
    mine = rows[np.arange(len(actions))]
    assert mine.actions.tolist() == actions.tolist()
    mover = int(solved.states["to_move"][0])
    assert mine.values[:, mover].tolist() == np.sign(solved.values[0, actions]).tolist()
    best = solved.values[0] == solved.best[0]
    np.testing.assert_allclose(mine.policies, np.tile(best / best.sum(), (len(actions), 1)), rtol=1e-6)
    np.testing.assert_allclose(rows.policies.sum(1), 1, rtol=1e-5)
    # Those of Qelat are on three columns.
    assert solved_rows(make_game("qelat")) is solved_rows(TIC_TAC_TOE) is None


# The replay buffer.


def test_the_buffer_holds_the_last_decisions():
    rows = played()
    buffer, chance = ReplayBuffer(TIC_TAC_TOE, 100), np.random.default_rng(0)
    buffer.add(rows[np.arange(60)])
    assert len(buffer) == 60
    buffer.add(rows[np.arange(60, 150)])
    assert len(buffer) == 100 and buffer.written == 150
    held = {row.tobytes() for row in buffer.sample(2000, chance).states}
    assert held == {row.tobytes() for row in rows.states[50:150]}
    buffer.add(rows[np.arange(250)])
    sample = buffer.sample(2000, chance)
    assert {row.tobytes() for row in sample.states} == {row.tobytes() for row in rows.states[150:250]}
    assert TIC_TAC_TOE.legal(sample.states)[np.arange(2000), sample.actions].all()
    assert ReplayBuffer(TIC_TAC_TOE, 100, memory=1000).size < 15

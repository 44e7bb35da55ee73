"""Alpha-beta search gives the values of plain minimax, and finds wins and threats."""

from dataclasses import replace

import numpy as np
import pytest
from books import lock, picking, tic_tac_toe
from helpers.kalah_positions import endings

from mancala_envs import make_game
from mancala_envs.agents import Agent, minimax
from mancala_envs.agents.common import Budget
from mancala_envs.agents.minimax import MAX_N, PARANOID, Minimax, memory_for, most_positions
from mancala_envs.game import Game

TIC_TAC_TOE = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
KALAH = make_game("kalah")
PICKING = Game(picking.RULE_BOOK, "picking", False, {})
LOCK = Game(lock.RULE_BOOK, "lock", False, {})


def turn_of(state):
    return int(state["to_move"][0]), int(state["turn"][0])


def leads_of(state):
    """Return each player's lead over each other player, added up, in Kalah's stores or the sums of Picking."""
    counts = state["store" if "store" in state.dtype.names else "sums"][0].astype(int)
    return tuple((len(counts) * counts - counts.sum()).tolist())


def evaluations(state):
    """Return each player's lead; in Kalah, plus an eighth of the lead in positional bonus as its page defines it."""
    leads = leads_of(state)
    if "holes" not in state.dtype.names:
        return leads
    promised = [0, 0]
    for hole, seeds in enumerate(state["holes"][0].tolist()):
        promised[hole // 6] += 3 * min(seeds, 6 - hole % 6) + 2 * (seeds > 0)
    return tuple(leads[player] + (promised[player] - promised[1 - player]) / 8 for player in (0, 1))


def plain_search(game, state, turns, best):
    """Return the values of all players after each action, by plain search over `turns` turns; a win adds 1000.

    `best` is a function of the values after each action, and of the player to move, that chooses among them.
    """
    values = {}
    for action in np.flatnonzero(game.legal(state)[0]).tolist():
        after = state.copy()
        rewards = game.step(after, [action])[0]
        left = turns - (turn_of(after) != turn_of(state))
        if after["to_move"][0] < 0:
            ends = zip(rewards, leads_of(after), strict=True)
            values[action] = tuple(int(1000 * reward) + lead * bool(reward) for reward, lead in ends)
        elif left == 0:
            values[action] = evaluations(after)
        else:
            values[action] = best(plain_search(game, after, left, best).values(), int(after["to_move"][0]))
    return values


def by_minimax(game, state, turns):
    """Return each action's value for the player to move by plain minimax, in which all others minimise that value."""
    player = int(state["to_move"][0])

    def best(values, mover):
        return (max if mover == player else min)(values, key=lambda leads: leads[player])

    return {action: leads[player] for action, leads in plain_search(game, state, turns, best).items()}


def with_1000_for_won(value):
    """Convert a value of the search to the units of `plain_search`: 1000 for a win, -500 for a loss among three."""
    halves = round(value / (1 << 39))
    return value - halves * (1 << 39) + 500 * halves


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_values_equal_those_of_plain_minimax(turns):
    search = Agent(KALAH, f"minimax:{turns}")
    for index, state in enumerate(endings(20)):
        found = search.analyse(state, seed=index)
        expected = by_minimax(KALAH, state, turns)
        # A search that finds a forced result stops at a smaller depth.
        if found.depth == turns:
            assert {action: with_1000_for_won(value) for action, value in found.values.items()} == expected
        best = max(found.values.values())
        assert found.values[found.action] == found.value == best
        assert found.values[int(search.act(state, seed=index + 7)[0])] == best


def test_the_principal_variation_leads_to_its_value():
    state = KALAH.init(1, 0)
    found = Agent(KALAH, "minimax:5").analyse(state, seed=1)
    assert found.line[0] == found.action
    for action in found.line:
        KALAH.step(state, [action])
    assert evaluations(state)[0] == found.value


def test_tic_tac_toe_is_drawn():
    found = Agent(TIC_TAC_TOE, "minimax:9").analyse(TIC_TAC_TOE.init(1, 0))
    assert found.values == dict.fromkeys(range(9), 0)
    assert found.depth == 9
    assert len(found.line) == 9


def test_it_takes_a_win_and_blocks_a_threat():
    winning = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 2, 0, 0, 0, 0], turn=4)
    assert Agent(TIC_TAC_TOE, "minimax:1").analyse(winning).value >= 1 << 39
    assert Agent(TIC_TAC_TOE, "minimax:1").act(winning)[0] == 2
    losing = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 0, 0, 0, 0, 0], turn=3, to_move=1)
    assert Agent(TIC_TAC_TOE, "minimax:2").act(losing)[0] == 2


def test_the_nearest_win_is_taken():
    # Point 2 wins now; from points 5 and 8 it would win too, two turns later.
    state = TIC_TAC_TOE.load(board=[1, 1, 0, 0, 2, 0, 0, 0, 2], turn=4)
    assert set(Agent(TIC_TAC_TOE, "minimax:9").act(np.repeat(state, 50), seed=0).tolist()) == {2}


def test_the_search_stack_grows_with_long_variations():
    roomy, narrow = Agent(KALAH, "minimax:4"), Agent(KALAH, "minimax:4")
    narrow._search._memory = memory_for(KALAH, 4, 1 << 20, plies=3)
    states = np.concatenate(list(endings(20)))
    np.testing.assert_array_equal(narrow.act(states, seed=0), roomy.act(states, seed=0))
    assert len(narrow._search._memory.stack) > 3


def test_the_size_of_the_transposition_table_does_not_change_values():
    for state in endings(5):
        found = Agent(KALAH, "minimax:60", memory=0.01).analyse(state, seed=0)
        assert found.value == Agent(KALAH, "minimax:60").analyse(state, seed=0).value
        assert found.depth < 60, "all ways end before"


def test_the_limit_of_positions_grows_with_depth_and_draws():
    assert [most_positions(turns, 1) for turns in (1, 6, 7, 9)] == [10**6, 10**6, 10**7, 10**9]
    assert most_positions(1000, 1) > 10**18, "every game ends within 1000 turns"
    assert most_positions(1, 20) > 10**6, "each draw of a first turn has its share"


def test_at_the_limit_of_positions_the_last_complete_iteration_counts(monkeypatch):
    start, winning = KALAH.init(1, 0), KALAH.load(holes=[0, 0, 1, 0, 0, 1] + [1] + [0] * 5, store=[24, 21])
    whole = Agent(KALAH, "minimax:30").act(np.concatenate([winning] * 3), seed=1)
    for name, value in (("_DECISION", 5000), ("_ROOT_TURN", 0), ("_PER_TURN", 1)):
        monkeypatch.setattr(minimax, name, value)
    found = Agent(KALAH, "minimax:30").analyse(start, seed=1)
    assert 2 <= found.depth < 30 and found.nodes == 5000
    assert found.value == Agent(KALAH, f"minimax:{found.depth}").analyse(start, seed=1).value
    # The positions spent on one game do not reduce the budget of the next.
    assert (
        Agent(KALAH, "minimax:30").act(np.concatenate([start, winning, winning]), seed=1)[1:].tolist()
        == whole[1:].tolist()
    )


def chosen(state, budget):
    """Return the action of a search, and the number of positions that it visited."""
    search = Minimax(KALAH, budget, 1 << 20, 1, PARANOID)
    return int(search.act(KALAH.view(state), np.array([7], np.uint64))[0]), search.visited


def test_what_an_iteration_searched_before_the_limit_counts():
    early = 0
    for state in np.split(KALAH.init(12, 3, opening=(2, 12)), 12):
        (near, visited_near), (far, visited_far) = (chosen(state, Budget(turns)) for turns in (3, 4))
        if near != far:
            # The search of four turns is never complete here, and that of three turns always.
            budgets = range(visited_near + 1, visited_far, 20)
            early += far in [chosen(state, Budget(number, visits=True))[0] for number in budgets]
    assert early >= 2


@pytest.mark.slow
def test_in_turns_that_branch_too_much_more_depth_searches_more_decisions_in_full():
    start = LOCK.init(1, 0)
    # The first three words of each turn are searched in full, and the others by the lead: both answers look equal.
    near = Agent(LOCK, "minimax:2").analyse(start, seed=1)
    assert near.depth == 2 and near.values == {lock.NO: 0, lock.YES: 0}
    # The first four words are searched in full, then five, so the search sees that both players can score.
    far = Agent(LOCK, "minimax:4").analyse(start, seed=1)
    assert far.depth == 2 and far.values == {lock.NO: -1, lock.YES: 0}
    assert far.action == lock.YES
    assert far.nodes < 100_000
    # In a game with chance the search does not widen but reaches the requested depth.
    by_chance = Game(replace(lock.RULE_BOOK, has_chance=lambda options, campaign: True), "lock", False, {})
    deep = Agent(by_chance, "minimax:4").analyse(start, seed=1)
    assert deep.depth == 4 and deep.values == {lock.NO: 0, lock.YES: 0}


@pytest.mark.slow
def test_a_narrowed_search_widens_although_all_its_variations_end():
    """In the last turn, five right words win, but only a search of five words in full sees it."""
    last = LOCK.load(points=[1, 1], turn=3, to_move=1)
    assert Agent(LOCK, "minimax:2").analyse(last, seed=1).value == 0
    search = Agent(LOCK, "minimax:4")
    found = search.analyse(last, seed=1)
    assert found.action == lock.YES and found.value > 1 << 39
    # With few words left, all continuations are searched in full, whatever was searched before.
    few = LOCK.load(points=[1, 1], turn=3, to_move=1, said=31, words=16)
    assert search.analyse(few, seed=1) == Agent(LOCK, "minimax:4").analyse(few, seed=1)
    assert search.analyse(few, seed=1).depth == 1


# More than two players.


def by_max_n(state, turns):
    """Return each action's value for the player to move by plain max^n, in which each player maximises their own."""
    values = plain_search(PICKING, state, turns, lambda values, mover: max(values, key=lambda leads: leads[mover]))
    return {action: leads[int(state["to_move"][0])] for action, leads in values.items()}


def rows(number):
    dice = np.random.default_rng(2)
    for _ in range(number):
        yield PICKING.load(row=dice.integers(0, 10, picking.LENGTH).tolist(), to_move=int(dice.integers(3)))


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 2, 3, 4, 9])
def test_values_among_three_players_equal_paranoid_minimax_and_max_n(turns):
    searches = {others: Agent(PICKING, f"minimax:{turns}", others=others) for others in ("paranoid", "maxn")}
    differ = 0
    for index, state in enumerate(rows(20)):
        expected = {"paranoid": by_minimax(PICKING, state, turns), "maxn": by_max_n(state, turns)}
        for others, search in searches.items():
            found = search.analyse(state, seed=index)
            if found.depth == turns:
                assert {action: with_1000_for_won(value) for action, value in found.values.items()} == expected[others]
        differ += expected["paranoid"] != expected["maxn"]
    assert (differ > 0) == (turns > 2), "over at most two turns both models give the same values"


def test_max_n_is_for_more_than_two_sides():
    games = KALAH, make_game("sokkattan"), make_game("sokkattan", teams=True)
    searches = [Minimax(game, Budget(1), 1 << 20, 1, MAX_N) for game in games]
    assert [search._is_max_n for search in searches] == [False, True, False]


def test_a_budget_in_milliseconds_limits_the_search():
    state = KALAH.init(1, 0)
    quick, slow = (Agent(KALAH, f"minimax:{budget}ms").analyse(state) for budget in (1, 1000))
    assert quick.depth < slow.depth
    assert quick.nodes < slow.nodes


@pytest.mark.slow
def test_later_turns_that_branch_too_much_are_narrowed():
    game = make_game("zigulzoqge", players=4)
    # Early: the present turn has few continuations, the next ones have many. Late: every turn has a few thousand.
    early = game.parse(
        "zigulzoqge holes=6,1,7,7,0,6,6,7,6,5,5,0,6,6,6,6 store=0,0,0,0 to_move=0 phase=2 turn=0 round_number=1 "
        "winner=-2 ended=0 hand=0 at=4 heading=0 laps=3 quiet=0 look=2 seen=272 chance=6c45d188009454f"
    )
    late = game.parse(
        "zigulzoqge holes=0,0,0,0,0,0,1,3,0,1,0,1,0,1,0,3 store=15,13,22,17 to_move=1 phase=1 turn=13 round_number=1 "
        "winner=-2 ended=0 hand=3 at=4 heading=-1 laps=0 quiet=0 look=0 seen=0 chance=53cb9f0c747ea2ea"
    )
    search = Agent(game, "minimax:4")
    for state in (early, late):
        found = search.analyse(state, seed=1)
        assert found.depth >= 2
        assert found.nodes < 1_000_000

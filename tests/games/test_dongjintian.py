"""Dongjintian: a position for every rule of its page.

 0  1  2  3  4
 5  6  7  8  9
10 11 12 13 14
15 16 17 18 19      actions 20 to 23: the next seed to the north, east, south, west
"""

import numpy as np
import pytest
from helpers import hole_positions
from helpers.forms import PlainGame, slowly
from helpers.positions import legal, seeds, seen
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_game
from mancala_envs.families.mancala import walk as grid

GAME = make_game("dongjintian")
position, played, sown, outcome = hole_positions.of(GAME)
NORTH, EAST, SOUTH, WEST = STEPS = range(20, 24)
KEEP = {"h19": 2}
"""Seeds that take no part, so that the round continues."""


def first_turns(game, states):
    """Count the ways to play the turn that starts in `states` (1,), batch by batch."""
    batches, complete = [states], 0
    while batches:
        states = batches.pop()
        if len(states) > 1 << 16:
            batches += np.array_split(states, 2)
            continue
        games, actions = np.nonzero(game.legal(states))
        states = states[games]
        game.step(states, actions)
        complete += int((states["turn"] == 1).sum())
        if (states["turn"] == 0).any():
            batches.append(states[states["turn"] == 0])
    return complete


# Counts.


# "if a stone has been sown in a corner, edge, or middle hole and there remain stones to be sown, there are
# respectively one, two, or three possible choices". By this Eagle's "52 different ways" are 46 from "one of the holes
# diagonally neighboring a corner", and 52 from a hole in the middle.
def test_number_of_ways_to_sow_four_seeds_from_every_hole():
    game = make_game("dongjintian", max_laps=1)
    ways = [first_turns(game, position(game=game, **{f"h{hole}": 4})) for hole in range(20)]
    outer, inner = [25, 36, 42, 36, 25], [33, 46, 52, 46, 33]
    assert np.reshape(ways, (4, 5)).tolist() == [outer, inner, inner, outer]


@pytest.mark.parametrize(("max_laps", "ways"), [(1, 1684), (2, 44708), (3, 1365288), *slowly((4, 74202104))])
def test_ways_to_play_the_first_turn(max_laps, ways):
    game = make_game("dongjintian", max_laps=max_laps)
    assert first_turns(game, game.init(1, seed=0)) == ways


def test_ways_to_play_the_first_turn_when_relays_may_go_back():
    game = make_game("dongjintian", max_laps=2, relay_back=True)
    assert first_turns(game, game.init(1, seed=0)) == 75664


# The start.


# "The board is 4 x 5, with five stones per hole."
def test_the_start():
    state = GAME.init(1, seed=0)[0]
    assert state.holes.tolist() == [5] * 20 and state.store.tolist() == [0] * 4
    assert (state.to_move, state.phase, state.hand, state.at, state.heading) == (0, 0, 0, -1, -1)


# "A player may play from any of the 20 holes on the board."
@pytest.mark.parametrize("player", range(4))
def test_any_player_lifts_any_hole_with_seeds(player):
    assert legal(GAME, GAME.load(to_move=player)) == list(range(20))
    assert legal(GAME, position(to_move=player, h3=1, h16=2)) == [3, 16]


# Sowing.


# "The first stone may be sown in any hole horizontally or vertically neighboring the hole being played"; "two
# directions" from a corner, "three" from the edge, "four" from the middle.
@pytest.mark.parametrize(
    ("hole", "ways"),
    [(0, [EAST, SOUTH]), (19, [NORTH, WEST]), (2, [EAST, SOUTH, WEST]), (10, [NORTH, EAST, SOUTH]), (12, [*STEPS])],
)
def test_the_first_seed_goes_to_any_neighbour(hole, ways):
    state, _ = played(hole, **{f"h{hole}": 3})
    assert (state.phase, state.hand, state.at, state.heading, seeds(state)) == (1, 3, hole, -1, {})
    assert legal(GAME, state) == ways


# "subsequently stones are sown forward, left, or right, but may not double back"
def test_later_seeds_go_forward_left_or_right():
    state, _ = played(11, EAST, h11=3)
    assert (state.hand, state.at, state.heading, seeds(state)) == (2, 12, 1, {12: 1})
    assert legal(GAME, state) == [NORTH, EAST, SOUTH]
    # The path may cross the lifted hole.
    assert sown(6, EAST, SOUTH, WEST, NORTH, WEST, h6=5, **KEEP)[0] == {5: 1, 6: 1, 7: 1, 11: 1, 12: 1, 19: 2}


# "If a stone has been sown in a corner ... respectively one": the engine drops the next seed itself.
def test_the_engine_plays_a_step_if_there_is_only_one():
    state, _ = played(1, WEST, h1=3)
    assert (state.hand, state.at, state.heading, seeds(state)) == (1, 5, 2, {0: 1, 5: 1})
    assert legal(GAME, state) == [EAST, SOUTH]


@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (2, 4), (4, 2), (2, 127), (127, 2), (15, 17)])
def test_steps_stay_on_the_board(rows, columns):
    for row, column in np.ndindex(rows, columns):
        hole = row * columns + column
        ways = [row > 0, column < columns - 1, row < rows - 1, column > 0]
        found = int(grid.ways_on_board(hole, columns, rows * columns))
        assert [bool(found >> heading & 1) for heading in range(4)] == ways
        steps = [int(grid.next_hole(hole, heading, columns)) - hole for heading in range(4)]
        assert steps == [-columns, 1, columns, -1]


def test_only_way_is_the_heading_of_a_set_of_one():
    only = {ways: int(grid.ONLY_WAY[ways]) for ways in range(16) if grid.ONLY_WAY[ways] != grid.NOWHERE}
    assert only == {0b0001: grid.NORTH, 0b0010: grid.EAST, 0b0100: grid.SOUTH, 0b1000: grid.WEST}


# In plain Python a field is a small NumPy integer, which may be too small for the number of a column.
@pytest.mark.parametrize("place", [-1, 127])
def test_one_hot_works_on_the_largest_board_in_plain_python(place):
    columns = np.ones(512, np.uint8)
    getattr(grid.one_hot, "py_func", grid.one_hot)(columns, np.int8(place))
    assert np.flatnonzero(columns).tolist() == ([place] if place >= 0 else [])


# Relays.


# "the contents of the neighboring hole in the opposite direction from the hole in which the penultimate stone was
# sown are lifted and sown"; and the summary: "can never double back".
def test_a_relay_lifts_the_hole_straight_ahead():
    state, _ = played(6, EAST, h6=1, h8=3, **KEEP)
    assert (state.phase, state.hand, state.at, state.heading, state.turn) == (1, 3, 8, 1, 0)
    assert seeds(state) == {7: 1, 19: 2}
    assert legal(GAME, state) == [NORTH, EAST, SOUTH]
    # Along the edge, too.
    state, _ = played(0, EAST, h0=1, h2=3, **KEEP)
    assert (state.at, state.hand) == (2, 3) and legal(GAME, state) == [EAST, SOUTH]


# "The first stone may be sown in any hole horizontally or vertically neighboring the hole being played"
def test_relay_back_frees_the_first_seed_of_a_relay_only():
    game = make_game("dongjintian", relay_back=True)
    state, _ = played(6, EAST, game=game, h6=1, h8=3, **KEEP)
    assert state.heading == 1 and legal(game, state) == [*STEPS]
    state, _ = played(6, EAST, WEST, game=game, h6=1, h8=3, **KEEP)
    assert (state.at, state.heading, seeds(state)) == (7, 3, {7: 2, 19: 2})
    assert legal(game, state) == [NORTH, SOUTH, WEST]


def test_no_relay_but_straight_ahead():
    # "can only be made straight aead in the direction in which the last stone was sown"
    assert sown(6, EAST, h6=1, h2=4, h12=4) == ({7: 1, 2: 4, 12: 4}, [0] * 4)
    # "If the last stone lands in a corner, no relay or capture is possible."
    assert sown(1, WEST, h1=1, h5=3, h10=3) == ({0: 1, 5: 3, 10: 3}, [0] * 4)
    # "If the last stone lands in an edge-hole, but the penultimate stone was sown in a middle hole, again there is no
    # relay or capture."
    assert sown(7, NORTH, h7=1, h1=3, h3=3) == ({1: 3, 2: 1, 3: 3}, [0] * 4)


# Captures.


# "If this hole is empty, the contents of the hole beyond, if any, are captured."
@pytest.mark.parametrize("player", range(4))
def test_the_hole_beyond_an_empty_one_is_captured(player):
    state, _ = played(6, EAST, to_move=player, h6=1, h9=3, **KEEP)
    assert seeds(state) == {7: 1, 19: 2} and state.store[player] == state.store.sum() == 3
    assert (state.turn, state.to_move) == (1, (player + 1) % 4)


@pytest.mark.parametrize("hole", [6, 7])
def test_an_empty_hole_or_no_hole_beyond_captures_nothing(hole):
    state, _ = played(hole, EAST, h5=4, **{f"h{hole}": 1}, **KEEP)
    assert seeds(state) == {5: 4, hole + 1: 1, 19: 2} and (state.turn, state.store.sum()) == (1, 0)


# "Stones lying in one of the two holes at the midpoints of the two internal rows cannot be captured at all."
def test_all_but_the_two_middle_holes_can_be_captured():
    game = make_game("dongjintian", max_laps=2)
    capturable = set()
    for prey in range(20):
        for hole in set(range(20)) - {prey}:
            given = {"game": game, f"h{hole}": 1, f"h{prey}": 3}
            for step in legal(game, played(hole, **given)[0]):
                if sown(hole, step, **given)[1][0] == 3:
                    capturable.add(prey)
    assert capturable == set(range(20)) - {7, 12}


# In other games pussa kanawa captures a chain of holes; here it captures only "the contents of the hole beyond".
def test_one_hole_is_captured_in_a_turn_on_any_board():
    game = PlainGame("dongjintian", rows=2, columns=8, players=2)
    assert sown(0, 17, game=game, h0=1, h3=2, h5=2) == ({1: 1, 5: 2}, [2, 0])


# Limits.


@pytest.mark.parametrize("beyond", [{"h8": 3}, {"h9": 3}])
def test_the_last_lap_allowed_neither_relays_nor_captures(beyond):
    state, _ = played(6, EAST, game=make_game("dongjintian", max_laps=1), h6=1, **beyond, **KEEP)
    assert (state.turn, state.store.sum(), state.phase, state.at) == (1, 0, 0, -1)


def test_laps_count_through_the_decisions_of_a_turn():
    holes = {"h10": 1, "h12": 1, "h14": 4, "h19": 2}
    actions = 10, EAST, EAST
    assert played(*actions, game=make_game("dongjintian", max_laps=2), **holes)[0].turn == 1
    state, _ = played(*actions, game=make_game("dongjintian", max_laps=3), **holes)
    assert (state.turn, state.at, state.hand, state.laps) == (0, 14, 4, 2)


def test_quiet_turns_end_the_round_and_captures_reset_their_count():
    game = make_game("dongjintian", quiet_turns=3)
    holes = {"game": game, "h0": 1, "h5": 1, "h4": 1, "h6": 1, "h9": 3, "h19": 2}
    quiet = 0, EAST, 1, WEST
    state, _ = played(*quiet, **holes)
    assert (state.quiet, state.turn) == (2, 2)
    state, _ = played(*quiet, 6, EAST, **holes)
    assert (state.quiet, state.store.tolist(), state.ended) == (0, [0, 0, 3, 0], 0)
    state, rewards = played(*quiet, 0, EAST, **holes)
    assert (state.ended, state.winner, state.to_move, state.phase) == (1, -1, -1, 0)
    assert rewards == [0, 0, 0, 0]


def test_max_turns_end_the_round_by_the_captures():
    fields = {"store": [0, 9, 4, 1], "turn": 599}
    state, rewards = played(6, NORTH, **fields, h6=1, **KEEP)
    assert (state.ended, state.winner, state.turn) == (1, 1, 600)
    assert rewards == pytest.approx([-1 / 3, 1, -1 / 3, -1 / 3])


# One seed cannot capture. "The player who captures the most counters wins": the seeds left count for nobody.
def test_the_round_ends_with_fewer_than_two_seeds_on_the_board():
    state, rewards = played(6, EAST, h6=1, h9=3)
    assert (state.ended, state.winner, seeds(state)) == (1, 0, {7: 1})
    assert rewards == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


@pytest.mark.parametrize(
    ("store", "winner", "rewards"),
    [
        ([5, 5, 1, 0], -1, [1 / 2, 1 / 2, -1 / 2, -1 / 2]),
        ([5, 2, 5, 5], -1, [1 / 3, -1, 1 / 3, 1 / 3]),
        ([2, 2, 2, 2], -1, [0, 0, 0, 0]),
        ([2, 3, 0, 8], 3, [-1 / 3, -1 / 3, -1 / 3, 1]),
    ],
)
def test_the_best_share_the_reward(store, winner, rewards):
    state, shares = played(6, NORTH, store=store, turn=599, h6=1)
    assert state.winner == winner and shares == pytest.approx(rewards)


def test_margins_are_over_all_seeds_of_the_set_up():
    game = make_game("dongjintian", reward="margin")
    _, rewards = played(6, NORTH, game=game, store=[6, 3, 0, 0], turn=599, h6=1)
    assert rewards == pytest.approx([0.05, 0.01, -0.03, -0.03])


# Sizes and options.


@pytest.mark.slow
def test_sizes():
    game = make_game("dongjintian", rows=6, columns=2, seeds=3, players=6)
    assert (game.num_players, game.num_actions, int(game.init(1, 0).holes.sum())) == (6, 16, 36)
    states = game.init(1, seed=0)
    game.step(states, [11])
    assert legal(game, states[0]) == [12, 15]


NOT_ALLOWED = {
    "columns": (1,), "players": (1, 7), "seeds": (13, 0), "relay_back": (1,), "quiet_turns": (0,), "max_turns": (0,),
    "max_laps": (0,), "reward": ("share",),
}  # fmt: skip


@pytest.mark.parametrize(("option", "values"), NOT_ALLOWED.items())
def test_options_that_are_not_allowed_are_refused(option, values):
    for value in values:
        with pytest.raises(ValueError, match=option):
            make_game("dongjintian", **{option: value})


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (1, 9)])
def test_boards_that_are_not_allowed_are_refused(rows, columns):
    with pytest.raises(ValueError, match="rows"):
        make_game("dongjintian", rows=rows, columns=columns)


# Positions.


def test_play_continues_from_a_position_within_a_turn():
    given = {"phase": 1, "hand": 2, "at": 12, "heading": 1, "to_move": 2, "h12": 1, **KEEP}
    assert legal(GAME, position(**given)) == [NORTH, EAST, SOUTH]
    state, _ = played(NORTH, WEST, **given)
    assert seeds(state) == {6: 1, 7: 1, 12: 1, 19: 2} and state.to_move == 3


@pytest.mark.parametrize(
    "fields",
    [
        {"hand": 1},
        {"at": 3},
        {"heading": 2},
        {"laps": 1},
        {"phase": 2},
        {"phase": 1},
        {"phase": 1, "at": 3},
        {"phase": 1, "at": 20, "hand": 1},
        {"phase": 1, "at": -1, "hand": 1},
        {"phase": 1, "at": 3, "hand": 1, "heading": 4},
        {"phase": 1, "at": 17, "hand": 1, "heading": 0},
        {"phase": 1, "at": 4, "hand": 1, "heading": 3},
        {"phase": 1, "at": 19, "hand": 1},
        {"phase": 1, "at": 3, "hand": 1, "laps": 256},
        {"phase": 1, "at": 3, "hand": 99},
        {"quiet": 100},
        {"quiet": -1},
    ],
)
def test_inconsistent_positions_are_refused(fields):
    with pytest.raises(ValueError, match="dongjintian: "):
        position(**fields, **KEEP)


def test_a_position_without_seeds_to_lift_is_refused():
    with pytest.raises(ValueError, match="no legal action"):
        position(store=[5, 0, 0, 0])


def test_observations_list_stores_from_the_own_one_on():
    view = seen(GAME, position(store=[1, 2, 3, 4], to_move=3, h3=7), 2)
    assert [view[f"store[{after}]"] for after in range(4)] == [3, 4, 1, 2]
    assert [view[f"to_move[{after}]"] for after in range(4)] == [0, 1, 0, 0]
    assert view["hole[3]"] == 7


boards = st.lists(st.integers(0, 6), min_size=20, max_size=20).filter(lambda holes: 0 < sum(holes) <= 100)


@settings(max_examples=20, deadline=None)
@given(holes=boards, player=st.integers(0, 3), back=st.booleans(), seed=st.integers(0, 2**32))
def test_no_seed_is_made_or_lost(holes, player, back, seed):
    game = make_game("dongjintian", relay_back=back, max_turns=12)
    for state, _ in hole_positions.walk_to_the_end(game, game.load(holes=holes, to_move=player), seed):
        assert (state.phase == 1) == (state.at >= 0)

"""Zigulzoqge: a position for every rule of its page. Row r is player r's.

 0- 1- 2- 3
 |        |
 4- 5- 6- 7
 |        |
 8- 9-10-11
 |        |
12-13-14-15      actions 16 to 19: the next step to the north, east, south, west
"""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from helpers import hole_positions
from helpers.forms import PlainGame, slowly
from helpers.positions import legal, perft_of_turns, seeds, seen
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_game
from mancala_envs.core import contract
from mancala_envs.core.binding import in_python

GAME = make_game("zigulzoqge")
position, played, sown, outcome = hole_positions.of(GAME)
CHAIN = make_game("zigulzoqge", capture="chain")
NORTH, EAST, SOUTH, WEST = range(16, 20)
KEEP = {"h9": 1, "h13": 2}
"""Seeds that take no part, so that the round continues."""


# Counts.


TURNS = {
    (4, 4): {1: 24, 2: 98, 3: 450, 4: 2144, 6: 45002, 8: 1045122},
    (3, 4): {1: 18, 2: 44, 3: 130, 4: 380, 6: 2226, 8: 12572},
    (2, 4): {1: 8, 256: 8},
    (2, 5): {256: 10},
    (2, 6): {256: 12},
}
"""Ways by players and columns, then by `max_laps`."""


def turns():
    """Yield cases of `TURNS`; slow are large counts, and with other sizes all that are too large for plain Python."""
    for size, counts in TURNS.items():
        for max_laps, ways in counts.items():
            case = size, max_laps, ways
            quick = ways < 10**6 if size == (4, 4) else ways <= 1000 and size[1] == 4
            yield case if quick else slowly(case)[0]


@pytest.mark.parametrize(("size", "max_laps", "ways"), [*turns()])
def test_ways_to_play_the_first_turn(size, max_laps, ways):
    players, columns = size
    make = make_game if size == (4, 4) or ways > 1000 else PlainGame
    game = make("zigulzoqge", players=players, columns=columns, max_laps=max_laps)
    assert perft_of_turns(game, game.init(1, 0), 1) == [ways]


@pytest.mark.parametrize(("max_laps", "ways"), [(2, 86), (3, 330), (4, 1338)])
def test_ways_to_play_the_first_turn_with_onward_straight(max_laps, ways):
    game = make_game("zigulzoqge", onward="straight", max_laps=max_laps)
    assert perft_of_turns(game, game.init(1, 0), 1) == [ways]


# The start, and whose holes they are.


# "At the start each hole contains five stones."
def test_the_start():
    state = GAME.init(1, seed=0)[0]
    assert state.holes.tolist() == [5] * 16 and state.store.tolist() == [0] * 4
    assert (state.to_move, state.phase, state.hand, state.at, state.heading, state.look) == (0, 0, 0, -1, -1, 0)


# "each player controlling one row"
@pytest.mark.parametrize("player", range(4))
def test_a_player_lifts_from_the_own_row(player):
    assert legal(GAME, GAME.load(to_move=player)) == list(range(4 * player, 4 * player + 4))


# "each team controlling two adjoining rows"
@pytest.mark.parametrize(("player", "first"), [(0, 0), (1, 0), (2, 8), (3, 8)])
def test_a_player_may_lift_from_both_rows_of_the_team(player, first):
    game = make_game("zigulzoqge", teams=True, lift="team")
    assert legal(game, game.load(to_move=player)) == list(range(first, first + 8))


# "a player picks up the contents of any pit he wishes"
def test_a_player_may_lift_any_hole():
    game = make_game("zigulzoqge", lift="any")
    assert legal(game, game.load(to_move=2)) == list(range(16))
    assert legal(game, position(game=game, to_move=2, h0=1, h15=2)) == [0, 15]


# Sowing.


WAYS = {
    0: [EAST, SOUTH], 1: [EAST, WEST], 4: [NORTH, EAST, SOUTH], 6: [EAST, WEST], 11: [NORTH, SOUTH, WEST],
    15: [NORTH, WEST],
}  # fmt: skip


@pytest.mark.parametrize(("hole", "ways"), WAYS.items())
def test_the_path_runs_along_the_rows_and_the_outer_columns(hole, ways):
    state, _ = played(hole, to_move=hole // 4, **{f"h{hole}": 3})
    assert (state.phase, state.hand, state.at, state.heading, seeds(state)) == (1, 3, hole, -1, {})
    assert legal(GAME, state) == ways


# "at the edge he may branch into two different directions. He may not double back."
def test_the_path_branches_at_the_ends_of_inner_rows():
    state, _ = played(1, EAST, h1=5)
    # After the corner there is only one way, down to hole 7.
    assert (state.hand, state.at, state.heading, seeds(state)) == (2, 7, 2, {2: 1, 3: 1, 7: 1})
    assert legal(GAME, state) == [SOUTH, WEST]
    state, _ = played(5, WEST, to_move=1, h5=2)
    assert (state.at, state.heading) == (4, 3) and legal(GAME, state) == [NORTH, SOUTH]


def test_with_two_rows_only_the_direction_of_the_turn_is_chosen():
    game = PlainGame("zigulzoqge", players=2)
    state, _ = played(1, 9, game=game, h1=7, h4=1)
    # The seeds go round to hole 0. Hole 1 is empty, so hole 2 beyond it is captured.
    assert (seeds(state), state.store.tolist()) == ({0: 1, 3: 1, 4: 2, 5: 1, 6: 1, 7: 1}, [1, 0])
    assert (state.turn, state.to_move) == (1, 1)


@pytest.mark.parametrize(("players", "columns"), [(4, 4), *slowly((3, 4), (2, 4), (4, 6))])
def test_seeds_follow_the_path_to_the_next_fork(players, columns):
    game = make_game("zigulzoqge", players=players, columns=columns, max_laps=1)
    holes = players * columns
    rows = [{hole, hole + 1} for hole in range(holes) if (hole + 1) % columns]
    ends = [{hole, hole + columns} for hole in range(holes - columns) if hole % columns in (0, columns - 1)]
    beside = {hole: {other for link in rows + ends if hole in link for other in link - {hole}} for hole in range(holes)}
    for hole, hand, (heading, stride) in product(range(holes), (1, 4, 9), enumerate((-columns, 1, columns, -1))):
        before, at = hole, hole + stride
        if at not in beside[hole]:
            continue
        board, left = Counter([at]), hand - 1
        while left and len(beside[at]) == 2:
            before, (at,) = at, beside[at] - {before}
            board[at] += 1
            left -= 1
        fields = {"to_move": hole // columns}
        state, _ = played(hole, holes + heading, game=game, **fields, **{f"h{hole}": hand})
        assert (seeds(state), state.hand) == (board, left)


# Relays and captures.


# "the player lifts the counters of the hole which follows in the same direction and then distributes them"
def test_the_next_hole_is_lifted_and_sown_onward():
    state, _ = played(1, EAST, h1=1, h3=2, **KEEP)
    assert (state.phase, state.hand, state.at, state.heading, state.look) == (1, 1, 7, 2, 0)
    assert seeds(state) == {2: 1, 7: 1, 9: 1, 13: 2} and legal(GAME, state) == [SOUTH, WEST]


# "If this hole is empty, the contents of the hole beyond, if any, are captured." "The move ends after a capture", "or
# when no relay sowing is possible"
@pytest.mark.parametrize("beyond", [3, 0])
def test_the_hole_beyond_an_empty_one_is_captured(beyond):
    state, _ = played(0, EAST, h0=1, h3=beyond, h7=1, **KEEP)
    assert seeds(state) == {1: 1, 7: 1, 9: 1, 13: 2} and state.store.tolist() == [beyond, 0, 0, 0]
    assert (state.turn, state.to_move, state.quiet) == (1, 1, beyond == 0)


# Eagle: the player is "completely free to capture, relay or continue".
def test_the_next_hole_is_chosen_where_the_path_branches():
    holes = {"h5": 1, "h0": 2, "h12": 3, **KEEP}
    state, _ = played(5, WEST, to_move=1, **holes)
    assert (state.phase, state.hand, state.at, state.heading, state.look) == (2, 0, 4, 3, 1)
    assert legal(GAME, state) == [NORTH, SOUTH]
    # A relay to the north: hole 0 is lifted and sown to the east, and after hole 2 nothing follows.
    assert sown(5, WEST, NORTH, to_move=1, **holes)[0] == {1: 1, 2: 1, 4: 1, 9: 1, 12: 3, 13: 2}
    # A capture to the south, if the player continues south from the empty hole 8.
    state, _ = played(5, WEST, SOUTH, to_move=1, **holes)
    assert (state.phase, state.at, state.heading, state.look, legal(GAME, state)) == (2, 8, 2, 2, [EAST, SOUTH])
    assert sown(5, WEST, SOUTH, SOUTH, to_move=1, **holes) == ({0: 2, 4: 1, 9: 1, 13: 2}, [0, 3, 0, 0])


# "which follows in the same direction"
def test_with_onward_straight_the_player_looks_straight_ahead():
    game = make_game("zigulzoqge", onward="straight")
    # Down the column: from hole 0 to the empty hole 4 and to hole 8, without a choice.
    state, _ = played(1, WEST, game=game, h1=1, h8=3, **KEEP)
    assert (state.store.tolist(), state.turn) == ([3, 0, 0, 0], 1)
    # From an inner row the path never goes straight on at the end.
    state, _ = played(5, WEST, game=game, to_move=1, h5=1, **KEEP)
    assert (state.look, legal(game, state)) == (1, [NORTH, SOUTH])
    # Sowing branches as usual.
    state, _ = played(1, WEST, game=game, h1=3, **KEEP)
    assert (state.at, state.heading, legal(game, state)) == (4, 2, [EAST, SOUTH])


# Eagle: "standard pussa kanawa", which continues along empty, full, empty, full ...
CHAIN_HOLES = {"h0": 1, "h3": 3, "h6": 2, "h4": 4, "h13": 2}


def test_a_chain_captures_every_other_hole():
    state, _ = played(0, EAST, game=CHAIN, **CHAIN_HOLES)
    # Hole 3 is captured, 7 empty, and there the path branches.
    assert (state.phase, state.at, state.heading, state.look) == (2, 7, 2, 2)
    assert state.store.tolist() == [3, 0, 0, 0] and legal(CHAIN, state) == [SOUTH, WEST]
    state, _ = played(0, EAST, WEST, game=CHAIN, **CHAIN_HOLES)
    # Hole 6 is captured, 5 is empty, 4 is captured; now the player looks for an empty hole.
    assert (state.phase, state.at, state.heading, state.look) == (2, 4, 3, 3)
    assert state.store.tolist() == [9, 0, 0, 0] and legal(CHAIN, state) == [NORTH, SOUTH]


# The chain stops at a hole already inspected after the last seed, or at the hole of that seed.
def test_a_chain_stops_at_a_hole_already_inspected_or_full():
    state, _ = played(0, EAST, WEST, NORTH, game=CHAIN, **CHAIN_HOLES)
    assert seeds(state) == {1: 1, 13: 2} and state.store.tolist() == [9, 0, 0, 0]
    assert (state.turn, state.quiet, state.look, state.seen) == (1, 0, 0, 0)
    state, _ = played(0, EAST, game=CHAIN, h0=1, h3=3, h7=1, **KEEP)
    assert seeds(state) == {1: 1, 7: 1, 9: 1, 13: 2} and (state.turn, state.quiet) == (1, 0)


def test_the_last_lap_allowed_neither_relays_nor_captures():
    for holes in ({"h5": 1, "h0": 3}, {"h5": 1, "h1": 3}):
        state, _ = played(5, WEST, game=make_game("zigulzoqge", max_laps=1), to_move=1, **holes, **KEEP)
        assert (state.turn, state.phase, state.store.sum()) == (1, 0, 0)
    holes = {"h5": 1, "h0": 1, "h2": 3, **KEEP}
    actions = 5, WEST, NORTH
    state, _ = played(*actions, game=make_game("zigulzoqge", max_laps=2), to_move=1, **holes)
    assert (state.turn, seeds(state)) == (1, {1: 1, 2: 3, 4: 1, 9: 1, 13: 2})
    state, _ = played(*actions, game=make_game("zigulzoqge", max_laps=3), to_move=1, **holes)
    assert (state.turn, state.phase, state.at, state.hand, state.laps) == (0, 1, 7, 1, 2)


# Turns.


# "If a player cannot move, he must pass until he can move again."
def test_players_without_seeds_in_their_row_are_skipped():
    state, _ = played(0, EAST, h0=1, h13=2)
    assert (state.turn, state.to_move) == (1, 3)
    state, _ = played(0, EAST, h0=2, h2=0)
    assert (state.turn, state.to_move, seeds(state)) == (1, 0, {1: 1, 2: 1})


def test_teams_take_turns():
    game = make_game("zigulzoqge", teams=True)
    states = game.init(1, seed=0)
    movers = []
    while states[0].turn < 8:
        movers.append(int(states[0].to_move))
        turn = states[0].turn
        while states[0].turn == turn:
            game.step(states, game.sample(states, seed=1))
    assert movers == [0, 2, 1, 3, 0, 2, 1, 3]
    assert played(0, EAST, game=game, h0=1, h13=2)[0].to_move == 3


# The end.


# "It probably ends when no more captures can be made."
def test_the_round_ends_with_fewer_than_two_seeds_on_the_board():
    assert outcome(0, EAST, h0=1, h3=3) == (1, 0, pytest.approx([1, -1 / 3, -1 / 3, -1 / 3]))


def test_quiet_turns_end_the_round():
    game = make_game("zigulzoqge", quiet_turns=2)
    state, rewards = played(0, EAST, 13, EAST, game=game, h0=1, h13=1, h9=0)
    assert (state.ended, state.turn, state.winner) == (1, 2, -1)
    assert rewards == pytest.approx([1 / 2, -1 / 2, -1 / 2, 1 / 2])


# "they are either won by the player who controls their holes or that they are neutral and not counted at all"
@pytest.mark.parametrize(("leftover", "winner"), [("row", 3), ("neutral", 2)])
def test_seeds_left_over(leftover, winner):
    game = make_game("zigulzoqge", leftover=leftover)
    fields = {"turn": 399, "store": [0, 1, 4, 3]}
    state, _ = played(0, EAST, game=game, **fields, h0=1, h13=2, h6=1)
    assert (state.ended, state.winner, seeds(state)) == (1, winner, {1: 1, 6: 1, 13: 2})


# "The player (or team) who captured most counters wins."
@pytest.mark.parametrize(
    ("store", "winner", "rewards"),
    [([9, 0, 4, 4], 0, [1, 1, -1, -1]), ([5, 0, 3, 4], 1, [-1, -1, 1, 1]), ([5, 0, 2, 3], -1, [0, 0, 0, 0])],
)
def test_the_team_with_more_seeds_wins(store, winner, rewards):
    fields = {"turn": 399, "store": store}
    game = make_game("zigulzoqge", teams=True, leftover="neutral")
    state, shares = played(0, EAST, game=game, **fields, h0=1)
    assert (state.winner, shares) == (winner, rewards)
    assert ("team_" in game.board(np.atleast_1d(state)).heading) == (winner >= 0)
    game = make_game("zigulzoqge", teams=True, leftover="neutral", reward="margin")
    _, margins = played(0, EAST, game=game, **fields, h0=1)
    margin = (store[0] + store[1] - store[2] - store[3]) / 80
    assert margins == pytest.approx([margin, margin, -margin, -margin])


def test_margins_without_teams():
    game = make_game("zigulzoqge", reward="margin", leftover="neutral")
    _, rewards = played(0, EAST, game=game, turn=399, store=[8, 4, 0, 0], h0=1)
    assert rewards == pytest.approx([1 / 12, 1 / 60, -1 / 20, -1 / 20])


# Options and positions.


NOT_ALLOWED = {
    "players": (1, 5), "columns": (3, 7), "teams": (1,), "lift": ("team", "all"), "onward": ("back",),
    "capture": ("double",), "leftover": ("nobody",), "quiet_turns": (0,),
}  # fmt: skip


@pytest.mark.parametrize(("option", "values"), NOT_ALLOWED.items())
def test_options_that_are_not_allowed_are_refused(option, values):
    for value in values:
        with pytest.raises(ValueError, match=option):
            make_game("zigulzoqge", **{option: value})


def test_teams_need_four_players():
    with pytest.raises(ValueError, match="teams"):
        make_game("zigulzoqge", teams=True, players=3)


def test_seeds_is_not_an_option():
    with pytest.raises(TypeError, match="seeds"):
        make_game("zigulzoqge", seeds=4)


LOOKING = {"phase": 2, "at": 9, "heading": 1}


def test_play_continues_from_a_position_while_looking():
    look = {"phase": 2, "look": 1, "at": 4, "heading": 3, "to_move": 1}
    assert sown(SOUTH, SOUTH, **look, h4=1, h12=3, **KEEP)[1] == [0, 3, 0, 0]
    # In a chain loaded after its first capture, the holes on its way are known.
    chain = {"phase": 2, "look": 3, "at": 3, "heading": 1, "store": [3, 0, 0, 0]}
    assert position(game=CHAIN, **chain, h1=1)[0].seen == 0b1110
    # The way led to hole 4 from hole 5 or from hole 8, so neither is known.
    assert position(game=CHAIN, **chain | {"at": 0, "heading": 0}, h1=1)[0].seen == 0b10001


@pytest.mark.parametrize(
    ("game", "fields", "says"),
    [
        (GAME, {"look": 1}, "look and seen must be 0 in phase 0"),
        (GAME, {"seen": 1}, "look and seen must be 0 in phase 0"),
        (GAME, {"hand": 2}, "in phase 0 hand must be 0"),
        (GAME, {"phase": 1, "hand": 1, "at": 1, "heading": 2}, "no step south leads to hole 1"),
        (GAME, {"phase": 1, "hand": 1, "at": 1, "look": 1}, "look and seen must be 0 in phase 1"),
        (GAME, LOOKING, "look must lie in 1..2, got 0"),
        (GAME, LOOKING | {"look": 2}, "look 2 does not fit the seeds of hole 9"),
        (GAME, LOOKING | {"look": 1, "at": 10}, "look 1 does not fit the seeds of hole 10"),
        (GAME, LOOKING | {"look": 3, "at": 10}, "look must lie in 1..2, got 3"),
        (CHAIN, LOOKING | {"look": 4, "at": 10}, "look must lie in 1..3, got 4"),
        (GAME, LOOKING | {"look": 1, "heading": -1}, "heading -1 means"),
        (GAME, LOOKING | {"look": 1, "hand": 1}, "hand must be 0 in phase 2, got 1"),
        (GAME, LOOKING | {"look": 1, "seen": 1}, "seen must be holes, `at` among them"),
        (GAME, LOOKING | {"look": 1, "seen": 1 << 16 | 1 << 9}, "seen must be holes, `at` among them"),
        (GAME, LOOKING | {"look": 1, "quiet": -1}, "quiet is -1 only in a chain"),
        (CHAIN, LOOKING | {"look": 1, "quiet": -1}, "quiet is -1 only in a chain"),
        (GAME, LOOKING | {"look": 2, "at": 10, "quiet": -1}, "quiet is -1 only in a chain"),
        (CHAIN, LOOKING | {"look": 3, "at": 10, "quiet": 0}, "quiet must be -1 after a capture"),
        (GAME, {"phase": 3}, "phase must be"),
        (GAME, {"to_move": 1}, "has no legal action"),
    ],
)
def test_inconsistent_positions_are_refused(game, fields, says):
    with pytest.raises(ValueError, match=f"zigulzoqge: .*{says}"):
        position(game=game, **fields, h0=1, **KEEP)


def test_observations_list_stores_in_the_order_of_turns():
    game = make_game("zigulzoqge", teams=True)
    view = seen(game, position(game=game, store=[1, 2, 3, 4], to_move=1, h5=7), 2)
    # Own store, other team's next player, teammate, other team's last player.
    assert [view[f"store[{after}]"] for after in range(4)] == [3, 2, 4, 1]
    assert [view[f"to_move[{after}]"] for after in range(4)] == [0, 1, 0, 0]
    assert [view[f"row[{row}]"] for row in range(4)] == [0, 0, 1, 0]


boards = st.lists(st.integers(0, 5), min_size=16, max_size=16).filter(any)


@settings(max_examples=20, deadline=None)
@given(
    holes=boards,
    options=st.fixed_dictionaries(
        {
            "teams": st.booleans(),
            "lift": st.sampled_from(["row", "any"]),
            "onward": st.sampled_from(["path", "straight"]),
            "capture": st.sampled_from(["single", "chain"]),
            "leftover": st.sampled_from(["row", "neutral"]),
        }
    ),
    seed=st.integers(0, 2**32),
)
def test_no_seed_is_made_or_lost(holes, options, seed):
    game = make_game("zigulzoqge", max_turns=12, **options)
    mover = 0 if options["lift"] == "any" else next(hole for hole, count in enumerate(holes) if count) // 4
    for state, rewards in hole_positions.walk_to_the_end(game, game.load(holes=holes, to_move=mover), seed):
        assert (state.look > 0) == (state.phase == 2) and rewards.sum() == pytest.approx(0, abs=1e-6)
        assert not options["teams"] or (rewards[0] == rewards[1] and rewards[2] == rewards[3])


@pytest.mark.parametrize(
    ("teams", "sides", "worths"), [(False, [0, 1, 2, 3], [1, 2, 30, 40]), (True, [0, 0, 1, 1], [3, 3, 70, 70])]
)
def test_teammates_are_one_side_for_searches(teams, sides, worths):
    game = make_game("zigulzoqge", teams=teams)
    side, worth = (in_python(game.bind(rule)) for rule in (contract.side, contract.worth))
    s = game.init(1, 0)[0]
    s.store[:] = [1, 2, 30, 40]
    assert [int(side(s, p)) for p in range(4)] == sides
    assert [int(worth(s, p)) for p in range(4)] == worths


@pytest.mark.parametrize(
    ("options", "winner", "said"),
    [({}, 0, "player_0"), ({"teams": True}, 0, "team_0"), ({"teams": True}, -2, "player_0")],
)
def test_the_heading_names_the_winning_team_or_the_player_to_move(options, winner, said):
    game = make_game("zigulzoqge", **options)
    states = game.init(1, 0)
    if winner >= 0:
        states.to_move, states.winner, states.ended = -1, winner, 1
    assert said in game.board(states).heading

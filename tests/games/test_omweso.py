"""Omweso: a position for every rule of its page. Player 0 owns holes 0..15, player 1 holes 16..31 of the record."""

import pytest
from helpers import hole_positions
from helpers.forms import PlainGame
from helpers.positions import after, beside, legal, seeds, seen
from hypothesis import given, settings
from hypothesis import strategies as st

OMWESO = PlainGame("omweso")
position, played, sown, _ = hole_positions.of(OMWESO)
REVERSING = {"h0": 3, "h13": 1, "h26": 1, "h21": 1, "h25": 2}
"""Clockwise from hole 0 the last seed falls into hole 13, whose pair is 26 and 21."""
IN_HAND = {"h13": 1, "h26": 1, "h21": 1, "h25": 2, "phase": 2, "at": 0, "hand": 3}
"""Three captured seeds go on from hole 0 in either direction; clockwise they capture as before."""
TWICE = {"h0": 3, "h13": 1, "h14": 0, "h26": 1, "h21": 1, "h25": 1, "h22": 1, "h31": 2}
"""As `REVERSING`, and the two captured seeds reach hole 14, whose pair is 25 and 22."""


def without(name, options):
    return PlainGame("omweso", **{name: options})


@pytest.mark.parametrize(
    ("start", "holes"), [("fours", 2 * ([4] * 8 + [0] * 8)), ("twos", [2] * 32), ("arrange", [0] * 32)]
)
def test_the_setups(start, holes):
    (state,) = without("start", start).init(1, 0)
    assert state.holes.tolist() == holes
    assert state.stock.tolist() == ([32, 32] if start == "arrange" else [0, 0])
    assert state.phase == (3 if start == "arrange" else 0)


def test_player_0_arranges_first_and_then_player_1_without_turns():
    game = without("start", "arrange")
    states = game.init(1, 0)
    for number in range(64):
        assert (states[0].to_move, states[0].phase) == (number // 32, 3)
        assert legal(game, states) == list(range(16))
        game.step(states, [number // 2 % 16])
    assert states[0].holes.tolist() == [2] * 32
    assert (states[0].to_move, states[0].phase, states[0].turn) == (0, 0, 0)


def test_a_player_who_arranges_single_seeds_alone_has_lost():
    game = without("start", "arrange")
    last = {"game": game, "stock": [0, 1], "to_move": 1, "phase": 3}
    state, rewards = played(4, **last, h0=1)
    assert (state.winner, state.ended, state.turn, rewards) == (1, 1, 0, [-1, 1])
    state, _ = played(4, **last, h0=2)
    assert (state.to_move, state.ended) == (0, 0)


def test_holes_of_two_or_more_are_lifted_and_sown_anticlockwise():
    assert legal(OMWESO, position(h2=1, h4=2, h15=3, h20=5)) == [4, 15]
    state, _ = played(15, h15=3, h4=2, h20=5)
    assert seeds(state) == {0: 1, 1: 1, 2: 1, 4: 2, 20: 5}
    assert (state.to_move, state.turn, state.ends) == (1, 1, 0)


def test_captured_seeds_start_from_where_the_capturing_lap_began():
    # Wernham's example.
    left, _ = sown(4, h4=4, h8=1, h10=1, h31=3, h16=3, h29=2, h18=4, h25=2)
    assert left == {5: 3, 6: 3, 7: 3, 8: 4, 9: 2, 11: 1, 12: 1, 13: 1, 25: 2}


@pytest.mark.parametrize("lacking", ["h29", "h18"])
def test_both_holes_of_a_pair_must_be_occupied_otherwise_it_is_a_relay(lacking):
    fields = {"h8": 2, "h10": 1, "h29": 2, "h18": 2, "h25": 2} | {lacking: 0}
    kept = {hole: 2 for hole in (29, 18) if f"h{hole}" != lacking}
    assert sown(8, **fields)[0] == {9: 1, 11: 1, 12: 1, 25: 2, **kept}


def test_a_relay_from_an_occupied_outer_hole():
    assert sown(3, h3=2, h5=1, h18=2, h29=2)[0] == {4: 1, 6: 1, 7: 1, 18: 2, 29: 2}


def test_a_reverse_capture_is_a_choice_and_its_seeds_go_on_anticlockwise():
    # The page's example: nothing is asked where clockwise would not capture again.
    assert legal(OMWESO, position(**REVERSING)) == [0, 16]
    assert sown(16, **REVERSING)[0] == {1: 1, 2: 1, 13: 2, 14: 1, 15: 1, 25: 2}
    assert sown(0, **REVERSING)[0] == {1: 1, 2: 1, 3: 1, 13: 1, 26: 1, 21: 1, 25: 2}


@pytest.mark.parametrize("hole", range(16))
def test_only_the_left_four_capture_in_reverse(hole):
    # Three seeds from the hole reach an inner hole with a pair.
    last = (hole - 3) % 16
    fields = {f"h{hole}": 3, f"h{last}": 1}
    if last >= 8:
        fields |= {f"h{39 - last}": 2, f"h{8 + last}": 1}
    else:
        fields["h20"] = 2
    assert (16 + hole in legal(OMWESO, position(**fields))) == (hole in (0, 1, 14, 15))


@pytest.mark.parametrize(
    ("held", "captures"), [(15, False), (16, False), (17, True), (18, True), (19, True), (20, False)]
)
def test_a_long_clockwise_lap_counts_its_own_seeds(held, captures):
    # From hole 0: 17 seeds end in 15, 18 in 14, 19 in 13, each for the second time; 20 end in 12, whose pair is empty.
    pairs = {f"h{hole}": 1 for hole in (24, 23, 25, 22, 26, 21)}
    assert legal(OMWESO, position(h0=held, **pairs)) == [0, *[16] * captures]


def test_seeds_captured_clockwise_may_capture_clockwise_again():
    state, _ = played(16, **TWICE)
    assert (state.phase, state.hand, state.at, state.to_move, state.turn) == (2, 2, 0, 0, 0)
    assert legal(OMWESO, state) == [0, 16]
    assert sown(16, 0, **TWICE)[0] == {1: 1, 2: 1, 13: 2, 14: 1, 15: 1, 25: 1, 22: 1, 31: 2}
    assert sown(16, 16, **TWICE)[0] == {1: 1, 2: 1, 13: 2, 14: 2, 15: 2, 31: 2}


RELAYED = {"h15": 2, "h1": 2, "h14": 1, "h25": 1, "h22": 1, "h31": 2}
"""Anticlockwise from hole 15 the last seed falls into hole 1; its three seeds reach hole 14 clockwise."""


def test_a_relay_of_the_left_four_may_turn_round():
    state, _ = played(15, **RELAYED)
    assert (state.phase, state.at, state.hand) == (1, 1, 0)
    assert legal(OMWESO, state) == [1, 17]
    straight = {0: 1, 2: 1, 3: 1, 4: 1, 14: 1, 25: 1, 22: 1, 31: 2}
    assert sown(15, 1, **RELAYED)[0] == straight
    # The two captured seeds go on anticlockwise from hole 1.
    assert sown(15, 17, **RELAYED)[0] == {2: 1, 3: 1, 0: 2, 15: 1, 14: 2, 31: 2}
    # Without reverse relays nothing is asked.
    for reverse in ("start", "none"):
        assert sown(15, game=without("reverse", reverse), **RELAYED)[0] == straight


def test_the_options_of_reverse_capture():
    none = without("reverse", "none")
    assert legal(none, position(game=none, **REVERSING)) == [0]
    start = without("reverse", "start")
    assert legal(start, position(game=start, **REVERSING)) == [0, 16]
    state, _ = played(16, game=start, **TWICE)
    assert (state.phase, state.turn) == (0, 1)


@pytest.mark.parametrize(("reverse", "asks"), [("full", False), ("any", True)])
def test_seeds_captured_anticlockwise_from_the_left_four_turn_round_with_any(reverse, asks):
    # Nine seeds from hole 15 end in 8 and take two, which would reach 13.
    fields = {"h15": 9, "h8": 1, "h13": 1, "h31": 1, "h16": 1, "h26": 2, "h21": 1, "h27": 3}
    state, _ = played(15, game=without("reverse", reverse), **fields)
    assert (state.phase, state.hand, state.at) == ((2, 2, 15) if asks else (0, 0, -1))


def test_with_any_only_laps_from_the_left_four_count():
    # The three seeds taken at hole 9 would reach hole 15 and its pair, clockwise from hole 2.
    fields = {"h2": 7, "h9": 1, "h30": 2, "h17": 1, "h15": 1, "h24": 1, "h23": 1}
    state, _ = played(2, game=without("reverse", "any"), **fields)
    assert (state.phase, state.turn, state.holes[24]) == (0, 1, 1)


BOTH_ENDS = {"h5": 3, "h8": 1, "h15": 1, "h31": 5, "h16": 5, "h24": 1, "h23": 1, "h27": 2}


def test_captures_at_both_ends_win():
    state, rewards = played(5, **BOTH_ENDS)
    assert (state.winner, state.ended, state.turn, rewards) == (0, 1, 1, [1, -1])
    assert state.store.tolist() == [2, 0] and state.ends == 0
    state, rewards = played(5, game=without("two_ends", False), **BOTH_ENDS)
    assert (state.ended, state.store.tolist(), rewards) == (0, [0, 0], [0, 0])


def test_ends_are_remembered_within_a_turn_and_forgotten_after_it():
    # Hole 0 takes at 15 in reverse; the two seeds may reach 14 in reverse, or go on anticlockwise.
    fields = {"h0": 1 + 16, "h31": 2, "h24": 1, "h23": 1, "h25": 1, "h22": 1}
    state, _ = played(16, **fields)
    assert (state.phase, state.ends) == (2, 1)
    assert played(16, 0, **fields)[0].ends == 0


def test_never_ending_turns_are_stopped_and_the_last_lap_captures_nothing():
    game = without("max_laps", 1)
    fields = {"h4": 4, "h8": 1, "h31": 3, "h16": 3, "h25": 2}
    assert sown(4, game=game, **fields)[0] == {5: 1, 6: 1, 7: 1, 8: 2, 31: 3, 16: 3, 25: 2}
    # Laps before a choice count.
    game = without("max_laps", 2)
    assert played(16, game=game, **TWICE)[0].laps == 1
    state, _ = played(16, 16, game=game, **TWICE)
    assert seeds(state) == {15: 2, 14: 2, 13: 2, 25: 1, 22: 1, 31: 2}
    assert (state.turn, state.laps) == (1, 0)


def test_a_player_without_a_hole_of_two_has_lost():
    state, rewards = played(4, h4=4, h8=1, h31=3, h16=3, h25=1)
    assert (state.winner, state.turn, rewards) == (0, 1, [1, -1])


@pytest.mark.parametrize(("enemy", "winner", "margin"), [(9, 1, -7 / 64), (2, -1, 0), (1, 0, 1)])
def test_at_max_turns_more_seeds_win_unless_the_rules_decide(enemy, winner, margin):
    state, rewards = played(0, game=without("reward", "margin"), turn=399, h0=2, h20=enemy)
    assert (state.turn, state.ended, state.winner) == (400, 1, winner)
    assert rewards == pytest.approx([margin, -margin])


ARRANGING = {"game": without("start", "arrange")}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"h0": 65}, "the seeds must be 1 to 64 in all, got 65"),
        ({"h0": 2, "store": [1, 0]}, "store must be 0, 0 in a game that is not over"),
        ({"h0": 2, "outright": 1}, "outright must be 0"),
        ({"h0": 2, "at": 0}, "at must be -1 in phase 0"),
        ({"h0": 2, "laps": 1}, "laps must be 0 in phase 0"),
        ({"h0": 2, "hand": 1}, "hand must be 0 in phase 0, got 1"),
        ({"h0": 2, "ends": 1}, "ends must lie in 0..0 in phase 0, got 1"),
        ({"h0": 2, "stock": [0, 1]}, "stock must be 0, 0 in phase 0"),
        ({"h0": 2, "phase": 3}, 'phase 3 needs start="arrange"'),
        ({"h0": 1, "h16": 4}, "player 0 to move has no legal action"),
        ({**REVERSING, "phase": 1, "at": 16}, r"at must be a hole of the player to move, 0\.\.15"),
        ({**REVERSING, "phase": 1, "at": 0, "laps": 256}, r"laps must lie in 0\.\.255"),
        ({**REVERSING, "phase": 1, "at": 0, "ends": 3}, "ends must lie in 0..2 in phase 1, got 3"),
        ({**REVERSING, "phase": 1, "at": 0, "hand": 2}, "hand must be 0 in phase 1, got 2"),
        ({**REVERSING, "phase": 2, "at": 0}, "hand must be above 0 in phase 2, got 0"),
        ({**REVERSING, "phase": 2, "at": 0, "hand": 2}, "a clockwise lap from `at` must be allowed, and capture"),
        ({**REVERSING, "phase": 2, "at": 2, "hand": 5}, "a clockwise lap from `at` must be allowed, and capture"),
        ({"h0": 1, "h15": 1, "h24": 1, "h23": 1, "phase": 1, "at": 0}, "must hold two seeds or more"),
        ({**ARRANGING, "stock": [0, 0]}, "stock must hold seeds of the player to move in phase 3"),
        ({**ARRANGING, "stock": [32, 31], "h16": 1}, "the holes of player 1 must be empty"),
        ({**ARRANGING, "stock": [1, 32], "to_move": 1}, "stock must hold no seeds of player 0 while player 1 arranges"),
        ({**ARRANGING, "turn": 1}, "turn must be 0 in phase 3"),
        ({**ARRANGING, "stock": [33, 32]}, "the seeds must be 1 to 64 in all, got 65"),
        ({**ARRANGING, "phase": 0, "h0": 2}, "stock must be 0, 0 in phase 0"),
    ],
)
def test_positions_that_no_game_has_are_refused(fields, said):
    with pytest.raises(ValueError, match=said):
        position(**fields)


def test_choices_within_a_turn_can_be_loaded():
    state = position(**{**REVERSING, "phase": 1, "at": 0, "ends": 2, "laps": 255})[0]
    assert legal(OMWESO, state) == [0, 16]
    assert sown(16, **IN_HAND)[0] == {1: 1, 2: 1, 13: 2, 14: 1, 15: 1, 25: 2}
    with pytest.raises(ValueError, match="must be allowed"):
        position(game=without("reverse", "start"), **{**REVERSING, "phase": 1, "at": 0})
    # Both ends need a game that goes on with them.
    assert position(game=without("two_ends", False), **{**REVERSING, "phase": 1, "at": 0, "ends": 3})[0].ends == 3


def test_texts_of_games_won_by_two_ends_keep_the_store():
    state, _ = played(5, **BOTH_ENDS)
    text = OMWESO.text(state)
    assert OMWESO.parse(text).tobytes() == state.tobytes()
    for spoilt in (text.replace("store=2,0", "store=0,2"), text.replace("outright=1", "outright=0")):
        with pytest.raises(ValueError, match="store holds only what a winner captured"):
            OMWESO.parse(spoilt)


@given(st.lists(st.integers(0, 3), min_size=32, max_size=32), st.integers(0, 1))
@settings(deadline=None, max_examples=40)
def test_seeds_are_conserved(holes, mover):
    own = holes[16 * mover : 16 * mover + 16]
    if sum(holes) > 64 or max(own) < 2:
        return
    states = OMWESO.load(holes=holes, to_move=mover)
    for action in legal(OMWESO, states):
        (state,) = after(OMWESO, states, action)
        assert state.holes.sum() + state.store.sum() + state.hand == sum(holes)
        assert (state.phase in (1, 2)) == (state.at >= 0) == (state.to_move == mover) or state.ended
        assert state.holes[16 * mover : 16 * mover + 16].sum() + state.hand + state.store[mover] >= sum(own)


def test_greedy_counts_seeds_on_the_own_holes_and_in_hand():
    worth = OMWESO.plain.bind(OMWESO.book.rules.worth)
    state = position(**IN_HAND)[0]
    assert [worth(state, p) for p in (0, 1)] == [4, 4]


def test_what_is_seen_of_a_choice():
    view = seen(OMWESO, position(**IN_HAND, ends=2, laps=250))
    shown = {name: value for name, value in view.items() if value and "hole" not in name}
    assert shown == {
        "at[0]": 1, "hand": 3, "end[1]": 1, "phase_2": 1, "laps_left": 6, "to_move": 1, "turns_left": 255,
    }  # fmt: skip
    view = seen(OMWESO, position(**IN_HAND, ends=1))
    assert (view["end[0]"], view["end[1]"], view["laps_left"]) == (1, 0, 255)


def test_stocks_are_seen_from_the_own_side():
    game = without("start", "arrange")
    view = seen(game, game.load(stock=[0, 9], to_move=1))
    assert (view["own_stock"], view["other_stock"], view["phase_3"]) == (9, 0, 1)
    assert beside(game, game.init(1, 0)) == [("P0 to arrange", 0, 32), ("P1 to arrange", 1, 32)]
    assert beside(OMWESO, OMWESO.init(1, 0)) == []


def test_the_board_shows_where_a_direction_is_chosen():
    board = OMWESO.board(position(**IN_HAND))
    assert [place.label for place in board.places if place.mark == 0] == ["0"]
    assert board.captions[-1] == "3 captured seeds go on from hole 0, in either direction"
    board = OMWESO.board(position(**{**REVERSING, "phase": 1, "at": 0}))
    assert board.captions[-1] == "a relay lifts hole 0, in either direction"
    board = OMWESO.board(position(h29=1, h10=1, h5=1, h9=2, to_move=1, phase=2, at=17, hand=4))
    assert [(place.label, place.owner) for place in board.places if place.mark == 1] == [("1", 1)]
    assert board.captions[-1] == "4 captured seeds go on from hole 1, in either direction"
    board = OMWESO.board(position(h0=2))
    assert not [place for place in board.places if place.mark >= 0]
    assert board.captions[-1] == "sowing runs anticlockwise"
    assert {(arrow.x, arrow.y, arrow.dy) for arrow in board.arrows} == {
        (-0.5, 0.5, 1), (-0.5, 2.5, 1), (7.5, 0.5, -1), (7.5, 2.5, -1),
    }  # fmt: skip


def test_actions_lead_player_1_to_the_own_holes():
    assert [action.place for action in OMWESO.actions_for(1)] == 2 * list(range(16, 32))
    names = OMWESO.action_names
    assert (names[3], names[19]) == ("own hole 3, anticlockwise", "own hole 3, clockwise")


def test_the_opening_and_a_win_by_two_ends_are_told():
    game = without("start", "arrange")
    assert game.explain(game.init(1, 0), 3)[1:] == [
        "puts a seed into own hole 3", "turn 0, player_0 to move: put a seed into a hole",
    ]  # fmt: skip
    lines = OMWESO.explain(position(**BOTH_ENDS), 5)
    assert "wins by captures at both ends, with 2 seeds in hand" in lines

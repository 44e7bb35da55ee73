"""`Game.explain` describes steps in words. Nothing is compiled here: all games run in plain Python."""

import numpy as np
import pytest
from books import tic_tac_toe
from playthroughs import CASES, OPTIONS_OF_CAMPAIGNS, path_of

from mancala_envs import Game, IllegalAction, make_game
from mancala_envs.core import kernels, notation
from mancala_envs.core.record import python_records

QUIET = (
    "stop at the nyumba",
    "yes",
    "no",
    "offer to end the round",
    "set out by fours",
    "set out by twos",
    "set out by ones",
)
"""Decisions after which the only thing to report is who is to move."""


def read(game, text):
    """Return the state (1,) that a text describes."""
    states = game._blank.copy().view(np.recarray)
    notation.read(game.name, game.header, text, states, game._text_fields)
    return states


def position(game, **fields):
    """Return the starting state (1,) with the given fields; a dict sets some places of a field and all others to 0."""
    states = game._blank.copy().view(np.recarray)
    begin = game.plain.bind(kernels.fresh)
    begin(python_records(game.records(states))[0])
    for name, value in fields.items():
        if isinstance(value, dict):
            states[name] = 0
            for place, there in value.items():
                states[name][0, place] = there
        else:
            states[name] = value
    return states


def explained(name, action, draws=None, **fields):
    """Return the explanation of a step without its first line, which names the player and the action."""
    game = make_game(name)
    return game.explain(position(game, **fields), action, draws=draws)[1:]


# All games.


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_explanations_match_the_playthroughs(name, campaign):
    game = make_game(name, campaign=campaign, **OPTIONS_OF_CAMPAIGNS if campaign else {})
    lines = path_of(name, campaign).read_text().splitlines()
    texts = [line for line in lines if line.startswith(f"{game.header} ")]
    plays = [line.removeprefix("plays ").split("; ")[0] for line in lines if line.startswith("plays ")]
    for text, play, after in zip(texts, plays, texts[1:], strict=False):
        action, what = play.split(", ", 1)
        states = read(game, text)
        before = states.copy()
        first, *others, last = game.explain(states, int(action))
        assert states.tobytes() == before.tobytes()
        assert first == f"player_{before[0].to_move}: {what}"
        assert others or what in QUIET
        assert game._explain_copy(states, int(action)) == [first, *others, last]
        assert game.text(states) == after
        assert f"player_{states[0].to_move} to move" in last or states[0].to_move < 0


def test_a_game_without_descriptions_has_an_explanation_of_two_lines():
    game = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
    assert len(game.explain(position(game), 4)) == 2


def test_rewards_and_the_winner_are_reported():
    lines = explained("kalah", 5, holes={5: 1, 8: 2}, store=[25, 20])
    assert lines[-2:] == ["paid: player_0 +1, player_1 -1", "turn 1, player_0 wins"]


def test_explain_takes_a_record_and_a_game_that_is_over():
    game = make_game("kalah")
    states = position(game, to_move=-1, winner=1, ended=1, turn=7)
    assert game.explain(states[0], -1) == ["turn 7, player_1 wins"]
    with pytest.raises(IllegalAction, match="the game is over and takes only -1"):
        game.explain(states, 3)


@pytest.mark.parametrize("action", [-1, 0, 6])
def test_an_illegal_action_raises_as_step_does(action):
    game = make_game("kalah")
    with pytest.raises(IllegalAction) as caught:
        game.explain(position(game, holes={3: 1, 9: 4}), action)
    assert (caught.value.action, caught.value.legal) == (action, [3])
    with pytest.raises(TypeError, match="must be integers"):
        game.explain(position(game), 1.5)


def test_explain_takes_draws_as_step_does():
    # With 18 and 30 seeds, two seeds remain on each side, and a draw decides the hole.
    fields = {"holes": {5: 1, 6: 5, 2: 9}, "child": {6: 1, 2: 2}, "store": [12, 21]}
    for winner, owned in enumerate(("5 and 7", "4 and 8")):
        lines = explained("qelat(campaign=True)", 5, [[winner]], **fields)
        assert f"player_0 has 18 seeds and player_1 30: they own {owned} holes, by lot" in lines
    for draws, fault in (([[]], "too few"), ([[0, 0]], "too many"), ([[2]], "out of range")):
        with pytest.raises(ValueError, match=fault):
            explained("qelat(campaign=True)", 5, draws, **fields)


# Turns of the games' pages, described by hand.


def test_kalah_captures_and_moves_again():
    game = make_game("kalah")
    assert game.explain(position(game, holes={0: 1, 4: 1, 10: 5, 7: 1}), 0) == [
        "player_0: lift own hole 0",
        "lifts 1 from own hole 0",
        "sows 1 into own hole 1",
        "captures 1 from own hole 1, 5 from other hole 4",
        "turn 1, player_1 to move: lift a hole",
    ]
    assert explained(game, 2) == [
        "lifts 4 from own hole 2",
        "sows 4 from own hole 3 to own store",
        "turn 0, player_0 to move: lift a hole",
    ]


def test_congkak_shoots_and_goes_on_after_the_store():
    lifted = ["lifts 1 from own hole 3", "sows 1 into own hole 2"]
    then = "turn 1, player_1 to move: lift a hole"
    for own_seed, shot in (
        ("captured", "shoots: captures 1 from own hole 2, 4 from other hole 4"),
        ("never", "shoots: captures 4 from other hole 4"),
    ):
        assert explained(f"congkak(own_seed={own_seed})", 3, holes={3: 1, 7: 1, 11: 4}) == [*lifted, shot, then]
    assert explained("congkak", 3, holes={3: 1, 7: 1}) == [*lifted, then]
    assert explained("congkak", 6) == [
        "lifts 7 from own hole 6",
        "sows 7 from own hole 5 to own store",
        "turn 0, player_0 to move: go on from a hole after the store",
    ]


def test_congkak_counts_lets_holes_burn_and_sets_out():
    rows = "player_0 sets out 7 7 7 7 7 7 7, 11 in the store; player_1 sets out"
    assert explained("congkak(campaign=True)", 0, holes={0: 1}, store=[59, 38])[2:] == [
        "player_0 has 60 seeds at the end of the round, player_1 38",
        f"{rows} 7 7 7 7 7 0 0, 3 in the store",
        "round 2, turn 0, player_0 to move: lift a hole",
    ]
    between = {"holes": {}, "phase": 1, "to_move": 1, "round_number": 2, "seeds_owned": [60, 38], "store": [60, 38]}
    assert explained("congkak(campaign=True,fill=choice)", 3, **between) == [
        "own hole 3 burns",
        "round 2, turn 0, player_1 to move: name a hole that burns",
    ]
    assert explained("congkak(campaign=True,fill=choice)", 0, **between, burnt={10: 1}) == [
        "own hole 0 burns",
        f"{rows} 0 7 7 0 7 7 7, 3 in the store",
        "round 2, turn 0, player_0 to move: lift a hole",
    ]


def test_pallanguzhi_takes_cows_and_captures():
    assert explained("pallanguzhi", 5, holes={5: 2, 6: 3, 7: 3, 13: 1}) == [
        "lifts 2 from own hole 5",
        "sows 1 into own hole 6",
        "a cow: 4 from own hole 6 go to player_0",
        "sows 1 into other hole 0",
        "a cow: 4 from other hole 0 go to player_1",
        "turn 1, player_1 to move: lift a hole",
    ]
    assert explained("pallanguzhi", 2, holes={2: 1, 5: 3, 9: 1})[2:] == [
        "captures 3 from own hole 5",
        "turn 1, player_1 to move: lift a hole",
    ]
    assert explained("pallanguzhi(campaign=True)", 0, holes={0: 1}, store=[49, 34])[2:] == [
        "player_0 has 50 seeds at the end of the round, player_1 34",
        "player_0 sets out 6 6 6 6 6 6 6, 8 in the store; player_1 sets out 6 6 6 6 6 0 0, 4 in the store",
        "round 2, turn 0, player_1 to move: lift a hole",
    ]


def test_oware_captures_twos_and_threes_but_never_all():
    sown = ["lifts 2 from own hole 5", "sows 2 from other hole 0 to other hole 1"]
    then = "turn 1, player_1 to move: lift a hole"
    captures = "captures 2 from other hole 0, 3 from other hole 1"
    assert explained("oware", 5, holes={0: 1, 5: 2, 6: 1, 7: 2, 11: 4}) == [*sown, captures, then]
    grand_slam = "captures nothing, because that would be all of the opponent's seeds"
    assert explained("oware", 5, holes={0: 1, 5: 2, 6: 1, 7: 2}) == [*sown, grand_slam, then]
    to_the_first = ["lifts 1 from own hole 5", "sows 1 into other hole 0", grand_slam, then]
    for held in (1, 2):
        assert explained("oware", 5, holes={0: 1, 5: 1, 6: held}) == to_the_first
    for held in (0, 3):
        assert explained("oware", 5, holes={0: 1, 5: 1, 6: held}) == [*to_the_first[:2], then]
    # Nothing is captured in the player's own row.
    in_his_own = ["lifts 1 from own hole 4", "sows 1 into own hole 5", then]
    assert explained("oware", 4, holes={4: 1, 5: 1, 11: 4}) == in_his_own


def test_oware_reports_who_takes_the_remaining_seeds():
    lines = explained("oware", 5, holes={11: 1, 2: 1, 3: 2}, store=[20, 24], to_move=1)
    assert "player_0 takes 4 left in their row, player_1 0" in lines


def test_qelat_relays_begets_and_eats():
    then = "turn 1, player_1 to move: lift a hole"
    assert explained("qelat", 0, holes={0: 1, 1: 2, 5: 1, 9: 1}) == [
        "lifts 1 from own row hole 0",
        "sows 1 into own row hole 1",
        "lifts 3 from own row hole 1",
        "sows 3 from own row hole 2 to own row hole 4",
        then,
    ]
    sown = ["lifts 1 from own row hole 5", "sows 1 into other row hole 0"]
    child = explained("qelat", 5, holes={5: 1, 6: 3, 0: 1, 9: 1})
    assert child == [*sown, "makes other row hole 0 a child", then]
    # Hole 2 is a child of North: the last seed and one more are eaten, of six.
    eaten = explained("qelat", 1, holes={1: 1, 2: 5, 0: 1, 4: 1, 9: 1}, child={2: 2})
    assert eaten == [
        "lifts 1 from own row hole 1",
        "sows 1 into own row hole 2",
        "eats 2 from own row hole 2",
        "turn 0, player_0 to move: go on from a hole after eating",
    ]


def test_qelat_settles():
    assert explained("qelat(campaign=True)", 5, holes={5: 1, 6: 5, 2: 9}, child={6: 1, 2: 2}, store=[14, 19]) == [
        "lifts 1 from own row hole 5",
        "sows 1 into other row hole 0",
        "player_0 has 20 seeds and player_1 28: they own 5 and 7 holes",
        "player_1 takes over player_0's hole 0",
        "round 2, turn 0, player_1 to move: lift a hole",
    ]
    lines = explained("qelat(campaign=True)", 5, holes={5: 1, 6: 5, 2: 9}, child={6: 1, 2: 2}, store=[22, 11])
    assert lines[2:4] == [
        "player_0 has 28 seeds and player_1 20: they own 7 and 5 holes",
        "player_0 takes over player_1's hole 0",
    ]


def test_kotu_baendum_ties_or_captures():
    fields = {"direction": 1, "turn": 2}
    tied = explained("kotu_baendum", 4, holes={4: 2, 6: 3, 9: 1, 0: 1}, **fields)
    assert tied[2:] == ["ties own hole 6", "turn 3, player_1 to move: lift a hole"]
    captured = explained("kotu_baendum", 0, holes={0: 2, 2: 3, 3: 2, 9: 1}, **fields)
    assert captured[2:] == ["captures 4 from own hole 2", "turn 3, player_1 to move: lift a hole"]


def test_puhulmutu_sets_out():
    # With 16 seeds against 40, three holes at the clockwise end of the row stay empty.
    between = {"holes": 0, "seeds_owned": [40, 16], "store": [40, 16], "phase": 2, "to_move": 1, "round_number": 4}
    assert explained("puhulmutu(campaign=True)", 18, **between) == [
        "player_0 sets out 4 4 4 4 4 4 4, 12 in the store",
        "player_1 sets out 0 0 0 4 4 4 4",
        "round 4, turn 0, player_1 to move: lift a hole",
    ]


def test_puhulmutu_borrows_and_gives_back():
    game = "puhulmutu(campaign=True,cutting=borrow)"
    fields = {"phase": 3, "round_number": 2, "seeds_owned": [9, 30], "direction": 1}
    assert explained(game, 17, holes={2: 1, 12: 1, 13: 1}, store=[0, 0], **fields) == [
        "borrows 1 from other hole 6 for own hole 0",
        "borrows 1 from other hole 5 for own hole 1",
        "lifts 1 from own hole 2",
        "sows 1 into own hole 3",
        "gives 1 back to other hole 6",
        "gives 1 back to other hole 5",
        "round 2, turn 1, player_1 to move: lift a hole",
    ]


def test_ceelkoqyuqkoqiji_settles():
    # "If a player's debt to another reaches five, he is obliged to sell a hole": the gong is bought back for six, of
    # the two that are lacking one may be borrowed, and the price of the hole repays the debt.
    game = make_game("ceelkoqyuqkoqiji", campaign=True, first="player_0")
    debt = [[0, 0], [3, 0]]
    offered = {"phase": 2, "to_move": 0, "offered": 1, "turn": 9, "large": [-2, -2], "debt": debt}
    states = position(game, holes={0: 2, 6: 1}, store=[19, 28], **offered)
    assert game._explain_copy(states, 14) == [
        "player_0: yes",
        "player_0 takes 2 from their row",
        "player_1 takes 1 from their row",
        "player_1 buys the gong back from player_0 for 6",
        "player_1 borrows 1 from player_0",
        "turn 9, player_1 to move: choose the hole to sell",
    ]
    assert game._explain_copy(states, 18) == [
        "player_1: own hole 2: begin a huelshe, sell or buy back",
        "player_1's hole 2 is sold to player_0 for 5",
        "player_1 repays 4 to player_0",
        "fills each unsold hole with 5",
        "round 2, turn 0, player_0 to move: lift a hole, or offer to end the round",
    ]


def test_ceelkoqyuqkoqiji_drops_goats_and_captures():
    game = make_game("ceelkoqyuqkoqiji", first="player_0")
    states = position(game, holes={3: 1, 5: 3, 9: 1}, store=[6, 0], large=[3, -3])
    assert game._explain_copy(states, 3) == [
        "player_0: lift own hole 3, sow anticlockwise",
        "lifts the mu from own hole 3",
        "lifts 1 from own hole 3",
        "turn 0, player_0 to move: choose the stone to drop next",
    ]
    # The empty store counts as an empty hole: the hole after it is captured.
    states = position(game, holes={3: 1, 5: 3, 9: 1}, store=[6, 0], large=[-2, -3])
    assert game._explain_copy(states, 3)[1:4] == [
        "lifts 1 from own hole 3",
        "sows 1 into own hole 4",
        "captures 3 from other hole 0",
    ]


def test_ceelkoqyuqkoqiji_names_the_store_a_goat_falls_into():
    game, clockwise = "ceelkoqyuqkoqiji(first=player_0)", 5
    assert "drops the mu into the mu's store" in explained(game, 4, holes={9: 1}, large=[4, -3])
    assert "drops the gong into the gong's store" in explained(game, clockwise, holes={4: 1, 5: 1}, large=[-3, 0])


def test_ceelkoqyuqkoqiji_throws_fingers():
    game, thumb, index = "ceelkoqyuqkoqiji(first=throw)", 21, 22
    assert explained(game, thumb) == ["turn 0, player_1 to move: throw a finger"]
    thrown = {"to_move": 1, "thrown": [0, -1]}
    assert explained(game, thumb, **thrown) == ["a tie: both throw again", "turn 0, player_0 to move: throw a finger"]
    then = "turn 0, player_1 to move: lift a hole, or offer to end the round"
    assert explained(game, index, **thrown) == ["player_1 begins", then]


def test_ceelkoqyuqkoqiji_lays_stones_or_declines():
    no, hole = 15, 16
    fields = {"holes": {1: 2}, "store": [6, 2], "large": [-3, 1], "phase": 3, "to_move": 1}
    assert explained("ceelkoqyuqkoqiji(first=player_0)", hole + 2, **fields) == [
        "places 2 from the stock, one in each unsold hole from own hole 2 on",
        "turn 0, player_1 to move: lift a hole, or offer to end the round",
    ]
    declined = ["the gong is player_0's", "player_0 takes 2 from their row", "paid: player_0 +1, player_1 -1"]
    assert explained("ceelkoqyuqkoqiji(first=player_0)", no, **fields) == [*declined, "turn 0, player_0 wins"]


def test_ceelkoqyuqkoqiji_captures_a_goat_with_the_seeds():
    fields = {"holes": {0: 1, 3: 2, 9: 1}, "large": [3, -3]}
    lines = explained("ceelkoqyuqkoqiji(first=player_0)", 0, **fields)
    assert lines[2:] == [
        "captures 2 from own hole 3, captures the mu",
        "turn 1, player_1 to move: lift a hole, or offer to end the round",
    ]


def test_dongjintian_takes_the_only_way_and_captures_beyond():
    game = make_game("dongjintian")
    north, east, west = 20, 21, 23
    states = position(game, holes={8: 4, 19: 2}, phase=1, hand=3, at=11)
    assert game._explain_copy(states, west)[1] == "sows 1 into hole 10"
    assert game._explain_copy(states, north)[1] == "sows 1 into hole 5"
    assert game._explain_copy(states, east)[1:] == [
        "sows 1 into hole 6",
        "captures 4 from hole 8",
        "turn 1, player_1 to move: lift a hole",
    ]
    # From a corner there is only one direction.
    forced = explained(game, west, holes={19: 2}, phase=1, hand=3, at=1)
    assert forced == ["sows 2 from hole 0 to hole 5", "turn 0, player_0 to move: drop the next seed"]


def test_dam_continues_a_forced_capture_and_crowns():
    then = "turn 1, player_1 to move: begin a turn"
    assert explained("dam", 45 * 72 + 32, board={45: 1, 39: 2, 26: 2, 5: 2}) == [
        "goes from square 45 to square 32 and captures on square 39",
        "goes from square 32 to square 19 and captures on square 26",
        then,
    ]
    crowned = explained("dam", 8 * 72 + 2, board={8: 1, 66: 1, 60: 2})
    assert crowned == ["goes from square 8 to square 2", "becomes a king on square 2", then]


def test_a_mill_removes_a_piece():
    game = make_game("nerenchi_keliya")
    board = {point: 1 for point in (1, 2, 9, 12)} | {point: 2 for point in (6, 7, 8, 20)}
    states = position(game, board=board, hand=[0, 0], phase=1)
    assert game._explain_copy(states, 24 + 8 * 9)[1:] == [
        "moves from point 9 to point 0 and makes a row",
        "turn 0, player_0 to move: remove a piece",
    ]
    assert game._explain_copy(states, 20)[1:] == [
        "removes the piece on point 20",
        "turn 0, player_0 to move: move a piece",
    ]
    laid = explained(game, 2, board={0: 1, 1: 1, 3: 2, 4: 2}, hand=[18, 18])
    assert laid == ["lays a piece on point 2 and makes a row", "turn 0, player_0 to move: lay a piece"]


def test_a_hunter_captures():
    south = 10 + 4
    taken = explained("hat_diviyan_keliya", south, board={0: 1, 2: 2, 9: 2}, hand=[0, 5], phase=0)
    assert taken == ["jumps from point 0 to point 5 and captures on point 2", "turn 1, player_1 to move: place a piece"]


def test_a_race_sends_back_and_throws():
    pieces = [[8, 7, 0], [8, 11, 11]]
    # The next player throws two of six shells mouth up.
    lines = explained("pancha_keliya", 3 * 2, [[0b11]], pieces=pieces, throws=[0, 0, 1, 0, 0, 0])
    assert lines == [
        "piece a0 goes from place 8 to place 11",
        "sends back b1 from place 11, b2 from place 11",
        "player_1 throws 2",
        "turn 1, player_1 to move: use a throw",
    ]


def test_a_race_passes_and_enters():
    # Player 1 cannot use the throw, as all pieces wait; then player 0 throws a 1, which gives another throw.
    pieces = [[2, 0, 0], [0, 0, 0]]
    lines = explained("pancha_keliya", 3 * 2, [[0b11, 0b1, 0b11]], pieces=pieces, throws=[0, 0, 1, 0, 0, 0])
    assert lines == [
        "piece a0 goes from place 2 to place 5",
        "player_1 throws 2",
        "player_0 throws 1, 2",
        "turn 1, player_0 to move: use a throw",
    ]
    entered = explained("pancha_keliya", 1, pieces=pieces, throws=[1, 1, 0, 0, 0, 0])
    assert entered == ["piece a1 enters on place 1", "turn 0, player_0 to move: use a throw"]


def test_saturankam_spends_a_double_and_throws_again():
    # The double gives a throw of 1 and 3, which can be used in one way only.
    lines = explained("saturankam", 13, [[1, 1]], pieces=[[80, 0], [1, 1]], throws=[2, 0, 0, 0])
    assert lines == [
        "piece a0 goes from place 80 home, piece a1 enters on place 1",
        "player_0 throws 1, 3",
        "piece a1 goes from place 1 to place 5",
        "player_1 throws 1, 3",
        "turn 1, player_1 to move: use the throw",
    ]


def test_saturankam_chops_counters_of_two_at_once():
    # The east's place p is the south's p + 8 and the north's p + 16. Parts of a throw that cannot be used are left out.
    pieces = [[14, 40], [8, 12], [2, 4]]
    lines = explained("saturankam(players=3)", 7, [[0]], pieces=pieces, throws=[1, 0, 0, 1])
    assert lines[:2] == [
        "piece a0 goes from place 14 to place 21",
        "sends back b0 from place 8, b1 from place 12, sends back c0 from place 2, c1 from place 4",
    ]
    lines = explained("saturankam(players=3)", 0, [[0]], pieces=pieces, throws=[1, 0, 0, 1])
    assert lines[:2] == ["piece a1 goes from place 40 to place 47", "player_1 throws 1 (2 times)"]

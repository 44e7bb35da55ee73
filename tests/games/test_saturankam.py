"""Saturankam: the checks of its page, and every rule in positions that depend on it."""

import numpy as np
import pytest
from helpers.positions import legal
from helpers.race_positions import dice, position

from mancala_envs import make_game
from mancala_envs.core import contract
from mancala_envs.games.saturankam import DOUBLE, TRACKS

SIDES = (1, 3, 4, 6)
LAST, HOME = 80, 81


def place(pieces, one, other, to_move=0, **options):
    """Return the game, and a position in which the dice show these two numbers."""
    throws = [SIDES.index(one), SIDES.index(other)]
    players = {} if len(pieces) == 2 else {"players": len(pieces)}
    return position("saturankam", pieces, throws, to_move, **players, **options)


def going(game, states, action, *throws):
    """Return the game's state and the rewards after the action and these throws."""
    states = states.copy()
    rewards = game.step(states, [action], draws=[dice(*throws)])
    return states[0], rewards[0].tolist()


def choices(pieces, throw, **options):
    """Return the legal actions with the dice of a throw, none if it cannot be used."""
    try:
        return legal(*place([pieces, [1, 1]], SIDES[throw // 4], SIDES[throw % 4], **options))
    except ValueError as error:
        assert "no legal action" in str(error)
        return []


# The checks of the page.


@pytest.mark.parametrize(
    ("pieces", "options", "actions", "throws"),
    [
        ([1, 1], {}, 128, 16),
        ([0, 40], {}, 17, 16),
        ([0, 0], {}, 1, 1),
        ([76, 76], {}, 55, 15),
        ([77, 78], {}, 11, 7),
        ([77, 78], {"near": "stand"}, 2, 2),
        ([75, 80], {}, 7, 6),
        ([79, 79], {}, 5, 3),
        ([80, 80], {}, 1, 1),
    ],
)
def test_the_actions_of_all_throws(pieces, options, actions, throws):
    found = [choices(pieces, throw, **options) for throw in range(16)]
    assert (sum(map(len, found)), sum(map(bool, found))) == (actions, throws)


def test_how_many_throws_pass_the_last_counter_out():
    found = []
    for left in range(1, 14):
        passes = 0
        for throw in range(16):
            for action in choices([HOME, HOME - left], throw):
                game, states = place([[HOME, HOME - left], [1, 1]], SIDES[throw // 4], SIDES[throw % 4])
                try:
                    passes += going(game, states, action)[0].winner == 0
                except ValueError as error:
                    # The game is not over.
                    assert "too few" in str(error)
        found.append(passes)
    assert found == [1, 1, 1, 1, 2, 1, 4, 1, 2, 2, 0, 1, 0]


# The track.


def test_the_whole_track_is_the_one_drawn_and_the_short_one_a_plain_spiral():
    drawing = make_game("saturankam").book.page.split("```")[1].replace("#", " ")
    numbers = np.array([list(map(int, line.split())) for line in drawing.strip().splitlines()])
    whole, short = TRACKS
    assert numbers.shape == (9, 9) and (whole.length, short.length) == (80, 78)
    assert numbers.ravel()[list(whole.lanes[0])].tolist() == list(range(1, 81)) and numbers[4, 4] == 81
    # The east's square 1 is the south's 9, the north's 17, the west's 25.
    assert [numbers.ravel()[lane[0]] for lane in whole.lanes] == [1, 9, 17, 25]
    assert numbers.ravel()[list(short.lanes[0])].tolist()[:33] == [*range(1, 31), 35, 36, 37]
    assert set(range(81)) - set(short.lanes[0]) == {8 * 9 + 2, 8 * 9 + 3, 40}
    steps = np.abs(np.diff([divmod(cell, 9) for cell in (*short.lanes[0], 40)], axis=0)).sum(axis=1)
    assert (steps == 1).all()
    assert [np.flatnonzero(lane).tolist() for lane in whole.is_marked] == [[1, 9, 17, 25]] * 4


# The turn.


def test_the_sum_is_divided_at_will_and_used_whole():
    game, states = place([[5, 9], [1, 1]], 3, 4)
    assert legal(game, states) == list(range(8))
    s, _ = going(game, states, 2, 1)
    assert (s.pieces.tolist(), s.to_move, s.turn, s.throws.tolist()) == ([[7, 14], [1, 1]], 1, 1, [1, 1, 0, 0])
    # A waiting counter cannot move; the other must reach the centre exactly or stop before it.
    assert choices([0, 40], 1) == [0]
    assert choices([HOME, 76], 3) == []


def test_near_the_centre_a_counter_waits_for_the_double():
    # A counter 3 from the centre cannot use the 3 of 3 + 1, but can go fewer squares; a counter 2 away has no limit.
    assert choices([40, 78], 4) == [2, 3, 4]
    assert choices([40, 78], 4, near="stand") == [4]
    assert choices([40, 79], 0) == [0, 1, 2]
    assert choices([40, 80], 0) == [2, DOUBLE]
    assert choices([40, 77], 10) == [5, 6, 7, 8, DOUBLE]


def test_the_double_passes_out_both_and_a_double_of_ones_brings_in_all():
    game, states = place([[80, 0], [1, 1]], 1, 1)
    assert legal(game, states) == [DOUBLE]
    # The double gives another throw in the same turn; with 1 and 3 there is one choice, which the engine plays.
    s, _ = going(game, states, DOUBLE, 1, 2)
    assert (s.pieces[0].tolist(), s.to_move, s.turn) == ([HOME, 5], 1, 1)
    s, rewards = going(*place([[78, 78], [1, 1]], 3, 3), DOUBLE)
    assert (s.winner, s.ended, s.turn, rewards) == (0, 1, 1, [1, -1])
    assert 6 * 2 not in choices([75, 75], 15) and DOUBLE not in choices([75, 75], 15)


def test_a_double_gives_another_throw_used_or_not():
    s, _ = going(*place([[5, 9], [1, 1]], 6, 6), 12, 1)
    assert (s.to_move, s.turn, s.pieces[0].tolist(), s.throws.tolist()) == (0, 0, [17, 9], [1, 1, 0, 0])
    # Player 0 goes on; then player 1, whose counters wait, throws 6 6, which is lost, and 1 1, which enters them.
    game, states = place([[5, 9], [0, 0]], 3, 4)
    s, _ = going(game, states, 7, 15, 0)
    assert (s.to_move, s.turn, s.throws.tolist()) == (1, 1, [2, 0, 0, 0])
    # Without the double player 1 passes, which does not count as a turn.
    s, _ = going(game, states, 7, 1, 2)
    assert (s.to_move, s.turn) == (0, 1)


def test_a_later_throw_of_a_turn_with_one_choice_is_played_by_the_engine():
    s, _ = going(*place([[HOME, 9], [1, 1]], 6, 6), 0, 15, 1, 2)
    assert (s.pieces[0].tolist(), s.to_move, s.turn) == ([HOME, 37], 1, 1)


def test_counters_chop_the_enemies_that_they_pass_or_reach_except_on_crossed_squares():
    # The north's place p is the south's p + 16, on the outer squares.
    pieces = [[14, 40], [2, 4]]
    game, states = place(pieces, 6, 1)
    assert going(game, states, 7, 0)[0].pieces.tolist() == [[21, 40], [0, 0]]
    assert going(game, states, 5, 1)[0].pieces.tolist() == [[19, 42], [0, 4]]
    assert going(*place(pieces, 6, 1, chop="landing"), 6, 1)[0].pieces.tolist() == [[20, 41], [2, 0]]
    # The north's katti, the south's 17, is crossed.
    assert going(*place([[14, 40], [1, 1]], 6, 1), 3, 1)[0].pieces[1].tolist() == [1, 1]


def test_seats_of_two_three_and_four():
    seats = {2: (0, 16), 3: (0, 8, 16), 4: (0, 8, 16, 24)}
    for players, ahead in seats.items():
        for p in range(1, players):
            # A counter of player p has gone two squares, and player 0 comes there.
            pieces = [[1, 1]] * players
            pieces[0], pieces[p] = [ahead[p] + 1, 1], [3, 1]
            assert going(*place(pieces, 3, 1), 4, 1)[0].pieces[p].tolist() == [0, 1]


def worth(pieces):
    """Return the evaluation of a position for player 0."""
    game, states = place(pieces, 3, 4)
    judged = game.plain.bind(contract.worth)
    values = [judged(states[0], p) for p in range(len(pieces))]
    assert sum(values) == 0
    return values[0]


def test_counters_close_to_the_centre_are_evaluated_as_waiting_and_home_is_best():
    values = {far: worth([[14, far], [1, 1]]) for far in (40, 41, 69, 76, 77, 78, 80, 81)}
    assert values[40] < values[41] < values[69] == values[77] == values[78] == values[80] < values[76] < values[81]
    assert worth([[14, 40], [1, 1], [1, 1]]) < worth([[14, 41], [1, 1], [1, 1]])


def test_counters_that_may_be_chopped_are_evaluated_lower():
    # The north's 4 is the south's 20: it may chop counters up to 12 squares ahead, but not on 25, a katti.
    values = {far: worth([[far, 40], [4, 1]]) for far in (24, 25, 26, 32, 33)}
    assert values[24] < values[26] < values[32] < values[25] < values[33]


def test_max_turns_is_a_draw_and_the_margin_counts_squares():
    s, rewards = going(*place([[5, 9], [1, 1], [4, 4]], 3, 4, max_turns=1, reward="margin"), 7)
    assert (s.winner, s.ended, s.throws.sum()) == (-1, 1, 0)
    assert np.allclose(rewards, [(21 - 5) / 486, (2 - 14.5) / 486, (8 - 11.5) / 486])


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"pieces": [[82, 0], [1, 1]]}, r"pieces must hold 0\.\.81"),
        ({"pieces": [[81, 81], [1, 1]], "to_move": 1}, "a side has won"),
        ({"throws": [1, 0, 0, 0]}, "throws must be two while the game is in progress, got 1"),
        ({"throws": [1, 1, 1, 0]}, "throws must be at most 2 together"),
        ({"pieces": [[0, 0], [1, 1]], "throws": [1, 1, 0, 0], "to_move": 0}, "no legal action"),
    ],
)
def test_impossible_positions_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        make_game("saturankam").load(**fields)

"""Sokkattan, Pahada Keliya, Asi Keliya, Tayam Sonalu: the checks of their page, and a test of every rule."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from helpers.forms import both_forms, compare_forms
from helpers.positions import legal, seen
from helpers.race_positions import VALUES, after, begun, cowries, dice, perft, place, use, uses

from mancala_envs import make_game
from mancala_envs.games import asi_keliya, pahada_keliya, sokkattan, tayam_sonalu

WAITING = [0, 0, 0, 0]


def shells(*throws):
    return [["cowries", 64, throw] for throw in throws]


def going(game, states, *actions, draws=()):
    """Return the game's state after these uses; the throws after the last use are `draws`."""
    states = states.copy()
    for number, (value, piece) in enumerate(actions):
        game.step(states, [use(game, value, piece)], draws=[list(draws) if number + 1 == len(actions) else []])
    return states[0]


# The checks of the page.

SOKKATTAN, PAHADA = shells(1, 1, 3, 0, 31, 7), dice(1, 11, 0)
ASI, TAYAM = shells(31, 7, 3, 1, 15), dice(1, 7, 11, 3, 4, 6)


@pytest.mark.parametrize(
    ("name", "options", "draws", "counts"),
    [
        ("sokkattan", {}, SOKKATTAN, [1, 2, 6, 11, 13, 36]),
        ("sokkattan", {"players": 2}, SOKKATTAN, [2, 4, 12, 36, 72]),
        ("sokkattan", {"use": "may"}, SOKKATTAN, [1, 3, 9, 23, 35]),
        ("pahada_keliya", {}, PAHADA, [6, 19, 114, 361, 1083]),
        ("pahada_keliya", {"use": "may"}, PAHADA, [7, 32, 204, 844]),
        ("asi_keliya", {}, ASI, [2, 8, 28, 114, 438, 1179]),
        ("asi_keliya", {"enter": "count"}, ASI, [2, 8, 32, 136, 562, 1623]),
        ("asi_keliya", {"division": "all"}, ASI, [1, 2, 4, 10, 26]),
        ("tayam_sonalu", {}, TAYAM, [1, 3, 4, 8, 14, 24]),
        ("tayam_sonalu", {"use": "may"}, TAYAM, [2, 6, 15, 35, 92]),
    ],
)
def test_perft_from_the_start(name, options, draws, counts):
    assert perft(make_game(name, **options), draws, len(counts)) == counts


def test_the_probability_that_player_0_decides_first():
    """In Asi Keliya 12 + 10 of 64 throws enter a piece; in Tayam Sonalu a Tayam, 2 of 16, in up to 16 throws."""
    game = make_game("asi_keliya")
    first = sum(begun(game, [*shells(throw), *cowries(2, 1, 2)])[0][0].to_move == 0 for throw in range(64))
    assert Fraction(int(first), 64) == Fraction(11, 32)
    game = make_game("tayam_sonalu")
    tayams = [throw for throw in range(16) if throw in (1, 4)]
    first = {throw: begun(game, dice(throw, 5, *[1] * (throw not in tayams), 5))[0][0].to_move for throw in range(16)}
    more = [throw for throw in range(16) if game_grants(throw) and throw not in tayams]
    assert [throw for throw, player in first.items() if player == 0] == tayams and len(more) == 4
    chance = sum(Fraction(2, 16) * Fraction(4, 16) ** throws for throws in range(16))
    assert chance == (1 - Fraction(1, 4) ** 16) / 6


def game_grants(throw):
    return sorted(((0, 1, 2, 4)[throw // 4], (0, 1, 2, 4)[throw % 4])) in ([0, 1], [1, 4], [0, 4])


def test_pahada_keliya_begins_with_5_and_a_quarter_choices():
    game = make_game("pahada_keliya")
    found = [len(legal(game, game.init(1, 0, draws=[dice(throw)]))) for throw in range(16)]
    assert sum(found) / 16 == 21 / 4 and set(found) == {3, 6}


# Sokkattan.


@pytest.mark.parametrize(("mouths", "value"), list(enumerate((6, 10, 2, 3, 4, 25, 12))))
def test_the_throws_of_sokkattan(mouths, value):
    grants, brings_one = value in (6, 10, 12, 25), value in (10, 25)
    pieces = [[20, 20, 20], [1] * 3, [1] * 3, [10, 10, 10]]
    s = going(*place("sokkattan", pieces, 2, to_move=3), (2, 0), draws=cowries(mouths, *[2] * grants))
    assert left_in(s) == sorted([value] + [2] * grants + [1] * brings_one)


def left_in(s):
    """Return the values of the throws of Sokkattan left to use."""
    return np.repeat(sokkattan.VALUES, s.throws).tolist()


def thrown(*mouths, **options):
    """Return the values left to use after these throws at the start of a game of Sokkattan."""
    return left_in(make_game("sokkattan", **options).init(1, 0, draws=[cowries(*mouths)])[0])


def test_three_throws_in_a_row_of_10_or_25_are_cancelled_with_their_extras():
    assert thrown(1, 5, 2) == [1, 1, 2, 10, 25]
    assert thrown(1, 5, 1, 1, 2) == [1, 2, 10]
    assert thrown(0, 1, 5, 5, 5, 2) == [1, 2, 6, 25]
    assert thrown(1, 1, 0, 1, 1, 2) == [1, 1, 1, 1, 2, 6, 10, 10, 10, 10]
    # The count starts again: of six such throws in a row all are cancelled, of five only three.
    assert thrown(1, 1, 1, 5, 5, 2) == [1, 1, 2, 25, 25]
    assert thrown(1, 0, 1, 1, 1, 5, 5, 5, 2) == [1, 2, 6, 10]
    assert thrown(5, 1, 1, 1, 1, 1, 1, 2, thrice="same") == [1, 2, 25]
    # In the summary's rule it is the same number three times in a row, including 6 and 12.
    assert thrown(1, 5, 1, 2, thrice="same") == [1, 1, 1, 2, 10, 10, 25]
    assert thrown(1, 0, 0, 0, 2, thrice="same") == [1, 2, 10]
    # A cancelled run separates the throws before it from those after it.
    assert thrown(5, 5, 1, 1, 1, 5, 2, thrice="same") == [1, 1, 1, 2, 25, 25, 25]


def test_a_1_must_pay_for_an_entry_first():
    game, states = place("sokkattan", [[20, 0, 0], [0] * 3, [0] * 3, [0] * 3], 1, 10, 3, use="may")
    assert uses(game, states) == {(1, 1)}
    states, _ = after(game, states, use(game, 1, 1), [])
    assert uses(game, states) == {(10, 0), (10, 1), (3, 0), (3, 1), 24}
    # No piece enters in another way, and if none is waiting a 1 is an ordinary throw.
    assert uses(*place("sokkattan", [[20, 0, 0], [0] * 3, [0] * 3, [0] * 3], 10)) == {(10, 0)}
    pieces = [[20, 83, 84], [0] * 3, [0] * 3, [0] * 3]
    assert uses(*place("sokkattan", pieces, 10, 1)) == {(10, 0), (1, 0), (1, 1)}


def test_marked_cells_are_shut_or_shared():
    # Player 3's position p is ring cell (51 + p - 8) mod 68: 29 is player 0's 12, which is marked, and 30 is 13.
    pieces = [[10, 0, 0], [0] * 3, [0] * 3, [29, 30, 0]]
    game, states = place("sokkattan", pieces, 2, 3)
    assert uses(game, states) == {(3, 0)}
    # The engine plays the 2; players 1 and 2 have only waiting pieces, and pass.
    s = going(game, states, (3, 0), draws=cowries(4, 4, 4))
    assert s.pieces.tolist() == [[15, 0, 0], [0] * 3, [0] * 3, [29, 0, 0]] and s.to_move == 3
    s = going(*place("sokkattan", pieces, 2, chira="shared"), (2, 0), draws=cowries(4, 4, 4))
    assert s.pieces[3].tolist() == [29, 30, 0] and s.pieces[0, 0] == 12


@pytest.mark.slow
@pytest.mark.parametrize("counters", [1, 3, 4])
def test_the_fast_form_of_two_colours_plays_as_the_rules(counters):
    for chira, must_or_may in product(("shut", "shared"), ("must", "may")):
        fast, plain = both_forms("sokkattan", players=2, counters=counters, chira=chira, use=must_or_may)
        states = fast.init(64, 5)
        for _ in range(300):
            _, states = compare_forms(fast, plain, states)


def test_two_players_have_two_colours():
    assert uses(*place("sokkattan", [[0] * 6, [0] * 6], 1, 10, players=2)) == {(1, 0), (1, 3)}
    # Only pieces of the same arm are equal.
    for two, different in (("colours", (0, 1, 3, 4)), ("arm", (0, 1))):
        game, states = place("sokkattan", [[8, 1, 1, 8, 1, 1], [0, 0, 0, 8, 0, 0]], 2, 3, players=2, two=two)
        assert uses(game, states) == {(v, k) for v in (2, 3) for k in different}
    # The opponent's position 8 is player 0's 42 on arm 2, and 59 on arm 3, which the second colour has.
    for two, struck in (("arm", 42), ("colours", 59)):
        pieces = [[struck - 2, 0, 0, 0, 0, 0], [0, 0, 0, 8, 0, 0]]
        s = going(*place("sokkattan", pieces, 2, players=2, two=two), (2, 0), draws=cowries(1, 4))
        assert not s.pieces[1].any()


def test_partners_do_not_strike():
    # Player 2's positions 42, 46 and 44 are player 0's 8, 12 and 10.
    pieces = [[8, 0, 0], [0] * 3, [44, 0, 0], [27, 0, 0]]
    for teams, there in ((True, 44), (False, 0)):
        s = going(*place("sokkattan", pieces, 2, teams=teams), (2, 0), draws=cowries(1, 4))
        assert (s.pieces[2, 0], s.pieces[3, 0]) == (there, 0)


def test_teams_need_four_players():
    with pytest.raises(ValueError, match="teams=True needs players=4"):
        make_game("sokkattan", teams=True, players=2)


def test_a_player_or_team_with_all_pieces_home_wins():
    home = [84] * 3
    game, states = place("sokkattan", [[1] * 3, [1] * 3, [83, 84, 84], [1] * 3], 1, 3, to_move=2)
    rewards = game.step(states, [use(game, 1, 0)], draws=[[]])
    assert states[0].winner == 2 and np.allclose(rewards, [[-1 / 3, -1 / 3, 1, -1 / 3]])
    game, states = place("sokkattan", [[1] * 3, home, [1] * 3, [83, 84, 84]], 1, to_move=3, teams=True)
    rewards = game.step(states, [use(game, 1, 0)], draws=[[]])
    assert states[0].winner == 1 and rewards.tolist() == [[-1, 1, -1, 1]]
    # A player whose pieces are all home is skipped and throws no more.
    position = place("sokkattan", [[10, 1, 1], home, [1] * 3, [80, 84, 84]], 2, teams=True)
    assert going(*position, (2, 0), draws=cowries(4)).to_move == 2


# Pahada Keliya.

FAR = [20, 20, 20, 20]


def gate(own, partners, *throws, **options):
    """Return a position of player 0 with these pieces of the partner; the opponents' pieces are far away."""
    return place("pahada_keliya", [own, [10] * 4, partners, [10] * 4], *throws, **options)


def test_the_shut_gate_keeps_pieces_on_75_and_less_from_going_beyond():
    assert uses(*gate([70, 76, 5, 0], [34, 35, 20, 20], 6, 3)) == {(v, k) for v in (3, 6) for k in (1, 2, 3)} | {(3, 0)}
    assert (6, 0) in uses(*gate([70, 76, 5, 0], [35, 84, 20, 20], 6, 3))
    assert (6, 0) not in uses(*gate([70, 76, 5, 0], [35, 84, 20, 20], 6, 3, past=3))
    assert (6, 0) in uses(*gate([70, 76, 5, 0], FAR, 6, 3, edge="end"))
    assert (6, 0) not in uses(*gate([71, 76, 5, 0], FAR, 6, 3, edge="end"))


def test_while_the_partner_is_held_the_corner_binds():
    # Player 2 waits on 74, and fewer than two pieces of player 0 are past.
    own = [30, 33, 34, 40]
    assert uses(*gate(own, [74, 10, 10, 10], 4, 1)) == {(4, 0), (1, 0), (1, 1), (4, 3), (1, 3)}
    assert uses(*gate([30, 34, 34, 33], [74, 10, 10, 10], 4, 1)) == {(1, 0)}
    # No player is held without a piece on a waiting cell.
    assert uses(*gate(own, [72, 10, 10, 10], 4, 1)) == {(v, k) for v in (1, 4) for k in range(4)}
    assert (4, 1) in uses(*gate(own, [76, 10, 10, 10], 4, 1))
    assert (4, 1) not in uses(*gate(own, [76, 10, 10, 10], 4, 1, edge="end"))


def test_the_corner_pair_goes_on_by_a_double():
    game, states = gate([34, 34, 34, 40], [75, 10, 10, 10], 4, 4)
    pair = pahada_keliya.PAIR + VALUES["pahada_keliya"].index(4)
    assert uses(game, states) == {(4, 3), pair}
    game.step(states, [pair], draws=[dice(1)])
    assert (states[0].pieces[0].tolist(), states[0].turn, states[0].to_move) == ([38, 38, 34, 40], 1, 1)
    # Player 1's position 21 is player 0's 38.
    game, states = place("pahada_keliya", [[34, 34, 0, 0], [21, 21, 10, 10], [75, 9, 9, 9], [10] * 4], 4, 4)
    game.step(states, [pair], draws=[dice(1)])
    assert states[0].pieces[1].tolist() == [0, 0, 10, 10]


def test_a_double_six_leads_to_where_the_partner_waits():
    six = pahada_keliya.PAIR + VALUES["pahada_keliya"].index(6)
    for waits, legal_pair in ((73, True), (74, False), (75, True)):
        assert (six in legal(*gate([34, 34, 0, 40], [waits, 10, 10, 10], 6, 6))) == legal_pair


@pytest.mark.parametrize(
    ("pieces", "edge", "shut", "held"),
    [
        # Player 2 waits on 74; past are one, two, three and no pieces of players 0, 1, 2 and 3.
        ([[34, 35, 0, 9], [84, 40, 10, 10], [74, 35, 36, 9], [10] * 4], "row", [0, 1, 1, 0], [0, 0, 1, 0]),
        ([[75, 0, 0, 9], [73, 0, 0, 0], [72, 0, 0, 9], [76, 0, 0, 9]], "row", [1, 1, 1, 1], [1, 1, 0, 0]),
        ([[75, 0, 0, 9], [73, 0, 0, 0], [72, 0, 0, 9], [76, 0, 0, 9]], "end", [1, 1, 1, 1], [1, 0, 0, 1]),
    ],
)
def test_players_observe_whose_gate_is_shut_and_who_is_held(pieces, edge, shut, held):
    game, states = place("pahada_keliya", pieces, 1, edge=edge)
    for p in range(4):
        partner, view = (p + 2) % 4, seen(game, states, p)
        assert (view["own_gate_shut"], view["partners_gate_shut"]) == (shut[p], shut[partner])
        assert (view["own_held"], view["partner_held"]) == (held[p], held[partner])


def test_any_throw_takes_a_piece_in_to_its_number():
    s = going(*gate([0, 20, 20, 84], FAR, 4, 6), (4, 0), (6, 1), draws=dice(1))
    assert s.pieces[0].tolist() == [4, 26, 20, 84]


def test_the_set_ups_of_pahada_keliya():
    for third, place_of_two in (("outer", 11), ("inner", 14)):
        pieces = make_game("pahada_keliya", third=third).init(1, 0)[0].pieces
        assert pieces.tolist() == [[6, 7, place_of_two, place_of_two]] * 4


# Asi Keliya.


def test_so_hatara_is_three_mouths_without_the_yellow_shell():
    game = make_game("asi_keliya")
    assert sum(asi_keliya.SO_HATARA) == 10
    assert game.init(1, 0, draws=[shells(0b000111, 0b000011)])[0].throws.tolist() == [4, 1, 0, 0, 0, 0]
    states, taken = begun(game, shells(0b100011, 0b000001, 0b000011))
    assert (states[0].to_move, states[0].throws.tolist(), taken) == (1, [1, 1, 0, 0, 0, 0], 3)
    game = make_game("asi_keliya", division="all")
    assert game.init(1, 0, draws=[shells(0b000111, 0b011111, 0b000011)])[0].throws.tolist() == [11, 0, 0, 0, 0, 0]
    assert game.init(1, 0, draws=[shells(0b011111, 0b000011)])[0].throws.tolist() == [0, 1, 0, 0, 1, 0]


def test_pieces_enter_by_1_and_5_on_the_first_cell_or_by_count():
    assert uses(*place("asi_keliya", [WAITING] * 4, 5, 4)) == {(5, 0)}
    for enter, reached in (("first", 5), ("count", 9)):
        game, states = place("asi_keliya", [WAITING] * 4, 5, 4, enter=enter)
        assert after(game, states, use(game, 5, 0), cowries(5, 2))[0][0].pieces[0].tolist() == [reached, 0, 0, 0]
    # Position 4, on the way out, is the end cell, where an opponent may stand: player 1's 34.
    game, states = place("asi_keliya", [[0, 10, 10, 10], [34, 0, 0, 0], WAITING, WAITING], 5, 1, enter="count")
    assert (5, 0) not in uses(game, states) and (1, 0) in uses(game, states)


def test_a_throw_may_lead_to_an_opponent_but_not_beyond():
    # Player 1's position p is player 0's p + 10: 6 is 16. Player 3's 26 is 16, too.
    pieces = [[13, 0, 0, 0], [6, 0, 0, 0], [10, 0, 0, 0], WAITING]
    game, states = place("asi_keliya", pieces, 2, 3, 4)
    assert uses(game, states) == {(2, 0), (3, 0)}
    states, _ = after(game, states, use(game, 3, 0), [])
    assert states[0].pieces[:2].tolist() == [[16, 0, 0, 0], WAITING] and uses(game, states) == {(2, 0), (4, 0)}
    # Pieces may pass those of the partner. Opponents on corner cells block, and corner cells are shared.
    pieces = [[17, 0, 0, 0], [9, 0, 0, 0], [38, 0, 0, 0], WAITING]
    assert uses(*place("asi_keliya", pieces, 2, 3)) == {(2, 0)}
    s = going(*place("asi_keliya", pieces, 2), (2, 0), draws=cowries(2))
    assert s.pieces[:2, 0].tolist() == [19, 9]


def test_only_ones_lead_up_the_middle_row():
    pieces = [[42, 44, 46, 47], WAITING, WAITING, WAITING]
    game, states = place("asi_keliya", pieces, 1, 2, 3)
    assert uses(game, states) == {(1, 0), (1, 1), (1, 2), (1, 3), (2, 0)}
    states, _ = after(game, states, use(game, 1, 3), cowries(1, 2))
    assert states[0].pieces[0].tolist() == [44, 44, 46, 48]


def test_two_sent_back_from_one_cell_enter_together():
    pieces = [[14, 0, 0, 0], [6, 6, 6, 0], WAITING, [26, 26, 5, 0]]
    s = going(*place("asi_keliya", pieces, 2), (2, 0), draws=cowries(1, 2))
    assert (s.pieces[1].tolist(), s.pieces[3].tolist(), s.pairs.tolist()) == ([0] * 4, [0, 0, 5, 0], [0, 1, 0, 1])
    pieces = [*pieces[:1], WAITING, *pieces[2:]]
    game, states = place("asi_keliya", pieces, 1, 5, to_move=1, fields={"pairs": [0, 2, 0, 0]})
    states, _ = after(game, states, use(game, 5, 0), [])
    assert (states[0].pieces[1].tolist(), states[0].pairs[1]) == ([1, 1, 0, 0], 1)
    states, _ = after(game, states, use(game, 1, 2), cowries(1, 2))
    assert (states[0].pieces[1].tolist(), states[0].pairs[1]) == ([1, 1, 1, 1], 0)


# Tayam Sonalu.


@pytest.mark.parametrize(
    ("throw", "value"),
    [
        *(((0, 1), "Tayam"), ((2, 0), 2), ((1, 1), 2), ((1, 2), 3), ((2, 2), "two and two")),
        *(((0, 4), "Sonal"), ((4, 1), 5), ((2, 4), 6), ((4, 4), 8), ((0, 0), "")),
    ],
)
def test_the_throws_of_tayam_sonalu(throw, value):
    one, other = ((0, 1, 2, 4).index(side) for side in throw)
    found = tayam_sonalu.THROWN[4 * one + other]
    assert (VALUES["tayam_sonalu"][found] if found >= 0 else "") == value


def test_tayam_opens_and_then_5_and_sonal_bring_in_too():
    pieces = [WAITING] * 4
    game, states = place("tayam_sonalu", pieces, "Tayam", 5, "Sonal")
    assert uses(game, states) == {("Tayam", 0)}
    states, _ = after(game, states, use(game, "Tayam", 0), [])
    assert states[0].opened.tolist() == [1, 0, 0, 0]
    assert uses(game, states) == {(5, 0), (5, 1), ("Sonal", 0), ("Sonal", 1)}


def test_tayam_is_needed_again_by_option():
    # Player 1's position 10 is player 0's 27.
    pieces = [[25, 0, 0, 0], [10, 84, 84, 84], WAITING, [1, 0, 0, 0]]
    for first, opened in (("once", [1, 1, 0, 1]), ("always", [1, 0, 0, 1])):
        position = place("tayam_sonalu", pieces, 2, fields={"opened": [1, 1, 0, 1]}, first=first)
        s = going(*position, (2, 0), draws=dice(1, 5))
        assert (s.pieces[1].tolist(), s.opened.tolist()) == ([0, 84, 84, 84], opened)
    pieces[0] = [83, 0, 0, 0]
    position = place("tayam_sonalu", pieces, "Tayam", fields={"opened": [1, 1, 0, 1]}, first="always")
    s = going(*position, ("Tayam", 0), draws=dice(5))
    assert (s.pieces[0].tolist(), s.opened[0], s.to_move) == ([84, 0, 0, 0], 0, 1)


def test_opened_follows_from_the_places_of_the_pieces():
    # Player 1 has pieces home and others waiting; player 3 has one on the last place.
    pieces = [[5, 0, 0, 0], [84, 84, 0, 0], WAITING, [83, 84, 0, 0]]
    for first, opened in (("once", [1, 1, 0, 1]), ("always", [1, 0, 0, 1])):
        game, states = place("tayam_sonalu", pieces, 2, first=first)
        assert states[0].opened.tolist() == opened
        with pytest.raises(ValueError, match=f"opened of player 1 must be {opened[1]} with pieces"):
            game.load(pieces=pieces, throws=states[0].throws, opened=[1, 1 - opened[1], 0, 1])
    # A player whose first piece was sent back has opened; with first="always" the player must open again.
    assert place("tayam_sonalu", pieces, 2, fields={"opened": [1, 1, 1, 1]})[1][0].opened[2] == 1
    with pytest.raises(ValueError, match="opened of player 2 must be 0 with pieces"):
        place("tayam_sonalu", pieces, 2, fields={"opened": [1, 0, 1, 1]}, first="always")


def test_in_tayam_sonalu_no_cell_is_safe_and_no_piece_passes_an_opponent():
    # Player 1's position 12 is player 0's 29, a cell that is marked in Sokkattan.
    pieces = [[27, 0, 0, 0], [12, 12, 0, 0], WAITING, WAITING]
    game, states = place("tayam_sonalu", pieces, 2, 3, fields={"opened": [1, 1, 0, 0]})
    assert uses(game, states) == {(2, 0)}
    states, _ = after(game, states, use(game, 2, 0), dice(1, 5))
    assert (states[0].pieces[1].tolist(), states[0].pairs.tolist()) == ([0] * 4, [0, 1, 0, 0])
    assert uses(*place("tayam_sonalu", pieces, 2, 3, fields={"opened": [1, 1, 0, 0]}, teams=False)) == {(2, 0)}


# Positions.


@pytest.mark.parametrize(
    ("name", "fields", "says"),
    [
        ("sokkattan", {"pieces": [[85, 0, 0]] + [[0] * 3] * 3}, r"pieces must hold 0\.\.84"),
        ("sokkattan", {"throws": [0] * 8}, "throws must be left"),
        ("sokkattan", {"throws": [0, 0, 0, 0, 33, 0, 0, 0]}, "throws must be at most 32 together"),
        ("pahada_keliya", {"throws": [1, 1, 1, 0]}, "throws must be at most 2 together"),
        ("asi_keliya", {"pairs": [3, 0, 0, 0]}, "player 0 has at most 2 pairs waiting, got 3"),
        ("tayam_sonalu", {"pairs": [0, 0, 5, 0]}, "player 2 has at most 2 pairs waiting, got 5"),
        ("tayam_sonalu", {"opened": [2, 0, 0, 0]}, "opened must hold 0 and 1"),
        ("tayam_sonalu", {"pieces": [[5, 0, 0, 0]] + [WAITING] * 3, "opened": [0] * 4}, "opened of player 0 must be 1"),
        ("tayam_sonalu", {"pieces": [[84] * 4] * 2 + [[84] * 4, WAITING], "opened": [1] * 4}, "a side has won"),
    ],
)
def test_impossible_positions_are_refused(name, fields, says):
    with pytest.raises(ValueError, match=says):
        make_game(name).load(**fields)

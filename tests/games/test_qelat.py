"""Qelat: a position for every rule of its page, from Pankhurst's text. South 0..5, North 6..11, by increasing number.

Quotations: R. Pankhurst, "Gabata and Related Board Games of Ethiopia and the Horn of Africa", 1971, pp. 167-168.
"""

import numpy as np
import pytest
from helpers.hole_positions import play
from helpers.positions import legal, seeds

from mancala_envs import make_game

QELAT = make_game("qelat")
CAMPAIGN = make_game("qelat", campaign=True)
FREE, SPARED = 0, -1
SOUTHS, NORTHS = 1, 2
"""Values of `child`: whose ekwarna a hole is."""
LIFT, GO_ON, TAKE = 0, 3, 4


def at(values, blank=0):
    """Return twelve numbers from a dict by hole."""
    return [values.get(hole, blank) for hole in range(12)]


def position(holes, child=None, norths=range(6, 12), game=QELAT, **fields):
    """Load a position; `holes` and `child` are dicts by hole, `norths` the holes that player 1 owns."""
    owner = [int(hole in norths) for hole in range(12)]
    return game.load(holes=at(holes), child=at(child or {}), owner=owner, **fields)


def played(action, *given, draws=None, **fields):
    """Return the state after one action from `position(...)`, and the rewards."""
    states = position(*given, **fields)
    rewards = fields.get("game", QELAT).step(states, [action], draws=draws)
    return states[0], rewards[0].tolist()


def sown(*given, **fields):
    """Return the seeds in the holes and in the stores after one action from `position(...)`."""
    state, _ = played(*given, **fields)
    return seeds(state), state.store.tolist()


def children(state):
    return {hole: child for hole, child in enumerate(state.child.tolist()) if child}


# Lifting and sowing.


def test_a_player_lifts_own_free_holes_that_hold_seeds():
    # "A player could not take from his own ekwarna", nor from an own hole that is the other player's child.
    given = {0: 1, 2: 3, 3: 4, 7: 2, 8: 4}, {3: NORTHS, 8: SOUTHS}
    assert legal(QELAT, position(*given)) == [0, 2]
    assert legal(QELAT, position(*given, to_move=1)) == [1]


def test_sows_anticlockwise_into_own_and_other_holes():
    # "drop these balls one by one in the following holes, his own or his opponent's ... in an anti-clockwise direction"
    state, _ = played(4, {4: 3, 0: 1, 9: 1})
    assert seeds(state) == {0: 1, 5: 1, 6: 1, 7: 1, 9: 1}
    assert (state.to_move, state.phase, state.turn) == (1, LIFT, 1)
    # North's actions count from North's row.
    assert sown(4, {10: 3, 0: 1, 4: 1}, to_move=1) == ({0: 2, 1: 1, 4: 1, 11: 1}, [0, 0])


def test_sowing_skips_neither_the_lifted_hole_nor_children():
    # The twelfth seed falls in the emptied hole 0.
    assert sown(0, {0: 12}) == ({hole: 1 for hole in range(12)}, [0, 0])
    holes, child = {4: 3, 5: 2, 6: 5, 9: 1}, {5: NORTHS, 6: SOUTHS}
    assert sown(4, holes, child) == ({5: 3, 6: 6, 7: 1, 9: 1}, [0, 0])


# Where the last seed falls.


@pytest.mark.parametrize("held", [0, 1, 3, 5])
def test_last_seed_in_an_own_child_stays(held):
    # "one of his own captured holes ... 'drink, my child!'"; it stays a child "even if it became empty".
    state, _ = played(5, {5: 2, 7: held, 9: 1, 0: 1}, {7: SOUTHS})
    assert (seeds(state), children(state)) == ({0: 1, 6: 1, 7: held + 1, 9: 1}, {7: SOUTHS})
    assert (state.to_move, state.turn, state.store.tolist()) == (1, 1, [0, 0])


@pytest.mark.parametrize(("held", "eaten"), [(0, 1), (1, 2), (3, 2), (5, 2)])
def test_last_seed_in_a_child_of_the_opponent_eats(held, eaten):
    # "he would take, or 'eat,' one of the counters in that hole, and put it, together with the ball effecting this
    # capture, aside"; of an empty one "this counter" alone.
    state, _ = played(1, {1: 2, 0: 1, 3: held, 9: 1}, {3: NORTHS})
    assert (state.store.tolist(), state.holes[3]) == ([eaten, 0], held + 1 - eaten)
    assert children(state) == {3: NORTHS}


@pytest.mark.parametrize("held", [0, 1, 5])
def test_by_the_summary_one_seed_in_all_is_eaten(held):
    # "one of those counters are removed from the board and placed in the store"
    game = make_game("qelat", reading="summary")
    state, _ = played(1, {1: 2, 0: 1, 3: held, 9: 1}, {3: NORTHS}, game=game)
    assert (state.store.tolist(), state.holes[3]) == ([1, 0], held)
    assert (state.to_move, state.phase) == (0, GO_ON)


def test_north_eats_too():
    state, _ = played(0, {6: 2, 8: 5, 10: 1, 1: 1}, {8: SOUTHS}, to_move=1)
    assert (state.store.tolist(), state.holes[8]) == ([0, 2], 4)
    assert (state.to_move, state.phase) == (1, GO_ON)


def test_after_eating_the_player_continues_with_any_own_hole():
    # "He would then continue with his move by picking up the contents of any of his holes"
    states = position({1: 2, 0: 1, 3: 5, 9: 1}, {3: NORTHS})
    QELAT.step(states, [1])
    assert (states[0].to_move, states[0].phase, states[0].turn) == (0, GO_ON, 0)
    assert legal(QELAT, states) == [0, 2]
    QELAT.step(states, [0])
    assert seeds(states[0]) == {1: 1, 2: 1, 3: 4, 9: 1}
    assert (states[0].to_move, states[0].phase, states[0].turn) == (1, LIFT, 1)
    # Hole 1 eats two from hole 3. Only hole 2 is left, which eats two more; then nothing can be lifted.
    state, _ = played(1, {1: 2, 3: 5, 9: 1}, {3: NORTHS})
    assert (seeds(state), state.store.tolist()) == ({3: 3, 9: 1}, [4, 0])
    assert (state.to_move, state.phase, state.turn) == (1, LIFT, 1)


def test_last_seed_in_an_enemy_hole_of_three_makes_it_a_child():
    # "dropping the last ball of any hand into an enemy hole containing three balls which would thus be increased
    # to four"
    state, _ = played(5, {5: 2, 7: 3, 9: 1, 0: 1})
    assert (seeds(state), children(state)) == ({0: 1, 6: 1, 7: 4, 9: 1}, {7: SOUTHS})
    assert (state.to_move, state.turn, state.store.tolist()) == (1, 1, [0, 0])
    state, _ = played(5, {11: 2, 1: 3, 9: 1, 4: 1}, to_move=1)
    assert (children(state), state.holes[1], state.to_move) == ({1: NORTHS}, 4, 0)
    # "*any* hand", at the end of a relay too: hole 4 leads to hole 5, its two to hole 7.
    state, _ = played(4, {4: 1, 5: 1, 7: 3, 9: 1})
    assert (children(state), seeds(state)) == ({7: SOUTHS}, {6: 1, 7: 4, 9: 1})
    # A seed other than the last makes no child.
    state, _ = played(5, {5: 3, 7: 3, 9: 1})
    assert (children(state), state.holes[7], state.to_move) == ({}, 4, 1)


@pytest.mark.parametrize(
    ("lifted", "held"),
    # An enemy hole of another number than three, and an own hole of three.
    [(5, 1), (5, 2), (5, 4), (0, 3)],
)
def test_another_hole_with_seeds_is_relayed_from(lifted, held):
    # "picking up the contents of the last hole in which his counters fall, and continuing sowing"
    state, _ = played(lifted, {lifted: 1, lifted + 1: held})
    assert seeds(state) == {lifted + 2 + step: 1 for step in range(held + 1)}
    assert children(state) == {}


@pytest.mark.parametrize(("lifted", "last"), [(0, 1), (5, 6)])
def test_the_turn_ends_in_an_empty_hole_of_either_side(lifted, last):
    # "until he reached an empty hole. There he would stop"
    state, _ = played(lifted, {lifted: 1, 3: 1, 9: 1})
    assert seeds(state) == {last: 1, 3: 1, 9: 1}
    assert (state.to_move, state.turn) == (1, 1)


def test_ownership_of_holes_follows_owner_not_the_row():
    # Player 0 owns hole 6, may lift it, and relays from it when it holds three.
    fields = {"norths": range(7, 12), "game": CAMPAIGN}
    assert legal(CAMPAIGN, position({1: 1, 6: 2, 9: 1}, **fields)) == [1, 6]
    state, _ = played(5, {5: 1, 6: 3, 11: 1}, **fields)
    assert (seeds(state), children(state)) == ({7: 1, 8: 1, 9: 1, 10: 1, 11: 1}, {})
    # To player 1 it is an enemy hole.
    state, _ = played(5, {11: 7, 6: 3, 1: 1, 9: 1}, **fields, to_move=1)
    assert (state.holes[6], children(state)) == (4, {6: NORTHS})
    # Actions of player 1 in the other row count from the own row: hole 0 is action 6.
    assert legal(CAMPAIGN, position({0: 1, 7: 2}, norths=[0, *range(6, 12)], game=CAMPAIGN, to_move=1)) == [1, 6]


# The last hole.


def test_a_captured_last_hole_is_emptied_and_keeps_its_owner():
    # "reduced to the ownership of only a single hole which was then captured ... put aside as his takings the four
    # counters involved in the capture. The hole in question was thus left in the possession of its former owner"
    state, _ = played(9, {9: 2, 11: 3, 0: 1}, norths=[11], game=CAMPAIGN)
    assert (seeds(state), state.store.tolist()) == ({0: 1, 10: 1}, [4, 0])
    assert (children(state), state.owner.tolist()) == ({11: SPARED}, at({11: 1}))
    # North has nothing to lift and is skipped.
    assert (state.to_move, state.turn) == (0, 1)
    # A hole is not the last if its owner has another one, even a child.
    state, _ = played(9, {9: 2, 11: 3, 0: 1}, {10: SOUTHS}, norths=[10, 11], game=CAMPAIGN)
    assert (children(state), state.holes[11]) == ({10: SOUTHS, 11: SOUTHS}, 4)
    assert state.store.tolist() == [0, 0]


ONLY_SPARED = {"child": {11: SPARED}, "norths": [11], "game": CAMPAIGN}
"""Hole 11, North's only one, is spared."""


def test_a_spared_hole_may_be_lifted_by_its_owner():
    # The owner "would be able to utilise all counters subsequently falling there".
    assert legal(CAMPAIGN, position({11: 2, 3: 1}, **ONLY_SPARED, to_move=1)) == [5]
    assert sown(5, {11: 2, 3: 1}, **ONLY_SPARED, to_move=1) == ({0: 1, 1: 1, 3: 1}, [0, 0])


def test_an_owners_last_seed_in_a_spared_hole_eats():
    # "entitled to 'eat' from that hole": twelve seeds go round and the last falls where they were lifted.
    state, _ = played(5, {11: 12}, **ONLY_SPARED, to_move=1)
    assert (state.holes.tolist(), state.store.tolist()) == ([1] * 11 + [0], [0, 1])
    assert (state.to_move, state.turn, children(state)) == (0, 1, {11: SPARED})
    # Thirteen seeds go round to hole 0, which then holds eleven; these end in hole 11, which holds one.
    assert sown(5, {11: 13, 0: 9}, **ONLY_SPARED, to_move=1) == ({hole: 2 for hole in range(1, 11)}, [0, 2])


def test_to_the_opponent_a_spared_hole_is_a_free_hole():
    assert sown(10, {10: 1, 11: 1, 5: 1}, **ONLY_SPARED) == ({0: 1, 1: 1, 5: 1}, [0, 0])
    assert sown(10, {10: 1, 5: 1}, **ONLY_SPARED) == ({5: 1, 11: 1}, [0, 0])
    # Four are captured again.
    state, _ = played(10, {10: 1, 11: 3, 5: 1}, **ONLY_SPARED)
    assert (seeds(state), state.store.tolist(), children(state)) == ({5: 1}, [4, 0], {11: SPARED})


# Skipped players and the end of the round.


def test_a_player_with_nothing_to_lift_is_skipped_without_a_turn():
    # "In such case his opponent would effect one or more additional moves"
    states = position({0: 1, 4: 1, 8: 4}, {8: SOUTHS})
    for turns, action in enumerate([0, 1], 1):
        QELAT.step(states, [action])
        assert (states[0].to_move, states[0].turn) == (0, turns)
    # A skipped player "would resume play if and when balls came into any of his free holes".
    state, _ = played(5, {5: 1, 0: 1, 8: 4}, {8: SOUTHS})
    assert (state.to_move, state.turn) == (1, 1)
    # Passes do not count towards `max_turns`.
    state, _ = played(0, {0: 1, 4: 1, 8: 4}, {8: SOUTHS}, game=make_game("qelat", max_turns=2))
    assert (state.turn, state.ended, state.to_move) == (1, 0, 0)


LAST = 5, {5: 1, 6: 5, 2: 9}, {6: SOUTHS, 2: NORTHS}
"""The last action of a round, from a position in which only hole 5 can be lifted."""


def test_round_ends_when_all_seeds_are_put_aside_or_in_children():
    # "when all the counters were captured either by being put aside or accumulated in ekwarna"; nothing is moved.
    state, rewards = played(*LAST, store=[14, 19])
    assert (state.to_move, state.phase, state.ended, state.turn) == (-1, 0, 1, 1)
    assert (seeds(state), state.store.tolist()) == ({2: 9, 6: 6}, [14, 19])
    # 20 to 28.
    assert (state.winner, rewards) == (1, [-1, 1])
    _, rewards = played(*LAST, store=[14, 19], game=make_game("qelat", reward="margin"))
    assert rewards == pytest.approx([-8 / 48, 8 / 48])
    # 24 each.
    state, rewards = played(*LAST, store=[18, 15])
    assert (state.ended, state.winner, rewards) == (1, -1, [0, 0])
    # A round may end by eating.
    state, rewards = played(2, {2: 1, 3: 1}, {3: NORTHS})
    assert (seeds(state), state.store.tolist(), state.ended, rewards) == ({}, [2, 0], 1, [1, -1])


def test_at_max_turns_seeds_in_free_holes_count_for_their_owners():
    # South: 3 in the store, 1 in hole 1. North: 2 in hole 8, and 5 in child 4, a hole that South owns.
    game = make_game("qelat", max_turns=1)
    state, rewards = played(0, {0: 1, 4: 5, 8: 2}, {4: NORTHS}, store=[3, 0], game=game)
    assert (state.turn, state.to_move, state.ended, state.winner, rewards) == (1, -1, 1, 1, [-1, 1])
    assert (seeds(state), state.store.tolist()) == ({1: 1, 4: 5, 8: 2}, [3, 0])
    # Without the child it is four to two.
    state, rewards = played(0, {0: 1, 8: 2}, store=[3, 0], game=game)
    assert (state.ended, state.winner, rewards) == (1, 0, [1, -1])


# Endless sowing.

ENDLESS = [8, 1, 18, 2, 1, 2, 4, 3, 7, 1, 0, 1]


def relay(holes, hole, laps):
    """Return the holes after `laps` laps, each from where the last one ended."""
    holes = list(holes)
    for _ in range(laps):
        hand, holes[hole] = holes[hole], 0
        for _ in range(hand):
            hole = (hole + 1) % 12
            holes[hole] += 1
    return holes


@pytest.mark.parametrize("max_laps", [1, 2, 256, 1000])
def test_an_endless_relay_is_stopped_by_max_laps(max_laps):
    # The default is 256.
    game = QELAT if max_laps == 256 else make_game("qelat", max_laps=max_laps)
    states = game.load(holes=ENDLESS)
    game.step(states, [0])
    assert states[0].holes.tolist() == relay(ENDLESS, 0, max_laps)
    assert (states[0].to_move, states[0].turn, states[0].ended) == (1, 1, 0)
    assert not states[0].child.any() and not states[0].store.any()


def test_the_last_lap_allowed_makes_no_child_and_captures_nothing():
    game = make_game("qelat", max_laps=1)
    state, _ = played(5, {5: 2, 7: 3, 9: 1}, game=game)
    assert (seeds(state), children(state)) == ({6: 1, 7: 4, 9: 1}, {})
    # It does not eat.
    state, _ = played(1, {1: 2, 0: 1, 3: 5, 9: 1}, {3: NORTHS}, game=game)
    assert (seeds(state), state.store.tolist()) == ({0: 1, 2: 1, 3: 6, 9: 1}, [0, 0])
    assert (state.to_move, state.phase, state.turn) == (1, LIFT, 1)
    # It captures no last hole.
    game = make_game("qelat", max_laps=1, campaign=True)
    state, _ = played(9, {9: 2, 11: 3, 0: 1}, norths=[11], game=game)
    assert (seeds(state), children(state), state.store.tolist()) == ({0: 1, 10: 1, 11: 4}, {}, [0, 0])


def test_laps_count_through_the_decisions_of_a_turn():
    # The first lap eats; the second would eat again, but is the last one allowed.
    game = make_game("qelat", max_laps=2)
    states = position({1: 2, 0: 1, 3: 5, 9: 1}, {3: NORTHS}, game=game)
    game.step(states, [1])
    assert states[0].phase == GO_ON
    game.step(states, [2])
    assert (seeds(states[0]), states[0].store.tolist()) == ({0: 1, 3: 5, 9: 1}, [2, 0])
    assert (states[0].to_move, states[0].turn) == (1, 1)


@pytest.mark.parametrize(("phase", "most"), [(LIFT, 0), (GO_ON, 255)])
def test_a_position_has_laps_inside_a_turn_only(phase, most):
    for laps in {0, most // 2, most}:
        assert QELAT.load(phase=phase, laps=laps)[0].laps == laps
    for laps in (-1, most + 1):
        with pytest.raises(ValueError, match=rf"laps must lie in 0\.\.{most} in phase {phase}"):
            QELAT.load(phase=phase, laps=laps)


def test_every_turn_has_all_its_laps():
    game = make_game("qelat", max_laps=2)
    states = position({0: 1, 6: 1, 7: 1, 11: 1}, game=game)
    game.step(states, [0])
    # Two laps: from hole 6 to 7, whose two seeds end in the empty hole 9.
    game.step(states, [0])
    assert seeds(states[0]) == {1: 1, 8: 1, 9: 1, 11: 1}


# The campaign.


def settled(south, game=CAMPAIGN, draws=None, norths=range(6, 12), **fields):
    """Return the state after a round in which South gets `south` of 48 seeds, the last by eating from child 5."""
    store = [south - 1, 48 - south]
    return played(4, {4: 1}, {5: NORTHS}, norths, game=game, draws=draws, store=store, **fields)


def holes_of(state, player):
    return np.flatnonzero(state.owner == player).tolist()


def is_set_out(state):
    """Return whether the state is the start of a round."""
    fresh = (state.holes == 4).all() and not state.child.any() and not state.store.any()
    return bool(fresh and (state.turn, state.phase, state.ended) == (0, LIFT, 0))


def test_player_0_opens_round_one_and_then_the_opening_turn_alternates():
    states = CAMPAIGN.init(3, seed=1)
    assert (states.to_move == 0).all() and (states.round_number == 1).all()
    assert (states.owned == 6).all() and (states.owner == [0] * 6 + [1] * 6).all()
    # The opening turn alternates.
    for south in (20, 24, 28):
        assert [settled(south, round_number=number)[0].to_move for number in (1, 2, 3)] == [1, 0, 1]


# "one hole from his enemy for every four balls he captured"
BY_FOURS = [(24, 6), (28, 7), (32, 8), (20, 5), (4, 1)]
# "won three extra counters his opponent, who had one extra counter, was obliged to cede to the player with three"; and
# the same with more holes changing hands.
BY_THREE = [(27, 7), (21, 5), (25, 6), (31, 8), (29, 7), (45, 11), (3, 1)]


@pytest.mark.parametrize(("south", "owned"), BY_FOURS + BY_THREE)
def test_seeds_buy_holes_and_a_remainder_of_three_wins_the_hole_over_one(south, owned):
    # `draws` is an empty script, so no lots may be drawn.
    state, rewards = settled(south, draws=[[]])
    assert state.owned.tolist() == [owned, 12 - owned]
    # They are handed over at the border: hole 6 is South's first gain, hole 0 North's.
    assert holes_of(state, 0) == list(range(max(6 - owned, 0), max(6, owned)))
    assert (state.round_number, state.winner, rewards) == (2, -2, [0, 0])
    assert is_set_out(state)


@pytest.mark.parametrize(("south", "owned"), [(26, 7), (22, 6), (30, 8), (2, 1)])
def test_remainders_of_two_draw_lots_for_the_hole(south, owned):
    # "each left at the end of the round with two extra balls they would draw lots"
    assert settled(south, draws=[[0]])[0].owned.tolist() == [owned, 12 - owned]
    if owned > 1:
        state, _ = settled(south, draws=[[["lots", 2, 1]]])
        assert state.owned.tolist() == [owned - 1, 13 - owned]
        assert is_set_out(state)


def test_lots_are_fair():
    one = position({4: 1}, {5: NORTHS}, game=CAMPAIGN, store=[25, 22])
    states = np.repeat(one, 4000)
    states["chance"] = CAMPAIGN.init(4000, seed=5).chance
    CAMPAIGN.step(states, np.full(4000, 4))
    # Five standard deviations of a fair coin.
    assert abs((states["owned"][:, 0] == 7).sum() - 2000) < 5 * np.sqrt(1000)
    assert set(states["owned"][:, 0].tolist()) == {6, 7}


def test_holes_are_bought_back():
    # From 4 and 8 holes the border moves back to 5 and 7.
    state, _ = settled(20, norths=[0, 1, *range(6, 12)], round_number=2)
    assert holes_of(state, 1) == [0, 6, 7, 8, 9, 10, 11]
    assert state.round_number == 3


@pytest.mark.parametrize(("first", "openers"), [("loser", [1, 0, 1, 0, 1]), ("winner", [0, 1, 0, 1, 1])])
def test_the_loser_or_winner_of_the_last_round_can_open(first, openers):
    # Player 0 opened round one. With 25 to 23 seeds both buy six holes, but player 0 has won. 24 to 24 is a tie, after
    # which the opening alternates.
    game = make_game("qelat", campaign=True, first=first)
    assert [settled(south, game)[0].to_move for south in (28, 20, 25, 23, 24)] == openers


@pytest.mark.parametrize(
    ("south", "draws", "owned", "rewards"),
    [(48, [], [12, 0], [1, -1]), (47, [], [12, 0], [1, -1]), (46, [0], [12, 0], [1, -1]), (1, [], [0, 12], [-1, 1])],
)
def test_the_campaign_ends_when_one_player_owns_all_holes(south, draws, owned, rewards):
    # "one of the players gaining a monopoly of all the balls and hence of all twelve holes"
    state, got = settled(south, draws=[draws])
    assert (state.owned.tolist(), got) == (owned, rewards)
    assert (state.to_move, state.phase, state.ended, state.winner) == (-1, 0, 1, rewards.index(1))
    # The last board remains, with `owner`.
    assert (state.round_number, state.turn) == (1, 1)
    assert state.store.tolist() == [south, 48 - south]
    assert (holes_of(state, 0), children(state)) == ([0, 1, 2, 3, 4, 5], {5: NORTHS})
    assert CAMPAIGN.parse(CAMPAIGN.text(state)).tobytes() == state.tobytes()


def test_a_campaign_continues_while_a_player_has_one_hole():
    assert settled(45)[0].to_move == 1
    assert settled(46, draws=[[1]])[0].owned.tolist() == [11, 1]


@pytest.mark.parametrize(("south", "winner", "rewards"), [(28, 0, [1, -1]), (20, 1, [-1, 1]), (25, -1, [0, 0])])
def test_after_max_rounds_more_holes_win(south, winner, rewards):
    game = make_game("qelat", campaign=True, max_rounds=1)
    state, got = settled(south, game)
    assert (state.ended, state.to_move, state.winner, got) == (1, -1, winner, rewards)
    assert (state.round_number, holes_of(state, 0)) == (1, [0, 1, 2, 3, 4, 5])
    assert state.owned.tolist() == {28: [7, 5], 20: [5, 7], 25: [6, 6]}[south]
    # The default is 300.
    assert [settled(south, round_number=number)[0].ended for number in (299, 300)] == [0, 1]


def test_margin_of_a_campaign_is_the_lead_in_holes():
    game = make_game("qelat", campaign=True, max_rounds=1, reward="margin")
    assert settled(32, game)[1] == pytest.approx([4 / 12, -4 / 12])
    assert settled(20, game)[1] == pytest.approx([-2 / 12, 2 / 12])


def test_a_round_stopped_by_max_turns_is_settled_by_all_seeds():
    game = make_game("qelat", campaign=True, max_turns=1)
    # South: 16 and 4 in free holes; North: 20 and 8.
    state, _ = played(0, {0: 1, 3: 3, 8: 8}, store=[16, 20], game=game)
    assert (state.owned.tolist(), state.round_number, state.ended) == ([5, 7], 2, 0)
    assert is_set_out(state)


# Choosing holes (territory="choice").

CHOICE = make_game("qelat", campaign=True, territory="choice")


def choosing(south, *taken, norths=range(6, 12), **fields):
    """Return the state after a round in which South gets `south` of 48 seeds, and after holes were taken."""
    states = position({4: 1}, {5: NORTHS}, norths, CHOICE, store=[south - 1, 48 - south], **fields)
    return play(states, 4, *taken, game=CHOICE)[0]


def test_the_player_who_gains_holes_chooses_them_one_by_one():
    state = choosing(32)
    assert (state.phase, state.to_move, state.round_number) == (TAKE, 0, 1)
    # The board of the finished round remains, but `owned` is new.
    assert (state.store.tolist(), children(state)) == ([32, 16], {5: NORTHS})
    assert (holes_of(state, 0), state.owned.tolist()) == ([0, 1, 2, 3, 4, 5], [8, 4])
    assert legal(CHOICE, state) == [6, 7, 8, 9, 10, 11]
    state = choosing(32, 9)
    assert (state.phase, state.to_move, state.round_number) == (TAKE, 0, 1)
    assert (holes_of(state, 0), state.owned.tolist()) == ([0, 1, 2, 3, 4, 5, 9], [8, 4])
    assert legal(CHOICE, state) == [6, 7, 8, 10, 11]
    state = choosing(32, 9, 7)
    assert holes_of(state, 0) == [0, 1, 2, 3, 4, 5, 7, 9]
    assert (state.round_number, state.to_move, is_set_out(state)) == (2, 1, True)


@pytest.mark.parametrize("child", [1, 2])
def test_children_of_the_last_round_remain_while_holes_are_taken(child):
    state = choosing(32)
    state.child[[2, 8]] = child
    assert CHOICE.parse(CHOICE.text(state)).tobytes() == state.tobytes()


def test_a_player_entitled_to_all_holes_but_one_chooses_them():
    state = choosing(44, 6, 7, 8, 9)
    assert (state.phase, legal(CHOICE, state), state.owned.tolist()) == (TAKE, [10, 11], [11, 1])
    state = choosing(44, 6, 7, 8, 9, 10)
    assert (state.round_number, holes_of(state, 1)) == (2, [11])


def test_norths_actions_that_take_holes_count_from_norths_row():
    state = choosing(20)
    assert (state.phase, state.to_move, legal(CHOICE, state)) == (TAKE, 1, [6, 7, 8, 9, 10, 11])
    assert holes_of(choosing(20, 8), 1) == [2, 6, 7, 8, 9, 10, 11]


def test_the_player_with_more_holes_than_in_the_round_before_takes_holes():
    # South still has more holes than North, seven to five, but had eight.
    given = {"norths": [8, 9, 10, 11], "round_number": 2}
    state = choosing(28, **given)
    assert (state.phase, state.to_move, state.owned.tolist()) == (TAKE, 1, [7, 5])
    assert legal(CHOICE, state) == [0, 1, 6, 7, 8, 9, 10, 11]
    state = choosing(28, 7, **given)
    assert (holes_of(state, 1), state.round_number, state.to_move) == ([1, 8, 9, 10, 11], 3, 0)


def test_no_hole_is_taken_if_none_changes_hands_or_the_campaign_is_over():
    state = choosing(24)
    assert (state.round_number, holes_of(state, 0), is_set_out(state)) == (2, [0, 1, 2, 3, 4, 5], True)
    for south, number in ((48, 1), (32, 300)):
        state = choosing(south, round_number=number)
        assert (state.ended, state.phase, state.to_move) == (1, 0, -1)
        assert holes_of(state, 0) == [0, 1, 2, 3, 4, 5]

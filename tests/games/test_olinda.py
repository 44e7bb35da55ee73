"""Common rules of Puhulmutu, Walak-pussa, Kotu-baendum and Daramutu: set-out, campaign, agreement with a reference.

Quotations are from H. Parker, *Ancient Ceylon*, 1909, pp. 594-599.
"""

import random

import pytest
from helpers import olinda_positions
from helpers.olinda_positions import ANTICLOCKWISE, CLOCKWISE, last_lift
from helpers.positions import legal
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.olinda import FIELDS, Reference

from mancala_envs import make_game

GAMES = ("puhulmutu", "walak_pussa", "kotu_baendum", "daramutu")
SUMMARY = ("puhulmutu", "walak_pussa", "daramutu")


def fields(state, *more):
    return {name: state[name].tolist() for name in (*FIELDS, *more)}


CAMPAIGNS = [
    *((name, {}) for name in GAMES),
    *((name, {"reading": "summary", "equal": "draw"}) for name in SUMMARY),
    *((name, {"columns": 4, "max_rounds": 12}) for name in GAMES),
    ("daramutu", {"fours": False, "columns": 4}),
    ("puhulmutu", {"cutting": "borrow", "columns": 4}),
    ("puhulmutu", {"cutting": "move", "columns": 4}),
    ("puhulmutu", {"cutting": "borrow"}),
    ("puhulmutu", {"cutting": "move"}),
]


def follow(game, states, twin, chance, round_number):
    """Play both at random to the end of the round, comparing every step."""
    more = ("cut",) if game.name == "puhulmutu" else ()
    while not states[0].ended and states[0].round_number == round_number:
        actions = legal(game, states)
        assert actions == twin.legal()
        # Prefer lifts from one end, which soon leave a player with few seeds.
        action = actions[0] if chance.random() < 0.3 else chance.choice(actions)
        game.step(states, [action])
        twin.play(action)
        assert fields(states[0], *more) == {field: twin.state[field] for field in (*FIELDS, *more)}


@pytest.mark.parametrize(("name", "options"), CAMPAIGNS)
def test_every_set_out_and_its_round_agree_with_the_reference(name, options):
    game, chance = make_game(name, campaign=True, **options), random.Random(11)
    for number, fewer in enumerate(range(1, 4 * game.options["columns"])):
        p, round_number = number % 2, 2 + number % 3
        owned = [8 * game.options["columns"] - fewer] * 2
        owned[p] = fewer
        twin = Reference(name, True, **options)
        twin.state.update(holes=[0] * len(twin.holes), store=owned[:], seeds_owned=owned, to_move=p, phase=1)
        twin.state.update(round_number=round_number)
        twin.first = p
        if fewer >= 12 or len(twin.legal()) == 1:
            twin.state["phase"] = 2
        phase = twin.phase
        states = game.load(seeds_owned=owned, to_move=p, phase=phase, round_number=round_number)
        follow(game, states, twin, chance, round_number)


# Seeds and limits.


def positions(width):
    """Return a strategy for positions with kept and blind holes, `few` players and any direction."""
    hole = st.tuples(st.integers(0, 3), st.sampled_from([0, 0, 0, 0, 1, 2]))
    return st.fixed_dictionaries(
        {
            "row": st.lists(hole, min_size=2 * width, max_size=2 * width),
            "few": st.sampled_from([[0, 0], [0, 1], [2, 0]]),
            "direction": st.sampled_from([-1, 0, 1]),
            "to_move": st.integers(0, 1),
            "store": st.tuples(st.integers(0, 6), st.integers(0, 6)),
        }
    )


def loaded(game, row, **rest):
    """Load a position; return None if the mover cannot lift a hole."""
    kind = [kind for _, kind in row]
    holes = [0 if kind == 1 else seeds for seeds, kind in row]
    rest = {**rest, "store": list(rest["store"])}
    own = range(7 * rest["to_move"], 7 * rest["to_move"] + 7)
    if not any(holes[hole] and kind[hole] == 0 for hole in own):
        with pytest.raises(ValueError, match=r"no legal action|seeds must be"):
            game.load(holes=holes, kind=kind, **rest)
        return None
    return game.load(holes=holes, kind=kind, **rest)


@settings(max_examples=40, deadline=None)
@given(position=positions(7), name=st.sampled_from(GAMES), campaign=st.booleans(), seed=st.integers(0, 99))
def test_any_position_can_be_loaded_and_played_without_losing_seeds(position, name, campaign, seed):
    # In a campaign a loaded position may have too few seeds for a whole set-out.
    game = make_game(name, campaign=campaign, max_turns=40)
    states = loaded(game, **position)
    if states is None:
        return
    before = int(states[0].holes.sum()) + int(states[0].store.sum())
    for step in range(60):
        if states[0].ended:
            break
        assert game.parse(game.text(states)).tobytes() == states.tobytes()
        game.step(states, game.sample(states, seed + step))
        assert int(states[0].holes.sum()) + int(states[0].store.sum()) == before
        assert states[0].ended or game.legal(states).any()


@settings(max_examples=60, deadline=None)
@given(position=positions(7), name=st.sampled_from(GAMES), laps=st.integers(1, 4), seed=st.integers(0, 99))
def test_laps_turns_and_rounds_keep_their_limits_from_any_position(position, name, laps, seed):
    game = make_game(name, campaign=True, max_laps=laps, max_turns=6, quiet_turns=4, max_rounds=2)
    states = loaded(game, **position)
    if states is None:
        return
    # Two rounds have six turns of one decision each; between them there are at most two decisions.
    for step in range(2 * 6 + 2):
        if states[0].ended:
            break
        sown = int(states[0].laps_sown)
        game.step(states, game.sample(states, seed + step))
        assert states[0].laps_sown - sown <= laps
        assert states[0].turn <= 6 and states[0].quiet <= 4 and states[0].round_number <= 2
    assert states[0].ended == 1


@settings(max_examples=40, deadline=None)
@given(position=positions(7), name=st.sampled_from(GAMES), reading=st.sampled_from(["parker", "summary"]))
def test_a_lift_from_any_position_agrees_with_the_reference(position, name, reading):
    if name == "kotu_baendum":
        reading = "parker"
    game = make_game(name, reading=reading)
    states = loaded(game, **position)
    if states is None:
        return
    given_fields = {**fields(states[0]), "cut": 0}
    for action in legal(game, states):
        after, twin = states.copy(), Reference(name, reading=reading)
        twin.state.update({field: list(v) if isinstance(v, list) else v for field, v in given_fields.items()})
        assert twin.legal() == legal(game, states)
        game.step(after, [action])
        twin.play(action)
        assert after[0].holes.tolist() == twin.holes
        assert after[0].store.tolist() == twin.store
        assert after[0].kind.tolist() == twin.kind
        assert after[0].owner.tolist() == twin.owner


# Positions after the set-out. The last hole in direction +1 is 6 for South and 13 for North.

FOURS, TWOS, ONES = 14, 15, 16


def set_out(owned, *actions, name="puhulmutu", to_move=0, round_number=2, **options):
    """Return the state after the decisions of the deficient player, who has `owned` seeds."""
    game = make_game(name, campaign=True, **options)
    return olinda_positions.set_out(game, owned, *actions, to_move=to_move, round_number=round_number)[0]


def rows(state):
    """Return the rows of South and North; a kept hole is -seeds, a blind one None."""
    shown = [{0: seeds, 1: None, 2: -seeds}[kind] for seeds, kind in zip(state.holes.tolist(), state.kind, strict=True)]
    return shown[:7], shown[7:]


@pytest.mark.parametrize("name", GAMES)
def test_blind_holes_are_at_one_end_and_play_goes_towards_them(name):
    # "The 'blind' person must now commence the play, sowing the seeds in the direction of his empty holes, which are
    # left at one end of his row" (p. 595); "any surplus ones are left in the rectangular hole belonging to him".
    state = set_out(16, ANTICLOCKWISE, name=name)
    assert rows(state) == ([4, 4, 4, 4, None, None, None], [4] * 7)
    assert (state.direction, state.to_move, state.store.tolist(), state.phase) == (1, 0, [0, 12], 0)
    state = set_out(16, CLOCKWISE, name=name, to_move=1)
    assert rows(state) == ([4] * 7, [None, None, None, 4, 4, 4, 4])
    assert (state.direction, state.to_move, state.store.tolist()) == (-1, 1, [12, 0])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("rest", "last", "answer"), [(1, -1, 3), (2, -2, -2), (3, 3, -1)])
def test_puta_faces_wala_and_naga_faces_naga(name, rest, last, answer):
    # "if the latter player have a puta, his opponent must end with a wala, or vice versa; and if he have a naga the
    # other must also have a naga. The same names and privileges apply to these holes on both sides" (p. 596).
    state = set_out(24 + rest, ANTICLOCKWISE, name=name)
    assert rows(state) == ([4] * 6 + [last], [4] * 6 + [answer])
    assert state.store.tolist() == [0, 4]
    state = set_out(24 + rest, CLOCKWISE, name=name)
    assert rows(state) == ([last] + [4] * 6, [answer] + [4] * 6)


def test_the_opponent_removes_seeds_from_the_last_hole():
    # "the opponent removes one, two, or three seeds respectively from his last hole before the play begins" (p. 596)
    assert rows(set_out(17, ANTICLOCKWISE)) == ([4, 4, 4, 4, -1, None, None], [4] * 6 + [3])
    # The summary: "from the opposite hole".
    opposite = set_out(17, ANTICLOCKWISE, reading="summary", round_number=3)
    assert rows(opposite) == ([4, 4, 4, 4, -1, None, None], [4, 4, 3, 4, 4, 4, 4])


def test_by_the_summary_the_remainder_stays_in_the_store_in_the_second_round():
    # "placing four counters in as many holes as possible, leaving any extra in the store"; puta and the others come
    # with "rounds three and above".
    state = set_out(27, ANTICLOCKWISE, reading="summary")
    assert rows(state) == ([4] * 6 + [None], [4] * 7)
    assert state.store.tolist() == [3, 1]


def test_nine_seeds_by_twos():
    # "if he have nine seeds, and if ... they be playing to the right, he will place two in each of the four holes on
    # the left; the next two holes will be left empty, and are 'blind' ...; and the ninth seed will be placed in the
    # last hole on the right. The opponent ... places the usual four seeds" (p. 596).
    state = set_out(9, TWOS, ANTICLOCKWISE)
    assert rows(state) == ([2, 2, 2, 2, None, None, 1], [4] * 7)
    assert (state.few.tolist(), state.store.tolist(), state.direction) == ([2, 0], [0, 19], 1)


@pytest.mark.parametrize(
    ("owned", "how", "row"),
    [
        (1, TWOS, [None] * 6 + [1]),
        (2, TWOS, [2] + [None] * 6),
        (2, ONES, [1, 1] + [None] * 5),
        (11, TWOS, [2, 2, 2, 2, 2, None, 1]),
        (10, ONES, [1] * 6 + [4]),
        (7, ONES, [1] * 7),
        (11, FOURS, [4, 4, 3] + [None] * 4),
    ],
)
def test_ways_to_set_out_fewer_than_twelve(owned, how, row):
    # "He may place two seeds, or only one seed, in each hole ..., the last hole on his side in that case receiving any
    # surplus seeds, not exceeding four" (p. 596).
    assert rows(set_out(owned, how, ANTICLOCKWISE))[0] == row
    assert rows(set_out(owned, how, CLOCKWISE))[0] == row[::-1]


def test_legal_ways_to_set_out_fewer_than_twelve():
    game = make_game("daramutu", campaign=True)
    for owned, ways in {1: [15, 16], 2: [15, 16], 3: [14, 15, 16], 10: [14, 15, 16], 11: [14, 15]}.items():
        states = game.load(seeds_owned=[owned, 56 - owned], to_move=0, phase=1, round_number=2)
        assert legal(game, states) == ways
    # By the summary a wala stays in the store in round two, and nothing could be lifted.
    game = make_game("daramutu", campaign=True, reading="summary")
    for round_number, ways in {2: [15, 16], 3: [14, 15, 16]}.items():
        states = game.load(seeds_owned=[3, 53], to_move=0, phase=1, round_number=round_number)
        assert legal(game, states) == ways


def last_lifted(own, others, game, **more):
    """Return the state and the rewards after the last lift of a round; the final score is `own` to `others`."""
    states = last_lift(game, own, others, **more)
    rewards = game.step(states, [0])
    return states[0], rewards[0].tolist()


def test_the_deficient_player_decides_and_sets_out_by_fours_with_twelve_seeds():
    # "the player with the fewest seeds always begins the play after the first round" (p. 598)
    game = make_game("walak_pussa", campaign=True)
    state, rewards = last_lifted(30, 26, game)
    assert (state.phase, state.to_move, state.round_number, state.turn) == (2, 1, 2, 0)
    assert (state.seeds_owned.tolist(), state.store.tolist(), sum(state.holes)) == ([30, 26], [30, 26], 0)
    assert (state.direction, rewards) == (0, [0, 0])
    assert last_lifted(12, 44, game)[0].phase == 2
    assert last_lifted(11, 45, game)[0].phase == 1


def test_after_equal_counts_the_campaign_continues_or_ends_in_a_draw():
    # "If they have equal numbers (termed hari mutu, 'equal pearls'), it is optional to consider the game ended in a
    # 'draw'" (p. 595).
    game = make_game("kotu_baendum", campaign=True)
    state, rewards = last_lifted(28, 28, game, turn=8)
    assert (state.round_number, state.to_move, state.direction, state.phase) == (2, 0, 0, 0)
    assert (state.holes.tolist(), state.store.tolist(), rewards) == ([4] * 14, [0, 0], [0, 0])
    # North played the ninth turn, so North began the round. If it is the tenth turn, South began, and North begins now.
    assert last_lifted(28, 28, game, turn=9)[0].to_move == 1
    # "During the rest of the game the players may begin each turn at any hole."
    assert len(legal(game, game.load(round_number=2))) == 14
    game = make_game("kotu_baendum", campaign=True, equal="draw")
    state, rewards = last_lifted(28, 28, game)
    assert (state.ended, state.winner, state.round_number, rewards) == (1, -1, 1, [0, 0])


def test_the_campaign_ends_with_a_player_without_seeds_or_with_max_rounds():
    game = make_game("puhulmutu", campaign=True)
    state, rewards = last_lifted(0, 56, game)
    assert (state.ended, state.winner, rewards, state.seeds_owned.tolist()) == (1, 1, [-1, 1], [0, 56])
    game = make_game("puhulmutu", campaign=True, max_rounds=3)
    state, rewards = last_lifted(29, 27, game, round_number=3)
    assert (state.ended, state.winner, rewards, state.round_number) == (1, 0, [1, -1], 3)


# Options and positions.


@pytest.mark.parametrize("name", GAMES)
def test_options(name):
    for bad in ({"columns": 3}, {"seeds": 0}, {"reading": "text"}, {"quiet_turns": 0}, {"max_laps": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            make_game(name, **bad)
    for between in ({"equal": "draw"}, {"max_rounds": 5}, {"round_reward": 0.5}):
        with pytest.raises(ValueError, match="campaign"):
            make_game(name, **between)
        make_game(name, campaign=True, **between)
    with pytest.raises(ValueError, match="seeds=4"):
        make_game(name, campaign=True, seeds=5)
    for bad in ("0.5", float("nan"), float("inf"), True, None):
        with pytest.raises(ValueError, match="round_reward"):
            make_game(name, campaign=True, round_reward=bad)
    with pytest.raises(ValueError, match="cutting"):
        make_game(name, cutting="borrow")
    assert make_game(name, campaign=True, round_reward=1).options["round_reward"] == 1.0
    with pytest.raises(ValueError, match="255"):
        make_game(name, columns=32)


def test_options_of_one_game_only():
    with pytest.raises(ValueError, match="reading"):
        make_game("kotu_baendum", reading="summary")
    for name in GAMES[1:]:
        with pytest.raises(ValueError, match="cutting"):
            make_game(name, campaign=True, cutting="move")
    with pytest.raises(ValueError, match="nothing could be captured"):
        make_game("daramutu", fours=False, reading="summary")
    for name in GAMES[:3]:
        with pytest.raises(TypeError, match="fours"):
            make_game(name, fours=False)


BETWEEN = {"phase": 2, "round_number": 2, "seeds_owned": [20, 36], "to_move": 0}


@pytest.mark.parametrize(
    ("campaign", "bad"),
    [
        (False, {"kind": [4] + [0] * 13}),
        (False, {"kind": [3] + [0] * 13}),
        (False, {"kind": [1] + [0] * 13}),
        (False, {"owner": [1] * 14}),
        (False, {"owner": [2] + [0] * 6 + [1] * 7}),
        (False, {"direction": 2}),
        (False, {"few": [3, 0]}),
        (False, {"few": [1, 2]}),
        (False, {"phase": 1}),
        (False, {"round_number": 2}),
        (False, {"holes": [4] * 13 + [5]}),
        (False, {"holes": [0] * 14}),
        (False, {"holes": [0] * 7 + [4] * 7}),
        (False, {"quiet": 100}),
        (False, {"turn": 400}),
        (True, {"phase": 3}),
        (True, {**BETWEEN, "to_move": 1}),
        (True, {**BETWEEN, "phase": 1}),
        (True, {**BETWEEN, "holes": [4] * 5 + [0] * 9}),
        (True, {**BETWEEN, "store": [21, 35]}),
        (True, {**BETWEEN, "direction": 1}),
        (True, {**BETWEEN, "few": [2, 0]}),
        (True, {**BETWEEN, "seeds_owned": [28, 28]}),
        (True, {**BETWEEN, "seeds_owned": [2, 54]}),
        (True, {**BETWEEN, "round_number": 1}),
        (True, {"seeds_owned": [30, 30]}),
    ],
)
def test_inconsistent_positions_are_refused(campaign, bad):
    with pytest.raises(ValueError, match="puhulmutu"):
        make_game("puhulmutu", campaign=campaign).load(**bad)

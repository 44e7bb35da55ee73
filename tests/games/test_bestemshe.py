"""Bestemshe: a position for every rule of its page. South 0..4, North 5..9, sowing by increasing number.

`test_kumalak` has the rules that it shares with Togyz Kumalak.
"""

import pytest
from helpers import hole_positions
from helpers.kumalak_games import replay
from helpers.positions import legal

from mancala_envs import make_game

BESTEMSHE = make_game("bestemshe")
position, played, _, _ = hole_positions.of(BESTEMSHE)


def test_the_recorded_beginning_of_a_game():
    state = replay(BESTEMSHE, "c1d2 c2b1")
    assert state.store.tolist() == [6, 6]
    assert len(legal(BESTEMSHE, state)) == 4
    assert len(legal(BESTEMSHE, hole_positions.play(BESTEMSHE.init(1, 0), 2, game=BESTEMSHE)[0])) == 4


def test_a_round_with_an_odd_half_has_a_winner():
    # Unless `max_turns` cuts it.
    states = BESTEMSHE.init(200, 4)
    while (states.to_move >= 0).any():
        BESTEMSHE.step(states, BESTEMSHE.sample(states, int(states.turn.max())))
    assert (states.winner[states.turn < 300] >= 0).all()
    assert (states.holes.sum(axis=1) + states.store.sum(axis=1) == 50).all()


def test_three_are_not_captured():
    state, _ = played(4, h4=2, h5=2, h8=1)
    assert (state.store.tolist(), state.holes[5]) == ([0, 0], 3)


def test_options_that_are_not_allowed():
    with pytest.raises(ValueError, match="end='all' is not allowed; it must be one of 'majority', 'last'"):
        make_game("bestemshe", end="all")


@pytest.mark.parametrize("unknown", ["tuzdyk", "twin", "least", "last_hole"])
def test_there_is_no_tuzdyk(unknown):
    assert unknown not in BESTEMSHE.dtype.names
    with pytest.raises(TypeError, match=f"no option '{unknown}'"):
        make_game("bestemshe", **{unknown: 2})


def test_no_position_has_more_seeds_than_there_are():
    assert position(h0=24, h6=20, store=(3, 3))[0].turn == 0
    with pytest.raises(ValueError, match="the seeds must be 1 to 50 in all, got 51"):
        position(h0=24, h6=20, store=(4, 3))
    with pytest.raises(ValueError, match="no legal action"):
        position(h6=20)


def test_what_is_explained_of_a_capture():
    lines = BESTEMSHE.explain(position(h4=2, h5=3, h8=1), 4)
    assert lines == [
        "player_0: lift own hole 4",
        "lifts 2 from own hole 4",
        "sows 2 from own hole 4 to other hole 0",
        "captures 4 from other hole 0",
        "turn 1, player_1 to move: lift a hole",
    ]

"""Tests of the contract of `mancala_envs.make_game`, for single rounds and campaigns of every game."""

import copy
import pickle
from inspect import signature

import numpy as np
import pytest

from helpers.forms import InPython
from mancala_envs import make_game
from mancala_envs.core.chance import advance
from mancala_envs.core.engine import IllegalAction
from mancala_envs.core.outcome import highest_score
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY

MODES = [(name, False) for name in REGISTRY] + [(name, True) for name in REGISTRY if REGISTRY[name].has_campaign]
MAX_DECISIONS = 200_000
"""Upper bound on the decisions of a game."""
HEAD = {"to_move", "phase", "turn", "winner", "round_number", "ended"}

every_game = pytest.mark.parametrize(
    ("name", "campaign"), MODES, ids=[name + "-campaign" * campaign for name, campaign in MODES]
)


def played(game, n=32, seed=4, decisions=40, states=None):
    """Play random decisions; yield the same array of states at the start and after each decision."""
    states = game.init(n, seed=seed) if states is None else states
    yield states
    for decision in range(decisions):
        if (states.to_move < 0).all():
            return
        game.step(states, game.sample(states, seed=seed + decision))
        yield states


def finished(game, states):
    """Play `states` to the end at random; return the number of decisions and the sum of the rewards."""
    returns = np.zeros((len(states), game.num_players))
    for decision in range(MAX_DECISIONS):
        if (states.to_move < 0).all():
            return decision, returns
        returns += game.step(states, game.sample(states, seed=decision))
    raise AssertionError(f"{game!r} does not end")


def partly_over(game, n=24, seed=3):
    """Return a batch in which some games are over and others are not."""
    states = game.init(n, seed=seed)
    for decision in range(MAX_DECISIONS):
        game.step(states, game.sample(states, seed=decision))
        over = states.to_move < 0
        if over.any():
            return states if not over.all() else np.concatenate([states, game.init(1, seed=1)]).view(np.recarray)
    raise AssertionError(f"{game!r} does not end")


def short(name, campaign, **options):
    """Make the game, with few rounds if it is a campaign."""
    book = REGISTRY[name].book
    rounds = {"max_rounds": 2} if campaign and any(o.name == "max_rounds" for o in book.campaign_options) else {}
    return make_game(name, campaign=campaign, **rounds | options)


def with_margin(name, campaign):
    """Make the game, with rewards by margin if it has them."""
    pays = any(option.name == "reward" and "margin" in option.choices for option in REGISTRY[name].book.options)
    return short(name, campaign, **{"reward": "margin"} if pays else {})


def same_fields(one, other, but=()):
    """Return the names of the fields in which two batches differ."""
    return [name for name in one.dtype.names if name not in but and not np.array_equal(one[name], other[name])]


@every_game
def test_members_describe_the_game(name, campaign):
    game = make_game(name, campaign=campaign)
    states = game.init(3, seed=0)
    assert game.name == name
    assert isinstance(states, np.recarray) and states.shape == (3,) and states.dtype == game.dtype
    assert set(game.dtype.names) >= HEAD
    assert game.num_actions == len(game.action_names) and game.legal(states).shape == (3, game.num_actions)
    book = REGISTRY[name].book
    assert set(game.options) == {o.name for o in (book.every_option if campaign else book.options)}
    assert REGISTRY[name].has_campaign == (book.campaign is not None)


@every_game
def test_a_fresh_game_is_in_its_first_round_and_turn(name, campaign):
    states = make_game(name, campaign=campaign).init(3, seed=0)
    assert (states.turn == 0).all() and (states.round_number == 1).all()
    assert (states.winner == -2).all() and (states.ended == 0).all() and (states.to_move >= 0).all()


@every_game
def test_a_record_has_no_overlapping_fields_and_no_unnamed_bytes(name, campaign):
    dtype = make_game(name, campaign=campaign).dtype
    ends = 0
    for field, offset, *_ in sorted(dtype.fields.values(), key=lambda entry: entry[1]):
        assert offset == ends
        ends = offset + field.itemsize
    assert ends == dtype.itemsize


@every_game
def test_every_field_is_naturally_aligned(name, campaign):
    dtype = make_game(name, campaign=campaign).dtype
    assert dtype.isalignedstruct and dtype.itemsize % 8 == 0
    assert all(offset % field.base.itemsize == 0 for field, offset, *_ in dtype.fields.values())


@pytest.mark.slow
@every_game
def test_padding_has_no_effect(name, campaign):
    game = make_game(name, campaign)
    padding = [field for field in game.dtype.names if field.startswith("padding_")]
    for states in played(game, decisions=5):
        other = states.copy()
        for field in padding:
            other[field] = 0xFF
        np.testing.assert_array_equal(game.legal(other), game.legal(states))
        np.testing.assert_array_equal(game.observe(other), game.observe(states))
        after, actions = states.copy(), game.sample(states, seed=9)
        np.testing.assert_array_equal(game.step(other, actions), game.step(after, actions))
        for field in set(game.dtype.names).difference(padding):
            np.testing.assert_array_equal(other[field], after[field])


@every_game
def test_the_same_seed_gives_the_same_games_whatever_n(name, campaign):
    game = make_game(name, campaign=campaign)
    batches = [game.init(n, seed=9) for n in (1, 2, 7, 64)]
    for decision in range(60):
        for states in batches:
            assert states.tobytes() == batches[-1][: len(states)].tobytes(), decision
            actions = game.sample(states, seed=decision)
            assert actions.tolist() == game.sample(batches[-1][: len(states)], seed=decision).tolist()
        rewards = [game.step(states, game.sample(states, seed=decision)) for states in batches]
        for some in rewards:
            assert np.array_equal(some, rewards[-1][: len(some)])


@every_game
def test_plain_python_and_the_compiled_fast_form_agree(name, campaign):
    for options in ({}, *choices(name, campaign)):
        game = short(name, campaign, **options)
        plain = InPython(game)
        states, others = game.init(2, seed=5), game.init(2, seed=5)
        # Plain Python is slow, especially with thousands of actions.
        for decision in range((8 if options else 20) if game.num_actions < 1000 else 3):
            assert states.tobytes() == others.tobytes()
            assert np.array_equal(game.legal(states), plain.legal(others))
            assert np.array_equal(game.observe(states), plain.observe(others))
            actions = game.sample(states, seed=decision)
            rewards = game.step(states, actions, autoreset=True)
            assert np.array_equal(rewards, plain.step(others, actions))


@pytest.mark.slow
@every_game
def test_the_plain_rules_and_the_fast_form_agree_for_many_decisions(name, campaign):
    if not REGISTRY[name].fast or campaign != REGISTRY[name].has_campaign:
        pytest.skip("there is no fast form, or the campaign has the same one")
    for options in ({}, *choices(name, campaign), *sizes(name, campaign)):
        fast, plain = make_game(name, campaign, **options), Game(REGISTRY[name].book, name, campaign, options)
        states, others = fast.init(64, seed=5), plain.init(64, seed=5)
        for decision in range(60):
            actions = fast.sample(states, seed=decision)
            assert np.array_equal(actions, plain.sample(others, seed=decision))
            assert np.array_equal(fast.observe(states), plain.observe(others))
            rewards = fast.step(states, actions, autoreset=True)
            assert np.array_equal(rewards, plain.step(others, actions, autoreset=True))
            assert states.tobytes() == others.tobytes()
        assert fast.play_random(states, 50, seed=1) == plain.play_random(others, 50, seed=1)
        assert states.tobytes() == others.tobytes()


@every_game
def test_chance_depends_on_seed_and_index(name, campaign):
    game = make_game(name, campaign=campaign)
    chances = [*game.init(50, seed=1).chance, *game.init(50, seed=2).chance]
    assert len(set(chances)) == 100
    assert set(game.init(5).chance).isdisjoint(game.init(5).chance)


@every_game
def test_legal_bits_and_sample_agree_with_legal(name, campaign):
    whole, few_rounds = make_game(name, campaign=campaign), short(name, campaign)
    for game, states in (
        *((whole, np.copy(states)) for states in played(whole)),
        (few_rounds, partly_over(few_rounds)),
    ):
        legal, bits, actions = game.legal(states), game.legal_bits(states), game.sample(states, seed=1)
        assert legal.dtype == np.bool_ and actions.dtype == np.int64
        assert bits.dtype == np.uint64 and bits.shape == (len(states), -(-game.num_actions // 64))
        unpacked = np.unpackbits(bits.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        assert np.array_equal(unpacked[:, : game.num_actions], legal) and not unpacked[:, game.num_actions :].any()
        over = states["to_move"] < 0
        assert np.array_equal(legal.any(axis=1), ~over)
        assert (actions[over] == -1).all() and legal[np.flatnonzero(~over), actions[~over]].all()


@every_game
def test_sample_is_uniform(name, campaign):
    game = make_game(name, campaign=campaign)
    state = next(s for s in played(game, n=1) if game.legal(s).sum() > 1)
    choices = np.flatnonzero(game.legal(state)[0])
    n = 6000
    drawn = game.sample(np.repeat(state, n), seed=77)
    counts = np.bincount(drawn, minlength=game.num_actions)[choices]
    p = 1 / len(choices)
    assert counts.sum() == n
    assert (abs(counts - n * p) < 5 * np.sqrt(n * p * (1 - p))).all(), counts


@every_game
def test_an_illegal_action_raises_and_changes_no_state(name, campaign):
    game = make_game(name, campaign=campaign)
    *_, states = played(game, n=5, decisions=6)
    before, good, legal = states.tobytes(), game.sample(states, seed=1), game.legal(states)
    for bad in (-2, -1, game.num_actions, 10**12, *np.flatnonzero(~legal[3])):
        actions = good.copy()
        actions[3] = bad
        with pytest.raises(IllegalAction) as caught:
            game.step(states, actions)
        assert (caught.value.index, caught.value.action) == (3, bad)
        assert caught.value.legal == np.flatnonzero(legal[3]).tolist()
        assert states.tobytes() == before


@every_game
def test_games_that_are_over_accept_only_minus_one_and_do_not_change(name, campaign):
    game = short(name, campaign)
    states = partly_over(game)
    over = np.flatnonzero(states.to_move < 0)
    before = states.copy()
    for bad in (0, game.num_actions - 1, -2):
        actions = game.sample(states, seed=1)
        actions[over[0]] = bad
        with pytest.raises(IllegalAction) as caught:
            game.step(states, actions)
        assert (caught.value.index, caught.value.action, caught.value.legal) == (over[0], bad, [])
        assert states.tobytes() == before.tobytes()
    for autoreset in (False, True):
        rewards = game.step(states, np.where(states.to_move < 0, -1, game.sample(states, seed=1)), autoreset)
        assert states[over].tobytes() == before[over].tobytes()
        assert not rewards[over].any()


@every_game
def test_the_end_is_marked_and_rewarded(name, campaign):
    game = short(name, campaign)
    states = game.init(24, seed=6)
    for decision in range(MAX_DECISIONS):
        playing = states.to_move >= 0
        if not playing.any():
            break
        rewards = game.step(states, game.sample(states, seed=decision))
        assert rewards.dtype == np.float32 and rewards.shape == (24, game.num_players)
        assert np.allclose(rewards.sum(axis=1), 0, atol=1e-6)
        ended = playing & (states.to_move < 0)
        assert not rewards[~ended].any()
        assert np.array_equal(states.ended > 0, states.to_move < 0) and np.isin(states.ended, (0, 1, 2)).all()
        assert np.array_equal(states.winner > -2, states.to_move < 0)
        assert (states.phase[ended] == 0).all()
        assert (rewards[ended & (states.winner >= 0)].max(axis=1) == 1).all()
        assert not (rewards[ended & (states.winner == -1)] == 1).any()


@every_game
def test_openings_leave_games_in_play_in_their_first_round(name, campaign):
    game = make_game(name, campaign=campaign)
    states = game.init(48, seed=6, opening=(1, 8))
    assert (states.to_move >= 0).all() and (states.ended == 0).all() and (states.winner == -2).all()
    assert (states.round_number == 1).all() and game.legal(states).any(axis=1).all()
    game.check(states)
    assert game.init(5, seed=6, opening=(1, 8)).tobytes() == states[:5].tobytes()


@every_game
def test_autoreset_starts_a_new_game_in_the_same_call(name, campaign):
    game = short(name, campaign)
    states, fresh = game.init(16, seed=2), game.init(16, seed=0)
    blank, ends = np.zeros(16, game.dtype), 0
    random_fields = same_fields(fresh, game.init(16, seed=1))
    for decision in range(MAX_DECISIONS):
        if ends >= 20:
            break
        actions = game.sample(states, seed=decision)
        plain, final = states.copy(), blank.copy()
        plain_rewards = game.step(plain, actions)
        rewards = game.step(states, actions, autoreset=True, final=final)
        assert np.array_equal(rewards, plain_rewards)
        over = plain.to_move < 0
        ends += over.sum()
        # Exactly the games that ended have their last state in `final` and start again, except for chance and `ended`.
        assert final[over].tobytes() == plain[over].tobytes() and not any(final[~over].tobytes())
        assert states[~over].tobytes() == plain[~over].tobytes()
        assert same_fields(states[over], fresh[over], but=("ended", *random_fields)) == []
        # `ended` keeps its value until the next step.
        assert np.array_equal(states.ended, plain.ended)
    assert ends >= 20


@every_game
def test_chance_continues_across_an_autoreset(name, campaign):
    game = short(name, campaign)
    states = game.init(16, seed=2)
    over = np.zeros(16, bool)
    for decision in range(MAX_DECISIONS):
        actions = game.sample(states, seed=decision)
        plain = states.copy()
        game.step(plain, actions)
        game.step(states, actions, autoreset=True)
        over = plain.to_move < 0
        if over.any():
            break
    assert np.array_equal(states.chance[~over], plain.chance[~over])
    # The set-up of the new game may draw from the same stream of chance.
    for word, later in zip(plain.chance[over], states.chance[over], strict=True):
        for _ in range(64):
            if word == later:
                break
            word = advance(np.uint64(word))
        assert word == later


@every_game
def test_text_and_parse_round_trip_byte_for_byte(name, campaign):
    game = short(name, campaign)
    for states in played(game, n=2, decisions=100):
        for i in range(2):
            text = game.text(states[i : i + 1])
            assert "\n" not in text
            assert game.parse(text).tobytes() == states[i : i + 1].tobytes(), text
    assert game.text(states[0]) == game.text(states[:1])


@every_game
def test_load_restores_any_position_in_play(name, campaign):
    game = short(name, campaign)
    for states in played(game, n=2, decisions=60):
        for state in (states[:1], states[1:]):
            if state[0].to_move >= 0:
                loaded = game.load(seed=5, **{field: state[0][field] for field in game.position_fields})
                assert loaded.shape == (1,)
                assert same_fields(state, loaded, but=("chance", *game.book.positions.hidden)) == []
                assert np.array_equal(game.legal(loaded), game.legal(state))
                assert np.array_equal(game.observe(loaded), game.observe(state))


@every_game
def test_load_without_fields_returns_the_start(name, campaign):
    game = make_game(name, campaign=campaign)
    assert game.load(seed=8).tobytes() == game.init(1, seed=8).tobytes()


@every_game
def test_a_game_survives_pickle_and_deepcopy(name, campaign):
    game = with_margin(name, campaign)
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert (twin.name, twin.campaign, twin.options) == (game.name, game.campaign, game.options)
        assert (twin.dtype, twin.num_actions) == (game.dtype, game.num_actions)
        states, others = game.init(4, seed=1), twin.init(4, seed=1)
        for decision in range(20):
            assert states.tobytes() == others.tobytes()
            actions = game.sample(states, seed=decision)
            assert np.array_equal(game.step(states, actions), twin.step(others, actions))


@every_game
def test_observations_lie_within_their_described_bounds(name, campaign):
    game = short(name, campaign)
    high = np.array([column.high for column in game.observation_fields])
    assert len({column.name for column in game.observation_fields}) == len(high)
    assert all(column.meaning for column in game.observation_fields)
    assert game.observation_dtype == np.min_scalar_type(high.max())
    for states in played(game, decisions=300):
        for player in range(game.num_players):
            values = game.observe(states, player)
            assert values.shape == (len(states), len(high)) and values.dtype == game.observation_dtype
            assert (values <= high).all(), [game.observation_fields[i].name for i in np.nonzero(values > high)[1]]


@every_game
def test_observe_defaults_to_the_player_to_move(name, campaign):
    game = short(name, campaign)
    states = partly_over(game)
    players = np.maximum(states.to_move, 0)
    assert np.array_equal(game.observe(states), game.observe(states, players))
    for player in range(game.num_players):
        assert np.array_equal(game.observe(states, player)[players == player], game.observe(states)[players == player])


@every_game
def test_queries_do_not_change_states(name, campaign):
    game = make_game(name, campaign=campaign)
    *_, states = played(game, decisions=7)
    before = states.tobytes()
    game.legal(states), game.legal_bits(states), game.sample(states), game.observe(states)
    game.text(states[:1]), game.board(states[:1])
    assert states.tobytes() == before


REQUIRES = {
    ("zigulzoqge", "lift", "team"): {"teams": True},
    ("dongjintian", "columns", 2): {"columns": 4},
    ("sokkattan", "players", 2): {"players": 4},
}
"""(game, option, value) -> the other options that this value requires."""


def is_allowed(book, campaign, changed):
    """Whether the rules allow `changed` with the defaults of all other options."""
    defaults = {option.name: option.default for option in book.every_option}
    try:
        book.check_options({**defaults, **changed}, campaign)
    except ValueError:
        return False
    return True


def choices(name, campaign):
    """Yield one set of options for every value of every option that does not change the record's shape."""
    book = REGISTRY[name].book
    options = book.every_option if campaign else book.options
    for option in options:
        if not option.size:
            small = [value for value in (1, 2, 7) if option.lowest <= value <= option.highest]
            for value in option.choices or small:
                values = (value,) * option.length if option.length else value
                chosen = {option.name: values, **REQUIRES.get((name, option.name, value), {})}
                if is_allowed(book, campaign, chosen):
                    yield chosen


def sizes(name, campaign):
    """Yield the minimum of all options that change the record's shape, in one set."""
    book = REGISTRY[name].book
    options = [option for option in (book.every_option if campaign else book.options) if option.size]
    least = {option.name: option.choices[-1] if option.choices else option.lowest for option in options}
    for option, value in list(least.items()):
        least |= REQUIRES.get((name, option, value), {})
    # Every size is compiled separately; a campaign also tests the rounds.
    if least and campaign == REGISTRY[name].has_campaign:
        yield least


@every_game
def test_games_end_with_every_choice_of_every_option(name, campaign):
    play_to_the_end(name, campaign, choices(name, campaign))


@pytest.mark.slow
@every_game
def test_games_of_minimum_size_end(name, campaign):
    play_to_the_end(name, campaign, sizes(name, campaign))


def play_to_the_end(name, campaign, changes):
    for options in changes:
        game = short(name, campaign, **options)
        assert {option: game.options[option] for option in options} == options
        states = game.init(12, seed=5)
        _, returns = finished(game, states)
        assert np.allclose(returns.sum(axis=1), 0, atol=1e-6)
        assert (states.ended > 0).all()
        assert (states.turn <= game.options.get("max_turns", MAX_DECISIONS)).all()
        assert (states.round_number <= game.options.get("max_rounds", 1)).all()
        assert game.parse(game.text(states[:1])).tobytes() == states[:1].tobytes()


@every_game
def test_text_and_parse_round_trip_in_truncated_rounds(name, campaign):
    # `max_turns` ends the rounds, so that the decisions between rounds are reached.
    bounded = any(option.name == "max_turns" for option in REGISTRY[name].book.options)
    for options in choices(name, campaign) if bounded else ():
        if "max_turns" not in options:
            game = short(name, campaign, **options, max_turns=2)
            for states in played(game, n=2, decisions=20):
                for i in range(2):
                    assert game.parse(game.text(states[i : i + 1])).tobytes() == states[i : i + 1].tobytes()


@every_game
def test_check_accepts_states_from_play_and_rejects_corrupted_ones(name, campaign):
    game = short(name, campaign)
    rng = np.random.default_rng(5)
    for states in played(game, n=4, decisions=40):
        game.check(states)
    for _ in range(30):
        spoilt = states.copy()
        at = rng.integers(spoilt.dtype.itemsize, size=rng.integers(1, 9))
        spoilt[:1].view(np.uint8)[at] = rng.integers(256, size=len(at))
        try:
            game.check(spoilt)
        except ValueError as error:
            assert "state 0" in str(error)
        else:
            going = spoilt[spoilt["to_move"] >= 0]
            game.play_random(going, 50)
    with pytest.raises(ValueError, match="state 0"):
        game.check(np.zeros(3, game.dtype))


@every_game
def test_margin_rewards_sum_to_zero_and_have_the_winners_sign(name, campaign):
    game = with_margin(name, campaign)
    states = game.init(32, seed=9)
    _, returns = finished(game, states)
    assert np.allclose(returns.sum(axis=1), 0, atol=1e-6) and (abs(returns) <= 1).all()
    assert returns.any()
    # If the rules name the winner directly, the margin may favour the loser.
    if game.num_players == 2 and game.book.result.best is highest_score:
        assert np.array_equal(np.sign(returns[:, 0]), np.choose(states.winner + 1, [0, 1, -1]))


CONTRACT = [thing for thing in list(globals().values()) if every_game.mark in getattr(thing, "pytestmark", ())]
__all__ = [test.__name__ for test in CONTRACT]

every_contract_test = pytest.mark.parametrize("contract_test", CONTRACT, ids=__all__)


def check_contract(contract_test, name, tmp_path):
    """Run one test of the contract for another game, which must be in the registry."""
    given = {"name": name, "campaign": False, "tmp_path": tmp_path}
    contract_test(**{argument: given[argument] for argument in signature(contract_test).parameters})

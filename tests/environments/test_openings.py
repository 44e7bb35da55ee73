"""Openings: random decisions, or given positions, before the first observation of an episode."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from helpers import olinda_positions
from helpers.forms import PlainGame, slowly
from helpers.players import each_clone, episode, random_play

import mancala_envs
from mancala_envs import make_game
from mancala_envs.core import kernels
from mancala_envs.core.chance import streams
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.wrappers import Campaign, RecordEpisodes, RecordSoloEpisodes, SingleAgent, recordings, replay

OWARE = make_game("oware")
"""Every decision is a turn, so `turn` counts the decisions."""
PLAYED = PlainGame("oware").init(3, 1, opening=4)
"""In plain Python, so that nothing is compiled to collect the tests."""
CAMPAIGN = {"campaign": True, "max_rounds": 4}
DARAMUTU = make_game("daramutu", **CAMPAIGN)


def solo(**arguments):
    return SoloEnv(OWARE, **{"seat": 0} | arguments)


def vector(**arguments):
    return MancalaVectorEnv(OWARE, 4, **{"seat": 0} | arguments)


def raw(**arguments):
    return RawEnv(OWARE, **arguments)


each_kind = pytest.mark.parametrize("make", [solo, vector, raw])


def records(env):
    """The records of all games of an environment."""
    return env.states if isinstance(env, MancalaVectorEnv) else env.record


def turns(env):
    """The number of turns played in every game of an environment."""
    return records(env)["turn"]


# The number of decisions.


def test_all_players_take_so_many_decisions_before_the_first_one():
    env = raw(opening=5)
    begun = set()
    for seed in range(20):
        env.reset(seed=seed)
        assert turns(env) == 5 and env.agent_selection == "player_1"
        begun.add(env.record["holes"].tobytes())
    assert len(begun) == 20


@each_kind
def test_opponents_reply_to_an_opening_until_the_agent_is_to_move(make):
    env = make(opening=3)
    env.reset(seed=1)
    assert (turns(env) == (3 if make is raw else 4)).all()


def test_the_number_of_decisions_is_uniform_in_its_range():
    counts = np.bincount(OWARE.init(4000, 1, opening=(1, 4)).turn, minlength=6)
    assert counts[[0, 5]].tolist() == [0, 0]
    assert abs(counts[1:5] - 1000).max() < 130  # 4.7 standard deviations


def test_the_decisions_are_uniform():
    states = OWARE.init(6000, 2, opening=1)
    emptied = np.argmin(states.holes, axis=1)
    assert abs(np.bincount(emptied, minlength=6) - 1000).max() < 140


@each_kind
def test_every_episode_has_another_opening(make):
    env = make(opening=6)
    env.reset(seed=1)
    begun = set()
    for _ in range(12):
        env.reset()
        begun |= {holes.tobytes() for holes in records(env)["holes"]}
    assert len(begun) > (44 if make is vector else 10)


@each_kind
def test_the_seed_determines_the_opening(make):
    runs = []
    for seed in (7, 7, 8):
        env = make(opening=(2, 9))
        env.reset(seed=seed)
        env.reset()
        runs.append(records(env).tobytes())
    assert runs[0] == runs[1] != runs[2]


def test_a_game_depends_on_its_seed_and_number_only():
    assert OWARE.init(8, 3, opening=(0, 9))[:4].tobytes() == OWARE.init(4, 3, opening=(0, 9)).tobytes()


def test_without_an_opening_games_begin_as_the_rules_say():
    assert OWARE.init(3, 5, opening=0).tobytes() == OWARE.init(3, 5).tobytes()


@pytest.mark.parametrize("name", ["kalah", "qelat", "dongjintian"])
def test_openings_are_the_same_in_plain_python(name):
    game = make_game(name)
    none = game.records(game.opening(0).positions)
    compiled = game.init(4, 9, opening=(2, 5))
    plain = game.records(game.init(4, 0)).view(np.recarray)
    plain.chance = streams(np.full(4, 9, np.uint64), np.arange(4))
    words = streams(plain.chance, np.zeros(4, np.int64))
    assert game.plain.bind(kernels.open_loop)(plain, np.arange(4), words, none.view(np.recarray), 2, 5)
    assert np.asarray(plain).view(game.dtype).tobytes() == compiled.tobytes()


# Games and rounds that end.


def test_an_opening_in_which_the_game_ends_is_drawn_again():
    small = PlainGame("kalah", columns=2, seeds=1)
    states = small.init(500, 1, opening=2)
    assert (states.to_move >= 0).all() and (states.ended == 0).all()
    ended = small.init(500, 1)
    for decision in range(2):
        small.step(ended, small.sample(ended, decision))
    assert (ended.to_move < 0).any()


@each_kind
def test_an_opening_that_no_game_survives_is_an_error(make):
    env = make(opening=3000)
    with pytest.raises(ValueError, match=r"almost all openings of 3000 random decisions: choose a shorter opening"):
        env.reset(seed=1)
    if make is not raw:
        with pytest.raises(gym.error.ResetNeeded):
            env.step(np.zeros(4, np.int64) if make is vector else 0)
    env.reset(seed=1, options={"opening": 2})


@pytest.mark.parametrize("make", [lambda *game, **how: MancalaVectorEnv(*game, 3, **how), *slowly(SoloEnv, RawEnv)])
def test_positions_of_single_rounds_are_no_openings_of_campaigns(make):
    env = make("daramutu", opening=make_game("daramutu").init(2, 1))
    with pytest.raises(ValueError, match=r"belongs to daramutu, not to daramutu\(campaign=True"):
        Campaign(env)
    assert not env.game.campaign
    env.reset(seed=1)


@pytest.mark.slow
def test_nobody_is_paid_for_a_round_of_the_opening():
    shortest = 40  # most rounds are shorter
    env = RawEnv("daramutu", opening=shortest, round_reward=1.0, **CAMPAIGN)
    for seed in range(5):
        env.reset(seed=seed)
        assert env.record["round_number"] == 1 and set(env.rewards.values()) == {0.0}
    envs = MancalaVectorEnv("daramutu", 32, opening=shortest, round_reward=1.0, seat="random", **CAMPAIGN)
    _, infos = envs.reset(seed=3)
    first = np.abs(envs._match.pending_rewards) > 0
    assert (infos["round_number"][~first] == 1).all()


def at_the_end():
    """A campaign that player 1 ends with their only action."""
    return olinda_positions.last_lift(DARAMUTU, 22, 34, round_number=4)


@pytest.mark.parametrize(
    "make", [*slowly(SoloEnv), lambda *args, **kwargs: MancalaVectorEnv(*args, num_envs=3, **kwargs)]
)
@pytest.mark.parametrize("option", ["opening", "position"])
def test_positions_in_which_the_agent_never_decides_are_an_error(make, option):
    env = make(DARAMUTU, seat=0)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="ended before the learner's first decision 1000 times"):
        env.reset(seed=1, options={option: at_the_end()})
    with pytest.raises(gym.error.ResetNeeded, match="reset all games"):
        env.step(np.zeros(3, np.int64) if isinstance(env, MancalaVectorEnv) else 0)
    env.reset()
    make(DARAMUTU, seat=1, opening=at_the_end()).reset(seed=1)


# Positions, and where openings are set.


@each_kind
def test_openings_can_be_positions(make):
    positions = OWARE.init(3, 1, opening=4)
    env = make(opening=positions)
    drawn = set()
    for seed in range(40):
        env.reset(seed=seed, options=None)
        if make is raw:
            drawn.add(env.record["holes"].tobytes())
        else:
            assert (turns(env) == 4).all()
    if make is raw:
        assert drawn == {holes.tobytes() for holes in positions.holes}


@each_kind
def test_an_option_of_reset_replaces_the_opening_of_one_episode(make):
    env = make(opening=2)
    for options, expected in (({"opening": 8}, 8), (None, 2), ({"opening": 0}, 0), ({"position": OWARE.init(1, 0)}, 0)):
        env.reset(seed=1, options=options)
        assert (turns(env) == expected).all()
    env.reset(options={"opening": OWARE.init(2, 1, opening=6)})
    assert (turns(env) == 6).all()
    assert env.opening == 2


def test_a_reset_of_some_games_gives_only_these_the_opening():
    envs = vector(opening=4)
    envs.reset(seed=1)
    envs.reset(options={"opening": 10, "reset_mask": np.array([True, False, False, True])})
    assert turns(envs).tolist() == [10, 4, 4, 10]


@pytest.mark.parametrize("make", [solo, vector])
def test_set_opening_holds_from_the_next_episode_on(make):
    env = make(opening=2)
    env.reset(seed=1)
    env.set_opening(6)
    assert (turns(env) == 2).all() and env.opening == 6
    env.reset()
    assert (turns(env) == 6).all()
    with pytest.raises(TypeError, match="opening must be"):
        env.set_opening("6")
    assert env.opening == 6


def test_gymnasium_and_pettingzoo_take_openings():
    assert gym.make("mancala_envs/Oware-v0", opening=(2, 4)).unwrapped.opening == (2, 4)
    assert gym.make_vec("mancala_envs/Oware-v0", 2, opening=3).unwrapped.opening == 3
    for make in (mancala_envs.oware_v0.env, mancala_envs.oware_v0.raw_env):
        env = make(opening=5)
        env.reset(seed=1)
        assert env.unwrapped.record["turn"] == 5
    check_env(gym.make("mancala_envs/Oware-v0", opening=(2, 4)).unwrapped, skip_render_check=True)


def test_campaigns_keep_the_opening_of_the_environment_that_they_wrap():
    env = Campaign(SoloEnv("daramutu", opening=5, seat=0), max_rounds=4)
    env.reset(seed=1)
    assert env.unwrapped.record["turn"] >= 3 and env.unwrapped.record["round_number"] == 1


def test_single_agent_plays_from_openings():
    env = SingleAgent(raw(opening=4), seat=0)
    _, info = env.reset(seed=1)
    assert info["action_mask"].any() and turns(env.env) == 4


WRONG_TYPE = [
    "4",
    2.0,
    True,
    None,
    (1, 2, 3),
    (1,),
    (1, 2.0),
    (False, 2),
    {"low": 1},
    [1, "2"],
    np.array([1.0, 2.0]),
    np.array(2.5),
]


@pytest.mark.parametrize("wrong", WRONG_TYPE, ids=str)
@each_kind
def test_openings_of_a_wrong_type_are_refused(make, wrong):
    with pytest.raises(TypeError, match=r"opening must be a number of random decisions, a range \(low, high\)"):
        make(opening=wrong)


@pytest.mark.parametrize("wrong", [-1, (3, 2), (-1, 2), 2**31, 10**30, (0, 2**63)], ids=str)
@each_kind
def test_openings_out_of_range_are_refused(make, wrong):
    with pytest.raises(ValueError, match=r"opening must be from 0 to 2147483647, a range with low <= high, got"):
        make(opening=wrong)
    env = make(opening=2)
    env.reset(seed=1)
    before = records(env)
    with pytest.raises(ValueError, match="opening must be from 0"):
        env.reset(options={"opening": wrong})
    assert (before == records(env)).all()


@each_kind
def test_positions_that_cannot_be_openings_are_refused(make):
    over = OWARE.init(1, 0)
    while over.to_move[0] >= 0:
        OWARE.step(over, OWARE.sample(over, int(over.turn[0])))
    for wrong, message in (
        (over, "none of them over"),
        (over[:0], "at least one position"),
        (make_game("kalah").init(1), "must have the dtype"),
        (make_game("oware", seeds=3).init(1), "state 0 belongs to"),
    ):
        with pytest.raises(ValueError, match=message):
            make(opening=wrong)
    with pytest.raises(ValueError, match="must have a position or an opening, got both"):
        make().reset(options={"opening": 1, "position": {}})


@pytest.mark.parametrize("good", [np.int64(3), (2, 2), [0, 4], np.array([1, 3]), PLAYED[0], PLAYED])
def test_allowed_openings(good):
    assert (OWARE.init(5, 1, opening=good).to_move >= 0).all()


def test_draws_are_of_the_usual_opening():
    game = make_game("dongjintian")
    with pytest.raises(ValueError, match="give either draws or an opening"):
        game.init(1, 1, opening=2, draws=[[]])


def test_openings_in_words():
    words = {given: str(OWARE.opening(given)) for given in (0, 1, 6, (2, 8), (0, 1))}
    assert words == {
        0: "the usual opening",
        1: "openings of 1 random decision",
        6: "openings of 6 random decisions",
        (2, 8): "openings of 2 to 8 random decisions",
        (0, 1): "openings of 0 to 1 random decision",
    }
    assert [str(OWARE.opening(OWARE.init(n))) for n in (1, 2)] == ["1 given position", "2 given positions"]


# Single and vector environments, Python opponents, copies and recordings.


@each_clone
@pytest.mark.parametrize("how", [(2, 9), PLAYED], ids=["range", "positions"])
@each_kind
def test_copies_draw_the_same_openings(make, how, clone):
    env = make(opening=how)
    env.reset(seed=2)
    other = clone(env)
    for _ in range(5):
        env.reset()
        other.reset()
        assert records(env).tobytes() == records(other).tobytes()


def test_recordings_of_openings_replay(tmp_path):
    single = RecordSoloEpisodes(SoloEnv("daramutu", opening=(1, 9), **CAMPAIGN), tmp_path / "solo.jsonl")
    plain = SoloEnv("daramutu", opening=(1, 9), **CAMPAIGN)
    for one, other in zip(episode(single, seed=3), episode(plain, seed=3), strict=True):
        assert np.array_equal(one[0], other[0])
    every = RecordEpisodes(raw(opening=(1, 9)), tmp_path / "every.jsonl")
    every.reset(seed=3)
    list(random_play(every, np.random.default_rng(1)))
    for file in ("solo.jsonl", "every.jsonl"):
        (recording,) = recordings(tmp_path / file)
        *_, (_, last) = replay(recording.line)
        assert last["to_move"] == -1 and "turn=0" not in recording.line["start"]


def test_an_opening_of_a_game_is_one_for_that_game_only():
    numbers, positions = OWARE.opening((1, 2)), OWARE.opening(OWARE.init(2))
    assert OWARE.opening(numbers) is numbers and OWARE.opening(positions) is positions
    for other in (make_game("oware", seeds=3), make_game("kalah")):
        with pytest.raises(ValueError, match=r"belongs to oware|must have the dtype"):
            other.opening(positions)

"""Methods for searches: copies with their own chance, playouts, single records; and opponents that are given states."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from helpers.forms import slowly

from mancala_envs import REGISTRY, IllegalAction, kalah_v0, make_game
from mancala_envs.agents import Agent, Mixture, Puct, PuctAgent
from mancala_envs.agents.compiled import act
from mancala_envs.compliance.suites import Case, vector_parity
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import evaluate
from mancala_envs.wrappers import SingleAgent

KALAH = make_game("kalah")
CEEL = make_game("ceelkoqyuqkoqiji")


@pytest.fixture(scope="module")
def lots():
    """A campaign of Qelat before a step in which chance decides a hole."""
    game = make_game("qelat", campaign=True)
    states = game.init(500, 3)
    for decision in range(400):
        before = states.copy()
        game.step(states, game.sample(states, decision), autoreset=True)
        drew = np.flatnonzero((states.chance != before.chance) & (states.ended == 0))
        if len(drew):
            action = game.sample(before, decision)[drew[0]]
            return game, before[drew[:1]], action
    raise AssertionError("no lots were drawn")


def owners(game, states, action):
    game.step(states, np.full(len(states), action))
    return {row.tobytes() for row in states["owned"]}


def test_copies_draw_their_own_chance(lots):
    game, state, action = lots
    repeated = np.repeat(state, 200).view(np.recarray)
    assert len(owners(game, repeated, action)) == 1
    assert len(owners(game, game.copies(state, 200, seed=1), action)) == 2


def test_copies_of_a_state_are_adjacent_and_differ_only_in_chance():
    states = CEEL.init(3, 7)
    CEEL.step(states, CEEL.sample(states, 1))
    copies = CEEL.copies(states, 4, seed=2)
    assert isinstance(copies, np.recarray) and copies.shape == (12,)
    assert len(set(copies.chance.tolist())) == 12
    copies["chance"] = np.repeat(states.chance, 4)
    assert copies.tobytes() == np.repeat(states, 4).tobytes()


def test_the_same_seed_gives_the_same_chance_but_not_that_of_new_games():
    states = CEEL.init(5, 7)
    started = set(states.chance.tolist())
    one, other = CEEL.copies(states, 2, seed=7), CEEL.copies(states, 2, seed=7)
    assert one.tobytes() == other.tobytes()
    assert not started & set(one.chance.tolist())
    assert not set(CEEL.copies(states, 2, seed=8).chance.tolist()) & set(one.chance.tolist())
    assert CEEL.copies(states, 1).tobytes() != CEEL.copies(states, 1).tobytes()


def test_reseeding_is_in_place_for_any_layout():
    states = CEEL.init(6, 1)
    spaced = states[::2]
    chance = states.chance.copy()
    CEEL.reseed(spaced, seed=4)
    assert (states.chance[::2] == CEEL.copies(CEEL.init(3, 1), 1, seed=4).chance).all()
    assert (states.chance[1::2] == chance[1::2]).all()
    states.setflags(write=False)
    with pytest.raises(ValueError, match="states must not be read-only"):
        CEEL.reseed(states)


@pytest.fixture(scope="module")
def thrown():
    """Player 0 has shown fingers, which player 1 does not know."""
    game = make_game("ceelkoqyuqkoqiji", first="throw")
    states = game.init(3, 1)
    throws = np.flatnonzero(game.legal(states)[0])
    assert len(throws) == 3
    game.step(states, throws)
    return game, states, throws


def test_copies_for_a_player_replace_hidden_information(thrown):
    game, states, throws = thrown

    def first_to_lift(players):
        copies = game.copies(states[:1], 300, seed=5, players=players)
        game.step(copies, np.full(300, throws[0]))
        return {(int(s.to_move), int(s.phase)) for s in copies}

    # Player 0 knows the fingers, so they stay the same and the next throw ties. For player 1 they can be any of three.
    assert len(first_to_lift(0)) == len(first_to_lift(None)) == 1
    assert len(first_to_lift(1)) == 3


def test_each_copy_can_be_for_another_player(thrown):
    game, states, _ = thrown
    copies = game.copies(states, 2, seed=5, players=[0, 1, 0])
    hidden = (copies.thrown != np.repeat(states.thrown, 2, axis=0)).any(axis=1)
    assert hidden.tolist() == [False, False, True, True, False, False]
    with pytest.raises(ValueError, match=r"players must lie in 0\.\.1, got 2"):
        game.copies(states, 2, players=2)
    with pytest.raises(ValueError, match=r"integers of shape \(3,\)"):
        game.reseed(states, players=[0, 1])


@pytest.mark.parametrize("n", [0, -1, 1.0, True, "2"])
def test_the_number_of_copies_must_be_a_positive_integer(n):
    with pytest.raises(ValueError, match="n must be an integer of at least 1"):
        KALAH.copies(KALAH.init(1, 0), n)


# Playouts.


def by_steps(game, states, agent, seed):
    """Return the sums of rewards when `step` plays all games to their ends."""
    states, paid = states.copy(), np.zeros((len(states), game.num_players))
    rng = np.random.default_rng(seed)
    while (states.to_move >= 0).any():
        paid += game.step(states, act(game, states, agent, int(rng.integers(2**63))))
    return paid


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_playouts_give_the_rewards_of_steps(agent):
    states = KALAH.init(300, 2)
    before = states.tobytes()
    rewards = KALAH.playout(states, seed=1, agent=agent)
    assert rewards.shape == (300, 2) and rewards.dtype == np.float64
    assert states.tobytes() == before
    assert (rewards.sum(axis=1) == 0).all() and set(np.unique(rewards)) <= {-1.0, 0.0, 1.0}
    # The means differ by less than four standard errors.
    other = by_steps(KALAH, states, agent, 3)
    assert abs(rewards[:, 0].mean() - other[:, 0].mean()) < 4 * np.sqrt(2 / 300)


def test_a_decided_game_pays_the_winner():
    # All seeds but two are in the stores.
    states = KALAH.load(holes=[0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], store=[10, 36])
    assert KALAH.playout(states, seed=0).tolist() == [[-1.0, 1.0]]
    over = states.copy()
    KALAH.step(over, [5])
    assert over[0].to_move == -1 and KALAH.playout(over).tolist() == [[0.0, 0.0]]


def test_a_playout_depends_on_its_seed_and_pays_every_round():
    game = make_game("qelat", campaign=True, columns=2, max_rounds=3, round_reward=0.1)
    states = game.init(50, 1)
    one, other = game.playout(states, seed=1), game.playout(states, seed=1)
    assert (one == other).all() and (one != game.playout(states, seed=2)).any()
    np.testing.assert_allclose(one.sum(axis=1), 0, atol=1e-6)
    assert set(np.unique(one)) - {-1.0, 0.0, 1.0}, "rounds were not paid"


def test_playouts_refuse_an_unknown_agent():
    with pytest.raises(ValueError, match="agent must be one of random, greedy, got 'clever'"):
        KALAH.playout(KALAH.init(1, 0), agent="clever")


# Single records.


def test_a_single_record_is_a_batch_of_one():
    states = KALAH.init(3, 5)
    KALAH.step(states, [2, 3, 4])
    for i, record in enumerate(states):
        batch = states[i : i + 1]
        for name in ("legal", "legal_bits", "observe"):
            np.testing.assert_array_equal(getattr(KALAH, name)(record), getattr(KALAH, name)(batch))
        for name in ("sample", "playout"):
            np.testing.assert_array_equal(getattr(KALAH, name)(record, 3), getattr(KALAH, name)(batch, 3))
        assert KALAH.text(record) == KALAH.text(batch) and KALAH.board(record) == KALAH.board(batch)
        assert KALAH.copies(record, 5, 1).tobytes() == KALAH.copies(batch, 5, 1).tobytes()
        assert (act(KALAH, record, "greedy", 1) == act(KALAH, batch, "greedy", 1)).all()


def test_a_single_record_is_played_in_place():
    states, others = KALAH.init(3, 5), KALAH.init(3, 5)
    final = KALAH.init(1, 0)
    assert KALAH.step(states[1], [2], final=final[0]).shape == (1, 2)
    KALAH.step(others[1:2], [2])
    assert states.tobytes() == others.tobytes()
    KALAH.play_random(states[1], 7, seed=1)
    KALAH.play_random(others[1:2], 7, seed=1)
    KALAH.reseed(states[2], seed=1)
    KALAH.reseed(others[2:], seed=1)
    assert states.tobytes() == others.tobytes()
    states.setflags(write=False)
    with pytest.raises(ValueError, match="states must not be read-only"):
        KALAH.step(states[0], [2])


# Opponents that ask for states.


class MonteCarlo:
    """A search that plays twenty playouts of each action."""

    def act(self, states, seed):
        return [self.best(state, seed) for state in states]

    def best(self, state, seed):
        actions = np.flatnonzero(KALAH.legal(state)[0])
        tries = KALAH.copies(state, 20 * len(actions), seed)
        paid = KALAH.step(tries, np.repeat(actions, 20)) + KALAH.playout(tries, seed)
        return actions[paid[:, state.to_move].reshape(-1, 20).mean(axis=1).argmax()]


class Watching:
    """Plays the first legal action and records the states and seeds it is given."""

    def __init__(self, game, answer=None):
        self.game, self.answer = game, answer
        self.seen, self.seeds = [], []

    def act(self, states, seed):
        self.seen.append(states.copy())
        self.seeds.append(seed)
        return self.game.legal(states).argmax(axis=1) if self.answer is None else self.answer


def test_a_search_can_be_learner_and_opponent():
    assert evaluate("random", "kalah", MonteCarlo(), games=30, seed=1).interval[1] < 0.5
    assert evaluate(MonteCarlo(), "kalah", Mixture((MonteCarlo(), "random"), (1, 9)), games=30).interval[0] > 0.5
    assert evaluate(MonteCarlo(), "kalah", games=6) == evaluate(MonteCarlo(), "kalah", games=6)


def test_single_and_vector_environments_ask_a_search_the_same_questions():
    alone, together = Watching(KALAH), Watching(KALAH)
    solo, envs = SoloEnv("kalah", opponent=alone, seat=0), MancalaVectorEnv("kalah", 1, opponent=together, seat=0)
    _, info = solo.reset(seed=3)
    envs.reset(seed=3)
    for _ in range(5):
        action = info["action_mask"].argmax()
        info = solo.step(action)[-1]
        envs.step(np.array([action]))
    assert alone.seeds == together.seeds and len(set(alone.seeds)) == len(alone.seeds) > 0
    assert all(one.tobytes() == other.tobytes() for one, other in zip(alone.seen, together.seen, strict=True))


class Lucky:
    """Plays a random legal action, drawn by the seed it is given."""

    def act(self, states, seed):
        return KALAH.sample(states, seed)


def guided():
    """A tree search with equal priors and noise, for fewer games at once than the batch in the test."""

    def network(leaves):
        return np.ones((len(leaves), KALAH.num_actions)), np.zeros((len(leaves), KALAH.num_players))

    return PuctAgent(Puct(KALAH, 3, 4, noise=(1.0, 1.0)), network)


@pytest.mark.parametrize(
    "opponent",
    ["mcts:4", "minimax:1", Agent(KALAH, "random"), Lucky(), guided()],
    ids=["mcts", "minimax", "random", "lucky", "guided"],
)
def test_each_game_of_a_batch_plays_like_a_single_game_with_its_seed(opponent):
    vector_parity(Case(REGISTRY["kalah"]), AutoresetMode.NEXT_STEP, opponent=opponent)


def test_single_agent_accepts_a_search():
    search = Watching(KALAH)
    env = SingleAgent(kalah_v0.raw_env(), search, seat=1)
    _, info = env.reset(seed=1)
    env.step(info["action_mask"].argmax())
    assert search.seen and all(s.shape == (1,) and s.to_move == 0 for s in search.seen)
    seeds = search.seeds[:]
    search.seeds.clear()
    env.reset(seed=1)
    assert search.seeds == seeds[: len(search.seeds)]


@pytest.mark.parametrize("make", [*slowly(SoloEnv), MancalaVectorEnv])
def test_a_search_knows_neither_chance_nor_secrets(make):
    game = make_game("ceelkoqyuqkoqiji", first="throw")
    search = Watching(game)
    env = make("ceelkoqyuqkoqiji", opponent=search, seat=0, first="throw")
    _, info = env.reset(seed=1)
    finger = int(np.flatnonzero(np.atleast_2d(info["action_mask"])[0])[2])
    env.step(np.array([finger]) if make is MancalaVectorEnv else finger)
    asked = search.seen[0]
    known = game.init(1, 1)
    game.step(known, [finger])
    game.reseed(known, players=1)
    assert asked.to_move == 1 and (asked.thrown == known.thrown).all()
    assert asked.chance != (env.states if make is MancalaVectorEnv else env.record)["chance"]


@pytest.mark.parametrize("answer", [[0.5], [1, 2], ["x"]])
def test_wrong_actions_of_a_search_are_refused(answer):
    search = Watching(KALAH, answer)
    makers = (
        lambda: SoloEnv("kalah", opponent=search, seat=1),
        lambda: MancalaVectorEnv("kalah", 1, opponent=search, seat=1),
        lambda: SingleAgent(kalah_v0.raw_env(), search, seat=1),
    )
    for make in makers:
        with pytest.raises(TypeError, match=r"agent <.*Watching object"):
            make().reset(seed=1)
    illegal = Watching(KALAH, [77])
    for make in (
        lambda: SoloEnv("kalah", opponent=illegal, seat=1),
        lambda: SingleAgent(kalah_v0.raw_env(), illegal, seat=1),
    ):
        with pytest.raises(IllegalAction, match=r"by opponent <.*Watching object"):
            make().reset(seed=1)


def test_an_opponent_with_act_that_is_callable_is_called():
    class Both(Watching):
        def __call__(self, observation, mask):
            return mask.argmax()

    both = Both(KALAH)
    SoloEnv("kalah", opponent=both, seat=1).reset(seed=1)
    assert not both.seen

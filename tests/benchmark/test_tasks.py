"""The tasks of the benchmark, its version, and games against the ladder."""

import numpy as np
import pytest
from pettingzoo import AECEnv

from mancala_envs import benchmark, make_game
from mancala_envs.agents import Agent
from mancala_envs.benchmark import LADDER, TASKS, Task
from mancala_envs.benchmark.play import play
from mancala_envs.core.opening import OPENING

KALAH = benchmark.task("kalah")


def test_six_games_and_four_campaigns_have_one_reason_each():
    campaigns = [task.game.campaign for task in TASKS.values()]
    assert campaigns == 6 * [False] + 4 * [True]
    assert len({task.reason for task in TASKS.values()}) == len(TASKS) == 10
    assert TASKS["ceelkoqyuqkoqiji_campaign"].game.options["first"] == "throw", "throws are hidden"


@pytest.mark.parametrize("name", ["kalah", "ceelkoqyuqkoqiji_campaign"])
def test_a_task_makes_the_environments_of_its_game_with_random_openings(name):
    task = TASKS[name]
    env, envs, aec = task.make(), task.make_vec(3), task.make_aec()
    for one in (env.unwrapped, envs.unwrapped, aec.unwrapped):
        assert one.game.header == task.game.header and one.opening == OPENING
    _, info = env.reset(seed=1)
    env.step(info["action_mask"].argmax())
    _, infos = envs.reset(seed=1)
    envs.step(infos["action_mask"].argmax(1))
    assert isinstance(aec, AECEnv)
    assert task.make(opponent="random", opening=0).unwrapped.opening == 0


def test_an_unknown_task_is_refused():
    with pytest.raises(ValueError, match=r"no task 'kala' \(did you mean 'kalah'\?\); there are kalah, oware"):
        benchmark.task("kala")


def test_the_fingerprint_changes_with_the_rules():
    assert Task("kalah", "kalah", "", {"seeds": 3}).fingerprint != KALAH.fingerprint
    with_another_network = Task("oware", "kalah", "")
    assert with_another_network.fingerprint != KALAH.fingerprint
    with pytest.raises(ValueError, match="trained for oware"):
        with_another_network.opponent("expert:500")
    assert Task("kalah", "kalah", "another reason").fingerprint == KALAH.fingerprint


def test_an_expert_of_the_ladder_explores_as_it_did_when_this_version_was_made():
    task = benchmark.task("nerenchi_keliya")
    states = task.game.init(20, 3, opening=OPENING)
    played, as_then, as_now = (
        agent.act(states, 4).tolist()
        for agent in (
            task.opponent("expert:500"),
            *(Agent(task.game, "expert:500", network=task._network, exploration=each) for each in (1.0, None)),
        )
    )
    assert played == as_then != as_now


def test_the_same_seed_gives_the_same_openings_to_every_agent_and_each_is_played_from_both_seats():
    """With no more than the opening to decide by, the first decision in seat 0 and in seat 1 comes from one state."""
    begins = {}
    for name in ("first", "last"):

        class Spy:
            def __init__(self, last):
                self.last, self.seen = last, []

            def act(self, states, seed):
                self.seen.append(states.copy())
                legal = KALAH.game.legal(states)
                return legal.shape[1] - 1 - legal[:, ::-1].argmax(1) if self.last else legal.argmax(1)

        spy = Spy(name == "last")
        play(KALAH, spy, 5, openings=4)
        begins[name] = spy.seen[0]["holes"]
    expected = KALAH.game.init(4, 5, opening=OPENING)
    to_move = expected["to_move"]
    order = np.concatenate([expected["holes"][to_move == seat] for seat in (0, 1)])
    for holes in begins.values():
        assert np.array_equal(holes, order), "all openings in which the agent is to move, in seat 0 and then in seat 1"


def test_a_result_depends_on_the_seed_only_and_its_score_follows_from_the_games():
    found, again, other = (play(KALAH, "greedy", seed, openings=3) for seed in (1, 1, 2))
    assert found["games"] == again["games"] != other["games"]
    assert list(found["games"]) == list(LADDER)
    value = {"W": 1, "D": 0.5, "L": 0}
    by_hand = [np.mean([value[game] for game in "".join(seats)]) for seats in found["games"].values()]
    assert found["score"] == pytest.approx(100 * np.mean(by_hand), abs=0.02)
    for opponent, seats in found["points"].items():
        assert np.mean(seats) == pytest.approx(by_hand[LADDER.index(opponent)], abs=1e-4)
    assert found["decisions"] > 30 and found["cpu_ms"] > 0 == found["illegal"]


@pytest.mark.parametrize("action", [-1, 6, 10**12])
def test_an_illegal_action_loses_the_game_and_is_counted(action):
    result = play(KALAH, lambda observations, masks: np.full(len(masks), action), 0, openings=2)
    assert result["score"] == 0 and result["illegal"] == 2 * 2 * len(LADDER)


def test_one_illegal_action_loses_only_its_own_game():
    calls = iter(range(10**6))

    def policy(observations, masks):
        actions = masks.argmax(1)
        if not next(calls):
            actions[0] = -1
        return actions

    assert play(KALAH, policy, 0, openings=2)["illegal"] == 1


def test_later_rounds_of_campaigns_begin_with_random_decisions():
    task, raw = TASKS["congkak_campaign"], []
    play(task, "random", 0, 1, watch=lambda states: states is not None and raw.append(states.copy()))
    states = np.concatenate(raw)
    begins = (states["round_number"] > 1) & (states["phase"] == 0) & (states["turn"] == 0)
    assert (states["round_number"] > 1).any() and not begins.any()


def test_experts_without_weights_play_with_any_options():
    """The task of Ceelkoqyuqkoqiji needs one; a network still refuses other options."""
    game = make_game("ceelkoqyuqkoqiji", campaign=True, first="throw")
    assert Agent(game, "expert:50").act(game.init(1, 0), 0)[0] >= 0
    with pytest.raises(ValueError, match=r"trained for kalah, not for kalah\(seeds=3\)"):
        Agent(make_game("kalah", seeds=3), "expert")

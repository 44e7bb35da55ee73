"""Our games in OpenSpiel: the same play, explicit chance, hidden information, and OpenSpiel's algorithms."""

import numpy as np
import pytest

from mancala_envs import REGISTRY, make_game
from mancala_envs.compliance.suites import SUITES, cases

pyspiel = pytest.importorskip("pyspiel")
adapter = pytest.importorskip("mancala_envs.integrations.open_spiel")

CASES = cases(list(REGISTRY))
OF_EACH_KIND = cases(["kalah", "qelat", "ceelkoqyuqkoqiji", "zigulzoqge", "niranchy", "pancha_keliya"])
"""`make check` runs OpenSpiel's simulation on all games."""
EVERY = [(case.entry.name, case.options) for case in CASES]
MANY = 300
"""Number of decisions after which no further game is compared."""
VARIANTS = [
    ("saturankam", {"players": 3, "chop": "landing"}),
    ("kalah", {"reward": "margin"}),
    ("daramutu", {"campaign": True, "max_rounds": 3, "round_reward": 0.5}),
    ("zigulzoqge", {"players": 3}),
    ("ceelkoqyuqkoqiji", {"first": "player_0", "prices": (5, 5), "hole_price": 4}),
    ("ceelkoqyuqkoqiji", {"first": "throw", "players": 4, "columns": 1, "campaign": True, "max_rounds": 3}),
    ("ceelkoqyuqkoqiji", {"players": 4, "columns": 1, "campaign": True, "reward": "margin", "round_reward": 1.0}),
]


def load(name, **options):
    """Load a game in OpenSpiel with our options."""
    written = {key: " ".join(map(str, value)) if isinstance(value, tuple) else value for key, value in options.items()}
    return pyspiel.load_game(f"mancala_envs_{name}", written)


def after(state, *actions):
    """Return a copy of `state` after some actions."""
    state = state.clone()
    for action in actions:
        state.apply_action(action)
    return state


def random_play(game, seed):
    """Play a random game; return (state, action, its draws) for every decision, and the final state."""
    rng, state, steps = np.random.default_rng(seed), game.new_initial_state(), []
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        if not state.is_chance_node():
            steps.append((state.clone(), action, []))
        elif steps:
            steps[-1][2].append(action)
        state.apply_action(action)
    return steps, state


@pytest.mark.parametrize("case", OF_EACH_KIND, ids=lambda case: case.name)
def test_open_spiels_simulation_passes(case):
    SUITES["open_spiel"].run(case)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_open_spiels_simulation_passes_with_options(name, options):
    pyspiel.random_sim_test(load(name, **options), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "options"), EVERY + VARIANTS)
def test_play_is_the_same_as_with_the_rules(name, options):
    game, rules = load(name, **options), make_game(name, **options)
    assert (game.num_players(), game.num_distinct_actions()) == (rules.num_players, rules.num_actions)
    played = 0
    for seed in range(3):
        if played > MANY:
            break
        steps, last = random_play(game, seed)
        played += len(steps)
        states, returns = rules.parse(str(steps[0][0])), np.zeros(rules.num_players)
        for state, action, draws in steps:
            assert str(state) == rules.text(states)
            mover = int(states[0].to_move)
            assert state.current_player() == mover
            assert state.legal_actions() == np.flatnonzero(rules.legal(states)[0]).tolist()
            assert state.action_to_string(action) == rules.names_for(mover)[action]
            high = np.array([max(column.high, 1) for column in rules.observation_fields])
            for player in (mover, (mover + 1) % rules.num_players):
                tensor = np.array(state.observation_tensor(player)) * high
                np.testing.assert_allclose(tensor, rules.observe(states, player)[0], rtol=1e-6)
            returns += rules.step(states, [action], draws=[draws])[0]
        assert last.returns() == pytest.approx(returns.tolist(), abs=1e-6)


@pytest.mark.parametrize(("name", "options"), EVERY + VARIANTS)
def test_chance_mode_is_correct(name, options):
    rules = make_game(name, **options)
    states = rules.init(256, seed=1)
    chance = states.chance.copy()
    for decision in range(2000):
        rules.step(states, rules.sample(states, seed=decision), autoreset=True)
    assert (states.chance != chance).any() == rules.has_chance


def test_a_draw_is_a_chance_node_with_an_outcome_for_each_result():
    rules = make_game("qelat", campaign=True, max_rounds=2)
    game = load("qelat", campaign=True, max_rounds=2)
    lots = [step for seed in range(30) for step in random_play(game, seed)[0] if step[2]]
    assert lots
    for state, action, drawn in lots[:5]:
        node = after(state, action)
        assert drawn in ([0], [1])
        assert node.current_player() == pyspiel.PlayerId.CHANCE
        assert node.chance_outcomes() == [(0, 0.5), (1, 0.5)]
        for result in (0, 1):
            states = rules.parse(str(state))
            rewards = rules.step(states, [action], draws=[[result]])
            assert str(after(node, result)) == rules.text(states)
            assert after(node, result).returns() == rewards[0].tolist()


def test_the_first_player_is_drawn_before_the_first_decision():
    state = load("ceelkoqyuqkoqiji").new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert [after(state, result).current_player() for result in (0, 1)] == [0, 1]


def test_a_chosen_finger_is_known_to_its_player_only():
    thumb = make_game("ceelkoqyuqkoqiji").action_names.index("throw the thumb")
    start = load("ceelkoqyuqkoqiji", first="throw").new_initial_state()
    thrown = [after(start, thumb + finger) for finger in range(3)]
    for player, kinds in ((0, 3), (1, 1)):
        assert len({state.information_state_string(player) for state in thrown}) == kinds
        assert len({state.observation_string(player) for state in thrown}) == kinds
        assert len({tuple(state.observation_tensor(player)) for state in thrown}) == kinds
    # Once both have chosen, both fingers are public.
    for player in (0, 1):
        assert len({after(state, thumb).information_state_string(player) for state in thrown}) == 3


@pytest.mark.parametrize(
    ("name", "options", "deterministic", "perfect"),
    [
        ("kalah", {}, True, True),
        ("qelat", {}, True, True),
        ("qelat", {"campaign": True}, False, True),
        ("ceelkoqyuqkoqiji", {}, False, True),
        ("ceelkoqyuqkoqiji", {"first": "player_0"}, True, True),
        ("ceelkoqyuqkoqiji", {"first": "throw"}, False, False),
    ],
)
def test_the_type_follows_from_the_options(name, options, deterministic, perfect):
    kind = load(name, **options).get_type()
    assert (kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC) == deterministic
    assert (kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION) == perfect


def test_parameters_are_those_of_open_spiel():
    game = pyspiel.load_game("mancala_envs_qelat(columns=2,campaign=True,max_rounds=2,reading=summary)")
    assert game.rules.options["columns"] == 2 and game.rules.campaign
    assert str(game) == "mancala_envs_qelat(campaign=True,columns=2,max_rounds=2,reading=summary)"
    assert pyspiel.load_game("mancala_envs_ceelkoqyuqkoqiji(prices=5 4)").rules.options["prices"] == (5, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qelat(columns=1)", "columns=1 is not allowed; it must be an integer of at least 2"),
        ("qelat(reading=tale)", "'text', 'summary'"),
        ("qelat(max_rounds=2)", "max_rounds needs campaign=True"),
        ("qelat(rows=2)", "Unknown parameter 'rows'"),
        ("kalah(campaign=True)", "Unknown parameter 'campaign'"),
        ("ceelkoqyuqkoqiji(prices=five)", "prices='five' is not allowed; it must be 2 integers"),
    ],
)
def test_invalid_parameters_are_refused(text, message):
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        pyspiel.load_game(f"mancala_envs_{text}")


def test_observers_of_the_two_usual_types():
    game = load("kalah")
    with pytest.raises(ValueError, match="take no parameters"):
        game.make_py_observer(params={"size": 3})
    with pytest.raises(ValueError, match="SINGLE_PLAYER"):
        game.make_py_observer(
            pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
        )
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert observer.tensor is None
    with pytest.raises(ValueError, match="only a string"):
        observer.set_from(game.new_initial_state(), 0)


# OpenSpiel's algorithms.


def value_by_search(rules, states):
    """Return player 0's reward under best play, by exhaustive search with the rules."""
    if states[0].to_move < 0:
        return None
    values = []
    for action in np.flatnonzero(rules.legal(states)[0]):
        following = states.copy()
        reward = float(rules.step(following, [action])[0, 0])
        later = value_by_search(rules, following)
        values.append(reward if later is None else later)
    return max(values) if states[0].to_move == 0 else min(values)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kalah", {"columns": 2, "seeds": 2, "reward": "margin"}),
        ("qelat", {"columns": 2, "reward": "margin", "max_turns": 8}),
    ],
)
def test_alpha_beta_finds_the_value(name, options):
    from open_spiel.python.algorithms import minimax

    rules = make_game(name, **options)
    value, _ = minimax.alpha_beta_search(load(name, **options))
    assert value == pytest.approx(value_by_search(rules, rules.init(1)), abs=1e-6)


@pytest.mark.slow
def test_mcts_beats_random_play():
    from open_spiel.python.algorithms import mcts

    game, won = load("kalah", seeds=2), 0
    for seed in range(10):
        rng = np.random.RandomState(seed)
        search = mcts.MCTSBot(game, 1.4, 40, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
        seat, state = seed % 2, game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == seat
            state.apply_action(search.step(state) if mine else int(rng.choice(state.legal_actions())))
        won += state.returns()[seat] > 0
    # Random play would pass once in 90 tries.
    assert won >= 9


def test_counterfactual_regret_minimisation_converges():
    from open_spiel.python.algorithms import cfr, exploitability

    solver = cfr.CFRSolver(load("kalah", columns=2, seeds=2))
    regrets = []
    for _ in range(20):
        regrets.append(exploitability.nash_conv(load("kalah", columns=2, seeds=2), solver.average_policy()))
        solver.evaluate_and_update_policy()
    assert regrets[0] == 1.25 and regrets[-1] < 0.1


@pytest.mark.slow
def test_outcome_sampling_with_hidden_information():
    from open_spiel.python.algorithms import external_sampling_mccfr

    game = load("ceelkoqyuqkoqiji", first="throw", players=4, columns=1, seeds=1, max_turns=1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    solver.iteration()
    state = game.new_initial_state()
    policy = solver.average_policy()
    second = [policy.action_probabilities(after(state, finger)) for finger in state.legal_actions()]
    assert second[0] == second[1] == second[2] and len(second[0]) == 3


def test_open_spiels_rl_environment():
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(load("qelat", campaign=True, max_rounds=2))
    env.seed(1)
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == len(env.game.rules.observation_fields)
        step = env.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == 0

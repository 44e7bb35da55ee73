"""Games given as a `Game`, a name, a name with options or an id, wherever a game is taken."""

import inspect
import sys
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from books import tic_tac_toe

from mancala_envs import agents, evaluation, learning, make_game, wrappers
from mancala_envs.agents import Agent, Evaluator, Puct, expert_for
from mancala_envs.agents.compiled import act, playout
from mancala_envs.agents.solve import Solver, most_left, solve, solve_by_graph
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import evaluate, standings_for
from mancala_envs.evaluation.solving import game_to_solve
from mancala_envs.evaluation.tournament import Tournament
from mancala_envs.game import Game
from mancala_envs.learning import SelfPlayGames
from mancala_envs.learning.settings import Settings
from mancala_envs.learning.value_training import plain_network
from mancala_envs.play.session import begin_session
from mancala_envs.registry import REGISTRY, read_game
from mancala_envs.studies.options import Plan
from mancala_envs.text_play import Regrets, Scripted, TextGame
from mancala_envs.wrappers import late_starts, recorded, symmetries

SMALL = "kalah(seeds=1)"
STATES = make_game(SMALL).init(1, 0)
LATE = make_game(SMALL).load(holes=[0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0], store=[5, 4])


@pytest.mark.parametrize(
    ("given", "header"),
    [
        ("kalah", "kalah"),
        ("kalah(seeds=3)", "kalah(seeds=3)"),
        ("kalah(seeds=3, columns=4)", "kalah(columns=4,seeds=3)"),
        ("qelat(campaign=True,columns=4)", "qelat(columns=4,campaign=True)"),
        ("mancala_envs/Kalah-v0", "kalah"),
        ("mancala_envs:mancala_envs/Kalah-v0", "kalah"),
        ("mancala_envs/QelatCampaign-v0", "qelat(campaign=True)"),
        (make_game("qelat", campaign=True, columns=4), "qelat(columns=4,campaign=True)"),
    ],
    ids=str,
)
def test_make_game_takes_names_options_as_text_ids_and_games(given, header):
    assert make_game(given).header == header
    assert make_game(make_game(given).header).header == header


@pytest.mark.parametrize("twice", ["seeds=3,seeds=4", "campaign=True,campaign=False"])
def test_an_option_can_be_given_once(twice):
    with pytest.raises(ValueError, match=f"option {twice.partition('=')[0]} is given twice in 'qelat"):
        make_game(f"qelat({twice})")


def test_a_game_without_changes_is_returned_as_it_is():
    game = make_game("kalah(seeds=3)")
    assert make_game(game) is game
    changed = make_game(game, columns=4)
    assert changed.header == "kalah(columns=4,seeds=3)" and game.header == "kalah(seeds=3)"
    assert make_game(make_game("qelat", columns=4), campaign=True).header == "qelat(columns=4,campaign=True)"
    assert make_game("kalah(seeds=3)", seeds=5).header == "kalah(seeds=5)"
    # The price of a hole is by default the number of seeds in it.
    prices = make_game(make_game("ceelkoqyuqkoqiji", campaign=True), seeds=3).options
    assert prices["hole_price"] == prices["debt_limit"] == 3


@pytest.mark.parametrize("name", REGISTRY)
def test_read_game_reads_what_header_writes(name):
    assert read_game(name) == (name, False, {})
    assert read_game(REGISTRY[name].id) == (name, False, {})
    if REGISTRY[name].has_campaign:
        assert read_game(REGISTRY[name].campaign_id, columns=4) == (name, True, {"columns": 4})


def test_an_id_of_the_user_keeps_its_options():
    gym.register("test/SmallKalah-v0", "mancala_envs.envs.solo:SoloEnv", kwargs={"game": "kalah", "seeds": 3})
    try:
        assert make_game("test/SmallKalah-v0").header == "kalah(seeds=3)"
        assert make_game("test/SmallKalah-v0", seeds=2).header == "kalah(seeds=2)"
    finally:
        del gym.registry["test/SmallKalah-v0"]


def of_tournament(tournament):
    return make_game(tournament.name, tournament.campaign, **tournament.options)


TAKERS = {
    "Evaluator": lambda game: Evaluator(game, plain_network(make_game(game))).game,
    "MancalaVectorEnv": lambda game: MancalaVectorEnv(game, 2).game,
    "Plan": lambda game: next(make_game(name, **options) for name, options in Plan(game).subjects.items()),
    "Puct": lambda game: Puct(game, 1, 1).game,
    "RawEnv": lambda game: RawEnv(game).game,
    "Scripted": lambda game: Scripted(game, "greedy")._game,
    "Agent": lambda game: Agent(game, "minimax:1").game,
    "SelfPlayGames": lambda game: SelfPlayGames(game, 1, 1).game,
    "Settings": lambda game: Settings(game, out=Path("nowhere")).make_game(),
    "SoloEnv": lambda game: SoloEnv(game).game,
    "Solver": lambda game: Solver(game)._game,
    "TextGame": lambda game: TextGame(game).game,
    "Tournament": lambda game: of_tournament(Tournament(game, ["random", "greedy"], opening=1)),
    "begin_session": lambda game: begin_session(game, False, {}, [0], "random", 1).game,
    "make_game": make_game,
}  # fmt: skip


@pytest.mark.parametrize("name", TAKERS)
@pytest.mark.parametrize("given", [SMALL, make_game(SMALL)], ids=["name", "Game"])
def test_everything_that_takes_a_game_takes_a_name_and_a_game(name, given):
    assert TAKERS[name](given).header == SMALL


@pytest.mark.parametrize("name", TAKERS)
def test_everything_that_takes_a_game_suggests_a_similar_name(name):
    with pytest.raises(
        ValueError, match=r"there is no game 'kalha' \(did you mean 'kalah'\?\); there are kalah, oware"
    ):
        TAKERS[name]("kalha")


@pytest.mark.parametrize("given", [SMALL, make_game(SMALL)], ids=["name", "Game"])
def test_functions_take_a_name_and_a_game(given):
    assert solve(given, LATE).value == solve_by_graph(given, LATE).value is not None
    assert most_left(given, STATES, 1) >= 0
    assert act(given, STATES, "greedy", 0).shape == (1,)
    assert playout(given, STATES, "random", 0).shape == (1, 2)
    assert evaluate("random", given, games=4, opening=0).games == 4
    assert recorded(given, STATES, [])["options"]["seeds"] == 1
    assert symmetries(given) == []
    assert Regrets(given).values(STATES)
    assert game_to_solve(given, False, {}).options["seeds"] == 1


@pytest.mark.parametrize("module", [agents, evaluation, learning, wrappers], ids=lambda module: module.__name__)
def test_every_public_name_that_takes_a_game_takes_a_name(module):
    functions = {name: getattr(module, name) for name in module.__all__ if name != "Solved"}  # A result, no function.
    makers = {name: each.__init__ if inspect.isclass(each) else each for name, each in functions.items()}
    types = {name: inspect.get_annotations(make).get("game", "str") for name, make in makers.items() if callable(make)}
    refuse = [name for name, type_of_game in types.items() if "str" not in str(type_of_game)]
    assert not refuse, f"{refuse} take no names of games"


def test_the_tables_of_the_package_take_a_name_with_options():
    assert expert_for("qelat(campaign=True)").plays == standings_for("qelat(campaign=True)").plays


def test_late_starts_take_an_id():
    (states, *_) = late_starts("qelat(campaign=True,max_rounds=2)", 4)
    assert (states["round_number"] == 2).all()


@pytest.mark.parametrize(
    ("given", "suggested"),
    [
        ("Kalah", "kalah"),
        ("togyz kumalak", "togyz_kumalak"),
        ("mancala_envs/Kalah-v1", "mancala_envs/Kalah-v0"),
        ("mancala_envs/qelatcampaign-v0", "mancala_envs/QelatCampaign-v0"),
        ("kala(seeds=3)", "kalah"),
    ],
)
def test_near_misses_are_suggested(given, suggested):
    with pytest.raises(ValueError, match=rf"did you mean '{suggested}'\?"):
        make_game(given)


def test_near_misses_of_options_and_agents_are_suggested():
    with pytest.raises(TypeError, match=r"kalah has no option 'seed' \(did you mean 'seeds'\?\); it has columns"):
        make_game("kalah", seed=3)
    for given, meant in (("minmax:6", "minimax"), ("gredy", "greedy")):
        with pytest.raises(ValueError, match=rf"got '{given}' \(did you mean '{meant}'\?\); there is no such file"):
            Agent("kalah", given)


def test_a_game_of_its_own_book_plays_in_every_environment():
    game = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
    env = RawEnv(game)
    env.reset(seed=1)
    assert env.metadata["name"] == "tic_tac_toe" and env.game is game
    assert SoloEnv(game, opponent="mcts:20").reset(seed=1)[1]["action_mask"].sum() in (8, 9)
    assert evaluate("mcts:20", game, "random", games=10).games == 10


def test_the_record_of_every_environment_has_one_name():
    solo, aec = SoloEnv("kalah", seat=0), RawEnv("kalah")
    for env in (solo, aec):
        env.reset(seed=1)
        assert env.record["holes"].tolist() == [[4] * 12] and env.record.dtype == make_game("kalah").dtype
        env.record["holes"] = 0
        assert env.record["holes"].sum() == 48, "it is a copy"
    assert not hasattr(solo, "state") and np.asarray(aec.state()).dtype == np.uint8


def test_programs_take_options_as_text_and_ids(monkeypatch, capsys):
    from mancala_envs.scripts.maintenance.analyse import main

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["analyse.py", *words, "--random", "--games", "5"])
        main()
        return capsys.readouterr().out.splitlines()[0]

    assert run(SMALL) == f"{SMALL}, 5 random games"
    assert run("mancala_envs/Kalah-v0", "--option", "seeds=1") == f"{SMALL}, 5 random games"
    with pytest.raises(SystemExit):
        run("kalha")
    assert "argument GAME: there is no game 'kalha' (did you mean 'kalah'?)" in capsys.readouterr().err

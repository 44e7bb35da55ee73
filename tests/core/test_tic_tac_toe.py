"""Tic-tac-toe, a game outside the mancala family, passes the tests of all registered games."""

import pytest
from books import tic_tac_toe
from helpers.contract import check_contract, every_contract_test
from helpers.forms import slowly
from helpers.positions import perft
from helpers.registered import registered

from mancala_envs.compliance.suites import NOTHING, SUITES, Case
from mancala_envs.compliance.table import MISSING, PASSED, outcome
from mancala_envs.core.book import RuleBook
from mancala_envs.evaluation import evaluate
from mancala_envs.registry import Entry, make_game
from mancala_envs.wrappers import symmetries

HERE = [name for name, suite in SUITES.items() if not suite.environment and name not in ("speed", "torchrl")]
"""Suites that are left out: tic-tac-toe ends too soon for them, and TorchRL's plays on without a mask after its end."""
ENTRY = Entry("tic_tac_toe", "TicTacToe", 0, book_module="books.tic_tac_toe")


@pytest.fixture(scope="module", autouse=True)
def in_the_registry():
    with registered(ENTRY):
        yield


def test_perft_gives_the_known_counts():
    game = make_game("tic_tac_toe")
    assert perft(game, game.init(1, 0), 6) == [9, 72, 504, 3024, 15120, 54720]


def test_the_book_declares_no_symmetries():
    assert isinstance(tic_tac_toe.RULE_BOOK, RuleBook)
    assert symmetries(make_game("tic_tac_toe")) == []


@every_contract_test
def test_the_contract_of_all_games_holds(contract_test, tmp_path):
    check_contract(contract_test, "tic_tac_toe", tmp_path)


@pytest.mark.parametrize("suite", [*(name for name in HERE if name != "render"), *slowly("render")])
def test_the_compliance_suites_pass(suite):
    if suite == "open_spiel":
        pytest.importorskip("pyspiel")
        from mancala_envs.integrations.open_spiel import register

        register(ENTRY)
    result = outcome(SUITES[suite], Case(ENTRY))
    assert result in (PASSED, NOTHING, MISSING)


def test_always_taking_the_first_empty_point_beats_random_play():
    score = evaluate(lambda observations, masks: masks.argmax(axis=1), "tic_tac_toe", games=200, seats=0)
    assert score.wins > score.losses > 0

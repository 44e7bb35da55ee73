"""Programs refuse bad arguments with one message, before they do anything."""

from importlib import import_module

import pytest
from helpers.programs import refused

CASES = [
    ("evaluate", "wallak.zip random --game kalah", "there is no such file"),
    ("evaluate", "greedy random --game chess", "there is no game 'chess'"),
    ("evaluate", "greedy random --game kalah --option rows=3", "no option 'rows'"),
    ("evaluate", "greedy random --game kalah --games 0", "must be at least 1, got 0"),
    ("evaluate", "greedy random --game kalah --opening x", "such as 6 or a range such as 2-8, got 'x'"),
    ("evaluate", "greedy random --game kalah --opening 8-2", "or a range such as 2-8, got '8-2'"),
    ("evaluate", "greedy random --game kalah --opening 900", "choose a shorter opening"),
    ("evaluate", "greedy random --solved", "--solved takes neither B nor options"),
    ("evaluate", "greedy", "B and --game are required"),
    ("evaluate", "greedy --solved --seat 5", "--solved has no --seat"),
    ("evaluate", "greedy --solved --opening fair", "--solved has no --opening"),
    ("evaluate", "greedy --solved --game bao", "no solved positions of 'bao'"),
    ("tournament", "kalah random nobody", "'nobody'; there is no such file"),
    ("tournament", "kalah random minimax:0", "there is no agent 'minimax:0'"),
    ("tournament", "kalah random random", "at least two different agents"),
    ("tournament", "kalah random greedy --batch 3", "batch must be even"),
    ("tournament", "kalah random greedy --batch 0", "must be at least 1"),
    ("tournament", "kalah random greedy --option rows=3", "no option 'rows'"),
    ("tournament", "kalah random greedy --opening -1", "such as 6 or a range such as 2-8, got '-1'"),
    ("tournament", "kalah random greedy --opening 400", "choose a shorter opening"),
    ("tournament", "kalah random greedy --jobs 2 --ray auto", "not allowed with"),
    ("tournament", "all random greedy --campaign", "all takes neither --campaign nor --option"),
    ("tournament", "all random greedy --option columns=4", "all takes neither --campaign nor --option"),
    ("train", "kalah --campaign", "kalah has no campaign"),
    ("train", "qelat --option columns", "'columns' is not NAME=VALUE"),
    ("train", "qelat --option columns=1", "columns=1 is not allowed"),
    ("train", "qelat --curriculum", "curriculum needs ppo and campaign"),
    ("train", "sokkattan --expert", "the expert of Sokkattan is a plain search"),
    ("train", "kalah --expert --observe position", "expert needs ppo over afterstates"),
    ("train", "qelat --expert --option columns=4", "was trained for qelat, not for"),
    ("train", "qelat --campaign --expert --option round_reward=0.1", "expert needs a game without round_reward"),
    ("train", "qelat --option rows=3", "no option 'rows'; it has"),
    ("train", "kalah --games 0", "--games: must be at least 1, got 0"),
    ("train", "kalah --envs 0", "--envs: must be at least 1, got 0"),
    ("train", "kalah --steps -5", "--steps: must be at least 1, got -5"),
    ("train", "kalah --minutes nan", "--minutes: must be above 0, got nan"),
    ("train", "kalah --method mcts", "--method: invalid choice: 'mcts'"),
    ("train", "kalah --method alphazero --observe position", "alphazero observes afterstates, not the position"),
    ("train", "kalah --method alphazero --simulations 1", "simulations must be at least 2, got 1"),
    ("train", "kalah --actors 2", "only alphazero has actors"),
    ("train", "kalah --ray local", "only alphazero has actors"),
    ("maintenance.analyse", "--option seeds=3", "options need a GAME"),
    ("maintenance.analyse", "kalah --option seeds=0", "seeds=0 is not allowed"),
    ("maintenance.analyse", "kalah --strong greedy", "greedy is measured anyway"),
    ("maintenance.analyse", "kalah --strong mcts:0", "there is no agent 'mcts:0'"),
    ("maintenance.campaigns", "kalah", "'kalah' is not a game with campaigns for two players; choose from qelat, "),
    ("maintenance.standings", "kalah", "'kalah' is not a game with campaigns for two players; choose from qelat, "),
    ("maintenance.check", "chess", "there is no game 'chess'; there are kalah"),
    ("maintenance.check", "--suites api,spelling", "no suite spelling; there are api"),
    ("maintenance.check", "--python mars=python", "no environment mars; there are"),
    ("maintenance.experts", "kalah(seeds=3)", "with its usual options, got kalah(seeds=3)"),
    ("maintenance.experts", "kalah(campaign=True)", "kalah has no campaign"),
]


@pytest.mark.parametrize(("program", "words", "message"), CASES)
def test_bad_arguments_are_refused(program, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refused(import_module(f"mancala_envs.scripts.{program}").main, *words.split())
    assert not list(tmp_path.iterdir())

"""The option --tensorboard. The tests of the programs check what they log."""

import argparse
import sys

import pytest

from mancala_envs.programs.tensorboard import add_tensorboard, run_folder


def test_the_option_without_the_package_is_an_error_that_says_what_to_install(monkeypatch, capsys):
    parser = argparse.ArgumentParser()
    add_tensorboard(parser, "losses")
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    assert parser.parse_args([]).tensorboard is None
    with pytest.raises(SystemExit):
        parser.parse_args(["--tensorboard", "runs"])
    line = '--tensorboard: tensorboard is not installed: pip install "mancala_envs[train]"'
    assert line in capsys.readouterr().err


def test_every_run_has_its_own_folder(tmp_path):
    folder = tmp_path / "tensorboard"
    for number in (1, 2, 3):
        run = run_folder(folder, "kalah")
        assert run == folder / f"kalah_{number}"
        run.mkdir(parents=True)
    assert run_folder(folder, "oware") == folder / "oware_1"

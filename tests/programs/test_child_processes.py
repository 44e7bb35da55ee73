"""Processes that a program starts, and Ctrl-C."""

import signal
import subprocess
from threading import Thread

import pytest
from helpers.programs import command

from mancala_envs.programs.files import locked
from mancala_envs.programs.processes import sigint_blocked

PROGRAM = """
import signal
from multiprocessing import get_context

from mancala_envs.programs.processes import sigint_blocked

def interrupt():
    signal.raise_signal(signal.SIGINT)

if __name__ == "__main__":
    process = get_context("spawn").Process(target=interrupt)
    with sigint_blocked():
        process.start()
    process.join()
    print(process.exitcode)
"""


def test_ctrl_c_reaches_no_process_that_a_program_starts(tmp_path):
    """Not even the first, with which `multiprocessing` starts its resource tracker, which unblocks SIGINT."""
    (tmp_path / "program.py").write_text(PROGRAM)
    assert subprocess.check_output(command(tmp_path / "program.py"), text=True) == "0\n"


def test_ctrl_c_while_a_process_starts_is_not_lost():
    """A SIGINT that was ignored instead let a benchmark run on to its end."""
    before, reached = signal.signal(signal.SIGINT, signal.default_int_handler), []
    try:
        with pytest.raises(KeyboardInterrupt), sigint_blocked():
            signal.raise_signal(signal.SIGINT)
            reached.append(True)
        assert reached
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_sigterm_interrupts_a_run_and_nothing_else(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), locked(tmp_path):
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_run_may_be_in_a_thread_which_gets_no_signals(tmp_path):
    done = []

    def run():
        with locked(tmp_path):
            done.append(True)

    thread = Thread(target=run)
    thread.start()
    thread.join()
    assert done

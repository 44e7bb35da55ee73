"""Processes that a program starts, and Ctrl-C."""

import signal
import subprocess
import sys
from threading import Thread

import pytest

from mancala_envs.programs.files import locked
from mancala_envs.programs.processes import sigint_blocked

INTERRUPTS_ITSELF = "import signal; signal.raise_signal(signal.SIGINT); print('still here')"


def test_ctrl_c_while_a_process_starts_reaches_only_the_program_and_is_not_lost():
    """A SIGINT that was ignored instead let a benchmark run on to its end."""
    before, answers = signal.signal(signal.SIGINT, signal.default_int_handler), []
    with pytest.raises(KeyboardInterrupt), sigint_blocked():
        signal.raise_signal(signal.SIGINT)
        answers.append(subprocess.check_output([sys.executable, "-c", INTERRUPTS_ITSELF], text=True))
    assert answers == ["still here\n"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
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

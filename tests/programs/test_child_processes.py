"""Processes that a program starts, and Ctrl-C."""

import signal
import subprocess
import sys

import pytest

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

"""Strategies and checks shared by the Hypothesis state machines."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

NO_ACTIONS = {
    "floats": lambda actions: actions.astype(float),
    "truths": lambda actions: actions > 0,
    "objects": lambda actions: actions.astype(object),
    "words": lambda actions: actions.astype(str),
    "a table": lambda actions: actions[:, None],
    "too many": lambda actions: np.append(actions, 0),
    "a number": lambda actions: 0,
    "None": lambda actions: None,
}
JUNK = (-1, 2**64, 10**30, 1.5, float("nan"), "0", b"0", (), [[0]], {}, object(), np.zeros(3), np.array("x"))
"""Invalid seeds, numbers of games and positions."""

TIMES = st.sampled_from([1, 1, 1, 40])
seeds = st.integers(0, 9)
junk = st.sampled_from(JUNK)


def refused(function, *arguments, errors=(ValueError, TypeError), **named):
    """Check that the call raises one of these errors."""
    with pytest.raises(errors):
        function(*arguments, **named)


def run(machine, kind, examples, steps):
    """Run a subclass of a state machine with this `kind`, for a number of examples with a maximum number of steps."""
    run_state_machine_as_test(
        type(machine.__name__, (machine,), {"kind": kind}),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )

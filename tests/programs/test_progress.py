"""Progress bars."""

from io import StringIO

import pytest

from mancala_envs.programs import progress
from mancala_envs.programs.progress import Bar


@pytest.mark.parametrize(("interval", "lines"), [(60.0, 2), (0.0, 202)])
def test_a_bar_in_a_file_writes_a_line_a_minute_and_one_at_the_end(interval, lines, monkeypatch):
    monkeypatch.setattr(progress, "INTERVAL", interval)
    file = StringIO()
    with Bar(total=100, file=file, mininterval=0) as bar:
        for number in range(100):
            bar.update()
            bar.set_postfix(number=number)
    assert file.getvalue().count("\r") == lines
    assert "100/100" in file.getvalue()


def test_a_bar_in_a_terminal_shows_every_change():
    file = StringIO()
    file.isatty = lambda: True
    with Bar(total=100, file=file) as bar:
        for number in range(100):
            bar.set_postfix(number=number)
    assert file.getvalue().count("\r") > 100

"""Tables of measured figures: their cells, and their files."""

import pytest

from mancala_envs.programs import files
from mancala_envs.programs.tables import JSON, Table, in_markdown, markdown_table, percent, significant, write_table


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        ("`greedy`", "`greedy`"),
        (4029, "4,029"),
        ({"value": 96.6, "interval": [94.3, 98.0], "unit": "%"}, "96.6% [94.3, 98.0]"),
        (
            {"value": 50.0, "interval": [49, 51], "unit": "%", "games": 2000, "bold": True},
            "**50.0% [49.0, 51.0]** of 2,000",
        ),
        ({"value": 63, "half": 34, "signed": True}, "+63 ± 34"),
        ({"value": -579, "half": 81, "signed": True}, "-579 ± 81"),
        ({"value": 0, "signed": True}, "0"),
        ({"value": 61.9, "unit": "M"}, "61.9 M"),
        ({"value": 70.0, "range": [67.9, 71.9], "unit": "%"}, "70.0% (67.9 to 71.9)"),
        ({"value": 96.0, "unit": "%", "note": "97 different games"}, "96.0% (97 different games)"),
        ({"value": 10802, "note": 11249}, "10,802 (11,249)"),
    ],
)
def test_cells(cell, text):
    assert in_markdown(cell) == text


def test_figures_are_rounded():
    assert percent(0.9658, (0.9432, 0.98)) == {"value": 96.6, "interval": [94.3, 98.0], "unit": "%"}
    assert percent(2 / 3, (0.5, 1), 0, bold=False) == {"value": 67, "interval": [50, 100], "unit": "%"}
    assert [significant(number) for number in (0.012345, 12.345, 123.45)] == [0.0123, 12.3, 123]


def test_columns_of_numbers_are_aligned_right():
    head, aligned, *_ = markdown_table(
        ["game", "seeds", "value"], [["Kalah", 4, None], ["Oware", 5, {"value": 1}]]
    ).split("\n")
    assert head == "| game | seeds | value |" and aligned == "| --- | --: | --: |"


def test_a_caption_explains_the_intervals_that_its_table_has():
    interval, half = {"value": 1, "interval": [0, 2]}, {"value": 1, "half": 1}
    for cell, note in ((1, ""), (interval, " 95% intervals in brackets."), (half, " ±: half of a 95% interval.")):
        assert Table("", "Points.", ["points"], [[cell]]).text.startswith(f"Points.{note}\n\n")


def test_a_table_is_saved_as_json_and_as_markdown(tmp_path, capsys):
    table = Table(
        "Points", "Points of the first player.", ["game", "points"], [["Kalah", 1], ["Oware", None]], "make points"
    )
    write_table(tmp_path, table)
    assert Table.read(tmp_path / JSON) == table
    assert '["Kalah", 1],\n' in (tmp_path / JSON).read_text(), "a row on each line"
    text = (tmp_path / files.TABLE).read_text()
    assert text.startswith("Points of the first player. `make points` repeats the measurement.\n\n| game | points |\n")
    assert text in capsys.readouterr().out
    empty = Table("Points", "Points of nobody yet.", ["game", "points"], [])
    empty.save(tmp_path)
    assert Table.read(tmp_path / JSON) == empty

"""Tables of measured figures, as JSON for `docs/results` and as Markdown."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, SupportsFloat

from mancala_envs.programs.files import TABLE, write_text

JSON = "table.json"
"""The file of a table in a folder of results, for `docs/results`; TABLE has it in Markdown."""

Cell = str | float | dict[str, Any] | None
"""Text, a number, nothing, or a figure:

* `value`, the number, and `unit`, such as "%";
* `interval`, both ends of its 95% interval, or `half`, half of that interval's width;
* `range`, the lowest and the highest of several runs;
* `games`, their number, where it is not that of the caption, and `note`, which stands in parentheses;
* `bold` and `signed`, which shows the sign of a positive number.
"""

NOTES = {"interval": "95% intervals in brackets.", "half": "±: half of a 95% interval."}
"""Notes after a caption, by the keys of the cells that they explain."""


@dataclass
class Table:
    """A table of measured figures."""

    title: str
    """A short title."""
    caption: str
    """A description of the measurement, in Markdown."""
    columns: list[str]
    """The heads of the columns."""
    rows: list[list[Cell]]
    """The cells of each row."""
    command: str = ""
    """The command that repeats the measurement, if there is one."""
    game: str = ""
    """Title of the game that the whole table is about."""

    @classmethod
    def read(cls, path: Path) -> "Table":
        """Read a table from its file."""
        return cls(**json.loads(path.read_text()))

    def write(self, path: Path) -> None:
        """Write the table to a file, a row on each line."""
        content = {name: value for name, value in asdict(self).items() if value}
        rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in content.pop("rows", ()))
        head = json.dumps(content, indent=1, ensure_ascii=False).removesuffix("\n}")
        write_text(path, f'{head},\n "rows": [\n  {rows}\n ]\n}}\n')

    def save(self, folder: Path) -> None:
        """Write the table to a folder of results, as JSON and in Markdown."""
        self.write(folder / JSON)
        write_text(folder / TABLE, self.text)

    @property
    def text(self) -> str:
        """The caption and the table in Markdown."""
        keys = {key for row in self.rows for cell in row if isinstance(cell, dict) for key in cell}
        notes = [self.caption, *(note for key, note in NOTES.items() if key in keys)]
        if self.command:
            notes.append(f"`{self.command}` repeats the measurement.")
        return f"{' '.join(notes)}\n\n{markdown_table(self.columns, self.rows)}"


def write_table(out: Path, table: Table) -> None:
    """Write a table to a folder of results, which is made if necessary, and print it."""
    out.mkdir(parents=True, exist_ok=True)
    table.save(out)
    print(table.text)
    print(f"wrote {out}/{JSON}, {TABLE}")


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table in Markdown; columns of numbers are aligned right."""
    rows = list(rows)
    numbers = [all(not isinstance(row[column], str) for row in rows) for column in range(len(columns))]
    lines = [columns, ["--:" if right else "---" for right in numbers], *(map(in_markdown, row) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def in_markdown(cell: Cell) -> str:
    """Return a cell in Markdown, such as `**62.5% [58.1, 66.8]** of 400`."""
    if cell is None or isinstance(cell, str):
        return cell or ""
    if not isinstance(cell, dict):
        return f"{cell:,}"
    value, interval, half, spread = (cell.get(name) for name in ("value", "interval", "half", "range"))
    digits = max(map(decimals, [value, half or 0, *(interval or ()), *(spread or ())]))
    low, high = (f"{end:,.{digits}f}" for end in interval or spread or (0, 0))
    unit = cell.get("unit", "")
    text = f"{value:{'+' if cell.get('signed') and value else ''},.{digits}f}{' ' * (unit not in ('', '%'))}{unit}"
    text += f" [{low}, {high}]" if interval else f" ± {half:,.{digits}f}" if half is not None else ""
    text += f" ({low} to {high})" if spread else ""
    text = f"**{text}**" if cell.get("bold") else text
    text += f" of {cell['games']:,}" if "games" in cell else ""
    return f"{text} ({in_markdown(cell['note'])})" if "note" in cell else text


def decimals(number: float) -> int:
    """Return how many decimals a number of a file has."""
    return len(repr(number).partition(".")[2])


def percent(share: SupportsFloat, interval: Sequence[SupportsFloat], digits: int = 1, **more: Any) -> dict[str, Any]:
    """Return the figure of a share from 0 to 1 with its interval, and what is true of `more`.

    >>> in_markdown(percent(0.5, (0.4, 0.6), games=40))
    '50.0% [40.0, 60.0] of 40'
    """
    value, low, high = (rounded(100 * float(number), digits) for number in (share, *interval))
    return {"value": value, "interval": [low, high], "unit": "%", **{name: what for name, what in more.items() if what}}


def rounded(number: SupportsFloat, digits: int) -> float:
    """Return a number rounded to decimals, an integer without decimals."""
    return round(float(number), digits) if digits else round(float(number))


def significant(number: float) -> float:
    """Return a number with three significant figures."""
    value = float(f"{number:.3g}")
    return int(value) if value.is_integer() else value

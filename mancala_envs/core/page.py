"""The page of a game: the prose of its book, and tables of its actions, positions, observations and options."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from mancala_envs.core.actions import Actions
from mancala_envs.core.observation import Columns, observation_dtype
from mancala_envs.core.options import Option, resolve

SHOWN = 8
"""The most values that a table lists one by one; of a longer list it shows the first and the last."""


def page(book: Any) -> str:
    """Return the module docstring of a book, followed by the tables for the default options.

    Text of the docstring under the heading of a table is placed below that table.
    """
    options = {**resolve(book.name, book.every_option, {}), "campaign": False, "game": book.name}
    said = sections(book.text or "")
    tables = {
        "Actions": action_table(book.presentation.actions(options)),
        "Position": position_table(book, options),
        "Observation": observation_table(book.presentation.observation(options)),
        "Options": option_table(book.options, book.campaign_options),
    }
    remarks = {heading: said.pop(heading, "") for heading in tables}
    said |= {heading: f"{table}\n\n{remarks[heading]}" for heading, table in tables.items()}
    head = said.pop("")
    return "\n\n".join([head, *(f"## {heading}\n{text.strip()}" for heading, text in said.items())]) + "\n"


def sections(text: str) -> dict[str, str]:
    """Return the sections of a page by heading; the part before the first heading is named ""."""
    head, *rest = re.split(r"^## ", text.strip(), flags=re.MULTILINE)
    return {"": head.strip()} | {
        title: body.strip() for title, _, body in (section.partition("\n") for section in rest)
    }


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def span(first: int, size: int) -> str:
    """Return a range of `size` numbers from `first` on, as text."""
    return f"{first}..{first + size - 1}" if size > 1 else str(first)


def listed(values: Sequence[Any]) -> str:
    """Return all values as text; for integers or many values, the first and the last."""
    if len(values) > SHOWN or isinstance(values[0], int):
        return f"{values[0]}..{values[-1]}" if len(values) > 1 else str(values[0])
    return ", ".join(map(str, values))


def action_table(kinds: Sequence[Actions]) -> str:
    """Return the table of actions: their numbers, the phases in which they can be legal, and what they do."""
    rows, first = [], 0
    for kind in kinds:
        name = kind.kind.format(**{what: listed(values) for what, values in kind.words.items()})
        if len(kind.about) > 1:
            name += f" ({numbering(kind, first)})"
        for remark, phases in groupby(kind.phases, kind.phases.get):
            numbers = ", ".join(map(str, phases))
            rows.append((span(first, len(kind)), numbers, "; ".join(filter(None, [name, remark]))))
            name = "the same"
        first += len(kind)
    counted = " Formulas count from 0, in the order in which values are listed."
    counted = counted if any(len(kind.about) > 1 for kind in kinds) else ""
    return f"`Discrete({first})`.{counted}\n\n{table(('number', 'phase', 'action'), rows)}"


def numbering(kind: Actions, first: int) -> str:
    """Return the formula for the number of an action, such as `49 + 8 * place + direction`."""
    terms, size = [], len(kind)
    for what, values in kind.about.items():
        size //= len(values)
        terms.append(f"{size} * {what}" if size > 1 else what)
    return " + ".join([*([str(first)] if first else []), *terms])


def position_table(book: Any, options: dict[str, Any]) -> str:
    """Return the table of the fields that `load` takes."""
    rows: list[tuple[str, str, str]] = []
    for field in book.record(options):
        if field.name not in options and field.name not in book.positions.hidden:
            rows.append((f"`{field.name}`", " x ".join(map(str, field.shape)), field.meaning))
            if field.name == "phase":
                rows += [(f"phase {phase}", "", what) for phase, what in book.presentation.phases.items()]
    said = '`load` and `reset(options={"position": ...})` take these fields; those left out keep their starting values.'
    return f"{said}\n\n{table(('field', 'shape', 'meaning'), rows)}"


def observation_table(kinds: Sequence[Columns]) -> str:
    """Return the table of columns: their numbers, names, highest values and meanings."""
    rows, first = [], 0
    for kind in kinds:
        size = 1 if "{each}" in kind.meaning else len(kind)
        for number in range(0, len(kind), size or 1):
            column, last = kind[number], kind[number + size - 1]
            names = f"`{column.name}`" if size == 1 else f"`{column.name}` to `{last.name}`"
            rows.append((span(first, size), names, column.high, column.meaning))
            first += size
    said = f"`({first},)` {observation_dtype(kinds)}, from the observing player's side."
    return f"{said}\n\n{table(('columns', 'name', 'at most', 'meaning'), rows)}"


def option_table(options: Sequence[Option], campaign_options: Sequence[Option]) -> str:
    """Return the table of options: defaults and allowed values; options of campaigns come last."""
    rows = [
        (
            f"`{option.name}`",
            f"as `{option.like}`" if option.like else f"`{option.default!r}`",
            option.allowed + "; in campaigns" * (option in campaign_options),
        )
        for option in (*options, *campaign_options)
    ]
    return table(("option", "default", "allowed"), rows)

"""Docstrings and signatures as they were written: lists of arguments, and annotations by the names that stand there."""

import ast
import inspect
import re
import textwrap
from typing import Any

ITEM = re.compile(r"    (\S[^:]*): (.*)")
"""An argument, or several, and what it is."""


def setup(app: Any) -> None:
    """Let autodoc ask."""
    app.connect("autodoc-process-docstring", lists)
    app.connect("autodoc-process-signature", as_written)


def lists(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """What is listed below a line such as `Arguments:` becomes a list, in place."""
    made: list[str] = []
    inside = False
    for line in lines:
        if re.fullmatch(r"(Arguments|Attributes):", line):
            inside = True
            made += ["", f"**{line[:-1]}**", ""]
        elif inside and (item := ITEM.fullmatch(line)):
            names = ", ".join(f"``{part.strip()}``" for part in item[1].split(","))
            made.append(f"* {names}: {item[2]}")
        elif inside and line.startswith("        "):
            made.append("  " + line.strip())
        else:
            inside = inside and not line
            made.append(line)
    lines[:] = made


def as_written(
    app: Any, what: str, name: str, thing: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str, str] | None:
    """Arguments and result as the source has them; None, as autodoc makes them, where there is none."""
    function = inspect.unwrap(thing.__init__ if what in ("class", "exception") else thing) if signature else None
    if not inspect.isfunction(function) or function.__qualname__.startswith("__create_fn__"):
        return None
    try:
        written = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, IndentationError):
        return None
    if not isinstance(written, ast.FunctionDef):
        return None
    arguments = written.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        del arguments.args[0]
    returned = ast.unparse(written.returns) if written.returns and what not in ("class", "exception") else ""
    return f"({ast.unparse(arguments)})", returned.strip("'\"")

"""Sphinx extension: show signatures as the source writes them, with annotations by their own names."""

import ast
import inspect
import textwrap
from typing import Any


def setup(app: Any) -> None:
    """Register with autodoc."""
    app.connect("autodoc-process-signature", as_written)


def as_written(
    app: Any, what: str, name: str, thing: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str, str] | None:
    """Return the arguments and the result as the source writes them; None leaves them to autodoc."""
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

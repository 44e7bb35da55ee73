"""Sphinx extension: the directive `results NAME`, which shows a table of `docs/results`.

With the option `game`, titles separated by semicolons, it shows the rows about this game.
"""

from typing import Any, ClassVar

import tables
from docutils.nodes import Node
from docutils.parsers.rst.directives import unchanged
from sphinx.util.docutils import SphinxDirective


def setup(app: Any) -> None:
    """Register the directive."""
    app.add_directive("results", Results)


class Results(SphinxDirective):
    """The caption, the command and the figures of a table."""

    required_arguments = 1
    option_spec: ClassVar[Any] = {"game": unchanged}

    def run(self) -> list[Node]:
        """Return the nodes of the table, parsed from Markdown."""
        try:
            found = tables.table(self.arguments[0])
        except ValueError as error:
            raise self.error(str(error)) from error
        if "game" in self.options:
            found = tables.about(set(self.options["game"].split("; ")), found)
        return self.parse_text_to_nodes(found.text)

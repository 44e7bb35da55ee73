"""How Sphinx builds the documentation; `make docs` runs it.

The pages of games and programs are made anew from what stands in the code, before the others are read.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError

HERE = Path(__file__).parent
# Rules stay plain functions: nothing is compiled to draw some boards, and autodoc sees what was written.
os.environ["NUMBA_DISABLE_JIT"] = "1"
sys.path[:0] = [str(HERE), str(HERE.parent)]

import game_pages  # noqa: E402
import program_page  # noqa: E402

import mancala_envs  # noqa: E402

game_pages.write(HERE / "games")
program_page.write(HERE / "programs.md")

project = "mancala_envs"
author = "the mancala_envs authors"
project_copyright = "the mancala_envs authors"
version = release = mancala_envs.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "docstrings"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "attrs_block", "deflist"]
myst_heading_anchors = 3

highlight_language = "text"
# Quotation marks are curled; `--option` stays as it is.
smartquotes_action = "qe"

# Docstrings name code between single backticks, as Markdown does.
default_role = "code"
autodoc_member_order = "bysource"
# Only needed to run, not to tell of.
autodoc_mock_imports = ["torch", "stable_baselines3", "sb3_contrib", "pygame"]
nitpicky = True
# What is no part of this reference is named in signatures without a link: other libraries, and the rooms behind.
nitpick_ignore_regex = [("py:.*", r"(?!mancala_envs\.).*")]

html_theme = "furo"
html_title = f"mancala_envs {release}"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sphinx = False


FROM_ELSEWHERE = re.compile(r"""<(?:script|img|iframe|source)[^>]+src="(?:https?:)?//|<link[^>]+href="(?:https?:)?//""")


def setup(app: Any) -> None:
    """Look at what was built."""
    app.connect("build-finished", nothing_from_elsewhere)


def nothing_from_elsewhere(app: Any, error: Exception | None) -> None:
    """Pages work without a network: ExtensionError for one that loads something."""
    pages = [] if error else sorted(Path(app.outdir).rglob("*.html"))
    if loading := [page.name for page in pages if FROM_ELSEWHERE.search(page.read_text())]:
        raise ExtensionError(f"these pages load something from elsewhere: {', '.join(loading)}")

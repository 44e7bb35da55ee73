"""Sphinx configuration of the documentation; `make docs` builds it.

Each build first writes the pages of the games, the programs and the modules from the code.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError

HERE = Path(__file__).parent
# Keep rules plain Python functions: drawing some boards needs no compiling, and autodoc can inspect them.
os.environ["NUMBA_DISABLE_JIT"] = "1"
sys.path[:0] = [str(HERE), str(HERE.parent)]

import game_pages  # noqa: E402
import module_pages  # noqa: E402
import program_page  # noqa: E402

import mancala_envs  # noqa: E402

game_pages.write(HERE / "games")
program_page.write(HERE / "programs.md")
module_pages.write(HERE / "modules")

project = "mancala_envs"
author = "the mancala_envs authors"
project_copyright = "the mancala_envs authors"
version = release = mancala_envs.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "results_directive", "signatures"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "attrs_block", "deflist"]
myst_heading_anchors = 3

highlight_language = "text"
# Curl quotation marks, but leave the dashes of `--option` alone.
smartquotes_action = "qe"

# Docstrings mark code with single backticks, as Markdown does.
default_role = "code"
autodoc_member_order = "bysource"
# List attributes in the docstring of their class; autodoc documents those with docstrings of their own.
napoleon_use_ivar = True
# The reference needs only the names of these libraries.
autodoc_mock_imports = ["jax", "torch", "stable_baselines3", "sb3_contrib", "pygame", "scipy"]
nitpicky = True
# Signatures name objects outside of this reference without a link.
nitpick_ignore_regex = [("py:.*", r"(?!mancala_envs\.).*")]

html_theme = "furo"
html_title = f"mancala_envs {release}"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sphinx = False


EXTERNAL = re.compile(r"""<(?:script|img|iframe|source)[^>]+src="(?:https?:)?//|<link[^>]+href="(?:https?:)?//""")


def setup(app: Any) -> None:
    """Check the pages after the build."""
    app.connect("build-finished", require_no_external_resources)


def require_no_external_resources(app: Any, error: Exception | None) -> None:
    """Raise ExtensionError if a page loads anything over the network; all pages must work without one."""
    pages = [] if error else sorted(Path(app.outdir).rglob("*.html"))
    if external := [page.name for page in pages if EXTERNAL.search(page.read_text())]:
        raise ExtensionError(f"these pages load resources over the network: {', '.join(external)}")

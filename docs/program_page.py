"""Write the page of the programs from their docstrings."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]

HEAD = """# Programs

In a checkout, run a program as `python scripts/NAME.py`. An installed package has those for everybody as commands, such
as `mancala-train`. `--help` lists the options of a program, and shows the commands as you called it.

GAME is the name of a game, its id, such as `mancala_envs/Kalah-v0`, or a name with options, such as `kalah(seeds=3)`,
which the shell needs in quotes.
"""

FOLDERS = {
    "scripts": "For everybody",
    "scripts/language_models": "For language models",
    "scripts/maintenance": "For those who maintain the package",
}
"""The folders with programs, each with the heading of its part of the page."""

MODULE = ROOT / "mancala_envs" / "__main__.py"
"""The package as a program."""


def write(file: Path) -> None:
    """Write a part for each folder, and in it a section for each program, its docstring."""
    parts = [HEAD]
    for folder, heading in FOLDERS.items():
        parts.append(f"## {heading}")
        programs = sorted(path for path in (ROOT / folder).glob("*.py") if path.stem != "__init__")
        parts += [section(path.stem, path) for path in programs]
        if folder == "scripts":
            parts.append(section("python -m mancala_envs", MODULE))
    file.write_text("\n\n".join(parts) + "\n")


def section(name: str, path: Path) -> str:
    """Return the section about a program."""
    return f"### {name}\n\n{ast.get_docstring(ast.parse(path.read_text()))}"

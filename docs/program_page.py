"""Write the page of the programs from their docstrings."""

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

HEAD = """# Programs

In a checkout, run a program as `python scripts/NAME.py`. An installed package has some of them as commands, such as
`mancala-train`. `--help` lists the options of a program, and shows the commands as you called it.

GAME is the name of a game, its id, such as `mancala_envs/Kalah-v0`, or a name with options, such as `kalah(seeds=3)`,
which the shell needs in quotes.
"""

MODULES = {"python -m mancala_envs": ROOT / "mancala_envs" / "__main__.py"}
"""Packages that run as programs, and their files."""


def write(file: Path) -> None:
    """Write one section for each program, its docstring; the installed programs come first."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    installed = {module.removeprefix("mancala_envs.scripts.").removesuffix(":main") for module in scripts.values()}
    programs = {path.stem: path.read_text() for path in sorted((ROOT / "scripts").glob("*.py"))}
    sections = [
        f"## {name}\n\n{ast.get_docstring(ast.parse(text))}"
        for name, text in sorted(programs.items(), key=lambda program: (program[0] not in installed, program[0]))
        if "\ndef main(" in text
    ]
    sections += [f"## {name}\n\n{ast.get_docstring(ast.parse(path.read_text()))}" for name, path in MODULES.items()]
    file.write_text("\n\n".join([HEAD, *sections]) + "\n")

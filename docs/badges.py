"""The badges of the README, from `pyproject.toml` and the list of games. `docs/game_rows.py` writes them."""

import tomllib
from pathlib import Path

from mancala_envs import REGISTRY

HERE = Path(__file__).parent
FILE = HERE / "pictures" / "badges.svg"
LETTER, PADDING, GAP = 6.6, 6, 8
"""Width of a letter, space on each side of a text, and space between badges, in pixels."""


def badges() -> dict[str, str]:
    """Return the text of each badge by its label."""
    settings = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    project, prefix = settings["project"], "Programming Language :: Python :: 3."
    minors = [each.removeprefix(prefix) for each in project["classifiers"] if each.startswith(prefix)]
    texts = {"games": str(len(REGISTRY)), "python": ", ".join(f"3.{minor}" for minor in minors)}
    if settings["tool"]["mypy"]["strict"] and "Typing :: Typed" in project["classifiers"]:
        texts["types"] = "mypy strict"
    return {**texts, "license": project["license"]}


def description(texts: dict[str, str]) -> str:
    """Return the badges as text."""
    return "; ".join(f"{label}: {text}" for label, text in texts.items())


def draw(texts: dict[str, str]) -> str:
    """Return the SVG of all badges in one row."""
    x, drawn = 0.0, []
    for label, text in texts.items():
        for words, background in ((label, "#4a3a2c"), (text, "#7a3216")):
            width = LETTER * len(words) + 2 * PADDING
            drawn.append(f'<rect x="{x:.1f}" width="{width:.1f}" height="20" fill="{background}"/>')
            drawn.append(f'<text x="{x + width / 2:.1f}" y="14">{words}</text>')
            x += width
        x += GAP
    size = f'width="{x - GAP:.0f}" height="20"'
    style = 'fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{description(texts)}">'
    return "\n".join([head, f"<g {style}>", *drawn, "</g>", "</svg>", ""])

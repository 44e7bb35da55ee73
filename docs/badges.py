"""Draws the badges of README, which say what the project says of itself, into `docs/pictures/badges.svg`.

python docs/badges.py
"""

import tomllib
from pathlib import Path

from mancala_envs import REGISTRY

HERE = Path(__file__).parent
FILE = HERE / "pictures" / "badges.svg"
LETTER, BESIDE, APART = 6.6, 6, 8
"""Width of a letter, from words to the end of their box, and between badges, in pixels."""


def badges() -> dict[str, str]:
    """What is said of what."""
    told = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    project, prefix = told["project"], "Programming Language :: Python :: 3."
    minors = [each.removeprefix(prefix) for each in project["classifiers"] if each.startswith(prefix)]
    said = {"games": str(len(REGISTRY)), "python": ", ".join(f"3.{minor}" for minor in minors)}
    if told["tool"]["mypy"]["strict"] and "Typing :: Typed" in project["classifiers"]:
        said["types"] = "mypy strict"
    return {**said, "license": project["license"]}


def draw(said: dict[str, str]) -> str:
    """All in a row, as SVG."""
    x, drawn = 0.0, []
    for name, value in said.items():
        for words, paper in ((name, "#4a3a2c"), (value, "#7a3216")):
            width = LETTER * len(words) + 2 * BESIDE
            drawn.append(f'<rect x="{x:.1f}" width="{width:.1f}" height="20" fill="{paper}"/>')
            drawn.append(f'<text x="{x + width / 2:.1f}" y="14">{words}</text>')
            x += width
        x += APART
    label = "; ".join(f"{name}: {value}" for name, value in said.items())
    size = f'width="{x - APART:.0f}" height="20"'
    style = 'fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">'
    return "\n".join([head, f"<g {style}>", *drawn, "</g>", "</svg>", ""])


if __name__ == "__main__":
    FILE.write_text(draw(badges()))

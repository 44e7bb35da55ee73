"""What the README says is run, and what it lists is what there is."""

import os
import re
import subprocess
import sys
from pathlib import Path

from mancala_envs import REGISTRY

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_there_is_an_example_of_every_kind():
    whole = "\n".join(EXAMPLES)
    for call in ("gym.make(", "gym.make_vec(", "qelat_v0.env(", "make_game("):
        assert call in whole


# Each for itself, but in one process, which imports everything once.
RUN = """
import sys
for number, example in enumerate(sys.argv[1:]):
    print("example", number, flush=True)
    exec(compile(example, f"example {number}", "exec"), {"__name__": "__main__"})
"""


def test_examples_run_as_they_stand(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", RUN, *EXAMPLES]
    # In a folder of its own: examples may write files.
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    printed = re.split(r"^example \d+\n", done.stdout, flags=re.MULTILINE)[1:]
    assert len(printed) == len(EXAMPLES) and all(text.strip() for text in printed)


def test_the_list_of_games_is_the_registry():
    listed = re.findall(r"^\| [^|]+ \| `([^`]+)` \|", README, re.MULTILINE)
    assert listed == [entry.id for entry in REGISTRY.values()]


def test_the_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text()
    commands = re.findall(r"make (\w+)", README)
    assert {"train", "test", "bench"} <= set(commands)
    for command in commands:
        assert re.search(rf"^{command}:", makefile, re.MULTILINE)


def test_pictures_are_there():
    for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).stat().st_size < 200_000


def test_the_contents_are_the_headings():
    (line,) = (line for line in README.splitlines() if line.startswith("Contents: "))
    headings = re.findall(r"^## (.+)$", README, re.MULTILINE)
    assert re.findall(r"\[([^]]+)\]\(#[^)]+\)", line) == headings
    for heading, anchor in re.findall(r"\[([^]]+)\]\(#([^)]+)\)", line):
        # As GitHub makes them.
        assert anchor == re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")

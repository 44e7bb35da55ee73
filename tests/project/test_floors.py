"""The layers of the package: every module imports only from lower layers, and there are no import cycles."""

import ast
import re
import sys
import tokenize
from graphlib import TopologicalSorter
from io import StringIO

import pytest
from helpers.programs import ROOT

FLOORS = {
    "mancala_envs.core": 1,
    "mancala_envs.families": 2,
    "mancala_envs.agents": 2,
    "mancala_envs.render": 2,
    "mancala_envs.games": 3,
    "mancala_envs.game": 3,
    "mancala_envs.fast": 4,
    "mancala_envs.registry": 5,
    "mancala_envs.envs": 6,
    "mancala_envs.integrations": 6,
    "mancala_envs.programs": 6,
    "mancala_envs": 7,
    "mancala_envs.evaluation": 8,
    "mancala_envs.speed": 8,
    "mancala_envs.wrappers": 9,
    "mancala_envs.learning": 10,
    "mancala_envs.play": 10,
    "mancala_envs.text_play": 10,
    "mancala_envs.compliance": 10,
    "mancala_envs.benchmark": 11,
    "mancala_envs.studies": 11,
    "mancala_envs.scripts": 12,
}
PUBLIC_FACES = {
    "mancala_envs",
    "mancala_envs.agents",
    "mancala_envs.core.arguments",
    "mancala_envs.core.extras",
    "mancala_envs.core.symmetry",
    "mancala_envs.envs",
    "mancala_envs.envs.aec",
    "mancala_envs.envs.solo",
    "mancala_envs.envs.vector",
    "mancala_envs.evaluation",
    "mancala_envs.render",
}
"""The modules that wrappers may import: public packages and environments, no internal modules."""

OUTSIDE_OF_CORE = {"numpy", "numba", "llvmlite", "platformdirs"}


SCRIPTS = "mancala_envs.scripts"


def sources():
    """Yield every module: (dotted name, whether it is a package, source)."""
    beside = {ROOT / name: f"mancala_envs.{name}" for name in ("scripts", "wrappers")}
    for folder, name in {ROOT / "mancala_envs": "mancala_envs", **beside}.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [name, *path.relative_to(folder).with_suffix("").parts]
            package = parts[-1] == "__init__"
            yield ".".join(parts[:-1] if package else parts), package, path.read_text()


MODULES = {name for name, _, _ in sources()}


def unit(module):
    """Return the package in `FLOORS` that contains a module."""
    return max((part for part in FLOORS if f"{module}.".startswith(f"{part}.")), key=len, default=None)


def imports(module, package, source):
    """Yield the dotted names that a source imports, inside functions too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                here = module.split(".") if package else module.split(".")[:-1]
                here = here[: len(here) - node.level + 1]
                base = ".".join([*here, *filter(None, [base])])
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield name if name in MODULES or alias.name.startswith("_") else base


def faults(module, package, source):
    """Yield a message for every import that is not allowed."""
    here = unit(module)
    for target in imports(module, package, source):
        there = unit(target)
        if there is None:
            if here == "mancala_envs.core" and not _allowed_in_core(target):
                yield f"{module} imports {target}: the core knows NumPy, Numba with llvmlite, and platformdirs only"
        elif here == there:
            if here == "mancala_envs.scripts":
                yield f"{module} imports {target}: nothing imports a script"
        elif FLOORS[there] >= FLOORS[here]:
            yield f"{module} (floor {FLOORS[here]}) imports {target} (floor {FLOORS[there]})"
        elif here == "mancala_envs.wrappers" and target not in PUBLIC_FACES:
            yield f"{module} imports {target}: wrappers use {', '.join(sorted(PUBLIC_FACES))}"


def _allowed_in_core(target):
    return target.split(".")[0] in OUTSIDE_OF_CORE | sys.stdlib_module_names


def test_every_layer_has_modules():
    assert {unit(module) for module in MODULES} >= FLOORS.keys()


def test_modules_import_only_from_lower_floors():
    assert not [fault for entry in sources() for fault in faults(*entry)]


def test_the_package_starts_no_program_of_scripts():
    """A process may be given the name of a module, which no import shows."""
    assert not [module for module, _, source in sources() if SCRIPTS not in module and SCRIPTS in source]


@pytest.mark.parametrize(
    ("module", "package", "source"),
    [
        # All ways to write an import, into higher floors and into another package of the same floor.
        ("mancala_envs.core.bits", False, "from mancala_envs.games import qelat"),
        ("mancala_envs.core.engine", False, "def later():\n    from mancala_envs.render import draw_svg"),
        ("mancala_envs.core.bits", False, "def later():\n    import mancala_envs.registry"),
        ("mancala_envs.render.text", False, "if True:\n    from mancala_envs.agents import Mixture"),
        ("mancala_envs.core.bits", False, "from mancala_envs import games"),
        ("mancala_envs.core.bits", False, "from ..games import qelat"),
        ("mancala_envs.core", True, "from ..registry import make_game"),
        ("mancala_envs.game", False, "from mancala_envs.registry import make_game"),
        ("mancala_envs.integrations.open_spiel", False, "import mancala_envs"),
        # The core, wrappers and scripts have further rules.
        ("mancala_envs.core.bits", False, "import gymnasium"),
        ("mancala_envs.wrappers.masks", False, "from mancala_envs.envs.match import Match"),
        ("mancala_envs.wrappers.masks", False, "from mancala_envs.envs.solo import _hidden"),
        ("mancala_envs.wrappers.masks", False, "from mancala_envs.game import Game"),
        ("mancala_envs.scripts.play", False, "from mancala_envs.scripts.solve import main"),
    ],
)
def test_an_upward_import_is_found(module, package, source):
    assert list(faults(module, package, source))


@pytest.mark.parametrize(
    ("module", "package", "source"),
    [
        ("mancala_envs.core.bits", False, "import math\nimport numpy as np\nfrom mancala_envs.core.rule import rule"),
        ("mancala_envs.games.kalah", False, "from ..families.mancala.sow import sow"),
        ("mancala_envs.agents", True, "from .compiled import act"),
        ("mancala_envs.wrappers.masks", False, "from mancala_envs import make_game\nfrom mancala_envs.envs import X"),
        ("mancala_envs.wrappers", True, "from mancala_envs.wrappers.masks import Mask"),
        ("mancala_envs.scripts.train", False, "from mancala_envs.game import Game\nimport torch"),
        ("mancala_envs.play.view", False, "from mancala_envs.wrappers import replay"),
    ],
)
def test_a_downward_import_passes(module, package, source):
    assert not list(faults(module, package, source))


WORDS_OF_ONE_FAMILY = {"holes", "store", "seeds", "captured", "count", "total", "debt"}


def test_the_core_contains_no_words_of_a_game_family():
    for path in (ROOT / "mancala_envs" / "core").glob("*.py"):
        lines = StringIO(path.read_text())
        names = {token.string for token in tokenize.generate_tokens(lines.readline) if token.type == tokenize.NAME}
        assert not names & WORDS_OF_ONE_FAMILY, path


def test_there_are_no_import_cycles():
    below = {module: {target for target in imports(module, *rest) if target in MODULES} for module, *rest in sources()}
    TopologicalSorter(below).prepare()


def test_a_public_name_is_exported_by_one_package_only():
    whole = "\n".join(source for _, is_package, source in sources() if is_package)
    lists = re.findall(r"^__all__ = (\[[^]]*\])", whole, re.MULTILINE)
    names = [name for one in lists for name in ast.literal_eval(one)]
    assert len(lists) > 6 and len(names) == len(set(names))


def test_a_script_defines_only_main():
    scripts = [path for path in (ROOT / "scripts").rglob("[!_]*.py") if path.parent.name != "examples"]
    for path in scripts:
        defined = [node.name for node in ast.parse(path.read_text()).body if hasattr(node, "name")]
        assert defined == ["main"], path


def test_contributing_numbers_each_folder_once():
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    paths = [(path, int(floor)) for floor, cell in rows for path in re.findall(r"`([\w/]+)(?:\.py)?`", cell)]
    names = [(path.strip("/"), floor) for path, floor in paths]
    assert sorted(names) == sorted((name.removeprefix("mancala_envs."), floor) for name, floor in FLOORS.items())


# The tests.

TESTS = sorted((ROOT / "tests").rglob("*.py"))


def test_no_test_module_imports_another():
    modules = {path.stem for path in TESTS if path.stem.startswith("test_")} | {"conftest", "tests"}
    # mutate.py is no test module: it is a program that runs them.
    imported = {
        path.stem: {name.split(".")[0] for name in imports(path.stem, False, path.read_text())}
        for path in TESTS
        if path.stem != "mutate"
    }
    assert not {name: found & modules for name, found in imported.items() if found & modules}


def test_names_of_test_modules_are_unique():
    stems = [path.stem for path in TESTS if path.stem != "__init__"]
    assert len(stems) == len(set(stems))

"""Mutation tests: change the rule file of a game, or another module, in one small way at a time, and run its tests.

    python tests/mutate.py kalah oware             # a sample of the changes of some games
    python tests/mutate.py --sample 0 --jobs 4     # every change of every game: hours
    python tests/mutate.py wrappers/masks.py       # a module of `MODULES`

Every mutant runs in plain Python in its own process. A mutant is killed if a test fails, or if it loops forever or
crashes. Only tests that execute the changed statement run, the fastest first. The other mutants survive and are shown
as diffs on stderr: either the change has no effect, or a test is missing.

The tests of a game are comparisons with its playthroughs, recorded games and oracle (most mutants differ within a
tenth of a second) and its test modules. The process is forked from one that has imported everything else. The tests
of another module are those of the folders that `MODULES` lists, slow ones included. Other modules import names from it,
so the process is forked from one that has imported libraries only. Modules with the same folders share the run that
times the tests.
"""

import os

os.environ |= {"NUMBA_DISABLE_JIT": "1", "MANCALA_ENVS_FAST": "0"}

import argparse
import ast
import copy
import difflib
import gc
import importlib
import json
import multiprocessing
import random
import resource
import signal
import subprocess
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple, TypeAlias

import pytest
from hypothesis import Phase, settings
from tqdm import tqdm

TESTS = Path(__file__).parent
ROOT = TESTS.parent
sys.path[:0] = [str(ROOT), str(TESTS), str(TESTS / "games")]

FAMILIES = {
    "races": (
        "sokkattan", "pahada_keliya", "asi_keliya", "tayam_sonalu", "pancha_keliya", "pancha_keliya_complex",
        "kawade_kelia", "saturankam",
    ),
    "points": (
        "nerenchi_keliya", "niranchy", "peralikatuma", "kotu_ellima", "diviyan_keliya", "hat_diviyan_keliya",
        "koti_keliya", "dam",
    ),
    "bao": ("baokujifunza",),
    "bad_input": ("kalah", "oware", "qelat"),
    "campaign": ("ceelkoqyuqkoqiji",),
    "olinda": ("puhulmutu", "walak_pussa", "kotu_baendum", "daramutu"),
    "kumalak": ("togyz_kumalak", "bestemshe"),
    "kotu_ellima": ("peralikatuma",),
    "jumps": ("peralikatuma", "kotu_ellima", "diviyan_keliya", "hat_diviyan_keliya"),
    "cross_races": ("sokkattan", "pahada_keliya", "asi_keliya", "tayam_sonalu"),
    "pancha_races": ("pancha_keliya", "pancha_keliya_complex", "kawade_kelia"),
}  # fmt: skip
"""Test modules shared by several games."""
COMMON = ("symmetry", "pages", "explain")
"""Tests of every game that cover the parts of a rule file other than the rules."""
MODULES = {
    "mancala_envs/agents": ("agents",),
    "mancala_envs/core": ("core", "environments"),
    "mancala_envs/envs": ("environments",),
    "wrappers": ("environments",),
}
"""Folders of modules, and the folders of their tests."""
LIBRARIES = ("numba", "gymnasium", "pettingzoo.test", "pyspiel", "stable_baselines3", "sb3_contrib")
"""Libraries that many tests import, but that import nothing of this package."""
IMPORT_LIMIT = 10.0
"""Limit for importing a changed module or collecting a test module in CPU-seconds; a mutant that exceeds it loops
forever, and an unchanged test module that exceeds it is left out."""
LATER = 5.0
"""CPU-seconds until an alarm is repeated; pytest handles the first one in that time."""
LONG = 60.0
"""Limit for each long comparison in CPU-seconds; a mutant that exceeds it loops forever."""
TIMING_LIMIT = 7200.0
"""Limit for timing the tests in CPU-seconds."""
HANGING = 60
"""Limit for a test in seconds of wall-clock time; a mutant that exceeds it waits forever."""
LONGEST_OF_GAMES, LONGEST_OF_MODULES = 0.3, 1.0
"""Default limits of a test in CPU-seconds."""
MEMORY = 4 * 2**30
SURVIVED, KILLED = 0, 1

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
REVERSED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip
DELETED = (ast.Assign, ast.AugAssign, ast.Expr, ast.Break, ast.Continue)


# Mutations.


def altered(node: ast.AST, **fields: Any) -> ast.AST:
    """Return a copy of a node with other values of some fields."""
    changed = copy.copy(node)
    vars(changed).update(fields)
    return changed


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the replacements of a node."""
    if isinstance(node, ast.Compare):
        for at, each in enumerate(node.ops):
            for other in (COMPARISONS, REVERSED):
                if type(each) in other:
                    yield altered(node, ops=[*node.ops[:at], other[type(each)](), *node.ops[at + 1 :]])
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield altered(node, op=ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield altered(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield from (ast.Constant(node.value + 1), ast.Constant(node.value - 1))
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield altered(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, DELETED) and not is_words(node):
        yield ast.Pass()


def is_words(node: ast.AST) -> bool:
    """Return whether a node is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


reached: set[str] = set()
"""The executed statements of marked modules, each as `NAME:LINE`, or `NAME:0` for all statements outside functions."""


class Loader(SourceFileLoader):
    """Imports a changed text instead of a module's file."""

    def __init__(self, module: str, path: Path, text: str) -> None:
        super().__init__(module, str(path))
        self.text = text

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return spec_from_loader(name, self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["reached"] = reached.add
        super().exec_module(module)


Comparisons: TypeAlias = list[Callable[[], None]]


class Target:
    """A module and all its changes.

    Args:
        name: The name of a game, or the path of another module.
        path: The path of the file from the root of the repository.
    """

    shares = False
    """Whether all tests may use what one test module computes outside of its tests."""

    def __init__(self, name: str, path: str) -> None:
        self.name, self.path = name, ROOT / path
        package = "" if path.startswith("mancala_envs/") else "mancala_envs."
        self.module = package + path.removesuffix(".py").replace("/", ".")
        self.tree = ast.parse(self.path.read_text())
        self.statements: dict[ast.AST, int] = {}
        self.find_statements(self.tree, 0, False)
        self.changes = [
            (parent, field, at, changed, node)
            for parent in ast.walk(self.tree)
            for field, value in ast.iter_fields(parent)
            if field not in ("annotation", "returns")
            for at, node in enumerate(value if isinstance(value, list) else [value])
            if isinstance(node, ast.expr | ast.stmt)
            for changed in changes(node)
            # Without a global name the module could not be imported.
            if not (isinstance(changed, ast.Pass) and parent is self.tree)
        ]

    def find_statements(self, node: ast.AST, line: int, in_function: bool) -> None:
        """Store for every node the line of the statement in a function that contains it, 0 outside of functions."""
        for child in ast.iter_child_nodes(node):
            begins = in_function and isinstance(child, ast.stmt)
            self.statements[child] = child.lineno if begins else line
            self.find_statements(child, self.statements[child], in_function or isinstance(child, ast.FunctionDef))

    def place(self, number: int) -> str:
        """Return the statement that a change is in, as in `reached`."""
        return f"{self.name}:{self.statements[self.changes[number][-1]]}"

    def mark(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return the code before a statement that records that it was reached."""
        return [] if is_words(statement) else ast.parse(f"reached({f'{self.name}:{statement.lineno}'!r})").body

    def marked(self) -> str:
        """Return the unchanged file with code that adds the statements it executes to `reached`."""
        tree = copy.deepcopy(self.tree)
        for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
            for node in ast.walk(function):
                for _, value in ast.iter_fields(node):
                    if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                        value[:] = [each for one in value for each in (*self.mark(one), one)]
        return ast.unparse(ast.fix_missing_locations(tree))

    def changed(self, number: int) -> str:
        """Return the file with one change."""
        parent, field, at, changed, _ = self.changes[number]
        value = getattr(parent, field)
        setattr(parent, field, [*value[:at], changed, *value[at + 1 :]] if isinstance(value, list) else changed)
        text = ast.unparse(ast.fix_missing_locations(self.tree))
        setattr(parent, field, value)
        return text

    def difference(self, number: int) -> str:
        """Return one change as lines of a diff."""
        one, other = (text.splitlines() for text in (ast.unparse(self.tree), self.changed(number)))
        lines = list(difflib.unified_diff(one, other, lineterm="", n=0))[3:]
        return "\n".join([f"{self.path.name}:{self.changes[number][-1].lineno}", *lines])

    def put(self, text: str) -> None:
        """Make the next import of the module execute a text."""
        sys.modules.pop(self.module, None)
        sys.meta_path.insert(0, Loader(self.module, self.path, text))

    def plays(self) -> tuple[Comparisons, Comparisons]:
        """Return the comparisons with playthroughs, recordings and oracles, quick ones and long ones."""
        return [], []

    def files(self) -> list[Path]:
        """Return the paths of the tests."""
        return [TESTS / folder for folder in MODULES[self.path.parent.relative_to(ROOT).as_posix()]]

    def asks(self, item: pytest.Item) -> bool:
        """Return whether a test of `files` is a test of this target."""
        return True


class Rules(Target):
    """The rule file of a game and all its changes."""

    shares = True  # A game that is made once is used again.

    def __init__(self, name: str) -> None:
        from mancala_envs.registry import REGISTRY

        super().__init__(name, f"{REGISTRY[name].book_module.replace('.', '/')}.py")

    def plays(self) -> tuple[Comparisons, Comparisons]:
        import test_golden
        import test_oracles
        import test_playthroughs

        from mancala_envs.registry import make_game

        name, quick, long = self.name, [], []
        for game, campaign in test_playthroughs.CASES:
            if game == name:
                for test in (
                    test_playthroughs.test_playthrough_equals_its_record,
                    test_playthroughs.test_beginning_in_a_used_record_gives_the_same_bytes,
                    test_playthroughs.test_recorded_texts_can_be_parsed,
                    test_playthroughs.test_text_of_a_finished_game_can_be_parsed,
                ):
                    quick.append(partial(test, name, campaign))
        for parameters in test_golden.RECORDS:
            if parameters.values[0] == name and not parameters.marks:
                quick.append(partial(test_golden.test_recorded_game_is_replayed_exactly, *parameters.values))
        quick.append(partial(test_oracles.test_most_decisions_is_a_bound_that_grows_with_max_turns, name))
        for variant in test_oracles.VARIANTS:
            game, campaign, options, sizes = variant
            if game == name:
                quick.append(partial(test_oracles.test_options_and_chance_are_those_of_the_page, *variant))
                # In plain Python a mask of thousands of actions is slow.
                decisions = 100 if make_game(name).num_actions < 1000 else 10
                quick.append(partial(test_oracles.compare, name, decisions, 0, campaign))
                others = {option: values[-1] for option, values in options.items()}
                quick.append(partial(test_oracles.compare, name, decisions, 1, campaign, **others))
                long.append(partial(test_oracles.test_random_play_agrees_with_the_oracle, *variant))
                long += [partial(test_oracles.compare, name, 200, 0, campaign, **size) for size in sizes]
        if name in test_oracles.RARE:
            long.append(partial(test_oracles.test_rare_rules_agree_with_the_oracle, name))
        return quick, long

    def files(self) -> list[Path]:
        stems = [self.name, *(family for family, games in FAMILIES.items() if self.name in games), *COMMON]
        return [path for stem in stems for path in TESTS.glob(f"*/test_{stem}.py")]

    def asks(self, item: pytest.Item) -> bool:
        from conftest import games_of

        from mancala_envs.registry import REGISTRY

        games = games_of(item) | {name for name in REGISTRY if f"_{name}_" in f"{item.name}_"}
        return self.name in games or not games


# Tests.


def play(test: Callable[[], None], limit: float) -> None:
    with alarm(limit), warnings.catch_warnings():
        warnings.simplefilter("error")
        test()


class Timing(NamedTuple):
    """The CPU time of a test with the unchanged modules in seconds, and the statements that it executes."""

    seconds: float
    reached: frozenset[str]

    @property
    def limit(self) -> float:
        """The limit in CPU-seconds; a mutant that exceeds it loops forever."""
        return 1 + 4 * self.seconds


class TestSet(NamedTuple):
    """The tests of mutants.

    Attributes:
        plays: The quick comparisons of a game by number.
        tests: The tests of test modules by name.
        long: Whether to run the long comparisons of a game.
    """

    plays: dict[str, Timing]
    tests: dict[str, Timing]
    long: bool

    def about(self, place: str) -> "TestSet":
        """Return the tests that execute a statement."""
        plays, tests = (
            {name: known for name, known in each.items() if place in known.reached} for each in (self.plays, self.tests)
        )
        return TestSet(plays, tests, self.long)

    @property
    def limit(self) -> float:
        """The limit of all tests together in CPU-seconds, long comparisons included."""
        return 10 + LONG + sum(known.limit for each in (self.plays, self.tests) for known in each.values())


def cpu_time() -> float:
    """Return the CPU time of this process and of processes that it has waited for."""
    return sum(os.times()[:4])


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Limit the CPU time of a block. The alarm repeats, because Hypothesis may run a failed example again."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, LATER)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class Chosen:
    """A pytest plugin that selects tests, the fastest first.

    Without `known` all tests of `targets` run, with a limit of `longest` CPU-seconds each, and `found` receives the
    time of those that pass and the statements that they execute. Tests count as executing what their modules and
    fixtures execute.
    """

    def __init__(self, targets: list[Target], known: dict[str, Timing] | None = None, longest: float = 0.0) -> None:
        self.targets, self.known, self.longest = targets, known, longest
        self.found: dict[str, tuple[float, set[str]]] = {}
        self.elsewhere: defaultdict[str, set[str]] = defaultdict(set)

    def files(self) -> set[Path]:
        """Return the paths of the selected tests."""
        if self.known is not None:
            return {ROOT / test.partition("::")[0] for test in self.known}
        return {path for target in self.targets for path in target.files()}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        with alarm(IMPORT_LIMIT):
            report = yield
        self.leave(collector.nodeid)
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.asks(item)]
        if self.known is not None:
            items.sort(key=lambda item: self.known[item.nodeid].seconds)

    def asks(self, item: pytest.Item) -> bool:
        """Return whether a test is selected."""
        if self.known is not None:
            return item.nodeid in self.known
        return any(target.asks(item) for target in self.targets)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.leave(item.nodeid)
        begun = cpu_time()
        try:
            with alarm(self.longest if self.known is None else self.known[item.nodeid].limit):
                result = yield
            if (taken := cpu_time() - begun) <= self.longest:
                self.found[item.nodeid] = taken, reached.copy()
            return result
        finally:
            reached.clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        result = yield
        self.leave(item.nodeid)
        return result

    def leave(self, test: str) -> None:
        """Store the statements executed outside of tests."""
        shared = any(target.shares for target in self.targets)
        self.elsewhere["" if shared else test.partition("::")[0]] |= reached
        reached.clear()

    def timings(self) -> dict[str, tuple[float, list[str]]]:
        """Return what `found` received, with the statements that all tests or all tests of a module execute."""
        return {
            test: (taken, sorted(own | self.elsewhere[""] | self.elsewhere[test.partition("::")[0]]))
            for test, (taken, own) in self.found.items()
        }


def run_tests(chosen: Chosen, *options: str) -> int:
    """Run selected tests; return the exit code of pytest, 0 if all pass, 1 if some fail."""
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--no-summary"]
    # pytest cannot always show the line at which an alarm ended a test.
    arguments += ["--tb=native", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return pytest.main([*arguments, *options, *map(str, sorted(chosen.files()))], [chosen])


# Processes.


def fork(seconds: float, work: Callable[..., int], *arguments: Any) -> int:
    """Start a process that runs `work` without output and exits with its result; return the process id."""
    if process := os.fork():
        return process
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        os._exit(work(*arguments))
    except BaseException:
        os._exit(KILLED)


def time_tests(targets: list[Target], file: str, longest: float) -> int:
    """Time the tests that unchanged modules pass; write the timings of comparisons and of tests to a file."""

    def too_long(*_: object) -> None:
        raise TimeoutError(f"more than {longest} s")

    signal.signal(signal.SIGVTALRM, too_long)
    chosen, known = Chosen(targets, longest=longest), {}
    for target in targets:
        target.put(target.marked())
    for target in targets:
        importlib.import_module(target.module)
    chosen.leave("")
    assert run_tests(chosen, "--continue-on-collection-errors") <= 1, "pytest did not finish"
    for target in targets:
        for number, test in enumerate(target.plays()[0]):
            reached.clear()
            begun = cpu_time()
            test()
            known[number] = cpu_time() - begun, sorted(reached | chosen.elsewhere[""])
    Path(file).write_text(json.dumps([known, chosen.timings()]))
    return SURVIVED


def timed(targets: list[Target], longest: float, long: bool) -> TestSet:
    """Return the tests of unchanged modules."""
    with tempfile.NamedTemporaryFile("r") as file:
        _, status = os.waitpid(fork(TIMING_LIMIT, time_tests, targets, file.name, longest), 0)
        if os.waitstatus_to_exitcode(status) != SURVIVED:
            sys.exit(f"{', '.join(each.name for each in targets)}: the tests of unchanged code fail; run them first")
        found = json.load(file)
    # A change outside of functions concerns the tests that execute anything of the module.
    kinds = (
        {
            test: Timing(taken, frozenset([*places, *(f"{place.partition(':')[0]}:0" for place in places)]))
            for test, (taken, places) in each.items()
        }
        for each in found
    )
    return TestSet(*kinds, long)


def try_change(target: Target, number: int, test_set: TestSet) -> int:
    """Run the tests of a mutant, the fastest kinds first; return SURVIVED or KILLED."""
    with alarm(IMPORT_LIMIT):
        target.put(target.changed(number))
        importlib.import_module(target.module)
    quick, long = target.plays()
    for index, timing in sorted(test_set.plays.items(), key=lambda known: known[1].seconds):
        play(quick[int(index)], timing.limit)
    options = "-x", "-o", f"faulthandler_timeout={HANGING}"
    if test_set.tests and run_tests(Chosen([target], test_set.tests), *options):
        return KILLED
    for test in long if test_set.plays and test_set.long else ():
        play(test, LONG)
    return SURVIVED


def survivors(target: Target, numbers: list[int], test_set: TestSet, jobs: int) -> int:
    """Test mutants in parallel; show the survivors and return their number."""
    left, running, found = numbers.copy(), {}, 0
    with tqdm(total=len(numbers), desc=target.name, unit="mutant") as bar:
        while left or running:
            while left and len(running) < jobs:
                number = left.pop(0)
                about = test_set.about(target.place(number))
                running[fork(about.limit, try_change, target, number, about)] = number
            process, status = os.wait()
            number = running.pop(process)
            if os.waitstatus_to_exitcode(status) == SURVIVED:
                found += 1
                bar.write(f"```diff\n{target.difference(number)}\n```", file=sys.stderr)
            bar.update()
            bar.set_postfix(survivors=found)
    return found


def try_sample(target: Target, test_set: TestSet, arguments: argparse.Namespace) -> None:
    """Test a sample of the mutants of a module and print its row of the table."""
    every = range(len(target.changes))
    chance = random.Random(f"{arguments.seed} {target.name}")
    numbers = sorted(chance.sample(every, min(arguments.sample or len(every), len(every))))
    own = len(test_set.about(f"{target.name}:0").tests)
    killed = len(numbers) - survivors(target, numbers, test_set, arguments.jobs)
    share = f"{killed / len(numbers):.1%}" if numbers else ""
    print(f"| {target.name} | {len(every)} | {len(numbers)} | {own} | {share} |", flush=True)


# The program.


def try_games(names: list[str], arguments: argparse.Namespace) -> None:
    """Test mutants of rule files, by default of all games with their own rule file."""
    from mancala_envs.registry import REGISTRY

    if unknown := [name for name in names if name not in REGISTRY]:
        kinds = f"{', '.join(REGISTRY)}, and the modules in {', '.join(MODULES)}"
        sys.exit(f"there is no game or module {unknown[0]!r}; there are {kinds}")
    # Import everything that does not change once, before the processes fork.
    for entry in REGISTRY.values():
        importlib.import_module(entry.book_module)
    others = "mancala_envs.agents", "mancala_envs.envs.solo", "helpers.forms"
    for module in ("test_golden", "test_oracles", "test_playthroughs", "conftest", *others):
        importlib.import_module(module)
    gc.freeze()
    longest = arguments.longest or LONGEST_OF_GAMES
    for name in names or [name for name, entry in REGISTRY.items() if entry.book_module.endswith(f".{name}")]:
        rules = Rules(name)
        try_sample(rules, timed([rules], longest, not arguments.quick), arguments)


def try_modules(paths: list[str], arguments: argparse.Namespace) -> None:
    """Test mutants of modules that have the same tests."""

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("a program would import the unchanged module")

    subprocess.Popen.__init__ = refuse
    modules = [Target(path, path) for path in paths]
    test_set = timed(modules, arguments.longest or LONGEST_OF_MODULES, not arguments.quick)
    for module in modules:
        try_sample(module, test_set, arguments)


def apart(work: Callable[..., None], *arguments: Any) -> None:
    """Call a function in a process of its own, because what it imports must not be imported in this one."""
    process = multiprocessing.get_context("fork").Process(target=work, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(process.exitcode)


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the small changes of rules and other code that tests detect.")
    parser.add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help=f"a game, or the path of a module in {', '.join(MODULES)}; default: all games with their own rule file",
    )
    parser.add_argument("--sample", type=int, default=60, help="changes per target; 0: all (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the sample (default %(default)s)")
    parser.add_argument(
        "--longest",
        type=float,
        help=f"limit of a test in CPU-seconds (default {LONGEST_OF_GAMES}, for modules {LONGEST_OF_MODULES})",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="parallel processes (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="skip the long comparisons of games")
    arguments = parser.parse_args()
    games, modules = [], defaultdict(list)
    for target in arguments.targets:
        tests = MODULES.get(Path(target).parent.as_posix())
        if tests and (ROOT / target).is_file():
            modules[tests].append(target)
        else:
            games.append(target)
    # The same examples for every mutant, without shrinking, because failures are not shown.
    settings.register_profile("mutants", derandomize=True, database=None, phases=[Phase.explicit, Phase.generate])
    settings.load_profile("mutants")
    for library in LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(library)
    gc.freeze()
    print("| target | changes | tried | own tests | killed |\n|---|---:|---:|---:|---:|")
    if games or not modules:
        apart(try_games, games, arguments)
    for paths in modules.values():
        apart(try_modules, paths, arguments)


if __name__ == "__main__":
    main()

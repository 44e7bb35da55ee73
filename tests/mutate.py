"""Mutation tests: change the rule file of a game in one small way at a time, and run its tests.

    python tests/mutate.py kalah oware             # a sample of the changes of some games
    python tests/mutate.py --sample 0 --jobs 4     # every change of every game: hours

Every mutant runs in plain Python in its own process, forked from one that has imported everything else. A mutant is
killed if it differs from the game's playthroughs, recorded games or oracle (for most mutants this shows within a tenth
of a second), if one of the game's tests fails, or if it loops forever or crashes. Only tests that execute the changed
statement run, the fastest first. The other mutants survive and are shown as diffs on stderr: either the change has no
effect on play, or a test is missing.
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
import random
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, settings

from mancala_envs.evaluation.progress import Bar

TESTS = Path(__file__).parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]
test_golden, test_oracles, test_playthroughs, conftest, registry = map(
    importlib.import_module, ("test_golden", "test_oracles", "test_playthroughs", "conftest", "mancala_envs.registry")
)
REGISTRY = registry.REGISTRY

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
    "kotu_ellima": ("peralikatuma",),
    "cross_races": ("sokkattan", "pahada_keliya", "asi_keliya", "tayam_sonalu"),
    "pancha_races": ("pancha_keliya", "pancha_keliya_complex", "kawade_kelia"),
}  # fmt: skip
"""Test modules shared by several games."""
COMMON = ("symmetry", "pages", "explain")
"""Tests of every game that cover the parts of a rule file other than the rules."""
IMPORT_LIMIT = 10.0
"""Limit for importing a rule file in CPU-seconds; a mutant that exceeds it loops forever."""
LATER = 5.0
"""CPU-seconds until an alarm is repeated; pytest handles the first one in that time."""
LONG = 60.0
"""Limit for each long comparison in CPU-seconds; a mutant that exceeds it loops forever."""
MEMORY = 4 * 2**30
KILLED, SURVIVED = 0, 1

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


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the replacements of a node."""
    if isinstance(node, ast.Compare):
        for at, each in enumerate(node.ops):
            for other in (COMPARISONS, REVERSED):
                if type(each) in other:
                    changed = copy.deepcopy(node)
                    changed.ops[at] = other[type(each)]()
                    yield changed
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        changed = copy.deepcopy(node)
        changed.op = ARITHMETIC[type(node.op)]()
        yield changed
    elif isinstance(node, ast.BoolOp):
        changed = copy.deepcopy(node)
        changed.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield changed
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield from (ast.Constant(node.value + 1), ast.Constant(node.value - 1))
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        changed = copy.deepcopy(node)
        changed.test = ast.UnaryOp(ast.Not(), changed.test)
        yield changed
    if isinstance(node, DELETED) and not is_words(node):
        yield ast.Pass()


def is_words(node: ast.AST) -> bool:
    """Return whether a node is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def mark(statement: ast.stmt) -> list[ast.stmt]:
    """Return the code before a statement that records that it was reached."""
    return [] if is_words(statement) else ast.parse(f"reached({statement.lineno})").body


class Rules:
    """A rule file and all its changes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = REGISTRY[name].book_module
        self.path = TESTS.parent / f"{self.module.replace('.', '/')}.py"
        self.tree = ast.parse(self.path.read_text())
        self.statements: dict[ast.AST, int] = {}
        self.find_statements(self.tree, 0, False)
        self.reached: set[int] = set()
        self.changes = [
            (parent, field, at, changed, node)
            for parent in ast.walk(self.tree)
            for field, value in ast.iter_fields(parent)
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

    def line(self, number: int) -> int:
        """Return the line of the statement that a change is in, 0 outside of functions."""
        return self.statements[self.changes[number][-1]]

    def marked(self) -> str:
        """Return the unchanged file with code that adds the statements it executes to `reached`."""
        tree = copy.deepcopy(self.tree)
        for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
            for node in ast.walk(function):
                for _, value in ast.iter_fields(node):
                    if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                        value[:] = [each for one in value for each in (*mark(one), one)]
        return ast.unparse(ast.fix_missing_locations(tree))

    def changed(self, number: int) -> str:
        """Return the file with one change."""
        parent, field, at, changed, _ = self.changes[number]
        value = getattr(parent, field)
        as_it_was = value.copy() if isinstance(value, list) else value
        if isinstance(value, list):
            value[at] = changed
        else:
            setattr(parent, field, changed)
        text = ast.unparse(ast.fix_missing_locations(self.tree))
        setattr(parent, field, as_it_was)
        return text

    def difference(self, number: int) -> str:
        """Return one change as lines of a diff."""
        one, other = (text.splitlines() for text in (ast.unparse(self.tree), self.changed(number)))
        lines = list(difflib.unified_diff(one, other, lineterm="", n=0))[3:]
        return "\n".join([f"{self.path.name}:{self.changes[number][-1].lineno}", *lines])

    def put(self, text: str) -> None:
        """Install a text as the module of the rules."""
        module = ModuleType(self.module)
        module.__file__ = str(self.path)
        vars(module)["reached"] = self.reached.add
        sys.modules[self.module] = module
        setattr(importlib.import_module("mancala_envs.games"), self.path.stem, module)
        exec(compile(text, self.path, "exec"), vars(module))


# Tests.


def plays(name: str) -> tuple[dict[str, Callable[[], None]], dict[str, Callable[[], None]]]:
    """Return the comparisons with playthroughs, recordings and oracles, quick ones and long ones, by name."""
    quick: dict[str, Callable[[], None]] = {}
    long: dict[str, Callable[[], None]] = {}

    def add(where: dict[str, Callable[[], None]], test: Callable[..., None], *arguments: Any, **options: Any) -> None:
        where[f"{'quick' if where is quick else 'long'} {len(where)}"] = partial(test, *arguments, **options)

    for game, campaign in test_playthroughs.CASES:
        if game == name:
            add(quick, test_playthroughs.test_playthrough_equals_its_record, name, campaign)
            add(quick, test_playthroughs.test_beginning_in_a_used_record_gives_the_same_bytes, name, campaign)
            add(quick, test_playthroughs.test_recorded_texts_can_be_parsed, name, campaign)
            add(quick, test_playthroughs.test_text_of_a_finished_game_can_be_parsed, name, campaign)
    for parameters in test_golden.RECORDS:
        if parameters.values[0] == name and not parameters.marks:
            add(quick, test_golden.test_recorded_game_is_replayed_exactly, *parameters.values)
    add(quick, test_oracles.test_most_decisions_grows_with_max_turns, name)
    for game, campaign, options, sizes in test_oracles.VARIANTS:
        if game == name:
            add(quick, test_oracles.test_options_and_chance_are_those_of_the_page, name, campaign, options, sizes)
            # In plain Python a mask of thousands of actions is slow.
            decisions = 100 if registry.make_game(name).num_actions < 1000 else 10
            add(quick, test_oracles.compare, name, decisions, 0, campaign)
            others = {option: values[-1] for option, values in options.items()}
            add(quick, test_oracles.compare, name, decisions, 1, campaign, **others)
            add(long, test_oracles.test_random_play_agrees_with_the_oracle, name, campaign, options, sizes)
            for size in sizes:
                add(long, test_oracles.compare, name, 200, 0, campaign, **size)
    if name in test_oracles.RARE:
        add(long, test_oracles.test_rare_rules_agree_with_the_oracle, name)
    return quick, long


def play(test: Callable[[], None], limit: float) -> None:
    with alarm(limit), warnings.catch_warnings():
        warnings.simplefilter("error")
        test()


class Timing(NamedTuple):
    """The CPU time of a test with the unchanged rules in seconds, and the statements it executes."""

    seconds: float
    reached: list[int]

    @property
    def limit(self) -> float:
        """The limit in CPU-seconds; a mutant that exceeds it loops forever."""
        return 1 + 4 * self.seconds


class TestSet(NamedTuple):
    """The tests of mutants.

    Attributes:
        plays: the quick comparisons by name.
        tests: the game's own tests by name.
        elsewhere: the statements executed outside of tests, such as at import.
        long: whether to run the long comparisons.
    """

    plays: dict[str, Timing]
    tests: dict[str, Timing]
    elsewhere: list[int]
    long: bool

    def about(self, line: int) -> "TestSet":
        """Return the tests that execute a line."""
        if line == 0 or line in self.elsewhere:
            return self
        plays, tests = (
            {name: known for name, known in each.items() if line in known.reached} for each in (self.plays, self.tests)
        )
        return TestSet(plays, tests, self.elsewhere, self.long)

    @property
    def limit(self) -> float:
        """The limit of all tests together in CPU-seconds, long comparisons included."""
        return 10 + LONG + sum(known.limit for each in (self.plays, self.tests) for known in each.values())


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Limit the CPU time of a block. The alarm repeats, because Hypothesis may run a failed example again."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, LATER)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class Chosen:
    """A pytest plugin that selects a game's own tests, the fastest first.

    Without `known` all tests run, with a limit of `longest` CPU-seconds each, and `found` receives those that pass.
    """

    def __init__(self, rules: Rules, known: dict[str, Timing] | None = None, longest: float = 0.0) -> None:
        self.rules, self.known, self.longest = rules, known, longest
        self.found: dict[str, Timing] = {}
        self.elsewhere: set[int] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.asks(item)]
        if self.known is not None:
            items.sort(key=lambda item: self.known[item.nodeid].seconds)

    def asks(self, item: pytest.Item) -> bool:
        """Return whether a test is selected."""
        if self.known is not None:
            return item.nodeid in self.known
        games = conftest.games_of(item) | {name for name in REGISTRY if f"_{name}_" in f"{item.name}_"}
        return self.rules.name in games or not games

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.elsewhere |= self.rules.reached
        self.rules.reached.clear()
        begun = time.process_time()
        try:
            with alarm(self.longest if self.known is None else self.known[item.nodeid].limit):
                result = yield
            self.found[item.nodeid] = Timing(time.process_time() - begun, sorted(self.rules.reached))
            return result
        finally:
            self.rules.reached.clear()


def files(name: str) -> list[str]:
    """Return the paths of the test modules of a game."""
    stems = [name, *(family for family, games in FAMILIES.items() if name in games), *COMMON]
    return [str(path) for stem in stems for path in TESTS.glob(f"*/test_{stem}.py")]


def pass_own(chosen: Chosen, *options: str) -> int:
    """Run a game's own tests; return the exit code of pytest, 0 if all pass, 1 if some fail."""
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--no-summary"]
    # pytest cannot always show the line at which an alarm ended a test.
    arguments += ["--tb=native", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return pytest.main([*arguments, *options, *files(chosen.rules.name)], [chosen])


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


def time_tests(rules: Rules, file: str, longest: float) -> int:
    """Time the tests that the unchanged rules pass; write the timings to a file."""

    def too_long(*_: object) -> None:
        raise TimeoutError(f"more than {longest} s")

    signal.signal(signal.SIGVTALRM, too_long)
    rules.put(rules.marked())
    chosen, known = Chosen(rules, longest=longest), {}
    assert pass_own(chosen) <= 1, "pytest did not finish"
    for name, test in plays(rules.name)[0].items():
        rules.reached.clear()
        begun = time.process_time()
        test()
        known[name] = Timing(time.process_time() - begun, sorted(rules.reached))
    Path(file).write_text(json.dumps([known, chosen.found, sorted(chosen.elsewhere)]))
    return SURVIVED


def try_change(rules: Rules, number: int, test_set: TestSet) -> int:
    """Run the tests of a mutant, the fastest kinds first; return SURVIVED or KILLED."""
    with alarm(IMPORT_LIMIT):
        rules.put(rules.changed(number))
    quick, long = plays(rules.name)
    for name in sorted(test_set.plays, key=lambda name: test_set.plays[name].seconds):
        play(quick[name], test_set.plays[name].limit)
    if test_set.tests and pass_own(Chosen(rules, test_set.tests), "-x"):
        return KILLED
    for test in long.values() if test_set.plays and test_set.long else ():
        play(test, LONG)
    return SURVIVED


def survivors(rules: Rules, numbers: list[int], test_set: TestSet, jobs: int) -> int:
    """Test mutants in parallel; show the survivors and return their number."""
    left, running, found = numbers.copy(), {}, 0
    with Bar(total=len(numbers), desc=rules.name, unit="mutant") as bar:
        while left or running:
            while left and len(running) < jobs:
                number = left.pop(0)
                about = test_set.about(rules.line(number))
                running[fork(about.limit, try_change, rules, number, about)] = number
            process, status = os.wait()
            number = running.pop(process)
            if os.waitstatus_to_exitcode(status) == SURVIVED:
                found += 1
                bar.write(f"```diff\n{rules.difference(number)}\n```", file=sys.stderr)
            bar.update()
            bar.set_postfix(survivors=found)
    return found


# The program.


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the small changes of rules that tests detect.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all games with their own rule file")
    parser.add_argument("--sample", type=int, default=60, help="changes per game; 0: all (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the sample (default %(default)s)")
    parser.add_argument(
        "--longest", type=float, default=0.3, help="limit of a test in CPU-seconds (default %(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="parallel processes (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="skip the long comparisons")
    arguments = parser.parse_args()
    games = arguments.games or [name for name, entry in REGISTRY.items() if entry.book_module.endswith(f".{name}")]
    for name in games:
        if name not in REGISTRY:
            parser.error(f"there is no game {name!r}; there are {', '.join(REGISTRY)}")
    # Import everything that does not change once, before the processes fork.
    for entry in REGISTRY.values():
        importlib.import_module(entry.book_module)
    for module in ("gymnasium", "pettingzoo", "mancala_envs.agents", "mancala_envs.envs.solo", "helpers.forms"):
        importlib.import_module(module)
    # The same examples for every mutant, without shrinking, because failures are not shown.
    settings.register_profile("mutants", derandomize=True, database=None, phases=[Phase.explicit, Phase.generate])
    settings.load_profile("mutants")
    gc.freeze()
    print("| game | changes | tried | own tests | killed |\n|---|---:|---:|---:|---:|")
    for name in games:
        rules = Rules(name)
        with tempfile.NamedTemporaryFile("r") as file:
            _, status = os.waitpid(fork(900, time_tests, rules, file.name, arguments.longest), 0)
            if os.waitstatus_to_exitcode(status) != SURVIVED:
                sys.exit(f"{name}: the unchanged rules fail; run the tests first")
            *known, elsewhere = json.load(file)
        test_set = TestSet(
            *({test: Timing(*timing) for test, timing in each.items()} for each in known),
            elsewhere,
            not arguments.quick,
        )
        every = range(len(rules.changes))
        chance = random.Random(f"{arguments.seed} {name}")
        numbers = sorted(chance.sample(every, min(arguments.sample or len(every), len(every))))
        share = 1 - survivors(rules, numbers, test_set, arguments.jobs) / len(numbers)
        print(f"| {name} | {len(every)} | {len(numbers)} | {len(test_set.tests)} | {share:.1%} |", flush=True)


if __name__ == "__main__":
    main()

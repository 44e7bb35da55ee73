"""What the tests of a game notice: its rule file is changed in one small way after the other, and its tests are run.

    python tests/mutate.py kalah oware             # a sample of the changes of some games
    python tests/mutate.py --sample 0 --jobs 4     # every change of every game: hours

Every mutant runs in plain Python in a process of its own, forked from one that has imported all else. It is killed by
what differs from its playthrough, its recorded games or its oracle, which most are within a tenth of a second; by a
test of its own that fails; by an endless loop, and by a crash. What is left, a survivor, is shown as a difference
(on stderr): either the change makes none to play, or a test is missing.
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
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tqdm import tqdm

TESTS = Path(__file__).parent
sys.path[:0] = [str(TESTS.parent), str(TESTS)]
test_golden, test_oracles, test_playthroughs, conftest, registry = map(
    importlib.import_module, ("test_golden", "test_oracles", "test_playthroughs", "conftest", "mancala_envs.registry")
)
REGISTRY = registry.REGISTRY

FAMILIES = {
    "olinda": ("puhulmutu", "walak_pussa", "kotu_baendum", "daramutu"),
    "kotu_ellima": ("peralikatuma",),
    "cross_races": ("sokkattan", "pahada_keliya", "asi_keliya", "tayam_sonalu"),
    "pancha_races": ("pancha_keliya", "pancha_keliya_complex", "kawade_kelia"),
}
"""Tests that several games share."""
OF_ALL = ("symmetry", "pages", "explain")
"""What every game is asked, of what a rule file says besides its rules."""
LONGEST = 1.0
"""CPU-seconds of one test in plain Python; longer ones are left out."""
MEMORY = 4 * 2**30
KILLED, SURVIVED = 0, 1

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
REVERSED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
RECKONED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip
DELETED = (ast.Assign, ast.AugAssign, ast.Expr, ast.Break, ast.Continue)


# Changes.


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in place of `node`."""
    if isinstance(node, ast.Compare):
        for at, each in enumerate(node.ops):
            for other in (COMPARED, REVERSED):
                if type(each) in other:
                    changed = copy.deepcopy(node)
                    changed.ops[at] = other[type(each)]()
                    yield changed
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in RECKONED:
        changed = copy.deepcopy(node)
        changed.op = RECKONED[type(node.op)]()
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
    """Whether it is a docstring, or what stands for one behind a definition."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class Rules:
    """A rule file and all its changes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = REGISTRY[name].law
        self.path = TESTS.parent / f"{self.module.replace('.', '/')}.py"
        self.tree = ast.parse(self.path.read_text())
        self.changes = [
            (parent, field, at, changed, node.lineno)
            for parent in ast.walk(self.tree)
            for field, value in ast.iter_fields(parent)
            for at, node in enumerate(value if isinstance(value, list) else [value])
            if isinstance(node, ast.expr | ast.stmt)
            for changed in changes(node)
            # Without a name of the module nothing could be imported.
            if not (isinstance(changed, ast.Pass) and parent is self.tree)
        ]

    def changed(self, number: int) -> str:
        """The file with one change."""
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
        """What one change is, in lines of a diff."""
        one, other = (text.splitlines() for text in (ast.unparse(self.tree), self.changed(number)))
        lines = list(difflib.unified_diff(one, other, lineterm="", n=0))[3:]
        return "\n".join([f"{self.path.name}:{self.changes[number][-1]}", *lines])

    def put(self, text: str) -> None:
        """Let whoever imports the rules from now on get these."""
        module = ModuleType(self.module)
        module.__file__ = str(self.path)
        sys.modules[self.module] = module
        setattr(importlib.import_module("mancala_envs.games"), self.path.stem, module)
        exec(compile(text, self.path, "exec"), vars(module))


# Tests.


def plays_as_recorded(name: str) -> None:
    """AssertionError, or whatever else, where the rules play other than playthroughs, records and oracles."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        campaigns = [campaign for game, campaign in test_playthroughs.CASES if game == name]
        for campaign in campaigns:
            test_playthroughs.test_a_game_goes_as_it_was_written_down(name, campaign)
        for parameters in test_golden.RECORDS:
            if parameters.values[0] == name and not parameters.marks:
                test_golden.test_recorded_game_is_replayed_exactly(*parameters.values)
        for game, campaign, options, sizes in test_oracles.VARIANTS:
            if game == name:
                test_oracles.compare(name, 100, 0, campaign)
                test_oracles.test_random_play_is_that_of_the_oracle(name, campaign, options, sizes)
                for size in sizes:
                    test_oracles.compare(name, 200, 0, campaign, **size)


class Chosen:
    """A game's own tests, the quickest first. Without `known` all are run, and `seconds` tells what each took."""

    def __init__(self, name: str, known: dict[str, float] | None = None) -> None:
        self.name, self.known = name, known
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.asks(item)]
        if self.known is not None:
            items.sort(key=lambda item: self.known[item.nodeid])

    def asks(self, item: pytest.Item) -> bool:
        """Whether a test is one of this game, and none of those that are left out."""
        if self.known is not None:
            return item.nodeid in self.known
        games = conftest.named(item)
        return (
            self.name in games
            or f"_{self.name}_" in item.name
            or not (games or item.path.stem.removeprefix("test_") in OF_ALL)
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        def too_long(*_: object) -> None:
            raise TimeoutError(f"more than {LONGEST} s")

        if self.known is None:
            signal.signal(signal.SIGVTALRM, too_long)
        # A mutant that takes much longer than the rules as they are is ended by it.
        limit = LONGEST if self.known is None else 1 + 4 * self.known[item.nodeid]
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.seconds[report.nodeid] = report.duration


def files(name: str) -> list[str]:
    """Of the tests of the game, and of what every rule file says besides its rules."""
    stems = [name, *(family for family, games in FAMILIES.items() if name in games), *OF_ALL]
    return [str(path) for stem in stems if (path := TESTS / f"test_{stem}.py").exists()]


def pass_own(chosen: Chosen, *options: str) -> bool:
    """Run a game's own tests."""
    usual = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--no-summary"]
    usual += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return not pytest.main([*usual, *options, *files(chosen.name)], [chosen])


# Processes.


def fork(seconds: float, work: Callable[..., int], *arguments: Any) -> int:
    """Start a process that does `work`, in silence, and ends with what it returns; its number."""
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


def find_known(rules: Rules, file: str) -> int:
    """Write {test: CPU-seconds} of those that the rules as they are pass in time, and of all records."""
    rules.put(ast.unparse(rules.tree))
    begun = time.process_time()
    plays_as_recorded(rules.name)
    played = time.process_time() - begun
    chosen = Chosen(rules.name)
    pass_own(chosen)
    Path(file).write_text(json.dumps([played, chosen.seconds]))
    return SURVIVED


def try_change(rules: Rules, number: int, known: dict[str, float], seconds: float) -> int:
    # Whoever plays on for ever is ended by this alarm.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    rules.put(rules.changed(number))
    plays_as_recorded(rules.name)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return SURVIVED if pass_own(Chosen(rules.name, known), "-x") else KILLED


def survivors(rules: Rules, numbers: list[int], known: dict[str, float], played: float, jobs: int) -> int:
    """How many of these changes no test notices; each is shown."""
    left, running, found = numbers.copy(), {}, 0
    limit = 10 + 3 * (played + sum(known.values()))
    with tqdm(total=len(numbers), desc=rules.name, unit="mutant") as bar:
        while left or running:
            while left and len(running) < jobs:
                number = left.pop(0)
                running[fork(limit, try_change, rules, number, known, 1 + 3 * played)] = number
            process, status = os.wait()
            number = running.pop(process)
            if os.waitstatus_to_exitcode(status) == SURVIVED:
                found += 1
                bar.write(f"```diff\n{rules.difference(number)}\n```", file=sys.stderr)
            bar.update()
            bar.set_postfix(survivors=found)
    return found


# What is told.


def main() -> None:
    parser = argparse.ArgumentParser(description="Which small changes of rules do tests notice?")
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all that have a file of their own")
    parser.add_argument("--sample", type=int, default=60, help="changes of each game, 0: all (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once (default %(default)s)")
    arguments = parser.parse_args()
    games = arguments.games or [name for name, entry in REGISTRY.items() if entry.law.endswith(f".{name}")]
    for name in games:
        if name not in REGISTRY:
            parser.error(f"there is no game {name!r}; there are {', '.join(REGISTRY)}")
    # Whatever stays as it is, imported once for all mutants.
    for entry in REGISTRY.values():
        importlib.import_module(entry.law)
    for module in ("gymnasium", "hypothesis", "pettingzoo", "mancala_envs.agents", "mancala_envs.envs.solo", "forms"):
        importlib.import_module(module)
    gc.freeze()
    print("| game | changes | tried | own tests | killed |\n|---|---:|---:|---:|---:|")
    for name in games:
        rules = Rules(name)
        with tempfile.NamedTemporaryFile("r") as file:
            _, status = os.waitpid(fork(900, find_known, rules, file.name), 0)
            if os.waitstatus_to_exitcode(status) != SURVIVED:
                sys.exit(f"{name}: the rules as they are fail, run its tests first")
            played, known = json.load(file)
        every = range(len(rules.changes))
        chance = random.Random(f"{arguments.seed} {name}")
        numbers = sorted(chance.sample(every, min(arguments.sample or len(every), len(every))))
        share = 1 - survivors(rules, numbers, known, played, arguments.jobs) / len(numbers)
        print(f"| {name} | {len(every)} | {len(numbers)} | {len(known)} | {share:.1%} |", flush=True)


if __name__ == "__main__":
    main()

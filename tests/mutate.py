"""What the tests of a game notice: its rule file is changed in one small way after the other, and its tests are run.

    python tests/mutate.py kalah oware             # a sample of the changes of some games
    python tests/mutate.py --sample 0 --jobs 4     # every change of every game: hours

Every mutant runs in plain Python in a process of its own, forked from one that has imported all else. It is killed by
what differs from its playthrough, its recorded games or its oracle, which most are within a tenth of a second; by a
test of its own that fails; by an endless loop, and by a crash. Asked is only what comes to the statement that was
changed, the quickest first. What is left, a survivor, is shown as a difference (on stderr): either the change makes
none to play, or a test is missing.
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
from tqdm import tqdm

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
    "bad_input": ("kalah", "oware", "qelat"),
    "campaign": ("ceelkoqyuqkoqiji",),
    "olinda": ("puhulmutu", "walak_pussa", "kotu_baendum", "daramutu"),
    "kotu_ellima": ("peralikatuma",),
    "cross_races": ("sokkattan", "pahada_keliya", "asi_keliya", "tayam_sonalu"),
    "pancha_races": ("pancha_keliya", "pancha_keliya_complex", "kawade_kelia"),
}  # fmt: skip
"""Tests that several games share."""
OF_ALL = ("symmetry", "pages", "explain")
"""What every game is asked, of what a rule file says besides its rules."""
LONGEST_IMPORT = 10.0
"""CPU-seconds in which a rule file is read; one that needs more makes its tables for ever."""
LATER = 5.0
"""CPU-seconds in which pytest has dealt with an alarm."""
LONG = 60.0
"""CPU-seconds of a mutant's long plays; one that needs more plays on for ever."""
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


def mark(statement: ast.stmt) -> list[ast.stmt]:
    """What goes before a statement so that it is known whether it was reached."""
    return [] if is_words(statement) else ast.parse(f"reached({statement.lineno})").body


class Rules:
    """A rule file and all its changes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = REGISTRY[name].law
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
            # Without a name of the module nothing could be imported.
            if not (isinstance(changed, ast.Pass) and parent is self.tree)
        ]

    def find_statements(self, node: ast.AST, line: int, in_function: bool) -> None:
        """Note for every node the line of the statement of a function that it belongs to; 0 outside."""
        for child in ast.iter_child_nodes(node):
            begins = in_function and isinstance(child, ast.stmt)
            self.statements[child] = child.lineno if begins else line
            self.find_statements(child, self.statements[child], in_function or isinstance(child, ast.FunctionDef))

    def line(self, number: int) -> int:
        """Of the statement that a change belongs to, or 0."""
        return self.statements[self.changes[number][-1]]

    def marked(self) -> str:
        """The file as it is, but that it puts into `reached` the statements that it comes to."""
        tree = copy.deepcopy(self.tree)
        for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
            for node in ast.walk(function):
                for _, value in ast.iter_fields(node):
                    if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                        value[:] = [each for one in value for each in (*mark(one), one)]
        return ast.unparse(ast.fix_missing_locations(tree))

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
        return "\n".join([f"{self.path.name}:{self.changes[number][-1].lineno}", *lines])

    def put(self, text: str) -> None:
        """Let whoever imports the rules from now on get these."""
        module = ModuleType(self.module)
        module.__file__ = str(self.path)
        vars(module)["reached"] = self.reached.add
        sys.modules[self.module] = module
        setattr(importlib.import_module("mancala_envs.games"), self.path.stem, module)
        exec(compile(text, self.path, "exec"), vars(module))


# Tests.


def plays(name: str) -> tuple[dict[str, Callable[[], None]], dict[str, Callable[[], None]]]:
    """What raises an error where the rules play other than playthroughs, records and oracles: quick ones, long ones."""
    quick: dict[str, Callable[[], None]] = {}
    long: dict[str, Callable[[], None]] = {}

    def ask(where: dict[str, Callable[[], None]], test: Callable[..., None], *arguments: Any, **options: Any) -> None:
        where[f"{'quick' if where is quick else 'long'} {len(where)}"] = partial(test, *arguments, **options)

    for game, campaign in test_playthroughs.CASES:
        if game == name:
            ask(quick, test_playthroughs.test_a_game_goes_as_it_was_written_down, name, campaign)
            ask(quick, test_playthroughs.test_a_game_begun_anew_is_as_the_first, name, campaign)
            ask(quick, test_playthroughs.test_texts_that_were_written_down_can_be_parsed, name, campaign)
            ask(quick, test_playthroughs.test_a_game_that_is_over_can_be_written_down_and_parsed, name, campaign)
    for parameters in test_golden.RECORDS:
        if parameters.values[0] == name and not parameters.marks:
            ask(quick, test_golden.test_recorded_game_is_replayed_exactly, *parameters.values)
    ask(quick, test_oracles.test_a_game_of_one_turn_is_allowed_a_decision, name)
    for game, campaign, options, sizes in test_oracles.VARIANTS:
        if game == name:
            ask(quick, test_oracles.test_options_and_chance_are_those_of_the_page, name, campaign, options, sizes)
            # With thousands of actions a mask takes long in plain Python.
            decisions = 100 if registry.make_game(name).num_actions < 1000 else 10
            ask(quick, test_oracles.compare, name, decisions, 0, campaign)
            others = {option: values[-1] for option, values in options.items()}
            ask(quick, test_oracles.compare, name, decisions, 1, campaign, **others)
            ask(long, test_oracles.test_random_play_is_that_of_the_oracle, name, campaign, options, sizes)
            for size in sizes:
                ask(long, test_oracles.compare, name, 200, 0, campaign, **size)
    if name in test_oracles.RARE:
        ask(long, test_oracles.test_what_is_rare_is_that_of_the_oracle, name)
    return quick, long


def play(test: Callable[[], None], limit: float) -> None:
    with alarm(limit), warnings.catch_warnings():
        warnings.simplefilter("error")
        test()


class Known(NamedTuple):
    """What takes so many CPU-seconds with the rules as they are, and comes to these statements."""

    seconds: float
    reached: list[int]

    @property
    def limit(self) -> float:
        """CPU-seconds; a mutant that needs more plays on for ever."""
        return 1 + 4 * self.seconds


class Asked(NamedTuple):
    """What kills mutants, and whether long plays may. `elsewhere`: the statements come to while tests are found."""

    plays: dict[str, Known]
    tests: dict[str, Known]
    elsewhere: list[int]
    long: bool

    def about(self, line: int) -> "Asked":
        """What can notice a change there."""
        if line == 0 or line in self.elsewhere:
            return self
        plays, tests = (
            {name: known for name, known in each.items() if line in known.reached} for each in (self.plays, self.tests)
        )
        return Asked(plays, tests, self.elsewhere, self.long)

    @property
    def limit(self) -> float:
        """CPU-seconds of all, long plays too."""
        return 10 + LONG + sum(known.limit for each in (self.plays, self.tests) for known in each.values())


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """End what takes more CPU-seconds, and later what Hypothesis tries again because of that."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, LATER)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class Chosen:
    """A game's own tests, the quickest first.

    Without `known` all are run, of up to `longest` CPU-seconds, and `found` tells of each that passes.
    """

    def __init__(self, rules: Rules, known: dict[str, Known] | None = None, longest: float = 0.0) -> None:
        self.rules, self.known, self.longest = rules, known, longest
        self.found: dict[str, Known] = {}
        self.elsewhere: set[int] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.asks(item)]
        if self.known is not None:
            items.sort(key=lambda item: self.known[item.nodeid].seconds)

    def asks(self, item: pytest.Item) -> bool:
        """Whether a test is one of this game, and none of those that are left out."""
        if self.known is not None:
            return item.nodeid in self.known
        games = conftest.named(item) | {name for name in REGISTRY if f"_{name}_" in f"{item.name}_"}
        return self.rules.name in games or not games

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.elsewhere |= self.rules.reached
        self.rules.reached.clear()
        begun = time.process_time()
        try:
            with alarm(self.longest if self.known is None else self.known[item.nodeid].limit):
                result = yield
            self.found[item.nodeid] = Known(time.process_time() - begun, sorted(self.rules.reached))
            return result
        finally:
            self.rules.reached.clear()


def files(name: str) -> list[str]:
    """Of the tests of the game, and of what every rule file says besides its rules."""
    stems = [name, *(family for family, games in FAMILIES.items() if name in games), *OF_ALL]
    return [str(path) for stem in stems for path in TESTS.glob(f"*/test_{stem}.py")]


def pass_own(chosen: Chosen, *options: str) -> int:
    """Run a game's own tests; what pytest says: 0 if all pass, 1 if some fail."""
    usual = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--no-summary"]
    # Of a test that an alarm ended pytest cannot always show in which line that was.
    usual += ["--tb=native", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return pytest.main([*usual, *options, *files(chosen.rules.name)], [chosen])


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


def find_asked(rules: Rules, file: str, longest: float) -> int:
    """Write what the rules as they are pass, with the CPU-seconds that it takes and the statements it comes to."""

    def too_long(*_: object) -> None:
        raise TimeoutError(f"more than {longest} s")

    signal.signal(signal.SIGVTALRM, too_long)
    rules.put(rules.marked())
    chosen, known = Chosen(rules, longest=longest), {}
    assert pass_own(chosen) <= 1, "pytest came not to its end"
    for name, test in plays(rules.name)[0].items():
        rules.reached.clear()
        begun = time.process_time()
        test()
        known[name] = Known(time.process_time() - begun, sorted(rules.reached))
    Path(file).write_text(json.dumps([known, chosen.found, sorted(chosen.elsewhere)]))
    return SURVIVED


def try_change(rules: Rules, number: int, asked: Asked) -> int:
    """Whether it survives quick plays, tests, and the long plays that come to where the quick ones do."""
    with alarm(LONGEST_IMPORT):
        rules.put(rules.changed(number))
    quick, long = plays(rules.name)
    for name in sorted(asked.plays, key=lambda name: asked.plays[name].seconds):
        play(quick[name], asked.plays[name].limit)
    if asked.tests and pass_own(Chosen(rules, asked.tests), "-x"):
        return KILLED
    for test in long.values() if asked.plays and asked.long else ():
        play(test, LONG)
    return SURVIVED


def survivors(rules: Rules, numbers: list[int], asked: Asked, jobs: int) -> int:
    """How many of these changes no test notices; each is shown."""
    left, running, found = numbers.copy(), {}, 0
    with tqdm(total=len(numbers), desc=rules.name, unit="mutant") as bar:
        while left or running:
            while left and len(running) < jobs:
                number = left.pop(0)
                about = asked.about(rules.line(number))
                running[fork(about.limit, try_change, rules, number, about)] = number
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
    parser.add_argument("--longest", type=float, default=0.3, help="CPU-seconds of one test (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="without the long plays that only survivors come to")
    arguments = parser.parse_args()
    games = arguments.games or [name for name, entry in REGISTRY.items() if entry.law.endswith(f".{name}")]
    for name in games:
        if name not in REGISTRY:
            parser.error(f"there is no game {name!r}; there are {', '.join(REGISTRY)}")
    # Whatever stays as it is, imported once for all mutants.
    for entry in REGISTRY.values():
        importlib.import_module(entry.law)
    for module in ("gymnasium", "pettingzoo", "mancala_envs.agents", "mancala_envs.envs.solo", "helpers.forms"):
        importlib.import_module(module)
    # The same examples for every mutant; none is made smaller, for who would see it.
    settings.register_profile("mutants", derandomize=True, database=None, phases=[Phase.explicit, Phase.generate])
    settings.load_profile("mutants")
    gc.freeze()
    print("| game | changes | tried | own tests | killed |\n|---|---:|---:|---:|---:|")
    for name in games:
        rules = Rules(name)
        with tempfile.NamedTemporaryFile("r") as file:
            _, status = os.waitpid(fork(900, find_asked, rules, file.name, arguments.longest), 0)
            if os.waitstatus_to_exitcode(status) != SURVIVED:
                sys.exit(f"{name}: the rules as they are fail, run its tests first")
            *known, elsewhere = json.load(file)
        asked = Asked(
            *({test: Known(*told) for test, told in each.items()} for each in known), elsewhere, not arguments.quick
        )
        every = range(len(rules.changes))
        chance = random.Random(f"{arguments.seed} {name}")
        numbers = sorted(chance.sample(every, min(arguments.sample or len(every), len(every))))
        share = 1 - survivors(rules, numbers, asked, arguments.jobs) / len(numbers)
        print(f"| {name} | {len(every)} | {len(numbers)} | {len(asked.tests)} | {share:.1%} |", flush=True)


if __name__ == "__main__":
    main()

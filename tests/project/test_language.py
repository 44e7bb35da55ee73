"""Prose is in plain English: no text uses the words and openings listed here, quotations excepted."""

import ast
import re

import pytest
from helpers.programs import ROOT

WORDS = {
    r"nought": "zero",
    r"thousand million": "billion",
    r"besides(?=[.,;:)]|$)": "also",
    r"tells?": "says, reports, returns",
    r"told(?! apart)": "said, reported",
    r"dear": "expensive",
    r"(?<!thing )(?<!one )(?<!body )(?<!what )else(?=[.;)]|$)": "otherwise",
    r"has you": "lets you",
    r"who(?:so)?(?:m|se)?ever": "any player who",
    r"he|him|his|himself": "they, the player",
    r"alike": "equally, the same",
    r"anew": "again",
    r"so many(?! (?:as|of|that)\b)": "the number of, n",
    r"shall": "must, will",
    r"(?:where|there)(?:in|of|upon)": "in which, of which",
}
"""Words to avoid, as regular expressions, and what to write instead."""

OPENINGS = r"Who|Whose|What|Whatever|All that|All who|He who|Nothing of|(?:Of|To|From|By) whom"
"""Clauses that must not begin a statement. They may begin a question or a heading."""

RULES = [(re.compile(rf"\b(?:{word})\b", re.IGNORECASE), instead) for word, instead in WORDS.items()]
START, STATEMENT = r"(?:\A|[.?!]\s|\n\s*\n|[*#|] )\s*", r"\b(?:[^.?!\n]|\n(?!\s*\n))*\.(?=\s|\Z)"
RULES.append((re.compile(f"{START}(?:{OPENINGS}){STATEMENT}"), "begin with the subject"))
NO_PROSE = re.compile(r'```.*?```|`+[^`]*`+|"(?:[^"\n]|\n(?!\s*\n))*"', re.DOTALL)
"""Code blocks, names in code, and quotations, which stay word for word."""

PAGES = [
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/*.md"))
    if not {"games", "modules", "programs.md"} & set(path.parts)  # They are generated from the code.
]
MODULES = [
    path for name in ("mancala_envs", "wrappers", "scripts", "docs", "tests") for path in (ROOT / name).rglob("*.py")
]
PATHS = {path.relative_to(ROOT).as_posix(): path for path in (*PAGES, *MODULES)}
del PATHS["tests/project/test_language.py"]


def prose(path):
    """Yield the texts of a file: a page, or the comments, docstrings and other strings of a module."""
    source = path.read_text()
    if path.suffix == ".md":
        yield source
        return
    yield from (block.replace("# ", "") for block in re.findall(r"(?:^ *# .*\n)+|  # .*\n", source, re.MULTILINE))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


def faults(text):
    """Return the words and openings to avoid in a text, each with what to write instead."""
    text = NO_PROSE.sub("X", text)
    return [f"{match[0].strip()!r}: {instead}" for rule, instead in RULES for match in rule.finditer(text)]


@pytest.mark.slow
def test_prose_is_plain():
    assert not [(name, fault) for name, path in PATHS.items() for text in prose(path) for fault in faults(text)]


@pytest.mark.parametrize("text", ["Nought.", "It tells who won.", "One besides.", "Who moves wins.", "0, or else."])
def test_a_word_or_opening_to_avoid_is_found(text):
    assert len(faults(text)) == 1


@pytest.mark.parametrize("text", ['Parker: "he sows".', "`else:`", "Who is to move?", "nothing else", "told apart"])
def test_quotations_code_and_questions_pass(text):
    assert not faults(text)

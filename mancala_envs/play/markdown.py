"""Markdown as HTML, as far as the pages of rule books use it. All text is escaped."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

HEADING, ITEM = re.compile(r"(#+) (.*)"), re.compile(r"(\*|\d+\.) (.*)")
CODE = re.compile(r"^```.*\n((?:.*\n)*?)(?:```.*\n|\Z)", re.MULTILINE)
"""A block of code; one that does not end goes on to the end of the text."""
INLINE = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(\w[^*]*)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\([^)]+\)"), r"\1"),
)
"""Marks within a line and their HTML. Links keep only their text, because their targets are files."""


def html_of(text: str) -> str:
    """Return Markdown as HTML: headings, tables, lists, blocks of code, and paragraphs."""
    return "\n".join(_parts(text.strip() + "\n"))


def _parts(text: str) -> Iterator[str]:
    """Yield the HTML of each block of code, and of the blocks between them."""
    for number, part in enumerate(CODE.split(text)):
        if number % 2:
            yield "<pre>" + escape(part.removesuffix("\n")) + "</pre>"
        else:
            for block in re.split(r"\n{2,}", part.strip("\n")):
                yield from _block(block.splitlines())


def _block(lines: Sequence[str]) -> Iterator[str]:
    """Yield the HTML of lines without an empty line between them."""
    if not lines:
        return
    if heading := HEADING.fullmatch(lines[0]):
        level = len(heading[1]) + 1
        yield f"<h{level}>{_inline(heading[2])}</h{level}>"
        yield from _block(lines[1:])
    elif lines[0].startswith("|"):
        yield _table(lines)
    elif ITEM.match(lines[0]):
        yield from _lists(lines)
    else:
        begins = next((i for i, line in enumerate(lines) if ITEM.match(line)), len(lines))
        yield f"<p>{_inline(' '.join(lines[:begins]))}</p>"
        yield from _block(lines[begins:])


def _table(lines: Sequence[str]) -> str:
    """Return a table; an empty head is left out."""
    head, _, *rows = ([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))] for line in lines)
    heading = _row("th", head) if any(head) else ""
    return f"<table>{heading}{''.join(_row('td', row) for row in rows)}</table>"


def _row(cell: str, texts: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{cell}>{_inline(text)}</{cell}>" for text in texts) + "</tr>"


def _lists(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lists in a block of items, each with the lines that continue it."""
    items: list[tuple[str, str]] = []
    for line in lines:
        if item := ITEM.match(line):
            items.append((item[1], item[2]))
        else:
            mark, said = items[-1]
            items[-1] = (mark, f"{said} {line.strip()}")
    for bulleted, group in groupby(items, lambda item: item[0] == "*"):
        each = list(group)
        start = "" if bulleted or each[0][0] == "1." else f' start="{each[0][0][:-1]}"'
        kind = "ul" if bulleted else "ol"
        yield f"<{kind}{start}>" + "".join(f"<li>{_inline(said)}</li>" for _, said in each) + f"</{kind}>"


def _inline(text: str) -> str:
    """Return a line of text with code, emphasis and links."""
    parts = re.split(r"`([^`]+)`", text.replace("\\|", "|"))
    return "".join(f"<code>{escape(part)}</code>" if i % 2 else _marked(part) for i, part in enumerate(parts))


def _marked(text: str) -> str:
    text = escape(text, quote=False)
    for mark, html in INLINE:
        text = mark.sub(html, text)
    return text

"""Tables in Markdown, and figures as their cells show them."""

from collections.abc import Iterable, Sequence


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Return a table whose first `left` columns are aligned left, the others right."""
    lines = [head, ["---"] * left + ["--:"] * (len(head) - left), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def in_percent(share: float, interval: Sequence[float], digits: int = 1) -> str:
    """Return a share with its interval, such as `62.5% [58.1, 66.8]`."""
    low, high = (f"{100 * end:.{digits}f}" for end in interval)
    return f"{share:.{digits}%} [{low}, {high}]"


def bold_if(condition: bool, text: str) -> str:
    """Return `text` in bold if `condition` holds."""
    return f"**{text}**" if condition else text

"""The catalogue of messages, as a table: each code with its texts and the options that help."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import formats
import scoring
from formats.cli.messages import LOST_BY_RULE
from formats.schema.messages import Entry

ADVICE = "advice"
HEADINGS = ("code", "severity", "message", "what helps")


def entries() -> list[Entry]:
    """Return every entry of the rooms that are installed, by code and variant."""
    found: dict[tuple[str, str], Entry] = {}
    for package in (formats, scoring):
        folder = Path(next(iter(package.__path__)))
        for path in sorted(folder.rglob("messages.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            values = vars(import_module(".".join(parts))).values()
            for entry in (value for value in values if isinstance(value, Entry)):
                found[entry.code, entry.variant] = entry
    return [found[key] for key in sorted(found)]


def shown_text(entry: Entry) -> str:
    """Return the text of an entry, with the names of fields in capitals.

    >>> from formats.schema.messages import EXPECTED
    >>> shown_text(EXPECTED)
    'expected EXPECTED, found FOUND'
    """
    pieces = []
    for literal, name, form, _ in string.Formatter().parse(entry.text):
        pieces.append(literal)
        if name is not None:
            field, _, index = name.partition("[")
            noun = f" {form.partition('/')[2]}" if form and "/" in form else ""
            chosen = [entry.advice[int(index.rstrip("]"))]] if index else entry.advice
            helps = " or ".join(advice.flag for advice in chosen)
            pieces.append(helps if field == ADVICE else f"{field.upper()}{noun}")
    text = "".join(pieces)
    is_reason = entry.code == LOST_BY_RULE.code and "{what}" not in entry.text
    return shown_text(LOST_BY_RULE).replace("RULE", text) if is_reason else text


def rows(codes: Iterable[str] = ()) -> Iterator[tuple[str, ...]]:
    """Yield a row for each entry, or for the entries of some codes, under `HEADINGS`."""
    wanted = set(codes)
    for entry in entries():
        if not wanted or entry.code in wanted:
            helps = ", ".join(f"`{advice.flag}`" for advice in entry.advice)
            yield entry.code, entry.severity, shown_text(entry), helps


def table(codes: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(HEADINGS)} |"
    yield "|---" * len(HEADINGS) + "|"
    for code, severity, text, helps in rows(codes):
        safe = text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("\n", " ")
        helps = helps.replace("|", "\\|")
        yield f"| `{code}` | {severity} | {safe} | {helps} |"

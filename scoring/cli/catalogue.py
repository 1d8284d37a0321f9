"""The catalogue of messages as a table: the codes, the texts, and the options they advise."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import formats
import scoring
from formats.cli.messages import LOST_BY_RULE
from formats.schema.messages import PART, Advice, Entry

ADVICE = "advice"
SIGNS = re.compile(r"[|<*&]")
"""Signs that a cell of a Markdown table shows only behind a backslash."""
HEADINGS = ("code", "severity", "message", "what helps")


def entries() -> list[Entry]:
    """Return all entries of the installed packages, sorted by code and variant."""
    by_key: dict[tuple[str, str], Entry] = {}
    for package in (formats, scoring):
        folder = Path(next(iter(package.__path__)))
        for path in sorted(folder.rglob("messages.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            for value in vars(import_module(".".join(parts))).values():
                by_key |= {(entry.code, entry.variant): entry for entry in _entries_in(value)}
    return [by_key[key] for key in sorted(by_key)]


def _entries_in(value: object) -> Iterator[Entry]:
    """Yield the entries in a value: an entry, or a table of entries."""
    if isinstance(value, Entry):
        yield value
    elif isinstance(value, (dict, tuple)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _entries_in(each)


def shown_text(entry: Entry) -> str:
    """Return the text of an entry, with field names in capitals.

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
            helps = " or ".join(map(_flag, chosen))
            gap = " " if len(pieces) > 1 and not literal else ""
            pieces.append(gap + (helps if field == ADVICE else f"{field.upper()}{noun}"))
    text = "".join(pieces)
    is_reason = entry.code == LOST_BY_RULE.code and "{what}" not in entry.text
    return shown_text(LOST_BY_RULE).replace("RULE", text) if is_reason else text


def _flag(advice: Advice) -> str:
    """Return an advised option as a user types it, with field names in capitals."""
    option, value = (
        "".join(
            literal + (name or "").partition("[")[0].upper()
            for literal, name, *_ in string.Formatter().parse(part)
        )
        if isinstance(part, str)
        else part
        for part in advice
    )
    return Advice(str(option), value).flag


def rows(codes: Iterable[str] = ()) -> Iterator[tuple[str, ...]]:
    """Yield a row for each message, with the columns `HEADINGS`.

    With `codes`, yield a row for each entry with one of these codes, even if it is only part of a
    message.
    """
    wanted = set(codes)
    for entry in entries():
        if entry.code in wanted or not (wanted or entry.severity == PART):
            helps = ", ".join(f"`{_flag(advice)}`" for advice in entry.advice)
            yield entry.code, entry.severity, shown_text(entry), helps


def table(codes: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(HEADINGS)} |"
    yield "|---" * len(HEADINGS) + "|"
    for code, severity, text, helps in rows(codes):
        safe = SIGNS.sub(r"\\\g<0>", text).replace("\n", " ")
        helps = helps.replace("|", "\\|")
        yield f"| `{code}` | {severity} | {safe} | {helps} |"

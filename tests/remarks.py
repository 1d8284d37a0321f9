"""Messages of a result as tests compare them: entries and fields, not their wording."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from formats.schema.diagnostics import Diagnostic
from formats.schema.messages import Entry, Message
from formats.schema.messages import fields_of as names_in

Said = tuple[str, dict[str, Any]]


def said(remarks: Iterable[Message | Diagnostic]) -> list[Said]:
    """The key of the entry and the fields of each message."""
    values = (each.value if isinstance(each, Diagnostic) else each for each in remarks)
    return [(value.entry.key, dict(value.fields)) for value in values]


def fields_of(remarks: Iterable[Message | Diagnostic], entry: Entry) -> list[Mapping[str, Any]]:
    """The fields of the messages of an entry."""
    return [fields for key, fields in said(remarks) if key == entry.key]


_ANY = "¤"


def pattern_of(entry: Entry, side: str = "", /, **fields: Any) -> str:
    """Return a pattern of the text of an entry; fields that are not named may be anything.

    >>> bool(re.search(pattern_of(Entry("A", "note", "{number} of {name!r}"), number=3), '3 of "b"'))
    True
    """
    templates = [entry.text]
    for advice in entry.advice:
        templates += [part for part in advice if isinstance(part, str)]
    anything = {name: [_ANY] for name in set().union(*map(names_in, templates))}
    text = str(Message(entry, {**anything, **fields}, side))
    pattern = re.escape(text).replace(_ANY, ".*")
    return re.sub(r"'([^' ]*[.][*][^' ]*)'", r"'?\1'?", pattern)  # a value needs quotes or not


def says(text: str, entry: Entry, side: str = "", /, **fields: Any) -> bool:
    """Return True if a text has the message of an entry with these fields, whatever its others."""
    return re.search(pattern_of(entry, side, **fields), text, re.DOTALL) is not None


def plain(value: Any) -> Any:
    """Return a message in the words of its template, which no test's run changes; others as is."""
    return value.shown(str) if isinstance(value, Message) else value


def printed(line: str) -> str:
    """Return a remark as commands print it: the severity, then the place."""
    place, severity, rest = re.split(r"(?<=: )((?:note|hint|warning|error): )", line, maxsplit=1)
    return f"{severity}{place}{rest}"

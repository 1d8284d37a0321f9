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


class _AnyValue(str):
    """Stands for a field of any value in a template."""

    def __format__(self, _: str) -> str:
        return str(self)


_ANY = _AnyValue("¤")


def pattern_of(entry: Entry, side: str = "", /, **fields: Any) -> str:
    """Return a pattern of the text of an entry; fields that are not named may be anything.

    >>> bool(re.search(pattern_of(Entry("A", "note", "{number} of {name!r}"), number=3), '3 of "b"'))
    True
    """
    templates = [entry.text]
    for advice in entry.advice:
        templates += [part for part in advice if isinstance(part, str)]
    anything = dict.fromkeys(set().union(*map(names_in, templates)), _ANY)
    text = str(Message(entry, {**anything, **fields}, side))
    return re.escape(text).replace(f"'{_ANY}'", _ANY).replace(_ANY, ".*")


def says(text: str, entry: Entry, side: str = "", /, **fields: Any) -> bool:
    """Return True if a text has the message of an entry with these fields, whatever its others."""
    return re.search(pattern_of(entry, side, **fields), text, re.DOTALL) is not None

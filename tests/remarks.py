"""Messages of a result as tests compare them: entries and fields, not their wording."""

from collections.abc import Iterable, Mapping
from typing import Any

from formats.schema.diagnostics import Diagnostic
from formats.schema.messages import Entry, Message

Said = tuple[str, dict[str, Any]]


def said(remarks: Iterable[Message | Diagnostic]) -> list[Said]:
    """The key of the entry and the fields of each message."""
    values = (each.value if isinstance(each, Diagnostic) else each for each in remarks)
    return [(value.entry.key, dict(value.fields)) for value in values]


def fields_of(remarks: Iterable[Message | Diagnostic], entry: Entry) -> list[Mapping[str, Any]]:
    """The fields of the messages of an entry."""
    return [fields for key, fields in said(remarks) if key == entry.key]

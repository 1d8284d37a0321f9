"""Remarks of a result: as lines for people, and as records that are read again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, to_builtins

from formats.schema.messages import NOTE, WARNING, Advice, Entry, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.sides.corpus import SideRemark


def is_note(remark: SideRemark) -> bool:
    """Return True if a remark needs no action."""
    return remark.severity == NOTE


def line_of(remark: SideRemark) -> str:
    """Return a remark as one line, with its severity.

    >>> line_of(Message(Entry("READ-AS", NOTE, "{path}: read as plain text"), {"path": "a.txt"}))
    'note: a.txt: read as plain text'
    """
    return f"{remark.entry.severity}: {remark}" if isinstance(remark, Message) else str(remark)


class Remark(Struct, frozen=True, omit_defaults=True, rename={"times": "count"}):
    """A note or a warning in a record: its text, and what programs ask for.

    `path`, `line`, `column` and `count` are those of a message of a reader.
    """

    text: str
    severity: str = WARNING
    code: str = ""
    variant: str = ""
    fields: dict[str, Any] = {}
    advice: tuple[dict[str, str | bool], ...] = ()
    path: str | None = None
    line: int | None = None
    column: int | None = None
    times: int | None = None

    @classmethod
    def of(cls, remark: SideRemark) -> Remark:
        """Return the record of a remark.

        >>> remark = Message(Entry("A", NOTE, "{words} of {{a}}"), {"words": 2})
        >>> recorded = Remark.of(remark)
        >>> str(recorded.message), recorded.message.code, recorded.message.fields
        ('2 of {a}', 'A', {'words': 2})
        """
        record = remark.record()
        about = record.get("path"), record.get("line"), record.get("column"), record.get("times")
        message = remark if isinstance(remark, Message) else remark.value
        return cls(
            record["text"],
            record["severity"],
            record["code"],
            record.get("variant", ""),
            record["fields"],
            tuple(advice._asdict() for advice in message.advice),
            *about,
        )

    @property
    def message(self) -> SideRemark:
        """The remark as a message that keeps its text."""
        advice = tuple(
            Advice(_literal(each["option"]), _literal(each["value"])) for each in self.advice
        )
        entry = Entry(self.code, self.severity, _literal(self.text), self.variant, advice)
        message = Message(entry, self.fields)
        if self.times is None:
            return message
        from formats.schema.diagnostics import Diagnostic

        return Diagnostic(message, self.path, self.line, self.column, self.times)


def _literal(text: Any) -> Any:
    """Return a text as a template without fields."""
    return text.replace("{", "{{").replace("}", "}}") if isinstance(text, str) else text


def remark_records(remarks: Iterable[SideRemark]) -> list[dict[str, Any]]:
    """Return the remarks in the types of JSON."""
    return [to_builtins(Remark.of(remark), enc_hook=plain_value) for remark in remarks]


def plain_value(value: object) -> object:
    """Return the text or number of a path or a line that knows more than its value."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    raise TypeError(f"expected a text or a number, found {type(value).__name__}")

"""Records of messages in JSON documents, from which the messages can be restored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from formats.schema.messages import WARNING, Advice, Entry, Message
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from formats.schema.diagnostics import Diagnostic
    from formats.schema.errors import FormatError

Item = TypeVar("Item")
AnyMessage: TypeAlias = "Message | Diagnostic | FormatError"


class Remark(NamedFields, omit_defaults=True, rename={"times": "count"}):
    """A note or a warning in a record: its text, and its details for programs.

    `path`, `line`, `column` and `times` are `None` unless a reader created the message.
    """

    text: str
    severity: str = ""  # always written; a record without it is of a warning
    code: str = ""
    variant: str = ""
    fields: dict[str, Any] = {}
    advice: tuple[dict[str, str | bool], ...] = ()
    path: str | None = None
    line: int | None = None
    column: int | None = None
    times: int | None = None

    @classmethod
    def of(cls, remark: AnyMessage) -> Remark:
        """Return the record of a remark.

        >>> remark = Message(Entry("A", WARNING, "{words} of {{a}}"), {"words": 2})
        >>> recorded = Remark.of(remark)
        >>> str(recorded.message), recorded.message.code, recorded.message.fields
        ('2 of {a}', 'A', {'words': 2})
        """
        record = remark.record()
        about = record.get("path"), record.get("line"), record.get("column"), record.get("times")
        message = remark if isinstance(remark, Message) else remark.value
        advice = () if message is None else message.advice
        return cls(
            record["text"],
            record["severity"],
            record["code"],
            record.get("variant", ""),
            record.get("fields", {}),
            (*[each._asdict() for each in advice],),
            *about,
        )

    @property
    def message(self) -> Message | Diagnostic:
        """The remark as a message that keeps its text."""
        advice = tuple(
            Advice(_literal(each["option"]), _literal(each["value"])) for each in self.advice
        )
        entry = Entry(
            self.code, self.severity or WARNING, _literal(self.text), self.variant, advice
        )
        message = Message(entry, self.fields)
        if self.times is None:
            return message
        from formats.schema.diagnostics import Diagnostic

        return Diagnostic(message, self.path, self.line, self.column, self.times)


def _literal(text: Any) -> Any:
    """Return a template that gives exactly this text."""
    return text.replace("{", "{{").replace("}", "}}") if isinstance(text, str) else text


def remark_records(remarks: Iterable[AnyMessage]) -> list[dict[str, Any]]:
    """Convert the remarks to types of JSON."""
    from formats.schema.value_records import to_builtins

    return [to_builtins(Remark.of(remark)) for remark in remarks]


def distinct(remarks: Iterable[Item]) -> list[Item]:
    """Return the remarks of several parts in order, without repetitions."""
    kept: list[Item] = []
    for remark in remarks:
        if remark not in kept:
            kept.append(remark)
    return kept

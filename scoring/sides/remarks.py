"""Remarks of a result as lines for people."""

from __future__ import annotations

from formats.schema.messages import NOTE, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.sides.corpus import SideRemark


def is_note(remark: SideRemark) -> bool:
    """Return True if a remark is a note, which needs no action."""
    return remark.severity == NOTE


def line_of(remark: SideRemark) -> str:
    """Return a remark as one line, with its severity.

    >>> from formats.schema.messages import Entry
    >>> line_of(Message(Entry("READ-AS", NOTE, "{path}: read as plain text"), {"path": "a.txt"}))
    'note: a.txt: read as plain text'
    """
    return f"{remark.entry.severity}: {remark}" if isinstance(remark, Message) else str(remark)

"""What tests of formats ask: the remarks of a reader, what is written, the message of a message_of."""

from collections.abc import Callable
from io import BytesIO

import pytest

import formats
from formats import Diagnostic, Segment, Transcript
from formats.cli.messages import KIND, KIND_BY_RULE
from formats.schema.diagnostics import SKIPPED
from formats.schema.messages import ERROR, Entry, Message


def remarks(transcript: Transcript) -> list[str]:
    """What the reader remarked, in order."""
    return [str(diagnostic) for diagnostic in transcript.diagnostics]


def remark_line(
    entry: Entry,
    line: int | None = None,
    column: int | None = None,
    /,
    file: str | None = "<stream>",
    **fields: object,
) -> str:
    """A remark of a reader, as `remarks` shows it."""
    return str(Diagnostic(Message(entry, fields), file, line, column))


def skipped_line(
    code: str,
    line: int | None,
    column: int | None,
    reason: str,
    /,
    file: str | None = "<stream>",
) -> str:
    """A remark about a record that was skipped, because of an error in words of its own."""
    return remark_line(
        Entry(code, ERROR, f"{SKIPPED}{{reason}}"), line, column, file, reason=reason
    )


def message_text(entry: Entry, /, **fields: object) -> str:
    """The text of a message alone."""
    return str(Message(entry, fields))


def lost(what: str, count: int, rule: str = "") -> str:
    """What a writer says of content that it did not keep."""
    if rule:
        return message_text(KIND_BY_RULE, what=what, count=count, rule=rule)
    return message_text(KIND, what=what, count=count)


def codes(transcript: Transcript) -> list[str]:
    """The codes of what the reader remarked, in order."""
    return [diagnostic.code for diagnostic in transcript.diagnostics]


def written(name: str, *segments: Segment, **options: object) -> tuple[str, list[str]]:
    """The segments of a file ``rec`` in a format, and what is lost by that."""
    output = BytesIO()
    losses = formats.write(Transcript(segments, source="rec"), output, name, **options)  # type: ignore[arg-type]
    return output.getvalue().decode(), [str(loss) for loss in losses]


def message_of(kind: type[Exception], call: Callable[[], object]) -> str:
    """The message of the error, of this very kind, that a call ends in."""
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)

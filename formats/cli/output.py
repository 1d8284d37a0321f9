"""Output of commands: results on standard output, all other text on standard error."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable

from formats.console import telling
from formats.console.terminal import on_screen
from formats.io.errors import UnwritableFileError
from formats.io.progress import clear as clear_progress
from formats.schema import head_of, lazy_pattern
from formats.schema.errors import COMMANDS, reason_of
from formats.schema.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.remarks import AnyMessage

OBEYED = lazy_pattern(f"(?!\n)[{COMMANDS}]")


def harmless(text: str) -> str:
    """Replace terminal control characters in a text by JSON escapes."""
    return OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def flush() -> None:
    """Flush standard output."""
    if sys.stdout is not None:
        to_standard_output(sys.stdout.flush)


def to_standard_output(action: Callable[[], object]) -> None:
    """Run an action that writes to standard output; raise `UnwritableFileError` on failure."""
    try:
        action()
    except BrokenPipeError:
        raise
    except OSError as problem:
        reason = reason_of(problem)
        reason = reason[:1].lower() + reason[1:]
        raise UnwritableFileError(f"cannot be written: {reason}", path="<stdout>") from None


def show(text: str, *, is_drawn: bool = False, is_data: bool = False) -> None:
    """Print a result; escape characters that standard output cannot encode.

    Lines are wrapped to the width of a terminal. Data (`is_data`), which people copy, and a text
    that is laid out already (`is_drawn`) are not wrapped.
    """
    if sys.stdout is None:
        raise UnwritableFileError("cannot be written: it is closed", path="<stdout>")
    encoding = sys.stdout.encoding or "utf-8"
    line = text if is_drawn else harmless(text)
    if not (is_drawn or is_data):
        line = on_screen(line, sys.stdout)
    clear_progress()
    line = line.encode(encoding, "backslashreplace").decode(encoding)
    to_standard_output(lambda: print(line))


def told_head(schema: str) -> dict[str, object]:
    """Return the first members of a JSON document, including the messages printed so far.

    The member ``signature`` is null: nothing was scored, or each result has its own signature.
    """
    from formats.schema.remarks import remark_records

    head = head_of(f"sclite-kit/{schema}", 1)
    return {**head, "signature": None, "remarks": remark_records(telling.told_remarks())}


def put_json(path: str, schema: str, **members: object) -> None:
    """Write a JSON document to a file or to standard output.

    Its first members are those of `told_head`, then come `members`.
    """
    import json

    content = {**told_head(schema), **members}
    text = json.dumps(content, ensure_ascii=False, indent=1)
    if path == "-":
        show(text, is_data=True)
        return
    from formats.io.sink import open_sink

    with open_sink(path) as sink:
        sink.write(f"{text}\n")


def say(text: str | Message, value: AnyMessage | None = None) -> None:
    """Print an error, or another line that is printed even in quiet mode."""
    telling.say("formats", text, value)


def tell(message: AnyMessage, name: str = "") -> None:
    """Print a message; in quiet mode, print only errors."""
    telling.tell("formats", message, name)


def say_lines(lines: Iterable[str]) -> None:
    """Print lines, for example those of a table, to standard error."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            encoding = sys.stderr.encoding or "utf-8"
            for line in lines:
                text = on_screen(line, sys.stderr)
                print(text.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)

"""Messages of all commands on standard error, as lines of text or JSON."""

from __future__ import annotations

import sys

from formats.io.progress import clear as clear_progress
from formats.schema import ContextValue, Within
from formats.schema.errors import FormatError, located, message_line
from formats.schema.messages import ERROR, LOSS, TEXT, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias, TypeVar

    from formats.schema.remarks import AnyMessage

    Item = TypeVar("Item")
# Takes a message, and the name of the system or file that it is about.
MessageListener: TypeAlias = "Callable[[AnyMessage, str], object]"

GENERAL = ("EXPECTED", "MESSAGE", "USAGE", "WARNING", "REPORT")
"""Codes of entries without a text of their own; lines of messages do not show them."""

LINES, JSON = "lines", "json"
"""Styles of messages, as lines by default."""

_told: list[AnyMessage] = []
_settings = {"quiet": False, "json": False, "verbose": False}
_listener = ContextValue("listener")  # a MessageListener


def set_remarks(*, quiet: bool = False, style: str = LINES, verbose: bool = False) -> None:
    """Set the style of messages, and which remarks (notes, hints and warnings) are printed."""
    _settings.update(quiet=quiet, json=style == JSON, verbose=verbose)


def start_telling() -> None:
    """Reset the settings and the recorded remarks for a new command."""
    set_remarks()
    _told.clear()


def told_remarks() -> Sequence[AnyMessage]:
    """Return all notes, hints and warnings of the command so far, printed or not."""
    return tuple(_told)


def each_kind(messages: Iterable[Item]) -> Sequence[Item]:
    """Return the messages to print: all in verbose mode, otherwise one message of each kind.

    A listener, such as a page, has no option that lists all.
    """
    if _settings["verbose"]:
        return list(messages)
    from formats.schema.diagnostics import gathered

    return gathered(messages, is_page=_listener.get() is not None)


def tells_remarks() -> bool:
    """Return True if notes, hints, warnings and summaries are printed."""
    return not _settings["quiet"]


def tells_json() -> bool:
    """Return True if messages are printed as JSON."""
    return _settings["json"]


def told_to(listener: MessageListener) -> Within:
    """Pass each message also to a listener while a ``with`` block runs."""
    return Within(_listener, listener)


def inform(message: AnyMessage, name: str = "") -> None:
    """Pass a message to the listener, if there is one; print nothing."""
    if (listener := _listener.get()) is not None:
        listener(message, name)


def tell(program: str, message: AnyMessage, name: str = "") -> None:
    """Print a message. Quiet mode suppresses notes, hints and warnings.

    `name` is the system or file that a message without a position is about.
    """
    inform(message, name)
    severity = severity_of(message)
    _told.append(message)
    if severity != ERROR and not tells_remarks():
        return
    if tells_json():
        _print_json({"program": program, **({"name": name} if name else {}), **message.record()})
        return
    text = str(message).rstrip("\n")
    if isinstance(message, Message):
        text = f"{name}{': ' * bool(name)}{text}"
    elif not isinstance(message, FormatError):
        text = located(message.path, message.line, message.column, f"{message.message}")
    _print_text(program, severity, text, code_of(message) if severity != LOSS else "")


def say(program: str, text: str | Message, value: AnyMessage | None = None) -> None:
    """Print an error, or another line that is printed even in quiet mode.

    If `text` is only the text of a message, `value` is the message.
    """
    if isinstance(text, Message):
        value = text
        text = str(value)
    inform(value or Message(TEXT, {"text": text}))
    if tells_json():
        record = {"severity": ERROR, "text": text} if value is None else value.record()
        _print_json({"program": program, **record})
    else:
        _print_text(program, ERROR, text, "" if value is None else code_of(value))


def _print_text(program: str, severity: str, text: str, code: str) -> None:
    """Print a message in the common form ``PROGRAM: SEVERITY: TEXT [CODE]``."""
    ending = f" [{code}]" * bool(code)
    # an error of a remark ends so, also in Python
    print_line(f"{program}: {severity}: {text.removesuffix(ending)}{ending}")


def code_of(message: AnyMessage) -> str:
    """Return the code that is printed after a message; empty if its code is a general one."""
    value = message.value if isinstance(message, FormatError) else message
    code = "" if value is None else value.code
    return "" if code in GENERAL else code


def severity_of(message: AnyMessage) -> str:
    """Return ``note``, ``loss``, ``hint``, ``warning`` or ``error``."""
    if isinstance(message, FormatError):
        return ERROR
    return message.entry.severity if isinstance(message, Message) else message.severity


def print_line(text: str) -> None:
    """Print one line to standard error; do nothing if standard error is closed."""
    line = message_line(text)
    if sys.stderr is not None and sys.stderr.isatty():
        from formats.console.terminal import on_screen

        line = on_screen(line, sys.stderr)
    _print(line)


def _print_json(record: dict[str, Any]) -> None:
    import json

    _print(json.dumps(record, ensure_ascii=False, default=str))


def _print(line: str) -> None:
    if sys.stderr is not None:
        clear_progress()
        try:
            encoding = sys.stderr.encoding or "utf-8"
            print(line.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)
        except OSError:
            pass  # nobody reads messages

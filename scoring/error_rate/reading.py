"""Reading a side's file, with options as people write them, and errors that name the side's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from formats.model import Transcript

Result = TypeVar("Result")
# What has arguments of its own, and is no option of a format's reader.
ELSEWHERE = ("encoding", "format")


def read_transcript(
    path: str | os.PathLike[str],
    format_name: str | None,
    encoding: str,
    options: Mapping[str, object],
    side: str,
    recording: str | None = None,
) -> Transcript:
    """`formats.read` of a side.

    Parameters
    ----------
    options
        Of the format's reader, and `recording`, `tolerance` and `max_bytes` of `formats.read`;
        values may be texts: `{"max_bytes": "5000"}`.
    side
        `reference` or `hypothesis`, for messages; may be empty.
    recording
        As of `formats.read`, where the options do not say.

    Raises
    ------
    formats.FormatError
        If the file cannot be read, or an option is not known or means nothing.
    """
    from formats import read
    from formats.decoding import LARGEST_INPUT
    from formats.diagnostics import TOLERANCES
    from formats.errors import OptionError
    from formats.files import checked_option
    from formats.spec import Option

    common = {
        one.name: one
        for one in (
            Option("recording", "", "the recording"),
            Option("tolerance", TOLERANCES[1], "how strict", TOLERANCES),
            Option("max_bytes", LARGEST_INPUT, "how large"),
        )
    }
    given: dict[str, Any] = {"recording": recording}
    for name, value in options.items():
        if name in ELSEWHERE or name == "target":
            flag = f"--{side}-{name}" if side else name
            instead = f"; {flag} says that" if name in ELSEWHERE else ""
            raise OptionError(
                f"options of the {side or 'reader'}: expected those of the format's reader, found "
                f'"{name}"{instead}'
            )
        option = common.get(name)
        given[name] = value if option is None else checked_option(option, value)
    return of_side(side, lambda: read(path, format_name, encoding=encoding, **given))


def of_side(side: str, work: Callable[[], Result]) -> Result:
    """What the work gives; errors about bytes name the side's own option.

    Raises
    ------
    formats.FormatError
        As the work does.
    """
    from formats.errors import EncodingFormatError

    try:
        return work()
    except EncodingFormatError as error:
        if not side or "--encoding" not in error.message:
            raise
        raise EncodingFormatError(
            error.message.replace("--encoding", f"--{side}-encoding"),
            path=error.path,
            line=error.line,
            column=error.column,
            expected=error.expected,
            found=error.found,
        ) from None

"""What the command says: results on standard output, everything else on standard error."""

from __future__ import annotations

import contextlib
import sys

from formats.errors import UnwritableFileError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["flush", "say", "show", "to_standard_output"]


def flush() -> None:
    """Bring out what standard output still holds."""
    if sys.stdout is not None:
        to_standard_output(sys.stdout.flush)


def to_standard_output(action: Callable[[], object]) -> None:
    """Do something that may find standard output full."""
    try:
        action()
    except BrokenPipeError:
        raise
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise UnwritableFileError(f"cannot be written: {reason}", path="<stdout>") from None


def show(text: str) -> None:
    """Print a result; a file name may hold what standard output cannot encode."""
    if sys.stdout is None:
        raise UnwritableFileError("cannot be written: it is closed", path="<stdout>")
    encoding = sys.stdout.encoding or "utf-8"
    line = text.encode(encoding, "backslashreplace").decode(encoding)
    to_standard_output(lambda: print(line))


def say(text: str) -> None:
    """Tell people; nobody is left to be told when even standard error is gone."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"formats: {text}", file=sys.stderr)

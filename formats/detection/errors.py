"""Errors of choosing a format; see the tree in `formats.schema.errors`."""

from __future__ import annotations

from formats.schema.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from formats.schema.messages import Message


class _UndecidedError(FormatError):
    """An error with the names of candidate formats."""

    def __init__(
        self,
        message: str | None = None,
        *,
        path: str | None = None,
        candidates: Sequence[str] = (),
        value: Message | None = None,
    ) -> None:
        super().__init__(message, path=path, value=value)
        self.candidates = tuple(candidates)


class UnknownFormatError(_UndecidedError):
    """No format has the given name, or no format matches the content.

    `candidates` are the names worth trying, best first.
    """


class AmbiguousFormatError(_UndecidedError):
    """Several formats match the content equally well; `candidates` names these formats."""

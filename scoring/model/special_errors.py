"""Errors of single tasks, which are loaded where they are raised."""

from __future__ import annotations

from scoring.model.errors import OriginalError

FORBIDDEN = "Access to unallowed file attempted"


class SecurityError(ValueError):
    """Raised if a request names a file that it may not read."""


class SubsetLabelError(OriginalError):
    """Raised for invalid labels of an utterance, for which sclite's report by label fails."""


class RowError(ValueError):
    """A row of a column contains no readable text.

    `row` counts from 1. `problem` says what was expected and what was found in the row. The
    compiled core raises this error, too.

    Examples
    --------
    >>> str(RowError(2, "expected UTF-8, found the byte 0xFF at position 1"))
    'row 2: expected UTF-8, found the byte 0xFF at position 1'
    """

    def __init__(self, row: int, problem: str) -> None:
        super().__init__(row, problem)
        self.row = row
        self.problem = problem

    def __str__(self) -> str:
        return f"row {self.row}: {self.problem}"

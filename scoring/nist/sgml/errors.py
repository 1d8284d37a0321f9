"""Errors in SGML alignments."""

from __future__ import annotations

from scoring.model.errors import OriginalError


class ExchangeError(OriginalError):
    """Raised for SGML alignments that sclite and sc_stats reject.

    `closing` is the last line that the program prints.
    """

    def __init__(self, problem: str, *, closed: bool = True) -> None:
        super().__init__(problem)
        self.problem = problem
        self.closed = closed

    def text(self, closing: str = "load_SCORES_sgml Failed\n") -> str:
        """Return the lines for standard error."""
        return f"Error: {self.problem}{closing if self.closed else ''}"

    def __str__(self) -> str:
        return self.text()


def refused(problem: str) -> ExchangeError:
    """Return an error with the message of sclite's SGML reader."""
    return ExchangeError(f"load_SCORES_sgml {problem}\n")

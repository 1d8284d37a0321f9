"""Errors of alignments in SGML."""

from __future__ import annotations

from scoring.model.errors import OriginalError


class ExchangeError(OriginalError):
    """Alignments sclite and sc_stats refuse, with their text; each command has its `closing`."""

    def __init__(self, problem: str, *, closed: bool = True) -> None:
        super().__init__(problem)
        self.problem = problem
        self.closed = closed

    def text(self, closing: str = "load_SCORES_sgml Failed\n") -> str:
        """Return the lines for the error stream."""
        return f"Error: {self.problem}{closing if self.closed else ''}"

    def __str__(self) -> str:
        return self.text()


def refused(problem: str) -> ExchangeError:
    """Return an error with the text of the original's reader."""
    return ExchangeError(f"load_SCORES_sgml {problem}\n")

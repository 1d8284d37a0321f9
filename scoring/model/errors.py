"""Errors of scoring; every error knows its exit status."""

from __future__ import annotations


class ScoringError(Exception):
    """Base of all errors of this package.

    `status` is the exit status of a command: 1 for drop-in commands, as in sclite. `output` is what
    the original prints to standard output in this case.
    """

    status = 1
    output = ""


class InputError(ScoringError):
    """A file says something that cannot be scored.

    Parameters
    ----------
    path, line, column
        Where; line and column count from 1 and are None where they make no sense. A line that is
        a `formats.schema.errors.FileLine` wins over the path.
    problem
        What was expected and what was found.

    Examples
    --------
    >>> str(InputError("ref.stm", 12, 8, "expected an end time, found 'abc'"))
    "ref.stm:12:8: expected an end time, found 'abc'"
    """

    def __init__(self, path: str, line: int | None, column: int | None, problem: str) -> None:
        super().__init__(path, line, column, problem)
        self.path = getattr(line, "path", path)
        self.line = line
        self.column = column
        self.problem = problem

    def __str__(self) -> str:
        position = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        return f"{position}: {self.problem}"


FORBIDDEN = "Access to unallowed file attempted"


class SecurityError(ValueError):
    """A file is asked for that may not be read."""


class OriginalError(ScoringError):
    """An error that sclite itself reports; its text goes to the error stream to the byte."""


class SubsetLabelError(OriginalError):
    """Labels of an utterance that sclite refuses when it makes the report by labels."""


class NoIncorrectWordError(ScoringError):
    """There is no incorrect word (or no word), so there is no DET curve; sclite crashes."""


class UnscoredHypothesisWarning(UserWarning):
    """Some hypotheses have no reference and are not scored."""


class StatisticsError(ScoringError):
    """The data cannot give this statistic: a test of one unit, a rate without words."""


class NoReferenceError(ScoringError, ValueError):
    """The reference has no words, so there is no error rate."""

    status = 2

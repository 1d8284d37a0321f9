"""Errors of scoring; every error knows its exit status."""

from __future__ import annotations

from formats.schema.messages import Message


class ScoringError(Exception):
    """Base of all errors of this package.

    `status` is the exit status of a command: 1 for drop-in commands, as in sclite. `output` is what
    the original prints to standard output in this case. `value` is the message, if it is created
    with one (`formats.schema.messages`), as an error that advises something is.
    """

    status = 1
    output = ""
    value: Message | None = None

    def __init__(self, *parts: object) -> None:
        super().__init__(*parts)
        if parts and isinstance(parts[0], Message):
            self.value = parts[0]


class InputError(ScoringError):
    """A file says something that cannot be scored.

    Parameters
    ----------
    path, line, column
        Where; line and column count from 1 and are None where they make no sense. A line that is
        a `formats.schema.errors.FileLine` wins over the path.
    problem
        What was expected and what was found; a message if it advises something.

    Examples
    --------
    >>> str(InputError("ref.stm", 12, 8, "expected an end time, found 'abc'"))
    "ref.stm:12:8: expected an end time, found 'abc'"
    """

    def __init__(
        self, path: str, line: int | None, column: int | None, problem: str | Message
    ) -> None:
        super().__init__(path, line, column, problem)
        self.path = getattr(line, "path", path)
        self.line = line
        self.column = column
        self.problem = str(problem)
        if isinstance(problem, Message):
            self.value = problem

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


class RowError(ValueError):
    """A row of a column holds no text that can be read.

    `row` counts from 1; `problem` is what was expected and found there. The compiled core raises
    it too.

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


class UnscoredHypothesisWarning(UserWarning):
    """Some hypotheses have no reference and are not scored."""


class StatisticsError(ScoringError):
    """The data cannot give this statistic: a test of one unit, a rate without words."""


class NoReferenceError(ScoringError, ValueError):
    """The reference has no words, so there is no error rate."""

    status = 2


class _NamedOptionError(Exception):
    """An error that names the option it is about."""

    def __init__(
        self,
        option: str,
        problem: str | Message | None = None,
        *,
        expected: str | None = None,
        found: str | None = None,
    ) -> None:
        if problem is None:
            problem = f"expected {expected}, found {found}"
        super().__init__(f"{option}: {problem}")
        self.option = option
        self.problem = str(problem)
        self.value = problem if isinstance(problem, Message) else None
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.option, self.problem), self.__dict__.copy()


class OptionValueError(_NamedOptionError, ValueError):
    """An option, or an argument of a function, does not accept a value.

    Parameters
    ----------
    option: its name, as in Python.
    problem: what is wrong, a message if it advises something; by default created from `expected`
        and `found`.
    expected, found: noun phrases for the message "expected X, found Y".

    Examples
    --------
    >>> problem = OptionValueError("unit", expected="word or char", found="'x'")
    >>> str(problem), problem.option
    ("unit: expected word or char, found 'x'", 'unit')
    """


class OptionTypeError(_NamedOptionError, TypeError):
    """An option does not accept values of a type; attributes as of `OptionValueError`."""


def problem_of(error: Exception, option: str) -> str:
    """Return the text of an error for a place that names this option already."""
    if isinstance(error, _NamedOptionError) and error.option == option:
        return error.problem
    return str(error)

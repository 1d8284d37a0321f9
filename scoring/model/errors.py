"""Errors of scoring, each with an exit status."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

    from formats.schema.messages import Message


def _is_message(value: object) -> TypeGuard[Message]:
    """Return True for a message; programs that have only texts do not load its module."""
    if value is None or isinstance(value, str):
        return False
    from formats.schema.messages import Message

    return isinstance(value, Message)


class ScoringError(Exception):
    """Base of all errors of this package.

    `status` is the exit status of a command; drop-in commands exit with 1, as in sclite. `output`
    is the text that the original program prints to standard output for this error. `value` is the
    message (`formats.schema.messages`) if the error was created with a message.
    """

    status = 1
    output = ""
    value: Message | None = None

    def __init__(self, *parts: object) -> None:
        super().__init__(*parts)
        if parts and _is_message(parts[0]):
            self.value = parts[0]


class InputError(ScoringError):
    """Raised if a file contains something that cannot be scored.

    Parameters
    ----------
    path, line, column
        The location of the error. Line and column count from 1; None if unknown. If the line is a
        `formats.schema.errors.FileLine`, its path is used instead of `path`.
    problem
        What was expected and what was found, as a text or a message.

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
        if _is_message(problem):
            self.value = problem

    def __str__(self) -> str:
        position = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        return f"{position}: {self.problem}"


class OriginalError(ScoringError):
    """Raised for an error that sclite also reports, with the same bytes on standard error."""


class UnscoredHypothesisWarning(UserWarning):
    """A warning that hypotheses without reference were not scored."""


class StatisticsError(ScoringError):
    """Raised if a statistic is undefined, such as a test of one unit or a rate without words."""


class NoReferenceError(ScoringError, ValueError):
    """Raised if the reference has no words, so that there is no error rate."""

    status = 2


class _NamedOptionError(Exception):
    """Base of errors that name the option that caused them."""

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
        self.value = problem if _is_message(problem) else None
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.option, self.problem), self.__dict__.copy()


class OptionValueError(_NamedOptionError, ValueError):
    """The value of an option or argument is invalid.

    Parameters
    ----------
    option: its Python name.
    problem: what is wrong, as a text or a message; by default created from `expected`
        and `found`.
    expected, found: noun phrases for the message "expected X, found Y".

    Examples
    --------
    >>> problem = OptionValueError("unit", expected="word or char", found="'x'")
    >>> str(problem), problem.option
    ("unit: expected word or char, found 'x'", 'unit')
    """


class OptionTypeError(_NamedOptionError, TypeError):
    """Raised if the value of an option has the wrong type.

    Attributes are those of `OptionValueError`.
    """


def problem_of(error: Exception, option: str) -> str:
    """Return the text of an error without the option's name, for output that shows the name."""
    if isinstance(error, _NamedOptionError) and error.option == option:
        return error.problem
    return str(error)


unissued: tuple[type[Warning], ...] = ()
"""Warnings that `warn_caller` does not issue, because a command reports them in its own way."""


def warn_caller(text: str, category: type[Warning] = UserWarning) -> None:
    """Issue a Python warning at the line, outside this package, that called the package."""
    if issubclass(category, unissued):
        return
    import warnings

    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def _is_ours(module: str) -> bool:
    """Return True if a module belongs to sclite-kit."""
    return module.partition(".")[0] in ("scoring", "formats", "sclite_kit")

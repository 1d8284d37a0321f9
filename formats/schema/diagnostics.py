"""Non-fatal messages of readers and writers: notes, warnings, skipped errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct

from formats.schema.errors import FormatError, OptionError, SyntaxFormatError, located, quoted

Item = TypeVar("Item")
Result = TypeVar("Result")

NOTE = "note"
WARNING = "warning"
ERROR = "error"

TOLERANCES = STRICT, DEFAULT, LIMITED, LENIENT = ("strict", "default", "limited", "lenient")
"""The tolerance of a reader.

`strict`: a warning stops reading as an error does. `default`: errors stop, warnings are
collected. `limited`: a bad record is skipped and reported as a diagnostic of severity `error`, but
a file is rejected at its end if more than a tenth of its records are bad and more than one, or if
nothing is left; the commands of `formats` read so. `lenient`: the same without a limit.
"""
MOST_BAD = 0.1

KEPT_PER_CODE = 20
SHOWN_NOTES = frozenset(("JSON-NAMES", "TIME-OF-DAY"))
"""Codes of the notes that commands print: they say how an input was understood."""


class Diagnostic(Struct, frozen=True, gc=False):
    """A message about one position in a file.

    Attributes
    ----------
    severity: ``note``, ``warning`` or ``error``.
    code: stable upper-case name of the kind of message, such as ``CTM-ORDER``.
    path, line, column: position; line and column count from 1, `None` if unknown.
    message: one line of text.
    times: number of occurrences; if more than 1, only the first is described.
    """

    severity: str
    code: str
    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    times: int = 1

    @property
    def is_shown(self) -> bool:
        """True if commands print it by default."""
        return self.severity != NOTE or self.code in SHOWN_NOTES

    def __repr__(self) -> str:
        message = located(self.path, self.line, self.column, self.message)
        return f"<{self.severity} {self.code} {message}>"

    def __str__(self) -> str:
        text = f"{self.severity}: {self.message} [{self.code}]"
        return located(self.path, self.line, self.column, text)


class DiagnosticLog:
    """Collects diagnostics of one file in bounded memory.

    At most 20 of each code are kept; the rest is counted, and `entries()` ends with one line per
    code saying how many more there were.
    """

    def __init__(self, path: str | None = None, tolerance: str = "default") -> None:
        if tolerance not in TOLERANCES:
            raise OptionError(
                expected=f"tolerance {', '.join(TOLERANCES)}", found=quoted(tolerance), path=path
            )
        self.path = path
        self.tolerance = tolerance
        self._kept: list[Diagnostic] = []
        self._counts: dict[tuple[str, str], int] = {}
        self._others: list[DiagnosticLog] = []
        self._depth = 0
        # by code and depth: a word in a list of a segment in a list is one deeper than the segment
        self._good: Counter[tuple[str, int]] = Counter()
        self._bad: Counter[tuple[str, int]] = Counter()
        self.first_error: FormatError | None = None

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of occurrences of each code, those not kept included."""
        totals: dict[str, int] = {}
        for (_, code), count in self._counts.items():
            totals[code] = totals.get(code, 0) + count
        return totals

    @property
    def errors(self) -> int:
        """Number of records skipped (only in `limited` and `lenient` reading)."""
        here = sum(n for (severity, _), n in self._counts.items() if severity == ERROR)
        return here + sum(log.errors for log in self._others)

    def follow(self, log: DiagnosticLog) -> None:
        """Add the messages of `other`, the log of a related file."""
        self._others.append(log)

    def note(
        self, code: str, message: str, line: int | None = None, column: int | None = None
    ) -> None:
        """Remember something harmless."""
        self._add(NOTE, code, message, line, column)

    def warn(
        self, code: str, message: str, line: int | None = None, column: int | None = None
    ) -> None:
        """Remember something doubtful; in `strict` reading raise it as `SyntaxFormatError`."""
        if self.tolerance == STRICT:
            raise SyntaxFormatError(f"{message} [{code}]", path=self.path, line=line, column=column)
        self._add(WARNING, code, message, line, column)

    def repeat(self, remark: Diagnostic) -> None:
        """Remember what another log of the same file has."""
        self._add(remark.severity, remark.code, remark.message, remark.line, remark.column)

    def reject(self, code: str, error: FormatError) -> None:
        """Raise `error`, or in tolerant reading remember it, for the caller to skip the record."""
        if self.tolerance not in (LIMITED, LENIENT):
            try:
                raise error
            finally:
                # an error knows this frame: without this, what its reader holds would stay as long
                del error
        self._bad[code, self._depth] += 1
        if self.first_error is None:
            error.__context__ = None
            self.first_error = error.with_traceback(None)
        self._add(ERROR, code, f"record skipped: {error.message}", error.line, error.column)

    def accept(self, code: str, count: int = 1) -> None:
        """Count good records of the kind that is rejected under `code`; of any kind under ``""``.

        Records that no reader counts are the segments of the file.
        """
        self._good[code, self._depth] += count

    def check_limit(self, segments: int) -> None:
        """Raise the first error of a file that has too many bad records for `limited` reading.

        `segments` are those that were read. A single bad record is never too many, unless nothing
        is left.
        """
        if self.tolerance != LIMITED:
            return
        for log in self._others:
            log.check_limit(segments)
        if self.first_error is None or (segments and self._bad.total() == 1):
            return
        anything, share, records = self._good["", 0], 0.0, 0
        for kind, bad in self._bad.items():
            count = bad + ((self._good[kind] + anything) or segments)
            share, records = share + bad / count, max(records, count)
        if segments and share <= MOST_BAD:
            return
        # the error stands for the records, of which none is skipped now
        self._kept = [remark for remark in self._kept if remark.severity != ERROR]
        self._counts = {kind: n for kind, n in self._counts.items() if kind[0] != ERROR}
        if segments:
            most = f"{self._bad.total()} of {records} records are bad, more than a tenth"
            self.first_error.message += f"; {most} (--lenient skips them)"
        raise self.first_error

    def accepted(
        self, code: str, read: Callable[[Item], Iterable[Result]], items: Iterable[Item]
    ) -> Iterator[Result]:
        """Read each item; an item that breaks the grammar is rejected under `code`."""
        for item in items:
            depth, bad = self._depth, dict(self._bad)
            self._depth += 1
            try:
                results = list(read(item))
            except SyntaxFormatError as error:
                # bad words in a bad segment are one bad record
                self._depth, self._bad = depth, Counter(bad)
                self.reject(code, error)
            else:
                self._depth = depth
                self._good[code, depth] += 1
                yield from results

    def entries(self) -> tuple[Diagnostic, ...]:
        """The stored messages in order, then one line per code for those that were only counted."""
        more = [
            Diagnostic(severity, code, f"{times} more like this", self.path, times=times)
            for (severity, code), count in self._counts.items()
            if (times := count - KEPT_PER_CODE) > 0
        ]
        others = [diagnostic for log in self._others for diagnostic in log.entries()]
        return (*self._kept, *more, *others)

    def _add(
        self, severity: str, code: str, message: str, line: int | None, column: int | None
    ) -> None:
        count = self._counts.get((severity, code), 0) + 1
        self._counts[severity, code] = count
        if count <= KEPT_PER_CODE:
            self._kept.append(Diagnostic(severity, code, message, self.path, line, column))

"""What a reader or writer has to say without giving up: notes, warnings, skipped errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct

from formats.errors import FormatError, OptionError, SyntaxFormatError, located, quoted

Item = TypeVar("Item")
Result = TypeVar("Result")

NOTE = "note"
WARNING = "warning"
ERROR = "error"

TOLERANCES = ("strict", "default", "lenient")
"""How much a reader puts up with.

`strict`: a warning stops reading as an error does. `default`: errors stop, warnings are
collected. `lenient`: a bad record is skipped and reported as a diagnostic of severity `error`.
"""

KEPT_PER_CODE = 20
SHOWN_NOTES = frozenset(("JSON-NAMES", "TIME-OF-DAY"))
"""Codes of the notes that commands print: they say how an input was understood."""


class Diagnostic(Struct, frozen=True, gc=False):
    """One remark about one place of a file.

    Attributes
    ----------
    severity: ``note``, ``warning`` or ``error``.
    code: stable upper-case name of the kind of remark, such as ``CTM-ORDER``.
    path, line, column: where; line and column count from 1, `None` where unknown.
    message: one line of text.
    times: how many remarks it stands for: more than one where they were only counted.
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
        """Whether commands print it without being asked."""
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

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each code occurred, those not kept included."""
        totals: dict[str, int] = {}
        for (_, code), count in self._counts.items():
            totals[code] = totals.get(code, 0) + count
        return totals

    @property
    def errors(self) -> int:
        """Number of records skipped (only in `lenient` reading)."""
        here = sum(n for (severity, _), n in self._counts.items() if severity == ERROR)
        return here + sum(log.errors for log in self._others)

    def follow(self, log: DiagnosticLog) -> None:
        """Tell what `other`, about a file that belongs to this one, has to say, too."""
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
        if self.tolerance == "strict":
            raise SyntaxFormatError(f"{message} [{code}]", path=self.path, line=line, column=column)
        self._add(WARNING, code, message, line, column)

    def reject(self, code: str, error: FormatError) -> None:
        """Raise `error`, or in `lenient` reading remember it, for the caller to skip the record."""
        if self.tolerance != "lenient":
            try:
                raise error
            finally:
                # an error knows this frame: without this, what its reader holds would stay as long
                del error
        self._add(ERROR, code, f"record skipped: {error.message}", error.line, error.column)

    def accepted(
        self, code: str, read: Callable[[Item], Iterable[Result]], items: Iterable[Item]
    ) -> Iterator[Result]:
        """What is read of each item; an item that breaks the grammar is rejected under `code`."""
        for item in items:
            try:
                results = list(read(item))
            except SyntaxFormatError as error:
                self.reject(code, error)
            else:
                yield from results

    def entries(self) -> tuple[Diagnostic, ...]:
        """What was kept, in order, then one line per code for what was only counted."""
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

"""Messages that do not stop a reader or writer: notes, warnings, and errors of skipped records."""

from __future__ import annotations

from formats.schema.errors import (
    FileLine,
    FormatError,
    OptionError,
    SyntaxFormatError,
    located,
    quoted,
)
from formats.schema.messages import ERROR, LOSS, NOTE, TEXT, WARNING, Advice, Entry, Message
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    Item = TypeVar("Item")
    Result = TypeVar("Result")

TOLERANCES = STRICT, DEFAULT, LIMITED, LENIENT = ("strict", "default", "limited", "lenient")
"""The tolerance of a reader.

`strict`: a warning stops reading as an error does. `default`: errors stop, warnings are
collected. `limited`: a bad record is skipped and reported as a diagnostic of severity `error`, but
a file is rejected at its end if more than a tenth of its records are bad and more than one, or if
nothing is left; the commands of `formats` read so. `lenient`: the same without a limit.
"""
MOST_BAD = 0.1

KEPT_PER_KIND = 20
MORE = "{times} more like this"
MOST_ALIKE, OTHERS = 3, "and {more} more like this"
"""The most messages of a kind of which each is shown, and the number of the others."""
SKIPPED = "record skipped: "
LIST_ALL = Advice("verbose")
MANY_BAD = Entry(
    "MANY-BAD",
    ERROR,
    "{reason}; {bad} of {records} records are bad, more than a tenth ({advice} skips them)",
    advice=(Advice("lenient"),),
)


class Diagnostic(NamedFields):
    """A message about a position in a file.

    Attributes
    ----------
    value: the message as a value: its entry and its fields.
    path, line, column: position; line and column count from 1, `None` if unknown.
    times: number of occurrences; if more than 1, only the first is described.
    """

    value: Message
    path: str | None = None
    line: int | None = None
    column: int | None = None
    times: int = 1

    @property
    def severity(self) -> str:
        """``note``, ``warning`` or ``error``."""
        return self.value.entry.severity

    @property
    def code(self) -> str:
        """The stable upper-case code of the kind of message, such as ``CTM-ORDER``."""
        return self.value.entry.code

    @property
    def message(self) -> str:
        """The text of the message on one line."""
        return str(self.value)

    @property
    def is_shown(self) -> bool:
        """True if commands print the message by default."""
        return self.severity != NOTE or self.value.entry.is_shown

    def record(self) -> dict[str, Any]:
        """Return the message with its position as a dictionary for JSON."""
        places = {"path": self.path, "line": self.line, "column": self.column, "times": self.times}
        return {**self.value.record(), **places}

    def __repr__(self) -> str:
        message = located(self.path, self.line, self.column, self.message)
        return f"<{self.severity} {self.code} {message}>"

    def __str__(self) -> str:
        text = self.message
        if self.severity != LOSS:
            text = f"{self.severity}: {text} [{self.code}]"
        return located(self.path, self.line, self.column, text)


def gathered(messages: Iterable[Item], *, is_page: bool = False) -> list[Item]:
    """Merge messages of the same kind into one, at the position of the first.

    Notes and warnings are merged if their entry has a text for several occurrences
    (`Entry.several`), or if there are more than three: the first is then followed by the number of
    the others. `times` is the number of occurrences. On a page, no option that lists all of them is
    named.
    """
    kinds: dict[object, list[Item]] = {}
    for number, each in enumerate(messages):
        kind: object = number
        if isinstance(each, Diagnostic) and each.severity in (NOTE, WARNING):
            kind = each.value.entry.key, each.path, each.value.side
        kinds.setdefault(kind, []).append(each)
    shown: list[Item] = []
    for same in kinds.values():
        is_many = len(same) > MOST_ALIKE or (len(same) > 1 and _of(same[0]).several)
        shown += [_gathered(same, is_page)] if is_many else same  # type: ignore[arg-type, list-item]
    return shown


def _of(message: object) -> Entry:
    return message.value.entry if isinstance(message, Diagnostic) else TEXT


def _gathered(same: Sequence[Diagnostic], is_page: bool) -> Diagnostic:
    """Merge several messages of the same kind into one."""
    first, times = same[0], sum(each.times for each in same)
    entry, fields = first.value.entry, {**first.value.fields, "times": times}
    if not entry.several:
        return _with_others(same, times - first.times, is_page)
    text, lists = (
        entry.several.replace("{advice}", _all_advice(entry)),
        f"{{advice[{len(entry.advice)}]}}",
    )
    if first.line is not None:
        fields["first"], text = int(first.line), f"{text}, the first in line {{first}}"
    if is_page:
        entry = entry._replace(text=text)
    else:
        entry = entry._replace(text=f"{text}; {lists} lists them", advice=(*entry.advice, LIST_ALL))
    path = first.line.path if isinstance(first.line, FileLine) else first.path
    return Diagnostic(Message(entry, fields, first.value.side), path, times=times)


def _all_advice(entry: Entry) -> str:
    """Return a template for all options of an entry, to which another can be appended."""
    return " ".join(f"{{advice[{number}]}}" for number in range(len(entry.advice)))


def _with_others(same: Sequence[Diagnostic], more: int, is_page: bool) -> Diagnostic:
    """Return the first of several messages of a kind, with the number of the others."""
    first = same[0]
    entry, fields = first.value.entry, {**first.value.fields, "more": more}
    advice = () if is_page else (LIST_ALL,)
    lists = "" if is_page else f"; {{advice[{len(entry.advice)}]}} lists them"
    own = entry.text.replace("{advice}", _all_advice(entry))
    entry = entry._replace(text=f"{own} ({OTHERS}{lists})", advice=(*entry.advice, *advice))
    return first._replace(value=Message(entry, fields, first.value.side), times=first.times + more)


class DiagnosticLog:
    """A log of the messages about one file, with bounded memory.

    At most 20 messages of each kind (an entry of a catalogue) are kept; all others are counted. If
    messages of a kind were only counted, `entries()` ends with a line that gives the number of
    messages of this kind.
    """

    def __init__(self, path: str | None = None, tolerance: str = "default", side: str = "") -> None:
        if tolerance not in TOLERANCES:
            raise OptionError(
                expected=f"tolerance {', '.join(TOLERANCES)}", found=quoted(tolerance), path=path
            )
        self.path = path
        self.tolerance = tolerance
        self.side = side
        self._kept: list[Diagnostic] = []
        self._counts: dict[Entry, int] = {}
        self._others: list[DiagnosticLog] = []
        self._depth = 0
        # by code and depth: a word in a list of a segment in a list is one deeper than the segment
        self._good: dict[tuple[str, int], int] = {}
        self._bad: dict[tuple[str, int], int] = {}
        self.first_error: FormatError | None = None

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of messages per code, including messages that were not stored."""
        totals: dict[str, int] = {}
        for entry, count in self._counts.items():
            totals[entry.code] = totals.get(entry.code, 0) + count
        return totals

    @property
    def errors(self) -> int:
        """The number of records that were skipped (only in `limited` and `lenient` reading)."""
        here = sum(n for entry, n in self._counts.items() if entry.severity == ERROR)
        return here + sum(log.errors for log in self._others)

    def follow(self, log: DiagnosticLog) -> None:
        """Append the log of a related file; its messages are listed after those of this file."""
        self._others.append(log)

    def say(
        self, entry: Entry, line: int | None = None, column: int | None = None, /, **fields: Any
    ) -> None:
        """Log a message; in `strict` reading, raise a warning as `SyntaxFormatError`."""
        count = self._counts.get(entry, 0) + 1
        if self.tolerance == STRICT and entry.severity == WARNING:
            value = Message(entry, fields, self.side)
            text = f"{value} [{entry.code}]"
            raise SyntaxFormatError(text, value=value, path=self.path, line=line, column=column)
        self._counts[entry] = count
        if count <= KEPT_PER_KIND:
            self._kept.append(
                Diagnostic(Message(entry, fields, self.side), self.path, line, column)
            )

    def say_each(self, entry: Entry, lines: Sequence[int], **fields: Sequence[Any]) -> None:
        """Log a message about each of many lines; each field is a column with a value for each.

        All of them are counted, but only those that are kept become messages.
        """
        columns = [column[:KEPT_PER_KIND] for column in fields.values()]
        for line, *values in zip(lines[:KEPT_PER_KIND], *columns, strict=True):
            self.say(entry, line, **dict(zip(fields, values, strict=True)))
        if more := len(lines[KEPT_PER_KIND:]):
            self._counts[entry] += more

    def repeat(self, remark: Diagnostic) -> None:
        """Log a message that another log of the same file contains."""
        self.say(remark.value.entry, remark.line, remark.column, **remark.value.fields)

    def reject(self, code: str, error: FormatError) -> None:
        """Raise `error`; in tolerant reading, log it instead: the caller then skips the record."""
        if self.tolerance not in (LIMITED, LENIENT):
            try:
                raise error
            finally:
                # an error knows this frame: without this, what its reader holds would stay as long
                del error
        self._bad[code, self._depth] = self._bad.get((code, self._depth), 0) + 1
        if self.first_error is None:
            error.__context__ = None
            self.first_error = error.with_traceback(None)
        value = error.value or Message(TEXT, {"text": error.message})
        entry = Entry(
            code, ERROR, SKIPPED + value.entry.text, value.entry.variant, value.entry.advice
        )
        self.say(entry, error.line, error.column, **value.fields)

    def accept(self, code: str, count: int = 1) -> None:
        """Count valid records of a kind; `reject` counts invalid records under the same `code`.

        An empty code means any kind. If a reader counts no records, each segment counts as a
        record.
        """
        self._good[code, self._depth] = self._good.get((code, self._depth), 0) + count

    def check_limit(self, segments: int) -> None:
        """Raise the first error if too many records are invalid for `limited` reading.

        `segments` is the number of segments read. A single invalid record is too many only if no
        record is valid.
        """
        if self.tolerance != LIMITED:
            return
        for log in self._others:
            log.check_limit(segments)
        if self.first_error is None or (segments and sum(self._bad.values()) == 1):
            return
        anything, share, records = self._good.get(("", 0), 0), 0.0, 0
        for kind, bad in self._bad.items():
            count = bad + ((self._good.get(kind, 0) + anything) or segments)
            share, records = share + bad / count, max(records, count)
        if segments and share <= MOST_BAD:
            return
        # the error stands for the records, of which none is skipped now
        self._kept = [remark for remark in self._kept if remark.severity != ERROR]
        self._counts = {kind: n for kind, n in self._counts.items() if kind.severity != ERROR}
        if segments:
            bad = sum(self._bad.values())
            self.first_error.advise(MANY_BAD, self.side, bad=bad, records=records)
        raise self.first_error

    def accepted(
        self, code: str, read: Callable[[Item], Iterable[Result]], items: Iterable[Item]
    ) -> Iterator[Result]:
        """Yield the results of `read` for each item; reject invalid items under `code`."""
        for item in items:
            depth, bad = self._depth, dict(self._bad)
            self._depth += 1
            try:
                results = list(read(item))
            except SyntaxFormatError as error:
                # bad words in a bad segment are one bad record
                self._depth, self._bad = depth, bad
                self.reject(code, error)
            else:
                self._depth = depth
                self.accept(code)
                yield from results

    def entries(self) -> tuple[Diagnostic, ...]:
        """Return the stored messages in order, then one count for each kind that has more."""
        more = [
            Diagnostic(
                Message(entry._replace(text=MORE, advice=()), {"times": times}, self.side),
                self.path,
                times=times,
            )
            for entry, count in self._counts.items()
            if (times := count - KEPT_PER_KIND) > 0
        ]
        others = [diagnostic for log in self._others for diagnostic in log.entries()]
        return (*self._kept, *more, *others)

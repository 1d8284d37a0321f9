"""Recorded runs: scores in one SQLite file, selected by their tags.

A run stores its signature, its counts (total, by speaker and by group), the hashes of its files,
the errors of each utterance and, by default, the compressed alignments. Several processes may write
at the same time: each run is one transaction, stored completely or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec
import numpy as np

from formats.schema.messages import Message
from scoring.drawing import percent
from scoring.drawing.blocks import Block, Fact, Lead
from scoring.drawing.data import check_head, head_of, json_text
from scoring.drawing.notebook import html_of
from scoring.model.errors import InputError, NoReferenceError, OptionValueError
from scoring.regression import messages
from scoring.regression.packing import (
    ERRORS,
    Packed,
    pack,
    pack_alignments,
    unpack,
    unpack_alignments,
)
from scoring.regression.significance import DEFAULT, interval_of
from scoring.results.record import summary
from scoring.score.rates import ErrorRates
from scoring.score.record_reader import Document, read_document
from scoring.score.table import BlockName, ScoreTable, score_table
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.intervals import Resampling

SCHEMA, SCHEMA_VERSION = "sclite-kit/run", 1
# identifies the file, as SQLite's documentation asks for
APPLICATION, LAYOUT = 0x5C117E00, 6
LARGEST = 10**18  # numbers that SQLite holds are below
PATIENCE = 60.0  # seconds that a writer waits for others
TABLES = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    recorded_at TEXT NOT NULL,
    name TEXT NOT NULL,
    summary TEXT NOT NULL,
    utterances BLOB NOT NULL,
    alignments BLOB,
    checksum TEXT NOT NULL
);
CREATE TABLE tags (
    run INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, name)
);
CREATE INDEX tags_by_value ON tags(name, value);
CREATE TABLE intervals (
    run INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    settings TEXT NOT NULL,
    interval BLOB NOT NULL,
    PRIMARY KEY (run, settings)
);
CREATE TABLE parts (
    digest TEXT PRIMARY KEY,
    data BLOB NOT NULL
);
CREATE TABLE uses (
    run INTEGER PRIMARY KEY REFERENCES runs(number) ON DELETE CASCADE,
    part TEXT NOT NULL REFERENCES parts(digest)
)
"""
COLUMNS = "number, key, recorded_at, name, summary, alignments IS NOT NULL, checksum"
POSITIONS = ("latest", "first", "best", "accepted")
ACCEPTED = ("pinned", "yes")  # the tag of runs that a person accepted as the baseline


class HistoryError(InputError):
    """A file is not a history, or a run is not in it."""

    status = 2


class NoAcceptedRunError(HistoryError):
    """No run with the selected tags is accepted."""


class UtteranceErrors(
    msgspec.Struct,
    forbid_unknown_fields=True,
    rename={"identifiers": "ids", "tokens": "reference_counts"},
):
    """The errors of each utterance in columns of equal length."""

    identifiers: list[str]
    speakers: list[str] | None
    recordings: list[str] | None
    errors: list[int]
    tokens: list[int]

    def __post_init__(self) -> None:
        for name in ("speakers", "recordings", "errors", "tokens"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.identifiers):
                raise OptionValueError(
                    name, expected="as many as identifiers", found=f"{len(column)}"
                )


class Exported(msgspec.Struct, forbid_unknown_fields=True):
    """A run as one line of JSON."""

    schema: str
    version: int
    generator: str
    key: str
    recorded_at: str
    name: str
    tags: dict[str, str]
    summary: dict[str, Any]
    utterances: UtteranceErrors
    alignments: dict[str, Any] | None


class RecordedRun(NamedTuple):
    """A run stored in the history."""

    number: int  # from 1 on, in the order in which runs came into this file
    key: str  # the same in every file the run is copied to
    recorded_at: str  # UTC, as ISO 8601 has it, to the second
    name: str  # of the hypothesis
    tags: Mapping[str, str]  # what it was recorded with
    summary: Mapping[str, Any]  # as in the JSON of `scoring wer --json`, without utterances
    has_alignments: bool  # whether the words are kept, too

    def __str__(self) -> str:
        errors, tokens = self.errors_and_tokens
        rate = f"{errors:,} of {tokens:,}, {percent(errors / tokens if tokens else None)} %"
        tags = ", ".join(f"{name}={value}" for name, value in self.tags.items())
        kept = f" ({tags})" if tags else ""
        return f"run {self.number}, {self.recorded_at}, {self.name}{kept}: {rate}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def blocks(self) -> Iterator[Block]:
        """Yield the run as a line, and its signature."""
        yield Lead(str(self))
        yield Fact("signature", str(self.summary["signature"]))

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def rules(self) -> str:
        """The signature without the version of the program."""
        return str(self.summary["signature"]).partition("|v:")[0]

    @property
    def is_accepted(self) -> bool:
        """True if a person accepted the run as the baseline."""
        name, value = ACCEPTED
        return self.tags.get(name) == value

    @property
    def errors_and_tokens(self) -> tuple[int, int]:
        """The numbers of errors and reference tokens over all utterances."""
        counts = self.summary["counts"]
        return counts["errors"], counts["reference_count"]

    @property
    def has_utterances(self) -> bool:
        """True if the errors of each utterance are stored; imported sums lack them."""
        return "sums" not in self.summary

    @property
    def rate(self) -> float:
        """Errors per reference token."""
        errors, tokens = self.errors_and_tokens
        if not tokens:
            raise NoReferenceError(f"run {self.number}: no reference tokens")
        return errors / tokens


class Baseline(NamedTuple):
    """The baseline run of a comparison, and how it was chosen."""

    run: RecordedRun
    among: int = 1  # runs that have the tags
    by: str = ""  # position that chose it; empty where the tags or a number leave no choice
    is_named: bool = True  # whether the user named the position

    def note(self, path: str) -> Message | None:
        """Return a note with the chosen run and the reason; None if the user named the run."""
        by = "unaccepted" if self.by == "latest" and not self.is_named else self.by
        entry = messages.BASELINES.get(by)
        if entry is None or (by == "accepted" and self.is_named):
            return None
        return Message(entry, {"history": path, "number": self.run.number, "runs": self.among})


class History:
    """Runs stored in a file; a context manager. With `create`, a missing file is created.

    Raises HistoryError if the file is not a history, or is missing and `create` is false.

    >>> import scoring, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with History(pathlib.Path(folder, "runs.db"), create=True) as history:
    ...         _ = history.record(scoring.wer("a b", "a c"), {"model": "v1"})
    ...         _ = history.record(scoring.wer("a b", "a b"), {"model": "v2"})
    ...         [(run.number, run.rate) for run in history.runs()], history.find("model=v1").number
    ([(1, 0.5), (2, 0.0)], 1)
    """

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        self.path = os.fspath(path)
        if not create and not os.path.exists(self.path):
            raise self._error("expected a history of runs, found no file")
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise self._error(
                "expected a regular file for the history of runs, found a folder or device"
            )
        if not os.path.isdir(os.path.dirname(self.path) or "."):
            raise self._error("expected an existing folder for the history of runs, found none")
        with self._errors():
            # transactions are begun explicitly; the full path, because sqlite3 keeps nothing of a
            # file that is named "" or ":memory:"
            file = os.path.abspath(self.path)
            self._base = sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)
            try:
                self._base.execute("PRAGMA foreign_keys = ON")
                self._create_tables(create)
            except BaseException:
                self._base.close()
                raise

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def record(
        self, rates: ErrorRates, tags: Mapping[str, str] | None = None, *, alignments: bool = True
    ) -> RecordedRun:
        """Record a result; return the new run.

        Names and values of tags must not contain `=`, `,` or `@`. With `alignments`, the words are
        stored, too; comparisons by utterance need them.
        """
        whole = summary(rates)
        packed = pack_alignments(rates, whole) if alignments else None
        table = score_table(rates)
        errors, tokens = table.statistics.T.tolist() if len(table.statistics) else ([], [])
        columns = UtteranceErrors(
            identifiers=list(table.identifiers or ()),  # where speakers were assigned, of sessions
            speakers=None if table.speakers is None else list(map(str, table.speakers)),
            recordings=None if table.recordings is None else list(map(str, table.recordings)),
            errors=errors,
            tokens=tokens,
        )
        moment = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        row = (uuid4().hex, moment, _storable(rates.hypothesis.title), json_text(whole))
        interval = interval_of(table, "auto", DEFAULT).bootstrap
        with self._transaction():
            number = self._add(row, columns, packed, tags or {})
            self._store_interval(number, json_text([*DEFAULT, "auto"]), interval)
        return self._run(number)

    def runs(self, tags: Mapping[str, str] | None = None) -> list[RecordedRun]:
        """Return the runs with all of the given tags, in the order of recording."""
        pairs = (tags or {}).items()
        having = " AND number IN (SELECT run FROM tags WHERE name = ? AND value = ?)" * len(pairs)
        values = [text for pair in pairs for text in pair]
        return self._runs(f"WHERE 1{having} ORDER BY recorded_at, number", values)

    def find(self, selector: str) -> RecordedRun:
        """Return the run that a text selects; HistoryError if there is none.

        The text is the number of a run, or a list of tags. `set=dev,model=v3` selects among the
        runs with all of these tags. A final `@latest` (the default), `@first`, `@best` (the lowest
        rate) or `@accepted` (the last run with the tag `pinned=yes`) selects one run. Without tags,
        the selection is among all runs.
        """
        runs, position = self._selected(selector)
        return _at(runs, position or "latest")

    def baseline(self, selector: str, new: RecordedRun | None = None) -> Baseline:
        """Return the run that a text selects as a baseline, as `find` does; HistoryError if none.

        If the text has no `@` position, the last accepted run is selected, or the latest run if
        none was accepted. The baseline is another run than `new`, unless no other run has the tags.
        """
        runs, position = self._selected(selector)
        others = [run for run in runs if new is None or run.number != new.number] or runs
        accepted = sum(run.is_accepted for run in others)
        by = position or ("accepted" if accepted else "latest")
        is_plain = not position and (len(others) == 1 or accepted == len(others))
        return Baseline(_at(others, by), len(others), "" if is_plain else by, bool(position))

    def _selected(self, selector: str) -> tuple[list[RecordedRun], str]:
        """Return the runs that a selector allows (at least one), and the selector's position."""
        if selector.isdecimal():
            number = selector.lstrip("0") or "0"
            if len(number) >= len(str(LARGEST)):
                raise self._error(f"expected a run number below {LARGEST}, found {selector[:40]}")
            return [self._run(int(number))], ""
        names, sign, position = selector.partition("@")
        if sign and position not in POSITIONS:
            listed = ", ".join(f"@{name}" for name in POSITIONS)
            raise self._error(f"expected {listed}, found {f'@{position}'!r}")
        tags = tags_of(filter(None, names.split(",")))
        runs = self.runs(tags)
        kind = "run"
        if position == "best":
            runs = [run for run in runs if run.errors_and_tokens[1]]
        elif position == "accepted":
            kind, runs = "accepted run", [run for run in runs if run.is_accepted]
        if not runs:
            is_empty = position == "best" and not tags
            need = f" with the tags {names}" if tags else " with reference tokens" * is_empty
            error = HistoryError if kind == "run" else NoAcceptedRunError
            problem = f"expected a{'n' * (kind != 'run')} {kind}{need}, found none"
            raise error(self.path, None, None, problem)
        return runs, position

    def table(self, run: RecordedRun) -> ScoreTable:
        """Return errors and tokens of each utterance of a run, for intervals and tests."""
        columns = self._utterances(run)
        return ScoreTable(
            f"run {run.number} ({run.name})",
            np.array([columns.errors, columns.tokens], np.int64).T.reshape(-1, 2),
            columns.identifiers,
            columns.speakers,
            columns.recordings,
        )

    def interval(
        self, run: RecordedRun, resampling: Resampling = DEFAULT, block: BlockName = "auto"
    ) -> Bootstrap | None:
        """Return the interval of a run's rate; None if the utterances do not allow an interval.

        The interval by the default method is stored with the run. An interval by another method is
        computed at the first request and stored if the file is writable.
        """
        settings = json_text([*resampling, block])
        with self._errors():
            query = "SELECT interval FROM intervals WHERE run = ? AND settings = ?"
            row = self._base.execute(query, (run.number, settings)).fetchone()
        if row is not None:
            return self._stored_interval(run.number, row[0])
        interval = interval_of(self.table(run), block, resampling).bootstrap
        with suppress(HistoryError), self._transaction():
            self._store_interval(run.number, settings, interval)
        return interval

    def document(self, run: RecordedRun) -> Document:
        """Return a run's result with alignments; HistoryError if they were not recorded."""
        document = self._blob("alignments", run.number)
        if document is None:
            raise self._error(
                f"expected alignments of run {run.number}, found none, because they were not "
                "recorded"
            )
        return read_document(f"{self.path}, run {run.number}", document)

    def remove(self, runs: Iterable[RecordedRun], *, only_alignments: bool = False) -> None:
        """Remove runs, or only their alignments, and shrink the file."""
        numbers = [(run.number,) for run in runs]
        command = "UPDATE runs SET alignments = NULL" if only_alignments else "DELETE FROM runs"
        with self._transaction():
            self._base.executemany(f"{command} WHERE number = ?", numbers)
            if only_alignments:
                self._base.executemany("DELETE FROM uses WHERE run = ?", numbers)
            self._base.execute("DELETE FROM parts WHERE digest NOT IN (SELECT part FROM uses)")
        with suppress(sqlite3.OperationalError):  # another process writes: another time
            self._base.execute("VACUUM")

    def export(self, runs: Iterable[RecordedRun]) -> Iterator[bytes]:
        """Yield runs as JSON, one per line, for `admit`."""
        for run in runs:
            document = self._blob("alignments", run.number) if run.has_alignments else None
            line = {
                **head_of(SCHEMA, SCHEMA_VERSION),
                **dict(zip(run._fields[1:6], run[1:6], strict=True)),
                "utterances": msgspec.to_builtins(self._utterances(run)),
                "alignments": None if document is None else json.loads(document),
            }
            yield json_text(line).encode() + b"\n"

    def admit(self, lines: Iterable[bytes], path: str) -> tuple[int, int]:
        """Import runs that `export` wrote, all or none; return the numbers of new and known runs.

        Raises HistoryError if a line is not an exported run.
        """
        added = present = 0
        with self._transaction():
            for number, line in enumerate(lines, 1):
                try:
                    run, text, document = _exported(line, path)
                except (ValueError, RecursionError, InputError) as problem:
                    reason = problem.problem if isinstance(problem, InputError) else str(problem)
                    message = f"expected a run that was exported, found none: {reason}"
                    raise HistoryError(path, number, None, message) from None
                if self._base.execute("SELECT 1 FROM runs WHERE key = ?", (run.key,)).fetchone():
                    present += 1
                    continue
                row = (run.key, run.recorded_at, run.name, text)
                packed = None if document is None else Packed(zlib.compress(document))
                self._add(row, run.utterances, packed, run.tags)
                added += 1
        return added, present

    def _create_tables(self, create: bool) -> None:
        """Create the tables in an empty file; reject files of other programs."""
        is_new = create or os.path.getsize(self.path) == 0
        if self._pragma("application_id") == 0 and is_new:
            # with a log beside the file readers go on while another process writes; a process that
            # comes at the same moment finds it done, or goes on without
            try:
                self._base.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as problem:
                if "locked" not in str(problem):
                    raise
            with self._transaction():
                if not self._base.execute("SELECT 1 FROM sqlite_master").fetchone():
                    # `executescript` would end the transaction
                    for statement in filter(str.strip, TABLES.split(";")):
                        self._base.execute(statement)
                    self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                    self._base.execute(f"PRAGMA user_version = {LAYOUT}")
        if self._pragma("application_id") != APPLICATION:
            raise self._error("expected a history of runs, found another database")
        layout = self._pragma("user_version")
        if layout != LAYOUT:
            newer = ", which a newer release of sclite-kit wrote" if layout > LAYOUT else ""
            raise self._error(f"expected a history of layout {LAYOUT}, found {layout}{newer}")

    def _pragma(self, name: str) -> int:
        return int(self._base.execute(f"PRAGMA {name}").fetchone()[0])

    def _add(
        self,
        row: tuple[str, str, str, str],
        columns: UtteranceErrors,
        alignments: Packed | None,
        tags: Mapping[str, str],
    ) -> int:
        packed = pack(json_text(msgspec.to_builtins(columns)))
        number = self._base.execute(
            "INSERT INTO runs "
            "(key, recorded_at, name, summary, utterances, alignments, checksum) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*row, packed, alignments and alignments.of_run, _checksum(row, tags)),
        ).lastrowid
        assert number is not None
        self._base.executemany(
            "INSERT INTO tags (run, name, value) VALUES (?, ?, ?)",
            [(number, name, value) for name, value in tags.items()],
        )
        if alignments is not None and alignments.digest:
            digest = alignments.digest
            if not self._base.execute("SELECT 1 FROM parts WHERE digest = ?", (digest,)).fetchone():
                values = (digest, alignments.common())
                self._base.execute("INSERT INTO parts (digest, data) VALUES (?, ?)", values)
            self._base.execute("INSERT INTO uses (run, part) VALUES (?, ?)", (number, digest))
        return number

    def _store_interval(self, number: int, settings: str, interval: Bootstrap | None) -> None:
        self._base.execute(
            "INSERT OR REPLACE INTO intervals (run, settings, interval) VALUES (?, ?, ?)",
            (number, settings, zlib.compress(json_text(interval).encode())),
        )

    def _stored_interval(self, number: int, packed: bytes) -> Bootstrap | None:
        try:
            record = json.loads(zlib.decompress(packed))
            return record and msgspec.convert(record, Bootstrap)
        except (zlib.error, ValueError, TypeError) as problem:
            raise self._error(f"run {number}: a damaged interval: {problem}") from None

    def _run(self, number: int) -> RecordedRun:
        runs = self._runs("WHERE number = ?", [number])
        if not runs:
            raise self._error(f"expected run {number}, found none")
        return runs[0]

    def _runs(self, where: str, values: Sequence[object]) -> list[RecordedRun]:
        tags: dict[int, dict[str, str]] = {}
        with self._errors():
            rows = self._base.execute(f"SELECT {COLUMNS} FROM runs {where}", values).fetchall()
            chosen = f"SELECT number FROM runs {where}"
            query = f"SELECT run, name, value FROM tags WHERE run IN ({chosen}) ORDER BY name"
            for run, name, value in self._base.execute(query, values):
                tags.setdefault(run, {})[name] = value
        return [self._read(row, tags.get(row[0], {})) for row in rows]

    def _read(self, row: Sequence[Any], tags: Mapping[str, str]) -> RecordedRun:
        """Return a run from its columns, checked against its checksum."""
        number, *texts, has_alignments, checksum = row
        try:
            if checksum != _checksum(texts, tags):
                raise ValueError("its checksum differs")
            *head, text = texts
            values = (number, *head, tags, _checked(text), bool(has_alignments))
            return RecordedRun._make(values)
        except (ValueError, TypeError, RecursionError) as problem:
            raise self._error(f"run {number}: a damaged run: {problem}") from None

    def _utterances(self, run: RecordedRun) -> UtteranceErrors:
        try:
            columns = json.loads(self._blob("utterances", run.number) or b"")
            return msgspec.convert(columns, UtteranceErrors)
        except (ValueError, RecursionError) as problem:
            raise self._error(f"run {run.number}: damaged counts: {problem}") from None

    def _blob(self, column: str, number: int) -> bytes | None:
        with self._errors():
            query = f"SELECT {column} FROM runs WHERE number = ?"
            row = self._base.execute(query, (number,)).fetchone()
        try:
            if row is None or row[0] is None:
                return None
            if column == "utterances":
                return unpack(row[0])
            return unpack_alignments(row[0], self._part)
        except ERRORS as problem:
            raise self._error(f"run {number}: damaged {column}: {problem}") from None

    def _part(self, digest: str) -> bytes:
        """Return the stored data that several runs share, by its hash.

        LookupError if it is missing.
        """
        query = "SELECT data FROM parts WHERE digest = ?"
        row = self._base.execute(query, (digest,)).fetchone()
        if row is None:
            raise KeyError(f"no part {digest}")
        data: bytes = row[0]
        return data

    def _error(self, problem: str) -> HistoryError:
        return HistoryError(self.path, None, None, problem)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Run a `with` block as one transaction: all of its writes are committed, or none."""
        with self._errors():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Convert errors of SQLite to `HistoryError`."""
        try:
            yield
        except sqlite3.DatabaseError as problem:
            expected = "expected a history file, as `scoring wer --record FILE` writes it"
            raise self._error(f"{expected}; SQLite reports: {problem}") from None


def _at(runs: Sequence[RecordedRun], position: str) -> RecordedRun:
    """Return the run at a named position of the list."""
    if position == "best":
        return min(runs, key=lambda run: run.rate)
    if position == "accepted":
        runs = [run for run in runs if run.is_accepted]
    return runs[0 if position == "first" else -1]


class _Counts(msgspec.Struct):
    errors: int
    reference_count: int


class _Summary(msgspec.Struct):
    signature: str
    counts: _Counts


def _checked(text: str) -> dict[str, Any]:
    """Parse the summary of a run; raise an error if it has no signature or no counts."""
    # msgspec's own reader of JSON rejects escapes of bytes that are no text
    record: dict[str, Any] = json.loads(text)
    msgspec.convert(record, _Summary)
    return record


def _exported(line: bytes, path: str) -> tuple[Exported, str, bytes | None]:
    """Parse a line of JSON; return the run, its summary as text, and its alignments."""
    content = json.loads(line)
    check_head(content, SCHEMA, SCHEMA_VERSION)
    run = msgspec.convert(content, Exported)
    text = json_text(run.summary)
    counts = _checked(text)["counts"]
    columns = run.utterances
    for name, column in (("errors", columns.errors), ("reference_count", columns.tokens)):
        # imported sums have no utterances
        if sum(column) != counts[name] and (columns.identifiers or "sums" not in run.summary):
            expected = f"expected {sum(column)}, the sum over utterances"
            raise ValueError(f"counts.{name}: {expected}, found {counts[name]}")
    document = None if run.alignments is None else json_text(run.alignments).encode()
    if document is not None:
        read_document(path, document)
    return run, text, document


def _checksum(row: Sequence[str], tags: Mapping[str, str]) -> str:
    """Return a hash of a run's texts.

    It does not cover compressed data, which has its own checksums.
    """
    return hashlib.sha256(json_text([*row, *sorted(tags.items())]).encode()).hexdigest()


def tags_of(texts: Iterable[str]) -> dict[str, str]:
    """Return the values of tags by name; each text is `name=value`."""
    tags: dict[str, str] = {}
    for text in texts:
        name, equal, value = map(_storable, text.partition("="))
        problem = None
        if not (name and equal and value) or {*name, *value} & {",", "@"}:
            problem = (
                f"expected NAME=VALUE without comma and @, for example model=v3, found {text!r}"
            )
        elif name in tags:
            problem = f"expected one value of {name}, found {tags[name]!r} and {value!r}"
        if problem:
            raise HistoryError("tag", None, None, problem)
        tags[name] = value
    return tags


def _storable(text: str) -> str:
    """Return a text that SQLite can store; undecodable bytes of file names become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()

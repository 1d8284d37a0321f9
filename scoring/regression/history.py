"""Runs remembered: scores in one SQLite file, found again by their tags.

A run keeps its signature, its counts (whole, by speaker and by group), the hashes of the files that
took part, the errors of each utterance, and unless it is told not to the alignments themselves,
compressed. Several processes may write at once: each run is one transaction, so that it is there
whole or not at all, whatever ends the process.
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

from scoring.drawing.data import head_of, json_text
from scoring.errors import InputError, NoReferenceError
from scoring.scored.rates import ErrorRates
from scoring.scored.record import Document, document_lines, summary
from scoring.scored.record_reader import read_document
from scoring.scored.table import ScoreTable, score_table

SCHEMA, SCHEMA_VERSION = "sclite-kit/run", 1
MAGIC = b"SQLite format 3\0"
# The file says whose it is; a number of our own choice, as SQLite's documentation asks for.
APPLICATION, LAYOUT = 0x5C117E00, 2
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
    checksum TEXT
);
CREATE TABLE tags (
    run INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, name)
);
CREATE INDEX tags_by_value ON tags(name, value);
"""
COLUMNS = "number, key, recorded_at, name, summary, alignments IS NOT NULL, checksum"
WHICH = ("latest", "first", "best")


class HistoryError(InputError):
    """A file that is no history, or a run that is not in it."""

    status = 2


class UtteranceErrors(msgspec.Struct, forbid_unknown_fields=True):
    """The errors of each utterance: columns of equal length."""

    identifiers: list[str]
    speakers: list[str] | None
    recordings: list[str] | None
    errors: list[int]
    tokens: list[int]

    def __post_init__(self) -> None:
        for name in ("speakers", "recordings", "errors", "tokens"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.identifiers):
                raise ValueError(f"{name}: expected as many as identifiers, found {len(column)}")


class Exported(msgspec.Struct, forbid_unknown_fields=True):
    """A run as a line of JSON."""

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
    """A run that is remembered."""

    number: int  # from 1 on, in the order in which runs came into this file
    key: str  # the same in every file the run is copied to
    recorded_at: str  # UTC, as ISO 8601 has it, to the second
    name: str  # of the hypothesis
    tags: Mapping[str, str]  # what it was recorded with
    summary: Mapping[str, Any]  # as in the JSON of `scoring wer --json`, without utterances
    has_alignments: bool  # whether the words are kept, too

    @property
    def rules(self) -> str:
        """Its signature, without the version of the program that made it."""
        return str(self.summary["signature"]).partition("|v:")[0]

    @property
    def errors_and_tokens(self) -> tuple[int, int]:
        """Errors and reference tokens of the whole."""
        counts = self.summary["counts"]
        return counts["errors"], counts["reference_tokens"]

    @property
    def rate(self) -> float:
        """Errors by reference tokens."""
        errors, tokens = self.errors_and_tokens
        if not tokens:
            raise NoReferenceError(f"run {self.number}: no reference tokens")
        return errors / tokens


class History:
    """Runs in a file; a context manager.

    Parameters
    ----------
    path
        The file.
    create
        Make it if there is none.

    Raises
    ------
    HistoryError
        If it is no history, or there is none and none is to be made.

    Examples
    --------
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
            raise HistoryError(self.path, None, None, "expected a history of runs, found no file")
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            wrong = "expected a regular file for the history of runs, found a folder or device"
            raise HistoryError(self.path, None, None, wrong)
        if not os.path.isdir(os.path.dirname(self.path) or "."):
            wrong = "expected an existing folder for the history of runs, found none"
            raise HistoryError(self.path, None, None, wrong)
        with self._told():
            # transactions are begun by hand
            self._base = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            try:
                self._base.execute("PRAGMA foreign_keys = ON")
                self._lay_out(create)
            except BaseException:
                self._base.close()
                raise

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def record(
        self, rates: ErrorRates, tags: Mapping[str, str] | None = None, *, alignments: bool = True
    ) -> RecordedRun:
        """Remember a result; the run.

        Parameters
        ----------
        tags
            What it is to be found by; names are words without `=`, `,` and `@`.
        alignments
            Whether to keep its words, so that comparisons can show them.
        """
        kept = b"".join(document_lines(Document([rates]))) if alignments else None
        table = score_table(rates)
        errors, tokens = table.statistics.T.tolist() if len(table.statistics) else ([], [])
        columns = UtteranceErrors(
            list(table.identifiers or ()),  # where speakers were assigned, those of sessions
            None if table.speakers is None else list(map(str, table.speakers)),
            None if table.recordings is None else list(map(str, table.recordings)),
            errors,
            tokens,
        )
        moment = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        row = (uuid4().hex, moment, _storable(rates.hypothesis.path), json_text(summary(rates)))
        with self._writing():
            number = self._add(row, columns, kept, tags or {})
        return self._run(number)

    def runs(self, tags: Mapping[str, str] | None = None) -> list[RecordedRun]:
        """Those that have all these tags, in the order in which they were recorded."""
        wanted = (tags or {}).items()
        having = " AND number IN (SELECT run FROM tags WHERE name = ? AND value = ?)" * len(wanted)
        values = [text for pair in wanted for text in pair]
        return self._runs(f"WHERE 1{having} ORDER BY recorded_at, number", values)

    def find(self, selector: str) -> RecordedRun:
        """The run that a text stands for.

        Parameters
        ----------
        selector
            A number, or tags and which of the runs that have them all: `set=dev,model=v3@latest`;
            `@first`, and `@best` for the lowest rate. Without `@` the latest, without tags of all.

        Raises
        ------
        HistoryError
            If there is no such run.
        """
        if selector.isdecimal():
            number = selector.lstrip("0") or "0"
            if len(number) >= len(str(LARGEST)):
                problem = f"expected a run's number below {LARGEST}, found {selector[:40]}"
                raise HistoryError(self.path, None, None, problem)
            return self._run(int(number))
        named, _, which = selector.partition("@")
        which = which or "latest"
        if which not in WHICH:
            problem = f"expected {', '.join(f'@{one}' for one in WHICH)}, found {f'@{which}'!r}"
            raise HistoryError(self.path, None, None, problem)
        tags = tags_of(filter(None, named.split(",")))
        found = self.runs(tags)
        if which == "best":
            found = [run for run in found if run.errors_and_tokens[1]]
        if not found:
            what = f"the tags {named}" if tags else "reference tokens" if which == "best" else ""
            problem = f"expected a run{' with ' if what else ''}{what}, found none"
            raise HistoryError(self.path, None, None, problem)
        if which == "best":
            return min(found, key=lambda run: run.rate)
        return found[0 if which == "first" else -1]

    def table(self, run: RecordedRun) -> ScoreTable:
        """Errors and tokens of each utterance of a run, for intervals and tests."""
        columns = self._utterances(run)
        statistics = np.array([columns.errors, columns.tokens], np.int64).T.reshape(-1, 2)
        return ScoreTable(
            f"run {run.number} ({run.name})",
            statistics,
            columns.identifiers,
            columns.speakers,
            columns.recordings,
        )

    def document(self, run: RecordedRun) -> Document:
        """The result of a run with its alignments.

        Raises
        ------
        HistoryError
            If they were not kept.
        """
        kept = self._blob("alignments", run.number)
        if kept is None:
            problem = f"expected alignments of run {run.number}, found that they were not kept"
            raise HistoryError(self.path, None, None, problem)
        return read_document(f"{self.path}, run {run.number}", kept)

    def remove(self, runs: Iterable[RecordedRun], *, only_alignments: bool = False) -> None:
        """Forget runs, or only their alignments, and make the file smaller."""
        numbers = [(run.number,) for run in runs]
        done = "UPDATE runs SET alignments = NULL" if only_alignments else "DELETE FROM runs"
        with self._writing():
            self._base.executemany(f"{done} WHERE number = ?", numbers)
        with suppress(sqlite3.OperationalError):  # somebody else writes: another time
            self._base.execute("VACUUM")

    def export(self, runs: Iterable[RecordedRun]) -> Iterator[bytes]:
        """Runs as JSON, one a line, for `admit`."""
        for run in runs:
            kept = self._blob("alignments", run.number) if run.has_alignments else None
            line = {
                **head_of(SCHEMA, SCHEMA_VERSION),
                "key": run.key,
                "recorded_at": run.recorded_at,
                "name": run.name,
                "tags": run.tags,
                "summary": run.summary,
                "utterances": msgspec.to_builtins(self._utterances(run)),
                "alignments": None if kept is None else json.loads(kept),
            }
            yield json_text(line).encode() + b"\n"

    def admit(self, lines: Iterable[bytes], path: str) -> tuple[int, int]:
        """Take in what `export` wrote, all of it or nothing; how many came, how many were known.

        Raises
        ------
        HistoryError
            If a line is something else.
        """
        come = known = 0
        with self._writing():
            for number, line in enumerate(lines, 1):
                try:
                    one = msgspec.convert(json.loads(line), Exported)
                    if (one.schema, one.version) != (SCHEMA, SCHEMA_VERSION):
                        raise ValueError(
                            f"expected {SCHEMA} {SCHEMA_VERSION}, found {one.schema!r}"
                        )
                    text = json_text(one.summary)
                    _check_sums(_checked(text), one.utterances)
                    kept = None if one.alignments is None else json_text(one.alignments).encode()
                    if kept is not None:
                        read_document(path, kept)
                except (ValueError, RecursionError, InputError) as problem:
                    said = problem.problem if isinstance(problem, InputError) else str(problem)
                    message = f"expected a run that was exported, found none: {said}"
                    raise HistoryError(path, number, None, message) from None
                row = (one.key, one.recorded_at, one.name, text)
                if self._base.execute("SELECT 1 FROM runs WHERE key = ?", row[:1]).fetchone():
                    known += 1
                    continue
                self._add(row, one.utterances, kept, one.tags)
                come += 1
        return come, known

    def _lay_out(self, create: bool) -> None:
        """Make the tables in an empty file, and refuse a file of others."""
        is_new = create or os.path.getsize(self.path) == 0
        if self._base.execute("PRAGMA application_id").fetchone()[0] == 0 and is_new:
            # a log beside the file lets readers go on while another writes; who comes at the same
            # moment finds it done, or goes on without
            try:
                self._base.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as problem:
                if "locked" not in str(problem):
                    raise
            with self._writing():
                is_empty = not self._base.execute("SELECT 1 FROM sqlite_master").fetchone()
                if is_empty:
                    # `executescript` would end the transaction
                    for statement in filter(str.strip, TABLES.split(";")):
                        self._base.execute(statement)
                    self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                    self._base.execute(f"PRAGMA user_version = {LAYOUT}")
        found = self._base.execute("PRAGMA application_id").fetchone()[0]
        layout = self._layout()
        if found == APPLICATION and layout == 1:
            with self._writing():
                if self._layout() == 1:
                    self._base.execute("ALTER TABLE runs ADD COLUMN checksum TEXT")
                    self._base.execute(f"PRAGMA user_version = {LAYOUT}")
            layout = LAYOUT
        if found != APPLICATION:
            wrong = "expected a history of runs, found another database"
            raise HistoryError(self.path, None, None, wrong)
        if layout != LAYOUT:
            wrong = f"expected a history of layout {LAYOUT}, found {layout}"
            raise HistoryError(self.path, None, None, wrong)

    def _layout(self) -> int:
        return int(self._base.execute("PRAGMA user_version").fetchone()[0])

    def _add(
        self,
        row: tuple[str, str, str, str],
        columns: UtteranceErrors,
        kept: bytes | None,
        tags: Mapping[str, str],
    ) -> int:
        packed = zlib.compress(json_text(msgspec.to_builtins(columns)).encode())
        document = None if kept is None else zlib.compress(kept)
        number = self._base.execute(
            "INSERT INTO runs "
            "(key, recorded_at, name, summary, utterances, alignments, checksum) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*row, packed, document, _checksum(row, tags)),
        ).lastrowid
        assert number is not None
        self._base.executemany(
            "INSERT INTO tags (run, name, value) VALUES (?, ?, ?)",
            [(number, name, value) for name, value in tags.items()],
        )
        return number

    def _run(self, number: int) -> RecordedRun:
        found = self._runs("WHERE number = ?", [number])
        if not found:
            raise HistoryError(self.path, None, None, f"expected run {number}, found none")
        return found[0]

    def _runs(self, where: str, values: Sequence[object]) -> list[RecordedRun]:
        tags: dict[int, dict[str, str]] = {}
        with self._told():
            rows = self._base.execute(f"SELECT {COLUMNS} FROM runs {where}", values).fetchall()
            chosen = f"SELECT number FROM runs {where}"
            query = f"SELECT run, name, value FROM tags WHERE run IN ({chosen}) ORDER BY name"
            for run, name, value in self._base.execute(query, values):
                tags.setdefault(run, {})[name] = value
        return [self._read(row, tags.get(row[0], {})) for row in rows]

    def _read(self, row: Sequence[Any], tags: Mapping[str, str]) -> RecordedRun:
        """A run from its columns, checked against its checksum; runs of layout 1 have none."""
        number, key, moment, name, text, kept, checksum = row
        try:
            if checksum not in (None, _checksum((key, moment, name, text), tags)):
                raise ValueError("its checksum differs")
            return RecordedRun(number, key, moment, name, tags, _checked(text), bool(kept))
        except (ValueError, TypeError, RecursionError) as problem:
            message = f"run {number}: a damaged run: {problem}"
            raise HistoryError(self.path, None, None, message) from None

    def _utterances(self, run: RecordedRun) -> UtteranceErrors:
        try:
            return msgspec.convert(
                json.loads(self._blob("utterances", run.number) or b""), UtteranceErrors
            )
        except ValueError as wrong:
            message = f"run {run.number}: damaged counts: {wrong}"
            raise HistoryError(self.path, None, None, message) from None

    def _blob(self, column: str, number: int) -> bytes | None:
        with self._told():
            query = f"SELECT {column} FROM runs WHERE number = ?"
            found = self._base.execute(query, (number,)).fetchone()
        try:
            return None if found is None or found[0] is None else zlib.decompress(found[0])
        except zlib.error as wrong:
            message = f"run {number}: damaged {column}: {wrong}"
            raise HistoryError(self.path, None, None, message) from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction: all of it, or nothing."""
        with self._told():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite finds wrong, as an error of this file."""
        try:
            yield
        except sqlite3.DatabaseError as wrong:
            message = f"cannot be used as a history of runs: {wrong}"
            raise HistoryError(self.path, None, None, message) from None


class _Counts(msgspec.Struct):
    errors: int
    reference_tokens: int


class _Summary(msgspec.Struct):
    signature: str
    counts: _Counts


def _checked(text: str) -> dict[str, Any]:
    """A summary, with what is asked of every one."""
    # the library's own reader of JSON refuses escapes of bytes that are no text
    made: dict[str, Any] = json.loads(text)
    msgspec.convert(made, _Summary)
    return made


def _checksum(row: Sequence[str], tags: Mapping[str, str]) -> str:
    """The hash of a run's texts; zlib checks utterances and alignments itself."""
    return hashlib.sha256(json_text([*row, *sorted(tags.items())]).encode()).hexdigest()


def _check_sums(summary: Mapping[str, Any], utterances: UtteranceErrors) -> None:
    """Reject a summary whose counts are not the sums over its utterances."""
    for name, column in (("errors", utterances.errors), ("reference_tokens", utterances.tokens)):
        total = summary["counts"][name]
        if sum(column) != total:
            raise ValueError(
                f"counts.{name}: expected {sum(column)} as of utterances, found {total}"
            )


def tags_of(texts: Iterable[str]) -> dict[str, str]:
    """Tags as people write them.

    Examples
    --------
    >>> tags_of(["model=v3", "set=dev"])
    {'model': 'v3', 'set': 'dev'}
    """
    made: dict[str, str] = {}
    for text in texts:
        name, equal, value = map(_storable, text.partition("="))
        wrong = None
        if not (name and equal and value) or {*name, *value} & {",", "@"}:
            wrong = f"expected such as model=v3, without comma and @, found {text!r}"
        elif name in made:
            wrong = f"expected one value of {name}, found {made[name]!r} and {value!r}"
        if wrong:
            raise HistoryError("tag", None, None, wrong)
        made[name] = value
    return made


def _storable(text: str) -> str:
    """A text as SQLite can keep it: bytes that are none, in a name of a file, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()

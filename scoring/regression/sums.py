"""Sums without words: results of other programs, and recorded runs without alignments.

The format is detected from the content: lines and tables of Kaldi, icefall, WeNet and sclite,
jiwer's numbers as JSON or as printed, and CSV with one result per row.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from math import ceil, floor
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.messages import Message, expected_found
from scoring.drawing.data import counts_record, head_of, json_text
from scoring.model.counts import Counts
from scoring.regression.evidence import EvidenceError
from scoring.regression.history import SCHEMA, SCHEMA_VERSION, tags_of
from scoring.regression.messages import TAGS_OF_RUNS
from scoring.regression.toolkit_results import read_totals
from scoring.sides.layouts import HEAD

if TYPE_CHECKING:
    from scoring.score.engines.summary import TableSums

_KALDI = re.compile(r"^%[WC]ER +\S+ +\[ .*\] *(\S*)[ \t]*$", re.MULTILINE)
_KALDI_LIKE = {"%WER = ": "icefall", "Overall -> ": "WeNet"}
# sclite's table of percentages, its detailed report, and the summary of jiwer
_PERCENTAGES = re.compile(
    r"^[ \t]*\| *Sum/Avg *\| *(\d{1,15}) +(\d{1,15}) *\|" + r" +([0-9.]{1,8})" * 6 + r" *\|",
    re.MULTILINE,
)
_DETAILS = {
    name: re.compile(rf"^{title}.*\( *(\d{{1,15}})\)", re.MULTILINE)
    for name, title in (
        ("wrong", " with errors"),
        ("correct", "Percent Correct "),
        ("substitutions", "Percent Substitution "),
        ("deletions", "Percent Deletions "),
        ("insertions", "Percent Insertions "),
    )
}
_DETAILED = "DETAILED OVERALL REPORT FOR THE SYSTEM: "
_SENTENCES = re.compile(r"^ sentences +(\d{1,15})", re.MULTILINE)
_JIWER = re.compile(
    r"^number of sentences: (\d{1,15})\n"
    r"substitutions=(\d{1,15}) deletions=(\d{1,15}) insertions=(\d{1,15}) hits=(\d{1,15})$",
    re.MULTILINE,
)
_JIWER_NAMES = ("hits", "substitutions", "deletions", "insertions")
# Columns of CSV, each with the names it may have; others are tags.
COLUMNS = {
    "name": ("name", "system", "hypothesis"),
    "recorded": ("recorded", "recorded_at", "date"),
    "words": ("words", "reference_words", "reference_tokens", "ref_words", "n"),
    "errors": ("errors", "err"),
    "correct": ("correct", "hits", "corr"),
    "substitutions": ("substitutions", "sub", "subs"),
    "deletions": ("deletions", "del", "dels"),
    "insertions": ("insertions", "ins"),
    "utterances": ("utterances", "sentences", "snt"),
    "wrong": ("utterances_wrong", "sentence_errors"),
    "": ("wer", "cer", "rate", "rate %", "%wer", "mer", "wil", "wip"),
}
_COLUMN_OF = {alias: name for name, aliases in COLUMNS.items() for alias in aliases}
EXPECTED = (
    "runs that `scoring history export` wrote, or totals (a %WER line of Kaldi; .raw, .dtl or .sys "
    "of sclite; JSON of jiwer with substitutions, deletions, insertions and hits; CSV with the "
    "columns words and errors, or words, substitutions, deletions and insertions)"
)


class ImportedSums(NamedTuple):
    """The errors and reference words of a whole result, without utterances."""

    name: str
    source: str  # the program that printed them, or `CSV`
    words: int
    errors: int
    counts: Counts | None = None  # None: the kinds of errors are unknown
    utterances: int | None = None  # None: unknown
    wrong: int | None = None  # utterances with errors
    unit: str = "word"
    rounded: bool = False  # computed from percentages that determine them only roughly
    tags: Mapping[str, str] = {}
    recorded_at: str = ""  # empty: unknown
    signature: str = ""  # every choice behind the numbers; empty: unknown

    def line(self, tags: Mapping[str, str], recorded_at: str) -> bytes:
        """Return a JSON line for `History.admit`; a second import finds the same run."""
        tags = {**tags, **self.tags}
        recorded_at = self.recorded_at or recorded_at
        content = [*self[:9], sorted(tags.items()), self.recorded_at]
        rate = self.errors / self.words if self.words else None
        counts = {"errors": self.errors, "reference_count": self.words, "error_rate": rate}
        summary = {
            "signature": self.signature
            or f"{'wer' if self.unit == 'word' else 'cer'}|sums:{self.source}",
            "sums": {"source": self.source, "rounded": self.rounded},
            "reference": {"path": None, "sha256": None},
            "hypothesis": {"path": self.name, "sha256": None},
            "counts": counts if self.counts is None else counts_record(self.counts),
            "sentences": {"scored": self.utterances, "with_errors": self.wrong},
            "speakers": [],
        }
        run = {
            **head_of(SCHEMA, SCHEMA_VERSION),
            "key": hashlib.sha256(json_text(content).encode()).hexdigest()[:32],
            "recorded_at": recorded_at,
            "name": self.name,
            "tags": tags,
            "summary": summary,
            "utterances": {
                **dict.fromkeys(("ids", "errors", "reference_counts"), ()),
                **dict.fromkeys(("speakers", "recordings")),
            },
            "alignments": None,
        }
        return json_text(run).encode()


def of_tables(sums: TableSums, name: str) -> ImportedSums:
    """Return the sums of a whole result from the sums that an engine computed over tables."""
    total = sums.total
    counts, scored = total.counts, total.rows - total.failed
    return ImportedSums(
        name,
        "tables",
        counts.reference_tokens,
        counts.errors,
        counts,
        scored,
        total.wrong,
        "char" if sums.signature.startswith("cer") else "word",
        signature=sums.signature,
    )


def _from_tables(text: str, path: str) -> list[ImportedSums]:
    """Read the JSON of sums that `scoring wer --engine` writes."""
    from scoring.score.engines.documents import read_text
    from scoring.score.engines.sums_files import holds_sums

    if not holds_sums(text[:HEAD].encode()):
        return []
    sums = read_text(path, text)
    return [of_tables(sums, sums.name or path)]


def read_sums(text: str, path: str) -> list[ImportedSums]:
    """Parse the results in a text; EvidenceError if the text has no result."""
    for reader in (
        _from_tables,
        _from_json,
        _from_table,
        _from_details,
        _from_lines,
        _from_jiwer,
        _from_csv,
    ):
        if sums := reader(text, path):
            return sums
    raise EvidenceError(path, None, None, expected_found(EXPECTED, "none"))


def _from_counts(
    source: str, path: str, counts: Counts, utterances: int | None = None, wrong: int | None = None
) -> ImportedSums:
    words = counts.reference_tokens
    return ImportedSums(path, source, words, counts.errors, counts, utterances, wrong)


def _from_lines(text: str, path: str) -> list[ImportedSums]:
    """Parse lines of Kaldi, icefall and WeNet; several Kaldi lines must name their files."""
    matches = list(_KALDI.finditer(text))
    is_character = text.startswith("%CER") or os.path.basename(path).startswith(("cer", "best_cer"))
    results: list[ImportedSums] = []
    for match in matches if len(matches) > 1 else ():
        if not match[1]:
            lines = "one %WER line, or several that each name their file at the end"
            problem = expected_found(lines, "several without")
            raise EvidenceError(path, text.count("\n", 0, match.start()) + 1, None, problem)
        results += _from_lines(match[0], match[1])
    if results:
        return results
    totals = read_totals(text)
    if totals is None:
        return []
    source = next((name for head, name in _KALDI_LIKE.items() if text.startswith(head)), "Kaldi")
    return [_from_counts(source, path, *totals)._replace(unit="char" if is_character else "word")]


def _from_table(text: str, path: str) -> list[ImportedSums]:
    """Parse sclite's tables: counts (`.raw`), or percentages (`.sys`)."""
    if "SYSTEM SUMMARY PERCENTAGES" not in text:
        return []
    if (totals := read_totals(text)) is not None:
        return [_from_counts("sclite", path, *totals)]
    tables = _PERCENTAGES.findall(text)
    if len(tables) != 1:
        problem = expected_found("the table of one system with a row of sums", len(tables))
        raise EvidenceError(path, None, None, problem)
    utterances, words = map(int, tables[0][:2])
    _, *kinds, total, wrong = map(float, tables[0][2:])
    counts = _counts_of_percentages(words, kinds, total)
    sums = _from_counts("sclite", path, counts, utterances, round(wrong * utterances / 100))
    exact = all(len(_candidates(percentage, words)) == 1 for percentage in (*kinds, total))
    return [sums._replace(rounded=not exact)]


def _candidates(percentage: float, words: int) -> range:
    """Return the numbers of errors whose rate rounds to a percentage with one decimal."""
    low, high = ((percentage + step) * words / 100 for step in (-0.05, 0.05))
    return range(max(0, ceil(low - 1e-9)), floor(high + 1e-9) + 1)


def _counts_of_percentages(words: int, kinds: Sequence[float], total: float) -> Counts:
    """Return the most likely counts for percentages; their sum matches the total percentage."""
    numbers = [round(percentage * words / 100) for percentage in kinds]
    greatest = numbers.index(max(numbers))
    numbers[greatest] = max(0, numbers[greatest] + round(total * words / 100) - sum(numbers))
    substitutions, deletions, insertions = numbers
    return Counts(words - substitutions - deletions, substitutions, deletions, insertions)


def _from_details(text: str, path: str) -> list[ImportedSums]:
    """Return the sums in sclite's detailed report (`.dtl`) of one system."""
    if text.count(_DETAILED) != 1:
        return []
    numbers = {name: re.search(pattern, text) for name, pattern in _DETAILS.items()}
    utterances = _SENTENCES.search(text)
    if utterances is None or None in numbers.values():
        return []
    wrong, *counts = (int(match[1]) for match in numbers.values() if match is not None)
    return [_from_counts("sclite", path, Counts(*counts), int(utterances[1]), wrong)]


def _from_jiwer(text: str, path: str) -> list[ImportedSums]:
    """Parse the last lines of `jiwer.visualize_alignment`."""
    matches = _JIWER.findall(text)
    if len(matches) != 1:
        return []
    utterances, substitutions, deletions, insertions, hits = map(int, matches[0])
    counts = Counts(hits, substitutions, deletions, insertions)
    unit = "char" if re.search("^cer=", text, re.MULTILINE) else "word"
    return [_from_counts("jiwer", path, counts, utterances)._replace(unit=unit)]


def _from_json(text: str, path: str) -> list[ImportedSums]:
    """Read jiwer's output as JSON: an object with hits, substitutions, deletions and insertions."""
    if not text.lstrip().startswith("{"):
        return []
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return []
    numbers = [record.get(name) for name in _JIWER_NAMES]
    if not all(type(number) is int and number >= 0 for number in numbers):
        return []
    unit = "char" if "cer" in record and "wer" not in record else "word"
    references = record.get("references")
    utterances = len(references) if isinstance(references, list) else None
    return [_from_counts("jiwer", path, Counts(*numbers), utterances)._replace(unit=unit)]


def _from_csv(text: str, path: str) -> list[ImportedSums]:
    """Parse CSV with one result per row; columns that are not numbers become tags."""
    try:
        return _rows_of_csv(text, path)
    except csv.Error:  # a cell that is longer than a number or a tag
        return []


def _rows_of_csv(text: str, path: str) -> list[ImportedSums]:
    head = text.lstrip("\ufeff").partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    rows = csv.reader(text.lstrip("\ufeff").splitlines(), delimiter=delimiter)
    headings = [heading.strip() for heading in next(rows, [])]
    names = [_COLUMN_OF.get(heading.lower()) for heading in headings]
    has_kinds = {"substitutions", "deletions", "insertions"} <= {*names}
    if not ("words" in names or "correct" in names) or not (has_kinds or "errors" in names):
        return []
    results = []
    for cells in rows:
        if not any(cells):
            continue
        if len(cells) != len(headings):
            problem = expected_found(f"{len(headings)} cells", len(cells))
            raise EvidenceError(path, rows.line_num, None, problem)
        columns = dict(zip(names, map(str.strip, cells), strict=True))
        tags = tags_of(
            f"{heading}={cell.strip()}"
            for heading, name, cell in zip(headings, names, cells, strict=True)
            if name is None and cell.strip()
        )
        results.append(_from_row(path, rows.line_num, columns)._replace(tags=tags))
    return results


def _from_row(path: str, line: int, columns: Mapping[str | None, str]) -> ImportedSums:
    """Return the sums of a row of CSV."""

    def reject(problem: Message) -> EvidenceError:
        return EvidenceError(path, line, None, problem)

    def number(name: str) -> int | None:
        text = columns.get(name, "")
        if text and not (text.isascii() and text.isdigit() and len(text) < 16):
            raise reject(expected_found(f"a whole number of {name}", repr(text)))
        return int(text) if text else None

    numbers = {name: number(name) for name in COLUMNS if name not in ("", "name", "recorded")}
    words, errors, correct = (numbers[name] for name in ("words", "errors", "correct"))
    kinds = [numbers[name] for name in ("substitutions", "deletions", "insertions")]
    counts = None
    if None not in kinds:
        substitutions, deletions, insertions = (kind or 0 for kind in kinds)
        if correct is None:
            correct = (words or 0) - substitutions - deletions
        counts = Counts(correct, substitutions, deletions, insertions)
    words = counts.reference_tokens if words is None and counts is not None else words
    errors = counts.errors if errors is None and counts is not None else errors
    if not words or errors is None:
        raise reject(expected_found("numbers of words and of errors", "too few"))
    if counts is not None and (
        (counts.reference_tokens, counts.errors) != (words, errors) or counts.correct < 0
    ):
        raise reject(expected_found("numbers that add up", f"{words} words and {errors} errors"))
    recorded = columns.get("recorded", "")
    return ImportedSums(
        columns.get("name") or f"{path}:{line}",
        "CSV",
        words,
        errors,
        counts,
        numbers["utterances"],
        numbers["wrong"],
        recorded_at=utc_text(recorded, reject) if recorded else "",
    )


def utc_text(text: str, reject: Callable[[Message], Exception]) -> str:
    """Convert an ISO 8601 date or time to UTC in the notation of histories."""
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise reject(expected_found("a day such as 2026-01-31", repr(text))) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return f"{moment.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"


def lines_to_admit(
    text: str, path: str, tags: Mapping[str, str], recorded_at: str
) -> tuple[Iterator[bytes], Sequence[ImportedSums]]:
    """Return lines for `History.admit`, from a text with either exported runs or sums.

    Also return the sums; the list is empty for exported runs.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or _is_exported(lines[0]):
        if tags or recorded_at:
            raise EvidenceError(path, None, None, Message(TAGS_OF_RUNS))
        return (line.encode() for line in lines), ()
    sums = read_sums(text, path)
    moment = recorded_at or _changed_at(path)
    return (item.line(tags, moment) for item in sums), sums


def _is_exported(line: str) -> bool:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError):
        return line.startswith("{") and SCHEMA in line
    return isinstance(record, dict) and "schema" in record


def _changed_at(path: str) -> str:
    """Return the modification time of a file; the current time for standard input."""
    is_file = os.path.isfile(path)
    moment = datetime.fromtimestamp(os.path.getmtime(path)) if is_file else datetime.now()
    return f"{moment.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"

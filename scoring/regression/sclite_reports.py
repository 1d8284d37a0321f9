"""sclite's reports: read the words in `.pra`, and check every line against our report.

A check writes the same report from our scores, with the system name of the file, and compares all
lines. A file may have several reports, like the output of `sclite -o all stdout`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.messages import expected_found
from scoring.regression.evidence import Check, Difference, EvidenceError, compare_all
from scoring.regression.listings import ListedUtterance

if TYPE_CHECKING:
    from scoring.alignment.system import System

SUFFIXES = (".sys", ".raw", ".dtl", ".lur", ".pra", ".prf")
BY_SPEAKER = ("snt", "spk")
DUMP = "DUMP OF SYSTEM ALIGNMENT STRUCTURE"
_TABLE = "SYSTEM SUMMARY PERCENTAGES"
_SENTENCES, _OF_SPEAKER = "SENTENCE LEVEL REPORT", "SCORING FOR SPEAKER: "
# The other reports, by how they begin.
_BEGINS = {
    "NIST_TEXT_ALIGNMENT": "prf",
    DUMP: "pralign",
    "DETAILED OVERALL REPORT": "dtl",
    "| System: ": "lur",
    "<SYSTEM ": "sgml",
}
_TITLES = ("FOR THE SYSTEM: ", "System: ", "System name: ", "    Name: ", "     of ")
_SPEAKER = "Speaker sentences"
_MARGIN = 6  # columns in front of a row
_ROWS = ("REF:", "HYP:", "Eval:")
# Of a run, not of its words.
_OF_THE_RUN = (
    *("ref file:", "hyp file:", "creation date:", "attributes:", "writing ", "sclite:"),
    "<system ",
)
_ABSENT, _ALIGNED = "(none)", "aligned again, the report written again"
_NOT_COMPARED = "not compared: names of files and dates of the run"
_NEED_TIMES = {
    "sgml": "name the SGML by itself to check it",
    "prf": "the words do not show times and order of utterances",
}
SystemOf = Callable[[str], "System"]  # from the name of the system to what a report is written of


class DumpedUtterance(NamedTuple):
    """An utterance of a `.pra` report."""

    identifier: str
    line: int  # where it begins
    numbers: tuple[int, ...]  # correct, substitutions, deletions, insertions
    reference: tuple[str, ...]  # with a filler of asterisks for an insertion
    hypothesis: tuple[str, ...]
    edits: tuple[str, ...]  # the letters of errors
    speaker: str | None

    @property
    def words(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of both sides, without fillers and ignored words."""
        pairs = [pair for pair in self.pairs if all(pair)]
        return (
            tuple(word for word, other in pairs if not _is_filler(word, other)),
            tuple(word for other, word in pairs if not _is_filler(word, other)),
        )

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The aligned pairs; an optional word without partner is paired with an empty word."""
        return list(zip(self.reference, self.hypothesis, strict=True))

    @property
    def is_forgiven(self) -> bool:
        """True if unequal words count as correct: optional words or fragments."""
        unlike = sum(left.casefold() != right.casefold() for left, right in self.pairs)
        return unlike > sum(self.numbers[1:])

    @property
    def text(self) -> str:
        """The text of the whole utterance, for comparison."""
        numbers = " ".join(map(str, self.numbers))
        rows = map(" ".join, (self.reference, self.hypothesis, self.edits))
        return " | ".join((numbers, *rows)).casefold()  # errors are in capitals


def _is_filler(word: str, other: str) -> bool:
    """Return True if a word is only asterisks, which sclite prints for a missing word."""
    return set(word) == {"*"} and set(other) != {"*"}


def read_pra(path: str, text: str) -> Iterator[ListedUtterance]:
    """Read sclite's `.pra` report, also from a file with several reports.

    Raises EvidenceError if the counts of an utterance do not match its words.
    """
    for block in _first_dump(path, text):
        correct, substitutions, *expected = block.numbers
        found = [
            sum(_is_filler(*pair) for pair in block.pairs),
            sum(_is_filler(*reversed(pair)) for pair in block.pairs),
        ]
        deletions, insertions = expected
        sizes = [deletions, insertions, correct + substitutions + deletions + insertions]
        counted = [found[1], found[0], len(block.pairs)]
        if sizes != counted:
            texts = [
                f"{numbers[0]} deletions and {numbers[1]} insertions in {numbers[2]} columns"
                for numbers in (sizes, counted)
            ]
            problem = expected_found(f"{texts[0]} of {block.identifier!r}", texts[1])
            raise EvidenceError(path, block.line, None, problem)
        reference, hypothesis = block.words
        name, speaker = block.identifier, block.speaker
        yield ListedUtterance(name, reference, hypothesis, block.line, speaker)


def _first_dump(path: str, text: str) -> Iterator[DumpedUtterance]:
    """Yield the utterances of the first `.pra` report in a file."""
    dumps = [part for part in _sections(text) if part[0] in ("pralign", "prf")]
    _, begin, content = dumps[0] if dumps else ("", 0, text)
    return blocks_of(path, content, begin)


def blocks_of(path: str, text: str, before: int = 0) -> Iterator[DumpedUtterance]:
    """Yield the utterances of a `.pra` report; `before` is the number of lines above `text`."""
    name, line, numbers = "", 0, ""
    speaker: str | None = None
    upcoming: str | None = None
    rows: dict[str, list[str]] = {}  # the texts behind REF:, HYP: and Eval:, a piece each

    def finished() -> Iterator[DumpedUtterance]:
        if name:
            yield _block(path, name, line, numbers, rows)._replace(speaker=speaker)

    for number, content in enumerate(text.splitlines(), before + 1):
        start = content.lstrip().removeprefix(">> ")
        if start.startswith("id: ("):
            yield from finished()
            name, line, numbers, rows = start[5:].rpartition(")")[0], number, "", {}
            speaker = upcoming
        elif start.startswith(_SPEAKER):
            # the heads of a speaker are before the utterances: `Speaker sentences   0:  anna   …`
            upcoming = start.partition(":")[2].strip().rpartition("   ")[0].strip() or None
        elif name and start.startswith("Scores:"):
            numbers = start.rpartition(")")[2]
        elif name:
            kind = next((kind for kind in _ROWS if start.startswith(kind)), "")
            if kind:
                rows.setdefault(kind, []).append(start[_MARGIN:])
    yield from finished()


def _block(
    path: str, name: str, line: int, numbers: str, rows: dict[str, list[str]]
) -> DumpedUtterance:
    fields = numbers.split()
    if len(fields) != 4 or not all(field.isdecimal() and len(field) < 16 for field in fields):
        problem = expected_found(f"four numbers in Scores: of {name!r}", repr(numbers.strip()))
        raise EvidenceError(path, line, None, problem)
    pieces = [rows.get(kind, []) for kind in _ROWS]
    if len(pieces[0]) != len(pieces[1]):
        expected = f"as many lines of HYP: as of REF: of {name!r}, {len(pieces[0])}"
        raise EvidenceError(path, line, None, expected_found(expected, len(pieces[1])))
    fields_of = [" ".join(rows).split() for rows in pieces[:2]]
    columns = sum(map(int, fields))
    pairs = list(zip(*fields_of, strict=False))
    if {*map(len, fields_of)} != {columns}:
        # an optional word without partner stands above or below nothing
        pairs = [pair for lines in zip(*pieces[:2], strict=True) for pair in _columns(*lines)]
    reference, hypothesis = (tuple(pair[side] for pair in pairs) for side in (0, 1))
    edits = tuple(" ".join(pieces[2]).split())
    return DumpedUtterance(name, line, tuple(map(int, fields)), reference, hypothesis, edits, None)


def _columns(reference: str, hypothesis: str) -> Iterator[tuple[str, str]]:
    """Yield the columns of words of both sides; one word may be empty."""
    place, end = 0, max(len(reference.rstrip()), len(hypothesis.rstrip()))
    while place < end:
        left, right = (row[place:].partition(" ")[0] for row in (reference, hypothesis))
        if left or right:
            yield left, right
        place += max(len(left), len(right)) + 1


def why_unchecked(path: str, text: str) -> str:
    """Return why the numbers of a report cannot be computed from its words; empty if they can."""
    if any(block.is_forgiven for block in _first_dump(path, text)):
        return "it counts optional words or fragments as right, by rules that it does not show"
    return ""


def reports_beside(path: str) -> Iterator[str]:
    """Yield sclite's report files with the same system name as a file, including this file."""
    folder, name = os.path.split(path)
    stem = os.path.splitext(name)[0]
    for each in sorted(os.listdir(folder or os.curdir)):
        rest = each.removeprefix(stem)
        is_of_speaker = rest.split(".")[1:2] in ([kind] for kind in BY_SPEAKER)
        if rest != each and rest.startswith(".") and (rest in SUFFIXES or is_of_speaker):
            yield os.path.join(folder, each)


def report_checks(
    path: str, text: str, system_of: SystemOf, *, has_times: bool = False
) -> Iterator[Check]:
    """Yield a check for each report in a file: it must equal the same report of our scores.

    `has_times` is True if our system has times, and its utterances are in the order of the report.
    """
    sections = list(_sections(text))
    if not sections:
        yield Check(path, 0, remark="it is no report of sclite")
    lacking = {} if has_times else _NEED_TIMES
    for name, _, content in sections:
        what = path if len(sections) == 1 else f"{path} ({name})"
        system = system_of(_title_of(content))
        remark = lacking.get(name, "")
        if name == "lur" and not system.labels:
            remark = "the words do not show the labels of utterances"
        if remark:
            yield Check(what, 0, remark=remark)
            continue
        written = _written(system, name)
        has_run = any(_plain(line).startswith(_OF_THE_RUN) for line in content.splitlines())
        how = f"{_ALIGNED}; {_NOT_COMPARED}" if has_run else _ALIGNED
        if written is None:
            yield Check(what, 0, remark=f"our scores have no report {name}")
        elif name == "sgml":
            # the alignments are compared by themselves
            heads = (_heads_of(content), _heads_of(written))
            yield compare_all(f"{what} (heads)", _of_lines(*heads), how)
        elif name == "pralign":
            yield compare_all(what, _of_dumps(path, content, written), how)
        else:
            if lacks_column := _has_confidences(content) and not _has_confidences(written):
                content = _without_last_column(content)
            yield compare_all(what, _of_lines(content, written), how)
            if lacks_column:
                yield Check(f"{what} (NCE)", 0, remark="the words do not show confidences")


def _sections(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield each report's name (for `sclite -o`), the number of lines above it, and its text."""
    lines = text.splitlines()
    begins: list[tuple[str, int]] = []
    for number in range(len(lines)):
        kind = _kind_of(lines, number)
        if kind and not (kind == "pralign" and begins and begins[-1][0] == "prf"):
            begins.append((kind, number))
    ends = [number for _, number in begins[1:]] + [len(lines)]
    for (kind, begin), end in zip(begins, ends, strict=False):
        yield kind, begin, "\n".join(lines[begin:end])


def _kind_of(lines: Sequence[str], number: int) -> str:
    """Return the name of the report that begins at line index `number`.

    An empty name if none begins.
    """
    line = lines[number]
    if _TABLE in line:
        sums = next((row for row in lines[number:] if row.strip().startswith("| Sum")), "")
        return "sum" if "." in sums.rpartition("|")[0].split("|", 3)[-1][:12] else "rsum"
    start = line.strip()
    if start.startswith(_SENTENCES):
        head = next((row for row in lines[number:] if row.startswith("SPEAKER ")), "")
        return f"snt.{head.removeprefix('SPEAKER ')}"
    if start.startswith(_OF_SPEAKER):
        return f"spk.{start.removeprefix(_OF_SPEAKER)}"
    return next((kind for mark, kind in _BEGINS.items() if start.startswith(mark)), "")


def _title_of(text: str) -> str:
    """Return the name of the system in a report."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.strip().startswith(",-") and _TABLE in text and number + 1 < len(lines):
            return lines[number + 1].strip().strip("|").strip()
        for mark in _TITLES:
            if mark in line:
                return line.partition(mark)[2].strip().removesuffix("|").strip()
    return ""


def _written(system: System, name: str) -> str | None:
    """Return the report `name` of a system as text.

    A name such as `snt.SPEAKER` selects the report of one speaker.
    """
    from scoring.nist.report.registry import ReportSettings
    from scoring.nist.report.tables import LINE_WIDTH, TableDrawer
    from scoring.nist.report.writer import parts_of

    settings = ReportSettings(TableDrawer(), lambda _: None, LINE_WIDTH)
    kind, _, speaker = name.partition(".")
    for part in parts_of(system, {kind}, settings):
        content = b"".join(part.content).decode("utf-8", "surrogateescape")
        if not speaker or part.suffix == f".{name}":
            return content
    return None


def _of_dumps(path: str, recorded: str, ours: str) -> Iterator[Difference]:
    """Yield lines of a recorded `.pra` report with our lines: speakers and utterances."""
    heads = [
        [
            *(line for line in text.partition("id: (")[0].splitlines() if _is_numbered(line)),
            *(line for line in text.splitlines() if line.startswith(_SPEAKER)),
        ]
        for text in (recorded, ours)
    ]
    for pair in zip_longest(*heads, fillvalue=_ABSENT):
        yield Difference(_SPEAKER, *map(_plain, pair))
    written = {block.identifier: block.text for block in blocks_of(path, ours)}
    listed = {block.identifier: block.text for block in blocks_of(path, recorded)}
    for name in dict.fromkeys((*listed, *written)):
        yield Difference(name, listed.get(name, _ABSENT), written.get(name, _ABSENT))


def _heads_of(sgml: str) -> str:
    """Return the SGML tags of speakers and utterances, which contain the numbers."""
    return "\n".join(line for line in sgml.splitlines() if line.startswith(("<SPEAKER", "<PATH")))


def _is_numbered(line: str) -> bool:
    """Return True for a numbered line, as in the list of speakers."""
    return line.partition(":")[0].strip().isdecimal()


def _has_confidences(table: str) -> bool:
    return "s.err | nce |" in _plain(table)


def _without_last_column(table: str) -> str:
    """Return a table of rates whose rows have no last column; the title stays."""
    title, head, rows = table.partition("# Snt")
    ends = ((row, row.rfind("|", 0, row.rfind("|")) + 1) for row in rows.splitlines())
    return title + head + "\n".join(row[:end] if end else row for row, end in ends)


def _of_lines(recorded: str, ours: str) -> Iterator[Difference]:
    lines = [
        [line for line in map(_plain, text.splitlines()) if line and not _is_of_run(line)]
        for text in (recorded, ours)
    ]
    for number, pair in enumerate(zip_longest(*lines, fillvalue=_ABSENT), 1):
        yield Difference(f"line {number}", *pair)


def _plain(line: str) -> str:
    # older versions of sclite misspell a word; characters are words here
    line = " ".join(line.casefold().split()).replace("substitions", "substitutions")
    return line.replace("# snt # chr |", "# snt # wrd |")


def _is_of_run(line: str) -> bool:
    # a frame is as wide as the tables before it made it
    return line.startswith(_OF_THE_RUN) or not any(map(str.isalnum, line))

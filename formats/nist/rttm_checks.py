"""What NIST's rttm validator asks for beyond the grammar, reported as warnings.

=======================  ====================================================================
code                     what is wrong
=======================  ====================================================================
``RTTM-FILE``            the recording is not called as the file is (a note, as there)
``RTTM-CHANNEL``         a channel other than 1 and 2
``RTTM-ORTHOGRAPHY``     an orthography where the type has none, or no letter where one is spelled
``RTTM-WORD``            a word of odd characters (a note, as there)
``RTTM-RANGE``           a confidence outside 0 to 1
``RTTM-UNKNOWN-SPEAKER``  a speaker without SPKR-INFO
``RTTM-SELF-OVERLAP``    records of one type and speaker that overlap
``RTTM-NO-WORDS``        an SU, EDIT or FILLER around no word
``RTTM-PARTIAL``         a word partly inside an SU, EDIT or FILLER; any record partly inside
                         a NOSCORE
``RTTM-UNCOVERED``       a word in no SU, or in no SPEAKER
``RTTM-IP``              within an SU an EDIT or FILLER without its interruption point, or an
                         interruption point, not at the end of the SU, without one of these
=======================  ====================================================================

All of them are told, where the validator stops after the first kind. Times are compared with its
tolerance, just below a millisecond.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict

from formats.errors import quoted
from formats.source import recording_of
from formats.times import format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from formats.nist.rttm_records import Record
    from formats.source import Source

    Groups: TypeAlias = "dict[tuple[str, str, str | None], dict[str, list[Record]]]"

__all__ = ["check"]

SLACK = 999_999
WORDLESS = frozenset(
    [
        "SEGMENT",
        "NOSCORE",
        "NO_RT_METADATA",
        "NON-SPEECH",
        "FILLER",
        "EDIT",
        "SU",
        "IP",
        "CB",
        "A/P",
        "SPEAKER",
        "SPKR-INFO",
    ]
)
UNNAMED = frozenset({"SPKR-INFO", "NOSCORE"})
SPANS = ("SU", "EDIT", "FILLER")
SPOILED = ("SU", "EDIT", "FILLER", "SPEAKER", "LEXEME", "NON-LEX", "NON-SPEECH")
LETTERS = r"[\[\]A-Za-z.\-'\u0080-\U0010ffff]"
WORD = re.compile(rf"{LETTERS}+\Z|%?[A-Za-z.\u0080-\U0010ffff]+-?\Z")
SCTK_WORD = re.compile(rf"(?:{LETTERS}|[_{{}}/%@])+\Z")
SPELLED = re.compile(r"(?:[A-Za-z]\.|[A-Za-z]\.'*s|[^\x00-\x7f]{1,2}\.)\Z", re.IGNORECASE)


def check(source: Source, records: Iterable[Record], rttm_sctk: bool) -> None:
    """Report all that NIST's validator would, record by record, then across records."""
    groups: Groups = defaultdict(lambda: defaultdict(list))
    known: set[str] = set()
    for record in records:
        groups[record.recording, record.channel, record.speaker][record.type].append(record)
        if record.type == "SPKR-INFO":
            known.add((record.speaker or "<NA>").lower())
    for kinds in groups.values():
        for some in kinds.values():
            some.sort(key=lambda record: (record.start, record.line))
            for record in some:
                _check_record(source, record, known, rttm_sctk)
    for key, kinds in groups.items():
        for kind, some in kinds.items():
            if kind != "SPKR-INFO":
                _check_overlap(source, kind, some)
        _check_contents(source, kinds)
        _check_cover(source, kinds)
        _check_points(source, kinds)
        silent = groups.get((key[0], key[1], None))
        if silent is not None and silent.get("NOSCORE"):
            _check_noscore(source, kinds, silent["NOSCORE"])


def _check_record(source: Source, record: Record, known: set[str], rttm_sctk: bool) -> None:
    log, line = source.log, record.line
    name = recording_of(source.name)
    if record.recording.lower() != name.lower():
        log.note("RTTM-FILE", f"{quoted(record.recording)} is not the file's name", line)
    if record.channel not in ("1", "2"):
        log.warn("RTTM-CHANNEL", f"channel {quoted(record.channel)} is not 1 or 2", line)
    if record.text is not None:
        _check_orthography(source, record, rttm_sctk)
    if record.confidence is not None and not 0 <= record.confidence <= 1:
        log.warn("RTTM-RANGE", f"confidence {record.confidence} is not within 0 and 1", line)
    if record.type not in UNNAMED and (record.speaker or "<NA>").lower() not in known:
        speaker = quoted(record.speaker or "<NA>")
        log.warn("RTTM-UNKNOWN-SPEAKER", f"no SPKR-INFO tells of the speaker {speaker}", line)
    if record.type == "LEXEME" and record.subtype is None:
        log.warn("RTTM-SUBTYPE", "a LEXEME has a subtype", line)


def _check_orthography(source: Source, record: Record, rttm_sctk: bool) -> None:
    text = record.text or ""
    log = source.log
    if record.type in WORDLESS:
        message = f"{record.type} has no orthography, found {quoted(text)}"
        log.warn("RTTM-ORTHOGRAPHY", message, record.line)
    if record.type != "LEXEME":
        return
    if (record.subtype or "").lower() == "alpha" and not SPELLED.match(text):
        log.warn("RTTM-ORTHOGRAPHY", f"{quoted(text)} is no spelled letter", record.line)
    if not (WORD.match(text) or (rttm_sctk and SCTK_WORD.match(text))):
        message = f"{quoted(text)} holds characters that words do not have"
        log.note("RTTM-WORD", message, record.line)


def _check_overlap(source: Source, kind: str, records: Sequence[Record]) -> None:
    for before, record in itertools.pairwise(records):
        if kind not in ("IP", "CB") and before.end - record.start > SLACK:
            source.log.warn(
                "RTTM-SELF-OVERLAP", f"overlaps the {kind} of line {before.line}", record.line
            )


class _Cover:
    """Stretches of time, sorted by begin, asked for words in order of begin."""

    def __init__(self, stretches: Sequence[Record]) -> None:
        self.stretches = stretches
        self.first = 0

    def near(self, start: int, end: int) -> list[Record]:
        """Those that reach into ``start..end``; `start` never goes back."""
        stretches = self.stretches
        while self.first < len(stretches) and stretches[self.first].end < start - SLACK:
            self.first += 1
        found: list[Record] = []
        for index in range(self.first, len(stretches)):
            if stretches[index].start > end + SLACK:
                break
            found.append(stretches[index])
        return found


def _holds(outer: Record, inner: Record) -> bool:
    return inner.start + SLACK >= outer.start and inner.end - SLACK <= outer.end


def _cuts(outer: Record, inner: Record) -> bool:
    is_beside = inner.end - outer.start <= SLACK or outer.end - inner.start <= SLACK
    return not is_beside and not _holds(outer, inner)


def _check_contents(source: Source, kinds: dict[str, list[Record]]) -> None:
    words = kinds.get("LEXEME", [])
    for kind in SPANS:
        cover = _Cover(words)
        for record in kinds.get(kind, ()):
            if not any(_holds(record, word) for word in cover.near(record.start, record.end)):
                source.log.warn("RTTM-NO-WORDS", f"{kind} around no word", record.line)


def _check_cover(source: Source, kinds: dict[str, list[Record]]) -> None:
    covers = {kind: _Cover(kinds.get(kind, ())) for kind in (*SPANS, "SPEAKER")}
    for word in kinds.get("LEXEME", ()):
        for kind, cover in covers.items():
            near = cover.near(word.start, word.end)
            if kind != "SPEAKER" and any(_cuts(one, word) for one in near):
                source.log.warn("RTTM-PARTIAL", f"a word partly inside a {kind}", word.line)
            if kind in ("SU", "SPEAKER") and not any(_holds(one, word) for one in near):
                source.log.warn("RTTM-UNCOVERED", f"a word in no {kind}", word.line)


def _check_noscore(
    source: Source, kinds: dict[str, list[Record]], regions: Sequence[Record]
) -> None:
    for kind in SPOILED:
        cover = _Cover(regions)
        for record in kinds.get(kind, ()):
            if any(_cuts(one, record) for one in cover.near(record.start, record.end)):
                source.log.warn("RTTM-PARTIAL", f"{kind} partly inside a NOSCORE", record.line)


def _check_points(source: Source, kinds: dict[str, list[Record]]) -> None:
    """Within SUs: each EDIT ends, and each FILLER begins, at an interruption point of its own."""
    sentences = kinds.get("SU", [])
    if not sentences:
        return
    starts = [sentence.start for sentence in sentences]

    def inside(kind: str) -> list[Record]:
        found = []
        for record in kinds.get(kind, ()):
            index = bisect_right(starts, record.start + SLACK)
            if index and _holds(sentences[index - 1], record):
                found.append(record)
        return found

    points = inside("IP")
    times = [point.start for point in points]
    taken: set[tuple[int, str]] = set()
    wanted = [(record.end, "edit", record) for record in inside("EDIT")]
    wanted += [(record.start, "filler", record) for record in inside("FILLER")]
    for time, use, record in wanted:
        near = range(bisect_left(times, time - SLACK), bisect_right(times, time + SLACK))
        place = next((n for n in near if _serves(points[n], use) and (n, use) not in taken), None)
        if place is None:
            source.log.warn(
                "RTTM-IP",
                f"{record.type} without an interruption point at {format_time(time)}",
                record.line,
            )
        else:
            taken.add((place, use))
    for index, point in enumerate(points):
        sentence = sentences[bisect_right(starts, point.start + SLACK) - 1]
        uses = (point.subtype or "other").lower().split("&")
        is_used = all((index, use) in taken for use in uses)
        if not is_used and point.start < sentence.end - SLACK:
            message = f"an interruption point without its {' and '.join(uses)}"
            source.log.warn("RTTM-IP", message, point.line)


def _serves(point: Record, use: str) -> bool:
    return use in (point.subtype or "").lower().split("&")

"""NIST's checks of ctm, stm and rttm, with the messages of its validators.

The checks work on bytes without an encoding: a non-ASCII byte is not a letter. They accept some
files that our readers reject, because the stm validator checks only words. They also reject some
files that our readers accept.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from formats.nist.rttm_records import SUBTYPES

__all__ = ["RttmChecks", "Validation", "validate_ctm", "validate_rttm", "validate_stm"]

ENGLISH = "english"
FIELD = re.compile(rb"\S+")


@dataclass(frozen=True, slots=True)
class Validation:
    """The findings of a validator, and the last line that it prints (may be empty).

    Lines have no line ends.
    """

    findings: tuple[bytes, ...]
    verdict: bytes

    @property
    def status(self) -> int:
        """The exit status: 1 if any finding is an error, otherwise 0."""
        return int(any(not finding.startswith(b"WARNING") for finding in self.findings))

    @property
    def output(self) -> bytes:
        """The text for standard output."""
        return b"".join(line + b"\n" for line in (*self.findings, self.verdict) if line)


def lines_of(data: bytes) -> list[bytes]:
    """Return the lines without line feeds; carriage returns are kept."""
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


# -- ctm -------------------------------------------------------------------------------------------

CTM_NAME = re.compile(rb"[A-Za-z0-9_-]+")
CTM_CHANNEL = re.compile(rb"[0-9]+|[AB]")
CTM_NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?")
CTM_MARKER = re.compile(rb"<ALT(?:_BEGIN|_END)?>")
CTM_WORD = re.compile(rb"\A(?:[a-z'-]+\Z|[a-z]\.)|@|%(?:bcn?ack|hesitation)", re.IGNORECASE)
CTM_TYPES = frozenset(b"lex frag fp un-lex for-lex non-lex misc noscore".split())
LEAST_FIELDS, MOST_FIELDS = 5, 8


def validate_ctm(data: bytes, name: bytes, language: str = ENGLISH) -> Validation:
    """Return the findings of `ctmValidator.pl -l LANGUAGE -i NAME`."""
    is_english = language.lower() == ENGLISH
    findings: list[bytes] = []
    for number, line in enumerate(lines_of(data), 1):
        if line.startswith(b";;"):
            continue
        fields = line.split()
        if line[:1].isspace() and fields:
            fields = [b"", *fields]
        problems = _ctm_problems(fields, is_english)
        findings += (b"ERROR: [line %d] %b" % (number, problem) for problem in problems)
    if not findings:
        return Validation((), b"Validated " + name)
    verdict = b"FATAL: Validation '%b' failed due to the %d previous error(s)"
    return Validation(tuple(findings), verdict % (name, len(findings)))


def _ctm_problems(fields: Sequence[bytes], is_english: bool) -> Iterator[bytes]:
    """Yield the first error in the fields of a record."""
    if not LEAST_FIELDS <= len(fields) <= MOST_FIELDS:
        few = len(fields) < LEAST_FIELDS
        bound = b"at least %d" % LEAST_FIELDS if few else b"no more than %d" % MOST_FIELDS
        yield b"ctm record must have %b fields and no whitespace at the beginning" % bound
        return
    source, channel, begin, duration, token = fields[:5]
    confidence, kind, speaker = (*fields[5:], *(b"0", b"lex", b"spkr")[len(fields) - 5 :])
    names = b"must have alphanumeric, hyphens (-) and underscore (_) characters only"
    if not CTM_NAME.fullmatch(source):
        yield b"source '%b' %b" % (source, names)
    if not CTM_CHANNEL.fullmatch(channel):
        yield b"channel '%b' must be numeric only" % channel
    is_marker = CTM_MARKER.search(token)
    for noun, time in ((b"begin", begin), (b"duration", duration)):
        if is_marker and time != b"*":
            yield b"%b '%b' time for ALT Tag must be an asterisk /*/" % (noun, time)
        elif not is_marker and not CTM_NUMBER.fullmatch(time):
            yield b"%b '%b' time must floating point value" % (noun, time)
    if not is_marker and is_english and kind == b"lex" and not CTM_WORD.search(token):
        words = b"must have alphabetic, hyphens (-) and apostrophes (') characters only"
        yield b"token '%b' %b" % (token, words)
    if not CTM_NUMBER.fullmatch(confidence):
        yield b"confidence '%b' time must floating point value" % confidence
    if kind not in CTM_TYPES:
        yield b"type '%b' is not a known type" % kind
    if not CTM_NAME.fullmatch(speaker):
        yield b"speaker '%b' %b" % (speaker, names)


# -- stm -------------------------------------------------------------------------------------------

STM_DEFINITION = re.compile(rb';;\s+(?:CATEGORY|LABEL)\s+"[^"]*"\s+"[^"]*"\s+"[^"]*"')
LABEL_FIELD = 5
STM_ANY_LANGUAGE = rb"ignore_time_segment_in_scoring|[{}/@]"
CONTRACTED = rb"'(?:d|s|t|re|ll|m|ve)?"
STM_ENGLISH = re.compile(
    rb"\A(?:"
    + STM_ANY_LANGUAGE
    + rb"|[a-z-]*[a-z](?:%b)*" % CONTRACTED
    + rb"|\([a-z-]*[a-z](?:\)|%b\)*)" % CONTRACTED
    + rb"|[a-z]+\.(?:'?s)*|\([a-z]+\.(?:'?s)*\)"  # letters spelled
    rb"|[a-z]+-|\([a-z]+-\)"  # fragments
    rb"|o'\S+|d'etre"
    rb"|%(?:hesitation|bcn?ack)|\(%(?:hesitation|bcn?ack)\))\Z",
    re.IGNORECASE,
)
# A bracket ends the original's list of marks early; what stands after it is a pattern of its own.
NO_MARK = rb"[^!@#$^&*()`~_+={\[}]"
STM_OTHER = re.compile(
    rb"\A(?:(?:%b)\Z|\(?%b)|<,>.?/-\]+\)?\Z" % (STM_ANY_LANGUAGE, NO_MARK), re.IGNORECASE
)


def validate_stm(data: bytes, name: bytes, language: str = ENGLISH) -> Validation:
    """Return the findings of `stmValidator.pl -l LANGUAGE -i NAME`, which checks only words."""
    name_of_language = language.encode("utf-8", "surrogateescape").lower()
    is_english = name_of_language == ENGLISH.encode()
    title = b"English" if is_english else name_of_language
    fits = (STM_ENGLISH if is_english else STM_OTHER).search
    records: list[tuple[bytes, bytes, list[bytes]]] = []
    for line in lines_of(data):
        if STM_DEFINITION.search(line):
            continue
        fields = FIELD.findall(line.partition(b";;")[0])
        label = fields[LABEL_FIELD] if len(fields) > LABEL_FIELD else b""
        is_label = len(label) > 1 and label[:1] == b"<" and label[-1:] == b">"
        words = [word for word in fields[LABEL_FIELD + is_label :] if not fits(word)]
        if words:
            findings = [b"   Unrecognized token %b -%b-" % (title, word) for word in words]
            records.append((fields[0], fields[1], findings))
    records.sort(key=lambda record: record[:2])
    every = tuple(finding for record in records for finding in record[2])
    return Validation(every, b"Failed Validation" if every else b"Validated " + name)


# -- rttm ------------------------------------------------------------------------------------------

SLACK = 0.000999999  # seconds; times nearer than this are equal
RTTM_NUMBER = re.compile(rb"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
RTTM_TIME = re.compile(RTTM_NUMBER.pattern + rb"\**")
WORD = rb"[\[\]A-Z.\-'\x80-\xff]+"
RTTM_WORD = rb"%b|<NA>|%%?[A-Z.\x80-\xff]+-?" % WORD
PLAIN_WORD = re.compile(RTTM_WORD, re.IGNORECASE)
CHOICE = rb"\{(?:(?:_%b)+_/)*(?:_%b)+_\}" % (WORD, WORD)
INNER_CHOICE = re.compile(rb"_%b_" % CHOICE, re.IGNORECASE)
SCTK_WORD = re.compile(rb"%b|(?:%b_)*%b|%b" % (RTTM_WORD, WORD, WORD, CHOICE), re.IGNORECASE)
SPELLED = re.compile(rb"[A-Z]\.(?:'*s)?|[\x80-\xff]{2}\.|<NA>", re.IGNORECASE)
EXPERIMENT = re.compile(rb"\A\s*;;\s*EXP-ID:\s*(.*)")
RTTM_COMMENT = re.compile(rb"\A\s*(?:;;|\Z)")
# The first type that a type's name holds says which subtypes there are.
TYPE_NAMES = (
    *("SEGMENT", "NOSCORE", "NO_RT_METADATA", "SPEAKER", "A/P", "LEXEME", "NON-LEX"),
    *("NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "SPKR-INFO"),
)
POINTS = re.compile(rb"IP|CB", re.IGNORECASE)
UNTIMED = re.compile(rb"SPKR-INFO|IP|CB", re.IGNORECASE)
SPANS = (b"SU", b"EDIT", b"FILLER")
SPOILED = (*SPANS, b"SPEAKER", b"LEXEME", b"NON-LEX", b"NON-SPEECH")
ABSENT = b"<na>"


@dataclass(frozen=True, slots=True)
class RttmChecks:
    """The enabled checks of the rttm validator.

    The checks require that every word is inside an SU (disabled by `-u`) and a SPEAKER (`-s`), that
    every speaker has a SPKR-INFO (`-p`), that every EDIT and FILLER has an interruption point
    (`-e`), and that the recording has the name of the file (`-f`). `sctk` (`-S`) allows
    alternations and several words in a word field.
    """

    sentences: bool = True
    turns: bool = True
    speakers: bool = True
    points: bool = True
    file_name: bool = True
    sctk: bool = False

    @staticmethod
    def of_switches(letters: Container[str]) -> RttmChecks:
        """Return the checks that remain enabled with the given switches of `uspefS`."""
        return RttmChecks(*[letter not in letters for letter in "uspef"] + ["S" in letters])


class _Record(NamedTuple):
    """A line of an rttm. Times are in seconds (0 if missing).

    `key` identifies the recording and the speaker.
    """

    number: int
    fields: list[bytes]
    key: tuple[bytes, bytes, bytes, bytes]
    begin: float
    end: float

    def found(self, text: bytes, where: bytes = b"line") -> bytes:
        """Return a finding about the record, with its line number."""
        return b"%b; see %b %d" % (text, where, self.number)

    def in_field(self, index: int, text: bytes, preposition: bytes = b"in") -> bytes:
        """Return a finding about a field.

        As in the validator, fields are numbered 0, 2, 3 and so on.
        """
        where = b"field (%d) %b line" % (index and index + 1, preposition)
        return self.found(text, where)


def _record(number: int, line: bytes) -> _Record:
    fields = line.split()
    kind, recording, channel, begin, duration, _, _, speaker = (*fields, *[b""] * 7)[:8]
    times = [
        float(time.rstrip(b"*")) if RTTM_TIME.fullmatch(time) else 0.0 for time in (begin, duration)
    ]
    key = recording, channel, speaker, kind
    return _Record(number, fields, key, times[0], sum(times))


def validate_rttm(data: bytes, name: bytes, checks: RttmChecks | None = None) -> Validation:
    """Return the findings of `rttmValidator.pl -t -i NAME`; the command adds the heading.

    Reports all faults of single records. If there are none, reports the first kind of fault between
    records. Records are sorted in byte order of recording, channel, speaker and type. Names of
    files and speakers are plain texts; NIST's validator treats them as patterns.
    """
    checks = checks or RttmChecks()
    records: list[_Record] = []
    is_broadcast = False
    for number, line in enumerate(lines_of(data), 1):
        experiment = EXPERIMENT.match(line)
        if experiment is not None:
            about = experiment[1].lower()
            is_broadcast = b"bnews" in about or (is_broadcast and b"cts" not in about)
        elif not RTTM_COMMENT.match(line):
            records.append(_record(number, line))
    records.sort(key=attrgetter("key"))
    file_name = re.sub(rb"\.[^.]*\Z", b"", name).rpartition(b"/")[2]
    speakers = {record.key[2].lower() for record in records if record.fields[0] == b"SPKR-INFO"}
    findings: list[bytes] = []
    for record in records:
        if not 9 <= len(record.fields) <= 10:
            text = b"ERROR: This record has %d fields instead of the required 9 or 10 fields"
            findings.append(record.found(text % len(record.fields)))
        if len(record.fields) < 9:
            continue
        findings.extend(_rttm_problems(record, file_name, is_broadcast, checks))
        speaker = record.key[2]
        unnamed = re.search(rb"SPKR-INFO|NOSCORE|NONSPEECH", record.key[3], re.IGNORECASE)
        if checks.speakers and not unnamed and speaker.lower() not in speakers:
            text = b"ERROR: Speaker %b doesn't match any of the speaker IDs in SPKR-INFO objects"
            findings.append(record.found(text % speaker))
    validation = Validation(tuple(findings), b"Validation aborted")
    if validation.status:
        return validation
    between = _Relations(records).first_findings(checks)
    return Validation((*findings, *between), b"Validation aborted" if between else b"")


def _rttm_problems(
    record: _Record, file_name: bytes, is_broadcast: bool, checks: RttmChecks
) -> Iterator[bytes]:
    """Yield the errors in the fields of a record, in order."""
    kind, recording, channel, begin, duration, text, subtype, _, confidence = record.fields[:9]
    upper = kind.upper()
    if upper.decode("latin-1") not in SUBTYPES:
        yield record.in_field(0, b"ERROR: Invalid RTTM type '%b'" % kind)
    if checks.file_name and recording.lower() != file_name.lower():
        message = b"WARNING: Source field '%b' doesn't match the input file's base filename '%b'"
        yield record.in_field(1, message % (recording, file_name))
    if channel not in (b"1", b"2"):
        yield record.in_field(2, b"ERROR: Invalid channel ID")
    elif is_broadcast and channel != b"1":
        yield record.in_field(2, b"ERROR: Expected channel ID to be 1 for BN data")
    of_speaker = b"SPKR-INFO" in upper
    untimed = UNTIMED.search(kind)
    times = (
        (3, begin, b"start time", of_speaker, ABSENT in begin.lower()),
        (4, duration, b"duration", untimed, duration.lower() == ABSENT),
    )
    for index, time, noun, is_absent, says_so in times:
        if is_absent:
            if not says_so:
                yield record.in_field(index, b"ERROR: %b should not have any %b" % (kind, noun))
        elif not RTTM_TIME.fullmatch(time):
            yield record.in_field(index, b"ERROR: Expected %b to be a number" % noun)
        elif float(time.rstrip(b"*")) < 0:
            yield record.in_field(index, b"ERROR: Negative %b" % noun)
    named = [name for name in TYPE_NAMES if name.encode() in upper]
    if {*named} - {"LEXEME", "NON-LEX"} and text.lower() != ABSENT:
        message = b"ERROR: Value for the orthography field for %b should be <NA>"
        yield record.in_field(5, message % kind)
    if named:
        yield from _subtype_problems(record, named[0], subtype, text, checks.sctk)
    if b"<NA>" not in confidence:
        expected = None
        if not RTTM_NUMBER.fullmatch(confidence):
            expected = b"a number or <NA>"
        elif not 0 <= float(confidence) <= 1:
            expected = b"[0,1]"
        if expected:
            yield record.in_field(8, b"ERROR: Expected confidence value to be " + expected)


def _subtype_problems(
    record: _Record, name: str, subtype: bytes, text: bytes, sctk: bool
) -> Iterator[bytes]:
    kind = record.key[3]
    name_of_subtype = (subtype if name == "SPKR-INFO" else subtype.lower()).decode("latin-1")
    is_absent = name_of_subtype == "<na>" and (name == "SEGMENT" or not SUBTYPES[name])
    if name_of_subtype not in SUBTYPES[name] and not is_absent:
        suffix = b" " + subtype if name == "NON-LEX" else b""
        yield record.in_field(6, b"ERROR: Invalid %b subtype%b" % (kind, suffix))
    if name != "LEXEME":
        return
    quoted = b"'%b' in" % text
    if "alpha" in name_of_subtype and not SPELLED.fullmatch(text):
        yield record.in_field(5, b"ERROR: Invalid orthography for alpha %b" % kind, quoted)
    reduced, count = text, int(sctk)
    while count:
        reduced, count = INNER_CHOICE.subn(b"_", reduced, 1)
    if not (SCTK_WORD if sctk else PLAIN_WORD).fullmatch(reduced):
        extended = b" with SCTK Extensions" if sctk else b""
        message = b"WARNING: Invalid orthography%b for %b" % (extended, kind)
        yield record.in_field(5, message, quoted)


class _Relations:
    """Checks of the relations between records; each record by itself is valid."""

    def __init__(self, records: Sequence[_Record]) -> None:
        # recording and channel, speaker, type: records by begin
        self._channels: dict[tuple[bytes, bytes], dict[bytes, dict[bytes, list[_Record]]]] = {}
        for record in records:
            recording, channel, speaker, kind = record.key
            if b"SPKR-INFO" not in kind.upper():
                speakers = self._channels.setdefault((recording, channel), {})
                speakers.setdefault(speaker, {}).setdefault(kind, []).append(record)
        for kinds in self._speakers():
            for some in kinds.values():
                some.sort(key=attrgetter("begin"))

    def first_findings(self, checks: RttmChecks) -> list[bytes]:
        """Return the findings of the first enabled check that has any."""
        relations: list[tuple[bool, Callable[[], Iterator[bytes]]]] = [
            (True, self._overlaps),
            (True, self._wordless),
            (True, self._cut_words),
            (True, self._cut_by_noscore),
            (checks.sentences, lambda: self._uncovered(b"SU")),
            (checks.turns, lambda: self._uncovered(b"SPEAKER")),
            (checks.points, self._unmarked),
        ]
        for is_wanted, check in relations:
            if is_wanted and (findings := list(check())):
                return findings
        return []

    def _speakers(self) -> Iterator[dict[bytes, list[_Record]]]:
        """Yield the records of each speaker, by type."""
        for speakers in self._channels.values():
            yield from speakers.values()

    def _words(self) -> Iterator[tuple[_Record, Mapping[bytes, list[_Record]]]]:
        """Yield every LEXEME, together with all records of its speaker by type."""
        for kinds in self._speakers():
            for kind, some in kinds.items():
                if kind.upper() == b"LEXEME":
                    yield from ((word, kinds) for word in some)

    def _overlaps(self) -> Iterator[bytes]:
        for kinds in self._speakers():
            for kind, some in kinds.items():
                before = 0.0
                for record in some:
                    if before - record.begin > SLACK:
                        text = b"ERROR: Speaker %b has %bs ending at %.15g and starting at %b; "
                        text %= record.key[2], kind, before, record.fields[3]
                        yield record.found(text + kind + b"s overlap")
                    before = record.begin if POINTS.search(kind) else record.end

    def _wordless(self) -> Iterator[bytes]:
        for kinds in self._speakers():
            words = kinds.get(b"LEXEME", [])
            for kind, some in kinds.items():
                if kind.upper() not in SPANS:
                    continue
                for record in some:
                    near = _near(words, record.begin, record.end)
                    if not any(_holds(record, word) for word in near):
                        text = b"ERROR: %b at %b contains no words" % (kind, record.fields[3])
                        yield record.found(text)

    def _cut_words(self) -> Iterator[bytes]:
        for word, kinds in self._words():
            for kind, some in kinds.items():
                if kind.upper() in SPANS and _is_cut(word, some):
                    text = b"ERROR: Word at %b is partially covered by %b object"
                    yield word.found(text % (word.fields[3], kind))

    def _cut_by_noscore(self) -> Iterator[bytes]:
        for speakers in self._channels.values():
            zones = speakers.get(b"<NA>", {}).get(b"NOSCORE")
            if not zones:
                continue
            for speaker, kinds in speakers.items():
                for kind, some in kinds.items():
                    text = b"ERROR: Speaker %b has %b partially overlapping with NOSCORE tag at %b"
                    for record in some if kind.upper() in SPOILED else ():
                        if _is_cut(record, zones):
                            message = text % (speaker, kind, record.fields[3])
                            yield record.found(message)

    def _uncovered(self, cover: bytes) -> Iterator[bytes]:
        for word, kinds in self._words():
            near = _near(kinds.get(cover, []), word.begin, word.end)
            if not any(_holds(record, word) for record in near):
                text = b"ERROR: Word at %b doesn't belong to any %b object"
                yield word.found(text % (word.fields[3], cover))

    def _unmarked(self) -> Iterator[bytes]:
        for kinds in self._speakers():
            sentences = [(record.begin, record.end) for record in kinds.get(b"SU", [])]
            points = kinds.get(b"IP", [])
            last = sentences[-1] if sentences else (0.0, 0.0)
            if any(_is_equal(point.begin, last[1]) and not _is_in(last, point) for point in points):
                # here the original looks at an imaginary sentence, too
                sentences.append((0.0, 0.0))
            for number, sentence in enumerate(sentences):
                follows = sentences[number + 1][0] if number + 1 < len(sentences) else None
                yield from _unmarked_in(sentence, follows, kinds)


class _Mark:
    """An EDIT, FILLER or IP (interruption point), and the time of its counterpart.

    The counterpart of an EDIT or a FILLER is an IP; that of an IP is an EDIT or a FILLER.
    """

    def __init__(self, record: _Record, time: float) -> None:
        self.record = record
        self.time = time
        self.subtype = record.fields[6].upper()
        self.is_matched = False


def _unmarked_in(
    sentence: tuple[float, float], follows: float | None, kinds: Mapping[bytes, list[_Record]]
) -> Iterator[bytes]:
    """Yield a finding for each EDIT, FILLER and IP in a sentence that lacks its counterpart.

    `follows` is the start of the next sentence, None after the last one.
    """
    begin, end = sentence

    def inside(kind: bytes) -> list[_Record]:
        near = _near(kinds.get(kind, []), begin, end)
        return [
            record
            for record in near
            if record.begin > begin - SLACK and _is_at_most(record.end, end)
        ]

    edits = [_Mark(record, record.end) for record in inside(b"EDIT")]
    fillers = [_Mark(record, record.begin) for record in inside(b"FILLER")]
    points: list[_Mark] = []
    for point in _near(kinds.get(b"IP", []), begin, end):
        is_between = follows is not None and _is_equal(point.begin, end) and _is_equal(end, follows)
        if _is_in(sentence, point) or (is_between and b"filler" not in point.fields[6].lower()):
            points.append(_Mark(point, point.begin))
    for edit in edits:
        mark = _free(points, edit.time)
        if mark is not None and mark.subtype == b"EDIT":
            edit.is_matched = mark.is_matched = True
        elif mark is not None and mark.subtype == b"EDIT&FILLER":
            while (filler := _free(fillers, edit.time)) is not None:
                edit.is_matched = mark.is_matched = filler.is_matched = True
    for filler in fillers:
        mark = _free(points, filler.time)
        if mark is not None and mark.subtype == b"FILLER":
            filler.is_matched = mark.is_matched = True
    for marks, matching, where in (
        (edits, b"IP", b"line"),
        (fillers, b"IP", b"line"),
        (points, b"EDIT and/or FILLER", b"line line"),
    ):
        for mark in marks:
            if not mark.is_matched:
                fields = mark.record.fields
                text = b"ERROR: %b at %b doesn't have a matching %b"
                text %= fields[0].upper() if marks is not points else b"IP", fields[3], matching
                yield mark.record.found(text, where)


def _near(records: Sequence[_Record], begin: float, end: float) -> Iterator[_Record]:
    """Yield records that may intersect an interval; `records` are sorted and do not overlap."""
    first = bisect_left(records, begin - 3 * SLACK, key=attrgetter("begin"))
    for index in range(max(0, first - 1), len(records)):
        if records[index].begin > end + 3 * SLACK:
            return
        yield records[index]


def _is_equal(first: float, second: float) -> bool:
    return abs(first - second) < SLACK


def _is_at_most(first: float, second: float) -> bool:
    return first + SLACK < second or _is_equal(first, second)


def _is_in(sentence: tuple[float, float], point: _Record) -> bool:
    begin, end = sentence
    is_inside = point.begin > begin + SLACK and point.begin + SLACK < end
    return is_inside or _is_equal(point.begin, begin)


def _holds(outer: _Record, inner: _Record) -> bool:
    return inner.begin + SLACK >= outer.begin and inner.end - SLACK <= outer.end


def _is_cut(record: _Record, others: Sequence[_Record]) -> bool:
    """Return True if any of `others` overlaps a record without containing it."""
    for zone in _near(others, record.begin, record.end):
        is_beside = _is_at_most(record.end, zone.begin) or _is_at_most(zone.end, record.begin)
        is_inside = _is_at_most(zone.begin, record.begin) and _is_at_most(record.end, zone.end)
        if not is_beside and not is_inside:
            return True
    return False


def _free(marks: Sequence[_Mark], time: float) -> _Mark | None:
    """Return the first mark at `time` that has no counterpart yet, or None."""
    return next((m for m in marks if _is_equal(m.time, time) and not m.is_matched), None)

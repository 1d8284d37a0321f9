"""sclite's reader of stm files, with one segment of a recording per line."""

from __future__ import annotations

import re
from array import array

from scoring.alignment.numbered import NumberedSide
from scoring.model.aliases import Say
from scoring.model.errors import InputError
from scoring.nist.transcripts.characters import Characters, byte_text
from scoring.nist.transcripts.input_files import (
    Oddity,
    TranscriptFile,
    first_refusal,
    line_at,
    read_file,
    remark,
    same_line,
    single_mark_warning,
    warn_of_odd_bytes,
)
from scoring.nist.transcripts.lexicon import Lexicon, Spans, number

FIELDS = re.compile(rb"[ \t]*([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t]+)")
LABELS = re.compile(rb"[ \t]+(<[^ \t]*)")
# The fields before the text and what is looked at to find where it begins.
FIRST_FIELDS = re.compile(
    rb"[ \t]*(?:[^ \t]+[ \t]+){0,5}(?:<[^ \t]*(?:[ \t]+.)?|[^ \t]*)", re.DOTALL
)
IGNORED = (b"IGNORE_TIME_SEGMENT_IN_SCORING", b"IGNORETIMESEGMENTINSCORING")
# What both have in common, without a letter that has another small letter anywhere.
PART_OF_IGNORED = re.compile(rb"GNORE_?T", re.IGNORECASE)
SHOWN = 10


def is_zero(field: bytes) -> bool:
    """Return True if a field consists only of zeros, signs and points."""
    return not field.strip(b"+-0.")


class StmFile:
    """The segments of an stm file, in file order."""

    def __init__(
        self,
        source: TranscriptFile,
        characters: Characters,
        warn: Say,
        *,
        terminated_only: bool = False,
    ) -> None:
        self.name = source.name
        self.raw = read_file(source, "reference")  # the bytes of the file as they are
        warn_of_odd_bytes(self.name, self.raw, warn)
        self._warn = warn
        self._characters = characters
        refusal = first_refusal(
            self.raw, characters, self._looks, lengths_only=characters.case_sensitive
        )
        readable = self.raw if refusal is None else self.raw[: refusal.line]
        self._folded = characters.fold(readable)
        self._shape = characters.shape(self._folded)
        self.files: list[str] = []  # folded byte text, one per segment
        self.channels: list[str] = []
        self.speakers: list[str] = []
        self.labels: list[str | None] = []  # the field in angle brackets, or None
        self.begins = array("f")  # seconds, rounded to single precision as the original does
        self.ends = array("f")
        self._text_begins = array("q")
        self._text_ends = array("q")
        self._said: set[str] = set()
        self._read_lines(terminated_only)
        if refusal is not None:
            raise refusal.error
        # Whether the text says that the segment is not to be scored
        self.ignored = [False] * len(self)
        if PART_OF_IGNORED.search(self._folded):
            marks = list(map(characters.lower, IGNORED))
            spans = zip(self._text_begins, self._text_ends, strict=True)
            texts = [characters.lower(self._folded[begin:end]) for begin, end in spans]
            self.ignored = [any(mark in text for mark in marks) for text in texts]
        names = list(zip(self.files, self.channels, strict=True))
        starts = [
            number
            for number in range(len(names))
            if number == 0 or names[number] != names[number - 1]
        ]
        # Where each stretch of equal file and channel begins, and the number of segments at the end
        self.runs = [*starts, len(names)]

    def __len__(self) -> int:
        return len(self.files)

    def _looks(self, line: bytes, offset: int) -> bool:
        """Return True if sclite examines the byte at `offset` of a line when it reads the file."""
        if line.startswith((b";;", b"**")):
            return False
        if not self._characters.case_sensitive:
            return True
        first_fields = FIRST_FIELDS.match(self._characters.shape(line))
        return first_fields is not None and offset < first_fields.end()

    def _read_lines(self, terminated_only: bool) -> None:
        data = self._folded
        if terminated_only and not data.endswith(b"\n"):
            data = data[: data.rfind(b"\n") + 1]
            if data != self._folded:
                problem = "the last line does not end in a newline and is not read"
                self._warn(remark(self.name, problem, line_at(self._folded, len(self._folded)), 1))
        position, size = 0, len(data)
        while position < size:
            begin, end = position, data.find(b"\n", position)
            end = size if end < 0 else end
            position = end + 1
            nul = data.find(b"\0", begin, end)
            end = end if nul < 0 else nul
            if not data[begin:end].strip() or data.startswith((b";;", b"**"), begin, end):
                if position > size and data[begin:end].strip():
                    problem = "found a comment without line feed, which sclite reads as a segment"
                    self._warn(remark(self.name, problem, line_at(data, begin), 1))
                continue
            mark = data[begin : begin + 1]
            if mark in (b";", b"*"):
                self._warn(single_mark_warning(same_line(data, begin, self.raw)))
            self._read_segment(begin, end)

    def _read_segment(self, begin: int, end: int) -> None:
        data, shape = self._folded, self._shape
        match = FIELDS.match(shape, begin, end)
        if match is None:
            count = len(re.findall(rb"[^ \t]+", shape[begin:end]))
            raise InputError(
                self.name,
                line_at(data, begin),
                end - begin + 1,
                "expected at least five fields (file, channel, speaker, begin, end), "
                f"found {count}",
            )
        file, channel, speaker, first, last = (
            data[match.start(field) : match.end(field)] for field in range(1, 6)
        )
        self._warn_of_times(begin, number(first), first, number(last), last)
        self.files.append(byte_text(file))
        self.channels.append(byte_text(channel))
        self.speakers.append(byte_text(speaker))
        self.begins.append(number(first))
        self.ends.append(number(last))
        text = match.end()
        labels = LABELS.match(shape, text, end)
        if labels is None:
            self.labels.append(None)
        else:
            text = labels.end()
            self.labels.append(byte_text(data[labels.start(1) : text]))
        self._text_begins.append(text)
        self._text_ends.append(end)

    def _warn_of_times(
        self, offset: int, begin: float, first: bytes, end: float, last: bytes
    ) -> None:
        """Warn about irregular times that sclite accepts silently; warn once per kind."""
        problem, kind = None, str
        if (not begin and not is_zero(first)) or (not end and not is_zero(last)):
            problem = "expected begin and end in seconds, found something else, which counts as 0; "
            problem += "not an stm? Name its format after it"
        elif begin < 0 or end < begin:
            problem = "expected an end after the begin, none of them negative; scored all the same"
            kind = Oddity
        if problem is not None and problem not in self._said:
            self._said.add(problem)
            self._warn(kind(remark(self.name, problem, line_at(self._folded, offset))))

    def warn_of_doubtful_labels(self, defined: set[str]) -> None:
        """Warn about labels that may be words: they are not defined, and not every line has one."""
        if None not in self.labels:
            return
        lower = self._characters.lower_text
        names = set(map(lower, defined))
        doubtful = [
            labels
            for labels in self.labels
            if labels is not None and not names.intersection(lower(labels[1:-1]).split(","))
        ]
        if doubtful:
            listed = ", ".join(sorted(set(doubtful))[:SHOWN])
            problem = (
                f"{len(doubtful)} texts begin with a word in angle brackets that counts as "
                f"labels and is not scored: {listed}"
            )
            self._warn(remark(self.name, problem))

    @property
    def texts(self) -> Spans:
        """The texts of all segments."""
        return Spans(self.name, self._folded, self._shape, self._text_begins, self._text_ends)

    def words(self, lexicon: Lexicon, segments: list[int]) -> NumberedSide:
        """Return the words of the given segments, in the given order."""
        return self.texts.chosen(segments).words(lexicon, self._warn)

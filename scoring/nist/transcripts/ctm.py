"""sclite's reader of ctm files, with one timed word per line.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from array import array
from itertools import islice
from operator import add

from formats.schema import NamedTuple
from scoring.model.errors import InputError, OriginalError, ScoringError
from scoring.nist.transcripts.characters import Characters, byte_text
from scoring.nist.transcripts.input_files import (
    Oddity,
    Refusal,
    TranscriptFile,
    first_refusal,
    line_at,
    read_file,
    remark,
    warn_of_odd_bytes,
    whole_line,
)
from scoring.nist.transcripts.lexicon import Lexicon, scan_ctm

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterator, Sequence
    from typing import NoReturn

    from scoring.alignment.numbered import Branch, NumberedItem
    from scoring.model.aliases import Say


# What a word is to an alternation.
WORD, BEGIN, SEPARATOR, END, OTHER_MARK = range(5)
MARKS = {b"<ALT_BEGIN>": BEGIN, b"<ALT>": SEPARATOR, b"<ALT_END>": END}
# The original makes room for words ahead, and for more of them while that does not suffice.
FIRST_ROOM = 5000
ROOM_GROWTH = 1.3
SHOWN = 10
CRLF = b"\r\n"
ODDITIES = (
    "a field of more than 500 bytes is cut",
    "expected begin and duration in seconds, found something else, which counts as 0; not a ctm? "
    "Name its format after it",
    "found a negative begin or duration",
    "found a word that begins before the word before it; words are {used} in file order",
)
# A field cut and a time lost are losses; words keep a negative time and their order.
KINDS = (str, str, Oddity, Oddity)


def _before_word(line: bytes) -> re.Match[bytes] | None:
    """Match the fields of a line that precede its word."""
    import re  # few files need it

    return re.match(rb"[ \t]*[^ \t]+(?:[ \t]+[^ \t]+){3}[ \t]+", line)


def warn_of_lines(name: str, text: bytes, offsets: Sequence[int], used: str, warn: Say) -> None:
    """Warn about irregular lines that sclite accepts silently, once per kind."""
    for offset, problem, kind in zip(offsets, ODDITIES, KINDS, strict=True):
        if offset >= 0:
            warn(kind(remark(name, problem.format(used=used), line_at(text, offset))))
    index = text.find(CRLF) if b"\r" in text else -1  # one byte is found faster
    if index >= 0:
        problem = (
            "found a carriage return, which becomes part of the last field "
            f"({text.count(CRLF)} in the file)"
        )
        warn(remark(name, problem, line_at(text, index)))


class ChannelRun(NamedTuple):
    """A run of words with the same file and channel: from `begin` to `end` (exclusive)."""

    file: str
    channel: str
    begin: int
    end: int


class Load(NamedTuple):
    """The range of words that sclite has in memory while it scores a recording."""

    begin: int
    end: int


class CtmFile:
    """The words of a ctm file, in file order."""

    def __init__(
        self,
        source: TranscriptFile,
        kind: str,
        characters: Characters,
        lexicon: Lexicon,
        warn: Say,
        *,
        keep_refusal: bool = False,
        by_diff: bool = False,
    ) -> None:
        self.name = source.name
        self._by_diff = by_diff
        self.raw = read_file(source, kind)
        self._warn = warn
        self._lexicon = lexicon
        warn_of_odd_bytes(self.name, self.raw, warn)
        self._characters = characters
        refusal = self._first_refusal()
        folded = characters.fold(self.raw if refusal is None else self.raw[: refusal.line])
        begins, durations, confidences, types, run_begins, files, channels, *offsets = scan_ctm(
            folded, characters.shape(folded), lexicon.table
        )
        # each column is let go once it is copied: those of a large file are larger than the file
        self.begins = array("d", begins)  # double seconds per word; a finish is begin plus duration
        del begins
        self.durations = array("d", durations)
        del durations
        # double, rounded to single precision, 0.0 where absent
        self.confidences = array("d", confidences)
        del confidences
        # int32: the number of each word in the lexicon; null words may be appended after `size`
        self.types = array("i", types)
        del types
        self._first_confidence, empty_line, short_line = offsets[:3]
        # What the original complains of where reading ends; None if all of the file was read
        self.refusal = self._refusal(folded, empty_line, short_line)
        if self.refusal is None and refusal is not None:
            self.refusal = refusal.error
        if self.refusal is None:
            warn_of_lines(self.name, folded, offsets[3:], "scored", warn)
        elif not keep_refusal:
            self.refuse()
        # Whether no word begins before the word before it in its run
        self.in_order = offsets[-1] < 0
        self.size = len(self.types)  # number of words in the file
        # Positions of words that malformed alternations have swallowed so far
        self.lost: list[int] = []
        self.finishes = array("d", map(add, self.begins, self.durations))
        run_ends = [*run_begins[1:], self.size] if run_begins else []
        # Stretches of equal file and channel
        self.runs = [
            ChannelRun(byte_text(file), byte_text(channel), begin, end)
            for file, channel, begin, end in zip(files, channels, run_begins, run_ends, strict=True)
        ]
        self.marks, self.inside = self._find_alternations()
        self._loads = list(self._find_loads())

    def _first_refusal(self) -> Refusal | None:
        characters = self._characters
        sensitive = characters.case_sensitive
        found = first_refusal(
            self.raw,
            characters,
            lambda line, _: not line.startswith(b";"),
            lengths_only=sensitive,
            quotes_newline=not sensitive,
        )
        if not sensitive:
            return found
        before = self.raw if found is None else self.raw[: found.line]

        def is_in_word(line: bytes, offset: int) -> bool:
            shape = characters.shape(line)
            fields = None if line.startswith(b";") else _before_word(shape)
            if fields is None or offset < fields.end():
                return False
            return not set(b" \t").intersection(shape[fields.end() : offset])

        return first_refusal(before, characters, is_in_word) or found

    def refuse(self) -> NoReturn:
        """Raise the error of the first rejected line."""
        assert self.refusal is not None
        if isinstance(self.refusal, EmptyLineError):
            line = self.refusal.line
            if self._by_diff:
                self.refusal = EmptyLineError(self.name, line, "hyp")
            self._warn(remark(self.name, "expected a word, found an empty line", line, 1))
        raise self.refusal

    @property
    def load_of_refusal(self) -> int:
        """How many times sclite has loaded words when it finds the rejected line."""
        whole = (number for number, load in enumerate(self._loads) if load.end == self.size)
        return next(whole, len(self._loads))

    def _refusal(self, folded: bytes, empty_line: int, short_line: int) -> ScoringError | None:
        if empty_line >= 0:
            return EmptyLineError(self.name, line_at(folded, empty_line))
        if short_line >= 0:
            text = whole_line(folded, short_line).removesuffix(b"\n")
            shape = self._characters.shape(text)
            fields = shape.split(b"\0")[0].replace(b"\t", b" ").split(b" ")
            count = len([field for field in fields if field])
            return InputError(
                self.name,
                line_at(folded, short_line),
                len(text) + 1,
                "expected at least five fields (file, channel, begin, duration, word), "
                f"found {count}",
            )
        return None

    def warn_of_lost_words(self) -> None:
        """Warn about words that are lost because of malformed alternations."""
        if self.lost:
            words = ", ".join(repr(self.word(position)) for position in self.lost[:SHOWN])
            problem = (
                f"{len(self.lost)} words are lost in alternations with an empty branch before "
                f"the last, or without <ALT_BEGIN>: {words}"
            )
            self._warn(remark(self.name, problem))

    def _find_alternations(self) -> tuple[bytes | bytearray, bytes | bytearray]:
        lower = self._characters.lower
        exact = {lower(mark): part for mark, part in MARKS.items()}
        tokens = self._lexicon.table.texts()
        marks_of = bytearray(len(tokens))  # of WORD
        for number, token in enumerate(tokens):
            if token[:1] == b"<" and token[:4].lower() == b"<alt":
                marks_of[number] = exact.get(lower(token), OTHER_MARK)
        if not any(marks_of):
            return bytes(self.size), bytes(self.size)
        marks = bytes(map(marks_of.__getitem__, self.types))
        inside = bytearray(self.size)
        open_one = False
        for position, mark in enumerate(marks):
            open_one = open_one or mark != WORD
            inside[position] = open_one
            if mark == END:
                open_one = False
        if open_one and self.refusal is None:
            self._warn(remark(self.name, "an alternation is not closed by <ALT_END>"))
        return marks, inside

    def _find_loads(self) -> Iterator[Load]:
        """Yield, for each recording, the words that sclite has in memory while it scores it.

        sclite stops reading when its table of words is full and holds a complete file. If the full
        table holds no complete file, it grows.
        """
        firsts = [
            run.begin
            for number, run in enumerate(self.runs)
            if number == 0 or self.runs[number - 1].file != run.file
        ]
        firsts.append(self.size)
        room = FIRST_ROOM
        file = 0
        while file < len(firsts) - 1:
            begin = firsts[file]
            while begin + room - 1 < self.size and begin + room - 1 <= firsts[file + 1]:
                room = int(room * ROOM_GROWTH)
            end = min(self.size, begin + room - 1)
            while file < len(firsts) - 1 and (firsts[file + 1] < end or end == self.size):
                yield Load(begin, end)
                file += 1

    def load_of(self, file_number: int) -> Load:
        """Return the words that sclite has in memory while it scores a recording."""
        return self._loads[file_number]

    def has_confidences(self, file_number: int) -> bool:
        """Return True if sclite has read a word with a confidence before it scores a recording."""
        return 0 <= self._first_confidence < self._loads[file_number].end

    def items(self, positions: range, ignored: Collection[int] = ()) -> tuple[Branch, bool]:
        """Return the words of a segment as items, and whether they include an alternation.

        As in sclite, an empty branch becomes a null word unless it is the last one, and the word
        after the mark that ended the branch is lost. Ignored words are dropped, except directly
        after the beginning of an alternation.
        """
        if not any(self.inside[positions.start : positions.stop]):
            kept = (
                positions
                if not ignored
                else [position for position in positions if position not in ignored]
            )
            return tuple(kept), False
        return _SegmentReader(self, positions, ignored).read(), True

    def word(self, position: int) -> str:
        """Return the word at a position as case-folded byte text."""
        return byte_text(self._lexicon.table.texts(self.types[position])[0])

    def place(self, _: int, position: int, word: str) -> tuple[str, int, int]:
        """Return the file, line and column of a word, in the form of `Side.place`."""
        data_lines = (
            (number, line)
            for number, line in enumerate(self.raw.split(b"\n"), 1)
            if not line.startswith(b";")
        )
        line, text = next(islice(data_lines, min(position, self.size - 1), None), (1, b""))
        shape = self._characters.shape(text)
        match = _before_word(shape)
        return self.name, line, 1 + (match.end() if match else 0)

    def null(self) -> int:
        """Append a null word at time 0; return its position."""
        self.types.append(self._lexicon.null)
        for column in (self.begins, self.durations, self.finishes, self.confidences):
            column.append(0.0)
        return len(self.types) - 1


class EmptyLineError(OriginalError):
    """Raised for an empty ctm line; sclite prints this error on standard output."""

    def __init__(self, path: str, line: int = 0, kind: str = "ctm") -> None:
        super().__init__("")
        self.line = line
        self.output = (
            f"; *ERR: Conversation is empty ''.\n; *Err: Error detected in {kind} file '{path}'\n"
        )


def refuse_as_met(reference: CtmFile, hypothesis: CtmFile) -> None:
    """Raise the error that sclite meets first, because it reads both files alternately."""
    refused = [file for file in (hypothesis, reference) if file.refusal is not None]
    if refused:
        min(refused, key=lambda file: file.load_of_refusal).refuse()


class _SegmentReader:
    """Reads the words of a segment; some of them are marks of alternations."""

    def __init__(self, file: CtmFile, positions: range, ignored: Collection[int]) -> None:
        self._file = file
        self._ignored = ignored
        self._positions = positions
        self._at = 0

    def _mark(self, ahead: int = 0) -> int:
        """Return the mark of the word `ahead` words after the current one; -1 after the end."""
        position = self._at + ahead
        return (
            self._file.marks[self._positions[position]] if position < len(self._positions) else -1
        )

    def read(self) -> Branch:
        items: list[NumberedItem] = []
        while self._at < len(self._positions):
            position = self._positions[self._at]
            if position in self._ignored:
                self._at += 1
            elif self._file.inside[position]:
                items.append(self._alternation())
            else:
                items.append(position)
                self._at += 1
        return tuple(items)

    def _alternation(self) -> tuple[Branch, ...]:
        while self._mark() == BEGIN:
            self._at += 1
        branches: list[Branch] = []
        while True:
            branches.append(self._branch())
            if not (self._mark() == SEPARATOR and self._mark(1) == END) and self._mark() != END:
                if self._mark() == WORD:
                    self._file.lost.append(self._positions[self._at])
                self._at += 1
            if self._mark() in (END, -1):
                break
        self._at += 1
        return tuple(branches)

    def _branch(self) -> Branch:
        first = self._at
        while self._mark() == WORD:
            self._at += 1
        if self._at > first:
            return tuple(self._positions[first : self._at])
        self._at += 1
        return (self._file.null(),)

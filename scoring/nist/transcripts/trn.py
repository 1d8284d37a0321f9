"""sclite's reader of trn files, with one `text (identifier)` per line.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from itertools import accumulate, chain, islice, pairwise

from formats.schema import SequenceBase, cached_property
from scoring.alignment.numbered import int64_column, int64s
from scoring.model.errors import OriginalError
from scoring.nist.transcripts.characters import Characters, byte_text
from scoring.nist.transcripts.input_files import (
    TranscriptFile,
    defines,
    first_refusal,
    line_at,
    read_file,
    remark,
    single_mark_warning,
    warn_of_odd_bytes,
    whole_line,
)
from scoring.nist.transcripts.lexicon import Spans, TokenTable, scan_trn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import overload

    from scoring.alignment.numbered import NumberColumn, NumberedSide
    from scoring.model.aliases import Say
    from scoring.nist.transcripts.lexicon import Lexicon

SPEAKER_KINDS = {"rm": "RM", "swb": "SWB", "spu_id": "SPU_ID"}
BLOCK = 10_000
"""The number of identifiers that are joined, decoded or numbered together."""


class ByteTexts(SequenceBase[str]):
    """Texts of bytes in one block of memory, which is much smaller than separate objects."""

    __slots__ = ("_block", "_ends")

    def __init__(self, block: bytes, ends: NumberColumn) -> None:
        self._block = block
        self._ends = ends

    def __len__(self) -> int:
        return len(self._ends) - 1

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> str: ...
        @overload
        def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[at] for at in range(len(self))[index]]
        at = range(len(self))[index]
        return byte_text(self._block[self._ends[at] : self._ends[at + 1]])

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[list[str]]:
        """Yield the texts in blocks, whose memory is short."""
        for at in range(0, len(self), BLOCK):
            ends = self._ends[at : at + BLOCK + 1].tolist()
            first = ends[0]
            text = byte_text(self._block[first : ends[-1]])
            places = [end - first for end in ends]
            yield [text[begin:end] for begin, end in pairwise(places)]


class TrnFile:
    """The data lines of a trn file.

    A last line without a line end is skipped with a warning.
    """

    def __init__(
        self, source: TranscriptFile, kind: str, characters: Characters, warn: Say
    ) -> None:
        self.name = source.name
        # The bytes of the file as they are; none once they are forgotten
        self.raw = read_file(source, kind)
        self._warn = warn
        self._characters = characters
        refusal = first_refusal(
            self.raw, characters, self._looks, lengths_only=characters.case_sensitive
        )
        readable = self.raw if refusal is None else self.raw[: refusal.line]
        folded = characters.fold(readable)
        begins, ends, first, last, marked, unparsable, unterminated = scan_trn(folded)
        self._marked = marked if characters.keeps_lengths else scan_trn(readable)[4]
        self.warn_of_single_marks()
        if unparsable >= 0:
            line = byte_text(whole_line(folded, unparsable))
            raise OriginalError(f"Error: Unparsable utterance id {line}\n")
        if refusal is not None:
            raise refusal.error
        warn_of_odd_bytes(self.name, self.raw, warn)
        if unterminated >= 0:
            problem = "the last line does not end in a newline and is not read"
            warn(remark(self.name, problem, line_at(folded, unterminated), 1))
        if folded == self.raw:
            folded = self.raw  # of two equal copies of a large file one is enough
        shape = characters.shape(folded)
        self.texts = Spans(self.name, folded, shape, int64s(begins), int64s(ends))
        self._identifier_spans = int64s(first), int64s(last)
        if characters.first_bad(self.texts.data) is not None:
            for identifier in self.each_identifier():
                bad = characters.first_bad(identifier, lengths_only=True)
                if bad is not None:
                    raise OriginalError(bad.text(identifier))

    def _looks(self, line: bytes, offset: int) -> bool:
        """Return True if sclite examines the byte at `offset` of a line when it reads the file."""
        if line.startswith(b"**") or not line.endswith(b"\n"):
            return False
        if line.startswith(b";;"):
            return defines(line, offset)
        # where case matters, no more than the search for the first word
        return not self._characters.case_sensitive or not line[:offset].strip()

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def identifiers(self) -> ByteTexts:
        """The case-folded identifiers with their parentheses; empty if a line has none."""
        begins, ends = self._identifier_spans
        lengths = accumulate(map(int.__sub__, ends, begins), initial=0)
        each = self.each_identifier()
        # in blocks: one join of all identifiers would hold an object for each of them
        blocks = (b"".join(islice(each, BLOCK)) for _ in range(0, len(self), BLOCK))
        return ByteTexts(b"".join(blocks), int64_column(lengths, len(self) + 1))

    def each_identifier(self) -> Iterator[bytes]:
        """Iterate over the identifiers as bytes."""
        data = self.texts.data
        return (data[begin:end] for begin, end in zip(*self._identifier_spans, strict=True))

    def numbered_identifiers(self, table: TokenTable) -> Sequence[int] | None:
        """Return the number of each identifier in a table; None if any is empty or has blanks."""
        data = self.texts.data
        blocks: list[bytes] = []
        for at in range(0, len(self), BLOCK):
            begins, ends = (column[at : at + BLOCK] for column in self._identifier_spans)
            numbers, offsets, braced = table.tokenize(data, data, bytes(begins), bytes(ends))
            if int64s(offsets).tolist() != [*range(len(begins) + 1)] or 1 in braced:
                return None
            blocks.append(numbers)
        return memoryview(b"".join(blocks)).cast("i")

    def warn_of_single_marks(self) -> None:
        """Warn about lines that begin with a single `;` or `*`, as sclite does at each reading."""
        for offset in self._marked:
            self._warn(single_mark_warning(whole_line(self.raw, offset)))

    @property
    def has_asides(self) -> bool:
        """True if the file may have label definitions, or lines that begin with a single mark."""
        return bool(self._marked) or b";" in self.raw

    def forget_raw(self) -> None:
        """Free the raw bytes.

        They are needed only for texts without case folding, and for warnings.
        """
        self.raw = b""

    def forget(self) -> None:
        """Free everything except the identifiers, if these have been used."""
        self.forget_raw()
        self.texts = Spans(self.name, b"", b"", int64s(b""), int64s(b""))

    def raw_text(self, utterance: int) -> str:
        """Return an utterance's text as in the file, without case folding."""
        return self.raw_texts().text(utterance)

    def raw_texts(self) -> Spans:
        """Return the texts as in the file, without case folding."""
        raw, begins, ends = self.raw, self.texts.begins, self.texts.ends
        if not self._characters.keeps_lengths:
            columns = scan_trn(raw)
            begins, ends = int64s(columns[0]), int64s(columns[1])
        return Spans(self.name, raw, self._characters.shape(raw), begins, ends)

    def words(
        self, lexicon: Lexicon, utterances: Sequence[int] | None = None, *, folded: bool = True
    ) -> NumberedSide:
        """Return the words of the given utterances (default: all), in the given order."""
        texts = self.texts if folded else self.raw_texts()
        if utterances is not None:
            texts = texts.chosen(utterances)
        return texts.words(lexicon, self._warn)


def speaker_of(identifier: str, kind: str) -> str | None:
    """Return the speaker in an utterance identifier, None if the identifier has no speaker.

    >>> speaker_of("(ab_c-9)", "spu_id"), speaker_of("(4t0c0201)", "wsj"), speaker_of("(x)", "sp")
    ('ab_c', '4t0', '(x)')
    """
    if kind == "sp":
        return identifier
    if kind == "wsj":
        return identifier[1:4] if identifier else None
    end = identifier.find("-")
    if end < 0:
        end = identifier.find("_")
    return identifier[1:end] if end >= 0 else None

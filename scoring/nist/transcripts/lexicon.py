"""The distinct words of a run with their numbers and marks, and texts as spans of a file's bytes.

The functions that convert text files to columns are compiled, or in plain Python.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.alignment import load_core
from scoring.alignment.numbered import NULL, NumberedSide, WordType, int64_column, int64s, word_type
from scoring.model.errors import InputError, OriginalError
from scoring.nist.transcripts.characters import Characters, byte_text, to_bytes
from scoring.nist.transcripts.input_files import line_at, remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.alignment.numbered import NumberColumn
    from scoring.model.aliases import Say
    from scoring.nist.transcripts.plain import TokenTable as TokenTable
    from scoring.nist.transcripts.plain import number as number
    from scoring.nist.transcripts.plain import scan_ctm as scan_ctm
    from scoring.nist.transcripts.plain import scan_trn as scan_trn
else:
    _chosen = load_core()
    if _chosen is None:
        from scoring.nist.transcripts import plain as _chosen
    TokenTable = _chosen.TokenTable
    scan_trn = _chosen.scan_trn
    scan_ctm = _chosen.scan_ctm
    number = _chosen.number

UNTAGGED = (None, None)


class Lexicon:
    """Numbers for the tokens of both sides; the marks of each distinct token are parsed once."""

    def __init__(
        self,
        *,
        optional_deletable: bool = False,  # options `-D` and `-F`
        fragments_correct: bool = False,
        characters: Characters | None = None,  # the encoding of the tokens; None: single bytes
    ) -> None:
        self.table = TokenTable()
        self.optional_deletable = optional_deletable
        self.fragments_correct = fragments_correct
        self.characters = Characters() if characters is None else characters
        self._types: list[WordType] = []
        self._made: dict[WordType, int] = {}
        self._meanings: dict[int, WordType] = {}

    def intern(self, token: str) -> int:
        """Return the number of a token of byte text."""
        return self.table.intern(to_bytes(token))

    def made(self, word: WordType) -> int:
        """Return the number of a word that is no token of a file, such as a piece of a word."""
        number = self._made.get(word)
        if number is None:
            # a NUL byte cannot be read from a file
            number = self._made[word] = self.intern(f"\0{len(self._made)}")
            self._meanings[number] = word
        return number

    @property
    def null(self) -> int:
        """The number of the null word."""
        return self.intern(NULL)

    def types(self) -> list[WordType]:
        """Return the word type of each numbered token."""
        if len(self._types) < len(self.table):
            size = len(self._types)
            self._types += [
                self._meanings.get(number) or self._meaning(token)
                for number, token in enumerate(self.table.texts(size), size)
            ]
        return self._types

    def _meaning(self, token: bytes) -> WordType:
        text = byte_text(token)
        if text.isalnum():  # no marks: most words
            return WordType(text, UNTAGGED, text, False, False, False)
        shape = byte_text(self.characters.shape(token)) if b";" in token else None
        return word_type(
            text,
            shape,
            optional_deletable=self.optional_deletable,
            fragments_correct=self.fragments_correct,
        )


class BadText(NamedTuple):
    """A text with an invalid character, and the error about it."""

    utterance: int  # its number
    error: OriginalError  # what sclite says when it comes to it
    is_cut: bool  # whether it could still be cut into words


def first_bad_text(characters: Characters, *sides: Spans) -> BadText | None:
    """Return the first text, in order of utterances, with an invalid character, or None.

    If case is ignored, nothing is checked here, and the result is None.
    """
    if not characters.case_sensitive:
        return None
    places = [texts.first_bad(characters) for texts in sides]
    return min(
        (place_of_side for place_of_side in places if place_of_side is not None),
        key=lambda bad: bad.utterance,
        default=None,
    )


class Spans:
    """Texts as spans of a file's bytes."""

    def __init__(
        self, name: str, data: bytes, shape: bytes, begins: NumberColumn, ends: NumberColumn
    ) -> None:
        self.name = name
        self.data = data
        self.shape = shape
        self.begins = begins
        self.ends = ends

    def __len__(self) -> int:
        return len(self.begins)

    def text(self, number: int) -> str:
        """Return one text as byte text, including its blanks."""
        return byte_text(self.data[self.begins[number] : self.ends[number]])

    def place(self, number: int, offset: int = 0) -> tuple[int, int]:
        """Return the line and the column, both from 1, of a byte of a text.

        `offset` is the byte's position in the text.
        """
        offset_of_line = self.begins[number] + offset
        return line_at(self.data, offset_of_line), offset_of_line - self.data.rfind(
            b"\n", 0, offset_of_line
        )

    def chosen(self, numbers: Sequence[int]) -> Spans:
        """Return the texts with these numbers, in this order."""
        begins, ends = self.begins, self.ends
        return Spans(
            self.name,
            self.data,
            self.shape,
            int64_column(map(begins.__getitem__, numbers), len(numbers)),
            int64_column(map(ends.__getitem__, numbers), len(numbers)),
        )

    def first_bad(self, characters: Characters) -> BadText | None:
        """Return the first text with invalid characters."""
        if characters.first_bad(self.data) is None:
            return None
        for number, (begin, end) in enumerate(zip(self.begins, self.ends, strict=True)):
            text = self.data[begin:end]
            uncut = characters.first_bad(text, lengths_only=True)
            bad = uncut or characters.first_bad(text)
            if bad is not None:
                return BadText(number, OriginalError(bad.text(text)), uncut is None)
        return None

    def words(self, lexicon: Lexicon, warn: Say) -> NumberedSide:
        """Return the words of all texts by utterance."""
        numbers, offsets, braced = lexicon.table.tokenize(
            self.data, self.shape, self.begins.tobytes(), self.ends.tobytes()
        )
        limits = int64s(offsets)
        types = memoryview(numbers).cast("i")
        side = NumberedSide(types, limits[:-1], limits[1:], place=self._place_of_word)
        brace = braced.find(1)
        while brace >= 0:
            self._read_alternations(brace, side, lexicon, warn)
            brace = braced.find(1, brace + 1)
        return side

    def _place_of_word(self, utterance: int, _: int, word: str) -> tuple[str, int, int]:
        index = max(0, self.text(utterance).find(word))
        return (self.name, *self.place(utterance, index))

    def _read_alternations(
        self, number: int, side: NumberedSide, lexicon: Lexicon, warn: Say
    ) -> None:
        from scoring.text.alternations import Alternations, MarkupError  # few texts have braces

        types, begins, ends = side.growing()

        def add(token: str) -> int:
            types.append(lexicon.intern(token))
            return len(types) - 1

        reader = Alternations(add)
        begin = len(types)
        try:
            shape = self.shape[self.begins[number] : self.ends[number]]
            side.graphs[number] = reader.read(self.text(number), byte_text(shape))
        except MarkupError as error:
            line, column = self.place(number, error.offset)
            raise InputError(self.name, line, column, error.problem) from None
        if reader.unclosed is not None:
            line, column = self.place(number, reader.unclosed)
            problem = "expected a closing brace, found none; the rest of the text is dropped"
            warn(remark(self.name, problem, line, column))
        begins[number], ends[number] = begin, len(types)

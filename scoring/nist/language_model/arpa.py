"""Reader of back-off models in ARPA format: n-grams with decimal log probabilities.

sclite reads binary models only; ARPA is our addition.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from scoring.model.aliases import Say
from scoring.model.errors import InputError
from scoring.nist.language_model.model import UNKNOWN, ModelError

LONGEST = 3
BITS_PER_DIGIT = math.log2(10.0)
# Rounded to four decimals, a probability of 1 with up to two back-off weights can come out above.
ROUNDING = 0.00025
# The toolkit writes -99 for context cues, which are not predicted, and less for zero.
LOWEST = -99.0
COUNT = re.compile(rb"ngram +([0-9]{1,9}) *= *([0-9]{1,9})")
UNKNOWN_WORDS = (b"<UNK>", b"<unk>")


class NgramEntry(NamedTuple):
    """The decimal logarithms of an n-gram's probability and of its back-off weight."""

    probability: float
    back_off: float


class ArpaModel:
    r"""A back-off model that is read from an ARPA file.

    Only n-grams of up to three words are kept, because the history is limited to two words. `<UNK>`
    and `<unk>` are the entries for words outside the model. A logarithm below -99 means probability
    0.

    >>> text = b"\\data\\\nngram 1=2\n\\1-grams:\n-0.3010 a\n-0.3010 b\n\\end\\\n"
    >>> model = ArpaModel("m.arpa", text)
    >>> round(model.bits((model.number(b"a"),), print), 3)
    1.0
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.order = 0
        self.words: dict[bytes, int] = {}
        self.entries: dict[tuple[int, ...], NgramEntry] = {}
        self._lines = _Lines(name, data)
        announced = self._read_counts()
        for length, count in enumerate(announced, 1):
            self._lines.expect(b"\\%d-grams:" % length)
            for _ in range(count):
                self._read_entry(self._lines.following().split(), length)
        self._lines.expect(b"\\end\\")
        del self._lines

    def number(self, word: bytes) -> int:
        """Return the number of a word, 0 if the word is not in the model."""
        return self.words.get(word, UNKNOWN)

    def bits(self, words: tuple[int, ...], say: Say) -> float:
        """Return the surprisal, in bits, of the last of `words`, given the words before it."""
        logarithm = self.logarithm(words)
        if logarithm > ROUNDING:
            raise ModelError(
                f"sclite: {self.name}: the model gives a probability of 10^{logarithm:.4f}\n"
            )
        return abs(min(logarithm, 0.0)) * BITS_PER_DIGIT

    def logarithm(self, words: tuple[int, ...]) -> float:
        """Return the decimal log probability of the last of `words`, given the words before it.

        The result is -inf if the model lacks the word.
        """
        entry = self.entries.get(words)
        if entry is not None:
            return entry.probability
        if len(words) == 1:
            return -math.inf
        history = self.entries.get(words[:-1])
        back_off = 0.0 if history is None else history.back_off
        return back_off + self.logarithm(words[1:])

    def _read_counts(self) -> list[int]:
        """Return the number of n-grams of each length."""
        lines = self._lines
        lines.skip_to(b"\\data\\")
        counts: list[int] = []
        while match := COUNT.fullmatch(lines.following()):
            if int(match[1]) != len(counts) + 1:
                raise lines.error(f"`ngram {len(counts) + 1}=…`")
            counts.append(int(match[2]))
        if not counts:
            raise lines.error("`ngram 1=…`")
        lines.back()
        self.order = len(counts)
        return counts

    def _read_entry(self, fields: list[bytes], length: int) -> None:
        lines = self._lines
        if not length + 1 <= len(fields) <= length + 2:
            raise lines.error(f"a logarithm, {length} words and at most one more logarithm")
        probability = lines.logarithm(fields[0])
        if probability > 0:
            raise lines.error("a logarithm of at most 0")
        back_off = lines.logarithm(fields[-1]) if len(fields) == length + 2 else 0.0
        words = fields[1 : length + 1]
        if length == 1 and words[0] not in self.words:
            unknown = words[0] in UNKNOWN_WORDS
            self.words[words[0]] = UNKNOWN if unknown else len(self.words) + 1
        if length > LONGEST:
            return
        try:
            numbers = tuple([self.words[word] for word in words])
        except KeyError:
            raise lines.error("words that are among the 1-grams") from None
        self.entries[numbers] = NgramEntry(
            probability if probability >= LOWEST else -math.inf, back_off
        )


class _Lines:
    """The non-blank lines of a text."""

    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        self._lines: Iterator[tuple[int, bytes]] = enumerate(data.split(b"\n"), 1)
        self._number = 0
        self._line = b""
        self._again = False

    def following(self) -> bytes:
        """Return the next line without blanks around it.

        Raise an error at the end of the file.
        """
        if self._again:
            self._again = False
            return self._line
        for number, line in self._lines:
            self._number, self._line = number, line.strip()
            if self._line:
                return self._line
        raise self.error("a line of an ARPA model", "the end of the file")

    def back(self) -> None:
        """Push back the last line, so that the next call returns it again."""
        self._again = True

    def skip_to(self, heading: bytes) -> None:
        """Skip all lines up to and including a heading."""
        while self.following() != heading:
            pass

    def expect(self, line: bytes) -> None:
        """Read a line; raise an error if it is not equal to `line`."""
        if self.following() != line:
            raise self.error(f"`{line.decode('ascii')}`")

    def logarithm(self, field: bytes) -> float:
        """Parse a number, which may be -inf."""
        try:
            value = float(field)
        except ValueError:
            value = math.nan
        if math.isnan(value) or value == math.inf:
            raise self.error("a decimal logarithm", repr(field.decode("latin-1")))
        return value

    def error(self, expected: str, found: str = "") -> InputError:
        """Return an error about the last line read."""
        found = found or repr(self._line.decode("latin-1"))
        return InputError(self._name, self._number, 1, f"expected {expected}, found {found}")

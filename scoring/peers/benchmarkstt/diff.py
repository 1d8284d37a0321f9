"""BenchmarkSTT's algorithms that find differences, and its dialects that write them, byte for byte.

========  ==================================================================================
name      result
========  ==================================================================================
``ansi``  text for terminals: deleted red, inserted green, after a line that explains them
``html``  ``<span class="delete">`` and ``<span class="insert">``, everything escaped
``json``  the result of ``list`` as JSON
``list``  a dictionary per word: ``type``, ``reference``, ``hypothesis``
``rst``   reStructuredText with the roles ``diffdelete`` and ``diffinsert``
``text``  combining characters: U+0338 strikes out deleted letters, U+0359 marks inserted ones
========  ==================================================================================

In ``ansi``, ``rst`` and ``text`` blanks appear as ``·`` and control characters as pictures.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, ClassVar, NamedTuple

from scoring.alignment.blocks import matching_blocks
from scoring.drawing.opcodes import DELETE, EQUAL, INSERT, REPLACE, TAGS, Opcode
from scoring.peers.benchmarkstt.factory import CoreFactory

BLANK = "·"
_DELETE_CHARACTER = 0x7F
_SIGNS = {
    **{code: chr(0x2400 + code) for code in range(0x20)},
    0x20: BLANK,
    _DELETE_CHARACTER: "\u2421",
    **{code: f"\\x{code:02x}" for code in range(_DELETE_CHARACTER + 1, 0xA0)},
}
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"})


def make_printable(text: str) -> str:
    r"""Blanks as `·`, control characters as the pictures Unicode has for them.

    >>> make_printable("a b\n\x1b\x85")
    'a·b␊␛\\x85'
    """
    return text.translate(_SIGNS)


class Change(NamedTuple):
    """A stretch as text: its tag (of `scoring.drawing.opcodes.TAGS`), and both sides."""

    tag: str
    reference: str
    hypothesis: str


class Dialect:
    """Base of dialects: text with marks; a replacement is a deletion, then an insertion."""

    name: ClassVar[str]
    deletion: ClassVar[str]
    insertion: ClassVar[str]
    color_key: str = ""

    def render(self, changes: Iterable[Change]) -> Any:
        """The changes as the result of the dialect."""
        pieces = [self.color_key]
        for tag, reference, hypothesis in changes:
            if tag == EQUAL:
                pieces.append(self.printable(reference))
            if tag in (DELETE, REPLACE):
                pieces.append(self.marked(self.printable(reference), self.deletion))
            if tag in (INSERT, REPLACE):
                pieces.append(self.marked(self.printable(hypothesis), self.insertion))
        return "".join(pieces)

    def printable(self, text: str) -> str:
        """Text as the dialect writes it: blanks and control characters as signs."""
        return make_printable(text)

    def marked(self, text: str, mark: str) -> str:
        """Text with the marks of a deletion or an insertion."""
        return mark.format(text)


class ANSIDiffDialect(Dialect):
    """Coloured text: red what is deleted, green what is inserted."""

    name = "ansi"
    deletion, insertion = "\x1b[31m{}\x1b[0m", "\x1b[32m{}\x1b[0m"

    def __init__(self, show_color_key: bool | None = None) -> None:
        if show_color_key is None or show_color_key:
            reference = self.deletion.format("Reference")
            hypothesis = self.insertion.format("Hypothesis")
            self.color_key = f"Color key: Unchanged {reference} {hypothesis}\n\n"


class RestructuredTextDialect(ANSIDiffDialect):
    """reStructuredText; the document has to define the roles `diffdelete` and `diffinsert`."""

    name = "rst"
    deletion, insertion = "\\ :diffdelete:`{}`\\ ", "\\ :diffinsert:`{}`\\ "

    def printable(self, text: str) -> str:
        """Blanks and control characters as signs; lines may break where a blank was."""
        text = make_printable(text).replace("`", "\\`")
        return text.replace(BLANK, f"\u200b{BLANK}\u200b")


class HTMLDiffDialect(Dialect):
    """HTML, for a page that styles the classes `delete` and `insert`."""

    name = "html"
    deletion, insertion = '<span class="delete">{}</span>', '<span class="insert">{}</span>'

    def printable(self, text: str) -> str:
        """Escaped text."""
        return text.translate(_HTML)


class UTF8Dialect(Dialect):
    """Combining characters after every letter that differs: struck out, or with a mark below."""

    name = "text"
    deletion, insertion = "\u0338", "\u0359"

    def marked(self, text: str, mark: str) -> str:
        """Text with the mark after every letter."""
        return "".join(letter + mark for letter in text)


class ListDialect(Dialect):
    """A dictionary per word."""

    name = "list"

    def render(self, changes: Iterable[Change]) -> Any:
        """A list of ordered dictionaries `type`, `reference`, `hypothesis`; None: no word."""
        rows = []
        for tag, reference, hypothesis in changes:
            old = [] if tag == INSERT else reference.split()
            new = old if tag == EQUAL else [] if tag == DELETE else hypothesis.split()
            for left, right in zip_longest(old, new):
                kind = INSERT if left is None else DELETE if right is None else tag
                rows.append(OrderedDict(type=kind, reference=left, hypothesis=right))
        return rows


class JSONDiffDialect(ListDialect):
    """The list as JSON."""

    name = "json"

    def render(self, changes: Iterable[Change]) -> str:
        """A JSON text, with escapes for everything outside ASCII."""
        return json.dumps(super().render(changes))


DIALECTS: dict[str, type[Dialect]] = {
    dialect.name: dialect
    for dialect in (
        ANSIDiffDialect,
        HTMLDiffDialect,
        JSONDiffDialect,
        ListDialect,
        RestructuredTextDialect,
        UTF8Dialect,
    )
}


class DiffFormatter:
    """Writes differences in a dialect.

    Parameters
    ----------
    dialect
        A name of `DIALECTS`; None: `text`. Other arguments are the dialect's.

    Raises
    ------
    ValueError
        `("Unknown diff dialect", name)`.

    Examples
    --------
    >>> DiffFormatter("html").diff("abc", "adc")
    'a<span class="delete">b</span><span class="insert">d</span>c'
    """

    diff_dialects: ClassVar[dict[str, type[Dialect]]] = DIALECTS

    def __init__(self, dialect: str | None = None, *args: Any, **kwargs: Any) -> None:
        name = UTF8Dialect.name if dialect is None else dialect
        if not self.has_dialect(name):
            raise ValueError("Unknown diff dialect", dialect)
        self._dialect: Dialect = self.diff_dialects[name](*args, **kwargs)

    @classmethod
    def has_dialect(cls, dialect: object) -> bool:
        """True if there is a dialect of that name."""
        return isinstance(dialect, str) and dialect in cls.diff_dialects

    def diff(
        self,
        a: Sequence[Any],
        b: Sequence[Any],
        opcodes: Iterable[tuple[str, int, int, int, int]] | None = None,
        preprocessor: Callable[[Any], str] | None = None,
    ) -> Any:
        """The differences of two sequences.

        Parameters
        ----------
        a, b
            Reference and hypothesis: texts, or sequences of items.
        opcodes
            The stretches; None: those of `difflib.SequenceMatcher(None, a, b)`, for which
            items that are frequent in long sequences are no anchors.
        preprocessor
            From a part of a sequence to its text; None: a text is itself, items are joined.
        """
        if opcodes is None:
            from difflib import SequenceMatcher

            opcodes = SequenceMatcher(None, a, b).get_opcodes()
        text = _text if preprocessor is None else preprocessor
        changes = []
        for tag, begin, end, first, last in opcodes:
            if tag not in TAGS:
                raise KeyError(tag)
            changes.append(Change(tag, text(a[begin:end]), text(b[first:last])))
        return self._dialect.render(changes)


def _text(part: Sequence[Any]) -> str:
    return part if isinstance(part, str) else "".join(f" {item}" for item in part)


def format_diff(
    a: Sequence[Any],
    b: Sequence[Any],
    opcodes: Iterable[tuple[str, int, int, int, int]] | None = None,
    dialect: str | None = None,
    preprocessor: Callable[[Any], str] | None = None,
) -> Any:
    r"""The differences of two sequences in a dialect (default `text`); see `DiffFormatter`.

    Examples
    --------
    >>> format_diff("The sun", "The son", dialect="ansi").partition("\n\n")[2]
    'The·s\x1b[31mu\x1b[0m\x1b[32mo\x1b[0mn'
    >>> format_diff(["a", "b"], ["a"], [("equal", 0, 1, 0, 1), ("delete", 1, 2, 1, 1)], "html")
    ' a<span class="delete"> b</span>'
    """
    return DiffFormatter(dialect).diff(a, b, opcodes, preprocessor)


class Differ(ABC):
    """Base of algorithms, created from two sequences."""

    @abstractmethod
    def __init__(self, a: Sequence[Any], b: Sequence[Any]) -> None:
        """Compare two sequences of items that can be hashed."""
        raise NotImplementedError

    @abstractmethod
    def get_opcodes(self) -> Sequence[tuple[str, int, int, int, int]]:
        """The edits from one to the other, as of `difflib.SequenceMatcher.get_opcodes`."""
        raise NotImplementedError


class RatcliffObershelp(Differ):
    """The matcher of Ratcliff and Obershelp: longest common stretch first, then beside it.

    It is not minimal: an alignment of least errors may have fewer. Frequent items are anchors, too.

    Examples
    --------
    >>> [opcode.tag for opcode in RatcliffObershelp("abc", "adc").get_opcodes()]
    ['equal', 'replace', 'equal']
    """

    def __init__(self, a: Sequence[Hashable], b: Sequence[Hashable]) -> None:
        self._sides = a, b

    def get_opcodes(self) -> list[Opcode]:
        """The stretches in which they are equal or differ.

        Raises
        ------
        ValueError
            If too many items are equal, see `scoring.alignment.blocks.MOST_PAIRS`.
        """
        reference, hypothesis = self._sides
        opcodes, row, column = [], 0, 0
        end = (len(reference), len(hypothesis), 0)
        for begin, first, size in [*matching_blocks(reference, hypothesis), end]:
            if row < begin or column < first:
                tag = REPLACE if row < begin and column < first else DELETE
                opcodes.append(Opcode(tag if row < begin else INSERT, row, begin, column, first))
            row, column = begin + size, first + size
            if size:
                opcodes.append(Opcode(EQUAL, begin, row, first, column))
        return opcodes


factory: CoreFactory[Differ] = CoreFactory(Differ)
factory.register(RatcliffObershelp)

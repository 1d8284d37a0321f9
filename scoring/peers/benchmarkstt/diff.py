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
from io import StringIO
from itertools import zip_longest
from typing import Any, ClassVar

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
    r"""Replace blanks by `·` and control characters by Unicode's pictures of them.

    >>> make_printable("a b\n\x1b\x85")
    'a·b␊␛\\x85'
    """
    return text.translate(_SIGNS)


class Dialect:
    """Base of dialects; a user's dialect may extend it.

    `delete_format`, `insert_format` and `equal_format` write a text: a format with `%s`, or a
    method that takes the text and writes to `stream` itself. `replace_format` takes the texts of
    both sides; None writes a deletion and then an insertion. `preprocessor` first changes every
    text; None leaves texts unchanged.

    Examples
    --------
    >>> class Brackets(Dialect):
    ...     delete_format = "[-%s-]"
    ...     insert_format = "{+%s+}"
    >>> DiffFormatter.diff_dialects["brackets"] = Brackets
    >>> DiffFormatter("brackets").diff("abc", "adc")
    'a[-b-]{+d+}c'
    >>> del DiffFormatter.diff_dialects["brackets"]
    """

    preprocessor: Any = None
    delete_format: Any = "%s"
    insert_format: Any = "%s"
    equal_format: Any = "%s"
    replace_format: Any = None

    def __init__(self) -> None:
        self._stream = StringIO()

    @property
    def stream(self) -> StringIO:
        """The stream to which the dialect writes."""
        return self._stream

    def __enter__(self) -> Any:
        """Begin the output for one comparison."""
        self._stream = StringIO()
        return self

    def __exit__(self, *error: object) -> None:
        """End the output for one comparison."""

    def output(self) -> Any:
        """Return the finished output."""
        return self._stream.getvalue()


def _write(dialect: Dialect, tag: str, *texts: str) -> None:
    """Write an edit with its texts in a dialect.

    `tag` is `equal`, `insert`, `delete` or `replace`.
    """
    form = getattr(dialect, f"{tag}_format")
    if form is None:
        _write(dialect, DELETE, texts[0])
        _write(dialect, INSERT, texts[1])
    elif isinstance(form, str):
        dialect.stream.write(form % texts)
    else:
        form(*texts)


class ANSIDiffDialect(Dialect):
    """Coloured text: deleted text is red, inserted text is green."""

    preprocessor = staticmethod(make_printable)
    delete_format, insert_format = "\x1b[31m%s\x1b[0m", "\x1b[32m%s\x1b[0m"

    def __init__(self, show_color_key: bool | None = None) -> None:
        super().__init__()
        self.show_color_key = show_color_key is None or bool(show_color_key)
        reference = self.delete_format % "Reference"
        hypothesis = self.insert_format % "Hypothesis"
        key = f"Color key: Unchanged {reference} {hypothesis}\n\n"
        self.color_key = key if self.show_color_key else ""

    def __enter__(self) -> Any:
        """Begin with a line that explains the colours."""
        super().__enter__()
        self.stream.write(self.color_key)
        return self


class RestructuredTextDialect(ANSIDiffDialect):
    """reStructuredText; the document has to define the roles `diffdelete` and `diffinsert`."""

    delete_format, insert_format = "\\ :diffdelete:`%s`\\ ", "\\ :diffinsert:`%s`\\ "

    @staticmethod
    def preprocessor(txt: str) -> str:
        """Replace blanks and control characters by visible signs; lines can break at blanks."""
        text = make_printable(txt).replace("`", "\\`")
        return text.replace(BLANK, f"\u200b{BLANK}\u200b")


class HTMLDiffDialect(Dialect):
    """HTML, for a page that styles the classes `delete` and `insert`."""

    delete_format = '<span class="delete">%s</span>'
    insert_format = '<span class="insert">%s</span>'

    @staticmethod
    def preprocessor(txt: str) -> str:
        """Return the text with HTML's special characters escaped."""
        return txt.translate(_HTML)


class UTF8Dialect(Dialect):
    """Combining characters: deleted letters are struck out, inserted letters have a mark below."""

    preprocessor = staticmethod(make_printable)

    def delete_format(self, txt: str) -> None:
        """Strike out every letter of a deleted text."""
        self.stream.writelines(f"{letter}\u0338" for letter in txt)

    def insert_format(self, txt: str) -> None:
        """Mark every letter of an inserted text with an asterisk below."""
        self.stream.writelines(f"{letter}\u0359" for letter in txt)


class ListDialect(Dialect):
    """A list with a dictionary per word: `type`, `reference`, `hypothesis` (None if missing)."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[OrderedDict[str, str | None]] = []

    @staticmethod
    def preprocessor(txt: str) -> str:
        """Return the text unchanged."""
        return txt

    def delete_format(self, txt: str) -> None:
        """Add an item for deleted words."""
        self._add(DELETE, txt.split(), [])

    def insert_format(self, txt: str) -> None:
        """Add an item for inserted words."""
        self._add(INSERT, [], txt.split())

    def equal_format(self, txt: str) -> None:
        """Add an item for each pair of equal words."""
        self._add(EQUAL, txt.split(), txt.split())

    def replace_format(self, a: str, b: str) -> None:
        """Add an item for each pair of words; a word without a partner is deleted or inserted."""
        self._add(REPLACE, a.split(), b.split())

    def _add(self, tag: str, old: list[str], new: list[str]) -> None:
        for left, right in zip_longest(old, new):
            kind = INSERT if left is None else DELETE if right is None else tag
            self._rows.append(OrderedDict(type=kind, reference=left, hypothesis=right))

    def __enter__(self) -> Any:
        """Begin a list."""
        self._rows = []
        return super().__enter__()

    def output(self) -> Any:
        """Return the list."""
        return self._rows


class JSONDiffDialect(ListDialect):
    """The list as JSON, with escapes for everything outside ASCII."""

    def output(self) -> str:
        """Return the JSON text."""
        return json.dumps(super().output())


DIALECTS: dict[str, type[Dialect]] = {
    "ansi": ANSIDiffDialect,
    "html": HTMLDiffDialect,
    "json": JSONDiffDialect,
    "list": ListDialect,
    "rst": RestructuredTextDialect,
    "text": UTF8Dialect,
}


class DiffFormatter:
    """Writes differences in a dialect.

    Parameters
    ----------
    dialect
        A name in `diff_dialects`; None means `text`. All other arguments are passed to the dialect.

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
        name = "text" if dialect is None else dialect
        if not self.has_dialect(name):
            raise ValueError("Unknown diff dialect", dialect)
        self._dialect: Dialect = self.diff_dialects[name](*args, **kwargs)

    @classmethod
    def has_dialect(cls, dialect: object) -> bool:
        """Return True if a dialect has this name."""
        return isinstance(dialect, str) and dialect in cls.diff_dialects

    def diff(
        self,
        a: Sequence[Any],
        b: Sequence[Any],
        opcodes: Iterable[tuple[str, int, int, int, int]] | None = None,
        preprocessor: Callable[[Any], str] | None = None,
    ) -> Any:
        """Return the differences of two sequences.

        Parameters
        ----------
        a, b
            Reference and hypothesis: texts, or sequences of items.
        opcodes
            The edits; None: those of `difflib.SequenceMatcher(None, a, b)`, which ignores items
            that are frequent in long sequences when it looks for matches.
        preprocessor
            A function from a part of a sequence to its text. None: texts are used as is, items are
            joined.
        """
        if opcodes is None:
            from difflib import SequenceMatcher

            opcodes = SequenceMatcher(None, a, b).get_opcodes()
        text = _text if preprocessor is None else preprocessor
        change = self._dialect.preprocessor or str
        with self._dialect:
            for tag, begin, end, first, last in opcodes:
                if tag not in TAGS:
                    raise KeyError(tag)
                reference = [] if tag == INSERT else [change(text(a[begin:end]))]
                hypothesis = [] if tag in (EQUAL, DELETE) else [change(text(b[first:last]))]
                _write(self._dialect, tag, *reference, *hypothesis)
        return self._dialect.output()


def _text(part: Sequence[Any]) -> str:
    return part if isinstance(part, str) else "".join(f" {item}" for item in part)


def format_diff(
    a: Sequence[Any],
    b: Sequence[Any],
    opcodes: Iterable[tuple[str, int, int, int, int]] | None = None,
    dialect: str | None = None,
    preprocessor: Callable[[Any], str] | None = None,
) -> Any:
    r"""Return the differences of two sequences in a dialect (default `text`); see `DiffFormatter`.

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
        """Return the edits from one text to the other, in the form of `difflib`'s `get_opcodes`."""
        raise NotImplementedError


class RatcliffObershelp(Differ):
    """The matcher of Ratcliff and Obershelp, which starts with the longest common run of items.

    The number of edits is not always minimal. Unlike in `difflib`, frequent items also count as
    matches. With keywords of `difflib.SequenceMatcher`, that class of Python computes the result.

    Examples
    --------
    >>> [opcode.tag for opcode in RatcliffObershelp("abc", "adc").get_opcodes()]
    ['equal', 'replace', 'equal']
    """

    def __init__(self, a: Sequence[Hashable], b: Sequence[Hashable], **kwargs: Any) -> None:
        self._sides = a, b
        self._rules = kwargs

    def get_opcodes(self) -> list[Opcode]:
        """Return the ranges of equal and of differing items, in order.

        Raises
        ------
        ValueError
            If too many items are equal, see `scoring.alignment.blocks.MOST_PAIRS`.
        """
        reference, hypothesis = self._sides
        if self._rules:
            from difflib import SequenceMatcher

            rules: dict[str, Any] = {"autojunk": False, **self._rules}
            matcher = SequenceMatcher(a=reference, b=hypothesis, **rules)
            return [Opcode(*opcode) for opcode in matcher.get_opcodes()]
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

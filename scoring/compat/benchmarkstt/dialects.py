"""The ways in which BenchmarkSTT writes differences down, byte for byte.

========  ==================================================================================
name      what it gives
========  ==================================================================================
``ansi``  text for terminals: deleted red, inserted green, after a line that explains them
``html``  ``<span class="delete">`` and ``<span class="insert">``, everything escaped
``json``  what ``list`` gives, as JSON
``list``  a dictionary per word: ``type``, ``reference``, ``hypothesis``
``rst``   reStructuredText with the roles ``diffdelete`` and ``diffinsert``
``text``  combining characters: U+0338 strikes out deleted letters, U+0359 marks inserted ones
========  ==================================================================================

In ``ansi``, ``rst`` and ``text`` blanks are shown as ``·`` and control characters as pictures.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, ClassVar, NamedTuple

from scoring.drawing.opcodes import DELETE, EQUAL, INSERT, REPLACE, TAGS

DEFAULT_DIALECT = "text"
STRUCK_OUT, MARKED = "\u0338", "\u0359"
_ZERO_WIDTH_SPACE = "\u200b"
BLANK = "·"
_FIRST_PICTURE, _DELETE, _DELETE_PICTURE, _LAST_CONTROL = 0x2400, 0x7F, "\u2421", 0x9F
_SIGNS = {
    **{code: chr(_FIRST_PICTURE + code) for code in range(0x20)},
    0x20: BLANK,
    _DELETE: _DELETE_PICTURE,
    **{code: f"\\x{code:02x}" for code in range(_DELETE + 1, _LAST_CONTROL + 1)},
}
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}


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
    """Base: how changes become a result."""

    name: ClassVar[str]

    def render(self, changes: Iterable[Change]) -> Any:
        """All of them."""
        raise NotImplementedError


class MarkedText(Dialect):
    """Text with marks around what differs; a replacement is a deletion, then an insertion."""

    deletion: ClassVar[str]
    insertion: ClassVar[str]
    color_key: str = ""

    def shown(self, text: str) -> str:
        """Text as the dialect writes it: blanks and control characters as signs."""
        return make_printable(text)

    def marked(self, text: str, mark: str) -> str:
        """Text with the marks of a deletion or an insertion."""
        return mark.format(text)

    def render(self, changes: Iterable[Change]) -> str:
        """One text."""
        return self.color_key + "".join(self._pieces(changes))

    def _pieces(self, changes: Iterable[Change]) -> Iterator[str]:
        for tag, reference, hypothesis in changes:
            if tag == EQUAL:
                yield self.shown(reference)
            if tag in (DELETE, REPLACE):
                yield self.marked(self.shown(reference), self.deletion)
            if tag in (INSERT, REPLACE):
                yield self.marked(self.shown(hypothesis), self.insertion)


class ANSIDiffDialect(MarkedText):
    """Coloured text: red what is deleted, green what is inserted."""

    name = "ansi"
    deletion, insertion = "\x1b[31m{}\x1b[0m", "\x1b[32m{}\x1b[0m"

    def __init__(self, show_color_key: bool | None = None) -> None:
        self.color_key = ""
        if show_color_key is None or show_color_key:
            reference = self.deletion.format("Reference")
            hypothesis = self.insertion.format("Hypothesis")
            self.color_key = f"Color key: Unchanged {reference} {hypothesis}\n\n"


class RestructuredTextDialect(ANSIDiffDialect):
    """reStructuredText; the document has to define the roles `diffdelete` and `diffinsert`."""

    name = "rst"
    deletion, insertion = "\\ :diffdelete:`{}`\\ ", "\\ :diffinsert:`{}`\\ "

    def shown(self, text: str) -> str:
        """Blanks and control characters as signs; where a blank was a line may be broken."""
        text = make_printable(text).replace("`", "\\`")
        return text.replace(BLANK, f"{_ZERO_WIDTH_SPACE}{BLANK}{_ZERO_WIDTH_SPACE}")


class HTMLDiffDialect(MarkedText):
    """HTML, for a page that styles the classes `delete` and `insert`."""

    name = "html"
    deletion, insertion = '<span class="delete">{}</span>', '<span class="insert">{}</span>'

    def shown(self, text: str) -> str:
        """Escaped."""
        return "".join(_HTML.get(letter, letter) for letter in text)


class UTF8Dialect(MarkedText):
    """Combining characters after every letter that differs: struck out, or with a mark below."""

    name = "text"
    deletion, insertion = STRUCK_OUT, MARKED

    def marked(self, text: str, mark: str) -> str:
        """Text with the mark after every letter."""
        return "".join(letter + mark for letter in text)


class ListDialect(Dialect):
    """A dictionary per word."""

    name = "list"

    def render(self, changes: Iterable[Change]) -> Any:
        """A list of ordered dictionaries `type`, `reference`, `hypothesis`; None: no word."""
        return [
            OrderedDict(zip(("type", "reference", "hypothesis"), word, strict=True))
            for change in changes
            for word in self._words(change)
        ]

    def _words(self, change: Change) -> Iterator[tuple[str, str | None, str | None]]:
        old, new = change.reference.split(), change.hypothesis.split()
        if change.tag == EQUAL:
            yield from ((EQUAL, word, word) for word in old)
            return
        old = [] if change.tag == INSERT else old
        new = [] if change.tag == DELETE else new
        for reference, hypothesis in zip_longest(old, new):
            if reference is None:
                yield INSERT, None, hypothesis
            elif hypothesis is None:
                yield DELETE, reference, None
            else:
                yield REPLACE, reference, hypothesis


class JSONDiffDialect(ListDialect):
    """The list as JSON."""

    name = "json"

    def render(self, changes: Iterable[Change]) -> str:
        """A JSON text, with escapes for everything outside ASCII."""
        import json

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
        name = DEFAULT_DIALECT if dialect is None else dialect
        if not self.has_dialect(name):
            raise ValueError("Unknown diff dialect", dialect)
        self._dialect: Dialect = self.diff_dialects[name](*args, **kwargs)

    @classmethod
    def has_dialect(cls, dialect: object) -> bool:
        """Whether there is a dialect of that name."""
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

        def changes() -> Iterator[Change]:
            for tag, begin, end, first, last in opcodes:
                if tag not in TAGS:
                    raise KeyError(tag)
                yield Change(tag, text(a[begin:end]), text(b[first:last]))

        return self._dialect.render(changes())


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

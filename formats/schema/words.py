"""The elements of a transcript: tokens, alternations, labels, definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import inf
from operator import attrgetter

from formats.schema.times import SECOND
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias, TypeVar

    _T = TypeVar("_T")

_TEXT = attrgetter("text")

Words: TypeAlias = tuple[str, ...]
"""The texts of the words of an utterance, in their order."""
Item: TypeAlias = "Token | Alternation"
"""A word with its details, or a choice between branches of items."""
Properties: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values of what a format knows besides words, times and names, as written."""

WILDCARD_KIND = "wildcard"
"""The kind of a token that stands for any words, in references."""

NONSPEECH_KINDS = frozenset({"non-lex", "misc", "noscore"})
"""Kinds of ctm records that are not words of speech."""


def seconds_or_none(value: int | None) -> float | None:
    """Convert nanoseconds to seconds as a float; `None` stays `None`."""
    return None if value is None else value / SECOND


def unless_empty(column: tuple[_T, ...], nothing: object = None) -> tuple[_T, ...] | None:
    """Return the column, or `None` if every value equals `nothing`."""
    if column and column[0] != nothing:  # most columns that are there
        return column
    return column if column.count(nothing) != len(column) else None


class Token(NamedFields, is_numerous=True, omit_defaults=True, tag="word"):
    """One word, as written.

    Attributes
    ----------
    text: the word without the markup of the format (`optional` replaces parentheses).
    start_ns, end_ns: nanoseconds from the start of the recording, or `None`.
    confidence: the recogniser's confidence, unchanged; usually, but not always, from 0 to 1.
    kind: the word type in the file (``lex``, ``frag``, ``fp``, …), or `None`.
    optional: true if omitting the word is not an error.
    display: the form with case and punctuation, if the source has one; `None` if it equals the
        word; empty if the form of an earlier word includes this word: ``twenty`` has the form
        ``2022``, and the words ``twenty`` ``two`` after it have empty forms.
    interpolated: true if the times were computed from the neighbours.
    """

    text: str
    start_ns: int | None = None
    end_ns: int | None = None
    confidence: float | None = None
    kind: str | None = None
    optional: bool = False
    display: str | None = None
    interpolated: bool = False

    def replace(self, **changes: Any) -> Token:
        """Return a copy with changed attributes, which have the constructor's names and units.

        >>> Token("a", 0, 10).replace(text="b")
        Token('b', start=0.0, end=1e-08)
        """
        return self._replace(**changes)

    @property
    def start(self) -> float | None:
        """The start in seconds from the beginning of the recording, or `None`."""
        return seconds_or_none(self.start_ns)

    @property
    def end(self) -> float | None:
        """The end in seconds from the beginning of the recording, or `None`."""
        return seconds_or_none(self.end_ns)

    @property
    def is_fragment(self) -> bool:
        """True if the word was broken off: its kind is ``frag``, or it has a hyphen at an end."""
        text = self.text
        hyphen = len(text) > 1 and (text[0] == "-" or text[-1] == "-")
        return hyphen or self.kind == "frag"

    def __repr__(self) -> str:
        parts = [repr(self.text)]
        if self.start_ns is not None:
            parts.append(f"start={self.start}")
        if self.end_ns is not None:
            parts.append(f"end={self.end}")
        if self.confidence is not None:
            parts.append(f"confidence={self.confidence}")
        if self.kind is not None:
            parts.append(f"kind={self.kind!r}")
        if self.optional:
            parts.append("optional=True")
        if self.display is not None:
            parts.append(f"display={self.display!r}")
        if self.interpolated:
            parts.append("interpolated=True")
        return f"Token({', '.join(parts)})"


@lru_cache(1 << 14)
def plain_token(text: str) -> Token:
    """Return a word that has only a text; equal texts share one object."""
    return Token(text)


def plain_words(items: tuple[Token | Alternation, ...]) -> Words | None:
    """Return the texts of words; `None` if an item is an alternation or has more than a text.

    >>> plain_words((Token("a"), Token("b")))
    ('a', 'b')
    """
    try:
        words = tuple(map(_TEXT, items))
    except AttributeError:
        return None
    return words if tuple(map(plain_token, words)) == items else None


def read_token(word: str) -> Token:
    """Parse a word, which may be marked as optional; return its token."""
    if len(word) > 2 and word[0] == "(" and word[-1] == ")":
        return Token(word[1:-1], optional=True)
    return Token(word)


class Alternation(NamedFields, is_numerous=True, omit_defaults=True, tag="choice"):
    """A choice between branches; an empty branch is the null word ``@``.

    A branch that contains only the null word is an empty branch. `origin` names the step of
    normalisation that created the choice; it is empty if the choice is in the file. `is_written` is
    true if the first branch is the written form, and the other branches are ways to read it aloud.
    Comparisons ignore `origin` and `is_written`.

    >>> Alternation([[Token("um")], [Token("uh")], []])
    Alternation('um' / 'uh' / @)
    """

    branches: tuple[tuple[Token | Alternation, ...], ...]
    origin: str = ""
    is_written: bool = False

    if TYPE_CHECKING:

        def __init__(
            self,
            branches: Iterable[Iterable[Token | Alternation]],
            origin: str = "",
            is_written: bool = False,
        ) -> None: ...

    def __post_init__(self) -> None:
        branches = tuple(map(tuple, self.branches))
        if not branches:
            raise ValueError("an alternation has at least one branch")
        null = ((),)
        without = [
            () if len(b) == 1 and isinstance(b[0], Alternation) and b[0].branches == null else b
            for b in branches
        ]
        object.__setattr__(self, "branches", tuple(without))

    def __eq__(self, other: object) -> bool:
        return self.branches == other.branches if isinstance(other, Alternation) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.branches)

    @property
    def is_null(self) -> bool:
        """True for a null word: the only branch is empty."""
        return self.branches == ((),)

    @property
    def is_sound(self) -> bool:
        """True for a single word in capitals in braces, such as ``{NOISE}``."""
        words = list(self.tokens())
        return len(self.branches) == len(words) == 1 and words[0].text.isupper()

    def tokens(self) -> Iterator[Token]:
        """Yield the words of all branches, in written order."""
        for branch in self.branches:
            for item in branch:
                if isinstance(item, Token):
                    yield item
                else:
                    yield from item.tokens()

    def first_branch(self) -> tuple[Token, ...]:
        """Return the words of the first branch, at every level of nesting."""
        words: list[Token] = []
        for item in self.branches[0]:
            words.extend((item,) if isinstance(item, Token) else item.first_branch())
        return tuple(words)

    def __repr__(self) -> str:
        parts = (" ".join(map(shown, branch)) or "@" for branch in self.branches)
        return f"Alternation({' / '.join(parts)})"


def shown(item: Token | Alternation) -> str:
    """Return a short text of the item for the `repr` of a long list."""
    return repr(item.text) if isinstance(item, Token) else repr(item)[11:]


NULL = Alternation([[]])
"""The null word ``@`` standing alone."""


class _Placed(NamedFields, is_numerous=True):
    """The fields of a label that accept positional arguments."""

    value: str
    start: float | None = None
    end: float | None = None
    confidence: float | None = None


class Label(_Placed, is_numerous=True, kw_only=True):
    """A word or segment as a value with a start and an end.

    Labels sort by start (missing starts first), end (open ends last) and value, ignoring case.

    Attributes
    ----------
    value: the text as written.
    kind: ``word``, ``nonspeech``, ``segment``, ``ignored`` or ``gap``.
    type: the word type in the file (``lex``, ``frag``, …), or `None`.
    start, end: seconds from the start of the recording, or `None`.
    """

    kind: str = "word"
    type: str | None = None
    recording: str = ""
    channel: str | None = None
    speaker: str | None = None
    utterance: str | None = None

    # Python derives > and >= from these, with the operands swapped
    def __lt__(self, other: object) -> bool:
        return time_order(self) < time_order(other) if isinstance(other, Label) else NotImplemented

    def __le__(self, other: object) -> bool:
        return time_order(self) <= time_order(other) if isinstance(other, Label) else NotImplemented

    def __repr__(self) -> str:
        span = "" if self.start is None else f" {self.start}..{self.end}"
        sure = "" if self.confidence is None else f" confidence={self.confidence}"
        return f"<{self.kind} {self.value!r}{span}{sure} of {self.recording!r}>"


def time_order(label: Any) -> tuple[float, float, str]:
    """Return a sort key for labels: start, end (open ends last), value.

    A label without a start comes first. The case of values is ignored. An end is open if it is
    `None`, infinity or -1.
    """
    start = -inf if label.start is None else label.start
    end = inf if label.end is None or label.end == -1 else label.end
    return start, end, label.value.lower()


class Definition(NamedFields):
    """A header line that describes a subset label or a category of labels.

    Attributes
    ----------
    keyword: ``LABEL`` or ``CATEGORY``.
    id, title, description: the three quoted fields; any may be empty.
    """

    keyword: str
    id: str
    title: str
    description: str

    def __repr__(self) -> str:
        return f"<{self.keyword} {self.id!r} {self.title!r} {self.description!r}>"

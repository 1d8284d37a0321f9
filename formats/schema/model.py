"""The content of a transcript file: segments that store their words in columns.

Two million words must load in about a second, so a word is not an object by default. A `Segment`
holds its words, times and confidences as parallel tuples; columns without values are missing.
`Token` and `Label` objects are created on access. Alternations are rare and are stored in a sparse
table beside the columns.

All objects are immutable, hashable, picklable, and compared by value. Times are whole nanoseconds
in attributes ending in ``_ns``, and floats in seconds elsewhere. Identifiers are strings as
written: ``"1"`` stays ``"1"``. Missing values are `None`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from operator import gt, le

from formats.schema import compiled
from formats.schema.errors import quoted
from formats.schema.times import LARGEST, SECOND, nanoseconds
from formats.schema.values import NamedFields
from formats.schema.words import (
    NONSPEECH_KINDS,
    Alternation,
    Label,
    Token,
    seconds_or_none,
    shown,
    unless_empty,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SEGMENT_KINDS = ("segment", "ignored", "gap", "scored", "event", "query")
UNSPOKEN_KINDS = ("event", "query")
"""Kinds whose words describe a sound, or are searched for: nobody said them here."""

COLUMNS = ("starts_ns", "ends_ns", "confidences", "kinds", "optional", "displays", "interpolated")

# What a token has that is a word and nothing else, after its text.
_WORD_ALONE = frozenset([Token("")._astuple()[1:]])

CHECKED = frozenset({"words", "alternations", *COLUMNS})
"""The fields that must be consistent with each other."""


def _nanoseconds(value: float | None) -> int | None:
    return None if value is None else nanoseconds(value)


class _Spoken(NamedFields, is_numerous=True):
    """The fields of a segment that accept positional arguments."""

    recording: str
    words: tuple[str, ...] = ()


class Segment(_Spoken, is_numerous=True, kw_only=True, omit_defaults=True):
    """Consecutive words of one speaker, stored in columns of equal length (or `None`).

    The constructor is for readers: it takes complete columns in nanoseconds and checks little.
    `Segment.of` takes seconds and any iterables, and validates them.

    Attributes
    ----------
    recording: name of the recording; never empty.
    channel, speaker, utterance: names as written in the file, or `None` if the format has none.
    start_ns, end_ns: nanoseconds from the start of the recording, or `None`.
    labels: names of the subsets to which this segment belongs (``<o,f0>`` in stm).
    words: the words as written, without alternations.
    starts_ns, ends_ns: times of the words, in nanoseconds.
    confidences: `None` for a word without one.
    kinds: the word types in the file (``lex``, ``frag``, ``fp``, …).
    optional: true for a word whose omission is not an error.
    displays: the words' forms with case and punctuation; `None` for a word whose form is equal to
        the word.
    interpolated: true for a word whose times were computed from its neighbours.
    alternations: pairs of a position and an `Alternation` before the word at that position, in
        order; a position equal to the number of words is the end.
    confidence: confidence of the whole segment, on the scale of its source.
    tier: the layer of annotation of the segment, such as ``words`` or ``turns``, if the file has
        several.
    properties: all other named values of the file (``language``, ``style``, …), pairs of name and
        text sorted by name, without duplicates.
    nbest: other hypotheses, best first: pairs of a score (or `None`) and words.
    kind: ``segment``; ``ignored`` for a segment not to be scored; ``gap`` between turns; ``scored``
        for a region to be scored, without words; ``event`` for a sound that is not speech;
        ``query`` for a keyword to be searched.
    line: line in the file; comparisons ignore it.

    Examples
    --------
    >>> Segment.of("rec1", ["hello", "world"], start=0.5, end=2.25).duration
    1.75
    """

    channel: str | None = None
    speaker: str | None = None
    utterance: str | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    labels: tuple[str, ...] = ()
    starts_ns: tuple[int | None, ...] | None = None
    ends_ns: tuple[int | None, ...] | None = None
    confidences: tuple[float | None, ...] | None = None
    kinds: tuple[str | None, ...] | None = None
    optional: tuple[bool, ...] | None = None
    displays: tuple[str | None, ...] | None = None
    interpolated: tuple[bool, ...] | None = None
    alternations: tuple[tuple[int, Alternation], ...] = ()
    confidence: float | None = None
    tier: str | None = None
    properties: tuple[tuple[str, str], ...] = ()
    nbest: tuple[tuple[float | None, tuple[str, ...]], ...] = ()
    kind: str = "segment"
    line: int | None = None

    def __post_init__(self) -> None:
        if type(self.words) is not tuple:
            raise TypeError("words are a tuple; Segment.of takes any iterable")

    def __eq__(self, other: object) -> bool:
        if type(other) is not Segment:
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[object, ...]:
        """Return all fields that comparisons use: all except the line number."""
        return self._astuple()[:-1]

    @classmethod
    def of(
        cls,
        recording: str,
        words: Iterable[str] = (),
        *,
        start: float | None = None,
        end: float | None = None,
        starts: Iterable[float | None] | None = None,
        ends: Iterable[float | None] | None = None,
        properties: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        nbest: Iterable[tuple[float | None, Iterable[str]]] = (),
        **others: Any,
    ) -> Segment:
        """Create a validated segment; times are in seconds, and columns are any iterables.

        Parameters
        ----------
        start, end, starts, ends: seconds from the start of the recording.
        properties: may be a mapping.
        others: values of further attributes of `Segment`.

        Raises
        ------
        ValueError
            If columns differ in length, an alternation lies outside the words, or a name is empty.
        TypeError
            If there is no such attribute.
        """
        if not recording:
            raise ValueError("a segment belongs to a recording: its name cannot be empty")
        for name in ("labels", "alternations", *COLUMNS):
            if others.get(name) is not None:
                others[name] = tuple(others[name])
        if starts is not None:
            others["starts_ns"] = tuple(map(_nanoseconds, starts))
        if ends is not None:
            others["ends_ns"] = tuple(map(_nanoseconds, ends))
        if start is not None:
            others["start_ns"] = nanoseconds(start)
        if end is not None:
            others["end_ns"] = nanoseconds(end)
        segment = cls(
            recording,
            tuple(words),
            properties=tuple(sorted(dict(properties).items())),
            nbest=tuple((score, tuple(words)) for score, words in nbest),
            **others,
        )
        if segment.kind not in SEGMENT_KINDS:
            raise ValueError(f"kind of segment is one of {SEGMENT_KINDS}, not {segment.kind!r}")
        segment._check()
        return segment

    def _check(self) -> None:
        size = len(self.words)
        for name in COLUMNS:
            column = getattr(self, name)
            if column is not None and len(column) != size:
                raise ValueError(f"{size} words but {len(column)} {name.removesuffix('_ns')}")
        if not self.alternations:
            return
        positions = [position for position, _ in self.alternations]
        if positions != sorted(positions) or (positions and positions[0] < 0):
            raise ValueError("alternations are not in the order of their positions")
        if positions and positions[-1] > size:
            raise ValueError(f"alternation at position {positions[-1]} of {size} words")

    @classmethod
    def from_items(
        cls, recording: str, items: Iterable[Token | Alternation], **others: Any
    ) -> Segment:
        """Create a segment from tokens and alternations; empty columns become `None`.

        `others` are further attributes of the segment.
        """
        tokens: list[Token] = []
        alternations: list[tuple[int, Alternation]] = []
        for item in items:
            if isinstance(item, Token):
                tokens.append(item)
            else:
                alternations.append((len(tokens), item))
        rows = [token._astuple() for token in tokens]
        if {row[1:] for row in rows} <= _WORD_ALONE:
            words = tuple([token.text for token in tokens])
            return cls(recording, words, alternations=tuple(alternations), **others)
        words, starts, ends, confidences, kinds, optional, displays, interpolated = zip(
            *rows, strict=True
        )
        return cls(
            recording,
            words,
            starts_ns=unless_empty(starts),
            ends_ns=unless_empty(ends),
            confidences=unless_empty(confidences),
            kinds=unless_empty(kinds),
            optional=unless_empty(optional, False),
            displays=unless_empty(displays),
            interpolated=unless_empty(interpolated, False),
            alternations=tuple(alternations),
            **others,
        )

    def replace(self, **changes: Any) -> Segment:
        """Return a copy with changed attributes, which have the constructor's names and units.

        >>> Segment("rec1", ("a",)).replace(speaker="anne")
        <Segment rec1 speaker=anne: 'a'>
        """
        segment = self._replace(**changes)
        if not CHECKED.isdisjoint(changes):
            segment._check()
        return segment

    def with_items(self, items: Iterable[Token | Alternation]) -> Segment:
        """Return a copy with other words; all attributes except the word columns are unchanged."""
        words = Segment.from_items(self.recording, items)
        return self.replace(**{name: getattr(words, name) for name in CHECKED})

    def get(self, name: str) -> str | None:
        """Return the value of the property `name`, or `None`.

        >>> Segment.of("rec1", properties={"language": "en"}).get("language")
        'en'
        """
        for key, text in self.properties:
            if key == name:
                return text
        return None

    @property
    def start(self) -> float | None:
        """The start in seconds from the beginning of the recording, or `None`."""
        return seconds_or_none(self.start_ns)

    @property
    def end(self) -> float | None:
        """The end in seconds from the beginning of the recording, or `None`."""
        return seconds_or_none(self.end_ns)

    @property
    def duration(self) -> float | None:
        """The seconds between start and end; `None` if either is missing."""
        if self.start_ns is None or self.end_ns is None:
            return None
        return (self.end_ns - self.start_ns) / SECOND

    @property
    def starts(self) -> tuple[float | None, ...] | None:
        """The start of each word in seconds."""
        return None if self.starts_ns is None else tuple(map(seconds_or_none, self.starts_ns))

    @property
    def ends(self) -> tuple[float | None, ...] | None:
        """The end of each word in seconds."""
        return None if self.ends_ns is None else tuple(map(seconds_or_none, self.ends_ns))

    @property
    def is_timed(self) -> bool:
        """True if every word, including those in alternations, has a start and an end."""
        return all(t.start_ns is not None and t.end_ns is not None for t in self._timed_tokens())

    def _timed_tokens(self) -> Iterator[Token]:
        if self.words and (
            self.starts_ns is None
            or self.ends_ns is None
            or None in self.starts_ns
            or None in self.ends_ns
        ):
            yield Token(self.words[0])
        for _, alternation in self.alternations:
            yield from alternation.tokens()

    def token(self, index: int) -> Token:
        """Return the word at `index` with its values in all columns."""
        return Token(
            self.words[index],
            None if self.starts_ns is None else self.starts_ns[index],
            None if self.ends_ns is None else self.ends_ns[index],
            None if self.confidences is None else self.confidences[index],
            None if self.kinds is None else self.kinds[index],
            self.optional is not None and self.optional[index],
            None if self.displays is None else self.displays[index],
            self.interpolated is not None and self.interpolated[index],
        )

    def items(self) -> Iterator[Token | Alternation]:
        """Yield words and alternations in the order of speech."""
        done = 0
        has_columns = any(getattr(self, name) is not None for name in COLUMNS)
        tokens = list(
            map(self.token, range(len(self.words))) if has_columns else map(Token, self.words)
        )
        for position, alternation in self.alternations:
            yield from tokens[done:position]
            done = position
            yield alternation
        yield from tokens[done:]

    @property
    def tokens(self) -> tuple[Token | Alternation, ...]:
        """The words and alternations in the order of speech."""
        return tuple(self.items())

    def all_tokens(self) -> Iterator[Token]:
        """Yield every word, including the words in all branches of alternations."""
        for item in self.items():
            if isinstance(item, Token):
                yield item
            else:
                yield from item.tokens()

    @property
    def word_count(self) -> int:
        """The number of spoken words, including the words in all branches of alternations.

        Events (sounds) and queries (keywords) have no spoken words: the number is 0.
        """
        if self.kind in UNSPOKEN_KINDS:
            return 0
        inside = (
            sum(1 for _, a in self.alternations for _ in a.tokens()) if self.alternations else 0
        )
        return len(self.words) + inside

    def label(self) -> Label:
        """Return the segment as one label: its words (first branches only), joined by spaces."""
        words: list[str] = []
        for item in self.items():
            tokens = (item,) if isinstance(item, Token) else item.first_branch()
            words.extend(t.text for t in tokens)
        return self._label(" ".join(words), self.start, self.end, kind=self.kind)

    def word_labels(self) -> Iterator[Label]:
        """Yield one label per word; alternations give only their first branch."""
        for item in self.items():
            for token in (item,) if isinstance(item, Token) else item.first_branch():
                yield self._label(
                    token.text,
                    token.start,
                    token.end,
                    token.confidence,
                    kind="nonspeech" if token.kind in NONSPEECH_KINDS else "word",
                    type=token.kind,
                )

    def _label(self, *values: Any, **others: Any) -> Label:
        return Label(
            *values,
            **others,
            recording=self.recording,
            channel=self.channel,
            speaker=self.speaker,
            utterance=self.utterance,
        )

    def __repr__(self) -> str:
        parts = [self.recording]
        for name in ("channel", "speaker", "utterance"):
            if getattr(self, name) is not None:
                parts.append(f"{name}={getattr(self, name)}")
        if self.start_ns is not None or self.end_ns is not None:
            parts.append(f"{self.start}..{self.end}")
        if self.labels:
            parts.append(f"<{','.join(self.labels)}>")
        if self.tier is not None:
            parts.append(f"tier={self.tier}")
        if self.kind != "segment":
            parts.append(f"({self.kind})")
        parts_shown = [shown(item) for _, item in zip(range(9), self.items(), strict=False)]
        if len(parts_shown) == 9:
            parts_shown[-1] = f"… ({len(self.words)} words)"
        return f"<Segment {' '.join(parts)}: {' '.join(parts_shown)}>"


# The rule for times, of all readers and writers: not negative, and no end before its begin. A
# length of zero is fine. A record that breaks the rule is rejected by its reader, which knows the
# column, or else by `formats.reading` for every format: an error, or in tolerant reading a
# remark with file and line. A subtitle keeps its text, without times. A writer refuses such a
# segment.
_compiled_check = compiled("are_times_in_order")
_compiled_spans = compiled("are_apart")


def fault_of_times(segment: Segment) -> tuple[str, str] | None:
    """Return (what is expected, what is found) for invalid times of a segment; otherwise `None`."""
    start, end = segment.start_ns, segment.end_ns
    is_plain = start is not None is not end and 0 <= start <= end <= LARGEST
    if not is_plain and (fault := fault_of_span(start, end)):
        return fault
    starts, ends = segment.starts_ns, segment.ends_ns
    if starts is None is ends and not segment.alternations:
        return None
    if not segment.alternations and are_times_in_order(starts, ends):
        return None
    for token in segment.all_tokens():
        if fault := fault_of_span(token.start_ns, token.end_ns):
            return f"{fault[0]} for the word {quoted(token.text)}", fault[1]
    return None


def fault_of_span(start: int | None, end: int | None) -> tuple[str, str] | None:
    """Return (what is expected, what is found) for an invalid start or end; otherwise `None`."""
    if start is not None and start < 0:
        return "a time of 0 or more", f"{start / SECOND}"
    begin = start or 0
    latest = begin if end is None else end
    if begin <= latest <= LARGEST:
        return None
    if latest > LARGEST:
        return "a time within 292 years", f"{latest / SECOND}"
    if latest < 0:
        return "a time of 0 or more", f"{latest / SECOND}"
    return f"an end not before its begin at {begin / SECOND} s", f"{latest / SECOND}"


def are_times_in_order(
    starts: tuple[int | None, ...] | None, ends: tuple[int | None, ...] | None
) -> bool:
    """Return True if no start is negative and no end precedes its start."""
    if _compiled_check is not None:
        return _compiled_check(starts, ends)  # type: ignore[no-any-return]
    if starts is None and ends is None:
        return True
    if starts and ends and None not in starts and None not in ends:
        return min(starts) >= 0 and not any(map(gt, starts, ends))  # type: ignore[type-var, arg-type, operator]
    return not any(map(fault_of_span, starts or repeat(None), ends or repeat(None)))


def are_apart(latest: int, starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Return True if no span starts before the end of the previous span, or before `latest`."""
    if _compiled_spans is not None:
        return _compiled_spans(latest, starts, ends)  # type: ignore[no-any-return]
    return all(map(le, [latest, *ends], starts))

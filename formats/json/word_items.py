"""Words as recognisers' JSON gives them, on their way to a segment.

What the formats of recognisers and of cloud services have in common: words that lack a time take
their place between their neighbours and are marked; a punctuation mark belongs to the display form
of the word before it and is no word; an item may hold several words, or be a piece of one; and what
was placed, skipped or masked is counted and told once per file.
"""

from __future__ import annotations

import re
from operator import attrgetter

from formats.errors import quoted
from formats.lines import TEXT_BLANKS, split_words
from formats.model import Segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias, TypeVar

    from formats.source import Source

    Column = TypeVar("Column")

    Hypothesis: TypeAlias = "tuple[float | None, tuple[str, ...]]"

__all__ = [
    "ReadingCounts",
    "WordItem",
    "attach_punctuation",
    "begins_word",
    "check_unit",
    "cut_text",
    "displays_along",
    "displays_in",
    "fill_times",
    "joined_pieces",
    "last_shown",
    "segment_of",
    "single_words",
]

SOUNDS = "NOISE|MUSIC|LAUGH|SILENCE|BLANK|APPLAUSE|COUGH|BREATH|INAUDIBLE|CROSSTALK|FOREIGN|UNK"
MASKED = re.compile(
    rf"\[(?!{SOUNDS})[A-Z][A-Z0-9_-]*\]|<(?!{SOUNDS})[A-Z][A-Z0-9_]*>|[\[<](?i:redacted)[\]>]"
    r"|<profanity>|#{3,}|X{3}[X-]*\Z"
)
UNITS = (
    (10, "tenths of a second"),
    (100, "hundredths of a second"),
    (1000, "milliseconds"),
    (10_000, "tenths of a millisecond"),
    (16_000, "samples"),
    (1_000_000, "microseconds"),
    (10_000_000, "ticks of 100 ns"),
)
INNER_SIGNS = frozenset("_%$€£@#&+")
TEXT, START, END = attrgetter("text"), attrgetter("start_ns"), attrgetter("end_ns")
CONFIDENCE, KIND, DISPLAY = attrgetter("confidence"), attrgetter("kind"), attrgetter("display")
INTERPOLATED = attrgetter("interpolated")


class WordItem:
    """One word or piece of a word while it is read; unlike a `formats.Token` it can be changed.

    Attributes
    ----------
    text: as written; see `single_words` for blanks in it.
    start_ns, end_ns: nanoseconds from the start of the recording, or `None` where not given.
    confidence: as written, or `None`.
    display: the form for people, `None` where it is the word itself.
    interpolated: whether a time was worked out here.
    kind: what the file calls it (`formats.Token.kind`), or `None`.
    """

    __slots__ = ("confidence", "display", "end_ns", "interpolated", "kind", "start_ns", "text")

    def __init__(
        self,
        text: str,
        start_ns: int | None = None,
        end_ns: int | None = None,
        confidence: float | None = None,
        display: str | None = None,
        kind: str | None = None,
        interpolated: bool = False,
    ) -> None:
        self.text = text
        self.start_ns = start_ns
        self.end_ns = end_ns
        self.confidence = confidence
        self.display = display
        self.kind = kind
        self.interpolated = interpolated

    def __repr__(self) -> str:
        return f"<WordItem {self.text!r} {self.start_ns}..{self.end_ns}>"


class ReadingCounts:
    """Counts what one reader did to words and results, to be told once: see `tell`.

    Attributes
    ----------
    interpolated: words that were given a time between their neighbours.
    untimed: words without a time in a file that times others, and none to be found.
    partial: results that were not final, passed over.
    masked: words that stand for something taken out, such as ``[PII]`` or ``****``.
    segments, words: all that `see_words` was shown.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.interpolated = 0
        self.untimed = 0
        self.partial = 0
        self.masked = 0
        self.segments = 0
        self.words = 0
        self._first_masked = ""

    def see_words(self, words: Iterable[str]) -> None:
        """Count the words of one segment, and those among them that are masks."""
        self.segments += 1
        for word in words:
            self.words += 1
            if word.isalnum() and word[0] != "X":
                continue
            if "**" in word or (word[:1] in ("[", "<", "#", "X") and MASKED.match(word)):
                self.masked += 1
                self._first_masked = self._first_masked or word

    def tell(self) -> None:
        """Say once per kind what was counted: warnings, but a note for partial results."""
        log = self.source.log
        if self.segments and not self.words:
            log.warn("NO-TEXT", f"segments: {self.segments}, words: none")
        if self.interpolated:
            log.warn(
                "WORD-TIMES",
                f"words without times: {self.interpolated}, placed between their neighbours",
            )
        if self.untimed:
            log.warn("WORD-UNTIMED", f"words without times and without a place: {self.untimed}")
        if self.partial:
            log.note("PARTIAL", f"results that are not final, passed over: {self.partial}")
        if self.masked:
            log.warn(
                "MASKED",
                f"words that are masks for what was taken out: {self.masked}, first "
                f"{quoted(self._first_masked)}; kept as words, they count as errors when scored",
            )


def cut_text(text: str) -> list[str]:
    r"""The words of a text, cut at ASCII blanks and at line ends.

    >>> cut_text(" how are\nyou ")
    ['how', 'are', 'you']
    """
    if "\n" in text or "\r" in text:
        text = text.replace("\n", " ").replace("\r", " ")
    return split_words(text)


def begins_word(text: str) -> bool:
    """Whether a piece says by a blank before it that it begins a new word."""
    return text[:1] in (" ", "\t", "\n") if text else False


def attach_punctuation(items: Sequence[WordItem], mark: str) -> bool:
    """Add a punctuation mark to the display of the last word; `False` if there is no word yet.

    Where the last words are shown by one before them, as ``2022`` shows three, it is added there.

    >>> items = [WordItem("world")]
    >>> attach_punctuation(items, "."), items[0].display
    (True, 'world.')
    """
    last = last_shown(items)
    if last is None:
        return False
    last.display = (last.text if last.display is None else last.display) + mark.strip(TEXT_BLANKS)
    return True


def last_shown(items: Sequence[WordItem]) -> WordItem | None:
    """The last word that has a form for people of its own, or `None` if there is no word."""
    for item in reversed(items):
        if item.display != "":
            return item
    return None


def joined_pieces(pieces: Sequence[WordItem]) -> WordItem:
    """One word from its pieces: texts put together, from the first start to the last end.

    The confidence is the mean of the pieces', as Whisper's own of a word is that of its tokens.
    """
    if len(pieces) == 1:
        return pieces[0]
    sure = [piece.confidence for piece in pieces if piece.confidence is not None]
    shown = any(piece.display is not None for piece in pieces)
    starts = [piece.start_ns for piece in pieces if piece.start_ns is not None]
    ends = [piece.end_ns for piece in pieces if piece.end_ns is not None]
    return WordItem(
        "".join(piece.text for piece in pieces),
        starts[0] if starts else None,
        ends[-1] if ends else None,
        sum(sure) / len(sure) if sure else None,
        "".join(p.text if p.display is None else p.display for p in pieces) if shown else None,
        pieces[0].kind,
        any(piece.interpolated for piece in pieces),
    )


def single_words(items: Iterable[WordItem]) -> list[WordItem]:
    """The items with blanks taken from their ends, and cut where there are blanks inside.

    The parts of an item share its time by their length in characters, and are marked; so do they
    its display form, if it has as many parts, else the first part shows all of it. An item of
    nothing but blanks is left out.

    >>> [w.text for w in single_words([WordItem(" New York"), WordItem(" is")])]
    ['New', 'York', 'is']
    """
    made: list[WordItem] = []
    for item in items:
        if item.text.isalnum():
            made.append(item)
            continue
        words = cut_text(item.text)
        if len(words) == 1:
            item.text = words[0]
            made.append(item)
        elif words:
            made.extend(_parts(item, words))
    return made


def _parts(item: WordItem, words: Sequence[str]) -> list[WordItem]:
    shown: list[str] = cut_text(item.display) if item.display is not None else []
    if item.display is not None and len(shown) != len(words):
        shown = [item.display] + [""] * (len(words) - 1)
    start, end = item.start_ns, item.end_ns
    total, done = sum(map(len, words)), 0
    made = []
    for index, word in enumerate(words):
        part = WordItem(word, None, None, item.confidence, kind=item.kind)
        part.display = shown[index] if shown else None
        if start is not None and end is not None:
            part.start_ns = start + (end - start) * done // total
            done += len(word)
            part.end_ns = start + (end - start) * done // total
            part.interpolated = True
        made.append(part)
    if start is None or end is None:
        made[0].start_ns, made[-1].end_ns = start, end
    return made


def fill_times(items: Sequence[WordItem], low_ns: int | None, high_ns: int | None) -> int:
    """Give the words that lack a time one between their neighbours; says how many were placed.

    A stretch without times is shared equally by the words in it. `low_ns` and `high_ns` are the
    ends of what holds the words, or `None` where unknown: words before the first time or after the
    last then stay without. Where neighbours overlap, a word between them takes no time and stands
    at the start of the later one. Given times are never changed.

    >>> items = [WordItem("in", 0, 10), WordItem("1984"), WordItem("he", 30, 40)]
    >>> fill_times(items, 0, 40), items[1].start_ns, items[1].end_ns
    (1, 10, 30)
    """
    filled = 0
    index = 0
    while index < len(items):
        item = items[index]
        if item.start_ns is not None and item.end_ns is not None:
            index += 1
            continue
        stop = index + 1
        while stop < len(items) and item.end_ns is None and items[stop].start_ns is None:
            item = items[stop]
            stop += 1
        filled += _fill_run(items[index:stop], items, index, stop, low_ns, high_ns)
        index = stop
    return filled


def _fill_run(
    run: Sequence[WordItem],
    items: Sequence[WordItem],
    begin: int,
    stop: int,
    low_ns: int | None,
    high_ns: int | None,
) -> int:
    """Place one run of words: its inner borders are unknown, its outer ones may be."""
    before = items[begin - 1].end_ns if begin else low_ns
    after = items[stop].start_ns if stop < len(items) else high_ns
    low = run[0].start_ns if run[0].start_ns is not None else before
    high = run[-1].end_ns if run[-1].end_ns is not None else after
    if low is None or high is None:
        return 0
    if low > high:
        low = high = run[0].start_ns if run[0].start_ns is not None else high
    size = len(run)
    for number, item in enumerate(run):
        if item.start_ns is None:
            item.start_ns = low + (high - low) * number // size
        if item.end_ns is None:
            item.end_ns = low + (high - low) * (number + 1) // size
        item.interpolated = True
    return size


def check_unit(source: Source, last_ns: int, duration_ns: int) -> None:
    """Warn if times run beyond the audio as they do when their unit is mistaken.

    Parameters
    ----------
    last_ns: the latest time of the transcript as it was understood, in nanoseconds.
    duration_ns: the length of the audio that the file itself states, in nanoseconds.
    """
    if duration_ns <= 0 or last_ns <= duration_ns:
        return
    for factor, meant in UNITS:
        if 0.5 * factor < last_ns / duration_ns < 1.1 * factor:
            source.log.warn(
                "UNIT?",
                f"times reach {last_ns / 1e9:.10g} s in {duration_ns / 1e9:.10g} s of audio, about "
                f"{factor} times its length: they may be {meant}",
            )
            return


def displays_in(words: Sequence[str], text: str) -> list[str | None] | None:
    """The words' forms in a text that punctuates them, or `None` if it has other words.

    Only a text of as many words counts, each the same but for case and marks at its ends.

    >>> displays_in(["hello", "world"], "Hello, world.")
    ['Hello,', 'world.']
    """
    shown = cut_text(text)
    if len(shown) != len(words):
        return None
    for word, form in zip(words, shown, strict=True):
        if word != form and _bare(word) != _bare(form):
            return None
    return [None if word == form else form for word, form in zip(words, shown, strict=True)]


def displays_along(words: Sequence[str], text: str) -> list[str | None] | None:
    """The words' forms in a text that may also write several words as one, as ``25`` or ``Dr.``.

    Words that stand in both, but for case and marks at their ends, hold the two together. What
    lies between goes by stretches: the forms of one are spread over its words, and words that get
    none have an empty form (`formats.Token.display`). `None` where the two lose each other for more
    than 12 words, and where the text is empty.

    >>> displays_along(["twenty", "five", "dollars", "please"], "$25, please.")
    ['$25,', '', '', 'please.']
    """
    exact = displays_in(words, text)
    shown = cut_text(text)
    if exact is not None or not shown or not words:
        return exact
    bare_words, bare_shown = [_bare(w) for w in words], [_bare(s) for s in shown]
    made: list[str | None] = []
    here = there = 0
    while here < len(words) or there < len(shown):
        skip = _next_match(bare_words, bare_shown, here, there)
        if skip is None:
            return None
        stretch = " ".join(shown[there : there + skip[1]])
        if skip[0]:
            made.extend(_spread(shown[there : there + skip[1]], skip[0]))
        elif stretch and made:
            made[-1] = f"{made[-1] or words[here - 1]} {stretch}".lstrip()
        elif stretch:
            shown[skip[1]] = f"{stretch} {shown[skip[1]]}"
        here, there = here + skip[0], there + skip[1]
        if here < len(words):
            made.append(None if words[here] == shown[there] else shown[there])
        here, there = here + 1, there + 1
    return made


def _spread(forms: Sequence[str], size: int) -> list[str]:
    """The forms at even distances among as many places; too many stand together at the end."""
    if len(forms) > size:
        return [*forms[: size - 1], " ".join(forms[size - 1 :])]
    places = [""] * size
    for number, form in enumerate(forms):
        places[number * size // len(forms)] = form
    return places


def _next_match(
    words: Sequence[str], shown: Sequence[str], here: int, there: int
) -> tuple[int, int] | None:
    """How many to pass over on both sides to come to equal words, or to both ends."""
    left, right = len(words) - here, len(shown) - there
    for total in range(min(left + right, 24)):
        for on_left in range(max(0, total - 12), min(total, 12) + 1):
            on_right = total - on_left
            if on_left >= left or on_right >= right:
                continue
            if words[here + on_left] == shown[there + on_right]:
                return on_left, on_right
    return (left, right) if left <= 12 and right <= 12 else None


def _bare(word: str) -> str:
    """The word in one case, without marks at its ends; of nothing but marks, the word itself."""
    first, last = 0, len(word)
    while first < last and not _is_inner(word[first]):
        first += 1
    while last > first and not _is_inner(word[last - 1]):
        last -= 1
    return (word[first:last] or word).casefold()


def _is_inner(character: str) -> bool:
    return character.isalnum() or character in INNER_SIGNS


def segment_of(
    recording: str,
    items: Sequence[WordItem],
    *,
    channel: str | None = None,
    speaker: str | None = None,
    utterance: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
    confidence: float | None = None,
    properties: Mapping[str, str] | None = None,
    nbest: Iterable[Hypothesis] = (),
    kind: str = "segment",
    line: int | None = None,
) -> Segment:
    """A segment of these words; a column that says nothing is left out.

    A display form that equals its word is not kept.
    """
    words: tuple[str, ...] = tuple(map(TEXT, items))
    shown: tuple[str | None, ...] = tuple(map(DISPLAY, items))
    if shown.count(None) != len(shown):
        both = zip(words, shown, strict=True)
        shown = tuple([None if display == word else display for word, display in both])
    placed: tuple[bool, ...] = tuple(map(INTERPOLATED, items))
    return Segment.from_columns(
        recording,
        words,
        channel=channel,
        speaker=speaker,
        utterance=utterance,
        start_ns=start_ns,
        end_ns=end_ns,
        starts_ns=_unless_empty(tuple(map(START, items))),
        ends_ns=_unless_empty(tuple(map(END, items))),
        confidences=_unless_empty(tuple(map(CONFIDENCE, items))),
        kinds=_unless_empty(tuple(map(KIND, items))),
        displays=_unless_empty(shown),
        interpolated=placed if True in placed else None,
        confidence=confidence,
        properties=tuple(sorted(properties.items())) if properties else (),
        nbest=tuple(nbest),
        kind=kind,
        line=line,
    )


def _unless_empty(column: tuple[Column | None, ...]) -> tuple[Column | None, ...] | None:
    return None if column.count(None) == len(column) else column

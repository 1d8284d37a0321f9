"""Words of a JSON file before they are joined to segments.

A word without times gets times between those of its neighbours, and is marked as interpolated. A
punctuation mark is added to the display form of the preceding word. An item of a file may hold
several words, or a piece of a word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple

import msgspec

from formats.json.displays import cut_text, displays_along, displays_in
from formats.schema import lazy_pattern

RecognizedWords = tuple[float | None, tuple[str, ...]]


class SpokenWord(msgspec.Struct, gc=False):
    """A word or word piece during parsing; unlike `formats.Token`, it is mutable."""

    text: str
    start_ns: int | None = None
    end_ns: int | None = None
    confidence: float | None = None
    display: str | None = None
    kind: str | None = None
    interpolated: bool = False
    speaker: str | None = None
    language: str | None = None
    channel: str | None = None


class WordRun(list[SpokenWord]):
    """A sequence of words. Punctuation marks are added to the display forms of words."""

    def __init__(self) -> None:
        super().__init__()
        self._pending = ""

    def add(self, word: SpokenWord) -> None:
        """Add a word; pending punctuation marks are added to its display form."""
        if self._pending:
            word.display = self._pending + (word.text if word.display is None else word.display)
            self._pending = ""
        self.append(word)

    def add_all(self, words: Sequence[SpokenWord]) -> None:
        """Add words; pending punctuation marks are added to the display form of the first."""
        for word in words[:1]:
            self.add(word)
        self.extend(words[1:])

    def mark(self, mark: str, *, to_next: bool = False) -> None:
        """Add a punctuation mark to the preceding word; with `to_next`, to the next word."""
        mark = mark.strip()
        if mark and (to_next or self._pending or not self.show(mark)):
            self._pending += mark

    def show(self, mark: str) -> bool:
        """Add a punctuation mark to the display form of the last word.

        Return `False` if there is no word.
        """
        last = last_shown(self)
        if last is not None:
            last.display = (last.text if last.display is None else last.display) + mark
        return last is not None

    def close(self) -> None:
        """Add pending punctuation marks to the last word."""
        if self._pending:
            self.show(self._pending)
        self._pending = ""


def plain_words(text: str | None) -> list[SpokenWord]:
    """Return the words of a text, without times."""
    return [SpokenWord(word) for word in cut_text(text)] if text else []


def show(words: Sequence[SpokenWord], text: str | None) -> None:
    """Set the display forms of words from a text, if it has the same words."""
    forms = displays_in([word.text.strip() for word in words], text) if text else None
    for word, form in zip(words, forms or (), strict=False):
        word.display = form


def show_along(words: Sequence[SpokenWord], text: str) -> bool:
    """Set display forms from a text that may join words; return `False` if the words differ."""
    forms = displays_along([word.text for word in words], text)
    for word, form in zip(words, forms or (), strict=False):
        word.display = form
    return forms is not None


def renamed(word: SpokenWord, text: str) -> SpokenWord:
    """Return the word with another text; if this changes the text, without a display form."""
    if text == word.text:
        return word
    return msgspec.structs.replace(word, text=text, display=None)


FIRST_WITHOUT_BLANKS = "\u0e00"


SCRIPTS = lazy_pattern(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]")
"""Letters of the scripts of these languages."""


def are_in_scripts_without_blanks(texts: Iterable[str]) -> bool:
    """Return True if most letters are of scripts that leave no blanks between words.

    >>> are_in_scripts_without_blanks(["そうです", " OK"]), are_in_scripts_without_blanks(["so"])
    (True, False)
    """
    letters = "".join(filter(str.isalpha, "".join(texts)))
    return 2 * len(SCRIPTS.findall(letters)) > len(letters)


def begins_word(text: str) -> bool:
    """Return True if a piece begins with a blank, which means that it begins a new word."""
    return text[:1] in (" ", "\t", "\n") if text else False


def last_shown(items: Sequence[SpokenWord]) -> SpokenWord | None:
    """Return the last word that is displayed; `None` if there is none.

    A word is not displayed if its display form is empty, because an earlier word shows it.
    """
    for item in reversed(items):
        if item.display != "":
            return item
    return None


def joined_pieces(pieces: Sequence[SpokenWord]) -> SpokenWord:
    """Join pieces to one word, with all texts, the first start and the last end."""
    if len(pieces) == 1:
        return pieces[0]
    sure = [piece.confidence for piece in pieces if piece.confidence is not None]
    starts = [piece.start_ns for piece in pieces if piece.start_ns is not None]
    ends = [piece.end_ns for piece in pieces if piece.end_ns is not None]
    display = None
    if any(piece.display is not None for piece in pieces):
        display = "".join(p.text if p.display is None else p.display for p in pieces)
    return SpokenWord(
        "".join(piece.text for piece in pieces),
        starts[0] if starts else None,
        ends[-1] if ends else None,
        sum(sure) / len(sure) if sure else None,
        display,
        pieces[0].kind,
        any(piece.interpolated for piece in pieces),
        pieces[0].speaker,
        channel=pieces[0].channel,
    )


def words_of_pieces(pieces: Sequence[SpokenWord], stand_alone: bool) -> list[SpokenWord]:
    """Join pieces to words; with `stand_alone`, return each piece as a word.

    A piece that begins with a blank begins a word; so does the first piece.
    """
    if stand_alone or not [piece for piece in pieces if piece.text.rfind(" ")]:
        return list(pieces)
    groups: list[list[SpokenWord]] = []
    ends_in_blank = True
    for piece in pieces:
        if ends_in_blank or begins_word(piece.text):
            groups.append([])
        groups[-1].append(piece)
        # A trailing blank ends a word; one that is nothing but blanks does not begin two.
        ends_in_blank = piece.text[-1:] in (" ", "\t", "\n")
    return list(map(joined_pieces, groups))


def words_as_written(pieces: Sequence[SpokenWord], text: str) -> list[SpokenWord]:
    """Join pieces to the words of a text, so that ``Such`` and ``-a`` form one word.

    Return the pieces unchanged if they do not fit the text, if the text is a single word, or if its
    script has no blanks.
    """
    written = text.split()
    if not 1 < len(written) < len(pieces) or max(text) >= FIRST_WITHOUT_BLANKS:
        return list(pieces)
    groups: list[list[SpokenWord]] = []
    rest = list(pieces)
    for word in written:
        groups.append([])
        while rest and len("".join(p.text.strip() for p in groups[-1])) < len(word):
            groups[-1].append(rest.pop(0))
        if "".join(p.text.strip() for p in groups[-1]) != word:
            return list(pieces)
    return list(pieces) if rest else list(map(joined_pieces, groups))


CUT_LETTERS = lazy_pattern(
    r"[0-9A-Za-z\u00c0-\u024f\u0370-\u052f]\n[0-9A-Za-z\u00c0-\u024f\u0370-\u052f]"
)
"""Letters of scripts with blanks at the end of a piece and at the beginning of the next."""


def with_letters_joined(pieces: Sequence[SpokenWord], text: str) -> list[SpokenWord]:
    """Join pieces between which a text in a script without blanks has letters of other scripts.

    Return the pieces unchanged if they do not fit the text.

    >>> pieces = [SpokenWord(piece) for piece in ("S", "o", "it", "です")]
    >>> [word.text for word in with_letters_joined(pieces, "So itです")]
    ['So', 'it', 'です']
    """
    texts = [piece.text.strip() for piece in pieces]
    if not CUT_LETTERS.search("\n".join(texts)):
        return list(pieces)
    groups: list[list[SpokenWord]] = []
    place = 0
    for n, piece in enumerate(texts):
        begin = place
        while text[begin : begin + 1].isspace():
            begin += 1
        if not text.startswith(piece, begin):
            return list(pieces)
        are_cut = n and begin == place and CUT_LETTERS.search(f"{texts[n - 1][-1:]}\n{piece[:1]}")
        if are_cut:
            groups[-1].append(pieces[n])
        else:
            groups.append([pieces[n]])
        place = begin + len(piece)
    return list(map(joined_pieces, groups))


def single_words(items: Iterable[SpokenWord]) -> list[SpokenWord]:
    """Split the items at blanks. All parts keep the time and display form of their item."""
    items = list(items)
    texts = [item.text.strip(" ") for item in items]
    if cut_text(" ".join(texts)) == texts:
        for item, text in zip(items, texts, strict=True):
            item.text = text
        return items
    single: list[SpokenWord] = []
    for item in items:
        words = cut_text(item.text)
        if len(words) == 1:
            item.text = words[0]
            single.append(item)
        elif words:
            single.extend(_parts(item, words))
    return single


def _parts(item: SpokenWord, words: Sequence[str]) -> list[SpokenWord]:
    forms: list[str] = cut_text(item.display) if item.display is not None else []
    if item.display is not None and len(forms) != len(words):
        forms = [item.display] + [""] * (len(words) - 1)
    start, end = item.start_ns, item.end_ns
    parts = [SpokenWord(word, confidence=item.confidence, kind=item.kind) for word in words]
    for part, form in zip(parts, forms, strict=False):
        part.display = form
    if start is None or end is None:
        fill_ends(parts, start, end)
        return parts
    letters = list(accumulate(map(len, words)))
    ends = [start + (end - start) * count // letters[-1] for count in letters]
    for part, *part_times in zip(parts, [start, *ends], ends, strict=False):
        part.start_ns, part.end_ns = part_times
        part.interpolated = True
    return parts


def fill_times(items: Sequence[SpokenWord], low_ns: int | None, high_ns: int | None) -> int:
    """Interpolate missing word times between adjacent words. Return the number of changed words.

    `low_ns` and `high_ns` limit the times of the first and last words.
    """
    filled = index = 0
    while index < len(items):
        stop = index + 1
        if items[index].start_ns is None or items[index].end_ns is None:
            while (
                stop < len(items)
                and items[stop - 1].end_ns is None
                and items[stop].start_ns is None
            ):
                stop += 1
            filled += _fill_run(items, index, stop, low_ns, high_ns)
        index = stop
    return filled


def fill_ends(items: Sequence[SpokenWord], start_ns: int | None, end_ns: int | None) -> None:
    """Set a missing start of the first word and a missing end of the last word."""
    if items[0].start_ns is None:
        items[0].start_ns = start_ns
    if items[-1].end_ns is None:
        items[-1].end_ns = end_ns


def _fill_run(
    items: Sequence[SpokenWord], begin: int, stop: int, low_ns: int | None, high_ns: int | None
) -> int:
    """Set the missing times of the words from `begin` to `stop`; return the number of these words.

    At both ends, the times of adjacent words are used; without an adjacent word, `low_ns` or
    `high_ns`.
    """
    run = items[begin:stop]
    low, high = run[0].start_ns, run[-1].end_ns
    if low is None:
        low = items[begin - 1].end_ns if begin else low_ns
    if high is None:
        high = items[stop].start_ns if stop < len(items) else high_ns
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


def speaker_runs(items: Sequence[SpokenWord]) -> list[list[SpokenWord]]:
    """Group consecutive words of the same speaker."""
    return [list(run) for _, run in groupby(items, attrgetter("speaker"))]


class Parent(NamedTuple):
    """An utterance that a file lists apart from its words: its times, and those of its words."""

    start_ns: int | None
    end_ns: int | None
    confidence: float | None
    spans: Sequence[tuple[int | None, int | None]]


def owners_of(words: Sequence[SpokenWord], parents: Sequence[Parent]) -> list[int | None]:
    """Return the index of the utterance to which each word belongs, or `None`.

    An utterance may list the times of its words. A word with other times belongs to the utterance
    in which it begins.
    """
    listed: dict[tuple[int | None, int | None], deque[int]] = defaultdict(deque)
    for number, parent in enumerate(parents):
        for span in parent.spans:
            listed[span].append(number)
    order = sorted((p.start_ns, n) for n, p in enumerate(parents) if p.start_ns is not None)
    starts = [start for start, _ in order]
    owners: list[int | None] = []
    for word in words:
        if waiting := listed.get((word.start_ns, word.end_ns)):
            owners.append(waiting.popleft())
        elif word.start_ns is None:
            owners.append(owners[-1] if owners else None)
        else:
            before = bisect_right(starts, word.start_ns) - 1
            owner = order[before][1] if before >= 0 else None
            end = None if owner is None else parents[owner].end_ns
            owners.append(owner if end is not None and word.start_ns <= end else None)
    return owners

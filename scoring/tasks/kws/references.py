"""Reference occurrences of keywords: sequences of words with a keyword's text."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from formats.io.progress import told
from formats.keywords.model import Keyword
from scoring.tasks.kws.audio import Audio
from scoring.tasks.kws.parameters import KeywordSearchError, Parameters
from scoring.tasks.kws.segments import Segmentation
from scoring.tasks.kws.text import Splitting, lowered, split_keyword
from scoring.tasks.kws.word_table import NO_BEGINNING, DistinctValues, WordTable

MOST_TOGETHER = 1 << 18
"""Candidates that are examined together, so that memory has a bound."""


class Reference(NamedTuple):
    """An occurrence of a keyword in the spoken words, as plain values.

    Attributes
    ----------
    keyword: identifier of the keyword.
    file, channel: names as in excerpts, without suffix.
    begin, end: seconds.
    begin_text: the start time as written, for reports, or empty.
    """

    keyword: str
    file: str
    channel: str
    begin: float
    end: float
    begin_text: str = ""


class FoundReference(NamedTuple):
    """A reference inside the scored audio."""

    place: int  # number of its file and channel
    begin: float  # ticks of the audio's clock
    end: float
    excerpt: int  # index of the stretch that holds it, or its first word
    begin_text: str  # for reports
    end_text: str


class SpokenColumns(NamedTuple):
    """Occurrences of keywords as columns, in the order of the keywords; times are ticks."""

    keywords: npt.NDArray[np.int64]  # indices of keywords
    places: npt.NDArray[np.int64]
    begins: npt.NDArray[np.float64]
    ends: npt.NDArray[np.float64]
    decisive: npt.NDArray[np.float64]  # the ends that must be inside the audio
    begin_texts: Sequence[str]
    end_texts: Sequence[str]


class ReferenceSource:
    """The occurrences of keywords; `outside` counts occurrences outside the scored audio."""

    def __init__(self, audio: Audio) -> None:
        self.audio = audio
        self.outside = 0

    def spoken(self, keywords: Sequence[Keyword]) -> SpokenColumns:
        """Return every occurrence of the keywords, scored or not."""
        raise NotImplementedError

    def references(
        self, keywords: Sequence[Keyword]
    ) -> tuple[tuple[FoundReference, ...], npt.NDArray[np.int64]]:
        """Return the occurrences within the scored audio, and the index of the keyword of each.

        `outside` counts all other occurrences.
        """
        spoken = self.spoken(keywords)
        excerpts = self.audio.holding(spoken.places, spoken.begins, spoken.decisive)
        scored = np.flatnonzero(excerpts >= 0)
        self.outside += len(excerpts) - len(scored)
        numbers = spoken.places, spoken.begins, spoken.ends, excerpts
        rows = scored.tolist()
        texts = (map(column.__getitem__, rows) for column in (spoken.begin_texts, spoken.end_texts))
        fields = zip(*(column[scored].tolist() for column in numbers), *texts, strict=True)
        return tuple(map(partial(tuple.__new__, FoundReference), fields)), spoken.keywords[scored]

    def segments(
        self, keywords: Sequence[Keyword], segmentation: Segmentation
    ) -> Iterator[tuple[int, int]]:
        """Yield the index of the keyword and the speech segment (or -1) of each occurrence."""
        raise NotImplementedError


class _NumberedTexts:
    """The distinct texts of tokens by a case rule; `of_token` is the number of each token."""

    def __init__(self, tokens: Iterable[str], compare_normalize: str) -> None:
        self._numbers = DistinctValues[str]()
        self._normalize = compare_normalize
        texts = (self._numbers[lowered(token, compare_normalize)] for token in tokens)
        self.of_token = np.array([*texts], dtype=np.int64)

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, text: str) -> int:
        """Return the number of a text; of a text that no token has, the next free number."""
        return self._numbers.get(lowered(text, self._normalize), len(self._numbers))


class ReferenceFinder(ReferenceSource):
    """Finds keywords in words.

    The first word of a keyword is searched by the case rule of the list. Each later word must be
    the next word of the same speaker, after at most the largest gap. Fragments and filled pauses
    cannot begin a keyword, but they can interrupt or continue a keyword, like any word.
    """

    def __init__(
        self,
        words: WordTable,
        audio: Audio,
        parameters: Parameters,
        compare_normalize: str,
    ) -> None:
        super().__init__(audio)
        self.words = words
        self.parameters = parameters
        self.compare_normalize = compare_normalize
        columns = words.columns
        places = [audio.places.get(voice[:2], -1) for voice in columns.voices]
        self._places = np.array(places, dtype=np.int64)  # by voice
        ignores_case = parameters.rules.later_words_ignore_case or compare_normalize == "lowercase"
        self._first_texts = _NumberedTexts(columns.tokens, compare_normalize)
        self._later_texts = _NumberedTexts(columns.tokens, "lowercase" if ignores_case else "")
        is_own = np.array([place in audio.own for place in places], dtype=bool)
        can_begin = np.array([kind not in NO_BEGINNING for kind in columns.subtypes], dtype=bool)
        starts = np.flatnonzero(is_own[columns.voice] & can_begin[columns.subtype])
        texts = self._first_texts.of_token[columns.token[starts]]
        # the words that can begin a keyword, by their text, and where the words of a text begin
        self._starts = starts[np.argsort(texts, kind="stable")]
        counts = np.bincount(texts, minlength=len(self._first_texts) + 1)
        self._bounds = np.append(0, np.cumsum(counts))

    def find(
        self, keywords: Sequence[Keyword]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return keyword, first word and last word of every occurrence, scored or not: indices."""
        firsts: list[int] = []
        laters: list[list[int]] = []
        for keyword in told(keywords, "keywords"):
            texts = split_keyword(lowered(keyword.text, self.compare_normalize), Splitting())
            if not texts:
                problem = f"keyword {keyword.identifier!r}: expected a word, found none"
                raise KeywordSearchError(problem)
            firsts.append(self._first_texts.number(texts[0]))
            laters.append([self._later_texts.number(text) for text in texts[1:]])
        begins = self._bounds[np.array(firsts, dtype=np.int64)]
        sizes = self._bounds[np.array(firsts, dtype=np.int64) + 1] - begins
        found = [np.zeros((3, 0), dtype=np.int64)]
        for low, high in batches_of(sizes, MOST_TOGETHER):
            keyword_of = np.repeat(np.arange(low, high), sizes[low:high])
            before = np.cumsum(sizes[low:high]) - sizes[low:high]
            within = np.arange(len(keyword_of)) + (begins[low:high] - before)[keyword_of - low]
            found.append(self._continued(keyword_of, self._starts[within], low, laters[low:high]))
        keyword_of, first, last = np.concatenate(found, axis=1)
        return keyword_of, first, last

    def _continued(
        self,
        keyword_of: npt.NDArray[np.int64],
        first: npt.NDArray[np.int64],
        low: int,
        laters: Sequence[Sequence[int]],
    ) -> npt.NDArray[np.int64]:
        """Return the occurrences whose later words follow: keywords, first words, last words."""
        columns, followers = self.words.columns, self.words.followers
        found = np.stack((keyword_of, first, first))
        for texts in zip_longest(*laters, fillvalue=-1):
            expected = np.array(texts, dtype=np.int64)[found[0] - low]
            longer = np.flatnonzero(expected >= 0)
            following = followers[found[2, longer]]
            texts_of = self._later_texts.of_token[columns.token[following]]
            is_next = (following >= 0) & (texts_of == expected[longer])
            is_next[is_next] = self._is_near(found[2, longer[is_next]], following[is_next])
            found[2, longer[is_next]] = following[is_next]
            is_found = np.ones(found.shape[1], dtype=bool)
            is_found[longer] = is_next
            found = found[:, is_found]
        return found

    def _is_near(
        self, words: npt.NDArray[np.int64], following: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Return for each word whether the next word begins after at most the largest gap."""
        clock = self.audio.clock
        begins = clock.times(self.words.columns.begins[following])
        return clock.gaps(self._ends(words), begins) <= self.parameters.largest_gap

    def _ends(self, words: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        columns = self.words.columns
        return self.audio.clock.ends(columns.begins[words], columns.durations[words])

    def spoken(self, keywords: Sequence[Keyword]) -> SpokenColumns:
        """Return every occurrence. By some rules, only its first word must be inside the audio."""
        clock, columns = self.audio.clock, self.words.columns
        keyword_of, first, last = self.find(keywords)
        begins, ends = columns.begins[first], self._ends(last)
        texts = map(columns.begin_texts.__getitem__, first.tolist())
        return SpokenColumns(
            keywords=keyword_of,
            places=self._places[columns.voice[first]],
            begins=clock.times(begins),
            ends=ends,
            decisive=self._ends(first) if self.parameters.rules.first_word_decides else ends,
            begin_texts=[
                text or f"{begin:.15g}" for text, begin in zip(texts, begins.tolist(), strict=True)
            ],
            end_texts=[f"{end:.4f}" for end in (ends / clock.ticks).tolist()],
        )

    def segments(
        self, keywords: Sequence[Keyword], segmentation: Segmentation
    ) -> Iterator[tuple[int, int]]:
        """Yield keyword and segment of each occurrence; -1 if it extends over several segments."""
        columns = self.words.columns
        keyword_of, *edges = self.find(keywords)
        voices = columns.voice[edges[0]]
        places = self._places[voices].tolist()
        speakers = [columns.voices[voice][2] for voice in voices.tolist()]
        first, last = (
            map(
                segmentation.of_words,
                places,
                self.audio.clock.times(columns.begins[words]).tolist(),
                self._ends(words).tolist(),
                speakers,
            )
            for words in edges
        )
        for keyword, segment, other in zip(keyword_of.tolist(), first, last, strict=True):
            yield keyword, segment if segment == other else -1


class ListedReferences(ReferenceSource):
    """References as plain values; raises KeywordSearchError for an unlisted keyword."""

    def __init__(
        self, references: Iterable[Reference], audio: Audio, identifiers: Container[str]
    ) -> None:
        super().__init__(audio)
        self._of: dict[str, list[Reference]] = {}
        for reference in references:
            if reference.keyword not in identifiers:
                raise KeywordSearchError(
                    f"expected references of keywords of the list, found {reference.keyword!r}"
                )
            self._of.setdefault(reference.keyword, []).append(reference)

    def _own(self, keywords: Sequence[Keyword]) -> Iterator[tuple[int, int, Reference]]:
        """Yield keyword, place and reference of each occurrence in the audio, or in its shard."""
        for number, keyword in enumerate(told(keywords, "keywords")):
            for reference in self._of.get(keyword.identifier, ()):
                place = self.audio.places.get((reference.file, reference.channel), -1)
                if place in self.audio.own:
                    yield number, place, reference

    def spoken(self, keywords: Sequence[Keyword]) -> SpokenColumns:
        """Return every occurrence of the keywords; the audio must contain all of it."""
        own = list(self._own(keywords))
        clock = self.audio.clock
        ends = np.array([clock.time(each.end) for *_, each in own], dtype=np.float64)
        return SpokenColumns(
            keywords=np.array([keyword for keyword, *_ in own], dtype=np.int64),
            places=np.array([place for _, place, _ in own], dtype=np.int64),
            begins=np.array([clock.time(each.begin) for *_, each in own], dtype=np.float64),
            ends=ends,
            decisive=ends,
            begin_texts=[each.begin_text or f"{each.begin:.15g}" for *_, each in own],
            end_texts=[f"{each.end:.4f}" for *_, each in own],
        )

    def segments(
        self, keywords: Sequence[Keyword], segmentation: Segmentation
    ) -> Iterator[tuple[int, int]]:
        """Yield keyword and speech segment (or -1) of each occurrence."""
        clock = self.audio.clock
        for keyword, place, each in self._own(keywords):
            times = clock.time(each.begin), clock.time(each.end)
            yield keyword, segmentation.of_words(place, *times, None)


def batches_of(sizes: npt.NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of consecutive items of `most` size together, or of one item.

    >>> list(batches_of(np.array([2, 3, 9, 1, 0]), 5))
    [(0, 2), (2, 3), (3, 5)]
    """
    totals = np.cumsum(sizes)
    low = 0
    while low < len(sizes):
        allowed = totals[low] - sizes[low] + most
        high = max(low + 1, int(np.searchsorted(totals, allowed, side="right")))
        yield low, high
        low = high

"""Reference occurrences of keywords: sequences of words with a keyword's text."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from formats.keywords.model import Keyword
from scoring.tasks.kws.audio import Audio
from scoring.tasks.kws.parameters import KeywordSearchError, Parameters
from scoring.tasks.kws.segments import Segmentation
from scoring.tasks.kws.text import Splitting, lowered, split_keyword
from scoring.tasks.kws.word_table import TimedWord, WordTable


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


class ReferenceSource:
    """The occurrences of keywords; `outside` counts occurrences outside the scored audio."""

    def __init__(self, audio: Audio) -> None:
        self.audio = audio
        self.outside = 0

    def spoken(self, keyword: Keyword) -> Iterator[tuple[FoundReference, float]]:
        """Yield each occurrence, with the end that must be inside the audio.

        The excerpt of the occurrence is not yet set.
        """
        raise NotImplementedError

    def references(self, keyword: Keyword) -> Iterator[FoundReference]:
        """Yield the occurrences within the scored audio; `outside` counts all other occurrences."""
        for found, decisive in self.spoken(keyword):
            excerpt = self.audio.holding(found.place, found.begin, decisive)
            if excerpt < 0:
                self.outside += 1
            else:
                yield found._replace(excerpt=excerpt)

    def segments(self, keyword: Keyword, segmentation: Segmentation) -> Iterator[int]:
        """Yield the speech segment that contains each occurrence, or -1."""
        raise NotImplementedError


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
        self._at: dict[str, list[int]] = {}
        folded: dict[str, str] = {}
        own = {channel for channel, number in audio.places.items() if number in audio.own}
        in_no_place = -1 in audio.own
        for index, word in enumerate(words.words):
            channel = word.file, word.channel
            if word.can_begin and (channel in own or (in_no_place and channel not in audio.places)):
                text = folded.get(word.token)
                if text is None:
                    text = folded[word.token] = lowered(word.token, compare_normalize)
                self._at.setdefault(text, []).append(index)

    def find(self, keyword: Keyword) -> list[tuple[int, int]]:
        """Return the first and last word of every occurrence of a keyword, scored or not."""
        texts = split_keyword(lowered(keyword.text, self.compare_normalize), Splitting())
        if not texts:
            raise KeywordSearchError(f"keyword {keyword.identifier!r}: expected a word, found none")
        starts = self._at.get(texts[0], ())
        if len(texts) == 1:
            return [(index, index) for index in starts]
        ignores_case = (
            self.parameters.rules.later_words_ignore_case or self.compare_normalize == "lowercase"
        )
        later = [text.lower() for text in texts[1:]] if ignores_case else texts[1:]
        spoken = []
        for index in starts:
            last = self._last_word(index, later, ignores_case)
            if last >= 0:
                spoken.append((index, last))
        return spoken

    def _last_word(self, index: int, texts: Sequence[str], ignores_case: bool) -> int:
        words, clock = self.words.words, self.audio.clock
        for text in texts:
            following = self.words.followers[index]
            if following < 0:
                return -1
            token = words[following].token
            if (token.lower() if ignores_case else token) != text:
                return -1
            begin = clock.time(words[following].begin)
            if clock.gap(self._end(words[index]), begin) > self.parameters.largest_gap:
                return -1
            index = following
        return index

    def _end(self, word: TimedWord) -> float:
        return self.audio.clock.end(word.begin, word.duration)

    def _places(self, keyword: Keyword) -> Iterator[tuple[int, TimedWord, TimedWord]]:
        """Yield the place (file, channel), first and last word of each occurrence of a keyword."""
        words = self.words.words
        for first, last in self.find(keyword):
            channel = self.audio.places.get((words[first].file, words[first].channel), -1)
            yield channel, words[first], words[last]

    def spoken(self, keyword: Keyword) -> Iterator[tuple[FoundReference, float]]:
        """Yield every occurrence. By some rules, only its first word must be inside the audio."""
        clock = self.audio.clock
        for channel, first, last in self._places(keyword):
            begin, end = clock.time(first.begin), self._end(last)
            text = first.begin_text or f"{first.begin:.15g}"
            found = FoundReference(channel, begin, end, -1, text, f"{clock.seconds(end):.4f}")
            yield found, self._end(first) if self.parameters.rules.first_word_decides else end

    def segments(self, keyword: Keyword, segmentation: Segmentation) -> Iterator[int]:
        """Yield the segment of each occurrence, or -1 if it extends over several segments."""
        clock = self.audio.clock
        for channel, *ends in self._places(keyword):
            first, last = (
                segmentation.of_words(
                    channel, clock.time(word.begin), self._end(word), word.speaker
                )
                for word in ends
            )
            yield first if first == last else -1


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

    def _places(self, keyword: Keyword) -> Iterator[tuple[Reference, int, float, float]]:
        """Yield the place (file, channel), begin and end of each listed occurrence of a keyword."""
        clock = self.audio.clock
        for reference in self._of.get(keyword.identifier, ()):
            channel = self.audio.places.get((reference.file, reference.channel), -1)
            if channel in self.audio.own:
                yield reference, channel, clock.time(reference.begin), clock.time(reference.end)

    def spoken(self, keyword: Keyword) -> Iterator[tuple[FoundReference, float]]:
        """Yield every occurrence of a keyword; the audio must contain all of it."""
        for reference, channel, begin, end in self._places(keyword):
            text = reference.begin_text or f"{reference.begin:.15g}"
            yield FoundReference(channel, begin, end, -1, text, f"{reference.end:.4f}"), end

    def segments(self, keyword: Keyword, segmentation: Segmentation) -> Iterator[int]:
        """Yield the speech segment that contains each occurrence, or -1."""
        for _, channel, begin, end in self._places(keyword):
            yield segmentation.of_words(channel, begin, end, None)

"""Times, confidences and original forms of the words of one side.

Scored words may differ from the words in the input: normalisation rewrites words, units split them,
and alternatives are chosen. A scored word has the time and confidence of its original word, if
there is one. To find the original word, each input word is normalised and split separately, and the
pieces are aligned with the scored words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoring.alignment.blocks import matching_blocks
from scoring.text.readings import written
from scoring.text.units import split_in_units
from scoring.text.utterances import normalize_utterances, normalize_words

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Token, Words
    from scoring.results import Rates
    from scoring.text.step import Step

AS_READ = "as read"
# Beyond so many words times steps only the first and the last form are kept.
MOST_STEPPED = 3_000_000


class Known(NamedTuple):
    """The time and the confidence of a word, each None if unknown."""

    start_ns: int | None
    end_ns: int | None
    confidence: float | None


UNKNOWN = Known(None, None, None)


class Stage(NamedTuple):
    """The texts of all utterances after a step of normalisation; None if a text is unchanged."""

    title: str
    texts: Sequence[Words | None]


class ScoredSide:
    """One side of a result: the scored words, the segments as read, and the steps in between."""

    def __init__(self, rates: Rates, name: str) -> None:
        aligned, sources = rates.aligned, rates.sources
        is_reference = name == "reference"
        self.words = aligned.references if is_reference else aligned.hypotheses
        self.segments: Sequence[Segment | None] = [None] * len(rates)
        self.steps: Sequence[Step] = ()
        self.unit = rates.rules.unit
        if sources is not None:
            self.segments = sources.references if is_reference else sources.hypotheses
            self.steps = () if sources.pipeline is None else sources.pipeline.steps(name)
        self._pieces: dict[str, Words] = {}

    @property
    def is_timed(self) -> bool:
        """True if any word of the input has a start time."""
        return self._has("starts_ns", "start_ns")

    @property
    def is_confident(self) -> bool:
        """True if any word of the input has a confidence."""
        return self._has("confidences", "confidence")

    def _has(self, column: str, attribute: str) -> bool:
        return any(
            getattr(segment, column) is not None
            or any(
                getattr(token, attribute) is not None
                for _, alternation in segment.alternations
                for token in alternation.tokens()
            )
            for segment in self.segments
            if segment is not None
        )

    def known(self) -> Iterator[Known]:
        """Yield the time and confidence of every scored word, one utterance after the other."""
        for words, segment in zip(self.words, self.segments, strict=True):
            yield from self.known_of(words, segment)

    def known_of(self, words: Words, segment: Segment | None) -> Iterator[Known]:
        """Return the times and confidences of the scored words of one utterance."""
        if segment is None:
            return (UNKNOWN for _ in words)
        if not segment.alternations and segment.words == words:
            columns = segment.starts_ns, segment.ends_ns, segment.confidences
            return map(Known, *(column or (None,) * len(words) for column in columns))
        tokens = list(segment.all_tokens())
        origins = self.origins_of(words, [token.text for token in tokens])
        return (UNKNOWN if origin is None else _known(tokens[origin]) for origin in origins)

    def origins_of(self, words: Words, read: Sequence[str]) -> list[int | None]:
        """Return, for each scored word of an utterance, the position of its original word."""
        return carried(words, read, self._pieces_of)

    def learn(self, words: Collection[str]) -> None:
        """Normalise many words in one batch, to speed up `origins_of`."""
        rows = [(word,) for word in words]
        normalized = normalize_utterances(rows, {}, self.steps).words if self.steps else rows
        for word, pieces in zip(words, normalized, strict=True):
            self._pieces[word] = split_in_units(pieces, self.unit)

    def _pieces_of(self, word: str) -> Words:
        """Return the pieces of a single word after normalisation, cut into units."""
        if word not in self._pieces:
            words: Words = normalize_words((word,), self.steps)[0] if self.steps else (word,)
            self._pieces[word] = split_in_units(words, self.unit)
        return self._pieces[word]

    def stages(self) -> list[Stage]:
        """Return the texts as read and, unless there are too many words, after each step.

        The last stage is the scored text, unless it equals the text after the last step.
        """
        read = list(map(_read, self.segments))
        stages = [Stage(AS_READ, _unless_same(read, self.words))]
        if not self.steps or len(self.steps) * sum(map(len, read)) > MOST_STEPPED:
            return stages
        words: Sequence[Words] = [
            () if segment is None else segment.words for segment in self.segments
        ]
        special = {
            utterance: segment
            for utterance, segment in enumerate(self.segments)
            if segment is not None and (segment.alternations or segment.optional is not None)
        }
        before = read
        for step in self.steps:
            normalized = normalize_utterances(words, special, [step])
            words, special = normalized.words, normalized.special
            after = list(words)
            for utterance, segment in special.items():
                after[utterance] = _read(segment)
            stages.append(Stage(str(step), _unless_same(after, before)))
            before = after
        return stages


def carried(
    scored: Sequence[str], read: Sequence[str], pieces_of: Callable[[str], Words]
) -> list[int | None]:
    """Return, for each scored word, the position of its original word; None if unknown.

    If several scored words replace a single word, this word is the original of all of them.

    Examples
    --------
    >>> carried(["it", "is", "50"], ["It's", "50"], lambda word: (word.lower(),))
    [0, 0, 1]
    >>> carried(["25", "dogs"], ["twenty", "five", "dogs"], lambda word: (word,))
    [None, 2]
    >>> carried("abc", ["ab", "c"], tuple)
    [0, 0, 1]
    """
    pieces = [(piece, origin) for origin, word in enumerate(read) for piece in pieces_of(word)]
    if [piece for piece, _ in pieces] == list(scored):
        return [origin for _, origin in pieces]
    origins: list[int | None] = [None] * len(scored)
    try:
        blocks = matching_blocks([piece for piece, _ in pieces], scored)
    except ValueError:  # too many equal words
        return origins
    for begin, facing, size in blocks:
        origins[facing : facing + size] = [origin for _, origin in pieces[begin : begin + size]]
    known = [(place, origin) for place, origin in enumerate(origins) if origin is not None]
    edges = [(-1, -1), *known, (len(scored), len(read))]
    for (place, origin), (following, after) in pairwise(edges):
        if after == origin + 2:
            origins[place + 1 : following] = [origin + 1] * (following - place - 1)
    return origins


def _known(token: Token) -> Known:
    return Known(token.start_ns, token.end_ns, token.confidence)


def _read(segment: Segment | None) -> Words:
    if segment is None:
        return ()
    if segment.alternations:
        return tuple(written(segment.items()).split(" "))
    return segment.words


def _unless_same(texts: Sequence[Words], earlier: Sequence[Words]) -> list[Words | None]:
    return [None if text == before else text for text, before in zip(texts, earlier, strict=True)]

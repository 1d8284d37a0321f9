"""What is known of the words of one side beside the words: times, confidences, earlier forms.

What was scored may differ from what was read: normalisation rewrites words, units cut them, one of
several alternatives is taken. A word keeps time and confidence of the word it was made of where
that can be told: each read word is normalised and cut by itself, and what comes out is aligned
with what was scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.alignment.blocks import matching_blocks
from scoring.normalize.readings import written
from scoring.normalize.units import Words, split_in_units
from scoring.normalize.utterances import normalize_utterances, normalize_words

if TYPE_CHECKING:
    from formats.model import Segment
    from formats.words import Token
    from scoring.normalize.pipeline import Pipeline

AS_READ = "as read"
# Beyond so many words times steps only the first and the last form are kept.
MOST_STEPPED = 3_000_000


class Known(NamedTuple):
    """What is known of a word; None: nothing."""

    start_ns: int | None
    end_ns: int | None
    confidence: float | None


UNKNOWN = Known(None, None, None)


class Stage(NamedTuple):
    """The texts after a step; None where it left a text as it was."""

    title: str
    texts: Sequence[Words | None]


class ReportSide:
    """One side of a result.

    Parameters
    ----------
    scored
        The words of each utterance that were scored.
    segments
        What was read; None where nothing was.
    name
        `reference` or `hypothesis`.
    pipeline
        The normalisation; None without.
    unit
        What the words were cut in.
    """

    def __init__(
        self,
        scored: Sequence[Words],
        segments: Sequence[Segment | None],
        name: str,
        pipeline: Pipeline | None,
        unit: str,
    ) -> None:
        self.scored = scored
        self.segments = segments
        self.unit = unit
        self.steps = () if pipeline is None else pipeline.steps(name)
        self._pieces: dict[str, Words] = {}

    def has(self, column: str, attribute: str) -> bool:
        """Whether any word has a time, or a confidence."""
        return any(
            getattr(segment, column) is not None
            or any(
                getattr(token, attribute) is not None
                for _, one in segment.alternations
                for token in one.tokens()
            )
            for segment in self.segments
            if segment is not None
        )

    def known(self) -> Iterator[Known]:
        """What is known of every scored word, utterance by utterance."""
        for words, segment in zip(self.scored, self.segments, strict=True):
            yield from self.known_of(words, segment)

    def known_of(self, words: Words, segment: Segment | None) -> Iterator[Known]:
        """What is known of the scored words of one utterance."""
        if segment is None:
            return (UNKNOWN for _ in words)
        if not segment.alternations and segment.words == words:
            nothing = (None,) * len(words)
            return map(
                Known,
                segment.starts_ns or nothing,
                segment.ends_ns or nothing,
                segment.confidences or nothing,
            )
        tokens = list(segment.all_tokens())
        found = carried(words, [token.text for token in tokens], self._made_of)
        return (UNKNOWN if at is None else _known(tokens[at]) for at in found)

    def _made_of(self, word: str) -> Words:
        """What a word becomes by itself."""
        if word not in self._pieces:
            words: Words = normalize_words((word,), self.steps)[0] if self.steps else (word,)
            self._pieces[word] = split_in_units(words, self.unit)
        return self._pieces[word]

    def stages(self) -> list[Stage]:
        """The texts as read and, unless there are too many words, after each step.

        The last form is what was scored; it is left out where it is that of the last step.
        """
        read = list(map(_read, self.segments))
        stages = [Stage(AS_READ, _unless_same(read, self.scored))]
        if not self.steps or len(self.steps) * sum(map(len, read)) > MOST_STEPPED:
            return stages
        words: Sequence[Words] = [() if one is None else one.words for one in self.segments]
        special = {
            at: one
            for at, one in enumerate(self.segments)
            if one is not None and (one.alternations or one.optional is not None)
        }
        before = read
        for step in self.steps:
            found = normalize_utterances(words, special, [step])
            words, special = found.words, found.special
            after = list(words)
            for at, segment in special.items():
                after[at] = _read(segment)
            stages.append(Stage(str(step), _unless_same(after, before)))
            before = after
        return stages


def carried(
    scored: Sequence[str], read: Sequence[str], made_of: Callable[[str], Words]
) -> list[int | None]:
    """For each scored word the position of the read word it was made of; None: not to be told.

    Examples
    --------
    >>> carried(["it", "is", "50"], ["It's", "50"], lambda word: (word.lower(),))
    [None, None, 1]
    >>> carried("abc", ["ab", "c"], tuple)
    [0, 0, 1]
    """
    pieces = [(piece, at) for at, word in enumerate(read) for piece in made_of(word)]
    if [piece for piece, _ in pieces] == list(scored):
        return [at for _, at in pieces]
    found: list[int | None] = [None] * len(scored)
    try:
        blocks = matching_blocks([piece for piece, _ in pieces], scored)
    except ValueError:  # too many equal words
        return found
    for begin, other, size in blocks:
        found[other : other + size] = [at for _, at in pieces[begin : begin + size]]
    return found


def _known(token: Token) -> Known:
    return Known(token.start_ns, token.end_ns, token.confidence)


def _read(segment: Segment | None) -> Words:
    if segment is None:
        return ()
    if segment.alternations:
        return tuple(written(segment.items()).split(" "))
    return segment.words


def _unless_same(texts: Sequence[Words], others: Sequence[Words]) -> list[Words | None]:
    return [None if one == other else one for one, other in zip(texts, others, strict=True)]

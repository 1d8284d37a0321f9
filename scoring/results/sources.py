"""The input segments, kept in a result for reports with times, confidences and labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.messages import Message
from scoring.model.errors import InputError
from scoring.results import messages
from scoring.sides.corpus import NO_PARTNER, Corpus, ListedNames

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Definition
    from scoring.text.pipeline import Pipeline
    from scoring.text.step import Step
    from scoring.text.utterances import Facing

SEEN = 200
"""The number of utterances whose letters determine the script."""


class WordOrigin(NamedTuple):
    """The speaker or stream of a word, and its times in nanoseconds; None if unknown."""

    speaker: str
    start_ns: int | None
    end_ns: int | None


class Sources(NamedTuple):
    """The input segments of each utterance of a result, and the normalisation steps.

    Segments are as read, before normalisation and before words were split into units. None marks a
    missing hypothesis. `definitions` describe the subset labels of the reference. If both sides
    have speakers, `said` and `heard` have the origin of each scored word; a word without times gets
    the times of its segment. Without speakers, `said` and `heard` are empty. If whole recordings
    were aligned and cut, `streams` has the hypothesis segments of each recording as read, and
    `stream_of` has the index in `streams` for each utterance. Otherwise `streams` and `stream_of`
    are empty.
    """

    references: Sequence[Segment]
    hypotheses: Sequence[Segment | None]
    definitions: tuple[Definition, ...] = ()
    pipeline: Pipeline | None = None
    said: Sequence[Sequence[WordOrigin]] = ()
    heard: Sequence[Sequence[WordOrigin]] = ()
    streams: Sequence[Sequence[Segment]] = ()
    stream_of: Sequence[int] = ()

    def slice(self, begin: int, end: int) -> Sources:
        """Return the sources of the utterances from one position to another."""
        columns = ("references", "hypotheses", "said", "heard", "stream_of")
        return self._replace(**{name: getattr(self, name)[begin:end] for name in columns})

    def joined(self, addition: Sources | None) -> Sources | None:
        """Join the sources of two results; None if a result has no sources."""
        if addition is None:
            return None
        return self._replace(
            references=[*self.references, *addition.references],
            hypotheses=[*self.hypotheses, *addition.hypotheses],
            definitions=tuple(dict.fromkeys((*self.definitions, *addition.definitions))),
            said=[*self.said, *addition.said],
            heard=[*self.heard, *addition.heard],
        )


def with_segments(corpus: Corpus) -> Corpus:
    """Return the utterances with one segment each; missing segments are created from the words."""
    if corpus.segments:
        return corpus
    from formats.schema.model import Segment

    segments = [Segment("-", words) for words in corpus.words]
    for position, segment in corpus.special.items():
        segments[position] = segment
    return corpus._replace(segments=segments)


def sources_of(
    reference: Corpus, hypothesis: Corpus, partners: Sequence[int], pipeline: Pipeline | None
) -> Sources:
    """Return the segments of both sides, one per utterance and side."""
    segments = hypothesis.spoken
    return Sources(
        reference.spoken,
        [None if position == NO_PARTNER else segments[position] for position in partners],
        reference.definitions,
        pipeline,
    )


def with_streams(
    sources: Sources,
    sizes: Sequence[int],
    streams: Sequence[Sequence[Segment]],
    rows: Sequence[int],
) -> Sources:
    """Return the sources with the hypothesis segments of whole recordings.

    `sizes` are the numbers of utterances in each recording.
    """
    numbers = [number for number, size in enumerate(sizes) for _ in range(size)]
    return sources._replace(streams=streams, stream_of=[numbers[row] for row in rows])


def normalized(
    corpus: Corpus,
    pipeline: Pipeline,
    side: str,
    settled: Set[int] = frozenset(),
    facing: Facing | None = None,
) -> Corpus:
    """Return the utterances of a side after the normalisation steps.

    `settled` is an argument of `normalize_utterances`. Remarks list utterances that lost all words,
    and words that a step counted.
    """
    from scoring.text.utterances import normalize_utterances

    steps = pipeline.steps(side)
    if not steps:
        return corpus
    try:
        outcome = normalize_utterances(corpus.words, corpus.special, steps, settled, facing)
    except ValueError as problem:
        raise InputError(corpus.name, None, None, str(problem)) from None
    remarks = list(corpus.remarks)
    if outcome.emptied:
        emptied = ListedNames.of(corpus.identifiers[row] for row in outcome.emptied)
        role = "reference" if side == "reference" else "hypothesis"
        fields = {"path": corpus.name, "side": role, **emptied.fields}
        remarks.append(Message(messages.EMPTIED, fields))
    remarks += _script_notes(corpus, steps)
    remarks += [
        Message(messages.WORDS_MET, {"path": corpus.name, "step": step, "words": number})
        for step, number in outcome.counts
    ]
    return corpus._replace(
        words=outcome.words,
        special=outcome.special,
        settled=outcome.settled,
        remarks=tuple(remarks),
    )


def _script_notes(corpus: Corpus, steps: Sequence[Step]) -> Iterator[Message]:
    """Yield notes about steps for a language if the first utterances have another script."""
    concerned = [step for step in steps if step.script]
    if not concerned:
        return
    from scoring.text.removed import letters_and_marks, script_instead

    words = chain.from_iterable(islice(filter(None, corpus.words), SEEN))
    letters = letters_and_marks(" ".join(words))
    for step in concerned:
        if instead := script_instead(step.script, letters):
            fields = {"step": str(step), "expected": step.script, "found": instead}
            yield Message(messages.OTHER_SCRIPT, {"path": corpus.name, **fields})

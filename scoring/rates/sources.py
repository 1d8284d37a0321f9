"""What stood in the files, kept beside a result for reports that show more than what was scored.

A score needs words only. Reports for people also want times, confidences, subset labels, and the
words as they were before normalisation: all of that is in the segments that were read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.errors import InputError
from scoring.sides.account import NO_PARTNER, ListedNames
from scoring.sides.corpus import Corpus

if TYPE_CHECKING:
    from formats.model import Segment
    from formats.words import Definition
    from scoring.normalize.pipeline import Pipeline


class WordOrigin(NamedTuple):
    """Who says a word, or on which stream it is, and when, in nanoseconds; None: not known."""

    speaker: str
    start_ns: int | None
    end_ns: int | None


class Sources(NamedTuple):
    """The segments after the utterances of a result, in its order.

    Attributes
    ----------
    references, hypotheses
        As read, before normalisation and before words were cut in units; None is a reference
        without hypothesis.
    definitions
        What the reference says of its subset labels.
    pipeline
        The normalisation both went through; None without.
    said, heard
        Of each word that was scored who said it and when, where there are speakers on both sides:
        times of words that have none of their own are worked out from those of their segment.
        Empty elsewhere.
    """

    references: Sequence[Segment]
    hypotheses: Sequence[Segment | None]
    definitions: tuple[Definition, ...] = ()
    pipeline: Pipeline | None = None
    said: Sequence[Sequence[WordOrigin]] = ()
    heard: Sequence[Sequence[WordOrigin]] = ()

    def slice(self, begin: int, end: int) -> Sources:
        """Those of the utterances from one position to another."""
        return self._replace(
            references=self.references[begin:end],
            hypotheses=self.hypotheses[begin:end],
            said=self.said[begin:end],
            heard=self.heard[begin:end],
        )

    def joined(self, other: Sources | None) -> Sources | None:
        """Those of two results together; None if one of them has none."""
        if other is None:
            return None
        return self._replace(
            references=[*self.references, *other.references],
            hypotheses=[*self.hypotheses, *other.hypotheses],
            definitions=tuple(dict.fromkeys((*self.definitions, *other.definitions))),
            said=[*self.said, *other.said],
            heard=[*self.heard, *other.heard],
        )


def with_segments(corpus: Corpus) -> Corpus:
    """The same utterances, each with a segment: of its words alone where none was kept."""
    if corpus.segments:
        return corpus
    from formats.model import Segment

    segments = [Segment("-", words) for words in corpus.words]
    for position, segment in corpus.special.items():
        segments[position] = segment
    return corpus._replace(segments=segments)


def sources_of(
    reference: Corpus, hypothesis: Corpus, partners: Sequence[int], pipeline: Pipeline | None
) -> Sources:
    """The segments of two sides, each of which has one for each utterance."""
    segments = hypothesis.spoken
    return Sources(
        reference.spoken,
        [None if position == NO_PARTNER else segments[position] for position in partners],
        reference.definitions,
        pipeline,
    )


def normalized(corpus: Corpus, pipeline: Pipeline, side: str, jobs: int = 1) -> Corpus:
    """The utterances of a side after the steps for it.

    Utterances that had words and have none are told by name, and how many words the steps met
    that count.
    """
    from scoring.normalize.processes import normalize_in_processes

    steps = pipeline.steps(side)
    if not steps:
        return corpus
    try:
        found = normalize_in_processes(corpus.words, corpus.special, steps, jobs)
    except ValueError as problem:
        raise InputError(corpus.name, None, None, str(problem)) from None
    remarks = list(corpus.remarks)
    if found.emptied:
        listed = ListedNames.of([corpus.identifiers[at] for at in found.emptied])
        what = "reference" if side == "reference" else "hypothesis"
        remarks.append(f"{corpus.name}: normalisation left no words of {what} {listed}")
    remarks += [
        f"note: {corpus.name}: {step}: words met: {number}" for step, number in found.counts
    ]
    return corpus._replace(words=found.words, special=found.special, remarks=tuple(remarks))

"""Scoring hypotheses against a reference: read, pair, align, count. The one place that joins."""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from scoring.alignment.sides import CostMode, Edits, WordCosts, align_sides
from scoring.errors import OriginalError, ScoringError
from scoring.pairing.pairing import Always, Done, Pairing, Reduction, Setting
from scoring.side import Side
from scoring.system import (
    CASE_SENSITIVE,
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_CONFIDENCES,
    REFERENCE_WEIGHTS,
    System,
    Vocabulary,
    Words,
)
from scoring.transcripts.characters import Characters
from scoring.transcripts.files import Source, Warn
from scoring.transcripts.lexicon import Lexicon
from scoring.transcripts.weights import WordWeights
from scoring.transcripts.words import fragments_match

if TYPE_CHECKING:  # few runs need it: start-up is part of the speed
    from scoring.segmentation.segmentation import Segmenter, SegmentationRequest


class ScoreRequest(NamedTuple):
    """What decides about the alignments; sclite's option in brackets.

    Attributes
    ----------
    identifier_kind
        `wsj`, `rm`, `swb`, `sp` or `spu_id`: where a trn identifier names the speaker (`-i`).
    case_sensitive
        Upper and lower case are different (`-s`).
    fragments_correct
        Fragments match words they are part of (`-F`).
    optional_deletable
        Words in parentheses may be left out (`-D`).
    time_mediated
        Costs come from times, ctm with ctm only (`-T`).
    weights
        Costs come from word weights (`-w`).
    reduction
        Leave out what the other side's time range does not cover (`-m`).
    segmentation
        Infer the words of one side from a lexicon (`-S`); not with ctm references.
    verbose
        How much `Progress` tells (`-f`).
    """

    identifier_kind: str = ""
    case_sensitive: bool = False
    fragments_correct: bool = False
    optional_deletable: bool = False
    time_mediated: bool = False
    weights: WordWeights | None = None
    reduction: Reduction = Reduction()
    segmentation: SegmentationRequest | None = None
    verbose: int = 0

    @property
    def attributes(self) -> int:
        """The bits of `System.utterances.attributes` that hold for every utterance."""
        bits = CASE_SENSITIVE if self.case_sensitive else 0
        if self.weights is not None:
            bits |= REFERENCE_WEIGHTS | HYPOTHESIS_WEIGHTS
        return bits


class Scored(NamedTuple):
    """A system, what sclite says while it aligns it, and what ended it early, if anything did."""

    system: System
    progress: Iterator[str | int]
    failure: ScoringError | None


class Session:
    """Scores one hypothesis after the other; utterances are numbered through.

    Parameters
    ----------
    request
        Options, the same for all hypotheses.
    warn
        Gets every message for the error stream, final newline included.
    """

    def __init__(self, request: ScoreRequest, warn: Warn) -> None:
        self.request = request
        self._warn = warn
        self._characters = Characters(request.case_sensitive)
        self._segmenter = self._make_segmenter()
        self._sequence = 0

    def _make_segmenter(self) -> Segmenter | None:
        request = self.request.segmentation
        if request is None:
            return None
        from scoring.segmentation.segmentation import Segmenter

        return Segmenter(request, self._characters, self._warn)

    def score(self, reference: Source, hypothesis: Source) -> Scored:
        """Align one hypothesis file with the reference file.

        Raises
        ------
        OriginalError
            If the formats cannot be scored against each other, or the files do not fit; with
            sclite's text.
        InputError
            If a file is malformed; with file, line and column.
        """
        created = time.ctime()
        request = self.request
        lexicon = Lexicon(
            optional_deletable=request.optional_deletable,
            fragments_correct=request.fragments_correct,
        )
        pairing = self._pair(reference, hypothesis, lexicon)
        self._sequence += len(pairing.utterances.identifiers)
        if self._segmenter is not None and pairing.failure is None and not pairing.by_time:
            self._segmenter.segment(pairing.reference, pairing.hypothesis, lexicon)
        edits = align_sides(
            pairing.reference, pairing.hypothesis, self._costs(lexicon), by_time=pairing.by_time
        )
        system = self._system(reference, hypothesis, created, lexicon, pairing, edits)
        return Scored(system, _with_null_pairs(pairing, edits), pairing.failure)

    def _pair(self, reference: Source, hypothesis: Source, lexicon: Lexicon) -> Pairing:
        request = self.request
        setting = Setting(
            characters=self._characters,
            lexicon=lexicon,
            attributes=request.attributes,
            first_sequence=self._sequence,
            verbose=request.verbose,
            warn=self._warn,
            segmenter=self._segmenter,
        )
        formats = (reference.format, hypothesis.format)
        # each kind of pairing is loaded when it is needed: start-up is part of the speed
        if formats == ("trn", "trn"):
            from scoring.pairing.by_identifier import pair_by_identifier

            return pair_by_identifier(reference, hypothesis, setting, request.identifier_kind)
        if formats == ("stm", "ctm"):
            from scoring.pairing.by_time import pair_by_time

            return pair_by_time(reference, hypothesis, setting, request.reduction)
        if formats == ("ctm", "ctm"):
            from scoring.pairing.by_gaps import pair_by_gaps

            return pair_by_gaps(reference, hypothesis, setting, request.time_mediated)
        raise OriginalError(
            f"Error: Unable to score '{hypothesis.format}' against '{reference.format}'\n"
        )

    def _costs(self, lexicon: Lexicon) -> WordCosts:
        request = self.request
        types = lexicon.types()
        mode, weights = CostMode.FIXED, None
        if request.time_mediated:
            mode = CostMode.TIMES
        elif request.weights is not None:
            mode, weights = CostMode.WEIGHTS, array("d", map(request.weights.of, types))
        matches = fragments_match if request.fragments_correct else None
        return WordCosts(types, mode, weights, matches)

    def _system(
        self,
        reference: Source,
        hypothesis: Source,
        created: str,
        lexicon: Lexicon,
        pairing: Pairing,
        edits: Edits,
    ) -> System:
        request = self.request
        types = lexicon.types()
        weights = request.weights
        attributes = 0
        for bits in set(pairing.utterances.attributes):
            attributes |= bits
        return System(
            title=hypothesis.title,
            reference_name=reference.name,
            hypothesis_name=hypothesis.name,
            creation_date=created,
            fragments_correct=request.fragments_correct,
            optional_deletable=request.optional_deletable,
            weights_name=None if weights is None else weights.name,
            labels=pairing.definitions.labels,
            categories=pairing.definitions.categories,
            speakers=pairing.speakers,
            utterances=pairing.utterances,
            vocabulary=Vocabulary(
                types,
                self._characters.upper,
                None if weights is None else array("d", map(weights.of, types)),
            ),
            reference=_words(pairing.reference, bool(attributes & REFERENCE_CONFIDENCES)),
            hypothesis=_words(pairing.hypothesis, bool(attributes & HYPOTHESIS_CONFIDENCES)),
            edits=edits.edits,
            edit_offsets=edits.offsets,
            counts=edits.counts,
        )


def _words(side: Side, confident: bool) -> Words:
    confidences = side.confidences if confident else None
    return Words(side.types, side.begins, side.ends, side.starts, side.finishes, confidences)


def _with_null_pairs(pairing: Pairing, edits: Edits) -> Iterator[str | int]:
    """The progress of a pairing, with the original's remark on every pair of null words."""
    if not edits.null_pairs:
        return pairing.progress
    return _interspersed(pairing.progress, edits.null_pairs)


def _interspersed(progress: Iterator[str | int], null_pairs: list[int]) -> Iterator[str | int]:
    for event in progress:
        if isinstance(event, Done):
            yield from [Always("substition of to nulls\n")] * null_pairs.count(event)
        yield event

"""Score hypotheses against a reference: read, pair, align and count."""

from __future__ import annotations

import time

from formats.schema import NamedTuple
from scoring.alignment.numbered import fragments_match
from scoring.alignment.results import CountsTable
from scoring.alignment.sides import CostMode, Edits, WordCosts, align_sides
from scoring.alignment.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_CONFIDENCES,
    REFERENCE_WEIGHTS,
    System,
    Vocabulary,
)
from scoring.model.errors import OriginalError, ScoringError
from scoring.nist.pairing import (
    Always,
    Done,
    Pairing,
    Progress,
    Reduction,
    Setting,
)
from scoring.nist.transcripts.input_files import TranscriptFile, characters_of, remark
from scoring.nist.transcripts.lexicon import Lexicon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from scoring.alignment.numbered import WordType
    from scoring.model.aliases import Say
    from scoring.nist.language_model.weights import LanguageModelWeights
    from scoring.nist.segmentation.pieces import Splitter
    from scoring.nist.segmentation.segmentation import SegmentationRequest, Segmenter
    from scoring.nist.transcripts.pieces import FirstAlternatives
    from scoring.nist.transcripts.weights import WordWeights

# Reference and hypothesis in which option `-c` splits words.
SPLIT_FORMATS = (("trn", "trn"), ("stm", "ctm"))


class ScoreRequest(NamedTuple):
    """The options that determine the alignment, with sclite's option letters.

    The defaults are those of sclite_kit.
    """

    # `wsj`, `rm`, `swb`, `sp` or `spu_id`: where a trn identifier names the speaker (`-i`)
    identifier_kind: str = ""
    case_sensitive: bool = False  # upper and lower case are different (`-s`)
    fragments_correct: bool = False  # fragments match words they are part of (`-F`)
    optional_deletable: bool = False  # words in parentheses are optional (`-D`)
    time_mediated: bool = False  # costs come from times, ctm with ctm only (`-T`)
    # Costs come from word weights (`-w`); not where alignment is by diff
    weights: WordWeights | None = None
    # Costs come from a language model (`-L`); not where alignment is by diff
    language_model: LanguageModelWeights | None = None
    # Align by the system's `diff` (`-d`), except ctm with ctm. txt hypotheses always are
    use_diff: bool = False
    # Leave out what the other side's time range does not cover (`-m`)
    reduction: Reduction = Reduction()
    # Infer the words of one side from a lexicon (`-S`); not with ctm references
    segmentation: SegmentationRequest | None = None
    # What is a character, and which have a case (`-e`); of `ENCODINGS` and `LOCALIZATIONS`
    encoding: str = "ascii"
    localization: str = "generic"
    # Align characters instead of words (`-c`), ctm with ctm and under `-S` excepted; `NOASCII`
    # among them keeps ASCII characters together, `DH` drops hyphens. None: align words
    character_units: Collection[str] | None = None
    verbose: int = 0  # how much `Progress` tells (`-f`)

    @property
    def attributes(self) -> int:
        """The bits of `System.utterances.attributes` that are set for every utterance."""
        bits = CASE_SENSITIVE if self.case_sensitive else 0
        if self.weights is not None or self.language_model is not None:
            bits |= REFERENCE_WEIGHTS | HYPOTHESIS_WEIGHTS
        return bits


class Scored(NamedTuple):
    """A scored system, its progress messages, and the error that ended scoring early (or None)."""

    system: System
    progress: Progress
    failure: ScoringError | None


class Session:
    """Scores hypothesis files one after the other; utterances are numbered across files."""

    def __init__(self, request: ScoreRequest, warn: Say) -> None:
        self.request = request
        self._warn = warn
        self._characters = characters_of(
            request.encoding, request.localization, case_sensitive=request.case_sensitive
        )
        self._segmenter: Segmenter | None = None
        self._splitter: Splitter | None = None
        units = request.character_units
        if request.segmentation is not None:
            from scoring.nist.segmentation.segmentation import Segmenter

            self._segmenter = Segmenter(request.segmentation, self._characters, warn)
        elif units is not None:
            from scoring.nist.segmentation.pieces import Splitter
            from scoring.nist.transcripts.character_units import CharacterUnits

            cut = {"keep_ascii": "NOASCII" in units, "drop_hyphens": "DH" in units}
            self._splitter = Splitter(CharacterUnits(self._characters, **cut))
        self._alternatives: FirstAlternatives | None = None
        self._sequence = 0

    def score(self, reference: TranscriptFile, hypothesis: TranscriptFile) -> Scored:
        """Align one hypothesis file with the reference file."""
        created = time.ctime()
        request = self.request
        lexicon = Lexicon(
            optional_deletable=request.optional_deletable,
            fragments_correct=request.fragments_correct,
            characters=self._characters,
        )
        pairing = self._pair(reference, hypothesis, lexicon)
        self.number(len(pairing.utterances.identifiers))
        edits = pairing.edits
        if edits is None:
            pairing, edits = self._align(pairing, lexicon)
        system = self._system(reference, hypothesis, created, lexicon, pairing, edits)
        progress = pairing.progress
        if edits.null_pairs:
            progress = _with_null_pairs(progress, edits.null_pairs)
        return Scored(system, progress, pairing.failure)

    def number(self, utterances: int) -> int:
        """Reserve sequence numbers for utterances; return the first number."""
        first = self._sequence
        self._sequence += utterances
        return first

    def _pair(
        self, reference: TranscriptFile, hypothesis: TranscriptFile, lexicon: Lexicon
    ) -> Pairing:
        request = self.request
        formats = (reference.format, hypothesis.format)
        # under -S words are not split into characters, but stm with ctm says that they are
        says_so = self._segmenter is None or formats == ("stm", "ctm")
        by_characters = request.character_units is not None and formats in SPLIT_FORMATS and says_so
        setting = Setting(
            characters=self._characters,
            lexicon=lexicon,
            attributes=request.attributes | (CHARACTER_ALIGNED if by_characters else 0),
            first_sequence=self._sequence,
            verbose=request.verbose,
            warn=self._warn,
            segmenter=self._segmenter,
        )
        if formats == ("stm", "txt") or (request.use_diff and formats != ("ctm", "ctm")):
            return self._pair_by_diff(reference, hypothesis, setting)
        # each kind of pairing is loaded when it is needed: start-up is part of the speed
        if formats == ("trn", "trn"):
            from scoring.nist.pairing.by_identifier import pair_by_identifier

            return pair_by_identifier(reference, hypothesis, setting, request.identifier_kind)
        if formats == ("stm", "ctm"):
            from scoring.nist.pairing.by_time import pair_by_time

            return pair_by_time(reference, hypothesis, setting, request.reduction)
        if formats == ("ctm", "ctm"):
            from scoring.nist.pairing.by_gaps import pair_by_gaps

            return pair_by_gaps(reference, hypothesis, setting, request.time_mediated)
        raise _unable_to_score(reference, hypothesis)

    def _pair_by_diff(
        self, reference: TranscriptFile, hypothesis: TranscriptFile, setting: Setting
    ) -> Pairing:
        from scoring.nist.pairing import by_diff
        from scoring.nist.transcripts.pieces import FirstAlternatives

        if self._alternatives is None:
            self._alternatives = FirstAlternatives(self._characters, self._warn)
        setting = setting._replace(segmenter=None)
        formats = (reference.format, hypothesis.format)
        if formats == ("trn", "trn"):
            return by_diff.pair_trn_by_diff(
                reference, hypothesis, setting, self.request.identifier_kind, self._alternatives
            )
        if formats == ("stm", "ctm"):
            return by_diff.pair_stm_by_diff(reference, hypothesis, setting, self._alternatives)
        if formats == ("stm", "txt"):
            return by_diff.pair_txt_by_diff(reference, hypothesis, setting, self._alternatives)
        raise _unable_to_score(reference, hypothesis)

    def _align(self, pairing: Pairing, lexicon: Lexicon) -> tuple[Pairing, Edits]:
        """Align the words of a pairing; return the pairing and its edits.

        If a word cannot be weighed, the returned pairing ends before the utterance of the word,
        with an error.
        """
        reference, hypothesis = pairing.reference, pairing.hypothesis
        if self._segmenter is not None and pairing.failure is None and not pairing.by_time:
            self._segmenter.segment(reference, hypothesis, lexicon)
        if self._splitter is not None and not pairing.by_time:
            from scoring.nist.segmentation.characters import split_words

            split_words((reference, hypothesis), lexicon, self._splitter)
        infinite: Collection[int] = ()
        model = self.request.language_model
        if model is not None:
            weighing = model.weigh(reference, hypothesis, lexicon.types())
            infinite = weighing.infinite
            if weighing.failure is not None and weighing.failed is not None:
                pairing = pairing.failed_at(weighing.failed, weighing.failure)
        types, request = lexicon.types(), self.request
        mode, weights = CostMode.FIXED, None
        if request.time_mediated:
            mode = CostMode.TIMES
        elif request.weights is not None:
            mode, weights = CostMode.WEIGHTS, _weights_of(types, request.weights)
        elif model is not None:
            mode = CostMode.WEIGHTS
        matches = fragments_match if request.fragments_correct else None
        costs = WordCosts(types, mode, weights, matches)
        edits = align_sides(reference, hypothesis, costs, by_time=pairing.by_time)
        for utterance in sorted(infinite):
            if edits.offsets[utterance] == edits.offsets[utterance + 1]:
                identifier = pairing.utterances.identifiers[utterance]
                problem = "every alignment costs infinitely much; its words are not counted"
                self._warn(remark(identifier, problem))
        return pairing, edits

    def _system(
        self,
        reference: TranscriptFile,
        hypothesis: TranscriptFile,
        created: str,
        lexicon: Lexicon,
        pairing: Pairing,
        edits: Edits,
    ) -> System:
        request = self.request
        types = lexicon.types()
        by_diff = pairing.edits is not None
        weights = None if by_diff else request.weights
        model = None if by_diff else request.language_model
        named = weights or model
        attributes = 0
        for bits in set(pairing.utterances.attributes):
            attributes |= bits
        for side, confident in (
            (pairing.reference, REFERENCE_CONFIDENCES),
            (pairing.hypothesis, HYPOTHESIS_CONFIDENCES),
        ):
            if not attributes & confident:
                side.confidences = None
        return System(
            title=hypothesis.title,
            reference_name=reference.name,
            hypothesis_name=hypothesis.name,
            creation_date=created,
            fragments_correct=request.fragments_correct and not by_diff,
            optional_deletable=request.optional_deletable and not by_diff,
            weights_name=None if named is None else named.name,
            labels=pairing.definitions.labels,
            categories=pairing.definitions.categories,
            speakers=pairing.speakers,
            utterances=pairing.utterances,
            vocabulary=Vocabulary(
                types,
                self._characters.upper,
                None if weights is None else _weights_of(types, weights),
                self._characters.lower_text,
            ),
            reference=pairing.reference,
            hypothesis=pairing.hypothesis,
            edits=edits.edits,
            offsets=edits.offsets,
            counts=CountsTable(edits.counts.tobytes()),
        )


def _weights_of(types: Sequence[WordType], weights: WordWeights) -> Sequence[float]:
    """Return the weight of each word type."""
    from array import array

    return array("d", map(weights.of, types))


def _unable_to_score(reference: TranscriptFile, hypothesis: TranscriptFile) -> OriginalError:
    return OriginalError(
        f"Error: Unable to score '{hypothesis.format}' against '{reference.format}'\n"
    )


def _with_null_pairs(progress: Progress, null_pairs: list[int]) -> Progress:
    """Yield the progress events, and sclite's message for each aligned pair of null words.

    `null_pairs` has the utterance index of each such pair.
    """
    from collections import Counter

    remarks = Counter(null_pairs)
    for event in progress:
        if isinstance(event, Done):
            yield from [Always("substition of to nulls\n")] * remarks[event]
        yield event

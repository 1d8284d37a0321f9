"""Scores a keyword search from audio, keywords, words and detections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from formats.keywords.model import (
    Detection,
    Ecf,
    Excerpt,
    Keyword,
    KeywordList,
    Kwslist,
    KwslistHeader,
    SearchedKeyword,
)
from formats.schema.messages import Message
from scoring.tasks.kws.alignment import SearchAlignment, align_occurrences, align_segments
from scoring.tasks.kws.audio import Audio
from scoring.tasks.kws.conditions import KeywordCondition
from scoring.tasks.kws.detections import DetectionTable
from scoring.tasks.kws.measures import Curve, SetScores, curve, measure
from scoring.tasks.kws.parameters import (
    F4DE,
    ContradictingDecisionsError,
    KeywordSearchError,
    Parameters,
)
from scoring.tasks.kws.references import (
    ListedReferences,
    Reference,
    ReferenceFinder,
    ReferenceSource,
)
from scoring.tasks.kws.segments import Segmentation
from scoring.tasks.kws.text import Splitting, split_keyword
from scoring.tasks.kws.trials import TrialSet, decision_threshold, trial_set
from scoring.tasks.kws.word_table import SpeakerTurn, TimedWord, WordTable
from scoring.tasks.messages import CONTRADICTING_DECISIONS, DECISIONS_WITHOUT_THRESHOLD

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from scoring.results.record import Shard


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KeywordSearchScores:
    """The scores of a keyword search.

    Attributes
    ----------
    alignment: the reference that each detection is mapped to.
    parameters: costs, tolerances, modes, rules.
    keywords: indices of the keywords that take part.
    language: the language of the keyword list.
    warnings: warnings about doubtful data, one line each.
    overall: the scores of all keywords.
    """

    alignment: SearchAlignment
    parameters: Parameters
    keywords: tuple[int, ...]
    language: str
    warnings: tuple[str, ...]
    overall: SetScores = field(init=False)  # follows from the rest

    def __post_init__(self) -> None:
        count, duration = self._size(None, None)
        if count <= 0:
            raise KeywordSearchError("parameter 'TotDur' must > 0: no audio is scored")
        parameters = self.parameters
        name = "Segment" if parameters.segments else "Occurrence"
        trials = trial_set(self.alignment, parameters, self.keywords, count, duration, name)
        warnings = list(self.warnings)
        object.__setattr__(self, "overall", self._measured(trials, warnings))
        object.__setattr__(self, "warnings", tuple(warnings))

    def __repr__(self) -> str:
        twv = self.overall.actual.twv
        return (
            f"<KeywordSearchScores: {len(self.overall.evaluated)} keywords, "
            f"ATWV {'NA' if twv is None else format(twv, '.4f')}>"
        )

    def groups(self, condition: KeywordCondition) -> tuple[tuple[SetScores, ...], tuple[str, ...]]:
        """Return the scores of each group of a condition, sorted by name, and warnings.

        A group without any audio is dropped, with a warning.
        """
        parameters = self.parameters._replace(pooled=False)
        sets: list[SetScores] = []
        warnings: list[str] = []
        groups = condition(self.alignment, self.keywords)
        for group in sorted(groups, key=lambda group: group.name):
            count, duration = self._size(group.source_types, group.excerpts)
            if count <= 0:
                warnings.append(
                    f"No ECF segments available for group : {group.name}, (group duration is 0)"
                )
                continue
            trials = trial_set(
                alignment=self.alignment,
                parameters=parameters,
                keywords=group.keywords,
                trials=count,
                duration=duration,
                name=group.name,
                excerpts=group.excerpts,
            )
            sets.append(self._measured(trials, warnings))
        return tuple(sets), tuple(warnings)

    def curve(self) -> Curve:
        """Return miss and false-alarm probabilities of all keywords at each threshold."""
        return curve(self.overall.trials)

    def _measured(self, trials: TrialSet, warnings: list[str]) -> SetScores:
        threshold = None
        detections = self.alignment.detections
        try:
            threshold = decision_threshold(trials, lambda row: detections.written(row)[1])
        except ContradictingDecisionsError as error:
            no, yes = (self._keyword_of(row) for row in error.rows)
            fields = {"no": no, "most_no": error.most_no, "yes": yes, "least_yes": error.least_yes}
            if self.parameters.consistent:
                if self.parameters.rules == F4DE:
                    raise  # with the text of the original
                path = detections.path or "detections"
                problem = Message(CONTRADICTING_DECISIONS, {"path": path, **fields})
                raise ContradictingDecisionsError(
                    problem, error.most_no, error.least_yes, error.rows
                ) from None
            text = Message(DECISIONS_WITHOUT_THRESHOLD, {"name": trials.name, **fields})
            warnings.append(str(text))
        return measure(trials, threshold)

    def _keyword_of(self, row: int) -> str:
        """Return the identifier of the keyword of a detection."""
        number = int(self.alignment.detections.columns().keywords[row])
        identifier: str = self.alignment.keywords[number].identifier
        return identifier

    def _size(
        self, source_types: Sequence[str] | None, excerpts: npt.NDArray[np.bool_] | None
    ) -> tuple[int, float | None]:
        """Return the number of trials, and the seconds of audio.

        The seconds are None if trials are segments.
        """
        segments = self.alignment.segments
        if segments is not None:
            chosen = slice(None) if excerpts is None else excerpts
            return int(segments[chosen].sum()), None
        duration = self.alignment.audio.duration(source_types)
        rate = self.parameters.trials_per_second
        divided = self.parameters.rules.trials_divided
        return round(duration / rate if divided else duration * rate), duration


def score(
    excerpts: Iterable[Excerpt] | Ecf,
    keywords: Sequence[Keyword] | Mapping[str, str] | KeywordList,
    detections: Iterable[KwslistHeader | SearchedKeyword | Detection] | Kwslist,
    words: WordTable | Iterable[TimedWord] | None = None,
    *,
    references: Iterable[Reference] | None = None,
    turns: Iterable[SpeakerTurn] = (),
    compare_normalize: str = "lowercase",
    splitting: Splitting | None = None,
    parameters: Parameters | None = None,
    only: Sequence[str] = (),
    path: str | None = None,
) -> KeywordSearchScores:
    """Score a keyword search.

    Parameters
    ----------
    excerpts: the audio that is scored.
    keywords: `Keyword` objects, texts by identifier, or a list as read from a file.
    detections: `Detection` objects, in any order; the events or the object of a KWSList.
    words: the spoken words, in which keywords are searched.
    references: instead of words: the known occurrences of the keywords.
    turns: speakers' turns, for segments; a `WordTable` already has turns.
    compare_normalize: comparison of words, ``lowercase`` or empty; a keyword list has its own
        setting.
    splitting: whether texts are split into characters; a `WordTable` is already split.
    parameters: costs, tolerances, modes, rules.
    only: patterns of ``file/channel``; other audio is dropped.
    path: path of the detections, for messages.

    Raises
    ------
    KeywordSearchError, InputError
        If a number is out of range, there is no audio, a keyword is repeated, unknown or without
        words, or decisions contradict each other.

    Examples
    --------
    >>> from formats.keywords.model import Detection, Excerpt
    >>> from scoring.tasks.kws.word_table import TimedWord
    >>> scores = score(
    ...     [Excerpt("rec1.wav", "1", 0.0, 1000.0)],
    ...     {"KW-1": "snow leopard"},
    ...     [Detection("KW-1", "rec1", "1", 10.0, 1.0, 0.8, True)],
    ...     [TimedWord("rec1", "1", 10.0, 0.4, "snow", "anne"),
    ...      TimedWord("rec1", "1", 10.5, 0.5, "leopard", "anne")],
    ... )
    >>> scores.overall.actual.twv
    1.0
    """
    return align(
        excerpts,
        keywords,
        detections,
        words,
        references=references,
        turns=turns,
        compare_normalize=compare_normalize,
        splitting=splitting,
        parameters=parameters,
        only=only,
        path=path,
    ).scores()


class AlignedSearch(NamedTuple):
    """Detections aligned with references, for all audio or a shard, before measuring."""

    alignment: SearchAlignment
    parameters: Parameters
    language: str
    unsorted: int = 0  # words that begin before the previous word of the same speaker
    vanished: int = 0  # words of hyphens only
    first_unsorted: str = ""  # the file and the line of the first of them

    def word_warnings(self) -> list[str]:
        """Return warnings about the spoken words, which all systems share."""
        warnings = []
        if self.unsorted:
            begin = f"{self.first_unsorted}: " if self.first_unsorted else ""
            what = "words that begin before the previous word of the same speaker"
            warnings.append(f"{begin}{what}, so that all words are sorted by time: {self.unsorted}")
        if self.vanished:
            warnings.append(f"words of hyphens only, dropped: {self.vanished}")
        return warnings

    def scores(self) -> KeywordSearchScores:
        """Return the scores of the search."""
        searched = self.alignment.detections.searched
        chosen = tuple(
            number
            for number in range(len(self.alignment.keywords))
            if not self.parameters.searched_only or number in searched
        )
        warnings = tuple(_warnings(self))
        return KeywordSearchScores(self.alignment, self.parameters, chosen, self.language, warnings)


def align(
    excerpts: Iterable[Excerpt] | Ecf,
    keywords: Sequence[Keyword] | Mapping[str, str] | KeywordList,
    detections: Iterable[KwslistHeader | SearchedKeyword | Detection] | Kwslist,
    words: WordTable | Iterable[TimedWord] | None = None,
    *,
    references: Iterable[Reference] | None = None,
    turns: Iterable[SpeakerTurn] = (),
    compare_normalize: str = "lowercase",
    splitting: Splitting | None = None,
    parameters: Parameters | None = None,
    only: Sequence[str] = (),
    path: str | None = None,
    shard: Shard | None = None,
) -> AlignedSearch:
    """Find references and align detections; the arguments are those of `score`, and a shard."""
    parameters = parameters or Parameters()
    splitting = splitting or Splitting()
    parameters.check()
    language = ""
    if isinstance(keywords, KeywordList):
        language, compare_normalize = keywords.language, keywords.compare_normalize
    listed = _listed(keywords, splitting)
    numbers = {keyword.identifier: number for number, keyword in enumerate(listed)}
    if isinstance(excerpts, Ecf):
        excerpts = excerpts.excerpts
    audio = Audio(excerpts, parameters.rules, only, shard)
    table = DetectionTable(_events(detections), numbers, audio, path)
    source: ReferenceSource
    if references is not None:
        source = ListedReferences(references, audio, numbers)
    else:
        if not isinstance(words, WordTable):
            words = WordTable(words or (), turns, splitting)
        turns = turns or words.turns
        source = ReferenceFinder(words, audio, parameters, compare_normalize)
    if parameters.segments:
        alignment = align_segments(listed, audio, table, source, Segmentation(audio, turns))
    else:
        alignment = align_occurrences(listed, audio, table, source, parameters)
    if not isinstance(words, WordTable):
        return AlignedSearch(alignment, parameters, language)
    doubtful = words.unsorted, words.vanished, words.first_unsorted
    return AlignedSearch(alignment, parameters, language, *doubtful)


def _listed(
    keywords: Sequence[Keyword] | Mapping[str, str] | KeywordList, splitting: Splitting
) -> list[Keyword]:
    """Return the distinct keywords with their texts split into words.

    Each has at least one word.
    """
    if isinstance(keywords, KeywordList):
        candidates: list[Keyword] = list(keywords.keywords)
    elif hasattr(keywords, "items"):
        candidates = [Keyword(identifier, text) for identifier, text in keywords.items()]
    else:
        candidates = list(keywords)
    seen: set[str] = set()
    listed = []
    for keyword in candidates:
        if keyword.identifier in seen:
            raise KeywordSearchError(f"Term ID {keyword.identifier} already exists")
        seen.add(keyword.identifier)
        words = split_keyword(keyword.text, splitting)
        if not words:
            raise KeywordSearchError(
                f"keyword {keyword.identifier!r}: expected a word, found {keyword.text!r}"
            )
        listed.append(keyword._replace(text=" ".join(words)))
    return listed


def _events(
    detections: Iterable[KwslistHeader | SearchedKeyword | Detection] | Kwslist,
) -> Iterable[KwslistHeader | SearchedKeyword | Detection]:
    if not isinstance(detections, Kwslist):
        yield from detections
        return
    yield detections.header
    for keyword in detections.keywords:
        yield keyword.searched
        yield from keyword.detections


def _warnings(search: AlignedSearch) -> list[str]:
    """Return warnings about dropped and doubtful items."""
    account, audio = search.alignment.account, search.alignment.audio
    warnings = []
    reasons = (
        (account.unknown_audio, "detections of a file or channel without excerpt"),
        (account.outside_excerpts, "detections that no excerpt holds entirely"),
        (account.outscored, "detections that are not the best of their segment"),
        (account.references_outside, "references that no excerpt, or segment, holds entirely"),
        (account.references_repeated, "references in the segment of another of their keyword"),
        (audio.left_out, "excerpts that are not chosen"),
    )
    warnings += [f"not scored: {reason}: {count}" for count, reason in reasons if count]
    if audio.nested:
        warnings.append(f"excerpts within another one of their file: {audio.nested}")
    return [*warnings, *search.word_warnings()]

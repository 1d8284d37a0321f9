"""What all evaluators and all evaluations have in common."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar, get_args

from formats.model import Transcript
from formats.words import Label
from scoring.labels.aggregation import AggregatedConfusion
from scoring.labels.aligners.pairs import LabelPair, ListLikeTuple
from scoring.labels.aligners.segments import SegmentPair
from scoring.labels.aligners.spans import LabelError
from scoring.labels.amounts import KeywordRates
from scoring.labels.outcome import AnyLabel, Outcome, as_label, listed, outside
from scoring.labels.transcripts import AUTO, RECORDING, outcome_of_transcript
from scoring.model import Edit

DEFAULT_UTT_IDX: Final = "noname"
"""Name of the utterance where labels are given without any."""

SCORE: Final = "score"
ERROR: Final = "error"
Missing: TypeAlias = Literal["score", "error"]
MISSING: tuple[Missing, ...] = get_args(Missing)
SPEAKER: Final = "speaker"
COLUMNS = (SPEAKER, "recording", "channel")
"""What results can be grouped by."""

# Anything labels can come in; a corpus is an object with `utterances`, as audiomate has it.
Side: TypeAlias = Any

Item = TypeVar("Item", LabelPair, SegmentPair)

_set = object.__setattr__


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Evaluation(Generic[Item]):
    """Two outcomes, how they were aligned, and what was confused with what.

    Adds up with `+` over different utterances.

    Attributes
    ----------
    ref_outcome, hyp_outcome
        Both sides, without what was not to be scored.
    confusion
        What was confused with what, of all utterances together.
    remarks
        What should be known: utterances that only one side has, labels that were not scored.
    """

    unit: ClassVar[str] = "events"
    """What is counted: ``events``, ``words`` or ``seconds``."""
    title: ClassVar[str] = "Events"

    ref_outcome: Outcome
    hyp_outcome: Outcome
    _aligned: tuple[tuple[str, ListLikeTuple[Item]], ...]
    confusion: AggregatedConfusion = field(compare=False)  # follows from the rest
    remarks: tuple[str, ...] = field(compare=False)

    def __init__(
        self,
        ref_outcome: Outcome,
        hyp_outcome: Outcome,
        aligned: Mapping[str, Iterable[Item]],
        remarks: Iterable[str] = (),
    ) -> None:
        _set(self, "ref_outcome", ref_outcome)
        _set(self, "hyp_outcome", hyp_outcome)
        pairs = tuple((utterance, ListLikeTuple(items)) for utterance, items in aligned.items())
        _set(self, "_aligned", pairs)
        _set(self, "confusion", self._confused(self.items))
        _set(self, "remarks", tuple(remarks))

    @staticmethod
    def _confused(items: Iterable[Item]) -> AggregatedConfusion:
        raise NotImplementedError

    def grouped(self, by: Iterable[str]) -> dict[tuple[str | None, ...], AggregatedConfusion]:
        """What was confused with what, by what labels belong to, in order of first appearance.

        A pair belongs to the speaker of its label in the reference, or of that in the hypothesis
        where there is none; to the recording and channel of the reference's labels of its
        utterance, or to its own where there are none.

        Parameters
        ----------
        by
            Some of `COLUMNS`.

        Raises
        ------
        ValueError
            If there is no such column.
        LabelError
            If no label has anything in a column.
        """
        names = tuple(by)
        for name in names:
            if name not in COLUMNS:
                raise ValueError(f"by: expected some of {', '.join(COLUMNS)}, found {name!r}")
        groups: dict[tuple[str | None, ...], list[Item]] = {}
        for _, items in self._aligned:
            spoken = next((item.ref for item in items if item.ref is not None), None)
            for item in items:
                label_of_item = item.hyp if item.ref is None else item.ref
                places = (
                    label_of_item if name == SPEAKER else spoken or label_of_item for name in names
                )
                columns = zip(places, names, strict=True)
                values = tuple(getattr(label, name, None) or None for label, name in columns)
                groups.setdefault(values, []).append(item)
        for index, name in enumerate(names):
            if groups and not any(values[index] for values in groups):
                raise LabelError(f"expected labels with a {name} to group by, found none")
        return {values: self._confused(items) for values, items in groups.items()}

    @property
    def aligned(self) -> dict[str, ListLikeTuple[Item]]:
        """Aligned pairs of labels, or segments, by utterance."""
        return dict(self._aligned)

    @property
    def items(self) -> list[Item]:
        """Those of all utterances."""
        return [item for _, items in self._aligned for item in items]

    @property
    def failing_utterances(self) -> list[str]:
        """Utterances with an error, in order."""
        return [utterance for utterance, items in self._aligned if not _correct(items)]

    @property
    def correct_utterances(self) -> list[str]:
        """Utterances without, in order."""
        return [utterance for utterance, items in self._aligned if _correct(items)]

    @property
    def utterance_durations(self) -> dict[str, float]:
        """Seconds by utterance, as far as they are known; the same on both sides."""
        return self.ref_outcome.utterance_durations

    def keyword_rates(self, keywords: str | Iterable[str] | None = None) -> KeywordRates | None:
        """Rates of keywords, where labels are keywords; None of all other evaluations."""
        return None

    def __add__(self, other: Evaluation[Item]) -> Evaluation[Item]:
        """Both together.

        Raises
        ------
        LabelError
            If they have an utterance in common.
        TypeError
            If they are of different kinds.
        """
        if type(self) is not type(other):
            raise TypeError(f"expected another {type(self).__name__}, found {type(other).__name__}")
        return type(self)(
            self.ref_outcome + other.ref_outcome,
            self.hyp_outcome + other.hyp_outcome,
            {**self.aligned, **other.aligned},
            self.remarks + other.remarks,
        )

    def get_report(
        self,
        template: str | None = None,
        template_param: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> str:
        """The evaluation as text; `scoring.labels.reports.render` says which there are.

        Parameters may come in a dictionary as well, as in evalmate.
        """
        from scoring.labels.reports import render

        return render(self, template, **{**(template_param or {}), **parameters})

    def write_report(
        self,
        path: str,
        template: str | None = None,
        template_param: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        """The same into a file, which appears whole or not at all.

        Raises
        ------
        formats.UnwritableFileError
            If it cannot be written.
        """
        from formats.sink import open_sink

        with open_sink(path) as sink:
            sink.write(self.get_report(template, template_param, **parameters))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._aligned)} utterances: {self.confusion!r}>"


def _correct(items: Iterable[LabelPair | SegmentPair]) -> bool:
    return all(item.edit == Edit.CORRECT for item in items)


AnyEvaluation: TypeAlias = Evaluation[Any]
Result = TypeVar("Result", bound=AnyEvaluation)


class Evaluator(Generic[Result]):
    """Aligns two outcomes and counts what came of it; the base of all evaluators.

    Parameters
    ----------
    missing
        What becomes of utterances that only one side has. ``score``: the labels of the other side
        are deletions or insertions, and the evaluation remarks on it. ``error``: they are refused.
        (evalmate fails without explanation where the hypothesis lacks an utterance, and leaves
        utterances out that the reference lacks, so that their insertions count nothing.)
    """

    DEFAULT_UTT_IDX: ClassVar[str] = DEFAULT_UTT_IDX
    timed: ClassVar[bool] = True
    """Whether labels need times."""
    group_by: ClassVar[str] = RECORDING
    """What an utterance of a transcript is."""

    def __init__(self, *, missing: Missing = SCORE) -> None:
        if missing not in MISSING:
            raise ValueError(f"missing: expected one of {', '.join(MISSING)}, found {missing!r}")
        self.missing = missing

    @classmethod
    def default_label_list_idx(cls) -> str:
        """Which list of labels of a corpus is taken if none is named."""
        return "word-transcript"

    def evaluate(
        self,
        ref: Side,
        hyp: Side,
        label_list_idx: str | None = None,
        *,
        durations: Mapping[str, float] | None = None,
        unit: str = AUTO,
    ) -> Result:
        """Score a hypothesis against a reference.

        Each side is one of these: an `Outcome`; a `formats.Transcript`; labels by utterance, as a
        dictionary; labels, which make one utterance called ``noname``; a corpus (an object with
        `utterances`, each with `duration` and `label_lists`), whose utterances then all need a
        hypothesis.

        Parameters
        ----------
        label_list_idx
            Which list of labels of a corpus; default `default_label_list_idx()`.
        durations
            Seconds by utterance, beside what the sides know.
        unit
            What makes a label in a transcript: see
            `scoring.labels.transcripts.outcome_of_transcript`.

        Raises
        ------
        LabelError, TranscriptError
            If labels, utterances or durations cannot be scored.
        ValueError
            If an argument is nothing of that.
        """
        sides = []
        for side in (ref, hyp):
            if isinstance(side, Transcript):
                side = outcome_of_transcript(
                    side, unit=unit, group_by=self.group_by, timed=self.timed
                )
            sides.append(outcome_of(side, label_list_idx or self.default_label_list_idx()))
        reference, hypothesis = sides
        if _is_corpus(ref):
            _check_hypotheses(reference, hypothesis)
        seconds_by_utterance = {**hypothesis.utterance_durations, **(durations or {})}
        reference = reference.with_durations(seconds_by_utterance)
        hypothesis = hypothesis.with_durations(reference.utterance_durations)
        remarks = self._remarks(reference, hypothesis)
        reference, hypothesis, more = self._to_be_scored(reference, hypothesis)
        return self._evaluation(reference, hypothesis, (*remarks, *more))

    def do_evaluate(self, ref: Outcome, hyp: Outcome) -> Result:
        """The same of two outcomes."""
        return self.evaluate(ref, hyp)

    def evaluate_label_lists(
        self, ll_ref: Iterable[AnyLabel], ll_hyp: Iterable[AnyLabel], duration: float | None = None
    ) -> Result:
        """The same of the labels of one utterance, and its duration in seconds if known."""
        durations = None if duration is None else {DEFAULT_UTT_IDX: duration}
        return self.evaluate(
            Outcome({DEFAULT_UTT_IDX: ll_ref}, durations), Outcome({DEFAULT_UTT_IDX: ll_hyp})
        )

    def evaluate_label_lists_against_corpus(
        self,
        corpus: Any,
        label_lists: Mapping[str, Iterable[AnyLabel]],
        label_list_idx: str | None = None,
    ) -> Result:
        """The same of a corpus, see `evaluate`, and labels by utterance."""
        return self.evaluate(corpus, label_lists, label_list_idx)

    def _remarks(self, reference: Outcome, hypothesis: Outcome) -> list[str]:
        ours, theirs = reference.label_lists, hypothesis.label_lists
        remarks = [*reference.remarks, *hypothesis.remarks]
        for only, side, other, fate in (
            ([name for name in ours if name not in theirs], "reference", "hypothesis", "deleted"),
            ([name for name in theirs if name not in ours], "hypothesis", "reference", "inserted"),
        ):
            if not only:
                continue
            if self.missing == ERROR:
                raise LabelError(
                    f"expected the utterances of the {side} in the {other}, found none for "
                    f"{listed(only)}"
                )
            remarks.append(
                f"utterances of the {side} only, their labels count as {fate}: {listed(only)}"
            )
        late = sum(item.labels_beyond_the_end() for item in (reference, hypothesis))
        if late:
            remarks.append(f"labels that end after their utterance does: {late}")
        return remarks

    def _to_be_scored(
        self, reference: Outcome, hypothesis: Outcome
    ) -> tuple[Outcome, Outcome, list[str]]:
        """Both without what lies in stretches the reference ignores."""
        if not reference.ignored:
            return reference, hypothesis, []
        kept, before, after = [], 0, 0
        for side in (reference, hypothesis):
            lists = side.label_lists
            shorter = {
                utterance: self._outside(labels, reference.ignored.get(utterance, ()))
                for utterance, labels in lists.items()
            }
            before += sum(map(len, lists.values()))
            after += sum(map(len, shorter.values()))
            kept.append(Outcome(shorter, side.utterance_durations, reference.ignored))
        remarks = []
        if after < before:
            remarks.append(
                f"labels in stretches of the reference that are not to be scored: {before - after}"
            )
        return kept[0], kept[1], remarks

    def _outside(
        self, labels: Iterable[Label], stretches: tuple[tuple[float, float], ...]
    ) -> list[Label]:
        return outside(labels, stretches)

    def _evaluation(
        self, reference: Outcome, hypothesis: Outcome, remarks: tuple[str, ...]
    ) -> Result:
        raise NotImplementedError


@contextmanager
def naming(utterance: str) -> Iterator[None]:
    """Say in errors of labels which utterance they are of."""
    try:
        yield
    except LabelError as problem:
        raise LabelError(f"utterance {utterance!r}: {problem}") from None


def utterances_of(reference: Outcome, hypothesis: Outcome) -> Collection[str]:
    """The names of all utterances, those of the reference first."""
    return dict.fromkeys((*reference.label_lists, *hypothesis.label_lists))


def _is_corpus(side: object) -> bool:
    return not isinstance(side, Outcome | Transcript | Mapping) and hasattr(side, "utterances")


def outcome_of(side: Side, label_list_idx: str) -> Outcome:
    """One side, whatever it comes in, except a transcript."""
    if isinstance(side, Outcome):
        return side
    if _is_corpus(side):
        utterances = side.utterances.values()
        missing = [
            utterance.idx for utterance in utterances if label_list_idx not in utterance.label_lists
        ]
        if missing:
            raise LabelError(
                f"expected labels {label_list_idx!r} of every utterance, found none of "
                f"{listed(missing)}"
            )
        return Outcome(
            {utterance.idx: utterance.label_lists[label_list_idx] for utterance in utterances},
            {utterance.idx: utterance.duration for utterance in utterances},
        )
    if isinstance(side, Mapping):
        return Outcome(side)
    if isinstance(side, str | bytes) or not hasattr(side, "__iter__"):
        raise ValueError(f"Invalid arguments! (expected labels, found {type(side).__name__})")
    labels = [as_label(item) for item in side]
    recordings = list(dict.fromkeys(label.recording for label in labels))
    if len(recordings) > 1:
        raise LabelError(
            f"expected labels of one utterance, found recordings {listed(recordings)}: pass a "
            "dictionary or a transcript"
        )
    return Outcome({DEFAULT_UTT_IDX: labels})


def _check_hypotheses(reference: Outcome, hypothesis: Outcome) -> None:
    known = hypothesis.label_lists
    for utterance in reference.label_lists:
        if utterance not in known:
            raise LabelError(f"There is no hypothesis label-list with idx {utterance}")

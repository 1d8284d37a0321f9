"""The base classes of evaluations and evaluators."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from formats.io.progress import told
from formats.schema.messages import Message
from formats.schema.transcript import Transcript
from formats.schema.words import Label
from scoring.sides.corpus import ListedNames
from scoring.tasks import messages
from scoring.tasks.labels.aligners.spans import LabelError
from scoring.tasks.labels.outcome import AnyLabel, Outcome, as_label, cut, listed, outside
from scoring.tasks.labels.scored import AlignedOutcomes
from scoring.tasks.labels.transcripts import AUTO, outcome_of_transcript

DEFAULT_UTT_IDX: Final = "noname"
"""The name of the utterance if labels are given without utterances."""

# Anything labels can come in; a corpus is an object with `utterances`, as audiomate has it.
LabelledSide: TypeAlias = Any


class Evaluation(AlignedOutcomes):
    """Two outcomes with their alignment and confusions.

    Evaluations of different utterances can be added with `+`. `ref_outcome` and `hyp_outcome` are
    both sides without ignored parts. `confusion` covers all utterances. `remarks` list utterances
    that only one side has, and labels that were not scored.
    """

    def __add__(self, other: Evaluation) -> Evaluation:
        """Return the sum of two evaluations.

        Raises LabelError if both have the same utterance, and TypeError if they are of different
        kinds.
        """
        if type(self) is not type(other):
            raise TypeError(f"expected another {type(self).__name__}, found {type(other).__name__}")
        return type(self)(
            self.ref_outcome + other.ref_outcome,
            self.hyp_outcome + other.hyp_outcome,
            {**self.aligned, **other.aligned},
            self.remarks + other.remarks,
            self.choices,
        )

    @property
    def template_data(self) -> dict[str, Any]:
        """The names that a report template can use."""
        return {
            "evaluation": self,
            "ref_outcome": self.ref_outcome,
            "hyp_outcome": self.hyp_outcome,
            "confusion": self.confusion,
        }

    def get_report(
        self,
        template: str | os.PathLike[str] | None = None,
        template_param: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> str:
        """Return the evaluation as text; `scoring.tasks.labels.reports.render` lists the reports.

        A path (`pathlib.Path`) is a user's Jinja2 template, which can use the names of
        `template_data`, and the parameters as `template_param`. As in evalmate, parameters may also
        be passed as a dictionary.
        """
        from scoring.tasks.labels.reports import render, render_file

        if isinstance(template, os.PathLike):
            values = {"template_param": {**(template_param or {}), **parameters}}
            return render_file(template, {**self.template_data, **values})
        return render(self, template, **{**(template_param or {}), **parameters})

    def write_report(
        self,
        path: str,
        template: str | os.PathLike[str] | None = None,
        template_param: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        """Write the report to a file, completely or not at all.

        Raises `formats.UnwritableFileError` if the file cannot be written.
        """
        from formats.io.sink import open_sink

        with open_sink(path) as sink:
            sink.write(self.get_report(template, template_param, **parameters))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.aligned)} utterances: {self.confusion!r}>"


Result = TypeVar("Result", bound=Evaluation)


class Evaluator(Generic[Result]):
    """Aligns two outcomes and counts the differences; the base of all evaluators.

    Parameters
    ----------
    aligner
        Aligns the labels of an utterance; the default is that of the class.
    """

    DEFAULT_UTT_IDX: ClassVar[str] = DEFAULT_UTT_IDX
    evaluation: type[Result]
    default_aligner: Callable[[], Any]
    cuts_labels: ClassVar[bool] = False
    """True if unscored stretches cut labels, False if they drop labels by their middle."""

    def __init__(self, aligner: Any = None) -> None:
        self.aligner = aligner or self.default_aligner()
        self.choices: dict[str, str] = {}  # further ones, for the signature

    @classmethod
    def default_label_list_idx(cls) -> str:
        """Return the name of the label list that is read from a corpus by default."""
        return "word-transcript"

    def evaluate(
        self,
        ref: LabelledSide,
        hyp: LabelledSide,
        label_list_idx: str | None = None,
        *,
        durations: Mapping[str, float] | None = None,
        unit: str = AUTO,
    ) -> Result:
        """Score a hypothesis against a reference.

        Each side is one of these: an `Outcome`; a `formats.Transcript`; a dictionary of labels by
        utterance; labels of a single utterance, which is named ``noname``; a corpus (an object with
        `utterances`, each with `duration` and `label_lists`). All utterances of a corpus need a
        hypothesis.

        Parameters
        ----------
        label_list_idx
            The list of labels of a corpus; default `default_label_list_idx()`.
        durations
            Durations in seconds by utterance, in addition to known durations.
        unit
            The unit of a label in a transcript; see
            `scoring.tasks.labels.transcripts.outcome_of_transcript`.

        Raises
        ------
        LabelError, TranscriptError
            If labels, utterances or durations cannot be scored.
        ValueError
            If an argument has none of these forms.
        """
        sides = []
        for side in (ref, hyp):
            if isinstance(side, Transcript):
                side = outcome_of_transcript(side, unit=unit)
            sides.append(outcome_of(side, label_list_idx or self.default_label_list_idx()))
        reference, hypothesis = sides
        for utterance in reference.label_lists if _is_corpus(ref) else ():
            if utterance not in hypothesis.label_lists:
                raise LabelError(f"There is no hypothesis label-list with idx {utterance}")
        seconds_by_utterance = {**hypothesis.utterance_durations, **(durations or {})}
        reference = reference.with_durations(seconds_by_utterance)
        hypothesis = hypothesis.with_durations(reference.utterance_durations)
        remarks = self._remarks(reference, hypothesis)
        if ignored := reference.ignored:
            left = cut if self.cuts_labels else outside
            sides = [
                side.changed(lambda name, labels: left(labels, ignored.get(name, ())))
                for side in (reference, hypothesis)
            ]
            before = len(reference.labels) + len(hypothesis.labels)
            reference, hypothesis = sides
            removed = before - len(reference.labels) - len(hypothesis.labels)
            if removed > 0:
                remarks.append(Message(messages.NOT_SCORED, {"labels": removed}))
        choices = {"align": choices_of(self.aligner), "labels": unit, **self.choices}
        return self._evaluation(reference, hypothesis, tuple(remarks), choices)

    def do_evaluate(self, ref: Outcome, hyp: Outcome) -> Result:
        """Return the evaluation of two outcomes."""
        return self.evaluate(ref, hyp)

    def evaluate_label_lists(
        self, ll_ref: Iterable[AnyLabel], ll_hyp: Iterable[AnyLabel], duration: float | None = None
    ) -> Result:
        """Evaluate the labels of an utterance, with its optional duration in seconds."""
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
        """Evaluate labels by utterance against a corpus; see `evaluate`."""
        return self.evaluate(corpus, label_lists, label_list_idx)

    def _remarks(self, reference: Outcome, hypothesis: Outcome) -> list[Message]:
        remarks = [*reference.remarks, *hypothesis.remarks]
        names = reference.label_lists, hypothesis.label_lists
        for present, absent, entry in (
            (*names, messages.ONLY_REFERENCE),
            (*names[::-1], messages.ONLY_HYPOTHESIS),
        ):
            if missing := [name for name in present if name not in absent]:
                remarks.append(Message(entry, ListedNames.of(missing).fields))
        late = sum(side.labels_beyond_the_end() for side in (reference, hypothesis))
        if late:
            remarks.append(Message(messages.LATE, {"labels": late}))
        return remarks

    def _evaluation(
        self,
        reference: Outcome,
        hypothesis: Outcome,
        remarks: tuple[Message, ...],
        choices: Mapping[str, str],
    ) -> Result:
        """Return the evaluation of both sides, aligned by utterance in reference order."""
        sides = reference.label_lists, hypothesis.label_lists
        durations = reference.utterance_durations
        aligned = {}
        for utterance in told(dict.fromkeys((*sides[0], *sides[1])), "utterances"):
            references, hypotheses = (side.get(utterance, ()) for side in sides)
            with naming(utterance):
                seconds = durations.get(utterance)
                aligned[utterance] = self._aligned(references, hypotheses, seconds)
        return self.evaluation(reference, hypothesis, aligned, remarks, choices)

    def _aligned(
        self, references: Sequence[Label], hypotheses: Sequence[Label], duration: float | None
    ) -> Any:
        """Return the aligned labels of an utterance."""
        return self.aligner.align(references, hypotheses)


def choices_of(part: object) -> str:
    """Return the class and the settings of an aligner, or of its component, for a signature."""
    values = [
        f"{name.replace('_', '-')}:{value:g}"
        if isinstance(value, int | float)
        else choices_of(value)
        for name, value in getattr(part, "__dict__", {}).items()
        if not name.startswith("_") and value is not None
    ]
    return f"{type(part).__name__}({','.join(values)})"


@contextmanager
def naming(utterance: str) -> Iterator[None]:
    """Add the utterance's name to label errors raised within a `with` block."""
    try:
        yield
    except LabelError as problem:
        raise LabelError(f"utterance {utterance!r}: {problem}") from None


def _is_corpus(side: object) -> bool:
    return not isinstance(side, Outcome | Transcript | Mapping) and hasattr(side, "utterances")


def outcome_of(side: LabelledSide, label_list_idx: str) -> Outcome:
    """Convert a side other than a transcript to an outcome."""
    if isinstance(side, Outcome):
        return side
    if _is_corpus(side):
        utterances = {utterance.idx: utterance for utterance in side.utterances.values()}
        missing = [
            name
            for name, utterance in utterances.items()
            if label_list_idx not in utterance.label_lists
        ]
        if missing:
            raise LabelError(
                f"expected labels {label_list_idx!r} of every utterance, found none of "
                f"{listed(missing)}"
            )
        return Outcome(
            {name: utterance.label_lists[label_list_idx] for name, utterance in utterances.items()},
            {name: utterance.duration for name, utterance in utterances.items()},
        )
    if isinstance(side, Mapping):
        return Outcome(side)
    if isinstance(side, str | bytes) or not hasattr(side, "__iter__"):
        raise ValueError(f"Invalid arguments! (expected labels, found {type(side).__name__})")
    labels = [as_label(label) for label in side]
    recordings = list(dict.fromkeys(label.recording for label in labels))
    if len(recordings) > 1:
        raise LabelError(
            f"expected labels of one utterance, found recordings {listed(recordings)}: pass a "
            "dictionary or a transcript"
        )
    return Outcome({DEFAULT_UTT_IDX: labels})

"""One hypothesis file scored against the reference: the source of all of sclite's reports.

It exists beside `scoring.score.rates.ErrorRates`, and each is created from the other on demand:
sclite starts without the modules of the other one, and at 100,000 utterances the conversion takes
as long, and as much memory, as the whole of `sclite`.

Everything is kept in columns, one entry per utterance or per word, because two million words
must not become two million objects. Text is *byte text*: `str` with one character per byte
(Latin-1), since NIST's reports measure, pad and sort bytes whatever the encoding of the words.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from scoring.alignment.numbered import WordType
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Counts

# Properties of one utterance, bits of `Utterances.attributes`.
CHARACTER_ALIGNED = 1
CASE_SENSITIVE = 2
REFERENCE_WEIGHTS = 4
HYPOTHESIS_WEIGHTS = 8
REFERENCE_TIMES = 16
HYPOTHESIS_TIMES = 32
REFERENCE_CONFIDENCES = 64
HYPOTHESIS_CONFIDENCES = 128
REFERENCE_SPAN = 256
HYPOTHESIS_SPAN = 512


def ascii_lower(text: str) -> str:
    """Lower case of A to Z only, in byte text."""
    return text.encode("latin-1").lower().decode("latin-1")


class Vocabulary(NamedTuple):
    """The distinct words of a run; a word is known elsewhere by its position here.

    `weights` holds the weight of each word (double) when word weights are in use that do not
    depend on its place. `upper` and `lower` turn byte text into upper and lower case as the run's
    encoding wants it.
    """

    types: list[WordType]
    upper: Callable[[str], str] = str.upper
    weights: Sequence[float] | None = None
    lower: Callable[[str], str] = ascii_lower


class Words(NamedTuple):
    """The words of one side of all utterances, in the order in which they were aligned.

    `types` (int32) are positions in the vocabulary; the words of utterance u are
    `types[begins[u]:ends[u]]` (int64), and words that no alignment used may lie between them. Times
    (seconds), confidences (those of a ctm in single precision) and weights (where they depend on
    the place of a word) are double per word, or None.
    """

    types: Sequence[int]
    begins: Sequence[int]
    ends: Sequence[int]
    starts: Sequence[float] | None = None
    finishes: Sequence[float] | None = None
    confidences: Sequence[float] | None = None
    weights: Sequence[float] | None = None


class LabelDefinition(NamedTuple):
    """A LABEL or CATEGORY line of a reference or hypothesis file."""

    identifier: str
    title: str
    description: str


class Slot(NamedTuple):
    """One place of an utterance's alignment.

    `reference` and `hypothesis` are positions in the columns of `Words` (None without a partner).
    """

    edit: int
    reference: int | None
    hypothesis: int | None


class Utterances(NamedTuple):
    """One entry per utterance, in the order in which they were aligned.

    `identifiers` have their parentheses, `speakers` are positions in `System.speakers`,
    `attributes` the bits at the top of this module. `sequences` is the running number in the
    process, negative only where piped input has none. Spans are double seconds, valid under
    REFERENCE_SPAN and HYPOTHESIS_SPAN (piped input and meetings). `streams` names what each is
    compared with where speakers were assigned. Columns that the input lacks are None, as are
    entries of utterances without.
    """

    identifiers: Sequence[str]
    speakers: Sequence[int]
    attributes: Sequence[int]
    sequences: Sequence[int]
    labels: Sequence[str | None] | None = None
    files: Sequence[str | None] | None = None
    channels: Sequence[str | None] | None = None
    span_begins: Sequence[float] | None = None
    span_ends: Sequence[float] | None = None
    hypothesis_span_begins: Sequence[float] | None = None
    hypothesis_span_ends: Sequence[float] | None = None
    streams: Sequence[str | None] | None = None


class System:
    """A system: one hypothesis file, aligned to the reference.

    Names and the creation date are as reports print them, None where piped input lacks them.
    `fragments_correct` and `optional_deletable` are the options `-F` and `-D`; `weights_name`
    describes the word weights of `-w` and `-L`. `speakers` are in order of first appearance; a
    speaker may have no utterance. `edits[edit_offsets[u]:edit_offsets[u + 1]]` are the `Edit` bytes
    of utterance u, and `counts` (int32) its four counts.
    """

    def __init__(
        self,
        *,
        title: str,
        reference_name: str | None,
        hypothesis_name: str | None,
        creation_date: str | None,
        fragments_correct: bool,
        optional_deletable: bool,
        weights_name: str | None,
        labels: Sequence[LabelDefinition],
        categories: Sequence[LabelDefinition],
        speakers: Sequence[str],
        utterances: Utterances,
        vocabulary: Vocabulary,
        reference: Words,
        hypothesis: Words,
        edits: bytes,
        edit_offsets: Sequence[int],
        counts: Sequence[int],
    ) -> None:
        self.title = title
        self.reference_name = reference_name
        self.hypothesis_name = hypothesis_name
        self.creation_date = creation_date
        self.fragments_correct = fragments_correct
        self.optional_deletable = optional_deletable
        self.weights_name = weights_name
        self.labels = labels
        self.categories = categories
        self.speakers = speakers
        self.utterances = utterances
        self.vocabulary = vocabulary
        self.reference = reference
        self.hypothesis = hypothesis
        self.edits = edits
        self.edit_offsets = edit_offsets
        self.counts = counts

    def __len__(self) -> int:
        return len(self.utterances.identifiers)

    def __repr__(self) -> str:
        return f"<System {self.title!r}: {len(self)} utterances, {len(self.speakers)} speakers>"

    @cached_property
    def utterances_of(self) -> list[array[int]]:
        """For each speaker the positions of its utterances, in order."""
        groups = [array("i") for _ in self.speakers]
        appenders = [group.append for group in groups]
        for position, speaker in enumerate(self.utterances.speakers):
            appenders[speaker](position)
        return groups

    def counts_of(self, utterance: int) -> Counts:
        """The counts of one utterance."""
        return Counts(*self.counts[4 * utterance : 4 * utterance + 4])

    def weights_of(self, words: Words) -> Sequence[float] | None:
        """The weight of each word of a side; None without word weights."""
        by_type = self.vocabulary.weights
        if words.weights is not None or by_type is None:
            return words.weights
        return array("d", map(by_type.__getitem__, words.types))

    def slots(self, utterance: int) -> Iterator[Slot]:
        """Walk the alignment of one utterance."""
        reference = self.reference.begins[utterance]
        hypothesis = self.hypothesis.begins[utterance]
        for edit in self.edits[self.edit_offsets[utterance] : self.edit_offsets[utterance + 1]]:
            left: int | None = None
            right: int | None = None
            if edit not in NO_REFERENCE:
                left = reference
                reference += 1
            if edit not in NO_HYPOTHESIS:
                right = hypothesis
                hypothesis += 1
            yield Slot(edit, left, right)

"""The alignments of one hypothesis file, with the data that sclite's reports print.

A `System` is an `Alignments` whose words are numbers of a vocabulary. `sclite` creates it while it
aligns. `scoring.results.columns` creates it from the alignments of a result when a report is
requested.

Data is in columns with one entry per utterance or per word, to save memory with millions of words.
Text is *byte text*: `str` with one character per byte (Latin-1), because NIST's reports measure,
pad and sort bytes in any encoding.
"""

from __future__ import annotations

from itertools import chain, groupby

from formats.schema import NamedTuple, Sequence, cached_property
from scoring.alignment.numbered import NumberedWords, WordType
from scoring.alignment.results import Alignments, CountsTable, LazyColumn
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from formats.schema.words import Words

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
    """Return byte text with A to Z in lower case and all other bytes unchanged."""
    return text.encode("latin-1").lower().decode("latin-1")


def readable(byte_text: str) -> str:
    """Return byte text decoded for people; bytes that are invalid in the encoding are preserved."""
    return byte_text.encode("latin-1").decode("utf-8", "surrogateescape")


class Vocabulary(NamedTuple):
    """The different words of a run. Other tables refer to a word by its index in `types`.

    `weights` holds the weight of each word (double) if equal words have equal weights. `upper` and
    `lower` change the case of byte text in the encoding of the run.
    """

    types: Sequence[WordType]
    upper: Callable[[str], str] = str.upper
    weights: Sequence[float] | None = None
    lower: Callable[[str], str] = ascii_lower


class WordTexts(LazyColumn["Words"]):
    """The words of each utterance of a side, decoded, without marks of optional words."""

    def __init__(self, types: Sequence[WordType], words: NumberedWords, unmarked: bool) -> None:
        super().__init__(range(len(words.begins)))
        self._words = words
        self._types = types
        self._unmarked = unmarked

    @cached_property
    def _texts(self) -> list[str]:
        texts = [readable(word.text) for word in self._types]
        return list(map(without_parentheses, texts)) if self._unmarked else texts

    def value(self, row: int) -> Words:
        """Return the words of an utterance."""
        begin, end = self._words.begins[row], self._words.ends[row]
        return tuple(map(self._texts.__getitem__, self._words.types[begin:end]))

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented


def without_parentheses(word: str) -> str:
    """Return a word without the parentheses that mark an optional word.

    >>> without_parentheses("(uh)"), without_parentheses("()")
    ('uh', '()')
    """
    return word[1:-1] if len(word) > 2 and word[0] + word[-1] == "()" else word


class LabelDefinition(NamedTuple):
    """A LABEL or CATEGORY line of a reference or hypothesis file."""

    identifier: str
    title: str
    description: str


class Slot(NamedTuple):
    """A step of an utterance's alignment: an edit, with the indices of its words.

    `reference` and `hypothesis` are indices of the columns of `NumberedWords`; None if the edit has
    no word of this side.
    """

    edit: int
    reference: int | None
    hypothesis: int | None


class Utterances(NamedTuple):
    """Columns with one entry per utterance, in the order in which utterances were aligned.

    `identifiers` include their parentheses. `speakers` are positions in `System.speakers`.
    `attributes` are the bits defined at the top of this module. `sequences` has the running number
    of each utterance over all files of the process; it is negative if piped input has no numbers.
    Spans are seconds (double), valid under REFERENCE_SPAN and HYPOTHESIS_SPAN (piped input and
    meetings). `streams` is the stream with which an utterance is compared, if speakers were
    assigned. Columns and entries that the input lacks are None.
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


class System(Alignments):
    """A hypothesis file (system), aligned to the reference.

    Its words are numbers (`reference`, `hypothesis`). The texts of an utterance (`references`,
    `hypotheses`) are created on access. Names and the creation date are as reports print them, None
    if piped input lacks them. `fragments_correct` and `optional_deletable` are the options `-F` and
    `-D`. `weights_name` describes the word weights of `-w` and `-L`. `speakers` are in order of
    first appearance; a speaker may have no utterance.
    """

    # Equal alignments may have other confidences, times and names.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

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
        reference: NumberedWords,
        hypothesis: NumberedWords,
        edits: bytes,
        offsets: Sequence[int],
        counts: CountsTable,
    ) -> None:
        references, hypotheses = (
            WordTexts(vocabulary.types, words, optional_deletable)
            for words in (reference, hypothesis)
        )
        super().__init__(references, hypotheses, edits, offsets, counts)
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

    def __repr__(self) -> str:
        return f"<System {self.title!r}: {len(self)} utterances, {len(self.speakers)} speakers>"

    @property
    def names(self) -> list[str]:
        """The decoded identifiers of the utterances."""
        names = map(readable, self.utterances.identifiers)
        return [name.removeprefix("(").removesuffix(")") for name in names]

    @cached_property
    def utterances_of(self) -> list[Sequence[int]]:
        """The positions of each speaker's utterances, in order."""
        runs: list[list[range]] = [[] for _ in self.speakers]
        position = 0
        for speaker, run in groupby(self.utterances.speakers):
            end = position + len(list(run))
            runs[speaker].append(range(position, end))
            position = end
        # as a rule a speaker's utterances follow each other
        return [
            of_speaker[0] if len(of_speaker) == 1 else _joined(of_speaker) for of_speaker in runs
        ]

    def weights_of(self, words: NumberedWords) -> Sequence[float] | None:
        """Return the weight of each word of a side; None without word weights."""
        by_type = self.vocabulary.weights
        if words.weights is not None or by_type is None:
            return words.weights
        from array import array

        return array("d", map(by_type.__getitem__, words.types))

    def slots(self, utterance: int) -> Iterator[Slot]:
        """Yield the slots of an utterance's alignment."""
        reference = self.reference.begins[utterance]
        hypothesis = self.hypothesis.begins[utterance]
        for edit in self.edits_of(utterance):
            left: int | None = None
            right: int | None = None
            if edit not in NO_REFERENCE:
                left = reference
                reference += 1
            if edit not in NO_HYPOTHESIS:
                right = hypothesis
                hypothesis += 1
            yield Slot(edit, left, right)


def _joined(runs: Sequence[range]) -> Sequence[int]:
    """Return the positions in several runs."""
    from array import array

    return array("i", chain.from_iterable(runs))

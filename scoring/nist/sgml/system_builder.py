"""Builds a system from single utterances, or from columns of utterances."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat

from formats.schema import NamedTuple, SequenceBase, cached_property
from scoring.alignment import load_core
from scoring.alignment.numbered import NumberedWords, WordType
from scoring.alignment.results import CountsTable
from scoring.alignment.system import (
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_SPAN,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_CONFIDENCES,
    REFERENCE_SPAN,
    REFERENCE_WEIGHTS,
    LabelDefinition,
    System,
    Utterances,
    Vocabulary,
)
from scoring.model.counts import Edit
from scoring.nist.sgml.measures import NO_WEIGHT, WordMeasure, number
from scoring.nist.sgml.path_data import COLUMNS, DEFAULTS, UNKNOWN, PathTag, WordNumbers
from scoring.nist.sgml.tags import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TEXTS = ("labels", "file", "channel")
_SPANS = ("R_T1", "R_T2", "H_T1", "H_T2")
LINES_OF_PATH, LINES_OF_CHANGE = 3, 2
"""Lines that the core reads: an utterance (the tag, the words, the end tag), and the end of one
speaker with the beginning of the next."""
_SPAN_BITS = (REFERENCE_SPAN, REFERENCE_SPAN, HYPOTHESIS_SPAN, HYPOTHESIS_SPAN)


class PathColumns(NamedTuple):
    """Consecutive utterances as the compiled reader returns them; numbers are in buffers.

    `speakers` are those that begin between them, and `firsts` says before which utterance. `ends`
    has, after each utterance, the number of edits in the system so far. Each side consists
    of its word numbers, the number of words so far after each utterance, and the columns of
    `DEFAULTS`.
    """

    position: int  # of what comes after them
    identifiers: list[str]
    labels: list[str | None]
    files: list[str | None]
    channels: list[str | None]
    spans: tuple[bytes, ...]  # as `_SPANS`
    attributes: bytes
    sequences: bytes
    edits: bytes
    ends: bytes
    counts: bytes
    speakers: list[str]
    firsts: bytes
    reference: tuple[bytes, ...]
    hypothesis: tuple[bytes, ...]


class SideWords:
    """The words of one side, with columns of numbers, such as times.

    Each column has a default value.
    """

    def __init__(self) -> None:
        self.types = array("i")
        self.ends = array("q")
        self._columns: dict[str, array[float]] = {}

    def extend(self, types: Sequence[int], numbers: WordNumbers) -> None:
        """Add words, given by their word numbers and columns."""
        if not numbers and not self._columns:
            self.types.extend(types)
            return
        before = len(self.types)
        for name, default in DEFAULTS.items():
            column, missing = numbers.get(name), array("d", [default])
            if column is not None and name not in self._columns:
                self._columns[name] = missing * before
            if name in self._columns:
                self._columns[name].extend(missing * len(types) if column is None else column)
        self.types.extend(types)

    def extend_columns(self, columns: Sequence[bytes], names: Sequence[str]) -> None:
        """Add the words of several utterances, with their columns of numbers."""
        numbers = zip(DEFAULTS, columns[2:], strict=True)
        named = {name: array("d", values) for name, values in numbers if name in names}
        if named or self._columns:
            self.extend(array("i", columns[0]), named)
        else:
            self.types.frombytes(columns[0])
        self.ends.frombytes(columns[1])

    def words(self, *, confident: bool, weighted: bool) -> NumberedWords:
        """Return the words; confidences and weights are included on request."""
        columns, size = self._columns, len(self.types)
        starts, confidences = columns.get("starts"), columns.get("confidences")
        if confidences is None and (starts is not None or confident):
            # words of piped input have confidence 0, whether they have times or not
            confidences = array("d", [0.0]) * size
        weights = columns.get("weights", array("d", [NO_WEIGHT]) * size) if weighted else None
        finishes = columns.get("finishes")
        begins = (array("q", [0]) + self.ends)[:-1]
        return NumberedWords(self.types, begins, self.ends, starts, finishes, confidences, weights)


class SgmlLexicon(dict[str, int]):
    """Numbers for distinct words, in order of first appearance."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number

    def numbers(self, words: Sequence[str]) -> array[int]:
        """Return the number of each word; a new word gets a new number."""
        return array("i", map(self.__getitem__, words))


class SgmlWords(SequenceBase[WordType]):
    """The words of a lexicon, which have no marks; created when the first is asked for."""

    def __init__(self, lexicon: SgmlLexicon) -> None:
        self._lexicon = lexicon

    @cached_property
    def _types(self) -> list[WordType]:
        texts, no = self._lexicon, repeat(False)
        fields = zip(texts, repeat((None, None)), texts, no, no, no, strict=False)
        # a call of the class takes ten times as long
        return [*map(tuple.__new__, repeat(WordType), fields)]

    def __len__(self) -> int:
        return len(self._lexicon)

    def __iter__(self) -> Iterator[WordType]:
        return iter(self._types)

    def __getitem__(self, index: Any) -> Any:
        return self._types[index]


class SystemBuilder:
    """Builds one system."""

    def __init__(
        self,
        tag: Tag,  # the SYSTEM tag
        say: Callable[[str], None],
        upper: Callable[[str], str],
        data: bytes,  # all that is read
    ) -> None:
        self._tag = tag
        self._say = say
        self._upper = upper
        self.labels: list[LabelDefinition] = []
        self.categories: list[LabelDefinition] = []
        self._speakers: dict[str, int] = {}
        self._identifiers: list[str] = []
        self._texts: tuple[list[str | None], ...] = [], [], []
        self._spans = tuple(array("d") for _ in _SPANS)
        self._speaker_numbers = array("i")
        self._attributes = array("i")
        self._sequences = array("q")
        self._lexicon = SgmlLexicon()
        self._sides = SideWords(), SideWords()
        self._edits: list[bytes] = []
        self._counts = array("i")
        self._offsets = array("q", [0])
        native = load_core()
        self._paths = None if native is None else native.PathReader(data, self._lexicon)

    def speaker(self, identifier: str) -> int:
        """Return the position of a speaker; a new speaker is added."""
        return self._speakers.setdefault(identifier, len(self._speakers))

    def read_paths(
        self, at: int, speaker: int, measures: Sequence[WordMeasure], *, others: bool
    ) -> tuple[int, int, int]:
        """Add utterances from position `at` on, as long as they have the form of `-o sgml`.

        The compiled core reads these utterances; with `others`, also those of the next speakers.
        Returns the position at which `add` must continue, how many lines were read, and the speaker
        there.
        """
        if self._paths is None or not all(measure.kind for measure in measures):
            return at, 0, speaker
        listed = ",".join(measure.name for measure in measures).encode()
        kinds = [(measure.of_reference, measure.kind, measure.bit) for measure in measures]
        sizes = self._offsets[-1], *(len(side.types) for side in self._sides)
        paths = PathColumns(*self._paths.read(at, listed, kinds, sizes, others))
        if paths.position == at:
            return at, 0, speaker
        self._identifiers += paths.identifiers
        for column, texts in zip(
            self._texts, (paths.labels, paths.files, paths.channels), strict=True
        ):
            column += texts
        for span, values in zip(self._spans, paths.spans, strict=True):
            span.frombytes(values)
        begin, size = 0, len(paths.identifiers)
        firsts = memoryview(paths.firsts).cast("q")
        for identifier, first in zip(paths.speakers, firsts, strict=True):
            self._speaker_numbers += array("i", [speaker]) * (first - begin)
            begin, speaker = first, self.speaker(identifier)
        self._speaker_numbers += array("i", [speaker]) * (size - begin)
        self._attributes.frombytes(paths.attributes)
        self._sequences.frombytes(paths.sequences)
        self._edits.append(paths.edits)
        self._offsets.frombytes(paths.ends)
        self._counts.frombytes(paths.counts)
        for of_reference, side in ((True, paths.reference), (False, paths.hypothesis)):
            of_side = [measure for measure in measures if measure.of_reference == of_reference]
            names = [name for measure in of_side for name, _ in COLUMNS[measure.kind]]
            self._sides[not of_reference].extend_columns(side, names)
        return paths.position, LINES_OF_PATH * size + LINES_OF_CHANGE * len(firsts), speaker

    def add(self, utterance: PathTag) -> None:
        """Add one complete utterance."""
        edits = bytes(utterance.edits)
        for edit in filter(UNKNOWN.__contains__, edits):
            self._say(f"Warning: Unknown Alignment Evaluation {UNKNOWN[edit]}\n")
        tag = utterance.tag
        self._identifiers.append(tag.attributes.get("id", ""))
        for name, column in zip(_TEXTS, self._texts, strict=True):
            column.append(tag.value(name))
        for name, span in zip(_SPANS, self._spans, strict=True):
            span.append(number(tag.attributes.get(name, "")))
        self._speaker_numbers.append(utterance.speaker)
        self._attributes.append(utterance.attributes)
        self._sequences.append(utterance.sequence)
        self._edits.append(edits)
        self._offsets.append(self._offsets[-1] + len(edits))
        self._counts.extend([edits.count(kind) for kind in range(Edit.INSERTION + 1)])
        for side, words, numbers in zip(
            self._sides, utterance.words, utterance.numbers, strict=True
        ):
            side.extend(self._lexicon.numbers(words), numbers)
            side.ends.append(len(side.types))

    def system(self) -> System:
        """Return the system that was built."""
        tag = self._tag
        weighted = tag.attributes.get("weight_ali") == "TRUE"
        bits = 0
        for flags in set(self._attributes):
            bits |= flags
        return System(
            title=tag.attributes.get("title", ""),
            reference_name=tag.value("ref_fname"),
            hypothesis_name=tag.value("hyp_fname"),
            creation_date=tag.value("creation_date"),
            fragments_correct=tag.attributes.get("frag_corr") == "TRUE",
            optional_deletable=tag.attributes.get("opt_del") == "TRUE",
            weights_name=tag.attributes.get("weight_filename", "") if weighted else None,
            labels=self.labels,
            categories=self.categories,
            speakers=list(self._speakers),
            utterances=self._columns(bits),
            vocabulary=Vocabulary(SgmlWords(self._lexicon), self._upper),
            reference=self._sides[0].words(
                confident=bool(bits & REFERENCE_CONFIDENCES),
                weighted=bool(bits & REFERENCE_WEIGHTS),
            ),
            hypothesis=self._sides[1].words(
                confident=bool(bits & HYPOTHESIS_CONFIDENCES),
                weighted=bool(bits & HYPOTHESIS_WEIGHTS),
            ),
            edits=b"".join(self._edits),
            offsets=self._offsets,
            counts=CountsTable(self._counts.tobytes()),
        )

    def _columns(self, bits: int) -> Utterances:
        """Return the columns of all utterances; `bits` are the attributes that any of them has."""
        labels, files, channels = (
            column if column.count(None) < len(column) else None for column in self._texts
        )
        begins, ends, hypothesis_begins, hypothesis_ends = (
            span if bits & bit else None for span, bit in zip(self._spans, _SPAN_BITS, strict=True)
        )
        return Utterances(
            identifiers=self._identifiers,
            speakers=self._speaker_numbers,
            attributes=self._attributes,
            sequences=self._sequences,
            labels=labels,
            files=files,
            channels=channels,
            span_begins=begins,
            span_ends=ends,
            hypothesis_span_begins=hypothesis_begins,
            hypothesis_span_ends=hypothesis_ends,
        )

"""A system put together utterance by utterance."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

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
from scoring.nist.sgml.measures import NO_WEIGHT, number
from scoring.nist.sgml.path_data import DEFAULTS, UNKNOWN, PathTag, WordNumbers
from scoring.nist.sgml.tags import Tag


class SideWords:
    """The words of one side, and columns of numbers: one default for all that came without."""

    def __init__(self) -> None:
        self.types = array("i")
        self.begins = array("q")
        self.ends = array("q")
        self._columns: dict[str, array[float]] = {}

    def extend(self, types: Sequence[int], numbers: WordNumbers) -> None:
        """Add words."""
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

    def words(self, *, confident: bool, weighted: bool) -> NumberedWords:
        """Return the words, with confidences and weights where asked for."""
        columns, size = self._columns, len(self.types)
        starts, confidences = columns.get("starts"), columns.get("confidences")
        if confidences is None and (starts is not None or confident):
            # words of piped input have confidence 0, whether they have times or not
            confidences = array("d", [0.0]) * size
        weights = columns.get("weights", array("d", [NO_WEIGHT]) * size) if weighted else None
        finishes = columns.get("finishes")
        return NumberedWords(
            self.types, self.begins, self.ends, starts, finishes, confidences, weights
        )


class SgmlLexicon(dict[str, int]):
    """Numbers words as they come."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number

    def numbers(self, words: Sequence[str]) -> array[int]:
        """Return the numbers of some words."""
        return array("i", map(self.__getitem__, words))


class SystemBuilder:
    """Collects the parts of one system."""

    def __init__(
        self,
        tag: Tag,  # the SYSTEM tag
        say: Callable[[str], None],
        upper: Callable[[str], str],
    ) -> None:
        self._tag = tag
        self._say = say
        self._upper = upper
        self.labels: list[LabelDefinition] = []
        self.categories: list[LabelDefinition] = []
        self._speakers: dict[str, int] = {}
        self._tags: list[Tag] = []
        self._speaker_numbers = array("i")
        self._attributes = array("i")
        self._sequences = array("q")
        self._lexicon = SgmlLexicon()
        self._sides = SideWords(), SideWords()
        self._edits: list[bytes] = []
        self._counts = array("i")
        self._offsets = array("q", [0])

    def speaker(self, identifier: str) -> int:
        """Return the position of a speaker, known or new."""
        return self._speakers.setdefault(identifier, len(self._speakers))

    def add(self, utterance: PathTag) -> None:
        """Add an utterance that is complete."""
        edits = bytes(utterance.edits)
        if any(map(edits.__contains__, UNKNOWN)):
            for edit in filter(UNKNOWN.__contains__, edits):
                self._say(f"Warning: Unknown Alignment Evaluation {UNKNOWN[edit]}\n")
        self._tags.append(utterance.tag)
        self._speaker_numbers.append(utterance.speaker)
        self._attributes.append(utterance.attributes)
        self._sequences.append(utterance.sequence)
        self._edits.append(edits)
        self._offsets.append(self._offsets[-1] + len(edits))
        self._counts.extend([edits.count(kind) for kind in range(Edit.INSERTION + 1)])
        for side, words, numbers in zip(
            self._sides, utterance.words, utterance.numbers, strict=True
        ):
            side.begins.append(len(side.types))
            side.extend(self._lexicon.numbers(words), numbers)
            side.ends.append(len(side.types))

    def system(self) -> System:
        """Return the system."""
        tag = self._tag
        weighted = tag.attributes.get("weight_ali") == "TRUE"
        utterances = self._columns()
        bits = 0
        for flags in set(utterances.attributes):
            bits |= flags
        types = [WordType(text, (None, None), text, False, False, False) for text in self._lexicon]
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
            utterances=utterances,
            vocabulary=Vocabulary(types, self._upper),
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

    def _columns(self) -> Utterances:
        tags, attributes = self._tags, self._attributes

        def texts(name: str) -> list[str | None] | None:
            column = [tag.value(name) for tag in tags]
            return column if any(value is not None for value in column) else None

        def times(name: str, bit: int) -> array[float] | None:
            if not any(utterance & bit for utterance in set(attributes)):
                return None
            return array("d", [number(tag.attributes.get(name, "")) for tag in tags])

        return Utterances(
            identifiers=[tag.attributes.get("id", "") for tag in tags],
            speakers=self._speaker_numbers,
            attributes=attributes,
            sequences=self._sequences,
            labels=texts("labels"),
            files=texts("file"),
            channels=texts("channel"),
            span_begins=times("R_T1", REFERENCE_SPAN),
            span_ends=times("R_T2", REFERENCE_SPAN),
            hypothesis_span_begins=times("H_T1", HYPOTHESIS_SPAN),
            hypothesis_span_ends=times("H_T2", HYPOTHESIS_SPAN),
        )

"""A system put together utterance by utterance."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain

from scoring.alignment.numbered import WordType
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
    Words,
)
from scoring.model import Edit
from scoring.nist.sgml.batches import decode
from scoring.nist.sgml.measures import NO_WEIGHT, number
from scoring.nist.sgml.path_data import (
    COLUMNS,
    UNKNOWN,
    Numbers,
    PlaceReader,
    Places,
    is_newline_separated,
)
from scoring.nist.sgml.tags import Tag
from scoring.nist.sgml.utterance import PathTag

_BATCH = 512


class SideWords:
    """The words of one side, and columns of numbers: one default for all that came without."""

    def __init__(self) -> None:
        self.types = array("i")
        self.begins = array("q")
        self.ends = array("q")
        self._columns: dict[str, array[float]] = {}

    def extend(self, types: Sequence[int], numbers: Numbers) -> None:
        """Add words."""
        before = len(self.types)
        for name, default in chain.from_iterable(COLUMNS.values()):
            column, missing = numbers.get(name), array("d", [default])
            if column is not None and name not in self._columns:
                self._columns[name] = missing * before
            if name in self._columns:
                self._columns[name].extend(missing * len(types) if column is None else column)
        self.types.extend(types)

    def words(self, *, confident: bool, weighted: bool) -> Words:
        """All of them."""
        columns, size = self._columns, len(self.types)
        starts, confidences = columns.get("starts"), columns.get("confidences")
        if confidences is None and (starts is not None or confident):
            # words of piped input have confidence 0, whether they have times or not
            confidences = array("d", [0.0]) * size
        weights = columns.get("weights", array("d", [NO_WEIGHT]) * size) if weighted else None
        finishes = columns.get("finishes")
        return Words(self.types, self.begins, self.ends, starts, finishes, confidences, weights)


class SgmlLexicon(dict[str, int]):
    """Numbers words as they come."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number

    def numbers(self, words: Sequence[str]) -> array[int]:
        """The numbers of some words."""
        return array("i", map(self.__getitem__, words))


class SystemBuilder:
    """Collects the parts of one system; places are read when a batch is full, or by `flush`."""

    def __init__(
        self,
        tag: Tag,  # the SYSTEM tag
        text: str,  # all of the input, to find line numbers in
        say: Callable[[str], None],
        warn: Callable[[str], None],
        upper: Callable[[str], str],
    ) -> None:
        self._tag = tag
        self._text = text
        self._say = say
        self._warn = warn
        self._upper = upper
        self.labels: list[LabelDefinition] = []
        self.categories: list[LabelDefinition] = []
        self._speakers: dict[str, int] = {}
        self._utterances: list[PathTag] = []
        self._waiting: list[PathTag] = []
        self._lexicon = SgmlLexicon()
        self._sides = SideWords(), SideWords()
        self._edits: list[bytes] = []
        self._counts = array("i")
        self._offsets = array("q", [0])

    def speaker(self, identifier: str) -> int:
        """The position of a speaker, known or new."""
        return self._speakers.setdefault(identifier, len(self._speakers))

    def add(self, utterance: PathTag) -> None:
        """Add an utterance that is complete."""
        if utterance.reader is None and not utterance.listed:
            utterance.forget_measures_of_others()
        waiting = self._waiting
        if waiting and waiting[0].measures != utterance.measures:
            self.flush()
        if utterance.reader is not None:
            self.flush()
            self._read(utterance)
            return
        self._waiting.append(utterance)
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Read the places of the utterances that wait."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        texts = [each.texts[0] for each in waiting if len(each.texts) == 1 and each.texts[0]]
        places: Places | None = None
        if all(len(each.texts) < 2 for each in waiting):
            forms = {is_newline_separated(text) for text in texts}
            if len(forms) <= 1:
                places = decode(texts, waiting[0].measures, True in forms)
        if places is None:
            for utterance in waiting:
                self._read(utterance)
            return
        read = iter(places.edits)
        edits = [next(read) if each.texts and each.texts[0] else b"" for each in waiting]
        self._append(waiting, edits, places)
        for each in waiting:
            each.texts.clear()

    def read(self, utterance: PathTag) -> Places:
        """What there is of an utterance so far, place by place, with the original's messages."""
        if utterance.reader is None:
            if not utterance.listed:
                utterance.forget_measures_of_others()
            utterance.reader = PlaceReader(utterance.measures, utterance.leftover, self._warn)
        places = utterance.places or utterance.reader.read("", 0, False)
        for text, position in zip(utterance.texts, utterance.positions, strict=True):
            line = self._text.count("\n", 0, position) + 1
            places = utterance.reader.read(text, line, is_newline_separated(text))
        utterance.texts.clear()
        utterance.positions.clear()
        utterance.places = places
        return places

    def _read(self, utterance: PathTag) -> None:
        places = self.read(utterance)
        for edit in places.edits[0]:
            if edit in UNKNOWN:
                self._say(f"Warning: Unknown Alignment Evaluation {UNKNOWN[Edit(edit)]}\n")
        self._append([utterance], places.edits, places)
        utterance.reader = utterance.places = None

    def _append(
        self, utterances: Sequence[PathTag], edits: Sequence[bytes], places: Places
    ) -> None:
        self._utterances += utterances
        left, right = self._sides
        reference, hypothesis = len(left.types), len(right.types)
        offset = self._offsets[-1]
        for utterance_edits in edits:
            correct, substituted = (
                utterance_edits.count(Edit.CORRECT),
                utterance_edits.count(Edit.SUBSTITUTION),
            )
            deleted, inserted = (
                utterance_edits.count(Edit.DELETION),
                utterance_edits.count(Edit.INSERTION),
            )
            self._counts.extend((correct, substituted, deleted, inserted))
            left.begins.append(reference)
            right.begins.append(hypothesis)
            offset += len(utterance_edits)
            reference += len(utterance_edits) - inserted
            hypothesis += len(utterance_edits) - deleted
            left.ends.append(reference)
            right.ends.append(hypothesis)
            self._offsets.append(offset)
        self._edits += edits
        for side, words, numbers in (
            (left, places.references, places.reference_numbers),
            (right, places.hypotheses, places.hypothesis_numbers),
        ):
            side.extend(self._lexicon.numbers(words), numbers)

    def system(self) -> System:
        """The system, all of its utterances read."""
        self.flush()
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
            edit_offsets=self._offsets,
            counts=self._counts,
        )

    def _columns(self) -> Utterances:
        every = self._utterances
        tags = [utterance.tag for utterance in every]
        attributes = array("i", [utterance.attributes for utterance in every])

        def texts(name: str) -> list[str | None] | None:
            column = [tag.value(name) for tag in tags]
            return column if any(value is not None for value in column) else None

        def times(name: str, bit: int) -> array[float] | None:
            if not any(utterance & bit for utterance in set(attributes)):
                return None
            return array("d", [number(tag.attributes.get(name, "")) for tag in tags])

        return Utterances(
            identifiers=[tag.attributes.get("id", "") for tag in tags],
            speakers=array("i", [utterance.speaker for utterance in every]),
            attributes=attributes,
            sequences=array("q", [utterance.sequence for utterance in every]),
            labels=texts("labels"),
            files=texts("file"),
            channels=texts("channel"),
            span_begins=times("R_T1", REFERENCE_SPAN),
            span_ends=times("R_T2", REFERENCE_SPAN),
            hypothesis_span_begins=times("H_T1", HYPOTHESIS_SPAN),
            hypothesis_span_ends=times("H_T2", HYPOTHESIS_SPAN),
        )

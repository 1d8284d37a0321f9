"""A system put together utterance by utterance."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from scoring.exchange.measures import NO_WEIGHT, Measure, number
from scoring.exchange.places import (
    UNKNOWN,
    Numbers,
    PlaceReader,
    Places,
    decode,
    is_newline_separated,
)
from scoring.exchange.tags import Tag
from scoring.model import Edit
from scoring.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_SPAN,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_SPAN,
    REFERENCE_WEIGHTS,
    Definition,
    System,
    Utterances,
    Vocabulary,
    Words,
    WordType,
)

_BATCH = 512
_NO_SEQUENCE = -1
_FLAGS = (
    ("char_align", CHARACTER_ALIGNED),
    ("case_sense", CASE_SENSITIVE),
    ("hyp_weight", HYPOTHESIS_WEIGHTS),
    ("ref_weight", REFERENCE_WEIGHTS),
    ("R_T1", REFERENCE_SPAN),
    ("R_T2", REFERENCE_SPAN),
    ("H_T1", HYPOTHESIS_SPAN),
    ("H_T2", HYPOTHESIS_SPAN),
)


class Utterance:
    """A PATH tag and the lines of data behind it, not read yet.

    Attributes
    ----------
    texts, positions
        The lines, in one piece unless there was another tag among them, and where they stand.
    leftover
        Measures of earlier lists beyond the end of this one.
    listed
        The measures are named by this very tag, so they belong to the utterance.
    """

    __slots__ = (
        "leftover",
        "listed",
        "measures",
        "places",
        "positions",
        "reader",
        "speaker",
        "tag",
        "texts",
    )

    def __init__(
        self,
        tag: Tag,
        speaker: int,
        measures: tuple[Measure, ...],
        leftover: tuple[Measure, ...],
        listed: bool,
    ) -> None:
        self.tag = tag
        self.speaker = speaker
        self.measures = measures
        self.leftover = leftover
        self.listed = listed
        self.texts: list[str] = []
        self.positions: list[int] = []
        self.reader: PlaceReader | None = None
        self.places: Places | None = None

    @property
    def attributes(self) -> int:
        """The bits of `Utterances.attributes`."""
        bits = 0
        given = self.tag.attributes
        for name, bit in _FLAGS:
            if given.get(name):
                bits |= bit
        if self.listed:
            for measure in self.measures:
                bits |= measure.bit
        return bits


class _Column:
    """Numbers of the words of one side; zeros for words that came without."""

    def __init__(self) -> None:
        self._values: array[float] | None = None

    def extend(self, values: Sequence[float] | None, before: int, count: int) -> None:
        """Add the numbers of `count` words that follow `before` others."""
        if values is None and self._values is None:
            return
        if self._values is None:
            self._values = array("d", bytes(8 * before))
        if values is None:
            self._values.frombytes(bytes(8 * count))
        else:
            self._values.extend(values)

    def values(self) -> array[float] | None:
        """The column, or None if no word came with a number."""
        return self._values


class _Side:
    """The words of one side."""

    def __init__(self) -> None:
        self.types = array("i")
        self.begins = array("q")
        self.ends = array("q")
        self._starts = _Column()
        self._finishes = _Column()
        self._confidences = _Column()

    def extend(self, types: Sequence[int], numbers: Numbers) -> None:
        before, count = len(self.types), len(types)
        self._starts.extend(numbers.starts, before, count)
        self._finishes.extend(numbers.finishes, before, count)
        self._confidences.extend(numbers.confidences, before, count)
        self.types.extend(types)

    def words(self) -> Words:
        starts, confidences = self._starts.values(), self._confidences.values()
        if starts is not None and confidences is None:
            # words of piped input have confidence 0, whether they have times or not
            confidences = array("d", bytes(8 * len(self.types)))
        return Words(
            self.types, self.begins, self.ends, starts, self._finishes.values(), confidences
        )


class _Lexicon(dict[str, int]):
    """Numbers words as they come; a word with another weight is another word."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.weights = array("d")
        self._weighted: dict[tuple[str, float], int] = {}

    def __missing__(self, text: str) -> int:
        self[text] = number = self._add(text, NO_WEIGHT)
        return number

    def _add(self, text: str, weight: float) -> int:
        self.texts.append(text)
        self.weights.append(weight)
        return len(self.texts) - 1

    def numbers(self, words: Sequence[str], weights: Sequence[float] | None) -> array[int]:
        """The numbers of some words."""
        if weights is None:
            return array("i", map(self.__getitem__, words))
        known = self._weighted
        numbers = array("i")
        for pair in zip(words, weights, strict=True):
            if pair not in known:
                known[pair] = self._add(*pair)
            numbers.append(known[pair])
        return numbers


class SystemBuilder:
    """Collects the parts of one system.

    Reading the places of utterances is put off until a batch is full or somebody calls `flush`.

    Parameters
    ----------
    tag
        The SYSTEM tag.
    text
        All of the input, to find line numbers in.
    """

    def __init__(
        self,
        tag: Tag,
        text: str,
        say: Callable[[str], None],
        warn: Callable[[str], None],
        upper: Callable[[str], str],
    ) -> None:
        self._tag = tag
        self._text = text
        self._say = say
        self._warn = warn
        self._upper = upper
        self.labels: list[Definition] = []
        self.categories: list[Definition] = []
        self._speakers: dict[str, int] = {}
        self._utterances: list[Utterance] = []
        self._waiting: list[Utterance] = []
        self._lexicon = _Lexicon()
        self._sides = _Side(), _Side()
        self._edits: list[bytes] = []
        self._counts = array("i")
        self._offsets = array("q", [0])

    def speaker(self, identifier: str) -> int:
        """The position of a speaker, known or new."""
        return self._speakers.setdefault(identifier, len(self._speakers))

    def add(self, utterance: Utterance) -> None:
        """Add an utterance that is complete."""
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
        texts = [one.texts[0] for one in waiting if len(one.texts) == 1 and one.texts[0]]
        places: Places | None = None
        if all(len(one.texts) < 2 for one in waiting):
            forms = {is_newline_separated(text) for text in texts}
            if len(forms) == 1:
                places = decode(texts, waiting[0].measures, forms.pop())
        if places is None:
            for utterance in waiting:
                self._read(utterance)
            return
        read = iter(places.edits)
        edits = [next(read) if one.texts and one.texts[0] else b"" for one in waiting]
        self._append(waiting, edits, places)
        for one in waiting:
            one.texts.clear()

    def read(self, utterance: Utterance) -> Places:
        """What there is of an utterance so far, place by place, with the original's messages."""
        if utterance.reader is None:
            utterance.reader = PlaceReader(utterance.measures, utterance.leftover, self._warn)
        places = utterance.places or utterance.reader.read("", 0, False)
        for text, position in zip(utterance.texts, utterance.positions, strict=True):
            line = self._text.count("\n", 0, position) + 1
            places = utterance.reader.read(text, line, is_newline_separated(text))
        utterance.texts.clear()
        utterance.positions.clear()
        utterance.places = places
        return places

    def _read(self, utterance: Utterance) -> None:
        places = self.read(utterance)
        for edit in places.edits[0]:
            if edit in UNKNOWN:
                self._say(f"Warning: Unknown Alignment Evaluation {UNKNOWN[Edit(edit)]}\n")
        self._append([utterance], places.edits, places)
        utterance.reader = utterance.places = None

    def _append(
        self, utterances: Sequence[Utterance], edits: Sequence[bytes], places: Places
    ) -> None:
        self._utterances += utterances
        left, right = self._sides
        reference, hypothesis = len(left.types), len(right.types)
        offset = self._offsets[-1]
        for own in edits:
            correct, substituted = own.count(Edit.CORRECT), own.count(Edit.SUBSTITUTION)
            deleted, inserted = own.count(Edit.DELETION), own.count(Edit.INSERTION)
            self._counts.extend((correct, substituted, deleted, inserted))
            left.begins.append(reference)
            right.begins.append(hypothesis)
            offset += len(own)
            reference += len(own) - inserted
            hypothesis += len(own) - deleted
            left.ends.append(reference)
            right.ends.append(hypothesis)
            self._offsets.append(offset)
        self._edits += edits
        for side, words, numbers in (
            (left, places.references, places.reference_numbers),
            (right, places.hypotheses, places.hypothesis_numbers),
        ):
            side.extend(self._lexicon.numbers(words, numbers.weights), numbers)

    def system(self) -> System:
        """The system, all of its utterances read."""
        self.flush()
        tag = self._tag
        weighted = tag.attributes.get("weight_ali") == "TRUE"
        utterances = self._columns()
        bits = set(utterances.attributes)
        weights = any(one & (REFERENCE_WEIGHTS | HYPOTHESIS_WEIGHTS) for one in bits)
        types = [
            WordType(text, (None, None), text, False, False, False) for text in self._lexicon.texts
        ]
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
            vocabulary=Vocabulary(types, self._upper, self._lexicon.weights if weights else None),
            reference=self._sides[0].words(),
            hypothesis=self._sides[1].words(),
            edits=b"".join(self._edits),
            edit_offsets=self._offsets,
            counts=self._counts,
        )

    def _columns(self) -> Utterances:
        every = self._utterances
        tags = [one.tag for one in every]
        attributes = array("i", [one.attributes for one in every])

        def texts(name: str) -> list[str | None] | None:
            column = [tag.value(name) for tag in tags]
            return column if any(value is not None for value in column) else None

        def times(name: str, bit: int) -> array[float] | None:
            if not any(one & bit for one in set(attributes)):
                return None
            return array("d", [number(tag.attributes.get(name, "")) for tag in tags])

        return Utterances(
            identifiers=[tag.attributes.get("id", "") for tag in tags],
            speakers=array("i", [one.speaker for one in every]),
            attributes=attributes,
            sequences=array("q", [_sequence(tag.value("sequence")) for tag in tags]),
            labels=texts("labels"),
            files=texts("file"),
            channels=texts("channel"),
            span_begins=times("R_T1", REFERENCE_SPAN),
            span_ends=times("R_T2", REFERENCE_SPAN),
            hypothesis_span_begins=times("H_T1", HYPOTHESIS_SPAN),
            hypothesis_span_ends=times("H_T2", HYPOTHESIS_SPAN),
        )


def _sequence(text: str | None) -> int:
    """C's `atoi`, -1 of nothing."""
    if text is None:
        return _NO_SEQUENCE
    digits = text.lstrip(" \t\n\v\f\r")
    end = 1 if digits[:1] in ("+", "-") else 0
    while digits[end : end + 1].isdecimal():
        end += 1
    try:
        return int(digits[:end])
    except ValueError:
        return 0

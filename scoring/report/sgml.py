"""The alignments as SGML: `.sgml`, and `.nl.sgml` with a line for every field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.model import LETTERS, Edit
from scoring.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_TIMES,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_CONFIDENCES,
    REFERENCE_SPAN,
    REFERENCE_TIMES,
    REFERENCE_WEIGHTS,
    System,
    Words,
    WordType,
)

FORMAT_VERSION = "2.4"
# What may follow the two words of a slot, in this order: bit, name in `word_aux`.
MEASURES = (
    (REFERENCE_TIMES, "r_t1+t2"),
    (HYPOTHESIS_TIMES, "h_t1+t2"),
    (REFERENCE_CONFIDENCES, "r_conf"),
    (HYPOTHESIS_CONFIDENCES, "h_conf"),
    (REFERENCE_WEIGHTS, "r_weight"),
    (HYPOTHESIS_WEIGHTS, "h_weight"),
)


class Separators(NamedTuple):
    """What stands between the slots of an utterance, and between the fields of a slot."""

    slots: str
    fields: str


ON_ONE_LINE = Separators(":", ",")
NEWLINES = Separators("\n", "\n")


def render(system: System, newline_separated: bool = False) -> Iterator[bytes]:
    """The alignments as SGML.

    Nothing is escaped but a `;` in a word or its tags; the values of attributes stand as they are.

    Parameters
    ----------
    newline_separated
        Write every field on its own line (`.nl.sgml`, option `-p`) instead of every utterance.
    """
    writer = _Writer(system, NEWLINES if newline_separated else ON_ONE_LINE)
    yield _head(system).encode("latin-1")
    for name, group in zip(system.speakers, system.utterances_of, strict=True):
        yield f'<SPEAKER id="{name}">\n'.encode("latin-1")
        for utterance in group:
            yield writer.path(utterance).encode("latin-1")
        yield b"</SPEAKER>\n"
    yield b"</SYSTEM>\n"


def quoted_word(word: WordType) -> str:
    r"""A word in its quotes, with both tags if it has one.

    Examples
    --------
    >>> print(quoted_word(WordType("a;s", ("tag", None), "a;s", False, False, False)))
    "a\;s;tag;"
    """
    fields = [word.text]
    if any(tag is not None for tag in word.tags):
        fields += [tag or "" for tag in word.tags]
    return '"' + ";".join(field.replace(";", "\\;") for field in fields) + '"'


def _head(system: System) -> str:
    def name(value: str | None) -> str:
        return "(null)" if value is None else value

    def truth(value: bool) -> str:
        return "TRUE" if value else "FALSE"

    parts = [
        f'<SYSTEM title="{system.title}" ref_fname="{name(system.reference_name)}" '
        f'hyp_fname="{name(system.hypothesis_name)}" '
        f'creation_date="{name(system.creation_date)}" format="{FORMAT_VERSION}" '
        f'frag_corr="{truth(system.fragments_correct)}" '
        f'opt_del="{truth(system.optional_deletable)}" '
        f'weight_ali="{truth(system.weights_name is not None)}" '
        f'weight_filename="{system.weights_name or ""}">\n'
    ]
    for tag, definitions in (("LABEL", system.labels), ("CATEGORY", system.categories)):
        parts += [
            f'<{tag} id="{one.identifier}" title="{one.title}" desc="{one.description}">\n'
            f"</{tag}>\n"
            for one in definitions
        ]
    return "".join(parts)


class _Writer:
    """Writes the utterances of a system."""

    def __init__(self, system: System, separators: Separators) -> None:
        self._system = system
        self._separators = separators
        self._quoted = [quoted_word(word) for word in system.vocabulary.types]

    def path(self, utterance: int) -> str:
        """An utterance from its opening to its closing tag."""
        begin = self._system.edit_offsets[utterance]
        end = self._system.edit_offsets[utterance + 1]
        slots = self._separators.slots.join(self._slots(utterance, begin, end))
        return f"<PATH {self._attributes(utterance, end - begin)}>\n{slots}\n</PATH>\n"

    def _attributes(self, utterance: int, slots: int) -> str:
        utterances = self._system.utterances
        bits = utterances.attributes[utterance]
        parts = [f'id="{utterances.identifiers[utterance]}" word_cnt="{slots}"']
        for name, column in (
            ("labels", utterances.labels),
            ("file", utterances.files),
            ("channel", utterances.channels),
        ):
            value = column[utterance] if column is not None else None
            if value is not None:
                parts.append(f'{name}="{value}"')
        parts.append(f'sequence="{utterances.sequences[utterance]}"')
        if bits & REFERENCE_SPAN and utterances.span_begins and utterances.span_ends:
            begin, end = utterances.span_begins[utterance], utterances.span_ends[utterance]
            parts.append(f'R_T1="{begin:.3f}" R_T2="{end:.3f}"')
        for bit, name in (
            (CHARACTER_ALIGNED, "char_align"),
            (CASE_SENSITIVE, "case_sense"),
            (HYPOTHESIS_WEIGHTS, "hyp_weight"),
            (REFERENCE_WEIGHTS, "ref_weight"),
        ):
            if bits & bit:
                parts.append(f'{name}="1"')
        measures = ",".join(name for bit, name in MEASURES if bits & bit)
        if measures:
            parts.append(f'word_aux="{measures}"')
        return " ".join(parts)

    def _slots(self, utterance: int, begin: int, end: int) -> Iterator[str]:
        system, quoted = self._system, self._quoted
        references, hypotheses = system.reference.types, system.hypothesis.types
        between = self._separators.fields
        measures = self._measures(utterance)
        letters = system.edits[begin:end].translate(LETTERS).decode("ascii")
        for letter, (edit, left, right) in zip(letters, system.slots(utterance), strict=True):
            empty = '""' if edit >= Edit.SKIPPED_REFERENCE else ""
            fields = [
                letter,
                quoted[references[left]] if left is not None else empty,
                quoted[hypotheses[right]] if right is not None else empty,
            ]
            for measure in measures:
                fields.append(measure.text(left if measure.of_reference else right, edit))
            yield between.join(fields)

    def _measures(self, utterance: int) -> list[_Measure]:
        bits = self._system.utterances.attributes[utterance]
        weights = self._system.vocabulary.weights
        chosen = []
        for bit, name in MEASURES:
            if bits & bit:
                of_reference = name.startswith("r")
                words = self._system.reference if of_reference else self._system.hypothesis
                chosen.append(_Measure(name[2:], words, weights, of_reference))
        return chosen


class _Measure(NamedTuple):
    """A number, or a pair of times, that goes with the words of one side."""

    kind: str
    words: Words
    weights: Sequence[float] | None
    of_reference: bool

    def text(self, position: int | None, edit: int) -> str:
        """The field of the word at a position; without a word nothing, or zeros if skipped."""
        if position is None and edit < Edit.SKIPPED_REFERENCE:
            return ""
        if self.kind == "t1+t2":
            start = _value(self.words.starts, position)
            return f"{start:.3f}+{_value(self.words.finishes, position):.3f}"
        if self.kind == "conf":
            return f"{_value(self.words.confidences, position):f}"
        weighted = None if position is None else self.words.types[position]
        return f"{_value(self.weights, weighted):f}"


def _value(column: Sequence[float] | None, position: int | None) -> float:
    return 0.0 if column is None or position is None else column[position]

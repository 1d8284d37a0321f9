"""The alignments as SGML: `.sgml`, and `.nl.sgml` with one line per field.

A slot is one place of an alignment: a reference word, a hypothesis word, or both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from formats.schema import NamedTuple
from scoring.alignment import load_core
from scoring.alignment.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_TIMES,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_CONFIDENCES,
    REFERENCE_TIMES,
    REFERENCE_WEIGHTS,
    System,
)
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.nist.report.blocks import decimal, native_side, spans_of, texts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from scoring.alignment.numbered import WordType

    class PathWriter(Protocol):
        """An object that writes the utterances of a system as SGML."""

        def write(self, utterances: Iterable[int]) -> bytes:
            """Return utterances as SGML, each with its opening and its closing tag."""


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
    """The separators between the slots of an utterance, and between the fields of a slot."""

    slots: str
    fields: str


_BATCH = 1024
_LETTERS = "".join(edit.letter for edit in Edit)
ON_ONE_LINE = Separators(":", ",")
NEWLINES = Separators("\n", "\n")


def render(system: System, newline_separated: bool = False) -> Iterator[bytes]:
    """Yield the alignments as SGML.

    Nothing is escaped except `;` in words and tags.
    """
    writer = path_writer(system, NEWLINES if newline_separated else ON_ONE_LINE)
    yield _head(system).encode("latin-1")
    for name, group in zip(system.speakers, system.utterances_of, strict=True):
        head = f'<SPEAKER id="{name}">\n'.encode("latin-1")
        for begin in range(0, len(group) or 1, _BATCH):
            yield head + writer.write(group[begin : begin + _BATCH])
            head = b""
        yield b"</SPEAKER>\n"
    yield b"</SYSTEM>\n"


def render_lines(system: System) -> Iterator[bytes]:
    """Yield the alignments as SGML with one line per field."""
    return render(system, newline_separated=True)


def path_writer(system: System, separators: Separators) -> PathWriter:
    """Return the native SGML writer for a system, or the plain Python writer."""
    native = load_core()
    if native is None:
        return PlainPathWriter(system, separators)
    prepared: PathWriter = native.PathWriter(
        [quoted_word(word) for word in system.vocabulary.types],
        system.vocabulary.weights,
        system.utterances,
        native_side(system.reference),
        native_side(system.hypothesis),
        system.edits,
        system.offsets,
        system.counts.numbers,
        separators.slots,
        separators.fields,
    )
    return prepared


def quoted_word(word: WordType) -> str:
    r"""Return a word in quotes; if it has a tag, both tags follow the word.

    >>> from scoring.alignment.numbered import WordType
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
            f'<{tag} id="{definition.identifier}" title="{definition.title}" '
            f'desc="{definition.description}">\n'
            f"</{tag}>\n"
            for definition in definitions
        ]
    return "".join(parts)


class PlainPathWriter:
    """The plain Python version of the native SGML writer."""

    def __init__(self, system: System, separators: Separators) -> None:
        self._system = system
        self._separators = separators
        self._quoted = [quoted_word(word) for word in system.vocabulary.types]
        self._weights = (system.weights_of(system.reference), system.weights_of(system.hypothesis))

    def write(self, utterances: Iterable[int]) -> bytes:
        """Return some utterances as SGML, each with its opening and closing tag."""
        return "".join(map(self._path, utterances)).encode("latin-1")

    def _path(self, utterance: int) -> str:
        begin = self._system.offsets[utterance]
        end = self._system.offsets[utterance + 1]
        slots = self._separators.slots.join(self._slots(utterance, begin, end))
        return f"<PATH {self._attributes(utterance, end - begin)}>\n{slots}\n</PATH>\n"

    def _attributes(self, utterance: int, slots: int) -> str:
        utterances = self._system.utterances
        bits = utterances.attributes[utterance]
        parts = [f'id="{utterances.identifiers[utterance]}" word_cnt="{slots}"']
        named = texts_of(utterances, utterance)
        parts += (f'{name.lower()}="{text}"' for name, text in named)
        parts.append(f'sequence="{utterances.sequences[utterance]}"')
        for side, begin, end in spans_of(utterances, utterance):
            parts.append(f'{side[0]}_T1="{decimal(begin, 3)}" {side[0]}_T2="{decimal(end, 3)}"')
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
        """Yield the slots of an utterance from `begin` to `end`, each with its fields."""
        system, quoted = self._system, self._quoted
        references, hypotheses = system.reference.types, system.hypothesis.types
        left, right = system.reference.begins[utterance], system.hypothesis.begins[utterance]
        between = self._separators.fields
        bits = system.utterances.attributes[utterance]
        measures = [self._measure(name) for bit, name in MEASURES if bits & bit]
        for edit in system.edits[begin:end]:
            no_reference, no_hypothesis = edit in NO_REFERENCE, edit in NO_HYPOTHESIS
            empty = '""' if edit >= Edit.SKIPPED_REFERENCE else ""
            reference = empty if no_reference else quoted[references[left]]
            hypothesis = empty if no_hypothesis else quoted[hypotheses[right]]
            slot = f"{_LETTERS[edit]}{between}{reference}{between}{hypothesis}"
            for measure in measures:
                if no_reference if measure.of_reference else no_hypothesis:
                    # the empty partner of a skipped word has numbers too: zeros
                    slot += between + (measure.zero if empty else "")
                else:
                    slot += between + measure.text(left if measure.of_reference else right)
            yield slot
            left += not no_reference
            right += not no_hypothesis

    def _measure(self, name: str) -> _Measure:
        side, kind = name.split("_")
        words = self._system.reference if side == "r" else self._system.hypothesis
        places = 6
        columns: list[Sequence[float] | None] = [words.confidences]
        if kind == "t1+t2":
            places, columns = 3, [words.starts, words.finishes]
        elif kind == "weight":
            columns = [self._weights[side != "r"]]

        def text(position: int) -> str:
            # zeros where the attributes promise what the side lacks
            values = [0.0 if column is None else column[position] for column in columns]
            return "+".join([decimal(value, places) for value in values])

        return _Measure(side == "r", "+".join([decimal(0.0, places)] * len(columns)), text)


class _Measure(NamedTuple):
    """An optional value of each word of a side: a number, or a pair of times.

    `text(position)` formats the value of the word at a position. `zero` is the text of a missing
    value.
    """

    of_reference: bool
    zero: str
    text: Callable[[int], str]

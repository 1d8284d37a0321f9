"""A system read back from the newline-separated SGML of sclite, to render its reports anew.

Test support, not a reader for users: it knows only what sclite itself writes.
"""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Callable, Mapping, Sequence

import pytest

from scoring.alignment import system as model
from scoring.alignment.numbered import WordType
from scoring.alignment.system import (
    LabelDefinition,
    System,
    Utterances,
    Vocabulary,
    Words,
)
from scoring.model import Edit

LETTERS = {"C": Edit.CORRECT, "S": Edit.SUBSTITUTION, "D": Edit.DELETION, "I": Edit.INSERTION}
MEASURES = {
    "r_t1+t2": model.REFERENCE_TIMES,
    "h_t1+t2": model.HYPOTHESIS_TIMES,
    "r_conf": model.REFERENCE_CONFIDENCES,
    "h_conf": model.HYPOTHESIS_CONFIDENCES,
}
FLAGS = {
    "char_align": model.CHARACTER_ALIGNED,
    "case_sense": model.CASE_SENSITIVE,
    "hyp_weight": model.HYPOTHESIS_WEIGHTS,
    "ref_weight": model.REFERENCE_WEIGHTS,
}
SYSTEM_TAG = re.compile(
    r'<SYSTEM title="(.*)" ref_fname="(.*)" hyp_fname="(.*)" creation_date="(.*)" format="2.4" '
    r'frag_corr="(.*)" opt_del="(.*)" weight_ali="(.*)" weight_filename="(.*)">'
)
DEFINITION_TAG = re.compile(r'<(?:LABEL|CATEGORY) id="(.*?)" title="(.*?)" desc="(.*?)">')


def ascii_upper(text: str) -> str:
    return text.encode("latin-1").upper().decode("latin-1")


def optional_name(text: str) -> str | None:
    return None if text == "(null)" else text


class Side:
    def __init__(self) -> None:
        self.types = array("i")
        self.begins = array("q")
        self.ends = array("q")
        self.starts = array("d")
        self.finishes = array("d")
        self.confidences = array("d")

    def words(self, bits: int, times: int, confidences: int) -> Words:
        return Words(
            self.types,
            self.begins,
            self.ends,
            self.starts if bits & times else None,
            self.finishes if bits & times else None,
            self.confidences if bits & confidences else None,
        )


class Loader:
    def __init__(self, text: str) -> None:
        self.lines = iter(text.split("\n"))
        self.vocabulary: dict[tuple[str, float], int] = {}
        self.types: list[WordType] = []
        self.weights = array("d")
        self.reference, self.hypothesis = Side(), Side()
        self.labels: list[LabelDefinition] = []
        self.categories: list[LabelDefinition] = []
        self.speakers: list[str] = []
        self.identifiers: list[str] = []
        self.speaker_of = array("i")
        self.attributes = array("i")
        self.sequences = array("i")
        self.texts: dict[str, list[str | None]] = {"labels": [], "file": [], "channel": []}
        self.span_begins, self.span_ends = array("d"), array("d")
        self.edits = bytearray()
        self.offsets = array("q", [0])
        self.counts = array("i")

    def load(self) -> System:
        found = SYSTEM_TAG.fullmatch(next(self.lines))
        assert found
        title, reference, hypothesis, date, fragments, optional, weighted, weights = found.groups()
        self.body()
        bits = 0
        for attributes in self.attributes:
            bits |= attributes
        weights_present = weighted == "TRUE"
        return System(
            title=title,
            reference_name=optional_name(reference),
            hypothesis_name=optional_name(hypothesis),
            creation_date=optional_name(date),
            fragments_correct=fragments == "TRUE",
            optional_deletable=optional == "TRUE",
            weights_name=weights if weights_present else None,
            labels=self.labels,
            categories=self.categories,
            speakers=self.speakers,
            utterances=Utterances(
                self.identifiers,
                self.speaker_of,
                self.attributes,
                self.sequences,
                self.texts["labels"],
                self.texts["file"],
                self.texts["channel"],
                self.span_begins,
                self.span_ends,
            ),
            vocabulary=Vocabulary(
                self.types, ascii_upper, self.weights if weights_present else None
            ),
            reference=self.reference.words(
                bits, model.REFERENCE_TIMES, model.REFERENCE_CONFIDENCES
            ),
            hypothesis=self.hypothesis.words(
                bits, model.HYPOTHESIS_TIMES, model.HYPOTHESIS_CONFIDENCES
            ),
            edits=bytes(self.edits),
            edit_offsets=self.offsets,
            counts=self.counts,
        )

    def body(self) -> None:
        for line in self.lines:
            if definition := DEFINITION_TAG.fullmatch(line):
                kind = self.labels if line.startswith("<LABEL") else self.categories
                kind.append(LabelDefinition(*definition.groups()))
            elif line.startswith("<SPEAKER"):
                self.speakers.append(line[len('<SPEAKER id="') : -2])
            elif line.startswith("<PATH"):
                self.path(dict(re.findall(r' (\w+)="(.*?)"(?=[ >])', line)))

    def path(self, values: dict[str, str]) -> None:
        self.identifiers.append(values["id"])
        self.speaker_of.append(len(self.speakers) - 1)
        self.sequences.append(int(values["sequence"]))
        for name, column in self.texts.items():
            column.append(values.get(name))
        bits = sum(bit for name, bit in FLAGS.items() if name in values)
        measures = [name for name in values.get("word_aux", "").split(",") if name]
        bits |= sum(MEASURES.get(name, 0) for name in measures)
        if "R_T1" in values:
            bits |= model.REFERENCE_SPAN
        self.span_begins.append(float(values.get("R_T1", 0)))
        self.span_ends.append(float(values.get("R_T2", 0)))
        self.attributes.append(bits)
        for side in (self.reference, self.hypothesis):
            side.begins.append(len(side.types))
        begin = len(self.edits)
        for _ in range(int(values["word_cnt"])):
            fields = [next(self.lines) for _ in range(3 + len(measures))]
            self.slot(fields, dict(zip(measures, fields[3:], strict=True)))
        if values["word_cnt"] == "0":
            next(self.lines)
        for side in (self.reference, self.hypothesis):
            side.ends.append(len(side.types))
        own = self.edits[begin:]
        self.offsets.append(len(self.edits))
        self.counts.extend(
            [
                len(own) - sum(own.count(edit) for edit in (1, 2, 3)),
                *(own.count(edit) for edit in (1, 2, 3)),
            ]
        )

    def slot(self, fields: list[str], measures: dict[str, str]) -> None:
        letter, reference, hypothesis = fields[:3]
        edit = LETTERS[letter]
        if reference == '""':
            edit = Edit.SKIPPED_HYPOTHESIS
        elif hypothesis == '""':
            edit = Edit.SKIPPED_REFERENCE
        self.edits.append(edit)
        if reference not in ("", '""'):
            self.word(self.reference, reference, measures, "r_")
        if hypothesis not in ("", '""'):
            self.word(self.hypothesis, hypothesis, measures, "h_")

    def word(self, side: Side, quoted: str, measures: dict[str, str], prefix: str) -> None:
        weight = float(measures.get(prefix + "weight") or 0)
        known = self.vocabulary.get((quoted, weight))
        if known is None:
            known = self.vocabulary[quoted, weight] = len(self.types)
            text, *tags = (part.replace("\\;", ";") for part in re.split(r"(?<!\\);", quoted[1:-1]))
            first, second = [tag or None for tag in tags] or [None, None]
            self.types.append(WordType(text, (first, second), text, False, False, False))
            self.weights.append(weight)
        side.types.append(known)
        start, _, finish = (measures.get(prefix + "t1+t2") or "0+0").partition("+")
        side.starts.append(float(start))
        side.finishes.append(float(finish))
        confidence = float(measures.get(prefix + "conf") or 0)
        side.confidences.append(struct.unpack("f", struct.pack("f", confidence))[0])


def written_pair(pair: str) -> str:
    reference, _, hypothesis = pair.partition("/")
    if not reference:
        return f'I\n\n"{hypothesis}"'
    if not hypothesis:
        return f'D\n"{reference}"\n'
    return f'{"C" if reference == hypothesis else "S"}\n"{reference}"\n"{hypothesis}"'


def written(
    speakers: Mapping[str, Sequence[str]], title: str = "title", attributes: str = ""
) -> str:
    lines = [
        f'<SYSTEM title="{title}" ref_fname="r" hyp_fname="h" creation_date="now" format="2.4" '
        'frag_corr="FALSE" opt_del="FALSE" weight_ali="FALSE" weight_filename="">'
    ]
    sequence = 0
    for name, utterances in speakers.items():
        lines.append(f'<SPEAKER id="{name}">')
        for number, utterance in enumerate(utterances, 1):
            pairs = utterance.split()
            lines.append(
                f'<PATH id="({name}-{number:03d})" word_cnt="{len(pairs)}" '
                f'sequence="{sequence}"{attributes}>'
            )
            lines.append("\n".join(map(written_pair, pairs)))
            lines.append("</PATH>")
            sequence += 1
        lines.append("</SPEAKER>")
    return "\n".join([*lines, "</SYSTEM>", ""])


@pytest.fixture(scope="session")
def load_system() -> Callable[[str], System]:
    """Reads the text of a `.nl.sgml` file (byte text)."""
    return lambda text: Loader(text).load()


@pytest.fixture(scope="session")
def make_system() -> Callable[..., System]:
    """Makes a system of `reference/hypothesis` pairs, by speaker and utterance.

    `a/a a/b a/ /b` is a correct word, a substitution, a deletion and an insertion.
    """

    def make(
        speakers: Mapping[str, Sequence[str]], title: str = "title", attributes: str = ""
    ) -> System:
        return Loader(written(speakers, title, attributes)).load()

    return make

"""The alignments sclite writes as SGML, aligned again and compared place by place."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.alignment.batch import CountsTable
from scoring.alignment.system import CASE_SENSITIVE, System, Words
from scoring.model import LETTERS, Counts, Edit
from scoring.nist.sgml.reader import read_systems
from scoring.regression.evidence import Check, Difference, Evidence, EvidenceError, compare_all
from scoring.scored.aligned import Aligned
from scoring.scored.rates import ErrorRates
from scoring.scored.score import wer
from scoring.sides.files import from_segments

if TYPE_CHECKING:
    from formats.model import Segment
    from formats.words import Token


_SYSTEM = re.compile(rb"^<SYSTEM [^\n]*$", re.MULTILINE)
_WEIGHTS_NAME = b' weight_filename="'


def open_sgml(path: str) -> Evidence:
    """Read a file that `sclite -o sgml` wrote, and score its words again.

    Alignments with fragments or word weights cannot be made from the words alone: they count as
    they were recorded.

    Raises
    ------
    EvidenceError
        If it holds no system or several.
    ScoringError
        If sclite would not read it.
    """
    with open(path, "rb") as file:
        data = file.read()
    remarks: list[str] = []
    systems = read_systems(_readable(data), remarks.append, remarks.append)
    if len(systems) != 1:
        raise EvidenceError(path, None, None, f"expected one system, found {len(systems)}")
    [system] = systems
    bits = set(system.utterances.attributes)
    rates = wer(
        reference=from_segments(list(_segments(path, system, reference=True)), path, None),
        hypothesis=from_segments(list(_segments(path, system, reference=False)), path, None),
        ignore_case=not any(one & CASE_SENSITIVE for one in bits),
        forgive_optional=system.optional_deletable,
    )
    costs = [
        what
        for there, what in (
            (system.fragments_correct, "fragments (-F)"),
            (system.weights_name is not None, "word weights (-w, -L)"),
        )
        if there
    ]
    if not costs:
        check = compare_all(path, _entries(system, rates.aligned.edits, rates.aligned.offsets))
        return Evidence(path, "sclite SGML", rates, (check, _total(path, system, rates.counts)))
    recorded = ErrorRates(
        rates.reference,
        rates.hypothesis,
        rates.rules,
        rates.account,
        rates.identifiers,
        rates.speakers,
        _recorded(path, system),
        rates.remarks,
    )
    aligned_with = " and ".join(costs)
    check = Check(path, 0, remark=f"aligned with {aligned_with}, it counts as it was recorded")
    return Evidence(path, "sclite SGML", recorded, (check,), aligned_with)


def _readable(data: bytes) -> bytes:
    """The same, the quotes hidden that sclite writes into the name of word weights."""

    def without_quotes(found: re.Match[bytes]) -> bytes:
        head, named, name = found[0].rpartition(_WEIGHTS_NAME)
        if not named or not name.endswith(b'">'):
            return found[0]
        return head + named + name[:-2].replace(b'"', b"'") + name[-2:]

    return _SYSTEM.sub(without_quotes, data)


def _recorded(path: str, system: System) -> Aligned:
    """The alignments of a system as they are, words that were left out without a partner."""
    references, hypotheses = (
        [segment.words for segment in segments]
        for segments in (
            _segments(path, system, reference=True),
            _segments(path, system, reference=False),
        )
    )
    types = system.vocabulary.types

    def skips(side: Words, place: int | None) -> bool:
        return place is not None and not types[side.types[place]].text

    edits = bytearray()
    for at in range(len(system)):
        for slot in system.slots(at):
            if skips(system.hypothesis, slot.hypothesis):
                edits.append(Edit.SKIPPED_REFERENCE)
            elif skips(system.reference, slot.reference):
                edits.append(Edit.SKIPPED_HYPOTHESIS)
            else:
                edits.append(slot.edit)
    counts = CountsTable(array("i", system.counts).tobytes())
    return Aligned(references, hypotheses, bytes(edits), system.edit_offsets, counts)


def _text(byte_text: str) -> str:
    return byte_text.encode("latin-1").decode("utf-8", "surrogateescape")


def _name(identifier: str) -> str:
    return _text(identifier).removeprefix("(").removesuffix(")")


def _segments(path: str, system: System, *, reference: bool) -> Iterator[Segment]:
    from formats.model import Segment

    side = system.reference if reference else system.hypothesis
    types = system.vocabulary.types
    for at, identifier in enumerate(system.utterances.identifiers):
        texts = [types[number].text for number in side.types[side.begins[at] : side.ends[at]]]
        speaker = system.speakers[system.utterances.speakers[at]]
        yield Segment.from_items(
            path,
            # an optional word that was left out has an empty partner
            [_token(_text(text), system.optional_deletable) for text in texts if text],
            utterance=_name(identifier),
            speaker=_text(speaker),
        )


def _token(text: str, optional_deletable: bool) -> Token:
    from formats.words import Token

    if optional_deletable and len(text) > 2 and text[0] == "(" and text[-1] == ")":
        return Token(text[1:-1], optional=True)
    return Token(text)


def _entries(system: System, edits: bytes, bounds: Sequence[int]) -> Iterator[Difference]:
    for at, identifier in enumerate(system.utterances.identifiers):
        recorded = system.edits[system.edit_offsets[at] : system.edit_offsets[at + 1]]
        ours = edits[bounds[at] : bounds[at + 1]]
        yield Difference(
            _name(identifier),
            recorded.translate(LETTERS).decode("ascii"),
            ours.translate(LETTERS).decode("ascii"),
        )


def _total(path: str, system: System, ours: Counts) -> Check:
    total = tuple(sum(system.counts[column::4]) for column in range(4))
    return compare_all(
        f"{path} (sum)",
        [Difference("correct, sub, del, ins", str(total), str(tuple(ours)))],
    )

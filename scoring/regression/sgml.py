"""sclite's SGML: align its words again and compare slot by slot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from formats.schema.messages import expected_found
from formats.schema.model import Segment
from formats.schema.words import Token
from scoring.alignment.results import Alignments
from scoring.alignment.system import CASE_SENSITIVE, System, readable
from scoring.model.counts import LETTERS, Alignment, Edit
from scoring.nist.sgml.reader import read_systems
from scoring.options import Options
from scoring.regression.evidence import Check, Difference, EvidenceError, ScoredVersion, compare_all
from scoring.regression.sclite_reports import report_checks, reports_beside
from scoring.score import wer
from scoring.sides.corpus import Brought, Corpus
from scoring.sides.side_files import from_segments

_SYSTEM = re.compile(rb"^<SYSTEM [^\n]*$", re.MULTILINE)
_WEIGHTS_NAME = b' weight_filename="'


def open_sgml(path: str) -> ScoredVersion:
    """Read a file of `sclite -o sgml` and score its words again.

    Words do not determine alignments with fragments or word weights. Such alignments keep their
    recorded edits.
    """
    system = _read_system(path)
    rules = _rules_of(system)
    reference, hypothesis = (_side(path, system, reference=each) for each in (True, False))
    rates = wer(reference, hypothesis, options=Options(**rules))
    costs = [
        name
        for there, name in (
            (system.fragments_correct, "fragments (-F)"),
            (system.weights_name is not None, "word weights (-w, -L)"),
        )
        if there
    ]
    if not costs:
        entries = []
        for index, name in enumerate(system.names):
            letters = system.edits_of(index).translate(LETTERS).decode("ascii")
            entries.append(Difference(name, letters, rates.alignment_at(index).letters))
        total = str(tuple(system.counts.total()))
        sums = Difference("correct, sub, del, ins", total, str(tuple(rates.counts)))
        checks = [compare_all(path, entries), compare_all(f"{path} (sum)", [sums])]
        checks += _reports(path, system)
        return ScoredVersion(path, "sclite SGML", rates, tuple(checks))
    recorded = rates._replace(aligned=_without_empty(system))
    aligned_with = " and ".join(costs)
    check = Check(path, 0, remark=f"aligned with {aligned_with}, it counts as it was recorded")
    checks = [check, *_reports(path, system)]
    return ScoredVersion(path, "sclite SGML", recorded, tuple(checks), aligned_with)


def words_of_sgml(path: str) -> tuple[Corpus, Corpus]:
    """Return both sides of a file of `sclite -o sgml`, with the rules that it records."""
    system = _read_system(path)
    reference, hypothesis = (_side(path, system, reference=each) for each in (True, False))
    brought = Brought({"profile": "sclite", **_rules_of(system)}, path)
    return reference._replace(brought=brought), hypothesis


def _read_system(path: str) -> System:
    """Read the only system in a file of `sclite -o sgml`."""
    with open(path, "rb") as file:
        data = file.read()
    remarks: list[str] = []
    systems = read_systems(_readable(data), remarks.append, remarks.append)
    if len(systems) != 1:
        raise EvidenceError(path, None, None, expected_found("one system", len(systems)))
    return systems[0]


def _rules_of(system: System) -> dict[str, Any]:
    """Return the options of `sclite` that decide which words are equal, and what is an error."""
    bits = set(system.utterances.attributes)
    return {
        "ignore_case": not any(bit & CASE_SENSITIVE for bit in bits),
        "forgive_optional": system.optional_deletable,
    }


def _side(path: str, system: System, *, reference: bool) -> Corpus:
    return from_segments(list(_side_segments(path, system, reference=reference)), path, None)


def _reports(path: str, system: System) -> Iterator[Check]:
    """Yield the checks of the reports beside a file; they are computed from the same alignments."""

    def titled(title: str) -> System:
        system.title = title
        return system

    for report in (path, *reports_beside(path)):
        with open(report, "rb") as file:
            text = file.read().decode("utf-8", "surrogateescape")
        yield from report_checks(report, text, titled, has_times=True)


def _readable(data: bytes) -> bytes:
    """Return the SGML as valid XML.

    sclite writes the name of the word weights, which is in an attribute, in double quotes. They
    become single quotes.
    """

    def without_quotes(match: re.Match[bytes]) -> bytes:
        head, named, name = match[0].rpartition(_WEIGHTS_NAME)
        if not named or not name.endswith(b'">'):
            return match[0]
        return head + named + name[:-2].replace(b'"', b"'") + name[-2:]

    return _SYSTEM.sub(without_quotes, data)


def _without_empty(aligned: Alignments) -> Alignments:
    """Replace pairs with an empty word, sclite's form of a skipped optional word, by skips."""
    pairs: dict[int, Alignment] = {}
    for row, sides in enumerate(zip(aligned.references, aligned.hypotheses, strict=True)):
        if "" in sides[0] or "" in sides[1]:
            edits = bytes(
                Edit.SKIPPED_HYPOTHESIS
                if pair.reference == ""
                else Edit.SKIPPED_REFERENCE
                if pair.hypothesis == ""
                else pair.edit
                for pair in aligned[row]
            )
            reference, hypothesis = (tuple(filter(None, words)) for words in sides)
            pairs[row] = Alignment(edits, reference, hypothesis, aligned[row].cost)
    return aligned.amended(pairs)


def _side_segments(path: str, system: System, *, reference: bool) -> Iterator[Segment]:
    side = system.reference if reference else system.hypothesis
    types = system.vocabulary.types
    for index, name in enumerate(system.names):
        texts = [types[number].text for number in side.types[side.begins[index] : side.ends[index]]]
        speaker = system.speakers[system.utterances.speakers[index]]
        yield Segment.from_items(
            path,
            # an optional word that was dropped has an empty partner
            [_token(readable(text), system.optional_deletable) for text in texts if text],
            utterance=name,
            speaker=readable(speaker),
        )


def _token(text: str, optional_deletable: bool) -> Token:
    if optional_deletable and len(text) > 2 and text[0] == "(" and text[-1] == ")":
        return Token(text[1:-1], optional=True)
    return Token(text)

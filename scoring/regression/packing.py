"""Recorded alignments, compressed: each word of a run once, in columns.

Identifiers and speakers are compressed as LZMA, which finds repeated long texts, and words and
edits as bzip2, which needs less space for texts. Both formats check the data by themselves.
"""

from __future__ import annotations

import bz2
import json
import lzma
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.drawing.data import CODES, json_text
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Alignment, Edit
from scoring.results.record import document_lines, head_document
from scoring.score.rates import ErrorRates

COLUMNS = b"SKC1"  # begins alignments in columns
DAMAGE = (ValueError, KeyError, TypeError, IndexError, StopIteration, OSError, EOFError)
ERRORS = (*DAMAGE, zlib.error, lzma.LZMAError, RecursionError, AttributeError, RuntimeError)
_SIZE = 8  # bytes of the size of the first part
_LETTERS = bytes.maketrans(bytes(range(len(CODES))), CODES.encode())


def pack(text: str) -> bytes:
    """Compress a text of names and numbers."""
    return lzma.compress(text.encode(), preset=1)


def unpack(data: bytes) -> bytes:
    """Return what `pack`, or zlib in files of former layouts, compressed."""
    return lzma.decompress(data) if data.startswith(b"\xfd7zXZ") else zlib.decompress(data)


def pack_alignments(rates: ErrorRates, summary: Mapping[str, Any]) -> bytes:
    """Compress the alignments of a result, in columns unless rows have more than words."""
    lengths = rates.lengths or rates.choices or rates.forgiven_by_row
    if lengths or rates.measured or rates.session_of:
        return zlib.compress(b"".join(document_lines([rates])))
    aligned = rates.aligned
    edits = [aligned.edits_of(row) for row in range(len(rates))]
    # split once: the sides split the text of an utterance each time that it is asked for
    references, hypotheses = list(aligned.references), list(aligned.hypotheses)
    changed, unlike = _other_words(edits, references, hypotheses)
    names = {
        "document": head_document(rates, dict(summary)),
        "identifiers": list(map(str, rates.identifiers)),
        "speakers": list(rates.speakers),
        "groups": {name: list(column) for name, column in rates.groups.items()},
    }
    words = {
        "edits": b"\n".join(edits).translate(_LETTERS).decode() if edits else "",
        "references": [word for words in references for word in words],
        "changed": changed,
        "unlike": unlike,
    }
    first = pack(json_text(names))
    return COLUMNS + len(first).to_bytes(_SIZE, "big") + first + bz2.compress(_compact(words))


def unpack_alignments(data: bytes) -> bytes:
    """Return the JSON document of recorded alignments; one of `ERRORS` if it is damaged."""
    if not data.startswith(COLUMNS):
        return unpack(data)
    start = len(COLUMNS) + _SIZE
    end = start + int.from_bytes(data[len(COLUMNS) : start], "big")
    names = json.loads(unpack(data[start:end]))
    words = json.loads(bz2.decompress(data[end:]))
    document = names["document"]
    [system] = document["systems"]
    is_clipped = bool(system["rules"].get("clip_rate"))
    system["utterances"] = list(_utterances(names, words, is_clipped=is_clipped))
    return json_text(document).encode()


def _compact(words: Mapping[str, object]) -> bytes:
    """Return JSON without spaces; bytes that are no text stay escapes."""
    text = json.dumps(words, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def _other_words(
    edits: Sequence[bytes],
    references: Sequence[Sequence[str]],
    hypotheses: Sequence[Sequence[str]],
) -> tuple[list[str], list[int]]:
    """Return the hypothesis words that are not the reference words beside them.

    The second list has the positions, among all hypothesis words, of correct words that are written
    in another way.
    """
    changed: list[str] = []
    unlike: list[int] = []
    position = 0
    for codes, reference, hypothesis in zip(edits, references, hypotheses, strict=True):
        if not any(codes) and reference == hypothesis:  # all correct
            position += len(codes)
            continue
        left, right = iter(reference), iter(hypothesis)
        for code in codes:
            expected = None if code in NO_REFERENCE else next(left)
            if code in NO_HYPOTHESIS:
                continue
            word = next(right)
            if code != Edit.CORRECT:
                changed.append(word)
            elif word != expected:
                changed.append(word)
                unlike.append(position)
            position += 1
    return changed, unlike


def _utterances(
    names: Mapping[str, Any], words: Mapping[str, Any], *, is_clipped: bool
) -> Iterator[dict[str, object]]:
    """Yield utterances as documents have them."""
    references, changed = iter(words["references"]), iter(words["changed"])
    unlike, position = set(words["unlike"]), 0
    rows = words["edits"].split("\n") if names["identifiers"] else []
    groups = names["groups"]
    whole = zip(names["identifiers"], names["speakers"], rows, strict=True)
    for row, (identifier, speaker, letters) in enumerate(whole):
        reference: list[str] = []
        hypothesis: list[str] = []
        codes = bytes(map(CODES.index, letters))
        for code in codes:
            if code not in NO_REFERENCE:
                reference.append(next(references))
            if code not in NO_HYPOTHESIS:
                is_same = code == Edit.CORRECT and position not in unlike
                hypothesis.append(reference[-1] if is_same else next(changed))
                position += 1
        counts = Alignment(codes, tuple(reference), tuple(hypothesis), 0.0).counts()
        rate = counts.errors / counts.reference_tokens if counts.reference_tokens else None
        yield {
            "identifier": identifier,
            "speaker": speaker,
            **({"groups": {name: groups[name][row] for name in groups}} if groups else {}),
            **counts._asdict(),
            "rate": min(rate, 1.0) if is_clipped and rate is not None else rate,
            "edits": letters,
            "reference": reference,
            "hypothesis": hypothesis,
        }

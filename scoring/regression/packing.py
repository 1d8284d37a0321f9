"""Compressed alignments of recorded runs, in columns; each distinct word is stored once.

Runs of one test set share identifiers, speakers, groups and reference words. A history stores this
common part once for all runs with the same hash. Reference words are numbers, the most frequent
word first. The numbers are compressed by bzip2, which finds repeated phrases, or by Huffman codes
if no phrases repeat. Names are compressed by LZMA, which finds long repeated texts. Each of these
formats has a checksum.
"""

from __future__ import annotations

import bz2
import hashlib
import json
import lzma
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from scoring.drawing.data import CODES, json_text
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Alignment, Edit
from scoring.results.record import document_lines, head_document
from scoring.score.rates import ErrorRates

APART = b"SKC2"  # begins alignments whose names and references are a part of their own
DAMAGE = (ValueError, KeyError, TypeError, IndexError, StopIteration, OSError, EOFError)
ERRORS = (*DAMAGE, zlib.error, lzma.LZMAError, RecursionError, AttributeError, RuntimeError)
_SIZE = 8  # bytes of the size of a part
_DIGEST = 64  # characters of a hash
_NARROW = 1 << 16  # numbers of words below need two bytes
_LETTERS = bytes.maketrans(bytes(range(len(CODES))), CODES.encode())


def pack(text: str) -> bytes:
    """Compress a text of names and numbers."""
    return lzma.compress(text.encode(), preset=1)


def unpack(data: bytes) -> bytes:
    """Decompress the output of `pack`, or zlib data of an exported line."""
    return lzma.decompress(data) if data.startswith(b"\xfd7zXZ") else zlib.decompress(data)


class Packed(NamedTuple):
    """The compressed alignments of a run: its own part, and the part that several runs share."""

    of_run: bytes
    digest: str = ""  # of the common part; empty if there is none
    common: Callable[[], bytes] = bytes  # compresses it, which a history asks for once


def pack_alignments(rates: ErrorRates, summary: Mapping[str, Any]) -> Packed:
    """Compress the alignments of a result.

    Rows that consist only of words are stored in columns.
    """
    has_more = rates.rules.variants_length or rates.choices or rates.measured or rates.session_of
    if has_more or rates.forgiven_by_row:
        return Packed(zlib.compress(b"".join(document_lines([rates]))))
    aligned = rates.aligned
    edits = [aligned.edits_of(row) for row in range(len(rates))]
    # split once: the sides split the text of an utterance each time that it is asked for
    references, hypotheses = list(aligned.references), list(aligned.hypotheses)
    changed, unlike = _other_words(edits, references, hypotheses)
    words_of_run = {
        "document": head_document(rates, dict(summary)),
        "edits": b"\n".join(edits).translate(_LETTERS).decode() if edits else "",
        "changed": changed,
        "unlike": unlike,
    }
    names = json_text(
        {
            "ids": list(map(str, rates.identifiers)),
            "speakers": list(rates.speakers),
            "groups": {name: list(column) for name, column in rates.groups.items()},
        }
    )
    words = list(chain.from_iterable(references))
    digest = hashlib.sha256(names.encode() + b"\0" + _compact(words)).hexdigest()
    return Packed(
        APART + digest.encode() + bz2.compress(_compact(words_of_run)),
        digest,
        lambda: _joined([pack(names), *_pack_words(words)]),
    )


def _pack_words(words: Sequence[str]) -> tuple[bytes, bytes]:
    """Compress words as a list of distinct words and the index of each word in the list."""
    different = [word for word, _ in Counter(words).most_common()]
    number_of = {word: number for number, word in enumerate(different)}
    kind = "<u2" if len(different) <= _NARROW else "<u4"
    numbers = np.fromiter(map(number_of.__getitem__, words), kind, len(words))
    # bytes of one rank side by side, so that each has its own codes
    planes = numbers.view(np.uint8).reshape(len(words), numbers.itemsize).T.tobytes()
    size = len(words)
    choices = [
        b"B" + bz2.compress(numbers.tobytes()),
        b"H"
        + _joined(
            [_coded(planes[start : start + size]) for start in range(0, len(planes), size or 1)]
        ),
    ]
    return bz2.compress(_compact(different)), min(choices, key=len)


def _coded(data: bytes) -> bytes:
    """Compress bytes with Huffman codes."""
    coder = zlib.compressobj(9, memLevel=9, strategy=zlib.Z_HUFFMAN_ONLY)
    return coder.compress(data) + coder.flush()


def _unpack_words(vocabulary: bytes, numbers: bytes) -> list[str]:
    """Return the words that `_pack_words` compressed."""
    different: list[str] = json.loads(bz2.decompress(vocabulary))
    kind = np.dtype("<u2" if len(different) <= _NARROW else "<u4")
    if numbers[:1] == b"B":
        data = bz2.decompress(numbers[1:])
    else:
        planes = list(map(zlib.decompress, _split(numbers[1:])))
        data = np.array([np.frombuffer(plane, np.uint8) for plane in planes]).T.tobytes()
    return [different[number] for number in np.frombuffer(data, kind).tolist()]


def _joined(parts: Sequence[bytes]) -> bytes:
    return b"".join(len(part).to_bytes(_SIZE, "big") + part for part in parts)


def _split(data: bytes) -> list[bytes]:
    """Return the parts that `_joined` joined."""
    parts, end = [], 0
    while end < len(data):
        begin = end + _SIZE
        end = begin + int.from_bytes(data[end:begin], "big")
        parts.append(data[begin:end])
    return parts


def unpack_alignments(data: bytes, common: Callable[[str], bytes]) -> bytes:
    """Decompress recorded alignments into a JSON document; raise one of `ERRORS` for damaged data.

    `common` returns the common part with a given hash.
    """
    if data.startswith(APART):
        start = len(APART) + _DIGEST
        digest = data[len(APART) : start].decode()
        first, vocabulary, numbers = _split(common(digest))
        words = json.loads(bz2.decompress(data[start:]))
        names = json.loads(unpack(first)) | {"document": words["document"]}
        words["references"] = _unpack_words(vocabulary, numbers)
    else:
        return unpack(data)
    document = names["document"]
    [system] = document["systems"]
    is_clipped = bool(system["rules"].get("clip_rate"))
    system["utterances"] = list(_utterances(names, words, is_clipped=is_clipped))
    return json_text(document).encode()


def _compact(words: object) -> bytes:
    """Return JSON without spaces; undecodable bytes remain escapes."""
    text = json.dumps(words, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def _other_words(
    edits: Sequence[bytes],
    references: Sequence[Sequence[str]],
    hypotheses: Sequence[Sequence[str]],
) -> tuple[list[str], list[int]]:
    """Return the hypothesis words that differ from the aligned reference words.

    Also return which of them count as correct in spite of their spelling, as positions among all
    hypothesis words.
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
    """Yield utterances in the form of JSON records."""
    references, changed = iter(words["references"]), iter(words["changed"])
    unlike, position = set(words["unlike"]), 0
    rows = words["edits"].split("\n") if names["ids"] else []
    groups = names["groups"]
    whole = zip(names["ids"], names["speakers"], rows, strict=True)
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
            "id": identifier,
            "speaker": speaker,
            **({"group": {name: groups[name][row] for name in groups}} if groups else {}),
            **counts._asdict(),
            "error_rate": min(rate, 1.0) if is_clipped and rate is not None else rate,
            "edits": letters,
            "reference": reference,
            "hypothesis": hypothesis,
        }

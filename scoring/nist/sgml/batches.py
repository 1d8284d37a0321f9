"""The places of many utterances at once: no line of Python looks at a single word.

Words stand between quotes, so whatever stands outside of them is structure. Both are taken apart
column by column; anything unusual is left to `scoring.nist.sgml.path_data`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import compress

from scoring.model import NO_HYPOTHESIS, NO_REFERENCE
from scoring.nist.sgml.measures import Measure
from scoring.nist.sgml.path_data import Numbers, Places

# The fields of a place without its words: those there were have left a quote.
_FIELDS = {("C", '"', '"'): 0, ("S", '"', '"'): 1, ("D", '"', ""): 2, ("I", "", '"'): 3}
_BETWEEN_UTTERANCES = "\0"
_HAS_REFERENCE = bytes(code not in NO_REFERENCE for code in range(256))
_HAS_HYPOTHESIS = bytes(code not in NO_HYPOTHESIS for code in range(256))
# Whose words follow each other: b of both, r and h of one side.
_OWNERS = bytes.maketrans(bytes(range(4)), b"bbrh")
_OF_REFERENCE = bytes(code == ord("r") for code in range(256))
_OF_HYPOTHESIS = bytes(code == ord("h") for code in range(256))
_NO_SEPARATORS = bytes(code for code in range(256) if code not in b",:")
_NO_TIME_SEPARATORS = bytes(code for code in range(256) if code not in b",+")


def decode(texts: Sequence[str], measures: Sequence[Measure], newlines: bool) -> Places | None:
    """The places of several utterances, none of them empty; None if anything is out of the way."""
    if not texts:
        return Places([], [], [], {}, {})
    joined = _BETWEEN_UTTERANCES.join(texts)
    if not newlines and "\n" in joined:
        return None
    parts = joined.split('"')
    structure = '"'.join(parts[0::2])
    utterances = structure.split(_BETWEEN_UTTERANCES)
    if len(utterances) != len(texts):
        return None  # a quote too many: what stands between utterances got into a word
    width = 3 + len(measures)
    try:
        if newlines:
            counts = [fields.count("\n") + 1 for fields in utterances]
            if any(count % width for count in counts):
                return None
            sizes = [count // width for count in counts]
            fields = "\n".join(utterances).split("\n")
        else:
            sizes = [places.count(":") + 1 for places in utterances]
            # the fields of places, each of the same number of them
            together = ":".join(utterances)
            separators = together.encode("latin-1").translate(None, _NO_SEPARATORS) + b":"
            separator = b"," * (width - 1) + b":"
            if separators != separator * (len(separators) // width):
                return None
            fields = together.replace(":", ",").split(",")
        return _places(parts[1::2], fields, sizes, measures)
    except (KeyError, ValueError):
        return None


def _places(
    words: Sequence[str], fields: Sequence[str], sizes: Sequence[int], measures: Sequence[Measure]
) -> Places:
    """Places from words and from the fields that are left when the words are taken away."""
    width = 3 + len(measures)
    shapes = zip(fields[0::width], fields[1::width], fields[2::width], strict=True)
    codes = bytes(map(_FIELDS.__getitem__, shapes))
    numbers: tuple[Numbers, Numbers] = {}, {}
    for position, measure in enumerate(measures, 3):
        present = codes.translate(_HAS_REFERENCE if measure.of_reference else _HAS_HYPOTHESIS)
        values = list(compress(fields[position::width], present))
        _fill(numbers[not measure.of_reference], measure.kind, values)
    edits = []
    begin = 0
    for size in sizes:
        edits.append(codes[begin : begin + size])
        begin += size
    owners = codes.translate(_OWNERS).replace(b"b", b"rh")
    return Places(
        edits,
        list(compress(words, owners.translate(_OF_REFERENCE))),
        list(compress(words, owners.translate(_OF_HYPOTHESIS))),
        *numbers,
    )


def _fill(numbers: Numbers, kind: str, texts: Sequence[str]) -> None:
    if not kind or not texts:
        return
    if kind == "times":
        joined = ",".join(texts)
        separators = joined.encode("latin-1").translate(None, _NO_TIME_SEPARATORS) + b","
        if separators != b"+," * len(texts):
            raise ValueError("not two times each")
        both = _plain_numbers(joined.replace("+", ",").split(","))
        numbers["starts"], numbers["finishes"] = both[0::2], both[1::2]
    else:
        numbers[kind] = _plain_numbers(texts)


def _plain_numbers(texts: Sequence[str]) -> array[float]:
    everything = "".join(texts)
    if "_" in everything or not everything.isascii():
        raise ValueError("a number only Python reads")
    return array("d", map(float, texts))

"""The numbers in a record of ours, beside those that follow from its alignments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Any

from scoring.regression.evidence import Check, Difference, compare_all

# Members of a system in a record whose numbers follow from the alignments of the utterances.
COUNTED = ("counts", "rates", "sentences", "speakers", "utterances", "account")
# How much was read of the files, which a record does not hold.
_OF_FILES = ("unscored_words", "skipped_words", "ignored_words", "repeated")
_NOT_OURS = "(none)"


def numbers_check(path: str, recorded: Mapping[str, Any], ours: Mapping[str, Any]) -> Check:
    """Compare the numbers of a system in a record with our record of the same alignments."""
    computed = dict(_numbers("", {name: ours.get(name) for name in COUNTED}))
    utterances = len(ours.get("utterances") or ())
    account = recorded.get("account") or {}
    for side, only in (("references", "reference_only"), ("hypotheses", "hypothesis_only")):
        absent = account.get(only) or {}
        computed[f"account.{side}"] = utterances + len(absent.get("identifiers") or ())
        computed[f"account.{only}.number"] = len(absent.get("identifiers") or ())
    computed["account.matched"] = utterances
    entries = []
    for name, value in _numbers("", {name: recorded.get(name) for name in COUNTED}):
        if name.rpartition(".")[2] in _OF_FILES:
            continue
        our = computed.get(name)
        is_same = our is not None and isclose(value, our, rel_tol=1e-9, abs_tol=1e-12)
        texts = repr(value), _NOT_OURS if our is None else repr(our)
        entries.append(Difference(name, texts[0], texts[0] if is_same else texts[1]))
    return compare_all(f"{path} (numbers)", entries, "counted in the alignments")


def _numbers(name: str, value: object) -> Iterator[tuple[str, float]]:
    """Yield each number with the path to it."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _numbers(f"{name}.{key}" if name else str(key), each)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place, each in enumerate(value):
            label = each.get("identifier") if isinstance(each, Mapping) else None
            yield from _numbers(f"{name}[{place if label is None else label}]", each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield name, value

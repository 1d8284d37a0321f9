"""Check the recorded numbers of a record against the numbers of its alignments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isclose
from typing import Any

from scoring.regression.evidence import Check, Difference, compare_all
from scoring.sides.corpus import SHOWN

# Members of a system in a record whose numbers follow from the alignments of the utterances.
COUNTED = ("counts", "rates", "sentences", "speakers", "utterances", "account")
# How much was read of the files, which a record does not hold; 0: nothing.
_OF_FILES = ("ignored_words", "repeated")
# Words of utterances without partner, by the list of these; a record does not hold the words.
_OF_UNMATCHED = {"unscored_words": "hypothesis_only", "skipped_words": "reference_only"}
_ONLY = {
    "reference_only": "reference_utterances",
    "hypothesis_only": "hypothesis_utterances",
}
_NOT_OURS = "(none)"


def numbers_checks(
    path: str, recorded: Mapping[str, Any], ours: Mapping[str, Any], names: Iterable[str]
) -> Iterator[Check]:
    """Compare a recorded system with our record of the same alignments.

    `names` are the names of the matched utterances or sessions. If the record counts words but does
    not store them, their nonzero counts cannot be checked.
    """
    computed = dict(_numbers("", {name: ours.get(name) for name in COUNTED}))
    account = recorded.get("account") or {}
    scored = set(names)
    unmatched = {only: (account.get(only) or {}).get("ids") or () for only in _ONLY}
    absent = {only: _number_of(account.get(only) or {}, unmatched[only]) for only in _ONLY}
    # references without hypothesis are scored where their words count as deletions
    is_deleted = not scored.isdisjoint(unmatched["reference_only"])
    matched = len(scored) - absent["reference_only"] * is_deleted
    computed["account.matched"] = matched
    for only, side in _ONLY.items():
        computed[f"account.{side}"] = matched + absent[only]
        computed[f"account.{only}.count"] = absent[only]
    lacking = list(_OF_FILES)
    for count, only in _OF_UNMATCHED.items():
        if unmatched[only]:
            lacking.append(count)
        else:
            computed[f"account.{count}"] = 0
    entries, unchecked = [], []
    for name, value in _numbers("", {name: recorded.get(name) for name in COUNTED}):
        if name.startswith("account.") and name.rpartition(".")[2] in lacking:
            unchecked += [f"{name} {value!r}"] * bool(value)
            continue
        our = computed.get(name)
        is_same = our is not None and isclose(value, our, rel_tol=1e-9, abs_tol=1e-12)
        texts = repr(value), _NOT_OURS if our is None else repr(our)
        entries.append(Difference(name, texts[0], texts[0] if is_same else texts[1]))
    yield compare_all(f"{path} (numbers)", entries, "counted in the alignments")
    if unchecked:
        remark = f"the record does not hold the words behind {', '.join(unchecked)}"
        yield Check(f"{path} (account)", 0, remark=remark)


def _number_of(listed: Mapping[str, Any], names: Sequence[str]) -> int:
    """Return the number of names in a record; the record lists only the first names of many."""
    number = listed.get("count")
    is_cut = len(names) >= SHOWN and isinstance(number, int) and number > len(names)
    return int(number) if is_cut and number is not None else len(names)


def _numbers(name: str, value: object) -> Iterator[tuple[str, float]]:
    """Yield each number in a JSON value with its path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _numbers(f"{name}.{key}" if name else str(key), each)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place, each in enumerate(value):
            label = each.get("id") if isinstance(each, Mapping) else None
            yield from _numbers(f"{name}[{place if label is None else label}]", each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield name, value

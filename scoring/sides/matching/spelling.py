"""Search for the rule by which identifiers differ only in spelling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice

from formats.schema import lazy_pattern
from formats.schema.messages import Entry, Message
from scoring.sides.messages import BEGINNING, BY_RULES, ENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EXTENSION = lazy_pattern(r"(?<=.)\.[A-Za-z]\w{0,5}$")
ZEROS = lazy_pattern(r"(?<!\d)0+(?=\d)")
# How spellings differ, and the part of an identifier that is the same.
RULES: dict[str, Callable[[str], str]] = {
    "'_' and '-'": lambda name: name.replace("_", "-"),
    "upper and lower case": str.casefold,
    "the path": lambda name: name.replace("\\", "/").rpartition("/")[2],
    "the extension": lambda name: EXTENSION.sub("", name),
    "zeros before numbers": lambda name: ZEROS.sub("", name),
}
# Rules that hold together, at most.
_MOST_RULES = 3
# Identifiers in which beginnings and ends that one side lacks are looked for.
_SEEN = 50


def difference(ours: Iterable[str], theirs: Iterable[str], share: float = 0.5) -> Message | None:
    """Return the rule of spelling under which more than `share` of identifiers match, or None.

    The share is that of the side with fewer identifiers.

    >>> print(difference(["spk1_utt1", "spk1_utt2"], ["spk1-utt1", "spk1-utt2"]))
    '_' and '-'
    >>> print(difference(["a-1", "a-2"], ["wav/A-1.wav", "wav/A-2.wav"]))
    upper and lower case, the path, the extension
    >>> print(difference(["a1", "a2"], ["a1-left", "a2-left"]))
    the ending "-left"
    >>> difference(["u1", "u2"], ["v3", "v4"])
    """
    left, right = list(dict.fromkeys(ours)), list(dict.fromkeys(theirs))
    for rules in _rules():
        spelled = [set(map(_under(rules), names)) for names in (left, right)]
        if len(spelled[0] & spelled[1]) > share * min(len(left), len(right)):
            return Message(BY_RULES, {"rules": [*rules]})
    return _affix(left, right, share) or _affix(right, left, share)


def _rules() -> Iterator[Sequence[str]]:
    """Yield the rules for spelling: first single rules, then combinations."""
    for size in range(1, _MOST_RULES + 1):
        yield from combinations(RULES, size)


def _under(rules: Sequence[str]) -> Callable[[str], str]:
    def same_part(name: str) -> str:
        for rule in rules:
            name = RULES[rule](name)
        return name

    return same_part


def _affix(short: Sequence[str], long: Sequence[str], share: float) -> Message | None:
    """Return the prefix or suffix that only the identifiers of one side have."""
    pairs = [
        (name, other)
        for name in islice(short, _SEEN)
        for other in islice(long, _SEEN)
        if name and len(name) < len(other)
    ]
    names = set(short)
    for ending in dict.fromkeys(b[len(a) :] for a, b in pairs if b.startswith(a)):
        stems = {other.removesuffix(ending) for other in long if other.endswith(ending)}
        if len(stems & names) > share * min(len(short), len(long)):
            return Message(ENDING, {"part": ending})
    for beginning in dict.fromkeys(b[: -len(a)] for a, b in pairs if b.endswith(a)):
        stems = {other.removeprefix(beginning) for other in long if other.startswith(beginning)}
        if len(stems & names) > share * min(len(short), len(long)):
            return Message(BEGINNING, {"part": beginning})
    return None


def names_message(
    entries: Sequence[Entry], path: str, reference: str, what: str, *names: Sequence[str]
) -> Message:
    """Return a message about sides without a common name: two names of each, and the likely rule.

    `entries` are the messages without and with a rule. `what` is the kind of names, such as
    ``identifiers``.
    """
    ours, theirs = names
    fields: dict[str, Any] = {"path": path, "reference": reference, "what": what}
    fields |= {"ours": [*islice(ours, 2)], "theirs": [*islice(theirs, 2)]}
    rule = difference(ours, theirs)
    if rule is None:
        return Message(entries[0], fields)
    return Message(entries[1], {**fields, "difference": rule})

"""Words that are cut at the ends of lines, as in texts that were copied from printed pages."""

from __future__ import annotations

import itertools

from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

LONGEST_PART = 40
CUT = lazy_pattern(r"(?<![^\s\"“«(\[—–])([^\W\d_]{2,40})-\Z")
REST = lazy_pattern(r"[ \t]{0,40}([^\W\d_]{2,40})(?![-\w])\S{0,9}")
WITHIN = lazy_pattern(r"[^\W\d_]{1,40}-(?=\s)")
COMPOUND = lazy_pattern(r"(?<![\w-])[^\W\d_]{2,40}-[^\W\d_]{2,40}(?![\w-])")
FEWEST_CUT, SHARE_OF_CUT = 3, 0.02
"""The beginning of a word before a hyphen at the end of a line, its rest on the next line, a word
that a speaker breaks off, a word with a hyphen; the fewest cut words and their least share."""
NARROWEST, WIDEST, SHARE_OF_WIDE, FULL, SHARE_OF_FULL = 16, 140, 0.9, 0.75, 0.8
"""Widths of printed lines, the share of lines that are no wider, the share of the width that a full
line has, and the least share of full lines among those that end in a hyphen."""


def parts_of_word(line: str, below: str) -> tuple[str, str] | None:
    """Return both parts of a word that is cut between two lines; `None` for other lines.

    >>> parts_of_word("on the old rail-", "way to Bern"), parts_of_word("on the rail-", "Way 5")
    (('rail', 'way'), None)
    """
    line = line.rstrip()
    if line[-1:] != "-" or not below.lstrip()[:1].islower():
        return None
    first = CUT.search(line, max(0, len(line) - LONGEST_PART - 2))
    rest = REST.match(below)
    return (first[1], rest[1]) if first is not None and rest is not None else None


def compounds_if_cut(lines: Sequence[str]) -> frozenset[str] | None:
    """Return the words with hyphens inside lines if lines cut words; `None` for other texts.

    Words that speakers break off, ``I w- went``, are more frequent inside lines, or in brief ones.

    >>> printed = ["on the old rail-", "way by a well-known", "motor and the ri-", "ver of the mo-"]
    >>> compounds_if_cut([*printed, "tor of the day"])
    frozenset({'well-known'})
    >>> compounds_if_cut(["so I w- went", "and he s- said it was"] * 9)
    """
    cut = [a for a, b in itertools.pairwise(lines) if parts_of_word(a, b) is not None]
    if len(cut) < max(FEWEST_CUT, SHARE_OF_CUT * len(lines)):
        return None
    sizes = sorted(len(line.strip()) for line in lines if line.strip())
    width = sizes[int(SHARE_OF_WIDE * (len(sizes) - 1))]
    full = sum(len(line.strip()) >= FULL * width for line in cut)
    if not NARROWEST <= width <= WIDEST or full < SHARE_OF_FULL * len(cut):
        return None
    hyphened = [line for line in lines if "-" in line]
    broken = sum(len(WITHIN.findall(line.rstrip())) for line in hyphened)
    words = (word for line in hyphened for word in COMPOUND.findall(line))
    return None if 2 * broken > len(cut) else frozenset(map(str.casefold, words))


def with_whole_words(
    lines: Iterable[tuple[int, str]], compounds: Collection[str]
) -> Iterator[tuple[int, str, bool]]:
    """Yield numbered lines with the rests of cut words, and whether a line was completed.

    A word that has its hyphen inside another line keeps it.

    >>> lines = list(enumerate(["the rail-", "way is well-", "known"]))
    >>> [line for _, line, _ in with_whole_words(lines, ["well-known"])]
    ['the railway', 'is well-known', '']
    """
    above: tuple[int, str] | None = None
    for number, line in lines:
        if above is None:
            above = number, line
            continue
        parts = parts_of_word(above[1], line)
        if parts is None:
            yield (*above, False)
        else:
            rest, *words = line.split(maxsplit=1)
            sign = "-" if "-".join(parts).casefold() in compounds else ""
            yield above[0], f"{above[1].rstrip()[:-1]}{sign}{rest}", True
            line = " ".join(words)
        above = number, line
    if above is not None:
        yield (*above, False)

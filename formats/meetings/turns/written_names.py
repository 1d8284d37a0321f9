"""Names and times in columns that a fixed sign cuts off, written as other layouts have them.

``Ann[line]so it was`` becomes ``Ann: so it was``. A column is one only if its values are few and
return on nearly all lines, and the rest is speech. What programs for versions write between
lines is removed, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from formats.reading.member_values import CLASSES_OF_TEXTS
from formats.reading.speakers import LOG_WORDS, is_code, is_label, is_name
from formats.reading.time_values import NO_BLANKS
from formats.schema import lazy_pattern

NumberedLines = Sequence[tuple[int, str]]
SAMPLE, FIRST_LINES = 3000, 30
"""The lines that show a column, and the first of these, of which half have one."""
NOBODY_KNOWN = "N/A"
CUT = lazy_pattern(
    r"[ \t]{0,9}(?P<name>[^\n\[\]<>{}|:：=~^→]{1,40}?)[ \t]{0,3}"
    r"(?P<sign>\[[A-Za-z_]{1,12}\]|<[A-Za-z_]{1,12}>|\{[A-Za-z_]{1,12}\}"
    r"|\|{1,3}|:{2,3}|[=-]>|=>|~>|={1,3}|\^|→)[ \t]{0,3}(?P<text>[^\n]*)\Z"
)
"""A few words, a sign and the rest of a line."""
FEWEST_CUT, SHARE_OF_CUT = 12, 0.9
"""The fewest lines that one sign cuts, and their share of all lines."""
LEAST_AGAIN, SHARE_AGAIN, MOST_DIFFERENT = 3, 0.8, 0.34
"""How often a name returns, the share of lines that have such a name, and the largest share of
names among lines.
"""
FEWEST_NAMES, LONGEST_NAME, SHARE_OF_NAMES = 2, 30, 0.9
FEWEST_WORDS, LEAST_DIFFERENT, MOST_CUT_AGAIN = 3.0, 0.6, 0.2
"""Words of a text on average, the share of different texts, and of texts with a second sign."""
CHARACTERS_OF_WORD = 2
"""Characters of a word, nearly, in scripts without blanks."""
MERGE_MARK = lazy_pattern(r"(?:<{7}|>{7}|\|{7})(?:[ ]\S.{0,200})?\s{0,9}\Z|={7}\s{0,9}\Z")
"""What ``git`` writes around two versions that it does not merge."""


def merge_marks(lines: NumberedLines) -> list[str]:
    """Return the marks of a merge between lines, of which one begins and one ends a version.

    >>> merge_marks([(1, "<<<<<<< HEAD"), (2, "So."), (3, "======="), (4, ">>>>>>> new")])
    ['<<<<<<< HEAD', '=======', '>>>>>>> new']
    """
    marks = [line for _, line in lines if line[:1] in "<>|=" and MERGE_MARK.match(line)]
    signs = {line[:1] for line in marks}
    return marks if signs >= {"<", ">"} else []


def without_merge_marks(lines: NumberedLines) -> NumberedLines:
    """Remove the marks of a merge."""
    if not (marks := {*merge_marks(lines)}):
        return lines
    return [(number, line) for number, line in lines if line not in marks]


def with_colons_for_sign(lines: NumberedLines) -> NumberedLines:
    """Write a colon for the sign that cuts names off nearly all lines.

    >>> lines = [(n, f"{('Ann', 'Ben')[n % 2]}[line]so it was {n}") for n in range(12)]
    >>> with_colons_for_sign(lines)[1]
    (1, 'Ben: so it was 1')
    """
    sign = sign_of_names([line for _, line in lines])
    if not sign:
        return lines
    return [
        (number, f"{_shown_name(match['name'].strip())}: {match['text']}")
        if (match := CUT.match(line)) is not None and match["sign"] == sign else (number, line)
        for number, line in lines
    ]  # fmt: skip


def _shown_name(name: str) -> str:
    """Return a name, or the name of nobody for signs alone: ``???``."""
    return name if any(map(str.isalnum, name)) else NOBODY_KNOWN


def sign_of_names(texts: Sequence[str]) -> str:
    """Return the sign between names and speech on nearly all lines; empty if there is none."""
    if 2 * sum(CUT.match(text) is not None for text in texts[:FIRST_LINES]) < len(
        [text for text in texts[:FIRST_LINES] if text.strip()]
    ):
        return ""
    filled = [text for text in texts if text.strip()][:SAMPLE]
    cut = [match for text in filled if (match := CUT.match(text)) is not None]
    if len(cut) < max(FEWEST_CUT, SHARE_OF_CUT * len(filled)):
        return ""
    ((sign, count),) = Counter(match["sign"] for match in cut).most_common(1)
    cut = [match for match in cut if match["sign"] == sign]
    if count < max(FEWEST_CUT, SHARE_OF_CUT * len(filled)):
        return ""
    names = Counter(match["name"].strip() for match in cut)
    are_names = _are_names(names) and _are_speech([match["text"] for match in cut], sign)
    return sign if are_names else ""


def _are_names(names: Counter[str]) -> bool:
    """Return True if the values of a column are few, return, and nearly all may be names."""
    total = names.total()
    again = {name: count for name, count in names.items() if count >= LEAST_AGAIN}
    if len(again) < FEWEST_NAMES or sum(again.values()) < SHARE_AGAIN * total:
        return False
    if len(names) > MOST_DIFFERENT * total or not LOG_WORDS.isdisjoint(map(str.upper, names)):
        return False
    if any(name.lower() in CLASSES_OF_TEXTS for name in again):
        return False
    likely = (
        count for name, count in names.items()
        if len(name) <= LONGEST_NAME
        and (is_name(name) or is_label(name) or is_code(name) or not any(map(str.isalnum, name)))
    )  # fmt: skip
    capital = sum(count for name, count in names.items() if not name[:1].islower())
    return sum(likely) >= SHARE_OF_NAMES * total and 2 * capital >= total


def _are_speech(texts: Sequence[str], sign: str) -> bool:
    """Return True if texts are speech: several words that differ, and no further columns."""
    words = sum(
        len(text.split()) + len(NO_BLANKS.findall(text)) / CHARACTERS_OF_WORD for text in texts
    )
    again = sum(sign in text for text in texts)
    return (
        words >= FEWEST_WORDS * len(texts)
        and len({*texts}) >= LEAST_DIFFERENT * len(texts)
        and again <= MOST_CUT_AGAIN * len(texts)
    )

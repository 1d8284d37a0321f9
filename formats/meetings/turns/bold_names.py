"""Names in bold: in the marks of a wiki, or only some, ``**Host:** so`` above ``Ann: well``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from formats.reading.member_names import are_fields
from formats.reading.speakers import is_label, is_name
from formats.schema import lazy_pattern

BOLD = lazy_pattern(
    r"[ \t]{0,9}(?P<sign>\*\*|__)(?P<name>[^\W\d_][^*_:\n]{0,60}(?:,[^*_:\n]{1,100})?)"
    r"(?:(?P=sign):|:(?P=sign))[ \t]{0,9}(?P<text>\S.*)\Z"
)
BOLD_TURN = lazy_pattern(
    r"[ \t]{0,9}(?P<sign>\*\*|__)(?P<name>[^\W\d_][^*_:\n]{0,60}):[ ]{1,9}"
    r"(?P<text>[^*_\n]{1,2000})(?P=sign)[ \t]{0,9}\Z"
)
"""A name in bold before its text, and a whole turn in bold."""
PLAIN = lazy_pattern(r"[ \t]{0,9}([^\W\d_][^*_:\n]{0,60}):[ \t]{1,9}\S")
FEWEST_PLAIN, LEAST_PLAIN = 3, 0.3
"""The fewest names that are not bold, and their share; fewer may be fields of a document."""


WIKI_NAME = lazy_pattern(
    r"[ \t*:]{0,9}(?:'{3}[^\W\d_][^'\n]{0,60}(?:'{0,1}[^'\n]{1,30})?'{3}"
    r"|''[^\W\d_][^'\n:]{0,60}(?::''|'':))"
)
WIKI_HEADING = lazy_pattern(r"[ \t]{0,9}={2,6}[ ]?([^=\n]{1,100}?)[ ]?={2,6}[ \t]{0,9}\Z")
WIKI_MARK = lazy_pattern(
    r"'{2,5}|\[\[(?:[^\[\]|\n]{1,200}\|)?(?P<text>[^\[\]|\n]{1,200})\]\]|<br ?/?>"
)
FEWEST_OF_WIKI, SHARE_OF_WIKI = 3, 0.3
"""Bold names, headings and marks of wikis, the fewest bold names and their least share of lines."""


def without_wiki_marks(lines: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Remove the marks of a wiki if names are bold by them; headings are then in brackets.

    >>> talk = ["== The road ==", *["'''Ann''': So ''(laughs)''", "'''Ben''': On [[x|it]]"] * 3]
    >>> [line for _, line in without_wiki_marks([*enumerate(talk)])][:3]
    ['[The road]', 'Ann: So (laughs)', 'Ben: On it']
    """
    named = sum("''" in line and WIKI_NAME.match(line) is not None for _, line in lines)
    if named < max(FEWEST_OF_WIKI, SHARE_OF_WIKI * sum(bool(x.strip()) for _, x in lines)):
        return lines
    plain: list[tuple[int, str]] = []
    for number, line in lines:
        heading = WIKI_HEADING.match(line)
        line = WIKI_MARK.sub(lambda match: match["text"] or "", line)
        plain.append((number, line.lstrip("*: ") if heading is None else f"[{heading[1]}]"))
    return plain


def with_plain_names(lines: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Write bold names as the others, if several of these return and are no fields.

    >>> talk = ["**Host:** So?", "Ann: Well."] * 3
    >>> with_plain_names([*enumerate(talk)])[0]
    (0, 'Host: So?')
    >>> notes = ["**Host:** So?", "**Ann:** Well."] * 9 + ["Tip: none"] * 3
    >>> with_plain_names(listed := [*enumerate(notes)]) is listed
    True
    """
    bold = {
        n: match for n, (_, line) in enumerate(lines)
        if "**" in line or "__" in line
        if (match := BOLD.match(line) or BOLD_TURN.match(line))
        and is_name(match["name"].partition(",")[0].strip())
    }  # fmt: skip
    if not bold:
        return lines
    plain = Counter(match[1] for _, line in lines if (match := PLAIN.match(line)))
    names = {name: n for name, n in plain.items() if n > 1 and (is_name(name) or is_label(name))}
    count = sum(names.values())
    if (
        count < FEWEST_PLAIN
        or count < LEAST_PLAIN * (count + len(bold))
        or are_fields(plain.elements())
    ):
        return lines
    return [
        (number, f"{bold[n]['name']}: {bold[n]['text']}" if n in bold else line)
        for n, (number, line) in enumerate(lines)
    ]

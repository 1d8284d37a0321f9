"""Lines of a text that are unlike its other lines, and may therefore be no speech.

Nothing here knows what such lines are: a title, the name of a site, a telephone number, a note of
the writer. Speech is alike from beginning to end, so a few lines of another kind are worth a note,
which shows the first of them. All lines are read as words.
"""

from __future__ import annotations

import itertools

from formats.nist.messages import TXT_UNLIKE
from formats.reading.line_languages import script_of
from formats.reading.lines import SENTENCE_ENDS
from formats.schema import lazy_pattern
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from formats.io.source import Source

FEWEST_UNITS, SHARE_OF_SENTENCES, MOST_UNLIKE = 5, 0.8, 0.2
"""The fewest lines or paragraphs that are compared, the share of them that are sentences, and the
largest share of lines that are unlike the others."""
LONGEST_TITLE, LONGEST_SHOWN = 100, 60
"""Characters of a line that may be a title, and those of a line that are shown."""
FEWEST_CAPITALS, FEWEST_SIGNS = 6, 2
"""The fewest capitals of a line in capitals, and the fewest signs of a line of signs."""
FEWEST_OF_SCRIPT, SHARE_OF_SCRIPT = 8, 0.85
"""The fewest lines with letters, and the share of them that are in one script."""
MOST_APART, SHARE_APART = 8, 0.15
"""The most lines that are apart from a text, and the largest share of its characters."""
TIMES_WIDER = 2
"""How many times wider a gap is than all others, in blank lines."""
CLOSING = "\"”’)»'*_ "
OPEN_ENDS = (*SENTENCE_ENDS, *",;:，、；：-–—~～")
"""How a sentence ends, or a line that goes on."""
SIGNS_OF_PROSE = frozenset(".,;:!?…'\"’‘“”«»()-–—¿¡。、，！？「」%~～")
ADDRESS = lazy_pattern(r"(?:https?://|www\.)\S{3}|[\w.+-]{1,60}@[\w-]{1,60}\.\w{2}")
"""An address of the web or of mail."""
NOTICE_AT_EDGE = lazy_pattern(
    r"(?i)(?:.{0,80}\blibrivox\b.{0,80}"
    r"|(?:the )?end of (?:the |this |part )?(?:speech|sermon|address|talk|lecture|recording"
    r"|transcript|chapter|book|side|tape|part)\b.{0,20}"
    r"|(?:speech|sermon|address|talk|lecture|remarks|homily) (?:was )?"
    r"(?:given|delivered|held|made|preached|recorded) (?:by|at|on|in|to) .{1,120}"
    r"|(?:read|recorded|narrated) (?:for .{1,40} )?by .{1,60})\Z"
)
MOST_AT_EDGE = 8
"""Who reads or spoke a text, or that it ends; and the lines at its beginning and its end."""
THANKS = lazy_pattern(
    r"(?i)(?:thank you|thanks|many thanks|merci|danke|gracias|grazie|obrigad[oa]|спасибо|谢谢|謝謝"
    r"|ありがとう|감사합니다)\b.{0,30}\Z"
)
SHOUTED = ("!", "?", "！", "？")
LONG_CLAUSE, NUMBERS = 6, lazy_pattern("[0-9]{1,12}")
"""Thanks at the end of a talk, the words of a clause behind its first one, and numbers."""
YEAR = lazy_pattern(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
NUMBERED_NAME = lazy_pattern(r"[0-9]{1,3}(?:[-_][^\W_]{1,30}){2,12}[ *#:]{0,4}\Z")
"""The name of a file or chapter as a title: ``3-first-steps``."""
IN_QUOTES, IN_EMPHASIS = ('""', "“”", "«»", "„“", "「」", "『』"), ("**", "__", "~~", "``")
"""The first and last character of titles in quotes, and of emphasised lines."""
MOST_UNNAMED = 3
"""Letters of a part that may be an exclamation: ``3-2-1-go``."""
IN_BRACKETS = ("()", "[]", "{}", "<>", "（）", "【】")
"""The first and last character of lines that another remark counts."""


class Unlike(NamedFields):
    """Lines of a kind that the others are not: how many of how many, and the first of them."""

    kind: str
    count: int
    total: int
    text: str


def unlike_lines(lines: Sequence[str], reported: Collection[str] = ()) -> list[Unlike]:
    """Return the lines that are unlike the others, by kind, without those that are reported.

    >>> said = "So it was, and nobody knew why the bridge was closed."
    >>> [(x.kind, x.text) for x in unlike_lines([*[said] * 4, "The second day", *[said] * 4])]
    [('titles', 'The second day')]
    >>> unlike_lines([*[said] * 4, "The second day", *[said] * 4], ["The second day"])
    []
    >>> [(x.kind, x.text) for x in unlike_lines(["so it was", "and so on"] * 4 + ["BERN RADIO"])]
    [('capitals', 'BERN RADIO')]
    """
    filled = [line.strip() for line in lines if line.strip()]
    seen = set(reported)
    unlike: list[Unlike] = []
    for kind, unlikely, total in (
        ("notices", _notices_at_edges(filled), len(filled)),
        ("dated", _dated_title(lines), len(filled)),
        ("numbered", list(filter(_is_numbered_name, filled)), len(filled)),
        ("apart", _apart(lines), len(filled)),
        ("titles", *_unfinished(lines)),
        ("capitals", list(filter(_is_in_capitals, filled)), len(filled)),
        ("signs", list(filter(_is_of_signs, filled)), len(filled)),
        ("script", _of_another_script(filled), len(filled)),
        ("marked", list(filter(_is_marked, filled)), len(filled)),
    ):
        rest = [line for line in unlikely if line not in seen]
        if 0 < len(rest) <= max(1, MOST_UNLIKE * total) and total >= FEWEST_UNITS:
            unlike.append(Unlike(kind, len(rest), total, rest[0]))
            seen.update(rest)
    return unlike


def say_unlike(source: Source, lines: Sequence[str], reported: Collection[str]) -> None:
    """Report the lines that are unlike the others of a text."""
    for unlike in unlike_lines(lines, reported):
        source.log.say(
            TXT_UNLIKE[unlike.kind],
            None,
            count=unlike.count,
            total=unlike.total,
            text=unlike.text[:LONGEST_SHOWN],
        )


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines of each paragraph, without the blanks around them."""
    groups = itertools.groupby(map(str.strip, lines), key=bool)
    return [list(rows) for is_filled, rows in groups if is_filled]


def _is_finished(line: str) -> bool:
    """Return True for a line that ends like a sentence, goes on, or is in brackets."""
    is_enclosed = f"{line[0]}{line[-1]}" in IN_BRACKETS
    return is_enclosed or line.rstrip(CLOSING).endswith(OPEN_ENDS)


def _unfinished(lines: Sequence[str]) -> tuple[list[str], int]:
    """Return the brief paragraphs that end no sentence if nearly all others do, and their number.

    In a text with few paragraphs, these are lines.
    """
    paragraphs = _paragraphs(lines)
    if len(paragraphs) < FEWEST_UNITS:
        paragraphs = [[line] for rows in paragraphs for line in rows]
    open_ended = [rows for rows in paragraphs if not _is_finished(rows[-1])]
    if len(paragraphs) - len(open_ended) < SHARE_OF_SENTENCES * len(paragraphs):
        return [], len(paragraphs)
    return [
        rows[0] for rows in open_ended
        if len(rows) == 1 and len(rows[0]) <= LONGEST_TITLE and not rows[0][0].islower()
        and not _is_said(rows[0])
    ], len(paragraphs)  # fmt: skip


def _is_said(line: str) -> bool:
    """Return True for a line that is no title: thanks, or many words in small letters.

    >>> [_is_said(line) for line in ("Thank you", "The second day", "A Talk about the Old Bridge")]
    [True, False, False]
    >>> _is_said("This will be the end of what we knew")
    True
    """
    _, *others = line.split()
    small = sum(word[0].islower() for word in others)
    is_thanks = THANKS.match(line) is not None
    return is_thanks or _counts(line) or (len(others) >= LONG_CLAUSE and small == len(others))


def _counts(line: str) -> bool:
    """Return True for numbers that someone says: a number with its unit, or numbers that count.

    >>> [_counts(line) for line in ("460km", "(1, 2, 3, 4!)", "7, 8, 9", "030 1234567", "2 4 2")]
    [True, True, True, False, False]
    """
    numbers = list(map(int, NUMBERS.findall(line)))
    has_unit = len(numbers) == 1 and any(map(str.isalpha, line))
    steps = {second - first for first, second in itertools.pairwise(numbers)}
    return has_unit or (len(numbers) > FEWEST_SIGNS and steps in ({1}, {-1}))


def _is_in_capitals(line: str) -> bool:
    """Return True for a line in capitals, as titles and the names of persons in scripts.

    What is shouted ends with its sign.

    >>> [_is_in_capitals(line) for line in ("THE OLD BRIDGE", "WHERE ARE YOU?", "So it was.")]
    [True, False, False]
    """
    if not line.isupper() or line.rstrip(CLOSING).endswith(SHOUTED):
        return False
    capitals = sum(map(str.isupper, line))
    return capitals >= FEWEST_CAPITALS and 2 * capitals >= sum(map(str.isalpha, line))


def _is_of_signs(line: str) -> bool:
    """Return True for a line with more digits and signs than letters, or with an address."""
    letters = sum(map(str.isalpha, line))
    signs = len(line) - letters - sum(map(str.isspace, line))
    signs -= sum(map(line.count, SIGNS_OF_PROSE))
    if signs >= FEWEST_SIGNS and signs > letters:
        return not _counts(line)
    is_brief = len(line) <= LONGEST_TITLE and ("@" in line or "//" in line or "www." in line)
    return is_brief and ADDRESS.search(line) is not None


def _notices_at_edges(lines: Sequence[str]) -> list[str]:
    """Return the first and last lines that name who reads or spoke a text, or that it ends.

    >>> _notices_at_edges(["This is a LibriVox recording.", "So it was.", "End of speech."])
    ['This is a LibriVox recording.', 'End of speech.']
    """
    edges = [*lines[:MOST_AT_EDGE], *lines[max(MOST_AT_EDGE, len(lines) - MOST_AT_EDGE) :]]
    return [line for line in edges if NOTICE_AT_EDGE.match(line)]


def _dated_title(lines: Sequence[str]) -> list[str]:
    """Return the first line if it is apart, has a year, and ends no sentence.

    >>> _dated_title(["Talk of May 3 1972", "", "so it was", "and so on"])
    ['Talk of May 3 1972']
    >>> _dated_title(["in 1972 it was", "", "so", "", "and so on"])
    []
    """
    (first, *others), *rest = _paragraphs(lines) or [[""]]
    is_title = not others and len(first) <= LONGEST_TITLE and not first[:1].islower()
    is_title = is_title and bool(YEAR.search(first)) and bool(rest) and not _is_finished(first)
    is_again = any(len(rows) == 1 and YEAR.search(rows[0]) for rows in rest)
    return [first] if is_title and not is_again else []


def _is_numbered_name(line: str) -> bool:
    """Return True for the name of a file or chapter: ``3-first-steps``.

    >>> list(map(_is_numbered_name, ["3-first-steps", "3-2-1", "La-la-la", "3-day trip"]))
    [True, False, False, False]
    """
    if not line[:1].isdigit() or not NUMBERED_NAME.match(line):
        return False
    parts = line.replace("_", "-").strip(" *#:").split("-")
    return any(len(part) > MOST_UNNAMED and part.isalpha() for part in parts)


def _is_marked(line: str) -> bool:
    """Return True for a brief line in quotes that ends no sentence, or between signs of emphasis.

    >>> list(map(_is_marked, ['"The river"', '"Well."', "*softly*", "_And so on_", "«Мост»"]))
    [True, False, True, True, True]
    """
    ends = f"{line[0]}{line[-1]}"
    if not len(ends) < len(line) <= LONGEST_TITLE or line.count(line[0]) > len(ends):
        return False
    is_open = not line[1:-1].rstrip(CLOSING).endswith(OPEN_ENDS)
    return (is_open and ends in IN_QUOTES) or ends in IN_EMPHASIS


def _of_another_script(lines: Sequence[str]) -> list[str]:
    """Return the lines in another script than nearly all; Latin ones only at an edge of the text.

    Names and terms in Latin letters are inside texts in all scripts, and songs are sung in two.
    """
    scripts = [script_of(line) for line in lines]
    of_letters = list(filter(None, scripts))
    most = max(set(of_letters), key=of_letters.count, default="")
    count = of_letters.count(most)
    if len(of_letters) < FEWEST_OF_SCRIPT or count < SHARE_OF_SCRIPT * len(of_letters):
        return []
    return [
        line for n, (line, script) in enumerate(zip(lines, scripts, strict=True))
        if script not in ("", most)
        and (script != "Latin" or n in (0, len(lines) - 1))
        and not {script, most} <= {"Chinese", "Japanese"}
    ]  # fmt: skip


def _apart(lines: Sequence[str]) -> list[str]:
    """Return the few lines above the first gap, or below the last, if it is wider than all others.

    >>> _apart([*["so it was", "", "and so on", ""] * 4, "", "", "Ann Ex", "Bern"])
    ['Ann Ex', 'Bern']
    """
    rows = [line.strip() for line in lines]
    gaps: list[tuple[int, int]] = []
    start = 0
    for is_filled, group in itertools.groupby(rows, key=bool):
        size = len(list(group))
        if not is_filled and 0 < start < len(rows) - size:
            gaps.append((size, start + size))
        start += size
    widest, end = max(gaps, default=(0, 0))
    others = [size for size, _ in gaps if size != widest]
    if len(gaps) - len(others) != 1 or widest < TIMES_WIDER * max(others, default=1):
        return []
    above = list(filter(None, rows[: end - widest]))
    rest = list(filter(None, rows[end:]))
    for part, text in ((rest, above), (above, rest)):
        size = sum(map(len, part))
        if len(part) <= MOST_APART and size <= SHARE_APART * sum(map(len, text)):
            return part
    return []

"""Lines of plain text that share a beginning, and files of lines that are no transcripts."""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise

from formats.detection.errors import UnknownFormatError
from formats.detection.head import MARKUP, Head
from formats.detection.spec import TAKEN_FOR
from formats.io.messages import PATHS, SPEAKER_MAP, SPLIT_NAME
from formats.schema import lazy_pattern
from formats.schema.messages import Message
from formats.schema.times import is_time
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from formats.io.source import Source

PATH = lazy_pattern(
    r"(?=[^\s|,;/\\]*[/\\])[^\s|,;]*\.[A-Za-z]\w{1,4}|[^\s|,;/]+\.(?:wav|flac|mp3|npy|ark|pt)"
)
SEPARATORS = lazy_pattern(r"[|,;\s]+")
SPK2UTT = lazy_pattern(r"(?=\S*\d)(\S{1,100})(?: (?!\1(?: |$))(?=\S*\1)\S+)+ *")
"""A speaker and ids of utterances, each of which holds the speaker's."""


def is_spk2utt(lines: list[str]) -> bool:
    """Return True if the lines are from Kaldi's file ``spk2utt`` (speakers, their utterances)."""
    filled = [line for line in lines if line.strip()]
    may_be = len(filled) > 1 and any(map(str.isdigit, filled[0]))
    return may_be and all(map(SPK2UTT.fullmatch, filled))


def is_path_list(lines: list[str]) -> bool:
    """Return True if every line is only a file path."""
    filled = list(filter(None, map(str.strip, lines)))
    if len(filled) < 2 or not all("." in line for line in filled):  # before the suffix
        return False
    fields = chain.from_iterable(map(SEPARATORS.split, filled))
    return all(map(PATH.fullmatch, fields))


CONFIDENCE = lazy_pattern(r"[01](?:\.\d*)?|\.\d+|NA")


def _split_name(source: Source, name: str) -> tuple[int, str] | None:
    """Return number and text of the first ctm or stm line in which a name has a blank.

    Most lines have one. Lines that fit stm are ctm only if the file's name or confidences say so.
    """
    path = source.name.lower().removesuffix(".gz")
    is_stm = name == "stm"
    if is_stm and path.endswith(".stm"):
        return None
    filled = [
        (n, x) for n, x in enumerate(source.head_lines(), 1) if x.strip(" \t") and x[0] != ";"
    ]
    found = [(n, x) for n, x in filled if _has_field_more(x, is_stm, path.endswith(".ctm"))]
    return found[0] if len(found) * 2 > len(filled) else None


def _has_field_more(line: str, is_stm: bool, is_named_ctm: bool) -> bool:
    """Return True if a blank in the recording's name gives a ctm or stm line an extra field.

    With `is_stm`, a line that fits stm without an extra field does not count. `is_named_ctm` means
    that the file name ends in ``.ctm``.
    """
    fields = line.split(None, 9)
    if len(fields) < 6:
        return False
    at_three, at_four, at_five = ("." in field and is_time(field) for field in fields[3:6])
    if at_four and at_five and not at_three:
        return not is_stm and float(fields[4]) <= float(fields[5])
    if not (at_three and at_four) or is_time(fields[5]) or len(fields) > 9:
        return False
    if len(fields) == 6:
        return is_named_ctm or not is_stm
    is_sure = is_named_ctm or not is_stm or fields[6] not in ("0", "1")
    return is_sure and CONFIDENCE.fullmatch(fields[6]) is not None


STAMP = r"\d{1,2}(?::\d\d){1,2}(?:[.,]\d+)?"
DATE_AND_TIME = lazy_pattern(
    r"\[?[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{2,4}[,. ]{1,3}[0-9]{1,2}[.:h][0-9]{2}(?![0-9])"
)
SHAPES = {
    "log": lazy_pattern(
        r"\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|(?:INFO|WARNING|WARN|ERROR|DEBUG|TRACE|FATAL)\b)"
        r"|V?LOG(?:\[\d\])? \("
    ),
    "stamp": lazy_pattern(rf"\W{{0,3}}{STAMP}"),
    "number-in-brackets": lazy_pattern(r"[(（]\d{1,3}[)）][ \t]{0,4}[^\W\d_]"),
    "stamp-in-brackets": lazy_pattern(r"(?![(（]\d{1,3}[)）])[\[(（]\s*\d+(?:\.\d+)?\s*s?\b"),
    "name-and-stamp": lazy_pattern(r"[^\s\d\[][^\[:]{0,40}\[\d+(?:[.:]\d+)*\s*s?\b"),
    "identifier-and-numbers": lazy_pattern(r"(?=\S*\d)\S+(?:[ \t]+-?\d+(?:\.\d+)?){2}[ \t]"),
    "speaker": lazy_pattern(r"(?i:(?:speaker|spk)[ _]?(?:\d+|unknown|[a-z]\b))"),
    "name-in-brackets": lazy_pattern(r"<[A-Z][^<>/]{0,40}>[ \t]"),
    "name-in-wide-brackets": lazy_pattern(r"（[^（）]{1,12}）(?=.)"),
    "name-in-capitals": lazy_pattern(r"[A-Z][A-Z .]{2,30}:"),
    "date-and-time": DATE_AND_TIME,
    "label-and-tab": lazy_pattern(r"\\?[^\W\d_][^\s:\d]{0,30}\t+\S"),
}
"""Beginnings of lines that are no words."""
IDENTIFIER = lazy_pattern(
    r"(?=\S*\d)(?!\d{2,4}[-./]\d\d?[-./](?:\d\d){1,2}\b|\d+\.\d*\s)"
    r"(?:(?:\*/)?[^\W_][\w.]*[-_][^\s,;|=]+(?=[ \t])|[^\W_][\w.]{0,60}\t)"
)
SURE_IDENTIFIER = lazy_pattern(
    r"(?![0-9]{3}-[0-9]{3}-[0-9]{4} )"
    r"(?:[^\W_]{0,20}[0-9][^\W_]{0,20}[-_]){2,6}[^\W_]{0,20}[0-9]{4,12}"
    r"(?=[ \t]+[^\W\d_]\S*[ \t]+\S)"
)
"""An identifier with three parts that have digits, which no text begins with: ``84-121-0003``."""
CODE = lazy_pattern(r"(?=[^\W\d_]*\d\w*[^\W_])[^\W\d_][^\W_]{4,59}(?= )|\d[^\W_]{4,59}(?= )")
"""An identifier without signs, such as ``BAC009S0764W0121``; all lines have the same form."""
PADDED = lazy_pattern(r"[0-9]{3,12}(?=[ \t]+\S)")
AN_IDENTIFIER = "identifier"
A_SIGN = "sign"
SEPARATOR = lazy_pattern(r"[ \t]+([:|=>\-–—]{1,3})[ \t]")
LETTERS, DIGITS = lazy_pattern(r"[^\W\d_]+"), lazy_pattern(r"[0-9]+")
NO_WORD = lazy_pattern(
    r"(?!\d{2,4}[-./]\d\d?[-./]\d{2,4}\Z)\A[-–—0-9]|[@#$%&*()+:<=>•‣◦▪►▶☐☑✓→§\[\\\]^_`{|}~\"]"
)
"""What shows that the beginning of a line is no word: a dash, a number, a sign inside."""
LONGEST_BEGINNING = 60
PROSE_BEGINS, PROSE_ENDS = "\"'“”„‚‘’«»‹›¿¡(♪#*", ",.;:!?…。，！？\"'“”’»)♪*"
"""Signs that begin and end the first word of a sentence, too."""
FEWEST = 3
SHARE_OF_WORDS = 0.8
SPOKEN = lazy_pattern(r"(?=[^\W\d_]|[<\['’(])(?![^/]*/)[^\d]+\Z")
"""A word that is no number, code, path or option of a command."""
SHARE = 0.4
"""Least share of the lines: the text may be in lines between."""


class LineShape(NamedFields):
    """The kind of beginning that most lines of a plain text share, and how many lines have it."""

    name: str
    lines: int
    total: int
    text: str = ""
    """The first such beginning, where its name does not say what it is."""


def shape_of_lines(lines: Iterable[str]) -> LineShape | None:
    """Return the kind of beginning that most lines share; `None` if they share none.

    >>> shape_of_lines(["[1.0s - 1.9s] a: hello"] * 3)
    LineShape(name='stamp-in-brackets', lines=3, total=3, text='')
    """
    filled = [line for line in lines if line.strip()]
    if len(filled) < FEWEST:
        keys = [match[0] for line in filled if (match := SURE_IDENTIFIER.match(line))]
        are_all = 0 < len(set(keys)) == len(filled)
        return LineShape(AN_IDENTIFIER, len(keys), len(filled)) if are_all else None
    for name, pattern in SHAPES.items():
        count = sum(map(bool, map(pattern.match, filled)))
        if count >= FEWEST and count >= SHARE * len(filled):
            return LineShape(name, count, len(filled))
    keys = [match[0] for line in filled if (match := IDENTIFIER.match(line))]
    keys = keys or _padded_numbers(filled)
    if 2 * len(keys) > len(filled) > len(keys) and len(set(map(_forms_of_key, filled))) == 1:
        keys = [line.split(None, 1)[0] for line in filled]  # blanks in place of some tabs
    if not keys and len(set(map(_forms_of_key, filled))) == 1:
        keys = [match[0] for line in filled if (match := CODE.match(line))]
    if len(keys) == len(filled) and len(set(keys)) == len(keys) and not have_columns(filled):
        name = f"{AN_IDENTIFIER}-and-sign" if follows_a_sign(filled) else AN_IDENTIFIER
        return LineShape(name, len(keys), len(filled))
    outlines = list(filter(None, map(_outline, filled)))
    outline, count = Counter(outlines).most_common(1)[0] if outlines else ("", 0)
    if count < FEWEST or count < SHARE * len(filled):
        return None
    first = next(line for line in filled if _outline(line) == outline)
    return LineShape(A_SIGN, count, len(filled), first.split(None, 1)[0])


def have_columns(lines: Sequence[str]) -> bool:
    """Return True if tabs divide each line into the same number of fields, at least three."""
    counts = {line.rstrip().count("\t") for line in lines}
    return len(lines) >= FEWEST and len(counts) == 1 and min(counts) > 1


def _padded_numbers(lines: Sequence[str]) -> list[str]:
    """Return the numbers that begin all lines, if zeros make them equally long and they rise."""
    numbers = [match[0] for line in lines if (match := PADDED.match(line))]
    are_padded = len({len(number) for number in numbers}) == 1 and numbers[0][0] == "0"
    are_rising = len(numbers) == len(lines) and all(a < b for a, b in pairwise(numbers))
    return numbers if are_padded and are_rising else []


def _forms_of_key(line: str) -> str:
    """Reduce the first word of a line to its form: letters become ``a``, digits become ``0``."""
    return DIGITS.sub("0", LETTERS.sub("a", line.split(None, 1)[0]))


def is_markup(lines: Sequence[str]) -> bool:
    """Return True if a text is JSON with named members, or begins like XML, HTML or RTF."""
    head = Head(lines)
    if head.text.startswith("{\\rtf"):
        return True
    if head.shape == "xml":
        return MARKUP.match(head.text) is not None
    value = head.json if head.shape == "json" else None
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and bool(first)


def follows_a_sign(lines: Iterable[str]) -> bool:
    """Return True if one separator follows the first word of every line: ``a-1.wav : hello``."""
    found = {
        match[1] if (match := SEPARATOR.match(line, len(line.split(None, 1)[0]))) else ""
        for line in (line.lstrip() for line in lines)
        if line
    }
    return len(found) == 1 and "" not in found


def _outline(line: str) -> str:
    """Return the form of a line's first word if it has signs that words do not have, otherwise "".

    In the form, letters are replaced by a single ``a``, digits by a single ``0``, and marks of
    prose at the end are removed.
    """
    first, _, rest = line.lstrip()[:LONGEST_BEGINNING].partition(" ")
    if not rest.strip() and not line[LONGEST_BEGINNING:]:
        return ""
    bare = first.lstrip(PROSE_BEGINS).rstrip(PROSE_ENDS)
    if not bare and len(first) == 1 and first not in "♪":
        return first
    if NO_WORD.search(bare) is None:
        return ""
    return DIGITS.sub("0", LETTERS.sub("a", first.rstrip(PROSE_ENDS)))


def are_texts_with_ids(lines: Iterable[str]) -> bool:
    """Return True if all lines begin with an identifier, and the rest of the lines are words.

    In tables of Kaldi, one name, numbers or commands with paths follow.

    >>> are_texts_with_ids(["s1-u1 so it was", "s1-u2 well", "s2-u1 oh no"])
    True
    >>> are_texts_with_ids(["s1-u1 s1", "s1-u2 s1", "s2-u1 s2"])
    False
    """
    filled = [line for line in lines if line.strip()]
    shape = shape_of_lines(filled)
    if shape is None or shape.name != AN_IDENTIFIER:
        return False
    words = [word for line in filled for word in line.split()[1:]]
    spoken = sum(map(bool, map(SPOKEN.match, words)))
    are_several = len(words) >= 2 * len(filled) or not "".join(words).isascii()
    return are_several and spoken >= SHARE_OF_WORDS * len(words)


def are_labels(lines: Iterable[str]) -> bool:
    """Return True if lines are a begin, an end and a label of one word, as ``0.5 1.25 B:min``.

    Comments that begin with ``#`` may stand between them.
    """
    rows = [line.split() for line in lines if line.strip() and line[0] != "#"]
    return bool(rows) and all(len(row) == 3 and is_time(row[0]) and is_time(row[1]) for row in rows)


def are_tier_rows(lines: Iterable[str]) -> bool:
    r"""Return True if lines are rows of ELAN: a tier, a name of two words, a begin and an end.

    With other separators than tabs, the name would be the channel and the speaker of a segment.
    """
    rows = [line.split("\t") for line in lines if line.strip()]
    return bool(rows) and all(
        len(row) > 4
        and " " in row[1]
        and is_time(row[2])
        and is_time(row[3])
        and float(row[2]) <= float(row[3])
        for row in rows
    )


def reject_lookalike(source: Source, name: str) -> None:
    """Raise an error if the content contradicts the detected format `name`."""
    if name in (*TAKEN_FOR, "ljspeech") and is_path_list(source.head_lines()):
        raise UnknownFormatError(
            value=Message(PATHS, {"format": name}, source.log.side),
            path=source.name,
            candidates=(name,),
        )
    if name in TAKEN_FOR and (split := _split_name(source, name)):
        number, line = split
        names = line.split(None, 2)[:2]
        raise source.error_of(SPLIT_NAME, number, 1, format=name, name=" ".join(names))
    if name in TAKEN_FOR and is_spk2utt(source.head_lines()):
        raise UnknownFormatError(
            value=Message(SPEAKER_MAP, {"format": name}, source.log.side),
            path=source.name,
            candidates=(name,),
        )

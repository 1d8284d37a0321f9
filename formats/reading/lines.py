"""Code that line-based formats share: comments, definitions, fields between blanks, times.

Lines are parsed in batches. A batch with an irregular line is parsed line by line, which finds the
errors.
"""

from __future__ import annotations

from itertools import chain, count

from formats.detection.spec import Sniff
from formats.io.source import Source
from formats.schema import cache, compiled, lazy_pattern
from formats.schema import split_words as split_words
from formats.schema.diagnostics import LIMITED
from formats.schema.errors import SyntaxFormatError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
    from typing import Any, TypeAlias, TypeVar

    from formats.io.source import Source
    from formats.schema.messages import Entry
    from formats.schema.words import Definition

    T = TypeVar("T")

HEADING = lazy_pattern(r"[ ]{0,3}(?:#{1,6}(?:[ \t]|\Z)|#{2,6}[^#\s])")
"""A heading in Markdown."""
SITE = lazy_pattern(
    r"\A[0-9]{1,5} Contributors?.{0,300}?[ ]Lyrics(?![a-z ])(?:.{1,600}?Read More\s{0,2})?"
    r"|You might also like(?! )"
    r"|See .{1,60} LiveGet tickets as low as \$[0-9]{1,6}|[0-9]{0,6}Embed\s{0,9}\Z"
)
"""What a site of lyrics writes above, between and directly behind them, without blanks."""
MARKDOWN_SIGN = r"[\[\]*_#.!>~+|\"'`-]"
"""A sign that a backslash in Markdown says is no mark."""
BAR_RULE = lazy_pattern(r"[-|+:=─┼│ \t]{3,}\Z")
"""A line of signs in a table between bars."""
BAR = lazy_pattern(r"(?<!\\)\|")
MARKS, BREAK = lazy_pattern(r"\*\*|__|`"), lazy_pattern(r"<[bB][rR] ?/?>")
BORDER = lazy_pattern(r"(?:---|\+\+\+|\.\.\.)[ \t]*\Z")
MEMBER = lazy_pattern(r"[ \t-]*[\w-]{1,40}[ \t]*[:=]|[ \t]+\S|- |[\]\[{}\"'#]|\Z")
"""A line of front matter: a member, its value, an element of a list."""
LONGEST_FRONT, MOST_OTHERS = 400, 0.1
"""The most lines of front matter, and the largest share that continue a value."""
UNICODE_BLANKS = lazy_pattern(
    r"[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)
FIELD_BLANKS = " \t"
NUMBER_CHARACTERS = frozenset("0123456789.+-eE")
TEXT_BLANKS = " \t\v\f"
SENTENCE_ENDS = (".", "?", "!", "…", "。", "？", "！", "؟", "।")


def split_fields(line: str) -> list[str]:
    r"""Split a record into fields, only at runs of blanks and tabs."""
    if line.isascii() and line.isprintable():
        return line.split()
    if "\t" in line:
        line = line.replace("\t", " ")
    return [field for field in line.split(" ") if field]


def strip_blanks(text: str) -> str:
    """Return `text` without leading and trailing ASCII blanks."""
    return text.strip(TEXT_BLANKS)


def cells_between_bars(line: str) -> list[str]:
    r"""Return the cells of a row of a table in Markdown, without marks.

    >>> cells_between_bars(r"| **Ann** | so \| it<br>is | |")
    ['Ann', 'so | it is', '']
    """
    _, *cells, last = BAR.split(f"|{line.strip().removeprefix('|')}")
    cells += [last] if last else []
    bare = (BREAK.sub(" ", MARKS.sub("", cell)).strip().strip("*") for cell in cells)
    return [cell.replace("\\|", "|") for cell in bare]


def column_of_field(line: str, index: int) -> int:
    """Return the column (from 1) where the field with this index (from 0) begins.

    If there is no such field, return the column after the end of the line.
    """
    position = 0
    for _ in range(index + 1):
        while position < len(line) and line[position] in FIELD_BLANKS:
            position += 1
        start = position
        while position < len(line) and line[position] not in FIELD_BLANKS:
            position += 1
    return start + 1


def note_unicode_blanks(source: Source, number: int, line: str) -> None:
    """Report a non-ASCII space in a line; it does not separate words."""
    blank = UNICODE_BLANKS.search(line)
    if blank is not None:
        from formats.io.messages import UNICODE_SPACE

        source.log.say(UNICODE_SPACE, number, blank.start() + 1, character=ord(blank[0]))


def is_comment(line: str) -> bool:
    """Return True if a line is a comment for sclite, because it begins with ``;;`` or ``**``."""
    return line.startswith((";;", "**"))


def definition_line(line: str) -> Definition | None:
    """Return the definition in a comment by sclite's rules, or `None`.

    The line begins with exactly ``;; LABEL `` or ``;; CATEGORY ``. The first three pairs of double
    quotes are its fields, and any text between the pairs is ignored.

    >>> definition_line(';; LABEL "F" "Female" "female talkers"')
    <LABEL 'F' 'Female' 'female talkers'>
    """
    for keyword in ("LABEL", "CATEGORY"):
        if line.startswith(f";; {keyword} "):
            parts = line.split('"')
            if len(parts) < 7:
                return None
            from formats.schema.words import Definition

            return Definition(keyword, parts[1], parts[3], parts[5])
    return None


def data_lines(source: Source, comments: tuple[str, ...] = (";;", "**")) -> Iterator[Line]:
    """Yield the records of a source: all lines except comments and blank lines."""
    for first, lines in source.batches():
        yield from records_of(source, first, lines, comments)


def records_of(
    source: Source, first: int, lines: Sequence[str], comments: tuple[str, ...]
) -> Iterator[Line]:
    """Yield the records in some lines; `first` is the number of the first line."""
    for number, text in enumerate(lines, first):
        if text.startswith(comments):
            _take_comment(source, number, text)
        elif text.strip(TEXT_BLANKS):
            if not text.isascii():
                note_unicode_blanks(source, number, text)
            if text[0] in ";*" and comments[0] == ";;":
                from formats.io.messages import COMMENT_MARK

                source.log.say(COMMENT_MARK, number, 1, mark=text[0])
            yield Line(source, number, text)


def _take_comment(source: Source, number: int, line: str) -> None:
    if not line.startswith((";; LABEL ", ";; CATEGORY ")):
        from formats.io.messages import COMMENT

        source.log.say(COMMENT, number)
        return
    definition = definition_line(line)
    if definition is None:
        from formats.io.messages import DEFINITION

        source.log.say(DEFINITION, number)
    elif definition not in source.definitions:
        source.definitions.append(definition)


# Texts whose hashes are a list: `array` and what it loads take a short run 1 ms.
_FEW_TEXTS = 1_000


class SeenIds:
    """The utterance ids read so far, with their lines and texts."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self._texts: MutableSequence[int] = []
        """Hashes of the words by number of line, where there are any; an array of many."""

    def all_new(self, ids: list[str], first: int, texts: Iterable[Sequence[str]] = ()) -> bool:
        """Store the ids of consecutive lines; return True if none of them was read before."""
        new = dict(zip(ids, count(first), strict=False))
        if len(new) < len(ids) or not self.lines.keys().isdisjoint(new):
            return False
        self.lines.update(new)
        self._texts.extend([0] * (first - len(self._texts)))
        self._texts.extend(map(hash, texts))
        if len(self._texts) > _FEW_TEXTS and isinstance(self._texts, list):
            from array import array

            self._texts = array("q", self._texts)
        return True

    def is_repeated(
        self,
        source: Source,
        number: int,
        utterance: str,
        words: Iterable[str],
        entry: Entry,
        column: int | None = None,
    ) -> bool:
        """Return True, and log `entry`, if a line repeats an earlier utterance id and its text."""
        text = tuple(words)
        if self.all_new([utterance], number, [text]):
            return False
        first = self.lines[utterance]
        if self._texts[first] != hash(text):
            repeated = f"{quoted(utterance)}, which line {first} has with other words"
            raise source.syntax_error(number, "a unique id", repeated, column)
        source.log.say(entry, number, first=first)
        return True


def read_time(source: Source, number: int, line: str, index: int, text: str, noun: str) -> int:
    """Parse field `index` of a record as a time in seconds; return nanoseconds."""
    from formats.schema.times import is_finer_than_a_nanosecond, parse_time, plain_time

    plain = plain_time(text)
    if plain is not None:
        return plain
    column = column_of_field(line, index)
    try:
        value = parse_time(text)
    except ValueError:
        hint = " with a point, not a comma" if "," in text else ""
        expected = f"{noun} in seconds{hint}"
        raise source.syntax_error(number, expected, quoted(text), column) from None
    if value < 0:
        raise source.syntax_error(number, f"{noun} of 0 or more", quoted(text), column)
    if len(text) > 10 and is_finer_than_a_nanosecond(text):
        from formats.io.messages import TIME_DIGITS

        source.log.say(TIME_DIGITS, number, column, text=text)
    return value


class Line:
    """One line of a format whose fields are separated by blanks; field indexes begin at 0."""

    __slots__ = ("_columns", "number", "source", "text")

    def __init__(
        self, source: Source, number: int, text: str, columns: list[str] | None = None
    ) -> None:
        self.source, self.number, self.text = source, number, text
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        """The fields of the line."""
        if self._columns is None:
            self._columns = split_fields(self.text)
        return self._columns

    def fields(self, least: int, expected: str, most: int | None = None) -> list[str]:
        """Return the fields; raise an error for fewer than `least` or more than `most`."""
        count = len(self.columns)
        if least <= count and (most is None or count <= most):
            return self.columns
        column = len(self.text) + 1
        if most is not None and count > most:
            column = column_of_field(self.text, most)
        size = f"{count} field{'' if count == 1 else 's'}"
        raise self.source.syntax_error(self.number, expected, size, column)

    def time(self, index: int, noun: str) -> int:
        """Parse a field as a time in seconds; return nanoseconds."""
        return read_time(self.source, self.number, self.text, index, self.columns[index], noun)

    def number_at(self, index: int, expected: str) -> float:
        """Return the value of a field, which must be a finite decimal number."""
        text = self.columns[index]
        try:
            if NUMBER_CHARACTERS.issuperset(text) and abs(value := float(text)) < float("inf"):
                return value
        except ValueError:
            pass
        raise self.error(index, expected)

    def rest(self, index: int) -> str:
        """Return the text of the line, beginning with the field that has this index."""
        return strip_blanks(self.text[column_of_field(self.text, index) - 1 :])

    def error(self, index: int, expected: str, found: str | None = None) -> SyntaxFormatError:
        """Create an error about the field with this index."""
        found = quoted(self.columns[index]) if found is None else found
        column = column_of_field(self.text, index)
        return self.source.syntax_error(self.number, expected, found, column)

    def say(self, entry: Entry, index: int | None = None, /, **fields: Any) -> None:
        """Log a message about this line or one of its fields."""
        column = None if index is None else column_of_field(self.text, index)
        self.source.log.say(entry, self.number, column, **fields)


LONG_REFERENCE = lazy_pattern(r"&#[0-9]{20,};?")
COLUMN_NAME = lazy_pattern(r"[^\W\d][\w.-]{0,40}(?: [\w-]{1,20}){0,2}(?: ?\([^\W\d]{1,20}\))?")


def replace_long_references(text: str) -> str:
    """Replace numeric HTML references by U+FFFD if their number is too large for Python."""
    return LONG_REFERENCE.sub("\ufffd", text) if "&#" in text else text


def filled_lines(source: Source) -> Iterator[Line]:
    """Yield the non-blank lines of a source."""
    for number, text in source.lines():
        if strip_blanks(text):
            yield Line(source, number, text)


def sniff_share(
    lines: Iterable[str],
    fits: Callable[[str], object],
    share: float = 0.9,
    ignored: Callable[[str], object] = lambda line: False,
) -> Sniff:
    """Return `SURE` if at least `share` of the lines fit. Blank and ignored lines do not count.

    A header with column names is stronger evidence than the lines below it.
    """
    filled = [line for line in lines if strip_blanks(line) and not ignored(line)]
    fitting = [bool(fits(line)) for line in filled]
    if not fitting or sum(fitting) < share * len(fitting):
        return Sniff.NO
    return Sniff.SURE if fitting[0] or not is_header(filled[0]) else Sniff.NO


def is_header(line: str) -> bool:
    r"""Return True if a line holds two or more different column names between separators.

    >>> is_header("start,end,text"), is_header("Start (s);End (s)"), is_header("1.5,2.5,text")
    (True, True, False)
    """
    names = [name.strip(' "').lower() for name in line.split(max("\t,;", key=line.count))]
    if {"text", "start", "end"} <= set(names):
        return True
    are_names = all(map(COLUMN_NAME.fullmatch, names))
    return are_names and len(names) > 1 and len(set(names)) == len(names)


def write_definition(definition: Definition) -> str:
    """Return the header line of a definition, with its line end."""
    from formats.schema.refusals import LossError

    fields = (definition.id, definition.title, definition.description)
    for field in fields:
        for character in '"\n\r\0':
            if character in field:
                raise LossError(
                    expected=f"a {definition.keyword} definition without quotes and line ends",
                    found=quoted(field),
                )
    quotes = " ".join(f'"{field}"' for field in fields)
    return f";; {definition.keyword} {quotes}\n"


FieldColumns: TypeAlias = "list[list[Any]]"

BATCHES = (512, 16)
"""Lines of the smaller batches that a batch with an irregular line is cut into."""


def read_in_bulk(
    source: Source,
    read_columns: Callable[[int, str], Iterable[T] | None],
    read_lines: Callable[[int, list[str]], Iterable[T]],
) -> Iterator[T]:
    """Parse lines in batches; a batch with an irregular line is parsed line by line.

    `read_columns` takes the number of the first line and the lines as one text. It returns `None`
    for an irregular batch. `read_lines` reads all kinds of lines.
    """
    batches = (
        _parsed(source, read_columns, read_lines, first, text, BATCHES)
        for first, text in source.passages()
    )
    return chain.from_iterable(chain.from_iterable(batches))


def _parsed(
    source: Source,
    read_columns: Callable[[int, str], Iterable[T] | None],
    read_lines: Callable[[int, list[str]], Iterable[T]],
    first: int,
    text: str,
    sizes: tuple[int, ...],
) -> Iterator[Iterable[T]]:
    """Yield the rows of a batch. An irregular batch is divided into smaller batches."""
    rows = read_columns(first, text)
    if rows is not None:
        if source.log.tolerance == LIMITED:  # only there it counts how many are good
            source.log.accept("", text.count("\n") + 1)
        yield rows
        return
    lines = text.split("\n")
    if not sizes:
        yield read_lines(first, lines)
        return
    for begin in range(0, len(lines), sizes[0]):
        batch = "\n".join(lines[begin : begin + sizes[0]])
        yield from _parsed(source, read_columns, read_lines, first + begin, batch, sizes[1:])


def cutter(
    comments: str, signs: str = "", marks: tuple[str, ...] = ()
) -> Callable[[str, str], FieldColumns | None]:
    """Return a function ``cut(text, kinds)`` that splits lines into fields: one list per field.

    ``cut`` returns `None` if any line is irregular or the compiled module is missing. `kinds` has
    a letter for each field: ``s`` is text, ``t`` decimal seconds (returned in nanoseconds), ``c`` a
    confidence from 0 to 1 written as in JSON, and ``w`` (the last field) a tuple of the remaining
    words. After ``w``, ``i`` is an identifier in parentheses at the end of the line, and ``p`` its
    part before the first hyphen or underscore. A line is irregular if it contains a character of
    `signs`, or a text of `marks` in letters of either case.
    """
    kind = compiled("Cutter")
    return _no_columns if kind is None else _cutter(kind, comments, signs, marks).cut


def _no_columns(text: str, kinds: str) -> None:
    return None


@cache
def _cutter(kind: Any, comments: str, signs: str, marks: tuple[str, ...]) -> Any:
    """Create a cutter, or return the cached one.

    All readers share a cutter, because it holds half a megabyte of texts.
    """
    return kind(comments, signs, marks)


def plain_confidences(texts: Sequence[str]) -> list[float] | None:
    """Return confidences as numbers; `None` if any text is irregular or not from 0 to 1."""
    import msgspec

    joined = ",".join(texts)
    try:
        numbers = msgspec.json.decode(f"[{joined}]", type=list[float])
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None
    if len(numbers) != len(texts) or not numbers:
        return None
    return numbers if "-" not in joined and max(numbers) <= 1 else None


def front_matter(lines: list[str]) -> int:
    """Return the number of the last line of the front matter; 0 if there is none.

    >>> front_matter(["---", "title: A talk", "---", "Good morning."])
    3
    >>> front_matter(["---", "so she said", "---"])
    0
    """
    first = next((n for n, line in enumerate(lines[:20]) if line.strip()), 0)
    if not lines or BORDER.match(lines[first]) is None or lines[first].startswith("."):
        return 0
    others = 0
    for n, line in enumerate(lines[first + 1 : first + LONGEST_FRONT], first + 1):
        if BORDER.match(line) is not None:
            return n + 1 if n > first + 1 and others <= MOST_OTHERS * (n - first) else 0
        others += MEMBER.match(line) is None
        if others and n == first + 1:
            return 0
    return 0

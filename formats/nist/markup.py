"""The markup of NIST transcripts, as trn and stm files write it inside their text.

===================  =========================================================================
``{ a / b c / @ }``  alternation; branches may hold words and further alternations
``@``                the null word: nothing; also on its own outside braces
``(word)``           an optional word: leaving it out is no error
``word-``  ``-word``  a fragment; the hyphen stays in the word, see `Token.is_fragment`
===================  =========================================================================

As in sclite, ``{`` opens an alternation only at the beginning of a word, ``/`` separates only
inside braces, and an empty branch (``{ a / }``) is not a null: it vanishes, with a warning here.
Where sclite loses text without a message (a ``{`` that is never closed) or crashes (``{ }``, a
``{`` inside a word) we report an error with its column. Tags (``word;tag``) and backslashes stay
in the word as written; they are the scorer's business.
"""

from __future__ import annotations

from formats.errors import LossError, SyntaxFormatError, quoted
from formats.lines import TEXT_BLANKS, split_words
from formats.loss import refused
from formats.model import Segment
from formats.words import NULL, Alternation, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from formats.source import Source

    Item: TypeAlias = "Token | Alternation"
    Columns: TypeAlias = (
        "tuple[tuple[str, ...], tuple[bool, ...] | None, tuple[tuple[int, Alternation], ...]]"
    )

__all__ = ["DEEPEST", "parse_columns", "parse_items", "write_items", "write_text", "write_word"]

DEEPEST = 32

LOOK_ALIKES = str.maketrans({"{": "｛", "}": "｝", "@": "＠", "/": "／", "(": "（", ")": "）"})


def parse_columns(
    source: Source, number: int, line: str, start: int, stop: int, *, alternations: bool = True
) -> Columns:
    """Words, optional marks and alternations of ``line[start:stop]``.

    Plain text, which is nearly all text, never leaves the fast path.
    """
    text = line[start:stop]
    if "{" not in text and "(" not in text and "@" not in text:
        if "}" in text:
            _warn_of_brace(source, number, start + text.index("}"))
        return tuple(split_words(text)), None, ()
    parser = _Parser(source, number, line, start, stop, alternations)
    words: list[str] = []
    optional: list[bool] = []
    choices: list[tuple[int, Alternation]] = []
    for item in parser.items(0):
        if isinstance(item, Token):
            words.append(item.text)
            optional.append(item.optional)
        else:
            choices.append((len(words), item))
    return tuple(words), tuple(optional) if True in optional else None, tuple(choices)


def parse_items(text: str) -> tuple[Item, ...]:
    """Tokens and alternations of a text that is not part of a file.

    >>> parse_items("i am { um / @ } a (farmer)")
    (Token('i'), Token('am'), Alternation('um' / @), Token('a'), Token('farmer', optional=True))
    """
    from io import StringIO

    from formats.source import open_source

    with open_source(StringIO("")) as nowhere:
        words, optional, choices = parse_columns(nowhere, 1, text, 0, len(text))
    made = Segment("text", words, optional=optional, alternations=choices)
    return made.tokens


def _warn_of_brace(source: Source, number: int, position: int) -> None:
    source.log.warn("MARKUP-BRACE", 'a "}" without its "{" is read as text', number, position + 1)


def read_token(word: str) -> Token:
    """A token of one word, its mark for being optional understood.

    >>> read_token("(um)"), read_token("()")
    (Token('um', optional=True), Token('()'))
    """
    if len(word) > 2 and word[0] == "(" and word[-1] == ")":
        return Token(word[1:-1], optional=True)
    return Token(word)


class _Parser:
    """Walks once over one text; positions are those of the whole line."""

    def __init__(
        self, source: Source, number: int, line: str, start: int, stop: int, braces: bool
    ) -> None:
        self.source = source
        self.number = number
        self.line = line
        self.position = start
        self.stop = stop
        self.braces = braces

    def error(self, position: int, expected: str, found: str) -> SyntaxFormatError:
        return self.source.syntax_error(self.number, expected, found, column=position + 1)

    def items(self, depth: int) -> list[Item]:
        """Items up to the end of the text or, inside braces, up to ``/`` or ``}``."""
        found: list[Item] = []
        line, stop = self.line, self.stop
        while True:
            while self.position < stop and line[self.position] in TEXT_BLANKS:
                self.position += 1
            if self.position >= stop:
                return found
            character = line[self.position]
            if depth and character in "/}":
                return found
            if self.braces and character == "{":
                found.append(self.alternation(depth + 1))
            else:
                found.append(self.word(depth))

    def word(self, depth: int) -> Item:
        line, stop, start = self.line, self.stop, self.position
        ends = TEXT_BLANKS + ("/}" if depth else "")
        position = start
        while position < stop and line[position] not in ends:
            if line[position] == "{" and self.braces:
                text = quoted(line[start : position + 1])
                raise self.error(position, 'a blank before "{"', text)
            if line[position] == "}" and self.braces:
                _warn_of_brace(self.source, self.number, position)
            position += 1
        self.position = position
        text = line[start:position]
        return NULL if text == "@" else read_token(text)

    def alternation(self, depth: int) -> Alternation:
        line, stop, start = self.line, self.stop, self.position
        if depth > DEEPEST:
            raise self.error(start, f"alternations at most {DEEPEST} deep", 'one more "{"')
        self.position += 1
        branches: list[list[Item]] = []
        while True:
            begin = self.position
            branch = self.items(depth)
            if self.position >= stop:
                raise self.error(start, '"}" to close this "{"', "the end of the text")
            closes = line[self.position] == "}"
            self.position += 1
            if branch:
                branches.append([] if branch == [NULL] else branch)
            elif not closes or branches:
                self.source.log.warn(
                    "MARKUP-EMPTY",
                    'an empty branch is left out: write "@" for the null word',
                    self.number,
                    begin + 1,
                )
            if closes:
                if not branches:
                    raise self.error(start, "a word or @ between braces", "none")
                return Alternation(branches)


WAY_OUT = "--escape-markup writes look-alikes"


def write_text(
    segment: Segment, path: str | None, *, alternations: bool = True, escape: bool = False
) -> str:
    """The words of a segment with their markup, joined by single blanks."""
    if not segment.alternations and segment.optional is None:
        words = segment.words
        text = " ".join(words)
        if (
            not any(mark in text for mark in "{}@()/\t\v\f\n\r\0")
            and len(words) == (text.count(" ") + 1 if words else 0)
            and "" not in words
        ):
            return text
    return write_items(segment.items(), path, segment.line, braces=alternations, escape=escape)


def write_items(
    items: Iterable[Item],
    path: str | None = None,
    line: int | None = None,
    *,
    braces: bool = True,
    escape: bool = False,
    depth: int = 0,
) -> str:
    """Tokens and alternations with their markup; raises `LossError` as `write_word` does.

    >>> write_items(parse_items("{um/{uh/@}  er}  a"))
    '{ um / { uh / @ } er } a'
    """
    parts: list[str] = []
    for item in items:
        if isinstance(item, Token):
            parts.append(
                write_word(
                    item.text,
                    item.optional,
                    path,
                    line,
                    forbidden=_forbidden(braces, depth),
                    escape=escape,
                )
            )
        elif item.is_null:
            parts.append("@")
        else:
            if depth == DEEPEST:
                raise LossError(
                    f"alternations can be nested at most {DEEPEST} deep", path=path, line=line
                )
            inner = (
                write_items(b, path, line, braces=braces, escape=escape, depth=depth + 1) or "@"
                for b in item.branches
            )
            parts.append(f"{{ {' / '.join(inner)} }}")
    return " ".join(parts)


def _forbidden(braces: bool, depth: int) -> str:
    if depth:
        return "{}/"
    return "{" if braces else ""


def write_word(
    text: str,
    optional: bool,
    path: str | None,
    line: int | None,
    *,
    forbidden: str = "{",
    escape: bool = False,
) -> str:
    """One word with its mark; refuse what would be read back as something else.

    Refused are: an empty word, a word with blanks or line ends in it, a real word that is ``@``
    or has the shape ``(x)``, and any of the `forbidden` characters.

    >>> write_word("um", True, None, None)
    '(um)'
    >>> write_word("@", False, None, None, escape=True)
    '＠'
    """
    trouble = _trouble(text, optional, forbidden)
    if trouble and escape and text and not any(c in text for c in TEXT_BLANKS + "\n\r\0"):
        text = text.translate(LOOK_ALIKES)
        trouble = None
    if trouble:
        raise refused(path, line, "a word that the format can hold", trouble)
    return f"({text})" if optional else text


def _trouble(text: str, optional: bool, forbidden: str) -> str | None:
    if not text:
        return "an empty word"
    if any(c in text for c in TEXT_BLANKS + "\n\r\0"):
        return f"blanks or line ends in {quoted(text)}"
    if text == "@" and not optional:
        return f'a real word "@", which would be read as the null word ({WAY_OUT})'
    if not optional and len(text) > 2 and text[0] == "(" and text[-1] == ")":
        return f"a real word {quoted(text)}, which would be read as an optional word ({WAY_OUT})"
    for character in forbidden:
        if character in text:
            return f'"{character}" in the word {quoted(text)}, where it is markup ({WAY_OUT})'
    return None

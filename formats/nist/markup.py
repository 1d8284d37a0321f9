"""The markup in texts of trn and stm files, as defined by NIST.

====================  =================================================================
``{ a / b c / @ }``   alternation; branches may hold words and other alternations
``@``                 the null word, which means nothing; may also be outside braces
``(word)``            an optional word: its omission is not an error
``word-``  ``-word``  a fragment; the hyphen stays in the word, see `Token.is_fragment`
====================  =================================================================

As in sclite, ``{`` opens an alternation only at the beginning of a word, and ``/`` separates
branches only inside braces. An empty branch (``{ a / }``) is dropped, not read as a null word; this
reader warns about it. sclite silently loses text after a ``{`` that is never closed, and crashes on
``{ }`` and on ``{`` inside a word; these are errors with a column here. Braces inside a word are
letters if they hold neither a blank nor ``/`` (``M^{ME}``). Tags (``word;tag``) and backslashes
stay in the word, for the scorer.
"""

from __future__ import annotations

from formats.reading.lines import TEXT_BLANKS, split_words
from formats.schema.errors import SyntaxFormatError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from formats.io.source import Source
    from formats.schema.words import Alternation, Item

MarkedWords: TypeAlias = (
    "tuple[tuple[str, ...], tuple[bool, ...] | None, tuple[tuple[int, Alternation], ...]]"
)

DEEPEST = 32


def parse_columns(
    source: Source, number: int, line: str, start: int, stop: int, *, alternations: bool = True
) -> MarkedWords:
    """Parse ``line[start:stop]``; return words, marks of optional words, and alternations."""
    text = line[start:stop]
    if "{" not in text and "(" not in text and "@" not in text:
        if "}" in text:
            _warn_of_brace(source, number, start + text.index("}"))
        return tuple(split_words(text)), None, ()
    return _parse_marked(source, number, line, start, stop, alternations)


def plain_columns(
    _source: Source, _number: int, line: str, start: int, stop: int, *, alternations: bool
) -> MarkedWords:
    """Split ``line[start:stop]`` into words without parsing markup."""
    return tuple(split_words(line[start:stop])), None, ()


def _parse_marked(
    source: Source, number: int, line: str, start: int, stop: int, alternations: bool
) -> MarkedWords:
    """Parse ``line[start:stop]``; return words, marks of optional words, and alternations."""
    from formats.schema.words import Token

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


def letters_end(text: str, position: int, stop: int) -> int | None:
    """Return the position of the `}` that closes a `{` inside a word.

    Return `None` if the text between the braces is empty or may be branches.

    >>> letters_end("M^{ME} is", 2, 9), letters_end("x{b/c}", 1, 6), letters_end("x{b }", 1, 5)
    (5, None, None)
    """
    close = text.find("}", position + 1, stop)
    inside = text[position + 1 : close]
    if close < 0 or not inside or any(letter in inside for letter in f"{TEXT_BLANKS}/{{"):
        return None
    return close


def _warn_of_brace(source: Source, number: int, position: int) -> None:
    from formats.nist.messages import MARKUP_BRACE

    source.log.say(MARKUP_BRACE, number, position + 1)


class _Parser:
    """Parses a text in one pass. Positions count from the start of the whole line.

    Only this class loads the model of words, because that takes longer than to read a short file.
    """

    def __init__(
        self, source: Source, number: int, line: str, start: int, stop: int, braces: bool
    ) -> None:
        from formats.schema import words

        self.model = words
        self.source = source
        self.number = number
        self.line = line
        self.position = start
        self.stop = stop
        self.braces = braces

    def error(self, position: int, expected: str, found: str) -> SyntaxFormatError:
        return self.source.syntax_error(self.number, expected, found, column=position + 1)

    def items(self, depth: int) -> list[Item]:
        """Parse items up to the end of the text or, inside braces, up to ``/`` or ``}``."""
        items: list[Item] = []
        line, stop = self.line, self.stop
        while True:
            while self.position < stop and line[self.position] in TEXT_BLANKS:
                self.position += 1
            if self.position >= stop:
                return items
            character = line[self.position]
            if depth and character in "/}":
                return items
            if self.braces and character == "{":
                items.append(self.alternation(depth + 1))
            else:
                items.append(self.word(depth))

    def word(self, depth: int) -> Item:
        line, stop, start = self.line, self.stop, self.position
        ends = TEXT_BLANKS + ("/}" if depth else "")
        position = start
        while position < stop and line[position] not in ends:
            if line[position] == "{" and self.braces:
                if (close := letters_end(line, position, stop)) is not None:
                    position = close + 1
                    continue
                text = quoted(line[start : position + 1])
                raise self.error(position, 'a blank before "{"', text)
            if line[position] == "}" and self.braces:
                _warn_of_brace(self.source, self.number, position)
            position += 1
        self.position = position
        text = line[start:position]
        return self.model.NULL if text == "@" else self.model.read_token(text)

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
                branches.append([] if branch == [self.model.NULL] else branch)
            elif not closes or branches:
                from formats.nist.messages import MARKUP_EMPTY

                self.source.log.say(MARKUP_EMPTY, self.number, begin + 1)
            if closes:
                if not branches:
                    raise self.error(start, "a word or @ between braces", "none")
                return self.model.Alternation(branches)

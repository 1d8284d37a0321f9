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

from collections.abc import Iterable

from formats.nist.messages import (
    MARKUP_BRACE,
    MARKUP_EMPTY,
    MARKUP_IN_WORD,
    NULL_WORD,
    OPTIONAL_WORD,
)
from formats.reading.lines import TEXT_BLANKS, split_words
from formats.schema.errors import LossError, SyntaxFormatError, quoted
from formats.schema.messages import Message
from formats.schema.words import NULL, Alternation, Item, Token, read_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from formats.io.source import Source
    from formats.writing.out import Out

MarkedWords: TypeAlias = (
    "tuple[tuple[str, ...], tuple[bool, ...] | None, tuple[tuple[int, Alternation], ...]]"
)

DEEPEST = 32

LOOK_ALIKES = str.maketrans({"{": "｛", "}": "｝", "@": "＠", "/": "／", "(": "（", ")": "）"})


def parse_columns(
    source: Source, number: int, line: str, start: int, stop: int, *, alternations: bool = True
) -> MarkedWords:
    """Parse ``line[start:stop]``; return words, marks of optional words, and alternations."""
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


def plain_columns(
    _source: Source, _number: int, line: str, start: int, stop: int, *, alternations: bool
) -> MarkedWords:
    """Split ``line[start:stop]`` into words without parsing markup."""
    return tuple(split_words(line[start:stop])), None, ()


def _letters_end(text: str, position: int, stop: int) -> int | None:
    """Return the position of the `}` that closes a `{` inside a word.

    Return `None` if the text between the braces is empty or may be branches.

    >>> _letters_end("M^{ME} is", 2, 9), _letters_end("x{b/c}", 1, 6), _letters_end("x{b }", 1, 5)
    (5, None, None)
    """
    close = text.find("}", position + 1, stop)
    inside = text[position + 1 : close]
    if close < 0 or not inside or any(letter in inside for letter in f"{TEXT_BLANKS}/{{"):
        return None
    return close


def _warn_of_brace(source: Source, number: int, position: int) -> None:
    source.log.say(MARKUP_BRACE, number, position + 1)


class _Parser:
    """Parses a text in one pass. Positions count from the start of the whole line."""

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
                if (close := _letters_end(line, position, stop)) is not None:
                    position = close + 1
                    continue
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
                self.source.log.say(MARKUP_EMPTY, self.number, begin + 1)
            if closes:
                if not branches:
                    raise self.error(start, "a word or @ between braces", "none")
                return Alternation(branches)


def write_text(out: Out, *, alternations: bool = True, escape: bool = False) -> str:
    """Return the words with markup. With `escape`, similar characters replace markup characters."""
    segment = out.segment
    if not segment.alternations and segment.optional is None:
        words = segment.words
        text = " ".join(words)
        blanks = text.count(" ") + 1 if words else 0
        is_plain = len(words) == blanks and "" not in words
        if is_plain and not any(mark in text for mark in "{}@()/\t\v\f\n\r\0"):
            return text
    return _write_items(out, segment.items(), "{" if alternations else "", escape, 0)


def _write_items(out: Out, items: Iterable[Item], forbidden: str, escape: bool, depth: int) -> str:
    parts: list[str] = []
    for item in items:
        if isinstance(item, Token):
            parts.append(write_word(out, item, forbidden, escape=escape))
        elif item.is_null:
            parts.append("@")
        elif depth == DEEPEST:
            message = f"alternations can be nested at most {DEEPEST} deep"
            raise LossError(message, path=out.sink.source, line=out.segment.line)
        else:
            branches = (_write_items(out, b, "{}/", escape, depth + 1) for b in item.branches)
            parts.append(f"{{ {' / '.join(branch or '@' for branch in branches)} }}")
    return " ".join(parts)


def write_word(out: Out, token: Token, forbidden: str = "{", *, escape: bool = False) -> str:
    """Return a word with its markup; raise an error for a word that would be read differently."""
    text = token.text
    reason = _misread(text, token.optional, forbidden)
    if reason and escape and text and not any(c in text for c in TEXT_BLANKS + "\n\r\0"):
        text, reason = text.translate(LOOK_ALIKES), None
    if isinstance(reason, Message):
        raise out.error_of(reason.entry, **reason.fields)
    if reason:
        raise out.refuse("a word that the format can hold", reason)
    return f"({text})" if token.optional else text


def _without_letters(text: str) -> str:
    """Remove the braces that are parsed as letters, and the text in them, from a word.

    >>> _without_letters("M^{ME}x"), _without_letters("{a}b"), _without_letters("x{b")
    ('M^x', '{a}b', 'x{b')
    """
    place = text.find("{", 1)
    while place > 0 and not text.startswith("{"):
        close = _letters_end(text, place, len(text))
        if close is None:
            break
        text = text[:place] + text[close + 1 :]
        place = text.find("{", 1)
    return text


def _misread(text: str, optional: bool, forbidden: str) -> str | Message | None:
    """Return the reason why a word cannot be written unchanged; `None` if it can."""
    if not text:
        return "an empty word"
    if any(c in text for c in TEXT_BLANKS + "\n\r\0"):
        return f"blanks or line ends in {quoted(text)}"
    if text == "@" and not optional:
        return Message(NULL_WORD)
    if not optional and read_token(text).optional:
        return Message(OPTIONAL_WORD, {"word": text})
    bare = _without_letters(text)
    for character in forbidden:
        if character in bare:
            return Message(MARKUP_IN_WORD, {"sign": character, "word": text})
    return None

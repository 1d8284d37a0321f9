"""Writer of NIST's markup in texts, see `formats.nist.markup`."""

from __future__ import annotations

from collections.abc import Iterable

from formats.nist.markup import DEEPEST, letters_end
from formats.nist.messages import MARKUP_IN_WORD, NULL_WORD, OPTIONAL_WORD
from formats.reading.lines import TEXT_BLANKS
from formats.schema.errors import quoted
from formats.schema.messages import Message
from formats.schema.refusals import LossError
from formats.schema.words import Item, Token, read_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.writing.out import Out

LOOK_ALIKES = str.maketrans({"{": "｛", "}": "｝", "@": "＠", "/": "／", "(": "（", ")": "）"})


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
        close = letters_end(text, place, len(text))
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

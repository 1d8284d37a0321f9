"""Marks inside texts that are no words: brackets, tags, entities of HTML, pauses, codes."""

from __future__ import annotations

import itertools
from collections import Counter

from formats.io.messages import BRACKETS_LEFT, MARKS_LEFT
from formats.reading.directions import directions_in
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.io.source import Source

BRACKETS = lazy_pattern(
    r"\[(?!\W{0,3}[0-9]{1,3}:)[^\[\]\n]{0,60}\]|\{[^{}\n]{1,60}\}|【[^【】\n]{1,40}】|</?_?[^\W\d_][^<>\n]{0,60}>"
)
"""A part in brackets that prose does not have, but no time; round brackets are of prose, too."""
BETWEEN_STARS = lazy_pattern(r"(?<![\w*])\*[^\s*\n](?:[^*\n]{0,60}[^\s*\n])?\*(?![\w*])")
"""A part between asterisks: a direction, or an emphasised word."""
TAG_INSIDE = (
    r"<[A-Za-z][\w:-]{0,30}(?: [\w:-]{1,30}=(?:\"[^\"<>]{0,100}\"|'[^'<>]{0,100}')){1,9} ?/?>"
    r"|<v(?:\.[^\s<>]{1,60})? [^<>]{1,60}>|</[A-Za-z][\w:-]{0,30}>|<_[A-Za-z][\w-]{0,30}>"
)
"""A tag in a text: with attributes, of a voice, or the end of another."""
TAG = lazy_pattern(
    rf"{TAG_INSIDE}|<(?:[bisu]|em|strong|font|think(?:ing)?|thoughts?|reasoning)>"
    r"(?=[^<>]{0,2000}</)"
)
"""The same, and the beginning of one that ends in the same text."""
OPENING = frozenset("[{【<(（*")
PAUSES, FEWEST_PAUSES = frozenset(("/", "//", "///")), 5
"""Signs of pauses between words, and the fewest of them."""
NUMBER_ALONE = lazy_pattern(r"[0-9]{1,9}(?:[.,][0-9]{1,20})?\Z")
ENTITY = lazy_pattern(r"&(?:nbsp|amp|quot|apos|[lg]t|#[0-9]{2,5}|#x[0-9A-Fa-f]{2,4});")
"""A character as HTML writes it."""
ESCAPE = "&#27;"
ESCAPES = {ESCAPE: "\x1b"}
"""The character before codes of a terminal, as it is written where such codes are no words."""
COLOUR = lazy_pattern(r"\x01?\x1b\[[0-9;?]{0,20}[A-Za-z]\x02?")
"""A code by which a terminal colours a text, and the marks around it."""
CODE = lazy_pattern(
    r"[^\W\d_]*[0-9_]|[^A-Z\W]+[A-Z]|[^\w]+\Z|\w{1,40}=\S|[^\s,]{1,40},[^\s,]{1,40},[^\s,]"
)
FEWEST_CODES, SHARE_OF_CODES = 10, 0.6
"""The fewest numbers and codes that are reported, and their share of the words."""
MARK_BEGINS = frozenset('[](<>-&_="#*\\/~xX×0123456789|•‣◦▪■●◆★☆※→⇒►▶✓☐☑♪♫♬')
"""The first characters of marks, besides that of addresses: most words have none of them."""
MARK = lazy_pattern(
    r"[\[(<][0-9]{1,3}(?::[0-9]{2}){1,2}(?:[.,][0-9]{1,9})?[\])>]:?\Z|-->\Z|>>+\Z|[-=_]{4,}\Z"
    r"|[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?\Z|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:"
    r"|</?[A-Za-z]{1,20}(?:=[^<>]{1,40})?/?>|&(?:nbsp|amp|quot|[gl]t|#[0-9]{2,5});|https?://"
    r"|[(\[]?[xX×][0-9]{1,2}[)\]]?[.,]?\Z|[(\[][0-9]{1,2}[xX×][)\]][.,]?\Z|\*\*\w|__[^\W_]|#{1,6}\Z|\[[0-9]{1,6}\.[0-9]{1,9}s?\]?\Z|\"[a-z_]{1,30}\":\Z"
    r"|\[(?:WARN|WARNING|INFO|ERROR|DEBUG)\]|\[(?:S|(?:SPEAKER|Speaker)[_-]?)[0-9]{1,3}\]:?\Z|[♪♫♬|•‣◦▪■●◆★☆※→⇒►▶✓☐☑*=~/\\]+\Z"
)
"""Marks that are no words: ``♪``, ``>>``, ``**so``, ``</b>``, ``[0:12]``, ``//``, ``"text":``,
times with hours, addresses, and the dates and levels of logs."""
CALL = lazy_pattern(
    r"[※@]?[A-Za-z]\w{0,20}\.[a-z]{2,20}(?:[A-Z_][\w.]{1,30}|[\w.]{0,20}\([^()\s]{0,30}\);?)\Z"
)
"""A command of a program: ``C.nextHint``, ``game.start()``."""
CODE_WORD = lazy_pattern(r"[a-z]{2,30}(?:_[a-z]{2,30}){1,9}\Z")
"""Words in small letters with underscores between them, such as ``speaker_change``."""
BETWEEN_BARS = lazy_pattern(r"[\w.,;:!?'’\"”)][|｜]{1,2}\w")
"""A bar within a word: the end of a line in subtitles, or what surrounds a reading of signs."""
JOINING = frozenset("#\\^+;%¶•→'\"")
JOINED = lazy_pattern(
    r"[^\W\d_]{2,40}[.,:!?…'’\"”)]{0,2}(?:[#\\^¶•→]|%20)[\"“‘(¿¡]?[^\W\d_]{2}"
    r"|[^\W\d_]%20|[^\W\d_]\+[^\W\d_]{1,40}\+[^\W\d_]"
    r"|[^\W\d_]{1,3}[0-9]\w{0,12};\S|[.!?…];[^\W_]{2}"
    r"|['\"]\),\(|\((?:-?[0-9][0-9.]{0,12},){1,9}['\"]"
)
"""Words that a sign joins without blanks, and what is between two rows of values in a database:
``me#hey``, ``so\\\\it``, ``so%20it``, ``a1;So``, ``it.'),(4,'So``.
"""
UNSEEN = frozenset("\xad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Signs that nobody sees: hyphens where a word may be cut, and marks of the direction."""
DASHES = frozenset("-–—")
ENDS_OF_SENTENCES = frozenset(".?!…-–—\"”’')]♪")
"""A dash alone, and what ends the text before the dash of another speaker."""
MORPHEME = lazy_pattern(r"[A-Za-z']{2,30}/(?:3?s|z|ed|ing|en|n't|h?'[a-z]{1,2})[.,;:?!*\]]{0,3}\Z")
"""A word with an ending behind a slash, as SALT writes it: ``go/ing``."""
FEWEST_MARKS, SHARE_OF_MARKS = 3, 0.001
"""The fewest marks that are reported, and their share; one time in brackets is enough."""


def brackets_in(texts: Iterable[str]) -> Counter[str]:
    """Count the parts in brackets or asterisks inside texts, and directions in round brackets."""
    parts: Counter[str] = Counter()
    for text in texts:
        if not OPENING.isdisjoint(text):
            found = {match.start(): match[0] for match in BRACKETS.finditer(text)}
            if "*" in text:
                found |= {match.start(): match[0] for match in BETWEEN_STARS.finditer(text)}
            for direction in directions_in(text):
                found.setdefault(direction.start(), direction[0])
            parts.update(found.values())
    return parts


def say_brackets(source: Source, texts: Iterable[str]) -> None:
    """Report the parts in brackets and the directions inside texts."""
    parts = brackets_in(texts)
    if parts:
        source.log.say(BRACKETS_LEFT, None, count=parts.total(), text=parts.most_common(1)[0][0])


def without_entities(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield numbered lines with characters for the entities of HTML, without codes of colours."""
    for number, line in lines:
        if "\x1b" in line:
            line = COLOUR.sub("", line)
        yield number, with_characters(line) if "&" in line else line


def with_characters(text: str) -> str:
    """Return a text with characters for the entities of HTML.

    >>> with_characters("Ann &amp; Ben&#39;s")
    "Ann & Ben's"
    """
    if ENTITY.search(text) is None:
        return text
    from html import unescape

    return ENTITY.sub(lambda match: unescape(match[0]) or ESCAPES.get(match[0], ""), text)


def with_entities(text: str) -> str:
    r"""Return a text from which `with_characters` makes the same text again.

    >>> with_entities("Ann & Ben"), with_entities("Ann &amp; Ben")
    ('Ann & Ben', 'Ann &amp;amp; Ben')
    >>> with_entities("a word that a terminal takes for a command: \x1b[2J")
    'a word that a terminal takes for a command: &#27;[2J'
    """
    if "&" in text:
        text = ENTITY.sub(lambda match: f"&amp;{match[0][1:]}", text)
    return text.replace("\x1b", ESCAPE)


def codes_in(words: Sequence[str]) -> list[str]:
    """Return the words that are numbers or codes if most words are."""
    if len(words) < FEWEST_CODES:
        return []
    codes = [word for word in words if CODE.match(word)]
    return codes if len(codes) >= max(FEWEST_CODES, SHARE_OF_CODES * len(words)) else []


def is_mark(word: str) -> bool:
    r"""Return True if a word is a mark of a layout or of markup, a code, or has such a sign inside.

    >>> [is_mark(word) for word in ("so|it", "\u202aso\u202c", "so", "a|", "well-known")]
    [True, True, False, False, False]
    >>> [is_mark(word) for word in ("me#hey", r"late?\It", "so+it+is", "F#m", "C#", "AT&T", "f^2")]
    [True, True, True, False, False, False, False]
    >>> [is_mark(word) for word in ("a1;Hello", "it.'),(4,'So", "so%20it", "so;", "rock'n'roll")]
    [True, True, True, False, False]
    >>> [is_mark(word) for word in ("C.nextHint", "game.start()", "Node.js", "a.m.", "so.Then")]
    [True, True, False, False, False]
    """
    return (
        ((word[:1] in MARK_BEGINS or word[:4] == "http") and MARK.match(word) is not None)
        or (word[-1:] == ">" and '="' in word)
        or "<|" in word
        or "->" in word
        or "\\n" in word
        or ("_" in word and CODE_WORD.match(word) is not None)
        or ("." in word[1:-1] and CALL.match(word) is not None)
        or ("/" in word and MORPHEME.match(word) is not None)
        or (("|" in word or "｜" in word) and BETWEEN_BARS.search(word) is not None)
        or not (JOINING.isdisjoint(word) or JOINED.search(word) is None)
        or not (word.isascii() or UNSEEN.isdisjoint(word))
    )


def pauses_in(words: Sequence[str]) -> list[str]:
    """Return the slashes alone that mean pauses: several, and not between numbers or chords.

    >>> pauses_in("so / it was // as / you / know //".split())
    ['/', '//', '/', '/', '//']
    >>> pauses_in("1 / 2 of it and / or more".split())
    []
    """
    if PAUSES.isdisjoint(words):
        return []
    pauses = list(itertools.compress(words, _are_pauses(words)))
    is_enough = len(pauses) >= max(FEWEST_PAUSES, SHARE_OF_MARKS * len(words))
    return pauses if is_enough else []


def without_pauses(words: Sequence[str]) -> list[str]:
    """Return the words without slashes that mean pauses; those between numbers stay."""
    return [w for w, is_pause in zip(words, _are_pauses(words), strict=True) if not is_pause]


def _are_pauses(words: Sequence[str]) -> list[bool]:
    """Return for each word whether it is a slash, and not between numbers."""
    return [
        word in PAUSES and not (before[-1:].isdigit() and after[:1].isdigit())
        for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False)
    ]


def dashes_of_changes(words: Sequence[str]) -> list[str]:
    """Return the dashes before words of another speaker, ``- So``, ``-So``, behind a sentence."""
    if DASHES.isdisjoint(word[:1] for word in words):
        return []
    return [
        word
        for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False)
        if word[:1] in DASHES and (word[1:2] or after[:1]).isupper()
        and (before[-1:] or ".") in ENDS_OF_SENTENCES
    ]  # fmt: skip


def colons_alone(words: Sequence[str]) -> list[str]:
    """Return the colons alone at the beginning or behind a sentence; in prose they follow a word.

    >>> colons_alone([":", "So", "it", "was.", ":", "Well"]), colons_alone(["dit", ":", "oui"])
    ([':', ':'], [])
    """
    if ":" not in words and "：" not in words:
        return []
    return [
        word for before, word in zip((".", *words), words, strict=False)
        if word in (":", "：") and before[-1] in ENDS_OF_SENTENCES
    ]  # fmt: skip


def say_marks(source: Source, marks: Sequence[str], words: int) -> None:
    """Warn about marks among so many words if they are several, or if one is a time in brackets."""
    stamps = [mark for mark in marks if mark[0] in "[("]
    are_enough = bool(stamps) or len(marks) >= FEWEST_MARKS
    is_of_log = any(mark[1:2].isupper() for mark in stamps)
    if is_of_log or (are_enough and len(marks) >= SHARE_OF_MARKS * words):
        source.log.say(MARKS_LEFT, count=len(marks), words=words, text=(stamps or marks)[0])

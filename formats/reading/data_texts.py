"""Texts that are data and not speech: JSON, markup, addresses, file names, identifiers, logs, code.

Readers of tables and JSON find the text by names. If the texts are data, the names misled them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from formats.io.messages import DATA_LEFT, DATA_TEXTS, TOKENS_OUT
from formats.io.source import Source
from formats.schema import lazy_pattern
from formats.schema.model import Segment
from formats.schema.words import Alternation, Token

FEWEST = 3
"""The fewest texts of data that a message reports."""
SHARE, MOST = 0.05, 0.5
"""The shares of texts of data from which a warning reports them, and from which an error does."""
LONGEST = 2000
"""Characters of a text that are looked at."""
SUFFIX = (
    "wav|mp3|mp4|m4a|flac|ogg|webm|mkv|mov|txt|json|jsonl|csv|tsv|png|jpe?g|gif|pdf|html?|xml|py"
)
TOKEN = lazy_pattern(r"<\|[^|<>\s]{1,40}\|>")
KINDS = {
    "JSON": lazy_pattern(r"(?:\[ ?)?\{ ?\"[^\"]{1,60}\" ?:.*"),
    "markup": lazy_pattern(
        r"<(?:!doctype|html|head|body|div|p|span|table|script|svg|a|br|img|ul|li|h[1-6])[ />].*>\Z",
        re.IGNORECASE,
    ),
    "web addresses": lazy_pattern(r"[a-z]{2,8}://\S+\Z"),
    "file names": lazy_pattern(
        rf"(?:~|\.{{1,2}}|[A-Za-z]:)?[/\\]\S+\Z|[\w./\\-]+\.(?:{SUFFIX})\Z"
        r"|/(?:[^/\n]{1,80}/){2,30}[^/\n]{1,80}\.\w{2,4}\Z|(?:[\w.-]{1,80}/){1,30}[\w.-]{1,80}\.[A-Za-z]\w{0,5}(?:\s|\Z)",
        re.IGNORECASE,
    ),
    "dates": lazy_pattern(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}\S*(?: [A-Z]{3,4})?)?\Z"
    ),
    "identifiers": lazy_pattern(
        r"(?=\S*[0-9][A-Za-z])[A-Za-z0-9_-]{8,}\Z|[A-Za-z]{1,20}[_-]?[0-9]{3,}\Z"
        r"|[a-z]{1,30}(?:_[a-z]{1,30})+\Z"
    ),
    "numbers": lazy_pattern(r"-?[0-9]+\.[0-9]+\Z"),
    "long numbers": lazy_pattern(r"[0-9]{6,}\Z"),
    "lists of turns": lazy_pattern(r"SPEAKER \S.{0,120}? [0-9] [0-9.]+ [0-9.]+ <NA>"),
    "records of a log": lazy_pattern(
        r"\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}\S* .{0,40}"
        r"\b(?:INFO|ERROR|WARN(?:ING)?|DEBUG)\b"
    ),
    "code": lazy_pattern(
        r"(?:def \w+\(|import \w+$|from \w+ import |function \w*\(|const \w+ = |#include |"
        r"SELECT .{1,200} FROM |CREATE TABLE )"
    ),
}
"""The kinds of data, with the pattern of a text."""
SPEECH = frozenset(("long numbers",))
"""Kinds that a whole corpus may consist of, such as telephone numbers; they are no error."""


def kind_of_data(text: str) -> str:
    """Return the kind of data that a text is; empty for speech.

    >>> kind_of_data('{"id": 1}'), kind_of_data("clips/a.wav"), kind_of_data("so it is")
    ('JSON', 'file names', '')
    """
    text = text[:LONGEST]
    return next((kind for kind, pattern in KINDS.items() if pattern.match(text)), "")


def tokens_of(words: Iterable[str]) -> list[str]:
    """Return the tokens of a model in words.

    >>> tokens_of(["<|en|>", "so", "it<|0.50|>", "is"])
    ['<|en|>', '<|0.50|>']
    """
    return [token for word in words if "<|" in word for token in TOKEN.findall(word)]


def without_tokens(source: Source, segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments without the tokens of a model, ``<|en|>``; count these in a note."""
    count, example = 0, ""
    for segment in segments:
        tokens = [] if segment.line in source.lines_of_words else tokens_of(segment.words)
        count, example = count + len(tokens), example or "".join(tokens[:1])
        if tokens:
            items = (without for item in segment.items() for without in _without_token(item))
            segment = segment.with_items(items)
        yield segment
    if count:
        source.log.say(TOKENS_OUT, count=count, text=example)


def _without_token(item: Token | Alternation) -> Iterator[Token | Alternation]:
    """Yield a word without tokens of a model; nothing if the word has nothing else."""
    if isinstance(item, Alternation):
        yield item
    elif (text := TOKEN.sub("", item.text)) or not item.text:
        yield item if text == item.text else replace(item, text=text)


def check_texts(source: Source, segments: Sequence[Segment], *, is_chosen: bool) -> None:
    """Warn about texts that are data; raise an error if they are most texts.

    There is no error if the user chose the text (`is_chosen`), or if the segments have times.
    """
    texts = [" ".join(segment.words) for segment in segments if segment.words]
    data = [(kind, text) for text in texts if (kind := kind_of_data(text))]
    if len(data) < FEWEST or len(data) < SHARE * len(texts):
        return
    kind, _ = Counter(kind for kind, _ in data).most_common(1)[0]
    example = next(text for name, text in data if name == kind)
    are_timed = all(segment.end_ns is not None for segment in segments)
    fields = {"count": len(data), "total": len(texts), "kind": kind, "text": example[:60]}
    if len(data) < MOST * len(texts) or is_chosen or are_timed or kind in SPEECH:
        source.log.say(DATA_LEFT, **fields)
        return
    raise source.error_of(DATA_TEXTS, segments[0].line, **fields)

"""Split lines into texts and rests, sort them and join them again.

Lines are bytes that end in a line feed. Every line has a text, which the filters rewrite, and a
rest. Both are written as lines: the n-th text belongs to the n-th rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from scoring.nist.hub.lines import fields_of, fixed, leading_number, lines_of

# Blanks that are not a single space.
_BLANKS = re.compile(rb"\t[ \t]*| [ \t]+")
_WHITE = re.compile(rb"\s+")
_RUN = re.compile(rb"\S+")
_HEADER_FIELDS = 5
_LEXEME = re.compile(
    rb" LEXEME.* (?:lex|fp|un-lex|for-lex|alpha|acronym|interjection|propernoun|other) "
)
_CONFIDENCE = re.compile(rb"[0-9.-]*")
_COMMENT = b";;"


def cut(kind: str, data: bytes) -> tuple[bytes, bytes, int]:
    """Texts and rests of the lines of a file, and the number of the line that has none, or 0.

    A comment has an empty text. Reading ends at a line that cannot be cut.
    """
    cut_line = _CUTS[kind]
    texts: list[bytes] = []
    rests: list[bytes] = []
    for number, line in enumerate(lines_of(data), 1):
        if line.startswith(_COMMENT):
            texts.append(b"\n")
            rests.append(line)
            continue
        end = b"\n" if line.endswith(b"\n") else b""
        found = cut_line(_BLANKS.sub(b" ", b" " + line.removesuffix(b"\n") + b" ") + end)
        if found is None:
            return b"".join(texts), b"".join(rests), number
        texts.append(found[0])
        rests.append(found[1])
    return b"".join(texts), b"".join(rests), 0


def _cut_field(number: int) -> Callable[[bytes], tuple[bytes, bytes]]:
    """Cut out one field, counted from 1; the other ones are joined by blanks."""

    def cut_line(line: bytes) -> tuple[bytes, bytes]:
        fields = fields_of(line)
        text = b"".join(fields[number : number + 1])
        del fields[number : number + 1]
        return text + b"\n", b" ".join(fields) + b"\n"

    return cut_line


def _cut_lexeme(line: bytes) -> tuple[bytes, bytes]:
    return _cut_field(6)(line) if _LEXEME.match(line) else (b"\n", line)


def _cut_trn(line: bytes) -> tuple[bytes, bytes] | None:
    stripped = line.rstrip()
    at = stripped.rfind(b"(")
    if at < 0 or not stripped.endswith(b")"):
        return None
    return stripped[:at] + b"\n", stripped[at:] + b"\n"


def _cut_stm(line: bytes) -> tuple[bytes, bytes] | None:
    """After five fields and a label; fields that are missing are cut off others at their ends."""
    runs = [found.span() for found in islice(_RUN.finditer(line), _HEADER_FIELDS + 1)]
    at = _label_end(line, runs) if b"<" in line[: runs[-1][1] if runs else 0] else 0
    if not at:
        if sum(end - begin for begin, end in runs) < _HEADER_FIELDS:
            return None
        at = runs[:_HEADER_FIELDS][-1][1]
    return line[at:].rstrip(b"\n") + b"\n", line[:at] + b"\n"


def _label_end(line: bytes, runs: Sequence[tuple[int, int]]) -> int:
    """Where the label after the fields ends, 0 without one.

    Labels are looked for wherever the letters before them can make five fields; of several that
    one is taken whose fields are longest, the first first.
    """
    best: tuple[list[int], int] = ([], 0)
    for number, (begin, end) in enumerate(runs):
        last = line.rfind(b">", begin, end)
        for at in range(begin + (number == 0), last - 1):
            if line[at : at + 1] == b"<":
                lengths = _field_lengths([*runs[:number], *([(begin, at)] if at > begin else [])])
                best = max(best, (lengths, last + 1 if lengths else 0))
    return best[1]


def _field_lengths(runs: Sequence[tuple[int, int]]) -> list[int]:
    """The lengths of the five fields that runs of letters make; empty if they cannot.

    Fields are as long as can be, the first first.
    """
    lengths = [end - begin for begin, end in runs]
    missing = _HEADER_FIELDS - len(lengths)
    if missing < 0 or sum(lengths) < _HEADER_FIELDS:
        return []
    fields: list[int] = []
    for number, length in enumerate(lengths):
        spare = sum(lengths[number + 1 :]) - len(lengths) + number + 1
        cuts = max(missing - spare, 0)
        missing -= cuts
        fields += [length - cuts, *[1] * cuts]
    return fields


_CUTS: dict[str, Callable[[bytes], tuple[bytes, bytes] | None]] = {
    "ctm": _cut_field(5),
    "stm": _cut_stm,
    "trn": _cut_trn,
    "txt": lambda line: (line, b"\n"),
    "rttm": _cut_lexeme,
}


def trimmed(texts: bytes) -> bytes:
    r"""Lines without a blank at either end, where there is one.

    Examples
    --------
    >>> trimmed(b"  a \nb \n")
    b' a\nb\n'
    """
    texts = texts.removeprefix(b" ").replace(b"\n ", b"\n").replace(b" \n", b"\n")
    return texts if texts.endswith(b"\n") else texts.removesuffix(b" ")


def join(kind: str, texts: bytes, rests: bytes) -> tuple[bytes, int]:
    """Lines from their texts and rests, and the number of the first invalid record, or 0.

    A record of a ctm is invalid where an alternative has no word; the output ends before it.
    """
    joined: list[bytes] = []
    lines = lines_of(b"".join(_joined(kind, lines_of(texts), lines_of(rests))))
    for number, line in enumerate(lines, 1):
        records: bytes | None = line
        if kind == "ctm" and not line.startswith(_COMMENT):
            records = _records(line)
        if records is None:
            return b"".join(joined), number
        joined += (one if one.startswith(b";") else _tidied(one) for one in lines_of(records))
    return b"".join(joined), 0


def _tidied(line: bytes) -> bytes:
    end = b"\n" if line.endswith(b"\n") else b""
    return _BLANKS.sub(b" ", line.strip(b" \t\n")) + end


def _joined(kind: str, texts: Sequence[bytes], rests: Sequence[bytes]) -> Iterator[bytes]:
    if kind == "txt":
        yield from texts
        return
    field = {"ctm": 5, "rttm": 6}.get(kind, 0)
    for number, text in enumerate(texts):
        rest = rests[number] if number < len(rests) else b""
        if kind == "stm":
            yield rest[:-1] + text
            continue
        text = text.removesuffix(b"\n")
        if kind == "rttm" and _WHITE.search(text):
            spaced = _WHITE.sub(b" ", re.sub(rb"([{}/@])", rb" \1 ", text))
            text = spaced.removeprefix(b" ").removesuffix(b" ").replace(b" ", b"_")
        if kind == "trn":
            yield text + rest
        elif text:
            fields = fields_of(rest)
            fields[field:field] = [text]
            yield b" ".join(fields) + b"\n"
        else:
            yield rest


def _records(line: bytes) -> bytes | None:
    """The records that a record of a ctm with several words becomes; None if a piece has none."""
    line = line.lstrip().replace(b"{", b" { ").replace(b"}", b" } ")
    fields = line.split()
    if len(fields) == _HEADER_FIELDS:
        return line
    confidence = fields[-1] if fields and _CONFIDENCE.fullmatch(fields[-1]) else b""
    end = len(fields) - bool(confidence)
    pieces = b" ".join(fields[4:end]).split(b"/")
    while pieces and not pieces[-1]:
        pieces.pop()
    fields += [b""] * 4
    place = b" ".join(fields[:2])
    begin, span = leading_number(fields[2]), leading_number(fields[3])
    records: list[bytes] = []
    for number, piece in enumerate(pieces):
        words = piece.translate(None, b"{}").split()
        if not words:
            return None
        if len(pieces) > 1:
            records.append(b"%s * * <ALT%s>\n" % (place, b"" if number else b"_BEGIN"))
        duration = span / len(words)
        records += [
            b"%s %s %s %s %s\n"
            % (place, fixed(begin + duration * at), fixed(duration), word, confidence)
            for at, word in enumerate(words)
        ]
    if len(pieces) > 1:
        records.append(b"%s * * <ALT_END>\n" % place)
    return b"".join(records)

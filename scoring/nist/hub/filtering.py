"""Split each line into its text and the rest of the line, and join both again.

Lines are bytes that end in a line feed. The filters rewrite the text of a line and keep its rest.
The n-th text belongs to the n-th rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import islice
from math import isfinite

from scoring.nist.hub.lines import (
    LINES,
    even_fields,
    fields_of,
    fixed,
    leading_number,
    line_blocks,
    lines_of,
    plain_numbers,
)

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
# A word without marks of alternatives, which is a single record.
_SINGLE = re.compile(rb"[^\s{}/]+")
# Which field of a record is the word, from 0.
_WORD = {"ctm": 4, "rttm": 5}


def cut(kind: str, data: bytes) -> tuple[bytes, bytes, int]:
    """Return the texts of lines, the rests of the lines, and the number of the first invalid line.

    The number is 0 if all lines are valid.
    """
    texts, rests = BytesIO(), BytesIO()
    wrong = 0
    for number, (block,) in enumerate(line_blocks(data)):
        text, rest, wrong = _cut_block(kind, block)
        texts.write(text)
        rests.write(rest)
        if wrong:
            wrong += number * LINES
            break
    return texts.getvalue(), rests.getvalue(), wrong


def _cut_block(kind: str, data: bytes) -> tuple[bytes, bytes, int]:
    if kind == "ctm" and (even := _cut_even(data)) is not None:
        return *even, 0
    cut_line = _CUTS[kind]
    texts: list[bytes] = []
    rests: list[bytes] = []
    for number, line in enumerate(lines_of(data), 1):
        if line.startswith(_COMMENT):
            texts.append(b"\n")
            rests.append(line)
            continue
        if kind != "ctm":
            end = b"\n" if line.endswith(b"\n") else b""
            line = _BLANKS.sub(b" ", b" " + line.removesuffix(b"\n") + b" ") + end
        parts = cut_line(line)
        if parts is None:
            return b"".join(texts), b"".join(rests), number
        texts.append(parts[0])
        rests.append(parts[1])
    return b"".join(texts), b"".join(rests), 0


def _cut_even(data: bytes) -> tuple[bytes, bytes] | None:
    """Return the texts and the other fields of a regular ctm without comments; otherwise None."""
    even = even_fields(data)
    if even is None or even[1] <= _WORD["ctm"] or data[:1] == b";" or b"\n;" in data:
        return None
    fields, width = even
    columns = [fields[column::width] for column in range(width)]
    texts = columns.pop(_WORD["ctm"])
    rests = map(b" ".join, zip(*columns, strict=True))
    return b"\n".join(texts) + b"\n", b" " + b"\n ".join(rests) + b"\n"


def _cut_field(line: bytes, index: int) -> tuple[bytes, bytes]:
    """Return the field at `index`, and the other fields joined by blanks."""
    fields = line.split()
    text = b"".join(fields[index : index + 1])
    del fields[index : index + 1]
    return text + b"\n", b" %b\n" % b" ".join(fields)


def _cut_word(line: bytes) -> tuple[bytes, bytes]:
    return _cut_field(line, _WORD["ctm"])


def _cut_lexeme(line: bytes) -> tuple[bytes, bytes]:
    return _cut_field(line, _WORD["rttm"]) if _LEXEME.match(line) else (b"\n", line)


def _cut_trn(line: bytes) -> tuple[bytes, bytes] | None:
    stripped = line.rstrip()
    opening = stripped.rfind(b"(")
    if opening < 0 or not stripped.endswith(b")"):
        return None
    return stripped[:opening] + b"\n", stripped[opening:] + b"\n"


def _cut_stm(line: bytes) -> tuple[bytes, bytes] | None:
    """Return the text of an stm line, and what precedes it: five fields and the label.

    If a line has fewer than five fields, the last characters of long fields become separate fields.
    """
    runs = [run.span() for run in islice(_RUN.finditer(line), _HEADER_FIELDS + 1)]
    end = _label_end(line, runs) if b"<" in line[: runs[-1][1] if runs else 0] else 0
    if not end:
        if sum(end - begin for begin, end in runs) < _HEADER_FIELDS:
            return None
        end = runs[:_HEADER_FIELDS][-1][1]
    return line[end:].rstrip(b"\n") + b"\n", line[:end] + b"\n"


def _label_end(line: bytes, runs: Sequence[tuple[int, int]]) -> int:
    """Return the position after the label that follows the fields; 0 without a label.

    A label may follow any text that can be divided into five fields. If several labels are
    possible, the one with the longest first field is chosen; if first fields are equally long, the
    one with the longest second field, and so on.
    """
    best: tuple[list[int], int] = ([], 0)
    for number, (begin, end) in enumerate(runs):
        last = line.rfind(b">", begin, end)
        for index in range(begin + (number == 0), last - 1):
            if line[index : index + 1] == b"<":
                lengths = _field_lengths(
                    [*runs[:number], *([(begin, index)] if index > begin else [])]
                )
                best = max(best, (lengths, last + 1 if lengths else 0))
    return best[1]


def _field_lengths(runs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the lengths of five fields into which stretches of text are divided.

    The list is empty if five fields are impossible.
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
    "ctm": _cut_word,
    "stm": _cut_stm,
    "trn": _cut_trn,
    "txt": lambda line: (line, b"\n"),
    "rttm": _cut_lexeme,
}


def trimmed(texts: bytes) -> bytes:
    r"""Remove one blank from the beginning and from the end of each line.

    >>> trimmed(b"  a \nb \n")
    b' a\nb\n'
    """
    texts = texts.removeprefix(b" ").replace(b"\n ", b"\n").replace(b" \n", b"\n")
    return texts if texts.endswith(b"\n") else texts.removesuffix(b" ")


def join(kind: str, texts: bytes, rests: bytes) -> tuple[bytes, int]:
    """Join each text with the rest of its line.

    Return the joined lines, and the number of the first invalid ctm record, or 0.
    """
    output = BytesIO()
    wrong = 0
    for number, block in enumerate(line_blocks(texts, rests)):
        joined, wrong = _join_block(kind, *block)
        output.write(joined)
        if wrong:
            wrong += number * LINES
            break
    return output.getvalue(), wrong


def _join_block(kind: str, texts: bytes, rests: bytes) -> tuple[bytes, int]:
    if kind == "ctm" and (even := _join_even(texts, rests)) is not None:
        return even, 0
    joined: list[bytes] = []
    kept = lines_of(rests)
    for number, text in enumerate(lines_of(texts)):
        rest = kept[number] if number < len(kept) else b""
        if kind == "ctm" and not rest.startswith(_COMMENT):
            records = _records(text, rest)
            if records is None:
                return b"".join(joined), number + 1
            joined += records
        else:
            line = _joined(kind, text, rest)
            joined.append(line if line.startswith(b";") else _tidied(line))
    return b"".join(joined), 0


def _join_even(texts: bytes, rests: bytes) -> bytes | None:
    """Return the joined records of a regular ctm with plain times.

    Return None if any line is irregular.
    """
    even = even_fields(rests.replace(b"\n ", b"\n").removeprefix(b" "))
    if even is None or even[1] not in (4, 5) or texts[-1:] != b"\n":
        return None
    fields, width = even
    words = texts[:-1].split(b"\n")
    if len(words) * width != len(fields) or rests.translate(None, b";{}") != rests:
        return None
    rows = _plain_rows([fields[column::width] for column in range(width)], words)
    for number, word in enumerate(words if rows else ()):
        if not _SINGLE.fullmatch(word):
            rest = b" ".join(fields[number * width : (number + 1) * width])
            records = _records(word, b" " + rest)
            if records is None:
                return None
            rows[number] = b"".join(records)
    return b"".join(rows) if rows else None


def _plain_rows(columns: Sequence[Sequence[bytes]], words: Sequence[bytes]) -> list[bytes]:
    """Return a record for each word; an empty list if a time or a confidence is irregular."""
    if len(columns) == _WORD["ctm"]:
        return list(map(b"%b %b %b %b %b\n".__mod__, zip(*columns, words, strict=True)))
    *sources, begins, spans, confidences = columns
    times = plain_numbers(begins), plain_numbers(spans)
    if b"".join(confidences).translate(None, b"0123456789.-") or not all(times):
        return []
    rows = zip(*sources, *times, words, confidences, strict=True)
    return list(map(b"%b %b %.3f %.3f %b %b\n".__mod__, rows))


def _tidied(line: bytes) -> bytes:
    end = b"\n" if line.endswith(b"\n") else b""
    return _BLANKS.sub(b" ", line.strip(b" \t\n")) + end


def _joined(kind: str, text: bytes, rest: bytes) -> bytes:
    if kind == "txt":
        return text
    if kind == "stm":
        return rest[:-1] + text
    text = text.removesuffix(b"\n")
    if kind == "trn":
        return text + rest
    if kind == "rttm" and _WHITE.search(text):
        spaced = _WHITE.sub(b" ", re.sub(rb"([{}/@])", rb" \1 ", text))
        text = spaced.removeprefix(b" ").removesuffix(b" ").replace(b" ", b"_")
    if not text:
        return rest
    fields = fields_of(rest)
    index = _WORD[kind] + (fields[:1] == [b""])
    fields[index:index] = [text]
    return b" ".join(fields) + b"\n"


def _records(text: bytes, rest: bytes) -> list[bytes] | None:
    """Return a ctm record for each word of `text`; None if a record would be incomplete."""
    fields = rest.split()
    fields[4:4] = text.split()
    line = text + rest
    if b"{" in line or b"}" in line:
        fields = b" ".join(fields).replace(b"{", b" { ").replace(b"}", b" } ").split()
    if len(fields) == _HEADER_FIELDS:
        return [b" ".join(fields) + b"\n"]
    confidence = fields[-1] if fields and _CONFIDENCE.fullmatch(fields[-1]) else b""
    spoken = fields[4 : len(fields) - bool(confidence)]
    pieces = [spoken] if spoken else []
    if b"/" in line or b"{" in line or b"}" in line:
        parts = b" ".join(spoken).split(b"/")
        while parts and not parts[-1]:
            parts.pop()
        pieces = [part.translate(None, b"{}").split() for part in parts]
    if not pieces:
        return []
    source = b" ".join(fields[:2])
    begin, span = leading_number(fields[2]), leading_number(fields[3])
    # a line that is a comment to the original keeps its last blank
    end = b" %b\n" % confidence if confidence or source.startswith(b";") else b"\n"
    records: list[bytes] = []
    for number, words in enumerate(pieces):
        if not words:
            return None
        if len(pieces) > 1:
            records.append(b"%b * * <ALT%b>\n" % (source, b"" if number else b"_BEGIN"))
        duration = span / len(words)
        for index, word in enumerate(words):
            times = begin + duration * index, duration
            if isfinite(begin + span):
                records.append(b"%b %.3f %.3f %b%b" % (source, *times, word, end))
            else:
                records.append(b"%b %b %b %b%b" % (source, *map(fixed, times), word, end))
    if len(pieces) > 1:
        records.append(b"%b * * <ALT_END>\n" % source)
    return records

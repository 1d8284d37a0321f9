r"""Cutting texts out of lines and putting them back, in plain Python: the oracle of the core.

Lines are bytes that end in a line feed. Of every line there is a text, which filters rewrite, and
a rest; both are a line each, so the n-th text belongs to the n-th rest. `csrfilt` says what these
steps are for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isfinite, isnan
from operator import itemgetter

from scoring.nist.hub.numbers import leading_number
from scoring.normalize.glm.matching import GlmRule
from scoring.normalize.glm.nist_map import NistMap

_BLANKS = re.compile(rb"[ \t]+")
_WHITE = re.compile(rb"\s+")
_RUN = re.compile(rb"\S+")
_HEADER_FIELDS = 5
_LEXEME = re.compile(
    rb" LEXEME.* (?:lex|fp|un-lex|for-lex|alpha|acronym|interjection|propernoun|other) "
)
_CONFIDENCE = re.compile(rb"[0-9.-]*")
_COMMENT = b";;"
# What stands before the begin.
_PLACES = {
    "ctm": re.compile(rb"(\S+)(\s*)(\S*)\s*"),
    "stm": re.compile(rb"(\S+)(\s*)(\S*)\s*\S*\s*"),
}


def keep_freed_memory() -> None:
    """What this process frees it keeps for itself, for programs that make copy after copy.

    Getting as much anew from the system takes longer than many of the copies. Only the native
    core can ask for it, where the C library is glibc.
    """


def rewrite(
    text: bytes, rules: Sequence[tuple[bytes, ...]], case_sensitive: bool, copy: bool
) -> tuple[bytes, list[int]]:
    """A text after the rules of a map, and how often each was used.

    Parameters
    ----------
    rules
        What is replaced, by what, between which texts, each; in the order they are tried.
    copy
        Whether what no rule replaces is kept.
    """
    read = tuple(GlmRule(*(part.decode("latin-1") for part in rule)) for rule in rules)
    glm = NistMap(read, "", case_sensitive=case_sensitive, copy_no_hit=copy)
    hits = [0] * len(read)
    return glm.rewrite(text.decode("latin-1"), hits).encode("latin-1"), hits


def cut(kind: str, data: bytes) -> tuple[bytes, bytes, int]:
    """Texts and rests of the lines of a file, and the number of the line that has none, or 0.

    A comment has an empty text. Reading ends at a line that cannot be cut.

    Parameters
    ----------
    kind
        `ctm`, `stm`, `trn`, `txt` or `rttm`.
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


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their ends."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _cut_field(number: int) -> Callable[[bytes], tuple[bytes, bytes]]:
    """Cut out one field, counted from 1; the other ones are joined by blanks."""

    def cut_line(line: bytes) -> tuple[bytes, bytes]:
        fields = fields_of(line)
        text = b"".join(fields[number : number + 1])
        del fields[number : number + 1]
        return text + b"\n", b" ".join(fields) + b"\n"

    return cut_line


def fields_of(line: bytes) -> list[bytes]:
    """What stands between white space; the first is empty where a line begins with some."""
    fields = _WHITE.split(line)
    while fields and not fields[-1]:
        fields.pop()
    return fields


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


def ordered(kind: str, data: bytes) -> bytes:
    """Records from their first field on, by file, white space after it, channel and begin.

    Those of an stm come after its comments, a ctm's comments go, and so do blank lines.

    Parameters
    ----------
    kind
        `ctm` or `stm`.
    """
    comments: list[bytes] = []
    records: list[tuple[tuple[bytes, ...], float, bytes]] = []
    for record in filter(None, map(bytes.lstrip, lines_of(data))):
        if record.startswith(_COMMENT):
            comments.append(record if kind == "stm" else b"")
            continue
        found = _PLACES[kind].match(record)
        assert found is not None  # it begins with a field
        begin = leading_number(record[found.end() :])
        records.append((found.groups(), begin, record))
    records.sort(key=itemgetter(0, 1))
    return b"".join([*comments, *(record for *_, record in records)])


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
    """Lines from their texts and rests; the number of a record that cannot be made, or 0.

    That is one of a ctm with an alternative that has no word.
    """
    joined = b"".join(_joined(kind, lines_of(texts), lines_of(rests)))
    bad = 0
    if kind == "ctm":
        made: list[bytes] = []
        for number, line in enumerate(lines_of(joined), 1):
            records = line if line.startswith(_COMMENT) else _records(line)
            if records is None:
                bad = number
                break
            made.append(records)
        joined = b"".join(made)
    lines = (line if line.startswith(b";") else _tidied(line) for line in lines_of(joined))
    return b"".join(lines), bad


def _tidied(line: bytes) -> bytes:
    end = b"\n" if line.endswith(b"\n") else b""
    return _BLANKS.sub(b" ", line.removesuffix(b"\n").strip(b" \t")) + end


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
    line = re.sub(rb"([{}])", rb" \1 ", line.lstrip())
    fields = line.split()
    if len(fields) == _HEADER_FIELDS:
        return line
    confidence = b""
    if fields and _CONFIDENCE.fullmatch(fields[-1]):
        confidence = fields[-1]
        end = len(fields) - 1
    else:
        end = len(fields)
    pieces = b" ".join(fields[4:end]).split(b"/")
    while pieces and not pieces[-1]:
        pieces.pop()
    place = b" ".join([*fields, b"", b""][:2])
    made: list[bytes] = []
    for number, piece in enumerate(pieces):
        words = piece.translate(None, b"{}").split()
        if not words:
            return None
        if len(pieces) > 1:
            made.append(b"%s * * <ALT%s>\n" % (place, b"" if number else b"_BEGIN"))
        begin, duration = (leading_number(fields[n]) if n < len(fields) else 0.0 for n in (2, 3))
        duration /= len(words)
        made += [
            b"%s %s %s %s %s\n"
            % (place, fixed(begin + duration * at), fixed(duration), word, confidence)
            for at, word in enumerate(words)
        ]
    if len(pieces) > 1:
        made.append(b"%s * * <ALT_END>\n" % place)
    return b"".join(made)


def fixed(value: float, decimals: int = 3) -> bytes:
    """A number with so many decimals, as Perl prints it.

    Examples
    --------
    >>> fixed(0.5), fixed(float("inf"))
    (b'0.500', b'Inf')
    """
    if isfinite(value):
        return b"%.*f" % (decimals, value)
    return b"NaN" if isnan(value) else b"Inf" if value > 0 else b"-Inf"

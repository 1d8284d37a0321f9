r"""NIST's filters for Arabic and German: hamzaNorm, tanweenFilt, def_art and acomp.

Each filter takes the bytes of a file and one of `FORMATS`, and rewrites the texts. As in NIST's
programs, the filters differ in the white space that they keep, and in their treatment of comments
and incomplete records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from scoring.nist.hub.lines import fields_of, fixed, leading_number, lines_of
from scoring.nist.hub.rfilter1 import Filtered

FORMATS = ("txt", "ctm", "stm")
_HEADER_FIELDS = 5
_COMMENT = b";;"
_WHITE = re.compile(rb"(\s+)")
_LABEL = re.compile(rb"<[^<>]*>")
_HAMZA = re.compile(rb" \xd8[\xa2\xa3\xa5\xa7]")
_TANWEEN = rb"\xd9[\x8b-\x8d]"
_ALL_TANWEEN = re.compile(_TANWEEN)
_FINAL_TANWEEN = (
    (re.compile(_TANWEEN + rb"\Z"), b""),
    (re.compile(_TANWEEN + rb"\)\Z"), b")"),
    (re.compile(_TANWEEN + rb"\) "), b") "),
    (re.compile(_TANWEEN + rb" "), b" "),
)
# Before these letters the l of the article is written as the letter.
_SUN = rb"[tgdrzs$SDTZnjk]"
_ROMANISED = (
    (re.compile(rb"il\+(&?)(%s)" % _SUN), rb"i\2 \1\2"),
    (re.compile(rb"il\+(&?[a-zA-Z])"), rb"il \1"),
    (re.compile(rb"\s+\*\*i(%s|l)\s+" % _SUN), rb" i\1 "),
    (re.compile(rb"\s+([^*\s]+)\*\*"), rb" \1"),
    (re.compile(rb"\s+il\+(\*?)"), rb" il \1"),
)
_ONE_LAM = re.compile(rb"&*(?:bi\+|fa\+)?il\+[^+]*")
_TWO_LAMS = re.compile(rb"li\+(?:bi\+|)il\+[^+]*")
_LAM = b"\xe4"
_UPPER = bytes(range(ord("a"))) + bytes(range(ord("A"), ord("Z") + 1)) + bytes(range(0x7B, 0xE0))
_UPPER += bytes(range(0xC0, 0xE0))


def hamza_norm(data: bytes, format_: str = "txt") -> Filtered:
    r"""Replace the alefs U+0622, U+0623 and U+0625 at word beginnings by U+0627, in UTF-8.

    A word begins at the start of a text or after a blank.

    >>> hamza_norm("\u0623\u0628\n".encode()).output.decode() == "\u0627\u0628\n"
    True
    """
    return Filtered(_in_place(data, format_, _normalized_hamza))


def _normalized_hamza(text: bytes) -> bytes:
    return _HAMZA.sub(b" \xd8\xa7", b" " + text).removeprefix(b" ")


def tanween_filt(data: bytes, format_: str = "txt", everywhere: bool = False) -> Filtered:
    """Remove tanween (U+064B to 064D, in UTF-8), either only at word ends or everywhere.

    A parenthesis may separate the tanween from the end of the word.
    """
    return Filtered(_in_place(data, format_, partial(_without_tanween, everywhere=everywhere)))


def _without_tanween(text: bytes, everywhere: bool) -> bytes:
    text = b" " + text
    if everywhere:
        text = _ALL_TANWEEN.sub(b"", text)
    else:
        for pattern, kept in _FINAL_TANWEEN:
            text = pattern.sub(kept, text)
    return text.removeprefix(b" ")


def _in_place(data: bytes, format_: str, change: Callable[[bytes], bytes]) -> bytes:
    """Apply `change` to the texts of all lines; white space is unchanged."""
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    return b"".join(_changed(line, format_, change) + b"\n" for line in lines)


def _changed(line: bytes, format_: str, change: Callable[[bytes], bytes]) -> bytes:
    if format_ == "txt":
        return change(line)
    if line.startswith((_COMMENT, b"#")):
        return line
    # fields stand at even places, the white space between them at odd ones
    stripped = line.lstrip()
    most = 0 if format_ == "ctm" else _HEADER_FIELDS + 1
    parts = [line[: len(line) - len(stripped)], *_WHITE.split(stripped, most)]
    if format_ == "ctm":
        at = 2 * _HEADER_FIELDS - 1
    else:
        at = 2 * _HEADER_FIELDS + 1
        if len(parts) > at and _LABEL.fullmatch(parts[at]):
            at += 2
        else:
            parts[at:] = [b"".join(parts[at:])]
    if len(parts) > at:
        parts[at] = change(parts[at])
    return b"".join(parts)


@dataclass(slots=True)
class ArticleLexicon:
    """An Arabic lexicon, for texts in Arabic letters in ISO 8859-6.

    Attributes
    ----------
    split
        Maps words to their replacements.
    script
        Maps romanised words to words in Arabic letters.
    complaints
        Warnings about entries in which the article cannot be located.
    """

    split: dict[bytes, bytes] = field(default_factory=dict)
    script: dict[bytes, bytes] = field(default_factory=dict)
    complaints: bytes = b""


def read_article_lexicon(data: bytes) -> ArticleLexicon:
    """Read an LDC lexicon: romanised, Arabic, pronunciation, stress and morphology fields."""
    lexicon = ArticleLexicon()
    # as in the original a word whose article is in no known place has the entry before it
    before: bytes | None = None
    for line in lines_of(data):
        romanised, script, _, _, morphology = [*line.split(), *[b""] * 5][:5]
        if not romanised:
            continue
        lexicon.script[romanised] = script
        if b"+article" not in morphology or b"il+" not in romanised:
            lexicon.split[script] = script
            continue
        if _ONE_LAM.fullmatch(romanised):
            before = script.replace(_LAM, _LAM + b" ", 1)
        elif _TWO_LAMS.fullmatch(romanised):
            before = script.replace(2 * _LAM, 2 * _LAM + b" ", 1)
        else:
            base = morphology.partition(b":")[0]
            lexicon.complaints += b"HELP  %s  %s" % (base, line)
        if before is None:
            lexicon.split.pop(script, None)
        else:
            lexicon.split[script] = before
    return lexicon


def def_art(
    data: bytes, format_: str, lexicon: ArticleLexicon | None = None, translate: bool = False
) -> Filtered:
    r"""Split the definite article of Arabic from its word.

    Parameters
    ----------
    lexicon
        Needed for texts in Arabic letters; None for romanised texts.
    translate
        Convert words to Arabic letters first.

    >>> def_art(b"bi+il+beet il+$ams\n", "txt").output
    b'bi+il beet i$ $ams\n'
    """
    unknown: list[bytes] = []

    def look_up(text: bytes) -> bytes:
        if lexicon is None:
            for pattern, kept in _ROMANISED:
                text = pattern.sub(kept, text)
            return text
        parts: list[bytes] = []
        for word in fields_of(text):
            if translate:
                word = lexicon.script.get(word) or word
            if word not in lexicon.split:
                unknown.append(b"Word %s is not in lexicon\n" % word)
            parts.append(lexicon.split.get(word) or word)
        return b" ".join(parts)

    output = [lexicon.complaints if lexicon else b""]
    for line in _chopped(data):
        if format_ != "txt":
            line = line.lstrip()
        change = look_up if line.strip() else bytes
        if format_ == "txt":
            output.append(change(line) + b"\n")
        elif format_ == "ctm":
            output += _shared_out(line, change, 3)
        else:
            output.append(_stm_with_article(line, change))
    return Filtered(b"".join(output), b"".join(unknown), problem=_lost(data))


def _stm_with_article(line: bytes, change: Callable[[bytes], bytes]) -> bytes:
    # the original marks the end so; in a short record the mark stands for a field
    parts = re.split(rb"\s+", line + b" ENDOFLN", maxsplit=_HEADER_FIELDS)
    text = parts.pop().removesuffix(b"ENDOFLN").rstrip() if len(parts) > _HEADER_FIELDS else b""
    parts += [b""] * (_HEADER_FIELDS - len(parts))
    label = _LABEL.match(text)
    if label:
        parts.append(label[0])
        text = text[label.end() :]
    return b" ".join([*parts, change(text)]) + b"\n"


def _chopped(data: bytes) -> Iterator[bytes]:
    """Yield each line without its last byte, even if this byte is no line end."""
    lines = data.split(b"\n")
    yield from lines[:-1]
    if lines[-1]:
        yield lines[-1][:-1]


def _lost(data: bytes) -> str:
    if not data or data.endswith(b"\n"):
        return ""
    return "expected a line feed at the end of the last line; its last byte is lost"


def _shared_out(line: bytes, change: Callable[[bytes], bytes], decimals: int) -> Iterator[bytes]:
    """Split the word of a ctm record by `change`; yield a record for each part.

    The parts divide the word's time evenly.
    """
    fields = fields_of(line)
    confidence = fields[5] if len(fields) > _HEADER_FIELDS else b""
    fields += [b""] * _HEADER_FIELDS
    words = fields_of(change(fields[4]))
    begin, duration = leading_number(fields[2]), leading_number(fields[3])
    for index, word in enumerate(words):
        share = duration / len(words)
        times = (fixed(begin + index * share, 2), fixed(share, decimals))
        yield b" ".join([*fields[:2], *times, word, confidence]) + b"\n"


@dataclass(slots=True)
class CompoundLexicon:
    """A German lexicon in upper case.

    Attributes
    ----------
    entries
        Words that may be parts of compounds.
    known
        Maps words to their parts, joined by blanks.
    longest
        Length in bytes of the longest part of a compound.
    problem
        A description of what is wrong with the file; empty if nothing is.
    """

    entries: set[bytes] = field(default_factory=set)
    known: dict[bytes, bytes] = field(default_factory=dict)
    longest: int = 0
    problem: str = ""


def read_compound_lexicon(data: bytes) -> CompoundLexicon:
    """Read an LDC lexicon: the first word of each line."""
    lexicon = CompoundLexicon(problem=_lost(data).replace("expected", "lexicon: expected"))
    for line in _chopped(data):
        word = b"".join(line.split()[:1]).translate(_UPPER)
        if b"-" in word or b"_" in word:
            parts = re.sub(rb"[-_]+", b" ", word)
            lengths = map(len, fields_of(parts))
            lexicon.longest = max(lexicon.longest, *lengths, 0)
            lexicon.entries.update(fields_of(parts))
            whole = word.replace(b"_", b"")
            lexicon.known[whole] = lexicon.known[whole.replace(b"-", b"")] = parts
        elif word:
            lexicon.entries.add(word)
            lexicon.known[word] = word
    return lexicon


@dataclass(frozen=True, slots=True)
class CompoundOptions:
    """The switches of acomp.

    Attributes
    ----------
    shortest
        `-m`: bytes of the shortest part.
    insertions
        Whether an S or EN may link two parts; False with `-s`.
    fragments
        `-f`: also split word fragments, which end in a hyphen.
    """

    shortest: int = 2
    insertions: bool = True
    fragments: bool = False


def acomp(
    data: bytes, format_: str, lexicon: CompoundLexicon, options: CompoundOptions
) -> Filtered:
    r"""Split German compounds into their parts; the output is in upper case.

    >>> lexicon = read_compound_lexicon(b"haus-tuer\nschluessel\n")
    >>> acomp(b"tuerhaus haustuer\n", "txt", lexicon, CompoundOptions()).output
    b'TUER HAUS HAUS TUER\n'
    """
    compounds = dict(lexicon.known)

    def change(text: bytes) -> bytes:
        made: list[bytes] = []
        for word in fields_of(text.translate(_UPPER)):
            optional = word.startswith(b"(") and word.endswith(b")") and len(word) > 1
            bare = word[1:-1] if optional else word
            if not compounds.get(bare):
                compounds[bare] = _parts_of(bare, lexicon, options)
            parts = compounds[bare]
            if optional and options.fragments and bare.endswith(b"-"):
                parts = re.sub(rb"(?<!\S)(\S+-)\Z", rb"aq(\1)", parts)
            elif optional:
                made += (b"(%s)" % part for part in fields_of(parts))
                continue
            made.append(parts)
        return b" ".join(made)

    output: list[bytes] = []
    for line in _chopped(data):
        if line.startswith(_COMMENT):
            output.append(line + b"\n")
        elif format_ == "txt":
            output.append(change(line) + b"\n")
        elif format_ == "ctm":
            output += _shared_out(line.lstrip(), change, 2)
        else:
            line = line.lstrip()
            parts = re.split(rb"\s+", line, maxsplit=_HEADER_FIELDS + 1)
            if len(parts) < _HEADER_FIELDS:
                message = b"Error: Not enough fields in stm line '%s'\n" % line
                return Filtered(b"".join(output), message, 255)
            rest = parts[_HEADER_FIELDS:]
            if re.fullmatch(rb"<.*>", b"".join(rest[:1]), re.DOTALL):
                parts, rest = parts[: _HEADER_FIELDS + 1], rest[1:]
            else:
                parts = parts[:_HEADER_FIELDS]
            text = b" ".join(rest)
            output.append(b" ".join([*parts, *([change(text)] if text else [])]) + b"\n")
    return Filtered(b"".join(output), problem=_lost(data) or lexicon.problem)


def _parts_of(word: bytes, lexicon: CompoundLexicon, options: CompoundOptions) -> bytes:
    """Return the parts of a compound joined by blanks; return other words unchanged."""
    if not (options.fragments and word.endswith(b"-")):
        return _compound(word, lexicon, options) or word
    for end in range(len(word) - 2, max(options.shortest, 1) - 1, -1):
        parts = _compound(word[:end], lexicon, options)
        if parts:
            return parts + b" " + word[end:]
    return word


def _compound(word: bytes, lexicon: CompoundLexicon, options: CompoundOptions) -> bytes:
    """Divide a compound into parts, and join them by blanks; return an empty result if none fit.

    Longer parts are tried first.
    """
    shortest = max(options.shortest, 1)
    # the parts of what begins at each byte, found from the end on
    parts = [b""] * (len(word) + 3)
    for index in range(len(word) - 1, -1, -1):
        if word[index:] in lexicon.entries:
            parts[index] = word[index:]
            continue
        longest = min(lexicon.longest, len(word) - index)
        for end in range(index + longest, index + shortest - 1, -1):
            first = word[index:end]
            if first not in lexicon.entries:
                continue
            begin = end
            if not (parts[begin] and len(word) - begin >= shortest) and options.insertions:
                begin += word.startswith(b"S", begin)
                if word.startswith(b"EN", begin):
                    begin = end + 2
            if parts[begin] and len(word) - begin >= shortest:
                parts[index] = first + b" " + parts[begin]
                break
    return parts[0]

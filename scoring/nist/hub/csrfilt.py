r"""csrfilt.sh: rewrites the texts of a file by the rules of a map.

`filtering.cut` splits each line into its text and the rest of the line. The texts are case-folded
and rewritten. `filtering.join` joins each text with its rest. Each step handles all lines at once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scoring.model.errors import InputError
from scoring.nist.hub.filtering import cut, join, trimmed
from scoring.nist.hub.rfilter1 import Filtered, rfilter1

FORMATS = ("ctm", "stm", "trn", "txt", "rttm")
PURPOSES = ("ref", "hyp")
_PART = re.compile(rb';;\s+INPUT_DEPENDENT_APPLICATION\s*=\s*"([^"]*)"')
_LATIN_1 = bytes(range(0xE0)) + bytes(range(0xC0, 0xE0))
_COMMENT = b";;"
# Within a line: white space but for its end.
_SPACE = rb"[^\S\n]"
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_HYPHEN = re.compile(rb"([^( \n])-(?=[^) ])")
_GROUP = re.compile(rb"\(%s+[^()\s]+(?:%s+[^()\s]+)+" % (_SPACE, _SPACE))
_BETWEEN = re.compile(rb"(?<=[^\s(])(%s+)(?=\S)" % _SPACE)
_AFTER_OPENING = re.compile(rb"\(%s*\n?" % _SPACE)
_BEFORE_CLOSING = re.compile(rb"(?<!%s)%s+\)" % (_SPACE, _SPACE))
_WELL_FORMED = re.compile(rb"\s\([^()]+\)")
MISPLACED = (
    b"Error: Can not filter text with illegally formatted optional deletion tags.  Look for:\n"
)


class CsrfiltOptions(NamedTuple):
    """The switches of csrfilt.sh.

    Attributes
    ----------
    format
        `-i`: one of `FORMATS`.
    purpose
        `-t`: `ref`, `hyp` or empty; with the format it selects the applicable parts of a map.
    keep_case
        `-s`.
    latin_1
        `-e`: fold the letters of ISO 8859-1 besides those of ASCII; no effect with `-s`.
    split_hyphens
        `-dh`.
    """

    format: str = "trn"
    purpose: str = ""
    keep_case: bool = False
    latin_1: bool = False
    split_hyphens: bool = False


def csrfilt(data: bytes, map_data: bytes, options: CsrfiltOptions, name: str = "map") -> Filtered:
    r"""Rewrite a file by the rules of a map, as csrfilt.sh does.

    `status` is 1 for misplaced parentheses (nothing is filtered), and for a ctm alternative without
    words (csrfilt.sh stops in the middle of the file). `problem` describes two faults for which
    csrfilt.sh returns status 0. If the map is rejected, the output contains the error of the map.
    If a line cannot be read, the output ends before this line.

    Parameters
    ----------
    data
        The file, in `options.format`.
    map_data, name
        The map, and its name in messages.

    Raises
    ------
    InputError
        If a part of the map applies to an invalid regular expression.

    >>> glm = b";;\n[UH] => [%HESITATION] / [ ] __ [ ]\n"
    >>> csrfilt(b"f 1 s 0 1 <o> uh well\n", glm, CsrfiltOptions("stm")).output
    b'f 1 s 0 1 <o> %HESITATION WELL\n'
    """
    texts, rests, stopped = cut(options.format, data)
    errors, problem = b"", ""
    if stopped:
        errors = b"Error: Parse of %s line failed\n" % options.format.encode()
        problem = f"line {stopped}: expected a record of {options.format}; reading ends there"
    wrong = _misplaced(texts)
    if wrong:
        return Filtered(MISPLACED + wrong, errors, 1)
    rules = selected(map_data, options, name)
    filtered = rfilter1(_parted(_folded(texts, options)), rules, name)
    texts = filtered.output
    if options.split_hyphens and b"-" in texts:
        texts = _HYPHEN.sub(rb"\1 ", texts)
    output, bad = join(options.format, _closed(texts), rests)
    if bad:
        problem = f"line {bad}: expected words in every alternative of the word's replacement"
        return Filtered(b"", filtered.errors, 1, problem)
    return Filtered(output, errors + filtered.errors, 0, filtered.problem or problem)


def selected(map_data: bytes, options: CsrfiltOptions, name: str = "map") -> bytes:
    r"""Return a map in which blank lines replace the parts for other formats or purposes.

    >>> parts = b'a\n;; INPUT_DEPENDENT_APPLICATION = "HYP"\nb\n'
    >>> selected(parts, CsrfiltOptions(purpose="ref"))
    b'a\n\n\n'
    """
    if b"INPUT_DEPENDENT_APPLICATION" not in map_data:
        return map_data
    applies = True
    kept: list[bytes] = []
    for number, line in enumerate(map_data.split(b"\n"), 1):
        part = _PART.match(line)
        if part:
            text = part[1].lower().decode("latin-1")
            try:
                pattern = re.compile(text)
            except re.error as problem:
                raise InputError(
                    name, number, None, f"expected a regular expression, found {text!r}: {problem}"
                ) from None
            applies = bool(
                text and (pattern.search(options.format) or pattern.search(options.purpose))
            )
        if applies or kept:
            kept.append(line if applies else b"")  # so that lines keep their numbers
    return b"\n".join(kept)


def _folded(texts: bytes, options: CsrfiltOptions) -> bytes:
    """Return lines in upper case, unless the options keep the case. Comments are unchanged."""
    if options.keep_case:
        return texts
    folded = texts.upper()
    if options.latin_1:
        folded = folded.translate(_LATIN_1)
    if _COMMENT not in texts:
        return folded
    pairs = zip(texts.split(b"\n"), folded.split(b"\n"), strict=True)
    return b"\n".join(line if line.startswith(_COMMENT) else upper for line, upper in pairs)


def _parted(texts: bytes) -> bytes:
    """Return lines with an additional blank at both ends, and inside each parenthesis."""
    if not texts:
        return texts
    texts = texts.replace(b"(", b"( ").replace(b")", b" )").replace(b"\n", b" \n ")
    # what ends a text begins no line
    return b"".join((b" ", memoryview(texts)[:-1] if texts.endswith(b"\n ") else texts + b" "))


def _misplaced(texts: bytes) -> bytes:
    """Return the lines that have unmatched parentheses, without their matched parts.

    The result is empty if all parentheses match.
    """
    if b"(" not in texts and b")" not in texts:
        return b""
    lines = (line for line in _LINE.findall(_parted(texts)) if b"(" in line or b")" in line)
    left = (
        _WELL_FORMED.sub(b"", line.replace(b"(", b"   (").replace(b")", b")  ", 1))
        for line in lines
    )
    return b"".join(line for line in left if b"(" in line or b")" in line)


def _closed(texts: bytes) -> bytes:
    """Return lines in which parentheses around several words are put around each word.

    The blanks of `_parted` are removed.
    """
    grouped = b"(" in texts or b")" in texts
    if grouped:
        texts = _GROUP.sub(lambda group: _BETWEEN.sub(rb"\1) ( ", group[0]), texts)
    texts = trimmed(texts)
    return _BEFORE_CLOSING.sub(b")", _AFTER_OPENING.sub(b"(", texts)) if grouped else texts

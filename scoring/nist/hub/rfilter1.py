"""rfilter1: rewrites lines by the rules of a map, and reports on the lines and the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from scoring.nist.hub.lines import line_blocks
from scoring.nist.transcripts.characters import to_bytes
from scoring.text.glm.nist_map import FORMAT, MapError, NistMap, parse_nist_map

LONGEST_LINE = 99_999
_NOT_WHOLE = (
    b"*WARNING:RFILTER1 Ver. 2.0: rec w/o newline char, probably truncated.\n  Line is:'%s'\n"
)


class Filtered(NamedTuple):
    """The output of a filter.

    Attributes
    ----------
    output
        Bytes for standard output.
    errors
        Bytes for standard error.
    status
        The exit status of the filter.
    problem
        One line about a fault that NIST's rfilter1 ignores or does not explain; empty if there is
        none.
    """

    output: bytes
    errors: bytes = b""
    status: int = 0
    problem: str = ""


@lru_cache(maxsize=8)
def read_map(data: bytes, name: str) -> NistMap:
    """Parse the map in a file; cached per file content."""
    return parse_nist_map(data, name)


def rfilter1(data: bytes, map_data: bytes | None, name: str, level: int = 0) -> Filtered:
    r"""Rewrite lines by the rules of a map, as rfilter1 does.

    A map without rules changes nothing, although NIST's rfilter1 crashes there.

    Parameters
    ----------
    data
        The lines. A line of more than 99,999 bytes is cut into several lines.
    map_data, name
        The content of the map (None if its file is missing), and its name in messages.
    level
        1 lists the rules and the number of their uses on standard error.

    >>> rfilter1(b"a b\n", b";;\n[a] => [c]\n", "x.glm").output
    b'c b\n'
    """
    try:
        if map_data is None:
            raise MapError(11, f"get_rules2: can't open {name}\n")
        glm = read_map(map_data, name)
    except MapError as error:
        errors = str(error).encode("latin-1")
        return Filtered(error.output.encode("latin-1"), errors, error.status, _place(error, name))
    warnings = [glm.warning.encode("latin-1")]
    if glm.format != FORMAT and data:
        first = data[:LONGEST_LINE]
        errors = b"" if b"\n" in first else _NOT_WHOLE % first
        errors += f"*ERR:apply_rules2: invalid format '{glm.format}'\n".encode("latin-1")
        errors += b"*ERR: apply_rules2 returns perr=11\n"
        problem = f"{name}: expected the format {FORMAT}, found {glm.format!r}"
        return Filtered(b"", warnings[0] + errors, 4, problem)
    output: list[bytes] = []
    hits = [0] * len(glm.rules)
    for block, warning in _blocks(data):
        if glm.rules:
            block = glm.rewrite(block.decode("latin-1"), hits).encode("latin-1")
        output.append(block)
        warnings.append(warning)
    if level >= 1:
        warnings.append(_table(glm, hits).encode("latin-1"))
    return Filtered(b"".join(output), b"".join(warnings))


def _place(error: MapError, name: str) -> str:
    source = f"{name}:{error.line}" if error.line else name
    return f"{source}: expected a map, found: {' '.join(str(error).split())}"


def _blocks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the lines in large blocks, each block with the warnings about its lines.

    A line that is too long is divided, with a warning.
    """
    end = data.rfind(b"\n") + 1
    cut = 0
    while 0 <= cut < end - LONGEST_LINE:
        cut = data.rfind(b"\n", cut, cut + LONGEST_LINE) + 1 or -1
    whole: Iterable[bytes] = (block for (block,) in line_blocks(data[:end]))
    if cut < 0:
        whole = [line + b"\n" for line in data[: end - 1].split(b"\n")]
    for line in chain(whole, [data[end:]]):
        if line.endswith(b"\n") and (cut >= 0 or len(line) <= LONGEST_LINE):
            yield line, b""
            continue
        for begin in range(0, len(line), LONGEST_LINE):
            piece = line[begin : begin + LONGEST_LINE]
            errors = b"" if piece.endswith(b"\n") else _NOT_WHOLE % piece
            yield piece, errors


def _table(glm: NistMap, hits: Sequence[int]) -> str:
    """Return a table of the settings and rules of a map, with the number of uses of each rule."""
    settings = {
        "name": glm.name,
        "directory": "",
        "desc": glm.desc,
        "format": glm.format,
        "copy_no_hit": "FT"[glm.copy_no_hit],
        "case_sensitive": "FT"[glm.case_sensitive],
        "indexed": "T",
    }
    lines = [
        "*DB:  *DB: At end of run, the rules (with val1= no. of hits) are:",
        "",
        " RULESET2 DUMP",
        "",
        *(f"  {key} = '{value}'" for key, value in settings.items()),
        f"  max_nrules = {glm.max_nrules}",
        f"  nrules = {len(glm.rules)}",
        "",
        "   #  val1  l.h.s.(length)    r.h.s.(length)  l.context(length) r.context(length)",
    ]
    groups: dict[str, list[int]] = {}
    for number, (rule, used) in enumerate(zip(glm.rules, hits, strict=True), 1):
        source, target, left, right = (f"[{part}] ({len(part)})" for part in rule)
        lines.append(f"{number:4} {used:4}   {source} => {target} /  {left} __ {right}")
        key = rule.source[:1]
        if not glm.case_sensitive:
            key = to_bytes(key).upper().decode("latin-1")
        groups.setdefault(key, []).append(number)
    lines += ["", " RULE TAB-SORT INDEX TABLE:", "     I  RULE_INDEX[I]"]
    order = [number for group in groups.values() for number in group]
    lines += [f"{index:6}  {number:6}" for index, number in enumerate(order, 1)]
    lines += ["", " RULE KEY_CHAR INDICES:", " KEY_CHAR  FIRST  LAST"]
    ends = dict(zip(groups, accumulate(map(len, groups.values())), strict=True))
    for key in sorted(groups):
        first = ends[key] - len(groups[key]) + 1
        lines.append(f"{ord(key or chr(0)):5}({key or chr(0)}) {first:6}{ends[key]:6}")
    return "\n".join([*lines, "", ""])

"""A map (GLM) as parsed by NIST's rfilter1, and rewriting by its rules.

All text is byte text (one character per byte), and only A-Z and a-z are letters. Lines are split
like in the original; `docs/hubscr.md` explains the consequences for maps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from scoring.model.errors import ScoringError
from scoring.text.glm.matching import GlmRule, RuleIndex

LONGEST_LINE = 131
WHITE = " \t\n\v\f\r"
FORMAT = "NIST1"
_AUXILIARY = re.compile("name|desc|format|max_nrules|copy_no_hit|case_sensitive")
_VALUE = re.compile("[\"']([^\"']*)")
_NUMBER = re.compile(r"\s*([+-]?\d+)")
_FLAG = re.compile("[!-~]*")
_ARROW = "=>"


class MapError(ScoringError):
    """Raised for a map that rfilter1 rejects."""

    status = 3

    def __init__(self, code: int, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.code = code
        self.line = line
        self.output = f"; *ERR: Get_rules2 returned err code ={code}\n"


class MapMemoryError(MapError):
    """Raised for a negative number of rules, for which the original cannot allocate memory."""

    status = 255

    def __init__(self, line: int) -> None:
        message = "*FATAL ERROR in procedure 'get_rules2'\n*FAILURE: MEM ALLOC\n*ERROR LEVEL: -1\n"
        super().__init__(-1, message, line)
        self.output = message


class NistMap(NamedTuple):
    """The rules and settings of a map; settings have the names of its header lines.

    `warning` is the original's message about the file on standard error.
    """

    rules: tuple[GlmRule, ...]
    name: str
    desc: str = ""
    format: str = FORMAT
    max_nrules: int = 400
    copy_no_hit: bool = True
    case_sensitive: bool = True
    warning: str = ""

    def rewrite(self, text: str, hits: list[int] | None = None) -> str:
        r"""Apply the rules to lines of byte text; a rule never matches across a line end.

        >>> parse_nist_map(b";;\n[uh] => [%HES] / [ ] __ [ ]\n").rewrite(" uh uh \n")
        ' %HES %HES \n'
        """
        index = _index_of(self.rules, self.case_sensitive)
        pieces: list[str] = []
        done = 0
        for begin, end, number in index.matches(text):
            if self.copy_no_hit:
                pieces.append(text[done:begin])
            pieces.append(self.rules[number].target)
            done = end
            if hits is not None:
                hits[number] += 1
        if self.copy_no_hit:
            pieces.append(text[done:])
        return "".join(pieces)


@lru_cache(maxsize=2)
def _index_of(rules: tuple[GlmRule, ...], case_sensitive: bool) -> RuleIndex:
    return RuleIndex(rules, str if case_sensitive else fold_ascii)


def fold_ascii(text: str) -> str:
    """Return the byte text with ASCII letters in lower case."""
    return text.lower() if text.isascii() else text.encode("latin-1").lower().decode("latin-1")


def parse_nist_map(data: bytes, name: str = "map") -> NistMap:
    """Parse the bytes of a map file."""
    if not data:
        raise MapError(12, f"get_rules2: file {name} is empty.\n")
    rules: list[GlmRule] = []
    settings: dict[str, str] = {}
    flag, warning = "", ""
    for index, (number, line) in enumerate(_lines(data)):
        if index == 0:
            match = _FLAG.match(line)
            flag = match[0] if match else ""
            if flag == "*":
                warning = (
                    f"get_rules2: WARNING: the comment_flag character in file {name}\n"
                    "  is '*', which also marks auxiliary lines.\n"
                )
            continue
        line = line.rstrip(WHITE)
        if not line or (flag and line.startswith(flag)):
            continue
        if line.startswith("*"):
            value = _VALUE.search(line)
            if value is None:
                message = "r_process_aux_line: aux line contains no quoted field.\n line:"
                raise MapError(3, f"{warning}{message}'{line}'\n", number)
            settings.update(dict.fromkeys(_AUXILIARY.findall(fold_ascii(line)), value[1]))
            continue
        if flag:
            rule = line.partition(flag)[0]
            line = rule.ljust(len(line))
        most = _whole(settings.get("max_nrules", "400"))
        try:
            rules.append(_rule(line, number, len(rules), most))
        except MapError as error:
            error.args = (warning + str(error),)
            raise
    return NistMap(
        rules=tuple(rules),
        name=settings.get("name", name),
        desc=settings.get("desc", ""),
        format=settings.get("format", FORMAT),
        max_nrules=_whole(settings.get("max_nrules", "400")),
        copy_no_hit=_is_true(settings.get("copy_no_hit", "T")),
        case_sensitive=_is_true(settings.get("case_sensitive", "T")),
        warning=warning,
    )


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers. Lines that are too long are split."""
    for number, line in enumerate(data.decode("latin-1").split("\n"), 1):
        for index in range(0, len(line) or 1, LONGEST_LINE):
            yield number, line[index : index + LONGEST_LINE]


def _whole(text: str) -> int:
    match = _NUMBER.match(text)
    return int(match[1]) if match else 0


def _is_true(text: str) -> bool:
    return fold_ascii(text) in ("t", "yes", "true")


def _rule(line: str, number: int, rules: int, most: int) -> GlmRule:
    """Return the rule in a line, whose comment has been replaced by blanks."""
    if most < 0:
        raise MapMemoryError(number)
    if not line.strip(WHITE):
        raise MapError(1, "r_process_data_line invalid input:blank line.\n", number)
    arrow = line.find(_ARROW)
    if arrow < 0:
        raise MapError(32, f"*ERR:r_process_data_line: no arrow, line='{line}'\n", number)
    if rules >= most:
        message = f"*ERR:r_process_data_line: too many rules.\n  (max_nrules = {most})\n"
        raise MapError(31, message, number)
    slash, slot = line.rfind("/"), -1
    if slash >= 0 and line.find("]", slash) < line.find("[", slash):
        slash = -1  # it stands within brackets
    if slash >= 0:
        slot = line.find("_", slash)
    end = slash if slash >= 0 else len(line)
    left = _piece(line, slash, slot) if slot >= 0 else ""
    right = _piece(line, slot, len(line)) if slot >= 0 else ""
    return GlmRule(_bare(line[:arrow].strip(WHITE)), _piece(line, arrow, end), left, right)


def _piece(line: str, begin: int, end: int) -> str:
    """Return the text after a mark and white space, without its quotes or brackets."""
    mark_and_rest = re.split(r"[ \t\n\v\f\r]+", line[begin:end].rstrip(WHITE), maxsplit=1)
    return _bare(mark_and_rest[1]) if len(mark_and_rest) > 1 else ""


def _bare(piece: str) -> str:
    bounded = piece[:1] == piece[-1:] == '"' or (piece[:1] == "[" and piece[-1:] == "]")
    return piece[1:-1] if bounded else piece

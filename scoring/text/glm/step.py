r"""A `.glm` file as a step, with rules that rewrite text and rules that add alternatives.

The format is NIST1 of the program rfilter1, as documented: header lines `* name = 'value'`, and
rules `[from] => [to] / [left] __ [right]` with literal texts. Brackets are required around texts
that begin or end with blanks. A double semicolon begins a comment. A `to` of the form `{ a / b }`
is a choice, and a word in parentheses may be omitted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from formats.schema.words import Alternation, Item, Token
from scoring.model.errors import InputError
from scoring.text.glm.matching import GlmRule, RuleIndex
from scoring.text.readings import ReadingsStep
from scoring.text.step import put

ARROW, COMMENT = "=>", ";;"
_HEADER = re.compile(r"\*\s*(\w+)\s*(?:=\s*)?(['\"])(.*)\2\s*")
# A slot of underscores that stands for itself; a word may have some in it.
_SLOT, _BRACKETED, _PLAIN = r"(?<![^\s\]/])_+(?![^\s\[])", r"\s*\[[^\[\]]*\]", r"[^\[\]/]*"
# One way for each kind of context: a pattern that may take either anywhere tries all of them.
_CONTEXT = re.compile(
    rf"/(?:(?={_PLAIN}$)({_PLAIN}?){_SLOT}({_PLAIN})|({_PLAIN}?){_SLOT}({_BRACKETED})"
    rf"|({_BRACKETED}\s*){_SLOT}({_BRACKETED}|{_PLAIN}))$"
)
_NOTATION = re.compile(r"[{}]|(?<!\S)[/@](?!\S)|[^\s{}]+")


class GlmRules(NamedTuple):
    """The rules of a file."""

    rules: tuple[GlmRule, ...]
    case_sensitive: bool


def read_glm(path: str | os.PathLike[str], encoding: str = "utf-8") -> GlmRules:
    """Return the rules of a GLM file."""
    name = os.fspath(path)
    with open(path, encoding=encoding) as stream:
        return parse_glm(stream.read(), name)


def parse_glm(text: str, name: str = "<glm>") -> GlmRules:
    """Return the rules in a text."""
    rules: list[GlmRule] = []
    header: dict[str, str] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        content = line.partition(COMMENT)[0].strip()
        if not content:
            continue
        if content.startswith("*") and ARROW not in content:
            match = _HEADER.fullmatch(content)
            if match is None:
                raise _error(name, number, "* name = 'value'", content)
            header[match[1].lower()] = match[3]
            _check_header(match[1].lower(), match[3], name, number)
        else:
            rules.append(_rule(content, name, number))
    return GlmRules(tuple(rules), header.get("case_sensitive", "T").upper().startswith("T"))


def _error(name: str, line: int, expected: str, content: str) -> InputError:
    return InputError(name, line, None, f"expected {expected}, found {content!r}")


def _check_header(key: str, value: str, name: str, line: int) -> None:
    if key == "format" and value.upper() != "NIST1":
        raise _error(name, line, "format NIST1", value)
    if key == "copy_no_hit" and not value.upper().startswith("T"):
        raise _error(name, line, "copy_no_hit 'T'", value)


def _rule(content: str, name: str, line: int) -> GlmRule:
    source, arrow, rest = content.partition(ARROW)
    if not arrow:
        raise _error(name, line, "a rule, FROM => TO", content)
    left = right = ""
    context = _CONTEXT.search(rest)
    if context is not None:
        left, right = (_bare(x) for x in context.groups() if x is not None)
        rest = rest[: context.start()]
    rule = GlmRule(_bare(source), _bare(rest), left, right)
    if not rule.source:
        raise _error(name, line, "a text to be replaced", content)
    if rule.target.count("{") != rule.target.count("}"):
        raise _error(name, line, "a closing brace for each opening one", content)
    return rule


def _bare(text: str) -> str:
    stripped = text.strip()
    if len(stripped) > 1 and (stripped[0] + stripped[-1]) in ("[]", '""'):
        return stripped[1:-1]
    return stripped


@dataclass(frozen=True, slots=True, repr=False)
class Glm(ReadingsStep):
    """The rules of a `.glm` file, in one pass from left to right.

    At every position, the first matching rule of the file applies, and its result is not searched
    again. Contexts are matched against the original text, with a blank before and after it. Unlike
    in NIST's pipeline, choices remain open on both sides, and a word in parentheses may be missing
    on either side at no cost. If case is ignored, it is ignored for all letters; the original
    ignores it only for ASCII letters.

    >>> Glm("a.glm", parse_glm("can't => { can't / can not } / [ ] __ [ ]"))("I can't")
    "I { can't / can not }"
    """

    name = "glm"
    origin_of_readings = "glm rule"
    removes = True
    file: str = field(compare=False)
    _rules: GlmRules
    _index: RuleIndex = field(init=False, compare=False)

    def __post_init__(self) -> None:
        fold = str if self._rules.case_sensitive else _lower
        put(self, _index=RuleIndex(self._rules.rules, fold))

    def arguments(self) -> dict[str, object]:
        """Return the rules as arguments of the signature."""
        lines = tuple("\t".join(rule) for rule in self._rules.rules)
        return {"rules": lines, "case_sensitive": self._rules.case_sensitive}

    def __str__(self) -> str:
        return f"glm({os.path.basename(self.file)})"

    def items(self, words: Sequence[str]) -> list[Item]:
        """Return the words after the rules are applied."""
        text = f" {' '.join(words)} "
        pieces: list[str | tuple[Item, ...]] = []
        begin = 0
        for start, end, number in self._index.matches(text):
            pieces += [text[begin:start], _meant(self._rules.rules[number].target)]
            begin = end
        return _joined([*pieces, text[begin:]])

    def touches(self, words: Sequence[str]) -> bool:
        """Return True if any rule applies."""
        return next(self._index.matches(f" {' '.join(words)} "), None) is not None


def _lower(text: str) -> str:
    """Return the text in lower case, with the same number of characters."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _joined(pieces: Sequence[str | tuple[Item, ...]]) -> list[Item]:
    """Join texts and alternatives in one list of items.

    Text that touches an alternative becomes a separate word.
    """
    items: list[Item] = []
    text = ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
        elif all(isinstance(item, Token) for item in piece):
            # what only rewrites may join with the letters around it
            text += " ".join(item.text for item in piece if isinstance(item, Token))
        else:
            items += [*map(Token, text.split()), *piece]
            text = ""
    return [*items, *map(Token, text.split())]


def _meant(target: str) -> tuple[Item, ...]:
    """Parse the right side of a rule to items."""
    stripped = target.strip()
    if "{" not in target and not any(map(_is_optional, stripped.split())):
        return (Token(target),)
    # the branches of each open choice; the outermost is the text itself
    levels: list[list[list[Item]]] = [[[]]]
    for mark in _NOTATION.findall(stripped):
        if mark == "{":
            levels.append([[]])
        elif mark == "/" and levels[1:]:
            levels[-1].append([])
        elif mark == "}" and levels[1:]:
            choice = Alternation(levels.pop())
            levels[-1][-1].append(choice)
        elif mark != "@":
            word = Alternation([[Token(mark[1:-1])], []]) if _is_optional(mark) else Token(mark)
            levels[-1][-1].append(word)
    return tuple(levels[0][0])


def _is_optional(word: str) -> bool:
    return len(word) > 2 and word[0] == "(" and word[-1] == ")"

"""The first lines of a text, and what they show about its format."""

from __future__ import annotations

from itertools import islice

from formats.schema import cached_property, lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    from formats.detection.spec import Sniff

    Found = TypeVar("Found")


JSON_START = lazy_pattern(r'\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:["\[{\]]|(?:-?\d+|null)\s*[,\]]|$))')
XML_ROOT = lazy_pattern(
    r"\s*(?:(?:<\?[^>]*\?>|<!--(?:[^-]|-(?!->))*-->"
    r"|<!DOCTYPE[^>\[]*(?:\[(?:[^\]]|\](?!\s*>))*\]\s*)?>)\s*)*<(?:[\w.-]+:)?([\w.-]+)"
)
"""Each comment ends at its first end: one that could end later, too, would double the tries."""
MARKUP = lazy_pattern(r"(?i)\s*<(?:\?xml\s|!DOCTYPE\s|html[\s>]|head[\s>]|body[\s>])")
YAML_START = lazy_pattern(r"(?:[ \t]*(?:#.*|---.*)?\n)*- [A-Za-z_]\w*:(?:[ \t\n]|\Z)")
YAML_MEMBER = lazy_pattern(r"(?:- |  )(\w+):(?:\s+(.*))?$")
MOST_VALUES = 100
ANSWER = lazy_pattern(r"[ \t\n]{0,20}<\|im_start\|>assistant[ \t\n]{0,20}(?=[\[{])")
NO_LINE_END = lazy_pattern(r"[^\n]")
ANSWER_ENDS = ("<|im_end|>", "<|endoftext|>")
COMMENTS = ("\n//", " //", "\t//", "/*")
LAST_COMMA = lazy_pattern(r",[ \t\n]{0,99}[\]}]")
"""Signs of what only JavaScript allows: a comment, or a comma behind the last element."""
BRACKETS = frozenset("[{(")
"""Signs in the first line of values that Python printed."""
SCRIPT_STARTS = (
    *("//", "/*", "'use strict'", '"use strict"', "const ", "let ", "var ", "export ", "import "),
    *("module.exports", "window.", "self.", "globalThis."),
)
"""Beginnings of the first line of a JavaScript file of data."""


def without_turn_marks(text: str) -> str:
    r"""Replace the turn markers in a language model's answer by blanks, so that JSON remains.

    >>> without_turn_marks('<|im_start|>assistant\n[1]<|im_end|>\n<|endoftext|>').split()
    ['[1]']
    """
    mark = ANSWER.match(text)
    if mark is None:
        return text
    body = text.rstrip()
    while end := next(filter(body.endswith, ANSWER_ENDS), ""):
        body = body.removesuffix(end).rstrip()
    return NO_LINE_END.sub(" ", mark[0]) + body[mark.end() :]


def _may_be_values(first: str) -> bool:
    """Return True if a first line may begin values of Python or JavaScript, or fields with tabs."""
    begin = first.lstrip()
    is_script = begin.startswith(SCRIPT_STARTS) or first.rstrip()[-2:] in (" [", " {")
    before, _, value = first.partition("=")
    name, bracket, _ = before.replace("{", "(").replace("[", "(").partition("(")
    is_call = bracket != "" and (name[-1:].isalnum() or name[-1:] == "_")
    is_assigned = value.lstrip()[:1] in BRACKETS and before.strip().isidentifier()
    is_labelled = "\t" in first or "__eou__" in first or "+++" in first or first[:2] == "1 "
    return is_script or begin[:1] in BRACKETS or is_call or is_assigned or is_labelled


def is_yaml_name(name: str) -> bool:
    """Return True if the name of a file has a suffix of YAML; a final ``.gz`` is ignored."""
    return name.lower().removesuffix(".gz").endswith((".yaml", ".yml"))


FIELDS = tuple(blank + sign for blank in " \t" for sign in ("", "-", ".", "+", "-."))
"""What is before the first digit of a field that is a number."""


class Head(list[str]):
    r"""The first complete lines of a text (about 64 KiB), and what they show about its format.

    >>> Head(["<?xml version='1.0'?>", '<tt:tt xmlns:tt="x">']).root
    'tt'
    >>> Head(['{"words": [{"word": "hello", "start": 0.5}, {"wo']).json
    {'words': [{'word': 'hello', 'start': 0.5}, {}]}
    """

    def __init__(
        self,
        lines: Iterable[str] = (),
        stem: str = "",
        signature: bytes = b"",
        parts: frozenset[str] = frozenset(),
        *,
        is_yaml_file: bool = False,
    ) -> None:
        super().__init__(lines)
        self.is_yaml_file = is_yaml_file
        """True if the name of the file is that of YAML."""
        if self and self[0].startswith("<|"):
            self[:] = without_turn_marks("\n".join(self)).split("\n")
        elif self and _may_be_values(self[0]):
            from formats.detection.python_values import as_json, without_comments

            text = "\n".join(self)
            written = as_json(text)
            has_comment = text.startswith("//") or any(sign in text for sign in COMMENTS)
            if written is text and (has_comment or LAST_COMMA.search(text)):
                from formats.detection.json_beginnings import beginning_of_json

                plain = without_comments(text)
                written = plain if beginning_of_json(plain)[0] else text
            if written is not text:
                self[:] = written.split("\n")
        self.parts = parts
        """The names in a zip archive, for formats that are one."""
        self.stem = stem
        """The file's name without folder and ending, for formats whose records repeat it."""
        self.signature = signature
        """The first bytes of the file, for binary formats; empty where they are not known."""
        self.rule_answers: dict[tuple[str, str], bool] = {}
        """Answers to the rules of a shape: each is asked once, even if several rows have it."""
        self.reader_answers: dict[str, Sniff] = {}
        self._found: dict[Callable[[Head], Any], Any] = {}

    def once(self, find: Callable[[Head], Found]) -> Found:
        """Return what a function finds in the lines; it looks once, even if several formats ask.

        >>> Head(["so"]).once(len)
        1
        """
        if find not in self._found:
            self._found[find] = find(self)
        found: Found = self._found[find]
        return found

    @cached_property
    def shape(self) -> str:
        """The basic kind of the text: ``xml``, ``json`` or ``text``."""
        text = "\n".join(self[:50]).lstrip()
        if text.startswith("<"):
            return "xml"
        return "json" if text[:1] in ("{", "[") and JSON_START.match(text) else "text"

    @cached_property
    def text(self) -> str:
        """The lines joined to one text."""
        return "\n".join(self)

    @cached_property
    def _signed(self) -> str:
        """The text to search for signs: the first bytes, what stands for digits, and the lines.

        That is a 0 if there are digits, and ␣0 if a field after the first of a line is a number;
        and ␣␣ if a line after the first is indented.
        """
        text = self.text
        digits = "0" if any(map(str.isdigit, set(text))) else ""
        if digits and any(before + digit in text for before in FIELDS for digit in "0123456789"):
            digits = "␣0"
        indent = "␣␣" if "\n " in text else ""
        return f"{self.signature.decode('latin-1')} {digits} {indent} {text}"

    def has_sign(self, signs: str) -> bool:
        """Return True if the text contains any of the signs in a list, or if the list is empty."""
        return not signs or any(sign in self._signed for sign in signs.split(" "))

    @cached_property
    def root(self) -> str | None:
        """The local name of the XML root element, or `None`."""
        match = XML_ROOT.match(self.text)
        return match[1] if match else None

    @cached_property
    def is_yaml(self) -> bool:
        """True if the text begins like a YAML list of objects, or if a YAML file has objects."""
        if self.shape != "text":
            return False
        begin = self[:50]
        has_item = any(line.startswith("- ") for line in begin)
        is_list = has_item and YAML_START.match("\n".join(begin)) is not None
        return is_list or (self.is_yaml_file and bool(self._yaml_values))

    @property
    def is_yaml_only(self) -> bool:
        """True if YAML cannot be turns: its name says YAML, or its names are lower case."""
        if not self.is_yaml or self.is_yaml_file:
            return self.is_yaml
        names = list(self.first_in_yaml())
        return len(names) > 1 and all(map(str.islower, names))

    @cached_property
    def _yaml_values(self) -> list[object]:
        """The lists and objects of YAML, as far as the lines contain them."""
        from formats.detection.yaml_values import beginning_of_yaml

        return beginning_of_yaml(self)

    @cached_property
    def _first_json(self) -> tuple[object, bool]:
        from formats.detection.json_beginnings import beginning_of_json

        return beginning_of_json(self.text)

    @property
    def json(self) -> object:
        """The first JSON value, as far as the lines contain it; `None` if there is none."""
        return self._first_json[0]

    @property
    def is_cut(self) -> bool:
        """True if the first JSON value continues after the last of these lines."""
        return self.shape == "json" and not self._first_json[1]

    @property
    def breaks_off(self) -> bool:
        """True if the first JSON object continues after the last of these lines."""
        value = self.json
        if self.shape != "json" or self._first_json[1]:
            return False
        return not isinstance(value, list) or len(value) < 2

    @property
    def first_object(self) -> dict[str, object]:
        """The first JSON object: the first value, or the first element of a list.

        The object is empty if there is none.
        """
        value = self.json
        if isinstance(value, list):
            value = next((element for element in value if element is not None), None)
        return value if isinstance(value, dict) else {}

    @property
    def is_of_objects(self) -> bool:
        """True if the text is JSON that begins with an object or a list of objects."""
        is_whole = not self._first_json[1] or self.text.rstrip()[-1:] in ("}", "]")
        return self.shape == "json" and bool(self.first_object) and is_whole

    @cached_property
    def json_values(self) -> list[object]:
        """The first JSON values (at most 100) of a sequence; the last may be incomplete."""
        return list(islice(self._read_values(), MOST_VALUES))

    @cached_property
    def member_names(self) -> set[str]:
        """The names of all members of `json_values`, at any depth."""
        names: set[str] = set()
        left: list[object] = [self.json_values]
        while left:
            value = left.pop()
            if isinstance(value, dict):
                names.update(value)
                value = value.values()
            left += [each for each in value if type(each) in (dict, list)]  # type: ignore[attr-defined]
        return names

    @cached_property
    def json_objects(self) -> list[object]:
        """The values of `json_values` that are not lists."""
        return [value for value in self.json_values if not isinstance(value, list)]

    @cached_property
    def json_elements(self) -> list[object]:
        """The elements of the lists in `json_values`."""
        return [e for value in self.json_values if isinstance(value, list) for e in value]

    def _read_values(self) -> Iterator[object]:
        if self.is_yaml:
            yield from self._yaml_values or [[self.first_in_yaml()]]
            return
        if self.breaks_off and not isinstance(self.json, list):
            yield self.json
            return
        from formats.detection.json_beginnings import beginning_of_json, json_decoder

        text = self.text
        decode = json_decoder(parse_constant=lambda name: None).raw_decode
        position = len(text) - len(text.lstrip(" \t\n,"))
        while position < len(text):
            try:
                value, position = decode(text, position)
            except (ValueError, RecursionError):
                rest, _ = beginning_of_json(text[position:])
                if rest is not None:
                    yield rest
                return
            yield value
            position = len(text) - len(text[position:].lstrip(" \t\n,"))

    def first_in_yaml(self) -> dict[str, object]:
        """Return the members of the first object in a YAML list; values are unparsed text."""
        members: dict[str, object] = {}
        items = 0
        for line in self:
            items += line.startswith("- ")
            if items > 1:
                break
            if match := YAML_MEMBER.match(line):
                members[match[1]] = match[2]
        return members

"""Detection rules: JSON members or XML root elements that identify a format without its reader.

JSON rules are paths. They are tried on the first values of a file or on the elements of its first
list. The steps of a path are:

* ``a.b``: the member ``b`` of ``a`` (if ``a`` is a list: of any of its elements);
* ``a[]``: ``a`` is a list;
* ``a+b``: both members in the same object; the path continues in the last of them;
* ``a/b``: a member with either name; ``*`` a member with any name; ``**`` every member;
* ``a?``: the member, or the object itself if it has no such member;
* ``a=x|y*``: the value is one of these texts; ``a=#`` a whole number;
  ``a=##`` one of 1000 or more; ``a=`` an empty text or list;
* ``{a+b?}``: an object with only these names.

A path that begins with ``$.`` is tried only in top-level objects, and a path that begins with
``[].`` only in elements of a list.

An XML rule is the local name of the root element. Each text after a ``+`` must be in the XML.
"""

from __future__ import annotations

from itertools import islice

from formats.detection.spec import Sniff
from formats.schema import NamedTuple, cache, cached_property, lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import json
    from collections.abc import Iterable, Iterator
    from typing import Any


__all__ = ["Head", "ListedFormat", "has_path", "sniff_listed"]

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
_UNREAD = object()
ANSWER = lazy_pattern(r"[ \t\n]{0,20}<\|im_start\|>assistant[ \t\n]{0,20}(?=[\[{])")
NO_LINE_END = lazy_pattern(r"[^\n]")
ANSWER_ENDS = ("<|im_end|>", "<|endoftext|>")
LOOSE_SIGN = lazy_pattern(
    r"(?m)^[ \t]{0,40}(?://|/\*)|[\]}\x220-9](?:,[ \t\n]{0,99}[\]}]|,?[ \t]{1,9}//)"
)
"""A comment on a line, or a comma behind the last element, which only JavaScript allows."""
BRACKETS = frozenset("[{(")
"""Signs in the first line of values that Python printed."""
SCRIPT_STARTS = (
    *("//", "/*", "'use strict'", '"use strict"', "const ", "let ", "var ", "export ", "import "),
    *("module.exports", "window.", "self.", "globalThis."),
)
"""Beginnings of the first line of a JavaScript file of data."""
CUT_OFF = "the JSON ends in the middle: is the file complete?"


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
    """Return True if the first line may begin values of Python, JavaScript or protobuf."""
    begin = first.lstrip()
    is_script = begin.startswith(SCRIPT_STARTS) or first.rstrip()[-2:] in (" [", " {")
    before, _, value = first.partition("=")
    name, bracket, _ = before.partition("(")
    is_call = bracket != "" and (name[-1:].isalnum() or name[-1:] == "_")
    is_assigned = value.lstrip()[:1] in BRACKETS and before.strip().isidentifier()
    return is_script or begin[:1] in BRACKETS or is_call or is_assigned


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
            if written is text and LOOSE_SIGN.search(text) is not None:
                plain = without_comments(text)
                written = plain if _beginning_of_json(plain)[0] else text
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

        That is a 0 if there are digits, and ␣0 if a field after the first of a line is a number.
        """
        text = self.text
        digits = "0" if any(map(str.isdigit, set(text))) else ""
        if digits and any(before + digit in text for before in FIELDS for digit in "0123456789"):
            digits = "␣0"
        return f"{self.signature.decode('latin-1')} {digits}{text}"

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
        return _beginning_of_json(self.text)

    @property
    def json(self) -> object:
        """The first JSON value, as far as the lines contain it; `None` if there is none."""
        return self._first_json[0]

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
        text = self.text
        decode = json_decoder(parse_constant=lambda name: None).raw_decode
        position = len(text) - len(text.lstrip(" \t\n,"))
        while position < len(text):
            try:
                value, position = decode(text, position)
            except (ValueError, RecursionError):
                rest, _ = _beginning_of_json(text[position:])
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


def json_decoder(**hooks: Any) -> json.JSONDecoder:
    r"""Return a decoder of JSON whose texts may have raw line ends and tabs, unlike RFC 8259.

    >>> json_decoder().decode('{"text": "so\nit is"}')
    {'text': 'so\nit is'}
    """
    import json

    return json.JSONDecoder(strict=False, **hooks)


def truncated_json(text: str) -> tuple[int, int] | None:
    r"""Return the line and column where a sequence of JSON values is truncated, or `None`.

    >>> truncated_json('{"segments": [\n'), truncated_json('{"segments": [}')
    ((1, 15), None)
    """
    import msgspec

    text = text.rstrip()
    decode = json_decoder().raw_decode
    position = 0
    try:
        while position < len(text):
            _, position = decode(text, _skip(text, position))
    except (ValueError, RecursionError):
        try:
            msgspec.json.decode(text[position:])
        except msgspec.DecodeError as problem:
            if "truncated" in str(problem):
                return text.count("\n") + 1, len(text) - text.rfind("\n")
        except (UnicodeEncodeError, RecursionError):
            pass
    return None


BLANKS = lazy_pattern(r"[ \t\n\r]*")
JSON_BEGINNINGS = (*'{["-0123456789', "true", "false", "null", "NaN", "Infinity")
DEEPEST = 10
"""Levels of nesting that are looked into where a text breaks off, and of lists of lists."""


def _beginning_of_json(text: str) -> tuple[object, bool]:
    """Return the first JSON value of a possibly truncated text, and whether it is complete."""
    if not text.lstrip(" \t\n\r").startswith(JSON_BEGINNINGS):
        return None, False
    decode = json_decoder(parse_constant=lambda name: None).raw_decode
    value, end = _part(text, _skip(text, 0), decode, DEEPEST)
    return None if value is _UNREAD else value, end is not None


def _skip(text: str, position: int) -> int:
    return BLANKS.match(text, position).end()  # type: ignore[union-attr]


def _part(text: str, position: int, decode: Any, levels: int) -> tuple[Any, int | None]:
    """Return a JSON value and the position of its end.

    For a truncated value, return its beginning and `None`; a truncated text or number is `_UNREAD`.
    The fast decoder parses complete values, this function the last member of each level.
    """
    try:
        return decode(text, position)  # type: ignore[no-any-return]
    except (ValueError, RecursionError):
        bracket = text[position : position + 1]
    if not levels or bracket not in ("{", "["):
        return _UNREAD, None
    members: dict[str, Any] = {}
    elements: list[Any] = []
    position = _skip(text, position + 1)
    while text[position : position + 1] not in ("", "]", "}"):
        name = None
        if bracket == "{":
            name, end = _part(text, position, decode, 0)
            if end is None or not isinstance(name, str):
                break
            position = _skip(text, end)
            if text[position : position + 1] != ":":
                break
            position = _skip(text, position + 1)
        value, end = _part(text, position, decode, levels - 1)
        if value is not _UNREAD and name is not None:
            members[name] = value
        elif value is not _UNREAD:
            elements.append(value)
        if end is None:
            break
        position = _skip(text, end)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
    return (members if bracket == "{" else elements), None


class ListedFormat(NamedTuple):
    """An entry of the format list: the format's module, and data that need no import."""

    name: str
    shape: str
    """The kind of its content: ``text``, ``xml`` or ``json``."""
    home: str
    """Its module, and with a colon the name of its spec there if that is not ``SPEC``."""
    suffixes: tuple[str, ...] = ()
    """Endings that mean this format; with a slash before, whole file names."""
    shared: tuple[str, ...] = ()
    """Endings that this format has in common with others: they decide nothing."""
    keeps_bytes: bool = False
    """True if it reads text with stray bytes in it, so that these do not end the detection."""
    may_be_yaml: bool = False
    """True if its JSON may be written as YAML, too."""
    sure: str = ""
    """Rules for content of this format, with blanks between; without any its reader is asked."""
    possible: str = ""
    """Rules for content that may be of this format."""
    excluded: str = ""
    """Rules for content that is of another format, whatever else it shows."""
    asks_reader: bool = False
    """True if the format's own detection decides when the rules of no format are sure."""
    signs: str = ""
    """Texts with blanks between, of which a text of this format contains one, or its first bytes
    do; 0 is any digit. Without a sign the reader is neither loaded nor asked."""

    def __hash__(self) -> int:
        return hash(self.name)


# Files that another format's reader would accept with wrong words. Detection rejects them by name;
# a format that is named explicitly (``--from``) wins, as always.
TAKEN_FOR = ("txt", "txt-lines", "kaldi", "stm")
MOST_ELEMENTS = 50
"""Elements of a list that are looked into."""


def sniff_listed(listed: ListedFormat, head: Head) -> Sniff:
    """Return how certain the detection rules of a format are about the first lines of a text."""
    if listed.shape != head.shape and not (listed.may_be_yaml and head.is_yaml):
        return Sniff.NO
    has = has_root if listed.shape == "xml" else has_path

    def any_holds(rules: str) -> bool:
        for rule in rules.split():
            asked = listed.shape, rule
            if asked not in head.rule_answers:
                head.rule_answers[asked] = has(head, rule)
            if head.rule_answers[asked]:
                return True
        return False

    if any_holds(listed.excluded):
        return Sniff.NO
    if any_holds(listed.sure):
        return Sniff.SURE
    return Sniff.MAYBE if any_holds(listed.possible) else Sniff.NO


def has_root(head: Head, rule: str) -> bool:
    """Return True if the XML has the root element and all texts that a rule names."""
    root, *texts = rule.split("+")
    return head.root == root and all(text in head.text for text in texts)


def has_path(head: Head, path: str) -> bool:
    """Return True if the JSON has the members that a path names.

    >>> from formats.detection.rules import Head
    >>> has_path(Head(['[{"words": [{"word": "a", "start": 1}]}]']), "words[].word+start=#")
    True
    """
    if any(head.member_names.isdisjoint(names) for names in _needed(path)):
        return False
    values = head.json_values
    if path.startswith("[]."):
        values = head.json_elements
    elif path.startswith("$."):
        values = head.json_objects
    steps = path.removeprefix("[].").removeprefix("$.").split(".")
    return any(_has(value, steps) for value in values)


@cache
def _needed(path: str) -> list[list[str]]:
    """Return names of members of which an object with this path has one of each list.

    >>> _needed("$.results[].a/b+c=x.d?.{e=#+*id+f?}")
    [['results'], ['a', 'b'], ['c'], ['e']]
    """
    steps = path.removeprefix("[].").removeprefix("$.").split(".")
    parts = [step.strip("{}").split("+") for step in steps]
    rules = [rule for part in parts for rule in part if "*" not in rule and rule[-1:] != "?"]
    return [rule.partition("=")[0].removesuffix("[]").split("/") for rule in rules]


def _has(value: Any, steps: list[str], levels: int = DEEPEST) -> bool:
    """Return True if a value matches the steps of a path.

    In a list, any element may match, down to `levels` nested lists.
    """
    if not steps:
        return True
    if isinstance(value, list):
        elements = value[:MOST_ELEMENTS] if levels else ()
        if any(_has_fraction(element, steps[0]) for element in elements):
            return False
        return any(_has(element, steps, levels - 1) for element in elements)
    if not isinstance(value, dict):
        return False
    step, *rest = steps
    if step == "**":
        # The last member of a beginning may be cut.
        inner = list(value.values())
        return bool(inner) and all(_has(member, rest) for member in inner[:-1] or inner)
    if step.endswith("?"):
        return _has(value.get(step[:-1]), rest) or _has(value, rest)
    names = step.strip("{}").split("+")
    if step.startswith("{"):
        bare = {name.partition("=")[0].removesuffix("[]").rstrip("?") for name in names}
        if not value.keys() <= bare:
            return False
    members: list[Any] = []
    for name in names:
        if not name.endswith("?"):
            members = _members(value, name)
            if not members:
                return False
    return any(_has(member, rest) for member in members)


def _has_fraction(value: Any, step: str) -> bool:
    """Return True if a rule (``start=#``) needs a whole number but the number has a fraction."""
    names = [name.removesuffix("=#") for name in step.split("+") if name.endswith("=#")]
    numbers = [value.get(name) for name in names] if isinstance(value, dict) else []
    return any(isinstance(number, float) and number % 1 for number in numbers)


def _members(value: dict[str, Any], rule: str) -> list[Any]:
    """Return the members of an object whose names match one step of a path."""
    name, equals, pattern = rule.partition("=")
    names = name.removesuffix("[]").split("/")
    if "*" in name:
        values = [v for key, v in value.items() if key in names or _is_like(key, names)]
    else:
        values = [value[key] for key in names if key in value]
    if name.endswith("[]"):
        values = [member for member in values if isinstance(member, list)]
    return [member for member in values if _fits(member, pattern)] if equals else values


def _is_like(key: str, names: list[str]) -> bool:
    if not any("*" in name for name in names):
        return False
    from fnmatch import fnmatchcase

    return any("*" in name and fnmatchcase(key, name) for name in names)


def _fits(member: object, pattern: str) -> bool:
    if pattern == "#":
        return isinstance(member, int) and not isinstance(member, bool)
    if pattern == "##":  # hardly seconds
        return isinstance(member, int) and member >= 1000
    if not pattern:
        return member in ("", [])
    from fnmatch import fnmatchcase

    return isinstance(member, str) and any(fnmatchcase(member, p) for p in pattern.split("|"))

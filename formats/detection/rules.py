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

from formats.detection.head import Head
from formats.detection.json_beginnings import DEEPEST
from formats.detection.spec import ListedFormat, Sniff
from formats.schema import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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

    >>> from formats.detection.head import Head
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

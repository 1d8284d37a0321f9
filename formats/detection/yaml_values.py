"""YAML as the values of JSON that it means: lists, objects, texts, numbers, true, false and null.

``yes``, ``no``, dates and times of day are texts, because they may be words. Anchors are rejected,
because a few lines of anchors can expand to gigabytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from formats.schema import lazy_pattern
from formats.schema.errors import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NUMBER = lazy_pattern(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?\Z", re.ASCII)
DEEPEST = 64
MOST_INCOMPLETE = 20
"""The most lines at the end of a beginning that may be incomplete."""


class YamlError(ValueError):
    """Text that is no YAML, or YAML that is not read; `mark` is the position of the error."""

    def __init__(self, expected: str, mark: Any, found: str | None = None) -> None:
        super().__init__(expected)
        self.expected, self.mark, self.found = expected, mark, found


def parse_yaml(text: str) -> list[Any]:
    """Return the node of each YAML document; raise `YamlError` for invalid YAML and anchors."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _refuse_anchors(yaml.parse(text, Loader=loader))
        return list(yaml.compose_all(text, Loader=loader))
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        raise YamlError(f"YAML ({problem.problem})", mark) from None
    except yaml.YAMLError:
        raise YamlError("YAML", None, "characters that it cannot hold") from None


def _refuse_anchors(events: Iterator[Any]) -> None:
    """Reject anchors and deep nesting; both are found in the parser's events."""
    depth = 0
    for event in events:
        kind = type(event).__name__
        depth += kind.endswith(("MappingStartEvent", "SequenceStartEvent"))
        depth -= kind.endswith(("MappingEndEvent", "SequenceEndEvent"))
        if depth > DEEPEST:
            raise YamlError(f"YAML at most {DEEPEST} levels deep", event.start_mark, "more")
        if (anchor := getattr(event, "anchor", None)) is not None:
            raise YamlError("YAML without anchors", event.start_mark, quoted(anchor))


def value_of(node: Any, say_twice: Callable[[str], object] = str) -> Any:
    """Return the value of a YAML node; `say_twice` gets the names that an object repeats."""
    if node.id == "sequence":
        return [value_of(part, say_twice) for part in node.value]
    if node.id == "mapping":
        members: dict[str, Any] = {}
        for name, value in node.value:
            if name.id != "scalar":
                raise YamlError("a name", name.start_mark)
            if name.value in members:
                say_twice(name.value)
            members[name.value] = value_of(value, say_twice)
        return members
    return _scalar(node)


def _scalar(node: Any) -> Any:
    """Convert a scalar node to a text, a number, true, false or null."""
    kind, text = node.tag.rpartition(":")[2], node.value
    if kind == "null":
        return None
    if kind == "bool" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind in ("int", "float") and NUMBER.match(text):
        return int(text) if kind == "int" and len(text) < 100 else float(text)
    return text


def beginning_of_yaml(lines: Sequence[str]) -> list[object]:
    """Return the lists and objects of the first lines of YAML; empty if these are invalid.

    >>> beginning_of_yaml(["turns:", "- text: so it is", "  start: 1", "- text: 'no"])
    [{'turns': [{'text': 'so it is', 'start': 1}]}]
    """
    for count in range(len(lines), max(0, len(lines) - MOST_INCOMPLETE), -1):
        try:
            values = list(map(value_of, parse_yaml("\n".join(lines[:count]))))
        except YamlError:
            continue
        return values if _have_members(values) else []
    return []


def _have_members(values: Iterable[object]) -> bool:
    return all(isinstance(value, (dict, list)) for value in values)

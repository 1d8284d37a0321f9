"""Reader of YAML as JSON values with line and column.

Only the types of JSON are supported: lists, objects, texts, numbers, true, false and null. ``yes``,
``no``, dates and times of day are texts, because they may be words. Anchors are rejected, because a
few lines of anchors can expand to gigabytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from formats.detection.rules import Head, is_yaml_name
from formats.io.source import Source
from formats.json.messages import JSON_TWICE
from formats.json.value import LARGEST, JsonDocument, JsonValue
from formats.schema.errors import SyntaxFormatError, quoted

NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?\Z")
DEEPEST = 64
MOST_INCOMPLETE = 20
"""The most lines at the end of a beginning that may be incomplete."""


def beginning_of_yaml(lines: Sequence[str]) -> list[object]:
    """Return the lists and objects of the first lines of YAML; empty if these are invalid.

    >>> beginning_of_yaml(["turns:", "- text: so it is", "  start: 1", "- text: 'no"])
    [{'turns': [{'text': 'so it is', 'start': 1}]}]
    """
    from formats.io.source import open_source

    for count in range(len(lines), max(0, len(lines) - MOST_INCOMPLETE), -1):
        try:
            with open_source(io.StringIO("\n".join(lines[:count]))) as source:
                values = YamlDocument(source).top
        except SyntaxFormatError:
            continue
        return values if all(isinstance(value, (dict, list)) for value in values) else []
    return []


def is_yaml(source: Source) -> bool:
    """Return True if an input is YAML and not JSON, by its name or its first lines."""
    return Head(source.head_lines(), is_yaml_file=is_yaml_name(source.name)).is_yaml


class YamlDocument(JsonDocument):
    """The YAML documents of one input."""

    def __init__(self, source: Source) -> None:
        import yaml

        self._set(source, source.text(LARGEST), 1, [])
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self._refuse_anchors(yaml.parse(self.text, Loader=loader))
            self._nodes = list(yaml.compose_all(self.text, Loader=loader))
        except yaml.MarkedYAMLError as problem:
            mark = problem.problem_mark or problem.context_mark
            raise self._error(f"YAML ({problem.problem})", mark) from None
        except yaml.YAMLError:
            raise SyntaxFormatError(
                path=source.name, expected="YAML", found="characters that it cannot hold"
            ) from None
        self.top = [self._value(node) for node in self._nodes]
        self.shows_index = len(self.top) > 1

    def _refuse_anchors(self, events: Iterator[Any]) -> None:
        """Reject anchors and deep nesting, which the events of the parser show."""
        depth = 0
        for event in events:
            kind = type(event).__name__
            depth += kind.endswith(("MappingStartEvent", "SequenceStartEvent"))
            depth -= kind.endswith(("MappingEndEvent", "SequenceEndEvent"))
            if depth > DEEPEST:
                raise self._error(f"YAML at most {DEEPEST} levels deep", event.start_mark, "more")
            if getattr(event, "anchor", None) is not None:
                raise self._error("YAML without anchors", event.start_mark, quoted(event.anchor))

    def _error(self, expected: str, mark: Any, found: str | None = None) -> SyntaxFormatError:
        line = None if mark is None else mark.line + 1
        if found is None:
            lines = self.text.split("\n", line or 1)
            rest = lines[mark.line][mark.column :] if mark and mark.line < len(lines) else ""
            found = quoted(rest[:40]) if rest else "the end of the line"
        return SyntaxFormatError(
            path=self.source.name,
            line=line,
            column=None if mark is None else mark.column + 1,
            expected=expected,
            found=found,
        )

    def _value(self, node: Any) -> Any:
        """Convert a YAML node to a value with JSON types."""
        if node.id == "sequence":
            return [self._value(part) for part in node.value]
        if node.id == "mapping":
            members: dict[str, Any] = {}
            for name, value in node.value:
                if name.id != "scalar":
                    raise self._error("a name", name.start_mark)
                if name.value in members:
                    self.source.log.say(JSON_TWICE, name=name.value)
                members[name.value] = self._value(value)
            return members
        return _scalar(node)

    def starts_in(self, owner: JsonValue | None) -> list[int | None]:
        """Return the positions of the documents, or of the elements of a list."""
        parent = None if owner is None else self._node(owner)
        if owner is not None and (parent is None or len(parent.value) != len(owner.value)):
            return [None] * len(owner.value)
        nodes = self._nodes if parent is None else parent.value
        return [node.start_mark.index for node in nodes]

    def start_of(self, value: JsonValue) -> int | None:
        """Return the position at which a value begins; `None` if it was moved."""
        node = self._node(value)
        return None if node is None else int(node.start_mark.index)

    def _node(self, value: JsonValue) -> Any:
        """Return the YAML node of a value, or `None` if the value was moved."""
        if value.parent is None:
            return self._nodes[int(value.step)]
        node = None if self.has_moved else self._node(value.parent)
        if node is None or node.id == "scalar":
            return None
        if isinstance(value.step, int):
            return node.value[value.step] if value.step < len(node.value) else None
        inner = (inner for name, inner in reversed(node.value) if name.value == value.step)
        return next(inner, None)


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

"""YAML documents with the values of JSON, with line and column."""

from __future__ import annotations

from typing import Any

from formats.detection.head import Head, is_yaml_name
from formats.detection.yaml_values import YamlError, parse_yaml, value_of
from formats.io.source import Source
from formats.json.messages import JSON_TWICE
from formats.json.value import LARGEST, JsonDocument, JsonValue
from formats.schema.errors import SyntaxFormatError, quoted


def is_yaml(source: Source) -> bool:
    """Return True if an input is YAML and not JSON, by its name or its first lines."""
    return Head(source.head_lines(), is_yaml_file=is_yaml_name(source.name)).is_yaml


class YamlDocument(JsonDocument):
    """The YAML documents of one input."""

    def __init__(self, source: Source) -> None:
        self._set(source, source.text(LARGEST), 1, [])
        try:
            self._nodes = parse_yaml(self.text)
            self.top = [value_of(node, self._say_twice) for node in self._nodes]
        except YamlError as problem:
            raise self._error(problem.expected, problem.mark, problem.found) from None
        self.shows_index = len(self.top) > 1

    def _say_twice(self, name: str) -> None:
        self.source.log.say(JSON_TWICE, name=name)

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

"""Shared code of the JSON writers: numbers, and words with their times.

Times are written as JSON numbers without trailing zeros, rounded half to even. A confidence is the
shortest number that parses as the same double.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from formats.io.sink import Sink
from formats.json.messages import RULE_NOT_A_NUMBER, RULE_NOT_EVERY_WORD_HAS
from formats.manifests.records import RecordOut
from formats.schema.model import Segment

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")


class NumberText(str):
    """The text of a number that is written to JSON with exactly these digits."""

    __slots__ = ()


def json_text(value: Any) -> str:
    """Return `value` as one line of JSON without escapes for non-ASCII characters."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def json_object(members: Mapping[str, Any]) -> str:
    """Return an object as one line of JSON; values of type `NumberText` keep their digits."""
    texts = (
        f"{json_text(name)}: {value if isinstance(value, NumberText) else json_text(value)}"
        for name, value in members.items()
    )
    return "{" + ", ".join(texts) + "}"


class JsonOut(RecordOut):
    """A segment to be written as JSON, with its words."""

    __slots__ = ()

    def __init__(self, segment: Segment, sink: Sink, precision: int) -> None:
        super().__init__(segment, sink, precision)
        self.no_empty_word()

    def numbers(self, names: Sequence[str]) -> dict[str, NumberText]:
        """Return the numeric properties of the segment by name; count other values as lost."""
        texts = {name: self.segment.get(name) for name in names}
        kept = {
            name: NumberText(text) for name, text in texts.items() if text and NUMBER.match(text)
        }
        lost = sum(text is not None for text in texts.values()) - len(kept)
        self.lost("properties", lost, RULE_NOT_A_NUMBER)
        return kept

    def words(self, text: str, confidence: str, before: str = "") -> list[dict[str, Any]] | None:
        """Return one JSON object per word with ``start`` and ``end``.

        `text` and `confidence` are the names of the other members. If a word has no times, return
        `None`, and count the loss.
        """
        segment = self.segment
        starts, ends = segment.starts_ns or (), segment.ends_ns or ()
        if not (starts and ends and segment.is_timed):
            timed = sum(times != (None, None) for times in zip_longest(starts, ends))
            sure = sum(value is not None for value in segment.confidences or ())
            for kind, count in (("word times", timed), ("confidences", sure)):
                self.lost(kind, count, RULE_NOT_EVERY_WORD_HAS)
            return None
        items: list[dict[str, Any]] = [
            {text: before + word, "start": self.seconds(start or 0), "end": self.seconds(end or 0)}
            for word, start, end in zip(segment.words, starts, ends, strict=True)
        ]
        for item, value in zip(items, segment.confidences or (), strict=False):
            if value is not None:
                item[confidence] = value
        return items

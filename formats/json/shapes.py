"""What words of JSON are called: a format says it once, reading and errors with places follow."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from formats.json.spoken_words import SpokenWord
from formats.spec import Sniff

if TYPE_CHECKING:
    from formats.beginning import Head
    from formats.json.document import JsonValue


class WordShape:
    """Names of the members of a word; of several the first that is there counts.

    `others` are known and not read; any more are counted and noted.
    """

    def __init__(
        self,
        text: str = "word",
        *,
        start: str = "start",
        end: str = "end",
        length: str = "",
        confidence: str = "confidence",
        display: str = "",
        speaker: str = "",
        language: str = "",
        others: str = "",
        per_second: int = 1,
    ) -> None:
        self.names = [
            one.split()
            for one in (text, start, end, length, confidence, display, speaker, language)
        ]
        self.others = others.split()
        self.per_second = per_second

    @cached_property
    def known(self) -> frozenset[str]:
        """All members of a word that this shape declares."""
        return frozenset([name for names in self.names for name in names] + self.others)

    def read(self, value: JsonValue) -> SpokenWord:
        """The word that an object says; what is wrong is told with its place."""
        value.expect_members(self.known)
        text, start, end, length, confidence, display, speaker, language = self.names
        said = value.required(*text).text()
        start_ns, end_ns = value.span_of_any(start, end, per_second=self.per_second)
        lasts = value.time_of(*length, per_second=self.per_second)
        if start_ns is not None and lasts is not None:
            end_ns = start_ns + lasts
        return SpokenWord(
            said,
            start_ns,
            end_ns,
            value.confidence_of(*confidence),
            value.text_of(*display),
            speaker=value.name_of(*speaker),
            language=value.text_of(*language),
        )


def sniffer(*sure: str, elements: bool = True) -> Callable[[Head], Sniff]:
    """Detect JSON that has one of these paths: ``results.channels[]``, ``channel.alternatives``.

    ``name[]`` is a list, whose first element is examined; ``name[]=`` is an empty list;
    ``name=a|b`` is one of these texts; ``a+b`` needs both in one object.
    """

    def has(value: object, path: str) -> bool:
        for step in path.split("."):
            if isinstance(value, list):
                value = value[0] if value else None
            if not isinstance(value, dict):
                return False
            for name in step.split("+"):
                name, equals, wanted = name.partition("=")
                found = value.get(name.removesuffix("[]"), ...)
                if found is ... or (name.endswith("[]") and not isinstance(found, list)):
                    return False
                if equals and (found not in wanted.split("|") if wanted else found != []):
                    return False
            value = found
        return True

    def sniff(head: Head) -> Sniff:
        top = head.json
        tops = top if elements and isinstance(top, list) else [top]
        is_sure = any(has(one, path) for one in tops for path in sure)
        return Sniff.SURE if is_sure else Sniff.NO

    return sniff

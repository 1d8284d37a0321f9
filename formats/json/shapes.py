"""What words of JSON are called: a format says it once, reading and errors with places follow."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from formats.json.spoken_words import SpokenWord

if TYPE_CHECKING:
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

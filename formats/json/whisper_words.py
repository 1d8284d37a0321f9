"""What the Whisper family shares: which pieces make a word, and what looks invented.

Whisper writes words with the blank before them: ``" New"``, ``" York"``, ``"-based"``. A piece
without one goes on with the word before it, but where the language is written without blanks, or
no piece of a file begins with a blank, each stands alone.
"""

from __future__ import annotations

from collections import Counter

from formats.model import Segment
from formats.source import Source

WITHOUT_BLANKS = frozenset(
    {
        *("zh", "ja", "th", "lo", "my", "yue"),
        *("chinese", "mandarin", "cantonese", "japanese", "thai", "lao", "myanmar", "burmese"),
    }
)
"""Languages that Whisper itself cuts at characters, by code and by its English name."""

COMPRESSION = 2.4


def is_written_without_blanks(language: str | None) -> bool:
    """Whether Whisper cuts this language at characters and not at blanks.

    >>> is_written_without_blanks("zh-CN"), is_written_without_blanks("english")
    (True, False)
    """
    return language is not None and language.lower().replace("_", "-").split("-")[0] in (
        WITHOUT_BLANKS
    )


class RepeatHints:
    """Finds segments that Whisper may have made up; they are marked and never removed.

    The property ``hint`` of a segment lists ``compression`` (its text compresses more than
    2.4-fold, Whisper's own limit), ``repeated`` (it says what the one before says) and
    ``beyond-audio`` (it ends after the audio, whose length is given in nanoseconds).
    """

    def __init__(self, source: Source, duration_ns: int | None = None) -> None:
        self._source = source
        self._duration_ns = duration_ns
        self._words: tuple[str, ...] = ()
        self._counts: Counter[str] = Counter()

    def marked(self, segment: Segment) -> Segment:
        """The segment with a property ``hint`` if there is cause."""
        hints = []
        ratio = segment.get("compression_ratio")
        if ratio is not None and float(ratio) > COMPRESSION:
            hints.append("compression")
        if segment.words and segment.words == self._words:
            hints.append("repeated")
        if self._duration_ns is not None and (segment.end_ns or 0) > self._duration_ns:
            hints.append("beyond-audio")
        self._words = segment.words
        if not hints:
            return segment
        self._counts.update(hints)
        properties = sorted([*segment.properties, ("hint", " ".join(hints))])
        return segment.replace(properties=tuple(properties))

    def report(self) -> None:
        """Note how many segments were marked, and why."""
        if self._counts:
            why = ", ".join(f"{hint}: {count}" for hint, count in self._counts.items())
            self._source.log.note("WHISPER-HINT", f"segments that may be made up ({why}); kept")

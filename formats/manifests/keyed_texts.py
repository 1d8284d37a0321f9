"""Texts of prompts: the key of what a program says, and its words in brackets behind the key."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from formats.schema import lazy_pattern

KEYED = lazy_pattern(r"\s*([A-Za-z]\w{0,60})\s+\((.+)\)\s*\Z", re.DOTALL)
"""A key, and words in brackets behind it."""
CODED = lazy_pattern(r"[a-z][A-Z]|[0-9]|_")
"""Part of a key that is no word: ``IntroV4``, ``how_long``."""
FEWEST_KEYS, MOST_KEYED = 2, 0.6
"""The fewest keys that are no words, and the share of the texts of a speaker with a key."""


def speakers_with_keys(texts: Sequence[Any], speakers: Sequence[Any]) -> Collection[str]:
    """Return the speakers most of whose texts are keys with the words in brackets behind them.

    Half of the keys are no words.

    >>> texts = ["IntroV4 (so it is)", "well (laughs)", "how_long (and how long)", "bye (goodbye)"]
    >>> speakers_with_keys(texts, ["A", "B", "A", "A"]), speakers_with_keys(texts[1:2] * 4, "AAAA")
    ({'A'}, set())
    """
    said: dict[str, list[str]] = {}
    for text, speaker in zip(texts, speakers, strict=False):
        if isinstance(text, str) and text.strip():
            said.setdefault(str(speaker), []).append(text)
    return {speaker for speaker, some in said.items() if _are_keyed(some)}


def _are_keyed(texts: Sequence[str]) -> bool:
    keys = [match[1] for text in texts if (match := KEYED.match(text))]
    codes = sum(CODED.search(key) is not None for key in keys)
    is_usual = len(keys) >= MOST_KEYED * len(texts)
    return is_usual and codes >= FEWEST_KEYS and 2 * codes >= len(keys)


def without_key(text: Any) -> Any:
    """Return the words in brackets behind a key; any other value unchanged.

    >>> without_key("how_long (and how long)"), without_key("so it is")
    ('and how long', 'so it is')
    """
    match = KEYED.match(text) if isinstance(text, str) else None
    return text if match is None else match[2]

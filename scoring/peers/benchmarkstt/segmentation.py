r"""Cut text into items.

>>> [item["@raw"] for item in Simple("  two words\n")]
['  two ', 'words\n']
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Protocol

from scoring.peers.benchmarkstt.factory import CoreFactory
from scoring.peers.benchmarkstt.schema import Item


class Normalizes(Protocol):
    """An object whose method `normalize` changes a text."""

    def normalize(self, text: str) -> str:
        """Return the normalized text."""


class Segmenter(ABC):
    """Base of segmenters, which cut a text into items.

    Iteration yields each `Item`.
    """

    @abstractmethod
    def __iter__(self) -> Iterator[Item]:
        """Yield the items."""
        raise NotImplementedError


class Simple(Segmenter):
    r"""Splits text into words at whitespace."""

    def __init__(
        self, text: str, pattern: str = r"[\n\t\s]+", normalizer: Normalizes | None = None
    ) -> None:
        self._text = text
        self._pattern = re.compile(pattern)
        self._normalizer = normalizer

    def __iter__(self) -> Iterator[Item]:
        text = self._text if self._normalizer is None else self._normalizer.normalize(self._text)
        leading = self._pattern.match(text)
        begin = leading.end() if leading else 0
        raw_begin = 0
        if text and begin == len(text):
            yield _word("", text)
            return
        for separator in self._pattern.finditer(text, begin):
            if separator.end() == separator.start():
                continue
            yield _word(text[begin : separator.start()], text[raw_begin : separator.end()])
            begin = raw_begin = separator.end()
        if begin < len(text):
            yield _word(text[begin:], text[raw_begin:])


def _word(word: str, raw: str) -> Item:
    return Item({"item": word, "type": "word", "@raw": raw})


factory: CoreFactory[Segmenter] = CoreFactory(Segmenter)
factory.register(Simple)

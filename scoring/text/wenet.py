"""The words counted by WeNet's scoring script `compute-wer.py --char=1`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from scoring.text.step import Step
from scoring.text.unicode_forms import BLANK

_BLANKS = " \t\r\n"
# They are skipped where a word would begin with one.
_PUNCTUATION = frozenset("!,?、。！，；？：「」︰『』《》")
_ASCII = re.compile(r"[^ \t\r\n\x80-\U0010ffff]*")
_IN_TAG = re.compile(r"[^ \t\r\n>\x80-\U0010ffff]*>?")
_TAG = re.compile(r"<[^>]*(?:>|\Z)")


@dataclass(frozen=True, slots=True, repr=False)
class WenetCharacters(Step):
    """Cut text into characters and words in capitals, as WeNet's `compute-wer.py --char=1` does.

    Each letter without case (Unicode category Lo, for example Chinese) is a word. Any other
    character begins a word that continues with ASCII characters; punctuation at the beginning of a
    word is dropped. Tags such as `<unk>` are dropped.

    >>> WenetCharacters()("你好,hello world! <unk>呀")
    '你 好 HELLO WORLD! 呀'
    """

    name = "wenet-characters"
    removes = True

    def __call__(self, text: str) -> str:
        """Return the words, separated by blanks."""
        words: list[str] = []
        place = 0
        while place < len(text):
            character = text[place]
            category = unicodedata.category(character)
            begin, place = place, place + 1
            if character in _PUNCTUATION or character in _BLANKS or category in ("Zs", "Cn"):
                continue
            if category != "Lo":
                rest = _IN_TAG if character == "<" else _ASCII
                match = rest.match(text, place)
                place = place if match is None else match.end()
            words.append(_TAG.sub("", text[begin:place].upper()))
        return BLANK.join(filter(None, words))

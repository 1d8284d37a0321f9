"""Rule sets for texts of trs files, which remove marks that transcribers use by convention.

A named rule set never changes; improved rules get a new name.

``ester-1`` follows the conventions of the French broadcast evaluations:

=============  ======================================================================
in the text    becomes
=============  ======================================================================
``^^word``     ``word`` (spelling not known for certain)
``*word``      ``word`` (mispronounced)
``%word``      ``word``, of type ``fp`` (a noise of speech, such as a filler)
``bonj()``     ``bonj-``, of type ``frag`` (broken off)
``bon(jour)``  ``bon-``, of type ``frag`` (the part in parentheses was not said)
``+[text]``    nothing (a remark about the preceding word)
``[text]``     an event with the words of the text
=============  ======================================================================
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from formats.annotation.tier_reading import words_of

BRACKETS = re.compile(r"(\+?)\[([^\[\]]*)\]")
UNSAID = re.compile(r"\([^()]*\)")


class CleanText(NamedTuple):
    """The cleaned text: words, their types if the rules set types, and the texts of events."""

    words: list[str]
    kinds: Sequence[str | None] = ()
    events: Sequence[str] = ()
    remarks: int = 0


def _ester_1(text: str) -> CleanText:
    words: list[str] = []
    kinds: list[str | None] = []
    events: list[str] = []
    remarks = 0

    def take(bracket: re.Match[str]) -> str:
        nonlocal remarks
        if bracket[1]:
            remarks += 1
        elif bracket[2].strip():
            events.append(bracket[2])
        return " "

    for word in words_of(BRACKETS.sub(take, text)):
        kind = None
        word = word.lstrip("^*")
        if word.startswith("%"):
            word, kind = word.lstrip("%^*"), "fp"
        if UNSAID.search(word) and not UNSAID.fullmatch(word):
            word, kind = UNSAID.sub("-", word), "frag"
        if word:
            words.append(word)
            kinds.append(kind)
    return CleanText(words, kinds, events, remarks)


RULE_SETS: dict[str, Callable[[str], CleanText]] = {
    "none": lambda text: CleanText(words_of(text)), "ester-1": _ester_1
}  # fmt: skip

"""More words in the text of every message: the proof that nothing depends on wording.

In the tests of `formats`, and of the commands and sides of `scoring`, the texts of all catalogues
have up to four more words each. The environment variable ``ONE_MORE_WORD`` says otherwise: with ``remarks``, errors have none; with
any other text, which chooses the words and their places, each message has one; empty, none has any.
Tests that quote messages on purpose, such as those of the catalogues and of console sessions in the
docs, are marked `quotes` and see the texts as they are, and so do examples in docstrings. What was
expected and found in a file is no text of a catalogue, and stays as it is; so do the few words of
rules of losses (`formats.schema.messages.rule`), which tests list with their numbers.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from random import Random

from formats.schema.messages import ERROR, EXPECTED, Message, render

SEED = os.environ.get("ONE_MORE_WORD", "many")
HAS_MANY = SEED in ("many", "remarks")
MANY = 4
_ONE_FIELD = re.compile(r"\{\w+\}")  # an entry without words of its own
# short ones where there are many: long messages are cut
WORDS = ("qz",) if HAS_MANY else ("albeit", "forsooth", "hereby", "perchance", "verily")


@cache
def with_a_word(text: str) -> str:
    """Add one more word to a template: at a random place between two others, or at the end."""
    random = Random(f"{SEED} {text}")
    words = text.split(" ")
    ends = [
        end
        for end in range(1, len(words) + 1)
        if " ".join(words[:end]).count("{") == " ".join(words[:end]).count("}")
    ]
    places = random.sample(ends, min(MANY, len(ends)) if HAS_MANY else 1)
    for end in sorted(places, reverse=True):
        words.insert(end, random.choice(WORDS))
    return " ".join(words)


def _has_a_word(text: str) -> bool:
    """True for a text that was read from a record, which has its word already."""
    return not {*WORDS}.isdisjoint(text.split())


UNCHANGED = Message.__str__


def are_added() -> bool:
    """True while all messages have more words."""
    return Message.__str__ is not UNCHANGED


@contextmanager
def add_words() -> Iterator[None]:
    """Change the text of every message of this process."""

    def changed(message: Message) -> str:
        text = message.entry.text
        is_left = SEED == "remarks" and message.severity == ERROR
        is_rule = message.entry.code == "LOST"
        if not (
            is_left
            or is_rule
            or EXPECTED.text in text
            or _ONE_FIELD.fullmatch(text)
            or _has_a_word(text)
        ):
            text = with_a_word(text)
        return render(text, message.fields, message.advice)

    unchanged = Message.__str__
    Message.__str__ = changed  # type: ignore[method-assign]
    try:
        yield
    finally:
        Message.__str__ = unchanged  # type: ignore[method-assign]

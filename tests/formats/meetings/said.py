"""What was said, for texts of several layouts, and how it is read."""

from io import BytesIO

import formats

SAID = [
    "Good morning, and welcome to the hearing of today.",
    "Thank you, I have a question about the bridge.",
    "Please go ahead.",
    "The bridge will be open again in May, as we said before.",
    "And what of the road beside it?",
    "One at a time, please.",
    "The road is not part of it, as far as I know.",
    "Thank you both. That is all for today.",
]
Turn = tuple[str | None, float | None, str]


def named(text: str) -> BytesIO:
    """Return a text as a file with a name."""
    source = BytesIO(text.encode())
    source.name = "a.txt"
    return source


def turns(text: str) -> list[Turn]:
    """Return the speaker, the start and the words of each turn of a text."""
    return [(s.speaker, s.start, " ".join(s.words)) for s in formats.read(named(text))]

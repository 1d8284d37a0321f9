"""Pipelines that come with this package, by name.

A change that can move a score raises the version of the pipeline or of its step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from scoring.text.casing import Casefold, Lowercase
from scoring.text.contractions import Contractions
from scoring.text.fillers import Fillers
from scoring.text.pipeline import NONE, Pipeline
from scoring.text.punctuation import Apostrophes, Brackets, Punctuation
from scoring.text.replacing import Regex, Replace
from scoring.text.spoken_forms import Numbers
from scoring.text.step import Step
from scoring.text.unicode_forms import UnicodeForm, Whitespace
from scoring.text.whisper import WhisperSpelling

EVERY_BRACKET = ("square", "angle", "round")
_CURRENCIES = (("$", "dollars"), ("€", "euros"), ("£", "pounds"))


class Bundled(NamedTuple):
    """A pipeline that comes with this package; its steps are created on first use."""

    name: str
    title: str
    steps: Callable[[], Sequence[Step]]
    version: str = "1"

    def build(self) -> Pipeline:
        """Return the pipeline."""
        steps = self.steps()
        return Pipeline(steps, self.name, self.version) if steps else NONE


def _plain() -> Sequence[Step]:
    kept = Punctuation(keep=("apostrophe", "decimal", "initials"))
    return UnicodeForm("NFC"), Casefold(), kept, Whitespace()


def _basic_safe() -> Sequence[Step]:
    return (
        UnicodeForm("NFKC"),
        Lowercase(),
        Brackets(EVERY_BRACKET),
        Punctuation(keep=(), symbols=True),
        Whitespace(),
    )


def _english_safe() -> Sequence[Step]:
    return (
        UnicodeForm("NFKC"),
        Lowercase(),
        Brackets(EVERY_BRACKET),
        Apostrophes(),
        *(_currency(sign, name) for sign, name in _CURRENCIES),
        Replace("%", " percent "),
        Punctuation(keep=("apostrophe", "number"), symbols=True),
        Whitespace(),
        Fillers("ignore"),
        WhisperSpelling(),
        Contractions(),
        Numbers(),
    )


def _currency(sign: str, name: str) -> Regex:
    """Return a rule that writes a currency name after its amount: `20 million dollars`."""
    amount = r"\d[\d,]*(?:\.\d+)?(?: (?:thousand|million|billion|trillion)\b)?"
    return Regex(rf"[{sign}]\s?({amount})", rf"\1 {name}")


BUNDLED = (
    Bundled("none", "nothing changes", tuple),
    Bundled(
        "plain",
        "NFC, case folded, no punctuation but apostrophes in words and signs of decimals; "
        "initials are one word",
        _plain,
        version="2",
    ),
    Bundled(
        "whisper-basic-safe", "as whisper-basic, but words keep their vowel signs", _basic_safe
    ),
    Bundled(
        "whisper-english-safe",
        "most of what whisper-english equates stays open for the aligner; nothing is misread",
        _english_safe,
    ),
)

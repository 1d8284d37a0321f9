"""A step of normalisation in a package of its own."""

from __future__ import annotations

from dataclasses import dataclass

from sclite_kit.plugin import Step


@dataclass(frozen=True, slots=True, repr=False)
class WithoutStars(Step):
    """Without the stars that mark unclear words."""

    name = "without-stars"
    word_by_word = True
    mark: str = "*"

    def __call__(self, text: str) -> str:
        """The text after this step."""
        return text.replace(self.mark, "")

"""The interface of every kind of language model, and the errors of reading one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scoring.model.errors import OriginalError

if TYPE_CHECKING:
    from scoring.model.aliases import Say

UNKNOWN = 0
"""The number of every word that is not in a model."""

# Gets a message for the error stream, final newline included.


class ModelError(OriginalError):
    """A model that cannot be read, or gives a probability above 1; in sclite's text if any."""

    status = 255


class MalformedModelError(ModelError):
    """A file that ends early or contradicts itself."""

    def __init__(self, name: str, offset: int, problem: str, original: str = "") -> None:
        super().__init__(f"{original}sclite: {name}: at byte {offset}: {problem}\n")
        self.offset = offset


class LanguageModel(Protocol):
    """A model whose words are numbered from 1; 0 is any other word."""

    order: int  # the longest n-gram the model knows

    def number(self, word: bytes) -> int:
        """Return the number of a word, 0 if the model does not have it."""

    def bits(self, words: tuple[int, ...], say: Say) -> float:
        """Return the surprise at the last word after the others: -log2 of its probability."""

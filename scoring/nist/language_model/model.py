"""The interface of language models, and the errors of their readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scoring.model.errors import OriginalError

if TYPE_CHECKING:
    from scoring.model.aliases import Say

UNKNOWN = 0
"""The number of all words outside a model."""

# Gets a message for the error stream, final newline included.


class ModelError(OriginalError):
    """Raised for a model that is unreadable or has a probability above 1.

    The message is sclite's, if sclite has one for this error.
    """

    status = 255


class MalformedModelError(ModelError):
    """Raised for a model file that ends early or contradicts itself."""

    def __init__(self, name: str, offset: int, problem: str, original: str = "") -> None:
        super().__init__(f"{original}sclite: {name}: at byte {offset}: {problem}\n")
        self.offset = offset


class LanguageModel(Protocol):
    """A language model; its words are numbered from 1, and 0 is a word outside the model."""

    order: int  # the longest n-gram the model knows

    def number(self, word: bytes) -> int:
        """Return the number of a word, 0 if the word is not in the model."""

    def bits(self, words: tuple[int, ...], say: Say) -> float:
        """Return the surprisal of the last of `words` in bits: -log2 of its probability."""

"""Names of types that several rooms use, each with one meaning.

The words of an utterance and their alternatives are `Words` and `Item` of `formats.schema.words`;
arrays are in `scoring.model.arrays`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"""An object of JSON, by the names of its members."""
Say: TypeAlias = Callable[[str], None]
"""Takes a text for a person, with its line feed."""

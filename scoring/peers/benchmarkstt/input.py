"""Inputs: texts and files that yield items such as words."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

from scoring.peers.benchmarkstt.factory import CoreFactory
from scoring.peers.benchmarkstt.file_access import checked_path, read_text
from scoring.peers.benchmarkstt.schema import Item
from scoring.peers.benchmarkstt.segmentation import Normalizes, Segmenter, Simple

INFER = "infer"


class Input(ABC):
    """Base of inputs: an iterable of `Item`."""

    @abstractmethod
    def __iter__(self) -> Iterator[Item]:
        """Yield the items."""
        raise NotImplementedError


class PlainText(Input):
    """A text, cut into items by a segmenter.

    If there is a normalizer, it first changes the text.
    """

    def __init__(
        self,
        text: str,
        normalizer: Normalizes | None = None,
        segmenter: Callable[..., Segmenter] | None = None,
    ) -> None:
        self._text = text
        self._normalizer = normalizer
        self._segmenter = Simple if segmenter is None else segmenter

    def __iter__(self) -> Iterator[Item]:
        return iter(self._segmenter(self._text, normalizer=self._normalizer))


class File(Input):
    """A file whose text is cut into items; a normalizer, if there is one, first changes the text.

    Parameters
    ----------
    input_type
        `infer`: by the extension, which must be `.txt`; `plaintext`; or a class that is called
        with the text. None is `infer`.

    Raises
    ------
    ValueError, ImportError
        If the type cannot be inferred, or there is no such type.
    FileNotFoundError
        If there is no such file.
    """

    _TYPES: ClassVar[dict[str, Callable[..., Input]]] = {"txt": PlainText}

    def __init__(
        self,
        file: str | os.PathLike[str],
        input_type: str | Callable[..., Input] | None = None,
        normalizer: Normalizes | None = None,
    ) -> None:
        self._file = checked_path(file)
        self._normalizer = normalizer
        if input_type is None or input_type == INFER:
            self._type: Callable[..., Input] = self._inferred()
        else:
            self._type = factory[input_type] if isinstance(input_type, str) else input_type
        os.stat(self._file)

    def _inferred(self) -> Callable[..., Input]:
        extension = os.path.splitext(self._file)[1] or os.path.basename(self._file)
        if not extension.startswith("."):
            raise ValueError("Cannot infer input file type of files without an extension")
        extension = extension[1:]
        try:
            return self._TYPES[extension.lower()]
        except KeyError:
            raise ValueError(
                f"Cannot infer input file type for files of extension {extension}"
            ) from None

    @classmethod
    def available_types(cls) -> dict[str, str]:
        """Return the names of the file types except `infer`, each with its meaning."""
        return {"plaintext": "the file is text, whatever its extension"}

    def __iter__(self) -> Iterator[Item]:
        return iter(self._type(read_text(self._file), normalizer=self._normalizer))


factory: CoreFactory[Input] = CoreFactory(Input)
factory.register(File)
factory.register(PlainText)

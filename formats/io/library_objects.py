"""Objects of subtitle and annotation libraries, which are read and written like files.

An `SSAFile` of pysubs2 is read as ``ass`` and a `TextGrid` of textgrid as ``textgrid``, with the
options of these formats. The readers use the object itself. Neither library is imported to check
the type of an object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from pysubs2.ssafile import SSAFile as SSAFile

    class TextGrid(Protocol):
        """The attributes of a `TextGrid` object that readers use; the library has no type hints."""

        minTime: Any  # noqa: N815
        maxTime: Any  # noqa: N815

        @property
        def tiers(self) -> Sequence[Any]:
            """The tiers of intervals and points."""


FORMATS = {("pysubs2", "SSAFile"): "ass", ("textgrid", "TextGrid"): "textgrid"}


def object_format(target: object) -> str | None:
    """Return the format name for an object of a known library; `None` for any other object.

    >>> import pysubs2
    >>> object_format(pysubs2.SSAFile()), object_format("talk.ass")
    ('ass', None)
    """
    for base in type(target).__mro__:
        name = FORMATS.get((base.__module__.partition(".")[0], base.__name__))
        if name is not None:
            return name
    return None

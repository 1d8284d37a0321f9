"""Which formats there are, and which one a name, a file name or a text means.

The list is written out by hand: reading it tells all that exists.
"""

from __future__ import annotations

from formats import ctm, stm, trn, txt
from formats.errors import AmbiguousFormatError, UnknownFormatError, close_names, quoted
from formats.spec import Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from formats.source import Source
    from formats.spec import FormatSpec

__all__ = ["FORMATS", "by_name", "by_suffix", "detect", "names"]

FORMATS: tuple[FormatSpec, ...] = (trn.SPEC, txt.SPEC, txt.LINES_SPEC, stm.SPEC, ctm.SPEC)


def names() -> tuple[str, ...]:
    """The names of all formats."""
    return tuple(spec.name for spec in FORMATS)


def by_name(name: str) -> FormatSpec:
    """The format called `name`, in any case.

    Raises
    ------
    UnknownFormatError: no such format; its `candidates` are the close names.

    Examples
    --------
    >>> by_name("STM")
    <FormatSpec stm: NIST segment time marks: timed segments with speaker, labels and text>
    """
    for spec in FORMATS:
        if spec.name == name.lower():
            return spec
    near = close_names(name, names())
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UnknownFormatError(
        f"expected a format out of {', '.join(names())}, found {quoted(name)}{meant}",
        candidates=near or names(),
    )


def by_suffix(path: str) -> FormatSpec | None:
    """The format whose suffix `path` has, ``.gz`` left aside, or `None`.

    >>> by_suffix("talks/monday.CTM.gz")
    <FormatSpec ctm: NIST conversation time marks: one timed word per line>
    """
    lowered = path.lower().removesuffix(".gz")
    for spec in FORMATS:
        if lowered.endswith(spec.suffixes):
            return spec
    return None


def detect(source: Source, formats: Sequence[FormatSpec] = ()) -> FormatSpec:
    """The format of an opened input: by its content, then by its suffix.

    A format that is sure of the content wins, with a warning where the suffix says otherwise.
    If none is sure, the suffix decides. Nothing is guessed: a single format that thinks the content
    possible is not enough without the suffix.

    Raises
    ------
    AmbiguousFormatError: two formats are sure.
    UnknownFormatError: none is sure, and the suffix says nothing.
    EncodingFormatError: the beginning is not text.
    """
    formats = formats or FORMATS
    source.check_head()
    lines = source.head_lines()
    answers = [(spec, spec.sniff(lines)) for spec in formats]
    sure = [spec for spec, answer in answers if answer is Sniff.SURE]
    named = by_suffix(source.name)
    if len(sure) > 1:
        found = [spec.name for spec in sure]
        raise AmbiguousFormatError(
            f"the content may be {' or '.join(found)}: name the format (--from)",
            path=source.name,
            candidates=found,
        )
    if sure:
        if named is not None and named is not sure[0]:
            source.log.warn(
                "FORMAT-SUFFIX",
                f"read as {sure[0].name} because of its content, though its name says {named.name}",
            )
        return sure[0]
    if named is not None:
        return named
    candidates = [spec.name for spec, answer in answers if answer is Sniff.MAYBE]
    known = ", ".join(candidates or names())
    raise UnknownFormatError(
        f"the content is of no known format: name one of {known} (--from)",
        path=source.name,
        candidates=candidates or names(),
    )

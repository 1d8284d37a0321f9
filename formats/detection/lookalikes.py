"""Files that another format's reader would accept with wrong words.

Detection rejects them by name. A format that is named explicitly (``--from``) wins, as always.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from formats.schema.errors import UnknownFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formats.io.source import Source

TAKEN_FOR = ("txt", "txt-lines", "kaldi", "stm")
SPK2UTT = re.compile(r"(?=\S*\d)(\S{1,100})(?: (?!\1(?: |$))(?=\S*\1)\S+)+ *")
"""A speaker and ids of utterances, each of which holds the speaker's."""


def is_spk2utt(lines: Sequence[str]) -> bool:
    """Whether these are lines of Kaldi's ``spk2utt``."""
    filled = [line for line in lines if line.strip()]
    return len(filled) > 1 and all(map(SPK2UTT.fullmatch, filled))


def reject_lookalike(source: Source, name: str) -> None:
    """Raise if an input that was detected as `name` only looks like that format."""
    if name in TAKEN_FOR and is_spk2utt(source.head_lines()):
        raise UnknownFormatError(
            "expected a transcript, found what looks like Kaldi's spk2utt (a speaker and the ids "
            f"of its utterances), which has no words: {source.format_option} {name} reads it as "
            f"{name} all the same",
            path=source.name,
            candidates=(name,),
        )

"""Files with a line and one property for every utterance, as Kaldi's utt2spk and utt2dur do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from formats.lines import Line


def each_utterance(
    path: str | os.PathLike[str], property_name: str, encoding: str = "utf-8"
) -> Iterator[Line]:
    """The lines of such a file, each of two fields; blank ones are skipped."""
    from formats.lines import filled_lines
    from formats.source import open_source

    seen: set[str] = set()
    with open_source(path, encoding=encoding) as source:
        for line in filled_lines(source):
            name, _ = line.fields(2, f"an utterance and its {property_name}", 2)
            if name in seen:
                raise line.error(0, "another utterance", f"{name!r} again")
            seen.add(name)
            yield line


def read_speakers(path: str | os.PathLike[str], encoding: str = "utf-8") -> dict[str, str]:
    """From utterances to speakers; a line holds one of each."""
    return {line.columns[0]: line.columns[1] for line in each_utterance(path, "speaker", encoding)}

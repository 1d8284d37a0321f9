"""whisperx: JSON of WhisperX, aligned words and speakers.

===================================  ===========================================================
in the file                          in the schema
===================================  ===========================================================
``segments[]``                       one `Segment`; ``start``, ``end`` in seconds
``segments[].speaker``               its speaker, as written
``words[].word``                     a word: here each stands alone
``start``, ``end``, ``score``        its times and confidence
a word without ``start``, ``end``    kept: it stands between its neighbours, marked as
                                     interpolated and counted (numbers in digits cannot be
                                     aligned, and WhisperX leaves their times out)
``words[].speaker``                  with ``word_speakers=True`` segments are cut where it
                                     changes; otherwise words of another speaker are counted
``word_segments``                    a copy of the words: read only if there are no segments
``avg_logprob``                      property of the segment, as written
``language``                         property of the file
``chars``                            not read
===================================  ===========================================================
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.json.whisper import WhisperReader
from formats.json.whisper_writer import write_whisperx as write
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, Option, decimals


def read(source: Source, *, word_speakers: bool = False) -> Iterator[Segment]:
    """One segment per segment of the file, in its order."""
    return WhisperReader(source, is_aligned=True, word_speakers=word_speakers).segments()


SPEC = FormatSpec(
    title="JSON of WhisperX: segments with speakers and aligned words",
    sign='"segments" with "words" that have a "score"',
    read=read,
    write=write,
    holds=("words", "speakers", "segment times", "word times", "confidences", "properties",
           "empty segments", "segment boundaries"),
    properties=("avg_logprob", "hint"),
    needs=("segment times",),
    read_options=(
        Option("word_speakers", False, "cut segments where words change speaker", (False, True)),
    ),
    write_options=(decimals(),),
    manual="Segments with speakers, each with its aligned words; the words once more as a list.",
)  # fmt: skip

"""Manifests of the Open ASR Leaderboard in which long recordings are divided into chunks.

A row with ``parent_id`` and ``chunk_index`` is a chunk of the recording that ``parent_id`` names.
The first chunk has the reference of the whole recording. Each chunk has its own hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from formats.io.source import Source
from formats.json.messages import CHUNKS, CHUNKS_JOINED
from formats.schema.model import Segment

PARENT, INDEX = "parent_id", "chunk_index"
ANSWER = "pred_text"
SUMMED = "time"
"""The seconds that the recogniser took."""


class Chunks:
    """The chunks among the segments of a file. `field` names the member with the text."""

    def __init__(self, source: Source, field: str) -> None:
        self._source = source
        self._field = field
        self._parents: dict[str, list[tuple[int, Segment]]] = {}

    def others(self, segments: Iterable[Segment]) -> Iterator[Segment]:
        """Keep the chunks among segments; yield the others."""
        for segment in segments:
            index, parent = segment.get(INDEX), segment.get(PARENT)
            if parent is None or index is None or not (index.isascii() and index.isdecimal()):
                yield segment
            else:
                self._parents.setdefault(parent, []).append((int(index[:9]), segment))

    def joined(self) -> Iterator[Segment]:
        """Yield one segment for each recording with chunks."""
        log = self._source.log
        for parent, chunks in self._parents.items():
            chunks.sort(key=lambda chunk: chunk[0])
            if [index for index, _ in chunks] != list(range(len(chunks))):
                numbers = [index for index, _ in chunks[:10]]
                log.say(CHUNKS, chunks[0][1].line, recording=parent, numbers=numbers)
            yield _joined(parent, [segment for _, segment in chunks], self._field)
        if self._parents:
            count = sum(map(len, self._parents.values()))
            recordings = len(self._parents)
            log.say(CHUNKS_JOINED, chunks=count, index=INDEX, recordings=recordings, parent=PARENT)


def _joined(parent: str, chunks: Sequence[Segment], field: str) -> Segment:
    """Join the chunks of a recording to one segment."""
    first = chunks[0]
    texts = [" ".join(chunk.words) for chunk in chunks]
    properties = dict(first.properties)
    for name in ("text", ANSWER):
        if name in properties:
            parts = [chunk.get(name) or "" for chunk in chunks]
            properties[name] = _text(parts, is_answer=name == ANSWER)
    if SUMMED in properties:
        properties[SUMMED] = f"{sum(_seconds(chunk.get(SUMMED)) for chunk in chunks):g}"
    properties = {name: text for name, text in properties.items() if name not in (PARENT, INDEX)}
    lengths = [
        None if chunk.end_ns is None else chunk.end_ns - (chunk.start_ns or 0) for chunk in chunks
    ]
    is_known = None not in lengths
    return first.replace(
        recording=parent,
        words=tuple(_text(texts, is_answer=field == ANSWER).split(" ")) if any(texts) else (),
        start_ns=0 if is_known else None,
        end_ns=sum(length or 0 for length in lengths) if is_known else None,
        properties=tuple(sorted(properties.items())),
    )


def _text(parts: Sequence[str], *, is_answer: bool) -> str:
    """Join the texts of chunks.

    If every chunk repeats the same reference, it is used only once.
    """
    filled = list(filter(None, parts))
    return filled[0] if not is_answer and len(set(filled)) == 1 else " ".join(filled)


def _seconds(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0

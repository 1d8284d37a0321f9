"""funasr-chat: training data of FunASR and others: chats with a model, one per line.

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
``content`` of the role ``assistant``  the words of a segment
``<|startofspeech|>!`` and the path    `Segment.recording`: the stem of the file; if a chat has no
or address of audio                    audio or several files, also the number of the record
other roles and members                dropped
=====================================  ======================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from formats.detection.spec import FormatSpec
from formats.io.source import Source, recording_of
from formats.json.displays import cut_text
from formats.json.value import JsonValue, records_of
from formats.schema.model import Segment

SPEECH = re.compile(r"<\|startofspeech\|>!?([^<|]*)<\|endofspeech\|>")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per answer of the model.

    If a chat has several answers, each belongs to a different audio file of the chat.
    """
    places = enumerate(records_of(source), 1)
    yield from source.log.accepted("JSON", partial(_segments, source), places)


def _segments(source: Source, place: tuple[int, JsonValue]) -> Iterator[Segment]:
    """Yield the segments of one chat; `place` holds its number and its value."""
    number, record = place
    audio: list[str] = []
    for message in record.required("messages").elements():
        content = message.required("content").text()
        if message.required("role").text() != "assistant":
            audio += SPEECH.findall(content)
            continue
        path = audio.pop(0) if audio else ""
        name = recording_of(path) if path else f"{source.recording}-{number}"
        yield Segment(name, tuple(cut_text(content)), line=record.line)


SPEC = FormatSpec(
    title="Chats whose answers are transcripts, as FunASR trains language models on",
    sign='"messages" with "content" that holds <|startofspeech|>',
    read=read,
)

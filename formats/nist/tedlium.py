"""The conventions of TED-LIUM in stm files, enabled by ``--tedlium``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from formats.schema.words import Alternation, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.model import Segment

LABELS = {"F0_M": ("o", "f0", "male"), "F0_F": ("o", "f0", "female")}
NAME = re.compile(r"\S+-F0_[MF]-S[0-9]+\Z")
VARIANT = re.compile(r"\([0-9]+\)\Z")
SILENCE = "<sil>"


def as_tedlium(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Apply TED-LIUM's conventions; yield each segment, followed by its events.

    ``{NOISE}`` becomes an event, ``a(2)`` the word ``a``, and ``<sil>`` is dropped. A name in
    parentheses at the end becomes the utterance id, and the label ``F0_M`` becomes ``o,f0,male``.
    """
    for segment in segments:
        spoken: list[Token | Alternation] = []
        sounds: list[str] = []
        utterance = segment.utterance
        for item in segment.items():
            if not isinstance(item, Token):
                if item.is_sound:
                    sounds += [token.text for token in item.tokens()]
                else:
                    spoken.append(item)
            elif item.optional and NAME.match(item.text):
                utterance = item.text
            elif item.text != SILENCE:
                spoken.append(item.replace(text=VARIANT.sub("", item.text) or item.text))
        labels = LABELS.get(segment.labels[0], segment.labels) if segment.labels else ()
        plain = segment.with_items(spoken).replace(labels=labels, utterance=utterance)
        yield plain
        for sound in sounds:
            yield segment.replace(
                words=(sound,), optional=None, alternations=(), labels=labels, kind="event"
            )

"""The option ``subtitle-clean``: remove displayed text that is not spoken.

Cleaning needs ``--subtitle-clean 1`` or ``2``, because a program cannot know whether ``(laughs)``
is spoken. The value of the option is the version of the rules, so that scores stay comparable if
later versions have more rules.

=============================  ==============================================================
in the text                    in the schema
=============================  ==============================================================
``[door slams]``, ``(sighs)``  a segment of kind ``event`` with the times of the cue; the brackets
                               must begin and end words
``♪``, ``♫``, ``♬``, ``#``     alone: an event ``♪``, one for each cue; words that are sung stay
                               words
``ANNE:`` before a line        the speaker; up to four words without lower-case letters
``>> Anne:`` anywhere          the speaker; up to four words
``>>``, ``>>>`` anywhere       a change of speaker: a new segment begins
``- …`` before several lines   a segment for each, with the times of the cue
=============================  ==============================================================

Version 2 also removes characters that only control the display of words: direction marks (U+200E,
U+202B and similar), soft hyphens, U+200B, byte-order marks. The joiners U+200C and U+200D are
letters of some scripts and are kept.

Lines come from the property ``lines``; a text without it has one line.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from formats.io.source import Source
from formats.reading.lines import split_words
from formats.schema.model import COLUMNS, Segment
from formats.subtitles.cues import is_dashed, spoken_words
from formats.subtitles.messages import SUBTITLE_CLEAN, SUBTITLE_MARKS

BRACKETS = {"[": "]", "(": ")"}
AFTER_BRACKETS = ".,;:!?…"
NOTES = frozenset("♪♫♬#")
MARKS = frozenset(map(chr, (0xAD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F),
                            *range(0x2066, 0x206A), 0xFEFF)))  # fmt: skip
NO_MARKS = dict.fromkeys(map(ord, MARKS))
ARROWS = (">>", ">>>")
LONGEST_NAME = 4


def cleaned(source: Source, segments: Iterable[Segment], version: str = "1") -> Iterator[Segment]:
    """Apply `clean` to each segment and yield the results; report how many segments changed."""
    events = speakers = marks = 0
    for segment in segments:
        if version != "1":
            bare = without_marks(segment)
            marks += bare is not segment
            segment = bare
        for part in clean(segment):
            events += part.kind == "event"
            speakers += part.speaker is not None and part.speaker != segment.speaker
            yield part
    removed = {"version": version, "events": events, "speakers": speakers}
    if version == "1":
        source.log.say(SUBTITLE_CLEAN, **removed)
    else:
        source.log.say(SUBTITLE_MARKS, **removed, segments=marks)


def without_marks(segment: Segment) -> Segment:
    """Return the segment without display marks such as dashes."""
    if MARKS.isdisjoint("".join(segment.words)):
        return segment
    bare = [token.replace(text=token.text.translate(NO_MARKS)) for token in segment.all_tokens()]
    properties = tuple(
        (name, text.translate(NO_MARKS) if name == "lines" else text)
        for name, text in segment.properties
    )
    return segment.with_items([token for token in bare if token.text]).replace(
        properties=properties
    )


def clean(segment: Segment) -> list[Segment]:
    """Return the speech of a segment, one segment per turn, then its sounds."""
    if segment.kind != "segment" or segment.alternations or not segment.words:
        return [segment]
    sounds, spoken = _without_sounds(segment.words)
    lines = [([i for i in line if i in spoken], begins) for line, begins in _lines(segment)]
    words = list(segment.words)
    turns = _turns(words, [line for line in lines if line[0]])
    if not sounds and turns == [(None, list(range(len(words))))]:
        return [segment]
    if not sounds and not turns:
        turns = [(None, [])]
    event = Segment(
        segment.recording, channel=segment.channel, start_ns=segment.start_ns,
        end_ns=segment.end_ns, kind="event", line=segment.line,
    )  # fmt: skip
    return [
        *(_part(segment, words, indexes, who or segment.speaker) for who, indexes in turns),
        *(event.replace(words=sound) for sound in sounds),
    ]


def _lines(segment: Segment) -> list[tuple[list[int], bool]]:
    """Return, for each line of a segment, the indices of its words, and whether a dash begins it.

    A dash counts only if another line of the segment begins with one, too.
    """
    lines = (segment.get("lines") or "").split("\n")
    lengths = [len(spoken_words(line)) for line in lines]
    if sum(lengths) != len(segment.words):
        return [(list(range(len(segment.words))), False)]
    is_dialogue = sum(map(is_dashed, lines)) > 1
    spans = pairwise(accumulate(lengths, initial=0))
    pairs = zip(lines, spans, strict=True)
    return [(list(range(*span)), is_dialogue and is_dashed(line)) for line, span in pairs]


def _without_sounds(words: Sequence[str]) -> tuple[list[tuple[str, ...]], set[int]]:
    """Return the texts in brackets, and the indices of the words outside of brackets."""
    sounds: list[tuple[str, ...]] = []
    spoken: set[int] = set()
    closing: dict[str, list[int]] = {mark: [] for mark in BRACKETS.values()}
    for index in range(len(words) - 1, -1, -1):
        last = words[index].rstrip(AFTER_BRACKETS)[-1:]
        if last in closing:
            closing[last].append(index)
    has_notes = False
    index = 0
    while index < len(words):
        word = words[index]
        stack = closing.get(BRACKETS.get(word[:1], ""), [])
        while stack and stack[-1] < index:
            stack.pop()
        end = index
        if stack:
            end = stack.pop()
            inner = " ".join(words[index : end + 1]).rstrip(AFTER_BRACKETS)[1:-1]
            sounds.append(tuple(split_words(inner)))
        elif word and NOTES.issuperset(word):
            has_notes = True
        else:
            spoken.add(index)
        index = end + 1
    if has_notes:
        sounds.append(("♪",))
    return sounds, spoken


def _turns(
    words: Sequence[str], lines: Sequence[tuple[Sequence[int], bool]]
) -> list[tuple[str | None, list[int]]]:
    """Return each turn: its speaker (or `None`) and the indices of its words."""
    turns: list[tuple[str | None, list[int]]] = []
    for line, begins in lines:
        for part in _between_arrows(words, line):
            speaker, size = _named_speaker([words[i] for i in part[: LONGEST_NAME + 1]])
            if begins or size or not turns:
                turns.append((speaker, []))
            turns[-1][1].extend(part[size:])
            begins = False
    return [turn for turn in turns if any(turn)]


def _between_arrows(words: Sequence[str], indexes: Sequence[int]) -> list[list[int]]:
    """Divide word indices into lists; a new list begins at every ``>>``."""
    parts: list[list[int]] = [[]]
    for index in indexes:
        if words[index] in ARROWS and parts[-1]:
            parts.append([])
        parts[-1].append(index)
    return parts


def _named_speaker(words: Sequence[str]) -> tuple[str | None, int]:
    """Return the speaker named by the first words (or `None`), and the number of these words."""
    arrows = 1 if words and words[0] in ARROWS else 0
    for size, word in enumerate(words[arrows : arrows + LONGEST_NAME], 1):
        if not word.endswith(":"):
            continue
        name = " ".join(words[arrows : arrows + size])[:-1].strip(" ")
        is_name = any(c.isalpha() for c in name) and (arrows or name == name.upper())
        return (name, arrows + size) if is_name else (None, arrows)
    return None, arrows


def _part(
    segment: Segment, words: Sequence[str], indexes: Sequence[int], speaker: str | None
) -> Segment:
    """Return the segment with only the words at `indexes`, and without its property ``lines``."""
    changes: dict[str, object] = {"words": tuple(words[i] for i in indexes)}
    for name in COLUMNS:
        column = getattr(segment, name)
        if column is not None:
            changes[name] = tuple(column[i] for i in indexes) if indexes else None
    gone = ("lines", "raw")
    changes["properties"] = tuple(p for p in segment.properties if p[0] not in gone)
    return segment.replace(speaker=speaker, **changes)

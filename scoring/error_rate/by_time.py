"""Transcripts without common identifiers: words dealt out to the reference's segments by time.

By sclite's rule: within a recording's channel a segment takes the words whose middle lies before
its end and that no segment before it took; the last one takes what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.error_rate.corpus import Corpus, from_segments
from scoring.errors import InputError

if TYPE_CHECKING:
    from formats.model import Segment
    from formats.words import Alternation, Token

Channel: TypeAlias = tuple[str, str]
Item: TypeAlias = "Token | Alternation"


class Dealt(NamedTuple):
    """Both sides with common identifiers, and how many words stood in ignored segments."""

    reference: Corpus
    hypothesis: Corpus
    ignored_words: int


def deal_by_time(reference: Corpus, hypothesis: Corpus) -> Dealt:
    """Give both sides the same utterances.

    A reference whose words are timed but not in segments makes one utterance of each channel.
    Utterances without identifier are named `RECORDING-CHANNEL-NUMBER`.

    Raises
    ------
    InputError
        If words of the hypothesis have no times, or segments of the reference neither.
    """
    segments = _by_channel(reference)
    words = {channel: list(_timed(group, hypothesis)) for channel, group in _items(hypothesis)}
    left: list[Segment] = []
    right: list[Segment] = []
    ignored = 0
    for channel, group in segments.items():
        rows = words.pop(channel, None)
        taken = iter(_shares(group, rows or []))
        for number, segment in enumerate(group, 1):
            share = next(taken)
            if segment.kind == "ignored":
                ignored += len(share)
                continue
            name = segment.utterance or f"{channel[0]}-{channel[1]}-{number:04d}"
            left.append(segment.replace(utterance=name))
            if rows is not None:
                right.append(_segment(segment, share, name))
    for channel, rows in words.items():
        name = f"{channel[0]}-{channel[1]}"
        right.append(_bare(channel[0], [item for _, item in rows], name))
    return Dealt(
        from_segments(left, reference.name, reference.format)._replace(
            remarks=reference.remarks, has_confidences=reference.has_confidences
        ),
        from_segments(right, hypothesis.name, hypothesis.format)._replace(
            remarks=hypothesis.remarks, has_confidences=hypothesis.has_confidences
        ),
        ignored,
    )


def _channel(segment: Segment) -> Channel:
    return segment.recording, segment.channel or "1"


def _by_channel(reference: Corpus) -> dict[Channel, list[Segment]]:
    """The segments of every channel in order of time; untimed ones of timed words joined."""
    groups: dict[Channel, list[Segment]] = {}
    for segment in reference.segments:
        groups.setdefault(_channel(segment), []).append(segment)
    for channel, group in groups.items():
        if all(segment.end_ns is not None for segment in group):
            group.sort(key=lambda segment: (segment.start_ns or 0, segment.end_ns or 0))
            continue
        rows = list(_timed(group, reference))
        name = f"{channel[0]}-{channel[1]}"
        joined = _bare(channel[0], [item for _, item in rows], name)
        speakers = {segment.speaker for segment in group}
        joined = joined.replace(speaker=speakers.pop() if len(speakers) == 1 else None)
        groups[channel] = [joined.replace(channel=channel[1], line=group[0].line)]
    return groups


def _items(hypothesis: Corpus) -> Iterator[tuple[Channel, list[Segment]]]:
    groups: dict[Channel, list[Segment]] = {}
    for segment in hypothesis.segments:
        groups.setdefault(_channel(segment), []).append(segment)
    yield from groups.items()


def _timed(group: Sequence[Segment], corpus: Corpus) -> list[tuple[int, Item]]:
    """Twice the middle of every word or alternation in nanoseconds, and it, in order of time."""
    from formats.words import Token

    rows: list[tuple[int, Item]] = []
    for segment in group:
        last = 0
        for item in segment.items():
            tokens = (item,) if isinstance(item, Token) else tuple(item.tokens())
            middles = []
            for token in tokens:
                if token.start_ns is None or token.end_ns is None:
                    raise InputError(
                        corpus.name,
                        segment.line,
                        None,
                        "expected times of every word to match by, since there are no common "
                        f"identifiers; found none of {token.text!r}",
                    )
                middles.append(token.start_ns + token.end_ns)
            # a null word of its own has no time: it stays with the word before
            last = max(middles, default=last)
            rows.append((last, item))
    rows.sort(key=lambda row: row[0])
    return rows


def _shares(segments: Sequence[Segment], rows: Sequence[tuple[int, Item]]) -> Iterator[list[Item]]:
    at = 0
    for number, segment in enumerate(segments, 1):
        begin = at
        if number == len(segments):
            at = len(rows)
        else:
            assert segment.end_ns is not None
            while at < len(rows) and rows[at][0] < 2 * segment.end_ns:
                at += 1
        yield [item for _, item in rows[begin:at]]


def _segment(segment: Segment, items: Sequence[Item], name: str) -> Segment:
    made = _bare(segment.recording, items, name)
    return made.replace(channel=segment.channel, speaker=segment.speaker)


def _bare(recording: str, items: Sequence[Item], name: str) -> Segment:
    from formats.model import Segment

    return Segment.from_items(recording, items, utterance=name)

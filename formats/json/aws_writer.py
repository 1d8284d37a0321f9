"""Writing what tools read of an AWS Transcribe transcript."""

from __future__ import annotations

from formats.errors import LossError, quoted
from formats.times import format_time, round_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.model import Segment
    from formats.sink import Sink
    from formats.spec import SegmentSource

__all__ = ["write"]


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write the transcript of a recording: transcripts, items, speaker labels, audio segments.

    Numbers are texts, as the service writes them. Marks that a display form adds at the end of its
    word become items of punctuation; other display forms are counted lost. Channels, if all
    segments have one, are written as ``channel_labels``.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9; times that need more are counted lost.

    Raises
    ------
    LossError: no words (readers take that for a failed job), a word
        without times, channels for some segments only.
    """
    held = list(segments)
    path = segments.source
    _check(held, path)
    paper = _Paper(sink, precision, path)
    for segment in held:
        paper.add(segment)
    language = dict(segments.properties).get("language")
    for line in paper.lines(held[0].recording, language):
        sink.write(line)


def _check(held: Sequence[Segment], path: str | None) -> None:
    if not any(segment.words for segment in held):
        raise LossError(
            path=path,
            expected="words: a transcript without any is taken for a failed job",
            found="none",
        )
    first = held[0]
    for segment in held:
        line = segment.line
        if (segment.channel is None) != (first.channel is None):
            raise LossError(
                path=path, line=line, expected="a channel for all segments or none", found="both"
            )
        if segment.start_ns is None and segment.end_ns is not None:
            raise LossError(path=path, line=line, expected="a start beside the end", found="none")


class _Paper:
    """What is written, collected segment by segment."""

    def __init__(self, sink: Sink, precision: int, path: str | None) -> None:
        import json

        self.text = json.JSONEncoder(ensure_ascii=False).encode
        self.sink = sink
        self.precision = precision
        self.path = path
        self.items: list[str] = []
        self.channels: dict[str, list[str]] = {}
        self.speakers: list[str] = []
        self.turns: list[str] = []
        self.audio: list[str] = []
        self.shown: list[str] = []

    def time(self, value: int, line: int | None) -> str:
        """A time as the service writes it; digits that get lost are counted."""
        if round_time(value, self.precision) != value:
            rule = f"rounded to {self.precision}"
            self.sink.losses.add("decimals of times", 1, rule, self.path, line)
        return format_time(value, self.precision)

    def add(self, segment: Segment) -> None:
        """Take the words of a segment and what is said of all of them."""
        first = len(self.items)
        speaker = ""
        if segment.speaker is not None:
            speaker = f', "speaker_label": {self.text(segment.speaker)}'
        channel = ""
        if segment.channel is not None:
            channel = f', "channel_label": {self.text(segment.channel)}'
        words: list[str] = []
        labels: list[str] = []
        for index in range(len(segment.words)):
            shown, label = self._word(segment, index, speaker, channel)
            words.append(shown)
            labels.append(label)
        text = self.text(" ".join(words))
        self.shown.extend(words)
        ids = ", ".join(map(str, range(first, len(self.items))))
        times = self._times(segment)
        self.audio.append(
            f'{{"id": {len(self.audio)}, "transcript": {text}{times}{speaker}{channel}, '
            f'"items": [{ids}]}}'
        )
        if segment.speaker is not None:
            if segment.speaker not in self.speakers:
                self.speakers.append(segment.speaker)
            joined = ", ".join(f"{{{label}{speaker}}}" for label in labels)
            times = times or self._extent(segment)
            self.turns.append(f'{{{times[2:]}{speaker}, "items": [{joined}]}}')
        if segment.channel is not None:
            own = self.channels.setdefault(segment.channel, [])
            own.extend(self.items[first:])

    def _times(self, segment: Segment) -> str:
        """Start and end of a segment, if it has them."""
        if segment.start_ns is None:
            return ""
        start = self.time(segment.start_ns, segment.line)
        if segment.end_ns is None:
            return f', "start_time": "{start}"'
        return f', "start_time": "{start}", "end_time": "{self.time(segment.end_ns, segment.line)}"'

    def _extent(self, segment: Segment) -> str:
        """From the first to the last word, for the speaker labels, which always have times."""
        starts = [value for value in segment.starts_ns or () if value is not None]
        ends = [value for value in segment.ends_ns or () if value is not None]
        start, end = min(starts, default=0), max(ends, default=0)
        precision = self.precision
        return (
            f', "start_time": "{format_time(start, precision)}", '
            f'"end_time": "{format_time(end, precision)}"'
        )

    def _word(self, segment: Segment, index: int, speaker: str, channel: str) -> tuple[str, str]:
        """Add one word and the marks after it; its text with them, and its times."""
        word = segment.words[index]
        start = None if segment.starts_ns is None else segment.starts_ns[index]
        end = None if segment.ends_ns is None else segment.ends_ns[index]
        if start is None or end is None:
            raise LossError(
                path=self.path, line=segment.line, expected="a word with times", found=quoted(word)
            )
        if not word:
            raise LossError(path=self.path, line=segment.line, expected="a word", found="none")
        times = (
            f'"start_time": "{self.time(start, segment.line)}", '
            f'"end_time": "{self.time(end, segment.line)}"'
        )
        sure = self._confidence(segment, index)
        self.items.append(
            f'{{"id": {len(self.items)}, "type": "pronunciation", {times}{speaker}{channel}, '
            f'"alternatives": [{{{sure}"content": {self.text(word)}}}]}}'
        )
        mark = self._mark(segment, index)
        if mark:
            self.items.append(
                f'{{"id": {len(self.items)}, "type": "punctuation"{speaker}{channel}, '
                f'"alternatives": [{{"confidence": "0.0", "content": {self.text(mark)}}}]}}'
            )
        return word + mark, times

    def _confidence(self, segment: Segment, index: int) -> str:
        value = None if segment.confidences is None else segment.confidences[index]
        if value is None:
            return ""
        from decimal import Decimal

        return f'"confidence": "{Decimal(repr(float(value))):f}", '

    def _mark(self, segment: Segment, index: int) -> str:
        """What the display form adds at the end of the word, if that is punctuation."""
        display = None if segment.displays is None else segment.displays[index]
        word = segment.words[index]
        if display is None or display == word:
            return ""
        mark = display[len(word) :]
        if display.startswith(word) and mark and all(map(_is_punctuation, mark)):
            return mark
        rule = "only marks after a word are kept"
        self.sink.losses.add("display forms", 1, rule, self.path, segment.line)
        return ""

    def lines(self, recording: str, language: str | None) -> Iterator[str]:
        """The document, a record to a line."""
        name = self.text(recording)
        yield f'{{"jobName": {name}, "accountId": "", "status": "COMPLETED", "results": {{\n'
        if language is not None:
            yield f'"language_code": {self.text(language)},\n'
        yield f'"transcripts": [{{"transcript": {self.text(" ".join(self.shown))}}}],\n'
        if self.speakers:
            yield f'"speaker_labels": {{"speakers": {len(self.speakers)}, "segments": [\n'
            yield from _listed(self.turns)
            yield "]},\n"
        if self.channels:
            yield '"channel_labels": {"channels": [\n'
            for number, (channel, items) in enumerate(self.channels.items()):
                yield f'{{"channel_label": {self.text(channel)}, "items": [\n'
                yield from _listed(items)
                yield "]}" + (",\n" if number + 1 < len(self.channels) else "\n")
            yield f'], "number_of_channels": {len(self.channels)}}},\n'
        yield '"items": [\n'
        yield from _listed(self.items)
        yield '],\n"audio_segments": [\n'
        yield from _listed(self.audio)
        yield "]}}\n"


def _listed(records: Sequence[str]) -> Iterator[str]:
    for number, record in enumerate(records, 1):
        yield record + (",\n" if number < len(records) else "\n")


def _is_punctuation(character: str) -> bool:
    from unicodedata import category

    return category(character)[0] in "PS"

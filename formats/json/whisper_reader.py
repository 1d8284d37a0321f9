"""Reading segments with words as Whisper and WhisperX write them."""

from __future__ import annotations

from formats.errors import SyntaxFormatError
from formats.json.document import JsonDocument, plain_confidence
from formats.json.whisper_words import (
    RepeatHints,
    is_written_without_blanks,
    words_of_pieces,
)
from formats.json.word_items import ReadingCounts, begins_word, check_unit, displays_in
from formats.json.words import (
    SegmentOrder,
    interval_of,
    read_word,
    read_words,
    segment_of_text,
    segment_of_words,
)
from formats.lines import strip_blanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.json.document import JsonValue
    from formats.json.word_items import WordItem
    from formats.json.words import WordNames
    from formats.model import Segment
    from formats.source import Source

__all__ = ["WhisperReader"]

STATISTICS = ("avg_logprob", "compression_ratio", "no_speech_prob", "temperature")
FACTS = ("language", "task", "duration")
MEMBERS = frozenset({*FACTS, "text", "segments", "words", "word_segments", "info"})
SEGMENT_MEMBERS = frozenset(
    {*STATISTICS, "id", "seek", "tokens", "start", "end", "text", "words", "speaker", "chars"}
)


class WhisperReader:
    """Makes segments of one file.

    Parameters
    ----------
    names: what the members of word objects are called.
    stand_alone: whether every word object is a word, whatever its blanks.
    word_speakers: whether to cut segments where the words' speaker changes.
    """

    def __init__(
        self,
        source: Source,
        names: WordNames,
        *,
        stand_alone: bool = False,
        word_speakers: bool = False,
    ) -> None:
        self.source = source
        self.names = names
        self.stand_alone = stand_alone
        self.word_speakers = word_speakers
        self.counts = ReadingCounts(source)
        self.other_speakers = 0

    def segments(self) -> Iterator[Segment]:
        """The segments, in the order of the file."""
        document = JsonDocument(self.source)
        for line, value in document.numbered_values():
            facts = None
            if isinstance(value.value, list):
                found = list(value.numbered_elements())
            else:
                self.source.is_silent = True
                value.expect_members(MEMBERS)
                facts = self._read_facts(value)
                found = list(value.numbered_elements("segments"))
            if found:
                yield from self._of_segments(found, value, facts)
            elif isinstance(value.value, dict):
                yield from self._of_words_or_text(value, line)
        if self.other_speakers:
            self.source.log.note(
                "WORD-SPEAKER",
                "words of another speaker than their segment, left in it (word_speakers cuts "
                f"there): {self.other_speakers}",
            )
        self.counts.tell()
        document.note_unknown()

    def _read_facts(self, value: JsonValue) -> JsonValue:
        """Keep what is said of the whole file; faster-whisper's ``info`` says it a level down."""
        facts = value.get("info") or value
        for name in FACTS:
            member = facts.get(name)
            if member is not None:
                shown = str(member.number()) if name == "duration" else member.text()
                self.source.properties[name] = shown
        return facts

    def _of_segments(
        self,
        found: Sequence[tuple[int | None, JsonValue]],
        whole: JsonValue,
        facts: JsonValue | None,
    ) -> Iterator[Segment]:
        duration = None if facts is None else facts.get("duration")
        length = None if duration is None else duration.nanoseconds()
        hints, order = RepeatHints(self.source, length), SegmentOrder(self.source)
        apart = self._stand_apart(value for _, value in found)
        placed = self._placed_words(found, whole)
        latest = 0
        for index, (line, value) in enumerate(found):
            try:
                value.expect_members(SEGMENT_MEMBERS)
                own = None if placed is None else placed[index]
                made = list(self._of_segment(value, line, apart, own))
            except SyntaxFormatError as error:
                self.source.log.reject("WHISPER-SEGMENT", error)
                continue
            for segment in made:
                order.see(segment)
                latest = max(latest, segment.end_ns or 0)
                yield hints.marked(segment)
        hints.tell()
        check_unit(self.source, latest, length or 0)

    def _stand_apart(self, segments: Iterator[JsonValue]) -> bool:
        """Whether every word object of the file is a word of its own."""
        if self.stand_alone or is_written_without_blanks(self.source.properties.get("language")):
            return True
        for segment in segments:
            if not segment.has("words"):
                continue
            for index, element in enumerate(segment.elements("words")):
                text = element.get(*self.names.text)
                if text is not None and begins_word(str(text.value)):
                    return False
                if index == 100:
                    break
        return True

    def _of_segment(
        self, value: JsonValue, line: int | None, apart: bool, placed: list[WordItem] | None
    ) -> Iterator[Segment]:
        if not value.has("text", "words"):
            raise value.error('a member "text" or "words"', "none")
        start_ns, end_ns = interval_of(value)
        speaker = value.get("speaker")
        name = None if speaker is None else speaker.name()
        properties = self._statistics(value)
        said = value.value.get("text")
        if type(said) is not str:
            said = "" if said is None else value.required("text").text()
        if placed is not None or value.has("words"):
            items = placed
            if items is None:
                pieces = read_words(value, self.names, "words")
                items = words_of_pieces(pieces, apart)
            else:
                _show(items, said)
            if items or not strip_blanks(said.replace("\n", " ")):
                yield from self._of_items(value, items, name, start_ns, end_ns, properties, line)
                return
        yield segment_of_text(
            self.source,
            said,
            self.counts,
            start_ns=start_ns,
            end_ns=end_ns,
            speaker=name,
            properties=properties,
            line=line,
        )

    def _of_items(
        self,
        value: JsonValue,
        items: list[WordItem],
        speaker: str | None,
        start_ns: int | None,
        end_ns: int | None,
        properties: dict[str, str],
        line: int | None,
    ) -> Iterator[Segment]:
        speakers = self._speakers(value, speaker) if self.stand_alone else []
        if speaker is None and speakers:
            speaker = max(speakers, key=speakers.count)
        segment = segment_of_words(
            self.source,
            items,
            self.counts,
            start_ns=start_ns,
            end_ns=end_ns,
            places_all=self.stand_alone and None not in (start_ns, end_ns),
            speaker=speaker,
            properties=properties,
            line=line,
        )
        if set(speakers) <= {speaker}:
            yield segment
        elif self.word_speakers and len(speakers) == len(segment.words):
            yield from _cut(segment, speakers)
        else:
            self.other_speakers += sum(1 for other in speakers if other != speaker)
            yield segment

    def _speakers(self, value: JsonValue, speaker: str | None) -> list[str | None]:
        """The speaker of each word of a segment; a word that has none has the one before."""
        raw_words = value.value.get("words")
        if type(raw_words) is list and not any("speaker" in members for members in raw_words):
            return [speaker] * len(raw_words)
        found: list[str | None] = []
        for element in value.elements("words"):
            raw = element.value.get("speaker")
            if type(raw) is str:
                found.append(raw)
            elif raw is not None:
                found.append(element.required("speaker").name())
            else:
                found.append(found[-1] if found else None)
        known = next((name for name in found if name is not None), speaker)
        return [known if name is None else name for name in found]

    def _statistics(self, value: JsonValue) -> dict[str, str]:
        made = {}
        members = value.value
        for name in STATISTICS:
            raw = members.get(name)
            if raw is None:
                continue
            if plain_confidence(raw) is not None or value.required(name).confidence() is not None:
                made[name] = str(raw)
        return made

    def _placed_words(
        self, found: Sequence[tuple[int | None, JsonValue]], whole: JsonValue
    ) -> list[list[WordItem]] | None:
        """Words that stand beside the segments, given to those whose time they lie in."""
        if not whole.has("words", "word_segments") or any(s.has("words") for _, s in found):
            return None
        spans = [interval_of(value) for _, value in found]
        placed: list[list[WordItem]] = [[] for _ in found]
        current = 0
        for element in whole.required("words", "word_segments").elements():
            item = read_word(element, self.names)
            if item.start_ns is not None and item.end_ns is not None:
                middle = (item.start_ns + item.end_ns) // 2
                while current + 1 < len(spans) and middle >= (spans[current + 1][0] or middle + 1):
                    current += 1
            placed[current].append(item)
        return placed

    def _of_words_or_text(self, value: JsonValue, line: int | None) -> Iterator[Segment]:
        """One segment of a file that has no segments."""
        text = value.get("text")
        said = "" if text is None else text.text()
        words = value.get("words", "word_segments")
        if words is None and text is None and not value.has("segments"):
            raise value.error('a member "segments", "words" or "text"', "none")
        if words is None:
            segment = segment_of_text(self.source, said, self.counts, line=line)
        else:
            pieces = [read_word(element, self.names) for element in words.elements()]
            language = self.source.properties.get("language")
            apart = self.stand_alone or is_written_without_blanks(language)
            apart = apart or not any(begins_word(piece.text) for piece in pieces)
            items = words_of_pieces(pieces, apart)
            _show(items, said)
            segment = segment_of_words(self.source, items, self.counts, line=line)
        if segment.words:
            yield segment


def _show(items: Sequence[WordItem], text: str) -> None:
    """Take display forms from the text, if it has the same words."""
    shown = displays_in([item.text.strip() for item in items], text)
    for item, display in zip(items, shown or (), strict=False):
        item.display = display


def _cut(segment: Segment, speakers: Sequence[str | None]) -> Iterator[Segment]:
    """The segment in pieces of one speaker each."""
    begin = 0
    tokens = segment.tokens
    for end in range(1, len(speakers) + 1):
        if end < len(speakers) and speakers[end] == speakers[begin]:
            continue
        piece = segment.with_items(tokens[begin:end])
        starts, ends = piece.starts_ns or (None,), piece.ends_ns or (None,)
        yield piece.replace(
            speaker=speakers[begin],
            start_ns=segment.start_ns if begin == 0 else starts[0],
            end_ns=segment.end_ns if end == len(speakers) else ends[-1],
        )
        begin = end

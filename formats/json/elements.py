"""Turns and words in JSON, read by the names of their members."""

from __future__ import annotations

import re
from collections.abc import Iterable

from formats.json.answer import Answer
from formats.json.list_names import Names, seconds_of
from formats.json.spoken_words import SpokenWord, WordRun, words_of_pieces
from formats.json.value import JsonValue

MARKS = frozenset(("punctuation", "punct", "pnct"))
"""What ``type`` calls a mark, which is shown with the word before it."""
NO_WORDS = frozenset(("audio_event", "event", "spacing", "tag"))
"""What ``type`` calls an element of a list of words that is none."""


class Elements:
    """Reads the elements of one list by the names of their members."""

    def __init__(
        self,
        names: Names,
        per_second: int,
        speakers: dict[str, str],
        *,
        nobody: tuple[str, ...],
        skipped: str,
        tags: str,
    ) -> None:
        self.names, self.per_second = names, per_second
        self.speakers, self.nobody = speakers, nobody
        self.expected = names.expected
        self.skipped = [pair.split("=") for pair in skipped.split()]
        self.tags = re.compile(tags) if tags else None
        self.apart = True

    def untagged(self, text: str, answer: Answer) -> str:
        """A text without what the table calls a tag."""
        if self.tags is not None:
            text, count = self.tags.subn(" ", text)
            answer.note("TAG", "tags in texts, which are no words, left out: {}", count)
        return text

    def is_skipped(self, value: JsonValue, answer: Answer) -> bool:
        """Whether a word is left out because of a member; it is noted."""
        row = value.value if self.skipped and isinstance(value.value, dict) else {}
        for member, left_out in self.skipped:
            if str(row.get(member)).lower() == left_out:
                message = f"{value.path}: left out, {member} {left_out}"
                answer.source.log.note("NO-WORD", message)
                return True
        return False

    def check(self, value: JsonValue) -> None:
        """Count the members that are not read, where the table says which there are."""
        if not self.names.expects_any:
            value.expect_members(self.expected)

    def time(self, value: JsonValue, name: str) -> int | None:
        """A time in nanoseconds, `None` where there is none."""
        member = value.get(name) if name else None
        if member is None or not isinstance(member.value, str):
            return None if member is None else member.nanoseconds(per_second=self.per_second)
        text = seconds_of(member.value)
        if text is None:
            raise member.error("a time")
        unit = self.per_second if member.value.strip() == text else 1
        return JsonValue(text, member.document, value, name).nanoseconds(per_second=unit)

    def span(self, value: JsonValue) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds."""
        names = self.names
        start, end = self.time(value, names.start), self.time(value, names.end)
        length = self.time(value, names.length) if end is None else None
        if start is not None and length is not None:
            end = start + length
        if start is not None and end is not None and end < start:
            shown = value.value[names.start]
            raise value.required(names.end).error(f"an end not before its start {shown}")
        return start, end

    def speaker(self, value: JsonValue) -> str | None:
        """The name of the speaker, or else the id."""
        member = value.get(self.names.speaker) if self.names.speaker else None
        if member is not None and isinstance(member.value, dict):
            member = member.get("name", "id")
        name = "" if member is None else member.name()
        return None if name in self.nobody else self.speakers.get(name, name) or None

    def channel(self, value: JsonValue) -> str | None:
        """The channel, a name or a number."""
        return value.name_of(self.names.channel) if self.names.channel else None

    def confidence(self, value: JsonValue) -> float | None:
        """The confidence."""
        return value.confidence_of(self.names.confidence) if self.names.confidence else None

    def word(self, value: JsonValue) -> SpokenWord:
        """One word."""
        names = self.names
        if isinstance(value.value, list):  # text, start, end
            text, start, end = (value.element(index) for index in range(3))
            return SpokenWord(text.text(), start.nanoseconds(), end.nanoseconds())
        self.check(value)
        return SpokenWord(
            value.required(names.text).text(),
            *self.span(value),
            self.confidence(value),
            value.text_of(names.display) if names.display else None,
            speaker=self.speaker(value),
            channel=self.channel(value),
        )

    def words(self, values: Iterable[JsonValue], answer: Answer) -> list[SpokenWord]:
        """The words of a list: marks are shown with the word before, pieces of a word joined."""
        run = WordRun()
        for value in values:
            if self.is_skipped(value, answer):
                continue
            kind = value.value.get("type") if isinstance(value.value, dict) else None
            kind = kind.lower() if isinstance(kind, str) else ""
            if kind in MARKS:
                run.mark(value.required(self.names.text).text())
            elif kind in NO_WORDS:
                if kind != "spacing":
                    answer.source.log.note("NO-WORD", f"{value.path}: no word but {kind}")
            else:
                for word in answer.gather([value], lambda value: [self.word(value)]):
                    text = word.text
                    word.text = self.untagged(text, answer)
                    if word.text.strip():
                        run.add(word)
                    elif text.strip() and run:  # a tag ends a word
                        run[-1].text += " "
        run.close()
        return words_of_pieces(run, self.apart)

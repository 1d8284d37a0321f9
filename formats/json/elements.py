"""Turns and words in JSON, read by the names of their members."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from formats.json.answer import Answer
from formats.json.list_names import seconds_of
from formats.json.shapes import Names, WordShape
from formats.json.spoken_words import SpokenWord, WordRun, words_of_pieces
from formats.json.value import JsonValue

MARKS = frozenset(("punctuation", "punct", "pnct"))
"""Values of ``type`` for a mark, which is shown with the word before it."""
NO_WORDS = frozenset(("audio_event", "event", "spacing", "tag"))
"""Values of ``type`` for elements of a list of words that are no words."""


class Elements(WordShape):
    """Reads the elements of one list by the names of their members."""

    def __init__(
        self,
        names: Names,
        per_second: int,
        speakers: dict[str, str],
        *,
        nobody: tuple[str, ...],
        skipped: str,
        tags: re.Pattern[str] | None,
    ) -> None:
        self._use(names, ([name] if name else [] for name in names[:-2]), per_second)
        self.labels = [label for label in self.labels if label[0] != "speaker"]
        self.speaker_names, self.nobody = speakers, nobody
        self.skipped = [pair.split("=") for pair in skipped.split()]
        self.tags = tags
        self.apart = True

    def untagged(self, text: str, answer: Answer) -> str:
        """A text without what the table calls a tag."""
        if self.tags is not None:
            text, count = self.tags.subn(" ", text)
            answer.note("TAG", "tags in texts, which are no words, dropped: {}", count)
        return text

    def is_skipped(self, value: JsonValue, answer: Answer) -> bool:
        """True if a member excludes the word; notes that."""
        row = value.value if self.skipped and isinstance(value.value, dict) else {}
        for member, left_out in self.skipped:
            if str(row.get(member)).lower() == left_out:
                message = f"{value.path}: dropped, {member} {left_out}"
                answer.source.log.note("NO-WORD", message)
                return True
        return False

    def time(self, value: JsonValue, names: Sequence[str]) -> int | None:
        """A time in nanoseconds, also from a clock time; `None` if missing."""
        member = value.get(*names)
        if member is None or not isinstance(member.value, str):
            return None if member is None else member.nanoseconds(per_second=self.per_second)
        text = seconds_of(member.value)
        if text is None:
            raise member.error("a time")
        unit = self.per_second if member.value.strip() == text else 1
        return JsonValue(text, member.document, value, names[0]).nanoseconds(per_second=unit)

    def speaker(self, value: JsonValue) -> str | None:
        """The name of the speaker, or else the id."""
        member = value.get(*self.speakers)
        if member is not None and isinstance(member.value, dict):
            member = member.get("name", "id")
        name = "" if member is None else member.name()
        return None if name in self.nobody else self.speaker_names.get(name, name) or None

    def read(self, value: JsonValue) -> SpokenWord:
        """One word; a list is its text, start and end."""
        if not isinstance(value.value, list):
            word = super().read(value)
            word.speaker = self.speaker(value)
            return word
        text, start, end = (value.element(index) for index in range(3))
        return SpokenWord(text.text(), start.nanoseconds(), end.nanoseconds())

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
                for word in answer.gather([value], lambda value: [self.read(value)]):
                    text = word.text
                    word.text = self.untagged(text, answer)
                    if word.text.strip():
                        run.add(word)
                    elif text.strip() and run:  # a tag ends a word
                        run[-1].text += " "
        run.close()
        return words_of_pieces(run, self.apart)

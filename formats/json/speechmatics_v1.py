"""Transcripts of Speechmatics' first version: words and speakers as two lists beside each other.

==============================  ============================================================
its word                        ours
==============================  ============================================================
``words[]``                     words: ``name``, ``time`` and ``duration`` in seconds, as texts
a name of signs alone           added to the display form of the word before; ``.``, ``?``
                                and ``!`` end a segment
``speakers[]``                  stretches of ``name`` from ``time`` on: the speaker of the words
                                that begin in them; ``UU`` (unknown) is none
``job.lang``, ``job.duration``  properties ``language``, ``duration``
==============================  ============================================================
"""

from __future__ import annotations

from bisect import bisect_right

from formats.json.answer import Answer, SpokenWord, WordRun, with_extent
from formats.json.members import confidence_of, required_text, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.model import Segment

__all__ = ["is_version_1", "read_version_1"]

KNOWN = frozenset({"name", "time", "duration", "confidence"})
ENDS = ".?!"


def is_version_1(value: JsonValue) -> bool:
    """Whether an answer is of the first version."""
    version = value.get("format")
    is_first = version is not None and str(version.value).startswith("1.")
    return value.has("words") and (is_first or value.has("speakers")) and not value.has("results")


def read_version_1(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segments of a transcript: cut where sentences end and where the speaker changes.

    Raises
    ------
    SyntaxFormatError: members missing or of a wrong type.
    """
    job = value.get("job")
    if job is not None:
        answer.set_property("language", text_of(job, "lang"))
    turns: list[tuple[int, str | None]] = []

    def take_turn(turn: JsonValue) -> None:
        name = required_text(turn, "name")
        turns.append((turn.required("time").nanoseconds(), None if name == "UU" else name))

    answer.each(value.elements("speakers"), take_turn)
    turns.sort(key=lambda turn: turn[0])
    starts = [start for start, _ in turns]
    run = WordRun()
    made: list[Segment] = []

    def end() -> None:
        nonlocal run
        if run:
            run.close()
            made.append(with_extent(answer.segment(run, speaker=run[0].speaker)))
            run = WordRun()

    def take(word: JsonValue) -> None:
        word.expect_members(KNOWN)
        text = required_text(word, "name")
        if text and not any(map(str.isalnum, text)):
            run.mark(text)
            if text in ENDS:
                end()
            return
        start_ns = word.required("time").nanoseconds()
        length_ns = word.required("duration").nanoseconds()
        place = bisect_right(starts, start_ns) - 1
        speaker = turns[max(place, 0)][1] if turns else None
        if run and run[-1].speaker != speaker:
            end()
        sure = confidence_of(word, "confidence")
        run.add(SpokenWord(text, start_ns, start_ns + length_ns, sure, speaker=speaker))

    answer.each(value.elements("words"), take)
    end()
    answer.spoke = answer.spoke or value.value["words"] == []
    yield from made

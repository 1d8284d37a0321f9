"""Texts of many shapes, whose words, speakers and times are known because they are generated.

An ordinary text is changed in one to three ways: another head of the document, another form of
names or times, other lines between turns. Each text must be read rightly, or the reader must say
what it is not sure of.
"""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

import formats

LANGUAGES = {
    "en": (
        "I|We|They|My sister|The driver|Our teacher|Nobody here|The old farmer|Everyone",
        "found|lost|carried|painted|remembered|counted|sold|opened|cleaned|measured",
        "the blue door|a box of nails|some cold soup|the garden wall|two small boats",
        "before lunch|last winter|near the river|without any help|as usual, but slowly",
    ),
    "de": (
        "Ich|Wir|Der Fahrer|Niemand|Unser Lehrer",
        "fand|suchte|bemalte|verkaufte",
        "die blaue Tür|einen alten Hut|den Bericht",
        "vor dem Essen|am Fluss|ohne Hilfe",
    ),
    "ru": (
        "Мы|Водитель|Моя сестра|Никто",
        "нашли|искали|забыли",
        "синюю дверь|старую лампу|длинный мост",
        "до обеда|у реки|как всегда",
    ),
}
"""Subjects, verbs, objects and ends of sentences."""
PEOPLE = {
    "first": ["Ann", "Ben", "Chloe"],
    "full": ["Ann Miller", "Ben Okafor", "Chloe Durand"],
    "capitals": ["ANN", "BEN", "CHLOE"],
    "label": ["Speaker 1", "Speaker 2", "Speaker 3"],
    "pyannote": ["SPEAKER_00", "SPEAKER_01", "SPEAKER_02"],
    "title": ["Dr. Ana Roe", "Mr. Tom Hill", "Ms. Ida Falk"],
    "role": ["Interviewer", "Respondent"],
    "russian": ["Анна", "Борис", "Вера Иванова"],
    "chinese": ["张伟", "李娜", "王芳"],
    "users": ["BigBen", "anna_92", "cat-lover"],
    "numbers": ["P1", "P2", "I1"],
}
HEADS = {
    "colon": "{before}{name}{after}: {text}",
    "alone": "{before}{name}{after}:\n{text}",
    "bold": "{before}**{name}{after}:** {text}",
    "list": "- {before}{name}{after}: {text}",
    "square": "{before}[{name}]{after} {text}",
    "changes": ">> {before}{name}{after}: {text}",
    "number": "{number}. {before}{name}{after}: {text}",
    "heading": "## {before}{name}{after}\n{text}",
    "bar": "{before}{name}{after} | {text}",
}
PREAMBLES = {
    "none": "",
    "title": "Weekly planning call\n\n",
    "rule": "Weekly planning call\n====================\n\n",
    "fields": "Date: 4 May 2024\nLocation: Room 4\nDuration: 42 minutes\n\n",
    "front": "---\ntitle: Weekly planning call\ndate: 2024-05-04\n---\n\n",
    "markdown": "# Interview with the library\n\n## Transcript\n\n",
    "made": "Transcript generated on 2024-05-04 10:22:31\nLength: 00:12:40\n\n",
}
BETWEEN = {"none": "\n", "blank": "\n\n", "two": "\n\n\n", "rule": "\n\n--------------------\n\n"}
EXTRAS = {
    "none": "",
    "footer": "\n\nEND OF TRANSCRIPT",
    "count": "\n\nWord count: 312",
    "notes": "\n\n---\nNotes:\n- Send the report\n- Next call on Friday",
}


def _clock(time: int, *, has_hours: bool = True) -> str:
    minutes, seconds = divmod(time, 60)
    hours = f"{minutes // 60:02d}:" if has_hours else ""
    return f"{hours}{minutes % 60 if has_hours else minutes:02d}:{seconds:02d}"


STAMPS: dict[str, Callable[[int, int], str]] = {
    "none": lambda start, end: "",
    "square": lambda start, end: f"[{_clock(start)}]",
    "minutes": lambda start, end: f"({_clock(start, has_hours=False)})",
    "bare": lambda start, end: _clock(start),
    "span": lambda start, end: f"[{_clock(start)} - {_clock(end)}]",
    "dots": lambda start, end: f"[{_clock(start)}..{_clock(end)}]",
    "seconds": lambda start, end: f"[{start}.00s - {end}.00s]",
    "decimals": lambda start, end: f"[{_clock(start)}.00 - {_clock(end)}.00]",
    "tenths": lambda start, end: f"#{_clock(start)}-0#",
    "spelt": lambda start, end: f"{start // 60}m{start % 60}s",
    "plus": lambda start, end: f"T+{_clock(start, has_hours=False)}",
    "bold": lambda start, end: f"**[{_clock(start)}]**",
    "link": lambda start, end: f"[{_clock(start)}](https://example.org/v?t={start})",
}
PLACES = ("before", "after", "above", "behind", "some")
AXES: dict[str, list[str]] = {
    "preamble": list(PREAMBLES),
    "head": list(HEADS),
    "people": list(PEOPLE),
    "stamp": list(STAMPS),
    "place": list(PLACES),
    "between": list(BETWEEN),
    "extra": list(EXTRAS),
    "language": list(LANGUAGES),
    "size": ["3", "12", "40"],
}
ORDINARY = {axis: values[0] for axis, values in AXES.items()} | {"size": "12", "between": "blank"}


@dataclass(slots=True)
class Shape:
    """A text, and the words, the speaker and the start of each turn."""

    choices: dict[str, str]
    text: str = ""
    turns: list[tuple[str, str, int | None]] = field(default_factory=list)


def _shape(seed: int) -> Shape:
    """Return an ordinary text with one to three unusual parts."""
    chance = random.Random(seed)
    odd = chance.sample(sorted(AXES), chance.choice([1, 2, 2, 3]))
    choices = ORDINARY | {"stamp": chance.choice(["none", "square"])}
    shape = Shape(choices | {axis: chance.choice(AXES[axis]) for axis in odd})
    choices = shape.choices
    names = PEOPLE[choices["people"]][: 2 if choices["size"] == "3" else 3]
    time, turns = 0, []
    for number in range(int(choices["size"])):
        parts = (chance.choice(x.split("|")) for x in LANGUAGES[choices["language"]])
        text = " ".join(parts) + chance.choice(".?!")
        name = names[number % len(names)]
        end = time + max(2, len(text.split()) // 2)
        is_timed = choices["stamp"] != "none" and (choices["place"] != "some" or number % 4 == 0)
        stamp = STAMPS[choices["stamp"]](time, end) if is_timed else ""
        turns.append(_turn(choices, name, stamp, text, number + 1))
        shape.turns.append((text, name, time if is_timed else None))
        time = end + 1
    body = BETWEEN[choices["between"]].join(turns)
    shape.text = f"{PREAMBLES[choices['preamble']]}{body}{EXTRAS[choices['extra']]}\n"
    return shape


def _turn(choices: dict[str, str], name: str, stamp: str, text: str, number: int) -> str:
    """Return a turn with its time in the chosen place."""
    place = choices["place"]
    before = f"{stamp} " if stamp and place in ("before", "some") else ""
    after = f" {stamp}" if stamp and place == "after" else ""
    said = f"{text} {stamp}" if stamp and place == "behind" else text
    turn = HEADS[choices["head"]].format(
        before=before, name=name, after=after, text=said, number=number
    )
    return f"{stamp}\n{turn}" if stamp and place == "above" else turn


def _result(shape: Shape) -> str:
    """Return ``right``, ``told`` or ``silent``: what the reader makes of a text."""
    try:
        read = formats.read(io.BytesIO(shape.text.encode()), recording="talk")
    except formats.FormatError:
        return "told"
    words = [word for text, _, _ in shape.turns for word in text.split()]
    expected = [(name, start) for _, name, start in shape.turns]
    found = [(segment.speaker, segment.start) for segment in read]
    is_right = [word for segment in read for word in segment.words] == words and found == [
        (name, None if start is None else float(start)) for name, start in expected
    ]
    if is_right:
        return "right"
    return "told" if any(entry.severity == "warning" for entry in read.diagnostics) else "silent"


def _count(seeds: range) -> tuple[Counter[str], list[str]]:
    """Return how many texts have each result, and the choices of those that are silently wrong."""
    counts: Counter[str] = Counter()
    silent = []
    for seed in seeds:
        shape = _shape(seed)
        result = _result(shape)
        counts[result] += 1
        if result == "silent":
            odd = {axis: x for axis, x in shape.choices.items() if ORDINARY[axis] != x}
            silent.append(f"{seed}: {odd}")
    return counts, silent


@pytest.mark.share(2)
@pytest.mark.parametrize("first", [0, 75])
def test_generated_texts_are_read(first: int) -> None:
    counts, silent = _count(range(first, first + 75))
    assert not silent, "\n".join(silent)
    assert counts["right"] >= 70, counts


@pytest.mark.release
def test_many_generated_texts_are_read() -> None:
    counts, silent = _count(range(1000, 1600))
    # a list below a rule and `## Name`, two marks before one turn, links behind texts
    assert len(silent) <= 6, "\n".join(silent)
    assert counts["right"] >= 585, counts

"""Directions inside texts, in brackets or between asterisks: words that a note counts."""

import formats
from formats.io.messages import BRACKETS_LEFT
from formats.reading.directions import directions_in
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named
from tests.remarks import fields_of

DIRECTIONS = [
    *("*sighs heavily*", "*Typing*", "*takes a long look at the map*", "*She sits down.*"),
    *("(Long pause.)", "(smiling)", "(to Bob)", "(Puts the lamp on the table. It goes out.)"),
    *("[laughs]", "[joins the call]", "[crosstalk 00:20:25]", "[off-mike]", "[on the phone]"),
]
WORDS = [
    *("*Really* now,", "*Good evening, all.*", "*Yes* Of course.", "*The Old Barn* Well,"),
    *("(as I told you)", "(and you know it)", "[Name]", "[Customer Name]", "(Doe)", "[12]"),
    *("[notes](https://example.org)", "[{'key': 'moves on'}]", "(LRU)"),
]
PLACES = {"first": "{part} {text}", "last": "{text} {part}", "within": "Well. {part} {text}"}
FORMS = ["{name}: {text}\n", "{name}\n{text}\n\n", "[0:0{n}] {name}: {text}\n", "{text}\n"]


@each_case("place", PLACES.values())
@each_case("part", DIRECTIONS)
def test_a_direction_is_found_between_sentences(part: str, place: str) -> None:
    (found,) = directions_in(place.format(part=part, text=SAID[0]))
    assert found[0] == part


@each_case("place", PLACES.values())
@each_case("part", WORDS)
def test_what_may_be_said_is_no_direction(part: str, place: str) -> None:
    assert not list(directions_in(place.format(part=part, text=SAID[0])))


def test_only_a_sound_is_a_direction_within_a_sentence() -> None:
    text = "So it (laughs) was, (of all things) and *nods* then (in the end) it is."
    assert [found[0] for found in directions_in(text)] == ["(laughs)"]


@each_case("form", FORMS)
@each_case("part", ["*opens the door*", "(Laughs.)", "[laughs]"])
def test_a_note_counts_directions_which_are_words(part: str, form: str) -> None:
    said = [f"{text} {part}" if n == 3 else text for n, text in enumerate(SAID)]
    rows = [form.format(name="AnnBob"[3 * (n % 2) :][:3], text=x, n=n) for n, x in enumerate(said)]
    transcript = formats.read(named("".join(rows)))
    assert part in " ".join(word for segment in transcript for word in segment.words)
    (fields,) = fields_of(transcript.diagnostics, BRACKETS_LEFT)
    assert fields == {"count": 1, "text": part}

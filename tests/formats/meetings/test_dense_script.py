"""Screenplays without blank lines: a name, a line of speech, lines of actions."""

from io import BytesIO

import pytest

import formats
from formats.meetings.turns.dense_script import dense_script_of

SCRIPT = """THE LAKE
INT. KITCHEN - DAY
Ann cuts bread at the window. Rain falls.
ANN
Did you see the boat?
BEN
(quietly)
It went down in the night.
Ben sits down. Ann puts the knife away.
ANN
Who was in it?
Ben looks at the floor.
BEN
Nobody.
(after a while)
I hope.
EXT. SHORE - NIGHT
They walk along the water. Ann holds a lamp.
ANN (V.O.)
We never found the oars.
"""
GERMAN = """INNEN. KÜCHE - TAG
Anna schneidet Brot.
ANNA
Hast du das Boot gesehen?
Anna geht zum Fenster.
BEN
Es ist gesunken.
Er setzt sich.
ANNA
Und wer war darin?
Ben schaut auf den Boden.
BEN
Ich weiß es nicht.
"""


def turns(text: str) -> tuple[list[tuple[str | None, str]], set[str]]:
    transcript = formats.read(BytesIO(text.encode()), "speaker-text")
    said = [(s.speaker, " ".join(s.words)) for s in transcript.segments]
    return said, {entry.code for entry in transcript.diagnostics}


def test_actions_below_speech_are_no_words() -> None:
    said, codes = turns(SCRIPT)
    assert said == [
        ("ANN", "Did you see the boat?"),
        ("BEN", "It went down in the night."),
        ("ANN", "Who was in it?"),
        ("BEN", "Nobody. I hope."),
        ("ANN", "We never found the oars."),
    ]
    assert "SPEAKER-TEXT-FOOTER" in codes


def test_scenes_have_headings_in_other_languages() -> None:
    assert [speaker for speaker, _ in turns(GERMAN)[0]] == ["ANNA", "BEN"] * 2
    assert turns(GERMAN)[0][0] == ("ANNA", "Hast du das Boot gesehen?")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Ben looks at the floor.", "Tell me, do you know them?"),
        ("It went down in the night.", "It went down in\nthe night and the\nrain fell on"),
        ("INT. KITCHEN - DAY", "The kitchen in the morning"),
        ("EXT. SHORE - NIGHT\n", "\n\nEXT. SHORE - NIGHT\n\n"),
    ],
)
def test_speech_of_several_lines_is_no_action(before: str, after: str) -> None:
    text = SCRIPT.replace(before, after)
    if "INT." not in text:
        text = text.replace("EXT. SHORE - NIGHT", "At the shore")
    assert dense_script_of(list(enumerate(text.splitlines()))) is None

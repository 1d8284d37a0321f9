"""Signs, labels and notes in texts that nobody says: pauses, notes of writers, names of chats."""

import pytest

from formats.io.messages import PAUSES_LEFT, TEXTS_LEFT
from tests.each_case import each_case
from tests.formats.conftest import ReadText
from tests.formats.meetings.said import SAID, turns
from tests.remarks import fields_of

SCRIPT = """INT. KITCHEN - DAY

MARIA
Did you close the door?

TOM
I did. [[was it he?]] Twice.

EXT. GARDEN - NIGHT

MARIA
Then who opened it?

TOM
Nobody did, I am sure of it.
"""


@each_case(
    "form", ["[10:{n:02}] <{name}> {text}", "<{name}> {text}", "{name}: {text}", "{name} | {text}"]
)
def test_the_last_sign_of_a_nick_is_kept(form: str) -> None:
    nicks = ("ann_", "bo_b", "carl")
    lines = (form.format(n=n, name=nicks[n % 3], text=text.lower()) for n, text in enumerate(SAID))
    assert [name for name, _, _ in turns("\n".join(lines))] == [
        nicks[n % 3] for n in range(len(SAID))
    ]


def test_emphasis_around_names_is_no_part_of_them() -> None:
    lines = (f"_{'Ann' if n % 2 else 'Ben'}:_ {text}" for n, text in enumerate(SAID))
    assert {name for name, _, _ in turns("\n\n".join(lines))} == {"Ann", "Ben"}


@each_case("form", ["00;00;{n:02};16 {text}", "00;00;{n:02};16\t00;00;{n:02};20\t{text}"])
def test_times_with_semicolons_are_no_fields(form: str) -> None:
    lines = [form.format(n=5 * n, text=text) for n, text in enumerate(SAID)]
    assert turns("\n".join(lines)) == [
        (None, 5 * n + 0.64, text) for n, text in enumerate(SAID)
    ]  # fmt: skip


def test_times_with_semicolons_behind_names() -> None:
    names = ("Ann Ex", "Ben Wy")
    lines = [f"{names[n % 2]} (00;00;{5 * n:02};16)\n{text}\n" for n, text in enumerate(SAID)]
    assert turns("\n".join(lines)) == [
        (names[n % 2], 5 * n + 0.64, text) for n, text in enumerate(SAID)
    ]


def test_who_comes_and_goes_directly_below_a_speech_is_not_said() -> None:
    ways = [
        "Enter ANNA and PETER",
        "Exeunt severally; ANNA first",
        "Enter a Boy, with PETER",
        "Exit",
    ]
    rows = [
        f"{('ANNA', 'PETER', 'MARIA')[n % 3]}\n{text}" + (f"\n{ways[n // 2]}" if n % 2 else "")
        for n, text in enumerate(SAID)
    ]
    assert [text for _, _, text in turns("\n\n".join(rows))] == SAID


def test_notes_of_a_writer_are_not_said() -> None:
    assert turns(SCRIPT)[1] == ("TOM", None, "I did. Twice.")


def test_who_typed_a_text_does_not_speak() -> None:
    lines = [f"{('ANN', 'BEN')[n % 2]}: {text}" for n, text in enumerate(SAID)]
    text = "\n".join([*lines, "", "TRANSCRIBERS: J. Hill, P. Wood"])
    assert {name for name, _, _ in turns(text)} == {"ANN", "BEN"}


PAUSES = "so / I went // there and / well / nobody was home //\nthen / we looked / at the river"


@pytest.mark.parametrize("form", ["{}", "A: {}\nB: and so it was\nA: yes\nB: that was it"])
def test_slashes_alone_are_pauses(form: str, read_text: ReadText) -> None:
    result = read_text(
        form.format(PAUSES.replace("\n", " ")), "txt" if form == "{}" else "speaker-text"
    )
    words = [word for segment in result for word in segment.words]
    assert words[:3] == ["so", "I", "went"]
    assert {"/", "//"}.isdisjoint(words)
    assert fields_of(result.diagnostics, PAUSES_LEFT) == [{"count": 7, "text": "/"}]


def test_a_few_slashes_are_words(read_text: ReadText) -> None:
    (segment,) = read_text("He said and / or, not 1 / 2 of it.\n", "txt")
    assert segment.words.count("/") == 2


@each_case("form", ["<_Calm>\n{}", "<_Calm> {}", "{} <_Calm>"])
def test_tags_of_moods_are_no_words(form: str, read_text: ReadText) -> None:
    (segment,) = read_text("\n".join(map(form.format, SAID)), "txt")
    assert " ".join(segment.words) == " ".join(SAID)


LISTS = [
    "{n}. **Roads {n}**\n   - **Main Aim:** We want safe roads here.\n   - **Sign Of It:** Nobody falls.",
    "## Long Roads\n- they are safe\n- they are wide\n\n## Old Rivers\n- they are deep\n- they run",
]


@each_case("form", LISTS)
def test_lists_of_fields_are_doubtful_turns(form: str, read_text: ReadText) -> None:
    text = "\n\n".join(form.format(n=n) for n in range(1, 6))
    remarks = read_text(text, "speaker-text").diagnostics
    assert "SPEAKER-TEXT-DOUBT" in {remark.code for remark in remarks}


def test_speakers_whose_turns_are_together_may_be_a_list(read_text: ReadText) -> None:
    """A conversation returns to its speakers."""
    names = [name for name in ("Guard", "Cook", "Smith", "Maid", "Baker") for _ in range(3)]
    texts = [*SAID, *(text.lower() for text in SAID[1:])]
    lines = [f"{name}: {text}" for name, text in zip(names, texts, strict=True)]
    remarks = read_text("\n".join(lines), "speaker-text").diagnostics
    assert fields_of(remarks, TEXTS_LEFT["apart"]) == [{"count": 5, "total": 15, "text": "Guard"}]
    remarks = read_text("\n".join(lines[::3] * 3), "speaker-text").diagnostics
    assert fields_of(remarks, TEXTS_LEFT["apart"]) == []

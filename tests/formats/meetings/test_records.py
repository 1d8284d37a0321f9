"""Records of fields in plain text, tables between bars, and numbered lines of pages."""

from formats.meetings.messages import FIELDS_LEFT, NUMBERS_LEFT
from formats.meetings.turns.description import description_of
from formats.meetings.turns.records import records_of
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText
from tests.formats.meetings.test_layouts import detected, turns

TWO = [("Ann", 0.5, 3.0, "so it was"), ("Ben", 3.5, 6.0, "well: yes")]
TEXTS = [
    # below each other, in another language, with a number of the record
    "1\nSpeaker: Ann\nStart Time: 0.5\nEnd Time: 3\nText: so it was\n\n"
    "2\nSpeaker: Ben\nStart Time: 3.5\nEnd Time: 6\nText: well: yes\n",
    "Pembicara: Ann\nWaktu Mulai: 0:00.5\nWaktu Selesai: 0:03\nTeks:\nso it was\n"
    "Pembicara: Ben\nWaktu Mulai: 0:03.5\nWaktu Selesai: 0:06\nTeks:\nwell: yes\n",
    # below a turn, and above it
    "Ann: so it was\nStart: 500ms\nEnd: 3000ms\n\nBen: well: yes\nStart: 3500ms\nEnd: 6000ms\n",
    "Time: 0.5s - 3.0s\nAnn: so it was\n\nTime: 3.5s - 6.0s\nBen: well: yes\n",
    # in one line
    "[Speaker: Ann] [Start: 0.5] [End: 3.0] so it was\n[Speaker: Ben] [Start: 3.5] [End: 6.0] well: yes\n",
    "Ann (start: 0.5, end: 3.0): so it was\nBen (start: 3.5, end: 6.0): well: yes\n",
    "Start: 0.5 | End: 3.0 | Speaker: Ann | Text: so it was\n"
    "Start: 3.5 | End: 6.0 | Speaker: Ben | Text: well: yes\n",
    # between bars
    "| Start | End | Speaker | Text |\n|---|---|---|---|\n"
    "| 0.5 | 3.0 | Ann | so it was |\n| 3.5 | 6.0 | Ben | well: yes |\n",
]


@each_case("text", TEXTS)
def test_fields_are_read_by_their_names(text: str, read_text: ReadText) -> None:
    assert detected(text) == ("csv" if "---" in text else "speaker-text")
    assert turns(read_text, text) == TWO
    lines = list(enumerate(text.splitlines(), 1))
    assert description_of(lines)[0].startswith("pattern")


def test_columns_between_bars_without_names(read_text: ReadText) -> None:
    text = "".join(f"0:0{n} | {'AB'[n % 2]}nn | so it {n} was\n" for n in range(4))
    assert turns(read_text, text, None)[1] == ("Bnn", 1.0, None, "so it 1 was")


def test_other_fields_are_counted(read_text: ReadText) -> None:
    text = "Speaker: Ann\nMood: calm\nText: so\n\nSpeaker: Ben\nMood: sad\nText: no\n"
    read = read_text(text, "speaker-text")
    assert [s.speaker for s in read] == ["Ann", "Ben"]
    assert FIELDS_LEFT.code in codes(read)


def test_letters_and_lists_are_no_records() -> None:
    letters = "From: Ann\nTo: Ben\nhello\n\nFrom: Ben\nTo: Ann\nhi\n"
    assert records_of(list(enumerate(letters.splitlines(), 1))) is None
    assert detected("a | b\nc | d\ne | f\n") == "txt"


def test_numbers_of_lines_and_pages_are_no_words(read_text: ReadText) -> None:
    said = ["THE COURT:  Good morning.  Please", "be seated.", "MR. EX:  Good morning.",
            "THE COURT:  Call them.", "MR. EX:  I do."]  # fmt: skip
    page = "".join(f"{n:>2}      {line}\n" for n, line in enumerate(said, 1))
    read = read_text(f"     Page 1\n{page}     Page 2\n{page}", "speaker-text")
    assert [" ".join(s.words) for s in read][:2] == [
        "Good morning. Please be seated.",
        "Good morning.",
    ]
    assert len(list(read)) == 8
    assert NUMBERS_LEFT.code in codes(read)


def test_texts_above_their_fields_are_no_records() -> None:
    text = "so it was\nTime: 0.5 - 3.0\nand so\nTime: 3.5 - 6.0\nno\nTime: 6.5 - 7.0\n"
    assert records_of(list(enumerate(text.splitlines(), 1))) is None


def test_data_titles_and_marks_of_headings_are_no_words(read_text: ReadText) -> None:
    text = '[Ann]: so\n[Ben]: no\n[Score]: {"id": 1}\n[Ann]: well\n[Ben]: yes\n'
    assert [turn[3] for turn in turns(read_text, text)] == ["so", "no", "well", "yes"]
    text = "".join(f"00:00:0{n} {'## ' * (n == 1)}so {n}\n" for n in range(1, 5))
    assert turns(read_text, text)[0][3] == "so 1"
    text = "0:00 - 2:00 | The plan: one\n\nAnn: so\n\nBen: no\n\n2:00 - 3:00 | Two\n\nAnn: well\n"
    assert turns(read_text, text) == [
        ("Ann", 0.0, None, "so"), ("Ben", None, None, "no"), ("Ann", 120.0, None, "well"),
    ]  # fmt: skip


def test_dates_of_messages_are_no_words(read_text: ReadText) -> None:
    lines = [f"[2024-05-0{n // 9 + 1} 10:30:0{n}] ANN:\nso {n}\n-----\n" for n in range(4)]
    assert turns(read_text, "".join(lines), None)[1] == ("ANN", 1.0, None, "so 1")
    lines = [f"2024-05-01 10:30:0{n} - {'AB'[n % 2]}nn: so {n}\n" for n in range(4)]
    assert turns(read_text, "".join(lines), None)[1] == ("Bnn", 1.0, None, "so 1")
    log = [f"2024-05-01 10:30:0{n} - {'INFO' if n % 2 else 'ERROR'}: so\n" for n in range(6)]
    assert detected("".join(log)) == "txt"


def test_two_times_behind_a_name_and_the_end(read_text: ReadText) -> None:
    text = "SPEAKER 2 0:00:00 0:00:02\nso it was\nSPEAKER 1 0:00:02 0:00:06\nyes\n"
    text += "SPEAKER 2 0:00:06 0:00:09\nno\n"
    assert turns(read_text, text)[0] == ("SPEAKER 2", 0.0, 2.0, "so it was")
    text = "SPEAKER 2 0:00:00\nso\nSPEAKER 1 0:00:02\nyes\nSPEAKER 2 0:00:04\nno\nEND 0:00:09\n"
    assert turns(read_text, text)[-1] == ("SPEAKER 2", 4.0, 9.0, "no")


def test_halves_of_a_day_and_dates_are_no_names(read_text: ReadText) -> None:
    text = "10:00 AM - 10:05 AM: The agenda\nAnn: so\nBen: no\n10:05 AM - 10:15 AM: The rest\n"
    text += "Ann: well\nBen: yes\n"
    assert [turn[:2] for turn in turns(read_text, text)][::2] == [("Ann", 0.0), ("Ann", 300.0)]
    text = "Ann: so\nBen: no\n\nDecember 29th:\nAnn: well\nBen: yes\n"
    assert [turn[3] for turn in turns(read_text, text)] == ["so", "no", "well", "yes"]


def test_text_above_turns_that_is_most_of_a_file_is_no_head() -> None:
    text = "so it was all along, and so on\n" * 40 + "Ann 0:10\nso\nBen 0:12\nno\nAnn 0:14\nso\n"
    assert detected(text) == "txt"


@each_case(
    "form",
    [
        "Speaker ID: {n}\nOriginal Text: {x}\nTranslated Text: {y}\n\n",
        "Speaker: {n}\nOriginal Text: {x}\nTranslated Text: {y}\n{y}\n",
        "TRANSCRIPT:\n    Text={x}\n\n    Speaker ID={n}\n",
        "Transcription:\n  Speaker={n}\n  Text={x}\n\n",
    ],
)
def test_translations_and_titles_of_records_are_no_texts(form: str, read_text: ReadText) -> None:
    rows = [("Ann", "so it was"), ("Ben", "well, yes"), ("Ann", "and then")]
    text = "".join(form.format(n=n, x=x, y="es war so") for n, x in rows)
    assert turns(read_text, text) == [(n, None, None, x) for n, x in rows]
    assert FIELDS_LEFT.code in codes(read_text(text, None))

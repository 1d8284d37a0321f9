"""Printed plays, prints of scripts, lists of recordings, calls with investors, and inline names."""

import pytest

import formats
from formats.meetings.messages import COLUMN_LEFT, LIST_MARKS_LEFT
from formats.nist.messages import TXT_ALONE
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.meetings.said import SAID, named, turns

LINES = [line for line in SAID for _ in range(2)]
PEOPLE = ["ANNA", "BRUNO", "FIRST LORD"]


def test_play_with_full_stops() -> None:
    """Names with a full stop are above the verses; directions and titles are not spoken."""
    text = "ACT I\n\n Enter Anna and\n Bruno.\n\n"
    for n, line in enumerate(LINES):
        text += f"{PEOPLE[n % 3]}.\n{line}\nand so on.\n\n"
        text += " [_Exit._]\n\nSCENE II. A hall.\n\n" if n == 7 else ""
    found = turns(text)
    assert [name for name, _, _ in found] == [PEOPLE[n % 3] for n in range(len(LINES))]
    assert [words for *_, words in found] == [f"{line} and so on." for line in LINES]


def play_with_ways(template: str) -> str:
    """Return a play with names alone on lines, and lines in which persons come or go."""
    text = "ACT I\nSCENE I. A hall.\nEnter ANNA and BRUNO\n\n"
    ways = [
        "Enter Nurse, with a lamp",
        "Re-enter BRUNO",
        "Exit above",
        "Enter two of the Watch, with ANNA",
    ]
    for n, line in enumerate(LINES):
        way = ways[n // 3 % 4] if n % 3 == 2 and n < 12 else ""
        text += template.format(name=("ANNA", "BRUNO", "Nurse")[n % 3], line=line, way=way)
    return text


def test_persons_come_below_verses() -> None:
    """A line in which somebody comes is no speech, also directly below a verse and above one."""
    text = play_with_ways("{name}\n{line}\n{way}\nAnd so on.\n\n").replace("\n\nAnd", "\nAnd")
    assert [words for *_, words in turns(text)] == [f"{line} And so on." for line in LINES]
    said = f"ANNA\n{LINES[0]}\nEnter the house and see\nwhat is in it.\n\nBRUNO\nNo.\n\n" * 3
    assert turns(said)[0][2] == f"{LINES[0]} Enter the house and see what is in it."


def test_verses_go_on_below_a_way() -> None:
    """Below a whole line in which somebody goes, verses of the same column are spoken."""
    text = play_with_ways("{name}\n\n    {line}\n\n    {way}\n    And so on.\n\n")
    assert [words for *_, words in turns(text)] == [f"{line} And so on." for line in LINES]
    text = text.replace("And so on.", "and a torch.").replace("    \n    and a torch.\n", "")
    assert [words for *_, words in turns(text)] == LINES


@each_case("template", ["{name}: {line}\n\n", "{name}\n{line}\n\n"])
def test_lines_behind_a_percent_sign(template: str) -> None:
    """Several lines behind a percent sign tell what happens; a single one is a part of the text."""
    parts = [template.format(name=PEOPLE[n % 3], line=line) for n, line in enumerate(LINES)]
    told = "% They sit at a table, and a man\n\n% plays the piano.\n\n"
    found = turns(told.join(parts))
    assert [(name, words) for name, _, words in found] == [
        (PEOPLE[n % 3], line) for n, line in enumerate(LINES)
    ]
    assert "SPEAKER-TEXT-FOOTER" in codes(formats.read(named(told.join(parts))))
    once = "".join([*parts[:3], "% of the whole.\n\n", *parts[3:]])
    assert turns(once)[2][2].endswith("% of the whole.")


def test_chorus_that_comes_once_speaks() -> None:
    """A chorus that comes directly above its name speaks, also within a paragraph."""
    text = play_with_ways("{name}\n{line}\n{way}\n\n") + "ACT II\nPROLOGUE\nEnter Chorus\nChorus\n"
    assert turns(f"{text}So it was.\nExit\n" * 2)[-1] == ("Chorus", None, "So it was.")


def test_chorus_of_a_play_speaks() -> None:
    """The chorus of a play is a speaker, unlike the chorus of a song."""
    text = "".join(f"{('CHORUS', 'KING')[n % 2]}.\n{line}\n\n" for n, line in enumerate(LINES))
    assert {name for name, *_ in turns(text)} == {"CHORUS", "KING"}


@pytest.mark.parametrize(
    "template",
    [
        "2025-04-05 22:26:{t:02}: {x}\n", "[2025-04-05 22:26:{t:02}] {x}\n",
        "2025-04-05T22:26:{t:02}.000 {x}\n", "2025/04/05 22:26:{t:02} - {x}\n",
    ],
)  # fmt: skip
def test_dates_before_sentences(template: str) -> None:
    """Dates and times before sentences are times of turns; before messages of a log they are not."""
    text = "".join(template.format(t=3 * n, x=line) for n, line in enumerate(LINES))
    assert turns(text) == [(None, 3.0 * n, line) for n, line in enumerate(LINES)]
    log = "".join(template.format(t=3 * n, x=f"loaded model {n} of 16") for n in range(16))
    assert len(turns(log)) == 1
    levels = "".join(template.format(t=3 * n, x=f"INFO {line}") for n, line in enumerate(LINES))
    assert len(turns(levels)) == 1


@pytest.mark.parametrize("is_labelled", [True, False])
def test_semicolons_in_timecodes(is_labelled: bool) -> None:
    """Timecodes with semicolons are times, not words."""
    text = "".join(
        f"00;00;{3 * n:02};00 - 00;00;{3 * n + 2:02};00\n"
        f"{'Speaker ' + str(n % 2 + 1) + chr(10) if is_labelled else ''}{line}\n\n"
        for n, line in enumerate(LINES)
    )
    expected = [
        (f"Speaker {n % 2 + 1}" if is_labelled else None, 3.0 * n, line)
        for n, line in enumerate(LINES)
    ]
    assert turns(text) == expected


def test_generic_names_inside_lines() -> None:
    """Generic names inside lines begin turns if the text begins with one."""
    text = " ".join(f"SPEAKER {n % 2 + 1}: {line}" for n, line in enumerate(LINES))
    wrapped = text.replace(" the ", "\nthe ")
    expected = [(f"SPEAKER {n % 2 + 1}", None, line) for n, line in enumerate(LINES)]
    assert turns(text + "\n") == turns(wrapped + "\n") == expected


def test_one_generic_name_inside_a_line_is_text() -> None:
    """A person may say ``Speaker 2:``."""
    text = "".join(f"Speaker {n % 2 + 1}: {line}\n" for n, line in enumerate(LINES))
    quoted = text.replace("Please go", "She said Speaker 2: please go", 1)
    assert len(turns(quoted)) == len(LINES)


def test_people_with_companies_and_roles() -> None:
    """Company and role are behind names that are alone on a line."""
    roles = ["Ann Lee, Acme Corp. - Chief Executive Officer", "Operator", "Bo Ray, Bank - Analyst"]
    text = "".join(f"{roles[n % 3]}\n\n{line}\n\n" for n, line in enumerate(LINES))
    names = [("Ann Lee", "Operator", "Bo Ray")[n % 3] for n in range(len(LINES))]
    assert [name for name, *_ in turns(text)] == names


def test_list_of_recordings() -> None:
    """Fields that identify a recording are above each transcript."""
    text = "".join(
        f"Title: Talk {n}\nURL: https://a.example/{n}\nTranscript:\n{line}\nand more.\n\n"
        for n, line in enumerate(SAID)
    )
    assert turns(text) == [(None, None, f"{line} and more.") for line in SAID]


def test_tags_of_speakers() -> None:
    """Tags with the names of speakers are above their paragraphs, as in Europarl."""
    text = "<CHAPTER ID=1>\n" + "".join(
        f'<SPEAKER ID={n + 1} LANGUAGE="EN" NAME="{("Lee", "Ray")[n % 2]}">\n{line}\n<P>\nSo.\n'
        for n, line in enumerate(LINES)
    )
    expected = [(("Lee", "Ray")[n % 2], None, f"{line} So.") for n, line in enumerate(LINES)]
    assert turns(text) == expected


def test_elements_of_xml_are_no_speakers() -> None:
    """The name of an element is not the name of a person."""
    text = "".join(f"<SPEAKER>Ann</SPEAKER>\n<P>{line}</P>\n" for line in LINES)
    assert len(turns(text)) == 1


def test_quoted_identifiers() -> None:
    """An identifier and a text may both be in quotes."""
    text = "".join(f'"ab{n:03}_x" "{line}"\n' for n, line in enumerate(SAID))
    segments = list(formats.read(named(text)))
    assert [segment.utterance for segment in segments] == [f"ab{n:03}_x" for n in range(len(SAID))]
    assert [" ".join(segment.words) for segment in segments] == SAID


def test_titles_of_parts() -> None:
    """Brief paragraphs between turns are titles if all other lines are turns."""
    names = ["Ann", "Bo"]
    parts = ["".join(f"{names[n % 2]}: {line}\n" for n, line in enumerate(SAID)) for _ in range(3)]
    text = f"{parts[0]}\nThe budget\n\n{parts[1]}\nQuestions\n\n{parts[2]}"
    assert [words for *_, words in turns(text)] == 3 * SAID


def test_what_a_script_prints_below() -> None:
    """What a script prints below the turns is not spoken."""
    text = "".join(
        f"[00:{3 * n:02}.000 --> 00:{3 * n + 2:02}.000]  {x}\n" for n, x in enumerate(SAID)
    )
    below = (
        f"Full transcript:\n{' '.join(SAID)}\nTranscript saved to out.txt\nProcessing time: 4 s\n"
    )
    assert [words for *_, words in turns(text + below)] == SAID


def test_list_marks_below_names() -> None:
    """List marks before the texts below names are not words, and are reported."""
    text = "".join(
        f"**{('Ann Lee', 'Bo Ray')[n % 2]}**\n* {x}\n* So.\n\n" for n, x in enumerate(LINES)
    )
    assert [words for *_, words in turns(text)] == [f"{line} So." for line in LINES]
    assert LIST_MARKS_LEFT.code in codes(formats.read(named(text)))


def test_tracks_of_pyannote() -> None:
    """The tracks of pyannote count in letters, and some are like titles: AM, MS, DR."""
    letters = [chr(65 + n) for n in range(26)]
    # titles and hours end with few letters
    tracks = [
        first + second for first in letters for second in ("DMRST" if first > "C" else letters)
    ]
    text = "".join(
        f"[ 00:{n // 60:02}:{n % 60:02}.000 -->  00:{n // 60:02}:{n % 60:02}.900] {x} SPEAKER_00\n"
        for n, x in enumerate(tracks)
    )
    assert turns(text) == [("SPEAKER_00", float(n), "") for n in range(len(tracks))]


def test_titles_before_names_are_no_identifiers() -> None:
    """``Mr. Lee:`` is the whole name."""
    text = "".join(f"{('Mr. Lee', 'Ms. Ray')[n % 2]}:\n  {x}\n" for n, x in enumerate(LINES))
    text += "(A short break was had.)\n"
    found = turns(text)
    assert {name for name, *_ in found} == {"Mr. Lee", "Ms. Ray"}
    assert [words for *_, words in found] == LINES


def test_decisions_are_not_spoken() -> None:
    """Nobody speaks under the name of a resolution or a motion."""
    text = "".join(f"{('CHAIR', 'MEMBER')[n % 2]}: {x}\n" for n, x in enumerate(LINES))
    text += "RESOLUTION: The report is accepted.\nMOTION: Moved by Ann.\n"
    assert {name for name, *_ in turns(text)} == {"CHAIR", "MEMBER"}


def test_persons_who_speak_once_are_doubted() -> None:
    """Brief lines above paragraphs may be names or titles; a warning says that they are words."""
    text = "".join(
        f"{name}\n{x}\n\n" for name, x in zip(["Ann", "Bo", "Cy", "Di"], SAID[:4], strict=True)
    )
    assert TXT_ALONE["headings"].code in codes(formats.read(named(text)))


SIGNS = [
    "[00:00:{s:02}.000 --> 00:00:{t:02}.000] SPEAKER_0{k} {x}\n", "00:{s:02};{n};{x}\n",
    "00:{s:02},{n},{x}\n", '"{x}" - {n}\n', "{n} → {x}\n", "○{w}　{x}\n", "【Speaker {k}】{x}\n",
    "Speaker {k}:\n00:00:{s:02} - {x}\n", "{n}\n  10:{s:02} AM\n{x}\n", "{n} (Leeds) (Lab)\n{x}\n\n",
    "| 00:{s:02} | **{n}** | {x} |\n", "{n} (ABC):\n{x}\n(Applause)\n",
]  # fmt: skip


@each_case("template", SIGNS)
def test_further_signs(template: str) -> None:
    """Each of these layouts gives the names and the texts."""
    names = ["Ann Lee", "Bo Ray"]
    text = "".join(
        template.format(
            k=n % 2 + 1, n=names[n % 2], w=names[n % 2].split()[0], s=3 * n, t=3 * n + 2, x=x
        )
        for n, x in enumerate(LINES)
    )
    found = turns(text)
    assert [words for *_, words in found] == LINES
    assert len({name for name, *_ in found} - {None}) == 2


def test_times_below_texts_are_not_of_the_next_text() -> None:
    """A time at the end of a paragraph is not the time of the next paragraph."""
    times = [f"0:{3 * n:02}" for n in range(len(LINES))]
    signed = "".join(f"{x}\n— Ann Lee, {m}\n\n" for x, m in zip(LINES, times, strict=True))
    assert len(turns(signed)) == 1
    below = "".join(f"{x}\n{m}\n\n" for x, m in zip(LINES, times, strict=True))
    assert [start for _, start, _ in turns(below)] == [3.0 * n for n in range(len(LINES))]
    with pytest.raises(formats.FormatError):
        turns(f"{LINES[0]}\n\n{below}")


def test_tokens_of_whisper() -> None:
    """The times between tokens of Whisper are those of the texts."""
    text = "".join(f"<|{3 * n}.00|> {x}<|{3 * n + 2}.00|>" for n, x in enumerate(LINES))
    assert turns(text + "\n") == [(None, 3.0 * n, x) for n, x in enumerate(LINES)]


def test_times_behind_words() -> None:
    """Fields with times may be behind the text of a record."""
    words = SAID[0].split()
    text = "".join(f"Word: {x}, start: {n}.0, end: {n}.5\n" for n, x in enumerate(words))
    assert turns(text) == [(None, float(n), x) for n, x in enumerate(words)]


def test_numbers_in_brackets_between_turns() -> None:
    """Numbers in brackets that count up are no words."""
    text = "".join(f"[{n + 1}]\n\nAnn: {x}\n\nBo: Yes.\n\n" for n, x in enumerate(SAID))
    assert [words for *_, words in turns(text)] == [w for x in SAID for w in (x, "Yes.")]


def test_results_of_a_comparison_are_no_turns() -> None:
    """A comparison of labels and results of a recogniser is no transcript."""
    text = "".join(
        f"Aligned transcription: {n}.lab\n LAB: {x}\n REC: {x}\n" for n, x in enumerate(SAID)
    )
    with pytest.raises(formats.FormatError):
        formats.read(named(text))


@pytest.mark.parametrize("form", ["(She waits {n} minutes.)", "*a pause of {n} minutes*"])
def test_directions_in_turns_are_no_words(form: str) -> None:
    """A direction below a name or between turns is no word; one that is a whole turn stays."""
    rows = [(PEOPLE[n % 2], form.format(n=n), x) for n, x in enumerate(LINES)]
    below = "".join(f"{name}\n{direction}\n{x}\n\n" for name, direction, x in rows)
    assert [words for *_, words in turns(below)] == LINES
    whole = form.format(n=50)
    assert [words for *_, words in turns(f"{below}{PEOPLE[0]}\n{whole}\n")] == [*LINES, whole]
    between = "".join(f"{name}: {x}\n\n{direction}\n\n" for name, direction, x in rows)
    assert [words for *_, words in turns(between)] == LINES


def test_sentences_between_asterisks_are_words() -> None:
    text = "".join(f"{PEOPLE[n % 2]}: {x}\n\n*So it was.*\n\n" for n, x in enumerate(LINES))
    assert all(words.endswith("*So it was.*") for *_, words in turns(text))


@pytest.mark.parametrize("remark", ["V.O.", "O.S.", "(V.O.)", "CONT'D"])
def test_a_remark_behind_a_name_of_a_screenplay_is_no_part_of_it(remark: str) -> None:
    cues = [f"ANN {remark}", "BO LEE", "ANN", "BO LEE"]
    text = "".join(f"She waits.\n\n          {cue}\n      {LINES[0]}\n\n" for cue in cues)
    assert [name for name, *_ in turns(text)] == ["ANN", "BO LEE", "ANN", "BO LEE"]


def test_the_heading_of_a_scene_is_no_speaker() -> None:
    scene = "INT. BARN - NIGHT\nANN waits. The lamp goes out.\n\n"
    transcript = formats.read(named(scene * 4))
    assert {segment.speaker for segment in transcript} == {None}


def test_persons_above_the_turns_are_no_turns() -> None:
    persons = "The yearly call\nPresent\n" + "".join(
        f"{name} - {role}\n"
        for name, role in zip(PEOPLE[:2], ("Head of the House", "The Barn"), strict=True)
    )
    rows = [(PEOPLE[n % 2], x) for n, x in enumerate(LINES)]
    text = f"{persons}Others\n{PEOPLE[0]} - Guest\n{PEOPLE[1]} - Guest\n\n"
    text += "".join(f"{name}\n\n{x}\n\n" for name, x in rows)
    assert [words for *_, words in turns(text)] == LINES


def screenplay(*cues: str) -> str:
    """Return a screenplay with these cues, which may have directions below them."""
    return "".join(
        f"          She looks at the bridge.\n\n{' ' * 30}{cue}\n{' ' * 20}{line}\n\n"
        for cue, line in zip(cues, SAID, strict=False)
    )


def test_a_direction_below_a_name_of_a_screenplay_may_have_two_lines() -> None:
    broken = f"BRUNO\n{' ' * 25}(walking to the\n{' ' * 26}other side)"
    text = screenplay("ANNA", broken, "ANNA", broken, "ANNA")
    names = ["ANNA", "BRUNO"] * 2 + ["ANNA"]
    assert [(name, said) for name, _, said in turns(text)] == list(
        zip(names, SAID[:5], strict=True)
    )


def test_the_first_name_of_a_screenplay_may_have_lost_its_indent() -> None:
    text = screenplay(*["ANNA", "BRUNO"] * 3).split("\n\n", 1)[1].lstrip()
    assert [name for name, *_ in turns(text)] == ["ANNA", "BRUNO"] * 3


def test_each_of_several_screenplays_has_its_own_indents() -> None:
    first, second = ["ANNA", "BRUNO"] * 3, ["CLARA", "DAVID"] * 3
    other = screenplay(*second).replace(" " * 10, " " * 4)
    text = screenplay(*first) + other
    assert [(name, said) for name, _, said in turns(text)] == list(
        zip([*first, *second], 2 * SAID[:6], strict=True)
    )


PAGES = (
    "INT. KITCHEN - NIGHT\n\nA kettle boils.\n\n{name}ANN\n{text}It is late.\n\n{name}BEN\n"
    "{text}He said nine.\n\nBen sits down.\n\n{name}ANN\n{text}He always\n\n{page}2.\n\n"
    "{text}says that.\nBen looks up.\n{name}BEN\n{text}Then wait.\n{name}ANN\n{text}I do.\n"
    "EXT. STREET - LATER\n\nA man with a lamp.\n\n{name}MARTIN\n{text}Is anybody there?\n\n"
    "{page}3.\n{name}ANN\n{text}Here!\n"
)


def test_blank_lines_above_names_of_a_script_may_be_lost() -> None:
    text = PAGES.format(name=" " * 24, text=" " * 12, page=" " * 60)
    assert [(speaker, words) for speaker, _, words in turns(text)] == [
        ("ANN", "It is late."), ("BEN", "He said nine."), ("ANN", "He always says that."),
        ("BEN", "Then wait."), ("ANN", "I do."), ("MARTIN", "Is anybody there?"), ("ANN", "Here!"),
    ]  # fmt: skip


def test_headings_and_dates_of_a_script_are_no_names() -> None:
    front = " " * 24 + "FIRST DRAFT\n" + " " * 12 + "May 2001\n\n"
    text = front + PAGES.format(name=" " * 24, text=" " * 12, page=" " * 60)
    text = text.replace("EXT. STREET", " " * 20 + "EXT. STREET")
    assert {speaker for speaker, _, _ in turns(text)} == {"ANN", "BEN", "MARTIN"}


def test_columns_of_a_script_may_be_shifted_on_some_pages() -> None:
    first, second = (PAGES.format(name=" " * n, text=" " * (n - 12), page="") for n in (24, 26))
    text = first * 3 + second
    assert len(turns(text)) == 28


@each_case("form", ["{n} ({d})", "{n}, {d}", "{n}, {d},"])
@each_case("point", ["", "."])
def test_names_in_capitals_alone_may_have_directions(form: str, point: str) -> None:
    directions = ["", "softly", "to herself", "", "at the door", "", "nods", "laughing"]
    rows = list(zip(["ANN", "BEN"] * 4, directions, SAID, strict=True))
    text = "".join(f"{form.format(n=n, d=d) if d else n + point}\n{x}\n\n" for n, d, x in rows)
    assert [(n, x) for n, _, x in turns(text)] == [(n, x) for n, _, x in rows]


def test_lines_in_the_column_of_speech_below_no_name_are_reported() -> None:
    text = PAGES.format(name=" " * 24, text=" " * 12, page="") * 3
    stray = "\n\nA door opens.\n\n" + " " * 12 + "Nobody is here." + "\n\nThe lamp goes out.\n\n"
    found = formats.read(named(text + stray * 12)).diagnostics
    assert [d.value.entry for d in found if d.code == "SPEAKER-TEXT-DOUBT"] == [COLUMN_LEFT]
    assert "SPEAKER-TEXT-DOUBT" not in codes(formats.read(named(text)))


def test_initials_and_signs_of_revised_lines_in_a_screenplay() -> None:
    names = ["B.B.", "ANNA", "B.B.", "ANNA", "B.B.", "ANNA"]
    text = screenplay("B.B.", "ANNA   *", "B.B. (V.O.)", "ANNA", "B.B.      *", "ANNA")
    text = text.replace(SAID[1], f"{SAID[1]}          *")
    assert [(name, said) for name, _, said in turns(text)] == list(
        zip(names, SAID[:6], strict=True)
    )

"""What is no speech in plays, scripts, songs and notes of programs, and is not read as words."""

from __future__ import annotations

import json
from io import BytesIO

import formats
from formats.nist.messages import TXT_UNLIKE
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText
from tests.formats.meetings.said import SAID, turns
from tests.remarks import said

SUNG = ["so it was and so on", "down by the river", "nobody knows", "we went home"]


def gap_behind(n: int) -> str:
    """Return what is between a name and its text: every other name is on a line of its own."""
    return "\n" if n % 2 else "  "


def words(text: str, read_text: ReadText) -> str:
    """Return the words of a plain text."""
    (segment,) = read_text(text, "txt").segments
    return " ".join(segment.words)


@each_case("gap", ["\t", "  ", "      "])
def test_every_fifth_line_of_a_play_has_its_number(gap: str) -> None:
    """Numbers behind a gap are no words; each scene counts again."""
    play, spoken = "ACT 1\n\nScene 1\n", []
    for scene in range(2):
        play += f"\nScene {scene + 2}\n\n" if scene else "\n"
        for n in range(10):
            number = f"{gap}{5 * (n // 2 + 1)}" if n % 2 else ""
            line = f"{SAID[n % 8]} We went on"
            name = ("ANNA", "BRUNO", "LORD")[n % 3]
            play += f"{name}{gap_behind(n)}{line}{number}\n\n"
            spoken.append(line)
    assert [text for *_, text in turns(play)] == spoken


def test_numbers_that_count_no_lines_are_words(read_text: ReadText) -> None:
    """Numbers behind a gap that do not increase by five or ten are read."""
    numbers = (3, 9, 4, 20, 5, 7, 1, 2)
    text = "".join(f"{line}  {n}\n" for line, n in zip(SUNG * 2, numbers, strict=True))
    assert [int(word) for word in words(text, read_text).split() if word.isdigit()] == [*numbers]


@each_case(
    "way",
    ["They exit.", "The Guard exits.", "Anna exits, with a lamp.", "All but Bruno exit.", "Exeunt"],
)
def test_persons_leave_between_verses(way: str) -> None:
    """A line in which somebody leaves a play is no speech."""
    play = "ACT 1\n\nScene 1\n\n"
    for n in range(12):
        play += f"{('ANNA', 'BRUNO')[n % 2]}\n{SAID[n % 8]}\n" + (
            f"{way}\n\n" if n % 4 == 3 else "\n"
        )
    assert [text for *_, text in turns(play)] == [SAID[n % 8] for n in range(12)]


def test_names_with_a_direction_beside_verses() -> None:
    """``ANNA, aside`` is a name, with its text behind blanks or below; so it is without one."""
    play = "ACT 1\n\nScene 1\n\n"
    play += "".join(f"{('ANNA', 'BRUNO')[n % 2]}\n{SAID[n % 8]}\n\n" for n in range(16))
    play += "ANNA  So.\nBRUNO, aside to Anna  Well.\nANNA, with a lamp\nYes.\nBRUNO  No.\n"
    read = turns(play)
    assert [name for name, *_ in read] == ["ANNA", "BRUNO"] * 10
    assert [text for *_, text in read] == [*SAID, *SAID, "So.", "Well.", "Yes.", "No."]


def test_directions_behind_a_tab() -> None:
    """Few lines of a play have a tab, and a sentence behind it that nobody speaks."""
    play = "ACT 1\n\nScene 1\n\n"
    for n in range(40):
        direction = "\tHe shuts the door." if n % 12 == 2 else ""
        play += f"{('ANNA', 'BRUNO')[n % 2]}\n{SAID[n % 8]}{direction}\n\n"
    assert [text for *_, text in turns(play)] == [SAID[n % 8] for n in range(40)]


def test_verses_in_round_brackets_are_spoken() -> None:
    """If directions are in square brackets, a verse in round ones is speech."""
    play = "ACT I\n\nSCENE I. A hall.\n\n"
    for n in range(12):
        play += f"{('ANNA', 'BRUNO')[n % 2]}.\n{SAID[n % 8]}\n(As all of us have heard)\nand so on.\n\n [_Exit._]\n\n [_Horns._]\n\n"
    assert {text.partition(" (")[2] for *_, text in turns(play)} == {
        "As all of us have heard) and so on."
    }
    rounded = play.replace("[_Exit._]", "(Exit.)").replace("and so on.\n", "")
    assert not any("heard" in text for *_, text in turns(rounded))


def script(name: str) -> list[tuple[str | None, str]]:
    """Return the turns of a script without scenes, in a file with this name."""
    text = "Title: The bridge\nAuthor: Ann Ex\n\nA road at night.\n\n"
    for n in range(9):
        text += f"{('ANNA', 'BRUNO ^', 'LADY “B.”')[n % 3]}\n(quietly)\n{SAID[n % 8]}\n\n"
        text += "Nobody moves. A car goes by\n\n" if n % 2 else ""
    text += "@McAnn\nSo it was.\n**The light fades to a field**\n"
    source = BytesIO(text.encode())
    source.name = name
    return [(segment.speaker, " ".join(segment.words)) for segment in formats.read(source)]


def test_script_in_fountain_without_scenes() -> None:
    """In Fountain, a turn ends at a blank line; names may have signs; bold lines are no speech."""
    names = ["ANNA", "BRUNO", "LADY “B.”"]
    expected = [(names[n % 3], SAID[n % 8]) for n in range(9)]
    read = script("talk.fountain")
    assert read[:9] == expected
    assert "Nobody" in str(script("talk.txt"))


@each_case("ends", ['""', "“”", "«»", "<>"])
def test_titles_of_songs_in_quotes(ends: str, read_text: ReadText) -> None:
    """Brief lines in quotes that are paragraphs are titles, if several differ and end no sentence."""
    songs = ["The river", "Who knows?", "On the road", "Home", "And so on"]
    verse = "\n".join(SUNG)
    text = "\n\n".join(f"{ends[0]}{song}{ends[1]}\n\n{verse}\n\n{verse}" for song in songs)
    read = read_text(text, "txt")
    assert " ".join(read.segments[0].words) == " ".join(SUNG * 10)
    assert codes(read) == ["TXT-LEFT"]


@each_case("line", ['"So it was."', "“Well?” he said", '"the road" was all', '"Home" and "away"'])
def test_what_somebody_says_in_quotes_is_read(line: str, read_text: ReadText) -> None:
    text = "\n\n".join(["\n".join(SUNG), line] * 4)
    assert words(text, read_text).count(line) == 4


@each_case(
    ("line", "is_told"),
    [('"The river"', True), ("_softly_", True), ("*The end*", True), ('"So it was."', False)],
)
def test_a_marked_line_among_others_is_shown(line: str, is_told: bool, read_text: ReadText) -> None:
    read = read_text("\n".join([*SUNG * 3, line, *SUNG * 3]), "txt")
    assert (TXT_UNLIKE["marked"].key in [key for key, _ in said(read.diagnostics)]) is is_told


@each_case("picture", ["🎤", "🇨🇭", "👩‍🏫", "▶️"])
def test_pictures_before_lines(picture: str, read_text: ReadText) -> None:
    """A picture before most lines is no word; among other words it is read."""
    assert words("".join(f"{picture} {line}\n" for line in SUNG * 3), read_text) == " ".join(
        SUNG * 3
    )
    text = "".join(f"{line} {picture} so\n" for line in SUNG * 3)
    assert words(text, read_text).count(picture) == 12


@each_case("pause", ["[pause 2s]", "[2000ms]", "(silence, 3.5 seconds)", "  [空白 800ms]"])
def test_pauses_with_their_lengths(pause: str, read_text: ReadText) -> None:
    assert words(f"{SUNG[0]}\n{pause}\n{SUNG[1]}\n", read_text) == f"{SUNG[0]} {SUNG[1]}"


def test_headings_in_lenses(read_text: ReadText) -> None:
    """Lines in lenticular brackets are headings; one alone may be anything."""
    part = "大家好。\n今天下雨。\n我们走吧。\n"
    assert "【" not in words(f"【开场】\n{part}【结束】\n{part}", read_text)
    assert "【开场】" in words(f"【开场】\n{part}", read_text)


@each_case("value", ["🎚 Level: ({})", "Volume = {} dB", "Pegel: {}.5 %"])
def test_measured_values_between_turns(value: str) -> None:
    """Lines that return with another number between turns with times are no speech."""
    text = ""
    for n in range(16):
        text += f"[00:00:{n + 10}] {SAID[n % 8]}\n" + (value.format(40 + n) + "\n") * (n % 2)
    assert [words for *_, words in turns(text)] == [SAID[n % 8] for n in range(16)]


def test_items_of_minutes_that_count_are_no_speakers() -> None:
    """``Action item 2`` is a part of minutes, also in a talk within JSON, which a note tells."""
    talk = "".join(f"{('Anna', 'Bruno')[n % 2]}: {SAID[n % 8]}\n\n" for n in range(8))
    talk += "Action Item 1: Bruno asks about the bridge.\n\n" + talk
    assert {name for name, *_ in turns(talk)} == {"Anna", "Bruno"}
    rows = BytesIO(json.dumps([{"id": n, "transcript": talk} for n in range(2)]).encode())
    rows.name = "talks.json"
    read = formats.read(rows)
    assert {segment.speaker for segment in read.segments} == {"Anna", "Bruno"}
    assert "SPEAKER-TEXT-MINUTES" in codes(read)


@each_case(
    ("fields", "is_told"),
    [
        (["时间：5月4日晚", "内容：讨论修桥", "大家同意。"], True),
        (["【地点】：伯尔尼", "【议题】：修桥", "由安娜负责。"], True),
        (["日時：5月4日", "出席者：安奈", "議題：橋について"], True),
        (["内容很好。", "时间不早了。", "我们走吧。"], False),
        (["主持人：大家好。", *["今天下雨，我们走吧。"] * 30], False),
    ],
)
def test_minutes_in_scripts_without_blanks(
    fields: list[str], is_told: bool, read_text: ReadText
) -> None:
    read = read_text("\n".join(fields), "txt")
    assert ("TXT-LAYOUT" in codes(read)) is is_told


@each_case(
    ("part", "is_left"),
    [
        ("[laughs]", True),
        ("[opens the door]", True),
        ("[_Aside._]", True),
        ("[Anna walks to the door of the hall and waits]", True),
        ("[Ben]", False),
        ("[sic]", False),
        ("(laughs)", False),
    ],
)
def test_directions_in_square_brackets_inside_turns(part: str, is_left: bool) -> None:
    """Where most parts in square brackets are directions, these are no words, and a note tells it."""
    beside = "[laughs] " if is_left else "[opens the door] "
    text = "".join(
        f"{('Anna', 'Bruno')[n % 2]}: {beside if n % 3 else ''}{SAID[n % 8]}\n\n" for n in range(12)
    )
    text += f"Anna: So it was. {part} And so on.\n"
    expected = "So it was. And so on." if is_left else f"So it was. {part} And so on."
    assert turns(text)[-1][2] == expected


def test_few_parts_in_square_brackets_are_words() -> None:
    """What a writer adds, and a single sound, are read as words."""
    added = "I told [Ann] that the road [to Bern] is [very] long."
    text = "".join(f"{('Anna', 'Bruno')[n % 2]}: {SAID[n % 8]} {added}\n\n" for n in range(6))
    text += "Anna: So [laughs] it was.\n"
    read = turns(text)
    assert all(added in text for *_, text in read[:6])
    assert read[6][2] == "So [laughs] it was."


def test_a_note_counts_directions() -> None:
    source = BytesIO(
        "".join(f"{('Anna', 'Bruno')[n % 2]}: [laughs] {SAID[n]}\n\n" for n in range(8)).encode()
    )
    source.name = "talk.txt"
    read = formats.read(source)
    assert "SPEAKER-TEXT-DIRECTIONS" in codes(read)
    assert "BRACKETS-LEFT" not in codes(read)


PARTS = ["So it was late.", "We took a boat down the river.", "It rained and we waited.", "Oh no."]


@each_case("title", ["--- FULL TEXT ---\n\n", "==========\nFull transcript:\n", "Volltext\n\n", ""])
@each_case(
    "form",
    [
        "[00:0{n} -> 00:0{m}] {text}",
        "00:00:0{n}\n{text}\n",
        "Ann (0:0{n}): {text}",
    ],
)
@each_case("between", [" ", "\n"])
def test_a_text_below_its_turns_is_not_read_twice(title: str, form: str, between: str) -> None:
    turns = "\n".join(form.format(n=n, m=n + 1, text=text) for n, text in enumerate(PARTS))
    source = BytesIO(f"{turns}\n\n{title}{between.join(PARTS)}\n".encode())
    source.name = "talk.txt"
    read = formats.read(source)
    said = " ".join(word for segment in read for word in segment.words)
    assert said.count("river") == 1
    assert "SPEAKER-TEXT-AGAIN" in codes(read)


@each_case("title", ["Full text:\n", "# Transcript\n\n", "Texto transcrito:\n\n"])
@each_case("form", ["[00:0{n} -> 00:0{m}] {text}", "Speaker {s}: {text}", "{n}.0 - {m}.0: {text}"])
def test_a_text_above_its_turns_is_not_read_twice(title: str, form: str) -> None:
    turns = "\n".join(
        form.format(n=n, m=n + 1, s="AB"[n % 2], text=text) for n, text in enumerate(PARTS)
    )
    source = BytesIO(f"{title}{' '.join(PARTS)}\n\nTurns:\n{turns}\n".encode())
    source.name = "talk.txt"
    read = formats.read(source)
    said = " ".join(word for segment in read for word in segment.words)
    assert said.count("river") == 1
    assert "SPEAKER-TEXT-AGAIN" in codes(read)
    assert "SPEAKER-TEXT-HEAD" not in codes(read)


@each_case("above", ["A talk on boats", "We spoke of the river, the sea, and of the bus to it."])
def test_other_texts_above_turns_are_a_head(above: str) -> None:
    turns = "\n".join(f"{('Ann', 'Ben')[n % 2]}: {text}" for n, text in enumerate(PARTS))
    source = BytesIO(f"{above}\n\n{turns}\n".encode())
    source.name = "talk.txt"
    assert "SPEAKER-TEXT-AGAIN" not in codes(formats.read(source))


@each_case(
    "below",
    [
        "\n".join(f"Ann: {text}" for text in PARTS),
        "So it was late, and we took the bus that goes along the river to the sea, and so on.",
        "Oh no.",
    ],
)
def test_other_texts_below_turns_are_read(below: str) -> None:
    turns = "\n".join(f"{('Ann', 'Ben')[n % 2]}: {text}" for n, text in enumerate(PARTS))
    source = BytesIO(f"{turns}\n\n{below}\n".encode())
    source.name = "talk.txt"
    read = formats.read(source)
    assert "SPEAKER-TEXT-AGAIN" not in codes(read)


@each_case("sound", ["[музыка]", "[Music]", "[laughs]", "[拍手]"])
def test_sounds_in_a_plain_text(sound: str, read_text: ReadText) -> None:
    """Several sounds in square brackets are no words; the words beside them stay apart."""
    text = "\n\n".join(
        [f"{sound} {SUNG[0]}", f"{SUNG[1]}—{sound}—well", f"{SUNG[2]} {sound}", SUNG[3]]
    )
    spoken = [SUNG[0], f"{SUNG[1]}—", "—well", *SUNG[2:]]
    assert words(text, read_text) == " ".join(spoken)
    assert sound in words(f"{SUNG[0]} {sound} {SUNG[1]}", read_text)


@each_case(
    "line",
    ["'''Anna''': {}", "'''Anna:''' {}", "* '''Anna''': {} ''softly''", ":'''Anna:''' [[a|{}]]"],
)
def test_names_in_bold_of_a_wiki(line: str) -> None:
    """Names in the marks of a wiki are speakers; headings and marks are no words."""
    talk = "== The road ==\n\n" + "".join(
        line.replace("Anna", ("Anna", "Bruno")[n % 2]).format(SAID[n]) + "\n\n" for n in range(8)
    )
    read = turns(talk)
    assert [name for name, *_ in read] == ["Anna", "Bruno"] * 4
    assert [text.removesuffix(" softly") for *_, text in read] == SAID


def test_apostrophes_are_no_marks_of_a_wiki() -> None:
    talk = "".join(f"{('Anna', 'Bruno')[n % 2]}: ''{SAID[n]}''\n\n" for n in range(8))
    assert [text for *_, text in turns(talk)] == [f"''{line}''" for line in SAID]


def test_how_a_song_is_played_and_who_made_it(read_text: ReadText) -> None:
    verse = "\n".join(SUNG)
    text = f"The River\nby Ann Ex\n\nCapo 2\n\n[Verse 1]\n{verse}\n\n[Chorus]\n{verse}\n\n"
    text += "Words: Ann Ex, 1880\nTune: BERN, 8.8.8.8\n"
    assert words(text, read_text) == " ".join(SUNG * 2)


def test_the_script_of_a_game_is_named(read_text: ReadText) -> None:
    script = "label start:\n    scene bg room\n"
    script += "".join(f'    {"ab"[n % 2]} "{line}"\n' for n, line in enumerate(SAID))
    assert "DATA-LEFT" in codes(read_text(script, "txt"))
    told = "".join(f'She said "{line}"\n' for line in SAID)
    assert "DATA-LEFT" not in codes(read_text(told, "txt"))


def test_emphasised_words_are_counted() -> None:
    source = BytesIO(
        "".join(f"{'AB'[n % 2]}: so *VERY* {line}\n" for n, line in enumerate(SAID)).encode()
    )
    source.name = "talk.txt"
    assert "BRACKETS-LEFT" in codes(formats.read(source))


@each_case("code", ["{{{:02X}}}", "<${:02X}>", "{{{:02X}}}{{00}}"])
def test_codes_of_bytes_between_words(code: str, read_text: ReadText) -> None:
    """Codes in the texts of a game part words; a few braces are words."""
    text = "".join(f"so{code.format(n)}it was{code.format(1)}\n" for n in range(8))
    assert words(text, read_text) == " ".join(["so it was"] * 8)
    assert words("so {A} it {B} was", read_text) == "so {A} it {B} was"


@each_case(
    ("labels", "is_told"),
    [
        (("Chosen topic", "Kind of text", "Reason for it", "Place"), True),
        (("Thème choisi", "Genre", "Raison du choix", "Source du texte"), True),
        (("Ann", "Ben Ex", "Carla", "Dan Why"), False),
        (("The man", "The man", "The man", "The man"), False),
    ],
)
def test_fields_with_different_names(
    labels: tuple[str, ...], is_told: bool, read_text: ReadText
) -> None:
    """Lines that begin with the names of fields, and not of persons, are a form."""
    text = "".join(f"{label}: {line}\n" for label, line in zip(labels, SUNG, strict=True))
    entries = [d.value.entry.key for d in read_text(text, "txt").diagnostics]
    assert ("TXT-LAYOUT.fields" in entries) is is_told


def test_ruby_in_a_japanese_text(read_text: ReadText) -> None:
    """How words are read, and notes of typists, are no words of a text with several of them."""
    text = "古い橋《はし》を渡る。\n｜鐘楼《しょうろう》の鐘が鳴る。\n川《かわ》へ行く。［＃改ページ］\n"
    assert words(text, read_text) == "古い橋を渡る。 鐘楼の鐘が鳴る。 川へ行く。"
    assert words("古い橋《はし》を渡る。", read_text) == "古い橋《はし》を渡る。"


def test_counts_below_a_text_are_no_words(read_text: ReadText) -> None:
    text = "\n\n".join([*SAID, "Word count: 71", "Reading time: 1 min"])
    assert words(text, read_text) == " ".join(SAID)


CUT = [
    "We came by the rail-",
    "way that goes to the",
    "well-known town in the moun-",
    "tains, and there was a well-",
    "known bridge, which nobo-",
    "dy could cross for a week.",
]
WHOLE = (
    "We came by the railway that goes to the well-known town in the mountains, and there was a "
    "well-known bridge, which nobody could cross for a week."
)


@each_case("name", ["", "Anna: "])
def test_words_that_are_cut_at_the_ends_of_lines(name: str) -> None:
    """Cut words are joined; those with a hyphen inside other lines keep it."""
    text = "".join(
        f"{name.replace('Anna', x)}{chr(10).join(CUT)}\n\n" for x in ("Anna", "Bruno") * 4
    )
    assert [words for *_, words in turns(text)] == [WHOLE] * 8 if name else [" ".join([WHOLE] * 8)]


def test_words_that_speakers_break_off_stay(read_text: ReadText) -> None:
    lines = [
        "so I wa-",
        "was there and he sai- said",
        "the bri-",
        "bridge was clo- closed wh-",
        "when",
    ]
    assert words("\n".join(lines * 3), read_text) == " ".join(lines * 3)

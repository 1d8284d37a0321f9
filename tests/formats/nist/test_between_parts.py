"""What stands between the parts of a plain text: dates, cues, verses, braces, notes and code."""

from formats.nist.messages import TXT_UNSPOKEN
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText
from tests.remarks import fields_of

SENTENCES = [
    "So the bridge is closed again, and they told me that on Monday.",
    "I take the long way round, which is half an hour more every day.",
    "Nobody said when it opens. Not before the summer, I am afraid.",
]
SPOKEN = " ".join(SENTENCES)


@each_case(
    "cue",
    [
        *("SLIDE: {n}", "Slide {n}: the bridge", "[IMAGE: a bridge]", "**Image:** a bridge"),
        *("Note to speaker: look up", "Speaker notes: look up", "Folie {n}: die Brücke"),
        *("B-ROLL: the bridge", "Nota para o orador: pausa", "WEBSITE: bridge.example"),
    ],
)
def test_cues_for_those_who_speak_are_no_words(cue: str, read_text: ReadText) -> None:
    text = "".join(f"{cue.format(n=n)}\n{line}\n\n" for n, line in enumerate(SENTENCES))
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == SPOKEN
    (fields,) = fields_of(transcript.diagnostics, TXT_UNSPOKEN["cues"])
    assert fields["lines"] == len(SENTENCES)


def test_a_note_to_the_speaker_goes_on_to_a_blank_line(read_text: ReadText) -> None:
    note = "Note to the speaker:\nHelp all to see the bridge.\n\n"
    assert " ".join(read_text(note + SPOKEN + "\n", "txt")[0].words) == SPOKEN


def test_one_line_with_the_name_of_a_cue_is_read(read_text: ReadText) -> None:
    text = f"Picture: that was the word of the day.\n{SPOKEN}\n"
    assert read_text(text, "txt")[0].words[0] == "Picture:"


@each_case(
    "date", ["4 5 20{n}, Bern", "4 May 20{n}", "May {n}, 2014", "20{n}-05-04", "[04.05.20{n}]"]
)
def test_dates_above_speeches_are_no_words(date: str, read_text: ReadText) -> None:
    text = "".join(f"{date.format(n=n)}\n{SPOKEN}\n" for n in range(12, 16))
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == " ".join(4 * [SPOKEN])
    assert fields_of(transcript.diagnostics, TXT_UNSPOKEN["dates"])


def test_titles_below_dates_are_no_words(read_text: ReadText) -> None:
    titles = ["The bridge", "A talk with students", "On roads", "Second talk on roads"]
    text = "".join(f"4 5 201{n}, Bern\n{title}\n{SPOKEN}\n" for n, title in enumerate(titles))
    assert " ".join(read_text(text, "txt")[0].words) == " ".join(4 * [SPOKEN])
    aloud = read_text(text, "txt", titles=True)[0].words
    assert aloud[:2] == ("The", "bridge")


def test_titles_below_rules_are_no_words(read_text: ReadText) -> None:
    titles = ["The bridge", "A talk with students", "On roads", "Second talk on roads"]
    text = "".join(f"-----\n{title}\n\n{SPOKEN}\n" for title in titles)
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == " ".join(4 * [SPOKEN])
    (fields,) = fields_of(transcript.diagnostics, TXT_UNSPOKEN["parts"])
    assert fields["lines"] == 4


def test_sentences_below_rules_are_words(read_text: ReadText) -> None:
    text = "".join(f"-----\n{line}\n\n{SPOKEN}\n" for line in SENTENCES)
    assert " ".join(read_text(text, "txt")[0].words).count(SENTENCES[0]) == 4


def test_two_dates_are_words(read_text: ReadText) -> None:
    text = "".join(f"4 May 201{n}\n{SPOKEN}\n" for n in range(2))
    assert "2011" in read_text(f"{SPOKEN}\n{text}", "txt")[0].words


@each_case("sign", ["", "¶ "])
def test_verses_are_read_without_numbers_and_titles_of_chapters(
    sign: str, read_text: ReadText
) -> None:
    chapter = "".join(f"{n} {sign}{line}\n\n" for n, line in enumerate(SENTENCES * 2, 1))
    text = f"Luke 5\n\n{chapter}Luke 6\n\n{chapter}"
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == " ".join(4 * [SPOKEN])
    (fields,) = fields_of(transcript.diagnostics, TXT_UNSPOKEN["verses"])
    assert fields["lines"] == 14


def test_lines_in_braces_are_directions(read_text: ReadText) -> None:
    text = "".join(f"{{Laughing}}\n{line} {{he sighs}}\n\n" for line in SENTENCES)
    assert " ".join(read_text(text, "txt")[0].words) == SPOKEN


@each_case("part", ["{so}", "{ so / well }"])
def test_braces_inside_lines_are_words(part: str, read_text: ReadText) -> None:
    text = "".join(f"{part} {line}\n" for line in SENTENCES)
    assert "".join(read_text(text, "txt")[0].words).count("{") == len(SENTENCES)


def test_addresses_alone_are_no_words(read_text: ReadText) -> None:
    text = f"{SENTENCES[0]}\nhttps://bridge.example/plan\n{SENTENCES[1]}\n{SENTENCES[2]}\n"
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == SPOKEN
    assert fields_of(transcript.diagnostics, TXT_UNSPOKEN["addresses"])


@each_case("title", ["Translator's notes", "Sources", "TODO (later)", "Quellen", "Further reading"])
def test_notes_below_a_talk_are_no_words(title: str, read_text: ReadText) -> None:
    text = f"# A talk\n\n{SPOKEN}\n\n## {title}\n\nPage 4 is torn.\n\n### More\n\n- nothing\n"
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == SPOKEN
    (fields,) = fields_of(transcript.diagnostics, TXT_UNSPOKEN["notes"])
    assert fields["text"] == f"## {title}"


@each_case("title", ["Sources of water", "Keynote", "Closing remarks"])
def test_other_sections_below_are_read(title: str, read_text: ReadText) -> None:
    text = f"# A talk\n\n{SPOKEN}\n\n## {title}\n\nSo it was.\n"
    assert read_text(text, "txt")[0].words[-1] == "was."


def test_notes_above_a_section_are_read(read_text: ReadText) -> None:
    text = f"# A talk\n\n{SPOKEN}\n\n## Notes\n\nSo it was.\n\n## The end\n\nThank you.\n"
    assert " ".join(read_text(text, "txt")[0].words) == f"{SPOKEN} So it was. Thank you."


def test_code_between_fences_is_no_speech(read_text: ReadText) -> None:
    code = "```python\nprint('so')\n```\n\n"
    text = f"# A talk\n\n{code}{SENTENCES[0]}\n\n## And\n\n```text\n{SENTENCES[1]}\n```\n\n{code}"
    transcript = read_text(f"{text}```\n7\n```\n\n{SENTENCES[2]}\n", "txt")
    assert " ".join(transcript[0].words) == SPOKEN
    (fields,) = fields_of(transcript.diagnostics, TXT_UNSPOKEN["code"])
    assert fields["lines"] == 3


@each_case(
    "passage",
    ["Luke 12:4-7", "Text: Psalm 23:1", "1 Samuel 3:1-10", "시편 23장 1~6절", "詩篇 23:1-6"],
)
def test_a_title_above_a_passage_may_be_a_sentence(passage: str, read_text: ReadText) -> None:
    text = f"Do not fear, little flock.\n{passage}\n" + "".join(f"{x}\n" for x in SENTENCES * 2)
    assert " ".join(read_text(text, "txt")[0].words) == f"{SPOKEN} {SPOKEN}"
    assert read_text(text, "txt", titles=True)[0].words[:2] == ("Do", "not")


def test_a_greeting_above_a_passage_is_read(read_text: ReadText) -> None:
    text = f"Good morning, everyone.\nLuke 12:4-7\n{SPOKEN}\n"
    assert read_text(text, "txt")[0].words[0] == "Good"


@each_case(
    "foot",
    ["Source: https://bridge.example/talk", "More in this article:\nThe old bridge", "- The End -"],
)
def test_where_a_text_is_from_is_no_speech(foot: str, read_text: ReadText) -> None:
    transcript = read_text("\n\n".join([*SENTENCES, foot]), "txt")
    assert " ".join(transcript[0].words) == SPOKEN
    assert "TXT-LEFT" in codes(transcript)


def test_headings_in_capitals_may_be_questions(read_text: ReadText) -> None:
    titles = ["WHO SHALL CROSS?", "WHO PAYS FOR IT?", "THE END OF THE ROAD"]
    text = "".join(
        f"{title}\n\n{x}\n\n{y}\n\n"
        for title, x, y in zip(titles, SENTENCES, SENTENCES[::-1], strict=True)
    )
    assert "TXT-RULES" in codes(read_text(text, "txt"))


def test_a_paragraph_of_fields_is_the_head(read_text: ReadText) -> None:
    head = "Title: The Lost Coin\nText: Luke 15:8-10\nPreacher: Ann Ex\nDate: May 4, 2014\n\n"
    assert " ".join(read_text(head + SPOKEN + "\n", "txt")[0].words) == SPOKEN


def test_a_paragraph_with_a_field_that_is_said_is_no_head(read_text: ReadText) -> None:
    head = "Title: The Lost Coin\nPreacher: Ann Ex\nText: So it was. And so it is.\n\n"
    assert "And" in read_text(head + SPOKEN + "\n", "txt")[0].words


@each_case("time", ["11:21 A.M. EDT", "2:05 p.m.", "14.30 Uhr", "(10:05 AM)"])
def test_what_is_above_a_time_of_day_is_the_head(time: str, read_text: ReadText) -> None:
    head = f"THE OLD TOWN HALL\nFor Immediate Release\n\nRemarks in Bern\n\n{time}\n\n"
    foot = "\n\nEND          11:33 A.M. EDT\n"
    transcript = read_text(f"{head}{SPOKEN}{foot}", "txt")
    assert " ".join(transcript[0].words) == SPOKEN


def test_a_sentence_above_a_time_of_day_is_read(read_text: ReadText) -> None:
    text = f"{SENTENCES[0]}\n11:21 A.M.\n{SENTENCES[1]}\n"
    assert read_text(text, "txt")[0].words[0] == "So"


def test_directions_below_a_head_do_not_hide_it(read_text: ReadText) -> None:
    head = "Ann Example\nWhy bridges fall\nfilmed in March 2014\n\n"
    text = f"{head}{SENTENCES[0]} (Applause)\n\n(Music)\n\n{SENTENCES[1]}\n\n{SENTENCES[2]}\n"
    assert "TXT-HEAD" in codes(read_text(text, "txt"))


@each_case(
    "date", ["Bern, 4 de maio de 2014", "4 мая 2014 года, 12:00", "（2014年5月4日）", "4. Mai 2014"]
)
def test_titles_above_a_dateline_are_no_words(date: str, read_text: ReadText) -> None:
    title = "Address of the keeper of the bridge, Ann Example, at the opening of the road to Bern"
    assert " ".join(read_text(f"{title}\n{date}\n\n{SPOKEN}\n", "txt")[0].words) == SPOKEN
    aloud = read_text(f"{title}\n{date}\n\n{SPOKEN}\n", "txt", titles=True)[0].words
    assert aloud[:2] == ("Address", "of")


def test_a_sentence_above_a_date_is_read(read_text: ReadText) -> None:
    text = f"{SENTENCES[0]}\n4 May 2014\n{SENTENCES[1]}\n{SENTENCES[2]}\n"
    assert read_text(text, "txt")[0].words[0] == "So"


@each_case("saluted", ["Fellow citizens:", "Compatriotas:", "亲爱的同学们：", "Liebe Freunde:"])
def test_those_who_are_addressed_are_no_head(saluted: str, read_text: ReadText) -> None:
    transcript = read_text(f"{saluted}\n\n" + "\n\n".join(SENTENCES), "txt")
    assert "TXT-HEAD" not in codes(transcript)
    assert transcript[0].words[-1] == "afraid."


def test_directions_on_lines_of_their_own_are_no_words(read_text: ReadText) -> None:
    text = "\n\n".join([SENTENCES[0], "(Applause)", *SENTENCES[1:], "(Applause)", *SENTENCES])
    transcript = read_text(f"{text}\n\n[the door]\n\n{SPOKEN}\n", "txt")
    assert " ".join(transcript[0].words) == " ".join(3 * [SPOKEN])
    assert fields_of(transcript.diagnostics, TXT_UNSPOKEN["brackets"])


def test_lines_in_brackets_of_a_song_are_sung(read_text: ReadText) -> None:
    text = "the river runs below the town\n(oh carry me)\nand nobody comes home\n" * 4
    assert "(oh" in read_text(text, "txt")[0].words


def test_cues_in_brackets_are_no_words(read_text: ReadText) -> None:
    text = "\n".join(f"(Slide of the bridge)\n{line}" for line in SENTENCES)
    assert " ".join(read_text(text, "txt")[0].words) == SPOKEN


def test_marks_of_verses_are_no_words(read_text: ReadText) -> None:
    verses = "".join(f"\\v {n} {line}\n" for n, line in enumerate(SENTENCES, 1))
    text = f"\\id LUK\n\\c 1\n\\s The bridge\n\\p\n{verses}\\c 2\n\\p\n{verses}"
    assert " ".join(read_text(text, "txt")[0].words) == f"{SPOKEN} {SPOKEN}"


def test_a_column_in_quotes_is_read_without_them(read_text: ReadText) -> None:
    values = "".join('"{}\n"\n'.format(line.replace("Monday", '""Monday""')) for line in SENTENCES)
    transcript = read_text(f'"x"\n{values}', "txt")
    assert " ".join(transcript[0].words) == SPOKEN.replace("Monday", '"Monday"')


def test_a_list_of_addresses_is_reported(read_text: ReadText) -> None:
    text = "".join(f"https://bridge.example/{n}\n" for n in range(9)) + "so it was\n"
    transcript = read_text(text, "txt")
    assert "DATA-LEFT" in codes(transcript)
    assert len(transcript[0].words) > 9


def test_points_of_a_summary_are_reported(read_text: ReadText) -> None:
    text = "".join(f"• Discussion of part {n} of the bridge, and of roads\n" for n in range(12))
    assert "TXT-LAYOUT" in codes(read_text(text, "txt"))


@each_case(
    "foot",
    [
        *("Ann Example\n4 May 2014", "— Ann Example", "4 May 2014", "Copyright Status: unknown."),
        *("Books/CDs by Ann Ex", "Media contact: Ann Ex", "# # #\n\nCall Ann Ex.\nShe knows."),
    ],
)
def test_signatures_and_feet_of_sites_are_no_words(foot: str, read_text: ReadText) -> None:
    text = "\n\n".join([*SENTENCES * 3, foot])
    assert " ".join(read_text(text, "txt")[0].words) == " ".join(3 * [SPOKEN])


@each_case("end", ["Ann Example", "- And that was it", "She is there — Ann Example"])
def test_last_lines_that_may_be_said_are_read(end: str, read_text: ReadText) -> None:
    words = read_text("\n\n".join([*SENTENCES, end]), "txt")[0].words
    assert words[-1] == end.split()[-1]


@each_case(
    "line",
    [
        "The following is the full text of the speech as prepared for delivery:",
        "[CERTIFIED: the text below is transcribed directly from audio]",
    ],
)
def test_what_introduces_a_text_is_no_speech(line: str, read_text: ReadText) -> None:
    rest = "\n\n".join(SENTENCES * 2)
    assert " ".join(read_text(f"{line}\n\n{rest}\n", "txt")[0].words) == f"{SPOKEN} {SPOKEN}"
    text = f"The bridge of Bern\nBern, 4 May 2014\n\n{line}\n\n{rest}\n"
    assert " ".join(read_text(text, "txt")[0].words) == f"{SPOKEN} {SPOKEN}"


def test_how_often_a_line_is_sung_is_no_word(read_text: ReadText) -> None:
    lines = ["So we go home", "and nobody knows", "the bridge is long", "the road is near"] * 2
    text = "".join(f"{line}{(' (2)', '', '')[n % 3]}\n" for n, line in enumerate(lines))
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == " ".join(lines)
    (fields,) = fields_of(transcript.diagnostics, TXT_UNSPOKEN["repeats"])
    assert fields["lines"] == 3
    notes = "".join(f"{line} ({n + 2})\nand so on\n" for n, line in enumerate(lines[:6]))
    assert read_text(notes, "txt")[0].words == tuple(notes.split())


def test_commands_of_a_game_with_files_are_no_words(read_text: ReadText) -> None:
    commands = "<bg><art\\hall.png>\n", "<music hall.mp3>\n", "<left><ann_1.png><down 80>\n"
    text = "".join(f"{command}{line}\n" for command, line in zip(commands, SENTENCES, strict=True))
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == SPOKEN
    assert fields_of(transcript.diagnostics, TXT_UNSPOKEN["commands"])
    sung = "".join(f"<la la la>\n{line}\n" for line in SENTENCES)
    assert "<la" in read_text(sung, "txt")[0].words


def test_titles_below_an_address_with_their_words_are_no_words(read_text: ReadText) -> None:
    text = f"https://a.example/songs/ann-ex-the-lost-coin\nThe Lost Coin\nAnn Ex\n{SPOKEN}\n"
    assert " ".join(read_text(text, "txt")[0].words) == SPOKEN
    other = text.replace("The Lost Coin", "A Found Coin")
    assert " ".join(read_text(other, "txt")[0].words) == f"A Found Coin Ann Ex {SPOKEN}"

"""Plain text of songs, slides and printed books: what nobody says is no word; lists are reported."""

import pytest

from formats.nist.messages import (
    TXT_ALONE,
    TXT_HEAD,
    TXT_LEFT,
    TXT_PROMPT,
    TXT_RESIDUE,
    TXT_TWO_LANGUAGES,
)
from tests.each_case import each_case
from tests.formats.checks import codes, message_text
from tests.formats.conftest import ReadText
from tests.formats.meetings.said import SAID
from tests.remarks import fields_of

STANZAS = ["the river runs below the town\nand nobody comes home", "oh carry me\ntill it is light"]
SUNG = " ".join(" ".join(STANZAS * 2).split())


@each_case(
    "label",
    [
        *("[Verse {n}]", "(Verse {n})", "Verse {n}:", "VERSE {n}", "Verse {n}", "*Verse {n}*"),
        *("{{Verse {n}}}", "Strophe {n}:", "Couplet {n} :", "Estrofa {n}", "Куплет {n}:", "Refrão"),
        *(
            "Припев:",
            "[후렴]",
            "{n}절",
            "副歌：",
            "サビ",
            "{n}番",
            "Chorus (x2)",
            "Pre-Chorus",
            "Coro",
        ),
    ],
)
def test_names_of_parts_of_a_song_are_no_words(label: str, read_text: ReadText) -> None:
    text = "\n\n".join(f"{label.format(n=n)}\n{STANZAS[n % 2]}" for n in range(2, 6))
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == SUNG
    assert message_text(TXT_LEFT["rules"], lines=4) in [d.message for d in transcript.diagnostics]


def test_one_name_of_a_part_is_a_word(read_text: ReadText) -> None:
    """A person may say ``Bridge``."""
    assert "Bridge" in read_text("so it was\nBridge\nand so on\n", "txt")[0].words


@each_case(
    "mark",
    [
        *("Slide {n}", "■P-0{n}", "[Slide {n}]", "Slide {n}: the bridge", "スライド{n}", "第{n}页"),
        *("【第{n}頁】", "P{n}", "{n}", "- {n} -", "Folie {n}", "Página {n}", "Слайд {n}.", "#{n}"),
    ],
)
def test_numbers_of_slides_and_stanzas_are_no_words(mark: str, read_text: ReadText) -> None:
    text = "".join(f"{mark.format(n=n)}\nso it was.\n\n" for n in range(1, 6))
    assert " ".join(read_text(text, "txt")[0].words) == " ".join(5 * ["so it was."])


@each_case("mark", ["Chapter {n}", "We have {n}", "{n} so"])
def test_other_lines_that_count_are_words(mark: str, read_text: ReadText) -> None:
    text = "".join(f"{mark.format(n=n)}\nso it was.\n\n" for n in range(1, 6))
    assert mark.format(n=3).split()[0] in read_text(text, "txt")[0].words


def test_roman_numbers_of_stanzas_are_no_words(read_text: ReadText) -> None:
    text = "".join(f"{n}\n\nso it was,\nand I was.\n\n" for n in ("I", "II", "III", "IV"))
    assert " ".join(read_text(text, "txt")[0].words) == " ".join(4 * ["so it was, and I was."])


@each_case("form", ["{n}so it was", "so it was        {n}"])
def test_numbers_of_verses_are_no_words(form: str, read_text: ReadText) -> None:
    lines = [form.format(n=n) if n % 5 == 0 else "so it was" for n in range(1, 21)]
    transcript = read_text("\n".join(lines), "txt")
    assert " ".join(transcript[0].words) == " ".join(20 * ["so it was"])
    assert message_text(TXT_LEFT["marks"], lines=4) in [d.message for d in transcript.diagnostics]


@each_case("above", ["G   D7  Em", "| C | F/G | Am7 |", "F#m  Bm7  E/G#  Asus4", "e|--3--0--2--|"])
def test_lines_of_chords_are_no_words(above: str, read_text: ReadText) -> None:
    text = "".join(f"{above}\n{stanza}\n" for stanza in STANZAS * 2)
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == SUNG
    assert message_text(TXT_LEFT["chords"], lines=4) in [d.message for d in transcript.diagnostics]


def test_chords_inside_lines_are_no_words(read_text: ReadText) -> None:
    text = "{title: The river}\n" + "\n".join(STANZAS * 2).replace("ri", "[Em]ri")
    text = text.replace("the", "[G7]the", 1).replace("me", "[C/G]me")
    transcript = read_text(text.replace("The [Em]river", "The river"), "txt")
    assert " ".join(transcript[0].words) == SUNG
    assert "TXT-LEFT" in codes(transcript)


@each_case(
    "head",
    [
        *("Lyrics", "歌词", "가사：", "Transcript", "Текст песни", "作词：Ann\n作曲：Ben\n"),
        *("Words: Ann\nMusic: Ben\n", "Titel: So\nAutor: Ann\n", "Titre : So\nAuteur : Ann\n"),
        *("Название: Так\nДата: 4 мая\n", "タイトル：橋\n日時：5月\n", "제목: 다리\n날짜: 5월\n"),
        *("العنوان: جسر\nالتاريخ: مايو\n", "שם\n======\n", "शीर्षक: पुल\nदिनांक: 12 मई\n"),
    ],
)
def test_heads_of_songs_and_documents_are_no_words(head: str, read_text: ReadText) -> None:
    text = f"{head}\n" + "so it was\nand so on\n" * 4
    assert " ".join(read_text(text, "txt")[0].words) == " ".join(4 * ["so it was and so on"])


def test_frame_of_a_published_book_is_no_text(read_text: ReadText) -> None:
    text = "\n".join(f"*** {edge} OF THE PROJECT X EBOOK A BRIDGE ***" for edge in ("START", "END"))
    text = text.replace("***\n", "***\n\nSo it was.\n\n")
    transcript = read_text(f"A notice.\n{text}\nThe terms of use are long.\n", "txt")
    assert transcript[0].words == ("So", "it", "was.")
    assert "TXT-LEFT" in codes(transcript)


ENDS_OF_BOOKS = [
    "*** END OF THE EXAMPLE EBOOK A BRIDGE ***",
    "***END OF THIS EXAMPLE E-BOOK***",
    "End of the Project Gutenberg EBook of A Bridge, by Ann Ex",
    "End of Project Gutenberg's A Bridge, by Ann Ex",
    "The End of the Project Gutenberg Etext of A Bridge",
    "Ende dieses Projekt Gutenberg Etextes Die Brücke",
    "*** START: FULL LICENSE ***",
    "THE FULL PROJECT GUTENBERG LICENSE",
]


@each_case(("end", "times"), [(end, n) for end in ENDS_OF_BOOKS for n in (1, 4000)])
def test_text_below_the_end_of_a_book_is_no_text(end: str, times: int, read_text: ReadText) -> None:
    """What is below the end of a published book is counted, however long the book is."""
    said = "The bridge was old, and nobody knew who had built it.\n" * times
    transcript = read_text(f"{said}\n{end}\n\nYou may copy it.\nThe terms are long.\n", "txt")
    assert transcript.word_count == 11 * times
    left = [x.message for x in transcript.diagnostics if x.code == "TXT-LEFT"]
    assert [message.partition(" ")[0] for message in left] == ["3"]


def test_who_produced_a_book_is_no_text(read_text: ReadText) -> None:
    """The paragraph below the first line of a published book tells who typed it."""
    start = "*** START OF THE EXAMPLE EBOOK ***\n\n"
    typed = "Produced by Ann Ex and\nBob Ex.\n\n"
    assert read_text(f"{start}{typed}So it was.\n", "txt")[0].words == ("So", "it", "was.")
    assert read_text(f"{typed}So it was.\n", "txt")[0].words[0] == "Produced"


def test_small_print_above_an_old_book_is_no_text(read_text: ReadText) -> None:
    """An old book begins below the small print, and a speech on the end of something has none."""
    above = "The Example Etext of A Bridge.\n\n*END*THE SMALL PRINT! FOR EXAMPLES*Ver.1*END*\n"
    said = "The end of the road is near.\nEnd of the day: we rest, and so on.\n"
    transcript = read_text(f"{above}\n{said}\nEnd of Project Gutenberg Etext of X\n", "txt")
    assert " ".join(transcript[0].words) == " ".join(said.split())
    assert read_text(said, "txt").word_count == len(said.split())


WORDS = str.split(
    "apple bridge candle dance engine forest garden hammer island jacket kettle ladder"
)


@each_case(
    ("text", "kind"),
    [
        ("\n".join(WORDS), "list"),
        ("\n".join(f'"{word}",' for word in WORDS), "last"),
        ("\n".join(f"{word.title()} Weber" for word in WORDS), "list"),
        (
            "\n".join(str.split("苹果 桥梁 蜡烛 跳舞 马达 森林 花园 锤子 岛屿 夹克 水壶 梯子")),
            "list",
        ),
        (
            "\n".join(
                str.split("яблоко мост свеча танец мотор лес сад молот остров куртка чай стол")
            ),
            "list",
        ),
        (",".join(WORDS), "commas"),
        (", ".join(WORDS), "commas"),
    ],
)
def test_lists_of_words_are_warned_of(text: str, kind: str, read_text: ReadText) -> None:
    (remark,) = [d for d in read_text(text, "txt").diagnostics if d.code == "TXT-LAYOUT"]
    assert remark.severity == "warning"


@each_case(
    "text",
    [
        *(
            "You are a helpful assistant. Answer in one line.",
            "Act as an expert in bridges.\nBe brief.",
        ),
        *(
            "你是一个桥梁专家。请回答问题。",
            "Du bist ein Assistent für Brücken.",
            "Ты — опытный эксперт.",
        ),
        "Summarize the following text in one line.",
        "You are a head gardener who reads a weekly plan. Extract the beds, the dates and who digs.",
        "You are a bridge keeper. Summarize what the drivers of the vans say to each other.",
    ],
)
def test_instructions_to_a_model_are_warned_of(text: str, read_text: ReadText) -> None:
    (remark,) = read_text(text, "txt").diagnostics
    assert remark.message == message_text(TXT_PROMPT, text=text.partition("\n")[0])


@pytest.mark.parametrize("text", ["You are late, said Ann.\n", "Your job is hard, I know.\n"])
def test_speech_to_a_person_is_no_instruction(text: str, read_text: ReadText) -> None:
    assert read_text(text, "txt").diagnostics == ()


def test_two_languages_in_each_line_are_warned_of(read_text: ReadText) -> None:
    lines = [
        "橋は閉まっています 桥关了",
        "誰も来ない 没有人来",
        "歌が聞こえる 听见歌声",
        "雪です 下雪",
    ]
    (remark,) = read_text("\n".join(lines), "txt").diagnostics
    assert remark.message == message_text(TXT_TWO_LANGUAGES, lines=4, total=4, text=lines[0])


def test_a_title_with_a_date_is_warned_of(read_text: ReadText) -> None:
    text = "A talk in the town hall\n23.03.2018\nPrint this page\n\nDear friends,\n\nso it was,\n"
    (remark,) = read_text(text, "txt").diagnostics
    assert remark.message == message_text(TXT_HEAD, lines=3, text="A talk in the town hall")


def test_who_sings_is_no_word_if_others_are_names_of_parts(read_text: ReadText) -> None:
    labels = ["SOLO:", "CHOIR:"]
    text = "\n\n".join(f"{labels[n % 2]}\n{STANZAS[n % 2]}" for n in range(4))
    (segment,) = read_text(text, "txt")
    assert " ".join(segment.words) == SUNG


def test_a_dictionary_is_warned_of(read_text: ReadText) -> None:
    words = ["apple", "bridge", "carry", "dance", "early", "forest", "garden", "happy"]
    lines = [f"{word} - {text}" for word, text in zip(words, SAID, strict=True)]
    (remark,) = read_text("\n".join(lines), "txt").diagnostics
    assert remark.message == message_text(
        TXT_RESIDUE["glossary"], count=8, total=8, text="apple -"
    )  # fmt: skip
    assert "TXT-LAYOUT" not in codes(read_text("\n".join(sorted(lines, key=len)), "txt"))


PARTS = ("natural", "full", "low", "high", "steady")


@each_case(
    ("kind", "lines"),
    [
        ("items", ["- The bridge", "- Roads and rivers", "- What it costs"] * 2),
        ("authors", ["So it was. ~Ann Ex", "It fell. ~Ben Wy", "Well, no. ~Ann Ex"] * 2),
        (
            "links",
            [f'{name} over <a href="{n}.html">a bridge</a>' for n, name in enumerate("qwerty")],
        ),
        (
            "phrases",
            [f"{x} unemployment {y}" for x in PARTS for y in ("rate", "level", "here", "abroad")],
        ),
    ],
)
def test_lists_that_nobody_says_are_warned_of(
    kind: str, lines: list[str], read_text: ReadText
) -> None:
    (fields,) = fields_of(read_text("\n".join(lines), "txt").diagnostics, TXT_RESIDUE[kind])
    assert fields["count"] == fields["total"] == len(lines)


def test_a_number_in_angle_brackets_between_parts_is_no_word(read_text: ReadText) -> None:
    (segment,) = read_text("so it was\n<2>\nand so on\n", "txt")
    assert " ".join(segment.words) == "so it was and so on"


def test_paragraphs_in_capitals_are_reported_as_headings(read_text: ReadText) -> None:
    text = "\n\n".join(["so it was", "THE ROAD", *SAID[:2], "THE BRIDGE", *SAID[2:]])
    remarks = read_text(text, "txt").diagnostics
    assert fields_of(remarks, TXT_ALONE["headings"]) == [{"count": 2, "text": "THE ROAD"}]


def test_two_titles_above_lines_of_sentences_are_warned_of(read_text: ReadText) -> None:
    text = "The History of Bridges\nA Talk by Ann Example\nSo it was.\nIt fell.\nNobody saw it.\n"
    (remark,) = read_text(text, "txt").diagnostics
    assert remark.message == message_text(TXT_HEAD, lines=2, text="The History of Bridges")

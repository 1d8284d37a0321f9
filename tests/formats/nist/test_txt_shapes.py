"""Plain text earns its status: lines that share what is no word are warned of."""

from typing import Any

import pytest

from formats import Segment, UnknownFormatError, detect, read
from formats.io.messages import BRACKETS_LEFT, DATA_LEFT, MARKS_LEFT
from formats.nist.messages import (
    SPEAKER_TEXT,
    TXT_ALONE,
    TXT_CODES,
    TXT_COUNTED,
    TXT_HEAD,
    TXT_INSIDE,
    TXT_LANGUAGES,
    TXT_LEFT,
    TXT_LETTERS,
    TXT_MARKDOWN,
    TXT_MARKUP,
    TXT_NOTICE,
    TXT_POINTS,
    TXT_PROMPT,
    TXT_REPEATED,
    TXT_SECTIONS,
    TXT_SHAPES,
    TXT_SHORT,
    TXT_SIGN,
    TXT_TABLE,
    TXT_UNMARKED,
)
from formats.schema.messages import Entry
from tests.each_case import each_case
from tests.formats.checks import message_text, written
from tests.formats.conftest import ReadText, WriteFile
from tests.remarks import fields_of


@each_case(
    ("line", "shape"),
    [
        ("[1.0s - 1.9s] a{n}: hello you", "stamp-in-brackets"),
        ("({n}) so it was", "number-in-brackets"),
        ("（{n}）橋は長い", "number-in-brackets"),
        ("0:00:0{n} - 0:00:09 hello you", "stamp"),
        ("SPEAKER_00 [0.4{n}s-1.63s]: hello", "name-and-stamp"),
        ("talk-0{n} 0 -1 hello you", "identifier-and-numbers"),
        ("ctell1-01-00{n} je suis", "identifier"),
        ("Speaker Unknown hello {n}", "speaker"),
        ("talk_0{n}.mp3 : je suis", "identifier-and-sign"),
        ("（あん）そうです{n}", "name-in-wide-brackets"),
        ("05/11/2018, 9.5{n} - so it was", "date-and-time"),
    ],
)
def test_lines_that_share_a_beginning_are_warned_of(
    line: str, shape: str, read_text: ReadText
) -> None:
    text = "".join(line.format(n=n) + "\n" for n in range(4))
    transcript = read_text(text, "txt")
    messages = [d.message for d in transcript.diagnostics if d.code == "TXT-SHAPE"]
    assert messages == [message_text(TXT_SHAPES[shape], lines=4, total=4)]


@each_case(
    ("line", "kind"),
    [
        ("RATE_{n} = 16000", "settings"),
        ("print(so[{n}])", "code"),
        ('"NAME" VARCHAR2({n}) NOT NULL,', "code"),
        ("base-{n}  12.5  4.3", "a table of numbers"),
        ("NA", "missing values"),
        ("%WER 1{n}.5 [ 20 / 160 ]", "results of a measurement"),
        ("My talk {n}.mp4", "file names"),
        ("https://x.yz/a{n}", "web addresses"),
        ("./a/{n}", "file names"),
    ],
)
def test_lines_of_data_are_warned_of(line: str, kind: str, read_text: ReadText) -> None:
    lines = [line.format(n=n) for n in range(4)]
    messages = [d.message for d in read_text("\n".join(lines), "txt").diagnostics]
    expected = message_text(DATA_LEFT, count=4, total=4, kind=kind, text=lines[0])
    assert expected in messages


def test_lines_of_words_and_forms_are_a_table(read_text: ReadText) -> None:
    text = "".join(f"so{n * 'o'} soo\n" for n in range(24))
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_TABLE, separator=" ")]


def test_numbers_between_lines_are_warned_of(read_text: ReadText) -> None:
    text = "".join(f"{n}\tpart a\nso it was\nand so on\n" for n in range(1, 7))
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert message_text(TXT_COUNTED, lines=6, total=18) in messages


@each_case("beginning", ["@ann", "1.", "<b>", "$5", "[ann]", "_we_"])
def test_lines_that_begin_with_a_sign_are_warned_of(beginning: str, read_text: ReadText) -> None:
    text = "".join(f"{beginning} hello you\n{'so it was'}\n" for _ in range(3))
    expected = message_text(TXT_SIGN, lines=3, total=6, text=beginning)
    assert expected in [d.message for d in read_text(text, "txt").diagnostics]


@pytest.mark.parametrize(
    "text",
    [
        '{"role": "user", "note": "x"}\n',
        "<!DOCTYPE html>\n<html>\n<p>we met</p>\n",
        "{\\rtf1\\ansi so it was}\n",
    ],
)
def test_markup_is_warned_of(text: str, read_text: ReadText) -> None:
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_MARKUP)]


CHAT = '[{"role": "user", "content": "so it was"}, {"role": "agent", "content": "yes"}]'
CUES = "00:00.000 --> 00:02.500\nso it was\n\n00:02.500 --> 01:04.000\nyes\n"


@pytest.mark.parametrize(("text", "name"), [(CHAT, "json"), (CUES, "srt")])
@pytest.mark.parametrize("file", ["talk.txt", "talk.md"])
def test_json_and_cues_in_a_text_are_no_words(
    text: str, name: str, file: str, write_file: WriteFile
) -> None:
    path = write_file(file, text)
    assert detect(path) == name
    assert [" ".join(segment.words) for segment in read(path)] == ["so it was", "yes"]


def test_a_table_with_a_header_in_a_text_is_read(write_file: WriteFile) -> None:
    path = write_file(
        "a.txt", "speaker\tstart\tend\ttext\nann\t0.5\t1\tso it was\nbob\t2\t3\tyes\n"
    )
    assert detect(path) == "tsv"
    assert [(s.speaker, s.start, " ".join(s.words)) for s in read(path)] == [
        ("ann", 0.5, "so it was"), ("bob", 2.0, "yes"),
    ]  # fmt: skip


@each_case("mark", ["→", "<|0.00|>", "[0:12]", "(1:00:12)", "so<|1.20|>", "[S1]"])
def test_marks_among_words_are_warned_of(mark: str, read_text: ReadText) -> None:
    transcript = read_text(f"it was {mark} so " * 3 + "\n", "txt")
    messages = [d.message for d in transcript.diagnostics]
    assert message_text(MARKS_LEFT, count=3, words=12, text=mark) in messages
    # a time in brackets is never a word, of other marks a few may be
    is_time = mark[0] in "[("
    assert bool(read_text(f"it was {mark} so " * 2 + "yes\n", "txt").diagnostics) == is_time


def test_words_behind_the_name_of_a_transcript_are_kept(read_text: ReadText) -> None:
    [only] = read_text("Transcript: so we go\nto the sea\n", "txt")
    assert " ".join(only.words) == "so we go to the sea"


def test_lines_in_brackets_are_warned_of(read_text: ReadText) -> None:
    text = "[Applause]\nalong the road\n\n[Laughter]\nthe light\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_ALONE["brackets"], count=2, text="[Applause]")]


@each_case(
    ("text", "kind", "lines"),
    [
        ("[Verse 1]\nso we go\n[Chorus]\nto the sea\n", "rules", 2),
        ("[Intro]\nso we go\n[Verso 1: Ana]\nto the sea\n[Interludio]\n", "rules", 3),
        ("[Estribillo]\nso we go\n\n[Puente: Ana]\nto the sea\n", "rules", 2),
        ("so <i>we</i> go\n<font color=red>to the</font> sea\n", "tags", 2),
        ("<s> so we go </s>\n<s> to the sea </s>\n", "tags", 2),
        ("so we >> go to\nthe sea\n", "tags", 1),
        ("1so\n2we\n3 go\n4to\n\n5the sea\n", "marks", 5),
        ("Final transcript (en):\nso we go\nto the sea\n", "head", 1),
        ("Полная расшифровка речи:\nso we go\nto the sea\n", "head", 1),
        ("Our day\nMade: 5 May 2021\n=====\nso we go\nto the sea\n", "head", 3),
    ],
)
def test_titles_of_parts_and_tags_are_no_words(
    text: str, kind: str, lines: int, read_text: ReadText
) -> None:
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == "so we go to the sea"
    assert [d.message for d in transcript.diagnostics] == [
        message_text(TXT_LEFT[kind], lines=lines)
    ]


@each_case(
    ("text", "words", "kind", "lines"),
    [
        ("so we go\n- to the sea\n• to it\n[ ] by car\nit\n", "so we go to the sea to it by car it", "marks", 3),
        ("we ask\n1. What?\nit is\n2. And?\nso\n3) Why?\nno\n", "we ask What? it is And? so Why? no", "marks", 3),
        ("– Good morning.\n– Oh, hi.\n– Hi -- you.\n", "Good morning. Oh, hi. Hi -- you.", "marks", 3),
        ("so it\n---\nwas\n\nso\n", "so it was so", "rules", 1),
        ("so\n=== Part 2 ===\nit was\n_____\n", "so it was", "rules", 2),
        ("so it\n[noise=True]\nwas\n", "so it was", "rules", 1),
        ("Title: A talk\nDate: 5 May\n\nso it was\n", "so it was", "head", 2),
        ("[noise=True]\n[side = left]\nso it was\n", "so it was", "head", 2),
        ("talk_01.wav\nso it was\n", "so it was", "head", 1),
        ("so <v Ann><i>it</i> <b x='y'/>was\n", "so it was", "tags", 1),
        ("The house\n=====\n\nso it was\n", "so it was", "head", 2),
        ("Sprache: de\nModell: small\n-----\nso it was\n", "so it was", "head", 3),
    ],
)  # fmt: skip
def test_what_nobody_speaks_is_not_read(
    text: str, words: str, kind: str, lines: int, read_text: ReadText
) -> None:
    transcript = read_text(text, "txt")
    assert [" ".join(segment.words) for segment in transcript] == [words]
    messages = [d.message for d in transcript.diagnostics]
    assert messages == [message_text(TXT_LEFT[kind], lines=lines)]


NOTES = "\n\nNOTES{}\n{}\nAnn makes tea.\n"


@each_case(
    ("text", "title", "left"),
    [
        ("FULL TRANSCRIPT\n-----\n{}" + NOTES.format("", "-----"), "FULL TRANSCRIPT", 5),
        ("A CALL\n=====\n\nTRANSCRIPTION:\n-----\n{}" + NOTES.format(":", "-----"), "TRANSCRIPTION:", 7),
        ("A CALL\n=====\n\nFile: a.wav\nSize: 7\n\nTRANSCRIPT:\n{}" + NOTES.format(":", "----------"), "TRANSCRIPT:", 8),
        ("NOTES\n=====\nAnn makes tea.\n\nTRANSCRIPT\n=====\n\n{}\n", "TRANSCRIPT", 5),
        ("=== Summary ===\n\nTea.\n\n=== Transcript ===\n{}\n\n=== Votes ===\nNone.\n", "=== Transcript ===", 5),
        ("=====\nСВОДКА\n=====\nЧай.\n\n=====\nРАСШИФРОВКА\n=====\n{}\n", "РАСШИФРОВКА", 7),
    ],
)  # fmt: skip
def test_of_sections_only_the_transcript_is_read(
    text: str, title: str, left: int, read_text: ReadText
) -> None:
    (segment,) = transcript = read_text(text.format("so we go\nto the sea"), "txt")
    assert " ".join(segment.words) == "so we go to the sea"
    messages = [d.message for d in transcript.diagnostics]
    assert message_text(TXT_SECTIONS, lines=left, text=title) in messages


def test_a_long_transcript_ends_at_the_next_section(read_text: ReadText) -> None:
    said = "so we go to the sea and stay\n" * 5000
    (segment,) = read_text(f"TRANSCRIPT\n-----\n{said}" + NOTES.format("", "-----"), "txt")
    assert list(segment.words) == said.split()


@pytest.mark.parametrize(
    "text",
    [
        "TRANSCRIPT\n=====\nso we go\n\nThe first day\n-----\nto the sea\n",
        "RAW TRANSCRIPT\n-----\nso we go\n\nCLEAN TRANSCRIPT\n-----\nto the sea\n",
        "NOTES\n-----\nso we go\n\nTIMES\n-----\nto the sea\n",
        "So we go.\n\nAnd on.\n\nAnd more.\n\nThe transcript:\nto the sea\n",
    ],
)
def test_other_parts_of_a_transcript_are_read(text: str, read_text: ReadText) -> None:
    (segment,) = read_text(text, "txt")
    assert " ".join(segment.words).lower().replace(".", "").count(" sea") == 1
    assert {"we", "go", "sea"} <= {word.lower().strip(".") for word in segment.words}


@pytest.mark.parametrize(
    "text",
    ["so - it was\n-- and\nthen -\n", "4. May it was\nso it was\n7. May\n", "we - said\n--\nso\n"],
)
def test_signs_and_numbers_that_begin_few_lines_are_words(text: str, read_text: ReadText) -> None:
    (segment,) = read_text(text, "txt")
    assert list(segment.words) == text.split()


def test_characters_that_html_writes_are_read(write_file: WriteFile) -> None:
    lines = "so it was\n&gt;&gt; it&#39;s R&amp;D\n&gt;&gt; oh\n&gt;&gt; yes\n&gt;&gt; R&D\n"
    turns = [" ".join(segment.words) for segment in read(write_file("a.txt", lines))]
    assert turns == ["so it was", "it's R&D", "oh", "yes", "R&D"]
    (segment,) = read(write_file("b.txt", "it&#39;s R&amp;D and &co;\n"), "txt")
    assert segment.words == ("it's", "R&D", "and", "&co;")


def test_words_with_codes_of_terminals_are_written_as_words(write_file: WriteFile) -> None:
    words = ("a", "\x1b[2J", "&#27;[2J", "x\x1b[1my", "&amp;")
    text, losses = written("txt", Segment("rec", words))
    assert not any("word" in loss for loss in losses)
    (segment,) = read(write_file("a.txt", text), "txt")
    assert segment.words == words


def test_a_text_with_headings_is_markdown_whatever_its_name(write_file: WriteFile) -> None:
    transcript = read(write_file("talk.txt", MARKDOWN))
    assert [" ".join(s.words) for s in transcript] == ["So it was here. and there, too yes"]
    assert [d.message for d in transcript.diagnostics] == [
        message_text(TXT_MARKDOWN, lines=5, headings=2)
    ]


def test_numbers_and_codes_are_warned_of(read_text: ReadText) -> None:
    text = "-1 1:2.5 2:0.0 3:31 4:1.18\nb_a m6urbZy 82tUO x4\nso 5:2.0 6:1.0\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_CODES, count=10, words=12, text="1:2.5")]


def test_titles_in_bold_are_no_words(write_file: WriteFile) -> None:
    text = "**Our day**\n\n**[The start]**\n\nso **it** was\n\n**The end: a talk**\n\n**Thanks!**\n"
    [only] = read(write_file("talk.md", text), "txt")
    assert " ".join(only.words) == "so it was Thanks!"


def test_entries_of_a_table_of_contents_are_no_words(write_file: WriteFile) -> None:
    text = "# A talk\n\n- [So it was](#so-it-was)\n  * [The end](#end)\n\n## So it was\n\nso\n"
    assert [s.words for s in read(write_file("talk.md", text), "txt")] == [("so",)]


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee (Bern)\n\nIs it so, then, at last?\n\nThe Minister (Bob Roe)\n\nYes, it is, for all of us.\n",
        "So it was.\nThe first part\n\nHere we begin with it.\nThe end\n\nHere we are at last.\n",
    ],
)
def test_titles_over_sentences_are_warned_of(text: str, read_text: ReadText) -> None:
    first = text.splitlines()[0 if text[0] == "A" else 1]
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert message_text(TXT_ALONE["headings"], count=2, text=first) in messages
    unfinished = text.replace("?", "").replace(".", "")
    assert not [d for d in read_text(unfinished, "txt").diagnostics if "headings" in d.message]


def test_headings_are_warned_of(read_text: ReadText) -> None:
    text = "ACT I\n\nSCENE I. A road.\n\nwe go along\n\nand so on\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_ALONE["headings"], count=2, text="ACT I")]


def test_directions_of_a_play_without_names_are_warned_of(read_text: ReadText) -> None:
    text = "Enter ANNA and a crowd\nwe go along\nwith you\nExeunt\nFlourish. Enter BRUNO\nwell\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    warned = message_text(TXT_ALONE["directions"], count=3, text="Enter ANNA and a crowd")
    assert warned in messages
    told = text.replace("Exeunt", "so we did")
    assert not [d for d in read_text(told, "txt").diagnostics if "directions" in d.message]


@pytest.mark.parametrize("part", ["[Ann]", "{03}", "<b>", "【笑】"])
def test_parts_in_brackets_are_reported(part: str, read_text: ReadText) -> None:
    text = f"so it {part} was\nand it was {part} so\nyes\nit was {part} it\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert message_text(BRACKETS_LEFT, count=3, text=part) in messages


def test_names_inside_lines_are_reported(read_text: ReadText) -> None:
    text = "so it was. SPEAKER 2: yes it\nwas so. SPEAKER 1: no it\nwas not so. SPEAKER 2: oh\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_INSIDE, count=3, text="SPEAKER 2:")]


def test_names_directly_behind_sentences_are_reported(read_text: ReadText) -> None:
    text = "Ann Lee: so it was?.Bob Roe: yes.Ann Lee: it was so.Bob Roe: no" * 3
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    pattern = "{speaker}: {text}"  # each name begins a paragraph
    assert messages == [message_text(SPEAKER_TEXT, heads=10, paragraphs=10, pattern=pattern)]


def test_letters_that_begin_lines_are_warned_of(read_text: ReadText) -> None:
    text = "C she go/ed home.\nE where?\nC home.\nE oh.\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_LETTERS, lines=4, total=4, text="C", names="C|E")]


def test_codes_in_capitals_before_texts_and_tags_above_texts_are_told(
    read_text: ReadText,
) -> None:
    text = "INT And then?\nRES So it was.\nINT Really?\nRES Yes.\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_LETTERS, lines=4, total=4, text="INT", names="INT|RES")]
    tags = "".join(f"<{n}>\nSo it was.\n" for n in (7, 3, 9, 1))
    result = read_text(tags, "txt")
    assert "TXT-LEFT" in [d.code for d in result.diagnostics]
    assert " ".join(result.segments[0].words) == " ".join(["So it was."] * 4)


def test_names_with_points_are_warned_of_unless_they_are_also_words(read_text: ReadText) -> None:
    text = "Hor. So it was.\nBer. Well then.\nP. Queen. No.\n" * 4
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    names = "Hor|Ber|P. Queen"
    assert messages == [message_text(TXT_POINTS, lines=12, total=12, text="Hor.", names=names)]
    words = text.replace("Hor.", "Yes.").replace("So it was", "So yes it was")
    assert [d.code for d in read_text(words, "txt").diagnostics] == ["TXT-LAYOUT"]


@pytest.mark.parametrize(
    "notice",
    [
        "(Transcribed by Example.ai - Go Unlimited to remove this message)",
        "[Auto-generated transcript. It may have been corrected.]",
    ],
)
def test_lines_in_which_a_service_names_itself_are_not_read(
    notice: str, read_text: ReadText
) -> None:
    transcript = read_text(f"{notice}\n\nSo it was.\n\n{notice}\n", "txt")
    assert [segment.words for segment in transcript] == [("So", "it", "was.")]
    messages = [d.message for d in transcript.diagnostics]
    assert messages == [message_text(TXT_NOTICE, count=2, text=notice)]


def test_names_of_a_call_without_signs_are_warned_of(read_text: ReadText) -> None:
    text = "".join(
        f"Operator Thank you.\nAnn Lee, Head {word} was so.\nThat was May.\n"
        for word in ("It", "That", "Then")
    )
    names = "Operator|Ann Lee, Head"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_UNMARKED, lines=6, total=9, text="Operator", names=names)]
    others = read_text(text.replace("Operator", "Google"), "txt").diagnostics
    assert [d.code for d in others] == ["TXT-LAYOUT"]


ENGLISH = "the man went to the {0} and the {0} was in the house of the {1} that we saw"
GERMAN = "der Mann ging in das Haus und das Haus von dem {0}{1} war so dass wir es sahen"


@pytest.mark.parametrize(
    ("first", "second", "do_alternate"),
    [
        ("so it was {0}", "так и было {0}", True),
        (ENGLISH, GERMAN, True),
        (ENGLISH, ENGLISH, False),
        ("そうです", "はい", False),
    ],
)
def test_two_languages_in_alternate_lines_are_warned_of(
    first: str, second: str, do_alternate: bool, read_text: ReadText
) -> None:
    lines = [
        line.format("abcdefgh"[n] * 3, "stuvwxyz"[n] * 3)
        for n in range(8)
        for line in (first, second)
    ]
    messages = [d.message for d in read_text("\n".join(lines) + "\n", "txt").diagnostics]
    warning = message_text(TXT_LANGUAGES, first=lines[0][:40], second=lines[1][:40])
    assert (warning in messages) is do_alternate


@pytest.mark.parametrize(
    ("sizes", "word", "are_told"),
    [((1, 1), 3, True), ((3, 3), 3, True), ((3, 4), 3, False), ((3, 3), 0, False)],
)
def test_two_languages_in_alternate_paragraphs_are_warned_of(
    sizes: tuple[int, int], word: int, are_told: bool, read_text: ReadText
) -> None:
    blocks = [
        "\n".join([f"{text} {'abcdefgh'[n] * word}"] * size)
        for n in range(4)
        for size, text in zip(sizes, ("so it was", "так и было"), strict=True)
    ]
    messages = [d.message for d in read_text("\n\n".join(blocks) + "\n", "txt").diagnostics]
    first, second = (block.replace("\n", " ")[:40] for block in blocks[:2])
    assert (message_text(TXT_LANGUAGES, first=first, second=second) in messages) is are_told


@pytest.mark.parametrize("sign", ["|", ";"])
def test_two_texts_on_each_line_are_a_table(sign: str, read_text: ReadText) -> None:
    text = f"so it was {sign} so war es\nand so on {sign} und so weiter\n" * 3
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert message_text(TXT_TABLE, separator=sign) in messages


def test_repeated_lines_are_warned_of(read_text: ReadText) -> None:
    text = "".join(f"{SENTENCES[n // 3]}\n" for n in range(12))
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(TXT_REPEATED, lines=8, total=12)]


MARKDOWN = """\
---
title: A talk
tags:
  - one
---

# A talk

So **it** was [here](https://x.y/z).

- and *there*, too
1. `yes`

---
## End
"""


def test_markdown_without_turns_is_one_text(write_file: WriteFile) -> None:
    transcript = read(write_file("talk.md", MARKDOWN))
    assert [" ".join(s.words) for s in transcript] == ["So it was here. and there, too yes"]
    messages = [d.message for d in transcript.diagnostics]
    assert messages == [message_text(TXT_MARKDOWN, lines=5, headings=2)]


@pytest.mark.parametrize(
    ("above", "lines", "headings"),
    [
        ("# A talk\n\n- **Channel:** it\n- **Views:** 16\n\n## Transcript\n\n", 6, 0),
        ("# A talk\nDate: 5 May\nHost: Ann\n\n", 3, 0),
        ("About it.\n\n## The transcript\n", 3, 0),
        ("## About it\n", 0, 1),
    ],
)
def test_the_head_of_markdown_is_no_text(
    above: str, lines: int, headings: int, write_file: WriteFile
) -> None:
    transcript = read(write_file("talk.md", above + "so it was\n\nyes\n"))
    assert [" ".join(s.words) for s in transcript] == ["so it was yes"]
    messages = [d.message for d in transcript.diagnostics]
    assert messages == [message_text(TXT_MARKDOWN, lines=lines, headings=headings)]


@pytest.mark.parametrize(
    ("above", "lines", "headings"),
    [
        ("# A talk\n\n**About it**\n\n> **Note:** no\n> one\n\n---\n", 6, 0),
        ("# A talk\n\n| Key | Is |\n|--|--|\n\n## So\n", 4, 1),
    ],
)
def test_quotes_and_tables_above_markdown_are_no_text(
    above: str, lines: int, headings: int, write_file: WriteFile
) -> None:
    transcript = read(write_file("talk.md", above + "so it was\n\nyes\n\n" * 5))
    assert [" ".join(s.words) for s in transcript] == [" ".join(["so it was yes"] * 5)]
    messages = [d.message for d in transcript.diagnostics]
    assert message_text(TXT_MARKDOWN, lines=lines, headings=headings) in messages


@pytest.mark.parametrize("text", ["> so it was\n\n> yes\n", "> so it was\n\nyes\n"])
def test_quotes_as_long_as_the_text_are_text(text: str, write_file: WriteFile) -> None:
    transcript = read(write_file("talk.md", text))
    assert [" ".join(s.words) for s in transcript] == ["so it was yes"]


def test_what_a_site_adds_to_lyrics_is_no_text(write_file: WriteFile) -> None:
    text = (
        "12 ContributorsOur Song Lyrics[Intro: Ann]\nso it was\n\n[Verse 1]\nI like the rain\n"
        "You might also like[Chorus]\nand it was3Embed\n"
    )
    transcript = read(write_file("song.txt", text))
    assert [" ".join(s.words) for s in transcript] == ["so it was I like the rain and it was"]
    messages = [d.message for d in transcript.diagnostics]
    assert message_text(TXT_LEFT["site"], lines=3) in messages
    plain = read(write_file("talk.txt", "so it was\nYou might also like\nthe Embed\n"))
    assert [len(s.words) for s in plain] == [9]


def test_titles_that_name_recordings_are_reported(write_file: WriteFile) -> None:
    rows = [
        f"Transcription for a{n}.wav:\nso it was, and {n} of them went on\n\n" for n in range(5)
    ]
    codes = {d.code for d in read(write_file("talk.txt", "".join(rows))).diagnostics}
    assert TXT_ALONE["headings"].code in codes


def test_a_text_of_bold_names_alone_has_no_head(write_file: WriteFile) -> None:
    text = "".join(f"**Point {n}:** so it was\n\n" for n in range(7))
    transcript = read(write_file("talk.md", text), "txt")
    assert [len(s.words) for s in transcript] == [7 * 5]


@pytest.mark.parametrize(
    ("first", "sentence", "has_head"),
    [("A day", "So it was.", True), ("8 May 2024", "so it was", True), ("A day", "so it", False)],
)
def test_titles_above_sentences_are_reported(
    first: str, sentence: str, has_head: bool, read_text: ReadText
) -> None:
    text = f"{first}\nA talk\nA place\n\n" + f"{sentence}\n\n" * 10
    heads = [d for d in read_text(text, "txt").diagnostics if d.code == TXT_HEAD.code]
    expected = [message_text(TXT_HEAD, lines=3, text=first)] if has_head else []
    assert [d.message for d in heads] == expected


def test_a_title_alone_above_paragraphs_of_sentences_is_reported(read_text: ReadText) -> None:
    text = "Our show: a talk with Ann\n\n" + "So it was.\n\n" * 10
    expected = message_text(TXT_HEAD, lines=1, text="Our show: a talk with Ann")
    assert expected in [d.message for d in read_text(text, "txt").diagnostics]
    long = text.replace("with Ann", "with " + "Ann, " * 20)
    assert TXT_HEAD.code not in [d.code for d in read_text(long, "txt").diagnostics]
    for title in ("SPEAKER 0", "Heard speech:"):
        expected = message_text(TXT_HEAD, lines=1, text=title)
        found = read_text(f"{title}\nso it was\n", "txt").diagnostics
        assert expected in [d.message for d in found]


def test_a_table_with_bars_and_times_in_a_text_is_read(write_file: WriteFile) -> None:
    rows = "".join(f"{n}|{n % 2}|so it was|[0:0{n}]\n" for n in range(1, 7))
    path = write_file("a.txt", "No|Speaker|Text|Mark\n" + rows)
    assert detect(path) == "csv"
    assert [(s.speaker, " ".join(s.words)) for s in read(path)][:2] == [
        ("1", "so it was"), ("0", "so it was"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["---\nso she said\n---\n", "so\n---\nit: was\n---\n"])
def test_rules_are_no_front_matter(text: str, write_file: WriteFile) -> None:
    words = [word for segment in read(write_file("talk.md", text)) for word in segment.words]
    assert words == text.replace("---", "").split()


@pytest.mark.parametrize("text", ["we met\non 3 May\nat noon\n", "2021-01-05 we met\n" * 4])
def test_prose_is_not(text: str, read_text: ReadText) -> None:
    assert not read_text(text, "txt").diagnostics


def test_a_list_of_paths_is_rejected(write_file: WriteFile) -> None:
    path = write_file("a.txt", "data/a.wav|data/a.npy\ndata/b.wav|data/b.npy\n")
    with pytest.raises(UnknownFormatError, match="--from txt"):
        detect(path)


def test_labels_of_few_classes_are_warned_of(read_text: ReadText) -> None:
    text = "".join(f"{n}\t{n + 1}\t{'music' if n % 2 else 'other'}\n" for n in range(6))
    assert "AUDACITY-CLASSES" in [d.code for d in read_text(text, "audacity").diagnostics]


SENTENCES = (
    "We met near the mill before the rain.", "Nobody thought the bridge would hold.",
    "What did the other people say?", "My brother kept the letters in a box.",
    "Did you ever go back there?", "Only once, and the house was gone.",
    "You could hear the trains at night.", "I remember the smell of the stove.",
    "Who taught you to mend the boats?", "An old man from the harbour did.",
)  # fmt: skip
"""Lines of a talk."""


@each_case(
    ("form", "kind"),
    [
        ("{name} {text}", "names"),
        ("{name}, {text}", "names"),
        ("Turn {number} {text}", "names"),
        ("({roman}) {text}", "first"),
        ("2021-03-1{number} {text}", "first"),
        ("{text} ({name})", "last"),
        ("{text} 0.9{number}", "last"),
        ("{text} #home @anna", "last"),
        ('"{text}",', "last"),
        ("{half}      {rest}", "columns"),
        ("{text}\n{lower}", "again"),
        ("{text}\nCouncil {number} of May", "pages"),
        ("The menu\n\t{text}\n\t\t{half}", "outline"),
        ("The hall\n    {half}\n        {half}\n            {half}", "outline"),
        ("The plan:\n- {text}\n- {half}", "sheet"),
        ("{count}. {text}", "listed"),
        ("- {lower} and so", "listed"),
        ("{half} - {half} - {half} -", "commas"),
        ("{coded}", "words"),
        ("{letters}", "words"),
    ],
)
def test_general_signs_of_a_layout_are_warned_of(form: str, kind: str, read_text: ReadText) -> None:
    text = "".join(
        form.format(
            number=n, count=n + 1, text=line, name=("Ann", "Bob")[n % 2], roman="ivx"[n % 3], lower=line.lower(),
coded=line.replace("e", "3"), half=line[:12], rest=line[12:],
            letters=" ".join(line.replace(" ", "_")),
        ) + "\n"
        for n, line in enumerate(SENTENCES)
    )  # fmt: skip
    assert f"TXT-LAYOUT.{kind}" in [d.value.entry.key for d in read_text(text, "txt").diagnostics]


@each_case(
    "text",
    [
        "\n".join(SENTENCES),
        "\n".join(SENTENCES).lower(),
        "\n".join(SENTENCES).upper(),
        " ".join(SENTENCES * 3),
        "\n\n".join(SENTENCES),
        "\n".join(f"{(n % 3) * 4 * ' '}{line}" for n, line in enumerate(SENTENCES)),
        "\n".join(f"{line} - {line}" for line in SENTENCES),
        "\n".join(f"“{line}”" for line in SENTENCES),
        "\n".join(f"And {line[0].lower()}{line[1:]}" for line in SENTENCES),
        "\n".join(
            f"What is it that {word} does?" for word in ("he", "she", "Ann", "Eve", "Dan", "it")
        ),
        "Oh, row the boat\nRow the boat home\nOver the sea (over the sea)\nOh, row it home\n" * 3,
        "Es war so.\nUm 17:30 Uhr kam er.\nIm Jahr 1984 ging er.\nEr sah 3 Boote.\nDie Frau sah ihn.\n"
        "Um 18 Uhr ging die Frau.\nDas Boot blieb im Hafen.\nDie Boote kamen um 19 Uhr.\n",
    ],
)
def test_ordinary_texts_have_no_signs_of_a_layout(text: str, read_text: ReadText) -> None:
    assert not [
        kind
        for kind in [d.value.entry.key for d in read_text(text, "txt").diagnostics]
        if kind.startswith("TXT-LAYOUT")
    ]


@each_case(
    ("original", "translated"),
    [
        ("--- Original Transcript ---", "--- Translated Transcript ---"),
        ("Transcript:", "Translation:"),
        ("## Original", "## Übersetzung"),
        ("【原文】:", "译文："),
    ],
)
def test_translations_below_texts_are_reported(
    original: str, translated: str, read_text: ReadText
) -> None:
    said = "\n".join(SENTENCES)
    keys = "TXT-SHAPE.translation"
    both = read_text(f"{original}\n\n{said}\n\n{translated}\n\n{said}\n", "txt").diagnostics
    assert keys in [note.value.entry.key for note in both]
    one = read_text(f"{original}\n\n{said}\nThe translation is late.\n", "txt").diagnostics
    assert keys not in [note.value.entry.key for note in one]


def test_sounds_in_round_brackets_are_told(read_text: ReadText) -> None:
    text = "So it was. (Applause.)\nWe came (all of us) home. (Applause.) It was late.\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert messages == [message_text(BRACKETS_LEFT, count=2, text="(Applause.)")]


def test_several_sounds_in_round_brackets_are_no_words(read_text: ReadText) -> None:
    text = "So it was. (Applause.)\nWe came (all of us) home. (Laughter) It was (Applause.), yes.\n"
    (segment,) = read_text(text, "txt")
    assert " ".join(segment.words) == "So it was. We came (all of us) home. It was, yes."


def test_headings_above_nothing_are_words(write_file: WriteFile) -> None:
    transcript = read(write_file("talk.txt", "# So it was here\n## And there, too\n"))
    assert [" ".join(s.words) for s in transcript] == ["So it was here And there, too"]
    long = "well then so it was " * 20
    transcript = read(write_file("talk.md", f"# A title\n### {long}\n\nyes\n"))
    assert [" ".join(s.words) for s in transcript] == [f"{long}yes"]


def test_names_behind_dashes_inside_a_line_are_told(write_file: WriteFile) -> None:
    text = "-ANNA: So it was. -BEN: No. -It was. -ANNA: Yes. -BEN: So. " * 2
    transcript = read(write_file("talk.txt", f"{text}\n"))
    assert "SPEAKER-TEXT?" in {d.code for d in transcript.diagnostics}


def test_a_text_in_a_file_text_is_read(write_file: WriteFile) -> None:
    transcript = read(write_file("talk.text", "So it was here.\n\nYes, and there, too.\n"))
    assert [len(segment.words) for segment in transcript] == [8]


@each_case("form", ["{n}: {x}", "({n}) {x}", "[{n}] {x}", "#{n} {x}", "{n} | {x}"])
@each_case("first", [0, 1])
def test_the_numbers_of_all_lines_are_no_words(form: str, first: int, read_text: ReadText) -> None:
    said = ["so it is", "well then", "and off we go", "no, not at all", "yes it was", "quite so"]
    text = "".join(form.format(n=n, x=x) + "\n" for n, x in enumerate(said, first))
    (segment,) = read_text(text, "txt")
    assert " ".join(segment.words) == " ".join(said)


def test_a_time_alone_in_brackets_is_no_word(read_text: ReadText) -> None:
    text = "so it is and then\n[4:10]\nwell we go there\n(1:02:03)\nand back again\n"
    transcript = read_text(text, "txt")
    (segment,) = transcript
    assert " ".join(segment.words) == "so it is and then well we go there and back again"
    assert message_text(TXT_LEFT["rules"], lines=2) in [d.message for d in transcript.diagnostics]


def test_one_line_in_brackets_is_told(write_file: WriteFile) -> None:
    text = "# A lesson\n\nSo it was here.\n\n[ stay here ]\n\nAnd then it was there, too.\n"
    for name in ("talk.md", "talk.txt"):
        messages = [d.message for d in read(write_file(name, text)).diagnostics]
        assert message_text(BRACKETS_LEFT, count=1, text="[ stay here ]") in messages


def test_arrows_inside_words_are_told(read_text: ReadText) -> None:
    text = "\n".join("->".join(line) for line in ("So it was", "and it was there", "yes"))
    assert [d.code for d in read_text(text, "txt").diagnostics] == ["MARKS-LEFT"]


def test_lines_in_round_brackets_with_blanks_are_told(read_text: ReadText) -> None:
    text = "so it was here\n(\u3000next\u3000)\nand then it was there\n( next )\n"
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert message_text(TXT_ALONE["brackets"], count=2, text="(\u3000next\u3000)") in messages


def test_identifiers_of_cues_are_no_words(read_text: ReadText) -> None:
    cue = "5b0c8e1f-23a4-4d6b-9c70-1f2e3d4c5b6a"
    texts = ["So good evening to all of you.", "We begin.", "Yes, please."]
    one_line = " ".join(f"{cue}/{n}-0 {text}" for n, text in enumerate(texts, 12))
    lines = "\n\n".join(f"{cue}\n{text}" for text in texts)
    for text, count in ((one_line, 1), (lines, 3)):
        transcript = read_text(text, "txt")
        assert [" ".join(s.words) for s in transcript] == [" ".join(texts)]
        messages = [d.message for d in transcript.diagnostics if d.code == "TXT-LEFT"]
        assert message_text(TXT_LEFT["tags"], lines=count) in messages


def test_errors_of_a_recogniser_are_no_words(read_text: ReadText) -> None:
    text = "So it was.\nError: Could not transcribe audio\nError in the bridge is rare.\n"
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == "So it was. Error in the bridge is rare."


@each_case(
    "notice",
    [
        "***COULD NOT UNDERSTAND AUDIO***",
        "*Cannot recognize speech*",
        "[Unable to transcribe audio]",
    ],
)
def test_failures_between_signs_are_no_names_and_no_words(notice: str, read_text: ReadText) -> None:
    said = "".join(f"So it was on day {n} of our long way to Bern.\n" for n in range(9))
    transcript = read_text(said + 6 * f"{notice}\n" + "And so on we went.\n", "txt")
    assert " ".join(transcript[0].words) == f"{' '.join(said.split())} And so on we went."
    assert transcript[0].speaker is None


@each_case("title", ["Full text:", "完整文字：", "Complete text:", "全文:"])
def test_a_title_below_a_head_and_a_rule_is_of_the_head(title: str, read_text: ReadText) -> None:
    text = f"File: a.wav\nDate: 4 May\nModel: small\n{30 * '-'}\n\n{title}\nso it was\n"
    transcript = read_text(text, "txt")
    assert [s.words for s in transcript] == [("so", "it", "was")]


def test_a_title_alone_below_a_rule_is_read(read_text: ReadText) -> None:
    text = f"File: a.wav\nDate: 4 May\n{30 * '-'}\n\nFull text:\n"
    assert [" ".join(s.words) for s in read_text(text, "txt")] == ["Full text:"]


@each_case(
    ("text", "entry", "values"),
    [
        (
            "A raft is a boat.\n\nSee alsoEdit\n\nBarge\n\nReferencesEdit\n",
            TXT_ALONE["headings"], {"count": 2, "text": "See alsoEdit"},
        ),
        (
            "Notes\n08-06-2022:\n    We go on.\n15-06-2022:\n    Still so.\n",
            TXT_ALONE["headings"], {"count": 2, "text": "08-06-2022:"},
        ),
        (
            "Spring\n\t(no lyrics)\nSummer\n\tto the sea\nAutumn\n\t(no lyrics)\nNight\n\t(no lyrics)\n",
            TXT_ALONE["brackets"], {"count": 3, "text": "(no lyrics)"},
        ),
        ("AI:So tell me. Type go." * 12, TXT_INSIDE, {"count": 11, "text": "AI:"}),
        (
            "Welcome to the show.\n\nThat is all.\n\nPrompts used:\n\nWrite a script of rivers.\n",
            TXT_PROMPT, {"text": "Prompts used:"},
        ),
    ],
)  # fmt: skip
def test_parts_of_documents_are_warned_of(
    text: str, entry: Entry, values: dict[str, Any], read_text: ReadText
) -> None:
    messages = [d.message for d in read_text(text, "txt").diagnostics]
    assert message_text(entry, **values) in messages


def test_identifiers_alone_and_tags_between_lines_are_no_words(read_text: ReadText) -> None:
    text = "#shop_1\nSo it was.\n#shop_2\nWas it?\nNo.\n#quest_3\nWell.\n"
    transcript = read_text(text, "txt")
    assert [" ".join(s.words) for s in transcript] == ["So it was. Was it? No. Well."]
    messages = [d.message for d in transcript.diagnostics]
    assert message_text(TXT_LEFT["ids"], lines=3) in messages
    (segment,) = read_text("So it was.<br><br>Was it?<br/>No.\n", "txt")
    assert segment.words == ("So", "it", "was.", "Was", "it?", "No.")


@each_case(
    "text",
    [
        "So it was.\n#love\nWell.\n#peace\nNo.\n#joy\nOh.\n",
        "#a_1\n#a_2\n#a_3\nSo.\n",
        "So\n@Ann_1\nWell\n@Ann_1\nNo\n@Ann_1\nYes\n",
    ],
)
def test_topics_of_posts_and_lists_of_identifiers_are_words(text: str, read_text: ReadText) -> None:
    assert [s.words for s in read_text(text, "txt")] == [tuple(text.split())]


def test_labels_of_classes_before_texts_are_warned_of(read_text: ReadText) -> None:
    words = ("it", "we", "he", "she", "they", "so", "now", "then")
    labels = ("question", "statement", "greeting")
    lines = [f"{label} {word} was {label[:3]}" for label in labels for word in words]
    commands = [
        f"{verb} {colour} by {word} again now"
        for verb in ("replace", "remove") for colour in ("red", "blue") for word in words
    ]  # fmt: skip
    for texts, is_labelled in ((lines, True), (commands, False)):
        messages = [d.message for d in read_text("\n".join(texts), "txt").diagnostics]
        assert any("labels of classes" in message for message in messages) == is_labelled


def test_headings_that_are_questions_are_words_of_an_interview(read_text: ReadText) -> None:
    asked = ["When was it?", "And who came?", "What is next?"]
    text = "# A baker\n\n" + "".join(
        f"### {n}. {x}\n\nSo it was.\n\n" for n, x in enumerate(asked, 1)
    )
    (segment,) = read_text(text, "txt")
    assert " ".join(segment.words) == " ".join(f"{x} So it was." for x in asked)
    one = text.replace("?", "")
    (segment,) = read_text(one, "txt")
    assert " ".join(segment.words) == " ".join(["So it was."] * 3)


@pytest.mark.parametrize("often", [2, 3])
def test_lines_of_rolling_captions_are_read_once(often: int, read_text: ReadText) -> None:
    lines = [f"and line {n} was so" for n in range(12)]
    rolling = "".join(f"{line}\n" * often for line in lines)
    transcript = read_text(rolling, "txt")
    assert list(transcript.segments[0].words) == " ".join(lines).split()
    messages = [d.message for d in transcript.diagnostics]
    assert message_text(TXT_LEFT["again"], lines=12 * (often - 1)) in messages


def test_lines_of_a_song_that_return_are_all_read(read_text: ReadText) -> None:
    song = "la la la\nla la la\n" + "".join(f"and line {n} was so\n" for n in range(20))
    transcript = read_text(song, "txt")
    assert len(transcript.segments[0].words) == len(song.split())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{i}So it was{/i}\nand {b}so{/b} on{w}, yes\n", "So it was and so on, yes"),
        ("{color=#f00}So{/color}{p}it was\nwell\n", "So it was well"),
        ("so {i} and {k}\nare names\n", "so {i} and {k} are names"),
    ],
)
def test_tags_in_braces_are_no_words(text: str, words: str, read_text: ReadText) -> None:
    transcript = read_text(text, "txt")
    assert " ".join(transcript.segments[0].words) == words


def test_names_of_a_chat_alone_on_lines_are_told(read_text: ReadText) -> None:
    said = ["So it was.", "No!", "Go on then.", "We did.", "Who told you?", "She did, once."]
    lines = [x for n, text in enumerate(said) for x in (("ann", "bob")[n % 2], text, "")]
    remarks = read_text("\n".join(lines), "txt").diagnostics
    assert [fields["text"] for fields in fields_of(remarks, TXT_SHORT)] == ["ann"]


@each_case("head", ["Page {n} of 9", "Council of May 2019      {n}", "- {n} / 9 -"])
def test_heads_of_pages_are_no_words(read_text: ReadText, head: str) -> None:
    said = ["So it was then.", "Nobody came.", "We went on.", "It was late.", "I slept."]
    lines = [line for n, text in enumerate(said, 1) for line in (text, "", head.format(n=n), "")]
    result = read_text("\n".join(lines), "txt")
    assert " ".join(result.segments[0].words) == " ".join(said)
    assert fields_of(result.diagnostics, TXT_LEFT["rules"]) == [{"lines": 5}]


def test_credits_with_addresses_below_a_text_are_no_words(read_text: ReadText) -> None:
    text = "So it was then.\nAnd nobody came.\n"
    foot = "\nMusic by Ann Roe\nFollow us: @river\nhttps://example.org/feed\n"
    assert read_text(text + foot, "txt").word_count == 7
    assert read_text(text + "\nsubscribe to us\nfollow us\n", "txt").word_count == 12


@each_case(
    ("foot", "left"),
    [
        ("Duration: 8:47\nChannel: Old Town\nPublished: 4 May 2024\nViews: 1,204", True),
        ("Dauer: 12:03\nAufrufe: 3.011", True),
        ("Canal: La Villa\nVistas: 120", True),
        ("Duration: as long as it takes.", False),
        ("The views: 1,204 people came.", False),
    ],
)
def test_fields_of_a_video_below_a_text(foot: str, left: bool, read_text: ReadText) -> None:
    said = "So we came to the old town.\nAnd then we went on, down by the river.\n" * 6
    (segment,) = read_text(f"{said}\n{foot}\n", "txt").segments
    assert (segment.words[-1] == "river.") == left

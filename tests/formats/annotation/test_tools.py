"""Oddities of annotation tools: EXMARaLDA, EMU, OCTRA, ESPS, SALT."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import formats
from formats.annotation.messages import EMU_LINKS, ESPS_FIELDS, SALT_COMMENTS
from formats.annotation.salt import clean
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal, said


def exb(body: str, timeline: str = "", speakers: str = "", head: str = "") -> str:
    return (
        f"<basic-transcription><head><meta-information>{head}</meta-information>"
        f"<speakertable>{speakers}</speakertable></head><basic-body>"
        f"<common-timeline>{timeline}</common-timeline>{body}</basic-body></basic-transcription>"
    )


TIMES = (
    '<tli id="T0" time="1.0"/><tli id="T9"/><tli id="T3"/><tli id="T1" time="4.0"/><tli id="T2"/>'
)


def tier(*events: tuple[str, str, str], kind: str = "t", name: str = "x", speaker: str = "") -> str:
    inner = "".join(f'<event start="{a}" end="{b}">{text}</event>' for a, b, text in events)
    return (
        f'<tier id="{name}" type="{kind}" display-name="{name}" speaker="{speaker}">{inner}</tier>'
    )


def test_points_without_time_are_spread_in_the_order_of_the_file() -> None:
    body = tier(("T0", "T9", "a "), ("T9", "T3", "b "), ("T3", "T1", "c "), ("T1", "T2", "d "))
    transcript = read(exb(body, TIMES), "exb")
    assert [(s.start, s.end) for s in transcript] == [(1, 2), (2, 3), (3, 4), (4, None)]
    assert [s.get("time_source") for s in transcript] == ["interpolated"] * 3 + [None]


def test_parts_of_words_are_put_together() -> None:
    body = tier(("T0", "T9", "good mor"), ("T9", "T3", "ning "), ("T3", "T1", "Bob "))
    transcript = read(exb(body, TIMES), "exb")
    assert [s.words for s in transcript] == [("good", "morning"), ("Bob",)]
    assert (transcript[0].start, transcript[0].end) == (1.0, 3.0)


def test_words_stay_apart_in_files_without_blanks_at_ends() -> None:
    body = tier(("T0", "T9", "good"), ("T9", "T3", "morning"))
    assert [s.words for s in read(exb(body, TIMES), "exb")] == [("good",), ("morning",)]


def test_speakers_by_abbreviation_unless_two_have_the_same() -> None:
    one = '<speaker id="S{}"><abbreviation>{}</abbreviation></speaker>'
    body = "".join(tier(("T0", "T1", "a "), name=f"t{n}", speaker=f"S{n}") for n in range(4))
    names = "".join(one.format(n, name) for n, name in enumerate(("ANN", "BOB", "BOB", "")))
    assert [s.speaker for s in read(exb(body, TIMES, names), "exb")] == ["ANN", "S1", "S2", "S3"]


def test_annotation_and_description_are_no_speech() -> None:
    spoken = tier(("T0", "T1", "hi there "), name="ANN [v]", speaker="S")
    seen = tier(("T0", "T1", "waves"), kind="d", name="ANN [nv]", speaker="S")
    words = tier(("T0", "T9", "hi"), ("T3", "T1", "there"), kind="a", name="ANN [w]", speaker="S")
    names = '<speaker id="S"/>'
    transcript = read(exb(spoken + seen, TIMES, names), "exb")
    assert [(s.kind, s.tier) for s in transcript] == [("segment", "ANN [v]"), ("event", "ANN [nv]")]
    words = words.replace("<tier", '<tier category="w"')
    transcript = read(exb(spoken + seen + words, TIMES, names), "exb")
    assert [(s.kind, s.starts) for s in transcript] == [("segment", (1.0, 3.0)), ("event", None)]


def test_the_recording_is_the_first_audio_file() -> None:
    files = r'<referenced-file url="v.mpg"/><referenced-file url="file:\C:\a\talk one.wav"/>'
    [segment] = read(exb(tier(("T0", "T1", "a ")), TIMES, head=files), "exb")
    assert segment.recording == "talk one"


@pytest.mark.parametrize(
    ("body", "timeline", "message"),
    [
        (tier(("T0", "T7", "a")), TIMES, 'expected an event whose end is a tli, found "T7"'),
        (tier(("T1", "T0", "a")), TIMES, 'expected an event that ends after T1, found "T0"'),
        ("", '<tli id="T0" time="x"/>', 'expected a time in seconds, found "x"'),
        ("", '<tli time="1"/>', 'expected a tli with "id", found none'),
    ],
)
def test_bad_transcriptions(body: str, timeline: str, message: str) -> None:
    assert message in refusal(exb(body, timeline), "exb")


def test_a_segmented_transcription_is_refused() -> None:
    assert 'found "segmented-transcription"' in refusal("<segmented-transcription/>", "exb")


def item(number: int, text: str | None, *place: int, **more: str) -> dict[str, object]:
    names = ("sampleStart", "sampleDur") if len(place) == 2 else ("samplePoint",)
    labels = [{"name": name, "value": value} for name, value in more.items()]
    own = [] if text is None else [{"name": "x", "value": text}]
    return {"id": number, **dict(zip(names, place, strict=False)), "labels": own + labels}


def emu(
    *levels: tuple[str, str, list[dict[str, object]]],
    links: Sequence[tuple[int, int]] = (),
    **more: object,
) -> str:
    made = [{"name": name, "type": kind, "items": items} for name, kind, items in levels]
    pairs = [{"fromID": a, "toID": b} for a, b in links]
    base = {"name": "rec", "annotates": "rec.wav", "sampleRate": 1000}
    return json.dumps({**base, "levels": made, "links": pairs, **more})


@pytest.mark.parametrize(("length", "end"), [(999, 2.0), (1000, 2.0)])
def test_an_item_ends_where_the_next_begins(length: int, end: float) -> None:
    items = [item(1, "a", 1000, length), item(2, "b", 2000, length), item(3, "c", 4000, length)]
    transcript = read(emu(("x", "SEGMENT", items)), "emu")
    assert transcript[0].end == end
    assert transcript[2].end == 5.0


def test_items_last_as_long_as_what_links_lead_to() -> None:
    text = emu(
        ("Utterance", "ITEM", [item(9, "")]),
        (
            "Word",
            "ITEM",
            [item(1, "C", Text="good"), item(2, "C", Text="day"), item(7, "F", Text="x")],
        ),
        ("Syllable", "ITEM", [item(3, "S"), item(4, "W")]),
        ("Phonetic", "SEGMENT", [item(5, "g", 500, 249), item(6, "d", 750, 249)]),
        ("Tone", "EVENT", [item(8, "H*", 600)]),
        links=[(9, 1), (9, 2), (1, 3), (2, 4), (3, 5), (4, 6), (1, 8), (1, 99)],
    )
    transcript = read(text, "emu")
    words = next(s for s in transcript if s.kind == "segment")
    assert (words.words, words.starts, words.ends) == (
        ("good", "day", "x"), (0.5, 0.75, None), (0.75, 1.0, None),
    )  # fmt: skip
    assert {s.tier for s in transcript if s.kind == "event"} == {"Syllable", "Phonetic", "Tone"}
    assert message_text(EMU_LINKS, links=1) in " ".join(said(transcript))
    assert transcript.word_count == 3


def test_other_labels_of_a_level() -> None:
    items = [item(1, "a", 0, 9, Norm="A")]
    assert read(emu(("x", "SEGMENT", items)), "emu", attribute="norm")[0].words == ("A",)


def test_speakers_of_octra() -> None:
    items = [item(1, "hello", 0, 500, Speaker="anne"), item(2, "", 500, 500),
             item(3, "day", 1000, 500, Speaker="bob")]  # fmt: skip
    transcript = read(emu(("OCTRA_1", "SEGMENT", items)).replace('"x"', '"OCTRA_1"'), "emu")
    assert [(s.speaker, s.words, s.end) for s in transcript] == [
        ("anne", ("hello",), 0.5), ("bob", ("day",), 1.5),
    ]  # fmt: skip


@each_case(
    ("text", "message"),
    [
        (emu(sampleRate=0), "$.sampleRate: expected a rate of 1 to 1000000000 samples a second"),
        (emu(("x", "ITEM", [item(1, "a"), item(2, "a")]), links=[(1, 2), (2, 1)]),
         "expected links from higher to lower levels, found circular links"),
        (emu(("x", "ITEM", [item(1, "a"), item(1, "a")]), links=[(1, 2)]), "found 1 twice"),
        (emu(("x", "SEGMENT", [item(1, "a", -5, 5)])), "sampleStart: expected a number of samples"),
        ("{}", 'expected a member "sampleRate", found none'),
    ],
)  # fmt: skip
def test_bad_annotations(text: str, message: str) -> None:
    assert message in refusal(text, "emu")


@pytest.mark.parametrize("mark", ["H#", "-", ""])
def test_the_first_label_of_esps_may_be_a_mark(mark: str) -> None:
    text = f"signal other\n#\n 0.5 125 {mark}\n 1.0 125 a b\n 1.5 125 pau\n 2.0 125\n"
    transcript = read(text, "esps")
    assert [(s.kind, s.words, s.tier) for s in transcript] == [
        ("segment", ("a b",), "phones"), ("event", ("pau",), "phones"),
    ]  # fmt: skip
    assert transcript[0].starts == (0.5,)
    assert read("#\n0.5 -1 a\n", "esps")[0].starts == (0.0,)


def test_words_of_buckeye(tmp_path: Path) -> None:
    path = tmp_path / "s0201a.words"
    path.write_text(
        "signal s0201a\nseparator ;\nnfields 3\n#\n 0.5 122 {B_TRANS}; {B_TRANS}; {B_TRANS}; null\n"
        " 0.75 122 okay; ow k ey; k ey; NN\n 0.7 122 <SIL>; S; S; null\n 1.0 122 so; RB\n"
    )
    transcript = formats.read(path)
    assert transcript.format == "esps"
    said, silence = transcript
    assert (said.speaker, said.words, said.tier) == ("s02", ("okay", "so"), None)
    assert (said.starts, said.ends) == ((0.5, 0.75), (0.75, 1.0))
    assert (silence.kind, silence.words, silence.start, silence.end) == (
        "event", ("<SIL>",), 0.75, 0.75,
    )  # fmt: skip
    assert [d.code for d in transcript.diagnostics] == ["ESPS-ORDER", "ESPS-FIELDS"]


def test_fields_and_tones_of_esps() -> None:
    transcript = read("separator ;\nnfields 2\n#\n1 125 a;x\n", "esps")
    assert transcript[0].words == ("a",)
    assert said(transcript) == [("note: " + message_text(ESPS_FIELDS, cut=1) + " [ESPS-FIELDS]")]
    tones = read("#\n1 125 H*\n2 125 L-L%\n", "esps")
    assert [(s.kind, s.words, s.start, s.end) for s in tones] == [
        ("event", ("H*",), 1.0, 1.0), ("event", ("L-L%",), 2.0, 2.0),
    ]  # fmt: skip
    assert len(read("#\n1 125 a\n2 125 b\n", "esps", points=True)) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.0 125 a\n", "expected a header that ends with a line #, found none"),
        ("#\n1.0\n", "<stream>:2:4: expected time, colour and label, found 1 field"),
        ("#\nx 1 a\n", "<stream>:2:1: expected"),
    ],
)
def test_bad_labels_of_esps(text: str, message: str) -> None:
    assert message in refusal(text, "esps")


def test_times_of_salt() -> None:
    text = "$ Ann, Bob\n- 0:01\nA one\nA two\ngoes on\nB three\n- 75:00.5\nB four\n; :03\n"
    transcript = read(text, "salt")
    assert [(s.speaker, s.words, s.start, s.end) for s in transcript] == [
        ("Ann", ("one",), 1.0, None),
        ("Ann", ("two", "goes", "on"), None, None),
        ("Bob", ("three",), None, 4500.5),
        ("Bob", ("four",), 4500.5, None),
    ]
    assert said(transcript) == [
        ("note: " + message_text(SALT_COMMENTS, others=1) + " [SALT-COMMENTS]")
    ]


def test_marks_of_salt() -> None:
    text = "$ Ann\nA (um) kid/s go_home|home *to the/*s {x} [EU]<yes> :02 it/'s lift/*ed.\n"
    assert "SALT-MARKS" in said(read(text, "salt"))[0]
    assert read(text, "salt", salt_clean=True)[0].words == (
        "um", "kids", "go", "home", "the", "yes", "it's", "lift.",
    )  # fmt: skip
    assert clean("want/3s") == "want/3s"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$ Ann\n- x\n", '<stream>:2:1: expected a time such as - 1:02, found "- x"'),
        ("$ Ann\n- 0:02\n- 0:01\n", "<stream>:3:1: expected a time not before that above"),
        ("$ Ann\nB hello\n", "<stream>:2:1: expected a line of SALT"),
    ],
)
def test_bad_lines_of_salt(text: str, message: str) -> None:
    assert message in refusal(text, "salt")
    read(text, "salt", "lenient")


def test_sentences_of_conllu_and_webanno() -> None:
    text = (
        "# newdoc id = d1\n# sent_id = s1\n# speaker_id = Ann\n# text = don't go\n"
        "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3\tgo\t_\t_\t_\t_\t_\t_\t_\t_\n"
    )
    without_text = "".join(line + "\n" for line in text.splitlines() if "text" not in line)
    for each in (text, without_text):
        (segment,) = read(each, "conllu")
        assert (segment.recording, segment.utterance, segment.speaker) == ("d1", "s1", "Ann")
        assert segment.words == ("don't", "go")
    head = "#FORMAT=WebAnno TSV 3.3\n\n\n"
    rows = "1-1\t0-2\tso\t_\t\n1-1.1\t0-1\ts\t_\t\n1-2\t3-6\twas\t_\t\n"
    for comment, words in (("", ("so", "was")), ("#Text=so it\\|was\n", ("so", "it|was"))):
        assert read(head + comment + rows, "conllu")[0].words == words


def test_a_line_without_columns_rejects_its_sentence_of_conllu() -> None:
    rows = "".join(f"{n}\tso\t_\t_\t_\t_\t_\t_\t_\t_\n\n" for n in [1] * 20)
    assert len(read(rows, "conllu")) == 20
    with pytest.raises(formats.FormatError) as error:
        read(rows + "1\tso\n", "conllu")
    assert error.value.line == 41


def test_records_of_toolbox() -> None:
    text = (
        "\\_sh v3.0 400 Text\n\\id talk\n\\ref 1\n\\EUDICOt0 00:00:01.500\n\\EUDICOt1 00:00:02\n"
        "\\EUDICOp Ann\n\\tx so it\n\\mb so i-t\n\\tx was\n  then\n\\ft it was\n  so\n"
    )
    (segment,) = read(text, "toolbox")
    assert (segment.utterance, segment.speaker, segment.start, segment.end) == ("1", "Ann", 1.5, 2)
    assert segment.words == ("so", "it", "was", "then")
    assert segment.get("translation") == "it was so"


@pytest.mark.parametrize("times", ["\\ELANBegin x", "\\ELANBegin 2\n\\ELANEnd 1"])
def test_invalid_times_of_toolbox_are_errors(times: str) -> None:
    with pytest.raises(formats.FormatError):
        read(f"\\ref 1\n{times}\n\\tx so\n", "toolbox")


def test_words_of_speakers_in_turn_in_conllu_are_turns(tmp_path: Path) -> None:
    row = "\t_" * 7 + "\t"
    words = (("well", "ann"), ("then", "ann"), ("no", "ben"), ("so", "ann"))
    lines = [
        f"{n + 1}\t{word}{row}@{name}-words#@{name}#{n}.5#{n}.9"
        for n, (word, name) in enumerate(words)
    ]
    path = tmp_path / "talk.conllu"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert [(s.speaker, s.words, s.start) for s in formats.read(path)] == [
        ("ann", ("well", "then"), 0.5),
        ("ben", ("no",), 2.5),
        ("ann", ("so",), 3.5),
    ]


@pytest.mark.parametrize(
    ("first", "last"),
    [("@ann-words#@ann#0.5#0.9", "@ann-words#@ann#0.9#1.25"),
     ("AlignBegin=500|AlignEnd=900", "AlignBegin=900|AlignEnd=1250|Gloss=x")],
)  # fmt: skip
def test_times_of_words_in_conllu(first: str, last: str, tmp_path: Path) -> None:
    row = "\t_\t_\t_\t_\t_\t_\t_\t"
    path = tmp_path / "talk.conllu"
    path.write_text(f"1\twell{row}{first}\n2\tthen{row}{last}\n\n1\tno{row}_\n", encoding="utf-8")
    timed, untimed = formats.read(path)
    assert (timed.start, timed.end) == (0.5, 1.25)
    assert (timed.starts, timed.ends) == ((0.5, 0.9), (0.9, 1.25))
    assert (untimed.start, untimed.starts) == (None, None)
    path.write_text(f"# text = well, then\n1\twell{row}{first}\n2\t,{row}_\n3\tthen{row}{last}\n")
    (segment,) = formats.read(path)
    assert (segment.start, segment.end, segment.starts) == (0.5, 1.25, None)


@pytest.mark.parametrize(("comment", "codes"), [("", ["CONLLU-SIGNS"]), ("# text = so it\n", [])])
def test_signs_alone_in_conllu_are_reported(comment: str, codes: list[str], tmp_path: Path) -> None:
    rows = "".join(f"{n}\t{word}" + "\t_" * 8 + "\n" for n, word in enumerate(("so", "/", "it"), 1))
    path = tmp_path / "talk.conllu"
    path.write_text(comment + rows, encoding="utf-8")
    messages = [diagnostic.value.entry.code for diagnostic in formats.read(path).diagnostics]
    assert [code for code in messages if code == "CONLLU-SIGNS"] == codes

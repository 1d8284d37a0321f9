"""Oddities of manifests and tables: what real files hold, and the messages about them."""

import json
from io import BytesIO

import pytest

import formats
from formats import FormatError, LossError, Segment, SyntaxFormatError, Transcript
from formats.manifests.messages import DOCUMENTS_WITHIN, NO_TEXT, TEXT_OF_SEVERAL
from formats.tables.messages import TIME_UNIT
from tests.each_case import each_case
from tests.formats.case import sample
from tests.formats.checks import codes, message_text, remark_line
from tests.formats.conftest import ReadText, WriteFile
from tests.tables import table_of


def refused(read_text: ReadText, text: str, name: str, **options: object) -> str:
    with pytest.raises(FormatError) as caught:
        read_text(text, name, **options)
    return str(caught.value)


# seglst


def test_seglst_takes_objects_in_a_row_and_clock_times(read_text: ReadText) -> None:
    text = (
        '{"session_id": "S01", "speaker": "P1", "start_time": "0:01:02.50", "end_time": "63", '
        '"words": "a  b", "location": "kitchen", "segment_index": 3}\n'
        '{"session_id": "S01", "words": ""}'
    )
    transcript = read_text(text, "seglst")
    assert codes(transcript) == ["SEGLST-LIST"]
    first, second = transcript
    assert (first.start, first.end, first.words) == (62.5, 63.0, ("a", "b"))
    assert first.properties == (("location", "kitchen"), ("segment_index", "3"))
    assert (second.start, second.speaker, second.line) == (None, None, 2)
    clock = read_text('[{"session_id": "r", "words": "a", "start_time": "1:2"}]', "seglst")
    assert clock[0].start == 62.0


def test_seglst_word_that_is_no_blank_of_ascii_is_a_word(read_text: ReadText) -> None:
    item = '{"session_id": "a", "start_time": [12, 13], "end_time": [13, 14]'
    [segment] = read_text(f'[{item}, "words": ["\u3000", "b"]}}]', "seglst")
    assert (segment.words, segment.start) == (("\u3000", "b"), 12.0)


def test_seglst_word_lists(read_text: ReadText) -> None:
    text = (
        '[{"session_id": "r", "words": ["a", "b"], "start_time": [0.5, 1], "end_time": [1, 1.5]}]'
    )
    (segment,) = read_text(text, "seglst")
    assert (segment.starts, segment.ends) == ((0.5, 1.0), (1.0, 1.5))
    assert (segment.start, segment.end) == (0.5, 1.5)
    output = BytesIO()
    losses = formats.write(Transcript([segment]), output, "seglst")
    assert [str(loss) for loss in losses] == ["word times: 2"]


# lhotse


def test_lhotse_cuts_count_from_their_start(read_text: ReadText) -> None:
    text = (
        '{"id": "c1", "type": "MonoCut", "start": 10, "duration": 5, "channel": 0, "recording": '
        '{"id": "rec1"}, "supervisions": [{"id": "s1", "recording_id": "rec1", "start": -0.5, '
        '"duration": 2, "text": "a b", "alignment": {"word": [["a", -0.5, 1], ["b", 0.5, 1, 0.5]], '
        '"phone": []}}]}'
    )
    transcript = read_text(text, "lhotse")
    (segment,) = transcript
    assert (segment.recording, segment.utterance) == ("rec1", "s1")
    assert (segment.start, segment.end) == (9.5, 11.5)
    assert (segment.starts, segment.confidences) == ((9.5, 10.5), (None, 0.5))
    assert codes(transcript) == ["LHOTSE-ALIGNMENT"]


def supervision(name: str, start: float, **more: object) -> dict[str, object]:
    made = {"id": name, "recording_id": f"r{name}", "start": start, "duration": 2, "text": "a b"}
    return {**made, "speaker": f"x{name}", **more}


def track(offset: float | None, *supervisions: dict[str, object]) -> dict[str, object]:
    cut = {"id": "c", "start": 100, "duration": 5, "channel": 0, "supervisions": supervisions}
    return {"type": "MonoCut", "cut": cut, **({} if offset is None else {"offset": offset})}


def test_lhotse_mixed_cuts_are_recordings_of_their_own(read_text: ReadText) -> None:
    words = {"word": [["a", 0.5, 1], ["b", 1.5, 1]]}
    silence = {"type": "PaddingCut", "offset": 9, "cut": {"id": "p", "duration": 1}}
    value = {"id": "m", "type": "MixedCut", "tracks": [
        track(None, supervision("1", 0.5, alignment=words)), track(3.5, supervision("2", 0.5)),
        silence,
    ]}  # fmt: skip
    text = json.dumps(value)
    assert formats.detect(BytesIO(text.encode())) == "lhotse"
    transcript = read_text(text, "lhotse")
    assert [(s.recording, s.utterance, s.speaker, s.start, s.end) for s in transcript] == [
        ("m", "1", "x1", 0.5, 2.5),
        ("m", "2", "x2", 4.0, 6.0),
    ]
    assert transcript[0].starts == (0.5, 1.5)
    assert [s.get("recording_id") for s in transcript] == ["r1", "r2"]
    again = json.dumps([value, {**value, "id": "n"}])
    assert [s.recording for s in read_text(again, "lhotse")] == ["m", "m", "n", "n"]


@pytest.mark.parametrize(
    ("more", "recording"),
    [
        ({"type": "Cut", "recording": {"id": "r7"}}, "r7"),
        ({"type": "Cut", "features": {"recording_id": "r8"}}, "r8"),
        ({"type": "MonoCut"}, "r1"),
        ({}, "r1"),
    ],
)
def test_lhotse_cuts_without_recording_and_of_the_old_type_are_read(
    read_text: ReadText, more: dict[str, object], recording: str
) -> None:
    cut = {"id": "c", "start": 10, "duration": 5, "channel": 0, **more}
    cut["supervisions"] = [supervision("1", 0.5)]
    (segment,) = read_text(json.dumps([cut]), "lhotse")
    assert (segment.recording, segment.start, segment.words) == (recording, 10.5, ("a", "b"))
    cut["supervisions"] = []
    assert read_text(json.dumps([cut]), "lhotse").segments == ()


YAML = sample("lhotse-yaml.txt")


def test_lhotse_manifests_in_yaml_are_read_to_the_digit(write_file: WriteFile) -> None:
    path = write_file("cuts.yml", YAML)
    assert formats.detect(path) == "lhotse"
    transcript = formats.read(path)
    assert [(s.recording, s.utterance, s.words, s.line) for s in transcript] == [
        ("007", "s1", ("yes", "no", "12:30"), 2),
        ("r", "s2", ("NO",), 12),
    ]
    assert (transcript[0].start_ns, transcript[0].end_ns) == (100_000_000, 1_850_000_001)
    assert transcript[0].properties == (("level", "0.5"), ("loud", "true"))


def test_lhotse_cuts_in_yaml_are_read(write_file: WriteFile) -> None:
    path = write_file("x", sample("lhotse-cuts-yaml.txt"))
    assert formats.detect(path) == "lhotse"
    (segment,) = formats.read(path)
    assert (segment.words, segment.starts, segment.start) == (("good", "day"), (10.5, 11.0), 10.5)
    assert segment.confidences == (None, 0.25)


def test_a_name_twice_in_yaml_is_warned_of(read_text: ReadText) -> None:
    transcript = read_text(YAML + "  text: later\n", "lhotse")
    assert (codes(transcript), transcript[1].words) == (["JSON-TWICE"], ("later",))


def test_other_lists_in_yaml_are_not_taken_for_lhotse(write_file: WriteFile) -> None:
    assert formats.detect(write_file("x.yml", "- word: a\n  start: 1\n")) == "json"


def test_lhotse_ids_are_used_once(read_text: ReadText) -> None:
    line = '{"id": "a", "recording_id": "r", "start": 0, "duration": 1, "text": "x"}\n'
    assert codes(read_text(line + line, "lhotse")) == ["DUPLICATE"]


def test_lhotse_alignment_of_another_length(read_text: ReadText) -> None:
    text = (
        '{"id": "a", "recording_id": "r", "start": 0, "duration": 1, "channel": [0, 1], '
        '"text": "x y", "alignment": {"word": [{"symbol": "x", "start": 0, "duration": 1}]}}'
    )
    transcript = read_text(text, "lhotse")
    assert codes(transcript) == ["CHANNELS", "LHOTSE-WORDS"]
    assert (transcript[0].channel, transcript[0].starts) == ("0,1", None)


# nemo


def test_nemo_reads_either_side(read_text: ReadText) -> None:
    text = (
        '{"audio_filepath": "wav/rec1.wav", "offset": 0.5, "duration": -1, "text": "a b", '
        '"pred_text": "a c", "label": 3}\n'
    )
    (segment,) = read_text(text, "nemo")
    assert (segment.recording, segment.words) == ("rec1", ("a", "b"))
    assert (segment.start, segment.end) == (0.5, None)
    assert segment.properties == (("label", "3"), ("pred_text", "a c"))
    assert read_text(text, "nemo", field="pred_text")[0].words == ("a", "c")
    assert read_text(text, "nemo", id_from="path")[0].recording == "wav/rec1.wav"


@pytest.mark.parametrize("name", ["reference_text", "transcript", "ground_truth"])
def test_nemo_reads_other_names_of_texts_as_tables_do(name: str, read_text: ReadText) -> None:
    row = {"audio_file": "a.wav", name: "mind the step", "lang": "en"}
    csv = ",".join(row) + "\n" + ",".join(row.values()) + "\n"
    for text in (read_text(json.dumps(row) + "\n", "nemo"), read_text(csv, "csv")):
        assert [(s.recording, s.words) for s in text] == [("a", ("mind", "the", "step"))]


@pytest.mark.parametrize("text", ["1.5", "true", "[]"])
def test_a_text_of_nemo_that_is_no_text_is_an_error_with_its_place(
    read_text: ReadText, text: str
) -> None:
    rows = '{"audio_filepath": "a.wav", "text": "b"}\n{"audio_filepath": "c.wav", "text": %s}\n'
    with pytest.raises(FormatError, match=r"<stream>:2:37: \$\.text: expected a text, found"):
        read_text(rows % text, "nemo")


def test_nemo_names_audio_files_by_recordings() -> None:
    with pytest.raises(LossError, match=r'without folders and endings of audio, found "a/b"'):
        formats.write(Transcript([Segment.of("a/b")]), BytesIO(), "nemo")


# commonvoice


def test_commonvoice_odd_rows(read_text: ReadText) -> None:
    head = "client_id\tpath\tsentence\n"
    lenient = read_text(head + "a\tb\na\tc.mp3\tx\n", "commonvoice", tolerance="lenient")
    assert [s.utterance for s in lenient] == ["c"]
    assert codes(lenient) == ["COMMONVOICE-FIELDS"]


def test_commonvoice_long_sentences_and_quotes(read_text: ReadText) -> None:
    long = "x" * 200_000
    text = f'client_id\tpath\tsentence\na\tb\t"{long}\nc\td\ty"\n'
    assert [s.words for s in read_text(text, "commonvoice")] == [(f'"{long}',), ('y"',)]


# jsonl, csv, tsv


def test_jsonl_of_data_sets(read_text: ReadText) -> None:
    text = (
        '{"id": 7, "audio": {"path": "clips/rec1.flac", "bytes": null}, "sentence": "a b", '
        '"prediction": "a c", "speaker_id": 12, "offset": 500, "duration": 1250, "age": 30}\n'
    )
    (segment,) = read_text(text, "jsonl", time_unit="ms")
    assert (segment.recording, segment.utterance, segment.speaker) == ("rec1", "7", "12")
    assert (segment.words, segment.start, segment.end) == (("a", "b"), 0.5, 1.75)
    assert segment.properties == (("age", "30"), ("prediction", "a c"))
    assert read_text(text, "jsonl", field="pred_text")[0].words == ("a", "c")
    assert read_text(text, "jsonl", field="sentence")[0].words == ("a", "b")


def test_jsonl_null_and_numbers(read_text: ReadText) -> None:
    transcript = read_text('{"text": null}\n{"text": 5}\n', "jsonl", stringify=True)
    assert [s.words for s in transcript] == [(), ("5",)]
    assert codes(transcript) == ["JSONL-NULL"]


def test_jsonl_skips_bad_lines_when_told(read_text: ReadText) -> None:
    transcript = read_text('{"text": "a"}\n{"text\n{"text": "b"}\n', "jsonl", tolerance="lenient")
    assert [s.words for s in transcript] == [("a",), ("b",)]
    assert codes(transcript) == ["JSON"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_delimiters_and_quotes(read_text: ReadText, delimiter: str) -> None:
    text = f'id{delimiter}text{delimiter}age\n1{delimiter}"a{delimiter} ""b""\nc"{delimiter}\n'
    (segment,) = read_text(text, "csv")
    assert segment.words == tuple(f'a{delimiter} "b" c'.split())
    assert (segment.utterance, segment.properties) == ("1", ())


def test_csv_without_header(read_text: ReadText) -> None:
    (segment,) = read_text("rec1.wav,a b,en\n", "csv", columns="path,text,language")
    assert (segment.recording, segment.words) == ("rec1", ("a", "b"))
    assert segment.properties == (("language", "en"),)


WIDE = [
    "0.5,2.5,a,Speaker 1,so it was good,0.91", "2.5,4.0,a,Speaker 2,yes it was so,0.93",
    "4.0,6.25,b,Speaker 1,and then we went,0.88", "6.5,7.25,a,Speaker 2,well that is it,0.99",
]  # fmt: skip


def test_csv_without_header_and_with_many_columns(read_text: ReadText) -> None:
    read = read_text("\n".join(WIDE), "csv")
    assert [(s.speaker, s.start, s.end) for s in read][::3] == [
        ("Speaker 1", 0.5, 2.5), ("Speaker 2", 6.5, 7.25),
    ]  # fmt: skip
    assert read[3].words == ("well", "that", "is", "it")
    assert read[3].properties == (("column 3", "a"), ("column 6", "0.99"))
    assert "NO-HEADER" in codes(read)


STARTS_AND_LENGTHS = [(0.0, 2.25), (2.5, 1.5), (4.0, 3.0), (7.25, 0.5), (8.0, 2.0), (11.0, 1.5)]


@pytest.mark.parametrize("sign", ["\t", ","])
def test_durations_beside_starts_need_no_header(sign: str, write_file: WriteFile) -> None:
    rows = [f"{a:.2f}{sign}{b:.2f}{sign}so it is number {a:.0f}\n" for a, b in STARTS_AND_LENGTHS]
    transcript = formats.read(write_file("x.tsv" if sign == "\t" else "x.csv", "".join(rows)))
    assert [(s.start, s.end) for s in transcript] == [(a, a + b) for a, b in STARTS_AND_LENGTHS]


def test_clock_times_and_labels_of_speakers_need_no_header(read_text: ReadText) -> None:
    rows = [f"0:0{n},Speaker {n % 2 + 1},so it is number {n},en,x{n}\n" for n in range(6)]
    read = read_text("".join(rows), "csv")
    assert [(s.start, s.speaker) for s in read][:2] == [(0.0, "Speaker 1"), (1.0, "Speaker 2")]
    assert read[1].properties == (("column 4", "en"), ("column 5", "x1"))


@pytest.mark.parametrize("left", [0, 1])
def test_csv_with_many_columns_and_no_sure_times_needs_names(
    read_text: ReadText, left: int
) -> None:
    rows = [",".join(cell for n, cell in enumerate(row.split(",")) if n != left) for row in WIDE]
    with pytest.raises(SyntaxFormatError):
        read_text("\n".join(row + ",x" for row in rows), "csv")


def test_minutes_that_a_spreadsheet_writes_as_hours(read_text: ReadText) -> None:
    text = "Time,Text\n0:08,so it was\n23:59,good\n24:01:00,and\n59:00:00,then\n1:15:00,bye\n"
    read = read_text(text, "csv")
    assert [s.start for s in read] == [8, 1439, 1441, 3540, 4500]
    assert codes(read).count("SHEET-TIMES") == 1
    hours = read_text("Time,Text\n0:00:08,so it was\n24:01:00,and\n", "csv")
    assert [s.start for s in hours] == [8, 86460]


def test_texts_that_are_lists_in_the_syntax_of_python_are_joined(read_text: ReadText) -> None:
    text = """id,text\na,"['so it is', ""that's it""]"\nb,['yes']\n"""
    read = read_text(text, "csv")
    assert [" ".join(s.words) for s in read] == ["so it is that's it", "yes"]
    assert "LISTS-IN-TEXT" in codes(read)


def test_csv_guards_formulas() -> None:
    output = BytesIO()
    segment = Segment.of("=rec", ["+1", "a"], speaker="b")
    formats.write(Transcript([segment]), output, "csv", csv_safe=True)
    assert output.getvalue().decode().splitlines()[1] == ",'=rec,,b,,,'+1 a"


def test_plain_json_is_known_by_its_content(read_text: ReadText) -> None:
    source = BytesIO(b'[{"id": "a", "text": "x"}]')
    source.name = "set.json"
    transcript = formats.read(source)
    assert (transcript.format, transcript[0].words) == ("jsonl", ("x",))


WHISPER = "start\tend\ttext\n380\t1100\tDis-moi,\n1280\t1500\test-ce que\n"


def test_times_in_the_table_of_whisper_are_milliseconds(read_text: ReadText) -> None:
    read = read_text(WHISPER, "tsv")
    assert [(s.start, s.end) for s in read] == [(0.38, 1.1), (1.28, 1.5)]
    assert [str(d) for d in read.diagnostics] == [remark_line(TIME_UNIT)]
    assert read_text(WHISPER, "tsv", time_unit="s")[0].end == 1100.0
    assert read_text(WHISPER, "tsv", time_unit="us")[0].end == 0.0011


@pytest.mark.parametrize(
    "text",
    [
        "start\tend\ttext\n0\t5\ta\n5\t65\tb\n",
        "start\tend\ttext\n0.0\t500\ta\n",
        "start\tend\tspeaker\ttext\n0\t500\ts\ta\n",
        "start,end,text\n0,500,a\n",
    ],
    ids=["lengths of seconds", "a point", "other columns", "commas"],
)
def test_times_in_other_tables_are_seconds(read_text: ReadText, text: str) -> None:
    read = read_text(text, "tsv")
    assert read[0].end in (5.0, 500.0)
    assert not read.diagnostics


def test_a_table_of_milliseconds_that_goes_on_with_seconds_is_refused(read_text: ReadText) -> None:
    with pytest.raises(SyntaxFormatError, match=r":40004: .*found .1[.]6."):
        read_text(WHISPER + "1500\t1700\tx\n" * 40_000 + "1.6\t1.9\tx\n", "tsv")


@each_case(
    ("header", "row", "expected"),
    table_of(__file__, "columns_are_known_by_the_names_data_sets_use_in_any_case"),
)  # fmt: skip
def test_columns_are_known_by_the_names_data_sets_use_in_any_case(
    read_text: ReadText, header: str, row: str, expected: tuple[object, ...]
) -> None:
    (segment,) = read_text(f"{header}\n{row}\n", "csv")
    assert segment.words == ("HI", "YOU")
    assert (
        segment.recording, segment.speaker, segment.utterance, segment.start, segment.end
    ) == expected  # fmt: skip


def test_of_two_columns_of_words_the_stated_one_is_read_with_a_note(read_text: ReadText) -> None:
    read = read_text("wrd,transcript,text\na,b,c\n", "csv")
    assert read[0].words == ("c",)
    assert [d.message for d in read.diagnostics] == [
        message_text(TEXT_OF_SEVERAL, name="text", others=["transcript", "wrd"])
    ]
    assert read_text("wrd,transcript,text\na,b,c\n", "csv", field="WRD")[0].words == ("a",)
    read = read_text('{"sentence": "a", "text": "b"}\n', "jsonl")
    assert read[0].words == ("b",)
    assert [d.line for d in read.diagnostics] == [1]


@pytest.mark.parametrize("channel", ["1" * 19, "1" * 4301, "A"], ids=["19", "4301", "A"])
def test_lhotse_channels_are_numbers(channel: str) -> None:
    segment = Segment.of("r", ["a"], utterance="u", start=0, end=1, channel=channel)
    with pytest.raises(LossError, match=r'expected a channel that is a number, found "[1A]'):
        formats.write(Transcript([segment]), BytesIO(), "lhotse")


def test_key_and_target_of_funasr_are_id_and_text(read_text: ReadText) -> None:
    lines = (
        '{"key": "u1", "source": "a.wav", "target": "hello there"}\n'
        '{"key": "u2", "source": "b.wav", "target": "you"}\n'
    )
    assert [(s.utterance, s.words) for s in read_text(lines, "jsonl")] == [
        ("u1", ("hello", "there")),
        ("u2", ("you",)),
    ]
    names = ["text", "sentence", "transcription", "transcript"]
    expected = message_text(NO_TEXT, names=names, found=["target"])
    assert refused(read_text, '{"target": "you"}\n', "jsonl") == f"<stream>:1: {expected}"


def test_a_column_without_a_name_has_no_role(read_text: ReadText) -> None:
    read = read_text(",text,,start\n7,a b,x,1.5\n8,c,y,2\n", "csv")
    assert [(s.recording, s.speaker, s.utterance, s.channel, s.start) for s in read] == [
        ("rec", None, None, None, 1.5), ("rec", None, None, None, 2.0),
    ]  # fmt: skip
    assert [s.properties for s in read] == [
        (("column 1", "7"), ("column 3", "x")), (("column 1", "8"), ("column 3", "y")),
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "unit"), [("start", 1000), ("start", 1), ("start (ms)", 1000)])
def test_the_unit_of_a_table_is_that_at_which_people_speak(
    read_text: ReadText, name: str, unit: int
) -> None:
    rows = "".join(f"{n * 3 * unit},{(n * 3 + 2) * unit},one two three {n}\n" for n in range(9))
    read = read_text(f"{name},end,text\n{rows}", "csv")
    assert [(s.start, s.end) for s in read][:2] == [(0.0, 2.0), (3.0, 5.0)]
    assert ("TIME-UNIT" in codes(read)) == (name == "start" and unit > 1)
    with_unit = read_text(f"{name},end,text\n{rows}", "csv", time_unit="s")
    assert with_unit[1].start == 3.0 * unit


def test_words_with_a_time_are_a_table(read_text: ReadText) -> None:
    rows = "".join(f"{n * 400},w{n}\n" for n in range(50))
    read = read_text(f"Timestamp,Word\n{rows}", "csv")
    assert [(s.start, *s.words) for s in read][:2] == [(0.0, "w0"), (0.4, "w1")]


def test_lines_of_characters_are_a_table_of_speakers(read_text: ReadText) -> None:
    read = read_text("quote_id,quote,character,start_time\n1,so be it,Ann,1.5\n", "csv")
    assert [(s.speaker, s.start, s.words) for s in read] == [("Ann", 1.5, ("so", "be", "it"))]


TALK = [
    "so we begin with it",
    "yes, of course we do",
    "well then, go on",
    "no more of this",
    "so be it",
]
HEADERLESS = {
    "speakers": [("AB"[n % 2], text) for n, text in enumerate(TALK)],
    "a count": [(str(n), text) for n, text in enumerate(TALK)],
    "times": [(f"{n * 2}.5", f"{n * 2 + 1}.5", text) for n, text in enumerate(TALK)],
}


@pytest.mark.parametrize("rows", HEADERLESS.values(), ids=HEADERLESS)
def test_a_table_whose_first_row_is_data_has_no_header(
    read_text: ReadText, rows: list[tuple[str, ...]]
) -> None:
    read = read_text("".join("\t".join(row) + "\n" for row in rows), "tsv")
    assert [" ".join(s.words) for s in read] == TALK
    assert "NO-HEADER" in codes(read)
    assert [s.speaker for s in read][:2] == (["A", "B"] if rows[0][0] == "A" else [None, None])
    assert [s.end for s in read][:2] == ([1.5, 3.5] if len(rows[0]) == 3 else [None, None])


def test_a_first_row_that_may_be_names_is_a_header(read_text: ReadText) -> None:
    read = read_text("who,what was said\n" + "".join(f"A,{text}\n" for text in TALK), "csv")
    assert [(s.speaker, " ".join(s.words)) for s in read] == [("A", text) for text in TALK]
    assert "NO-HEADER" not in codes(read)


def test_a_header_that_comes_again_is_no_row(read_text: ReadText) -> None:
    read = read_text("speaker,text\nAnn,hi\nspeaker,text\nBob,so\n", "csv")
    assert [(s.speaker, s.line, *s.words) for s in read] == [("Ann", 2, "hi"), ("Bob", 4, "so")]
    assert "HEADER-AGAIN" in codes(read)


def test_one_remark_counts_all_headers_that_come_again(read_text: ReadText) -> None:
    part = "speaker,text\n" + "Ann,so it is\n" * 3000
    read = read_text(part * 5, "csv")
    again = [entry for entry in read.diagnostics if entry.code == "HEADER-AGAIN"]
    assert [(entry.line, entry.value.fields["rows"]) for entry in again] == [(3002, 4)]
    assert len(read.segments) == 15_000


@each_case(
    "rows",
    [
        ["Ann|so it is then|2.5|0.5", "Ben|well it is not|5.25|2.5", "Ann|yes it is|7.0|5.5"],
        ["Ann|so it is then|0.5|2.0", "Ben|well it is not|2.5|2.75", "Ann|yes it is|5.25|1.0"],
    ],
)
def test_ends_before_starts_and_lengths_without_pauses_are_known(
    read_text: ReadText, rows: list[str]
) -> None:
    pause = ["Ben|and so it goes|9.11|7.22"] if "2.5|0.5" in rows[0] else ["Ben|and so on|7.1|1.9"]
    read = read_text("\n".join(rows + pause), "csv")
    assert [(s.start, s.end) for s in read][:2] == [(0.5, 2.5), (2.5, 5.25)]


def test_words_without_times_or_speakers_are_a_list_and_no_transcript(read_text: ReadText) -> None:
    rows = "0.01,people\n-0.02,behaviour\n0.03,lack\n"
    with pytest.raises(SyntaxFormatError):
        read_text("weight,Word\n" + rows, "csv")
    timed = read_text("start,Word\n" + rows.replace("-", ""), "csv")
    assert next(iter(timed)).start == 0.01


def test_labels_in_a_csv_without_header_and_dialogues_in_a_line(read_text: ReadText) -> None:
    rows = [f"SPEAKER {min(n, 1)},{n * n}.0,{n * n}.5,so it was {n}\n" for n in range(4)]
    read = list(read_text("".join(rows), "csv"))
    assert (read[0].speaker, read[0].start, read[0].end) == ("SPEAKER 0", 0.0, 0.5)
    talk = read_text("id,transcript\n1,Agent: so it was. Agent: and so. Caller: yes.\n", "csv")
    assert DOCUMENTS_WITHIN.code in codes(talk)
    assert [segment.speaker for segment in talk] == ["Agent", "Agent", "Caller"]


def test_a_number_of_cues_in_a_csv_without_header_may_come_twice(read_text: ReadText) -> None:
    rows = [f'{n // 2},"00:00:0{n},000","00:00:0{n},900",so it was {n}' for n in range(1, 8)]
    read = read_text("\n".join(rows), "csv")
    assert [(s.start, s.end) for s in read][::6] == [(1, 1.9), (7, 7.9)]
    assert read[0].words == ("so", "it", "was", "1")


def test_the_only_column_may_have_answers(read_text: ReadText) -> None:
    answers = "Response\nso it is\nthat was all of it\nand then we went\n"
    assert [len(s.words) for s in read_text(answers, "csv")] == [3, 5, 4]
    with pytest.raises(SyntaxFormatError):
        read_text(answers.replace("Response", "Keywords"), "csv")


def test_texts_in_a_second_language_are_told(read_text: ReadText) -> None:
    rows = "\n".join(f"u{n},今朝天气蛮好个呀,今天的天气非常好" for n in range(4))
    read = read_text(f"id,dialect_text,normalized_text\n{rows}\n", "csv")
    assert "COLUMNS-LEFT" in codes(read)


def test_paths_of_files_are_no_texts(read_text: ReadText) -> None:
    rows = "".join(f'{{"id": {n}, "label": "masks/b_{n}.nii.gz"}}\n' for n in range(4))
    with pytest.raises(FormatError, match='found "id", "label"'):
        read_text(rows, "jsonl")


def test_times_of_pandas_are_read(read_text: ReadText) -> None:
    read = read_text("Timestamp\tText\n0 days 00:01:05\tso\n1 days 00:00:00\tno\n", "tsv")
    assert [s.start for s in read] == [65, 86400]


def test_nemo_reads_ids_of_speakers(read_text: ReadText) -> None:
    (segment,) = read_text('{"audio_filepath": "a.wav", "text": "so", "speaker_id": "b"}', "nemo")
    assert (segment.speaker, segment.properties) == ("b", ())


def test_values_that_people_write_for_missing_ones_are_empty(read_text: ReadText) -> None:
    read = read_text("speaker,text\nA,so\nN/A,no\nB,yes\n", "csv")
    assert [s.speaker for s in read] == ["A", None, "B"]
    assert "CELLS-MISSING" in codes(read)
    ours = read_text("id,recording,channel,speaker,start,end,text\n,a,,N/A,,,so\n", "csv")
    assert [s.speaker for s in ours] == ["N/A"]


def test_subtitles_in_the_cells_of_a_table_are_no_file_of_subtitles(write_file: WriteFile) -> None:
    cues = "1\n00:00:01,000 --> 00:00:02,500\nso it is\n\n2\n00:00:03,000 --> 00:00:04,500\nno\n"
    read = formats.read(write_file("t.csv", f'id,transcript\na,"{cues}"\nb,"{cues}"\n'))
    assert [(s.recording, s.start) for s in read] == [("a", 1), ("a", 3), ("b", 1), ("b", 3)]

"""Random tables of transcripts, whose words, times, speakers and recordings are known."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

import formats

VOCABULARY = [
    "the",
    "a",
    "we",
    "you",
    "they",
    "quite",
    "often",
    "walk",
    "river",
    "morning",
    "lamp",
    "seldom",
    "carry",
    "green",
    "paper",
    "window",
    "because",
    "under",
    "little",
    "bright",
    "answer",
    "music",
    "garden",
    "yellow",
    "stone",
    "never",
    "always",
    "maybe",
    "open",
    "close",
    "train",
]
TEXTS = [
    "text",
    "transcript",
    "transcription",
    "sentence",
    "utterance",
    "content",
    "caption",
    "subtitle",
    "line",
    "dialogue",
    "message",
    "speech",
    "transcribed_text",
    "asr_transcript",
    "normalized_text",
    "utterance_text",
    "raw_text",
]
SPANS = [
    ("start", "end"), ("start_time", "end_time"), ("begin", "end"), ("onset", "offset"),
    ("tc_in", "tc_out"), ("t0", "t1"), ("from", "to"), ("xmin", "xmax"), ("segment_start", "segment_end"),
    ("time_start", "time_end"), ("StartTime", "StopTime"), ("von_sek", "bis_sek"),
    ("In_Point", "Out_Point"), ("desde", "hasta"), ("Begin Time - ss.msec", "End Time - ss.msec"),
]  # fmt: skip
SPEAKERS = [
    "speaker",
    "speaker_id",
    "speaker_name",
    "spk",
    "participant",
    "name",
    "role",
    "character",
    "who",
    "talker",
    "interlocuteur",
    "agent_name",
]
FILES = [
    "file",
    "path",
    "audio",
    "filename",
    "audio_path",
    "audio_file",
    "file_name",
    "wav",
    "recording",
    "video",
    "source",
    "session",
    "file_id",
]
LANGUAGES = {
    "de": ("Text", "Sprecher", "Beginn", "Ende", "Datei"),
    "fr": ("texte", "locuteur", "début", "fin", "fichier"),
    "es": ("texto", "hablante", "inicio", "fin", "archivo"),
    "ru": ("текст", "спикер", "начало", "конец", "файл"),
    "zh": ("文本", "说话人", "开始时间", "结束时间", "文件"),
    "nl": ("tekst", "spreker", "begin", "einde", "bestand"),
    "ja": ("発言", "話者", "開始", "終了", "ファイル"),
    "sv": ("text", "talare", "start", "slut", "fil"),
}
STYLES: dict[str, Callable[[str], str]] = {
    "snake": str,
    "title": lambda name: name.replace("_", " ").title(),
    "upper": str.upper,
    "dash": lambda name: name.replace("_", "-"),
    "camel": lambda name: name[:1] + name.title().replace("_", "")[1:],
}
AXES: dict[str, list[str]] = {
    "separator": [";", "\t", "|", "jsonl", "markdown"],
    "encoding": ["utf-8-sig", "utf-16"],
    "line ends": ["\r\n"],
    "head": ["none", "comments", "units", "index"],
    "style": [*STYLES],
    "language": [*LANGUAGES],
    "text": TEXTS,
    "span": [start for start, _ in SPANS],
    "speaker": SPEAKERS,
    "file": FILES,
    "time": [
        "ms",
        "length",
        "start",
        "arrow",
        "clock",
        "comma",
        "unit",
        "minutes",
        "units",
        "none",
    ],
    "files": ["one", "clips", "paths", "folders"],
    "rows": ["empty", "timeless", "header", "totals", "blank", "remark"],
    "quoted": ["comma", "quotes", "lines"],
    "beside": ["score", "translation", "hypothesis", "emotion", "note", "words", "date"],
}
"""What is unusual in a table, and the ways in which it is."""
MARKS: dict[str, Callable[[list[str]], list[str]]] = {
    "comma": lambda words: [words[0] + ",", *words[1:]],
    "quotes": lambda words: [f'"{words[0]}"', *words[1:]],
    "lines": lambda words: [words[0] + "\n" + words[1], *words[2:]],
    "": list,
}
BESIDE = {
    "score": "0.87",
    "translation": "ebyam esolc",
    "hypothesis": "so it was",
    "emotion": "calm",
    "note": "",
    "words": "4",
    "date": "2021-03-04",
}


class Turn(NamedTuple):
    """What a row of a table says."""

    recording: str
    start: float
    end: float
    speaker: str
    text: str


class Shape(dict[str, str]):
    """What is unusual in a table, by axis; empty for what is usual."""

    def __missing__(self, axis: str) -> str:
        return ""


def shape_of(random: Random) -> Shape:
    """Return at most three choices that are not usual."""
    axes = random.sample([*AXES], random.choice([0, 1, 1, 2, 2, 3]))
    return Shape({axis: random.choice(AXES[axis]) for axis in axes})


def turns_of(random: Random, shape: Shape) -> list[Turn]:
    """Return turns of two talks, or of one for each file."""
    names = random.sample(["Ann", "Ben", "Chloe"], 2)
    count, start = random.randint(6, 10), random.choice([0.0, 0.4, 61.5])
    turns: list[Turn] = []
    for number in range(count):
        recording = "talk_a" if shape["files"] == "one" or number < count // 2 else "talk_b"
        if shape["files"] == "clips":
            recording = f"clip_{number:03d}"
        if turns and recording != turns[-1].recording:
            start = 0.25
        words = random.sample(VOCABULARY, random.randint(4, 9))
        text = " ".join(MARKS[shape["quoted"]](words))
        end = round(start + random.uniform(1.2, 5), 2)
        turns.append(Turn(recording, start, end, names[number % 2], text))
        start = round(end + random.choice([0, 0.25, 1.1]), 2)
    return turns


def clock(seconds: float) -> str:
    """Return a time as subtitles have it."""
    whole, rest = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d},{rest:03d}"


def times_of(turn: Turn, kind: str, start: str, end: str) -> dict[str, object]:
    """Return the columns with the times of a turn."""
    first, last = turn.start, turn.end
    return {
        "": {start: first, end: last},
        "ms": {start: round(first * 1000), end: round(last * 1000)},
        "length": {start: first, "duration": round(last - first, 3)},
        "start": {start: first},
        "arrow": {"time": f"{clock(first)} --> {clock(last)}"},
        "clock": {start: clock(first), end: clock(last)},
        "comma": {name: f"{t:.2f}".replace(".", ",") for name, t in ((start, first), (end, last))},
        "unit": {f"{start} (s)": first, f"{end} (s)": last},
        "minutes": {f"{start} (min)": f"{first / 60:.7f}", f"{end} (min)": f"{last / 60:.7f}"},
        "units": {
            f"{name}_{unit}": value
            for name, t in ((start, first), (end, last))
            for unit, value in (("min", int(t // 60)), ("sec", round(t % 60, 2)))
        },
        "none": {},
    }[kind]  # type: ignore[return-value]


def table_of(random: Random, shape: Shape, turns: list[Turn]) -> list[dict[str, object]]:
    """Return the rows of a table."""
    style = STYLES[shape["style"] or "snake"]
    names = LANGUAGES.get(shape["language"])
    text, speaker, start, end, file = names or (
        shape["text"] or "text", shape["speaker"] or "speaker",
        *next((pair for pair in SPANS if pair[0] == shape["span"]), SPANS[0]),
        shape["file"] or "audio_path",
    )  # fmt: skip
    rows = []
    for number, turn in enumerate(turns):
        path = {
            "paths": f"/data/x/{turn.recording}.mp3",
            "folders": f"{turn.recording}/audio.wav",
            "clips": f"clips/{turn.recording}.wav",
        }.get(shape["files"], f"{turn.recording}.wav")
        row: dict[str, object] = {"#": number} if shape["head"] == "index" else {}
        row |= {style(file): path}
        kind = "none" if shape["files"] == "clips" else shape["time"]
        if kind == "units" and " - " in start:
            kind = ""
        times = times_of(turn, kind, start, end)
        if shape["rows"] == "timeless" and number == 2:
            times = dict.fromkeys(times, "")
        row |= {style(name): time for name, time in times.items()}
        row |= {style(speaker): turn.speaker}
        row[style(text)] = "" if shape["rows"] == "empty" and number == 2 else turn.text
        if beside := shape["beside"]:
            row[style(beside)] = BESIDE[beside]
        rows.append(row)
    blank: dict[str, object] = dict.fromkeys(rows[0], "")
    first = next(iter(blank))
    if shape["rows"] == "header":
        rows.insert(3, dict(zip(blank, blank, strict=True)))
    if shape["rows"] in ("totals", "remark", "blank"):
        word = {"totals": "Total", "remark": "# then", "blank": ""}[shape["rows"]]
        rows.insert(3 if shape["rows"] != "totals" else len(rows), blank | {first: word})
    if shape["head"] == "units":
        units = {style(end): "seconds"} if style(end) in blank else {}
        rows.insert(0, blank | units)
    return rows


def written(shape: Shape, rows: list[dict[str, object]]) -> tuple[str, bytes]:
    """Return the name of a file, and the table as the file has it."""
    if shape["separator"] == "jsonl":
        lines = [json.dumps(row, ensure_ascii=False) for row in rows if any(row.values())]
        return "talk.jsonl", "\n".join([*lines, ""]).encode()
    if shape["separator"] == "markdown":
        cells = [[str(cell).replace("\n", "<br>") for cell in row.values()] for row in rows]
        cells = [[f"**{name}**" for name in rows[0]], ["---"] * len(rows[0]), *cells]
        return "talk.md", "".join(f"| {' | '.join(row)} |\n" for row in cells).encode()
    out = io.StringIO()
    writer = csv.writer(out, delimiter=shape["separator"] or ",", lineterminator="\n")
    if shape["head"] == "comments":
        out.write("# exported\n# by a program\n")
    if shape["head"] != "none":
        writer.writerow(rows[0])
    writer.writerows([row.values() for row in rows])
    text = out.getvalue().replace("\n", shape["line ends"] or "\n")
    name = "talk.tsv" if shape["separator"] == "\t" else "talk.csv"
    return name, text.encode(shape["encoding"] or "utf-8")


def faults_of(shape: Shape, turns: list[Turn], transcript: formats.Transcript) -> list[str]:
    """Return what was read otherwise than it is."""
    timeless = shape["time"] == "none" or shape["files"] == "clips"
    wanted, found = {}, {}
    for number, turn in enumerate(turns):
        if shape["rows"] == "empty" and number == 2:
            continue
        is_bare = timeless or (shape["rows"] == "timeless" and number == 2)
        start = None if is_bare else turn.start
        end = None if is_bare or shape["time"] == "start" else turn.end
        wanted[" ".join(turn.text.split())] = (turn.speaker, start, end, turn.recording)
    for segment in transcript:
        if segment.words:
            recording = segment.recording.rpartition("/")[2].removesuffix(".wav")
            recording = recording.removesuffix(".mp3")
            if shape["file"] == "recording":  # its cells are the names
                recording = segment.recording.removesuffix("/audio.wav").rpartition("/")[2]
                recording = recording.removesuffix(".wav").removesuffix(".mp3")
            times = [None if t is None else round(t, 2) for t in (segment.start, segment.end)]
            found[" ".join(segment.words)] = (segment.speaker, *times, recording)
    if wanted.keys() != found.keys():
        return ["words"]
    parts = ("speaker", "start", "end", "recording")
    return [
        part
        for place, part in enumerate(parts)
        if any(wanted[text][place] != found[text][place] for text in wanted)
    ]


def verdict_of(seed: int) -> tuple[str, str]:
    """Return whether a random table is read as it is, and what is not."""
    random = Random(seed)
    shape = shape_of(random)
    turns = turns_of(random, shape)
    name, content = written(shape, table_of(random, shape, turns))
    source = io.BytesIO(content)
    source.name = name
    try:
        transcript = formats.read(source)
        faults = faults_of(shape, turns, transcript)
    except formats.FormatError as error:
        return "refused", f"{seed} {dict(shape)}: {error}"
    is_told = any(entry.severity == "warning" for entry in transcript.diagnostics)
    verdict = "right" if not faults else "told" if is_told else "silent"
    return verdict, f"{seed} {dict(shape)}: {faults}"


@pytest.mark.parametrize(
    "seeds", [range(50), pytest.param(range(50, 500), marks=pytest.mark.release)]
)
def test_unusual_tables_are_read_or_told(seeds: range) -> None:
    count = len(seeds)
    verdicts = [verdict_of(seed) for seed in seeds]
    counts = Counter(verdict for verdict, _ in verdicts)
    wrong = [text for verdict, text in verdicts if verdict == "silent"]
    assert len(wrong) <= count / 100, wrong
    others = [text for verdict, text in verdicts if verdict != "right"]
    assert counts["right"] >= 0.95 * count, others


def test_a_table_with_tabs_in_a_text_file_is_read_by_the_names_of_its_columns() -> None:
    rows = [["begin", "end", "lyrics", "n"], ["0:01", "0:03", "so it is", "3"]]
    source = io.BytesIO("".join("\t".join(row) + "\n" for row in rows).encode())
    source.name = "talk.txt"
    (segment,) = formats.read(source)
    assert (segment.words, segment.start, segment.end) == (("so", "it", "is"), 1.0, 3.0)


def test_tables_in_markdown_are_read_by_the_names_of_their_columns() -> None:
    text = (
        "# Talk\n\nof May, with Ann\n\n| # | Who | Start | Text | Note |\n|--|:-:|--|--|--|\n"
        "| 1 | **Ann** | 0:01 | so \\| it is | |\n| 2 | Ben | 0:03 | well,<br>then | x |\n"
    )
    for name in ("talk.md", "talk.txt", ""):
        source = io.BytesIO(text.encode())
        source.name = name
        transcript = formats.read(source)
        assert [(s.speaker, s.start, s.words) for s in transcript] == [
            ("Ann", 1.0, ("so", "|", "it", "is")), ("Ben", 3.0, ("well,", "then")),
        ]  # fmt: skip
        codes = [entry.code for entry in transcript.diagnostics]
        assert "TABLE-TITLE" in codes
        assert ("FORMAT-SUFFIX" in codes) == (name == "talk.txt")


@pytest.mark.parametrize("name", ["talk.csv", "talk.tsv"])
def test_one_line_of_many_words_is_no_table(name: str) -> None:
    words = "so it is, and that was it; well then we went home again " * 4
    for text, is_running in [
        (words, True), (f"{words}\n\n", True), (words.replace(", ", ","), False),
        (words.replace("then", "\tthen"), False), (f"text\n{words}", False),
        (f"text\n{words}\n{words}", False), (words[:60], False),
    ]:  # fmt: skip
        source = io.BytesIO(text.encode())
        source.name = name
        try:
            transcript = formats.read(source)
        except formats.FormatError:
            assert not is_running
            continue
        codes = [entry.code for entry in transcript.diagnostics]
        assert ("FORMAT-SUFFIX" in codes) == is_running
        if is_running:
            assert [segment.words for segment in transcript] == [tuple(words.split())]


@pytest.mark.parametrize("text", [
    "so it is\n\n| Start | Text |\n|---|---|\n| 0:01 | so |\n\nand that was it\n",
    "| Name | Topic |\n|---|---|\n| Ann | the plan |\n",
])  # fmt: skip
def test_tables_among_words_are_no_tables_of_turns(text: str) -> None:
    source = io.BytesIO(text.encode())
    source.name = "talk.md"
    assert formats.detect(source) == "txt"


def test_headers_name_columns_between_bars_and_tabs() -> None:
    for text, name in [
        ("Who|Dialogue|Time|Url\nAnn|so it is|0:01|x\nBen|well then|0:03|y\n", "talk.csv"),
        ("Start\tEnd\tWho\tTranscript\tConfidence\n0:01\t0:03\tAnn\tso it is\t0.9\n"
         "0:03\t0:04\tBen\twell then\t0.8\n", "talk.txt"),
        ("\tTime\tText\n0\t0:01\tso it is\n1\t0:03\twell then\n", "talk.txt"),
    ]:  # fmt: skip
        source = io.BytesIO(text.encode())
        source.name = name
        read = [(s.start, " ".join(s.words)) for s in formats.read(source)]
        assert read == [(1.0, "so it is"), (3.0, "well then")]


def test_numbers_that_return_are_speakers_without_a_header() -> None:
    said = ["so it is then", "well, and so on", "that is how it was", "no, not at all"] * 2
    rows = [
        f'{1.3 * n:.2f},{1.3 * n + 1:.2f},{n % 2 + 1},"{text}"\n' for n, text in enumerate(said)
    ]
    source = io.BytesIO("".join(rows).encode())
    source.name = "talk.csv"
    assert [segment.speaker for segment in formats.read(source)] == ["1", "2"] * 4


def test_times_in_frames_and_units_begin_again_in_each_talk() -> None:
    for header, times in [
        ("call_id,start,end,text", ["00:00:01:05,00:00:02:10", "00:00:03:00,00:00:04:24"]),
        ("call_id,minute,second,text", ["0,1", "0,3"]),
    ]:
        rows = [f"{talk},{time},so it {n} is" for talk in "ab" for n, time in enumerate(times)]
        source = io.BytesIO("\n".join([header, *rows]).encode())
        source.name = "talk.csv"
        assert [segment.recording for segment in formats.read(source)] == ["a", "a", "b", "b"]


def test_titles_of_songs_are_no_speakers() -> None:
    source = io.BytesIO(b"name,lyrics\nRain,so it is\nSnow,and so on we go\n")
    source.name = "songs.csv"
    assert [segment.speaker for segment in formats.read(source)] == [None, None]


SAID = [
    ("Ann", "Well, so it is."),
    ("Ben", "no"),
    ("Ann", "That, as you said, was late."),
    ("Ben", "Yes, and so on."),
] * 2
"""Turns with commas in their texts."""


def read_named(text: str | bytes, name: str = "talk.csv") -> formats.Transcript:
    """A table, read by the name of a file."""
    source = io.BytesIO(text.encode() if isinstance(text, str) else text)
    source.name = name
    return formats.read(source)


@pytest.mark.parametrize("sign", [",", ";", "|", "\t"])
def test_names_that_return_before_a_sign_are_speakers_without_a_header(sign: str) -> None:
    transcript = read_named("".join(f"{name}{sign}{text}\n" for name, text in SAID))
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == SAID


def test_a_header_above_names_that_return_stays_a_header() -> None:
    for names in [("speaker", "text"), ("Who", "Line")]:
        rows = [names, *SAID]
        transcript = read_named("".join(f"{name},{text}\n" for name, text in rows))
        assert [(s.speaker, " ".join(s.words)) for s in transcript] == SAID


@pytest.mark.parametrize("header", ["speaker,text,mood", "mood,text,speaker"])
def test_commas_of_a_text_among_known_values_are_part_of_it(header: str) -> None:
    rows = [
        ",".join({"speaker": name, "text": text, "mood": "calm"}[c] for c in header.split(","))
        for name, text in [("Ann", "so it is"), ("Ben", "and so on"), ("Ann", "well then"), *SAID]
    ]
    transcript = read_named("\n".join([header, *rows]))
    assert [(s.speaker, " ".join(s.words)) for s in transcript][3:] == SAID
    assert "TEXT-JOINED" in {entry.code for entry in transcript.diagnostics}


def test_a_column_of_talks_beside_scores_is_the_text() -> None:
    talk = "USER\nso it is\nASSISTANT\nwell then\nUSER\nno\n"
    rows: list[list[object]] = [["", "Conversation", "Helpful", "Relevance", "Total"],
            *([n, talk, 10, 8.5, 9.25] for n in range(3))]  # fmt: skip
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    transcript = read_named(text.getvalue())
    assert [s.speaker for s in transcript] == ["USER", "ASSISTANT", "USER"] * 3


def test_columns_of_speakers_have_the_text_of_one_of_them_in_each_row() -> None:
    rows = ["Start,End,Ann,Ben"]
    for n, (name, text) in enumerate(SAID):
        cells = [f'"{text} so"' if name == other else "" for other in ("Ann", "Ben")]
        rows.append(f"{n}.5,{n + 1}.0,{','.join(cells)}")
    transcript = read_named("\n".join(rows))
    assert [(s.speaker, s.start, s.end) for s in transcript] == [
        (name, n + 0.5, n + 1.0) for n, (name, _) in enumerate(SAID)
    ]


def test_single_signs_of_kana_among_latin_letters_show_another_encoding() -> None:
    rows = [f"{'ÉCU' if name == 'Ann' else 'LÉON'};{text}\n" for name, text in SAID]
    transcript = read_named("".join(rows).encode("cp1252"))
    assert {s.speaker for s in transcript} == {"ÉCU", "LÉON"}


ENCODED = {
    "cp932": ("話者,発言", "田中", "これはきのうの話です。よろしくお願いします"),
    "euc_jp": ("話者,発言", "田中", "これはきのうの話です。よろしくお願いします"),
    "gb18030": ("说话人,内容", "张三", "这是我们今天要说的事情，大家都在这里。"),
    "big5": ("說話者,內容", "王小明", "這是我們今天要說的事情，大家都在這裡。"),
    "cp949": ("화자,내용", "김철수", "오늘은 정원에 대해 이야기하고 있습니다."),
}
"""A header, a name and a text in the script of each encoding."""


@pytest.mark.parametrize("encoding", ENCODED)
def test_encodings_of_east_asia_are_told_apart_by_frequent_letters(encoding: str) -> None:
    header, name, text = ENCODED[encoding]
    other = name[::-1]
    rows = [header, *(f"{name if n % 2 else other},{text}" for n in range(6))]
    transcript = read_named("\n".join(rows).encode(encoding))
    assert [s.speaker for s in transcript] == [other, name] * 3
    assert " ".join(transcript[0].words) == text


def test_quotation_marks_around_all_texts_are_no_words() -> None:
    rows = [["Sender", "Text"], *([name, f'"{text}"'] for name, text in SAID)]
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    transcript = read_named(text.getvalue())
    assert [" ".join(segment.words) for segment in transcript] == [text for _, text in SAID]
    assert "TAG" in {entry.code for entry in transcript.diagnostics}


def test_times_of_clips_in_their_source_are_those_of_the_source() -> None:
    rows = ["clip_id,source_id,path,start_sec,end_sec,duration_sec,asr_text"]
    for source in ("en_01", "en_02"):
        rows += [
            f'{source}_{n},{source},clips/{source}_{n}.wav,{2 * n}.5,{2 * n + 1}.75,1.25,"{text}"'
            for n, (_, text) in enumerate(SAID)
        ]
    transcript = read_named("\n".join(rows))
    assert [s.recording for s in transcript] == ["en_01"] * len(SAID) + ["en_02"] * len(SAID)
    assert [s.start for s in transcript][:2] == [0.5, 2.5]


def test_an_error_offers_texts_and_no_labels() -> None:
    rows = ["char,eng,thai"] + [f"Sara Lee,so it is {n},{n} na na" for n in range(9)]
    with pytest.raises(formats.FormatError, match='"eng" and "thai"'):
        read_named("\n".join(rows))


def test_numbers_of_lines_before_long_texts_are_no_seconds() -> None:
    rows = [f"{7 * n + 3}\t{'so it was then ' * (20 if n % 4 else 5)}\n" for n in range(20)]
    for name in ("talk.tsv", "talk.txt"):
        assert {segment.start for segment in read_named("".join(rows), name)} == {None}

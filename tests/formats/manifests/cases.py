"""Manifests and tables for the contract suite."""

import csv
import datetime
import io
import json
import re
import zipfile
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from hypothesis import strategies as st

from formats import Segment, Token
from tests.formats.case import MILLISECONDS, ODD_JSON_WORD, ODD_WORD, WORDS, Case, words_together
from tests.formats.nist.cases import alternations

ROWS = (
    '{"id": 7, "audio": {"path": "wav/rec1.wav"}, "text": "hello wörld", "start": 0.5, "end": 2.25, '
    '"age": 30}\n{"id": 8, "text": "", "accent": "none"}\n'
)
WRITTEN_ROWS = (
    '{"recording": "rec1", "id": "7", "start": 0.5, "end": 2.25, "text": "hello wörld", '
    '"age": "30"}\n{"recording": "rec", "id": "8", "text": "", "accent": "none"}\n'
)

SCHEMA = {
    "id": pa.int64(),
    "audio": pa.struct({"path": pa.string(), "bytes": pa.binary()}),
    "text": pa.string(),
    "start": pa.float64(),
    "end": pa.float64(),
    "age": pa.int32(),
    "accent": pa.dictionary(pa.int8(), pa.string()),
}
WORD = pa.struct(
    {
        "word": pa.string(),
        "start": pa.float64(),
        "end": pa.float64(),
        "confidence": pa.float64(),
        "type": pa.string(),
        "display": pa.string(),
        "optional": pa.bool_(),
        "interpolated": pa.bool_(),
    }
)
WRITTEN_SCHEMA = {
    **dict.fromkeys(("recording", "id", "channel", "speaker", "tier"), pa.string()),
    "start": pa.float64(),
    "end": pa.float64(),
    "kind": pa.string(),
    "text": pa.string(),
    "words": pa.list_(WORD),
    "labels": pa.list_(pa.string()),
    "confidence": pa.float64(),
    "nbest": pa.list_(pa.struct({"score": pa.float64(), "words": pa.list_(pa.string())})),
}


def table_of(rows: str) -> Any:
    """A table of Arrow, from lines of JSON: those of others, or those that we write."""
    records = [json.loads(line) for line in rows.split("\n") if line]
    if records and "recording" not in records[0]:
        return pa.Table.from_pylist(records, schema=pa.schema(SCHEMA))
    own = sorted({name for record in records for name in record if name not in WRITTEN_SCHEMA})
    columns = {**WRITTEN_SCHEMA, **dict.fromkeys(own, pa.string())}
    columns["properties"] = pa.map_(pa.string(), pa.string())
    return pa.Table.from_pylist(records, schema=pa.schema(columns, {"time_unit": "s"}))


def parquet(rows: str) -> bytes:
    """The bytes of a Parquet file; a short one of others has a row group for each row."""
    made, table = io.BytesIO(), table_of(rows)
    size = 1 if "audio" in table.column_names and len(table) < 100 else None
    pyarrow.parquet.write_table(table, made, row_group_size=size)
    return made.getvalue()


def arrow(rows: str) -> bytes:
    """The bytes of a stream of Arrow, as data sets of Hugging Face are; those we write are files."""
    made, table = io.BytesIO(), table_of(rows)
    new = pa.ipc.new_stream if "audio" in table.column_names else pa.ipc.new_file
    with new(made, table.schema) as writer:
        for batch in table.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]:
            writer.write_batch(batch)
    return made.getvalue()


def workbook(rows: str) -> bytes:
    """The bytes of a workbook whose sheet has the rows of a CSV text; the clock is not in them."""
    import openpyxl  # takes as long as a hundred tests

    book, made, written = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    book.properties.created = datetime.datetime(2026, 1, 1)
    for row in csv.reader(io.StringIO(rows)):
        book.active.append(row)
    book.save(written)
    with zipfile.ZipFile(written) as parts, zipfile.ZipFile(made, "w") as archive:
        for name in parts.namelist():
            # saving a workbook notes the time in its properties
            part = re.sub(rb"<dcterms:modified.*?</dcterms:modified>", b"", parts.read(name))
            archive.writestr(zipfile.ZipInfo(name), part, zipfile.ZIP_DEFLATED)
    return made.getvalue()


NLP_HEAD = "token|speaker|ts|endTs|punctuation|case|tags|wer_tags\n"


def nlp_segments() -> st.SearchStrategy[list[Segment]]:
    def shown(text: str, start: int, length: int, timed: bool, mark: str) -> Token:
        end = start + length if timed else None
        return Token(text, start if timed else None, end, display=text + mark if mark else None)

    word = WORDS.filter(lambda text: "|" not in text)
    one = st.builds(
        shown, word, MILLISECONDS, MILLISECONDS, st.booleans(), st.sampled_from(["", ",", "?"])
    )
    lists = st.lists(st.lists(one, min_size=1, max_size=4), max_size=4)
    return lists.map(
        lambda all_: [
            Segment.from_items("rec", tokens, speaker="ab"[number % 2])
            for number, tokens in enumerate(all_)
        ]
    )


CASES = [
    *(
        Case(
            name, ROWS, [("hello", "wörld"), ()], pack=pack, odd_word=ODD_JSON_WORD,
            odd_word_read=ODD_WORD, rewritten=WRITTEN_ROWS,
            line=lambda n: f'{{"id": {n}, "text": "hello {n}", "start": {n}.5, "end": {n}.75}}\n',
        )
        for name, pack in (("parquet", parquet), ("arrow", arrow))
    ),
    Case(
        "xlsx", "id,recording,text,start,end,age\n7,rec1,hello wörld,0.5,2.25,30\n8,rec1,,2.25,3,none\n",
        [("hello", "wörld"), ()], pack=workbook,
        odd_word=ODD_WORD.replace("\x1c", ""), odd_word_read=ODD_WORD.replace("\x1c", ""),
        before="id,text,start\n", line=lambda n: f"{n},hello {n},{n}.5\n",
    ),
    Case(
        "nlp",
        f"{NLP_HEAD}hello|1|0.5000|0.7500||LC|[]|[]\nwörld|1|0.7500|1.0500|.|LC|[]|[]\n"
        "good|2||||LC|[]|[]\n",
        [("hello", "wörld"), ("good",)], lost=("segment boundaries",),
        lost_always=("segment boundaries",), empty=NLP_HEAD, before=NLP_HEAD, line=lambda n: f"hello|{n % 2}|{n}.0000|{n}.5000||LC|[]|[]\n",
        utterance=lambda n: words_together(n, lambda i: f"hello|{n % 2}|{i}.0000|{i}.5000||LC|[]|[]\n", ""),
        objects_kept=60_000,
    ),
    Case(
        "seglst",
        '[{"session_id": "rec1", "speaker": "anne", "start_time": 0.5, "end_time": 2.25, '
        '"words": "hello wörld"},\n {"session_id": "rec1", "speaker": "bob", "channel": "2", "start_time": 2.25, '
        '"end_time": 3.9, "words": ""}]\n',
        [("hello", "wörld"), ()],
        empty="[]\n", odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: f'{{"session_id": "rec1", "words": "hello number {n}"}},\n',
        before="[", after="{}]".replace("{}", '{"session_id": "r", "words": ""}'),
        segments=100_001, write_options={"extra": True},
    ),
    Case(
        "lhotse",
        '{"id": "rec1-1", "recording_id": "rec1", "start": 0.5, "duration": 1.75, "channel": 0, '
        '"text": "hello wörld", "speaker": "anne", "language": "en", "alignment": {"word": '
        '[["hello", 0.5, 0.25, 0.98], ["wörld", 0.75, 0.3, 0.87]]}}\n'
        '{"id": "rec1-2", "recording_id": "rec1", "start": 3.0, "duration": 1.0, "text": "", '
        '"custom": {"dialect": "none"}}\n',
        [("hello", "wörld"), ()],
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: f'{{"id": "{n}", "recording_id": "r", "start": {n}.5, "duration": 1, '
        f'"text": "hello number {n}"}}\n',
    ),
    Case(
        "nemo",
        '{"audio_filepath": "rec1", "offset": 0.5, "duration": 1.75, "text": "hello wörld", '
        '"speaker": "anne", "lang": "en"}\n'
        '{"audio_filepath": "rec2", "duration": null, "text": ""}\n',
        [("hello", "wörld"), ()],
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: f'{{"audio_filepath": "wav/rec{n}.wav", "duration": 1.5, "text": "hi"}}\n',
    ),
    Case(
        "commonvoice",
        "client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tlocale\tsegment\n"
        'spk1\tclip1.mp3\tThey "said hello wörld\t2\t0\t\t\t\ten\t\n'
        "\tclip2.mp3\t\t0\t1\ttwenties\t\t\ten\t\n",
        [("They", '"said', "hello", "wörld"), ()],
        rewritten="client_id\tpath\tsentence_id\tsentence\tsentence_domain\tup_votes\tdown_votes\t"
        "age\tgender\taccents\tvariant\tlocale\tsegment\n"
        'spk1\tclip1\t\tThey "said hello wörld\t\t2\t0\t\t\t\t\ten\t\n'
        "\tclip2\t\t\t\t0\t1\ttwenties\t\t\t\ten\t\n",
        lost=("recordings",), lost_always=("recordings",),
        empty="client_id\tpath\tsentence_id\tsentence\tsentence_domain\tup_votes\tdown_votes\t"
        "age\tgender\taccents\tvariant\tlocale\tsegment\n",
        line=lambda n: f"c{n % 9}\tclip{n}.mp3\thello number {n}\n",
        before="client_id\tpath\tsentence\n",
    ),
    Case(
        "jsonl",
        '{"recording": "rec1", "id": "rec1-1", "speaker": "anne", "start": 0.5, "end": 2.25, '
        '"text": "hello wörld", "words": [{"word": "hello", "start": 0.5, "end": 0.75, '
        '"confidence": 0.98}, {"word": "wörld", "display": "Wörld!", "optional": true}], '
        '"labels": ["F"], "properties": {"language": "en"}}\n'
        '{"recording": "rec1", "kind": "ignored", "text": ""}\n'
        '{"recording": "rec1", "text": "um", "words": [{"alternation": [[{"word": "um"}], []]}], '
        '"nbest": [{"score": 0.5, "words": ["a", "b"]}, {"words": []}]}\n',
        [("hello", "wörld"), (), ()],
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: f'{{"recording": "rec{n % 9}", "start": {n}.25, "text": "hello {n}"}}\n',
        objects_kept=1000,
    ),
    Case(
        "csv",
        "id,recording,channel,speaker,start,end,text\nrec1-1,rec1,1,anne,0.500,2.250,hello wörld\n"
        'rec1-2,rec1,,"b,o""b",,,\n',
        [("hello", "wörld"), ()],
        suffix=".csv", empty="id,recording,channel,speaker,start,end,text\n",
        line=lambda n: f"{n},rec1,{n}.25,hello number {n}\n", before="id,recording,start,text\n",
        objects_kept=1000,
    ),
    Case(
        "tsv",
        "id\trecording\tchannel\tspeaker\tstart\tend\ttext\n"
        "rec1-1\trec1\t1\tanne\t0.500\t2.250\thello wörld\nrec1-2\trec1\t\t\t\t\t\n",
        [("hello", "wörld"), ()],
        suffix=".tsv", empty="id\trecording\tchannel\tspeaker\tstart\tend\ttext\n",
        before="id\trecording\tstart\ttext\n", line=lambda n: f"{n}\trec1\t{n}.25\thello number {n}\n",
        objects_kept=2000,
    ),
]  # fmt: skip

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\n\0/\\"), min_size=1, max_size=6
).filter(lambda name: not name.lower().endswith((".wav", ".raw")))
TABLE_NAMES = NAMES.filter(lambda name: "\t" not in name)
NO_BLANKS = st.lists(WORDS, max_size=4).map(tuple)
TEXTS = st.dictionaries(NAMES.map(lambda n: f"x{n}"), NAMES, max_size=2)


@st.composite
def spans(draw: st.DrawFn) -> tuple[int, int]:
    start, length = draw(MILLISECONDS), draw(MILLISECONDS)
    return start, start + length


@st.composite
def timed_tokens(draw: st.DrawFn) -> list[Token]:
    sure = st.none() | st.floats(0, 1)
    return [
        Token(text, start, end, draw(sure))
        for text in draw(st.lists(WORDS, max_size=4))
        for start, end in [draw(spans())]
    ]


@st.composite
def seglst_segments(draw: st.DrawFn) -> list[Segment]:
    segments = []
    for words in draw(st.lists(NO_BLANKS, max_size=4)):
        start, end = draw(spans())
        segments.append(
            Segment(
                draw(NAMES), words, channel=draw(st.none() | NAMES),
                speaker=draw(st.none() | NAMES), start_ns=start, end_ns=end,
                confidence=draw(st.none() | st.floats(0, 1)),
                properties=tuple(sorted(draw(TEXTS).items())),
            )
        )  # fmt: skip
    return sorted(segments, key=lambda s: (s.recording, s.start_ns or 0))


@st.composite
def lhotse_segments(draw: st.DrawFn) -> list[Segment]:
    segments = []
    for number, tokens in enumerate(draw(st.lists(timed_tokens(), max_size=4))):
        start, end = draw(spans())
        segments.append(
            Segment.from_items(
                draw(NAMES), tokens, utterance=f"u{number}", speaker=draw(st.none() | NAMES),
                channel=draw(st.none() | st.integers(0, 9).map(str)), start_ns=start, end_ns=end,
                properties=tuple(sorted(draw(TEXTS).items())),
            )
        )  # fmt: skip
    return segments


@st.composite
def nemo_segments(draw: st.DrawFn) -> list[Segment]:
    segments = []
    for words in draw(st.lists(NO_BLANKS, max_size=4)):
        start, end = draw(st.just((None, None)) | spans())
        segments.append(
            Segment(
                draw(NAMES), words, utterance=draw(st.none() | NAMES),
                speaker=draw(st.none() | NAMES), start_ns=start, end_ns=end,
                properties=tuple(sorted(draw(TEXTS).items())),
            )
        )  # fmt: skip
    return segments


@st.composite
def commonvoice_segments(draw: st.DrawFn) -> list[Segment]:
    properties = st.dictionaries(st.sampled_from(["age", "locale", "up_votes"]), TABLE_NAMES)
    segments = []
    for number, words in enumerate(draw(st.lists(NO_BLANKS, max_size=4))):
        segments.append(
            Segment(
                f"clip{number}", words, utterance=f"clip{number}",
                speaker=draw(st.none() | TABLE_NAMES),
                properties=tuple(sorted(draw(properties).items())),
            )
        )  # fmt: skip
    return segments


@st.composite
def jsonl_segments(draw: st.DrawFn, has_choices: bool = True) -> list[Segment]:
    odd = st.text(st.characters(codec="utf-8"), min_size=1, max_size=4)
    alone = st.tuples(st.none() | MILLISECONDS, st.none())
    times = spans() | alone | alone.map(lambda pair: pair[::-1])
    tokens = st.builds(
        lambda text, span, *rest: Token(text, *span, *rest), odd, times,
        st.none() | st.floats(-9, 9), st.none() | odd, st.booleans(), st.none() | odd,
        st.booleans(),
    )  # fmt: skip
    segments = []
    each = alternations(tokens, nested=True) if has_choices else tokens
    for items in draw(st.lists(st.lists(each, max_size=4))):
        utterance = draw(st.none() | odd)
        # Timed words without segment or id would be grouped into segments.
        start, end = draw(spans() if utterance is None else st.just((None, None)) | spans())
        segments.append(
            Segment.from_items(
                draw(odd), items, channel=draw(st.none() | odd), utterance=utterance,
                speaker=draw(st.none() | odd), start_ns=start, end_ns=end,
                labels=tuple(draw(st.lists(odd, max_size=2))), tier=draw(st.none() | odd),
                confidence=draw(st.none() | st.floats(-9, 9)),
                properties=tuple(sorted(draw(TEXTS).items())),
                kind=draw(st.sampled_from(["segment", "ignored", "gap", "event", "query"])),
                nbest=tuple(draw(st.lists(st.tuples(st.none() | st.floats(0, 1), NO_BLANKS)))),
            )
        )  # fmt: skip
    return segments


@st.composite
def table_segments(draw: st.DrawFn) -> list[Segment]:
    segments = []
    for words in draw(st.lists(NO_BLANKS, max_size=4)):
        start, end = draw(st.just((None, None)) | spans())
        segments.append(
            Segment(
                draw(NAMES), words, utterance=draw(st.none() | NAMES),
                channel=draw(st.none() | NAMES), speaker=draw(st.none() | NAMES),
                start_ns=start, end_ns=end,
            )
        )  # fmt: skip
    return segments


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "nlp": nlp_segments(),
    "seglst": seglst_segments(),
    "lhotse": lhotse_segments(),
    "nemo": nemo_segments(),
    "commonvoice": commonvoice_segments(),
    "jsonl": jsonl_segments(),
    "parquet": jsonl_segments(has_choices=False),
    "arrow": jsonl_segments(has_choices=False),
    "csv": table_segments(),
    "tsv": table_segments(),
}

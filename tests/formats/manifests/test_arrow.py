"""Tables of Parquet and Arrow: what rows say, folders of files, damage."""

import contextlib
import datetime
import errno
import gzip
import io
import json
import os
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import formats
from formats import FormatError, Segment, Token, Transcript
from formats.cli import main
from formats.detection.spec import DerivedSegments
from formats.io.errors import UnwritableFileError
from formats.manifests.messages import NEAR_COLUMN, NO_TEXT
from formats.schema.errors import SyntaxFormatError
from formats.schema.refusals import LossError
from formats.tables import arrow_writer
from formats.tables.arrow import ROWS, ArrowFile
from formats.tables.messages import TABLE_COLUMNS, TABLE_NULL
from tests.each_case import each_case
from tests.formats.checks import message_text

TEXTS = {"id": ["u1", "u2"], "text": ["a b", "c"]}


def write_parquet(path: Path, columns: Any, **options: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(
        columns if isinstance(columns, pa.Table) else pa.table(columns), path, **options
    )
    return str(path)


def write_arrow(path: Path, columns: Any, *, stream: bool = True, rows: int = 100) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(path, table.schema) as writer:
        writer.write_table(table, rows)
    return str(path)


def words_of(target: Any, **options: Any) -> list[str]:
    return [" ".join(segment.words) for segment in formats.read(target, **options)]


def refusal(target: Any, **options: Any) -> str:
    with pytest.raises(FormatError) as caught:
        formats.read(target, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


RICH = pa.table(
    {
        "id": [1, 2, 3],
        "audio": [{"bytes": b"RIFF", "path": "wav/r1.wav"}, None, {"bytes": b"", "path": None}],
        "sentence": pa.array(["a b", "", "c\nd"], pa.large_string()),
        "pred_text": pa.array(["a", None, "c"], pa.string_view()),
        "speaker": pa.array(["anne", "bob", None]).dictionary_encode(),
        "begin": pa.array([Decimal("0.50"), None, Decimal("2.25")]),
        "duration": pa.array([1.5, None, 1e-9]),
        "day": [datetime.date(2026, 1, 2)] * 3,
        "tags": [["x", "y"], [], None],
        "days": [[datetime.date(2026, 1, 2)], [], None],
        "prices": [[Decimal("1.50")], [], None],
        "sure": [True, False, None],
        "sound": [b"1", b"2", b"3"],
        "scores": pa.array([[("a", 1)], [], None], pa.map_(pa.string(), pa.int8())),
    }
)  # fmt: skip


@pytest.mark.parametrize("kind", ["parquet", "stream", "file"])
def test_what_columns_say(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{'parquet' if kind == 'parquet' else 'arrow'}"
    if kind == "parquet":
        write_parquet(path, RICH, row_group_size=2)
    else:
        write_arrow(path, RICH, stream=kind == "stream", rows=2)
    read = formats.read(path)
    first, second, third = read
    assert (first.recording, first.utterance, first.speaker) == ("r1", "1", "anne")
    assert (first.start_ns, first.end_ns) == (500_000_000, 2_000_000_000)
    assert (third.start_ns, third.end_ns) == (2_250_000_000, 2_250_000_001)
    assert [one.words for one in read] == [("a", "b"), (), ("c", "d")]
    assert [one.recording for one in (second, third)] == ["t", "t"]
    assert (first.get("day"), first.get("scores")) == ("2026-01-02", '{"a": 1}')
    assert (first.get("tags"), first.get("sure")) == ('["x", "y"]', "true")
    assert (first.get("days"), first.get("prices")) == ('["2026-01-02"]', "[1.5]")
    assert [one.line for one in read] == [1, 2, 3]
    unread = message_text(TABLE_COLUMNS, names=["audio.bytes", "sound"])
    assert [one.message for one in read.diagnostics if one.code != "TEXTS-LEFT"] == [unread]
    predicted = formats.read(path, field="pred_text")
    assert [one.words for one in predicted] == [("a",), ("c",)]
    [warned] = [one for one in predicted.diagnostics if one.severity == "warning"]
    assert warned.message == message_text(TABLE_NULL, rows=1)
    with pytest.raises(FormatError, match="TABLE-NULL"):
        formats.read(path, field="pred_text", tolerance="strict")


SECOND = datetime.timedelta(seconds=1)


@each_case("unit", ["s", "ms", "us", "ns"])
@each_case("time_unit", ["s", "ms"])
def test_durations_have_their_own_unit(tmp_path: Path, unit: str, time_unit: str) -> None:
    kind = pa.duration(unit)
    columns = {
        **TEXTS,
        "start": pa.array([SECOND, None], kind),
        "duration": pa.array([2 * SECOND, None], kind),
        "pause": pa.array([-SECOND, None], kind),
    }
    encoded = {**columns, "start": columns["start"].dictionary_encode()}
    for path in (
        write_parquet(tmp_path / "t.parquet", columns),
        write_arrow(tmp_path / "t.arrow", encoded),
    ):
        first, second = formats.read(path, time_unit=time_unit)
        assert (first.start_ns, first.end_ns, second.start_ns) == (10**9, 3 * 10**9, None)
        assert first.get("pause") == ("-1000" if time_unit == "ms" else "-1")
    if unit == "s":
        huge = {**columns, "start": pa.array([1, 1 << 62], kind), "duration": pa.nulls(2, kind)}
        assert ":2: expected values" in refusal(write_parquet(tmp_path / "h.parquet", huge))


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_written_times_are_seconds_whatever_the_pace(tmp_path: Path, kind: str) -> None:
    words, times = ("so", "it", "was", "then"), range(0, 8000, 2000)
    slow = [Segment("talk", words, start_ns=at * 10**9, end_ns=(at + 1500) * 10**9) for at in times]
    path = tmp_path / f"talk.{kind}"
    formats.write(Transcript(slow), path, kind)
    assert formats.read(path).segments == tuple(slow)
    # without the metadata the pace of speech decides
    columns = {
        "text": [" ".join(words)] * len(times),
        "start": list(map(float, times)),
        "end": [at + 1500.0 for at in times],
    }
    assert formats.read(write_parquet(tmp_path / "own.parquet", columns))[0].end_ns == 1500 * 10**6


@each_case("kind", [pa.timestamp("ms"), pa.time32("s"), pa.time64("us"), pa.date32(), pa.date64()])
def test_dates_and_times_of_the_day_are_no_times(tmp_path: Path, kind: Any) -> None:
    values = pa.array([1, 2], pa.int32()).cast(pa.int64() if kind.bit_width == 64 else pa.int32())
    for column in (values.cast(kind), values.cast(kind).dictionary_encode()):
        path = write_arrow(tmp_path / "t.arrow", {**TEXTS, "start": column})
        assert refusal(path).startswith(
            f'{path}: expected numbers or durations in the column "start", found '
        )


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_bytes_as_names_and_times_are_texts(tmp_path: Path, kind: Any) -> None:
    columns = {
        **TEXTS,
        "id": pa.array([b"u1", b"u2"], kind),
        "speaker": pa.array(["Zoë".encode(), None], kind),
        "start": pa.array([b"0.5", None], kind),
        "recording": pa.array([b"r", b"r"], kind),
        "audio": pa.array([b"RIFF", b"\xff"], kind),
    }
    path = write_arrow(tmp_path / "t.arrow", columns)
    read = formats.read(path)
    first, second = read
    assert (first.utterance, first.speaker, first.start_ns) == ("u1", "Zoë", 500_000_000)
    assert (first.recording, second.utterance, second.speaker) == ("r", "u2", None)
    assert read.diagnostics[-1].message == message_text(TABLE_COLUMNS, names=["audio"])
    columns["speaker"] = pa.array([b"a", b"\xff"], kind)
    assert ":2: expected texts in UTF-8" in refusal(write_arrow(tmp_path / "o.arrow", columns))


def test_streams_pipes_and_compressed_files(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "t.parquet", TEXTS)
    data = Path(path).read_bytes()
    (tmp_path / "packed.parquet.gz").write_bytes(gzip.compress(data))
    assert words_of(tmp_path / "packed.parquet.gz") == ["a b", "c"]
    assert words_of(io.BytesIO(data)) == ["a b", "c"]
    (tmp_path / "unnamed").write_bytes(data)
    assert formats.detect(tmp_path / "unnamed") == "parquet"
    arrow = write_arrow(tmp_path / "other", TEXTS)
    assert (formats.detect(arrow), words_of(arrow)) == ("arrow", ["a b", "c"])
    assert "larger than 100 bytes" in refusal(path, max_bytes=100)


def test_folders_and_patterns(tmp_path: Path) -> None:
    for number in (2, 1):
        columns = {"text": [f"part {number}"], "id": [f"u{number}"]}
        write_parquet(tmp_path / "data" / f"part-{number}.parquet", columns)
    (tmp_path / "data" / "_SUCCESS").write_bytes(b"")
    wanted = ["part 1", "part 2"]
    for named in (tmp_path, tmp_path / "data", f"{tmp_path}/data/*.parquet"):
        assert words_of(named) == wanted
    second = formats.read(tmp_path)[1]
    assert getattr(second.line, "path", None) == f"{tmp_path}/data/part-2.parquet"
    assert second.recording == tmp_path.name
    write_parquet(tmp_path / "data" / "part-2.parquet", {"text": [1]})
    assert refusal(tmp_path) == (
        f'{tmp_path}/data/part-2.parquet: expected texts in the column "text", found int64'
    )
    assert refusal(f"{tmp_path}/none/*.parquet").endswith("files of transcripts, found none")
    (tmp_path / "empty").mkdir()
    assert refusal(tmp_path / "empty").endswith("files of transcripts, found none")


def test_tables_in_folders_below_are_not_passed_over(tmp_path: Path) -> None:
    for place in ("a", "x/b", "x/c", "x/y/d"):
        write_parquet(tmp_path / f"{place}.parquet", {"text": [place], "id": [place]})
    assert words_of(f"{tmp_path}/**/*.parquet") == ["a", "x/b", "x/c", "x/y/d"]
    assert words_of(f"{tmp_path}/*/*.parquet") == ["x/b", "x/c"]
    assert refusal(tmp_path) == (
        f"{tmp_path}: expected tables in one folder (or a pattern: …/**/*.parquet), "
        'found "x/b.parquet" besides'
    )
    (tmp_path / "x" / "y" / "d.parquet").unlink()
    assert words_of(tmp_path / "x") == ["x/b", "x/c"]


def test_data_sets_of_hugging_face(tmp_path: Path) -> None:
    names = [f"data-{number:05d}-of-00002.arrow" for number in range(2)]
    for number, name in enumerate(names):
        write_arrow(tmp_path / "test" / name, {"text": [f"part {number}"]})
    state: dict[str, Any] = {"_data_files": [{"filename": name} for name in names]}
    (tmp_path / "test" / "dataset_info.json").write_text("{}")
    told = tmp_path / "test" / "state.json"
    told.write_text(json.dumps(state))
    assert words_of(tmp_path / "test") == ["part 0", "part 1"]
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["test"]}')
    assert words_of(tmp_path) == ["part 0", "part 1"]
    (tmp_path / "train").mkdir()
    assert refusal(tmp_path) == (
        f'{tmp_path}: expected the files of one split, such as "{tmp_path}/test", found test, train'
    )
    for odd in ("{", "[]", '{"_data_files": []}', '{"_data_files": [{"filename": "../x"}]}'):
        told.write_text(odd)
        assert (
            refusal(tmp_path / "test")
            == f"{told}: expected names of data files, found something else"
        )
    told.write_text(json.dumps({**state, "_indices_data_files": ["i.arrow"]}))
    assert "rows picked by other files" in refusal(tmp_path / "test")
    told.write_text(json.dumps(state))
    os.unlink(tmp_path / "test" / names[1])
    assert "no such file" in refusal(tmp_path / "test")
    told.unlink()  # as data sets are kept before they are saved
    assert "expected 2 files" in refusal(tmp_path / "test")
    write_arrow(tmp_path / "test" / names[1], {"text": ["part 1"]})
    write_arrow(tmp_path / "test" / "cache-1.arrow", {"text": ["no part"]})
    assert words_of(tmp_path / "test") == ["part 0", "part 1"]


def test_files_of_several_splits_are_no_table(tmp_path: Path) -> None:
    for split in ("train", "test"):
        write_parquet(tmp_path / "data" / f"{split}-00000-of-00001.parquet", TEXTS)
    expected = 'the files of one split, such as "test-00000-of-00001.parquet", found test, train'
    assert refusal(tmp_path) == f"{tmp_path}: expected {expected}"
    assert words_of(f"{tmp_path}/data/test-*.parquet") == ["a b", "c"]


def bytes_as_texts(values: Sequence[bytes | None]) -> pa.Array:
    """Texts that need be no UTF-8."""
    return pa.array(values, pa.binary()).view(pa.string())


NO_NAME_OF_TEXT = message_text(
    NO_TEXT,
    names=["text", "sentence", "transcription", "transcript"],
    found=["id", "sentense", "age"],
)


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "t.parquet", {"id": [1], "sentense": ["a"], "age": [3]})
    assert f"{path}: {NO_NAME_OF_TEXT}" == refusal(path)
    names = ["id", "sentense", "age"]
    near = message_text(NEAR_COLUMN, column="sentence", names=names, near=["sentense"])
    assert refusal(path, field="sentence") == f"{path}: {near}"
    assert refusal(path, field="age") == f'{path}: expected texts in the column "age", found int64'
    (tmp_path / "cut.parquet").write_bytes(Path(path).read_bytes()[:-9])
    assert re.search(
        "cut.parquet: expected a Parquet file, found damage", refusal(tmp_path / "cut.parquet")
    )
    (tmp_path / "text.parquet").write_text("hello")
    assert "expected a Parquet file or an Arrow file, found another" in refusal(
        tmp_path / "text.parquet"
    )
    (tmp_path / "old.arrow").write_bytes(b"FEA1....")
    assert "an old Feather file" in refusal(tmp_path / "old.arrow")
    for column in ({"start": [-1.0]}, {"start": [float("nan")]}, {"start": ["soon"]}):
        path = write_parquet(tmp_path / "t.parquet", {"text": ["a"], **column})
        assert re.match(re.escape(path) + r":1: \$\.start: expected ", refusal(path))
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    twice = write_arrow(tmp_path / "twice.arrow", table)
    assert refusal(twice) == f'{twice}: expected a column "text", found 2 of them'


@pytest.mark.parametrize("write", [write_parquet, write_arrow])
def test_texts_that_are_no_utf8(tmp_path: Path, write: Any) -> None:
    path = write(tmp_path / "t", pa.table({"text": bytes_as_texts([b"a", b"b\xff", None, b"c"])}))
    assert re.match(re.escape(path) + ":2: expected texts in UTF-8, found ", refusal(path))
    kept = formats.read(path, tolerance="lenient")
    assert [one.words for one in kept] == [("a",), ("c",)]
    assert [one.severity for one in kept.diagnostics] == ["error", "warning"]


def test_a_row_of_many_words(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "t.parquet", {"text": ["word " * 200_000, "b"]})
    assert [len(one.words) for one in formats.read(path)] == [200_000, 1]


def test_a_table_is_read_batch_by_batch(tmp_path: Path) -> None:
    count = 3 * ROWS + 1
    columns = {"text": ["a b"] * count, "id": list(range(count))}
    for path in (
        write_parquet(tmp_path / "t.parquet", columns, row_group_size=ROWS + 7),
        write_arrow(tmp_path / "t.arrow", columns, rows=count),
    ):
        table = ArrowFile(path, path, Path(path).read_bytes()[:8])
        assert max(map(len, table.batches(["text"]))) <= ROWS
        assert sum(map(len, table.batches(["text"]))) == count
        parts = [table.batches(["id"], group=at) for at in range(table.groups)]
        first = [next(part) for part in parts]  # all of them are being read
        rest = [list(part) for part in parts]
        ids = [one for at, part in zip(first, rest, strict=True) for one in (at, *part)]
        assert [n for batch in ids for n in batch["id"].to_pylist()] == list(range(count))
        assert table.groups == (3 if path.endswith("parquet") else 1)
        last = formats.read(path)[-1]
        assert (last.utterance, last.line) == (str(count - 1), count)


def test_damage_inside_of_columns_is_refused_or_read(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_parquet(path, {"text": ["a b c"] * 200, "id": list(range(200))}, compression="snappy")
    data = path.read_bytes()
    for place in range(4, len(data), 47):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        with contextlib.suppress(FormatError):
            formats.read(path)


def test_the_command(tmp_path: Path) -> None:
    path = write_parquet(
        tmp_path / "t.parquet", {**TEXTS, "start": [0.5, 1.0], "duration": [0.5, 1.0]}
    )
    for name in ("o.jsonl", "o.trn", "o.csv"):
        assert main(["convert", path, str(tmp_path / name)]) == 0
    assert (tmp_path / "o.trn").read_text() == "a b (u1)\nc (u2)\n"
    assert main(["convert", path, str(tmp_path / "o.ctm"), "--interpolate", "uniform"]) == 0
    assert (tmp_path / "o.ctm").read_text().count("\n") == 3
    assert main(["info", path]) == 0
    for name in ("o.parquet", "o.arrow", "o.feather"):
        assert main(["convert", path, str(tmp_path / name)]) == 0
        assert formats.read(tmp_path / name).segments == formats.read(path).segments


def read_by_others(path: Path) -> list[Any]:
    """The rows of a file as libraries that are not pyarrow see them."""
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    if path.suffix == ".parquet":
        rows = duckdb.read_parquet(str(path)).pl()
        assert rows.equals(polars.read_parquet(path).select(rows.columns))
    else:
        rows = polars.read_ipc(path)
    return [list(row.values()) for row in rows.to_dicts()]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_what_is_written_is_a_table_to_others(tmp_path: Path, suffix: str) -> None:
    tokens = [Token("a b", 10**8, 2 * 10**8, 0.5, "lex", True, "A", True), Token("c")]
    segments = [
        Segment.from_items(
            "r", tokens, utterance="u", channel="1", speaker="s", tier="t", labels=("F",),
            start_ns=10**8, end_ns=10**8 + 3, confidence=0.25, nbest=((0.5, ("x",)), (None, ())),
            properties=(("Duration", "9"), ("accent", "de"), ("text", "no"), ("x.y", "")),
        ),
        Segment("r", (), kind="event", start_ns=1),
    ]  # fmt: skip
    path = tmp_path / f"t{suffix}"
    assert formats.write(Transcript(segments), path) == ()
    assert formats.read(path).segments == tuple(segments)
    times = {"start": 0.1, "end": 0.2}
    rest = {"confidence": 0.5, "type": "lex", "display": "A", "optional": True}
    words = [
        {"word": "a b", **times, **rest, "interpolated": True},
        {"word": "c", **dict.fromkeys((*times, *rest, "interpolated"))},
    ]
    nbest = [{"score": 0.5, "words": ["x"]}, {"score": None, "words": []}]
    first, second = read_by_others(path)
    names = ["r", "u", "1", "s", "t"]
    assert first[:-3] == [*names, 0.1, 0.100000003, None, "a b c", words, ["F"], 0.25, nbest]
    assert first[-3:-1] == ["de", ""]
    assert second[:9] == ["r", *[None] * 4, 1e-9, None, "event", ""]
    assert second[9:] == [None] * 7
    table = pyarrow_table(path)
    assert table.column_names[-3:] == ["accent", "x.y", "properties"]
    assert table["properties"].to_pylist() == [[("Duration", "9"), ("text", "no")], None]


def pyarrow_table(path: Path) -> Any:
    return (
        parquet.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()
    )


def test_rows_are_written_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 1000
    monkeypatch.setattr(arrow_writer, "ROWS", most)
    count, taken = 2 * most + 1, []

    def segments() -> Iterator[Segment]:
        for number in range(count):
            if number % most == 1:
                taken.append(len(output.getvalue()))
            late = (("late", "x"),) if number == most else ()
            yield Segment("r", ("a",), properties=(*late, ("own", f"{number}")))

    output = io.BytesIO()
    formats.write(DerivedSegments(Transcript(), segments()), output, "parquet")
    assert taken == sorted({*taken})  # more is there at the second and at the third row group
    file = parquet.ParquetFile(io.BytesIO(output.getvalue()))
    rows = [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)]
    assert rows == [most, most, 1]
    assert file.schema_arrow.names[-2:] == ["own", "properties"]
    again = formats.read(io.BytesIO(output.getvalue()))
    assert [one.get("own") for one in again] == [f"{number}" for number in range(count)]
    assert again[most].properties == (("late", "x"), ("own", f"{most}"))


class Failing(io.BytesIO):
    """Nothing more than a few bytes go in."""

    def write(self, data: Any) -> int:
        if self.tell() > 100:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_what_cannot_be_written_whole_is_not_written(tmp_path: Path, name: str) -> None:
    path, stream = tmp_path / f"t.{name}", io.BytesIO()
    path.write_bytes(b"before")
    for odd in (Segment("r", ("a\ud800",)), Segment("r", ("a",), properties=(("\udfff", "x"),))):
        for target in (path, stream):
            with pytest.raises(LossError, match=r"expected a character of UTF-8, found U\+D"):
                formats.write(Transcript([Segment("r", ("b",)), odd]), target, name)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == [path.name]

    def broken() -> Iterator[Segment]:
        yield from [Segment("r", ("a",))] * (ROWS + 1)
        raise SyntaxFormatError(path="x", expected="words", found="none")

    with pytest.raises(SyntaxFormatError):
        formats.write(DerivedSegments(Transcript(), broken()), stream, name)
    assert stream.getvalue()
    assert refusal(io.BytesIO(stream.getvalue()))
    with pytest.raises(UnwritableFileError, match="cannot be written: no space left"):
        formats.write(Transcript([Segment("r", ("a",))] * 9), Failing(), name)


def test_a_name_twice_in_a_map_is_refused(tmp_path: Path) -> None:
    maps = pa.array([[("a", "b")], [("a", "b"), ("a", "c")]], pa.map_(pa.string(), pa.string()))
    path = write_parquet(tmp_path / "t.parquet", {"text": ["x", "y"], "more": maps})
    assert refusal(path) == f'{path}:2: expected values, found others (a name twice in a map: "a")'

"""`scoring wer --reference-column`: rows of tables, whose numbers are those of the same texts."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import formats
import scoring
from formats.manifests.messages import NEAR_COLUMN, TEXT_COLUMN
from formats.schema.messages import Advice
from scoring.cli.messages import COLUMN
from scoring.cli.scoring import main
from scoring.pages.messages import INSERTED
from tests.each_case import each_case
from tests.programs import apart
from tests.remarks import says
from tests.tables import table_of
from tests.terminal import needs_terminal, on_a_terminal

ROWS: list[dict[str, Any]] = [
    {"id": "u1", "text": "a b c", "pred_text": "a x c", "speaker": "anne", "accent": "de"},
    {"id": "u2", "text": "d e", "pred_text": "d", "speaker": "bob", "accent": None},
    {"id": "u3", "text": "", "pred_text": "y", "speaker": "anne", "accent": "en"},
    {"id": "u4", "text": "Ä f", "pred_text": "ä f g", "speaker": "bob", "accent": "de"},
]


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows)
    if path.suffix == ".arrow":
        with pa.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table)
    else:
        parquet.write_table(table, path, row_group_size=2)
    return str(path)


def run(*arguments: str) -> int:
    return main(["wer", *arguments])


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_the_column_of_the_other_side_is_found_by_its_name(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"table{suffix}"
    rows = [{"id": row["id"], "reference": row["text"], "hyp": row["pred_text"]} for row in ROWS]
    if suffix == ".csv":
        lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n")
    else:
        write(path, rows)
    sides = [("--reference-column", "reference"), ("--hypothesis-column", "hyp")]
    assert run(str(path), *sides[0], *sides[1]) == 0
    wanted = capsys.readouterr().out
    for (option, column), side in zip(sides, ("hypothesis", "reference"), strict=True):
        assert run(str(path), option, column) == 0
        out, err = capsys.readouterr()
        assert out == wanted
        other = next(name for _, name in sides if name != column)
        assert says(err, COLUMN, path=str(path), column=other, side=side)
    # two columns may be the reference
    again = tmp_path / "several.parquet"
    write(again, [{**row, "text": row["reference"]} for row in rows])
    assert run(str(again), *sides[1]) == 2
    assert "--hypothesis-column needs --reference-column" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("columns", [(), ("--reference-column", "text")])
def test_words_inserted_into_an_empty_reference_are_told(
    suffix: str, columns: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty cell of CSV and an empty text of Parquet get the same warning."""
    path = tmp_path / f"t{suffix}"
    texts = [("u1", "a b", "a b"), ("u2", "", "x y"), ("u3", "c", ""), ("u4", "", "")]
    rows = [dict(zip(("utt_id", "text", "pred_text"), row, strict=True)) for row in texts]
    if suffix == ".csv":
        path.write_text("\n".join(map(",".join, [rows[0], *texts])) + "\n")
    else:
        write(path, rows)
    assert run(str(path), *columns) == 0
    err = capsys.readouterr().err
    name = f"{path}:text" if columns else str(path)
    assert says(err, INSERTED, path=name, unit="word", number=1, names=["u2"]), err


def test_reports_are_those_of_the_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "data" / "a.parquet", ROWS[:1])
    write(tmp_path / "data" / "b.parquet", ROWS[1:])
    found = tmp_path / "found.json"
    columns = ("--reference-column", "text", "--hypothesis-column", "pred_text")
    named = [str(tmp_path / "data"), f"{tmp_path}/data/*.parquet"]
    told = []
    for tables in (
        *([one] for one in named),
        [str(p) for p in sorted((tmp_path / "data").iterdir())],
    ):
        assert run(*tables, *columns, "--by", "speaker,accent", "--json", str(found)) == 0
        told.append(json.loads(found.read_text())["systems"][0])
    wanted = scoring.wer(
        {row["id"]: row["text"] for row in ROWS}, {row["id"]: row["pred_text"] for row in ROWS}
    )
    for one in told:
        assert one["counts"] == told[0]["counts"]
        assert one["rates"]["error_rate"] == wanted.corpus_rate
        assert [u["id"] for u in one["utterances"]] == list(wanted.identifiers)
        assert [u["edits"] for u in one["utterances"]] == [
            wanted.alignment(row["id"]).letters for row in ROWS
        ]
        assert [group["group"] for group in one["groups"]] == [
            {"speaker": speaker, "accent": accent}
            for speaker, accent in (("anne", "de"), ("anne", "en"), ("bob", "de"), ("bob", None))
        ]
    capsys.readouterr()
    assert run(named[0], *columns, "--by", "speaker", "-o", "sum", "stdout") == 0
    shown = capsys.readouterr().out
    assert "anne" in shown
    assert "SYSTEM SUMMARY PERCENTAGES by SPEAKER" in shown


def test_several_systems_and_rows_without_a_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**row, "other": "a"} for row in ROWS]
    rows[1]["pred_text"] = None
    path = write(tmp_path / "t.arrow", rows)
    columns = ("--reference-column", "text", "--hypothesis-column", "pred_text")
    found = tmp_path / "found.json"
    for flags in ((), ("--missing", "delete")):
        assert run(path, *columns, *flags, "--json", str(found)) == 0
        [system] = json.loads(found.read_text())["systems"]
        assert (system["account"]["reference_only"]["count"], len(system["utterances"])) == (1, 4)
    capsys.readouterr()
    both = (*columns, "--hypothesis-column", "other", "--json", str(found), "--csv", "-")
    assert run(path, *both, "--missing", "skip", "--ignore-case") == 0
    first, second = json.loads(found.read_text())["systems"]
    assert [u["id"] for u in first["utterances"]] == ["u1", "u3", "u4"]
    assert len(second["utterances"]) == 4
    assert first["counts"] == {
        **first["counts"], "correct": 4, "substitutions": 1, "deletions": 0, "insertions": 2,
    }  # fmt: skip
    assert capsys.readouterr().out.splitlines()[1].startswith(f"{path}:pred_text,u1,anne")


def test_messages_and_reports_name_rows_by_the_column_of_identifiers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**row} for row in ROWS]
    rows[0]["text"] = "?"
    rows[2]["pred_text"] = None
    path, result, page = (tmp_path / name for name in ("t.parquet", "found.json", "page.html"))
    table = write(path, rows), "--reference-column", "text"
    reports = ("--json", str(result), "--html", str(page))
    assert run(*table, *reports, "--normalize", "punctuation") == 0
    printed, messages = (" ".join(text.split()) for text in capsys.readouterr())
    assert " u3 " not in printed, "the warning names it"
    assert "u3 [DELETED]" in messages
    assert " u1 " in messages
    [system] = json.loads(result.read_text())["systems"]
    assert system["account"]["reference_only"] == {"count": 1, "ids": ["u3"]}
    assert run(*table, "--missing", "error") == 2
    assert " u3" in capsys.readouterr().err
    swapped = "--reference-column", "pred_text", "--hypothesis-column", "text"
    assert run(str(path), *swapped) == 2
    assert " u3 " in capsys.readouterr().err
    assert run(str(path), *swapped, "--allow-unmatched") == 0
    assert " u3\n" in capsys.readouterr().out
    assert "000001" not in page.read_text()
    assert "000003" not in page.read_text()


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl"])
def test_columns_of_numbers_are_cut_into_ascending_ranges(tmp_path: Path, name: str) -> None:
    numbers = [25.5, -3, *range(40, 10, -1)]
    rows = [
        {"id": f"u{row}", "text": "a b", "pred_text": "a", "snr": float(number), "room_id": row}
        for row, number in enumerate(numbers)
    ]
    path, result = tmp_path / name, tmp_path / "found.json"
    if name == "t.jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        write(path, rows)

    def groups(*flags: str) -> list[tuple[str, int]]:
        table = str(path), "--reference-column", "text", "--hypothesis-column", "pred_text"
        assert run(*table, "--json", str(result), "--by", *flags) == 0
        [system] = json.loads(result.read_text())["systems"]
        return [(*group["group"].values(), group["utterance_count"]) for group in system["groups"]]

    assert groups("snr") == [("< 18", 8), ("[18, 26)", 9), ("[26, 33)", 7), (">= 33", 8)]
    assert groups("snr", "--bins", "0,20,30") == [
        ("< 0", 1), ("[0, 20)", 9), ("[20, 30)", 11), (">= 30", 11)
    ]  # fmt: skip
    assert len(groups("room_id")) == len(rows)


@each_case(
    ("suffix", "arguments", "column", "near"),
    [
        (".parquet", ["--hypothesis-column", "pred_tex"], "pred_tex", ["pred_text"]),
        (".csv", ["--hypothesis-column", "pred_tex"], "pred_tex", ["pred_text"]),
        (".parquet", ["--hypothesis-column", "txt"], "txt", []),
        (".csv", ["--hypothesis-column", "txt"], "txt", []),
        (".parquet", ["--by", "acent"], "acent", ["accent"]),
    ],
)
def test_a_missing_column_suggests_similar_ones_but_not_the_reference(
    suffix: str,
    arguments: list[str],
    column: str,
    near: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = str(tmp_path / f"t{suffix}")
    if suffix == ".parquet":
        write(Path(path), ROWS)
    else:
        names = list(ROWS[0])
        rows = [",".join(str(row[name] or "") for name in names) for row in ROWS]
        Path(path).write_text("\n".join([",".join(names), *rows, ""]))
    assert run(path, "--reference-column", "text", *arguments) == 2
    problem = capsys.readouterr().err
    if near:
        assert says(problem, NEAR_COLUMN, column=column, near=near)
    else:
        option = Advice("hypothesis_column", "NAME")
        assert says(problem, TEXT_COLUMN._replace(advice=(option,)), column=column)
    if "--hypothesis-column" in arguments:
        # the same without the reference, which its name shows
        assert run(path, *arguments) == 2
        assert capsys.readouterr().err.endswith(problem)


@each_case(
    ("rows", "arguments", "problem"),
    [
        ([{"text": "a", "pred_text": 1}], [], 'texts in the column "pred_text", found int64'),
        ([{"text": "a", "pred_text": "a", "x": [1]}], ["--by", "x"], "texts or numbers, found list<"),
        ([*ROWS, ROWS[0]], [], "t.parquet:5: expected an identifier not used before, found 'u1'"),
        (ROWS, ["--hypothesis-column", "text"], "a column is named twice"),
        (ROWS, ["--encoding", "latin-1"], "--encoding does not apply"),
        (ROWS, ["--meeting", "cp"], apart(meeting="--meeting", table="--reference-column text")),
    ],
)  # fmt: skip
def test_what_cannot_be_scored(
    tmp_path: Path,
    rows: list[dict[str, Any]],
    arguments: list[str],
    problem: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = write(tmp_path / "t.parquet", rows)
    try:
        status = run(path, "--reference-column", "text", *arguments)
    except SystemExit as end:
        status = int(end.code or 0)
    assert status == 2
    told = capsys.readouterr().err.splitlines()
    assert problem in told[0]
    assert len(told) <= 2


def test_a_table_that_formats_has_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its column of identifiers is there, and empty."""
    lines = ("a b", "c"), ("a x", "c")
    rows = (
        {"audio_filepath": f"{at}.wav", "text": left, "pred_text": right, "accent": "de"}
        for at, (left, right) in enumerate(zip(*lines, strict=True))
    )
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = str(tmp_path / "m.parquet")
    formats.write(formats.read(tmp_path / "m.jsonl", "nemo"), path)
    assert run(path, "--reference-column", "text", "--by", "accent") == 0
    assert "%WER 33.33 [ 1 / 3" in capsys.readouterr().out


def test_texts_that_are_no_utf8_and_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = pa.array([b"a", b"b\xff"], pa.binary()).view(pa.string())
    table = pa.table({"text": ["a", "b"], "pred_text": odd})
    first = write(tmp_path / "a.parquet", [{"text": "a", "pred_text": "a"}] * 3)
    path = str(tmp_path / "t.parquet")
    parquet.write_table(table, path)
    assert run(first, path, "--reference-column", "text") == 2
    told = capsys.readouterr().err
    assert f"{path}:2: pred_text: expected UTF-8, found the byte 0xFF at position 2" in told
    other = write(tmp_path / "b.parquet", ROWS)
    assert run(first, other, "--reference-column", "text") == 2
    assert f"{other}: expected a column 'id' in all files or none" in capsys.readouterr().err
    (tmp_path / "c.trn").write_text("a (u-1)\n")
    assert run(str(tmp_path / "c.trn"), "--reference-column", "text") == 2
    assert (
        "expected a table (CSV, TSV, Excel, JSON lines, Parquet or Arrow), found trn"
        in capsys.readouterr().err
    )


@needs_terminal
def test_a_terminal_sees_an_estimate(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", ROWS[:1] * 2)
    parquet.write_table(pa.table({"text": ["a"] * 40_000, "pred_text": ["a"] * 40_000}), path)
    arguments = ["wer", path, "--reference-column", "text"]
    status, shown = on_a_terminal("scoring.cli.scoring", *arguments)
    assert status == 0
    assert " s left" in shown
    assert " rows " in shown


@each_case(("identifiers", "told"), table_of(__file__, "identifiers_of_any_type"))
@each_case("name", ["t.arrow", "t.parquet"])
def test_identifiers_of_any_type(
    tmp_path: Path,
    identifiers: list[object],
    told: list[str] | int,
    name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [{**row, "id": one} for row, one in zip(ROWS, identifiers, strict=True)]
    rows[1]["pred_text"] = None
    path, found = write(tmp_path / name, rows), tmp_path / "found.json"
    given = (path, "--reference-column", "text", "--by", "id", "--missing", "skip")
    status = run(*given, "--json", str(found))
    if isinstance(told, int):
        assert status == 2
        wrong = identifiers[told - 1]
        shown = repr(None if wrong is None else str(wrong))
        problem = f"{name}:{told}: expected an identifier not used before, found {shown}"
        assert problem in capsys.readouterr().err
        return
    assert status == 0
    record = json.loads(found.read_text())["systems"][0]
    assert [one["id"] for one in record["utterances"]] == told
    groups = [None] if identifiers[0] is None else sorted(told)
    assert [one["group"]["id"] for one in record["groups"]] == groups


def test_rows_chosen_of_identifiers_that_arrow_knows_as_a_dictionary(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(ROWS)
    table = table.set_column(0, "id", table["id"].dictionary_encode())
    with pa.ipc.new_stream(tmp_path / "t.arrow", table.schema) as writer:
        writer.write_table(table)
    found = tmp_path / "found.json"
    given = (str(tmp_path / "t.arrow"), "--reference-column", "text", "--json", str(found))
    assert run(*given) == 0
    record = json.loads(found.read_text())["systems"][0]
    assert [one["id"] for one in record["utterances"]] == ["u1", "u2", "u3", "u4"]


def test_an_engine_guesses_the_columns_as_the_ordinary_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.parquet"
    rows = {"id": ["u1", "u2", "u3"], "text": ["a b", "c d", "e"], "pred": ["a b", "c", "e"]}
    parquet.write_table(pa.table(rows), path)
    rates = []
    for words in ([], ["--engine", "local"], ["--engine", "local", "--hypothesis-column", "pred"]):
        assert main(["wer", str(path), *words]) == 0
        rates.append(capsys.readouterr().out.splitlines()[0])
    assert rates == ["%WER 20.00 [ 1 / 5, 0 ins, 1 del, 0 sub ]"] * 3
    parquet.write_table(pa.table({"a": ["a b"], "b": ["a b"]}), path)
    assert main(["wer", str(path), "--engine", "local"]) == 2
    assert "--engine needs --reference-column" in capsys.readouterr().err


def test_a_missing_hypothesis_is_warned_of_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.parquet"
    rows = {"id": ["u1", "u2"], "text": ["a b", "c d"], "pred": ["a b", None]}
    parquet.write_table(pa.table(rows), path)
    for missing in ("delete", "skip"):
        assert main(["wer", str(path), "--missing", missing]) == 0
        output, errors = capsys.readouterr()
        assert [line for line in errors.splitlines() if "warning" in line and "u2" in line] == [
            line for line in errors.splitlines() if "warning" in line
        ]
        assert "u2" not in output
    # a row of the reference without a text is no hypothesis that is missing
    rows = {"id": ["u1", "u2"], "text": ["a b", None], "pred": ["a b", "c"]}
    parquet.write_table(pa.table(rows), path)
    assert main(["wer", str(path), "--allow-unmatched"]) == 0
    assert "[TABLE-NULL]" in capsys.readouterr().err


@each_case("name", ["t.parquet", "t.arrow", "t.csv", "t.jsonl"])
@each_case("identifier", ["u1", None, ""])
def test_a_table_has_one_signature_through_every_door(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, identifier: str | None
) -> None:
    """The sides of a table are in its rows, whether the rows have names or not."""
    rows: list[dict[str, Any]] = [
        {"id": identifier, "text": "a b", "pred_text": "a c"},
        {"id": "u2", "text": "d", "pred_text": "d"},
    ]
    if identifier == "":
        rows = [{"text": row["text"], "pred_text": row["pred_text"]} for row in rows]
    path = tmp_path / name
    if name == "t.csv":
        cells = [list(rows[0]), *([cell or "" for cell in row.values()] for row in rows)]
        path.write_text("".join(",".join(row) + "\n" for row in cells))
    elif name == "t.jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        write(path, rows)
    doors = [[], ["--reference-column", "text"]]
    doors += [["--engine", "local"]] if name in ("t.parquet", "t.arrow") else []
    told = []
    for more in doors:
        assert run(str(path), *more) == 0
        lines = capsys.readouterr().out.splitlines()
        told.append([line for line in lines if line.startswith(("%WER", "signature:"))])
    frame = pa.table({name: [row[name] for row in rows] for name in ("text", "pred_text")})
    signature = scoring.wer(frame, reference="text", hypothesis="pred_text").signature
    kept = [line for line in told[0] if line.startswith("%WER")]
    assert told == [[*kept, f"signature: {signature}"]] * len(doors)


def test_a_row_without_a_reference_is_rejected_by_every_door(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "u1", "text": "a", "pred_text": "a"},
        {"id": "u2", "text": None, "pred_text": "b"},
    ]
    path = write(tmp_path / "t.parquet", rows)
    for more in ([], ["--reference-column", "text"], ["--engine", "local"]):
        assert run(path, *more) == 2
        assert "[MISSING-TEXTS]" in capsys.readouterr().err


def test_the_advice_on_columns_is_the_shortest_that_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, other, hyp = (tmp_path / name for name in ("t.csv", "other.csv", "h.csv"))
    table.write_text("id,foo,bar\nu1,a b,a c\nu2,c d,c d\n")
    other.write_text("id,text\nu1,a b\nu2,c d\n")
    hyp.write_text("id,bar\nu1,a c\nu2,c d\n")
    parquet.write_table(
        pa.table({"foo": ["a b", "c d"], "bar": ["a c", "c d"]}), tmp_path / "p.parquet"
    )
    assert main(["wer", str(tmp_path / "p.parquet")]) == 2
    advice = capsys.readouterr().err
    assert "--reference-column NAME" in advice
    assert "--hypothesis-column NAME" in advice
    columns = ["--reference-column", "foo", "--hypothesis-column", "bar"]
    for path in (table, tmp_path / "p.parquet"):
        assert main(["wer", str(path), *columns]) == 0
        assert "%WER 25.00" in capsys.readouterr().out
    # of two files, the column of one side
    assert main(["wer", str(other), str(hyp)]) == 2
    assert "--hypothesis-option field=bar reads the first" in capsys.readouterr().err
    for words in (["--hypothesis-option", "field=bar"], ["--hypothesis-column", "bar"]):
        assert main(["wer", str(other), str(hyp), *words]) == 0
        assert "%WER 25.00" in capsys.readouterr().out
    assert main(["wer", str(hyp), str(other), "--reference-column", "bar"]) == 0
    assert "%WER 25.00" in capsys.readouterr().out


def test_two_texts_of_a_document_that_is_no_table_are_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = [
        {"start": 0.5, "end": 2.5, "north": "so it is then", "south": "so it was then"},
        {"start": 2.5, "end": 5.0, "north": "we walk along", "south": "we walk along"},
    ]
    path = tmp_path / "both.json"
    path.write_text(json.dumps({"results": turns}), encoding="utf-8")
    columns = ("--reference-column", "north", "--hypothesis-column", "south")
    assert main(["wer", str(path), *columns]) == 0
    assert "%WER 14.29 [ 1 / 7, 0 ins, 0 del, 1 sub ]" in capsys.readouterr().out

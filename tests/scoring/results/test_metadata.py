"""Groups from a file of facts: joined by identifier, numbers cut into ranges."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from formats.schema.errors import FormatError
from scoring.cli.scoring import main
from scoring.model.errors import InputError
from scoring.results.messages import (
    BY_COLUMN,
    LEVELS_EQUAL,
    OTHER_IDENTIFIERS,
    SPEAKERS_IN_NAMES,
    SPEAKERS_OF_METADATA,
)
from scoring.results.metadata import binned
from tests.remarks import pattern_of, said, says

STM = "m 1 anne 0 1 a b\nm 1 ben 1 2 c\nn 1 anne 0 1 d e\n"
CTM = "m 1 0.1 0.2 a\nm 1 1.1 0.2 c\nn 1 0.1 0.2 d\nn 1 0.5 0.2 e\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.stm").write_text(STM, "utf-8")
    Path("hyp.ctm").write_text(CTM, "utf-8")


def groups(name: str, content: str | bytes, **more: Any) -> Any:
    """The columns of a result with this file as metadata."""
    data = content if isinstance(content, bytes) else content.encode()
    Path(name).write_bytes(data)
    rates = scoring.wer(Path("ref.stm"), Path("hyp.ctm"), metadata=name, **more)
    return rates.groups, rates.remarks


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("facts.csv", "id,age,sex\nanne,30,f\nben,40,m\n"),
        ("facts.tsv", "\ufeffid\tage\tsex\nanne\t30\tf\nben\t40\tm\n"),
        ("facts.csv", "id;age;sex\nanne;30,5;f\nben;40;m\n"),
        ("spk2sex", "anne f\nben\tm\n"),
        ("facts.csv", '"id", sex \n" anne","f"\nben,m\nzoe,f\n'),
    ],
)
def test_joined_by_speaker(name: str, content: str) -> None:
    found, remarks = groups(name, content, by=["sex"])
    assert (list(found["sex"]), remarks) == (["f", "m", "f"], ())


@pytest.mark.parametrize("is_side", [True, False])
@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_columns_of_tables_beside_metadata(
    suffix: str, is_side: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a table of both sides and in a reference; the facts are in a folder of Parquet."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import csv, parquet

    columns = {
        "id": ["u1", "u2", "u3"],
        "recording": ["m", "m", "n"],
        "text": ["a b", "c", "d e"],
        "accent": ["de", "en", "de"],
        "snr": [5, 15, 25],
        "pred_text": ["a b", "x", "d"],
    }
    table, path = pyarrow.table(columns), f"table.{suffix}"
    if suffix == "jsonl":
        Path(path).write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    elif suffix == "csv":
        csv.write_csv(table, path)
    else:
        parquet.write_table(table, path)
    Path("facts.parquet").mkdir()
    for room, noise, name in ((1, "low", "m"), (2, None, "n")):
        facts = pyarrow.table({"at": [name], "room": [room], "noise": [noise]})
        parquet.write_table(facts, f"facts.parquet/{name}.parquet")
    Path("hyp.csv").write_text("id,text\nu1,a b\nu2,x\nu3,d\n")
    sides = [path, "hyp.csv"] if is_side else [path, "--reference-column", "text"]
    flags = ["--metadata", "facts.parquet", "--by", "accent,noise,snr", "--bins", "10"]
    assert main(["wer", *sides, *flags, "--json", "-"]) == 0
    groups = json.loads(capsys.readouterr().out)["systems"][0]["groups"]
    assert [(tuple(group["group"].values()), group["errors"]) for group in groups] == [
        (("de", "low", "< 10"), 0),
        (("de", "(none)", ">= 10"), 1),
        (("en", "low", ">= 10"), 1),
    ]


def test_the_level_with_most_matches() -> None:
    found, remarks = groups("facts.csv", "id,x\nm,1\nanne,2\nben,3\n", by=["x"])
    assert list(found["x"]) == ["2", "3", "2"]
    assert remarks == ()
    # a key decides otherwise, and names the column of the identifiers
    found, remarks = groups("facts.csv", "x,where\n1,m\n", by=["x"], metadata_key="recording=where")
    assert list(found["x"]) == ["1", "1", "(none)"]
    [note] = remarks
    about = {"path": "facts.csv", "level": "recording", "group": "(none)"}
    assert said([note]) == [("METADATA", {**about, "number": 1, "names": ["n-1-0001"]})]


@pytest.mark.parametrize("sign", ["-", "_", "/"])
def test_metadata_of_speakers_that_only_identifiers_name(
    sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("text").write_text(f"spk1{sign}0 a b\nspk2{sign}0 c\n")
    Path("utt2spk").write_text(f"spk1{sign}0 spk1\nspk2{sign}0 spk2\n")
    Path("facts.csv").write_text("speaker,accent\nspk1,scots\nspk2,welsh\n")
    command = ["wer", "text", "text", "--metadata", "facts.csv", "--by", "accent"]
    fields = {"first": f"spk1{sign}0", "found": "spk1"}
    told = []
    for more in ([], ["--utt2spk", "utt2spk"]):
        assert main([*command, *more]) == 0
        output, errors = capsys.readouterr()
        assert says(errors, SPEAKERS_IN_NAMES, path="facts.csv", **fields) == (not more)
        told.append(output)
    assert told[0] == told[1]
    assert "welsh" in told[0]
    # a speaker that the metadata lacks, and a name that begins with two speakers
    for facts in ("spk1,scots\n", f"spk1,scots\nspk2,welsh\nspk2{sign}0,welsh\n"):
        Path("text").write_text(f"spk1{sign}0 a b\nspk2{sign}0{sign}1 c\n")
        Path("facts.csv").write_text(f"speaker,accent\n{facts}")
        assert main(command) == 2
        assert says(capsys.readouterr().err, SPEAKERS_OF_METADATA, **fields)
    # part of a name is no speaker
    Path("facts.csv").write_text("speaker,accent\nspk,scots\n")
    assert main(command) == 2
    assert says(capsys.readouterr().err, OTHER_IDENTIFIERS, found="spk")


def test_one_column_needs_no_name() -> None:
    assert list(groups("utt2lang", "m en us\nn\n")[0]["lang"]) == ["en us", "en us", "(none)"]


def test_as_many_of_two_levels_is_an_error_if_it_matters() -> None:
    content = "id,x\nanne,1\nben,2\nm,3\nn,4\n"
    with pytest.raises(
        InputError,
        match=pattern_of(LEVELS_EQUAL, levels=["recordings", "speakers"]),
    ):
        groups("facts.csv", content, by=["x"])
    same = "id,x\nanne,1\nben,1\nm,1\nn,1\n"
    assert list(groups("facts.csv", same, by=["x"])[0]["x"]) == ["1", "1", "1"]


@pytest.mark.parametrize(
    ("name", "content", "more", "message"),
    [
        ("f.csv", "id,x\nzoe,1\n", {"by": ["x"]}, pattern_of(OTHER_IDENTIFIERS, found="zoe")),
        ("f.csv", "", {"by": ["x"]}, "expected a header, found an empty file"),
        ("f.csv", "id,x\nanne,1,2\n", {"by": ["x"]}, "f.csv:2: expected 2 fields, found 3"),
        ("f.csv", "id,x,x\n", {"by": ["x"]}, "the column name 'x' appears twice"),
        ("f.csv", "id,x\nanne,1\nanne,2\n", {"by": ["x"]}, "f.csv:3: expected one 'x' of 'anne'"),
        (
            "f.csv",
            "id,x\nanne,1\n",
            {"by": ["y"]},
            r"no utterance has 'y', .*\(available: .*channel, duration, x\)",
        ),
        ("f.csv", "id,x,y\nanne,1,2\n", {}, pattern_of(BY_COLUMN, names="x, y")),
        ("f.csv", "id,x\n", {"metadata_key": "speaker=z"}, "expected a column 'z', found id, x"),
        ("f.txt", "id,x\n", {"by": ["x"]}, "expected a name with .csv, .tsv, .xlsx or .parquet"),
        ("f.csv", "id,x\nanne,f\n", {"by": ["x"], "bins": [1]}, "expected a column of numbers"),
        ("f.csv", b"id,x\nanne,\xff\n", {"by": ["x"]}, "UTF-8"),
    ],
)
def test_errors(name: str, content: str, more: dict[str, Any], message: str) -> None:
    with pytest.raises((InputError, FormatError), match=message):
        groups(name, content, **more)


def test_borders() -> None:
    found, _ = groups("f.csv", "id,age\nanne,30\nben,40.5\n", by=["age"], bins=[18, 40.5])
    assert list(found["age"]) == ["[18, 40.5)", ">= 40.5", "[18, 40.5)"]
    # properties of the reference, too
    mapping: dict[str, dict[str, object]] = {"000001": {"x": 5}, "000002": {"x": None}}
    rates = scoring.wer(["a", "b"], ["a", "b"], metadata=mapping, bins=[6])
    assert rates.groups == {"x": ["< 6", "(none)"]}


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), min_size=21, max_size=80))
def test_quartiles_of_words(rows: list[tuple[int, int]]) -> None:
    """No part has more than a quarter of the words and one number besides."""
    values = [str(number) for number, _ in rows]
    words = [count for _, count in rows]
    labels = binned(values, words)
    if len(set(values)) <= 20:
        assert labels is values
        return
    parts: dict[str | None, dict[str, int]] = {}
    for label, value, count in zip(labels, values, words, strict=True):
        part = parts.setdefault(label, {})
        part[value] = part.get(value, 0) + count
    assert len(parts) <= 4
    for part in parts.values():
        largest = max(part.values())
        assert sum(part.values()) <= sum(words) / 4 + 2 * largest
    ordered = sorted(parts.values(), key=lambda part: min(map(int, part)))
    for low, high in pairwise(ordered):
        assert max(map(int, low)) < min(map(int, high))


def test_borders_of_many_different_numbers_have_few_digits() -> None:
    """Of 2,000 numbers with many digits, a border moves by at most 0.5 % of the words."""
    values = [f"{0.0100503 * number:.7f}" for number in range(2000)]
    labels = list(binned(values, [1] * len(values)))
    assert dict.fromkeys(labels) == dict.fromkeys(["< 5", "[5, 10)", "[10, 15)", ">= 15"])
    assert all(490 <= labels.count(label) <= 510 for label in set(labels))

"""Conditions that choose which utterances are scored: one language for every door."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scoring
from scoring.cli.scoring import main
from scoring.model.errors import InputError, OptionTypeError, OptionValueError
from scoring.model.row_conditions import conditions_of
from scoring.options import Options
from scoring.score import streaming
from scoring.score.from_tables import wer_of_tables
from scoring.serve.methods import Methods
from tests.each_case import each_case

NAMES = ("id", "text", "pred_text", "device", "region", "duration")
ROWS = [
    ("u1", "a b c", "a x c", "phone", "north", 3.5),
    ("u2", "d e", "d e", "headset", "north", 7.0),
    ("u3", "f g h", "f g", "phone", "south", 9.25),
    ("u4", "i", "i j", "phone", "east", 6.0),
    ("u5", "k l", "x y", "", "east", 12.0),
    ("u6", "m n o p", "m n o p", "headset", "south", 6.5),
]
Capture = pytest.CaptureFixture[str]
wer: Callable[..., Any] = scoring.wer


def kept(*names: str) -> list[str]:
    return list(names)


# Conditions, and the utterances that they keep.
CASES = [
    (["device=phone"], kept("u1", "u3", "u4")),
    (["device!=phone"], kept("u2", "u5", "u6")),
    (["device="], kept("u5")),
    (["device!="], kept("u1", "u2", "u3", "u4", "u6")),
    (["region=north,south"], kept("u1", "u2", "u3", "u6")),
    (["region!=north,south"], kept("u4", "u5")),
    (["duration>6"], kept("u2", "u3", "u5", "u6")),
    (["duration>=6s"], kept("u2", "u3", "u4", "u5", "u6")),
    (["duration<6500ms"], kept("u1", "u4")),
    (["duration<=6.5"], kept("u1", "u4", "u6")),
    (["duration=7"], kept("u2")),
    (["device=phone", "duration>6"], kept("u3")),
    (["device = phone", "region == south"], kept("u3")),
]


def columns() -> dict[str, list[Any]]:
    return dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True))


def write(folder: Path, ending: str) -> Path:
    """Write the rows as a table of this kind."""
    path = folder / f"table.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table(columns()), path)
    elif ending == "jsonl":
        rows = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        sign = "," if ending == "csv" else "\t"
        lines = [NAMES, *ROWS]
        path.write_text("".join(sign.join(map(str, line)) + "\n" for line in lines))
    return path


def errors_of(names: list[str]) -> int:
    """Count the errors of utterances one by one, without conditions."""
    return sum(int(wer(row[1], row[2]).counts.errors) for row in ROWS if row[0] in names)


@pytest.mark.share(3)
@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
@each_case(("where", "names"), CASES)
def test_every_kind_of_table_keeps_the_same_rows(
    tmp_path: Path, ending: str, where: list[str], names: list[str]
) -> None:
    path = write(tmp_path, ending)
    rates = wer(path, path, where=where)
    assert list(rates.identifiers) == names
    assert rates.counts.errors == errors_of(names)
    [by_column] = wer_of_tables([str(path)], ["text"], ["pred_text"], Options(where=where))
    assert list(by_column.identifiers) == names
    assert by_column.counts == rates.counts
    assert by_column.signature == rates.signature


@each_case("ending", ["csv", "parquet"])
@each_case(("where", "names"), CASES)
def test_large_tables_are_chosen_part_by_part(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ending: str,
    where: list[str],
    names: list[str],
) -> None:
    path = write(tmp_path, ending)
    whole = wer(path, path, where=where)
    monkeypatch.setattr(streaming, "LARGE", 1)
    monkeypatch.setattr(streaming, "PART", 1)
    options = Options(where=where, by=["region"])
    sides = [str(path)], ["text"], ["pred_text"]
    [rates] = wer_of_tables(*sides, options, is_streamed=True)
    assert type(rates.aligned).__name__ == "StreamedAlignments"
    assert list(rates.identifiers) == names
    assert rates.counts == whole.counts
    assert list(map(tuple, rates.aligned.references)) == list(map(tuple, whole.aligned.references))
    assert list(rates.groups["region"]) == [row[4] for row in ROWS if row[0] in names]
    notes = [[m for m in map(str, each.remarks) if "kept" in m] for each in (rates, whole)]
    assert notes[0][0].partition(": kept ")[2] == notes[1][0].partition(": kept ")[2]


@each_case("is_arrow", [True, False])
@each_case(("where", "names"), CASES)
def test_frames_are_chosen_by_their_columns(
    is_arrow: bool, where: list[str], names: list[str]
) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pa.table(columns()) if is_arrow else pandas.DataFrame(columns())
    rates = wer(frame, reference="text", hypothesis="pred_text", where=where, by="region")
    assert list(rates.identifiers) == names
    assert rates.counts.errors == errors_of(names)
    plain = wer(frame, reference="text", hypothesis="pred_text", where=where)
    assert plain.counts == rates.counts


def test_the_signature_the_record_and_the_note_have_the_conditions(
    tmp_path: Path, capsys: Capture
) -> None:
    path = write(tmp_path, "csv")
    words = ["--where", "device=phone", "--where", "duration > 6 s", "--json", "-"]
    assert main(["wer", str(path), *words]) == 0
    done = capsys.readouterr()
    assert f"{path}: kept 1 of 6 utterances: device=phone, duration>6 s [KEPT]" in done.err
    [system] = json.loads(done.out)["systems"]
    assert "|where:device=phone&duration>6|" in system["signature"]
    assert system["rules"]["where"] == "device=phone&duration>6"
    assert system["options"]["where"] == ["device=phone", "duration>6"]
    [note] = [
        each for each in system["remarks"] if each["code"] == "KEPT" and "kept" in each["text"]
    ][:1]
    assert (note["fields"]["kept"], note["fields"]["total"]) == (1, 6)


def test_utterances_without_a_value_are_counted(tmp_path: Path, capsys: Capture) -> None:
    path = str(write(tmp_path, "csv"))
    assert main(["wer", path, "--where", "device=phone"]) == 0
    assert "1 utterance has no device; device=phone drops these" in capsys.readouterr().err
    assert main(["wer", path, "--where", "device!=phone"]) == 0
    assert "1 utterance has no device; device!=phone keeps these" in capsys.readouterr().err


def test_a_value_that_no_utterance_has_is_a_warning(tmp_path: Path, capsys: Capture) -> None:
    path = str(write(tmp_path, "csv"))
    assert main(["wer", path, "--where", "region=north,soth"]) == 0
    text = (
        'no utterance has the region "soth", as in region=north,soth (values: east, north, south)'
    )
    assert f"warning: {path}: {text}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("where", "text"),
    [
        (["device=fone"], "expected utterances with device=fone, found none among 6 (device: "),
        (["divice=phone"], 'no utterance has "divice", which a condition names (available: '),
        (["region>3"], 'region>3 compares numbers: expected a number as region, found "north"'),
    ],
)
def test_conditions_that_choose_nothing_are_errors(
    tmp_path: Path, where: list[str], text: str
) -> None:
    path = write(tmp_path, "csv")
    with pytest.raises(InputError) as caught:
        wer(path, path, where=where)
    assert text in str(caught.value)
    if where == ["divice=phone"]:
        assert str(caught.value).endswith("did you mean device?")
        assert "duration" in str(caught.value)


@each_case(
    ("where", "kind", "text"),
    [
        (["device"], OptionValueError, "(quote a condition with < or >: 'duration>6')"),
        (["=phone"], OptionValueError, "expected a condition"),
        (["duration>six"], OptionValueError, "expected a duration such as 6, 6s or 500ms"),
        (["age>1,2"], OptionValueError, "expected one number after age>"),
        (7, OptionTypeError, "expected a list of conditions"),
        ([7], OptionTypeError, "expected a list of texts"),
    ],
)
def test_wrong_conditions_are_refused(where: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        Options(where=where)
    assert text in str(caught.value)


def test_values_with_commas_stand_in_quotes() -> None:
    [condition] = conditions_of('city="Paris, Texas",Rome')
    assert condition.values == ("Paris, Texas", "Rome")
    assert str(condition) == 'city="Paris, Texas",Rome'
    assert conditions_of(str(condition)) == (condition,)


def test_a_missing_hypothesis_counts_only_among_the_kept_rows(tmp_path: Path) -> None:
    rows = columns()
    rows["pred_text"][0] = rows["pred_text"][1] = None
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(rows), path)
    for sides in ((path, path), None):
        options = Options(where=["device=phone"])
        if sides:
            rates = wer(*sides, options=options)
        else:
            [rates] = wer_of_tables([str(path)], ["text"], ["pred_text"], options)
        assert rates.matching_summary.reference_only.number == 1
        assert rates.matching_summary.references == 3
        assert rates.counts.deletions == 3 + 1


def test_a_missing_reference_among_the_dropped_rows_is_no_error(tmp_path: Path) -> None:
    rows = columns()
    rows["text"][1] = None
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(rows), path)
    [rates] = wer_of_tables([str(path)], ["text"], ["pred_text"], Options(where=["device=phone"]))
    assert list(rates.identifiers) == ["u1", "u3", "u4"]
    frame = wer(pa.table(rows), reference="text", hypothesis="pred_text", where="device=phone")
    assert frame.counts == rates.counts


TIMES = {
    "whole numbers of milliseconds": {"duration": [500, 7000, 12000]},
    "a unit in the name": {"duration_ms": [500, 7000, 12000]},
    "starts and ends": {"start": [0.5, 1.0, 8.0], "end": [1.0, 8.0, 20.0]},
    "starts and durations": {"start": [0, 500, 7500], "duration": [500, 7000, 12000]},
    "seconds": {"duration": [0.5, 7.0, 12.0]},
}


@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES)
def test_every_door_has_the_same_durations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: dict[str, list[float]]
) -> None:
    rows = {
        "id": ["u1", "u2", "u3"],
        "text": ["a b c", "so we said", "these are some words"],
        "pred_text": ["a b x", "so you said", "these are words"],
        **times,
    }
    lines = [*zip(*rows.values(), strict=True)]
    (tmp_path / "t.csv").write_text(
        "".join(",".join(map(str, line)) + "\n" for line in ([*rows], *lines))
    )
    (tmp_path / "t.jsonl").write_text(
        "".join(json.dumps(dict(zip(rows, line, strict=True))) + "\n" for line in lines)
    )
    table = pa.table(rows)
    pq.write_table(table, tmp_path / "t.parquet")
    with pa.ipc.new_file(str(tmp_path / "t.arrow"), table.schema) as writer:
        writer.write_table(table)
    where = ["duration>6"]
    scored = [wer(table, reference="text", hypothesis="pred_text", where=where)]
    frame = pytest.importorskip("pandas").DataFrame(rows)
    scored.append(wer(frame, reference="text", hypothesis="pred_text", where=where))
    for name in ("t.csv", "t.jsonl", "t.parquet", "t.arrow"):
        path = tmp_path / name
        scored.append(wer(path, path, where=where))
        scored += wer_of_tables([str(path)], ["text"], ["pred_text"], Options(where=where))
    monkeypatch.setattr(streaming, "LARGE", 1)
    monkeypatch.setattr(streaming, "PART", 1)
    for name in ("t.csv", "t.jsonl", "t.parquet"):
        sides = [str(tmp_path / name)], ["text"], ["pred_text"]
        scored += wer_of_tables(*sides, Options(where=where), is_streamed=True)
    assert [len(rates) for rates in scored] == [2] * len(scored)
    assert {rates.counts.errors for rates in scored} == {2}


def test_a_unit_that_is_guessed_is_a_note(tmp_path: Path) -> None:
    rows = {"id": ["a", "b"], "text": ["so we said", "these are words"], "pred": ["so", "these"]}
    table = pa.table({**rows, "duration": [900, 7000]})
    path = tmp_path / "t.parquet"
    pq.write_table(table, path)
    [rates] = wer_of_tables([str(path)], ["text"], ["pred"], Options(where=["duration>6"]))
    frame = wer(table, reference="text", hypothesis="pred", where="duration>6")
    note = 'the times in "duration" are read in a unit of 1/1000 of a second, because this unit'
    for each in (rates, frame):
        assert sum(note in str(remark) for remark in each.remarks) == 1


def test_times_speakers_and_labels_of_files_are_properties(tmp_path: Path) -> None:
    reference, hypothesis = tmp_path / "ref.stm", tmp_path / "hyp.stm"
    reference.write_text(
        "talk A ann 0 2 <o,f0> a b\ntalk A bob 2 9 <o,f1> c d\ntalk A ann 9 12 <o,f1> e\n"
    )
    hypothesis.write_text("talk A x 0 2 a x\ntalk A x 2 9 c d\ntalk A x 9 12 e e\n")
    for where, words in (
        ("speaker=ann", 3),
        ("label=f1", 3),
        ("label!=f1", 2),
        ("duration>2.5", 3),
        ("recording=talk", 5),
    ):
        assert wer(reference, hypothesis, where=where).counts.reference_tokens == words


@each_case("is_streamed", [False, True])
@each_case("device", ["phone", "headset", "radio"])
def test_a_shard_may_have_no_row_that_is_kept(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    device: str,
    is_streamed: bool,
) -> None:
    if is_streamed:
        monkeypatch.setattr(streaming, "LARGE", 1)
        monkeypatch.setattr(streaming, "PART", 1)
    folder = tmp_path / "tables"
    folder.mkdir()
    for name, kind in (("a", "phone"), ("b", "headset"), ("c", "headset")):
        texts = {"text": ["a b", "c d"], "pred_text": ["a x", "c d"], "device": [kind] * 2}
        pq.write_table(pa.table(texts), folder / f"{name}.parquet")
    parts = [str(tmp_path / f"{number}.json") for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        line = ["--reference-column", "text", "--where", f"device={device}"]
        line += ["--shard", f"{number}/3", "--shard-output", part]
        assert main(["wer", str(folder), *line]) == 0, capsys.readouterr().err
    capsys.readouterr()
    status, done = main(["merge", *parts]), capsys.readouterr()
    if device == "radio":
        assert status == 2
        assert "expected words to score in the reference, found none" in done.err
    else:
        assert status == 0
        rows = 2 if device == "phone" else 4
        assert f"%WER 25.00 [ {rows // 2} / {2 * rows}," in done.out


@pytest.mark.parametrize("name", ["", "/*.parquet"])
def test_a_folder_of_tables_has_both_sides(tmp_path: Path, capsys: Capture, name: str) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    path = write(folder, "parquet")
    assert main(["wer", f"{folder}{name}", "--where", "device=phone"]) == 0
    whole = capsys.readouterr().out.partition("\n")[0]
    assert main(["wer", str(path), "--where", "device=phone"]) == 0
    assert capsys.readouterr().out.partition("\n")[0] == whole


def test_metadata_are_properties(tmp_path: Path) -> None:
    facts = {"u1": {"age": "30", "k": "x"}, "u2": {"age": "50", "k": "y"}}
    sides: Any = {"u1": "a b", "u2": "c"}, {"u1": "a", "u2": "c"}
    rates = wer(*sides, metadata=facts, where="age>40")
    assert list(rates.identifiers) == ["u2"]
    assert not rates.groups
    grouped = wer(*sides, metadata=facts, where="age>40", by="k")
    assert {name: len(group) for name, group in grouped.by("k").items()} == {"y": 1}


def test_engines_refuse_conditions(tmp_path: Path, capsys: Capture) -> None:
    path = str(write(tmp_path, "parquet"))
    line = ["--where", "device=phone", "--engine", "local", "--reference-column", "text"]
    assert main(["wer", path, *line]) == 2
    assert "without an engine, tables of any size are read in parts" in capsys.readouterr().err


MEETINGS = (
    "one 1 ann 0 2 <o,f0> so the plan is\n"
    "one 1 bob 2 4 <o,f0> we move the office\n"
    "two 1 ann 0 2 <o,f1> ask the council\n"
    "two 1 cat 2 4 <o,f1> before winter comes\n"
)
OF_ROOMS = {"one": {"room": "big"}, "two": {"room": "small"}}


def write_meetings(folder: Path) -> tuple[Path, Path]:
    """Write two recordings as reference and as the output of a system with one error in each."""
    reference, hypothesis = folder / "ref.stm", folder / "hyp.stm"
    reference.write_text(MEETINGS)
    hypothesis.write_text(MEETINGS.replace("plan is", "plan was").replace("winter", "summer"))
    return reference, hypothesis


@each_case("meeting", ["cp", "tcp", "orc", "auto"])
@each_case("where", ["recording=two", "label=f1", "label!=f0", "room=small"])
def test_meetings_are_chosen_by_recording(tmp_path: Path, meeting: str, where: str) -> None:
    sides = write_meetings(tmp_path)
    rates = wer(*sides, meeting=meeting, where=where, metadata=OF_ROOMS)
    assert [session.session for session in rates.sessions] == ["two"]
    assert (rates.counts.errors, rates.counts.reference_tokens) == (1, 6)
    assert rates.matching_summary.references == 1
    assert f"|where:{where}|" in rates.signature
    assert f"kept 1 of 2 recordings: {where}" in "\n".join(map(str, rates.remarks))


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("speaker=ann", "speaker=ann needs one speaker for each recording"),
        ("duration>1", "duration>1 s chooses segments"),
        ("recording=three", "expected recordings with recording=three, found none among 2"),
        ("recrding=one", "did you mean recording?"),
    ],
)
def test_parts_of_recordings_are_no_meetings(tmp_path: Path, where: str, text: str) -> None:
    with pytest.raises(InputError) as caught:
        wer(*write_meetings(tmp_path), meeting="cp", where=where)
    assert text in str(caught.value)


def test_a_record_of_meetings_chooses_the_same_recordings(tmp_path: Path, capsys: Capture) -> None:
    reference, hypothesis = map(str, write_meetings(tmp_path))
    record, rooms = str(tmp_path / "record.json"), tmp_path / "rooms.csv"
    rooms.write_text("recording,room\none,big\ntwo,small\n")
    choices = ["--meeting", "cp", "--where", "room=small", "--metadata", str(rooms)]
    assert main(["wer", reference, hypothesis, *choices, "--json", record]) == 0
    assert main(["compare", record, hypothesis]) == 0
    assert "6 reference words" in capsys.readouterr().out


def test_the_service_chooses_by_speakers_and_properties() -> None:
    sides = {"u1": "a b", "u2": "c d"}, {"u1": "a x", "u2": "c d"}
    beside = {
        "speakers": {"u1": "ann", "u2": "bob"},
        "metadata": {"u1": {"age": 30}, "u2": {"age": 50}},
    }
    for where, errors in (("speaker=ann", 1), ("age>40", 0)):
        given = dict(zip(("reference", "hypothesis"), sides, strict=True))
        answered = Methods()("wer", {**given, **beside, "where": [where]})
        assert (answered["counts"]["errors"], answered["counts"]["reference_count"]) == (errors, 2)


def test_compare_holds_the_conditions(tmp_path: Path, capsys: Capture) -> None:
    path = str(write(tmp_path, "csv"))
    record, plain = str(tmp_path / "chosen.json"), str(tmp_path / "plain.json")
    assert main(["wer", path, "--where", "device=phone", "--json", record]) == 0
    assert main(["wer", path, "--json", plain]) == 0
    capsys.readouterr()
    assert main(["compare", record, path]) == 0
    done = capsys.readouterr()
    assert "3 utterances, 7 reference words" in done.out
    assert "|where:device=phone|" in done.out
    assert main(["compare", record, plain]) == 2
    assert "where='device=phone' and ''" in capsys.readouterr().err
    assert main(["compare", record, path, "--where", "device=headset"]) == 2
    assert "expected device=phone, as the result was scored" in capsys.readouterr().err
    assert main(["compare", path, path, "--where", "device=phone"]) == 0
    assert "3 utterances, 7 reference words" in capsys.readouterr().out


def test_a_record_of_columns_has_the_values_that_choose(tmp_path: Path, capsys: Capture) -> None:
    path, record = str(write(tmp_path, "parquet")), str(tmp_path / "chosen.json")
    line = ["--reference-column", "text", "--where", "duration>6", "--json", record]
    assert main(["wer", path, *line]) == 0
    new = tmp_path / "new.parquet"
    pq.write_table(pa.table({**columns(), "pred_text": columns()["text"]}), new)
    assert main(["compare", record, str(new)]) == 0
    done = capsys.readouterr()
    assert "4 utterances, 11 reference words" in done.out
    assert "UNSCORED" not in done.err


def test_a_benchmark_holds_the_conditions(tmp_path: Path, capsys: Capture) -> None:
    write(tmp_path, "csv")
    (tmp_path / "b.toml").write_text(
        '[options]\nwhere = ["device=phone"]\n[sets.dev]\nreference = "table.csv"\n'
        '[systems.A]\ndev = "table.csv"\n'
    )
    assert main(["bench", str(tmp_path / "b.toml")]) == 0
    assert "|where:device=phone|" in capsys.readouterr().out

"""Systems with names and reading options of their own: `--system`, and mappings in Python."""

import argparse
import csv
import json
from pathlib import Path

import pytest

import scoring
from scoring import File
from scoring.cli.flags import system_path
from scoring.cli.messages import SHARED_FILE
from scoring.cli.scoring import main
from scoring.score.messages import SAME_WORDS
from scoring.score.record_reader import read_document
from tests.remarks import says

REFERENCE = "the cat sat (a-1)\non the mat (a-2)\n"
ROWS = (
    '{"id": "a-1", "first": "the cat sat", "second": "a cat sat"}\n'
    '{"id": "a-2", "first": "on a mat", "second": "on a mat"}\n'
)
TRN = "the cat (a-1)\non the (a-2)\n"
WER = ["wer", "ref.trn"]
FIRST, SECOND = (f"rows.jsonl:field={name}" for name in ("first", "second"))


@pytest.fixture(autouse=True)
def files(current_folder: Path) -> None:
    for name, text in (("ref.trn", REFERENCE), ("rows.jsonl", ROWS), ("b.trn", TRN)):
        Path(name).write_text(text)


@pytest.mark.parametrize(
    ("text", "system", "path", "reading"),
    [
        ("A=a.trn", "A", "a.trn", (None, None, {})),
        ("A b=C:\\x\\a.ctm", "A b", "C:\\x\\a.ctm", (None, None, {})),
        ("A=C:\\a.json:field=text", "A", "C:\\a.json", (None, None, {"field": "text"})),
        ("A=https://h:80/a?b=c:format=ctm", "A", "https://h:80/a?b=c", ("ctm", None, {})),
        ("A=scp:list.scp", "A", "scp:list.scp", (None, None, {})),
        ("A=-:format=trn", "A", "-", ("trn", None, {})),
        ("A=a:b=c.trn", "A", "a:b=c.trn", (None, None, {})),
        (
            "A=a.json:field=x:y:encoding=latin-1:format=nlp",
            "A",
            "a.json",
            ("nlp", "latin-1", {"field": "x:y"}),
        ),
        ("A=a=b.trn", "A", "a=b.trn", (None, None, {})),
        ("A=a:max-bytes=5", "A", "a", (None, None, {"max_bytes": "5"})),
    ],
)
def test_a_file_ends_at_the_name_of_a_reading_option(
    text: str, system: str, path: str, reading: tuple[str | None, str | None, dict[str, str]]
) -> None:
    found = system_path(text)
    file = found.file
    assert (found.system, str(found), file.path) == (system, path, path)
    assert (file.format, file.encoding, file.options) == reading


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a.trn", "expected NAME=FILE, or NAME=FILE:option=value, found 'a.trn'"),
        ("=a.trn", "expected NAME=FILE, or NAME=FILE:option=value, found '=a.trn'"),
        ("A=", "expected NAME=FILE, or NAME=FILE:option=value, found 'A='"),
        (
            "A=rows.jsonl:feild=first",
            "expected a reading option after rows.jsonl:, found 'feild' (did you mean field?)",
        ),
        (
            "A=rows.jsonl:field=a:field=b",
            "expected each option once, found 'A=rows.jsonl:field=a:field=b'",
        ),
    ],
)
def test_what_is_no_system(text: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as rejected:
        system_path(text)
    assert str(rejected.value) == problem
    assert main([*WER, "--system", text]) == 2
    out, error = capsys.readouterr()
    assert (out, problem in error) == ("", True)


def scored(*arguments: str) -> list[dict[str, object]]:
    assert main([*WER, *arguments, "--json", "out.json"]) == 0
    systems = json.loads(Path("out.json").read_bytes())["systems"]
    return [
        {"name": one["hypothesis"]["name"], "errors": one["counts"]["errors"]} for one in systems
    ]


def test_each_system_has_its_own_reading_options(capsys: pytest.CaptureFixture[str]) -> None:
    systems = ["--system", f"A={FIRST}", "--system", f"B={SECOND}", "--system", "C=b.trn"]
    assert scored(*systems) == [
        {"name": "A", "errors": 1},
        {"name": "B", "errors": 2},
        {"name": "C", "errors": 2},
    ]
    # the options of the other files do not reach them
    beside = ["rows.jsonl", "--hypothesis-option", "field=second"]
    assert scored(*beside, "--system", "C=b.trn") == [
        {"name": None, "errors": 2},
        {"name": "C", "errors": 2},
    ]


def test_names_are_in_every_report(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--system", f"first={FIRST}", "--system", "second=b.trn", "--markdown", "r.md"]
    outputs = ["--csv", "r.csv", "--html", "r.html", "--json", "r.json", "--record", "runs.db"]
    assert main([*WER, *flags, *outputs]) == 0
    out, _ = capsys.readouterr()
    assert "== first\n" in out
    rows = list(csv.DictReader(Path("r.csv").read_text().splitlines()))
    assert {row["hypothesis_file"] for row in rows} == {"first", "second"}
    for name in ("r.md", "r.html", "r.json"):
        assert "second" in Path(name).read_text("utf-8"), name
    ranking = json.loads(Path("r.json").read_bytes())["ranking"]
    assert {one["hypothesis"] for one in ranking["systems"]} == {"first", "second"}
    assert main(["history", "list", "runs.db"]) == 0
    assert "second" in capsys.readouterr().out
    # a record keeps the name and the path
    record = read_document("r.json", Path("r.json").read_bytes())
    assert [rates.hypothesis.title for rates in record.systems] == ["first", "second"]
    assert record.systems[0].hypothesis.path == "rows.jsonl"


def test_shards_keep_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        shard = ["--shard", f"{number}/2", "--shard-output", f"{number}.json"]
        assert main([*WER, "--system", f"A={FIRST}", *shard]) == 0
    assert main(["merge", "1.json", "2.json", "--json", "all.json"]) == 0
    [system] = json.loads(Path("all.json").read_bytes())["systems"]
    assert (system["hypothesis"]["name"], system["counts"]["errors"]) == ("A", 1)


def test_compare(capsys: pytest.CaptureFixture[str]) -> None:
    reference = ["compare", "--reference", "ref.trn", "--json", "out.json"]
    assert main([*reference, "--system", f"old={SECOND}", "--system", f"new={FIRST}"]) == 0
    out, _ = capsys.readouterr()
    assert "old" in out
    compared = json.loads(Path("out.json").read_bytes())
    assert [compared[side]["name"] for side in ("baseline", "new")] == ["old", "new"]
    assert [compared["overall"][side]["errors"] for side in ("baseline", "new")] == [2, 1]
    # a transcript beside one
    assert main([*reference, "b.trn", "--system", f"new={FIRST}"]) == 0
    compared = json.loads(Path("out.json").read_bytes())
    assert [compared[side]["name"] for side in ("baseline", "new")] == ["b.trn", "new"]


def test_compare_with_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WER, "--system", f"old={SECOND}", "--json", "old.json"]) == 0
    for system, errors in ((f"new={FIRST}", 1), ("new=b.trn", 2)):
        assert main(["compare", "old.json", "--system", system, "--json", "out.json"]) == 0
        compared = json.loads(Path("out.json").read_bytes())
        assert (compared["new"]["name"], compared["overall"]["new"]["errors"]) == ("new", errors)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            [*WER, "--system", "A=b.trn", "--system", "A=rows.jsonl"],
            "--system: expected a different name for each system, found 'A' twice",
        ),
        (
            ["wer", "t.csv", "--reference-column", "text", "--system", "A=t.csv"],
            "--system does not apply to tables",
        ),
        (
            [
                *WER,
                *("b.trn", "--meeting", "cp", "--system", "A=rows.jsonl"),
                *("--assignment", "out.json"),
            ],
            "--assignment does not apply to several systems: --json contains the assignment",
        ),
        (
            ["der", "r.rttm", "--system", "A=a.rttm", "--system", "B=b.rttm"],
            "`scoring der REF A B` compares several systems",
        ),
        (["events", "r.rttm", "a.rttm", "b.rttm"], "`scoring events REF HYP --json SYSTEM.json`"),
        (
            [*WER, "b.trn", "--hypothesis-option=recording=a", "--hypothesis-option=recording=b"],
            "--hypothesis-option: expected one value of recording, found a and b (--system ",
        ),
        (["diff", "ref.trn", "b.trn", "--system", "A=b.trn"], "unrecognized arguments: --system"),
        (["oracle", "ref.trn", "b.trn", "--system", "A=b"], "unrecognized arguments: --system"),
    ],
)
def test_doors_that_cannot_take_it_say_so(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("t.csv").write_text("id,text,pred_text\nu,a,a\n")
    assert main(arguments) == 2
    assert problem in capsys.readouterr().err


MEETING = "m 1 {} 0 9 {}\n"
TALKS = (
    "so we begin with the budget of the year before and then the plan for the next one",
    "i would like to hear from the people who have read all of the pages that were sent",
)


def _write_meeting(
    name: str, texts: tuple[str, ...], speakers: tuple[str, ...] = ("a", "b")
) -> None:
    rows = [MEETING.format(*row) for row in zip(speakers, texts, strict=True)]
    Path(name).write_text("".join(rows))


def test_systems_of_a_meeting_have_a_result_each(capsys: pytest.CaptureFixture[str]) -> None:
    _write_meeting("ref.stm", TALKS)
    _write_meeting("x.stm", (TALKS[0].replace("budget", "budgets"), TALKS[1]), ("1", "2"))
    _write_meeting("y.stm", (TALKS[1].replace("like", "love to"), TALKS[0][3:]), ("1", "2"))
    systems = ["--system", "X=x.stm", "--system", "Y=y.stm"]
    command = ["wer", "ref.stm", "--meeting", "cp", *systems]
    assert main([*command, "--json", "out.json"]) == 0
    document = json.loads(Path("out.json").read_bytes())
    assert [system["counts"]["errors"] for system in document["systems"]] == [1, 3]
    assignments = [system["sessions"][0]["assignment"] for system in document["systems"]]
    assert assignments == [[["a", "1"], ["b", "2"]], [["a", "2"], ["b", "1"]]]
    assert "Ranking" in capsys.readouterr().out
    assert main([*command, "--plan"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("x.stm", "y.stm"))


def test_two_systems_are_not_the_streams_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    _write_meeting("ref.stm", TALKS)
    for name in ("x.stm", "y.stm"):
        _write_meeting(name, (TALKS[0], TALKS[1].replace("people", "person")))
    command = ["wer", "ref.stm", "--meeting", "cp"]
    for more in ([], ["--plan"]):
        assert main([*command, "x.stm", "y.stm", *more]) == 2
        err = capsys.readouterr().err
        assert err.startswith("scoring: error: y.stm: ")
        assert says(err, SAME_WORDS, session="m", percent="100")
        assert all(f"--system {name}={name}.stm" in err for name in "xy")
    # also if they are in a folder
    Path("both").mkdir()
    for name in ("x.stm", "y.stm"):
        Path("both", name).write_text(Path(name).read_text())
    assert main([*command, "both"]) == 2
    assert says(capsys.readouterr().err, SAME_WORDS, path="both/y.stm", other="both/x.stm")
    assert main([*command, "--system", "x=x.stm", "--system", "y=y.stm"]) == 0
    rates = scoring.wer(File("ref.stm"), {"x": File("x.stm"), "y": File("y.stm")}, meeting="cp")
    assert {name: of_system.counts.errors for name, of_system in rates.items()} == {"x": 1, "y": 1}
    # the files of one system have different words, or different sessions
    for name, speaker, text in zip(("x.stm", "y.stm"), "ab", TALKS, strict=True):
        Path(name).write_text(MEETING.format(speaker, text))
        Path("both", name).write_text(MEETING.format(speaker, text))
    for files in (["x.stm", "y.stm"], ["both"]):
        assert main([*command, *files]) == 0
        assert "%WER 0.00" in capsys.readouterr().out


def test_a_file_of_turns_for_several_systems_is_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("ref.stm").write_text("m 1 a 0 2 so we begin\nm 1 b 2 4 with the plan\n")
    words = "".join(f"m 1 {n / 2} 0.4 {word}\n" for n, word in enumerate(["so", "we", "go", "on"]))
    turn = "SPEAKER m 1 {} {} <NA> <NA> {} <NA> <NA>\n"
    for name in ("x", "y"):
        Path(f"{name}.ctm").write_text(words)
        Path(f"{name}.rttm").write_text(turn.format(0, 1, "p") + turn.format(1, 3, "q"))
    files, option = ["x.ctm", "y.ctm"], ["--hypothesis-option", "speakers=x.rttm"]
    for command in (
        ["wer", "ref.stm", *files],
        ["compare", "ref.stm", *files, "--meeting", "cp"],
    ):
        assert main([*command, *option]) == 0
        choice = {"choice": "speakers=x.rttm", "paths": files, "name": "speakers"}
        assert says(capsys.readouterr().err, SHARED_FILE, **choice)
    systems = [f"--system={name}={name}.ctm:speakers={name}.rttm" for name in ("x", "y")]
    assert main(["compare", "ref.stm", *systems, "--meeting", "cp"]) == 0
    assert SHARED_FILE.code not in capsys.readouterr().err
    assert main(["compare", "ref.stm", "x.ctm", systems[1], *option, "--meeting", "cp"]) == 0
    assert SHARED_FILE.code not in capsys.readouterr().err


def test_a_mapping_of_systems_in_python() -> None:
    systems = scoring.wer(
        Path("ref.trn"),
        {"A": scoring.File("rows.jsonl", options={"field": "first"}), "B": Path("b.trn")},
    )
    assert {name: rates.counts.errors for name, rates in systems.items()} == {"A": 1, "B": 2}
    assert [rates.hypothesis.title for rates in systems.values()] == ["A", "B"]
    texts = {"a-1": "the cat sat", "a-2": "on the mat"}
    by_name = scoring.wer(texts, {"A": {**texts, "a-2": "on mat"}, "B": texts})
    assert [rates.counts.errors for rates in by_name.values()] == [1, 0]
    listed = scoring.wer(["a b", "c"], scoring.Systems({"A": ["a", "c"], "B": ["a b", "d"]}))
    assert [rates.counts.deletions for rates in listed.values()] == [1, 0]
    characters = scoring.cer(texts, {"A": {**texts, "a-2": "on the mad"}})
    assert characters["A"].counts.substitutions == 1
    with pytest.raises(TypeError, match="expected one, found several systems"):
        scoring.mer(texts, {"A": texts})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="at least one system, found none"):
        scoring.Systems({})
    # texts by identifier are one hypothesis
    assert scoring.wer(texts, {"a-1": "the cat sat", "a-2": "on the"}).counts.deletions == 1


def test_the_order_of_segments_matters_within_a_speaker_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = ["m 1 a 0 2 so we begin\n", "m 1 a 3 4 with it\n", "m 1 b 1 2 the plan\n"]
    Path("ref.stm").write_text("".join(lines))
    command = ["wer", "ref.stm", "hyp.stm", "--meeting", "cp"]
    for order, is_warned in ((lines, False), (lines[::-1], True)):
        Path("hyp.stm").write_text("".join(order))
        assert main(command) == 0
        assert ("[STM-ORDER]" in capsys.readouterr().err) is is_warned

"""`scoring kws`: files in, reports out, statuses, refusals word for word."""

import csv
import importlib.util
import io
import json
import re
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from formats.io.messages import EMPTY, XML_CUT, XML_REASONS
from scoring.cli.messages import NOTHING_SCORED
from scoring.cli.scoring import main
from scoring.cli.tasks import kws
from scoring.cli.tasks.kws import kwseval
from scoring.cli.tasks.kws_options import AS_PROGRAM
from scoring.tasks.kws.drawings import value_bar
from scoring.tasks.messages import CONTRADICTING_DECISIONS, DECISIONS_WITHOUT_THRESHOLD
from tests.formats.checks import message_text, remark_line
from tests.programs import printed, python, refused, told
from tests.remarks import printed as as_printed
from tests.scoring.score.test_schema import check, complaints
from tests.tables import table_of

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo" / "keyword_search"
FILES = [
    "kws", "--ecf", "demo.ecf.xml", "--kwlist", "demo.kwlist.xml", "--rttm", "demo.rttm",
    "--kwslist", "demo.kwslist.xml",
]  # fmt: skip
NOT_SCORED = "scoring: warning: not scored: detections that no excerpt holds entirely: 1\n"


@pytest.fixture(autouse=True)
def in_a_copy_of_the_demo(current_folder: Path) -> None:
    for path in DEMO.iterdir():
        (current_folder / path.name).write_bytes(path.read_bytes())


def scored(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    status, output, errors = told(capfd, *FILES, *arguments)
    assert (status, errors) == (0, NOT_SCORED)
    return output


def change(name: str, old: str, new: str) -> None:
    path = Path(name)
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_both_summaries_by_default(capfd: pytest.CaptureFixture[str]) -> None:
    lines = scored(capfd).splitlines()
    assert lines[:3] == [
        "The term-weighted value is 0.0482 (ATWV); it would be 0.5556 at the best threshold, 0.700 "
        "(MTWV).",
        "",
        "Summary Report:",
    ]
    assert "Block Summary Report:" in lines
    # both tables have the same parameters, which are printed once, with the name of the system
    assert sum("TotTrials" in line for line in lines) == 1
    [title] = [line for line in lines if "System Title" in line]
    assert title.split("|")[2].strip() == "demo system"
    assert not any("Tresh" in line for line in lines)
    row = next(line for line in lines if line.startswith("|   Occurrence |"))
    assert row.split("|")[13].strip() == "0.5150"
    assert lines[-1].startswith("signature: kws|unit:occurrence|beta:999.9|")
    totals = next(line for line in lines if line.startswith("Summary  Totals"))
    assert totals.split("|")[2:6] == ["       5 ", "       3 ", "     1 ", "       2 "]


def test_the_tables_of_f4de_keep_its_words(capfd: pytest.CaptureFixture[str]) -> None:
    lines = scored(capfd, "--f4de").splitlines()
    assert lines[0] == "Summary Report: -"
    assert "Block Summary Report: -" in lines
    assert sum("TotTrials" in line for line in lines) == 2
    [title, _] = [line for line in lines if "System Title" in line]
    assert title.split("|")[2].strip() == "NA"
    assert any("Dec. Tresh " in line for line in lines)


def test_files_of_a_root(capfd: pytest.CaptureFixture[str]) -> None:
    Path("out").mkdir()
    reports = ["-o", "-b", "-O", "-B", "-c", "-d", "-D", "-Y", "bnews", "-Y", "talk:cts"]
    assert scored(capfd, *reports, "-y", "txt", "-y", "CSV", "-y", "html", "-f", "out/run1") == ""
    names = sorted(path.name for path in Path("out").iterdir())
    assert names == sorted(
        ["run1.alignment.csv", "run1.dets"]
        + [f"run1.{name}.{kind}" for name in ("sum", "bsum", "cond.sum", "cond.bsum")
           for kind in ("txt", "csv", "html")]
    )  # fmt: skip
    curves = sorted(path.name for path in Path("out/run1.dets").iterdir())
    assert curves == sorted(
        f"{name}{ending}"
        for name in ("sum.Occurrence", "cond.sum.bnews", "cond.sum.talk")
        for ending in (".dat.1", ".dat.2", ".isometriclines")
    )
    [row] = csv.DictReader(io.StringIO(Path("out/run1.sum.csv").read_text("utf-8")))
    assert row["Actual Decision TWV Analysis|TWV"] == "0.0482"
    rows = list(csv.reader(io.StringIO(Path("out/run1.bsum.csv").read_text("utf-8"))))
    assert rows[0][:2] == ["MasterKey", "MetaData|Text"]
    assert rows[-1][0] == "Summary|TWV"
    assert Path("out/run1.sum.html").read_text("utf-8").count("<table") == 4
    assert Path("out/run1.sum.txt").read_text("utf-8").startswith("|  Performance Summary")


@pytest.mark.parametrize(
    ("root", "name"), [("run1", "run1sum.txt"), ("./", "sum.txt"), ("./run1", "run1.sum.txt")]
)
def test_names_of_roots(capfd: pytest.CaptureFixture[str], root: str, name: str) -> None:
    scored(capfd, "-o", "-f", root)
    assert Path(name).exists()


def test_pages_have_the_frame_of_all_pages(capfd: pytest.CaptureFixture[str]) -> None:
    """They open with the value, and name what the tables for terminals shorten."""
    page = scored(capfd, "-y", "HTML", "--summary", "-f", "-", "--global-measure", "MAPpct")
    assert '<main class="blocks">' in page
    assert (
        '<p class="lead">The term-weighted value is 0.0482 (ATWV); it would be 0.5556 at the best '
        "threshold, 0.700 (MTWV).</p>"
    ) in page
    for text in ("P(miss)", "threshold (score)", "MAP (%)", "duration (s)", "Average precision"):
        assert text in page
    assert "Dec. T" not in page
    flags = ["-O", "-B", "-Y", "news:bnews", "-Y", "talk:cts", "-y", "HTML", "-f", "kws."]
    assert scored(capfd, *flags) == ""
    page = Path("kws.cond.bsum.html").read_text()
    leads = re.findall('<p class="lead">(.*?) term', page)
    assert leads == ["news: the", "talk: the"]
    assert re.findall("<h2>(.*?)</h2>", page) == ["news", "talk", "Parameters"]
    assert re.search("<td[^>]*>KW-001</td><td[^>]*>ferry</td>", page)


def test_pages_of_the_original_have_no_frame(capfd: pytest.CaptureFixture[str]) -> None:
    page = scored(capfd, "--f4de", "-y", "HTML", "--summary", "-f", "-")
    assert page.startswith("<html><head><meta charset='utf-8'></head><body>")


def test_the_alignment(capfd: pytest.CaptureFixture[str]) -> None:
    lines = scored(capfd, "-c").splitlines()
    assert lines[1] == "english,harbour,1,KW-001,ferry,11.500,11.9500,11.480,11.96,0.910,YES,CORR"
    outcomes = [line.rpartition(",")[2] for line in lines[1:]]
    assert outcomes == ["CORR", "MISS", "CORR", "FA", "CORR", "CORR!DET", "MISS"]


@pytest.mark.parametrize(
    "options", [[], ["--f4de", "-inc"], ["-g", "-G"], ["-w", "-P"]], ids=" ".join
)
def test_json_is_what_its_schema_says(
    capfd: pytest.CaptureFixture[str], options: list[str]
) -> None:
    value = json.loads(printed(capfd, *FILES, *options, "--json", "-"))
    schema = json.loads((ROOT / "resources/schemas/keyword-search-1.json").read_text("utf-8"))
    assert complaints(value, schema, schema) == []
    [system] = value["systems"]
    assert system["account"]["detection_count"] == 7
    assert [group["name"] for group in system["groups"]] == {
        "-G": ["HasTargets", "NoTargets"], "-w": ["IV", "OOV"],
    }.get(options[-1] if "-G" in options else options[0] if options else "", [])  # fmt: skip


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="no matplotlib")
def test_pictures(capfd: pytest.CaptureFixture[str]) -> None:
    scored(capfd, "-o", "-d", "--plots", "svg", "-f", "run", "-I", "me")
    assert sorted(path.name for path in Path("rundets").glob("*.svg")) == ["sum.svg"]
    assert b">me<" in Path("rundets/sum.svg").read_bytes()


def test_further_measures_and_less(capfd: pytest.CaptureFixture[str]) -> None:
    output = scored(
        capfd, "-o", "-zG", "Optimum", "-zG", "Supremum", "-zG", "MAP", "-zG", "MAPpct",
        "--no-counts", "-zincludeRowTotals", "-y", "CSV",
    )  # fmt: skip
    rows = list(csv.reader(io.StringIO(output)))
    assert not any("#" in name or name.startswith("Inputs") for name in rows[0])
    assert rows[0][-2:] == ["Global Measures|MAP", "Global Measures|MAP%"]
    assert rows[1][-2:] == ["0.64", "63.9"]
    assert [row[0] for row in rows[1:]] == [
        "Occurrence", "Count", "Mean", "StdDev", "-2SE", "+2SE",
    ]  # fmt: skip


def test_costs_and_modes(capfd: pytest.CaptureFixture[str]) -> None:
    output = scored(capfd, "-o", "-k", "0.5", "-K", "2", "-p", "0.01", "-n", "2", "--f4de", "-j")
    for key, value in (
        ("BETA", "24.75"), ("Cost", "0.5"), ("Ptarg", "0.01"), ("Value", "2"),
        ("TrialsPerSecond", "2"), ("TotTrials", "330"),
    ):  # fmt: skip
        assert any(line.split() == ["|", key, "|", value, "|"] for line in output.splitlines())


def test_segments_have_no_duration(capfd: pytest.CaptureFixture[str]) -> None:
    status, output, errors = told(capfd, *FILES, "-o", "-b", "-g")
    assert status == 0
    assert "TotDur" not in output
    assert "#Corr!Det" in output
    assert "references in the segment of another" not in errors


def test_the_older_name_of_the_systems_list(capfd: pytest.CaptureFixture[str]) -> None:
    old = ["-stdfile" if word == "--kwslist" else word for word in FILES]
    assert old != [*FILES]
    assert told(capfd, *old) == told(capfd, *FILES)


@pytest.mark.parametrize(("old", "ours"), table_of(__file__, "long_names_of_the_original"))
def test_long_names_of_the_original(
    capfd: pytest.CaptureFixture[str], old: list[str], ours: list[str]
) -> None:
    """-csv was -c and a list of the system's named v; -osummary-report named ummary-report."""
    assert scored(capfd, *old) == scored(capfd, *ours)
    inputs = ["kws", "-ecffile", "demo.ecf.xml", "--termfile", "demo.kwlist.xml", "-rttmfile"]
    inputs += ["demo.rttm", "--sysfile=demo.kwslist.xml", *old]
    assert told(capfd, *inputs) == told(capfd, *FILES, *ours)


@pytest.mark.parametrize(
    ("argument", "message"), table_of(__file__, "what_is_no_name_is_refused_by_name")
)
def test_what_is_no_name_is_refused_by_name(
    capfd: pytest.CaptureFixture[str], argument: str, message: str
) -> None:
    """-i was the beginning of -inc, with another ATWV."""
    assert message in refused(capfd, *FILES, argument)
    assert told(capfd, "kws", "check-kwslist", "-tdemo.kwlist.xml")[0] == 2


def test_options_of_the_original_that_change_nothing_say_so(
    capfd: pytest.CaptureFixture[str],
) -> None:
    status, output, errors = told(capfd, *FILES, "-o", "-a", "-X")
    assert (status, output) == (0, scored(capfd, "-o"))
    assert "warning: -a: the curve has all of its points" in errors
    assert "warning: -X: the XML is checked all the same" in errors


def test_statistics_of_one_row_are_those_of_the_original(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["-o", "--no-counts", "-zincludeRowTotals", "-y", "CSV"]
    rows = list(csv.reader(io.StringIO(scored(capfd, *arguments, "--f4de"))))
    columns = {row[0]: row[1:4] for row in rows[1:]}
    assert columns["Occurrence"] == ["0.00051", " 0.444", "0.0482"]
    assert columns["Count"] == ["1", "1", "1"]
    assert columns["StdDev"] == ["0.00000", "0.000", "0.0000"]
    assert columns["Mean"] == columns["-2SE"] == columns["+2SE"] == ["0.00051", "0.444", "0.0482"]
    rows = list(csv.reader(io.StringIO(scored(capfd, *arguments))))
    assert {row[0]: row[1] for row in rows}["StdDev"] == "NA"


def test_statistics_of_the_original_count_what_is_undefined(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Targets of 5 and 0, values of 0.0482 and NA."""
    arguments = ["-O", "-G", "-zinc", "-y", "CSV"]
    rows = list(csv.reader(io.StringIO(scored(capfd, *arguments, "--f4de"))))
    at = {name: place for place, name in enumerate(rows[0])}
    columns = {row[0]: row for row in rows[1:]}
    assert columns["NoTargets"][at["Actual Decision TWV Analysis|TWV"]] == "NA"
    value = at["Actual Decision TWV Analysis|TWV"]
    assert [columns[name][value] for name in ("Count", "Mean")] == ["2", "0.0241"]
    targets = at["Inputs|#Targ"]
    assert [columns[name][targets] for name in ("Count", "Mean", "StdDev")] == ["2", "2.5", "3.5"]
    assert columns["Mean"][at["Maximum TWV Analysis|Dec. Thresh"]] == "NaN"


def test_segments_begin_as_the_rttm_writes_it(capfd: pytest.CaptureFixture[str]) -> None:
    turns = re.findall(
        r"^SPEAKER (\S+) \S+ (\S+)", Path("demo.rttm").read_text("utf-8"), re.MULTILINE
    )
    assert any(begin.endswith("0") for _, begin in turns)
    status, output, _ = told(capfd, *FILES, "-g", "-c", "--f4de")
    rows = [line.split(",") for line in output.splitlines()[1:]]
    assert status == 0
    assert {(row[1], row[5]) for row in rows if row[5]} <= set(turns)


def test_only_some_audio(capfd: pytest.CaptureFixture[str]) -> None:
    status, output, errors = told(capfd, *FILES, "-o", "-N", "KITCHEN/1")
    assert status == 0
    assert "             300 |" in output
    assert errors == (
        "scoring: warning: not scored: detections of a file or channel without excerpt: 3\n"
        "scoring: warning: not scored: references that no excerpt, or segment, holds entirely: 3\n"
        "scoring: warning: not scored: excerpts that are not chosen: 1\n"
    )


def test_no_groups_no_conditional_report(capfd: pytest.CaptureFixture[str]) -> None:
    status, output, errors = told(capfd, *FILES, "-O", "-Y", "confmtg")
    assert (status, output) == (0, "")
    assert errors.splitlines()[1:] == [
        "scoring: warning: No ECF segments available for group : confmtg, (group duration is 0)",
        "scoring: warning: No Conditional Summary Report will be generated.  "
        "No conditional DET Curves found",
    ]


def test_chinese_files(capfd: pytest.CaptureFixture[str]) -> None:
    change("demo.kwlist.xml", 'encoding="UTF-8"', 'encoding="gb2312"')
    change("demo.kwlist.xml", "saffron", "对症")
    text = Path("demo.kwlist.xml").read_text("utf-8")
    data = '<?xml version="1.0" encoding="gb2312"?>\n' + text
    Path("demo.kwlist.xml").write_bytes(data.encode("gb2312"))
    rttm = Path("demo.rttm").read_text("utf-8") + "LEXEME kitchen 1 90 0.6 对症 lex bob <NA>\n"
    Path("demo.rttm").write_bytes(rttm.encode("gb2312"))
    output = scored(capfd, "-b", "-x", "charsplit", "-x", "notASCII")
    row = next(line for line in output.splitlines() if "KW-004" in line)
    assert row.split("|")[1:3] == ["                 对 症 ", "       1 "]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    table_of(__file__, "bad_files"),
)  # fmt: skip
def test_bad_files(
    capfd: pytest.CaptureFixture[str], name: str, old: str, new: str, message: str
) -> None:
    change(name, old, new)
    assert refused(capfd, *FILES, "-f", "out", "-o").startswith(f"scoring: error: {message}")
    assert list(Path().glob("out*")) == []


@pytest.mark.parametrize("options", [[], ["--f4de", "--inconsistent-decisions", "warn"]])
def test_contradicting_decisions_are_scored_with_a_warning(
    options: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    change("demo.kwslist.xml", 'score="0.910" decision="YES"', 'score="0.910" decision="NO"')
    status, output, errors = told(capfd, *FILES, "-o", *options)
    assert status == 0
    fields = {"no": "KW-001", "most_no": "0.910", "yes": "KW-001", "least_yes": "0.610"}
    assert message_text(DECISIONS_WITHOUT_THRESHOLD, name="Occurrence", **fields) in errors
    assert output.splitlines()[-1].split("|")[13].strip() == "NA"


def test_the_rules_of_f4de_read_ten_fields_and_its_program_nine(
    capfd: pytest.CaptureFixture[str],
) -> None:
    status, expected, _ = told(capfd, *FILES, "--f4de")
    assert status == 0
    lines = Path("demo.rttm").read_text("utf-8").splitlines()
    longer = [f"{line} <NA>" for line in lines if not line.startswith(";;")]
    Path("demo.rttm").write_text("".join(f"{line}\n" for line in longer), "utf-8")
    assert told(capfd, *FILES, "--f4de")[:2] == (0, expected)
    status, _, errors = told(capfd, *FILES, "--f4de", AS_PROGRAM)
    assert status != 0
    assert "expected 9 fields" in errors


def test_contradicting_decisions_are_rejected_on_request(capfd: pytest.CaptureFixture[str]) -> None:
    """The message has the file, both keywords and the option, also for one of two systems."""
    text = Path("demo.kwslist.xml").read_text("utf-8")
    wrong = text.replace('score="0.910" decision="YES"', 'score="0.910" decision="NO"')
    Path("wrong.xml").write_text(wrong, "utf-8")
    fields = {"no": "KW-001", "most_no": "0.910", "yes": "KW-001", "least_yes": "0.610"}
    expected = message_text(CONTRADICTING_DECISIONS, path="wrong.xml", **fields)
    assert "--inconsistent-decisions warn" in expected
    for files in ([*FILES, "wrong.xml"], [*FILES[:-1], "wrong.xml"]):
        errors = refused(capfd, *files, "--inconsistent-decisions", "error")
        assert expected in errors
        assert "u000a" not in errors
    # the rules of F4DE keep its text
    assert "Error: Insconsistent NO/YES" in refused(capfd, *FILES[:-1], "wrong.xml", "--f4de")


def test_help_begins_as_that_of_other_commands(capfd: pytest.CaptureFixture[str]) -> None:
    _, output, _ = told(capfd, "kws", "--help")
    lines = output.splitlines()
    assert lines[0] == "usage: scoring kws [options] ECF KWLIST RTTM KWSLIST [KWSLIST ...]"
    assert lines[1] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    table_of(__file__, "wrong_usage"),
)  # fmt: skip
def test_wrong_usage(capfd: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert message in refused(capfd, *FILES, *arguments)


@pytest.mark.parametrize("number", [2, 4, 6, 8])
def test_missing_files(capfd: pytest.CaptureFixture[str], number: int) -> None:
    arguments = [*FILES]
    arguments[number] = "none"
    errors = refused(capfd, *arguments)
    assert errors == "scoring: error: none: expected a readable file, found no such file\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("demo.ecf.xml", "demo.ecf.xml:1: expected an element ecf, found an empty file"),
        ("demo.kwlist.xml", "demo.kwlist.xml:1: expected an element kwlist, found an empty file"),
        ("demo.kwslist.xml", "demo.kwslist.xml:1: expected an element kwslist, found an empty file"),
    ],
)  # fmt: skip
def test_empty_files(capfd: pytest.CaptureFixture[str], name: str, message: str) -> None:
    Path(name).write_bytes(b"")
    assert told(capfd, *FILES) == (2, "", f"scoring: error: {message}\n")


def test_nothing_spoken_and_nothing_found(capfd: pytest.CaptureFixture[str]) -> None:
    Path("demo.rttm").write_bytes(b"")
    Path("demo.kwslist.xml").write_text(
        '<kwslist kwlist_filename="" language="" system_id=""/>', "utf-8"
    )
    errors = refused(capfd, *FILES, "-o", "-y", "CSV")
    path = "demo.rttm: keywords of demo.kwlist.xml"
    assert message_text(NOTHING_SCORED, path=path) in errors
    assert told(capfd, *FILES, "--f4de")[0] == 0
    status, output, errors = told(capfd, *FILES, "-o", "-y", "CSV", "--allow-empty")
    empty = remark_line(EMPTY, file="demo.rttm")
    assert (status, errors) == (0, f"scoring: {as_printed(empty)}\n")
    assert output.splitlines()[1] == (
        '"Occurrence","0","0","0","0","0","0","0","NA","NA","NA","NA","NA","NA","NA","NaN"'
    )


def test_numbers_out_of_range_and_folders_that_are_not_there(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert told(capfd, *FILES, "-k", "0")[::2] == (
        2,
        "scoring: error: expected a cost above 0, found 0\n",
    )
    status, _, errors = told(capfd, *FILES, "-o", "-f", "missing/run")
    assert status == 2
    assert "missing/run.sum.txt: cannot be written" in errors


def test_a_prefilter_alone_does_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    _, _, errors = told(capfd, *FILES, "-o", "-x", "notASCII")
    assert "--prefilter notascii does nothing without charsplit" in errors


def test_standard_input_and_gzip() -> None:
    import gzip

    Path("demo.rttm.gz").write_bytes(gzip.compress(Path("demo.rttm").read_bytes()))
    arguments = [*FILES[:6], "demo.rttm.gz", "--kwslist", "-", "-c"]
    done = python("-m scoring", *arguments, input=Path("demo.kwslist.xml").read_bytes(), check=True)
    assert len(done.stdout.splitlines()) == 8


def test_check_kwslist(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["kws", "check-kwslist", *FILES[1:5], "-s", "demo.kwslist.xml"]
    status, output, _ = told(capfd, *arguments)
    assert status == 2
    assert output.splitlines() == [
        "ERROR - KWS detected term ID 'KW-004' (File 'harbour', Channel '1', Begin time '359.800', "
        "duration '0.500') not defined in the ECF.",
        "ERROR - ID 'KW-003' defined in the Term List but absent in KWS file.",
        "'demo.kwslist.xml' does not validate due to 2 error(s) and 0 warning(s)!",
        "Check above for details!",
    ]
    status, output, _ = told(capfd, *arguments, "--AllowMissingTerms", "-o", "purged.xml")
    assert status == 1
    assert Path("purged.xml").read_text("utf-8").count("<kw ") == 6
    arguments[-1] = "purged.xml"
    output = printed(capfd, *arguments, "--allow-missing", "-o", "/////")
    assert output.startswith("'purged.xml' validates!\n<kwslist ")


def test_kwseval_takes_beginnings_of_long_names(capfd: pytest.CaptureFixture[str]) -> None:
    full = ["-e", "demo.ecf.xml", "--termfile", "demo.kwlist.xml", "-rttmfile", "demo.rttm"]
    full += ["--sysfile", "demo.kwslist.xml", "-f", "-", "-o"]
    words = ["--ecf", "demo.ecf.xml", "-t=demo.kwlist.xml", "--rttm", "demo.rttm", "--sys"]
    words += ["demo.kwslist.xml", "-file", "-", "--osum"]
    assert main(["kws", "--f4de", *full, "--no-counts"]) == 0
    _, expected = capfd.readouterr().out.split("Summary Report: -\n")
    short = ["-e", "demo.ecf.xml", "-r", "demo.rttm", "-s", "demo.kwslist.xml", "-o", "-", "-t"]
    for line in (words, [*short, "demo.kwlist.xml"]):
        assert kwseval([*line, "--ExcludeCounts"]) == 0
        messages, table = capfd.readouterr().out.split("Summary Report: -\n")
        assert table == expected != ""
        assert messages == (
            "Loading ECF demo.ecf.xml\nLoading KWSList File demo.kwslist.xml\n"
            "Loading KWList File demo.kwlist.xml\nLoading RTTM File demo.rttm\n"
            "Performing Occurrence Alignment\nComputing requested DET curves and reports\n"
        )
    assert kwseval([*words, "--Exclude"]) == 2
    assert capfd.readouterr().err == (
        "scoring: error: KWSEval: option --Exclude is ambiguous "
        "(ExcludeCountsFromReports, ExcludePNGFileFromTxtTable)\n"
    )
    assert kwseval([*words, "--NoSuchOption", "its value"]) == 2
    assert "unrecognized arguments: --NoSuchOption" in capfd.readouterr().err


def test_kwseval_takes_options_of_ours_and_stops_at_two_dashes(
    capfd: pytest.CaptureFixture[str],
) -> None:
    short = ["-e", "demo.ecf.xml", "-r", "demo.rttm", "-s", "demo.kwslist.xml"]
    line = [*short, "--kwlist", "demo.kwlist.xml", "-k", "0.10", "--", "-NoSuchOption"]
    assert kwseval(line) == 0
    output = capfd.readouterr().out
    assert "Cost |             0.10 |" in output
    assert "signature" not in output


@pytest.mark.parametrize(
    "order",
    [
        ["demo.rttm", "demo.kwslist.xml", "demo.ecf.xml", "demo.kwlist.xml"],
        ["demo.kwslist.xml", "--ecf", "demo.ecf.xml", "demo.kwlist.xml", "demo.rttm"],
        # no format is sure of a file in this encoding, and only the RTTM is lacking
        ["demo.kwslist.xml", "demo.kwlist.xml", "l1.rttm", "demo.ecf.xml", "--rttm-encoding=l1"],
    ],
)
def test_files_are_given_in_any_order(capfd: pytest.CaptureFixture[str], order: list[str]) -> None:
    Path("l1.rttm").write_bytes(b";; caf\xe9\n" + Path("demo.rttm").read_bytes())
    expected = scored(capfd)
    assert told(capfd, "kws", *order) == (0, expected, NOT_SCORED)


def test_two_files_of_one_kind_are_a_usage_error(capfd: pytest.CaptureFixture[str]) -> None:
    Path("other.ecf.xml").write_bytes(Path("demo.ecf.xml").read_bytes())
    status, _, errors = told(
        capfd, "kws", "demo.ecf.xml", "demo.rttm", "other.ecf.xml", "demo.kwslist.xml"
    )
    assert status == 2
    assert "other.ecf.xml: expected kwlist or kwslist, found ecf as in demo.ecf.xml" in errors
    Path("second.ctm").write_text("talk 1 0.00 0.50 hello\ntalk 1 0.60 0.40 there\n")
    status, _, errors = told(
        capfd, "kws", "demo.ecf.xml", "demo.rttm", "second.ctm", "demo.kwslist.xml"
    )
    assert status == 2
    assert "second.ctm: expected kwlist or kwslist, found ctm, with spoken words as in" in errors


def cells_of(page: str, label: str) -> list[str]:
    """The cells of the first row of a table with a cell of this text."""
    rows = re.findall("<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    cells = (re.sub("<(?!/td)[^>]*>", "", row).split("</td>") for row in rows)
    return next(row for row in cells if label in row)


def test_the_page_has_the_numbers_of_the_reports(capfd: pytest.CaptureFixture[str]) -> None:
    lines = scored(capfd, "--html", "kws.html", "-Y", "bnews").splitlines()
    page = Path("kws.html").read_text("utf-8")
    summary = next(line for line in lines if line.startswith("|   Occurrence |")).split("|")
    overall = cells_of(page, "all keywords")
    assert overall[7:9] == [cell.strip() for cell in summary[2:4]]
    atwv, threshold, mtwv, best = (summary[at].strip() for at in (12, 13, 16, 17))
    assert [float(x) for x in overall[1:5]] == [float(x) for x in (atwv, threshold, mtwv, best)]
    group = next(line for line in lines if line.startswith("|   bnews |")).split("|")
    assert cells_of(page, "bnews")[7:9] == [cell.strip() for cell in group[2:4]]
    row = next(line for line in lines if line.startswith("Keyword  KW-001")).split("|")
    targets, correct, false_alarms, misses, value, p_fa, p_miss = (x.strip() for x in row[2:9])
    assert cells_of(page, "KW-001")[2:9] == [
        *(value, targets, correct, misses, false_alarms, p_miss, p_fa)
    ]
    for text in (f"ATWV {atwv}", f"MTWV {mtwv} at {best}", "OTWV", "STWV", "DET curve"):
        assert text in page
    titles = re.findall("<path[^>]*><title>(.*?)</title>", page)
    assert len(titles) == len(scored(capfd, "-c").splitlines()) - 1
    assert "ferry (KW-001): false alarm, 200.000 s, score 0.610" in titles
    assert "<p>Signature: <code>kws|unit:occurrence|" in page


def test_curves_are_within_axes_that_fit_them(capfd: pytest.CaptureFixture[str]) -> None:
    """The legend explains each mark, so that no label can cover a curve or another label."""
    assert told(capfd, *FILES, "--html", "kws.html")[0] == 0
    page = Path("kws.html").read_text("utf-8")
    charts = re.findall('(?s)<svg class="chart search".*?</svg>', page)[:2]
    ticks = [re.findall('<text class="tick[^>]*>([^<]*)<', chart) for chart in charts]
    # neither rates of false alarms above 1 % nor values below -0.5 occur in the demo
    assert ticks[0][:5] == ["0.0001", "0.001", "0.01", "0.1", "1"]
    assert ticks[1][:4] == ["-0.5", "0", "0.5", "1"]
    legends = re.findall('(?s)<ul class="legend">.*?</ul>', page)
    for chart, text in zip(charts, legends, strict=False):
        marks = re.findall(r'class="mark (?:open )?(system\d)"', chart)
        assert sorted(marks) == re.findall(r'class="mark (system\d)"', text)
        drawn = re.findall(
            r'class="mark (open )?system\d" transform="translate\(([^)]*)\) scale\(([^)]*)\)',
            chart,
        )
        for _, place, _ in drawn:
            sizes = [float(other[2]) for other in drawn if other[1] == place]
            assert len({*sizes}) == len(sizes), "marks in one place surround each other"
        for x, y in re.findall(r"(\d+\.\d),(\d+\.\d)", chart):
            assert 80 <= float(x) <= 624, (x, y)
            assert 14 <= float(y) <= 414, (x, y)


def test_bars_below_the_lowest_value_have_points_and_marks_fill_the_time() -> None:
    bars = [value_bar(value) for value in (-16.6754, -1.0, -0.5, 0.5)]
    assert ["<polygon" in bar for bar in bars] == [True, False, False, False]
    assert 'x="25.0" width="25.0"' in bars[2]
    change("demo.ecf.xml", 'dur="30', 'dur="930')
    assert main([*FILES, "--html", "kws.html"]) == 0
    page = Path("kws.html").read_text("utf-8")
    marks = re.findall(r'<svg x="([\d.]+)%" y="[\d.]+"><path class="outcome', page)
    assert max(map(float, marks)) > 90
    assert re.search(r"The audio lasts until \d+ s\.", page)
    assert ("below -1." in page) == ("<polygon" in page)


@pytest.mark.parametrize(
    ("file", "pattern", "texts"),
    [
        (
            "demo.kwslist.xml",
            "(?s)<kw file.*?/>",
            ["no keyword with a reference has a detection", "at no threshold (MTWV)"],
        ),
        ("demo.rttm", "(?m)^LEXEME.*\n", ["no keyword has a reference", "the value is undefined"]),
        ("demo.kwlist.xml", "(?s)<kw .*</kw>", ["The list has no keyword", "neither a scored"]),
    ],
)
def test_pages_of_nothing(
    capfd: pytest.CaptureFixture[str], file: str, pattern: str, texts: list[str]
) -> None:
    path = Path(file)
    path.write_text(re.sub(pattern, "", path.read_text("utf-8")), "utf-8")
    if file == "demo.kwlist.xml":
        detected = Path("demo.kwslist.xml")
        text = re.sub("(?s)<detected.*</detected_kwlist>", "", detected.read_text("utf-8"))
        detected.write_text(text, "utf-8")
    status, _, _ = told(capfd, *FILES, "--allow-empty", "--html", "-")
    assert status == 0
    assert told(capfd, *FILES, "--allow-empty", "--html", "kws.html")[0] == 0
    page = Path("kws.html").read_text("utf-8")
    for text in texts:
        assert text in page
    assert "nan" not in page.partition("<main")[2].partition("<script")[0].lower()


def test_too_few_files_name_the_missing_kind(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["kws", "demo.rttm", "demo.ecf.xml", "demo.kwlist.xml"]) == 2
    missing = "found 3; missing: KWSLIST (what the system found)\n"
    assert missing in capfd.readouterr().err
    # a file of no kind may be the missing file
    Path("notes.txt").write_text("hello\n", "utf-8")
    assert main(["kws", "notes.txt", "demo.ecf.xml", "demo.kwlist.xml"]) == 2
    assert "found 3\n" in capfd.readouterr().err


def test_several_systems_are_compared(capfd: pytest.CaptureFixture[str]) -> None:
    name = "second.kwslist.xml"
    text = Path("demo.kwslist.xml").read_text("utf-8")
    Path(name).write_text(text.replace('decision="YES"', 'decision="NO"'), "utf-8")
    arguments = [*FILES, name, "--html", "page.html"]
    status, output, _ = told(capfd, *arguments)
    assert status == 0
    lines = output.splitlines()
    expected = "demo.kwslist.xml has the highest term-weighted value, 0.0482 (ATWV)"
    assert lines[0].startswith(expected)
    assert lines[0].endswith("p = 1.0000: the difference may be chance)")
    assert re.search(r"against the best system, all (\d+) exchanges, ", lines[1])
    assert "--html" not in output
    heading = next(number for number, line in enumerate(lines) if line.startswith("system "))
    rows = [line.split() for line in lines[heading + 1 : heading + 3]]
    assert [row[:2] for row in rows] == [["demo.kwslist.xml", "0.0482"], [name, "0.0000"]]
    # of two systems, the difference has a sign
    keywords = next(number for number, line in enumerate(lines) if line.startswith("keyword "))
    assert lines[keywords].split()[-4:] == [name, "second", "−", "first"]
    first, second, difference = map(float, lines[keywords + 1].split()[-3:])
    assert difference == pytest.approx(second - first, abs=1e-4)
    page, systems = Path("page.html").read_text("utf-8"), ("demo.kwslist.xml", name)
    colour = "better" if difference > 0 else "worse"
    assert re.search(f'<td class="[^"]*{colour}[^"]*">[^<]*{difference:+.4f}', page)
    chart, legend, *_ = re.findall(
        '(?s)<svg class="chart.*?</svg>|<ul class="legend">.*?</ul>', page
    )
    # names are in the legend only, where they cannot cover a curve
    assert "xml" not in chart
    for number, (item, system) in enumerate(
        zip(re.findall("(?s)<li>.*?</li>", legend), systems, strict=False)
    ):
        assert f'<polyline class="line system{number}"' in chart
        assert f'<path class="line system{number}"' in item
        assert f'<path class="mark system{number}"' in item
        assert f"{system}: ATWV" in item


def test_the_option_for_a_page_is_named_if_it_was_not_given(
    capfd: pytest.CaptureFixture[str],
) -> None:
    second = Path("second.kwslist.xml")
    second.write_bytes(Path("demo.kwslist.xml").read_bytes())
    assert "--html FILE" in told(capfd, *FILES, str(second))[1]
    assert "--html FILE" not in told(capfd, *FILES, str(second), "--html", "page.html")[1]


def test_a_file_that_ends_inside_a_tag(capfd: pytest.CaptureFixture[str]) -> None:
    path = Path("demo.kwslist.xml")
    text = path.read_text("utf-8")
    end = text.index("channel=") + len("channel=")
    for cut, entry in (
        (text[:end], XML_REASONS[XML_CUT]),
        (text[:end] + text[end + 1 :], XML_REASONS[39]),
    ):
        path.write_text(cut, "utf-8")
        status, _, errors = told(capfd, *FILES)
        assert status == 2
        assert message_text(entry) in errors


def test_systems_have_the_names_in_their_files(capfd: pytest.CaptureFixture[str]) -> None:
    text = Path("demo.kwslist.xml").read_text("utf-8")
    Path("b.kwslist.xml").write_text(
        re.sub('system_id="[^"]*"', 'system_id="second"', text), "utf-8"
    )
    _, output, _ = told(capfd, *FILES, "b.kwslist.xml")
    [first] = re.findall('system_id="([^"]*)"', text)
    assert output.startswith(f"{first} and second have the highest term-weighted value")


def test_several_systems_are_written_as_json(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has the numbers that it has alone; the keywords and spoken words are read once."""
    text = Path("demo.kwslist.xml").read_text("utf-8")
    changed = text.replace('decision="YES"', 'decision="NO"', 3).replace("demo", "second", 1)
    Path("b.kwslist.xml").write_text(changed, "utf-8")
    flags = ["--json"]
    documents = []
    for number, files in enumerate([FILES, [*FILES[:-1], "b.kwslist.xml"]]):
        assert told(capfd, *files, *flags, f"{number}.json")[0] == 0
        documents.append(json.loads(Path(f"{number}.json").read_text()))
    read: list[object] = []
    for name in ("read_ecf", "read_kwlist", "read_rttm"):
        original = getattr(kws, name)

        def counted(*values: object, original: Any = original) -> object:
            read.append(original)
            return original(*values)

        monkeypatch.setattr(kws, name, counted)
    status, _, _ = told(capfd, *FILES, "b.kwslist.xml", *flags, "both.json")
    assert (status, len(read)) == (0, 3)
    systems = check(Path("both.json"), "keyword-search-1.json")["systems"]
    assert [row["overall"] for row in systems] == [
        row["systems"][0]["overall"] for row in documents
    ]
    values = [row["overall"]["actual"]["twv"] for row in systems]
    best = values.index(max(values))
    assert systems[best]["p_value"] is None
    columns = [
        [keyword["twv"] for keyword in row["overall"]["keywords"] if keyword["evaluated"]]
        for row in systems
    ]
    pairs = [pair for pair in zip(*columns, strict=True) if None not in pair]
    expected = exact_p_value([left - right for left, right in pairs])
    assert systems[1 - best]["p_value"] == pytest.approx(expected)


def test_several_systems_are_printed_as_csv(capfd: pytest.CaptureFixture[str]) -> None:
    text = Path("demo.kwslist.xml").read_text("utf-8")
    Path("b.kwslist.xml").write_text(text.replace('decision="YES"', 'decision="NO"'), "utf-8")
    status, output, _ = told(capfd, *FILES, "b.kwslist.xml", "--report-type", "CSV")
    rows = list(csv.DictReader(output.splitlines()))
    assert (status, len({row["system"] for row in rows})) == (0, 2)
    assert told(capfd, *FILES, "b.kwslist.xml", "--json", "both.json")[0] == 0
    systems = json.loads(Path("both.json").read_text())["systems"]
    expected = [
        keyword["twv"]
        for system in systems
        for keyword in system["overall"]["keywords"]
        if keyword["evaluated"]
    ]
    assert [float(row["value"]) for row in rows] == expected
    half = len(rows) // 2
    assert all(row["hits"] == "0" and row["misses"] == row["references"] for row in rows[half:])
    assert told(capfd, *FILES, "b.kwslist.xml", "--report-type", "HTML")[0] == 2


def exact_p_value(differences: list[float]) -> float:
    """The share of all exchanges of signs whose sum is at least as far from 0."""
    sums = [
        abs(sum(sign * number for sign, number in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(number >= abs(sum(differences)) - 1e-12 for number in sums) / len(sums)


@pytest.mark.parametrize("option", ["--alignment", "--by-targets"])
def test_reports_of_one_system_need_one_file(
    capfd: pytest.CaptureFixture[str], option: str
) -> None:
    Path("b.kwslist.xml").write_bytes(Path("demo.kwslist.xml").read_bytes())
    status, _, errors = told(capfd, *FILES, "b.kwslist.xml", option)
    assert status == 2
    assert f"{option}: expected one file of detections, found several" in errors


def test_words_out_of_order_name_the_file_of_the_words_and_the_first_line(
    current_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Several systems share the words, so the warning is of no system."""
    lines = Path("demo.rttm").read_text().splitlines()
    words = [number for number, line in enumerate(lines) if line.startswith("LEXEME")]
    first, second = next(
        pair
        for pair in pairwise(words)
        if [lines[n].split()[7] for n in pair] == [lines[pair[0]].split()[7]] * 2
    )
    lines[first], lines[second] = lines[second], lines[first]
    Path("late.rttm").write_text("\n".join(lines) + "\n")
    files = ["late.rttm" if name == "demo.rttm" else name for name in FILES]
    for systems in ([], [FILES[-1]]):
        _, _, errors = told(capfd, *files, *systems)
        [line] = [line for line in errors.splitlines() if "order" in line or "sorted" in line]
        assert line.startswith(f"scoring: warning: late.rttm:{second + 1}: ")
        assert line.endswith(": 1")


def test_records_of_two_systems_are_compared_by_the_values_of_keywords(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A keyword that nobody says is no unit."""
    assert told(capfd, *FILES, "--json", "old.json")[0] == 0
    change("demo.kwslist.xml", 'score="0.610" decision="YES"', 'score="0.610" decision="NO"')
    assert told(capfd, *FILES, "--json", "new.json")[0] == 0
    evaluated = [
        row
        for row in json.loads(Path("new.json").read_text())["systems"][0]["overall"]["keywords"]
        if row["evaluated"]
    ]
    _, output, _ = told(capfd, "compare", "old.json", "new.json")
    assert f"{len(evaluated)} keywords; 0 keywords worse, 1 better" in output
    assert "wrong keywords" not in output
    lines = output.splitlines()
    assert "keyword  baseline     new  change of value (TWV)" in lines
    [row] = [line.split() for line in lines if line.startswith("KW-001 ")]
    old, new = map(float, row[1:3])
    value = next(each["twv"] for each in evaluated if each["keyword"] == "KW-001")
    assert (new, float(row[3])) == pytest.approx((value, new - old), abs=1e-4)
    assert row[3].startswith("+")
    # the one false alarm of the old system is a fraction, the new system has none: all count
    [change_row] = [line for line in lines if line.startswith("change of the actual")]
    assert float(change_row.split(": ")[1].split(",")[0]) == pytest.approx(
        (new - old) / 3, abs=1e-4
    )

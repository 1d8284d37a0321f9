"""`scoring gate`: several sets, one verdict; accepted runs; errors with their place."""

import json
import re
import shlex
import shutil
from collections.abc import Collection
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scoring.cli.messages import NO_SPEAKERS
from scoring.cli.scoring import main
from scoring.stats.paired_tests import holm
from tests.each_case import each_case
from tests.remarks import says
from tests.terminal import needs_terminal, on_a_terminal

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
SUITE = """\
history = "runs.db"
[defaults]
reference = "reference.trn"
fail-if-significant = true
by = "speaker"
replications = 500
[sets.talks]
hypothesis = "improved.trn"
fail-group-increase = "speaker=anna: 1pt"
[sets.others]
hypothesis = "{set}.trn"
normalize = ["casefold"]
"""


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo in the current folder, with a suite of two sets whose baselines are accepted runs."""
    shutil.copytree(DEMO, tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo")
    shutil.copy("baseline.trn", "others.trn")
    Path("s.toml").write_text(SUITE)
    return tmp_path / "demo"


def gate(*words: str) -> tuple[int, dict[str, dict[str, object]]]:
    status = main(["gate", *words, "--json", "out.json"])
    sets = json.loads(Path("out.json").read_text("utf-8"))["sets"]
    return status, {each["set"]: each for each in sets}


def accept(*words: str) -> int:
    return main(["gate", "accept", "s.toml", "--author", "Ann", "--reason", "read", *words])


@each_case(
    "text",
    ["", "max-wer = 10\n", '[sets]\nbaseline = "a.trn"\n', "the cat (anna-1)\n", '{"sets": 1}\n'],
)
def test_a_file_without_sets_gets_an_example(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text)
    assert main(["gate", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"scoring: error: {path}:")
    assert "[sets.NAME]" in error
    assert 'fail-increase = "5%"' in error


def test_files_without_a_suite_are_for_compare(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "ref.trn", "old.trn", "new.trn"]) == 2
    assert "scoring compare REF BASELINE NEW" in capsys.readouterr().err


def test_the_demo_has_one_verdict_over_three_sets(
    demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["--junit", "out.xml", "--html", "out.html", "--markdown", "out.md"]
    status, sets = gate("suite.toml", *files, "--summary-json", "out.line")
    assert status == 3
    assert {name: each["outcome"] for name, each in sets.items()} == {
        "talks": "PASS",
        "phone": "FAIL",
        "museum": "UNDECIDED",
    }
    alone = [each["p_value"] for each in sets.values()]
    assert [each["adjusted_p_value"] for each in sets.values()] == holm(alone)  # type: ignore[arg-type]
    tree = ElementTree.parse("out.xml").getroot()
    assert [suite.attrib["name"] for suite in tree] == ["talks", "phone", "museum"]
    assert tree.attrib["failures"] == "1"
    cases = [case.attrib["name"] for case in tree.iter("testcase")]
    assert {"speaker anna", "speaker dan", "fail if significant"} <= {*cases}
    assert "| phone | 14.01 | 16.49 | +2.48 |" in Path("out.md").read_text("utf-8")
    page = Path("out.html").read_text("utf-8")
    links = re.findall(r'<a href="#(set-\d+)">', page)
    assert len(links) == len(set(links)) > 0
    assert all(f'<h2 id="{link}">' in page for link in links)
    assert "museum-1-0006" in page
    # the first section has the verdict, the failures and the table; most of each set is folded
    first = page.partition("</section>")[0]
    assert first.index("FAIL phone: fail if significant") < first.index("<table")
    headings = re.findall(r"<h2[^>]*>(talks|phone|museum)</h2>", page)
    assert headings == ["phone", "museum", "talks"], "the worst outcome first"
    assert "<summary>Worse</summary>" in page
    assert page.count("<details") == page.count("</details>")
    assert "<h3>Where the change comes from</h3>" in page
    line = json.loads(Path("out.line").read_text("utf-8"))
    assert (line["passed"], line["task"]) == (False, "suite")
    output = capsys.readouterr().out
    assert "The suite fails in 1 of 3 sets: phone; undecided: museum\n" in output
    assert "(p-values corrected for 3 sets by Holm's method)" in output
    assert gate("suite.toml", "--only", "talks")[0] == 0


def test_groups_by_speaker_without_speakers_get_the_hint_of_wer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a comparison and of a suite; and a suite that fails names the option of the page."""
    monkeypatch.chdir(tmp_path)
    for name, word in (("ref", "bell"), ("old", "bell"), ("new", "ball")):
        lines = [f"u{number} the ferry rang its {word}\n" for number in range(9)]
        Path(f"{name}.txt").write_text("".join(lines))
    options = ["--by", "speaker", "--utt2spk", "speakers"]
    assert main(["compare", "ref.txt", "old.txt", "new.txt", *options[:2]]) == 0
    assert says(capsys.readouterr().err, NO_SPEAKERS, path="ref.txt")
    Path("speakers").write_text("".join(f"u{number} ann\n" for number in range(9)))
    assert main(["compare", "ref.txt", "old.txt", "new.txt", *options]) == 0
    assert NO_SPEAKERS.code not in capsys.readouterr().err
    case = 'reference = "ref.txt"\nbaseline = "old.txt"\nhypothesis = "new.txt"\nby = "speaker"\n'
    Path("s.toml").write_text(f"[sets.quay]\n{case}fail-increase = '5pt'\n")
    page = "the utterances of each set, as a page: --html FILE"
    assert main(["gate", "s.toml"]) == 3
    output, errors = capsys.readouterr()
    assert says(errors, NO_SPEAKERS, path="ref.txt")
    assert page in output
    assert main(["gate", "s.toml", "--html", "page.html"]) == 3
    assert page not in capsys.readouterr().out


def test_a_set_means_what_compare_means(demo: Path) -> None:
    status, sets = gate("suite.toml", "--only", "museum")
    assert status == 0
    options = [
        word for name in ("plain", "contractions", "numbers") for word in ("--normalize", name)
    ]
    sides = ["museum.srt", "museum_v1.json", "museum_v2.json"]
    assert main(["compare", *sides, *options, "--summary-json", "one.json"]) == 0
    single = json.loads(Path("one.json").read_text("utf-8"))
    for name in ("baseline_value", "new_value", "change", "interval", "p_value", "signature"):
        assert sets["museum"][name] == single[name]


@pytest.mark.parametrize("has_history", [False, True])
def test_a_set_without_an_accepted_run_names_the_command_that_accepts_one(
    has_history: bool, demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = Path("all sets.toml")
    suite.write_text(SUITE)
    if has_history:  # with a run that nobody has accepted
        tags = ["--tag", "set=talks", "--record", "runs.db"]
        assert main(["wer", "reference.trn", "baseline.trn", *tags]) == 0
    assert gate(str(suite))[0] == 2
    commands = re.findall(r"`scoring (gate accept .*?)`", capsys.readouterr().out)
    assert {shlex.split(words)[4] for words in commands} == {"talks", "others"}
    for words in commands:
        assert main(shlex.split(words)) == 0
    assert gate(str(suite))[0] == 0


def test_baselines_are_runs_that_a_person_accepted(demo: Path) -> None:
    assert gate("s.toml")[0] == 2  # nothing is accepted yet
    assert main(["gate", "accept", "s.toml", "--author", "Ann"]) == 2
    assert accept() == 0
    assert gate("s.toml")[0] == 0
    # a run that nobody accepted is no baseline
    tags = ["--tag", "set=talks", "--record", "runs.db"]
    assert main(["wer", "reference.trn", "baseline.trn", *tags]) == 0
    shutil.copy("baseline.trn", "improved.trn")
    status, sets = gate("s.toml")
    assert (status, sets["talks"]["outcome"], sets["others"]["outcome"]) == (3, "FAIL", "PASS")
    assert accept("--only", "talks") == 0
    assert gate("s.toml")[0] == 0
    from scoring.regression.history import History

    with History("runs.db") as history:
        run = history.runs({"set": "talks", "pinned": "yes"})[-1]
    assert (run.tags["accepted-by"], run.tags["reason"]) == ("Ann", "read")


@needs_terminal
def test_the_bar_is_removed_before_accepted_runs(demo: Path) -> None:
    words = ["gate", "accept", "s.toml", "--author", "Ann", "--reason", "read"]
    status, shown = on_a_terminal("scoring.cli.scoring", *words)
    assert status == 0
    before = shown[: shown.index("accepted: ")]
    assert "reading" in before
    assert before.endswith("\x1b[2K")


def test_systems_and_runs_by_patterns(demo: Path) -> None:
    for system in ("large", "small"):
        (demo / system).mkdir()
        for number in (1, 2):
            shutil.copy("improved.trn", demo / system / f"talks.{number}.trn")
    text = """\
systems = ["large", "small"]
[sets.talks]
reference = "reference.trn"
baseline = "improved.trn"
hypothesis = "{system}/{set}.*.trn"
fail-increase = "0pt"
"""
    Path("s.toml").write_text(text)
    status, sets = gate("s.toml")
    assert (status, list(sets)) == (0, ["talks large", "talks small"])
    assert sets["talks large"]["runs"] == [1, 2]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("fail-if-significant", "fail-if-signifcant", (4, 1)),
        ('"casefold"', '"nosuch"', (12, 1)),
        ("anna: 1pt", "anna: 1", (9, 1)),
        ('"runs.db"', '"runs.db', (1, 19)),
        ("[sets.talks]", "[set.talks]", (7, 1)),
        ('"improved.trn"', '"absent.trn"', (8, 1)),
        ('by = "speaker"', "by = { a = 1 }", (5, 1)),
        ('history = "runs.db"', "", (7, 1)),
        ('history = "runs.db"', "systems = []", (1, 1)),
        ('history = "runs.db"', "significance = 2.0", (1, 1)),
    ],
)
def test_errors_have_their_place(
    demo: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, place: tuple[int, int]
) -> None:
    Path("s.toml").write_text(SUITE.replace(old, new))
    assert main(["gate", "s.toml"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"scoring: error: s.toml:{place[0]}:{place[1]}: ")
    assert error.count("\n") == 1


def test_what_cannot_be_judged_never_passes(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = SUITE.replace("anna: 1pt", "nobody: 1pt").replace('history = "runs.db"', "")
    text = text.replace("[defaults]", '[defaults]\nbaseline = "baseline.trn"')
    Path("s.toml").write_text(text)
    status, sets = gate("s.toml")
    assert (status, sets["talks"]["outcome"], sets["others"]["outcome"]) == (2, "ERROR", "PASS")
    assert "PASS fail group" not in capsys.readouterr().out


def test_the_choice_of_a_baseline_is_noted(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for tag in ("pinned=yes", "pinned=no", "pinned=no"):
        words = ["--tag", tag, "--record", "runs.db", "--quiet"]
        assert main(["wer", "reference.trn", "baseline.trn", *words]) == 0
    capsys.readouterr()
    assert main(["history", "compare", "runs.db", "", "2", "--remarks", "json"]) == 0
    assert main(["compare", "runs.db", "runs.db", "--remarks", "json", "--json", "out.json"]) == 0
    notes = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(note["code"], note["fields"]["number"]) for note in notes] == [("BASELINE", 1)] * 2
    record = json.loads(Path("out.json").read_text("utf-8"))
    assert [record[side]["name"][-5:] for side in ("baseline", "new")] == ["run 1", "run 3"]


def test_tables_begin_with_the_greatest_share_and_end_after_ten_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"s{number:02d}" for number in range(12)]
    words = [list("abcdefghijkl")] * len(names)
    reference, changed = tmp_path / "r.trn", tmp_path / "n.trn"
    for path, shift in ((reference, 0), (changed, 1)):
        lines = [
            " ".join([*(["x"] * place * shift), *line[place * shift :]]) + f" ({name}_1)\n"
            for place, (name, line) in enumerate(zip(names, words, strict=True))
        ]
        path.write_text("".join(lines))
    assert main(["compare", str(reference), str(reference), str(changed), "--by", "speaker"]) == 0
    table = capsys.readouterr().out.partition("Groups by speaker\n")[2].splitlines()
    assert [line.split()[0] for line in table[1:11]] == names[:1:-1]
    assert table[11] == "… and 2 others"


ONE_SET = """\
[sets.talks]
reference = "reference.trn"
baseline = "baseline.trn"
hypothesis = "improved.trn"
"""


def test_a_suite_without_a_condition_names_the_line_to_add(
    demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("one.toml").write_text(ONE_SET)
    assert main(["gate", "one.toml"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    [line, table] = re.findall(r"add (.+) to (\[.+\])", captured.err)[0]
    assert captured.err.startswith("scoring: error: one.toml:1:1: ")
    Path("one.toml").write_text(ONE_SET.replace(table, f"{table}\n{line}"))
    assert gate("one.toml")[1]["talks"]["outcome"] == "PASS"
    others = ONE_SET.replace("talks", "others")
    Path("two.toml").write_text(ONE_SET + others)
    assert main(["gate", "two.toml"]) == 2
    assert f"{line} to [defaults]" in capsys.readouterr().err
    # one set of two has a condition
    Path("two.toml").write_text(f"{ONE_SET}{line}\n{others}")
    status, sets = gate("two.toml", "--junit", "two.xml", "--summary-json", "two.line")
    assert (status, sets["others"]["outcome"]) == (0, "no condition")
    [text] = re.findall("The suite passes: .*", capsys.readouterr().out)
    assert text.startswith("The suite passes: 1 of 2 sets; ")
    assert text.endswith("nothing was checked: others")
    assert len(list(ElementTree.parse("two.xml").iter("skipped"))) == 1
    assert main(["gate", "two.toml", "--only", "others"]) == 2


def test_a_check_of_nothing_has_not_passed(demo: Path) -> None:
    files = ["reference.trn", "baseline.trn", "improved.trn"]
    reports = ["--json", "out.json", "--summary-json", "out.line"]
    for words in (["compare", *files, *reports], ["wer", *files[:2], *reports[2:]]):
        for condition, passed in (([], None), (["--fail-above", "99"], True)):
            assert main([*words, *condition]) == 0
            line = json.loads(Path("out.line").read_text("utf-8"))
            assert line["passed"] is passed
            assert ("**PASS**" in line["comment"]) == bool(condition)
            if words[0] == "compare":
                assert json.loads(Path("out.json").read_text("utf-8"))["passed"] is passed


LOST_SUITE = """\
[defaults]
reference = "ref.txt"
baseline = "base.txt"
hypothesis = "new.txt"
utt2spk = "utt2spk"
replications = 500
[sets.dev]
"""


@pytest.fixture
def lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new hypothesis that lacks two of eight speakers, so that only chance excuses the loss."""
    monkeypatch.chdir(tmp_path)
    names = [f"s{speaker}-{number}" for speaker in range(8) for number in range(3)]
    spoken = dict.fromkeys(names, "the small bird sings in the old tree")
    Path("utt2spk").write_text("".join(f"{name} {name[:2]}\n" for name in names))
    heard = {"ref": spoken, "base": {**spoken, "s0-0": "the small word sings in the old tree"}}
    heard["new"] = {name: text for name, text in heard["base"].items() if name < "s6"}
    for file, texts in heard.items():
        Path(f"{file}.txt").write_text("".join(f"{name} {text}\n" for name, text in texts.items()))
    return tmp_path


@pytest.mark.parametrize(
    ("condition", "outcome", "status"),
    [
        ("fail-if-significant = true", "FAIL", 3),
        ('fail-increase = "1pt:significant:undecided-passes"', "UNDECIDED", 0),
        ('fail-increase = "50pt"', "UNDECIDED", 0),
        ('fail-increase = "50pt"\nfail-if-missing = true', "FAIL", 3),
        ("fail-if-missing = true", "FAIL", 3),
        ('fail-if-significant = true\nallow = "missing"', "PASS", 0),
        ("fail-if-significant = true\nfail-if-missing = true\nfail-when = 'all'", "FAIL", 3),
    ],
)
def test_chance_does_not_excuse_lost_hypotheses(
    condition: str, outcome: str, status: int, lost: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("s.toml").write_text(f"{LOST_SUITE}{condition}\n")
    files = ["--junit", "out.xml", "--html", "out.html", "--markdown", "out.md"]
    found, sets = gate("s.toml", *files, "--summary-json", "out.line")
    assert found == status
    assert sets["dev"]["outcome"] == outcome
    findings = [item for item in sets["dev"]["findings"] if item["name"] == "missing hypotheses"]  # type: ignore[attr-defined]
    if outcome == "PASS":
        assert not findings
        return
    assert [item["has_failed"] for item in findings] == [status == 3]
    text = "6 references with a hypothesis in base.txt, including all of speaker s6 and s7: s6-0,"
    assert text in findings[0]["text"]
    for file in ("out.html", "out.md", "out.line", "out.xml"):
        assert text in Path(file).read_text("utf-8"), file
    [case] = ElementTree.parse("out.xml").getroot().iterfind(".//*[@name='missing hypotheses']")
    assert [part.tag for part in case] == ["failure" if status else "skipped"]


def test_only_hypotheses_that_the_baseline_has_are_lost(
    lost: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path("base.txt").read_text().splitlines(keepends=True)
    Path("base.txt").write_text("".join(lines[:-2]))
    Path("new.txt").write_text("".join(lines[:-4]))
    sides = ["compare", "base.txt", "new.txt", "-r", "ref.txt", "--show", "0", "--quiet"]
    assert main([*sides, "--json", "out.json"]) == 0
    record = json.loads(Path("out.json").read_text("utf-8"))
    assert record["lost_hypotheses"] == {"count": 2, "ids": ["s6-2", "s7-0"]}
    assert "lost_speakers" not in record
    assert record["passed"] is None
    assert main([*sides, "--utt2spk", "utt2spk", "--json", "out.json"]) == 0
    assert json.loads(Path("out.json").read_text("utf-8"))["lost_speakers"] == ["s7"]
    assert main(sides) == 0  # without conditions the report begins with them, too
    shown = capsys.readouterr().out.splitlines()
    assert shown[1].startswith("new.txt has no hypothesis for 2 references")
    assert main([*sides, "--fail-if-missing"]) == 3
    assert main([*sides, "--fail-if-missing", "--allow", "missing"]) == 2
    assert "exclude each other" in capsys.readouterr().err
    sides[1:3] = "new.txt", "base.txt"
    assert main([*sides, "--fail-if-missing"]) == 0
    assert "PASS missing hypotheses: base.txt has all" in capsys.readouterr().out


@pytest.mark.parametrize("measure", ["cp", "tcp", "dicp", "orc"])
def test_lost_speakers_and_sessions_of_meetings(
    measure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = "{0} 1 ann 0 2 the small bird sings\n{0} 1 bob 3 5 in an old tree\n"
    reference = "".join(map(said.format, ("m1", "m2", "m3")))
    Path("ref.stm").write_text(reference)
    Path("base.stm").write_text(reference.replace("ann", "x").replace("bob", "y"))
    lines = [line for line in reference.splitlines(keepends=True) if not line.startswith("m3")]
    Path("new.stm").write_text("".join(line for line in lines if not line.startswith("m2 1 bob")))
    sides = ["ref.stm", "base.stm", "new.stm", "--meeting", measure]
    gate = ["--fail-if-missing", "--json", "out.json", "--quiet"]
    assert main(["compare", *sides, *gate]) == 3
    record = json.loads(Path("out.json").read_text("utf-8"))
    assert record["lost_hypotheses"] == {"count": 2, "ids": ["m3", "m2-bob"]}
    [finding] = record["findings"]
    assert finding["has_failed"]
    assert "m3, m2-bob" in finding["text"]
    # a record of the baseline has its speakers, too
    assert main(["wer", *sides[:2], *sides[3:5], "--json", "base.json", "--quiet"]) == 0
    assert main(["compare", "base.json", *sides[2:], *gate]) == 3
    assert json.loads(Path("out.json").read_text("utf-8"))["lost_hypotheses"]["count"] == 2
    assert main(["compare", *sides[:2], *sides[1:2], *sides[3:], *gate]) == 0


def test_a_ctm_that_ends_early_lacks_hypotheses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A CTM has no identifiers, so silence at its end, or of a speaker, is a loss."""
    monkeypatch.chdir(tmp_path)
    turns = [(n, "abc"[n % 3] if n < 24 else "d", f"said {n} words") for n in range(30)]
    lines = [f"m 1 {who} {2 * n} {2 * n + 2} {text}\n" for n, who, text in turns]
    Path("ref.stm").write_text("".join(lines))

    def write(name: str, lost: Collection[int]) -> None:
        words = [(n, at, word) for n, _, text in turns for at, word in enumerate(text.split())]
        rows = [f"m 1 {2 * n + at / 2} 0.4 {word}\n" for n, at, word in words if n not in lost]
        Path(name).write_text("".join(rows))

    write("base.ctm", {3})
    sides = ["compare", "ref.stm", "base.ctm", "new.ctm", "--fail-if-missing", "--quiet"]
    cases = {
        (1, 2, 4, 9, 29): None,  # utterances that were not recognised
        range(20, 30): (10, ["d"]),  # the file ends early
        range(0, 24, 3): (8, ["a"]),  # a speaker is lost
    }
    for lost, expected in cases.items():
        write("new.ctm", {3, *lost})
        assert main([*sides, "--json", "out.json"]) == (3 if expected else 0)
        record = json.loads(Path("out.json").read_text("utf-8"))
        found = record["lost_hypotheses"]["count"], record.get("lost_speakers")
        assert found == (expected or (0, None))


def test_a_remark_on_a_shared_reference_is_printed_once(
    lost: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = "m 1 ann 3 5 in an old tree\nm 1 bob 0 2 the small bird sings\n"
    for name in ("ref", "old", "new"):
        Path(f"{name}.stm").write_text(reference)
    for command in (["compare"], ["wer"]):
        assert main([*command, "ref.stm", "old.stm", "new.stm"]) == 0
        errors = capsys.readouterr().err
        for name in ("ref", "old", "new"):
            assert errors.count(f" {name}.stm:2: ") == 1, errors


def test_more_lost_hypotheses_than_an_account_lists(
    lost: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path("base.txt").read_text().splitlines(keepends=True)
    Path("base.txt").write_text("".join(lines[12:]))
    Path("new.txt").write_text("".join(lines[:12]))  # as many as the baseline lacks, but others
    sides = ["compare", "base.txt", "new.txt", "-r", "ref.txt", "--quiet", "--fail-if-missing"]
    assert main([*sides, "--json", "out.json"]) == 3
    record = json.loads(Path("out.json").read_text("utf-8"))
    assert record["lost_hypotheses"]["count"] == 12
    assert record["lost_hypotheses"]["ids"][:2] == ["s4-0", "s4-1"]
    # the account does not distinguish an empty hypothesis from a missing one
    Path("base.txt").write_text("".join([*lines[13:], "s0-0\n"]))
    assert main([*sides, "--json", "out.json"]) == 3
    assert json.loads(Path("out.json").read_text("utf-8"))["lost_hypotheses"]["count"] == 11


def test_a_quiet_gate_prints_errors_only(lost: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.toml").write_text(f"{LOST_SUITE}fail-if-missing = true\n")
    assert main(["gate", "s.toml"]) == 3
    errors = capsys.readouterr().err
    assert "[DELETED]" in errors
    assert errors.count("[READ-AS]") == 1  # one note for all files
    assert main(["gate", "s.toml", "--quiet"]) == 3
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("scoring: error: not passed: dev: missing hypotheses (")


UNKNOWN = {
    "a missing rule": (f'{ONE_SET}missing = "error"\n', 5, "fail-if-missing", "gate {}"),
    "a suite": (ONE_SET.replace("hypothesis", "new"), 4, "hypothesis", "gate {}"),
    "defaults": (f'[defaults]\nfail-increse = "5%"\n{ONE_SET}', 2, "fail-increase", "gate {}"),
    "a table of a suite": (f"{ONE_SET}[default]\n", 5, "defaults", "gate {}"),
    "a benchmark": ('[sets.s]\nref = "reference.trn"\n', 2, "reference", "bench {}"),
    "steps": (
        'steps = ["casefold"]\ntitle = "mine"\n',
        2,
        "name",
        "wer reference.trn baseline.trn --normalize {}",
    ),
    "a format": ('from = "srt"\ntitel = "mine"\n', 2, "title", "formats museum.srt @{}"),
    "a style guide": (
        'name = "mine"\nbase = "bbc"\n',
        2,
        "based-on",
        "formats lint museum.srt --rules @{}",
    ),
}


@pytest.mark.parametrize("kind", UNKNOWN)
def test_an_unknown_key_of_any_file_has_its_place_and_a_suggestion(
    kind: str, demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from formats.cli import main as formats_main

    text, line, meant, command = UNKNOWN[kind]
    Path("mine.toml").write_text(text)
    words = command.format("mine.toml").split()
    if words[0] == "formats":
        words = words[1:] if words[1] == "lint" else ["convert", words[1], "-", "--from", words[2]]
        assert formats_main([*words, *["--to", "vtt"] * (words[0] == "convert")]) == 2
    else:
        assert main(words) == 2
    [message] = capsys.readouterr().err.splitlines()
    assert f"mine.toml:{line}:" in message
    assert f"did you mean {meant}" in message

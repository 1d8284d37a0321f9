"""`scoring compare`: gates, sides, forms of the report."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from scoring.cli.messages import OTHER_NUMBERS
from scoring.cli.scoring import main
from scoring.pages.messages import DELETED
from scoring.regression.messages import MISSING_UNITS
from scoring.score.messages import SHARED_CUT
from scoring.sides.messages import ONLY_CHANNEL, ONLY_RECORDING, TIMES_ESTIMATED, TIMES_KNOWN
from tests import programs
from tests.formats.checks import message_text
from tests.tables import table_of

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
KALDI = ["kaldi_baseline", "kaldi_new.txt", "--hypothesis-format", "kaldi-text"]
QUICK = ["--replications", "200"]


@pytest.fixture(autouse=True)
def in_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DEMO)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return programs.told(capsys, "compare", *arguments, *QUICK)


@pytest.mark.parametrize(
    ("gate", "status"),
    table_of(__file__, "gates"),
    ids=lambda one: " ".join(one) if isinstance(one, list) else str(one),
)
def test_gates(gate: list[str], status: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, *KALDI, *gate)
    assert found[0] == status
    # a log has each reason once, and the name of the condition again
    assert found[1].count("\nFAIL fail ") == found[2].count(": not passed: ") == (status == 3)


def test_pages_begin_with_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    markdown, page = tmp_path / "page.md", tmp_path / "page.html"
    sides = ["--reference", "reference.trn", "baseline.trn", "improved.trn", "--fail-above", "3"]
    assert told(capsys, *sides, "--markdown", str(markdown), "--html", str(page))[0] == 3
    lines = [line for line in markdown.read_text("utf-8").splitlines() if line]
    assert lines[1].startswith("**Fails: better by 6.56 points")
    assert lines[2].startswith("- FAIL fail above 3: ")
    assert "improved.trn (scored now)" in lines[-2]
    assert lines[-1].startswith("neither side has the rate of an earlier result")
    text = page.read_text("utf-8")
    assert text.index("FAIL fail above 3") < text.index("Where the change comes from")


def test_getting_better_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    sides = ["--reference", "reference.trn", "baseline.trn", "improved.trn"]
    status, output, errors = told(capsys, *sides, "--fail-if-significant", "--fail-increase", "0%")
    assert (status, errors) == (0, "")
    assert "PASS fail if significant: fewer errors than the baseline, p = 0.0" in output
    assert "error rate %         20.57  14.01   -6.56\n" in output


def test_transcripts_may_choose_other_alternatives(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, errors = told(capsys, "-r", "reference.stm", "baseline.ctm", "improved.ctm")
    assert (status, errors) == (0, "")
    assert "errors                 116     81     -35\n" in output


def test_a_changed_record_fails_if_it_is_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    copy = tmp_path / "baseline"
    shutil.copytree("kaldi_baseline", copy)
    path = copy / "wer_8_0.0"
    path.write_text(path.read_text().replace("14.01", "14.02"))
    status, output, errors = told(capsys, str(copy), "kaldi_baseline")
    assert status == 0
    assert f"{path}: 1 of 3 differ (" in output
    assert (
        "  %WER: recorded %WER 14.02 [ 79 / 564, 14 ins, 19 del, 46 sub ], "
        "ours %WER 14.01 [ 79 / 564, 14 ins, 19 del, 46 sub ]\n"
    ) in output
    others = message_text(OTHER_NUMBERS, place=path, number=1, total=3)
    assert f"scoring: warning: {others} [{OTHER_NUMBERS.code}]\n" in errors
    status, output, errors = told(capsys, str(copy), "kaldi_baseline", "--fail-if-recorded-differs")
    assert status == 3
    assert f"FAIL recorded numbers: {path}: 1 of 3 differ\n" in output
    assert "scoring: error: not passed: recorded numbers (" in errors


def test_an_unchecked_record_fails_if_it_is_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    copy = tmp_path / "baseline"
    shutil.copytree("kaldi_baseline", copy)
    assert told(capsys, str(copy), str(copy), "--fail-if-unchecked")[0] == 0
    (copy / "scoring_kaldi/penalty_0.0/9.txt").unlink()
    status, output, _ = told(capsys, str(copy), str(copy), "--fail-if-recorded-differs")
    assert status == 0
    assert "; not checked: 1\n" in output
    status, output, _ = told(capsys, str(copy), str(copy), "--fail-if-unchecked")
    assert status == 3
    assert "FAIL unchecked records: " in output
    texts = ["reference.trn", "improved.trn", "improved.trn"]
    for gate in ("--fail-if-unchecked", "--fail-if-recorded-differs"):
        status, output, _ = told(capsys, *texts, gate)
        assert status == 2
        assert "PASS" not in output


def test_every_form_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {name: str(tmp_path / f"out.{name}") for name in ("json", "markdown", "html", "junit")}
    flags = [part for name, path in names.items() for part in (f"--{name}", path)]
    status, output, _ = told(capsys, *KALDI, "--fail-increase", "5%", *flags)
    assert status == 3
    assert output.startswith("Fails: worse by 2.48 points (14.01 % to 16.49 %)")
    content = json.loads(Path(names["json"]).read_text("utf-8"))
    assert [one["has_failed"] for one in content["findings"]] == [True]
    tree = ElementTree.parse(names["junit"]).getroot()
    assert tree.attrib["failures"] == "1"
    assert len(tree.findall(".//testcase")) == int(tree.attrib["tests"]) == 11
    text = Path(names["markdown"]).read_text("utf-8")
    assert "| error rate % | 14.01 | 16.49 | +2.48 |\n" in text
    assert "- FAIL fail increase 5%: the new error rate of 16.49 % is above 14.71 %\n" in text

    page = Path(names["html"]).read_text("utf-8")
    assert '<tr><td class="text" dir="auto">error rate %</td><td>14.01</td><td>16.49</td>' in page
    assert page.endswith("</body>\n</html>\n")


@pytest.mark.parametrize("form", ["--json", "--markdown", "--html", "--junit"])
def test_a_form_on_standard_output_stands_alone(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, output, _ = told(capsys, *KALDI, form, "-")
    begins = {"--json": "{", "--markdown": "# ", "--html": "<!doctype", "--junit": "<?xml"}
    assert output.startswith(begins[form])
    assert "\nBaseline\n" not in output


def test_colour_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    _, plain, _ = told(capsys, *KALDI)
    _, coloured, _ = told(capsys, *KALDI, "--details", "--color", "always")
    assert "\x1b[" not in plain
    assert "\x1b[33mkeys\x1b[0m" in coloured


def test_alignments_keep_to_the_width(capsys: pytest.CaptureFixture[str]) -> None:
    _, output, _ = told(capsys, *KALDI, "--details", "--width", "50")
    lines = [line for line in output.splitlines() if line.startswith("  ")]
    assert max(map(len, lines)) <= 50
    assert len([line for line in lines if line.startswith("  new:")]) > 10


def test_long_texts_of_the_parts_wrap_in_pipes(capsys: pytest.CaptureFixture[str]) -> None:
    parts = told(capsys, *KALDI, "--details")[1].partition("Where the change comes from\n")[2]
    lines = parts.partition("\n\n")[0].splitlines()
    assert lines[0].split()[:2] == ["part", "example:"]
    assert max(map(len, lines)) <= 100
    assert any(not line[-1].isdigit() for line in lines[1:]), "no text was wrapped"
    narrow = told(capsys, *KALDI, "--details", "--width", "80")[1]
    assert f"\n{lines[0]}\n" not in narrow


def test_without_utterances_their_sections_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    markdown, page = tmp_path / "page.md", tmp_path / "page.html"
    forms = ("--markdown", str(markdown), "--html", str(page))
    output = told(capsys, *KALDI, "--show", "0", *forms)[1]
    texts = [output, *(path.read_text("utf-8") for path in (markdown, page))]
    for text in texts:  # the verdict is "Worse by …"
        assert not re.search(r"none shown|^(#+ )?(Worse|Better)$|>(Worse|Better)<", text, re.M)
    assert "utterances worse" in texts[0]  # how many there are


def test_speakers_are_named_or_guessed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "utt2spk"
    names = Path("kaldi_baseline/utt2spk").read_text().split()[::2]
    path.write_text(
        "".join(f"{name} {'even' if int(name[-1]) % 2 == 0 else 'odd'}\n" for name in names)
    )
    _, output, _ = told(capsys, *KALDI, "--utt2spk", str(path), "--block", "speaker", "--details")
    assert "\neven " in output
    assert "2 units by speaker" in output


def test_the_profile_is_for_both(capsys: pytest.CaptureFixture[str]) -> None:
    _, output, _ = told(capsys, *KALDI, "--profile", "sclite")
    assert "align:sclite(4,3,3)|ties:sclite" in output
    assert "records: equal 10, differs 0, not checked 0\n" in output


def test_missing_utterances_are_deleted_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path("kaldi_new.txt").read_text().splitlines(keepends=True)
    path = tmp_path / "new.txt"
    path.write_text("".join(lines[:-1]))
    sides = ["kaldi_baseline", str(path), "--hypothesis-format", "kaldi-text"]
    status, output, errors = told(capsys, *sides)
    assert status == 0
    deleted = message_text(DELETED, path=path, unit="word", number=1, names=["dan-0015"])
    assert errors == f"scoring: warning: {deleted} [{DELETED.code}]\n"
    short = tmp_path / "short.trn"
    short.write_text("".join(Path("improved.trn").read_text().splitlines(keepends=True)[1:]))
    transcripts = ["reference.trn", "baseline.trn", str(short), "--like", "kaldi"]
    status, _, errors = told(capsys, *transcripts)
    assert status == 2
    missing = message_text(
        MISSING_UNITS, path=short, unit="utterance", other="baseline.trn", missing="1: anna-0001"
    )
    assert errors.endswith(f"scoring: error: {missing} [{MISSING_UNITS.code}]\n")
    status, output, _ = told(capsys, *sides, "--allow", "missing")
    assert status == 0
    assert "dropped, only in baseline (1): dan-0015\n" in output


def test_normalised_transcripts_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (
        ("ref", "The cat sat. (s-1)\n"),
        ("old", "the cat sat (s-1)\n"),
        ("new", "The hat SAT (s-1)\n"),
    ):
        (tmp_path / f"{name}.trn").write_text(text)
    files = [str(tmp_path / "old.trn"), str(tmp_path / "new.trn")]
    options = ["--reference", str(tmp_path / "ref.trn"), "--normalize", "lowercase"]
    assert main(["compare", *files, *options, "--normalize", "punctuation"]) == 0
    shown = capsys.readouterr().out
    assert "norm:" in shown
    assert "norm:none" not in shown
    assert main(["compare", "kaldi_baseline", "kaldi_baseline", "--normalize", "lowercase"]) == 2
    assert "--normalize needs transcripts on both sides" in capsys.readouterr().err


SAID = "good morning to you all thank you very much"
STM = "talk A anne 0.5 2.5 good morning to you all\ntalk A bob 2.5 4.5 thank you very much\n"
SRT = (
    "1\n00:00:00,500 --> 00:00:02,500\ngood morning to you all\n\n"
    "2\n00:00:02,500 --> 00:00:04,500\nthank you very {}\n"
)


def test_sides_of_any_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        "ref.stm": STM,
        "old.srt": SRT.format("well"),
        "new.json": json.dumps(
            {
                "metadata": {"duration": 5.0},
                "results": {"channels": [{"alternatives": [{"words": [
                    {"word": word, "start": 0.5 + 0.4 * at, "end": 0.8 + 0.4 * at}
                    for at, word in enumerate(SAID.split())
                ]}]}]},
            }
        ),
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    reference, old, new = (str(tmp_path / name) for name in texts)
    sides = [old, new, "--reference", reference]
    status, output, errors = told(capsys, *sides)
    recordings = [
        f"scoring: note: {message_text(ONLY_RECORDING, path=path, recording=name, target='talk')} [{ONLY_RECORDING.code}]"
        for path, name in ((old, "old"), (new, "new"))
    ]
    channel = {"path": new, "channel": "0", "target": "A", "recording": "talk"}
    assert (status, errors.splitlines()) == (
        0,
        [
            recordings[0],
            f"scoring: note: {message_text(SHARED_CUT, path=old)} [{SHARED_CUT.code}]",
            recordings[1],
            f"scoring: note: {message_text(ONLY_CHANNEL, **channel, reference=reference)} [{ONLY_CHANNEL.code}]",
        ],
    )
    assert "error rate %         11.11  0.00" in output
    flags = ["--interpolate", "chars", "--channel-alias", "0=A", "--encoding", "utf-8"]
    status, output, errors = told(capsys, *sides, *flags)
    estimated = message_text(TIMES_ESTIMATED, path=old, words=9, way="chars")
    idle = message_text(TIMES_KNOWN, path=new, way="chars")
    assert (status, errors.splitlines()) == (
        0,
        [
            f"scoring: warning: {estimated} [{TIMES_ESTIMATED.code}]",
            recordings[0],
            f"scoring: note: {idle} [{TIMES_KNOWN.code}]",
            recordings[1],
        ],
    )
    assert "error rate %         11.11  0.00" in output


def test_data_directories_of_kaldi(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("u1 good morning\nu2 thank you\n", "utf-8")
    (tmp_path / "ref").write_text("u1 good morning\nu2 thank him\n", "utf-8")
    sides = [str(tmp_path), str(tmp_path / "text"), "--reference", str(tmp_path / "ref")]
    status, output, errors = told(capsys, *sides, "--reference-format", "kaldi")
    assert (status, errors) == (0, "")
    assert "error rate %         25.00  25.00" in output


def test_ten_groups_are_drawn_and_listed_the_worst_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"word{number}" for number in range(12)]
    new = {name: " ".join(words[: 12 - index]) for index, name in enumerate("abcdefghijkl")}
    for file, texts in (("r.trn", dict.fromkeys(new, " ".join(words))), ("n.trn", new)):
        lines = [f"{text} ({name}-1)\n" for name, text in texts.items()]
        (tmp_path / file).write_text("".join(lines), "utf-8")
    files = [str(tmp_path / name) for name in ("r.trn", "r.trn", "n.trn")]
    status, output, _ = told(capsys, *files, "--by", "speaker")
    assert status == 0
    drawn = [line.split()[1] for line in output.splitlines() if line.startswith("speaker ")]
    assert "".join(drawn[:10]) == "lkjihgfedc"
    assert drawn[10] == "l"  # where the change comes from
    assert output.count("\n… and 2 others\n") == 2


def test_large_numbers_have_separators(current_folder: Path) -> None:
    for name, word in (("r", "a"), ("o", "a"), ("n", "b")):
        lines = (f"{word} b c d (x-{number})\n" for number in range(1200))
        (current_folder / f"{name}.trn").write_text("".join(lines))
    assert main(["compare", "r.trn", "o.trn", "n.trn", "--quiet", "--html", "page.html"]) == 0
    page = (current_folder / "page.html").read_text("utf-8")
    for text in ("1,200 utterances, 4,800 reference words; 1,200 utterances worse", "+1,200</td>"):
        assert text in page
